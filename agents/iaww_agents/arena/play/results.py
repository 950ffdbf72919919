"""How a game ended: one JSON object on one line, so that a tournament can stop and go on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

import iaww_env
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import rulebook
from iaww_env.cards import scenario
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.engine.kernels.game import score_row
from iaww_env.errors import ConfigError, IawwError, quote

# What became of a game: played to its end, or lost by the seat that offended.
OK, CRASH, ILLEGAL, TIMEOUT = "ok", "crash", "illegal", "timeout"
STATUSES = (OK, CRASH, ILLEGAL, TIMEOUT)
FORMAT = "iaww-match"
FORMAT_VERSION = 1

Key = tuple[GameConfig, int, tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes:
        fixture: Which game it was.
        points: By seat; all 0 where the game broke off.
        places: By seat, counted from 1; equal seats share one. Who broke the game off is last, and the
            others share the first place.
        status: "ok", "crash", "illegal" or "timeout".
        offender: The seat that broke the game off, or None.
        reason: Why, in words.
        award: Solo: the medal or the title, None where there is none.
        decisions: Decisions in which a seat had a choice; 0 where nobody counted.
        seconds: How long the game took, roughly.
        version: Of iaww-env.
    """

    fixture: Fixture
    points: tuple[int, ...]
    places: tuple[int, ...]
    status: str = OK
    offender: int | None = None
    reason: str = ""
    award: str | None = None
    decisions: int = 0
    seconds: float = 0.0
    version: str = iaww_env.__version__

    @property
    def key(self) -> Key:
        """Tells this game from all others."""
        return find_key(self.fixture, self.version)

    @property
    def is_void(self) -> bool:
        """Whether the game broke off and nobody is to blame: then it counts for nobody."""
        return self.status != OK and self.offender is None

    @property
    def agents(self) -> tuple[str, ...]:
        """Specs of the bots, by seat."""
        return self.fixture.agents

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a file."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": self.version,
            "config": self.fixture.config.to_dict(),
            "deal": self.fixture.deal,
            "seed": self.fixture.seed,
            "agents": list(self.fixture.agents),
            "points": list(self.points),
            "places": list(self.places),
            "status": self.status,
            "offender": self.offender,
            "reason": self.reason,
            "award": self.award,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Result:
        """The result that a line of a file describes."""
        if fields["format"] != FORMAT or fields["format_version"] != FORMAT_VERSION:
            raise ConfigError(f"this is no {FORMAT} of version {FORMAT_VERSION}")
        config = GameConfig.from_dict(fields["config"])
        fixture = Fixture(int(fields["deal"]), int(fields["seed"]), tuple(fields["agents"]), config)
        lengths = {len(fields[name]) for name in ("agents", "points", "places")}
        if lengths != {config.players} or fields["status"] not in STATUSES:
            raise ConfigError(f"agents, points and places must be {config.players}, the status {STATUSES}")
        return cls(
            fixture,
            tuple(fields["points"]),
            tuple(fields["places"]),
            fields["status"],
            fields["offender"],
            fields["reason"],
            fields["award"],
            fields["decisions"],
            fields["seconds"],
            fields["version"],
        )


def find_key(fixture: Fixture, version: str = iaww_env.__version__) -> Key:
    """What tells a game from all others."""
    return fixture.config, fixture.seed, fixture.agents, version


# --- How a game ended ------------------------------------------------------------------------------


def make_result(fixture: Fixture, row: States, *, decisions: int = 0, seconds: float = 0.0) -> Result:
    """The result of a game that is over, from its row."""
    players = fixture.config.players
    points, places = np.empty(players, np.int16), np.empty(players, np.int16)
    is_won = bool(score_row(row, points, places))
    award = find_award(fixture.config, int(points[0]), is_won)
    scores = tuple(points.tolist()), tuple(places.tolist())
    return Result(fixture, *scores, award=award, decisions=decisions, seconds=seconds)


def list_awards(is_scenario: bool) -> tuple[str, ...]:
    """The medals of a scenario, or the titles of a standard game, the best first."""
    return (
        rulebook.MEDALS if is_scenario else (*(title for _, title in rulebook.TITLES), rulebook.LEAST_TITLE)
    )


def find_award(config: GameConfig, points: int, is_won: bool) -> str | None:
    """Solo: the medal of a scenario, the title of a standard game (rulings 13 and 14)."""
    if not config.solo:
        return None
    if config.scenario is None:
        return rulebook.find_title(points)
    return scenario(config.scenario).find_medal(points) if is_won else None


def make_fault(fixture: Fixture, seat: int | None, status: str, reason: str, seconds: float = 0.0) -> Result:
    """A game that broke off: it is lost for the seat that offended; the others share the rest.

    Where nobody is to blame (`seat` is None) all places are shared.
    """
    players = fixture.config.players
    places = tuple(players if one == seat and players > 1 else 1 for one in range(players))
    return Result(fixture, (0,) * players, places, status, seat, reason, seconds=seconds)


# --- Files -----------------------------------------------------------------------------------------


class ResultFile:
    """A JSON Lines file of results that grows game by game.

    A last line that was cut short, as when a tournament was killed, is dropped when the file is opened.
    """

    def __init__(self, path: Path, key: str | None = None) -> None:
        """Read what stands in the file, if there is one, and open it to go on."""
        self.path, self.key = path, key or "0"
        self.results: dict[Key, Result] = {}
        if path.exists():
            self._drop_torn_line()
            self.results = {result.key: result for result in read_results(path)}
        self._file = path.open("a", encoding="utf-8")

    def _drop_torn_line(self) -> None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with self.path.open("r+b") as file:
                file.truncate(whole)

    def append(self, results: Iterable[Result]) -> None:
        """Write results, one to a line."""
        for result in results:
            self.results[result.key] = result
            self._file.write(json.dumps(result.to_dict(), separators=(",", ":")) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def read_results(path: Path) -> Iterator[Result]:
    """The results in a file.

    Raises:
        ConfigError: A line is no result; the message names it.
    """
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Result.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError, IawwError) as error:
                raise ConfigError(
                    f"{quote(str(path))}, line {number} is no result of a game ({error}): name another file"
                ) from error
