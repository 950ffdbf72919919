"""The page of a game that is played: drawing and style of a replay, and a script that asks the server."""

from __future__ import annotations

from iaww_agents.arena.play.schedule import Fixture
from iaww_env.viewer.colours import read_template
from iaww_env.viewer.drawing import WIDTH
from iaww_env.viewer.legend import draw_legend
from iaww_env.viewer.pages import PageTemplate, fill_page
from iaww_env.viewer.svg import LETTERS, panel_to_json

TITLE = "It's a Wonderful World"


def write_play_page(fixture: Fixture, seat: int) -> str:
    """The page for a seat. It holds nothing of the game, its seed neither: all comes from the stream."""
    drawn = ("drawing.css", "page.css"), ("panels.js", "page.js")
    own = ("play.css",), ("choices.js", "play.js")
    style, script = (
        "\n".join([*map(read_template, ours), *(read_template(name, __package__) for name in theirs)])
        for ours, theirs in zip(drawn, own, strict=True)
    )
    facts = {
        "title": TITLE,
        "letters": LETTERS,
        "width": WIDTH,
        "signs": panel_to_json(draw_legend()),
        "players": [f"seat {at}: {spec}" for at, spec in enumerate(fixture.agents)],
        "seat": seat,
    }
    return fill_page(TITLE, facts, PageTemplate(read_template("play.html", __package__), style, script))
