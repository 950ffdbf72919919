"""The page in a browser: a whole replay by keys, slider, seats, links, curve, screens, what is read aloud."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from iaww_env.config import GameConfig
from iaww_env.random_games import record_games
from iaww_env.records import replay
from iaww_env.render.seen import look_at_game
from iaww_env.viewer.colours import measure_contrast
from iaww_env.viewer.pages import write_page
from tests.viewer.browsers import LAPTOP, PHONE, list_requests, open_browser, set_screen, skip_without_browser

skip_without_browser()

from selenium.webdriver import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.wait import WebDriverWait  # noqa: E402

RECORD = next(record_games(GameConfig(3), 1, 21, checks=False))
MOVES = RECORD["moves"]
LAST = len(MOVES)
STEP = 30  # moves that are made in one go
THOUGHTS = [
    {"move": 0, "of": "probability", "values": {MOVES[0][1]: 0.625}},
    {"move": 1, "of": "value", "values": {MOVES[1][1]: -1.5}},
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page."""
    path = tmp_path_factory.mktemp("pages") / "game.html"
    path.write_text(write_page(RECORD | {"thoughts": THOUGHTS}, 1, "games.jsonl"), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("browser")) as driver:
        yield driver


@pytest.fixture
def page(browser: Any, place: str) -> Iterator[Any]:
    """The page at its first move, on a laptop; nothing may have gone wrong when the test is over."""
    set_screen(browser, LAPTOP)
    browser.get("about:blank")
    list_requests(browser)
    browser.get(place)
    yield browser
    assert browser.get_log("browser") == []
    assert [one for one in list_requests(browser) if not one.startswith(("file:", "data:"))] == []


def read(page: Any, id: str) -> str:
    return str(page.execute_script("return document.getElementById(arguments[0]).textContent", id))


def press(page: Any, *keys: str) -> None:
    ActionChains(page).send_keys(*keys).perform()


def count_of(page: Any) -> int:
    return int(read(page, "count").split()[0])


def read_points(page: Any) -> list[int]:
    """The points in the panels, by seat."""
    found = page.execute_script(
        "return [...document.querySelectorAll('#table > section')].map("
        "panel => [panel.dataset.name, panel.querySelector('title').textContent])"
    )
    by_seat = {int(name.removeprefix("seat-")): title for name, title in found}
    return [int(by_seat[seat].split(", ")[2].split()[0]) for seat in sorted(by_seat)]


def test_a_whole_replay_by_keys(page: Any) -> None:
    for move in range(0, LAST, STEP):
        assert count_of(page) == move
        assert read_points(page) == replay(RECORD, move).scores()
        assert read(page, "now").startswith(f"Move {move}: Seat {MOVES[move][0]} ")
        lit = page.execute_script(
            "return [...document.querySelectorAll('.chosen[data-action]')].map(one => one.dataset.action)"
        )
        assert len(lit) == 1
        assert MOVES[move][1] in lit[0].split()
        press(page, *[Keys.ARROW_RIGHT] * min(STEP, LAST - move))
    assert count_of(page) == LAST
    assert "Game over" in page.find_element(By.CSS_SELECTOR, "#head section").get_attribute("aria-label")
    assert read_points(page) == RECORD["result"]["scores"]
    press(page, Keys.ARROW_RIGHT)
    assert count_of(page) == LAST
    press(page, Keys.ARROW_LEFT)
    assert count_of(page) == LAST - 1


def test_keys_lead_through_phases(page: Any) -> None:
    starts = [0]
    for move in range(1, LAST + 1):
        before, now = replay(RECORD, move - 1), replay(RECORD, move)
        if (before.round, before.phase) != (now.round, now.phase):
            starts.append(move)
        if len(starts) > 3:
            break
    for start in starts[1:]:
        press(page, Keys.ARROW_DOWN)
        assert count_of(page) == start
    press(page, Keys.PAGE_UP)
    assert count_of(page) == starts[-2]
    press(page, Keys.END)
    assert count_of(page) == LAST
    press(page, Keys.HOME)
    assert count_of(page) == 0


def test_the_slider_leads_to_a_move(page: Any) -> None:
    slider = page.find_element(By.ID, "slider")
    page.execute_script("arguments[0].value = 77; arguments[0].dispatchEvent(new Event('input'))", slider)
    assert count_of(page) == 77
    slider.send_keys(Keys.ARROW_RIGHT)
    assert count_of(page) == 78
    assert "move 78 of" in slider.get_attribute("aria-valuetext")


def test_a_seat_sees_what_it_knows(page: Any) -> None:
    """Its own panel comes first; nothing is told of what others decide in the same phase, or later."""
    move = next(n for n, (seat, text) in enumerate(MOVES) if seat == 0 and text.startswith("slate"))
    page.execute_script("location.hash = arguments[0]", f"move={move}")
    press(page, "2")
    assert "seat=2" in page.execute_script("return document.getElementById('link').href")
    names = page.execute_script(
        "return [...document.querySelectorAll('#table > section')].map(one => one.dataset.name)"
    )
    assert names[0] == "seat-2"
    assert read(page, "now") == f"Move {move}: Seat 0 decides, not seen."
    assert not page.find_element(By.ID, "legal-box").is_displayed()
    seen = look_at_game(replay(RECORD, move), 2)
    assert read_points(page) == [seat.points for seat in seen.seats]
    kinds = {kind.name_en for seat in seen.seats for kind in (*seat.drafted, *(seat.hand or ()))}
    kinds |= {site.kind.name_en for seat in seen.seats for site in seat.sites}
    kinds |= {kind.name_en for seat in seen.seats for kind, _ in seat.built}
    bold = page.execute_script(
        "return [...document.querySelectorAll('#table text[font-weight][font-size=\"13\"]')]"
        ".map(one => one.textContent)"
    )
    shown = {text.partition(" #")[0].partition(" x")[0] for text in bold}
    assert shown <= kinds
    for key in ("s", Keys.ESCAPE):
        press(page, "1")
        assert page.find_element(By.CSS_SELECTOR, "[data-viewer='1']").get_attribute("aria-pressed") == "true"
        press(page, key)
        assert (
            page.find_element(By.CSS_SELECTOR, "[data-viewer='-1']").get_attribute("aria-pressed") == "true"
        )
    press(page, "7")
    assert read(page, "now").startswith(f"Move {move}: Seat 0 slates"), "there is no seat 7"


def test_the_list_of_moves_tells_a_seat_no_secrets(page: Any) -> None:
    page.find_element(By.CSS_SELECTOR, "#list-box summary").click()
    page.execute_script("location.hash = 'move=2&seat=1'")
    chosen = "[data-viewer='1'][aria-pressed='true']"
    WebDriverWait(page, 20).until(lambda _: page.find_elements(By.CSS_SELECTOR, chosen))
    rows = page.execute_script(
        "return [...document.querySelectorAll('#list button')].map(one => one.textContent)"
    )
    assert len(rows) == LAST
    for number, row in enumerate(rows):
        own_past = MOVES[number][0] == 1 and number <= 2
        assert ("not seen" in row) != own_past, row
    press(page, "s")
    rows = page.execute_script(
        "return [...document.querySelectorAll('#list button')].map(one => one.textContent)"
    )
    assert not any("not seen" in row for row in rows)
    page.find_elements(By.CSS_SELECTOR, "#list button")[9].click()
    assert count_of(page) == 9
    press(page, Keys.ARROW_RIGHT)
    current = page.execute_script("return document.activeElement.textContent")
    assert current.startswith("10 "), "the focus goes along"


def test_a_link_leads_to_a_move_and_a_seat(page: Any, place: str) -> None:
    page.get("about:blank")
    page.get(f"{place}#move=40&seat=2")
    assert count_of(page) == 40
    assert page.find_element(By.CSS_SELECTOR, "[data-viewer='2']").get_attribute("aria-pressed") == "true"
    press(page, Keys.ARROW_RIGHT)
    WebDriverWait(page, 20).until(lambda _: page.current_url == f"{place}#move=41&seat=2")
    for odd, move in (("move=-5", 0), ("move=99999", LAST), ("move=x&seat=99", 0), ("", 0)):
        page.get("about:blank")
        page.get(f"{place}#{odd}")
        assert count_of(page) == move


def test_thoughts_stand_beside_the_legal_actions(page: Any) -> None:
    assert read(page, "legal-title") == "Legal actions, by probability"
    first = page.find_element(By.CSS_SELECTOR, "#legal li")
    assert first.get_attribute("data-text") == MOVES[0][1]
    assert "62.5 %" in first.text
    bar = page.execute_script(
        "const bar = document.querySelector('#legal .bar-ground > div');"
        "return bar.offsetWidth / bar.parentElement.clientWidth"
    )
    assert bar == pytest.approx(0.625, abs=0.02)
    legal = page.execute_script(
        "return [...document.querySelectorAll('#legal li')].map(one => one.dataset.text)"
    )
    assert sorted(legal) == sorted(replay(RECORD, 0).legal_texts(MOVES[0][0]))
    press(page, Keys.ARROW_RIGHT)
    assert read(page, "legal-title") == "Legal actions, by value"
    press(page, Keys.ARROW_RIGHT)
    assert read(page, "legal-title") == "Legal actions"


def test_the_curve_can_be_clicked_and_is_told(page: Any) -> None:
    chart = page.find_element(By.CSS_SELECTOR, "#curve svg")
    told = chart.get_attribute("aria-label")
    for seat, points in enumerate(RECORD["result"]["scores"]):
        assert any(
            part.startswith(f"Seat {seat}: ") and part.endswith(f", {points}") for part in told.split(". ")
        )
    ActionChains(page).move_to_element(chart).click().perform()
    assert abs(count_of(page) - LAST / 2) < LAST / 20
    assert len(page.find_elements(By.CSS_SELECTOR, "#curve-key li")) == 3


def test_space_plays_and_pauses(page: Any) -> None:
    press(page, Keys.SPACE)
    assert read(page, "play") == "Pause"
    time.sleep(2.2)
    press(page, Keys.SPACE)
    assert read(page, "play") == "Play"
    assert count_of(page) >= 1
    page.find_element(By.ID, "next").send_keys(Keys.SPACE)
    assert read(page, "play") == "Play", "the button that has the focus is pressed instead"


@pytest.mark.parametrize("size", [LAPTOP, PHONE, (320, 700), (2000, 1100)], ids=str)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_fit_every_screen(page: Any, size: tuple[int, int], dark: bool) -> None:
    set_screen(page, size, dark)
    page.refresh()
    for move in (0, LAST // 2, LAST):
        page.execute_script("location.hash = arguments[0]", f"move={move}")
        time.sleep(0.1)
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0], "nobody scrolls sideways"
    least = page.execute_script(
        "return Math.min(...[...document.querySelectorAll('svg[viewBox^=\"0 0 360\"]')]"
        ".map(one => one.getBoundingClientRect().width).filter(width => width > 0)) / 360 * 12"
    )
    assert least >= 12 or size[0] < 390, "letters have at least twelve pixels"
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(ground.partition("(")[2].partition(",")[0])
    assert (red < 60) == dark


def test_letters_are_no_wider_than_measured(page: Any) -> None:
    """No text leaves its panel, and each ends where the drawing thinks that it does."""
    page.find_element(By.CSS_SELECTOR, ".more details:nth-of-type(2) summary").click()
    for move in (0, LAST // 3, LAST):
        page.execute_script("location.hash = arguments[0]", f"move={move}")
        time.sleep(0.1)
        texts = page.execute_script(
            "return [...document.querySelectorAll('section.iaww-panel text')].map(one => {"
            "const box = one.getBBox(), size = Number(one.getAttribute('font-size') || 12);"
            "return [one.textContent, one.getComputedTextLength(), size,"
            "one.hasAttribute('font-weight'), box.x, box.x + box.width] })"
        )
        from iaww_env.viewer.letters import measure_text

        assert len(texts) > 50
        for text, width, size, bold, left, right in texts:
            assert width <= measure_text(text, size, bold) + 0.6, text
            assert left >= 0
            assert right <= 360


def test_everything_is_reached_and_named(page: Any) -> None:
    """Tab reaches all there is to press; each has a name, a role and a ring."""
    reached = []
    for _ in range(30):
        press(page, Keys.TAB)
        told = page.execute_script(
            "const one = document.activeElement, style = getComputedStyle(one);"
            "return [one.id || one.textContent.trim(), one.tagName,"
            "one.getAttribute('aria-label') || one.textContent.trim(),"
            "style.outlineStyle, style.outlineWidth]"
        )
        if told[1] == "BODY":
            break
        reached.append(told)
    names = [one[0] for one in reached]
    for wanted in (
        "next",
        "last",
        "play",
        "slider",
        "All seats",
        "Seat 2",
        "legal-box",
        "All moves",
        "Signs",
    ):
        assert wanted in names
    assert len(names) == len(set(names))
    for _, _, name, style, width in reached:
        assert name
        assert (style, width) == ("solid", "3px")
    assert (
        page.execute_script("return document.querySelector('[role=status]').getAttribute('aria-live')")
        == "polite"
    )
    heads = page.execute_script("return [...document.querySelectorAll('h1, h2, h3')].map(one => one.tagName)")
    assert heads[0] == "H1"
    unnamed = page.execute_script(
        "return [...document.querySelectorAll('[role=img], [role=group], section')].filter(one =>"
        "!one.hasAttribute('aria-label') && !one.hasAttribute('aria-labelledby') &&"
        "!one.querySelector(':scope > title'))"
        ".length"
    )
    assert unnamed == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_of_the_page_stand_out(page: Any, dark: bool) -> None:
    """The contrast that WCAG 2 asks for, as the browser works out the colours."""
    set_screen(page, LAPTOP, dark)
    page.refresh()
    for summary in page.find_elements(By.CSS_SELECTOR, "summary"):
        summary.click()
    pairs = page.execute_script(
        """
        const ground = (one) => {
          for (let at = one; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return colour;
          }
          return 'rgb(255, 255, 255)';
        };
        return [...document.querySelectorAll('h1,h2,h3,p,li,button,summary,dt,dd,a,output,span,b')]
          .filter((one) => one.textContent.trim() && one.offsetParent && !one.disabled)
          .map((one) => [one.textContent.slice(0, 30), getComputedStyle(one).color, ground(one)]);
        """
    )
    assert len(pairs) > 40

    def parse(colour: str) -> tuple[int, int, int]:
        red, green, blue = json.loads(f"[{colour.partition('(')[2].rstrip(')')}]")[:3]
        return red, green, blue

    for text, colour, behind in pairs:
        assert measure_contrast(parse(colour), parse(behind)) >= 4.5, text


def test_the_theme_can_be_chosen(page: Any) -> None:
    page.find_element(By.XPATH, "//summary[contains(., 'theme')]").click()
    button = page.find_element(By.ID, "theme")
    seen = []
    for _ in range(3):
        button.click()
        seen.append((button.text, page.execute_script("return getComputedStyle(document.body).colorScheme")))
    assert seen == [
        ("Theme: light", "light"),
        ("Theme: dark", "dark"),
        ("Theme: as the system", "light dark"),
    ]


@pytest.mark.parametrize(
    "config", [GameConfig(1), GameConfig(7, ("corruption_and_ascension",))], ids=["1", "7"]
)
def test_pages_of_few_and_of_many_seats(browser: Any, tmp_path: Path, config: GameConfig) -> None:
    record = next(record_games(config, 1, 2, checks=False))
    path = tmp_path / "game.html"
    path.write_text(write_page(record), encoding="utf-8")
    set_screen(browser, LAPTOP)
    browser.get(path.as_uri())
    for key in (Keys.ARROW_DOWN, "0", Keys.ARROW_DOWN, Keys.END):
        press(browser, key)
    assert count_of(browser) == len(record["moves"])
    assert read_points(browser) == record["result"]["scores"]
    assert browser.get_log("browser") == []
