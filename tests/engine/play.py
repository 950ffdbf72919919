"""Modes, random games and fresh Python processes for the tests of the engine and of `Game`.

Run as a module it plays games in a process of its own and prints what happened at every step:
`python -m tests.engine.play '[["solo", 1]]'`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from iaww_env.batch import Batch, make_stream
from iaww_env.cards import kinds, scenario
from iaww_env.config import GameConfig
from iaww_env.engine.kernels import game as game_kernels
from iaww_env.game import Game

ROOT = Path(__file__).resolve().parents[2]
CA = ("corruption_and_ascension",)

# Every number of players with both card pools; solo games with and without a scenario.
VERSUS = {str(n): GameConfig(players=n) for n in range(2, 6)}
VERSUS |= {f"{n}-ascension": GameConfig(players=n, expansions=CA) for n in range(2, 8)}
SOLO = {
    "solo": GameConfig(players=1),
    "solo-ascension": GameConfig(players=1, expansions=CA),
    "solo-sc01": GameConfig(players=1, scenario="base_sc01"),
    "solo-ascension-sc01": GameConfig(players=1, expansions=CA, scenario="ascension_sc01"),
}
MODES = VERSUS | SOLO


def choose_action(game: Game, seat: int, rng: random.Random, discards: bool = False) -> int:
    """A random legal action of a seat; constructions are given up only where `discards` says so."""
    legal = game.legal_actions(seat)
    table = game.actions
    if not discards:
        legal = [action for action in legal if not table.discard <= action < table.discard + table.cards]
    # Digs and characters are rare under uniform play, so half of the time they are taken.
    rare = [action for action in legal if table.use <= action < table.end and action != table.to_empire]
    return rng.choice(rare if rare and rng.random() < 0.5 else legal)


def play_on(game: Game, rng: random.Random, discards: bool = False) -> Iterator[tuple[int, int]]:
    """Play at random to the end, yielding (seat, action) after each decision."""
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        action = choose_action(game, seat, rng, discards)
        game.step(seat, action)
        yield seat, action


def play_some(mode: str, seed: int, decisions: int, discards: bool = False) -> Game:
    """A game after so many random decisions (or at its end)."""
    game = Game(MODES[mode], seed)
    for played, _ in enumerate(play_on(game, random.Random(seed), discards), start=1):
        if played >= decisions:
            break
    return game


def sum_row(game: Game) -> int:
    """A checksum of the row's bytes, the same on every system."""
    return zlib.crc32(game.row.astype("<i2").tobytes())


def trace_game(game: Game, seed: int) -> list[int]:
    """Checksums of the row at every step of a random game, then the scores and places."""
    sums = [sum_row(game)]
    sums += [sum_row(game) for _ in play_on(game, random.Random(seed), discards=seed % 2 == 0)]
    return sums + game.scores() + game.places()


def trace_mode(mode: str, seed: int) -> list[int]:
    """The trace of the game with this seed, of what a seat may imagine on the way, and of a batch."""
    sums = trace_game(Game(MODES[mode], seed), seed)
    for decisions in (0, 9, 40, 120):
        game = play_some(mode, seed, decisions)
        sums += [sum_row(game.redeterminize(seat, seed)) for seat in range(game.config.players)]
    batch = play_batch(mode, seed, steps=180)
    sums += [int(array.astype("<i8").sum()) for array in (batch.seats, batch.masks, batch.points)]
    return [*sums, zlib.crc32(batch.states.astype("<i2").tobytes())]


def count_cards(game: Game) -> Counter[int]:
    """How many of each kind there are, wherever they lie: each physical card is in one place."""
    state, config = game.state, game.config
    cards: Counter[int] = Counter(state.packs[state.packs >= 0].tolist())
    for deck, window in enumerate((state.base_deck, state.ascension_deck)):
        cards.update(window[state.deck_next[deck] : state.deck_end[deck]].tolist())
    if config.solo:
        cards.update(state.pools[state.pools >= 0].tolist())
    cards.update(state.drafted[state.drafted >= 0].tolist())
    for seat in range(config.players):
        cards.update(state.site_kind[seat, : state.n_sites[seat]].tolist())
        for counts in (state.built[seat], state.discarded[seat]):
            cards.update({kind: n for kind, n in enumerate(counts.tolist()) if n})
    return cards


def count_pool(config: GameConfig) -> Counter[int]:
    """How many of each kind there must be."""
    return Counter({kind.index: kind.copies for kind in kinds(config.expansions)})


def list_decks(config: GameConfig) -> list[list[str]]:
    """The base deck and the ascension deck as ids, the cards of a scenario taken out."""
    decks: list[list[str]] = [[], []]
    gone = Counter(scenario(config.scenario).cards if config.scenario else ())
    for kind in kinds(config.expansions):
        decks[kind.deck == "ascension"] += [kind.id] * (kind.copies - gone[kind.id])
    return decks


def draw_hands(config: GameConfig, seed: int) -> list[list[str]]:
    """Hands for a whole game, in the order in which they are dealt; solo: the pools."""
    decks = list_decks(config)
    for deck in decks:
        random.Random(seed).shuffle(deck)
    sizes = (config.hand_base, config.hand_ascension)
    hands = config.pools if config.solo else config.rounds * config.players
    return [
        [deck.pop() for deck, n in zip(decks, sizes, strict=True) for _ in range(n)] for _ in range(hands)
    ]


def make_given_game(mode: str, seed: int) -> Game:
    """A game whose deals (solo: pools) are given."""
    config = MODES[mode]
    hands = draw_hands(config, seed)
    if config.solo:
        return Game(config, seed, pools=hands)
    n = config.players
    return Game(config, seed, deals=[hands[at : at + n] for at in range(0, len(hands), n)])


def play_batch(mode: str, seed: int, steps: int, num_games: int = 3) -> Batch:
    """A batch after so many random steps."""
    batch = Batch(MODES[mode], num_games, seed)
    words = make_stream(seed)
    for _ in range(steps):
        batch.step(batch.sample_legal(words, discards=False))
    return batch


# --- Fresh processes --------------------------------------------------------------------------------


def run_python(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """What another Python process prints; warnings are errors there too.

    It inherits the folder of the machine code, and no other setting of numba or of hashing.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    if "NUMBA_CACHE_DIR" in os.environ:
        kept["NUMBA_CACHE_DIR"] = os.environ["NUMBA_CACHE_DIR"]
    command = [sys.executable, "-W", "error", *arguments]
    settings = kept | environment
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def trace_elsewhere(games: list[tuple[str, int]], **environment: str) -> list[list[int]]:
    """The traces of these games (mode, seed), played in a process with these settings."""
    compiled, traces = json.loads(run_python("-m", "tests.engine.play", json.dumps(games), **environment))
    assert compiled == ("NUMBA_DISABLE_JIT" not in environment)
    answer: list[list[int]] = traces
    return answer


def main(games: str) -> None:
    """Play the games, given as JSON, and print whether kernels are compiled here, and the traces."""
    traces = [trace_mode(mode, seed) for mode, seed in json.loads(games)]
    print(json.dumps([hasattr(game_kernels.play_action, "signatures"), traces]))


if __name__ == "__main__":
    main(*sys.argv[1:])
