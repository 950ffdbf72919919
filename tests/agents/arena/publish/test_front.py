"""The small tables of the front page: cells are found by column and line, and what is missing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from iaww_agents.arena.publish.front import RATES, find_cell, find_origin, make_rates
from iaww_env.errors import ConfigError

TEXT = """Made on 2026-01-02, again on 2026-01-03.

| bot | points |
|---|---:|
| greedy | 44 |
| greedy, too | 45 |

| match | bot | wins |
| --- | --- | ---: |
| four | greedy | 12% |
| four | search | 72% |
"""


def test_a_cell_is_found_by_its_column_and_the_begin_of_its_line() -> None:
    assert find_cell(TEXT, "points", "greedy") == "44"
    assert find_cell(TEXT, "wins", "four", "search") == "72%"
    assert find_cell(TEXT, "bot", "four") == "greedy", "the first such line"
    for column, *first in (("points", "four"), ("losses", "greedy"), ("wins", "four", "heuristic")):
        with pytest.raises(ConfigError, match=f"column {column} has a line that begins with {first[0]}"):
            find_cell(TEXT, column, *first)


def test_a_table_says_when_it_was_made() -> None:
    assert find_origin(TEXT) == "on 2026-01-02"
    with pytest.raises(ConfigError, match="when it was made"):
        find_origin("never")


def test_rates_come_from_their_tables_without_what_is_said_of_goals(tmp_path: Path) -> None:
    speed = tmp_path / "SPEED.md"
    tables: dict[str, str] = {}
    for number, (mark, name) in enumerate(RATES):
        head = tables.get(mark, f"<!-- {mark} -->\n| what | measured |\n|---|---:|\n")
        tables[mark] = f"{head}| {name} | {number + 1},000 (missed) |\n"
    day = "\n`iaww bench`, 2026-01-02\n"
    speed.write_text("".join(f"{text}{day}<!-- end of {mark} -->\n" for mark, text in tables.items()))
    made = make_rates(speed)
    for number, ((_, name), includes) in enumerate(RATES.items()):
        assert f"| {name} | {number + 1},000 | {includes} |" in made
    assert "(on 2026-01-02)" in made
