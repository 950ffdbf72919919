"""Games recorded by an independent implementation of the rules agree; one thing changed, and they do not."""

import copy
import json
from typing import Any

import pytest

from iaww_env.cards import RESOURCES, kinds
from iaww_env.errors import RecordError
from iaww_env.records.form import CHECK_FIELDS
from iaww_env.records.replay import replay
from iaww_env.records.verify import RecordMismatch, Tally, verify_file, verify_record
from tests.oracle.recorded_games import LINES, RECORDED, SHORT, copy_short

# --- They agree ------------------------------------------------------------------------------------


def test_every_recorded_game_agrees_in_every_check_and_result() -> None:
    games = [json.loads(line) for line in LINES]
    assert len(games) == 153
    assert {game["config"]["players"] for game in games} == {2, 3, 4, 5, 6, 7}
    assert {check["phase"] for game in games for check in game["checks"]} == {"planning", *RESOURCES}
    moves = sum(len(game["moves"]) for game in games)
    checks = sum(len(game["checks"]) for game in games)
    assert verify_file(RECORDED) == Tally(153, moves, checks, 153)


def test_tally_counts_only_what_was_compared() -> None:
    bare = copy_short()
    del bare["checks"], bare["result"]
    assert verify_record(bare) == Tally(1, len(SHORT["moves"]), 0, 0)


# --- One thing changed -----------------------------------------------------------------------------

_OTHER: dict[str, Any] = {
    "round": lambda value: value % 4 + 1,
    "phase": lambda value: "energy" if value == "planning" else "planning",
    "under_construction": lambda value: value[:-1],
    "built": lambda value: {**value, "zeppelin": value.get("zeppelin", 0) + 1},
    "net_production": lambda value: [*value[:4], value[4] - 1],
}


@pytest.mark.parametrize("field", CHECK_FIELDS)
@pytest.mark.parametrize("which", [0, 20, -1])
def test_a_changed_check_is_a_difference_that_is_named(field: str, which: int) -> None:
    record = copy_short()
    check = record["checks"][which]
    if field == "under_construction" and not check[field]:
        check[field] = [{"card": "zeppelin", "missing": {"energy": 1}}]
    else:
        check[field] = _OTHER.get(field, lambda value: value + 1)(check[field])
    with pytest.raises(RecordMismatch) as caught:
        verify_record(record, 9)
    error = caught.value
    assert (error.record, error.move, error.seat, error.field) == (9, check["before"], check["seat"], field)
    for part in ("record 9", f"move {check['before']}", f"seat {check['seat']}", field):
        assert part in str(error)


@pytest.mark.parametrize("space", ["materials", "krystallium", "general"])
def test_a_changed_cube_of_a_check_is_a_difference(space: str) -> None:
    record = copy_short()
    check = next(check for check in record["checks"] if check["under_construction"])
    site = check["under_construction"][0]
    site["missing"][space] = site["missing"].get(space, 0) + 1
    with pytest.raises(RecordMismatch, match="under_construction") as caught:
        verify_record(record)
    assert caught.value.expected == [site]
    assert [one["card"] for one in caught.value.found] == [site["card"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("field", ["scores", "places"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_changed_result_is_a_difference(field: str, seat: int) -> None:
    record = copy_short()
    record["result"][field][seat] += 1
    with pytest.raises(RecordMismatch) as caught:
        verify_record(record)
    assert (caught.value.field, caught.value.found) == (field, SHORT["result"][field])


@pytest.mark.parametrize("winners", [[], [0, 1], [1, 0], None])
def test_winners_that_do_not_follow_from_the_places_are_a_difference(winners: list[int] | None) -> None:
    record = copy_short()
    record["result"]["winners"] = [1 - SHORT["result"]["winners"][0]] if winners is None else winners
    with pytest.raises(RecordMismatch, match="winners"):
        verify_record(record)


@pytest.mark.parametrize("count", [0, -1])
def test_what_there_is_none_of_is_left_out(count: int) -> None:
    """A form that could be written in two ways would be no form: such a record is garbled, not different."""
    for field in ("built", "missing"):
        record = copy_short()
        check = next(check for check in record["checks"] if check["under_construction"])
        tally = check["built"] if field == "built" else check["under_construction"][0]["missing"]
        tally["zeppelin" if field == "built" else "general"] = count
        with pytest.raises(RecordError, match="at least 1") as caught:
            verify_record(record)
        assert not isinstance(caught.value, RecordMismatch)


def test_an_extra_check_is_compared_too() -> None:
    record = copy_short()
    end = len(record["moves"])
    extra = {**copy.deepcopy(record["checks"][-1]), "before": end}
    record["checks"].append(extra)
    with pytest.raises(RecordMismatch) as caught:
        verify_record(record)
    assert (caught.value.move, caught.value.field, caught.value.found) == (end, "phase", "over")


def test_a_check_after_the_last_move_is_allowed_and_one_beyond_it_is_not() -> None:
    record = copy_short()
    del record["moves"][1:], record["checks"][1:], record["result"]
    check = record["checks"][0]
    check.update(before=1, seat=1, phase="draft", under_construction=[], built={}, empire_cubes=0, points=0)
    check.update(generals=0, financiers=0, krystallium=0)
    check["net_production"] = replay(record | {"checks": []}).state.production[1].tolist()
    assert verify_record(record) == Tally(1, 1, 1, 0)
    check["before"] = 2
    with pytest.raises(RecordError, match="before"):
        verify_record(record)


# --- Moves -----------------------------------------------------------------------------------------


def test_any_move_left_out_is_noticed() -> None:
    for number in range(len(SHORT["moves"])):
        record = copy_short()
        del record["moves"][number]
        with pytest.raises(RecordError):
            verify_record(record)


def test_any_move_played_twice_is_noticed() -> None:
    for number, move in enumerate(SHORT["moves"]):
        record = copy_short()
        record["moves"].insert(number, move)
        with pytest.raises(RecordError):
            verify_record(record)


def test_any_end_of_a_phase_that_is_put_before_the_move_ahead_of_it_is_noticed() -> None:
    swapped = 0
    moves = SHORT["moves"]
    for number in range(1, len(moves)):
        (seat_before, before), (seat, text) = moves[number - 1 : number + 1]
        if text == "end" and seat_before == seat and before != "end":
            record = copy_short()
            record["moves"][number - 1 : number + 1] = [moves[number], moves[number - 1]]
            with pytest.raises(RecordError, match=f"move {number - 1}"):
                verify_record(record)
            swapped += 1
    assert swapped > 10


def test_another_card_in_a_move_is_noticed() -> None:
    """Every slate, recycle and placement that has a legal neighbour is turned into it."""
    changed = 0
    for number, (seat, text) in enumerate(SHORT["moves"]):
        verb = text.partition(":")[0]
        if verb not in ("slate", "recycle", "place", "to_empire") or number % 3:
            continue
        legal = replay(SHORT | {"checks": []}, number).legal_texts(seat)
        for other in legal:
            if other != text and other.partition(":")[0] in ("slate", "recycle", "place", "to_empire"):
                record = copy_short()
                record["moves"][number][1] = other
                with pytest.raises(RecordError):
                    verify_record(record)
                changed += 1
                break
    assert changed > 10


def test_an_illegal_move_is_named_with_its_reason() -> None:
    record = copy_short()
    number = next(number for number, (_, text) in enumerate(SHORT["moves"]) if text.startswith("slate:"))
    slatable = replay(SHORT, number).drafted(SHORT["moves"][number][0])
    absent = next(kind.id for kind in kinds() if kind.id not in slatable)
    record["moves"][number][1] = f"slate:{absent}"
    wanted = rf"record 4: move {number}: .*slate:{absent}.* undecided cards"
    with pytest.raises(RecordError, match=wanted) as caught:
        verify_record(record, 4)
    assert not isinstance(caught.value, RecordMismatch)


def test_moves_after_the_end_and_too_few_moves_are_noticed() -> None:
    record = copy_short()
    record["moves"].append([0, "end"])
    with pytest.raises(RecordError, match=f"move {len(SHORT['moves'])}: .*the game is over"):
        verify_record(record)
    record = copy_short()
    del record["moves"][-1]
    with pytest.raises(RecordError, match="not over"):
        verify_record(record)
    with pytest.raises(RecordError, match="not over"):
        replay(record)


@pytest.mark.parametrize(
    "text",
    ["wait", "pick", "pick:", "pick:x", "PICK:zeppelin", "pick:zeppelin ", "place:zeppelin#1", "625", ""],
)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    record = copy_short()
    record["moves"][5][1] = text
    with pytest.raises(RecordError, match="move 5"):
        verify_record(record)


def test_the_move_of_a_seat_that_does_not_exist_is_refused() -> None:
    for seat in (-1, 2, 10**30, True, False, 0.0, "0", None):
        record = copy_short()
        record["moves"][3][0] = seat
        with pytest.raises(RecordError, match="move 3"):
            verify_record(record)


# --- Deals and configuration -----------------------------------------------------------------------


@pytest.mark.parametrize("number", range(4))
def test_a_dealt_card_that_was_picked_cannot_become_another(number: int) -> None:
    record = copy_short()
    hand = record["deals"][number][0]
    picked = [text.partition(":")[2] for _, text in record["moves"] if text.startswith("pick:")]
    dealt = [card for deal in record["deals"] for other in deal for card in other]
    place = next(i for i, card in enumerate(hand) if picked.count(card) == dealt.count(card))
    hand[place] = next(kind.id for kind in kinds() if kind.id not in dealt)
    with pytest.raises(RecordError, match="move"):
        verify_record(record)


def test_deals_that_cannot_be_are_refused() -> None:
    for change in ("zeppelin", "mega_bomb", "", None, 7):  # too many copies, not in the pool, no card at all
        record = copy_short()
        for hand in record["deals"][0]:
            hand[:] = [change] * len(hand)
        with pytest.raises(RecordError, match="record 1"):
            verify_record(record)
    record = copy_short()
    first, second = record["deals"][2]
    second.append(first.pop())
    with pytest.raises(RecordError, match="round 3"):
        verify_record(record)


def test_empires_must_be_named_distinct_and_of_the_pool() -> None:
    for empires in (
        None,
        [None, "noram_states"],
        ["noram_states", "noram_states"],
        ["noram_states"],
        ["noram_states", "nations_of_oceania"],
        ["noram_states", "atlantis"],
    ):
        record = copy_short()
        record["config"]["empires"] = empires
        with pytest.raises(RecordError, match=r"empire|Ascension"):
            verify_record(record)
    record = copy_short()
    record["config"]["empires"] = record["config"]["empires"][::-1]
    with pytest.raises(RecordError):
        verify_record(record)


@pytest.mark.parametrize("field", ["players", "expansions", "empire_side", "scenario"])
def test_another_configuration_is_noticed(field: str) -> None:
    side = SHORT["config"]["empire_side"]
    other = {
        "players": 3,
        "expansions": ["corruption_and_ascension"],
        "empire_side": "B" if side == "A" else "A",
        "scenario": "base_sc01",
    }
    record = copy_short()
    record["config"][field] = other[field]
    with pytest.raises(RecordError):
        verify_record(record)


@pytest.mark.parametrize("version", [0, 2, -1, True, 1.0, "1", None, [1]])
def test_another_version_is_refused(version: object) -> None:
    with pytest.raises(RecordError, match="version"):
        verify_record(SHORT | {"version": version})


@pytest.mark.parametrize("form", ["iaww-records", "IAWW-RECORD", "", None, 1])
def test_another_format_is_refused(form: object) -> None:
    with pytest.raises(RecordError, match="format"):
        verify_record(SHORT | {"format": form})
