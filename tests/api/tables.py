"""Playing PettingZoo environments in tests, and positions whose end is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import iaww_env
from iaww_env import Game
from iaww_env.envs.multi.aec import AECGame
from iaww_env.envs.multi.parallel import ParallelGame
from iaww_env.envs.spaces import Observation

Choose = Callable[[str, Observation], int]
PLAYED = [(n, ()) for n in range(2, 6)] + [(n, ("corruption_and_ascension",)) for n in range(2, 8)]
NAMES = ["seat_0", "seat_1", "seat_2", "seat_3"]
SCHEMES = ("outcome", "rank", "points", "margin", "points_gain")


def name_mode(mode: tuple[int, tuple[str, ...]]) -> str:
    """How a mode is called in the list of tests."""
    return f"{mode[0]}{'-ascension' if mode[1] else ''}"


MODES = {name_mode(mode): {"players": mode[0], "expansions": mode[1]} for mode in PLAYED}


def make_choice(env: ParallelGame | AECGame, seed: int) -> Choose:
    """Random legal choices, each agent's from a stream of its own; constructions are rarely given up."""
    streams = {name: random.Random(f"{seed} {name}") for name in env.possible_agents}
    cards, kinds = env.config.cards, env.config.kinds
    discards = range(4 * kinds + cards, 4 * kinds + 2 * cards)

    def choose(agent: str, shown: Observation) -> int:
        legal = np.flatnonzero(shown["action_mask"]).tolist()
        stream = streams[agent]
        kept = [action for action in legal if action not in discards]
        return stream.choice(kept if kept and stream.random() < 0.9 else legal)

    return choose


def play_parallel(env: ParallelGame, seed: int, **reset: Any) -> Iterator[tuple[Any, ...]]:
    """A game to its end: what each step returned, `reset` first (then with actions, else None)."""
    choose = make_choice(env, seed)
    observations, infos = env.reset(seed=seed, **reset)
    yield None, (observations, infos)
    while env.agents:
        actions = {agent: choose(agent, observations[agent]) for agent in env.agents}
        answer = env.step(actions)
        observations = answer[0]
        yield actions, answer


def count_legal(shown: Observation) -> int:
    """How many actions an agent may choose from."""
    return int(shown["action_mask"].sum())


def freeze(value: Any) -> Any:
    """Something that can be compared, made of dicts, arrays and numbers; types count."""
    if isinstance(value, dict):
        return {key: freeze(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [freeze(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, value


def bring_to_last_decision(game: Game, seed: int) -> None:
    """Play on to where every seat may end the last step of the game, and none has done so."""
    rng = random.Random(seed)
    while (game.round, game.phase) != (4, "exploration"):
        seat = game.seats_to_act()[0]
        play_randomly(game, seat, rng)
    for seat in range(game.config.players):
        while "end" not in game.legal_texts(seat):
            play_randomly(game, seat, rng)
    assert game.seats_to_act() == list(range(game.config.players))


def play_randomly(game: Game, seat: int, rng: random.Random) -> None:
    """One decision, without giving up a construction."""
    game.step(seat, rng.choice([text for text in game.legal_texts(seat) if not text.startswith("discard")]))


def set_points(game: Game, points: list[int]) -> None:
    """Give every seat so many points, as many built cards as the others, and no characters."""
    state = game.state
    state.generals[:], state.financiers[:], state.n_built[:] = 0, 0, 5
    state.flat_points[:] += np.array(points, np.int16) - np.array(game.scores(), np.int16)
    assert game.scores() == points


def start(seed: int = 3, **options: Any) -> tuple[ParallelGame, dict[str, Any]]:
    """An environment in which a game has begun, and what its agents see."""
    env = iaww_env.parallel_env(**options)
    return env, env.reset(seed=seed)[0]


def choose_first(observations: dict[str, Any]) -> dict[str, int]:
    """The legal action with the smallest number, of every agent."""
    return {agent: int(shown["action_mask"].argmax()) for agent, shown in observations.items()}


def play_some(env: ParallelGame, seed: int, steps: int) -> dict[str, Any]:
    """Begin a game and play so many steps; what the agents see then."""
    for number, (_, answer) in enumerate(play_parallel(env, seed)):
        if number == steps:
            return answer[0]
    raise AssertionError("the game ended early")
