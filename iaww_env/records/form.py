"""The form of a record: one JSON object per game, every field checked before anything is played.

| field | holds |
|---|---|
| `format`, `version` | "iaww-record", 1 |
| `config` | the configuration, with the empire of every seat |
| `deals` | two and more players: kinds dealt, `[round][seat]` |
| `pools`, `digs` | solo: kinds of the eight pools; kinds that each dig showed |
| `moves` | `[seat, text]`, in the order played |
| `seed` | optional: what the game was set up with, for information |
| `checks` | optional: how a seat stood before a move |
| `result` | optional: scores, places, winners; solo: title, or scenario_won and medal |
| `thoughts` | optional: what a bot thought of its actions at a move: `move`, `of`, `values` by action |
| `meta` | optional: an object for notes; only `agents` is read, who played by seat, to be shown |

Records and moves are counted by `number` and `before`: records from 1, moves from 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.cards import RESOURCES, SPACES, kinds
from iaww_env.config import Deals, GameConfig, Hand, check_deals, check_pools
from iaww_env.engine.fields import SITES_SOLO
from iaww_env.errors import ActionTextError, ConfigError, RecordError, clean_text, quote, suggest

FORMAT = "iaww-record"
VERSION = 1
MOST_MOVES = rulebook.MOST_DECISIONS  # a longer list is no game
PHASE_NAMES = (
    *rulebook.PHASES[: rulebook.PRODUCTION],
    *RESOURCES,
    *rulebook.PHASES[rulebook.PRODUCTION + 1 :],
)  # as `Game.phase` gives them
HOLDINGS = ("generals", "financiers", "krystallium", "empire_cubes")
CHECK_FIELDS = ("round", "phase", *HOLDINGS, "under_construction", "built", "net_production", "points")
RESULT_FIELDS = ("scores", "places", "winners")
THOUGHT_FIELDS = ("move", "of", "values")
THOUGHTS_OF = ("probability", "value")  # of a policy, of a search


@dataclass(frozen=True, slots=True)
class Check:
    """How a seat stood before move number `before`; `fields` are those of `CHECK_FIELDS`."""

    before: int
    seat: int
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Thought:
    """What the seat thought of its actions before move number `move`.

    Attributes:
        move: Counted from 0.
        of: "probability": how likely it was to take each; "value": what it took each to be worth.
        values: By the text of the action; not every legal one must stand here.
    """

    move: int
    of: str
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """A record of the right form, ready to be played.

    Attributes:
        number: Its place in the file, counted from 1.
        config: What is played; every empire is named.
        seed: What the game was set up with, where known.
        deals: Kinds dealt by round and seat; None in solo.
        pools: Solo: kinds of the pools; None elsewhere.
        digs: Solo: kinds that each dig showed.
        moves: Seat and action number.
        checks: In the order of the record.
        result: The result, where the record has one.
        thoughts: In the order of the record.
    """

    number: int
    config: GameConfig
    seed: int | None
    deals: Deals | None
    pools: tuple[Hand, ...] | None
    digs: tuple[Hand, ...]
    moves: tuple[tuple[int, int], ...]
    checks: tuple[Check, ...]
    result: dict[str, Any] | None
    thoughts: tuple[Thought, ...]


def parse_record(record: object, number: int = 1) -> ParsedRecord:
    """The record, checked in every field.

    Args:
        record: What one line of JSON holds.
        number: Place of the record in its file, for messages.

    Raises:
        RecordError: Something is missing, unknown, of the wrong type or cannot be.
    """
    try:
        return _parse(record, number)
    except (RecordError, ConfigError) as error:
        raise RecordError(f"record {number}: {error}") from error


def _parse(record: object, number: int) -> ParsedRecord:
    if not isinstance(record, Mapping):
        raise RecordError(f"a record is an object, not {quote(record)}")
    if record.get("format") != FORMAT:
        raise RecordError(f"format is {quote(record.get('format'))}, where {FORMAT!r} is read")
    version = record.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(f"version is {quote(version)}; this package reads version {VERSION}")
    config = _read_config(record)
    dealt = ("pools",) if config.solo else ("deals",)
    optional = ("seed", "checks", "result", "thoughts", "meta", *(("digs",) if config.solo else ()))
    _check_fields(record, ("format", "version", "config", *dealt, "moves"), optional, "the record")
    _check_type(record.get("meta", {}), Mapping, "meta", "an object")
    moves = _read_moves(config, record["moves"])
    return ParsedRecord(
        number=number,
        config=config,
        seed=_read_count(record["seed"], "seed") if "seed" in record else None,
        deals=None if config.solo else check_deals(config, record["deals"]),
        pools=check_pools(config, record["pools"]) if config.solo else None,
        digs=_read_digs(config, record.get("digs", [])),
        moves=moves,
        checks=_read_checks(config, record.get("checks", []), len(moves)),
        result=_read_result(config, record["result"]) if "result" in record else None,
        thoughts=_read_thoughts(config, record.get("thoughts", []), len(moves)),
    )


def list_agents(meta: object) -> tuple[str, ...]:
    """Who played, by seat, as it is noted with a record; nobody where it is not.

    Anybody may have written the record: nothing in the names steers a terminal.
    """
    named = meta.get("agents") if isinstance(meta, Mapping) else None
    if isinstance(named, list | tuple) and all(isinstance(one, str) for one in named):
        return tuple(map(clean_text, named))
    return ()


def name_players(meta: object) -> tuple[str, ...]:
    """The same for whoever looks on: who played as "you" is not the one who reads it."""
    return tuple("a person" if agent == "you" else agent for agent in list_agents(meta))


# --- Pieces that recur -------------------------------------------------------------------------------


def _check_fields(
    value: object, needed: tuple[str, ...], optional: tuple[str, ...], where: str
) -> Mapping[str, Any]:
    """An object with all needed fields and no unknown one."""
    fields: Mapping[str, Any] = _check_type(value, Mapping, where, "an object")
    for name in needed:
        if name not in fields:
            raise RecordError(f"{where} has no field {name!r}")
    known = (*needed, *optional)
    for name in fields:
        if name not in known:
            hint = suggest(name, known) or f"; the fields are {', '.join(known)}"
            raise RecordError(f"{where} has an unknown field {quote(name)}{hint}")
    return fields


def _check_type(value: object, wanted: type | tuple[type, ...], where: str, what: str) -> Any:
    if not isinstance(value, wanted):
        raise RecordError(f"{where} is {quote(value)}, where {what} stands")
    return value


def _read_list(value: object, where: str, length: int | None = None) -> list[Any]:
    items: list[Any] | tuple[Any, ...] = _check_type(value, (list, tuple), where, "a list")
    if length is not None and len(items) != length:
        raise RecordError(f"{where} has {len(items)} entries, where {length} stand")
    return list(items)


def _read_whole(value: object, where: str) -> int:
    """A whole number; true, false and 1.0 are none."""
    if type(value) is not int:
        raise RecordError(f"{where} is {quote(value)}, where a whole number stands")
    return value


def _read_count(value: object, where: str, least: int = 0, most: int | None = None) -> int:
    count = _read_whole(value, where)
    if count < least or (most is not None and count > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise RecordError(f"{where} is {quote(value)}, where a number {span} stands")
    return count


def _read_finite(value: object, where: str) -> float:
    """A number that a calculation can go on with; true and false are none."""
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:  # a whole number of hundreds of digits
        number = math.nan
    if not math.isfinite(number):
        raise RecordError(f"{where} is {quote(value)}, where a finite number stands")
    return number


def _read_word(value: object, allowed: tuple[str, ...], where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        hint = suggest(value, allowed) or (
            f"; it is one of {', '.join(allowed)}" if len(allowed) < 10 else ""
        )
        raise RecordError(f"{where} is {quote(value)}{hint}")
    return value


def _read_seat(config: GameConfig, value: object, where: str) -> int:
    seat = _read_whole(value, where)
    if not 0 <= seat < config.players:
        seats = "the only seat is 0" if config.solo else f"the seats are 0 to {config.players - 1}"
        raise RecordError(f"{where} is {quote(seat)}: {seats}")
    return seat


@lru_cache(maxsize=2)
def _list_kinds(expansions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind.id for kind in kinds(expansions))


# --- The fields, in the order of the record ------------------------------------------------------------


def _read_config(record: Mapping[str, Any]) -> GameConfig:
    if "config" not in record:
        raise RecordError("the record has no field 'config'")
    config = GameConfig.from_dict(record["config"])
    if config.empires is None or None in config.empires:
        raise RecordError("config: empires must name the empire of every seat")
    return config


def _read_digs(config: GameConfig, value: object) -> tuple[Hand, ...]:
    """Cards that each dig showed; whether the deck can show them is seen when they are dug."""
    known = _list_kinds(config.expansions)
    digs: list[Hand] = []
    for number, shown in enumerate(_read_list(value, "digs")):
        where = f"dig {number}"
        cards = tuple(_read_word(card, known, f"{where}: a card") for card in _read_list(shown, where))
        most = max(rulebook.LOOKS)
        if not 1 <= len(cards) <= most:
            raise RecordError(f"{where} shows {len(cards)} cards: a dig shows 1 to {most}")
        digs.append(cards)
    return tuple(digs)


def _read_moves(config: GameConfig, value: object) -> tuple[tuple[int, int], ...]:
    table = action_table(config.expansions)
    moves = _read_list(value, "moves")
    if len(moves) > MOST_MOVES:
        raise RecordError(f"{len(moves)} moves: no game has more than {MOST_MOVES}")
    parsed: list[tuple[int, int]] = []
    for number, move in enumerate(moves):
        seat, text = _read_list(move, f"move {number}", length=2)
        try:
            parsed.append((_read_seat(config, seat, f"move {number}: the seat"), table.parse(text)))
        except ActionTextError as error:
            raise RecordError(f"move {number}: {error}") from error
    return tuple(parsed)


def _read_checks(config: GameConfig, value: object, n_moves: int) -> tuple[Check, ...]:
    checks: list[Check] = []
    known: set[tuple[int, int]] = set()
    for number, check in enumerate(_read_list(value, "checks")):
        where = f"check {number}"
        fields = _check_fields(check, ("before", "seat", *CHECK_FIELDS), (), where)
        before = _read_count(fields["before"], f"{where}: before", most=n_moves)
        seat = _read_seat(config, fields["seat"], f"{where}: the seat")
        if (before, seat) in known:
            raise RecordError(f"{where}: there is another check of seat {seat} before move {before}")
        known.add((before, seat))
        read = [_read_check_field(config, name, fields[name], f"{where}: {name}") for name in CHECK_FIELDS]
        checks.append(Check(before, seat, dict(zip(CHECK_FIELDS, read, strict=True))))
    return tuple(checks)


def _read_check_field(config: GameConfig, name: str, value: object, where: str) -> Any:
    if name == "round":
        return _read_count(value, where, least=1, most=rulebook.ROUNDS)
    if name == "phase":
        return _read_word(value, PHASE_NAMES, where)
    if name == "under_construction":
        sites = _read_list(value, where)
        if len(sites) > SITES_SOLO:  # the most in any game
            raise RecordError(f"{where} has {len(sites)} cards: no seat has more than {SITES_SOLO}")
        return sort_sites([_read_site(config, site, where) for site in sites])
    if name == "built":
        return _read_tally(value, _list_kinds(config.expansions), where)
    if name == "net_production":
        return [_read_whole(made, where) for made in _read_list(value, where, len(RESOURCES))]
    return _read_count(value, where)


def _read_site(config: GameConfig, value: object, where: str) -> dict[str, Any]:
    site = _check_fields(value, ("card", "missing"), (), where)
    card = _read_word(site["card"], _list_kinds(config.expansions), f"{where}: a card")
    return {"card": card, "missing": _read_tally(site["missing"], SPACES, f"{where}: {card}: missing")}


def _read_tally(value: object, allowed: tuple[str, ...], where: str) -> dict[str, int]:
    """How many of each; what there is none of is left out."""
    tally: Mapping[Any, Any] = _check_type(value, Mapping, where, "an object")
    return {
        _read_word(word, allowed, where): _read_count(count, f"{where}: {quote(word)}", least=1)
        for word, count in tally.items()
    }


def sort_sites(sites: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cards under construction in the order of records: by card, then by what is missing."""
    return sorted(sites, key=lambda site: (site["card"], sorted(site["missing"].items())))


def _read_result(config: GameConfig, value: object) -> dict[str, Any]:
    awards = () if not config.solo else ("title",) if config.scenario is None else ("medal",)
    optional = awards if config.scenario is None else ("scenario_won", *awards)
    fields = _check_fields(value, RESULT_FIELDS, optional, "the result")
    result: dict[str, Any] = {}
    for name in RESULT_FIELDS:
        where = f"the result: {name}"
        entries = _read_list(fields[name], where, None if name == "winners" else config.players)
        result[name] = [_read_count(entry, where) for entry in entries]
    if "scenario_won" in fields:
        won = _check_type(fields["scenario_won"], bool, "the result: scenario_won", "true or false")
        result["scenario_won"] = won
    for name in awards:
        if name in fields:
            if fields[name] is not None:
                _check_type(fields[name], str, f"the result: {name}", "a word or null")
            result[name] = fields[name]
    return result


def _read_thoughts(config: GameConfig, value: object, n_moves: int) -> tuple[Thought, ...]:
    thoughts: list[Thought] = []
    known: set[int] = set()
    for number, thought in enumerate(_read_list(value, "thoughts")):
        where = f"thought {number}"
        fields = _check_fields(thought, THOUGHT_FIELDS, (), where)
        if not n_moves:
            raise RecordError(f"{where}: there is no move that it could be of")
        move = _read_count(fields["move"], f"{where}: move", most=n_moves - 1)
        if move in known:
            raise RecordError(f"{where}: there is another thought of move {move}")
        known.add(move)
        of = _read_word(fields["of"], THOUGHTS_OF, f"{where}: of")
        thoughts.append(Thought(move, of, _read_values(config, of, fields["values"], f"{where}: values")))
    return tuple(thoughts)


def _read_values(config: GameConfig, of: str, value: object, where: str) -> dict[str, float]:
    """A finite number for each action that is named; a probability is from 0 to 1."""
    table = action_table(config.expansions)
    fields: Mapping[Any, Any] = _check_type(value, Mapping, where, "an object")
    values: dict[str, float] = {}
    for text, given in fields.items():
        try:
            table.parse(text)
        except ActionTextError as error:
            raise RecordError(f"{where}: {error}") from error
        values[text] = _read_finite(given, f"{where}: {text}")
        if of == "probability" and not 0 <= values[text] <= 1:
            raise RecordError(f"{where}: {text} is {quote(given)}: a probability is from 0 to 1")
    return values
