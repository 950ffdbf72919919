"""The notebooks run from top to bottom; what is stored in them is whole, small, clean and true to itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ROOT

FOLDER = ROOT / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
NAMES = [path.name for path in PATHS]
MOST_BYTES = 300_000
# The least that still goes through every line, in seconds rather than hours.
SCALE = "0.001"
PLACES = re.compile(r"(?<![\w.:/<])/(home|root|work|tmp|usr|opt|var|mnt|Users)/|\b[A-Z]:\\\\")
INTERVAL = re.compile(
    r"([+-]?[\d,]*\.?\d+)(?: %| %)?(?: points| of wins)? \(([+-]?[\d.]+) to ([+-]?[\d.]+)\)"
)


@lru_cache
def read(name: str) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return notebook


def list_cells(notebook: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def read_printed(notebook: dict[str, Any], cell: str) -> str:
    """What a cell printed."""
    (found,) = [one for one in notebook["cells"] if one["id"] == cell]
    return "".join("".join(one["text"]) for one in found["outputs"] if one["output_type"] == "stream")


def read_table(notebook: dict[str, Any], cell: str) -> str:
    """The table that a cell shows, as text."""
    (found,) = [one for one in notebook["cells"] if one["id"] == cell]
    shown = [one["data"] for one in found["outputs"] if "data" in one]
    return "\n".join("".join(one.get("text/markdown", one["text/plain"])) for one in shown)


def find_faults(notebook: dict[str, Any]) -> list[str]:
    """What is missing or wrong in the outputs of a notebook."""
    faults = []
    for number, cell in enumerate(list_cells(notebook, "code"), 1):
        if cell["execution_count"] != number:
            faults.append(f"{cell['id']} was run as number {cell['execution_count']}, and stands as {number}")
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                faults.append(f"{cell['id']} ended with an error")
            if output.get("name") == "stderr":
                faults.append(f"{cell['id']} warns: {''.join(output['text'])[:200]}")
    return faults


# --- They run --------------------------------------------------------------------------------------


def run(name: str, folder: Path, scale: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), name[:2], "--out", str(folder)],
        env=os.environ
        | {
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "training"))),
            "IAWW_NOTEBOOK_SCALE": scale,
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    ran: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
    return ran


def check_run(name: str, ran: dict[str, Any]) -> None:
    assert find_faults(ran) == []
    assert [cell["source"] for cell in ran["cells"]] == [cell["source"] for cell in read(name)["cells"]]
    shows = [
        [bool(cell["outputs"]) for cell in list_cells(notebook, "code")] for notebook in (ran, read(name))
    ]
    assert shows[0] == shows[1], "what is stored shows what a run shows"


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    check_run(name, run(name, tmp_path, SCALE))
    assert {path.name for path in tmp_path.iterdir()} <= {name, "runs"}, "what it writes lies in one folder"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_at_full_size(name: str, tmp_path: Path) -> None:
    check_run(name, run(name, tmp_path, "1"))


# --- What is stored --------------------------------------------------------------------------------


def test_all_seven_are_there_and_listed() -> None:
    assert [name[:2] for name in NAMES] == [f"0{number}" for number in range(1, 8)]
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((0\d_\w+\.ipynb)\)", guide) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_stored_whole(name: str) -> None:
    notebook = read(name)
    assert find_faults(notebook) == []
    assert sum(bool(cell["outputs"]) for cell in list_cells(notebook, "code")) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_small_and_holds_no_machine(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert PLACES.findall(text) == []
    notebook = read(name)
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell["metadata"] for cell in notebook["cells"]] == [{}] * len(notebook["cells"])
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", one) for one in ids), "ids are words, and stay"


@pytest.mark.parametrize("name", NAMES)
def test_it_says_its_question_how_to_install_and_when_it_was_run(name: str) -> None:
    notebook = read(name)
    begin = "".join(notebook["cells"][0]["source"])
    assert begin.startswith(f"# {name[:2]} ")
    assert "**The question:**" in begin
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"```bash\n(pip install .*)\n```", begin)
    assert line in guide
    assert 'os.environ.get("IAWW_NOTEBOOK_SCALE", "1")' in "".join(notebook["cells"][1]["source"])
    assert re.match(
        r"Run on \d{4}-\d\d-\d\d with iaww-env \S+: .+ cores?, ", read_printed(notebook, "signature")
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_result_is_typed_into_prose(name: str) -> None:
    """Results are printed by code: shares and fractions in the text go stale unnoticed."""
    for cell in list_cells(read(name), "markdown"):
        text = "".join(cell["source"]).replace("95 %", "")
        assert re.findall(r"\d+\.\d+|\d ?%|\d+,\d{3}", text) == [], cell["id"]


# --- What is claimed -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_interval_holds_its_value_and_every_verdict_fits_it(name: str) -> None:
    for cell in list_cells(read(name), "code"):
        for line in read_printed(read(name), cell["id"]).splitlines():
            found = [[float(one.replace(",", "")) for one in parts] for parts in INTERVAL.findall(line)]
            for value, low, high in found:
                assert low <= value <= high, line
            if len(found) == 1:
                _, low, high = found[0]
                if re.search(r"\bhelps\b|, more$", line):
                    assert low >= 0, line
                if re.search(r"\bcosts\b|, less$", line):
                    assert high <= 0, line
                if "not told" in line:
                    assert low <= 0 <= high, line


def test_the_study_watches_twenty_thousand_games() -> None:
    games = dict(re.findall(r"(\w+): ([\d,]+) games", read_printed(read("05_strategy.ipynb"), "games")))
    assert int(games["heuristic"].replace(",", "")) >= 20_000
    assert int(games["ppo"].replace(",", "")) >= 5_000


def test_the_study_says_what_its_tables_say() -> None:
    study = read("05_strategy.ipynb")
    short = read_printed(study, "short")
    for table in (read_table(study, "push"), read_table(study, "first-table")):
        assert table
    for line in read_table(study, "push").splitlines()[1:]:
        name, value = re.findall(r"^(.+?\S)\s{2,}([+-]?\d+\.\d)", line)[0]
        told = re.findall(rf"- {re.escape(name)}: .*?, ([+-]\d+\.\d) points", short)
        assert [float(one) for one in told] == [float(value)], name
    rank = re.findall(r"rank correlation .*? (-?\d\.\d\d)", read_printed(study, "first-figure"))
    assert f"rank correlation {rank[0].split()[-1]}" in short


def test_ranks_are_those_of_the_table() -> None:
    bench = read("03_benchmark_your_bot.ipynb")
    table = read_table(bench, "play").split("placed before")[0]
    rows = re.findall(r"^\| ([\w:./]+) \| (-?\d+)", table, re.MULTILINE)
    ranked = [name for name, _ in rows]
    assert sorted(rows, key=lambda row: -int(row[1])) == rows
    gaps = re.findall(r"^(\S+) over (\S+): ", read_printed(bench, "gaps"), re.MULTILINE)
    assert gaps == list(pairwise(ranked))


def test_the_points_of_the_game_are_the_sums_of_their_parts() -> None:
    game = read("02_how_a_game_goes.ipynb")
    told = [int(one) for one in re.findall(r"points \[(\d+), (\d+)\]", read_printed(game, "play"))[0]]
    rows = re.findall(r"(\d+) +(\d+)$", read_table(game, "points"), re.MULTILINE)
    assert [sum(int(row[seat]) for row in rows) for seat in range(2)] == told


def test_the_easiest_and_hardest_scenarios_are_those_of_the_table() -> None:
    solo = read("06_solo_scenarios.ipynb")
    said = re.findall(
        r"^(\w+): most medals in .*?, (\d+)%; fewest in .*?, (\d+)%$", read_printed(solo, "reasons"), re.M
    )
    assert {bot for bot, _, _ in said} == {"heuristic", "ppo", "search"}
    for bot, most, least in said:
        shares = [int(one) for one in re.findall(rf"\b{bot} +(\d+) \(", read_table(solo, "medals"))]
        assert len(shares) == 12
        assert (max(shares), min(shares)) == (int(most), int(least))


# --- That faults are seen --------------------------------------------------------------------------


def test_faults_are_noticed() -> None:
    good = {"cell_type": "code", "id": "a", "execution_count": 1, "outputs": []}
    assert find_faults({"cells": [good]}) == []
    bad = [
        good | {"execution_count": None},
        good | {"outputs": [{"output_type": "error"}]},
        good | {"outputs": [{"output_type": "stream", "name": "stderr", "text": ["oh"]}]},
    ]
    assert [len(find_faults({"cells": [one]})) for one in bad] == [1, 1, 1]
    assert [bool(PLACES.search(one)) for one in ("see /home/me/x", '"C:\\\\Users', "a/work/b </var/>")] == [
        True,
        True,
        False,
    ]
    assert INTERVAL.findall("a +1.5 points (-1.0 to +3.2), b") == [("+1.5", "-1.0", "+3.2")]
    assert INTERVAL.findall("wins 34.4% (19.8% to 52.7%)") == []
