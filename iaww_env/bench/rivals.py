"""The same kind of work in this and in other libraries: random legal play with all that an agent is shown.

Each function makes the work of one row: it returns a function that plays on and says how many decisions it
took. A decision is an action of a player, drawn at random among the legal ones, with its observation and its
legal mask or list. Drawing counts everywhere. Each library plays on the fastest way it offers for this work,
and all its decisions count, also those without a choice; here only decisions with a choice count.

`python -m iaww_env.bench.rivals NAME REPEATS` measures one row and prints it as JSON; `iaww bench compare`
runs it so, each row in a process of its own.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

import iaww_env
from iaww_env.bench.measuring import Work, make_batch_work, measure_rate
from iaww_env.config import GameConfig
from iaww_env.envs.multi.parallel import parallel_env
from iaww_env.random_games import mask_out_discards

Draw = Callable[[], float]
SECONDS = 0.5
LANES = 1024  # games of a batch in JAX: enough that the cost of a call does not count


@dataclass(frozen=True, slots=True)
class Rival:
    """One row: what is played, through what, and whether one game at a time or many."""

    name: str
    library: str
    package: str
    is_batch: bool
    includes: str
    make: Callable[[str], Work]
    game: str

    @property
    def ours(self) -> bool:
        """Whether this is the game of this project."""
        return self.package == "iaww-env"


# --- This game --------------------------------------------------------------------------------------


def make_native_batch(game: str) -> Work:
    """A native batch, `games profile`; drawn in a kernel."""
    games, profile = game.split()
    return make_batch_work(GameConfig(players=4), int(games), 8192, profile)


def make_parallel(game: str) -> Work:
    """The parallel API with one game; `game` names the profile."""
    env = parallel_env(players=4, observation=game)
    env.reset(seed=1)
    kept = mask_out_discards(env.config.expansions)
    draw = random.Random(1).random

    def play() -> int:
        decisions = 0
        shown, _ = env.reset()
        while env.agents:
            actions = {}
            for agent, one in shown.items():
                legal = (one["action_mask"] & kept).nonzero()[0]
                n = len(legal)
                actions[agent] = int(legal[int(draw() * n)])
                decisions += n > 1
            shown = env.step(actions)[0]
        return decisions

    return play


# --- OpenSpiel --------------------------------------------------------------------------------------


def make_open_spiel(name: str) -> Work:
    """OpenSpiel from Python: `set_from` into one buffer where the game has an observer, lists elsewhere."""
    pyspiel: Any = import_module("pyspiel")
    observation: Any = import_module("open_spiel.python.observation")
    game = pyspiel.load_game(name)
    observer = observation.make_observation(game)
    rng = random.Random(1)

    def look(state: Any, player: int) -> list[int]:
        if observer is None:
            state.information_state_tensor(player)
        else:
            observer.set_from(state, player)
        legal: list[int] = state.legal_actions(player)
        return legal

    def play() -> int:
        decisions, state = 0, game.new_initial_state()
        draw = rng.random
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.legal_actions()
                state.apply_action(outcomes[int(draw() * len(outcomes))])
            elif state.is_simultaneous_node():
                chosen = []
                for player in range(game.num_players()):
                    legal = look(state, player)
                    chosen.append(legal[int(draw() * len(legal))])
                state.apply_actions(chosen)
                decisions += len(chosen)
            else:
                legal = look(state, state.current_player())
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions

    return play


# --- RLCard and PettingZoo --------------------------------------------------------------------------


def draw_from_mask(mask: Any, draw: Draw) -> int:
    """A random legal action of a mask."""
    legal = mask.nonzero()[0]
    return int(legal[int(draw() * len(legal))])


def make_rlcard(name: str) -> Work:
    """RLCard's own environment."""
    rlcard: Any = import_module("rlcard")
    env = rlcard.make(name)
    draw = random.Random(1).random

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return play


def make_zoo(name: str, form: str) -> Any:
    """A classic environment of PettingZoo in one of its forms, seeded."""
    env: Any = getattr(import_module(f"pettingzoo.classic.{name}"), form)()
    env.reset(seed=1)
    return env


def make_zoo_aec(name: str) -> Work:
    """A classic environment of PettingZoo through the AEC API, without its checking wrappers."""
    env = make_zoo(name, "raw_env")
    draw = random.Random(1).random

    def play() -> int:
        decisions = 0
        env.reset()
        while env.agents:
            shown, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = shown["action_mask"] if "action_mask" in shown else info["action_mask"]
            env.step(draw_from_mask(mask, draw))
            decisions += 1
        return decisions

    return play


def make_zoo_parallel(name: str) -> Work:
    """A classic environment of PettingZoo through the parallel API; all actions are legal."""
    env = make_zoo(name, "parallel_env")
    draw = random.Random(1).random
    counts = {agent: int(env.action_space(agent).n) for agent in env.possible_agents}

    def play() -> int:
        decisions = 0
        env.reset()
        while env.agents:
            actions = {agent: int(draw() * counts[agent]) for agent in env.agents}
            env.step(actions)
            decisions += len(actions)
        return decisions

    return play


# --- JAX --------------------------------------------------------------------------------------------


def make_pgx(name: str) -> Work:
    """PGX on one core: one compiled call draws and plays an action in every game, with automatic resets."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    experimental: Any = import_module("pgx.experimental")
    env = pgx.make(name)
    step_one = experimental.auto_reset(env.step, env.init)

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, drawn, played = jax.random.split(key, 3)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(drawn, scores, axis=-1)
        return jax.vmap(step_one)(state, actions, jax.random.split(played, LANES)), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), LANES))
    return _play_compiled(jax, step, state)


def make_jumanji(name: str) -> Work:
    """Jumanji on one core, in the same way."""
    jax: Any = import_module("jax")
    jumanji: Any = import_module("jumanji")
    wrappers: Any = import_module("jumanji.wrappers")
    env = wrappers.VmapAutoResetWrapper(jumanji.make(name))

    def step(held: Any, key: Any) -> tuple[Any, Any]:
        state, shown = held
        key, drawn = jax.random.split(key)
        mask = shown.observation.action_mask
        flat = jax.numpy.where(mask, 0.0, -jax.numpy.inf).reshape(LANES, -1)
        actions = jax.random.categorical(drawn, flat, axis=-1)
        if mask.ndim > 2:  # an action of several parts
            actions = jax.numpy.stack(jax.numpy.unravel_index(actions, mask.shape[1:]), axis=-1)
        return env.step(state, actions), key

    held = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), LANES))
    return _play_compiled(jax, step, held)


def _play_compiled(jax: Any, step: Callable[[Any, Any], Any], state: Any) -> Work:
    compiled = jax.jit(step)
    held = [state, jax.random.PRNGKey(2)]

    def play() -> int:
        for _ in range(8):
            held[:] = compiled(*held)
        jax.block_until_ready(held[0])
        return 8 * LANES

    return play


# --- All rows ---------------------------------------------------------------------------------------

_KERNEL = "four players, drawn in the kernel, automatic resets"
_SEATS = "four players, drawn from masks"
_MASK = "drawn from masks"
_BUFFER = "observation by set_from into one buffer, list of legal actions"
_LISTS = "observation as a list (it has no observer), list of legal actions"
_JAX = f"{LANES} games in one compiled call that also draws, automatic resets"

RIVALS = (
    Rival("batch of 256, full", "iaww-env", "iaww-env", True, _KERNEL, make_native_batch, "256 full"),
    Rival("batch of 256, compact", "iaww-env", "iaww-env", True, _KERNEL, make_native_batch, "256 compact"),
    Rival("one game, native, full", "iaww-env", "iaww-env", False, _KERNEL, make_native_batch, "1 full"),
    Rival("parallel API, full", "iaww-env", "iaww-env", False, _SEATS, make_parallel, "full"),
    *(
        Rival(name, "OpenSpiel", "open_spiel", False, says, make_open_spiel, game)
        for name, game, says in (
            ("goofspiel, five players", "goofspiel(players=5)", _BUFFER),
            ("hearts", "hearts", _LISTS),
            ("spades", "spades", _BUFFER),
            ("skat", "skat", _BUFFER),
        )
    ),
    *(
        Rival(game, "RLCard", "rlcard", False, "dict of legal actions", make_rlcard, game)
        for game in ("uno", "mahjong")
    ),
    *(
        Rival(name, "PettingZoo classic", "pettingzoo", False, says, make, game)
        for name, says, make, game in (
            ("rps, parallel", "no masks: all is legal", make_zoo_parallel, "rps_v2"),
            ("connect_four", _MASK, make_zoo_aec, "connect_four_v3"),
            ("texas_holdem", _MASK, make_zoo_aec, "texas_holdem_v4"),
            ("hanabi", _MASK, make_zoo_aec, "hanabi_v5"),
        )
    ),
    *(
        Rival(game, "PGX", "pgx", True, _JAX, make_pgx, game)
        for game in ("connect_four", "backgammon", "sparrow_mahjong", "go_9x9")
    ),
    *(
        Rival(name, "Jumanji", "jumanji", True, _JAX, make_jumanji, game)
        for name, game in (("2048", "Game2048-v1"), ("minesweeper", "Minesweeper-v0"))
    ),
)


def find_rival(name: str) -> Rival:
    """A row by library and name."""
    return next(rival for rival in RIVALS if f"{rival.library}: {rival.name}" == name)


def measure_work(play: Work, repeats: int, seconds: float = SECONDS) -> float:
    """Decisions per second of CPU time: the best of several repeats, each some CPU seconds long."""

    def play_on() -> int:
        decisions, end = 0, time.process_time() + seconds
        while time.process_time() < end:
            decisions += play()
        return decisions

    return measure_rate(play_on, repeats)


def stay_on_one_core() -> None:
    """One thread's worth of work: libraries that start threads run them on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(name: str, repeats: int, seconds: float) -> None:
    """Measure one row and print it."""
    rival = find_rival(name)
    stay_on_one_core()
    value = measure_work(rival.make(rival.game), repeats, seconds)
    installed = iaww_env.__version__ if rival.ours else version(rival.package)
    print(json.dumps({"value": value, "version": installed}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
