"""Where a bot is written, and whether it is still the same; nothing of it runs for that."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from iaww_env.bots import specs
from iaww_env.bots.sources import digest_source, find_source

LOUD = "raise SystemExit('it was loaded')\n"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of bots that would tell if they were loaded: alone, in a package, and as a package."""
    for name in ("alone.py", "bots_of_others/__init__.py", "bots_of_others/deep.py", "second/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(LOUD)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "file"),
    [
        ("{}/alone.py", "alone.py"),
        ("{}/alone.py:Bot:depth=3", "alone.py"),
        ("alone:Bot", "alone.py"),
        ("bots_of_others.deep:Bot:fast", "bots_of_others/deep.py"),
        ("bots_of_others:Bot", "bots_of_others/__init__.py"),
    ],
)
def test_a_bot_is_found_and_its_digest_changes_with_it(spec: str, file: str, bots: Path) -> None:
    spec = spec.format(bots)
    assert find_source(spec) == bots / file
    before = digest_source(spec)
    assert before is not None
    assert len(before) == 16
    assert digest_source(spec) == before
    (bots / file).write_text(LOUD + "# changed\n")
    assert digest_source(spec) not in (None, before)
    (bots / file).write_text(LOUD)
    assert digest_source(spec) == before
    assert not {"alone", "bots_of_others", "bots_of_others.deep"} & set(sys.modules)


def test_a_registered_bot_of_others_is_found_by_its_module(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"theirs": EntryPoint("theirs", "bots_of_others.deep:Bot", specs.GROUP)}
    monkeypatch.setattr(specs, "_find_registered", lambda: points)
    assert find_source("theirs:depth=3") == bots / "bots_of_others" / "deep.py"
    assert digest_source("theirs:depth=3") == digest_source("bots_of_others.deep:Bot")


@pytest.mark.parametrize(
    "spec",
    [
        "greedy",
        "iaww_agents.greedy:GreedyAgent",
        "missing.py",
        "no_such:Bot",
        "bots_of_others.no:Bot",
        "sys:x",
        ".:x",
        "a..b:x",
    ],
)
def test_where_there_is_no_file_of_others_there_is_no_digest(spec: str, bots: Path) -> None:
    assert digest_source(spec) is None
