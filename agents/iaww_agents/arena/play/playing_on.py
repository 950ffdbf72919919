"""What would have become of a game: bots play it on to its end from any position.

The tool of experiments. Copy a position, force a decision in the copy (`game.step`) or change what a seat
holds (`game.edit`), let the same bots play both on, and compare: bots that leave nothing to chance play the
rest of both games on the same cards, so what differs is what the change has brought.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from iaww_agents.base import BatchAgent, KernelAgent
from iaww_env.bots.games import BotGames, find_lane_code
from iaww_env.bots.seeds import derive_bot_seed, derive_stream_seed
from iaww_env.bots.specs import BotSpec, make_agent
from iaww_env.bots.views import make_view
from iaww_env.engine.kernels.game import Moves
from iaww_env.engine.new_rows import seed_stream
from iaww_env.errors import ConfigError
from iaww_env.game import Game, lend_row

MOST_AT_ONCE = 256


def play_on(games: Sequence[Game], bots: BotSpec | Sequence[BotSpec], seed: int = 0) -> list[Moves]:
    """Let bots play games on to their ends: these very games, so give clones where the position is kept.

    Bots that fit into kernels or answer many decisions at once play many games side by side, also those of
    your own (`BatchAgent`); all others are asked decision by decision.

    Args:
        games: Games of one configuration, each wherever it stands.
        bots: A bot for each seat, or one for all; as `make_agent` takes them.
        seed: Where the chance of bots begins that take any; game i has the same chance whatever is played.

    Returns:
        (moves, 2) seat and action of every move that was played on, for each game.

    Raises:
        ConfigError: The games differ in what is played, or there is not a bot for each seat.
    """
    if not games:
        return []
    config = games[0].config
    if any(game.config != config for game in games):
        raise ConfigError("games that are played on together are of one configuration")
    specs = [bots] * config.players if isinstance(bots, str) or callable(bots) else list(bots)
    if len(specs) != config.players:
        raise ConfigError(f"{len(specs)} bots for {config.players} seats: give one for each, or one for all")
    made = {spec: make_agent(spec) for spec in specs}
    seated = [made[spec] for spec in specs]
    if all(is_played_together(bot) for bot in seated):
        moves: list[Moves] = []
        for first in range(0, len(games), MOST_AT_ONCE):
            moves += _play_together(games[first : first + MOST_AT_ONCE], seated, seed, first)
        return moves
    return [_play_alone(game, specs, seed, number) for number, game in enumerate(games)]


def is_played_together(bot: Any) -> bool:
    """Whether a bot plays many games side by side."""
    return find_lane_code(bot) is not None or isinstance(bot, KernelAgent | BatchAgent)


def _play_together(games: Sequence[Game], seated: Sequence[Any], seed: int, first: int) -> list[Moves]:
    config = games[0].config
    for bot in seated:
        if isinstance(bot, BatchAgent):
            bot.reset_batch(config)
    states = np.stack([lend_row(game) for game in games])
    chances = [seed_stream(derive_stream_seed(seed + first + number)) for number in range(len(games))]
    moves = BotGames(seated, config).play_on(states, chances, noting=True)
    for game, row in zip(games, states, strict=True):
        lend_row(game)[:] = row
    return moves


def _play_alone(game: Game, specs: Sequence[BotSpec], seed: int, number: int) -> Moves:
    bots = [make_agent(spec) for spec in specs]
    for seat, bot in enumerate(bots):
        if callable(getattr(bot, "reset", None)):
            bot.reset(seat, game.config, derive_bot_seed(seed + number, seat))
    moves = []
    while seats := game.seats_to_act():
        seat = seats[0]
        legal = game.legal_actions(seat)
        action = legal[0]
        if len(legal) > 1:
            action = int(bots[seat].act(make_view(game, seat, getattr(bots[seat], "profile", "full"))))
        game.step(seat, action)
        moves.append((seat, action))
    return np.array(moves, np.int16).reshape(-1, 2)
