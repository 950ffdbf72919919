"""The checks that users run find games that are not kept as they were, and what leaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from iaww_env import Game, GameConfig, testing
from iaww_env.game import lend_row, lend_state, make_game
from tests.modes import SIZES

# --- Games with a fault ----------------------------------------------------------------------------


class SharedGame(Game):
    """Its clones are the game itself."""

    __slots__ = ()

    def clone(self) -> Game:
        return make_game(self.config, lend_row(self))


class StaleGame(Game):
    """Its bytes are those of a game before the last decision."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        return Game(self.config, 1).to_bytes()


class CheatingGame(Game):
    """Its bytes forget the random stream."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        other = make_game(self.config, self.row.copy())
        lend_state(other).rng[:] = 1
        return other.to_bytes()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (SharedGame, "a clone shares its state with the game"),
        (StaleGame, "a pickle of the game is not equal to it"),
        (CheatingGame, "a pickle of the game is not equal to it"),
    ],
)
def test_round_trips_of_games_find_the_fault(kind: type[Game], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.check_round_trip(lambda: kind(GameConfig(players=2), 3))


# --- Leaks -----------------------------------------------------------------------------------------


def see_deck(game: Game, seat: int) -> Any:
    """The next card of the deck."""
    return int(game.state.base_deck[game.state.deck_next[0]])


def see_picks(game: Game, seat: int) -> Any:
    """What the others have picked."""
    return game.state.picked.copy()


def see_others_now(game: Game, seat: int) -> Any:
    """The others as they stand, not as they stood when the phase began."""
    return {"krystallium": game.state.krystallium.copy(), "kind": "text"}


def see_pack_of_neighbour(game: Game, seat: int) -> Any:
    """The pack that comes next."""
    return game.hand((seat + 1) % game.config.players) if game.phase == "draft" else []


def see_pending(game: Game, seat: int) -> Any:
    """How many have not ended the phase."""
    return int(game.state.pending)


def see_stream(game: Game, seat: int) -> Any:
    """The random stream."""
    return game.state.rng.tobytes()


def see_pools(game: Game, seat: int) -> Any:
    """Solo: the kinds in the next pool."""
    return game.state.pools.sum(axis=1)


@pytest.mark.parametrize(
    "observe", [see_deck, see_picks, see_others_now, see_pack_of_neighbour, see_pending, see_stream]
)
@pytest.mark.parametrize("mode", ["3", "6-ascension"])
def test_leaks_are_found(mode: str, observe: testing.Observe) -> None:
    with pytest.raises(AssertionError, match=r"seat \d in round 1, \w+ is shown something it cannot know"):
        testing.check_no_leak(SIZES[mode], observe)


@pytest.mark.parametrize("observe", [see_deck, see_pools, see_stream])
def test_leaks_are_found_in_solo(observe: testing.Observe) -> None:
    with pytest.raises(AssertionError, match="seat 0 in round 1, planning is shown something it cannot know"):
        testing.check_no_leak(lambda: Game(GameConfig(players=1), 5), observe)


def test_observing_must_change_nothing_and_say_the_same_twice() -> None:
    def touch(game: Game, seat: int) -> int:
        lend_state(game).generals[seat] += 1
        return 0

    counted: Iterator[int] = iter(range(10**6))
    with pytest.raises(AssertionError, match="seat 0 in round 1, draft: observing changes the game"):
        testing.check_no_leak(GameConfig(players=2), touch)
    with pytest.raises(AssertionError, match="asked twice, what is shown is 0 in one and 1 in the other"):
        testing.check_no_leak(GameConfig(players=2), lambda game, seat: next(counted))
