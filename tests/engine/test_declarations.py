"""Fields of the state and pieces of observations check their declaration, and constants are what they say."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS, Field, check_fields
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.pieces import PIECES, check_pieces
from iaww_env.errors import FactsError


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_the_constant_of_a_piece_is_its_number(piece: pieces.Piece) -> None:
    assert PIECES[getattr(pieces, piece.name.upper())] is piece


def test_the_constants_of_verbs_are_their_numbers() -> None:
    assert [getattr(verbs, verb.name.upper()) for verb in verbs.VERBS] == list(range(len(verbs.VERBS)))
    assert [getattr(verbs, f"N_{name}") for name in ("USES", "CHOICES", "DIGS")] == [8, 2, 2]


def swap(names: list[str], one: str, two: str) -> list[int]:
    """The order of the names with two of them exchanged."""
    order = list(range(len(names)))
    a, b = names.index(one), names.index(two)
    order[a], order[b] = b, a
    return order


@pytest.mark.parametrize(
    ("one", "two"), [("generals", "krystallium"), ("open", "drafted"), ("per_type", "types_slated")]
)
def test_fields_that_are_read_as_one_lie_together(one: str, two: str) -> None:
    order = swap([field.name for field in SEAT_FIELDS], one, two)
    with pytest.raises(FactsError, match="must lie one behind the other"):
        check_fields([SEAT_FIELDS[i] for i in order])


@pytest.mark.parametrize(
    "field", [Field("a", (), 0, 40_000, ""), Field("a", (), 3, 2, ""), Field("a", (), -40_000, 0, "")]
)
def test_bounds_that_no_cell_holds_are_refused(field: Field) -> None:
    with pytest.raises(FactsError, match="the field a goes from"):
        check_fields([*TABLE_FIELDS, field])


def test_a_field_is_declared_once() -> None:
    with pytest.raises(FactsError, match="the field round is declared twice"):
        check_fields([*TABLE_FIELDS, Field("round", (), 0, 1, "")])


def change(piece: str, **changes: object) -> list[pieces.Piece]:
    """The pieces with one of them changed."""
    return [dataclasses.replace(one, **changes) if one.name == piece else one for one in PIECES]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("side", {"shape": (facts.N_SIDES - 1,)}, "the piece side has 5 places for the 6 values"),
        ("phase", {"shape": (5,)}, "the piece phase has 5 places for the 4 values"),
        ("tokens", {"scale": 1 / 4}, "types_built, tokens are written at once"),
        ("open", {"profiles": ("full",)}, "point_rate, open are written at once"),
        ("tokens_slated", {"name": "other"}, "types_slated, tokens_slated are written at once"),
        ("points", {"high": 1 << 25}, "exact up to 16777216"),
        ("points", {"low": 3000, "high": 2000}, "goes from 3000 to 2000"),
        ("points", {"scale": 1 / 3}, "take a power of two"),
        ("points", {"name": "hand"}, "the piece hand is declared twice"),
    ],
)
def test_a_piece_that_cannot_be_is_refused(name: str, changes: dict[str, object], words: str) -> None:
    with pytest.raises(FactsError, match=words):
        check_pieces(change(name, **changes))


def test_one_hot_pieces_have_a_place_for_every_value() -> None:
    """Those of the table are checked when they are declared; these stand for what follows from the facts."""
    shape = {piece.name: piece.shape for piece in PIECES}
    assert shape["scenario"] == (facts.N_SCENARIOS,)
    assert shape["empire"] == (facts.N_EMPIRES,)
    assert shape["other_empire"] == ("others", facts.N_EMPIRES)
    assert shape["held"] == (facts.N_SPACES,)
    assert shape["dig"] == (facts.N_DECKS,)


def test_the_numbers_of_the_rulebook() -> None:
    assert (rulebook.ROUNDS, rulebook.PICKS, rulebook.POOLS, rulebook.POOL) == (4, 7, 8, 5)
    assert [rulebook.DIRECTIONS[number - 1] for number in (1, 2, 3, 4)] == [1, -1, 1, -1]
    assert rulebook.LOOKS == (5, 3)
    assert fields.PACK == 12
    found = [rulebook.find_title(points) for points in (59, 60, 79, 80, 99, 100)]
    assert found == ["apprentice", "dictator", "dictator", "emperor", "emperor", "living god"]


def test_the_state_says_what_it_holds() -> None:
    """Every count of the card facts fits the field that holds it."""
    high = {field.name: field.high for field in (*TABLE_FIELDS, *SEAT_FIELDS)}
    assert high["built"] == int(np.max(facts.COPIES))
    assert high["empire"] == facts.N_EMPIRES * facts.N_SIDES - 1
    assert high["deck_end"] >= facts.N_BASE_CARDS
    assert high["site"] >= max(facts.N_CARDS - 1, int(np.max(facts.SPACES_TO_FILL)))
