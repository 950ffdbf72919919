"""A record as one page that shows every position: for a browser, without network and without a server.

The page holds what every seat saw beside what a spectator sees. A replay is not for keeping secrets: the
seat that is chosen in the page says only what is drawn.

Strips and panels that come again stand in the page once. Everything that a record says reaches the page as
JSON whose "<" are escaped, and its script writes it as text, never as HTML.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from iaww_env.cards import empire
from iaww_env.game import Game
from iaww_env.records.form import ParsedRecord, name_players, parse_record
from iaww_env.records.replay import play_moves
from iaww_env.render.seen import SeenGame, clean_names, look_at_game
from iaww_env.viewer.colours import read_template
from iaww_env.viewer.drawing import WIDTH, Panel, Strip
from iaww_env.viewer.legend import draw_legend
from iaww_env.viewer.moves import describe_move, name_stage
from iaww_env.viewer.panels import draw_seen
from iaww_env.viewer.svg import LETTERS, panel_to_json, write_signs, write_strip

MARK = '<meta name="generator" content="iaww replay">'  # by it a page of ours is known
SCRIPTS = ("panels.js", "page.js", "chart.js", "replay.js")
STYLES = ("drawing.css", "page.css")
LONGEST_NOTE = 2000  # letters of what `meta` says


class PageTemplate(NamedTuple):
    """What a page is filled from; `page` names the other two, their digests, the title and the facts."""

    page: str
    style: str
    script: str


def holds_page(begin: bytes) -> bool:
    """Whether a file with these first bytes is a page that was written here."""
    return MARK.encode() in begin


def write_page(record: Mapping[str, Any], number: int = 1, name: str = "") -> str:
    """The page that replays a record.

    Args:
        record: A record, as `read_records` gives it.
        number: Its place in its file, counted from 1.
        name: What the file is called.

    Raises:
        RecordError: The record is garbled, or its moves cannot be played.
    """
    parsed = parse_record(record, number)
    story = _Story(parsed, name_players(record.get("meta")))
    for move, game in play_moves(parsed):
        story.tell_position(move, game)
    title = f"game {number} of {name}" if name else f"game {number}"
    note = json.dumps(record["meta"], ensure_ascii=False)[:LONGEST_NOTE] if record.get("meta") else ""
    return fill_page(title, {"title": title, "note": note, **story.list_facts()})


def fill_page(title: str, facts: Mapping[str, Any], template: PageTemplate | None = None) -> str:
    """A page with its style, its script and what they show; that of a replay where no other is given."""
    page, style, script = template or PageTemplate(
        read_template("page.html"),
        "\n".join(map(read_template, STYLES)),
        "\n".join(map(read_template, SCRIPTS)),
    )
    data = json.dumps(facts, separators=(",", ":"), allow_nan=False)
    parts = {
        "TITLE": _escape(title),
        "STYLE": style,
        "SIGNS": write_signs(),
        "SCRIPT": script,
        "DATA": data.replace("<", "\\u003c"),
        "STYLE_HASH": _hash(style),
        "SCRIPT_HASH": _hash(script),
    }
    # In one go: what is filled in is not looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _Store:
    """Things that come again, each kept once and named by a number."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def keep(self, key: Any, item: Any = None) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.items)
            self.items.append(key if item is None else item)
        return number


class _Story:
    """What the page tells of a game, gathered position by position."""

    def __init__(self, parsed: ParsedRecord, agents: tuple[str, ...]) -> None:
        self._parsed = parsed
        self._agents = clean_names(agents, parsed.config.players)
        self._strips, self._panels, self._tables, self._texts = _Store(), _Store(), _Store(), _Store()
        # By identity, which is quicker than to compare; what was drawn is kept with it.
        self._drawn: dict[int, tuple[Panel | Strip, int]] = {}
        players = parsed.config.players
        self._views: list[list[int]] = [[] for _ in range(players + 1)]  # the spectator, then the seats
        self._seen: dict[int | None, SeenGame] = {}  # by viewer, what was seen last
        self._stages: list[int] = []
        self._phases: list[int] = []
        self._rounds: list[int] = []  # the first position of each
        self._stage_names, self._phase_numbers = _Store(), _Store()
        self._points: list[list[int]] = []
        self._moves: list[list[int]] = []
        self._legal: list[list[int]] = []
        self._thoughts = {thought.move: thought for thought in parsed.thoughts}
        self._told: dict[int, dict[str, Any]] = {}

    def tell_position(self, number: int, game: Game) -> None:
        """Note the position before a move, or after the last one."""
        parsed = self._parsed
        has_move = number < len(parsed.moves)
        mover, action = parsed.moves[number] if has_move else (None, 0)
        began = self._note_stage(game)
        self._views[0].append(self._keep_view(game, None, mover))
        last = parsed.moves[number - 1][0] if number else None
        for seat, shown in enumerate(self._views[1:]):
            # Until the stage ends, nothing that a seat sees is changed by the others (rulings 1 and 10).
            if shown and not began and seat != last:
                shown.append(shown[-1])
            else:
                shown.append(self._keep_view(game, seat, None))
        self._points.append(game.scores())
        if mover is not None:
            self._note_move(number, game, mover, game.actions.to_text(action))

    def _note_stage(self, game: Game) -> bool:
        """Note in which phase and in which pick a position lies; whether that has just begun."""
        state = game.state
        phase = (int(state.round), int(state.phase), int(state.step))
        stage = self._stage_names.keep((*phase, int(state.pick)), name_stage(game))
        began = not self._stages or self._stages[-1] != stage
        if len(self._rounds) < game.round:
            self._rounds.append(len(self._phases))
        self._phases.append(self._phase_numbers.keep(phase))
        self._stages.append(stage)
        return began

    def _note_move(self, number: int, game: Game, seat: int, text: str) -> None:
        """Note a move, what else was legal, and what was thought of it."""
        self._moves.append([seat, self._keep_action(game, seat, text)])
        self._legal.append([self._keep_action(game, seat, one) for one in game.legal_texts(seat)])
        thought = self._thoughts.get(number)
        if thought is not None:
            values = [[self._keep_action(game, seat, one), value] for one, value in thought.values.items()]
            self._told[number] = {"of": thought.of, "values": values}

    def _keep_action(self, game: Game, seat: int, text: str) -> int:
        return self._texts.keep((text, describe_move(game, seat, text)))

    def _keep_view(self, game: Game, viewer: int | None, turn: int | None) -> int:
        seen = self._seen[viewer] = look_at_game(game, viewer, self._seen.get(viewer), self._agents)
        return self._tables.keep(tuple(map(self._keep_panel, draw_seen(game, seen, turn))))

    def _keep_panel(self, panel: Panel) -> int:
        known = self._drawn.get(id(panel))
        if known is None:
            strips = tuple(map(self._keep_strip, panel.strips))
            number = self._panels.keep((panel.name, panel.title, strips))
            known = self._drawn[id(panel)] = (panel, number)
        return known[1]

    def _keep_strip(self, strip: Strip) -> int:
        known = self._drawn.get(id(strip))
        if known is None:
            number = self._strips.keep((strip.height, write_strip(strip), " ".join(strip.actions)))
            known = self._drawn[id(strip)] = (strip, number)
        return known[1]

    def list_facts(self) -> dict[str, Any]:
        """All that the page's script needs, numbers leading from one list into the other."""
        config = self._parsed.config
        names = [empire(str(one), str(config.empire_side)).name_en for one in config.empires or ()]
        return {
            "letters": LETTERS,
            "width": WIDTH,
            "signs": panel_to_json(draw_legend()),
            "seats": names,
            "agents": self._agents,
            "strips": self._strips.items,
            "panels": self._panels.items,
            "tables": self._tables.items,
            "views": self._views,
            "stages": self._stages,
            "stageNames": self._stage_names.items,
            "phases": self._phases,
            "rounds": self._rounds,
            "points": self._points,
            "texts": self._texts.items,
            "moves": self._moves,
            "legal": self._legal,
            "thoughts": self._told,
        }
