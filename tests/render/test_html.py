"""The table as HTML: well formed, complete, and escaped."""

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from iaww_env.cards import kind
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.render import game_to_html
from iaww_env.render.html import COLOURS, _show_card
from tests.modes import CA
from tests.render.played_games import play
from tests.render.shown_text import list_missing, name_sites


class Reader(HTMLParser):
    """Reads HTML strictly: every element that is opened is closed, in order."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.titles: list[str] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.titles += [value or "" for name, value in attrs if name == "title"]
        assert {name for name, _ in attrs} <= {"class", "style", "title"}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("div", "td", "th", "p"):
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.text += data


@pytest.mark.parametrize("players", [1, 2, 7])
def test_html_is_well_formed_and_complete(players: int) -> None:
    for game, step, _ in play(GameConfig(players, CA), seed=17):
        if step % 29 and not game.over:
            continue
        source = game_to_html(game)
        reader = Reader(source)
        lines = reader.text.splitlines()
        assert set(reader.tags).isdisjoint({"script", "link", "img", "iframe"})
        assert "://" not in source
        for seat in range(players):
            for label, missing in name_sites(game, seat):
                name, _, copy = label.partition("#")
                number = f" #{copy}" if copy else ""
                assert f"{kind(name).name_en}{number} ({list_missing(missing)})" in lines
            for one in (*game.drafted(seat), *game.built(seat)):
                assert any(re.fullmatch(rf"{re.escape(kind(one).name_en)}( ×\d)?", line) for line in lines)
        # One page may be white, the next black: nothing but middle tones, and no background.
        assert set(re.findall(r"color:([^;\"}]+)", source)) <= {*COLOURS.values(), "currentColor"}
        assert "background" not in source


def test_html_escapes_what_it_shows() -> None:
    assert "Corruption &amp; Ascension" in game_to_html(Game(GameConfig(2, CA), seed=1))
    odd = "<script>alert('x')</script> & \"y\""
    reader = Reader(_show_card(dataclasses.replace(kind("zeppelin"), name_en=odd), 1, [], "#"))
    assert reader.tags == ["div"]
    assert reader.text == odd + "\n"
    assert reader.titles[0].startswith(odd)
