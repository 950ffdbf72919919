"""Tables of what happened in games: one of games, one of seats, one of cards, one of rounds (pandas)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from iaww_agents.analysis import trace
from iaww_agents.analysis.trace import Counts
from iaww_env import rulebook
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, RESOURCES, kinds
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, explain_os_error, name_path, tell_install
from iaww_env.outputs import check_output, write_whole

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, Any]
Form = Literal["parquet", "csv"]

OF_CARD = {
    "offered": trace.OFFERED,
    "picked": trace.PICKED,
    "pick_round": trace.PICK_ROUND,
    "pick": trace.PICK_NUMBER,
    "slated": trace.SLATED,
    "recycled": trace.RECYCLED,
    "tossed": trace.TOSSED,
    "given_up": trace.GIVEN_UP,
    "built": trace.BUILT,
    "built_round": trace.BUILT_ROUND,
    "points": trace.BROUGHT,
    "started": trace.STARTED,
}
# A kind has a row where any of these is above 0: a scenario's cards are built without an offer.
OF_ROW = (trace.OFFERED, trace.PICKED, trace.STARTED, trace.BUILT)
OF_ROUND = {
    **{f"produced_{resource}": trace.PRODUCED + n for n, resource in enumerate(RESOURCES)},
    "cubes_to_empire": trace.TO_EMPIRE,
    "recycled": trace.CARDS_RECYCLED,
    "built": trace.CARDS_BUILT,
    "generals_won": trace.GENERALS_WON,
    "financiers_won": trace.FINANCIERS_WON,
    "krystallium_used": trace.KRYSTALLIUM_USED,
    "characters_used": trace.CHARACTERS_USED,
    "points": trace.POINTS,
}


class TracedGame(NamedTuple):
    """A game that was played again, with all that was counted.

    Attributes:
        config: What was played; every empire is named.
        about: What else is known of the game, by name of the column.
        bots: Who played, by seat; empty texts where nobody says.
        points: By seat; likewise the four behind it.
        places: Counted from 1.
        parts: (players, parts) where points come from.
        tokens: (players, 5) krystallium, generals, financiers and cubes left, and cards left unfinished.
        cards: (players, kinds, ...) as `trace` counts them; likewise rounds.
        over: Whether the game was played to its end.
    """

    config: GameConfig
    about: Columns
    bots: Sequence[str]
    points: Sequence[int]
    places: Sequence[int]
    parts: Counts
    tokens: Counts
    cards: Counts
    rounds: Counts
    over: bool


TOKEN_COLUMNS = ("krystallium_left", "generals", "financiers", "empire_cubes_left", "unfinished")


@dataclass(frozen=True)
class Tables:
    """Four tables that share the columns `game` and `seat`.

    Attributes:
        games: A row for each game: `deal` (games of one deal share their cards: the unit of intervals),
            seed, what was played, moves.
        seats: A row for each game and seat: bot, empire, points and where they come from, place, share of the
            win, tokens left, cubes that went to the empire card.
        cards: A row for each game, seat and kind that the seat was offered or built: decisions in which it
            could be picked, cards picked with round and number of the first pick, slated, recycled, given up,
            built with the round of the first, the points that built ones brought, and those that a scenario
            let start under construction.
        rounds: A row for each game, seat and round: what was produced, cubes to the empire card, cards
            recycled and built, characters won by supremacy, tokens used, points at its end.
    """

    games: pd.DataFrame
    seats: pd.DataFrame
    cards: pd.DataFrame
    rounds: pd.DataFrame

    def write(self, folder: Path, form: Form = "parquet") -> list[Path]:
        """Write a file for each table, whole; returns their paths.

        Raises:
            ConfigError: One cannot be written, or something else than a table stands there.
        """
        paths = check_tables(folder, form)
        for one, path in zip(fields(self), paths, strict=True):
            table, made = getattr(self, one.name), io.BytesIO()
            if form == "parquet":
                table.to_parquet(made, index=False)
            else:
                table.to_csv(made, index=False, lineterminator="\n")
            write_whole(path, made.getvalue(), is_table)
        return paths

    @classmethod
    def read(cls, folder: Path) -> Tables:
        """The tables that `write` wrote as parquet.

        Raises:
            ConfigError: There are none.
        """
        pandas = load_pandas()
        try:
            return cls(*(pandas.read_parquet(folder / f"{one.name}.parquet") for one in fields(cls)))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{folder} holds no tables of games: {error}") from error


def check_tables(folder: Path, form: Form) -> list[Path]:
    """The files of the tables in a folder, which is made where it is missing.

    Raises:
        ConfigError: They cannot be written, or something else than tables stands there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write {name_path(folder)}: {explain_os_error(error)}") from error
    paths = [folder / f"{one.name}.{form}" for one in fields(Tables)]
    for path in paths:
        check_output(path, is_table)
    return paths


def is_table(begin: bytes) -> bool:
    """Whether a file that begins so is one of these tables."""
    return begin.startswith((b"PAR1", b"game,"))


def load_pandas() -> Any:
    """pandas, or in words that it is missing.

    Raises:
        ConfigError: It is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise ConfigError(f"tables need pandas; {tell_install('analysis')}") from None
    return pandas


# --- Making them -----------------------------------------------------------------------------------


class TableMaker:
    """Collects games, and makes tables of them."""

    def __init__(self) -> None:
        """No game yet."""
        load_pandas()
        self.count = 0
        self._parts: dict[str, list[Columns]] = {one.name: [] for one in fields(Tables)}

    def add(self, game: TracedGame) -> None:
        """Add a game; it is numbered from 0."""
        number, players = self.count, game.config.players
        self.count += 1
        config = game.config
        self._parts["games"].append(
            {
                "game": [number],
                "players": [players],
                "expansions": [" ".join(config.expansions)],
                "empire_side": [config.empire_side],
                "scenario": [config.scenario or ""],
                **{name: [value] for name, value in game.about.items()},
            }
        )
        self._parts["seats"].append(self._list_seats(number, game))
        seat, kind = np.nonzero((game.cards[:, :, OF_ROW] > 0).any(axis=2))
        counted = game.cards[seat, kind]
        columns = {"game": np.full(len(seat), number, np.int32), "seat": seat.astype(np.int8)}
        columns["kind"] = kind.astype(np.int16)
        self._parts["cards"].append(columns | {name: counted[:, n] for name, n in OF_CARD.items()})
        turns = np.tile(np.arange(1, rulebook.ROUNDS + 1, dtype=np.int8), players)
        columns = {"game": np.full(len(turns), number, np.int32)}
        columns["seat"] = np.repeat(np.arange(players, dtype=np.int8), rulebook.ROUNDS)
        flat = game.rounds.reshape(len(turns), -1)
        self._parts["rounds"].append(
            columns | {"round": turns} | {name: flat[:, n] for name, n in OF_ROUND.items()}
        )

    def _list_seats(self, number: int, game: TracedGame) -> Columns:
        players, places = game.config.players, np.array(game.places)
        first = places == 1
        columns: Columns = {
            "game": np.full(players, number, np.int32),
            "seat": np.arange(players, dtype=np.int8),
            "bot": list(game.bots) or [""] * players,
            "empire": list(game.config.empires or ()),
            "points": np.array(game.points, np.int16),
            "place": places.astype(np.int8),
            "win": np.where(first, 1 / first.sum(), 0.0),
        }
        columns |= {name: game.parts[:, n] for n, name in enumerate(PART_COLUMNS)}
        columns |= {name: game.tokens[:, n] for n, name in enumerate(TOKEN_COLUMNS)}
        columns["cubes_to_empire"] = game.rounds[:, :, trace.TO_EMPIRE].sum(1).astype(np.int16)
        columns["built"] = game.rounds[:, :, trace.CARDS_BUILT].sum(1).astype(np.int16)
        return columns

    def make(self) -> Tables:
        """The tables of all games.

        Raises:
            ConfigError: There is no game.
        """
        if self.count == 0:
            raise ConfigError("no game was played to its end: there is nothing to make tables of")
        pandas = load_pandas()
        made = {name: pandas.DataFrame(join_columns(parts)) for name, parts in self._parts.items()}
        every_kind = [kind.id for kind in kinds(EXPANSIONS)]
        made["cards"]["kind"] = pandas.Categorical.from_codes(made["cards"]["kind"], categories=every_kind)
        seats = made["seats"]
        seats["bot"] = seats["bot"].astype("category")
        seats["empire"] = pandas.Categorical(seats["empire"], categories=list(EMPIRE_IDS))
        for name in ("expansions", "empire_side", "scenario"):
            made["games"][name] = made["games"][name].astype("category")
        return Tables(**made)


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Columns of many parts behind each other."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: np.concatenate([np.asarray(part[name]) for part in parts]) for name in names}
