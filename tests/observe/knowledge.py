"""What a seat may know, read from the state, and the same read back from its full observation alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy.typing as npt

from iaww_env import Game
from iaww_env.cards import SIDES
from iaww_env.engine.fields import SEAT_FIELDS
from tests.observe.hidden_cards import N_BASE_KINDS, was_in_hand
from tests.observe.showings import read_windows

Knowledge = dict[str, Any]


# --- From the state --------------------------------------------------------------------------------


def count_kinds(cards: Any) -> dict[int, int]:
    """Cards by kind, from a list of kinds."""
    return dict(Counter(int(kind) for kind in cards if kind >= 0))


def drop_zeros(counts: npt.NDArray[Any]) -> dict[int, int]:
    """The same from counts by kind."""
    return {kind: int(n) for kind, n in enumerate(counts) if n}


def find_seat(game: Game, seat: int, prefix: str) -> Knowledge:
    """What is open of a seat, from the state."""
    own = {field.name: getattr(game.state, prefix + field.name)[seat] for field in SEAT_FIELDS}
    site_kind = getattr(game.state, prefix + "site_kind")[seat, : own["n_sites"]].tolist()
    missing = getattr(game.state, prefix + "site_missing")[seat, : own["n_sites"]].tolist()
    names = ("generals", "financiers", "krystallium", "empire_cubes", "loose", "must_choose")
    return {
        **{name: int(own[name]) for name in names},
        "loose_resource": int(own["loose_resource"]) if own["loose"] else None,
        "empire": int(own["empire"]) // len(SIDES),
        "drafted": count_kinds(own["drafted"]),
        "built": drop_zeros(own["built"]),
        "sites": list(zip(site_kind, missing, strict=True)),
    }


def find_packs(game: Game, seat: int) -> list[Knowledge]:
    """What is known of the packs of the others: their ascension cards, and of some all."""
    n, known = game.config.players, []
    for other in range(seat + 1, seat + n):
        origin = (other + int(game.state.pack_shift)) % n
        pack = game.state.packs[origin, : game.state.pack_size].tolist() if game.phase == "draft" else []
        seen = game.phase == "draft" and was_in_hand(game, seat, origin)
        ascension = sum(kind >= N_BASE_KINDS for kind in pack)
        known.append({"ascension": ascension, "cards": count_kinds(pack) if seen else None})
    return known


def find_knowledge(game: Game, seat: int) -> Knowledge:
    """All that a seat may know, from the state."""
    state, n = game.state, game.config.players
    others = [(seat + by) % n for by in range(1, n)]
    prefix = "" if game.phase == "draft" else "seen_"
    origin = (seat + int(state.pack_shift)) % n
    # All discards lie on one pile: who discarded what is the past, and nothing follows from it.
    gone = state.discarded[seat] + getattr(state, prefix + "discarded")[others].sum(axis=0)
    decks = (state.base_deck, state.ascension_deck)
    left = [window[state.deck_next[d] : state.deck_end[d]].tolist() for d, window in enumerate(decks)]
    numbers = ("round", "phase", "pick", "pack_size", "side", "scenario")
    solo = ("sequence", "dig_deck", "tosses") if game.config.solo else ()
    return {
        **{name: int(getattr(state, name)) for name in (*numbers, *solo)},
        "step": int(state.step) if state.phase == 2 else None,
        "own": find_seat(game, seat, ""),
        "acted": int(state.acted[seat]),
        "held": int(state.held[seat]),
        "picked": int(state.picked[seat]),
        "hand": count_kinds(state.packs[origin, : state.pack_size]),
        "others": [find_seat(game, other, prefix) for other in others],
        "packs": find_packs(game, seat),
        "gone": drop_zeros(gone),
        "decks": [len(deck) for deck in left] if game.config.solo else [],
        "reshuffled": state.reshuffled.tolist() if game.config.solo else [],
        "known_deck": count_kinds(k for d in range(2) if state.reshuffled[d] for k in left[d]),
    }


# --- From the observation --------------------------------------------------------------------------


def find_one(numbers: npt.NDArray[Any]) -> int | None:
    """The position of the 1 in a one-hot piece."""
    assert numbers.sum() in (0, 1)
    return int(numbers.argmax()) if numbers.any() else None


def read_seat(shown: Any, prefix: str, i: Any) -> Knowledge:
    """What is open of a seat, from the observation."""

    def piece(name: str) -> Any:
        return getattr(shown, prefix + name)[i]

    kinds, missing = piece("site_kind"), piece("site_missing").astype(int).tolist()
    tokens = [int(n) for n in piece("tokens")]
    return {
        **dict(zip(("generals", "financiers", "krystallium"), tokens, strict=True)),
        "empire_cubes": int(piece("empire_cubes")),
        "loose": int(piece("loose").sum()),
        "must_choose": int(piece("must_choose")),
        "loose_resource": int(piece("loose").argmax()) if piece("loose").any() else None,
        "empire": find_one(piece("empire")),
        "drafted": drop_zeros(piece("drafted")),
        "built": drop_zeros(piece("built")),
        "sites": [(int(kind) - 1, line) for kind, line in zip(kinds, missing, strict=True) if kind],
    }


def read_knowledge(game: Game, seat: int) -> Knowledge:
    """All that a seat may know, from its full observation alone."""
    shown, solo, n = read_windows(game, seat), game.config.solo, game.config.players
    own, picked = read_seat(shown, "", ...), int(shown.picked)
    # The card picked in secret lies drafted in the observation, and in the pack in the state.
    own["drafted"] = dict(Counter(own["drafted"]) - Counter([picked - 1]))
    packs = [
        {
            "ascension": int(shown.pack_ascension[i]),
            "cards": drop_zeros(shown.pack[i]) if shown.pack_known[i] else None,
        }
        for i in range(n - 1)
    ]
    one_hots = {"round": find_one(shown.round), "phase": find_one(shown.phase), "side": find_one(shown.side)}
    alone = {}
    if solo:
        dig = find_one(shown.dig)
        alone = {"sequence": int(shown.sequence), "tosses": int(shown.tosses)}
        alone["dig_deck"] = 0 if dig is None else dig + 1
    scenario = find_one(shown.scenario) if solo else None
    held = find_one(shown.held)
    return {
        **one_hots,
        **alone,
        "round": one_hots["round"] + 1,  # type: ignore[operator]
        "pick": int(shown.pick),
        "pack_size": int(shown.pack_size),
        "scenario": 0 if scenario is None else scenario + 1,
        "step": find_one(shown.step),
        "own": own,
        "acted": int(shown.acted),
        "held": 0 if held is None else held + 1,
        "picked": picked,
        "hand": dict(Counter(drop_zeros(shown.hand)) + Counter([picked - 1] if picked else [])),
        "others": [read_seat(shown, "other_", i) for i in range(n - 1)],
        "packs": packs if not solo else [],
        "gone": drop_zeros(shown.gone),
        "decks": [int(left) for left in shown.deck_left] if solo else [],
        "reshuffled": [int(one) for one in shown.reshuffled] if solo else [],
        "known_deck": drop_zeros(shown.known_deck) if solo else {},
    }
