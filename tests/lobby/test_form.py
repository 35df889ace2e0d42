"""The form of a new game: whatever is done to it, it says what is wrong, and what it gives can be begun."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lobby.form import Fault, Form, FormError, Player, fresh
from companion.lobby.typed import ordered
from companion.rules.offer import Offer
from companion.rules.view import Text
from companion.table import games
from companion.table.seating import EAST, NORTH, SIDES, SOUTH, WEST, is_clockwise, plan, seated
from companion.table.setup import LAYOUTS, LEVELS, LONGEST, Setup, cleaned, decoded, encoded
from companion.words import LANGUAGES, render

OFFER = games.offers()[0]
GAME = games.load("rising_sun").game
CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")


@pytest.fixture
def form() -> Form:
    return fresh(OFFER)


def fields(form: Form) -> list[str]:
    return [fault.field for fault in form.faults()]


def test_a_fresh_form_can_begin_at_once(form: Form) -> None:
    assert form.faults() == ()
    new = form.game()
    assert (new.game, new.seats) == ("rising_sun", CLANS[:4])
    assert new.setup == Setup({}, dict(zip(CLANS, (SOUTH, WEST, NORTH, EAST), strict=False)))
    assert new.options == {
        "mandates": "digital",
        "set": "archway",
        "unbought_cards": "keep",
        "monster_without_stronghold": "reserve",
        "skulls_alone": "one",
        "bids": "digital",
        "zero_bids": "nobody",
        "won_with_figure": "alive",
        "koi_conversion_is_gain": "no",
        "serpent_dragonfly": "no_toll",
        "serpent_turtle": "toll",
        "loyalty_in_winter": "yes",
        "fox_scope": "every_province",
    }
    GAME.start(new.seats, new.options)


def test_names_options_allies_and_layout_come_out_as_they_were_put_in(form: Form) -> None:
    form = (
        form.named("koi", "  Анна\n Мария ").named("turtle", "李").chosen("mandates", "cardboard").allied("koi", "turtle").seen_by("none")
    )
    new = form.game()
    assert new.setup.names == {"koi": "Анна Мария", "turtle": "李"}
    assert new.options["mandates"] == "cardboard" and new.options["ally"] == "koi turtle"
    assert new.setup.layout == "none"
    assert GAME.start(new.seats, new.options).allies == {"koi": "turtle", "turtle": "koi"}


def test_players_come_and_go_within_what_the_game_allows(form: Form) -> None:
    five = form.with_player()
    assert five.seats == CLANS and not five.more and five.with_player() is five
    assert [player.side for player in five.players] == list(plan(5))
    three = form.named("koi", "Anna").without("lotus")
    assert three.seats == ("koi", "turtle", "dragonfly") and not three.fewer and three.without("koi") is three
    assert three.players[0].name == "Anna" and is_clockwise([player.side for player in three.players])
    assert form.without("bonsai") is form


def test_a_clan_that_is_taken_is_swapped_and_everybody_sits_down_in_order(form: Form) -> None:
    form = form.named("koi", "Anna").named("dragonfly", "Pavel").allied("koi", "lotus")
    swapped = form.moved("koi", "dragonfly")
    assert {player.seat: player.name for player in swapped.players if player.name} == {"koi": "Pavel", "dragonfly": "Anna"}
    assert swapped.ally("lotus") == "dragonfly"
    other = form.moved("koi", "bonsai")
    assert other.seats == CLANS[1:] and other.player("bonsai").name == "Anna" and other.faults() == ()
    assert [player.side for player in other.players] == [SOUTH, WEST, NORTH, EAST]
    assert form.moved("koi", "sun") is form and form.moved("bonsai", "koi") is form


def test_whoever_sits_out_of_order_is_told_the_order_and_seated_at_one_press(form: Form) -> None:
    wrong = form.turned("koi", 2)
    (fault,) = wrong.faults()
    assert fault.field == "sides" and fault.blocks
    assert render(fault.text, "en") == "Clockwise the clans sit so: Koi, Lotus, Turtle, Dragonfly. Change a side, or seat them in order."
    with pytest.raises(FormError, match="sides") as stopped:
        wrong.game()
    assert stopped.value.faults == (fault,)
    assert wrong.mended(fault).faults() == ()
    assert form.turned("koi").faults() == () and form.sat("koi", "roof") is form
    assert form.sat("lotus", SOUTH).sat("turtle", SOUTH).sat("dragonfly", SOUTH).faults() == ()


def test_an_alliance_is_of_two_and_ends_when_it_is_touched_again(form: Form) -> None:
    assert form.allied("koi", "turtle").allied("turtle", "lotus").pairs == (("turtle", "lotus"),)
    assert form.allied("koi", "turtle").allied("turtle", "koi").pairs == ()
    assert form.allied("koi", "koi") is form and form.allied("koi", "bonsai") is form
    assert form.allied("koi", "turtle").without("koi").pairs == ()
    odd = msgspec.structs.replace(form, pairs=(("koi", "lotus"), ("lotus", "turtle")))
    assert fields(odd) == ["allies"]
    assert odd.mended(odd.faults()[0]).pairs == (("koi", "lotus"),)


def test_what_makes_no_sense_is_said_and_what_is_only_odd_may_begin(form: Form) -> None:
    assert fields(form.chosen("mandates", "wooden")) == ["option:mandates"]
    assert fields(form.chosen("weather", "rain")) == ["option:weather"]
    assert fields(form.seen_by("crystal ball")) == ["layout"]
    assert form.seen_by("crystal ball").mended(Fault("layout", Text("x"), "layout")).layout == "single"
    same = form.named("koi", "Anna").named("lotus", "anna").seen_by("readers")
    assert fields(same) == ["name:lotus", "layout"] and not any(fault.blocks for fault in same.faults())
    assert same.game().setup.layout == "readers"
    assert fields(msgspec.structs.replace(same, readers=2)) == ["name:lotus"]


def test_a_form_made_by_hand_is_not_believed() -> None:
    form = Form(OFFER, (Player("koi", "x" * 99), Player("koi", side="roof"), Player("sun")))
    assert set(fields(form)) == {"players", "name:koi", "sides"}
    assert [fault.fix for fault in form.faults() if fault.field == "name:koi"] == ["name"]
    assert form.mended(Fault("name:koi", Text("x"), "name")).players[0].name == ""
    assert fields(Form(OFFER, (Player("koi"),))) == ["players"]
    assert form.mended(Fault("players", Text("x"))) is form


def test_a_game_with_fewer_rules_has_a_shorter_form() -> None:
    bare = Offer("toy", Text("table.raw", {"id": "Toy"}), {"a": Text("table.raw", {"id": "A"}), "b": Text("table.raw", {"id": "B"})}, (2,))
    form = fresh(bare)
    assert form.seats == ("a", "b") and not form.more and not form.fewer
    assert form.allied("a", "b") is form and form.turned("a", 3).faults() == ()
    assert form.game().options == {}


def test_every_fault_is_said_in_every_language(form: Form) -> None:
    odd = Form(OFFER, (Player("koi", "a\nb"), Player("sun", side="roof")), (("koi", "koi"),), {"set": "spoon"}, "crystal ball")
    for fault in (*odd.faults(), *form.named("koi", "A").named("lotus", "A").seen_by("readers").faults(), *form.turned("koi", 2).faults()):
        for language in LANGUAGES:
            assert "{" not in render(fault.text, language) and not render(fault.text, language).startswith("lobby.")


SEATS = st.sampled_from([*CLANS, "sun", "", "table"])
STEPS = st.one_of(
    st.tuples(st.just("named"), SEATS, st.text(max_size=60)),
    st.tuples(st.just("moved"), SEATS, SEATS),
    st.tuples(st.just("turned"), SEATS, st.integers(-9, 9)),
    st.tuples(st.just("sat"), SEATS, st.sampled_from([*SIDES, "roof"])),
    st.tuples(st.just("with_player")),
    st.tuples(st.just("without"), SEATS),
    st.tuples(st.just("allied"), SEATS, SEATS),
    st.tuples(
        st.just("chosen"), st.sampled_from([*(option.name for option in OFFER.options), "x"]), st.sampled_from(["digital", "three", ""])
    ),
    st.tuples(st.just("seen_by"), st.sampled_from([*LAYOUTS, "", "x"])),
)


@given(st.lists(STEPS, max_size=25))
def test_whatever_is_done_a_form_that_has_no_fault_begins_a_game(steps: list[tuple[object, ...]]) -> None:
    form = fresh(OFFER)
    for name, *args in steps:
        form = getattr(form, str(name))(*args)
        assert len(set(form.seats)) == len(form.seats) and min(OFFER.players) <= len(form.players) <= max(OFFER.players)
        assert list(form.seats) == sorted(form.seats, key=CLANS.index)
    for fault in form.faults():
        if fault.fix:
            assert fault not in form.mended(fault).faults()
    if any(fault.blocks for fault in form.faults()):
        with pytest.raises(FormError):
            form.game()
    else:
        new = form.game()
        GAME.start(new.seats, new.options)
        assert decoded(encoded(new.setup)) == new.setup


@given(st.text(max_size=200))
def test_a_name_is_one_short_line_and_cleaning_it_again_changes_nothing(text: str) -> None:
    name = cleaned(text)
    assert len(name) <= LONGEST and name == cleaned(name) and "\n" not in name and "\x1b" not in name and "\u202e" not in name


def test_a_name_of_any_script_stays() -> None:
    for name in ("Анна", "李小龍", "ไพลิน", "مریم‌خانم", "Zoë", "José", "花子", "👩‍🌾"):
        assert cleaned(name) == name
    assert cleaned("e\u0301\u202e\x1b[31m") == "é[31m"


def test_how_strictly_the_rules_are_kept_is_chosen_and_typed(form: Form) -> None:
    assert form.level == "strict" and form.game().setup.level == "strict"
    for level in LEVELS:
        assert form.kept(level).faults() == () and form.kept(level).game().setup.level == level
        assert ordered((OFFER,), ["koi", "lotus", "turtle", f"level={level}"]).level == level
        for lang in LANGUAGES:
            assert render(Text(f"lobby.level_{level}_why"), lang).endswith(".")
    (fault,) = form.kept("lax").faults()
    assert (fault.field, fault.fix, form.kept("lax").mended(fault)) == ("level", "level", form)
    assert "strict, advise or record" in render(fault.text, "en")
    with pytest.raises(FormError):
        form.kept("lax").game()
    with pytest.raises(ValueError, match="choose strict, advise, record"):
        ordered((OFFER,), ["koi", "level=lax"])


@given(st.text(max_size=80) | st.just('{"names":{"koi":"\\u202eA"},"sides":{"koi":"roof"},"layout":"x"}'))
def test_what_the_journal_kept_is_not_believed(text: str) -> None:
    kept = decoded(text)
    assert kept.layout in {"", *LAYOUTS} and all(side in SIDES for side in kept.sides.values())


@given(st.lists(st.sampled_from(SIDES), min_size=1, max_size=8), st.integers(0, 9))
def test_seats_stand_side_by_side_and_never_on_each_other(sides: list[str], turned: int) -> None:
    seats = [f"s{i}" for i in range(len(sides))]
    spots = seated(seats, turned, dict(zip(seats, sides, strict=True)))
    assert len(set(spots.values())) == len(seats)
    assert all(spot.slot < spot.slots for spot in spots.values())


def test_who_sits_last_and_first_at_one_side_stands_before_the_first() -> None:
    spots = seated(("a", "b", "c"), 0, {"a": SOUTH, "b": NORTH, "c": SOUTH})
    assert (spots["c"].slot, spots["a"].slot) == (0, 1)
    assert not is_clockwise([SOUTH, NORTH, WEST]) and is_clockwise([WEST, NORTH, SOUTH]) and not is_clockwise([SOUTH, WEST, SOUTH, WEST])
    assert seated(("a", "b"), 0, {"a": SOUTH}) == seated(("a", "b"))


def test_every_option_that_start_knows_is_offered_or_waits_for_its_rules() -> None:
    from companion.rules.rising_sun import offer, setup

    assert set(offer.OFFERED) == {*setup.READINGS, "set"}
    for option in OFFER.options:
        for text in (option.text, option.why, *option.values.values()):
            for language in LANGUAGES:
                assert not render(text, language).startswith("rs."), text
        assert option.clause in games.load("rising_sun").facts.tables["clauses"]


def test_a_set_that_only_the_owner_knows_is_called_by_its_id() -> None:
    facts = msgspec.structs.replace(GAME.facts, sets=("archway", "spoon"))
    from companion.rules.rising_sun import offer

    chosen = next(option for option in offer.offer(facts).options if option.name == "set")
    assert render(chosen.values["spoon"], "en") == "spoon"


def test_facts_that_the_rules_cannot_use_offer_nothing_and_say_why() -> None:
    from companion.table.facts import FactsError

    tables = {name: table for name, table in games.load("rising_sun").facts.tables.items() if name != "clans"}
    with pytest.raises(FactsError, match="clans"):
        games.GAMES["rising_sun"].offer(tables)


def test_a_player_may_be_a_bot(form: Form) -> None:
    assert form.game().setup.bots == ()
    bots = form.manned("lotus", bot=True).manned("koi", bot=True).manned("koi", bot=False)
    assert bots.game().setup.bots == ("lotus",)
    assert bots.moved("lotus", "bonsai").game().setup.bots == ("bonsai",), "who moves takes it along"
    assert bots.manned("sun", bot=True) == bots


def test_a_clan_of_another_box_may_be_chosen_and_is_given_to_nobody() -> None:
    form = fresh(OFFER).with_player()
    assert OFFER.guests == {"fox"} and form.seats == CLANS and form.free == ("fox",)
    six = form.moved("bonsai", "fox")
    assert six.seats == ("koi", "lotus", "turtle", "dragonfly", "fox") and six.faults() == ()
    assert six.without("koi").free == ("koi", "bonsai")
