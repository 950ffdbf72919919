"""RULES.md is true: what it names exists, every ruling is played and proven, no rule function is left out."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from iaww_env.actions import VERBS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "iaww_env" / "RULES.md").read_text(encoding="utf-8")
RULINGS = range(1, 20)
# The room of the rules, and where things lie in a row; the rest of the engine encodes, rewards and steps.
PLACES = ("engine/rules/*.py", "engine/row.py")
MARKS = {"inlined", "called", "pasted", "kernel"}
HEAD = ["Ruling", "Rule", "Played by", "Proven by"]
WORDS = "seat kind card round phase step cube token loose slate recycle built".split()


# --- Reading RULES.md ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One rule."""

    chapter: str
    rulings: frozenset[int]
    rule: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]


def read_tables(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every line of every table: the heading it stands under, the head of its table, its cells."""
    heading, head = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if not head:
            head = cells
        elif not set(line) <= set("|- "):
            yield heading, head, cells


def read_quoted(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def read_numbers(cell: str) -> frozenset[int]:
    return frozenset(map(int, re.findall(r"\d+", cell)))


def read_rows(text: str) -> list[Row]:
    return [
        Row(heading, read_numbers(ruling), rule, read_quoted(by), read_quoted(proof))
        for heading, head, cells in read_tables(text)
        if head == HEAD
        for ruling, rule, by, proof in [cells]
    ]


def read_helpers(text: str) -> list[str]:
    """The functions that are listed as helpers."""
    part = text.partition("\n## Helpers of the above\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^- `([\w.]+)`: (.*)$", part, re.MULTILINE)
    return [f"{module}.{name}" for module, names in lines for name in read_quoted(names)]


def read_terms(text: str) -> list[str]:
    return [cells[0].strip("`") for heading, _, cells in read_tables(text) if heading == "Glossary"]


def read_index(text: str) -> dict[int, list[tuple[str, str]]]:
    """By ruling, the chapters that the index names, each with the anchor of its link."""
    return {
        int(cells[0]): re.findall(r"\[([^\]]+)\]\(#([^)]+)\)", cells[2])
        for heading, _, cells in read_tables(text)
        if heading == "Rulings"
    }


# --- What is wrong with it -------------------------------------------------------------------------


def find_missing_functions(text: str) -> list[str]:
    """Named functions that cannot be imported, or that are imported from elsewhere where they are named."""
    missing = []
    for name in [*(one for row in read_rows(text) for one in row.functions), *read_helpers(text)]:
        try:
            found = pkgutil.resolve_name(name)
        except (ImportError, AttributeError, ValueError):
            missing.append(name)
            continue
        if not callable(found) or f"{found.__module__}.{found.__qualname__}" != name:
            missing.append(name)
    return missing


def list_functions(path: str) -> list[ast.FunctionDef]:
    """The functions of a file."""
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    return [part for part in body if isinstance(part, ast.FunctionDef)]


@lru_cache(maxsize=64)
def list_tests(path: str) -> frozenset[str]:
    """The tests of a file that the normal run plays."""
    if not (ROOT / path).is_file():
        return frozenset()
    return frozenset(
        part.name
        for part in list_functions(path)
        if part.name.startswith("test_")
        and not any(
            re.search(r"\bmark\.(skip|xfail|slow)", ast.unparse(mark)) for mark in part.decorator_list
        )
    )


def find_missing_tests(text: str) -> list[str]:
    named = {one for row in read_rows(text) for one in row.tests}
    return sorted(one for one in named if one.partition("::")[2] not in list_tests(one.partition("::")[0]))


def find_bare_rows(text: str) -> list[str]:
    """Rules without a function or without a test."""
    return [row.rule for row in read_rows(text) if not (row.rule and row.functions and row.tests)]


def find_odd_rulings(text: str) -> list[int]:
    """Rulings that no row plays and proves, that the index leaves out or misplaces, or that are unknown."""
    rows = [row for row in read_rows(text) if row.functions and row.tests]
    placed = {(ruling, row.chapter) for row in rows for ruling in row.rulings}
    index = read_index(text)
    odd = {ruling for ruling in RULINGS if not index.get(ruling)}
    odd |= {ruling for ruling in index for chapter, _ in index[ruling] if (ruling, chapter) not in placed}
    return sorted(odd | ({ruling for ruling, _ in placed} | set(index)) - set(RULINGS))


def find_dead_links(text: str) -> list[str]:
    """Anchors that no heading has."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    return [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", text) if anchor not in anchors]


def find_wrong_proofs(text: str) -> list[str]:
    """Tests whose name says another ruling than the row in which they are named."""
    wrong = []
    for row in read_rows(text):
        for test in row.tests:
            said = re.search(r"::test_rulings?_(\d+(?:_and_\d+)*)", test)
            if said and not row.rulings & set(map(int, said[1].split("_and_"))):
                wrong.append(test)
    return wrong


@lru_cache(maxsize=1)
def list_rule_functions() -> frozenset[str]:
    """Every function that is compiled in the modules that play the rules."""
    paths = [path.relative_to(ROOT) for place in PLACES for path in (ROOT / "iaww_env").glob(place)]
    return frozenset(
        ".".join((*path.with_suffix("").parts, part.name))
        for path in paths
        for part in list_functions(str(path))
        if MARKS & {ast.unparse(mark) for mark in part.decorator_list}
    )


def find_undocumented(text: str) -> list[str]:
    """Rule functions that stand neither in a row nor among the helpers, or that stand in both."""
    in_rows = {one for row in read_rows(text) for one in row.functions}
    helpers = set(read_helpers(text))
    return sorted(list_rule_functions() - in_rows - helpers) + sorted(in_rows & helpers)


def find_odd_terms(text: str) -> list[str]:
    """Terms that stand twice, out of order or without a meaning."""
    terms = read_terms(text)
    twice = [term for term, count in Counter(map(str.lower, terms)).items() if count > 1]
    ordered = sorted(terms, key=str.lower)
    misplaced = [term for term, right in zip(terms, ordered, strict=True) if term != right]
    glossary = [cells for heading, _, cells in read_tables(text) if heading == "Glossary"]
    return twice + misplaced + [cells[0] for cells in glossary if not (cells[0] and cells[1])]


# --- Nothing is wrong ------------------------------------------------------------------------------


def test_every_named_function_exists() -> None:
    assert find_missing_functions(TEXT) == []


def test_every_named_test_exists() -> None:
    assert find_missing_tests(TEXT) == []


def test_every_rule_has_a_function_and_a_test() -> None:
    assert len(read_rows(TEXT)) > 3 * len(RULINGS)
    assert find_bare_rows(TEXT) == []


def test_every_ruling_is_played_and_proven() -> None:
    assert find_odd_rulings(TEXT) == []


def test_links_lead_to_chapters() -> None:
    assert find_dead_links(TEXT) == []
    for chapters in read_index(TEXT).values():
        assert all(find_dead_links(f"# {chapter}\n[x](#{anchor})") == [] for chapter, anchor in chapters)


def test_tests_prove_the_ruling_that_they_name() -> None:
    assert find_wrong_proofs(TEXT) == []


def test_no_rule_function_is_left_out() -> None:
    assert len(list_rule_functions()) > 80
    assert find_undocumented(TEXT) == []


def test_code_and_tests_cite_rulings_that_exist() -> None:
    cited: dict[int, str] = {}
    for path in [*(ROOT / "iaww_env").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        for numbers in re.findall(r"\brulings? (\d+(?:(?:, | and )\d+)*)", path.read_text(encoding="utf-8")):
            cited |= dict.fromkeys(read_numbers(numbers), path.name)
    assert {ruling: name for ruling, name in cited.items() if ruling not in RULINGS} == {}
    assert set(cited) == set(RULINGS), "every ruling is cited where it is played or proven"


def test_glossary_terms_stand_once_and_in_order() -> None:
    assert find_odd_terms(TEXT) == []


def test_the_glossary_explains_the_words_of_the_project() -> None:
    first_words = {term.partition(" (")[0] for term in read_terms(TEXT)}
    assert {*WORDS, *(verb.name for verb in VERBS)} - first_words == set()


# --- That a fault is seen --------------------------------------------------------------------------


def drop_line(text: str, start: str) -> str:
    """The text without its lines that begin so."""
    lines = text.splitlines()
    kept = [line for line in lines if not line.startswith(start)]
    assert len(kept) < len(lines)
    return "\n".join(kept)


def exchange(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


ENGINE, TESTS = "iaww_env.engine", "tests/rules"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("production.award_supremacy", "production.award_nothing"),
        ("construction.settle_surplus", "production.settle_surplus"),  # imported there, not defined
        ("iaww_env.game.Game.medal", "iaww_env.game.Game.medals"),
        ("`sort_pack`", "`sort_deck`"),
    ],
)
def test_a_function_that_does_not_exist_is_noticed(old: str, new: str) -> None:
    assert len(set(find_missing_functions(exchange(TEXT, old, new)))) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("test_scoring.py::test_ruling_11_every_duo`", "test_scoring.py::test_ruling_11_no_duo`"),
        ("test_supremacy.py::test_ruling_8_the_character_of_each_step", "test_planning.py::test_no"),
        ("tests/rules/test_planning.py::", "tests/rules/test_plans.py::"),
    ],
)
def test_a_test_that_does_not_exist_is_noticed(old: str, new: str) -> None:
    assert find_missing_tests(exchange(TEXT, old, new))


def test_a_slow_test_proves_nothing() -> None:
    slow = f"`{TESTS}/test_invariants.py::test_many_more_sequences_keep_every_invariant`"
    row = f"\n{'|'.join(['', *HEAD, ''])}\n|---|---|---|---|\n|1|x|`{ENGINE}.rules.deal.deal_hands`|{slow}|\n"
    assert slow.strip("`") in find_missing_tests(TEXT + row)


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_that_is_left_out_is_noticed(ruling: int) -> None:
    assert find_odd_rulings(drop_line(TEXT, f"| {ruling} | ")) == [ruling]


def test_a_ruling_in_another_chapter_than_the_index_says_is_noticed() -> None:
    spoiled = exchange(TEXT, "| 14 | scenarios | [Scenarios](#scenarios)", "| 14 | x | [Planning](#planning)")
    assert find_odd_rulings(spoiled) == [14]


def test_a_dead_link_is_noticed() -> None:
    assert find_dead_links(exchange(TEXT, "\n## Digs\n", "\n## Looking for cards\n")) == ["digs"]


def test_a_ruling_that_does_not_exist_is_noticed() -> None:
    assert find_odd_rulings(TEXT.replace("\n| 14 | The named", "\n| 20 | The named", 1)) == [20]


def test_a_rule_without_a_test_is_noticed() -> None:
    spoiled = re.sub(r"(\| The supply is unlimited\. \| [^|]* \|)[^|]*\|", r"\1  |", TEXT)
    assert find_bare_rows(spoiled) == ["The supply is unlimited."]


def test_a_proof_in_the_wrong_row_is_noticed() -> None:
    spoiled = exchange(TEXT, "\n| 9 | With six and seven", "\n| 8 | With six and seven")
    assert len(find_wrong_proofs(spoiled)) == 4


def test_a_function_that_is_not_named_is_noticed() -> None:
    assert find_undocumented(exchange(TEXT, "`sort_pack`", "")) == [f"{ENGINE}.rules.knowledge.sort_pack"]
    fewer = exchange(TEXT, f"`{ENGINE}.rules.draft.pass_packs`", "")
    assert find_undocumented(fewer) == [f"{ENGINE}.rules.draft.pass_packs"]
    twice = exchange(TEXT, "`sort_pack`", "`sort_pack`, `undo_secrets`")
    assert find_undocumented(twice) == [f"{ENGINE}.rules.knowledge.undo_secrets"]


def test_odd_terms_are_noticed() -> None:
    seat = next(line for line in TEXT.splitlines() if line.startswith("| seat | "))
    assert find_odd_terms(exchange(TEXT, seat, f"{seat}\n{seat}")) == ["seat"]
    assert find_odd_terms(exchange(TEXT, seat, "| zero | nought |"))
    assert find_odd_terms(exchange(TEXT, seat, "| seat |  |")) == ["seat"]
