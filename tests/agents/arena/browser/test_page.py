"""The page in a browser: whole games by clicks and by keys, several tabs, lost connections, screens."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from iaww_env.config import GameConfig
from iaww_env.records import read_records, replay
from iaww_env.viewer.colours import measure_contrast
from tests.viewer.browsers import PHONE, list_requests, open_browser, set_screen, skip_without_browser

skip_without_browser()
for library in ("starlette", "uvicorn", "wsproto"):
    pytest.importorskip(library, reason='the server needs pip install "iaww-env[browser]"')

from selenium.webdriver import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

from iaww_agents.arena.browser import server  # noqa: E402
from tests.agents.arena.browser.served import Served, choose_first, serve_game  # noqa: E402

LAPTOP = (1366, 768)
LONGEST = 60.0
CHOICE = "[data-choice='{}']"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("browser")) as driver:
        yield driver


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A browser without a page; when the test is over nothing may have gone wrong, or reached the network."""
    set_screen(browser, LAPTOP)
    browser.get("about:blank")
    browser.get_log("browser")
    list_requests(browser)
    yield browser
    assert browser.get_log("browser") == []
    foreign = ("http://127.0.0.1:", "data:", "about:", "ws://127.0.0.1:")
    assert [one for one in list_requests(browser) if not one.startswith(foreign)] == []


def until(is_there: Callable[[], Any]) -> Any:
    latest = time.monotonic() + LONGEST
    while not (found := is_there()):
        assert time.monotonic() < latest
        time.sleep(0.005)
    return found


def read(page: Any, id: str) -> str:
    return str(page.execute_script("return document.getElementById(arguments[0]).textContent", id))


def await_question(page: Any, after: int = 0) -> dict[str, Any]:
    """What the page shows, once the next thing is asked and can be chosen, or the game is over."""
    script = (
        "if (!state || !(state.question > arguments[0] || state.outcome)) return null;"
        "const {status, question, choices, stage} = state;"
        "return {status, question, stage, choices: choices || []}"
    )
    found: dict[str, Any] = until(lambda: page.execute_script(script, after))
    return found


def open_page(page: Any, served: Served) -> dict[str, Any]:
    page.get(served.address)
    return await_question(page)


def click(page: Any, action: str) -> None:
    choice = page.find_element(By.CSS_SELECTOR, CHOICE.format(action))
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", choice)
    choice.click()


def press(page: Any, *keys: str) -> None:
    ActionChains(page).send_keys(*keys).perform()


def get_focus(page: Any) -> str:
    return str(page.execute_script("return document.activeElement.dataset.choice || ''"))


def check_width(page: Any, size: tuple[int, int]) -> None:
    """Nobody scrolls sideways, and letters have at least twelve pixels."""
    assert page.execute_script("return document.documentElement.scrollWidth") <= size[0]
    least = page.execute_script(
        "return Math.min(...[...document.querySelectorAll('svg[viewBox^=\"0 0 360\"]')]"
        ".map(one => one.getBoundingClientRect().width).filter(width => width > 0)) / 360 * 12"
    )
    assert least >= 12


def test_a_whole_game_by_clicks_with_a_reload_and_a_second_tab(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with serve_game(GameConfig(2), path=path) as served:
        state = open_page(page, served)
        clicks, tabs = 0, page.window_handles
        while state["status"] == "asked":
            recycled = [one["action"] for one in state["choices"] if one["action"].startswith("recycle")]
            click(page, recycled[0] if recycled and clicks % 2 else choose_first(state))
            clicks += 1
            if clicks == 20:
                before = await_question(page, state["question"])
                page.refresh()
                assert await_question(page) == before
            elif clicks == 30:  # goes on in a second tab; the first one shows the same
                await_question(page, state["question"])
                page.switch_to.new_window("tab")
                state = open_page(page, served)
                click(page, choose_first(state))
                state = await_question(page, state["question"])
                page.close()
                page.switch_to.window(tabs[0])
                assert await_question(page, state["question"] - 1) == state
                continue
            state = await_question(page, state["question"])
        assert clicks > 50
        assert read(page, "duty") == "The game has ended."
        (record,) = read_records(path)
        scores = replay(record).scores()
        assert [seat for seat, _ in record["moves"]].count(0) >= clicks
        rows = page.execute_script(
            "return [...document.querySelectorAll('#sources tr')]"
            ".map(row => [...row.children].map(cell => cell.textContent))"
        )
        assert rows[0][1:] == ["seat 0", "seat 1"]
        assert rows[-1] == ["in all", *map(str, scores)]
        assert read(page, "saved").endswith(f"iaww replay {path}")
        for size in (LAPTOP, PHONE):
            set_screen(page, size)
            check_width(page, size)
        page.find_element(By.ID, "leave").click()
        served.thread.join(10)
        assert not served.thread.is_alive()


def test_the_game_is_played_by_keys_alone(page: Any) -> None:
    with serve_game(GameConfig(2)) as served:
        state = open_page(page, served)
        press(page, Keys.ARROW_DOWN)
        assert get_focus(page) == state["choices"][0]["action"]
        style = page.execute_script(
            "const style = getComputedStyle(document.activeElement.querySelector('.act'));"
            "return [style.strokeWidth, style.strokeDasharray]"
        )
        assert style == ["4px", "none"], "what has the focus is seen"
        for key in (Keys.ENTER, Keys.SPACE, *[Keys.ENTER] * 5):
            if "draft" in state["stage"]:
                assert get_focus(page), "it stays among the choices"
                press(page, key)
                state = await_question(page, state["question"])
        assert "planning" in state["stage"]
        press(page, "u")
        assert "stands" in read(page, "said") or "nothing to take back" in read(page, "said")
        press(page, "3")
        third = get_focus(page)
        press(page, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
        state = await_question(page, state["question"])
        assert served.fixture.config.players == 2
        own = [action for seat, action in served.file.moves if seat == 0]
        assert served.session.read()[0] > 3
        assert third.startswith(("slate:", "recycle:"))
        assert len(own) >= 8
        press(page, "h")
        until(lambda: "greedy would " in read(page, "said"))
        assert len(page.find_elements(By.CSS_SELECTOR, ".choice.hinted")) == 1
        press(page, "u")
        state = await_question(page, state["question"])
        assert "taken back" in read(page, "news")
        while not any(one["loss"] for one in state["choices"]):
            press(page, "1", Keys.ENTER)
            state = await_question(page, state["question"])
        given = next(one for one in state["choices"] if one["loss"])
        for key, question in ((Keys.ESCAPE, state["question"]), (Keys.TAB, state["question"] + 1)):
            focus = "document.querySelector(arguments[0]).focus()"
            page.execute_script(focus, CHOICE.format(given["action"]))
            press(page, Keys.ENTER)
            assert until(lambda: page.find_element(By.ID, "ask").is_displayed())
            assert read(page, "ask-about") == given["loss"]
            press(page, key, *([Keys.ENTER] if key == Keys.TAB else []))
            until(lambda: not page.find_element(By.ID, "ask").is_displayed())
            assert await_question(page, question - 1)["question"] == question
        assert "given up" in read(page, "news")


def test_news_are_read_from_the_first_line_on_and_have_room(page: Any) -> None:
    with serve_game(GameConfig(3)) as served:
        open_page(page, served)
        for count in (12, 90):
            shown = page.execute_script(
                "state = {...state, since: state.news.length,"
                "news: [...state.news, ...Array.from({length: arguments[0]}, (_, n) => `news ${n}`)]};"
                "find('news-box').scrollTop = 33; showNews();"
                "const box = find('news-box').getBoundingClientRect();"
                "return [...find('news').children].filter(one => {const {top, bottom} ="
                "one.getBoundingClientRect(); return top >= box.top && bottom <= box.bottom + 1})"
                ".map(one => one.textContent)",
                count,
            )
            assert shown[0] == "news 0"
            assert len(shown) >= 12


def test_a_choice_is_played_once_however_often_it_is_clicked(page: Any) -> None:
    with serve_game(GameConfig(2)) as served:
        state = open_page(page, served)
        card = page.find_element(By.CSS_SELECTOR, CHOICE.format(state["choices"][0]["action"]))
        ActionChains(page).double_click(card).click(card).perform()
        later = await_question(page, state["question"])
        assert later["question"] == state["question"] + 1
        assert sum(seat == 0 for seat, _ in served.file.moves) == 1


def test_a_lost_connection_is_told_and_mended(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    servers: list[Any] = []

    class Kept(server.uvicorn.Server):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            servers.append(self)

        async def serve(self, sockets: Any = None) -> None:
            self.loop = asyncio.get_running_loop()
            await super().serve(sockets)

    monkeypatch.setattr(server.uvicorn, "Server", Kept)
    with serve_game(GameConfig(2)) as served:
        state = open_page(page, served)
        until(lambda: read(page, "line") == "Connected")
        page.execute_script(
            "window.lines = [];"
            "new MutationObserver(() => lines.push(document.getElementById('line').textContent))"
            ".observe(document.getElementById('line'), {childList: true})"
        )
        (running,) = servers
        for line in list(running.server_state.connections):
            running.loop.call_soon_threadsafe(line.transport.abort)
        until(lambda: page.execute_script("return lines.length") >= 2)
        lost = ["Connection lost: trying again ...", "Connected"]
        assert page.execute_script("return lines") == lost
        click(page, choose_first(state))
        assert await_question(page, state["question"])["status"] == "asked"
    until(lambda: "ended" in read(page, "line"))
    assert read(page, "outcome") == "You have left the game."


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_is_read_on_every_screen(page: Any, size: tuple[int, int], dark: bool) -> None:
    set_screen(page, size, dark)
    with serve_game(GameConfig(3), seed=5) as served:
        state = open_page(page, served)
        check_width(page, size)
        while "planning" not in state["stage"]:
            served.play(served.await_question(), choose_first(state))
            state = await_question(page, state["question"])
        served.play(served.await_question(), choose_first(state))
        await_question(page, state["question"])
        check_width(page, size)
        check_texts(page)
        check_buttons(page)


def check_texts(page: Any) -> None:
    """The contrast that WCAG 2 asks for, on buttons in the drawing too."""
    pairs = page.execute_script(
        """
        const ground = (one) => {
          for (let at = one; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return colour;
          }
        };
        const texts = [...document.querySelectorAll('h1,h2,p,li,button,summary')]
          .filter((one) => one.textContent.trim() && one.offsetParent && !one.disabled)
          .map((one) => [one.textContent.slice(0, 30), getComputedStyle(one).color, ground(one)]);
        const buttons = [...document.querySelectorAll('.button')].map((one) => [
          one.textContent, getComputedStyle(one.querySelector('text')).fill,
          getComputedStyle(one.querySelector('.act')).fill]);
        return [...texts, ...buttons];
        """
    )
    assert len(pairs) > 15

    def parse(colour: str) -> tuple[int, int, int]:
        red, green, blue = json.loads(f"[{colour.partition('(')[2].rstrip(')')}]")[:3]
        return red, green, blue

    for text, colour, behind in pairs:
        assert measure_contrast(parse(colour), parse(behind)) >= 4.5, text


def check_buttons(page: Any) -> None:
    """All that can be chosen is reached by Tab, has a name and a role, and is large enough for a finger."""
    told = page.execute_script(
        "return [...document.querySelectorAll('[data-choice]')].map(one => {"
        "const box = (one.querySelector('.act')).getBoundingClientRect(),"
        "label = one.querySelector('text').getBoundingClientRect();"
        "return [one.getAttribute('role'), one.getAttribute('aria-label'), one.tabIndex,"
        "box.width, box.height, label.left - box.left, box.right - label.right,"
        "Boolean(one.closest('[role=img]'))]})"
    )
    assert len(told) > 8
    for role, name, tab, width, height, left, right, is_hidden in told:
        assert (role, tab, is_hidden) == ("button", 0, False)
        assert name
        assert width >= 24
        assert height >= 24
        assert min(left, right) > 0, f"{name} fits its button"
    live = page.execute_script(
        "return ['duty', 'news', 'line', 'said'].map(id => {"
        "const one = document.getElementById(id);"
        "return one.getAttribute('aria-live') || one.getAttribute('role')})"
    )
    assert live == ["polite", "polite", "status", "alert"]
