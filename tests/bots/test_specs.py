"""Bots: how they are named and found."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from iaww_agents import Agent, list_agents, make_agent
from iaww_agents.greedy import GreedyAgent
from iaww_agents.random_agent import RandomAgent
from iaww_env import ConfigError
from iaww_env.bots import specs as bot_specs
from iaww_env.bots.specs import parse_options
from tests.bots.bot_files import OWN_CHANCE, write_bot
from tests.envs.single.learner_play import make_vec
from tests.processes import ROOT, run_python


def test_the_registry_is_what_the_package_declares() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert {"random", "greedy", "heuristic", "search"} <= set(declared["iaww.agents"])
    assert set(declared["iaww.agents"]) <= set(list_agents())
    for name in declared["iaww.agents"]:
        assert isinstance(make_agent(name), Agent)


def test_bots_by_name_and_options() -> None:
    assert isinstance(make_agent("greedy"), GreedyAgent)
    plain, without, said = (make_agent(s) for s in ("random", "random:nodiscard", "random:nodiscard=true"))
    assert [bot.nodiscard for bot in (plain, without, said)] == [False, True, True]
    assert make_agent("random:nodiscard") is not without


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("fast", {"fast": True}),
        ("simulations=200,fast", {"simulations": 200, "fast": True}),
        ("a=1.5,b=-3,c=1e3,d=no,e=", {"a": 1.5, "b": -3, "c": 1000.0, "d": "no", "e": ""}),
        ("yes=true,no=False", {"yes": True, "no": False}),
        ("weights=some/where.npz, n = 1_000", {"weights": "some/where.npz", "n": 1000}),
    ],
)
def test_options(text: str, options: dict[str, Any]) -> None:
    parsed = parse_options(text)
    assert parsed == options
    assert [type(value) for value in parsed.values()] == [type(value) for value in options.values()]


@pytest.mark.parametrize("text", ["=1", "a b", "1a=2", "a=1,a=2", "a-b=1"])
def test_options_that_are_none(text: str) -> None:
    with pytest.raises(ConfigError, match="option"):
        parse_options(text, f"random:{text}")


def test_bots_of_modules_files_and_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_bot(
        tmp_path, "my_bots", "def __init__(self, depth=1):\n    self.depth = depth\n" + OWN_CHANCE
    )
    monkeypatch.syspath_prepend(tmp_path)
    for spec, depth in (("my_bots:Bot", 1), (path, 1), (f"{path}:Bot", 1), (f"{path}:Bot:depth=7", 7)):
        bot = make_agent(spec)
        assert type(bot).__name__ == "Bot"
        assert bot.depth == depth
    assert make_agent("my_bots:Bot:depth=3").depth == 3
    assert type(make_agent(path)) is type(make_agent(f"{path}:Bot")), "a file is loaded once"
    assert isinstance(make_agent(GreedyAgent), GreedyAgent)
    assert make_agent(lambda: RandomAgent(nodiscard=True)).nodiscard
    monkeypatch.chdir(tmp_path)
    assert type(make_agent("my_bots.py")) is type(make_agent(path))


def test_a_bot_needs_no_base_class(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text(
        "class Plain:\n"
        "    asked = 0\n"
        "    def reset(self, seat, config, seed):\n        pass\n"
        "    def act(self, view):\n        Plain.asked += 1\n        return view.legal_actions()[0]\n"
    )
    play_batch_of(str(path))
    assert type(make_agent(str(path))).asked > 30


def play_batch_of(spec: str) -> None:
    env = make_vec("3", 2, opponents=[spec])
    env.reset(seed=1)
    for _ in range(30):
        env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gready", ["did you mean 'greedy'", "random", "module:Class"]),
        ("", ["there are", "greedy"]),
        ("nothing at all", ["greedy", "random"]),
        ("greedy:depth=3", ["'depth'", "no options"]),
        ("random:nodiscards", ["did you mean 'nodiscard'"]),
        ("no_such_module:Bot", ["no_such_module", "greedy"]),
        ("json:Bot", ["json", "'Bot'", "none"]),
        ("iaww_agents.greedy:Gready", ["'Gready'", "GreedyAgent"]),
        ("iaww_agents.greedy:CUBE", ["no class"]),
        ("json:dumps", ["obj"]),
        ("no/such/file.py", ["no file"]),
        (7, ["text", "class"]),
        (None, ["text", "class"]),
    ],
)
def test_bots_that_do_not_exist(spec: Any, said: list[str]) -> None:
    with pytest.raises((ConfigError, TypeError)) as caught:
        make_agent(spec)
    for part in said:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "none"),
        ("class A:\n    act = 1\nclass B:\n    act = 2\n", "several: A, B"),
        ("from iaww_agents import Agent\n", "none"),
    ],
)
def test_files_without_one_bot(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bots.py"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        make_agent(str(path))
    with pytest.raises(ConfigError, match="act"):
        make_agent(dict)


def test_errors_inside_a_file_come_through(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import no_such_package\n")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_package"):
            make_agent(str(path))


def test_bots_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("theirs", "iaww_agents.random_agent:RandomAgent", "iaww.agents"),
        EntryPoint("greedy", "iaww_agents.greedy:GreedyAgent", "iaww.agents"),
        EntryPoint("greedy", "their_package:TheirGreedy", "iaww.agents"),
        EntryPoint("broken", "no_such_package:Bot", "iaww.agents"),
    ]
    monkeypatch.setattr(bot_specs, "entry_points", lambda group: points if group == "iaww.agents" else [])
    bot_specs._find_registered.cache_clear()
    try:
        assert {"theirs", "greedy", "broken"} <= set(list_agents())
        assert isinstance(make_agent("theirs:nodiscard"), RandomAgent)
        assert isinstance(make_agent("greedy"), GreedyAgent), "ours keep their names"
        with pytest.raises(ConfigError, match="no_such_package"):
            make_agent("broken")
    finally:
        bot_specs._find_registered.cache_clear()


def test_the_environment_imports_no_bots() -> None:
    """Neither in its text, nor when all of it is loaded."""
    for path in (ROOT / "iaww_env").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if re.match(r"(iaww_agents|iaww_training)\b", name)], path
    run_python(
        "-c",
        "import iaww_env, sys; [getattr(iaww_env, name) for name in dir(iaww_env)]; "
        "iaww_env.SoloEnv().reset(seed=1); assert 'iaww_agents' not in sys.modules",
    )
