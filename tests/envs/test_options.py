"""The options of the environments are declared once: their signatures, documentation and refusals."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

import iaww_env
from iaww_env import GameConfig
from iaww_env.envs.options import (
    SeatedOptions,
    SoloOptions,
    SoloVectorOptions,
    VersusOptions,
    VersusVectorOptions,
    option,
)
from iaww_env.envs.signatures import made_with, takes
from tests.processes import ROOT

MAKERS: dict[str, tuple[Callable[..., Any], Any]] = {
    "parallel_env": (iaww_env.parallel_env, SeatedOptions),
    "aec_env": (iaww_env.aec_env, SeatedOptions),
    "VersusEnv": (iaww_env.VersusEnv, VersusOptions),
    "SoloEnv": (iaww_env.SoloEnv, SoloOptions),
    "VersusVectorEnv": (iaww_env.VersusVectorEnv, VersusVectorOptions),
    "SoloVectorEnv": (iaww_env.SoloVectorEnv, SoloVectorOptions),
}
CA = ("corruption_and_ascension",)


@pytest.mark.parametrize("name", MAKERS)
def test_signature_and_help_show_every_option(name: str) -> None:
    maker, declaration = MAKERS[name]
    parameters = inspect.signature(maker).parameters
    text = inspect.getdoc(maker.__init__ if inspect.isclass(maker) else maker) or ""
    assert set(parameters) == {one.name for one in fields(declaration)}
    for one in fields(declaration):
        assert parameters[one.name].default == one.default
        assert f"    {one.name}: {one.metadata['meaning'].split()[0]}" in text
    assert all(len(line) <= 110 for line in text.splitlines())


@pytest.mark.parametrize("name", MAKERS)
def test_an_unknown_option_is_refused(name: str) -> None:
    maker, _ = MAKERS[name]
    with pytest.raises(TypeError, match=rf"{name}\(\) got .* 'rewards'; did you mean 'reward'\?"):
        maker(rewards="rank")
    with pytest.raises(TypeError, match=rf"{name}\(\) got .* 'zzz'; the options are .*skip_forced"):
        maker(zzz=1)
    with pytest.raises(TypeError, match=rf"{name}\(\) too many positional arguments"):
        maker(2, (), "A", "A")


def test_options_by_position() -> None:
    assert iaww_env.parallel_env(6, CA).config == GameConfig(6, CA)
    assert iaww_env.aec_env(2, list(CA)).config == GameConfig(2, CA)
    assert iaww_env.VersusEnv(7, CA).config == GameConfig(7, CA)
    assert iaww_env.SoloEnv("base_sc01").config == GameConfig(1, scenario="base_sc01")
    assert iaww_env.VersusVectorEnv(3).num_envs == 3


def test_a_further_option_is_one_line() -> None:
    @dataclass(frozen=True)
    class Longer(SeatedOptions):
        patience: bool = option(True, "Whether bots may take long.")

    @takes(Longer)
    def show(options: Longer) -> tuple[int, bool]:
        """Show it."""
        return options.players, options.patience

    class Shown:
        @made_with(Longer)
        def __init__(self, options: Longer) -> None:
            """Keep it."""
            self.patience = options.patience

    assert show() == (4, True)
    assert show(3, patience=False) == (3, False)
    assert not Shown(patience=False).patience
    assert inspect.signature(show).parameters["patience"].default is True
    assert "    patience: Whether bots may take long." in (show.__doc__ or "")


CALLS = """
import iaww_env

iaww_env.parallel_env(4, ["corruption_and_ascension"], reward="rank")
iaww_env.VersusEnv(4, opponents=["greedy"], seat="rotate", config=None)
iaww_env.SoloEnv("base_sc01", skip_forced=False)
iaww_env.VersusVectorEnv(64, players=4, autoreset_mode="SameStep")
iaww_env.parallel_env(rewards="rank")  # wrong
iaww_env.aec_env(players="four")  # wrong
iaww_env.VersusEnv(seat=0.5)  # wrong
iaww_env.SoloEnv(opponents=["greedy"])  # wrong
"""


@pytest.mark.slow
def test_type_checkers_know_every_option(tmp_path: Path) -> None:
    """About a minute: mypy reads the package."""
    (tmp_path / "calls.py").write_text(CALLS)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        str(ROOT / "pyproject.toml"),
        "calls.py",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env={"MYPYPATH": f"{ROOT}:{ROOT / 'agents'}"}, capture_output=True
    )
    errors = [line for line in done.stdout.decode().splitlines() if ": error:" in line]
    wrong = [n for n, line in enumerate(CALLS.splitlines(), start=1) if line.endswith("# wrong")]
    assert [int(line.split(":")[1]) for line in errors] == wrong
