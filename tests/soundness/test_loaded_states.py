"""A state that comes from outside satisfies every invariant before a kernel sees it, or is refused."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iaww_env.engine.fields import StateViews
from iaww_env.errors import StateError
from iaww_env.game import Game, lend_state
from iaww_env.soundness import check_row
from tests.modes import MODES, WITH_SCENARIOS
from tests.processes import run_python
from tests.random_play import play_on, play_some

Spoil = Callable[[StateViews], None]


@pytest.mark.parametrize("mode", WITH_SCENARIOS)
def test_every_position_of_every_mode_is_sound(mode: str) -> None:
    config = WITH_SCENARIOS[mode]
    game, rng = Game(config, 3), random.Random(3)
    check_row(config, game.row)
    for played, _ in enumerate(play_on(game, rng, discards=True)):
        if played % 5 == 0 or game.over:
            check_row(config, game.row)
    assert game.over


# --- One thing is wrong ------------------------------------------------------------------------------


def put(name: str, value: int, *place: int) -> Spoil:
    """Write a number into a field."""

    def spoil(state: StateViews) -> None:
        getattr(state, name)[place or ...] = value

    return spoil


def add(name: str, by: int, *place: int) -> Spoil:
    """Add to a number of a field."""

    def spoil(state: StateViews) -> None:
        getattr(state, name)[place or ...] += by

    return spoil


def both(*spoils: Spoil) -> Spoil:
    """One after the other."""

    def spoil(state: StateViews) -> None:
        for one in spoils:
            one(state)

    return spoil


def turn(name: str, place: int) -> Spoil:
    """A list of cards from the last to the first."""

    def spoil(state: StateViews) -> None:
        cards = getattr(state, name)[place]
        n = int((cards >= 0).sum())
        cards[:n] = cards[:n][::-1].copy()

    return spoil


def repeat_empire(state: StateViews) -> None:
    """Seat 0 gets the empire of seat 1."""
    state.empire[0] = state.empire[1]


def pick_elsewhere(state: StateViews) -> None:
    """Who has picked has picked a card that its pack does not hold."""
    seat = int(state.acted.argmax())
    state.picked[seat] = next(kind for kind in range(78) if kind not in state.packs[seat]) + 1


def swap_first(one: str, other: str) -> Spoil:
    """The first cards of two decks change places."""

    def spoil(state: StateViews) -> None:
        first, second = (getattr(state, f"{name}_deck") for name in (one, other))
        a, b = int(state.deck_next[0]), int(state.deck_next[1])
        first[a], second[b] = second[b], first[a]

    return spoil


# Mode, decisions played, what is spoilt, and a part of what the refusal says. Seats of mode "3" are in the
# draft after 3 decisions and in planning of round 1 after 25.
WRONG: dict[str, tuple[str, int, Spoil, str]] = {
    "a kind of 30,000 in a pack": ("3", 3, put("packs", 30_000, 0, 0), "packs is 30000"),
    "a kind below none": ("3", 3, put("base_deck", -2, 149), "base_deck is -2"),
    "a kind of another pool": ("3", 3, put("packs", 80, 0, 0), "packs is 80"),
    "a card twice": ("3", 3, both(add("base_deck", 1, 149)), "card"),
    "a pack out of order": ("3", 3, turn("packs", 0), "out of order"),
    "a pack too short": ("3", 3, add("pack_size", -1), "number of cards"),
    "packs that passed otherwise": ("3", 3, put("pack_shift", 1), "passed otherwise"),
    "a pick of nobody": ("3", 1, put("picked", 0), "pick and who has picked"),
    "a pick that is not in hand": ("3", 1, pick_elsewhere, "not in the pack"),
    "nobody pending": ("3", 3, put("pending", 0), "pending"),
    "too many pending": ("3", 3, add("pending", 1), "pending"),
    "a seat beyond the last": ("3", 3, put("acted", 1, 6), "acted"),
    "over too early": ("3", 25, put("phase", 3), "step and phase"),
    "production in the draft": ("3", 3, put("phase", 2), "pick"),
    "round 0": ("3", 3, put("round", 0), "round is 0"),
    "a later round": ("3", 3, add("round", 1), "dealt from a deck"),
    "a step in the draft": ("3", 3, put("step", 2), "step and phase"),
    "a stream of zeros": ("3", 3, put("rng", 0), "stream"),
    "an empire of the expansion": ("3", 3, put("empire", 5 * 6, 0), "empire"),
    "one empire twice": ("3", 3, repeat_empire, "empire"),
    "another side": ("3", 3, add("empire", 1, 0), "empire"),
    "a deck that ends too late": ("3", 3, put("deck_end", 149, 0), "deck"),
    "an ascension deck without ascension": ("3", 3, put("deck_end", 3, 1), "deck"),
    "decks mixed": ("3-ascension", 3, swap_first("base", "ascension"), "not its own"),
    "a dig at a table": ("3", 25, put("dig_deck", 1), "alone"),
    "drafted out of order": ("3", 25, turn("drafted", 2), "out of order"),
    "more drafted than there are": ("3", 25, add("n_drafted", 1, 2), "drafted"),
    "a built card that gives nothing": ("3", 25, add("built", 1, 0, 5), "built"),
    "production from nowhere": ("3", 25, add("production", 1, 0, 2), "production"),
    "types from nowhere": ("3", 25, add("types_built", 1, 0, 2), "types"),
    "points from nowhere": ("3", 25, add("flat_points", 5, 0), "points"),
    "a rate from nowhere": ("3", 25, add("point_rate", 1, 0, 0), "rates"),
    "points as seen": ("3", 25, add("shown_points", 1, 0), "points"),
    "more generals than any game brings": ("3", 25, put("generals", 30_000, 0), "generals is 30000"),
    "open spaces from nowhere": ("3", 60, add("open", 1, 0, 0), "open spaces"),
    "a loose cube without a space": ("3", 25, both(put("loose", 1, 0), put("loose_resource", 0, 0)), "loose"),
    "a token that is not held": ("3", 25, put("held", 6, 2), "token"),
    "a choice in planning": ("3", 25, put("must_choose", 1, 2), "choice"),
    "a pick in planning": ("3", 25, put("picked", 1, 2), "pick"),
    "an empire as seen": ("3", 25, add("seen_empire", 6, 2), "empire"),
    "cards as seen": ("3", 25, add("seen_discarded", 1, 2, 3), "seen"),
    "a token in hand as seen": ("3", 25, put("seen_held", 6, 2), "token"),
    "a sequence at a table": ("3", 25, put("sequence", 1), "sequence"),
    "a third sequence": ("solo", 3, put("sequence", 0), "sequence"),
    "a pool that is gone": ("solo", 3, put("pools", -1, 7, 0), "pool"),
    "a pool that lies there still": ("solo", 3, put("pools", 5, 0, 0), "taken"),
    "tosses without a dig": ("solo", 3, put("tosses", 1), "dig"),
    "a dig that is none": ("solo", 3, put("dig_deck", 0), "no dig"),
    "a dig of no deck": ("solo", 3, both(put("dig_deck", 2), put("tosses", 2)), "dig"),
    "a dig in the wrong deck": ("solo-ascension", 3, put("dig_deck", 1), "another deck"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_refused(wrong: str) -> None:
    mode, decisions, spoil, words = WRONG[wrong]
    game = play_some(mode, 5, decisions)
    sound = game.to_bytes()
    assert Game.from_bytes(sound) == game
    spoil(lend_state(game))
    assert game.to_bytes() != sound
    with pytest.raises(StateError, match=words):
        Game.from_bytes(game.to_bytes())
    with pytest.raises(StateError, match=words):
        pickle.loads(pickle.dumps(game))


def find_position(mode: str, holds: Callable[[StateViews], bool]) -> Game:
    """A position of a random game in which something holds."""
    for seed in range(200):
        game, rng = Game(MODES[mode], seed), random.Random(seed)
        for _ in play_on(game, rng):
            if holds(game.state):
                return game
    raise AssertionError(f"no such position in games of {mode}")


def refuse_position(game: Game, words: str) -> None:
    with pytest.raises(StateError, match=words):
        Game.from_bytes(game.to_bytes())


def test_cards_under_construction_lie_as_kernels_look_for_them() -> None:
    game = find_position("3", lambda s: s.n_sites[0] >= 3)
    for name, by, words in (
        ("site_card", 1, "numbered"),
        ("site_twin", 1, "equal"),
        ("site_left", 1, "summed up"),
        ("site_kind", 50, "."),
    ):
        spoilt = game.clone()
        getattr(lend_state(spoilt), name)[0, 1] += by
        refuse_position(spoilt, words)
    spoilt = game.clone()
    lend_state(spoilt).site_missing[0, 0, 0] += 9
    refuse_position(spoilt, "more is missing")
    spoilt = game.clone()
    lend_state(spoilt).n_sites[0] -= 1
    refuse_position(spoilt, "behind the last")


def test_a_finished_card_cannot_be_under_construction() -> None:
    """A card that lacks nothing is built: as a site it could be neither placed on nor built."""
    game = find_position("3", lambda s: s.n_sites[0] == 1 and s.loose[0] == 0 and s.held[0] == 0)
    state = lend_state(game)
    state.site_missing[0, 0] = state.site_left[0, 0] = state.open[0] = 0
    refuse_position(game, "lacks nothing")


def test_a_dig_needs_cards_to_pay_for_it_and_to_look_at() -> None:
    game = find_position("solo", lambda s: s.tosses == 2)
    refused = game.clone()
    state = lend_state(refused)
    state.tosses[...] = 1
    state.n_drafted[0] -= 1
    refuse_position(refused, "drafted cards are not counted")
    looked = find_position("solo", lambda s: s.pack_size > 0)
    spoilt = looked.clone()
    lend_state(spoilt).packs[0, 0] = -1
    refuse_position(spoilt, "cards of another deck")
    spoilt = looked.clone()
    lend_state(spoilt).dig_deck[...] = 0
    refuse_position(spoilt, "no dig")


def find_roomy_seat(state: StateViews) -> int:
    """A seat with loose cubes whose cards could take more than its step has made; -1 where there is none."""
    if state.phase != 2:
        return -1
    made = state.seen_production[:, state.step].clip(0)
    found = np.flatnonzero((state.loose > 0) & (state.open[:, state.step] > made))
    return int(found[0]) if len(found) else -1


def test_cubes_of_a_step_are_no_more_than_it_has_made() -> None:
    game = find_position("3", lambda s: find_roomy_seat(s) >= 0)
    seat = find_roomy_seat(game.state)
    for name in ("loose", "seen_loose"):
        spoilt = game.clone()
        made = int(game.state.seen_production[seat, game.state.step])
        getattr(lend_state(spoilt), name)[seat] = made + 1
        refuse_position(spoilt, "what was made")


# --- Everything at random ----------------------------------------------------------------------------


def fuzz(count: int, seed: int, cache: Path) -> tuple[int, int]:
    """States that were played and refused, with every access of an array checked."""
    settings = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(cache)}
    printed = run_python("-m", "tests.soundness.mutated_states", str(count), str(seed), **settings)
    played, refused = map(int, printed.split())
    return played, refused


def test_mutated_states_are_refused_or_played_to_their_end(tmp_path: Path) -> None:
    played, refused = fuzz(1500, 7, tmp_path)
    assert played >= 50
    assert refused >= 1000


@pytest.mark.slow
def test_many_mutated_states_are_refused_or_played_to_their_end(tmp_path: Path) -> None:
    for seed in range(10):
        played, refused = fuzz(10_000, seed, tmp_path)
        assert played >= 500
        assert refused >= 5000
