"""Published tables: Markdown, and the places between marks that they are written into."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from iaww_env.errors import ConfigError
from iaww_env.publish import describe_machine, find_place, name_processor, write_between_marks, write_markdown


def test_a_table_in_markdown() -> None:
    rows = [("greedy", 12, 0.5), ("a|b", 7, None)]
    assert write_markdown(("bot", "wins", "share"), rows, right=(1, 2)).splitlines() == [
        "| bot | wins | share |",
        "|---|---:|---:|",
        "| greedy | 12 | 0.5 |",
        "| a\\|b | 7 | None |",
    ]
    assert write_markdown(("one", "two"), []) == "| one | two |\n|---|---|"


def test_a_text_goes_between_its_marks_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    before, behind = "above\n<!-- other speed -->\nkept\n<!-- end of other speed -->\n", "\nbelow – ×\n"
    path.write_text(f"{before}<!-- speed -->\nold\n<!-- end of speed -->{behind}", encoding="utf-8")
    assert find_place(path, "speed") == (before, behind)
    for text in ("new", "newer\n\n| a |\n"):
        write_between_marks(path, "speed", text)
        written = path.read_text(encoding="utf-8")
        assert written == f"{before}<!-- speed -->\n{text}\n<!-- end of speed -->{behind}"


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        "<!-- speed -->",
        "<!-- end of speed -->",
        "<!-- end of speed --> <!-- speed -->",
        "<!-- speed --> <!-- speed --> <!-- end of speed -->",
        "<!-- speed --> <!-- end of speed --> <!-- end of speed -->",
        "<!-- speed --> <!-- end of speed --> <!-- speed --> <!-- end of speed -->",
    ],
)
def test_marks_stand_once_and_in_order(text: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"page\.md must hold one line <!-- speed --> .*<!-- end of speed -->"
    ):
        write_between_marks(path, "speed", "new")
    assert path.read_text(encoding="utf-8") == text


def test_the_machine_is_named() -> None:
    machine = describe_machine()
    assert machine.startswith(f"{name_processor()}, {os.cpu_count()} cores, {platform.system()}")
    assert machine.endswith(f"Python {platform.python_version()}")
    assert name_processor()


def test_the_processor_has_a_name_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *rest, **options: (_ for _ in ()).throw(OSError()))
    monkeypatch.setattr(platform, "processor", lambda: "")
    assert name_processor() == platform.machine()
