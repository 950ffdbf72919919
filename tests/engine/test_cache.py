"""Machine code: kept apart, and never older than the rules."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numba
import pytest

import iaww_env
from iaww_env.engine import jit
from tests.processes import run_python

PACKAGE = Path(iaww_env.__file__).parent


# --- Never older than the rules --------------------------------------------------------------------


# Printed points of a duo, what it scores with seven structures and five vehicles, and whether stored machine
# code was used: played by a copy of the package that the caller has edited.
SCORE = """
import sys
import iaww_env
from iaww_env.cards import kind
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.game import GameConfig, make_game, lend_state

assert iaww_env.__file__.startswith(sys.argv[1]), iaww_env.__file__
config = GameConfig(players=2, expansions=["corruption_and_ascension"])
game = make_game(config, make_rows(config, [1])[0])
duo = kind("giant_robot")
lend_state(game).built[0, duo.index] = 1
lend_state(game).types_built[0] = [7, 5, 0, 0, 0]
print(duo.points_per[0], game.scores()[0], sum(kernels.score_row.stats.cache_hits.values()))
"""


@pytest.fixture
def copied_package(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    target = tmp_path / "copy" / "iaww_env"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def score_duo(package: Path, cache: Path) -> tuple[int, ...]:
    """What `SCORE` prints for this copy."""
    folders = {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(cache)}
    # Python itself would take a file of the same length and time for unchanged, and run its old bytecode.
    printed = run_python("-B", "-c", SCORE, str(package), cwd=package.parent, **folders)
    return tuple(int(number) for number in printed.split())


def edit_file(path: Path, old: str, new: str) -> None:
    """Replace one passage by another; the file keeps its time, so that only its content tells."""
    text, stat = path.read_text(), path.stat()
    assert text.count(old) == 1, f"{path.name} should hold {old!r} once"
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_an_edited_card_or_callee_is_noticed(copied_package: Path, tmp_path: Path) -> None:
    """Neither edit touches the file of the kernel, which is all that numba looks at."""
    cache = tmp_path / "cache"
    assert score_duo(copied_package, cache) == (6, 6 * 5, 0)
    assert score_duo(copied_package, cache) == (6, 6 * 5, 1), "nothing was edited: the machine code is kept"
    edit_file(copied_package / "data" / "developments.csv", "6:structure+vehicle", "8:structure+vehicle")
    assert score_duo(copied_package, cache) == (8, 8 * 5, 0)
    edit_file(copied_package / "engine" / "rules" / "scoring.py", "pairs = min(", "pairs = max(")
    assert score_duo(copied_package, cache) == (8, 8 * 7, 0)
    edit_file(copied_package / "engine" / "rules" / "scoring.py", "pairs = max(", "pairs = min(")
    assert score_duo(copied_package, cache) == (8, 8 * 5, 1), "and taking an edit back finds it again"


def test_without_the_digest_old_rules_would_be_played(copied_package: Path, tmp_path: Path) -> None:
    """The trap is real, and the test above would see it."""
    edit_file(copied_package / "engine" / "jit.py", "return state.hexdigest()[:16]", 'return "the same"')
    assert score_duo(copied_package, tmp_path / "cache") == (6, 6 * 5, 0)
    edit_file(copied_package / "engine" / "rules" / "scoring.py", "pairs = min(", "pairs = max(")
    assert score_duo(copied_package, tmp_path / "cache") == (6, 6 * 5, 1)


@pytest.mark.parametrize(
    "name", ["data/developments.csv", "data/empires.csv", "cards.py", "engine/rules/solo.py"]
)
def test_every_source_is_in_the_digest(name: str, copied_package: Path) -> None:
    before = jit.digest_sources(copied_package)
    assert before == jit.digest_sources(copied_package)
    with (copied_package / name).open("a") as file:
        file.write("\n")
    assert jit.digest_sources(copied_package) != before


# --- Kept apart ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "value"), [("BOUNDSCHECK", 1), ("OPT", 1), ("CPU_NAME", "generic"), ("CPU_FEATURES", "-avx2")]
)
def test_other_settings_have_a_folder_of_their_own(
    setting: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = jit.digest_sources(PACKAGE)
    monkeypatch.setattr(numba.config, setting, value)
    assert jit.digest_sources(PACKAGE) != before


OTHER_USER = """
import numba

@numba.njit(cache=True)
def add_one(number):
    return number + 1
"""

SHARE_NUMBA = """
import numba
before = numba.config.CACHE_DIR
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows
from iaww_env.game import make_game
assert numba.config.CACHE_DIR == before, numba.config.CACHE_DIR
import other_user
make_game(GameConfig(), make_rows(GameConfig(), [1])[0]).scores()
assert other_user.add_one(1) == 2
assert numba.config.CACHE_DIR == before, numba.config.CACHE_DIR
from iaww_env.engine.jit import CACHE_FOLDER
print(CACHE_FOLDER)
"""


def test_other_users_of_numba_keep_their_folder(tmp_path: Path) -> None:
    (tmp_path / "other_user.py").write_text(OTHER_USER)
    path, home = f"{PACKAGE.parent}{os.pathsep}{tmp_path}", str(tmp_path / "home")
    folders = {"PYTHONPATH": path, "XDG_CACHE_HOME": home, "NUMBA_CACHE_DIR": ""}
    printed = run_python("-c", SHARE_NUMBA, cwd=tmp_path, **folders)
    ours = Path(printed.strip())
    assert ours.parent == tmp_path / "home" / "iaww_env"
    stored = [path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("other_user*.nbc")]
    assert stored == ["__pycache__"]
    assert list(ours.rglob("game.*.nbc"))
    assert not list(ours.rglob("*other*"))


def test_the_folder_of_the_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "named"))
    assert jit.find_cache_root() == tmp_path / "named"
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert jit.find_cache_root() == tmp_path / "cache" / "iaww_env"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert jit.find_cache_root() == tmp_path / "home" / ".cache" / "iaww_env"
    (tmp_path / "file").write_text("no folder can be made here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    root = jit.find_cache_root()
    assert root is None or tmp_path not in root.parents


def test_a_folder_that_cannot_be_written_is_not_replaced_by_one_without_digest(
    copied_package: Path, tmp_path: Path
) -> None:
    """numba would put the machine code beside the sources, where no digest keeps old rules out."""
    (tmp_path / "file").write_text("no folder can be made here")
    score_duo(copied_package, tmp_path / "file" / "cache")
    assert not list(copied_package.rglob("*.nbc"))
