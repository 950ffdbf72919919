"""Tests lie as the packages do: a room for each room, files that can be read in one go, names that speak."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
PACKAGES = {
    "iaww_env": "iaww_env",
    "iaww_agents": "agents/iaww_agents",
    "iaww_training": "training/iaww_training",
}
MOST_LINES = 400

# A room of a package has its tests in the room of the same path; where that would say less, in these.
ROOMS = {
    "iaww_env": "game",
    "iaww_env/engine/rules": "rules",
    "iaww_env/engine/observe": "observe",
    "iaww_env/engine/kernels": "kernels",
    "iaww_env/envs/adapters": "compat",
    "iaww_agents": "agents",
    "iaww_training": "training",
}
# Rooms of tests that belong to no room of a package: other tellings of the rules, and what shall not change.
OTHER_ROOMS = ("reference", "oracle", "digests", "facts", "packaging")
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "misc", "common", "play", "probe"}


def list_package_rooms() -> list[str]:
    """Folders with modules, by the name of their package and the path in it."""
    rooms = []
    for package, place in PACKAGES.items():
        folder = ROOT / place
        for init in sorted(folder.rglob("__init__.py")):
            if any(path.name != "__init__.py" for path in init.parent.glob("*.py")):
                rooms.append((Path(package) / init.parent.relative_to(folder)).as_posix())
    return rooms


def find_room(room: str) -> str:
    """Where the tests of a package's room lie."""
    if room in ROOMS:
        return ROOMS[room]
    package, _, path = room.partition("/")
    return path if package == "iaww_env" else f"{ROOMS[package]}/{path}"


def find_untested(rooms: list[str], tests: Path = TESTS) -> list[str]:
    """Rooms of the packages without tests."""
    return [room for room in rooms if not any((tests / find_room(room)).rglob("test_*.py"))]


def find_homeless(rooms: list[str], tests: Path = TESTS) -> list[str]:
    """Rooms of tests that belong to no room of a package; those above a room belong to it too."""
    homes = {Path(find_room(room)) for room in rooms} | {Path(room) for room in OTHER_ROOMS}
    homes |= {parent for home in homes for parent in home.parents}
    folders = {path.parent.relative_to(tests) for path in tests.rglob("*.py")}
    return sorted(folder.as_posix() for folder in folders - homes)


def find_long(tests: Path = TESTS) -> list[str]:
    """Files with too many lines."""
    return [
        path.relative_to(tests).as_posix()
        for path in sorted(tests.rglob("*.py"))
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES
    ]


def find_badly_named(tests: Path = TESTS) -> list[str]:
    """Modules whose name says nothing, and any that hide the standard library from scripts beside them."""
    hidden = sys.stdlib_module_names
    return [
        path.relative_to(tests).as_posix()
        for path in sorted(tests.rglob("*"))
        if (path.suffix == ".py" and path.stem in SAYS_NOTHING)
        or (path.parent in (tests, tests / "compat") and path.stem in hidden)
    ]


def find_silent(tests: Path = TESTS) -> list[str]:
    """Files that do not say what they are for in their first line."""
    return [
        path.relative_to(tests).as_posix()
        for path in sorted(tests.rglob("*.py"))
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]


# --- All is in order -------------------------------------------------------------------------------


@pytest.mark.parametrize("room", list_package_rooms())
def test_every_room_of_the_packages_has_its_tests(room: str) -> None:
    assert find_untested([room]) == []


def test_every_room_of_tests_belongs_to_a_room_of_the_packages() -> None:
    rooms = list_package_rooms()
    assert len(rooms) > 20
    assert find_homeless(rooms) == []
    assert set(ROOMS) <= set(rooms), "a room that is named here has moved"


def test_every_room_is_a_package_of_its_own() -> None:
    """So that a test is imported by one name, whoever imports it."""
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert sorted(folder for folder in folders if not (folder / "__init__.py").is_file()) == []


def test_no_file_is_too_long() -> None:
    assert find_long() == []


def test_names_say_something_and_hide_nothing() -> None:
    assert find_badly_named() == []


def test_every_file_says_what_it_is_for() -> None:
    assert find_silent() == []


# --- That disorder is seen -------------------------------------------------------------------------


def test_disorder_is_noticed(tmp_path: Path) -> None:
    for name, lines in {
        "spec/test_spec.py": 401,
        "attic/test_old.py": 1,
        "compat/random.py": 1,
        "game/helpers.py": 1,
    }.items():
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("x = 1\n" * lines)
    assert find_untested(["iaww_env/spec", "iaww_env", "iaww_agents/search"], tmp_path) == [
        "iaww_env",
        "iaww_agents/search",
    ]
    assert find_homeless(["iaww_env", "iaww_env/spec", "iaww_env/envs/adapters"], tmp_path) == ["attic"]
    assert find_long(tmp_path) == ["spec/test_spec.py"]
    assert find_badly_named(tmp_path) == ["compat/random.py", "game/helpers.py"]
    assert find_silent(tmp_path) == [
        "attic/test_old.py",
        "compat/random.py",
        "game/helpers.py",
        "spec/test_spec.py",
    ]
