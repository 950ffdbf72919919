"""How a game ended: one JSON object on one line, so that a tournament can stop and go on."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import iaww_env
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import rulebook
from iaww_env.breakdown import PARTS, count_parts
from iaww_env.cards import EMPIRE_IDS, scenario
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.engine.kernels.game import Moves, score_row
from iaww_env.errors import ConfigError, quote
from iaww_env.game import make_game
from iaww_env.records.form import Thought

# What became of a game: played to its end, or lost by the seat that offended.
OK, CRASH, ILLEGAL, TIMEOUT = "ok", "crash", "illegal", "timeout"
STATUSES = (OK, CRASH, ILLEGAL, TIMEOUT)
FORMAT = "iaww-match"
FORMAT_VERSION = 2

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
        scenario_won: Whether the scenario is won; None where no scenario is played.
        decisions: Decisions in which a seat had a choice; 0 where nobody counted.
        seconds: How long the game took, roughly.
        version: Of iaww-env.
        sources: By seat a digest of the bot's file, None for ours; empty where all are ours or nobody looked.
        trace: The traceback of a crash; it stands in no line (see `crash_files`).
        parts: Where the points come from, by seat in the order of `iaww_env.breakdown.PARTS`; empty for games
            that broke off, and in lines of before.
        empires: By seat, likewise.
        moves: (moves, 2) seat and action of every move, where they were asked for; they stand in no line.
        thoughts: What bots thought of their actions, likewise.
    """

    fixture: Fixture
    points: tuple[int, ...]
    places: tuple[int, ...]
    status: str = OK
    offender: int | None = None
    reason: str = ""
    award: str | None = None
    scenario_won: bool | None = None
    decisions: int = 0
    seconds: float = 0.0
    version: str = iaww_env.__version__
    sources: tuple[str | None, ...] = ()
    trace: str = field(default="", compare=False, repr=False)
    parts: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    empires: tuple[str, ...] = field(default=(), compare=False, repr=False)
    moves: Moves | None = field(default=None, compare=False, repr=False)
    thoughts: tuple[Thought, ...] = field(default=(), compare=False, repr=False)

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
            "scenario_won": self.scenario_won,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            **({"empires": list(self.empires)} if self.empires else {}),
            **({"parts": [list(one) for one in self.parts]} if self.parts else {}),
            **({"sources": list(self.sources)} if self.sources else {}),
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Result:
        """The result that a line of a file describes."""
        if fields["format"] != FORMAT or fields["format_version"] != FORMAT_VERSION:
            raise ConfigError(f"this is no {FORMAT} of version {FORMAT_VERSION}")
        told_fields = fields.keys() - OPTIONAL
        if told_fields != set(FIELDS):
            odd = ", ".join(sorted(quote(name) for name in told_fields ^ set(FIELDS)))
            raise ConfigError(f"these fields are missing or unknown: {odd}")
        for name, allowed in FIELDS.items():
            if type(fields[name]) not in allowed:
                raise ConfigError(f"{name} is {quote(fields[name])}")
        config = GameConfig.from_dict(fields["config"])
        check_seats(fields, config)
        fixture = Fixture(fields["deal"], fields["seed"], tuple(fields["agents"]), config)
        told = {name: fields[name] for name in TOLD}
        more = {name: read(fields, config) for name, read in OPTIONAL.items()}
        return cls(fixture, tuple(fields["points"]), tuple(fields["places"]), **more, **told)


NOTHING = type(None)
SOURCES = "sources"
LONGEST_DIGEST = 64
# What stands in a line, and of which types; what is optional is read further down.
FIELDS: dict[str, tuple[type, ...]] = {
    "format": (str,),
    "format_version": (int,),
    "version": (str,),
    "config": (dict,),
    "deal": (int,),
    "seed": (int,),
    "agents": (list,),
    "points": (list,),
    "places": (list,),
    "status": (str,),
    "offender": (int, NOTHING),
    "reason": (str,),
    "award": (str, NOTHING),
    "scenario_won": (bool, NOTHING),
    "decisions": (int,),
    "seconds": (int, float),
}
# Those that a result holds as they stand.
TOLD = ("status", "offender", "reason", "award", "scenario_won", "decisions", "seconds", "version")


def check_seats(fields: dict[str, Any], config: GameConfig) -> None:
    """Refuse a line whose fields do not fit what is played.

    Raises:
        ConfigError: A list has not an entry for each seat, or an entry cannot be.
    """
    for name, kind in (("agents", str), ("points", int), ("places", int)):
        if [type(one) for one in fields[name]] != [kind] * config.players:
            raise ConfigError(
                f"{name} is {quote(fields[name])}: one entry for each of {config.players} seats"
            )
    least, most = int(np.iinfo(np.int16).min), int(np.iinfo(np.int16).max)
    if not all(least <= one <= most for one in fields["points"]):
        raise ConfigError(f"points are {quote(fields['points'])}: no game brings so many")
    if not all(1 <= one <= config.players for one in fields["places"]):
        raise ConfigError(f"places are {quote(fields['places'])}: there are {config.players}")
    if not all(0 <= fields[name] < 1 << 63 for name in ("deal", "seed", "decisions", "seconds")):  # nor nan
        raise ConfigError("deal, seed, decisions and seconds are numbers from 0")
    if fields["status"] not in STATUSES:
        raise ConfigError(f"the status is {quote(fields['status'])}: there are {', '.join(STATUSES)}")
    if fields["offender"] is not None and not 0 <= fields["offender"] < config.players:
        raise ConfigError(f"the offender is {fields['offender']}: there are {config.players} seats")
    if fields["status"] == OK and fields["offender"] is not None:
        raise ConfigError("a game that went well has no offender")
    if (fields["scenario_won"] is None) != (config.scenario is None):
        raise ConfigError("scenario_won is told where a scenario is played, and only there")


def read_sources(fields: dict[str, Any], config: GameConfig) -> tuple[str | None, ...]:
    """The digests of the bots' files; empty where the line has none.

    Raises:
        ConfigError: There is not one for each seat, or one is none.
    """
    if SOURCES not in fields:
        return ()
    sources = fields[SOURCES]
    if not isinstance(sources, list) or len(sources) != config.players or not all(map(is_digest, sources)):
        raise ConfigError(f"sources is {quote(sources)}: give a digest, or null, for each seat")
    return tuple(sources)


def read_empires(fields: dict[str, Any], config: GameConfig) -> tuple[str, ...]:
    """The empires by seat; none where the line has none.

    Raises:
        ConfigError: There is not one for each seat, or one is none.
    """
    if "empires" not in fields:
        return ()
    found = fields["empires"]
    if not isinstance(found, list) or len(found) != config.players:
        raise ConfigError(f"empires is {quote(found)}: name one for each seat")
    for one in found:
        if one not in EMPIRE_IDS:
            raise ConfigError(f"there is no empire {quote(one)}")
    return tuple(found)


def read_parts(fields: dict[str, Any], config: GameConfig) -> tuple[tuple[int, ...], ...]:
    """Where the points come from, by seat; nothing where the line does not say.

    Raises:
        ConfigError: They are no numbers, or do not sum to the points.
    """
    if "parts" not in fields:
        return ()
    found = fields["parts"]
    if not isinstance(found, list) or len(found) != config.players:
        raise ConfigError(f"parts is {quote(found)}: give a list for each seat")
    for seat, parts in enumerate(found):
        is_list = isinstance(parts, list) and [type(one) for one in parts] == [int] * len(PARTS)
        if not is_list or sum(parts) != fields["points"][seat]:
            raise ConfigError(f"the parts of seat {seat} are {quote(parts)}: they do not sum to its points")
    return tuple(map(tuple, found))


def is_digest(one: object) -> bool:
    """Whether this may tell a bot's file; None is for bots without one."""
    return one is None or (isinstance(one, str) and one.isalnum() and len(one) <= LONGEST_DIGEST)


# Lines without these are those of before; sources are left out where all bots are ours.
OPTIONAL: dict[str, Callable[[dict[str, Any], GameConfig], Any]] = {
    SOURCES: read_sources,
    "empires": read_empires,
    "parts": read_parts,
}


def find_key(fixture: Fixture, version: str = iaww_env.__version__) -> Key:
    """What tells a game from all others."""
    return fixture.config, fixture.seed, fixture.agents, version


# --- How a game ended ------------------------------------------------------------------------------


def make_result(
    fixture: Fixture, row: States, *, decisions: int = 0, seconds: float = 0.0, moves: Moves | None = None
) -> Result:
    """The result of a game that is over, from its row."""
    players = fixture.config.players
    points, places = np.empty(players, np.int16), np.empty(players, np.int16)
    is_won = bool(score_row(row, points, places))
    award = find_award(fixture.config, int(points[0]), is_won)
    won = None if fixture.config.scenario is None else is_won
    scores = tuple(points.tolist()), tuple(places.tolist())
    game = make_game(fixture.config, row)
    return Result(
        fixture,
        *scores,
        award=award,
        scenario_won=won,
        decisions=decisions,
        seconds=seconds,
        parts=tuple(map(tuple, count_parts(row, players)[0].tolist())),
        empires=tuple(game.empires),
        moves=moves,
    )


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


def make_fault(
    fixture: Fixture, seat: int | None, status: str, reason: str, seconds: float = 0.0, trace: str = ""
) -> Result:
    """A game that broke off: it is lost for the seat that offended; the others share the rest.

    Where nobody is to blame (`seat` is None) all places are shared.
    """
    players = fixture.config.players
    places = tuple(players if one == seat and players > 1 else 1 for one in range(players))
    won = None if fixture.config.scenario is None else False
    told = (status, seat, reason)
    return Result(fixture, (0,) * players, places, *told, scenario_won=won, seconds=seconds, trace=trace)


def repeat_game(result: Result) -> str:
    """The command that plays a game again."""
    fixture = result.fixture
    said = ["iaww watch", *map(shlex.quote, result.agents), f"--seed {fixture.seed}"]
    return " ".join([*said, *list_options(fixture.config)])


def list_options(config: GameConfig) -> list[str]:
    """What is played, as options of a command."""
    parts = [f"--players {config.players}"]
    if config.expansions:
        parts.append(f"--expansions {' '.join(config.expansions)}")
    if config.empires:
        parts.append(f"--empires {' '.join(map(str, config.empires))}")
    if config.scenario:
        parts.append(f"--scenario {config.scenario}")
    return [*parts, f"--empire-side {config.empire_side}"]
