"""One game played by the engine and by the slow reference together: every difference is an error."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env import Game, GameConfig
from iaww_env.actions import USES
from iaww_env.cards import EXPANSIONS, RESOURCES, SPACES, kinds
from iaww_env.engine.fields import find_layout
from iaww_env.game import lend_state
from tests.reference import ReferenceGame

IDS = [one.id for one in kinds(EXPANSIONS)]
TOKENS = ("krystallium", "general", "financier")


# --- What the engine dealt -------------------------------------------------------------------------


def read_deck(game: Game, deck: int) -> list[str]:
    """What is left of a deck, the top first."""
    window = (game.state.base_deck, game.state.ascension_deck)[deck]
    return [IDS[index] for index in window[game.state.deck_next[deck] : game.state.deck_end[deck]].tolist()]


def read_deals(game: Game) -> list[list[list[str]]]:
    """What each seat is dealt in each round: its first pack, then what follows in the decks."""
    seats = range(game.config.players)
    decks = read_deck(game, 0), read_deck(game, 1)
    sizes = game.config.hand_base, game.config.hand_ascension
    deals = [[game.hand(seat) for seat in seats]]
    for _ in range(game.config.rounds - 1):
        deals.append([[decks[deck].pop(0) for deck in (0, 1) for _ in range(sizes[deck])] for _ in seats])
    return deals


def read_pools(game: Game) -> list[list[str]]:
    """The solo pools; the first is in hand already."""
    return [game.drafted(0), *([IDS[index] for index in pool] for pool in game.state.pools[1:].tolist())]


# --- A seat of the engine in the words of the reference --------------------------------------------


def count_kinds(counts: npt.NDArray[np.int16]) -> dict[str, int]:
    """Counts by kind as a table without zeros."""
    return {IDS[index]: int(counts[index]) for index in counts.nonzero()[0].tolist()}


def read_sites(game: Game, seat: int) -> list[dict[str, Any]]:
    """Cards under construction in the order in which they lie."""
    n = int(game.state.n_sites[seat])
    indices = game.state.site_kind[seat, :n].tolist()
    missing = game.state.site_missing[seat, :n].tolist()
    return [
        {"card": IDS[index], "missing": {space: k for space, k in zip(SPACES, row, strict=True) if k}}
        for index, row in zip(indices, missing, strict=True)
    ]


def read_seat(game: Game, seat: int, points: int) -> dict[str, Any]:
    """Everything about a seat, as the reference tells it.

    The reference takes a token in hand from those held when it is used, the engine when it is placed; in the
    draft the reference takes a pick from the hand at once, the engine when it is revealed.
    """
    state = lend_state(game)
    tokens = [int(state.krystallium[seat]), int(state.generals[seat]), int(state.financiers[seat])]
    held = int(state.held[seat]) - 1
    if held >= 0:
        tokens[max(0, held - len(RESOURCES))] -= 1
    hand, drafted = game.hand(seat), game.drafted(seat)
    picked = int(state.picked[seat]) - 1
    if picked >= 0:
        assert IDS[picked] in hand, "a pick that is not in the hand"
        hand.remove(IDS[picked])
        drafted.append(IDS[picked])
    loose = int(state.loose[seat])
    return {
        "hand": sorted(hand),
        "drafted": sorted(drafted),
        "built": count_kinds(state.built[seat]),
        "sites": read_sites(game, seat),
        "generals": tokens[1],
        "financiers": tokens[2],
        "krystallium": tokens[0],
        "empire_cubes": int(state.empire_cubes[seat]),
        "loose": loose,
        "loose_resource": RESOURCES[int(state.loose_resource[seat])] if loose else None,
        "held": USES[held] if held >= 0 else None,
        "net_production": state.production[seat].tolist(),
        "points": points,
        "must_choose": bool(state.must_choose[seat]),
        "discarded": count_kinds(state.discarded[seat]),
    }


class SideBySide:
    """Plays every choice in both; `step` and `check` raise an AssertionError at the first difference."""

    def __init__(self, config: GameConfig, seed: int, tokens: tuple[int, int, int] | None = None) -> None:
        """Let the engine draw and deal, and start the reference with the same cards.

        Args:
            config: What to play.
            seed: Seed of the engine's game.
            tokens: Krystallium, generals and financiers that every seat starts with, if not the empire's.
        """
        self.game = Game(config, seed=seed)
        self.shown: list[str] = []
        drawn = config.to_dict() | {"empires": self.game.empires}
        if config.solo:
            pools = read_pools(self.game)
            self.reference = ReferenceGame(drawn, pools=pools, source=lambda deck, count: self.shown)
        else:
            self.reference = ReferenceGame(drawn, deals=read_deals(self.game))
        if tokens is not None:
            for seat in range(config.players):
                lend_state(self.game).krystallium[seat] = tokens[0]
                lend_state(self.game).generals[seat] = tokens[1]
                lend_state(self.game).financiers[seat] = tokens[2]
                self.reference.seats[seat].tokens = dict(zip(TOKENS, tokens, strict=True))
        self.moves: list[tuple[int, str]] = []
        self.positions: list[dict[str, Any]] = [{}] * config.players
        self.check_all()

    # --- Comparing ------------------------------------------------------------------------------

    def check_all(self) -> None:
        """Compare where the game stands, and every seat with its legal actions."""
        self.check_table()
        points = self.game.scores()
        for seat in range(self.game.config.players):
            self.check_seat(seat, points[seat])
            self.check_legal(seat)
        if self.game.config.solo:
            self.check_decks()

    def check_table(self) -> None:
        """Compare round, phase, pick and who owes a decision."""
        engine, reference = self.game, self.reference
        assert (engine.round, engine.phase) == (reference.round, reference.phase)
        assert engine.over == reference.over
        assert int(engine.state.pick) == reference.pick
        assert engine.seats_to_act() == reference.seats_to_act()
        assert int(engine.state.pending) == len(reference.seats_to_act())

    def check_decks(self) -> None:
        """Solo: compare what is left of the decks."""
        for number, deck in enumerate(self.reference.decks.left.values()):
            assert Counter(read_deck(self.game, number)) == deck, f"deck {number}"

    def check_seat(self, seat: int, points: int) -> None:
        """Compare everything about a seat."""
        expected = self.reference.position(seat)
        if expected["held"] in ("general", "financier"):
            # In the reference a character in hand scores no more, in the engine until it is placed.
            points = expected["points"]
        found = read_seat(self.game, seat, points)
        assert found == expected, f"seat {seat}"
        assert int(self.game.state.n_built[seat]) == sum(expected["built"].values())
        self.positions[seat] = expected

    def check_legal(self, seat: int) -> list[str]:
        """Compare the legal actions of a seat, and return them in the order of their numbers."""
        numbers = self.game.legal_actions(seat)
        assert numbers == sorted(set(numbers)), "legal actions ascend"
        texts = [self.game.actions.to_text(number) for number in numbers]
        assert set(texts) == self.reference.legal_actions(seat), f"legal actions of seat {seat}"
        return texts

    def check_result(self) -> None:
        """Compare scores, places, winners and awards of a finished game."""
        engine, reference = self.game, self.reference
        assert engine.over
        assert engine.scores() == reference.scores()
        assert engine.places() == reference.places()
        assert engine.winners() == reference.winners()
        awards = (engine.scenario_won(), engine.medal(), engine.title())
        assert awards == (reference.scenario_won(), reference.medal(), reference.title())

    # --- Playing --------------------------------------------------------------------------------

    def step(self, seat: int, text: str) -> bool:
        """Play a choice in both and compare; True where a phase (in the draft: a pick) has ended."""
        self.moves.append((seat, text))
        engine = self.game
        old_decks = [read_deck(engine, deck) for deck in (0, 1)] if text.startswith("toss:") else []
        others = self.read_others(seat)
        where = (engine.round, engine.phase, int(engine.state.pick))
        engine.step(seat, text)
        if old_decks and engine.hand(0):
            self.shown = self.order_shown(old_decks[int(engine.state.dig_deck) - 1])
        self.reference.step(seat, text)
        if where != (engine.round, engine.phase, int(engine.state.pick)):
            self.check_all()
            return True
        self.check_table()
        self.check_seat(seat, engine.scores()[seat])
        assert self.read_others(seat) == others, "an action changed another seat"
        if engine.state.acted[seat]:
            self.check_legal(seat)
        if engine.config.solo and text.startswith(("toss:", "pick:")):
            self.check_decks()
        return False

    def read_others(self, seat: int) -> bytes:
        """The blocks of all seats but one, as bytes."""
        layout = find_layout(self.game.config)
        start = layout.seats_at + seat * layout.seat_size
        before = self.game.row[layout.seats_at : start]
        # Behind the seats lie the seats as last seen, which stand still during a phase.
        behind = self.game.row[start + layout.seat_size : layout.decks_at]
        return before.tobytes() + behind.tobytes()

    def order_shown(self, old: list[str]) -> list[str]:
        """The cards that a dig shows, in the order in which they came off the deck."""
        shown = Counter(self.game.hand(0))
        top = old[: shown.total()]
        return top + list((shown - Counter(top)).elements())
