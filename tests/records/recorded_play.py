"""Games of every mode, played with a recorder."""

from typing import Any

import numpy as np

from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.random_games import choose_at_random
from iaww_env.records.capture import hide_chance
from iaww_env.records.recorder import Recorder

MODES = [
    *(GameConfig(players=players) for players in (1, 2, 3, 4, 5)),
    *(GameConfig(players=players, expansions=EXPANSIONS) for players in range(1, 8)),
    GameConfig(players=3, empire_side="F", empires=(None, "aztec_empire", None)),
    GameConfig(players=7, expansions=EXPANSIONS, empire_side="B"),
]
SCENARIOS = [
    GameConfig(players=1, expansions=EXPANSIONS if one.needs_expansion else (), scenario=one.id)
    for one in scenarios()
]
SOLO = [GameConfig(players=1), GameConfig(players=1, expansions=EXPANSIONS), *SCENARIOS[::5]]


def name_mode(config: GameConfig) -> str:
    if config.scenario is not None:
        return config.scenario
    return f"{config.players}{'-ascension' if config.ascension else ''}-{config.empire_side}"


def play_recorded(
    config: GameConfig, seed: int, *, moves: int | None = None, discards: bool = True
) -> Recorder:
    """A random game, noted; the seats decide in random order."""
    rng = np.random.default_rng(seed)
    recorder = Recorder(Game(config, seed), seed, checks=True)
    game = recorder.game
    while (seats := game.seats_to_act()) and (moves is None or len(recorder.record()["moves"]) < moves):
        seat = seats[int(rng.integers(len(seats)))]
        recorder.step(seat, choose_at_random(game, seat, rng, discards=discards))
    return recorder


def choose_digs(deck: str = "base") -> Any:
    """Digs whenever it can, keeps the first card shown, and recycles what it has; never gives a card up."""
    wanted = (f"dig:{deck}", "toss:", "pick:", "recycle:", "to_empire", "end", "choose:")

    def choose(game: Game, seat: int) -> str:
        legal = game.legal_texts(seat)
        return next(text for verb in wanted for text in legal if text.startswith(verb))

    return choose


def same_cards(one: Game, other: Game) -> bool:
    return np.array_equal(hide_chance(one), hide_chance(other))
