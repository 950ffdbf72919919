"""Determinism, leaks, round trips, conformance."""

from __future__ import annotations

import contextlib
import copy
import io
import logging
import pickle
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.game import Game
from iaww_env.observation import observation_table
from iaww_env.random_games import choose_at_random
from iaww_env.records.recorder import Recorder, replay
from iaww_env.testing.seatings import Seating, Sight, find_difference, keep, list_arrays, require, sit_down

MakeEnv = Callable[[], Any]
MakeGame = GameConfig | Callable[[], Game]
Observe = Callable[[Game, int], Any]

STEPS = 3000  # of longer games so many are played
TRIP = 50  # steps that copies of environments are followed
# What PettingZoo's checks say of every environment whose observations hold an action mask.
NOT_ABOUT_MASKS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
# What Gymnasium's checker says of every wrapper.
ABOUT_WRAPPERS = r".*is different from the unwrapped version"


def check_determinism(make_env: MakeEnv, seed: int = 1, steps: int = STEPS) -> None:
    """The same seed and the same actions give the same bytes, whatever else is played in the process.

    A game is played at random and compared step by step with the same one in the same environment, with the
    same one in a new environment while another game is played beside it, and with games of other seeds, which
    must begin otherwise. Python's and numpy's global random states must stay as they were.

    Args:
        make_env: Makes an environment.
        seed: Of the game and of the actions.
        steps: Of longer games so many steps are played.
    """
    before = random.getstate(), np.random.get_state()
    env = make_env()
    actions, sights = _play(sit_down(env), seed, steps)
    _replay(sit_down(env), seed, actions, sights, "the same environment, reset with the same seed")
    _replay(sit_down(make_env()), seed, actions, sights, "a new environment with another beside it", make_env)
    after = random.getstate(), np.random.get_state()
    difference = find_difference(list(before), list(after), "state")
    require(difference is None, "the environment draws from the global random state of Python or numpy")
    others = [keep(sit_down(make_env()).reset(other)) for other in range(seed + 1, seed + 4)]
    if all(find_difference(sights[0], other, "") is None for other in others):
        raise AssertionError(f"the seeds {seed} to {seed + 3} all begin with the same observation")


def _play(seating: Seating, seed: int, steps: int) -> tuple[list[Any], list[Sight]]:
    """A random game: its actions, and copies of all that was returned."""
    rng = np.random.default_rng(seed)
    actions: list[Any] = []
    sights = [keep(seating.reset(seed))]
    while not seating.is_over() and len(actions) < steps:
        actions.append(seating.choose(rng))
        sights.append(keep(seating.step(actions[-1])))
    return actions, sights


def _replay(
    seating: Seating,
    seed: int,
    actions: Sequence[Any],
    sights: Sequence[Sight],
    which: str,
    make_env: MakeEnv | None = None,
) -> None:
    """Play the same actions again and compare; with `make_env` another game is played beside it."""
    rng = np.random.default_rng(seed + 1)
    beside = None if make_env is None else sit_down(make_env())
    for step, sight in enumerate(sights):
        if beside is not None and (step == 0 or beside.is_over()):
            beside.reset(seed + 1 + step)
        elif beside is not None:
            beside.step(beside.choose(rng))
        found = seating.reset(seed) if step == 0 else seating.step(actions[step - 1])
        _compare(sight, found, f"{which}: at step {step} of seed {seed}")


def _compare(one: Sight, two: Sight, where: str) -> None:
    if list(one) != list(two):
        raise AssertionError(f"{where} {list(one)} was returned in one and {list(two)} in the other")
    for name in one:
        difference = find_difference(one[name], two[name], name)
        require(difference is None, f"{where} {difference}")


# --- Leaks -------------------------------------------------------------------------------------------


def check_no_leak(
    make_game: MakeGame, observe: Observe | None = None, seeds: Sequence[int] = (1, 2), draws: int = 2
) -> None:
    """What a seat is shown does not depend on anything that it cannot know.

    At every step of random games every hidden card, every secret pick and whatever the others have done in
    the phase is drawn anew (`Game.redeterminize`); what each seat is shown must stay the same, to the byte.

    Args:
        make_game: What is played, or a function that makes a game.
        observe: Given a game and a seat, what that seat is shown: an array, a dict, a text, ...; by default
            both profiles of the observation, and the action mask.
        seeds: One game for each.
        draws: How often the hidden things are drawn anew at each step.
    """
    show = observe or show_all
    for seed in seeds:
        game = Game(make_game, seed) if isinstance(make_game, GameConfig) else make_game()
        rng = np.random.default_rng(seed)
        while not game.over:
            for seat in range(game.config.players):
                _check_seat(game, seat, show, [int(word) for word in rng.integers(1 << 31, size=draws)])
            asked = int(rng.choice(game.seats_to_act()))
            game.step(asked, choose_at_random(game, asked, rng, discards=bool(rng.random() < 0.1)))


def _check_seat(game: Game, seat: int, show: Observe, draws: Sequence[int]) -> None:
    where = f"seat {seat} in round {game.round}, {game.phase}"
    row = game.row.tobytes()
    shown = keep({"shown": show(game, seat)})
    again = find_difference(shown["shown"], show(game, seat), "what is shown")
    require(again is None, f"{where}: asked twice, {again}")
    require(game.row.tobytes() == row, f"{where}: observing changes the game")
    for draw in draws:
        found = show(game.redeterminize(seat, draw), seat)
        difference = find_difference(shown["shown"], found, "what is shown")
        if difference is not None:
            raise AssertionError(
                f"{where} is shown something it cannot know: {difference} with other hidden cards"
            )


def show_all(game: Game, seat: int) -> dict[str, Any]:
    """All that environments show a seat: its observation by piece, in both profiles, and its mask."""
    shown: dict[str, Any] = {}
    for profile in PROFILES:
        table = observation_table(game.config, profile)
        observation, shown["action_mask"] = table.observe(game, seat)
        shown[profile] = vars(table.views(observation))
    return shown


# --- Round trips -------------------------------------------------------------------------------------


def check_round_trip(make: MakeGame | MakeEnv, seed: int = 1, trips: int = 8) -> None:
    """Copies made in the middle of a game are equal to it and go on in the same way.

    Of a game: clones, deep copies, pickles, bytes, and at the end its record. Of an environment: deep copies
    and pickles.

    Args:
        make: What is played, or a function that makes a game or an environment.
        seed: Of the game (of a configuration or an environment) and of the actions.
        trips: How often copies are made.
    """
    made = Game(make, seed) if isinstance(make, GameConfig) else make()
    if isinstance(made, Game):
        _check_game_trips(made, seed, trips)
    else:
        _check_env_trips(make, seed, trips)  # type: ignore[arg-type]  # it has made an environment


GAME_COPIES: dict[str, Callable[[Game], Game]] = {
    "a clone": lambda game: game.clone(),
    "a deep copy": copy.deepcopy,
    "a pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "its bytes": lambda game: type(game).from_bytes(game.to_bytes()),
}


def _check_game_trips(game: Game, seed: int, trips: int) -> None:
    rng, recorder = np.random.default_rng(seed), Recorder(game)
    copies: list[tuple[str, Game]] = []
    while not game.over:
        where = f"round {game.round}, {game.phase}"
        if len(copies) < trips * len(GAME_COPIES) and rng.random() < 0.05:
            for name, make_copy in GAME_COPIES.items():
                made = make_copy(game)
                require(made.row is not game.row, f"{where}: {name} shares its state with the game")
                require(made == game, f"{where}: {name} of the game is not equal to it")
                copies.append((f"{name} made in {where}", made))
        asked = int(rng.choice(game.seats_to_act()))
        action = choose_at_random(game, asked, rng)
        recorder.step(asked, action)
        for name, made in copies:
            made.step(asked, action)
            require(made == game, f"{name} went another way in round {game.round}, {game.phase}")
    played = replay(recorder.record())
    require((played.scores(), played.places()) == (game.scores(), game.places()), "the record ends otherwise")


ENV_COPIES: dict[str, Callable[[Any], Any]] = {
    "a deep copy": copy.deepcopy,
    "a pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def _check_env_trips(make_env: MakeEnv, seed: int, trips: int) -> None:
    actions, sights = _play(sit_down(make_env()), seed, STEPS)
    rng = np.random.default_rng(seed)
    for cut in sorted(rng.choice(len(actions), min(trips, len(actions)), replace=False).tolist()):
        end = min(len(actions), cut + TRIP)
        for name, make_copy in ENV_COPIES.items():
            original = sit_down(make_env())
            original.reset(seed)
            for action in actions[:cut]:
                original.step(action)
            copied = sit_down(make_copy(original.env))
            for which, seating in ((name, copied), (f"the environment of which {name} was", original)):
                for step in range(cut, end):
                    where = f"{which} made at step {cut} of seed {seed}: at step {step + 1}"
                    _compare(sights[step + 1], seating.step(actions[step]), where)


# --- Conformance -------------------------------------------------------------------------------------


def check_conformance(make_env: MakeEnv, seed: int = 1) -> None:
    """The checks of PettingZoo or Gymnasium find nothing, not even a warning, and ours neither.

    Ours: observations lie in their space, masks are int8 and never all zeros, spaces are the same objects
    each time, and arrays that were returned never change afterwards.

    Args:
        make_env: Makes an environment.
        seed: Of the games and actions of our own checks.
    """
    env = make_env()
    sit_down(env)
    with _quiet(), warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in (*NOT_ABOUT_MASKS, ABOUT_WRAPPERS):
            warnings.filterwarnings("ignore", message=message)
        try:
            _run_checkers(env)
        except Exception as error:
            raise AssertionError(f"{_name_checker(env)}: {type(error).__name__}: {error}") from error
    _check_returns(make_env(), seed)


def _name_checker(env: Any) -> str:
    return "PettingZoo's check" if hasattr(env, "possible_agents") else "Gymnasium's check"


def _run_checkers(env: Any) -> None:
    """What the framework itself brings along for environments of this sort."""
    import pettingzoo
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import VectorEnv
    from pettingzoo.test.api_test import api_test
    from pettingzoo.test.parallel_test import parallel_api_test

    if isinstance(env, pettingzoo.ParallelEnv):
        parallel_api_test(env, num_cycles=500)
    elif isinstance(env, pettingzoo.AECEnv):
        api_test(env, num_cycles=500)  # type: ignore[no-untyped-call]
    elif not isinstance(env, VectorEnv):
        check_env(env, skip_render_check=True)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The checkers print that they begin and end, and play illegal actions that are logged."""
    logger = logging.getLogger("iaww_env")
    was = logger.disabled
    logger.disabled = True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logger.disabled = was


def _list_spaces(env: Any) -> dict[str, tuple[Any, Any]]:
    """Spaces of observations and actions by agent; of one learner or many lanes under the name ''."""
    if hasattr(env, "possible_agents"):
        return {name: (env.observation_space(name), env.action_space(name)) for name in env.possible_agents}
    return {"": (env.observation_space, env.action_space)}


def _check_returns(env: Any, seed: int) -> None:
    """What a game returns is in its space, and stays as it was returned."""
    seating, rng, spaces = sit_down(env), np.random.default_rng(seed), _list_spaces(env)
    kept: list[tuple[str, Any, Any]] = []
    sight, step = seating.reset(seed), 0
    while True:
        for name, shown in _list_observations(sight, spaces):
            _check_observation(shown, spaces[name][0], f"{name or 'the observation'} at step {step}")
        found = {id(array): (f"{place} at step {step}", array) for place, array in list_arrays(sight)}
        kept += [(place, array, array.copy()) for place, array in found.values()]
        if seating.is_over() or step == 400:
            break
        sight, step = seating.step(seating.choose(rng)), step + 1
    for place, array, copied in kept:
        difference = find_difference(copied, array, place)
        message = f"{place} was changed after it was returned: arrays must be fresh at each step"
        require(difference is None, message)
    for name, pair in _list_spaces(env).items():
        same = all(one is two for one, two in zip(pair, spaces[name], strict=True))
        require(same, f"the spaces of {name or 'the environment'} are not the same objects each time")


def _list_observations(sight: Sight, spaces: dict[str, Any]) -> list[tuple[str, Any]]:
    if "asked" in sight:
        return [(sight["asked"], sight["observation"])]
    if "" in spaces:
        return [("", sight.get("observation", sight.get("observations")))]
    return list(sight.get("observations", {}).items())


def _check_observation(shown: Any, space: Any, where: str) -> None:
    if not space.contains(shown):
        raise AssertionError(f"{where} is not in its space: {_find_outside(shown, space)}")
    if isinstance(shown, dict) and "action_mask" in shown:
        mask = shown["action_mask"]
        require(mask.dtype == np.int8, f"{where}: the mask is {mask.dtype}, not int8")
        require(mask.any(axis=-1).all(), f"{where}: the mask is all zeros")


def _find_outside(shown: Any, space: Any) -> str:
    """The part of an observation that is not in its space."""
    if hasattr(space, "spaces") and isinstance(shown, dict) and set(shown) == set(space.spaces):
        name = next(name for name in shown if not space[name].contains(shown[name]))
        return f"{name}: {_find_outside(shown[name], space[name])}"
    if isinstance(shown, np.ndarray) and shown.shape == space.shape and shown.dtype == space.dtype:
        at = tuple(np.argwhere((shown < space.low) | (shown > space.high) | np.isnan(shown))[0].tolist())
        return f"number {at} is {shown[at]}, not from {space.low[at]} to {space.high[at]}"
    kind = f"{shown.dtype}{list(shown.shape)}" if isinstance(shown, np.ndarray) else type(shown).__name__
    return f"{kind} instead of {space.dtype}{list(space.shape or ())}"
