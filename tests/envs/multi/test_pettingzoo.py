"""PettingZoo's own checks of every mode, its registry, its module style, its wrappers and conversions."""

from __future__ import annotations

import pickle
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.env_registry import registration
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils import BaseParallelWrapper, aec_to_parallel, parallel_to_aec, wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger

import iaww_env
from iaww_env import ConfigError, iaww_v0
from iaww_env.cards import SIDES
from iaww_env.envs.multi.aec import AECGame
from iaww_env.envs.multi.parallel import ParallelGame
from iaww_env.registration import register_with_pettingzoo
from tests.envs.frozen import freeze
from tests.envs.multi.table_play import make_choice, play_parallel
from tests.modes import OPTIONS, SCHEMES
from tests.processes import ROOT, run_python

WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "compact": {"observation": "compact"},
    "every decision": {"skip_forced": False},
    "replace": {"illegal_action": "replace"},
    "points_gain": {"reward": "points_gain"},
}


@pytest.fixture(autouse=True)
def _known_to_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """PettingZoo's checks know by name which environments observe a dict: ours is one of them.

    Its logger keeps what it has warned of; here every such warning is an error.
    """
    checks = sys.modules["pettingzoo.test.api_test"]
    for names in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(checks, names, [*getattr(checks, names), "iaww_v0"])
    EnvLogger.flush()
    yield
    assert EnvLogger.mqueue == []


# --- PettingZoo's checks -----------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", OPTIONS)
def test_parallel_api(mode: str, way: str) -> None:
    env = iaww_env.parallel_env(**OPTIONS[mode], **WAYS[way])
    parallel_api_test(env, num_cycles=1000)
    assert env.agents == [], "whole games were played"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", OPTIONS)
def test_aec_api(mode: str, way: str) -> None:
    api_test(iaww_env.aec_env(**OPTIONS[mode], **WAYS[way]), num_cycles=1000)


@pytest.mark.parametrize("side", SIDES)
def test_every_empire_side(side: str) -> None:
    parallel_api_test(iaww_env.parallel_env(players=3, empire_side=side))
    api_test(iaww_env.aec_env(players=2, empire_side=side))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_reward(scheme: str) -> None:
    parallel_api_test(iaww_env.parallel_env(players=2, reward=scheme))
    api_test(iaww_env.aec_env(players=2, reward=scheme))


@pytest.mark.parametrize("mode", OPTIONS)
def test_seeds(mode: str) -> None:
    """The parallel check draws actions without looking at masks: the game must end well by forfeit."""
    for way in WAYS.values():
        parallel_seed_test(lambda way=way: iaww_env.parallel_env(**OPTIONS[mode], **way))
        seed_test(lambda way=way: iaww_env.aec_env(**OPTIONS[mode], **way))


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: iaww_env.aec_env(players=3, render_mode=render_mode))
    assert "You, seat" in capsys.readouterr().out


@pytest.mark.parametrize("mode", ["2", "4", "7-ascension"])
def test_central_state(mode: str) -> None:
    state_test(
        iaww_env.aec_env(**OPTIONS[mode], illegal_action="replace"), iaww_env.parallel_env(**OPTIONS[mode])
    )


@pytest.mark.parametrize("mode", ["2", "5"])
def test_unmasked_actions_end_the_game_by_forfeit(mode: str) -> None:
    env = iaww_env.parallel_env(**OPTIONS[mode])
    for seed in range(20):
        env.reset(seed=seed)
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(100 * seed + number)
        while env.agents:
            answer = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        assert sum(answer[1].values()) == pytest.approx(0, abs=1e-6)


# --- Wrappers and conversions ------------------------------------------------------------------------


def test_the_parallel_environment_converted_to_one_seat_at_a_time() -> None:
    """PettingZoo's conversion asks in a cycle, waits included; ours asks only who has to decide."""
    api_test(parallel_to_aec(iaww_env.parallel_env(players=3)), num_cycles=1000)
    back = aec_to_parallel(parallel_to_aec(iaww_env.parallel_env(players=3)))
    steps = [freeze(step) for step in play_parallel(back, 2)]  # type: ignore[arg-type]  # the very environment
    assert steps == [freeze(step) for step in play_parallel(iaww_env.parallel_env(players=3), 2)]


def test_the_seat_by_seat_environment_does_not_pretend_to_be_a_cycle() -> None:
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(iaww_env.aec_env())


def test_the_seat_by_seat_environment_converted_as_a_turn_based_one() -> None:
    env = turn_based_aec_to_parallel(iaww_env.aec_env(players=2))
    observations, _ = env.reset(seed=1)
    choose = make_choice(iaww_env.aec_env(players=2), 1)
    ended = {}
    while env.agents:
        asked = env.unwrapped.agent_selection
        actions = dict.fromkeys(env.agents) | {asked: choose(asked, observations[asked])}
        observations, rewards, ended, _, _ = env.step(actions)
    assert ended == {"seat_0": True, "seat_1": True}
    assert sorted(rewards.values()) == [-1, 1]


WRAPPERS: list[Callable[[Any], Any]] = [
    wrappers.BaseWrapper,
    wrappers.OrderEnforcingWrapper,
    wrappers.AssertOutOfBoundsWrapper,
    lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=-1),
]


@pytest.mark.parametrize("number", range(len(WRAPPERS)))
def test_pettingzoos_wrappers(number: int) -> None:
    api_test(WRAPPERS[number](iaww_env.aec_env(players=2)), num_cycles=1000)


def test_pettingzoos_parallel_wrapper() -> None:
    env = BaseParallelWrapper(iaww_env.parallel_env(players=2))
    assert env.unwrapped.config.players == 2
    assert str(env.unwrapped) == "iaww_v0"
    steps = [freeze(step) for step in play_parallel(env, 2)]  # type: ignore[arg-type]  # it passes all on
    assert steps == [freeze(step) for step in play_parallel(iaww_env.parallel_env(players=2), 2)]


# --- Module style and registry -----------------------------------------------------------------------


def test_the_module_in_pettingzoos_style() -> None:
    for env in (iaww_v0.env(players=3), iaww_v0.raw_env(players=3)):
        assert isinstance(env, AECGame)
        assert env.unwrapped is env
    assert isinstance(iaww_v0.parallel_env(players=3), ParallelGame)
    assert iaww_env.parallel_env is iaww_v0.parallel_env
    assert iaww_env.aec_env is iaww_v0.env
    for made, converts in ((ParallelGame, True), (AECGame, False)):
        assert made.metadata["name"] == "iaww_v0"
        assert made.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
        assert made.metadata["render_fps"] > 0
        assert made.metadata["is_parallelizable"] is converts
    assert str(iaww_v0.env()) == str(iaww_v0.parallel_env()) == "iaww_v0"
    assert iaww_v0.parallel_env().max_num_agents == 4
    assert iaww_v0.parallel_env().num_agents == 0


def test_pettingzoo_makes_the_environments_by_name() -> None:
    env = pettingzoo.make("parallel", "iaww_v0", players=5, expansions=["corruption_and_ascension"])
    assert isinstance(env, ParallelGame)
    assert (env.config.players, env.config.ascension) == (5, True)
    assert isinstance(pettingzoo.make("aec", "iaww_v0", players=2, reward="rank"), AECGame)
    assert isinstance(pettingzoo.make("aec", "iaww-v0"), AECGame)
    assert isinstance(pettingzoo.make("parallel", "iaww"), ParallelGame)
    with pytest.raises(ConfigError, match="iaww/Solo-v0"):
        pettingzoo.make("parallel", "iaww_v0", players=1)
    register_with_pettingzoo()  # once more: no warning that it were there already


MAKE = "pettingzoo.make('parallel', 'iaww_v0', players=2).reset(); pettingzoo.make('aec', 'iaww_v0').reset()"
ORDERS = {
    "ours first": f"import iaww_env; import pettingzoo; {MAKE}",
    "ours last": f"import pettingzoo; import iaww_env; {MAKE}",
    "a part of ours": f"import iaww_env.config; import pettingzoo.utils.wrappers; {MAKE}",
    "loaded again": f"import iaww_env, importlib; importlib.reload(iaww_env); import pettingzoo; {MAKE}",
}


@pytest.mark.parametrize("order", ORDERS)
def test_the_names_are_there_whatever_is_imported_first(order: str) -> None:
    run_python("-c", ORDERS[order])


def test_importing_the_package_loads_no_rules() -> None:
    """It registers the environments; the rules and numba come with the first name that is used."""
    found = run_python("-c", "import iaww_env, sys; print({'numba', 'iaww_env.engine'} & set(sys.modules))")
    assert found == "set()\n"
    script = "import time; start = time.process_time(); import iaww_env; print(time.process_time() - start)"
    assert min(float(run_python("-c", script)) for _ in range(5)) < 0.5


def test_without_the_registry_of_pettingzoo_nothing_is_registered_there(monkeypatch: Any) -> None:
    """PettingZoo before 1.27 has none."""
    before = list(registration.parallel_registry)
    registration.parallel_registry.pop("iaww-v0")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pettingzoo.env_registry", None)
        register_with_pettingzoo()
    assert "iaww-v0" not in registration.parallel_registry
    register_with_pettingzoo()
    assert sorted(registration.parallel_registry) == sorted(before)


def test_new_processes_can_use_an_environment() -> None:
    """Sent to another process by pickle, an environment goes on there as here."""
    script = (
        "import pickle, sys, zlib",
        "env = pickle.load(sys.stdin.buffer)",
        "while env.agents: env.step(dict.fromkeys(env.agents, -1))",
        "print(zlib.crc32(env.game.to_bytes()))",
    )
    env = iaww_env.parallel_env(players=2, illegal_action="replace")
    env.reset(seed=4)
    for _ in range(20):
        env.step(dict.fromkeys(env.agents, -1))
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(script)],
        input=pickle.dumps(env),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    while env.agents:
        env.step(dict.fromkeys(env.agents, -1))
    assert int(done.stdout) == zlib.crc32(env.game.to_bytes())


def test_numbers_in_infos_are_plain() -> None:
    env = iaww_env.parallel_env(players=2)
    *_, (_, answer) = play_parallel(env, 1)
    assert all(type(value) is int for info in answer[4].values() for value in info.values())
    assert all(type(value) is bool for part in answer[2:4] for value in part.values())
    assert isinstance(answer[0]["seat_0"]["observation"], np.ndarray)
