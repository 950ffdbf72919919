"""Pictures and drawings of the environments: the same in each form, films, and what a notebook shows."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env.viewer import game_to_html, game_to_picture


def test_every_environment_gives_pictures() -> None:
    parallel = iaww_env.parallel_env(players=2, render_mode="rgb_array")
    parallel.reset(seed=1)
    assert (parallel.render() == game_to_picture(parallel.game)).all()
    aec = iaww_env.aec_env(players=2, render_mode="rgb_array")
    aec.reset(seed=1)
    assert (aec.render() == game_to_picture(aec.game, 0)).all()
    single = gymnasium.make("iaww/Versus-v0", players=3, seat=1, render_mode="rgb_array")
    single.reset(seed=2)
    assert (single.render() == game_to_picture(single.unwrapped.game, 1)).all()
    solo = gymnasium.make("iaww/Solo-v0", render_mode="rgb_array")
    solo.reset(seed=1)
    assert solo.render().dtype == np.uint8
    many = gymnasium.make_vec("iaww/Versus-v0", 2, players=3, seat=1, render_mode="rgb_array")
    many.reset(seed=1)
    assert (many.render()[1] == single.render()).all()
    assert all(env.metadata["render_fps"] == 4 for env in (parallel, aec, single, solo, many))


def test_frames_of_an_episode_make_a_film() -> None:
    """All of one size, as Gymnasium's recorder collects them."""
    env = gymnasium.make("iaww/Solo-v0", render_mode="rgb_array_list")
    env.reset(seed=1)
    for _ in range(12):
        env.step(int(env.unwrapped.action_masks().argmax()))
    frames = env.render()
    assert len(frames) == 13
    assert len({frame.shape for frame in frames}) == 1
    assert len({frame.tobytes() for frame in frames}) > 5


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a notebook, such as it is seen from here, is given to show."""
    given: list[Any] = []
    shell, display = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = lambda: SimpleNamespace(kernel=1)  # type: ignore[attr-defined]
    display.display = lambda data, raw: given.append((data, raw))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return given


def test_people_see_the_drawing_in_a_notebook(shown: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    env = iaww_env.parallel_env(players=2, render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    many = gymnasium.make_vec("iaww/Solo-v0", 2, render_mode="human")
    many.reset(seed=1)
    assert capsys.readouterr().out == ""
    assert len(shown) == 4
    assert all(raw for _, raw in shown)
    assert game_to_html(env.game) in shown[0][0]["text/html"]
    assert "lane 1" in shown[3][0]["text/html"]


def test_a_shell_that_shows_no_html_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = ModuleType("IPython")
    for running in (None, SimpleNamespace()):
        shell.get_ipython = lambda running=running: running  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "IPython", shell)
        env = iaww_env.parallel_env(players=2, render_mode="human")
        env.reset(seed=1)
        assert capsys.readouterr().out == f"{env.game}\n"
