"""Lines are edited where a person types at a terminal."""

from __future__ import annotations

import io
import os
import sys
import time
from pathlib import Path

import pytest

from iaww_agents.human.line_editing import edit_lines, read_line
from tests.processes import ROOT

pty = pytest.importorskip("pty", reason="there are no terminals of this sort here")
pytest.importorskip("readline", reason="lines cannot be edited here")

SCRIPT = """
from iaww_agents.human.line_editing import edit_lines, read_line
known = ["pick:zeppelin", "pick:mega_drill"]
with edit_lines(lambda typed: [one for one in known if one.startswith(typed)]):
    for _ in range(4):
        print("read", repr(read_line("> ")), flush=True)
"""


def talk(keys: list[bytes], folder: Path) -> str:
    """What a process at a terminal writes when these keys are pressed, each once it asks."""
    script = folder / "asking.py"
    script.write_text(SCRIPT)
    child, line = pty.fork()
    if child == 0:  # the process at the terminal
        os.environ |= {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents"))), "TERM": "xterm"}
        os.execv(sys.executable, [sys.executable, str(script)])
    said, until = b"", time.monotonic() + 120
    while time.monotonic() < until:
        if keys and said.count(b"> ") > said.count(b"read ") and said.endswith((b"> ", b"> \x1b[?2004h")):
            os.write(line, keys.pop(0))
        try:
            more = os.read(line, 4096)
        except OSError:  # it has ended
            break
        if not more:
            break
        said += more
    os.close(line)
    os.waitpid(child, 0)
    return said.decode(errors="replace")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # threads of the test runner
def test_lines_are_edited_called_back_and_completed(tmp_path: Path) -> None:
    keys = [b"endx\x7f\n", b"\x1b[A\n", b"pick:z\t\n", b"a b\x01c \n"]
    said = talk(keys, tmp_path)
    for line in ("'end'", "'pick:zeppelin'", "'c a b'"):
        assert f"read {line}" in said
    assert said.count("read 'end'") == 2


def test_an_input_that_was_closed_before_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with edit_lines(lambda typed: []), pytest.raises(EOFError):
        read_line("> ")


def test_where_nobody_types_lines_are_read_as_they_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "end")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with edit_lines(lambda typed: []):
        assert read_line("> ") == "end"
    assert capsys.readouterr().out == "end\n"
