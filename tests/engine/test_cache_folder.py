"""The folder of the machine code: this user's alone, and rid of what no version needs any more."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import numba
import pytest

from iaww_env.engine import cache_folder, jit
from tests.engine.test_machine_code import run_kernels, start_at_once
from tests.processes import run_python

NOT_ON_WINDOWS = pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows keeps others out by itself")
AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a temporary folder of the test's own; nothing was said yet."""
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(cache_folder, "_told", set())
    return tmp_path / "home"


def block_home(home: Path) -> None:
    """Nothing can be made in the user's cache folder, not even by root."""
    (home / ".cache").write_text("a file")


def find_temporary(home: Path) -> Path:
    """The folder that is used instead."""
    return home.parent / "temporary" / f"iaww_env-{os.getuid()}"


# --- Whose it is -----------------------------------------------------------------------------------


def test_what_is_made_is_for_this_user_alone(home: Path) -> None:
    assert jit.find_cache_root() == home / ".cache" / "iaww_env"
    assert (home / ".cache" / "iaww_env").stat().st_mode & 0o777 == 0o700


@NOT_ON_WINDOWS
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o707])
def test_a_folder_that_others_may_write_into_is_not_used(
    mode: int, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    named = tmp_path / "named"
    named.mkdir()
    named.chmod(mode)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(named))
    assert jit.find_cache_root() == find_temporary(home)
    jit.find_cache_root()
    assert [str(named) in record.getMessage() for record in caplog.records] == [True], "said once"


@NOT_ON_WINDOWS
def test_a_temporary_folder_that_another_user_made_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    block_home(home)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    find_temporary(home).mkdir(mode=0o700)
    assert jit.find_cache_root() is None
    assert "compiled anew" in caplog.records[-1].getMessage()
    assert jit.find_cache_folder("0" * 16) is None


@NOT_ON_WINDOWS
def test_a_temporary_folder_open_to_others_is_not_used(home: Path) -> None:
    block_home(home)
    find_temporary(home).mkdir()
    find_temporary(home).chmod(0o777)
    assert jit.find_cache_root() is None


@NOT_ON_WINDOWS
def test_the_temporary_folder_is_made_for_this_user_alone(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    block_home(home)
    before = os.umask(0)
    try:
        assert jit.find_cache_root() == find_temporary(home)
    finally:
        os.umask(before)
    assert find_temporary(home).stat().st_mode & 0o777 == 0o700
    assert jit.find_cache_root() == find_temporary(home)
    assert not caplog.records


@AS_ROOT
def test_links_of_another_user_are_not_followed(home: Path, tmp_path: Path) -> None:
    block_home(home)
    (tmp_path / "target").mkdir(mode=0o700)
    find_temporary(home).symlink_to(tmp_path / "target")
    assert jit.find_cache_root() == find_temporary(home), "one of our own is no danger"
    os.lchown(find_temporary(home), 4321, -1)
    assert jit.find_cache_root() is None


def test_a_user_without_a_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", fail)
    assert jit.find_cache_root() == find_temporary(home)


def test_a_machine_without_a_temporary_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    block_home(home)
    monkeypatch.setattr("tempfile.gettempdir", fail)
    assert jit.find_cache_root() is None


def test_a_system_without_user_numbers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no os.getuid."""
    monkeypatch.delattr(os, "getuid", raising=False)
    assert jit.find_cache_root() == home / ".cache" / "iaww_env"
    (home / ".cache" / "iaww_env").rmdir()
    (home / ".cache").rmdir()
    block_home(home)
    assert jit.find_cache_root() == home.parent / "temporary" / "iaww_env-user"


def test_a_relative_folder_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "cache")
    root = jit.find_cache_root()
    monkeypatch.chdir(tmp_path.parent)
    assert root == tmp_path / "cache"


OTHER_USER = """
import os, sys, tempfile
from iaww_env.engine import jit
os.environ["HOME"] = sys.argv[1]
tempfile.tempdir = sys.argv[2]
os.setgroups([])
os.setresgid(4321, 4321, 4321)
os.setresuid(4321, 4321, 4321)
print(jit.find_cache_root())
"""


@AS_ROOT
def test_another_user_than_root(home: Path) -> None:
    """The home is root's, so the temporary folder is taken, with the user's number in its name."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        shared = Path(name)
        shared.chmod(0o1777)
        found = run_python("-c", OTHER_USER, str(home), str(shared)).split()
        assert found == [str(shared / "iaww_env-4321")]
        made = (shared / "iaww_env-4321").stat()
        assert (made.st_uid, made.st_mode & 0o777) == (4321, 0o700)


# --- Old versions ----------------------------------------------------------------------------------


def make_version(
    root: Path, number: int, days: float, file: str = "game.play-45.0123456789abcdef.nbc"
) -> Path:
    """A folder of machine code that was last used so many days ago."""
    folder = root / f"{number:016x}"
    (folder / file).parent.mkdir(parents=True)
    (folder / file).write_text("machine code")
    then = time.time() - days * 24 * 3600
    os.utime(folder, (then, then))
    return folder


def list_names(root: Path) -> set[int]:
    """The numbers of the versions that are there."""
    return {int(path.name, 16) for path in root.iterdir()}


def test_versions_that_are_not_run_any_more_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(20):
        make_version(root, number, number + 2)
    cache_folder.remove_old_folders(root)
    assert list_names(root) == set(range(cache_folder.KEPT_FOLDERS))


def test_versions_of_the_last_day_stay(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(20):
        make_version(root, number, number / 40)
    cache_folder.remove_old_folders(root)
    assert list_names(root) == set(range(20))


def test_what_numba_kept_for_us_is_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    below = f"kernels_{'ab' * 20}"
    names = ("game.play_action-45.py311.nbi", "game.play_action-45.py311.1.nbc", "game.a-4.py311.nbi.tmp.0f")
    for number, name in enumerate(names):
        make_version(root, number, 90, f"{below}/{name}")
    for number in range(100, 100 + cache_folder.KEPT_FOLDERS):
        make_version(root, number, 80)
    cache_folder.remove_old_folders(root)
    assert list_names(root) == set(range(100, 100 + cache_folder.KEPT_FOLDERS))


FOREIGN = ("notes.txt", "thesis/chapter.nbc", "game.play-45.nbc/mine", f"kernels_{'ab' * 20}/data.csv")


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_not_ours_is_never_removed(name: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    folder = make_version(root, 1, 400)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("a user's")
    os.utime(folder, (0, 0))
    others = [root / "numba_folder", root / "0123", root / f"kernels_{'ab' * 20}"]
    for other in others:
        other.mkdir()
        os.utime(other, (0, 0))
    for number in range(100, 100 + cache_folder.KEPT_FOLDERS):
        make_version(root, number, 80)
    before = sorted(folder.rglob("*"))
    cache_folder.remove_old_folders(root)
    assert sorted(folder.rglob("*")) == before
    assert all(other.is_dir() for other in others)


def test_links_are_never_followed_to_what_is_removed(tmp_path: Path) -> None:
    elsewhere = make_version(tmp_path / "elsewhere", 1, 400)
    root = tmp_path / "root"
    for number in range(100, 100 + cache_folder.KEPT_FOLDERS):
        make_version(root, number, 1)
    (root / f"{1:016x}").symlink_to(elsewhere)
    os.utime(root / f"{1:016x}", (0, 0), follow_symlinks=False)
    inside = make_version(root, 2, 400)
    (inside / f"kernels_{'ab' * 20}").symlink_to(elsewhere)
    os.utime(inside, (0, 0))
    cache_folder.remove_old_folders(root)
    assert list(elsewhere.iterdir())
    assert inside.exists()


REMOVE = """
import sys
from pathlib import Path
from iaww_env.engine import cache_folder
print("ready", flush=True)
sys.stdin.readline()
cache_folder.remove_old_folders(Path(sys.argv[1]))
"""


def test_two_processes_remove_at_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(300):
        make_version(root, number, number + 2)
    start_at_once(2, REMOVE, str(root), cache=root)
    assert list_names(root) == set(range(cache_folder.KEPT_FOLDERS))


def test_a_version_that_another_process_empties_is_not_taken_for_one_in_use(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(cache_folder.KEPT_FOLDERS + 1):
        make_version(root, number, number + 2)
    old = root / f"{cache_folder.KEPT_FOLDERS:016x}"
    old.rename(old.with_suffix(".old"))
    os.utime(old.with_suffix(".old"))  # a file of it was removed just now
    cache_folder.remove_old_folders(root)
    assert list_names(root) == set(range(cache_folder.KEPT_FOLDERS)), (
        "what was left half removed goes as well"
    )


def test_a_new_version_removes_old_ones_and_use_keeps_a_version(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(20):
        make_version(root, number, number + 2)
    new = root / f"{1000:016x}"
    run_kernels(new)
    assert list_names(root) == {1000, *range(cache_folder.KEPT_FOLDERS - 1)}
    os.utime(new, (0, 0))
    assert run_kernels(new) == 2
    assert time.time() - new.stat().st_mtime < 3600, "loading is a use"


def test_a_version_whose_folder_was_removed_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "root" / f"{1:016x}"
    run_kernels(folder)
    cache_folder.remove_folder(folder)
    assert not folder.exists()
    assert run_kernels(folder) == 0
    assert run_kernels(folder) == 2
