"""Views as the referee renders them, for one seat of a made-up moment. Nothing here knows the rules; the shapes are contract 2's."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

MANDATES = {
    "recruit": ("Recruit", "Each player summons one figure per stronghold. You and your ally: one more."),
    "harvest": ("Harvest", "Everyone takes a coin. You and your ally: rewards where you are strongest."),
    "betray": ("Betray", "Only you: swap up to two figures of two players. Your alliance breaks."),
    "train": ("Train", "Each player may buy a card. You and your ally pay one less."),
}


def stack(kind: str, count: int, text: str, mark: str, seat: str = "") -> Json:
    return {"kind": kind, "count": count, "text": text, "mark": mark} | ({"seat": seat} if seat else {})


def seat(name: str, text: str, vp: int, coins: int, ronin: int, *, lit: bool = False) -> Json:
    return {
        "node": "section",
        "id": name,
        "text": text,
        "mark": f"clan/{name}",
        "seat": name,
        "nodes": [
            {"node": "counter", "id": f"{name}.vp", "text": "Victory points", "value": vp, "mark": "token/victory_point"},
            {"node": "counter", "id": f"{name}.coins", "text": "Coins", "value": coins, "mark": "token/coin"},
            {"node": "counter", "id": f"{name}.ronin", "text": "Ronin", "value": ronin, "mark": "token/ronin"},
            {
                "node": "pieces",
                "id": f"{name}.reserve",
                "text": "Reserve",
                "stacks": [
                    stack(f"{name}/bushi", 3, "Bushi", "figure/bushi", name),
                    stack(f"{name}/shinto", 2, "Shinto", "figure/shinto", name),
                    stack("komainu", 1, "Komainu", "figure/monster", name),
                ],
            },
        ],
    } | ({"lit": True} if lit else {})


def zone(name: str, text: str, *stacks: Json, badge: str = "", mark: str = "") -> Json:
    return (
        {"node": "zone", "id": name, "text": text, "stacks": list(stacks)}
        | ({"badge": badge} if badge else {})
        | ({"mark": mark} if mark else {})
    )


def sections(acting: str = "koi") -> list[Json]:
    step = {"mark": "mandate/recruit", "seat": "lotus", "state": "done"}
    return [
        {
            "node": "section",
            "id": "track",
            "text": "Political track",
            "nodes": [
                {
                    "node": "track",
                    "id": "track",
                    "text": "Political track",
                    "steps": [
                        {"light": "mandate.1", "text": "Recruit"} | step,
                        {"light": "mandate.2", "text": "Harvest", "mark": "mandate/harvest", "seat": "turtle", "state": "done"},
                        {"light": "kami.1", "text": "Kami", "mark": "place/shrine", "state": "done"},
                        {"light": "mandate.3", "text": "Recruit", "mark": "mandate/recruit", "seat": acting, "state": "now"},
                        *({"light": f"mandate.{n}", "text": "Mandate"} for n in (4, 5, 6, 7)),
                        {"light": "war", "text": "War", "mark": "war/battle"},
                    ],
                }
            ],
        },
        {
            "node": "section",
            "id": "board",
            "text": "Board",
            "nodes": [
                zone(
                    "edo",
                    "Edo",
                    stack("koi/bushi", 2, "Bushi", "figure/bushi", "koi"),
                    stack("koi/stronghold", 1, "Stronghold", "place/stronghold", "koi"),
                    badge="2",
                ),
                zone(
                    "kansai",
                    "Kansai",
                    stack("koi/stronghold", 1, "Stronghold", "place/stronghold", "koi"),
                    stack("turtle/bushi", 1, "Bushi", "figure/bushi", "turtle"),
                ),
                zone("kyoto", "Kyoto", stack("lotus/daimyo", 1, "Daimyo", "figure/daimyo", "lotus")),
                zone("oshu", "Oshu"),
                zone("shrine.1", "Amaterasu", mark="kami/amaterasu"),
                zone("shrine.2", "Hachiman", stack("koi/shinto", 1, "Shinto", "figure/shinto", "koi"), mark="kami/hachiman"),
            ],
        },
        {
            "node": "section",
            "id": "seats",
            "text": "Seats",
            "nodes": [
                seat("turtle", "Turtle", 4, 2, 1, lit=acting == "turtle"),
                seat("koi", "Koi", 12, 6, 0, lit=acting == "koi"),
                seat("dragonfly", "Dragonfly", 3, 5, 2),
            ],
        },
        {
            "node": "section",
            "id": "more",
            "text": "More",
            "nodes": [
                {"node": "counter", "id": "deck", "text": "Mandate tiles left", "value": 6},
                {"node": "counter", "id": "hidden", "text": "Hidden", "value": None},
            ],
        },
    ]


LOG = [
    {"node": "line", "text": "Lotus plays Recruit.", "clause": "RS-6.3"},
    {"node": "line", "text": "Turtle summons a Bushi in Kansai.", "clause": "RS-6R.1"},
]


def view(**more: Any) -> Json:
    return {
        "title": "Recruit",
        "subtitle": "Spring · Mandate 3 of 7",
        "sections": sections(),
        "prompts": [],
        "waits": [],
        "log": LOG,
    } | more


def summon(kind: str, name: str, mark: str, place: str, where: str, *, detail: str = "") -> Json:
    owner = "" if kind == "komainu" else "koi/"
    return {
        "command": {"do": "summon", "seat": "koi", "kind": kind, "place": place},
        "text": f"{name} to {where}",
        "gestures": [{"kind": f"{owner}{kind}", "from": "reserve.koi", "to": place}],
        "mark": mark,
    } | ({"detail": detail} if detail else {})


def recruit() -> Json:
    """Who, then where, and a button that ends it."""
    own = "your stronghold, not used yet"
    choices = [
        summon("bushi", "Bushi", "figure/bushi", "kansai", "Kansai", detail=own),
        summon("bushi", "Bushi", "figure/bushi", "edo", "Edo", detail="used once; takes the ally’s extra summon"),
        summon("shinto", "Shinto", "figure/shinto", "kansai", "Kansai", detail=own),
        summon("shinto", "Shinto", "figure/shinto", "edo", "Edo"),
        summon("shinto", "Shinto", "figure/shinto", "shrine.1", "Amaterasu"),
        summon("komainu", "Komainu", "figure/monster", "edo", "Edo")
        | {"caution": {"clause": "RS-8.2", "text": "Two monsters in one province fight."}},
        {"command": {"do": "done", "seat": "koi"}, "text": "Done", "detail": "gives up 2", "mark": "ui/ok"},
    ]
    prompt = {"seat": "koi", "text": "Summon 2 more", "clause": "RS-6R.1", "choices": choices}
    return view(prompts=[prompt])


def draw_four() -> Json:
    """A secret question: four drawn tiles, one to keep."""
    choices = [
        {"command": {"do": "choose", "seat": "koi", "mandate": name}, "text": text, "mark": f"mandate/{name}"}
        for name, (text, _) in MANDATES.items()
    ]
    cards = [
        {"node": "card", "id": f"drawn.{i}", "text": text, "detail": detail, "mark": f"mandate/{name}"}
        for i, (name, (text, detail)) in enumerate(MANDATES.items(), 1)
    ]
    prompt = {
        "seat": "koi",
        "text": "Choose one of four",
        "detail": "The others go back on top, face down.",
        "clause": "RS-6.2",
        "choices": choices,
        "private": True,
    }
    behind = {
        "node": "section",
        "id": "private",
        "text": "Private",
        "nodes": [{"node": "curtain", "id": "drawn", "text": "Drawn tiles", "nodes": cards}],
    }
    secret = {"node": "line", "text": "You drew Recruit, Harvest, Betray and Train.", "clause": "RS-6.2", "private": True}
    return view(title="Political Phase", sections=[*sections(), behind], prompts=[prompt], log=[*LOG, secret])


def lay_down() -> Json:
    """Many secret choices that are pairs: which tile of the hand, and what it is said to be."""
    texts = {name: text for name, (text, _) in MANDATES.items()} | {"marshal": "Marshal"}
    choices = [
        {"command": {"do": "choose", "seat": "koi", "mandate": tile, "declared": name}}
        | {"text": f"{text} (lay down {texts[tile]})", "detail": "One sentence.", "mark": f"mandate/{name}"}
        for tile in MANDATES
        for name, text in texts.items()
    ]
    drawn = draw_four()
    prompt = {
        "seat": "koi",
        "text": "Lay a tile face down and say what it stands for",
        "clause": "RS-10.2",
        "choices": choices,
        "private": True,
    }
    return drawn | {"prompts": [prompt]}


def betray() -> Json:
    """Two pieces move, and several choices lead to one place."""

    def swap(kind: str, name: str, victim: str, place: str) -> Json:
        mine, theirs = f"koi/{kind}", f"{victim}/bushi"
        return {
            "command": {"do": "replace", "seat": "koi", "victim": victim, "kind": "bushi", "place": place, "by": kind},
            "text": f"{name} for {victim.capitalize()}'s Bushi in {place.capitalize()}",
            "gestures": [
                {"kind": mine, "from": "reserve.koi", "to": place},
                {"kind": theirs, "from": place, "to": f"reserve.{victim}"},
            ],
            "mark": f"figure/{kind}",
        }

    choices = [
        swap("bushi", "Bushi", "turtle", "edo"),
        swap("bushi", "Bushi", "lotus", "edo"),
        swap("bushi", "Bushi", "lotus", "kansai"),
        swap("shinto", "Shinto", "turtle", "edo"),
    ]
    return view(prompts=[{"seat": "koi", "text": "Replace up to 2 figures", "clause": "RS-6B.2", "choices": choices}])


def hand() -> Json:
    """A secret that asks nothing."""
    behind = {
        "node": "section",
        "id": "private",
        "text": "Private",
        "nodes": [
            {
                "node": "curtain",
                "id": "hand",
                "text": "Your hand",
                "nodes": [
                    {"node": "card", "id": "hand.1", "text": "Hidden dagger", "detail": "Play before a battle.", "mark": "war/seppuku"},
                    {"node": "card", "id": "hand.2", "text": "Card", "face": False},
                ],
            }
        ],
    }
    return view(sections=[*sections("turtle"), behind], waits=[{"seat": "turtle", "text": "Choose a mandate"}])


def bids() -> Json:
    """Numbers behind the curtain."""
    names = {"seppuku": "Seppuku", "hostage": "Take Hostage", "ronin": "Hire Ronin", "poets": "Imperial Poets"}
    marks = {"seppuku": "war/seppuku", "hostage": "war/take_hostage", "ronin": "war/hire_ronin", "poets": "war/imperial_poets"}
    war = {
        "node": "section",
        "id": "war",
        "text": "War",
        "nodes": [{"node": "counter", "id": f"war.{key}", "text": text, "value": None, "mark": marks[key]} for key, text in names.items()],
    }
    choice = {
        "command": {"do": "bid", "seat": "koi"},
        "text": "Seal the bids",
        "amounts": {"each": {key: [0, 6] for key in names}, "total": [0, 6]},
    }
    prompt = {
        "seat": "koi",
        "text": "Bids for Kansai",
        "detail": "Shown only when all three are sealed.",
        "clause": "RS-9.4",
        "choices": [choice],
        "private": True,
    }
    return view(title="War", sections=[*sections(), war], prompts=[prompt], waits=[{"seat": "turtle", "text": "seals its bids"}])


def gift() -> Json:
    """Open at nearly any time, asked of nobody: coins to anyone."""
    each = {"coins": [0, 6], "ronin": [0, 0]}
    choices = [
        {"command": {"do": "give", "seat": "koi", "to": to, "amounts": {}}, "text": f"To {to.capitalize()}", "mark": f"clan/{to}"}
        | {"amounts": {"each": each, "total": [1, 6]}}
        for to in ("turtle", "dragonfly")
    ]
    return {"seat": "koi", "text": "Give coins or ronin", "clause": "RS-2N.3", "choices": choices, "optional": True}


def waiting() -> Json:
    return view(
        sections=sections("turtle"),
        prompts=[gift()],
        waits=[{"seat": "turtle", "text": "Summons 1 more"}, {"seat": "dragonfly", "text": "May answer the offer"}],
    )


def yes_no() -> Json:
    choices = [
        {"command": {"do": "hire", "seat": "koi", "yes": True}, "text": "Hire the Ronin", "detail": "+2 force", "mark": "war/hire_ronin"},
        {"command": {"do": "hire", "seat": "koi", "yes": False}, "text": "Leave them"},
    ]
    return view(prompts=[{"seat": "koi", "text": "Ronin offer their swords", "clause": "RS-9.6", "choices": choices}, gift()])


def everything() -> Json:
    """Every kind of node, one nobody knows, and text that wants to be markup."""
    nodes = [
        {
            "node": "table",
            "id": "scores",
            "text": "Scores",
            "heads": ["Seat", "Spring", "Summer", "Autumn", "Winter"],
            "rows": [["Koi", 1, 2, 3, 4], ["Turtle", 10, 20, 30, 40]],
        },
        {
            "node": "plot",
            "id": "honor",
            "text": "Honor",
            "series": {"koi": [1, 2, 3, 2], "turtle": [5, 4, 4, 4], "unknown_seat": [2, 2, 1, 0]},
        },
        {
            "node": "hologram",
            "id": "new",
            "text": "A node from the future <b>&amp;</b>",
            "nodes": [{"node": "line", "text": "and its child", "id": "child"}],
        },
        {"node": "card", "id": "open", "text": "An open card", "detail": "says this", "mark": "kami/raijin", "clause": "RS-7.1"},
        {"node": "line", "text": "<script>document.title='owned'</script>", "clause": "RS-1.1", "id": "markup"},
        {
            "node": "pieces",
            "id": "hostages",
            "text": "Hostages",
            "stacks": [stack("turtle/bushi", 2, "Bushi", "figure/bushi", "turtle"), stack("?", 1, "Somebody", "no/such_mark")],
        },
    ]
    return view(
        sections=[*sections("turtle"), {"node": "section", "id": "rest", "text": "The rest", "nodes": nodes}],
        waits=[{"seat": "turtle", "text": "Summons 1 more"}],
    )
