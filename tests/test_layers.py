"""Every import keeps to the layers that CONTRIBUTING.md draws, and to what it says that bots may use."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import pytest

from tests.processes import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDERS = {"iaww_env": ROOT, "iaww_agents": ROOT / "agents", "iaww_training": ROOT / "training"}
ENGINE = "iaww_env.engine"
# What the engine may import beside our own; the standard library is free.
ENGINE_TOOLS = {"numpy", "numba", "llvmlite"}
# Doors that lead upwards, opened when they are gone through: a game that is asked to show itself.
DOORS = {("iaww_env.game", "iaww_env.render"), ("iaww_env.game", "iaww_env.viewer")}
OWN = tuple(FOLDERS)


@dataclass(frozen=True)
class Import:
    """One module named in an import: where, and whether only when a function is called."""

    module: str
    line: int
    named: str
    is_late: bool


def read_between(mark: str, text: str = TEXT) -> str:
    """What stands between two marks."""
    found = re.search(rf"<!-- {mark} -->(.*?)<!-- end of {mark} -->", text, re.DOTALL)
    assert found is not None, f"CONTRIBUTING.md has no {mark}"
    return found[1]


def read_layers(text: str = TEXT) -> dict[str, int]:
    """Of each unit its line, counted from the bottom."""
    lines = read_between("layers", text).strip().strip("`").strip().splitlines()
    return {unit.strip(): n for n, line in enumerate(reversed(lines)) for unit in line.split(",")}


LAYERS = read_layers()


def find_unit(module: str) -> str:
    """The unit of the drawing that a module belongs to: the longest name that it begins with."""
    found = [unit for unit in LAYERS if module == unit or module.startswith(f"{unit}.")]
    # A package of its own name in the drawing means its list of public names, and no module in it.
    units = [unit for unit in found if module == unit or unit not in ("iaww_env", "iaww_agents")]
    assert units, f"CONTRIBUTING.md draws no layer for {module}"
    return max(units, key=len)


@lru_cache(maxsize=1)
def list_modules() -> dict[str, ast.Module]:
    """Every module of the packages, parsed."""
    found = {}
    for package, folder in FOLDERS.items():
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def list_imports(module: str, tree: ast.AST, is_late: bool = False) -> Iterator[Import]:
    """Every import of a module, also inside functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (Import(module, node.lineno, one.name, is_late) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}, line {node.lineno}: imports name the whole path"
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                yield Import(
                    module, node.lineno, whole if whole in list_modules() else str(node.module), is_late
                )
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from list_imports(module, node, is_late or inside)


@lru_cache(maxsize=1)
def list_all() -> tuple[Import, ...]:
    """Every import of the packages."""
    return tuple(one for module, tree in list_modules().items() for one in list_imports(module, tree))


def find_upward(imports: tuple[Import, ...]) -> list[str]:
    """Imports of what stands on the same line or above it."""
    wrong = []
    for one in imports:
        if one.named.split(".")[0] not in OWN:
            continue
        here, there = find_unit(one.module), find_unit(one.named)
        is_door = one.is_late and (here, there) in DOORS
        if here != there and LAYERS[there] >= LAYERS[here] and not is_door:
            wrong.append(f"{one.module}, line {one.line} imports {one.named}")
    return wrong


def test_every_import_leads_downwards() -> None:
    assert find_upward(list_all()) == []


def test_the_drawing_names_what_there_is() -> None:
    drawn = set(LAYERS) - {"tests"}
    modules = set(list_modules())
    assert [unit for unit in drawn if unit not in modules] == []
    # A package whose rooms are drawn one by one holds no code of its own.
    bare = {module for module in modules - drawn if any(unit.startswith(f"{module}.") for unit in drawn)}
    assert {find_unit(module) for module in modules - bare} == drawn


def test_the_engine_stands_on_numpy_and_numba_alone() -> None:
    free = {*sys.stdlib_module_names, *ENGINE_TOOLS, "iaww_env"}
    used = [one for one in list_all() if one.module.startswith(ENGINE)]
    assert len(used) > 100
    assert [one for one in used if one.named.split(".")[0] not in free] == []


def belongs(module: str, rooms: tuple[str, ...]) -> bool:
    """Whether a module is one of some rooms, or lies in one."""
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def test_bots_use_of_the_engine_what_is_theirs() -> None:
    allowed = tuple(f"{ENGINE}.{name}" for name in re.findall(r"`([\w.]+)`", read_between("engine for bots")))
    outside = [one for one in list_all() if one.module.split(".")[0] in ("iaww_agents", "iaww_training")]
    used = [one for one in outside if one.named.startswith(ENGINE)]
    assert len(used) > 50
    assert [one for one in used if not belongs(one.named, allowed)] == []
    touched = {name for name in allowed for one in used if belongs(one.named, (name,))}
    assert touched == set(allowed), "what no bot uses needs not be promised"


def test_names_of_others_stay_theirs() -> None:
    """Nothing of ours is imported by a name that is private to another module."""
    private = [
        f"{module}, line {node.lineno}: {one.name}"
        for module, tree in list_modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in OWN
        for one in node.names
        if one.name.startswith("_") and not one.name.startswith("__")
    ]
    assert private == []


@pytest.mark.parametrize(
    ("module", "named", "is_late", "is_wrong"),
    [
        ("iaww_env.engine.rules.draft", "iaww_env.game", False, True),
        ("iaww_env.game", "iaww_env.render.text", False, True),
        ("iaww_env.game", "iaww_env.render.text", True, False),
        ("iaww_env.actions", "iaww_env.render.text", True, True),
        ("iaww_env.records.form", "iaww_env.render.text", False, True),
        ("iaww_env.envs.options", "iaww_agents.base", False, True),
        ("iaww_agents.greedy", "iaww_agents.heuristic.values", False, True),
        ("iaww_env.records.form", "iaww_env.records.files", False, False),
        ("iaww_training.games", "iaww_agents.greedy", False, False),
    ],
)
def test_an_import_that_leads_upwards_is_seen(module: str, named: str, is_late: bool, is_wrong: bool) -> None:
    assert bool(find_upward((Import(module, 1, named, is_late),))) == is_wrong
