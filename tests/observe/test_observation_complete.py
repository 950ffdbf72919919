"""The full observation holds all that a seat may know: everything can be read back from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from iaww_env import Game
from iaww_env.cards import SIDES
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS
from iaww_env.game import lend_state
from tests.modes import SIZES, VERSUS, WITH_SCENARIOS
from tests.observe.eager_play import visit_positions
from tests.observe.hidden_cards import N_BASE_KINDS, list_unseen, was_in_hand
from tests.observe.knowledge import find_knowledge, read_knowledge
from tests.observe.showings import read_windows, show_seat

SITED = ["base_sc02", "ascension_sc04"]
PLAYED = [*SIZES, *SITED]


# --- All together -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", PLAYED)
def test_all_that_a_seat_may_know_can_be_read_back(mode: str) -> None:
    """So no two positions that differ in it have the same observation."""
    for eager in ("", "dig"):
        for game in visit_positions(WITH_SCENARIOS[mode], 4, often=0.3, eager=eager):
            for seat in range(game.config.players):
                assert read_knowledge(game, seat) == find_knowledge(game, seat)


# --- Every field of the state ----------------------------------------------------------------------

# What a seat may know, and sees as it stands; of the others as they stood when the phase began.
KNOWN = {
    *("empire", "types_built", "generals", "financiers", "krystallium", "empire_cubes", "loose"),
    *("must_choose", "production", "types_slated", "slated_production", "point_rate", "open", "built"),
    *("discarded", "drafted", "site", "loose_resource"),
}
KNOWN_OF_ITSELF = {"held", "picked", "flat_points"}
KNOWN_OF_OTHERS = {"shown_points"}
NOT_SHOWN = {
    "n_drafted": "the length of a list that is shown",
    "n_sites": "the length of a list that is shown",
    "n_built": "the sum of the built cards",
    "per_type": "follows from the built cards",
    "held": "of others: nobody holds a token when a phase begins",
    "picked": "of others: secret until all have picked",
    "flat_points": "of others: their points are shown",
    "shown_points": "of itself: what others were shown when the phase began; its points now are shown",
}
TABLE_KNOWN = {
    *("side", "phase", "round", "step", "pick", "pack_size", "acted"),
    *("scenario", "sequence", "dig_deck", "tosses", "deck_next", "deck_end", "reshuffled"),
}
TABLE_NOT_SHOWN = {
    "players": "the configuration: it is shown, but a row of another length goes with each number",
    "kinds": "the configuration, likewise",
    "cards": "follows from kinds",
    "sites": "follows from players",
    "seats_at": "the layout",
    "seat_size": "the layout",
    "seen_at": "the layout",
    "decks_at": "the layout",
    "hand_base": "follows from players and kinds",
    "hand_ascension": "follows from players and kinds",
    "named_empire": "how the empires were chosen; which they are is shown",
    "pack_shift": "follows from pick and round",
    "pending": "who has ended the phase is secret until all have",
    "rng": "the future",
}
# These do not change in a game of several seats, or follow from the round; solo shows them.
SOLO_KNOWN = {"scenario", "sequence", "dig_deck", "tosses", "deck_next", "deck_end", "reshuffled"}


def test_every_field_is_accounted_for() -> None:
    """A new field must be shown, or be named above with the reason."""
    assert {field.name for field in SEAT_FIELDS} == KNOWN | KNOWN_OF_ITSELF | KNOWN_OF_OTHERS | set(NOT_SHOWN)
    assert not (KNOWN & set(NOT_SHOWN))
    assert {field.name for field in TABLE_FIELDS} == TABLE_KNOWN | set(TABLE_NOT_SHOWN)
    assert not (TABLE_KNOWN & set(TABLE_NOT_SHOWN))


def list_cells(game: Game, seat: int, prefix: str, name: str) -> Iterator[tuple[npt.NDArray[np.int16], int]]:
    """The cells of a field of a seat that say something, each as a window and a position in it."""
    state = lend_state(game)
    if name == "site":
        for i in range(int(getattr(state, prefix + "n_sites")[seat])):
            yield getattr(state, prefix + "site_kind")[seat], i
            for space in range(8):
                yield getattr(state, prefix + "site_missing")[seat, i], space
        return
    window = getattr(state, prefix + name)
    if name == "drafted":
        yield from ((window[seat], i) for i in range(int(getattr(state, prefix + "n_drafted")[seat])))
    elif name == "picked":
        yield from [(window, seat)] * int(game.phase == "draft" and window[seat] > 0)
    elif name == "loose_resource":
        yield from [(window, seat)] * int(getattr(state, prefix + "loose")[seat] > 0)
    elif window.ndim == 1:
        yield window, seat
    else:
        flat = window[seat].reshape(-1)
        assert np.shares_memory(flat, window)
        yield from ((flat, i) for i in range(flat.size))


def change_cell(name: str, window: npt.NDArray[np.int16], i: int, kinds: int) -> None:
    """Another number that could stand there."""
    highest = {"must_choose": 1, "loose_resource": 4, "held": 8, "empire_cubes": 4, "picked": kinds}
    if name == "empire":
        window[i] = (window[i] + len(SIDES)) % 42
    elif name in highest:
        window[i] += 1 if window[i] < highest[name] else -1
    elif name in ("drafted", "site"):
        window[i] += 1 if window[i] < 3 else -1
    else:
        window[i] += 1


def check_seat(game: Game, seat: int, other: int, names: set[str], changes: Counter[str]) -> None:
    """Change one cell at a time of what is visible of a seat: the full observation changes."""
    prefix = "" if other == seat or game.phase == "draft" else "seen_"
    shown = show_seat(game, seat, ("full",))[0]
    for name in names:
        for number, _ in enumerate(list_cells(game, other, prefix, name)):
            changed = game.clone()
            window, i = list(list_cells(changed, other, prefix, name))[number]
            change_cell(name, window, i, game.config.kinds)
            assert show_seat(changed, seat, ("full",))[0] != shown, f"{name} {number} of seat {other}"
            changes[name] += 1


@pytest.mark.parametrize("mode", PLAYED)
def test_each_thing_that_is_open_shows(mode: str) -> None:
    config = WITH_SCENARIOS[mode]
    changes, copies, rng = Counter[str](), 0, random.Random(2)
    for game in visit_positions(config, 8, often=4 / (100 * config.players)):
        seat = rng.randrange(config.players)
        check_seat(game, seat, seat, KNOWN | KNOWN_OF_ITSELF, changes)
        copies += int(
            np.bincount(game.state.site_kind[seat, : game.state.n_sites[seat]], minlength=2).max() > 1
        )
        if config.players > 1:
            other = (seat + rng.randrange(1, config.players)) % config.players
            check_seat(game, seat, other, KNOWN | KNOWN_OF_OTHERS, changes)
    assert KNOWN - {"loose_resource", "drafted", "site"} <= set(changes)
    assert copies or config.solo, "a second copy of a kind was under construction somewhere"


# --- The table -------------------------------------------------------------------------------------


def change_number(name: str, low: int, high: int) -> Callable[[Game], None]:
    """Make a number of the table one more or one less."""

    def change(game: Game) -> None:
        window = getattr(lend_state(game), name).reshape(-1)
        window[0] += 1 if low <= int(window[0]) < high else -1

    return change


def list_table_changes(game: Game, seat: int) -> dict[str, Callable[[Game], None]]:
    """What may be changed in the table at this position, by field."""

    def change_acted(game: Game) -> None:
        lend_state(game).acted[seat] = 1 - game.state.acted[seat]

    changes = {"side": change_number("side", 0, 5), "round": change_number("round", 1, 4)}
    changes |= {"phase": change_number("phase", 0, 3), "acted": change_acted}
    if game.phase == "draft":
        changes["pick"] = change_number("pick", 0, 6)
    if game.state.phase == 2:
        changes["step"] = change_number("step", 0, 4)
    if game.state.pack_size > 0:
        changes["pack_size"] = change_number("pack_size", 99, 0)
    if game.config.solo:
        bounds = {"scenario": 12, "sequence": 2, "dig_deck": 2, "tosses": 2, "reshuffled": 1}
        changes |= {name: change_number(name, 0, high) for name, high in bounds.items()}
        if game.state.deck_next[0] < game.state.deck_end[0]:
            changes |= {"deck_next": change_number("deck_next", 0, 150)}
            changes |= {"deck_end": change_number("deck_end", 999, 0)}
    return changes


@pytest.mark.parametrize("mode", ["1", "1-ascension", "2", "5", "7-ascension", *SITED])
def test_each_number_of_the_table_shows(mode: str) -> None:
    tried, config = set(), WITH_SCENARIOS[mode]
    for game in visit_positions(config, 3, often=0.1):
        seat = game.round % config.players
        shown = show_seat(game, seat, ("full",))[0]
        for name, change in list_table_changes(game, seat).items():
            changed = game.clone()
            change(changed)
            assert show_seat(changed, seat, ("full",))[0] != shown, name
            tried.add(name)
    assert tried == TABLE_KNOWN - ({"pick"} if config.solo else SOLO_KNOWN)


def test_configurations_are_told_apart() -> None:
    """By what is shown, not by the length alone."""
    for mode in VERSUS:
        for profile in ("full", "compact", "cards"):
            shown = read_windows(Game(VERSUS[mode], 1), 0, profile)
            assert np.flatnonzero(shown.players).tolist() == [VERSUS[mode].players - 1]
            assert shown.ascension == VERSUS[mode].ascension


# --- Packs, pools and decks ------------------------------------------------------------------------


def swap_kind(window: npt.NDArray[np.int16], i: int, other_deck: bool) -> None:
    """Another kind, of the same deck or of the other one."""
    kind = int(window[i])
    if other_deck:
        window[i] = 0 if kind >= N_BASE_KINDS else N_BASE_KINDS
    else:
        window[i] = kind + 1 if kind + 1 not in (N_BASE_KINDS, 116) else kind - 1


@pytest.mark.parametrize("mode", VERSUS)
def test_cards_of_known_packs_show_and_of_unknown_ones_only_their_deck(mode: str) -> None:
    config, tried, rng = VERSUS[mode], Counter[str](), random.Random(1)
    for game in visit_positions(config, 5, often=1):
        if game.phase != "draft" or rng.random() > (0.05 if game.state.pick else 0.3):
            continue
        for origin in range(config.players):
            seat = (game.round + int(game.state.pick)) % config.players
            known, shown = was_in_hand(game, seat, origin), show_seat(game, seat)
            for i in range(int(game.state.pack_size)):
                for other_deck in (False, True) if config.ascension else (False,):
                    changed = game.clone()
                    swap_kind(lend_state(changed).packs[origin], i, other_deck)
                    same = show_seat(changed, seat) == shown
                    assert same == (not known and not other_deck)
                    tried[f"{known} {other_deck}"] += 1
    assert len(tried) == (4 if config.ascension else 2)


@pytest.mark.parametrize("mode", PLAYED)
def test_cards_of_decks_and_pools_show_only_where_they_are_known(mode: str) -> None:
    """A deck made of the seat's own discards is known, as a whole and in no order."""
    config, tried = WITH_SCENARIOS[mode], Counter[str]()
    for game in visit_positions(config, 2, often=0.05, eager="dig"):
        shown = show_seat(game, 0)
        for deck in range(2):
            for places in list_unseen(game, 0, deck):
                for name, line, i in places[::9]:
                    known = bool(game.state.reshuffled[deck]) and line < 0
                    changed = game.clone()
                    window = getattr(lend_state(changed), name)
                    swap_kind(window if line < 0 else window[line], i, other_deck=False)
                    assert (show_seat(changed, 0) == shown) == (not known)
                    tried[f"{name} {known}"] += 1
    assert tried["base_deck False"]
    assert not config.solo or tried["pools False"]
    assert mode not in ("1", "1-ascension") or tried["base_deck True"] + tried["ascension_deck True"]
