"""The page of an analysis: what stands where in its tables, its axis, and how wide it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pandas = pytest.importorskip("pandas", reason='tables need pip install "iaww-env[analysis]"')

from iaww_agents.analysis.page import (  # noqa: E402
    NOTHING,
    TEMPLATES,
    choose_marks,
    draw_production,
    show_cards,
    show_production,
    show_sources,
)
from iaww_env.cards import kinds  # noqa: E402
from tests.viewer.browsers import PHONE, open_browser, set_screen, skip_without_browser  # noqa: E402

NAMES = ("produced_materials", "produced_energy", "produced_science", "produced_gold", "produced_exploration")
MORE = ("cubes_to_empire", "recycled", "built", "generals_won", "financiers_won", "points")
WIDE, NAN = (1280, 900), float("nan")


def make_rounds() -> Any:
    """As `summarize_production` gives it: in the order of the alphabet."""
    rows = [
        {"who": who, "round": turn, "produced": 3.0 * turn + 10 * (who == "winners")}
        | dict.fromkeys((*NAMES, *MORE), 12.5)
        for who in ("others", "winners")
        for turn in (1, 2, 3, 4)
    ]
    return pandas.DataFrame(rows)


def make_cards() -> Any:
    """Some cards with a lift, and one with too few seats for it."""
    rows = [
        {"kind": kind.id, "seats": 1234, "picked": 0.463, "pick": 2.6, "built": 0.596, "recycled": 0.386}
        | {"points": 5.4, "lift": 0.53, "lift_low": 0.302, "lift_high": 0.759}
        for kind in kinds()
    ]
    rows[-1] |= {"lift": NAN, "lift_low": NAN, "lift_high": NAN}
    return pandas.DataFrame(rows)


def read_rows(table: str) -> list[list[str]]:
    return [
        [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", table)
    ]


def test_a_lift_is_a_difference_of_shares_and_stands_beside_its_card() -> None:
    table = show_cards(make_cards())
    head, first, *_, last = read_rows(table)
    assert head[:2] == ["card", "lift in wins"]
    assert first[1] == "+53.0 pp (+30.2 to +75.9)"
    assert first[4] == "46.3%", "shares are told in percent"
    assert last[1] == NOTHING
    assert table.count('<th scope="row">') == len(kinds())


def test_parts_that_nobody_has_are_left_out() -> None:
    parts = {"points": (50.0, 40.0), "points_pairs": (0.0, 0.0), "points_empire": (0.0, 2.0)}
    alone = {"points_cards": (3.0, NAN), "points_none": (0.0, NAN)}
    rows = [
        {"part": part, "winners": winners, "others": others}
        | dict.fromkeys(("difference", "difference_low", "difference_high"), 1.0)
        for part, (winners, others) in (parts | alone).items()
    ]
    assert [row[0] for row in read_rows(show_sources(pandas.DataFrame(rows)))[1:]] == [
        "points",
        "empire",
        "cards",
    ]


def test_winners_stand_before_others() -> None:
    named = [row[0] for row in read_rows(show_production(make_rounds()))[1:]]
    assert named == [f"{who}, round {turn}" for who in ("winners", "others") for turn in (1, 2, 3, 4)]


def test_the_chart_has_an_axis_of_round_numbers() -> None:
    chart = draw_production(make_rounds())
    marks = re.findall(r'<text class="mark"[^>]* y="([\d.]+)"[^>]*>(\d+)</text>', chart)
    assert [number for _, number in marks] == ["0", "5", "10", "15", "20"]
    heights = [float(y) for y, _ in marks]
    assert heights == sorted(heights, reverse=True)
    last = re.findall(r'class="winners" points="[^"]* [\d.]+,([\d.]+)"', chart)
    step = (heights[0] - heights[-1]) / 20
    assert float(last[0]) == pytest.approx(heights[0] - 4 - 22 * step, abs=0.2), "22 cubes by that axis"
    for most in (1, 3.9, 7, 26, 99, 240):
        assert 2 <= len(choose_marks(most)) <= 6


def test_every_style_is_used() -> None:
    style = (TEMPLATES / "analysis.css").read_text(encoding="utf-8")
    made = (
        show_cards(make_cards())
        + draw_production(make_rounds())
        + (TEMPLATES / "analysis.html").read_text(encoding="utf-8")
    )
    for name in set(re.findall(r"\.([a-z]+)", re.sub(r"\{[^}]*\}", "", re.sub(r"/\*.*?\*/", "", style)))):
        assert re.search(rf'class="[^"]*\b{name}\b', made), name
    for name in set(re.findall(r"(--[a-z]+):", style)):
        assert f"var({name})" in style, name


def test_wide_tables_use_the_window_and_names_stay_in_sight(tmp_path: Path) -> None:
    skip_without_browser()
    style = (TEMPLATES / "analysis.css").read_text(encoding="utf-8")
    tables = show_production(make_rounds()) + show_cards(make_cards())
    path = tmp_path / "page.html"
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    path.write_text(f"{head}<style>{style}</style>{tables}", encoding="utf-8")
    with open_browser(tmp_path) as driver:
        set_screen(driver, WIDE)
        driver.get(path.as_uri())
        sizes = driver.execute_script(
            "return [...document.querySelectorAll('.wide')].map(one => [one.clientWidth, one.scrollWidth])"
        )
        assert all(shown >= whole for shown, whole in sizes), "nothing is cut off"
        set_screen(driver, PHONE)
        left, height, lift = driver.execute_script(
            "const wide = document.querySelectorAll('.wide')[1], row = wide.querySelectorAll('tbody tr')[1];"
            "const lift = row.children[1].getBoundingClientRect().right;"
            "wide.scrollLeft = 300;"
            "return [row.children[0].getBoundingClientRect().left - wide.getBoundingClientRect().left,"
            "wide.getBoundingClientRect().height, lift]"
        )
        assert left == 0, "the name stands still when the table is moved"
        assert height < PHONE[1], "its scroll bar is in sight"
        assert lift <= PHONE[0], "the lift is seen without moving it"
