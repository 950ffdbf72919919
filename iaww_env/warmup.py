"""Compile beforehand: games, batches, environments, bots, analysis and training do a little, on all cores.

What one process compiles lies ready for all that come after it, so nobody waits again with this version.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from iaww_env.announcing import announcer
from iaww_env.batch import Batch, make_stream
from iaww_env.bots.games import BotGames
from iaww_env.bots.specs import is_ours, list_agents, make_agent
from iaww_env.bots.views import BatchView, View, make_view
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows, seed_stream
from iaww_env.envs.multi.aec import aec_env
from iaww_env.envs.multi.parallel import parallel_env
from iaww_env.envs.single.vector import VersusVectorEnv
from iaww_env.errors import IllegalActionError
from iaww_env.game import Game
from iaww_env.observation import observation_table
from iaww_env.processes import share_work
from iaww_env.records.from_moves import make_record
from iaww_env.selfplay import SelfPlayRollout
from iaww_env.threads import LEAST_PART

TABLE = GameConfig(players=2)
SEED = 0


class _FirstLegal:
    """A bot that answers in Python, and looks at all that a bot may look at."""

    def act(self, view: View) -> int:
        """One decision."""
        return view.legal_actions()[0]

    def act_batch(self, view: BatchView) -> npt.NDArray[np.int64]:
        """Many decisions."""
        view.draw_uniforms()
        first: npt.NDArray[np.int64] = view.action_masks.argmax(axis=1)
        return first


def use_game() -> None:
    """Play, show, save, record, imagine and score a game."""
    game = Game(TABLE, SEED)
    game = Game.from_bytes(game.to_bytes())
    observation_table(TABLE, "full").observe(game, 0)
    game.redeterminize(0, 1)
    first = game.legal_actions(0)[0]
    game.step(0, first)
    make_record(TABLE, SEED, np.array([[0, first]], np.int16))
    game.scores()
    game.score_breakdown(0)


def use_batch() -> None:
    """Step a batch, with threads as well, and learn from it."""
    batch = Batch(TABLE, 2 * LEAST_PART, SEED, threads=2)
    batch.step(batch.sample_legal(make_stream(SEED)))
    SelfPlayRollout(batch, 1).last_observations()


def use_parallel() -> None:
    """A game of one PettingZoo environment, an illegal step of the other."""
    env = parallel_env(players=2)
    shown, _ = env.reset(seed=SEED)
    while env.agents:
        shown, *_ = env.step({name: int(one["action_mask"].argmax()) for name, one in shown.items()})
    seated = aec_env(players=2, illegal_action="replace")
    seated.reset(seed=SEED)
    seated.step(-1)


def use_versus() -> None:
    """A step of the Gymnasium environments, legal and not."""
    env = VersusVectorEnv(2, players=2, opponents=[_FirstLegal], illegal_action="raise")
    env.reset(seed=SEED)
    env.step(env.action_masks().argmax(axis=1))
    try:
        env.step(np.full(2, -1))
    except IllegalActionError:
        pass


def use_bot(name: str) -> None:
    """A decision of a bot, and a game in its kernels where it has some."""
    bot = make_agent(name)
    game = Game(TABLE, SEED)
    seat = game.seats_to_act()[0]
    bot.reset(seat, TABLE, SEED)
    bot.act(make_view(game, seat, bot.profile))
    if bot.lane_code is not None or hasattr(bot, "play_lanes"):
        BotGames([bot] * TABLE.players).play(make_rows(TABLE, [SEED]), [seed_stream(SEED)])


def use_analysis() -> None:
    """What `iaww analyze` counts in games that are played again."""
    games = importlib.import_module("iaww_agents.analysis.games")
    games.trace_game(Game(TABLE, SEED), np.empty((0, 2), np.int16), (), {})


def use_training() -> None:
    """What a network learns from and is measured with."""
    importlib.import_module("iaww_training.warming").use_kernels()


def list_works() -> dict[str, Callable[[], None]]:
    """What is played, the longest to compile first."""
    works: dict[str, Callable[[], None]] = {"versus": use_versus, "batch": use_batch}
    works |= {f"bot {name}": partial(use_bot, name) for name in reversed(list_agents()) if is_ours(name)}
    if find_spec("torch") is not None:
        works["training"] = use_training
    return works | {"parallel": use_parallel, "game": use_game, "analysis": use_analysis}


def do_work(name: str) -> str:
    """Do one of the works in this process, in silence; returns its name."""
    announcer.is_silent = True
    list_works()[name]()
    return name


def warm_up(workers: int | None = None) -> Iterator[str]:
    """Compile everything that is not compiled yet; gives the names of what is ready, one by one.

    Args:
        workers: Processes; one for each core by default.
    """
    return share_work(do_work, list(list_works()), workers)
