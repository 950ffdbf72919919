"""What is played: seats, card pool, empires, scenario; and whether given deals fit it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

from iaww_env.cards import DEFAULT_SIDE, EMPIRE_IDS, SIDES, Scenario, kinds, parse_expansions
from iaww_env.cards import empires as list_empires
from iaww_env.cards import scenario as find_scenario
from iaww_env.errors import ConfigError, quote, suggest
from iaww_env.rulebook import HANDS_ASCENSION, HANDS_BASE, MOST_PLAYERS, PICKS, POOLS, ROUNDS

_ADD_ASCENSION = "add expansions=['corruption_and_ascension']"

Hand = tuple[str, ...]
Deals = tuple[tuple[Hand, ...], ...]


@dataclass(frozen=True, slots=True)
class GameConfig:
    """One way to play the game. It is checked when it is made, and never changes.

    Attributes:
        players: Seats, 1 (solo) to 7; six and seven need Corruption & Ascension.
        expansions: () or ("corruption_and_ascension",); a list or a single name will do as well.
        empire_side: One of `iaww_env.cards.SIDES`; by default "A", in a scenario the side it is played on.
        empires: One empire id per seat, None where it is drawn at random; None draws them all.
        scenario: Id of a solo scenario, or None.
    """

    players: int = 4
    expansions: tuple[str, ...] = ()
    empire_side: str | None = None
    empires: tuple[str | None, ...] | None = None
    scenario: str | None = None

    def __post_init__(self) -> None:
        """Check every field and bring it into its one form."""
        set_field = object.__setattr__  # the dataclass is frozen
        set_field(self, "expansions", parse_expansions(self.expansions))
        set_field(self, "players", _check_players(self.players, self.ascension))
        scenario = _check_scenario(self.scenario, self.players, self.ascension)
        set_field(self, "empire_side", _check_side(self.empire_side, scenario))
        set_field(self, "empires", _check_empires(self.empires, self.players, self.expansions))

    @property
    def ascension(self) -> bool:
        """Whether Corruption & Ascension is played."""
        return bool(self.expansions)

    @property
    def solo(self) -> bool:
        """Whether one seat plays alone (ruling 13)."""
        return self.players == 1

    @property
    def hand_base(self) -> int:
        """Base cards dealt to each seat in each round; solo: in each pool."""
        return (HANDS_ASCENSION if self.ascension else HANDS_BASE)[self.players][0]

    @property
    def hand_ascension(self) -> int:
        """Ascension cards dealt to each seat in each round; solo: in each pool."""
        return (HANDS_ASCENSION if self.ascension else HANDS_BASE)[self.players][1]

    @property
    def kinds(self) -> int:
        """Kinds in the card pool."""
        return len(kinds(self.expansions))

    @property
    def cards(self) -> int:
        """Physical cards in the card pool."""
        return sum(kind.copies for kind in kinds(self.expansions))

    @property
    def picks(self) -> int:
        """Cards that a seat picks in each draft."""
        return PICKS

    @property
    def rounds(self) -> int:
        """Rounds of a game."""
        return ROUNDS

    @property
    def pools(self) -> int:
        """Pools of a solo game."""
        return POOLS

    def to_dict(self) -> dict[str, Any]:
        """The configuration as it stands in records, ready for JSON."""
        return {
            "players": self.players,
            "expansions": list(self.expansions),
            "empire_side": self.empire_side,
            "empires": None if self.empires is None else list(self.empires),
            "scenario": self.scenario,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> GameConfig:
        """The configuration that a record describes; only `players` has to be named."""
        if not isinstance(fields, Mapping):
            raise ConfigError(f"a configuration is a table of fields, not {quote(fields)}")
        _refuse_unknown(fields)
        if "players" not in fields:
            raise ConfigError("the configuration does not say how many `players`: name a number from 1 to 7")
        if not isinstance(fields.get("expansions", ()), list | tuple):
            raise ConfigError(f"expansions is {quote(fields['expansions'])}: give a list of names")
        return cls(**fields)

    def replace(self, **changes: Any) -> GameConfig:
        """The same configuration with some fields changed, and checked again."""
        _refuse_unknown(changes)
        default_side = DEFAULT_SIDE if self.scenario is None else find_scenario(self.scenario).empire_side
        if "scenario" in changes and self.empire_side == default_side:
            changes.setdefault("empire_side", None)  # the scenario decides, or no longer does
        return dataclasses.replace(self, **changes)


def choose_config(config: GameConfig | None = None, **said: Any) -> GameConfig:
    """What is played, said by a configuration or by its fields; of these None means that nothing is said."""
    said = {name: value for name, value in said.items() if value is not None}
    if config is not None:
        if not isinstance(config, GameConfig):
            raise ConfigError(f"a GameConfig says what is played, not {quote(config)}")
        if said:
            raise ConfigError(f"config says all that is played: leave {' and '.join(said)} out")
        return config
    if "players" not in said and "scenario" in said:
        said["players"] = 1
    if isinstance(said.get("empires"), list):
        said["empires"] = tuple(said["empires"])
    return GameConfig(**said)


# --- Checks of single fields -----------------------------------------------------------------------


def _refuse_unknown(fields: Mapping[str, Any]) -> None:
    names = [field.name for field in dataclasses.fields(GameConfig)]
    for name in fields:
        if name not in names:
            hint = suggest(name, names) or f"; the fields are {', '.join(names)}"
            raise ConfigError(f"a configuration has no field {quote(name)}{hint}")


def _check_players(players: object, ascension: bool) -> int:
    try:
        if isinstance(players, bool):
            raise TypeError
        count = index(players)  # type: ignore[arg-type]  # refused below when it is no integer
    except TypeError:
        raise ConfigError(f"players is {quote(players)}: give an integer from 1 to 7") from None
    if not 1 <= count <= MOST_PLAYERS:
        most = "1 to 7 can play" if ascension else "1 to 5 can play, 6 and 7 with Corruption & Ascension"
        raise ConfigError(f"players is {quote(count)}: {most}")
    if not ascension and count not in HANDS_BASE:
        raise ConfigError(f"{count} players need Corruption & Ascension: {_ADD_ASCENSION}, or take 1 to 5")
    return count


def _check_scenario(scenario: str | None, players: int, ascension: bool) -> Scenario | None:
    if scenario is None:
        return None
    found = find_scenario(scenario)
    if players != 1:
        raise ConfigError(f"the scenario {found.id!r} is played alone, not with {players}: set players=1")
    if found.needs_expansion and not ascension:
        raise ConfigError(f"the scenario {found.id!r} needs Corruption & Ascension: {_ADD_ASCENSION}")
    return found


def _check_side(side: str | None, scenario: Scenario | None) -> str:
    if side is None:
        return DEFAULT_SIDE if scenario is None else scenario.empire_side
    if not isinstance(side, str) or side not in SIDES:
        raise ConfigError(f"there is no empire side {quote(side)}: choose from {', '.join(SIDES)}")
    if scenario is not None and side != scenario.empire_side:
        raise ConfigError(
            f"the scenario {scenario.id!r} is played on side {scenario.empire_side}, not {side}: "
            f"leave empire_side out, or set it to {scenario.empire_side!r}"
        )
    return side


def _check_empires(
    empires: object, players: int, expansions: tuple[str, ...]
) -> tuple[str | None, ...] | None:
    if empires is None:
        return None
    if not isinstance(empires, list | tuple):
        raise ConfigError(f"empires is {quote(empires)}: give a list with one id (or None) for each seat")
    if len(empires) != players:
        raise ConfigError(
            f"{len(empires)} empires for {players} seats: give one id (or None, to draw it) for each seat"
        )
    available = [one.id for one in list_empires(expansions=expansions)]
    for seat, id in enumerate(empires):
        if id is None:
            continue
        if not isinstance(id, str) or id not in available:
            _refuse_empire(id, available)
        if id in empires[:seat]:
            raise ConfigError(
                f"seats {empires.index(id)} and {seat} both have {id!r}: empires are distinct (ruling 12), "
                "name another one or None to draw it"
            )
    return None if all(id is None for id in empires) else tuple(empires)


def _refuse_empire(id: object, available: list[str]) -> None:
    choices = f"choose from {', '.join(available)}"
    if isinstance(id, str) and id in EMPIRE_IDS:
        raise ConfigError(f"{id!r} comes with Corruption & Ascension: {_ADD_ASCENSION}, or {choices}")
    raise ConfigError(f"there is no empire {quote(id)}{suggest(id, available)} ({choices})")


# --- Given deals -----------------------------------------------------------------------------------


def check_deals(config: GameConfig, deals: object) -> Deals:
    """The deals as tuples of kind ids, `[round][seat]`, if the configuration can be dealt so."""
    if config.solo:
        raise ConfigError(f"the solo game has no deals: give its {POOLS} pools")
    rounds = _check_list(deals, ROUNDS, "deals", "rounds")
    checked = tuple(
        tuple(
            _check_hand(config, hand, f"the deal of round {number}, seat {seat}")
            for seat, hand in enumerate(
                _check_list(seats, config.players, f"the deal of round {number}", "hands, one for each seat")
            )
        )
        for number, seats in enumerate(rounds, start=1)
    )
    _check_copies(config, [id for seats in checked for hand in seats for id in hand])
    return checked


def check_pools(config: GameConfig, pools: object) -> tuple[Hand, ...]:
    """The pools of a solo game as tuples of kind ids, if the configuration can be dealt so."""
    if not config.solo:
        raise ConfigError(
            f"only the solo game has pools: give deals, {ROUNDS} rounds of {config.players} hands"
        )
    checked = tuple(
        _check_hand(config, pool, f"pool {number}")
        for number, pool in enumerate(_check_list(pools, POOLS, "pools", "pools"), start=1)
    )
    _check_copies(config, [id for pool in checked for id in pool])
    return checked


def _check_list(value: object, length: int, where: str, of_what: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ConfigError(f"{where}: {quote(value)} is no list; give {length} {of_what}")
    if len(value) != length:
        raise ConfigError(f"{where}: {len(value)} given, where there are {length} {of_what}")
    return value


def _check_hand(config: GameConfig, hand: object, where: str) -> Hand:
    decks = {kind.id: kind.deck for kind in kinds(config.expansions)}
    size = config.hand_base + config.hand_ascension
    ids = tuple(_check_list(hand, size, where, "cards"))
    for id in ids:
        if not isinstance(id, str) or id not in decks:
            hint = suggest(id, decks) or "; give ids of the card pool that is played"
            raise ConfigError(f"{where}: there is no card {quote(id)} in the card pool{hint}")
    dealt = Counter(decks[id] for id in ids)
    if dealt["base"] != config.hand_base:
        raise ConfigError(
            f"{where}: {dealt['base']} base and {dealt['ascension']} ascension cards, "
            f"where {config.hand_base} and {config.hand_ascension} are dealt"
        )
    return ids


def _check_copies(config: GameConfig, dealt: list[str]) -> None:
    """A scenario's cards are out of the deck (ruling 14); of the rest no more than exist can be dealt."""
    scenario_cards = Counter(find_scenario(config.scenario).cards if config.scenario is not None else ())
    counts = Counter(dealt)
    for kind in kinds(config.expansions):
        in_deck = kind.copies - scenario_cards[kind.id]
        if counts[kind.id] > in_deck:
            gone = " (the scenario's cards are out of the deck)" if scenario_cards[kind.id] else ""
            raise ConfigError(
                f"{kind.id!r} is dealt {counts[kind.id]} times, but the deck holds {in_deck}{gone}: "
                "deal another card in its place"
            )
