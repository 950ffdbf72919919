"""Files are written whole or not at all, and what cannot be written is said before anybody waits."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_env.errors import ConfigError
from iaww_env.outputs import check_output, is_stream, replace_file, write_whole
from tests.processes import ROOT


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_its_place_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    with replace_file(path) as file:
        file.write(b"af")
        assert path.read_bytes() == b"before"
        file.write(b"ter")
    assert path.read_bytes() == b"after"
    assert list_files(tmp_path) == ["out"]


def test_where_writing_fails_nothing_has_happened(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")

    def write_half(place: Path, error: type[BaseException]) -> None:
        with replace_file(place) as file:
            file.write(b"half")
            raise error

    with pytest.raises(ZeroDivisionError):
        write_half(path, ZeroDivisionError)
    with pytest.raises(KeyboardInterrupt):
        write_half(tmp_path / "new", KeyboardInterrupt)
    assert path.read_bytes() == b"before"
    assert list_files(tmp_path) == ["out"]


def test_a_full_disk_leaves_what_stood_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(ConfigError, match=rf"cannot write {path}: file too large"):
            write_whole(path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"before"
    assert list_files(tmp_path) == ["out"]


def test_links_lead_where_they_led_and_permissions_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "out", tmp_path / "link"
    (tmp_path / "folder").mkdir()
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to("out")
    write_whole(link, "after")
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    new, fresh = tmp_path / "new", tmp_path / "fresh"
    new.symlink_to("folder/there")
    write_whole(new, "made")
    fresh.touch()
    assert (tmp_path / "folder" / "there").read_text() == "made"
    assert (tmp_path / "folder" / "there").stat().st_mode == fresh.stat().st_mode


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("folder", "it is a folder"),
        ("read_only", "it may not be written"),
        ("missing/out", "there is no folder"),
        ("read_only/out", "not a directory"),
        ("x" * 5000, "file name too long"),
        ("a\0b", "no name of a file"),
        ("loop", "too many levels of symbolic links"),
    ],
)
def test_what_cannot_be_written_is_refused_by_name(name: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "read_only").write_bytes(b"before")
    (tmp_path / "read_only").chmod(0o444)
    (tmp_path / "loop").symlink_to("loop")
    path = tmp_path / name
    for refuse in (check_output, lambda one: write_whole(one, "after")):
        with pytest.raises(ConfigError, match=why) as error:
            refuse(path)
        assert name[:20].replace("\0", "\\x00") in str(error.value) or len(name) > 300
        assert "\n" not in str(error.value)
    assert (tmp_path / "read_only").read_bytes() == b"before"


def test_files_of_others_are_left_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for begin in (b"", b"ours: 1"):
        path.write_bytes(begin)
        write_whole(path, b"ours: 2", lambda begin: begin.startswith(b"ours"))
        assert path.read_bytes() == b"ours: 2"
    path.write_bytes(b"theirs")
    with pytest.raises(ConfigError, match="out holds something else than is written here"):
        write_whole(path, b"ours: 3", lambda begin: begin.startswith(b"ours"))
    assert path.read_bytes() == b"theirs"


def test_pipes_and_devices_are_written_straight(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(fifo, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    write_whole(os.devnull, b"gone")
    assert is_stream(os.devnull)
    assert not is_stream(tmp_path / "new")
    with pytest.raises(ConfigError, match=r"cannot write /dev/full: no space left on device"):
        write_whole("/dev/full", b"more")


def test_the_standard_output_is_gone_on_with_also_where_it_is_a_file(tmp_path: Path) -> None:
    code = (
        "from iaww_env.outputs import write_whole; print('one'); write_whole('/dev/stdout', 'two\\n');"
        "print('three')"
    )
    out = tmp_path / "out"
    with out.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, cwd=ROOT, check=True)
    assert out.read_text() == "one\ntwo\nthree\n"
