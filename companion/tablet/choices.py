"""The buttons of the open question, made from its prompt and from what is half answered. Not here: where they stand (``prompt``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.rules.game import TABLE, Choice, Prompt
from companion.rules.view import Counter, Stack
from companion.tablet import house
from companion.tablet.buttons import Button
from companion.tablet.choosing import Group, plain
from companion.tablet.session import Session


def all_of(s: Session, told: int = 0) -> list[Button]:
    """Everything that can be pressed for the open question, in order; ``told``: how much the tabs of other questions say, see ``tab``."""
    prompt = s.prompt
    if prompt is None:
        return []
    out = [tab(s, seat, told) for seat in s.asked if seat != s.seat and not s.whose()]
    if s.whose():
        return [who(s, seat) for seat in s.whose()] + [back(s)]
    if s.filling is not None:
        return out + steppers(s, prompt)
    if s.place:
        begins = [group for group in s.figures if group.frm == s.place and s.place in s.starts]
        here = () if begins else s.here.get(s.place, ())
        return [*out, *(pick(s, group) for group in begins), *(choice(s, prompt, i) for i in here), back(s)]
    shown = min(s.ask, len(s.prompts(s.seat)) - 1)
    out += [other(s, i, asked) for i, asked in enumerate(s.prompts(s.seat)) if i != shown and not asked.optional]
    out += [pick(s, group) for group in s.figures] + [greyed(s, stack) for stack in s.greyed]
    rest = [choice(s, prompt, i) for i in plain(prompt, s.places)]
    leave = [back(s)] if s.ask and prompt.optional else []
    return out + [b for b in rest if not b.last] + undo(s) + [b for b in rest if b.last] + leave


WHOSE, WHAT = 1, 2
"""How much a tab says beside its sign: whose question it opens; and which."""


def tab(s: Session, seat: str, told: int = 0) -> Button:
    """The way to another seat's question. What a private one asks is said only as far as everybody is told whom the game waits for."""
    mark = "ui/tap" if seat == TABLE else f"clan/{seat}"
    asks = next((None if prompt.private else prompt.text for prompt in s.prompts(seat)), None)  # the first is what it opens
    waits = next((wait.text for wait in s.waits if wait.seat == seat), None)
    text = s.speech.say(s.name(seat)) if told >= WHOSE else ""
    detail = s.speech.say(asks or waits) if told >= WHAT else ""
    return Button(f"tab:{seat}", text, lambda: s.press_seat(seat), detail, mark, value=seat, meaning=seat, question=False)


def who(s: Session, seat: str) -> Button:
    return Button(f"who:{seat}", s.speech.say(s.name(seat)), lambda: s.press_seat(seat), mark=f"clan/{seat}", meaning=seat)


def other(s: Session, index: int, prompt: Prompt[Any]) -> Button:
    return Button(
        f"ask:{index}", s.speech.say(prompt.text), lambda: s.press_ask(s.seat, index), mark="ui/turn", meaning=prompt, question=False
    )


def pick(s: Session, group: Group) -> Button:
    stack = s.stack(group.kind)
    text = s.speech.say(stack.text) if stack is not None else group.kind
    left = s.reserve(s.seat, group.kind)
    detail = s.speech.say("reserve", n=left) if left >= 0 and not group.frm else ""
    if group.frm:
        detail = s.speech.say(s.place_name(group.frm))
    tone = "pick" if s.pick == group.key else "plain"
    mark = stack.mark if stack is not None else ""
    return Button(
        f"pick:{group.key}",
        text,
        lambda: s.press_pick(group.key),
        detail,
        mark,
        tone=tone,
        value=len(group.choices),
        meaning=group.key,
        question=False,
    )


def greyed(s: Session, stack: Stack) -> Button:
    """A piece that this question does not move: it says why not."""
    return Button(
        f"why:{stack.kind}",
        s.speech.say(stack.text),
        None,
        s.speech.say("why"),
        stack.mark,
        tone="off",
        meaning=stack.kind,
        question=False,
        why=lambda: s.ask_why(stack.kind),
    )


def undo(s: Session) -> list[Button]:
    """Takes the newest command back, and says which that is; in the list, where there is no room to say it here."""
    found = house.newest({seat: s.prompts(seat) for seat in (*s.seats, TABLE)}, s.seat)
    prompt = s.prompt
    if found is None or (prompt is not None and house.of_house(prompt)):
        return []
    other = f"clan/{found.seat}" if found.seat not in {s.seat, TABLE} else ""
    return [
        Button(
            "undo",
            s.speech.say("undo" if found.alone else "undo_ask"),
            lambda: s.play(found.seat, found.choice.command),
            s.speech.say(found.what),
            other or "ui/undo",
            last=True,
            value=found.seat,
            meaning=found.choice.command,
            untold=lambda: s.press_sheet("ask", found.seat, "table.take_back"),
        )
    ]


def choice(s: Session, prompt: Prompt[Any], index: int) -> Button:
    chosen: Choice[Any] = prompt.choices[index]
    return Button(
        f"choice:{index}",
        s.speech.say(chosen.text),
        lambda: s.press_choice(index),
        s.speech.say(chosen.detail),
        chosen.mark,
        last=chosen.mark.startswith("ui/"),
        meaning=chosen,
    )


def back(s: Session) -> Button:
    return Button("back", s.speech.say("back"), s.press_back, mark="ui/undo", last=True, question=False)


def _counter_name(s: Session, name: str) -> str:
    """What a number of an Amounts is called: as the view calls it, outside the seats (``battle.ronin``) or of this seat (``koi.coins``)."""
    view = s.update.seats.get(s.seat, s.update.open)
    nodes = [(section.id == "seats", node) for section in view.sections for node in _within(section.nodes)]
    for seats, wanted in ((False, f".{name}"), (True, f"{s.seat}.{name}")):
        for in_seats, node in nodes:
            if in_seats is seats and node.id.endswith(wanted):
                return s.speech.say(node.text)
    return name.replace("_", " ").capitalize()


def _within(nodes: Iterable[Any]) -> Iterator[Any]:
    """Counters at any depth."""
    for node in nodes:
        if isinstance(node, Counter):
            yield node
        yield from _within(getattr(node, "nodes", ()))


def pin(s: Session) -> list[Button]:
    """What keeps the curtain open for both hands."""
    press = lambda: s.draw_curtain(aside=True, pin=True)  # noqa: E731 - a button wants one thing to call
    return [] if s.pinned else [Button("pin", s.speech.say("pin"), press, mark="ui/lock", last=True, question=False)]


def steppers(s: Session, prompt: Prompt[Any]) -> list[Button]:
    filling = s.filling
    if filling is None:
        return []
    out = []
    for name, value in filling.amounts.items():
        label = _counter_name(s, name)
        out.append(Button(f"amount:{name}", str(value), None, label, value=value, step=lambda by, name=name: s.press_amount(name, by)))
    send = s.press_filled if s.filled else None
    out.append(
        Button(
            "fill",
            s.speech.say(prompt.choices[filling.choice].text),
            send,
            "" if s.filled else s.speech.say("why"),
            tone="main" if s.filled else "off",
            last=True,
            meaning=filling.choice,
            why=None if s.filled else s.explain_sum,
        )
    )
    return [*out, back(s)]
