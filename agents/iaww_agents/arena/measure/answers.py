"""How fast bots answer, in CPU time: many decisions at once, or one after another."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from iaww_agents.base import Agent, BatchAgent
from iaww_env.batch import Batch, lend_states, make_stream
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_batch_view, make_view
from iaww_env.config import GameConfig
from iaww_env.game import Game

ROWS, STEPS, PASSES = 256, 120, 4  # games of a batch, decisions of each and repeats
GAMES = 4  # of a bot that is asked for one decision after another
OTHERS = "heuristic"


def time_batches(bot: BatchAgent, config: GameConfig) -> list[float]:
    """Decisions a CPU second of each pass through the first decisions of some games, imagining included."""
    bot.reset_batch(config)
    rates = []
    for _ in range(PASSES):
        batch, stream = Batch(config, ROWS, 1, observation=bot.profile), make_stream(1)
        games, spent = np.arange(ROWS), 0.0
        for _ in range(STEPS):
            begun = time.process_time()
            shown = batch.seats.astype(np.int64), batch.observations, batch.masks
            bot.act_batch(make_batch_view(bot, config, lend_states(batch), games, *shown))
            spent += time.process_time() - begun
            batch.step(batch.sample_legal(stream, discards=False))
        rates.append(ROWS * STEPS / spent)
    return rates


def time_answers(bot: Agent, config: GameConfig, games: int = GAMES) -> npt.NDArray[np.float64]:
    """Milliseconds of a bot's decisions where it has a choice, imagining included; heuristics sit with it.

    A game is played beforehand, in which it may compile.
    """
    spent: list[float] = []
    for number in range(games + 1):
        seats = [bot, *(make_agent(OTHERS) for _ in range(config.players - 1))]
        for seat, one in enumerate(seats):
            one.reset(seat, config, number)
        game = Game(config, number)
        while not game.over:
            seat = game.seats_to_act()[0]
            legal = game.legal_actions(seat)
            if len(legal) == 1:
                game.step(seat, legal[0])
                continue
            begun = time.process_time()
            action = seats[seat].act(make_view(game, seat, seats[seat].profile))
            if seat == 0 and number > 0:
                spent.append(1000 * (time.process_time() - begun))
            game.step(seat, action)
    return np.array(spent)
