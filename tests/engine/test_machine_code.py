"""Kept machine code: whatever has become of a file, kernels run; nothing of others is loaded."""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from iaww_env.announcing import SAID
from iaww_env.engine import cache_folder, jit, machine_code
from tests.processes import ROOT

FOLDER = "0123456789abcdef"


def add_one(number: int) -> int:
    """A kernel that compiles quickly."""
    return number + 1


def add_two(number: int) -> int:
    """Another of the same shape."""
    return number + 2


@pytest.fixture(autouse=True)
def _nothing_told_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "_told", set(), raising=False)


def run_kernels(folder: Path) -> int:
    """Call two kernels as a new process would; returns how many were loaded from the folder."""
    hits = 0
    for number, function in ((1, add_one), (2, add_two)):
        made: Any = jit.compile_into(folder)(function)
        assert made(5) == 5 + number
        hits += sum(made.stats.cache_hits.values())
    return hits


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of two kernels."""
    folder = tmp_path_factory.mktemp("kept") / FOLDER
    assert run_kernels(folder) == 0
    assert run_kernels(folder) == 2, "what was kept is loaded"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(kept: dict[str, bytes], tmp_path: Path) -> Path:
    """A folder with the files of two kernels."""
    target = tmp_path / FOLDER
    for name, content in kept.items():
        path = target / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(content)
    assert run_kernels(target) == 2
    return target


def test_ctrl_c_waits_until_a_kernel_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is loaded by half, and then called, ends the process."""
    load, loaded = machine_code.CompileResult._rebuild, []

    def load_interrupted(*parts: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        found = load(*parts)
        loaded.append(found)
        return found

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr(machine_code.CompileResult, "_rebuild", load_interrupted)
        made: Any = jit.compile_into(folder)(add_one)
        with pytest.raises(KeyboardInterrupt):
            made(5)
        assert len(loaded) == 1, "it comes when all is there"
        monkeypatch.setattr(machine_code.CompileResult, "_rebuild", load)
        assert made(5) == 6
    finally:
        signal.signal(signal.SIGINT, before)


# --- Damage ----------------------------------------------------------------------------------------


def flip_bit(content: bytes) -> bytes:
    """The same with one bit changed, in the midst of the machine code."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :]


def write_wrong_type(path: Path) -> None:
    """A whole pickle, of something else."""
    path.write_bytes(pickle.dumps(("a", 1)))


def put_folder(path: Path) -> None:
    """A folder, not empty, where the file should be."""
    path.unlink()
    path.mkdir()
    (path / "something").write_text("of somebody")


def put_pipe(path: Path) -> None:
    """A pipe, from which reading would never end."""
    path.unlink()
    os.mkfifo(path)


def put_link(path: Path) -> None:
    """A link to the same content."""
    target = path.with_name("elsewhere")
    path.rename(target)
    path.symlink_to(target)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "cut to a few bytes": lambda path: path.write_bytes(path.read_bytes()[:7]),
    "empty": lambda path: path.write_bytes(b""),
    "garbled": lambda path: path.write_bytes(os.urandom(3000)),
    "a bit flipped": lambda path: path.write_bytes(flip_bit(path.read_bytes())),
    "of a wrong type": write_wrong_type,
    "a folder": put_folder,
    "a pipe": put_pipe,
    "a link": put_link,
    "open to others": lambda path: path.chmod(0o666),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_compiled_anew_with_one_warning(
    damage: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        DAMAGE[damage](path)
    assert run_kernels(folder) == 0
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1, "one line, however many kernels"
    assert "compiled anew" in lines[0]
    assert "\n" not in lines[0]
    caplog.clear()
    assert run_kernels(folder) == 2, "they are kept again"
    assert not caplog.records


def test_the_file_of_another_kernel_is_not_loaded(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whole as it is: only its name is wrong."""
    first, second = sorted(folder.rglob("*.nbc"))
    first.write_bytes(second.read_bytes())
    assert run_kernels(folder) == 1
    assert len(caplog.records) == 1


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root can read every file")
def test_a_file_that_cannot_be_read_is_compiled_anew(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.chmod(0)
    assert run_kernels(folder) == 0
    assert len(caplog.records) == 1
    assert run_kernels(folder) == 2


def test_an_error_while_reading_is_no_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As from a bad disk, or a file whose rights forbid it."""

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as broken:
        broken.setattr("iaww_env.engine.machine_code.os.open", refuse)
        assert run_kernels(folder) == 0
    damaged = [record for record in caplog.records if "compiled anew" in record.getMessage()]
    assert len(damaged) == 1


# --- Others ----------------------------------------------------------------------------------------


class Trap:
    """A pickle that leaves a trace when it is loaded."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.trace),)


@pytest.fixture
def _traps(folder: Path, tmp_path: Path) -> Iterator[None]:
    """Every file is a pickle that runs something, with a checksum where there are any."""
    try:
        from iaww_env.engine import machine_code
    except ImportError:
        pass
    else:
        for path in folder.rglob("*.nbc"):
            path.unlink()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(machine_code, "pickle_code", lambda _: pickle.dumps(Trap(tmp_path / "trace")))
            run_kernels(folder)
    for path in folder.rglob("*.nb?"):
        if b"trace" not in path.read_bytes():
            path.write_bytes(pickle.dumps(Trap(tmp_path / "trace")))
    yield
    assert not (tmp_path / "trace").exists(), "what another user wrote was run"


@pytest.mark.usefixtures("_traps")
def test_files_of_another_user_are_not_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert run_kernels(folder) == 0


@pytest.mark.usefixtures("_traps")
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_one_file_of_another_user_is_not_loaded(folder: Path) -> None:
    for path in folder.rglob("*.nb?"):
        os.chown(path, 4321, -1)
    assert run_kernels(folder) == 0
    assert run_kernels(folder) == 2


@pytest.mark.usefixtures("_traps")
def test_a_folder_that_others_may_write_into_is_not_used(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.chmod(0o777)
    assert run_kernels(folder) == 0
    assert len(caplog.records) == 1
    folder.chmod(0o700)
    for path in folder.rglob("*.nb?"):
        path.unlink()


# --- Writing ---------------------------------------------------------------------------------------


def break_writing(error: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file that is begun fails at its end."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)


@pytest.mark.parametrize("number", [28, 30, 122, 13], ids=["full disk", "read-only", "quota", "no right"])
def test_a_kernel_that_cannot_be_kept_runs(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        break_writing(OSError(number, os.strerror(number)), broken)
        assert run_kernels(tmp_path / FOLDER) == 0
    assert len(caplog.records) == 1
    assert os.strerror(number) in caplog.text
    assert not [path for path in tmp_path.rglob("*") if path.is_file()], "no half file is left"


def test_a_folder_that_cannot_be_made_is_no_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FOLDER).write_text("a file stands here")
    assert run_kernels(tmp_path / FOLDER) == 0
    assert len(caplog.records) == 1


TOY = """
import sys
from pathlib import Path
from iaww_env.engine.jit import compile_into

def make(number):
    source = Path(sys.argv[1]) / f"toy_{number}.py"
    return compile_into(Path(sys.argv[2]))(getattr(__import__(source.stem), "add"))

sys.path.insert(0, sys.argv[1])
kernels = [make(number) for number in range(3)]
print("ready", flush=True)
sys.stdin.readline()
for number, kernel in enumerate(kernels):
    assert kernel(5) == 5 + number
print(sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels))
"""

GAME = """
import sys
print("ready", flush=True)
sys.stdin.readline()
from iaww_env import Game, GameConfig
from iaww_env.engine.kernels.game import play_action
game = Game(GameConfig(players=2), seed=1)
while not game.over:
    seat = game.seats_to_act()[0]
    game.step(seat, game.legal_actions(seat)[0])
print(sum(play_action.stats.cache_hits.values()), game.scores())
"""


def start_at_once(count: int, code: str, *arguments: str, cache: Path) -> list[str]:
    """What so many processes print that begin at the same moment: none warns, one says that it compiles."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    settings = kept | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    pipe = subprocess.PIPE
    runs = [
        subprocess.Popen(command, env=settings, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        for _ in range(count)
    ]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()
    said = [run.communicate(timeout=600) for run in runs]
    assert [run.returncode for run in runs] == [0] * count, said
    warned = [line for _, lines in said for line in lines.splitlines()]
    assert len(warned) <= 1, "of several processes one speaks"
    assert all(SAID in line for line in warned)
    return [printed.strip() for printed, _ in said]


def check_files(folder: Path) -> None:
    """Nothing half written lies about."""
    names = [path.name for path in folder.rglob("*") if path.is_file() and path.parent != folder]
    assert names
    assert all(name.endswith(".nbc") for name in names), names


def test_several_cold_starts_at_once(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"toy_{number}.py").write_text(f"def add(number):\n    return number + {number}\n")
    cache = tmp_path / "cache"
    arguments = (str(tmp_path), str(cache / FOLDER))
    start_at_once(3, TOY, *arguments, cache=cache)
    check_files(cache)
    assert len(list(cache.rglob("*.nbc"))) == 3
    assert start_at_once(1, TOY, *arguments, cache=cache) == ["3"]


@pytest.mark.slow  # about 100 CPU seconds
def test_eight_cold_starts_at_once_play_their_games(tmp_path: Path) -> None:
    printed = start_at_once(8, GAME, cache=tmp_path)
    assert [path.name[:8] for path in tmp_path.iterdir() if path.is_file()] == ["telling-"]
    assert len({text.split(maxsplit=1)[1] for text in printed}) == 1
    check_files(tmp_path)
    assert start_at_once(1, GAME, cache=tmp_path)[0].startswith("1 ")


def test_kernels_of_bots_are_kept_in_the_same_way() -> None:
    for name in ("iaww_agents.greedy", "iaww_agents.heuristic.bot", "iaww_agents.search.playouts"):
        found = vars(importlib.import_module(name)).values()
        own = [one for one in found if hasattr(one, "signatures") and one.py_func.__module__ == name]
        caches = {type(one._cache).__name__ for one in own}
        assert caches >= {"KernelCache"}
        assert "FunctionCache" not in caches
