"""One thing is wrong in a position that has what it takes, and the refusal says which."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from iaww_env.engine.fields import StateViews
from iaww_env.game import Game, lend_state
from tests.random_play import play_some
from tests.soundness.test_loaded_states import Spoil, add, both, find_position, put, refuse_position

Holds = Callable[[StateViews], bool]


def is_planning(state: StateViews) -> bool:
    return bool(state.phase == 1)


def end_seats(state: StateViews) -> None:
    """Everybody has acted, and nothing has followed."""
    state.acted[: len(state.generals)] = 1
    state.pending[...] = 0


def end_early(state: StateViews) -> None:
    """A seat with drafted cards has ended its phase."""
    state.acted[int(state.n_drafted.argmax())] = 1
    state.pending[...] = len(state.generals) - int(state.acted.sum())


def loosen_two(state: StateViews) -> None:
    seat, space = divmod(int(state.open[:, :5].argmax()), 5)
    state.loose[seat], state.loose_resource[seat] = 2, space


def hand_over(state: StateViews) -> None:
    """A discarded card changes hands."""
    kind = int(state.discarded[0].argmax())
    state.discarded[0, kind] -= 1
    state.discarded[1, kind] += 1


REFUSED: dict[str, tuple[str, Holds, Spoil]] = {
    "a deck is too long or too short": (
        "3", is_planning, both(put("base_deck", -1, 149), add("deck_end", -1, 0)),
    ),
    "a pack holds more cards": ("3", is_planning, put("packs", 5, 0, 9)),
    "over before the last round": ("3", is_planning, both(put("phase", 3), put("step", 4))),
    "nobody drafts alone": ("solo", is_planning, put("phase", 0)),
    "nothing is passed on": ("solo", is_planning, put("pack_shift", 1)),
    "nobody owes a decision": ("3", is_planning, end_seats),
    "has ended the phase owes": ("3", lambda s: is_planning(s) and s.n_drafted.max() > 0, end_early),
    "points as the others saw": ("3", is_planning, add("seen_shown_points", 1, 0)),
    "production for each type": ("3", is_planning, add("per_type", 1, 0, 0, 0)),
    "production under construction": ("3", is_planning, add("slated_production", 1, 0, 0)),
    "types under construction": ("3", is_planning, add("types_slated", 1, 0, 0)),
    "seats were seen before": ("3", lambda s: s.phase == 0, put("seen_generals", 1, 0)),
    "cards that no dig shows": ("solo", lambda s: s.dig_deck == 0, put("packs", 5, 0, 0)),
    "more than one cube": ("3", lambda s: is_planning(s) and s.open[:, :5].max() > 1, loosen_two),
    "was not there": ("3", lambda s: s.phase == 2 and s.step == 0, put("must_choose", 1, 0)),
    "outside of science": (
        "3",
        lambda s: s.phase == 2 and s.step == 0,
        both(put("must_choose", 1, 0), put("seen_must_choose", 1, 0)),
    ),
    "a dig is for planning": ("solo", lambda s: s.phase == 2, put("dig_deck", 1)),
    "another number of cards than was dealt": (
        "3", lambda s: is_planning(s) and s.discarded[0].any(), hand_over,
    ),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_a_position_that_cannot_be_is_refused_for_what_is_wrong(words: str) -> None:
    mode, holds, spoil = REFUSED[words]
    game = find_position(mode, holds)
    assert Game.from_bytes(game.to_bytes()) == game
    spoil(lend_state(game))
    refuse_position(game, words)


def test_a_game_that_is_over_is_seen_as_it_stands() -> None:
    game = play_some("3", 5, 100_000)
    assert game.over
    assert Game.from_bytes(game.to_bytes()) == game
    lend_state(game).krystallium[0] += 1
    refuse_position(game, "seen as it stands")
