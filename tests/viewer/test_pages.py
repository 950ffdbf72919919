"""The page of a record: it needs nothing else, trusts nothing, is small, and holds what is drawn."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from iaww_env.config import GameConfig
from iaww_env.errors import RecordError
from iaww_env.random_games import record_games
from iaww_env.records.form import parse_record
from iaww_env.records.replay import play_moves
from iaww_env.viewer.colours import read_template
from iaww_env.viewer.pages import MARK, SCRIPTS, holds_page, write_page
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.svg import panel_to_json
from tests.modes import CA, MODES

ODD = "</script><script>alert('x')</script><!-- \u2028 ]]>"


def make_record(config: GameConfig, seed: int = 3) -> dict[str, Any]:
    return next(record_games(config, 1, seed, checks=False))


def read_facts(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="facts">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    facts: dict[str, Any] = json.loads(found[0])
    return facts


class Outline(HTMLParser):
    """The elements of a page, and what it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.led_to: list[str] = []
        self.handlers: list[str] = []
        self.policy = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "srcset", "action", "data", "poster"):
                self.led_to.append(value or "")
            if name.startswith("on") or name == "style":
                self.handlers.append(name)
            if name == "content" and "default-src" in (value or ""):
                self.policy = value or ""


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return make_record(GameConfig(3))


@pytest.fixture(scope="module")
def page(record: dict[str, Any]) -> str:
    return write_page(record, 2, "games.jsonl")


def test_a_page_needs_nothing_else(page: str) -> None:
    outline = Outline(page)
    assert all(led.startswith(("#", "data:,")) for led in outline.led_to)
    assert outline.handlers == []
    assert outline.tags.count("script") == 2
    assert re.findall(r"https?:", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert "{{" not in page
    assert "import(" not in page
    assert page.startswith("<!doctype html>")


def test_a_page_allows_its_own_script_and_style_alone(page: str) -> None:
    policy = dict(part.split(maxsplit=1) for part in Outline(page).policy.split("; "))
    assert policy["default-src"] == "'none'"
    for name, pattern in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        inside = re.search(pattern, page, re.DOTALL)
        assert inside is not None
        digest = base64.b64encode(hashlib.sha256(inside[1].encode()).digest()).decode()
        assert policy[name] == f"'sha256-{digest}'"


def test_a_page_trusts_no_record(record: dict[str, Any]) -> None:
    odd = write_page(record | {"meta": {"seats": [ODD], ODD: 1}}, 1, ODD)
    outline = Outline(odd)
    assert outline.tags.count("script") == 2
    assert "alert('x')</script>" not in odd
    facts = read_facts(odd)
    assert ODD in json.loads(facts["note"])["seats"]
    assert facts["title"] == f"game 1 of {ODD}"


def test_scripts_write_what_a_record_says_as_text() -> None:
    """HTML is made of nothing but what Python drew."""
    for name in SCRIPTS:
        for line in read_template(name).splitlines():
            if "innerHTML" in line or "insertAdjacentHTML" in line:
                assert line.strip() == "shown.innerHTML = writePanel(panel, width, letters);"
            assert "eval(" not in line


def test_a_page_is_known_by_its_first_bytes(page: str) -> None:
    assert holds_page(page.encode()[:4096])
    assert not holds_page(b"<!doctype html><html><body>theirs</body></html>")
    assert not holds_page(b"")
    assert MARK in page[:200]


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo", "solo-ascension-sc01"])
def test_a_page_holds_every_position_as_it_is_drawn(mode: str) -> None:
    """For every viewer, though a view is drawn anew only where it can have changed."""
    record = make_record(MODES[mode])
    facts = read_facts(write_page(record))
    players = MODES[mode].players
    assert len(facts["views"]) == players + 1
    for move, game in play_moves(parse_record(record)):
        mover = record["moves"][move][0] if move < len(record["moves"]) else None
        for viewer in (None, *range(players)):
            table = facts["tables"][facts["views"][0 if viewer is None else viewer + 1][move]]
            shown = [facts["panels"][number] for number in table]
            drawn = [panel_to_json(panel) for panel in draw_game(game, viewer, mover)]
            assert [[one["name"], one["title"]] for one in drawn] == [one[:2] for one in shown]
            for one, (_, _, strips) in zip(drawn, shown, strict=True):
                assert one["strips"] == [facts["strips"][number] for number in strips]
        assert facts["points"][move] == game.scores()
        if mover is not None:
            assert facts["texts"][facts["moves"][move][1]][0] == record["moves"][move][1]
            legal = [facts["texts"][number][0] for number in facts["legal"][move]]
            assert legal == game.legal_texts(mover)
    assert facts["stages"] == sorted(facts["stages"]), "what is of a later stage has a higher number"
    assert len(facts["rounds"]) == 4


def test_thoughts_stand_on_the_page(record: dict[str, Any]) -> None:
    text = record["moves"][5][1]
    thoughts = [{"move": 5, "of": "probability", "values": {text: 0.625}}]
    facts = read_facts(write_page(record | {"thoughts": thoughts}))
    assert list(facts["thoughts"]) == ["5"]
    said = facts["thoughts"]["5"]
    assert said["of"] == "probability"
    assert [(facts["texts"][number][0], value) for number, value in said["values"]] == [(text, 0.625)]


@pytest.mark.parametrize(("config", "most"), [(GameConfig(4), 2_000_000), (GameConfig(7, CA), 6_000_000)])
def test_pages_are_small(config: GameConfig, most: int) -> None:
    """Random games have twice as many moves as those of anybody who plays to win."""
    record = make_record(config)
    assert len(record["moves"]) > 250
    assert len(write_page(record).encode()) < most


def test_a_game_that_is_not_over_has_a_page(record: dict[str, Any]) -> None:
    begun = {name: value for name, value in record.items() if name != "result"}
    for moves in (0, 1, 30):
        facts = read_facts(write_page(begun | {"moves": record["moves"][:moves]}))
        assert len(facts["points"]) == moves + 1
        assert all(len(view) == moves + 1 for view in facts["views"])


def test_broken_records_have_no_page(record: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="record 3: move 0"):
        write_page(record | {"moves": [[0, "end"], *record["moves"]]}, 3)


def test_who_plays_is_told_where_the_record_says_it(record: dict[str, Any]) -> None:
    """Names of strangers are cut, stay in one line, and are told for every seat or for none."""
    agents = ["you", f"{ODD}\n\u202eend", "search:worlds=64," * 20]
    facts = read_facts(write_page(record | {"meta": {"agents": agents}}))
    shown = facts["agents"]
    assert shown[0] == "a person", "whoever reads it did not play"
    assert all(name.isprintable() and len(name) <= 60 for name in shown)
    assert shown[1].startswith("</script><script>alert('x')</script>")
    assert shown[2].startswith("search:worlds=64,")
    titles = {title for name, title, _ in facts["panels"] if name.startswith("seat-")}
    assert [sum(title.endswith(f" \u00b7 {name}") for title in titles) for name in shown] == [1, 1, 1]
    for odd in (["ppo"], ["ppo", 3, "ppo"], "ppo", None, ["ppo"] * 4):
        facts = read_facts(write_page(record | {"meta": {"agents": odd}}))
        assert facts["agents"] == []
        assert not any("\u00b7" in title for _, title, _ in facts["panels"])


def test_one_cube_is_one_material(record: dict[str, Any]) -> None:
    told = " ".join(words for _, words in read_facts(write_page(record))["texts"])
    assert "1 material on" in told
    assert "1 materials" not in told
