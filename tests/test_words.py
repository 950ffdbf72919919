"""One word for one thing: the glossary is short and true, and words that were given up stay so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from tests.processes import ROOT

PACKAGES = (ROOT / "iaww_env", ROOT / "agents" / "iaww_agents", ROOT / "training" / "iaww_training")
GLOSSARY = (ROOT / "iaww_env" / "RULES.md").read_text(encoding="utf-8").partition("## Glossary")[2]
MOST_TERMS = 69

# What was given up: names that stood for two things each, or that hid the usual word. As parts of longer
# names they may stand.
RETIRED = {
    "chapter": "called",
    "engine_code": "lane_code",
    "family": "jit",
    "host": "session",
    "last_words": "final_info",
    "paint": "lines",
    "passage": "pasted",
    "room": "scratch",
    "rooms": "scratch",
    "sight": "seen",
    "together": "parallel",
}
# Where `words` may be a name: the four numbers of a stream. Elsewhere it says too little.
STREAMS = ("engine/rng.py", "engine/new_rows.py", "engine/rules/deal.py")


def read_terms() -> list[str]:
    """The terms of the glossary."""
    rows = [line.split(" | ")[0].strip("| `") for line in GLOSSARY.splitlines() if line.startswith("| ")]
    return [term for term in rows if term != "Term"]


@lru_cache(maxsize=1)
def list_files() -> tuple[Path, ...]:
    """Every module of the packages."""
    return tuple(sorted(path for package in PACKAGES for path in package.rglob("*.py")))


def list_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that a module gives: of functions, classes, arguments, variables and what it imports as."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.alias):
            yield node.lineno, (node.asname or node.name).rpartition(".")[2]


def find_retired(path: Path, text: str) -> list[str]:
    """Names of a file that were given up."""
    place = path.as_posix()
    found = [(0, path.stem), *list_names(ast.parse(text))]
    wrong = [f"{place}, line {line}: {name}, say {RETIRED[name]}" for line, name in found if name in RETIRED]
    if not place.endswith(STREAMS):
        wrong += [
            f"{place}, line {line}: words, say what they are" for line, name in found if name == "words"
        ]
    return wrong


def test_the_glossary_is_short() -> None:
    terms = read_terms()
    assert 40 < len(terms) <= MOST_TERMS
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize("term", read_terms())
def test_every_term_is_used(term: str) -> None:
    """In names or in sentences, in more than one place."""
    word = re.escape(term.partition(" (")[0]).replace("_", "[_ ]").replace(r"\ ", "[_ \n]+")
    pattern = re.compile(rf"(?<![a-z]){word}(?![a-z])", re.IGNORECASE)
    found = sum(len(pattern.findall(path.read_text(encoding="utf-8"))) for path in list_files())
    assert found > 1


def test_words_that_were_given_up_stay_so() -> None:
    assert [
        one for path in list_files() for one in find_retired(path, path.read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize(
    ("place", "text", "count"),
    [
        ("a.py", "def chapter(room): pass", 2),
        ("sight.py", "", 1),
        ("a.py", "from b import c as host", 1),
        ("a.py", "self.words = 1", 1),
        ("engine/rng.py", "words = 1", 0),
        ("a.py", "hostile, mushroom = 1, 2  # the host's room", 0),
    ],
)
def test_a_word_that_was_given_up_is_seen(place: str, text: str, count: int) -> None:
    assert len(find_retired(Path(place), text)) == count
