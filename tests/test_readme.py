"""The README's Python runs as it stands, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from iaww_env.cli.app import main

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted(set(re.findall(r"`iaww ([a-z]+)", README)))


def test_there_is_something_to_run() -> None:
    assert len(BLOCKS) >= 2
    assert {"batch", "bench", "verify"} <= set(COMMANDS)


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_a_python_block_runs(block: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[block], f"README block {block}", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "usage" in capsys.readouterr().out
