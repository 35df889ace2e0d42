"""The players' tab of a new game: a row a player, and the tablet from above with everybody round it; what lies over it while a clan is
chosen or a name typed is ``newgame_over``. Here: drawing. Not here: what is right (``companion.lobby.form``).
"""

from __future__ import annotations

from companion.lobby.form import Form, Player
from companion.rules.view import Text
from companion.table.seating import EAST, NORTH, SOUTH, WEST, seated
from companion.tablet import buttons, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, TEXT
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen


def paint(part: Part, pen: Pen, form: Form, area: Box) -> None:
    m = pen.m
    gap = m.px(28)
    if area.h > area.w:  # the tablet stands upright
        rows = (m.finger(76) + m.px(14)) * max(form.offer.players)
        _paint_rows(part, pen, form, Box(area.x, area.y, area.w, rows))
        _paint_round(part, pen, form, Box(area.x, area.y + rows + gap, area.w, area.h - rows - gap))
        return
    left = round((area.w - gap) * 0.62)
    _paint_rows(part, pen, form, Box(area.x, area.y, left, area.h))
    _paint_round(part, pen, form, Box(area.x + left + gap, area.y, area.w - left - gap, area.h))


def _paint_rows(part: Part, pen: Pen, form: Form, box: Box) -> None:
    m, s = pen.m, part.session
    most = max(form.offer.players)
    row = m.finger(76)
    step = min(row + m.px(14), max(row, (box.h - row) // max(most - 1, 1)))
    y = box.y
    for player in form.players:
        _paint_player(part, pen, form, player, Box(box.x, y, box.w, row))
        y += step
    if form.more:
        add = Button("add", s.speech.say(Text("lobby.add_player")), lambda: s.put(form.with_player()), mark="ui/plus")
        buttons.paint(part, pen, Placed(add, box.x, y, max(buttons.width(add, pen.style), m.px(220)), row))


def _paint_player(part: Part, pen: Pen, form: Form, player: Player, box: Box) -> None:
    m, s = pen.m, part.session
    seat, gap = player.seat, m.gap
    end = box.h if form.fewer else 0
    clan = round((box.w - box.h - end - gap * (3 if end else 2)) * 0.44)
    name = box.w - clan - box.h - end - gap * (3 if end else 2)
    said = s.speech.say(form.offer.seats[seat])
    x = float(box.x)
    buttons.paint(
        part, pen, Placed(Button(f"clan:{seat}", said, lambda: s.choose(seat), mark=f"clan/{seat}", value=seat), x, box.y, clan, box.h)
    )
    x += clan + gap
    _paint_name(part, pen, player, said, Box(round(x), box.y, name, box.h))
    x += name + gap
    _paint_side(part, pen, form, player, Box(round(x), box.y, box.h, box.h))
    x += box.h + gap
    if end:
        away = Button(f"remove:{seat}", "", lambda: s.put(form.without(seat)), mark="ui/minus", meaning=seat)
        buttons.paint(part, pen, Placed(away, x, box.y, end, box.h))
        part.spots[-1].text = s.speech.say(Text("lobby.remove", {"seat": form.offer.seats[seat]}))


def _paint_name(part: Part, pen: Pen, player: Player, clan: str, box: Box) -> None:
    """A well to write in; empty it says what belongs there."""
    m, s = pen.m, part.session
    pen.box(box.x, box.y, box.w, box.h, "raised", "edge", m.px(2), m.px(4))
    pen.rect(box.x + m.px(14), box.y + box.h - m.px(16), box.w - m.px(28), m.px(2), "line")
    words = _called(part, player) or s.speech.say(Text("lobby.no_name"))
    room = round(box.w - m.px(32))
    face = BOLD if player.name or player.bot else TEXT
    px = lettering.fitted(words, face, m.sp(20), room, m.sp(13))
    pen.line(
        lettering.cut(words, face, px, room), box.x + m.px(16), box.y + box.h / 2 - m.px(2), face, px, "ink_off" if face == TEXT else "ink"
    )
    text = s.speech.say(Text("lobby.name_of", {"clan": clan}))
    part.spot(
        f"name:{player.seat}", *box, text=text, value=player.name, press=lambda: s.edit(player.seat), meaning=player.seat, question=True
    )


def _called(part: Part, player: Player) -> str:
    """The name, and whether it is a bot's; "": nobody typed one."""
    said = Text("table.bot_named", {"name": player.name}) if player.name else Text("lobby.bot")
    return str(part.session.speech.say(said)) if player.bot else player.name


def _paint_side(part: Part, pen: Pen, form: Form, player: Player, box: Box) -> None:
    """The tablet in small, the player's side of it in ink."""
    m, s = pen.m, part.session
    pen.box(box.x, box.y, box.w, box.h, "raised", "ink", m.px(2), m.px(8))
    w, h = round(box.w * 0.5), round(box.h * 0.34)
    x, y = box.x + (box.w - w) // 2, box.y + (box.h - h) // 2
    pen.box(x, y, w, h, "sunk", "edge", m.px(2), m.px(2))
    r, off = box.h * 0.075, box.h * 0.13
    at = {SOUTH: (x + w / 2, y + h + off), NORTH: (x + w / 2, y - off), WEST: (x - off, y + h / 2), EAST: (x + w + off, y + h / 2)}
    for side, (cx, cy) in at.items():
        pen.disc(cx, cy, r if side == player.side else r * 0.45, "ink" if side == player.side else "edge")
    text = s.speech.say(Text(f"lobby.side_{player.side}"))
    part.spot(
        f"side:{player.seat}", *box, text=text, value=player.side, press=lambda: s.put(form.turned(player.seat)), meaning=player.seat, question=True
    )  # fmt: skip


def _paint_round(part: Part, pen: Pen, form: Form, box: Box) -> None:
    """The tablet from above: everybody's mark and name where they sit, and which way clockwise is."""
    m, s = pen.m, part.session
    note = lettering.wrapped(s.speech.say(Text("lobby.round")), TEXT, m.sp(14), box.w, 3)
    high = box.h - m.sp(18) * len(note) - m.px(8)
    mark = max(m.px(50), m.target)
    label = m.sp(17)
    aside = max(mark, m.px(92))
    w, h = box.w - 2 * (aside + m.px(10)), high - 2 * (mark + label + m.px(14))
    k = min(w / 16, h / 10)
    w, h = round(16 * k), round(10 * k)
    x, y = box.x + (box.w - w) // 2, box.y + (high - h) // 2
    pen.box(x, y, w, h, "ink", None, 0, m.px(10))
    pen.box(x + m.px(6), y + m.px(6), w - m.px(12), h - m.px(12), "sunk", None, 0, m.px(5))
    size = min(m.px(40), h // 2)
    pen.mark("ui/turn", x + (w - size) / 2, y + (h - size) / 2, size, "edge")
    spots = seated(form.seats, 0, {player.seat: player.side for player in form.players})
    for player in form.players:
        spot = spots.get(player.seat)
        if spot is None:
            continue
        place = Box(x, y, w, h)
        cx, cy = _at(place, spot.side, spot.slot, spot.slots, mark, label + m.px(8), aside)
        pen.mark(f"clan/{player.seat}", cx - m.px(44) / 2, cy - m.px(44) / 2, m.px(44))
        words = _called(part, player) or s.speech.say(form.offer.seats[player.seat])
        room = round((w + aside) / spot.slots if spot.side in {SOUTH, NORTH} else aside + m.px(4))
        px = lettering.fitted(words, BOLD, m.sp(14), room, m.sp(11))
        below = -1 if spot.side == NORTH else 1
        pen.line(lettering.cut(words, BOLD, px, room), cx, cy + below * (m.px(24) + label / 2 + m.px(2)), BOLD, px, "ink", "centre")
        part.spot(
            f"round:{player.seat}", cx - mark / 2, cy - mark / 2, mark, mark, text=words, value=player.side,
            press=lambda seat=player.seat: s.put(form.turned(seat)), meaning=player.seat, question=True,
        )  # fmt: skip
    for i, line in enumerate(note):
        pen.line(line, box.x + box.w / 2, box.bottom - m.sp(18) * (len(note) - i - 0.5), TEXT, m.sp(14), "ink_soft", "centre")


def _at(box: Box, side: str, slot: int, slots: int, mark: float, label: float, aside: float) -> tuple[float, float]:
    """The middle of a mark beside the tablet, clockwise along each side; ``aside``: how wide mark and name are at the short sides."""
    share = (slot + 0.5) / slots
    off = mark * 0.66
    if side == SOUTH:
        return box.right - box.w * share, box.bottom + off
    if side == NORTH:
        return box.x + box.w * share, box.y - off
    stretch = max(0.0, (mark + label) * slots - box.h) / 2
    y0, high = box.y - stretch, box.h + 2 * stretch
    if side == WEST:
        return box.x - aside / 2 - mark * 0.16, y0 + high - high * share - label / 2
    return box.right + aside / 2 + mark * 0.16, y0 + high * share - label / 2
