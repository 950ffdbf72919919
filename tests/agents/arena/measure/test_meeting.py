"""All against all: every seating of every deal, and a table of who is placed before whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from iaww_agents.arena.measure import meeting

QUICK = ("greedy", "heuristic", "random")


def test_all_meet_all_and_the_better_is_placed_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- meeting -->\nyesterday\n<!-- end of meeting -->\n")
    words = ["--bots", *QUICK, "--base-only", "random", "--players", "2", "--deals", "20", "--workers", "1"]
    words += ["--out", str(tmp_path / "new" / "meeting.jsonl"), "--write", "--into", str(page)]
    assert meeting.main(words) == 0
    text = page.read_text()
    assert "yesterday" not in text
    lines = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    rows = [line.strip("| ").split(" | ") for line in lines]
    base, ascension = rows[:8], rows[8:]
    assert [row[0] for row in base[1:4]] == [row[0] for row in base[5:8]] == ["heuristic", "greedy", "random"]
    duels = {(row[0], head): cell for row in base[5:8] for head, cell in zip(base[4], row, strict=True)}
    assert duels["greedy", "random"].startswith("100.0%")
    shares = [float(duels[pair].split("%")[0]) for pair in (("heuristic", "greedy"), ("greedy", "heuristic"))]
    assert shares[0] > 50
    assert sum(shares) == pytest.approx(100)
    assert duels["greedy", "greedy"] == "–"
    assert {row[0] for row in ascension} == {"bot", "placed before (share, points)", "heuristic", "greedy"}
    # Three bots at a table of two meet in three pairs, one deal each in turn, and all deals in both seatings.
    assert sum(int(row[5].replace(",", "")) for row in base[1:4]) == 20 * 2 * 2


def test_bots_that_do_not_know_the_expansion_stay_away() -> None:
    found = {config.expansions: bots for config, bots in meeting.list_meetings(meeting.Options())}
    assert [("value" in bots, len(bots)) for bots in found.values()] == [(True, 5), (False, 4)]
    plain = meeting.Options(ascension=False, players=(3,))
    assert [(one.players, one.ascension) for one, _ in meeting.list_meetings(plain)] == [(3, False)]
