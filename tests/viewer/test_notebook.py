"""What a game shows of itself in a notebook: well formed, complete, escaped, and a stranger to its page."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from iaww_env.cards import kind
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.viewer import game_to_html
from iaww_env.viewer.cards import draw_card
from iaww_env.viewer.colours import find_hex, list_roles, read_template
from iaww_env.viewer.drawing import Panel
from iaww_env.viewer.svg import write_panel
from tests.modes import CA
from tests.viewer.drawn_games import list_positions

SVG = "http://www.w3.org/2000/svg"


class Reader(HTMLParser):
    """Reads HTML strictly: every element that is opened is closed, in order."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = {name for name, _ in attrs}
        assert not any(name.startswith("on") for name in names)
        assert names.isdisjoint({"src", "href", "id"}), "nothing is fetched, no name of the page is taken"
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.text += f"{data}\n"


@pytest.mark.parametrize("players", [1, 2, 7])
def test_what_a_notebook_shows_is_well_formed_and_complete(players: int) -> None:
    for game, _ in list_positions(GameConfig(players, CA), 17, 29):
        source = game._repr_html_()
        assert source == game_to_html(game)
        reader = Reader(source)
        assert set(reader.tags).isdisjoint({"script", "link", "img", "iframe", "use"})
        assert "://" not in source.replace(SVG, "")
        lines = reader.text.splitlines()
        for seat in range(players):
            for one in (*game.drafted(seat), *game.built(seat)):
                assert any(re.fullmatch(rf"{re.escape(kind(one).name_en)}( x\d)?", line) for line in lines)


def test_every_colour_stands_there_also_without_the_style() -> None:
    source = game_to_html(Game(GameConfig(3), seed=4))
    bare = re.sub("<style>.*?</style>", "", source)
    used = re.findall(r' (?:fill|stroke)="([^"]+)"', bare)
    assert len(used) > 100
    for colour in set(used) - {"none"}:
        found = re.fullmatch(r"var\(--(\w+),(#[0-9a-f]{6})\)", colour)
        assert found is not None
        assert found[1] in list_roles()
        assert found[2] == find_hex(found[1])


def test_the_style_touches_nothing_else_on_the_page() -> None:
    rules = re.sub(r"/\*.*?\*/", "", read_template("drawing.css"), flags=re.DOTALL)
    selectors = [one for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]
    assert len(selectors) > 8
    assert all(re.search(r"\.iaww\b", one) for one in selectors)


def test_what_is_shown_is_escaped() -> None:
    odd = "<script>alert('x')</script> & \"y\""
    strip = draw_card(dataclasses.replace(kind("zeppelin"), name_en=odd))
    reader = Reader(write_panel(Panel("pack", odd, (strip,)), plain=True))
    assert "script" not in reader.tags
    assert odd in reader.text.splitlines()
