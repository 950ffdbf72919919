"""Everything public that reaches a kernel, in one process: `python -m tests.kernels.every_kernel bounds`."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import pkgutil
import random
import sys
from typing import Any

import numpy as np

import iaww_env
import iaww_env.engine
from iaww_env.batch import Batch, make_stream
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.kernels import game as game_kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.errors import IllegalActionError
from iaww_env.game import Game, lend_row
from iaww_env.observation import observation_table
from iaww_env.selfplay import SelfPlayRollout
from iaww_env.threads import LEAST_PART
from tests.dealt_cards import make_given_game
from tests.modes import MODES, VERSUS
from tests.random_play import choose_action, play_some


@inlined
def read_cell(cells: States, at: int) -> int:
    """A rule with nothing between it and the bounds."""
    return int(cells[at])


def list_kernels() -> dict[str, Any]:
    """Every function of the engine whose machine code is kept on disk: what `kernel` has made."""
    found = {}
    for module in pkgutil.walk_packages(iaww_env.engine.__path__, "iaww_env.engine."):
        for value in vars(importlib.import_module(module.name)).values():
            # Rules are compiled into their callers and keep nothing of their own.
            if hasattr(value, "signatures") and type(value._cache).__name__ == "KernelCache":
                found[f"{value.py_func.__module__}.{value.py_func.__name__}"] = value
    return found


def list_repeated() -> dict[str, int]:
    """Every rule of the engine that was translated for more than one signature in this process."""
    found = {}
    for module in pkgutil.walk_packages(iaww_env.engine.__path__, "iaww_env.engine."):
        for value in vars(importlib.import_module(module.name)).values():
            if len(getattr(value, "signatures", ())) > 1:
                found[value.py_func.__name__] = len(value.signatures)
    return found


def try_seat(game: Game, seat: int) -> None:
    """Ask everything about a seat, in every form, and try what is not legal."""
    game.legal_actions(np.int64(seat))  # type: ignore[arg-type]
    game.legal_texts(seat), game.action_mask(seat), game.scores(), game.places(), repr(game)
    for action in (-1, 10**6, np.int8(-5), np.uint64(10**6), game.actions.wait):
        try:
            game.step(seat, action)  # type: ignore[arg-type]
        except IllegalActionError:
            continue


def use_game(game: Game, seed: int) -> None:
    """Play a game to its end through copies of every sort."""
    rng = random.Random(seed)
    tables = [observation_table(game.config, profile) for profile in PROFILES]
    copies = (
        Game.clone,
        copy.deepcopy,
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: Game.from_bytes(one.to_bytes()),
        lambda one: Game.from_bytes(bytearray(one.to_bytes())),
    )
    while not game.over:
        game = rng.choice(copies)(game)
        seat = rng.randrange(game.config.players)
        imagined = game.redeterminize(seat, rng.choice((3, np.random.default_rng(3))))
        for one in (game, imagined):
            try_seat(one, seat)
            for table in tables:
                table.observe(one, seat)
        for _ in range(10):
            for one in (game, imagined):
                if not one.over:
                    play_once(one, rng)
    try_seat(game, 0)
    moves, legal = np.array([[0, -1], [7, 0]], np.int16), np.empty(fields.MOST_LEGAL, np.int16)
    game_kernels.play_moves(lend_row(Game(game.config, seed)), moves, legal)
    game.score_breakdown(0), game.winners(), game.title(), game.medal(), game.redeterminize(0, 1)


def play_once(game: Game, rng: random.Random) -> None:
    """A random decision of a random seat, as a number or as text."""
    seat = rng.choice(game.seats_to_act())
    action = choose_action(game, seat, rng, discards=True)
    game.step(seat, game.actions.to_text(action) if rng.random() < 0.3 else action)


def use_batch(mode: str, num_games: int, seed: int) -> None:
    """Step a batch past the end of its first games, with actions of several types and illegal ones."""
    observation = (None, *PROFILES)[seed % 4]
    options = {"observation": observation, "reward": ("outcome", "points_gain")[num_games % 2]}
    batch = Batch(MODES[mode], num_games, seed, skip_forced=num_games > 1, **options)
    words = make_stream(seed)
    types = (np.int16, np.int64, np.uint8, np.uint64, np.int32)
    for step in range(700 if num_games == 1 else 150):
        actions = batch.sample_legal(words, discards=(False, 0, np.bool_(True))[step % 3])  # type: ignore[arg-type]
        kind = types[step % len(types)]
        batch.step(actions if actions.max() > np.iinfo(kind).max else actions.astype(kind))
    for wrong in (-1, 2**40):
        try:
            batch.step(np.full(num_games, wrong))
        except IllegalActionError:
            continue
    batch.game(0).legal_actions(0)
    if observation is not None:
        SelfPlayRollout(batch, 1).last_observations()


def use_threads(mode: str) -> None:
    """Step a batch that is shared between threads."""
    batch = Batch(MODES[mode], 2 * LEAST_PART, 3, observation="compact", discards=False, threads=2)
    for _ in range(20):
        batch.step(batch.sample_legal(make_stream(1)))


def use_playouts(mode: str) -> None:
    """Games from the deal to the end inside one kernel."""
    states = make_rows(MODES[mode], range(20))
    decisions = np.zeros(2, np.int64)
    kernels.begin_rows(states)
    kernels.play_out(states, mode == "2", make_stream(1), np.zeros(fields.MOST_LEGAL, np.int16), decisions)
    assert decisions.sum() > 20 * 100


def use_environments(mode: str, seed: int) -> None:
    """A game of the parallel environment, and one of the seat-by-seat one."""
    config = MODES[mode]
    options = {"players": config.players, "expansions": config.expansions, "skip_forced": seed % 2 == 0}
    rng = random.Random(seed)
    env = iaww_env.parallel_env(**options, observation=PROFILES[seed % 3])
    shown, _ = env.reset(seed=seed)
    while env.agents:
        legal = {name: np.flatnonzero(one["action_mask"]).tolist() for name, one in shown.items()}
        shown, *_ = env.step({name: rng.choice(actions) for name, actions in legal.items()})
    env = iaww_env.aec_env(**options, observation=PROFILES[seed % 3], illegal_action="replace")
    env.reset(seed=seed)
    env.step(-1)
    for _ in env.agent_iter():
        last, _, ended, *_ = env.last()
        env.step(None if ended else rng.choice(np.flatnonzero(last["action_mask"]).tolist()))


def use_everything() -> None:
    """Every mode through everything public that reaches a kernel."""
    for seed, mode in enumerate(MODES):
        if mode in VERSUS:
            use_environments(mode, seed)
        use_game(Game(MODES[mode], seed), seed)
        use_game(make_given_game(mode, seed), seed)
        use_batch(mode, 1, seed)
        use_batch(mode, 4, seed)
        use_playouts(mode)
    use_threads("2")


def check_signatures() -> dict[str, int]:
    """How many signatures each kernel was compiled for, after everything was used."""
    use_everything()
    return {name: len(kernel.signatures) for name, kernel in list_kernels().items()}


def check_bounds() -> dict[str, bool]:
    """Use everything; whether kernels notice an index out of bounds, and rules that were translated twice."""
    use_everything()
    repeated = list_repeated()
    cells = np.zeros(4000, np.int16)  # what lies behind the short windows below is ours as well
    row = lend_row(play_some("4", 1, 20))
    calls = {
        "read_cell": lambda: read_cell(cells[:10], 2000),
        "list_actions": lambda: game_kernels.list_actions(row, 0, cells[:0]),
        "score_row": lambda: game_kernels.score_row(row, cells[:1], cells[1000:]),
    }
    noticed = {}
    for name, call in calls.items():
        try:
            call()
            noticed[name] = False
        except IndexError:
            noticed[name] = True
    return noticed | {f"{name} is translated {count} times": True for name, count in repeated.items()}


if __name__ == "__main__":
    print(json.dumps({"signatures": check_signatures, "bounds": check_bounds}[sys.argv[1]]()))
