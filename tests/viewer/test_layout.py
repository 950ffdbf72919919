"""Where things stand on the page of a replay: nothing between panels, the hand before the chart, phones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from iaww_env.config import GameConfig
from iaww_env.random_games import record_games
from iaww_env.viewer.pages import write_page
from tests.viewer.browsers import PHONE, open_browser, set_screen, skip_without_browser

skip_without_browser()

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.wait import WebDriverWait  # noqa: E402

RECORD = next(record_games(GameConfig(5), 1, 21, checks=False))
LAST = len(RECORD["moves"])
AGENTS = ["ppo", "heuristic", "you", "search:worlds=64", "<b>greedy</b>"]
SCREEN = (1280, 900)
GAP = 10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pages") / "game.html"
    path.write_text(write_page(RECORD | {"meta": {"agents": AGENTS}}), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("browser")) as driver:
        yield driver


def open_at(browser: Any, place: str, size: tuple[int, int], move: int = 0) -> None:
    set_screen(browser, size)
    browser.get("about:blank")
    browser.get(f"{place}#move={move}")
    assert browser.get_log("browser") == []


def find_boxes(browser: Any, selector: str) -> list[dict[str, float]]:
    boxes: list[dict[str, float]] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])]"
        ".map(one => one.getBoundingClientRect().toJSON())",
        selector,
    )
    return boxes


def are_columns_independent(browser: Any) -> bool:
    """Whether each panel lies right below the one above it, and the columns are as many as fit."""
    columns: dict[float, list[dict[str, float]]] = {}
    for box in find_boxes(browser, "#table > section"):
        columns.setdefault(round(box["left"]), []).append(box)
    gaps = [
        below["top"] - above["bottom"] for column in columns.values() for above, below in pairwise(column)
    ]
    starts = {round(column[0]["top"]) for column in columns.values()}
    width = find_boxes(browser, "#table")[0]["width"]
    fit = min(5, int((width + GAP) // (344 + GAP)))
    return len(columns) == fit and len(starts) == 1 and all(GAP - 0.1 <= gap <= GAP + 1.1 for gap in gaps)


@pytest.mark.parametrize("move", [0, LAST // 2, LAST])
def test_panels_lie_right_below_each_other(browser: Any, place: str, move: int) -> None:
    open_at(browser, place, SCREEN, move)
    assert are_columns_independent(browser)
    heights = [box["height"] for box in find_boxes(browser, "#table > section")]
    assert move < LAST or max(heights) > min(heights) + 30, "else rows would do"
    for size in ((1000, 900), (1900, 1000), PHONE):
        set_screen(browser, size)
        WebDriverWait(browser, 20).until(are_columns_independent)


def test_the_hand_stands_before_the_chart(browser: Any, place: str) -> None:
    open_at(browser, place, SCREEN)
    (pack,), (chart,) = find_boxes(browser, "#pack > section"), find_boxes(browser, "#curve-box")
    assert pack["bottom"] < chart["top"]
    cards = find_boxes(browser, "#pack [data-action]")
    assert sum(box["bottom"] <= SCREEN[1] for box in cards) >= 6, "it is seen without scrolling"
    assert browser.find_element(By.ID, "curve").is_displayed()


def test_on_a_phone_whoever_decides_comes_after_the_move(browser: Any, place: str) -> None:
    moves = [next(n for n, (seat, _) in enumerate(RECORD["moves"]) if seat == wanted) for wanted in (3, 1)]
    for move in moves:
        open_at(browser, place, PHONE, move)
        names = browser.execute_script(
            "return [...document.querySelectorAll('main section, main details')]"
            ".map(one => one.dataset.name || one.id || one.querySelector('h2, summary').textContent)"
        )
        seat = f"seat-{RECORD['moves'][move][0]}"
        assert names[:6] == ["head", "Move", "pack", seat, *names[4:6]]
        tops = [box["top"] for box in find_boxes(browser, "main section, main > details")]
        assert tops == sorted(tops), "what is read first stands first"
        assert not browser.find_element(By.ID, "curve").is_displayed()
    browser.find_element(By.CSS_SELECTOR, "#curve-box summary").click()
    assert browser.find_element(By.ID, "curve").is_displayed()


def test_the_mark_of_the_move_hides_no_words_and_the_most_points_are_told(browser: Any, place: str) -> None:
    told = []
    for move in range(0, LAST + 1, LAST // 8):
        open_at(browser, place, SCREEN, move)
        (mark,) = find_boxes(browser, "#curve .marker")
        texts = find_boxes(browser, "#curve text")
        assert len(texts) > 8
        for box in texts:
            is_apart = box["bottom"] <= mark["top"] + 0.5 or box["top"] >= mark["bottom"] - 0.5
            assert is_apart or box["right"] <= mark["left"] or box["left"] >= mark["right"], move
        told = browser.execute_script(
            "return [...document.querySelectorAll('#curve text[text-anchor=end]')]"
            ".map(one => [Number(one.textContent), one.getBoundingClientRect().top])"
        )
    assert max(told)[0] == max(RECORD["result"]["scores"])
    tops = sorted(top for _, top in told)
    assert all(below - above >= 11 for above, below in pairwise(tops))


def test_who_plays_stands_in_panels_in_the_key_and_in_the_result(browser: Any, place: str) -> None:
    """As the record writes it; what looks like HTML is text."""
    open_at(browser, place, SCREEN, LAST)
    expected = ["ppo", "heuristic", "a person", "search:worlds=64", "<b>greedy</b>"]
    keys = browser.execute_script(
        "return [...document.querySelectorAll('#curve-key span')].map(one => one.textContent)"
    )
    panels = browser.execute_script(
        "return [...document.querySelectorAll('#table > section')].map(one =>"
        "[one.getAttribute('aria-label'), [...one.querySelectorAll('text')].map(text => text.textContent)])"
    )
    for name, key, (label, texts) in zip(expected, keys, panels, strict=True):
        assert key.endswith(f" \u00b7 {name}")
        assert label.endswith(f" \u00b7 {name}")
        assert name in texts
    assert browser.find_elements(By.CSS_SELECTOR, "#table b, #head b, .bar b, #curve-key span b") == []
    scores = RECORD["result"]["scores"]
    winner = scores.index(max(scores))
    head = browser.find_element(By.CSS_SELECTOR, "#head section").get_attribute("aria-label")
    assert f"seat {winner} ({expected[winner]}) wins" in head
