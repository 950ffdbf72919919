"""What opponents are given does not lead to the deal, and the infos say nothing of what is hidden."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_agents import Agent
from iaww_env.bots.seeds import derive_bot_seed, derive_stream_seed
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.new_rows import seed_stream
from tests.bots.bot_files import write_bot
from tests.envs.single.learner_play import SOLO_ID, VERSUS_ID, play_game

SEED = 0x5EED_0F_A_DEA1
SHOWN = {"points", "place", "places", "seat", "scores", "illegal_action", "forced", "final_obs", "final_info"}
AWARDS = {"medal", "title", "scenario_won"}


def walk_references(begin: Any) -> Iterator[Any]:
    """Everything that can be reached from an object by its attributes, items and closures."""
    found, todo = {id(begin)}, [begin]
    while todo:
        one = todo.pop()
        yield one
        if isinstance(one, FunctionType):
            more: list[Any] = [*(one.__closure__ or ()), one.__defaults__]
        else:
            more = gc.get_referents(one)
            if isinstance(one, np.ndarray) and one.base is not None:
                more.append(one.base)
        for next_one in more:
            if id(next_one) not in found and not isinstance(next_one, type | ModuleType):
                found.add(id(next_one))
                todo.append(next_one)


class Spying:
    """Notes what it is told and shown, and what the environment holds meanwhile."""

    env: Any = None
    told: ClassVar[list[tuple[int, int]]] = []
    shown: ClassVar[list[tuple[Any, np.ndarray]]] = []

    @classmethod
    def begin(cls) -> None:
        """Forget everything."""
        cls.env, cls.told, cls.shown = None, [], []

    @classmethod
    def note(cls, view: Any) -> None:
        """Note a view, and the real states."""
        if cls.env is not None and len(cls.shown) < 12:
            cls.shown.append((view, cls.env.unwrapped._lanes.states.copy()))


class SeatSpy(Agent):
    """Answers one decision at a time."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        """Note the seed."""
        Spying.told.append((seat, seed))

    def act(self, view: Any) -> int:
        """Look around."""
        Spying.note(view)
        view.sample_game(1)
        return int(view.action_mask.argmax())


class BatchSpy(Agent):
    """Answers many."""

    def act(self, view: Any) -> int:
        """Never asked."""
        raise AssertionError("asked one by one")

    def act_batch(self, view: Any) -> np.ndarray:
        """Look around."""
        Spying.note(view)
        view.draw_uniforms()
        return view.action_masks.argmax(axis=1)


@pytest.mark.parametrize("spy", [SeatSpy, BatchSpy])
def test_nothing_an_opponent_is_given_leads_to_the_real_game(spy: type) -> None:
    """Neither by an attribute nor through a closure: the real stream and the real decks are nowhere."""
    Spying.begin()
    env = gymnasium.make(VERSUS_ID, players=3, opponents=[spy])
    Spying.env = env
    play_game(env, 5)
    assert len(Spying.shown) == 12
    layout = env.unwrapped._lanes
    for view, states in Spying.shown:
        game = iaww_env.game.make_game(layout.config, states[0])
        secrets = [game.state.rng.tobytes(), game.state.base_deck.tobytes()]
        reached = list(walk_references(view))
        arrays = [one for one in reached if isinstance(one, np.ndarray)]
        assert len(arrays) >= 3, "observation, mask and an imagined game or chance"
        assert not any(secret in one.tobytes() for one in arrays for secret in secrets)
        assert not any(one is layout or one is layout.states for one in reached)


def test_the_walk_finds_what_is_there() -> None:
    """Else the test above would prove nothing."""
    hidden = np.arange(5)
    view: Any = type("Holder", (), {})()
    view.draw = lambda: hidden
    assert any(one is hidden for one in walk_references(view))
    assert any(one is hidden for one in walk_references([hidden[1:]]))


def test_seeds_told_to_opponents_say_nothing_of_the_deal() -> None:
    Spying.begin()
    for seed in (SEED, SEED + 1):
        env = gymnasium.make(VERSUS_ID, players=3, opponents=[SeatSpy])
        play_game(env, seed)
        bot_seed = int(env.unwrapped._lanes.streams[0, record.BOT_SEED])
        for seat, told in Spying.told[-2:]:
            assert told == derive_bot_seed(bot_seed, seat, 1)
    told = [seed for _, seed in Spying.told]
    assert len(set(told)) == len(told) == 4
    assert min(told) > 1 << 40
    assert min(abs(one - SEED) for one in told) > 1 << 40


def test_the_chance_of_opponents_does_not_come_from_the_seed_of_the_deal() -> None:
    """What it shows leads to a hash of the seed at most: a generator runs backwards, a hash does not."""
    env = gymnasium.make(VERSUS_ID, players=2, opponents=["random"], seat="random")
    env.reset(seed=SEED)
    begun = seed_stream(derive_stream_seed(SEED))
    assert derive_stream_seed(SEED) not in (SEED, SEED + (1 << 65))
    assert env.unwrapped._lanes.streams[0, : record.BOT_SEED].tolist() != begun.tolist(), "it was drawn from"
    again = gymnasium.make(VERSUS_ID, players=2, opponents=["random"], seat="random")
    again.reset(seed=SEED)
    assert (again.unwrapped._lanes.streams == env.unwrapped._lanes.streams).all()


def test_bots_of_others_named_by_a_text_are_shown_views_and_no_rows(tmp_path: Path) -> None:
    body = """
def play_lanes(self, *rows):
    raise AssertionError("was given whole rows")
def act(self, view):
    return int(view.action_mask.argmax())
"""
    env = gymnasium.make(VERSUS_ID, players=2, opponents=[write_bot(tmp_path, "lanes", body)])
    assert play_game(env, 3) is not None


@pytest.mark.parametrize("table", [VERSUS_ID, SOLO_ID])
def test_infos_hold_nothing_but_what_is_documented(table: str) -> None:
    """No seed, no state: of a game under way the learner's seat and a count of illegal actions."""
    env = gymnasium.make(table)
    shown, infos = env.reset(seed=SEED)
    ended = False
    while not ended:
        assert set(infos) <= {"illegal_action", "seat"}
        shown, _, ended, _, infos = env.step(int(shown["action_mask"].argmax()))
    assert {"points", "scores"} <= set(infos) <= SHOWN | AWARDS
    numbers = [value for value in infos.values() if not isinstance(value, str | None | bool)]
    assert max(int(np.max(value)) for value in numbers) < 1000, "points and places: no seed among them"
