"""Records of games: note a game as it is played, and play it again from its record.

A record is one JSON object; `form` tells its fields, `files` reads and writes files of records, and
`verify` compares records with the rules.

The cards dealt stand in the record, and in solo the cards that each dig showed, so that a replay rests on no
random numbers. The seed is kept for information: with it and the same configuration (empires that were drawn
left out) the game can be set up anew.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from iaww_env import rulebook
from iaww_env.cards import kinds
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.errors import IllegalActionError, RecordError, quote
from iaww_env.game import Game
from iaww_env.records.capture import (
    describe_result,
    describe_seat,
    hide_chance,
    is_untouched,
    list_deals,
    list_decks,
    list_pools,
)
from iaww_env.records.form import FORMAT, VERSION, ParsedRecord, parse_record

Chooser = Callable[[Game, int], int | str]
"""Chooses an action, given the game and the seat that decides."""


class RecordMismatch(RecordError):
    """A record says something else than the rules give.

    Attributes:
        record: Number of the record in its file, counted from 1.
        move: Number of the move that was to come, counted from 0.
        seat: The seat concerned; None where the field is said of the game.
        field: The field that differs.
        expected: What the record says; of several cards those that differ.
        found: What the rules give, likewise.
    """

    def __init__(
        self, record: int, move: int, seat: int | None, field: str, expected: object, found: object
    ) -> None:
        self.record, self.move, self.seat, self.field = record, move, seat, field
        self.expected, self.found = expected, found
        who = "" if seat is None else f", seat {seat}"
        super().__init__(
            f"record {record}, before move {move}{who}: {field}: "
            f"the record says {quote(expected)}, the rules give {quote(found)}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from `args`, which holds the message alone.
        parts = (self.record, self.move, self.seat, self.field, self.expected, self.found)
        return type(self), parts, self.__dict__


# --- Noting a game -----------------------------------------------------------------------------------


class Recorder:
    """Notes a game from its start: play through `step`, then take `record()`.

    >>> recorder = Recorder(Game(GameConfig(players=2), seed=7), seed=7)
    >>> recorder.step(0, recorder.game.legal_actions(0)[0])
    >>> len(recorder.record()["moves"])
    1

    Attributes:
        game: The game that is played.
    """

    def __init__(self, game: Game, seed: int | None = None, *, checks: bool = False) -> None:
        """Note how the game begins.

        Args:
            game: A game in which nothing has been decided yet.
            seed: What the game was set up with, to be saved with the record.
            checks: Note how each seat stands before it ends a phase.

        Raises:
            RecordError: The game has gone on already.
        """
        self.game = game
        self._with_checks = checks
        config = game.config.replace(empires=tuple(game.empires))
        if not is_untouched(game):
            raise RecordError("a record begins before the first decision: this game has gone on")
        dealt: dict[str, Any] = {"pools": list_pools(game)} if config.solo else {"deals": list_deals(game)}
        if not np.array_equal(hide_chance(Game(config, 0, **dealt)), hide_chance(game)):
            raise RecordError("a record begins before the first decision: this game has gone on")
        self._head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "config": config.to_dict()}
        if seed is not None:
            self._head["seed"] = check_seed(seed)
        self._head.update(dealt)
        self._digs: list[list[str]] = []
        self._moves: list[list[Any]] = []
        self._checks: list[dict[str, Any]] = []

    def step(self, seat: int, action: int | str) -> None:
        """Play a seat's decision and note it.

        Raises:
            IllegalActionError: The action is not legal; nothing was played or noted.
        """
        table = self.game.actions
        number = table.parse(action) if isinstance(action, str) else action
        check = None
        if self._with_checks and number == table.end and seat in self.game.seats_to_act():
            check = {"before": len(self._moves), "seat": int(seat), **describe_seat(self.game, seat)}
        shown = int(self.game.state.pack_size)
        self.game.step(seat, number)
        if check is not None:
            self._checks.append(check)
        self._moves.append([int(seat), table.to_text(number)])
        if self.game.config.solo and not shown and self.game.state.pack_size:
            self._digs.append(self.game.hand(0))

    def record(self) -> dict[str, Any]:
        """The record so far, with the result where the game is over; it shares nothing with the recorder."""
        record = {**self._head, "moves": self._moves}
        if self.game.config.solo:
            record["digs"] = self._digs
        if self._with_checks:
            record["checks"] = self._checks
        if self.game.over:
            record["result"] = describe_result(self.game)
        return copy.deepcopy(record)


def record_game(
    config: GameConfig, choose: Chooser, seed: int | None = None, *, checks: bool = False
) -> dict[str, Any]:
    """Play a whole game, every decision taken by `choose`, and return its record with the seed."""
    seed = check_seed(seed)
    recorder = Recorder(Game(config, seed), seed, checks=checks)
    while seats := recorder.game.seats_to_act():
        recorder.step(seats[0], choose(recorder.game, seats[0]))
    return recorder.record()


# --- Playing it again ----------------------------------------------------------------------------------


def replay(record: Mapping[str, Any], moves: int | None = None, *, number: int = 1) -> Game:
    """The game of a record, after all its moves or the first few. Checks and result are not compared.

    Args:
        record: A record, as `read_records` or a `Recorder` gives it.
        moves: How many moves to play; None plays them all.
        number: Place of the record in its file, for messages.

    Raises:
        RecordError: The record is garbled, or its moves cannot be played.
    """
    parsed = parse_record(record, number)
    if moves is not None and not 0 <= moves <= len(parsed.moves):
        raise RecordError(f"record {number} has {len(parsed.moves)} moves: {moves} cannot be played")
    wanted = len(parsed.moves) if moves is None else moves
    return next(game for played, game in play_moves(parsed) if played == wanted)


def play_moves(parsed: ParsedRecord) -> Iterator[tuple[int, Game]]:
    """Play a record: before each move its number and the game, and once more after the last move.

    It is the same game each time: copy what you keep.

    Raises:
        RecordError: A move or a dig cannot be played, or the moves end too early for the result.
    """
    where = f"record {parsed.number}"
    game = Game(parsed.config, parsed.seed or 0, deals=parsed.deals, pools=parsed.pools)
    dug = 0
    for number, (seat, action) in enumerate(parsed.moves):
        yield number, game
        try:
            dug += _play_move(game, seat, action, parsed.digs[dug : dug + 1])
        except IllegalActionError as error:
            raise RecordError(f"{where}: move {number}: {error}") from error
        except RecordError as error:
            raise RecordError(f"{where}: move {number}: dig {dug}: {error}") from error
    number = len(parsed.moves)
    if dug < len(parsed.digs):
        raise RecordError(f"{where}: {len(parsed.digs)} digs stand in the record, but the moves make {dug}")
    if parsed.result is not None and not game.over:
        raise RecordError(f"{where}: there is a result, but the game is not over after all {number} moves")
    yield number, game


def _play_move(game: Game, seat: int, action: int, digs: Sequence[Sequence[str]]) -> int:
    """Play a move; returns 1 where it began to look at dug cards, which are then those of the record."""
    if not game.config.solo or game.state.tosses != 1:
        game.step(seat, action)
        return 0
    deck = int(game.state.dig_deck) - 1
    left = list_decks(game)[deck]
    game.step(seat, action)
    if not game.state.pack_size:  # something else than the second toss
        return 0
    if not digs:
        raise RecordError("the record does not say which cards were shown")
    # Where the discards were shuffled under the deck, the cards that were left lie on top (ruling 13).
    too_few = len(left) < rulebook.LOOKS[deck]
    show_dug_cards(game, digs[0], left if too_few else ())
    return 1


def show_dug_cards(game: Game, cards: Sequence[str], on_top: Sequence[int] = ()) -> None:
    """Put the named cards in the place of those that a dig shows.

    The cards shown go into the deck, where the named ones come out; all others stay where they lie.

    Args:
        game: A solo game in which cards of a dig are shown.
        cards: Kinds to be shown, as many as are shown now.
        on_top: Kinds that are shown in any case, being the last of the deck before its discards were
            shuffled under it.

    Raises:
        RecordError: These cards cannot be the ones shown; the game is unchanged.
    """
    state, table = game.state, kinds(game.config.expansions)
    size, deck = int(state.pack_size), int(state.dig_deck) - 1
    if len(cards) != size:
        raise RecordError(f"{len(cards)} cards stand in the record, where {size} are shown")
    shown = Counter(state.packs[0, :size].tolist())
    wanted = Counter(next(kind.index for kind in table if kind.id == card) for card in cards)
    window = (state.base_deck, state.ascension_deck)[deck]
    rest = window[int(state.deck_next[deck]) : int(state.deck_end[deck])]
    into, out_of = shown - wanted, wanted - shown
    if lost := out_of - Counter(rest.tolist()):
        raise RecordError(f"{table[min(lost)].id!r} cannot be shown: no such card is left in the deck")
    if lost := Counter(on_top) - wanted:
        raise RecordError(f"{table[min(lost)].id!r} lies on top of the deck and is not among the cards shown")
    for old, new in zip(into.elements(), out_of.elements(), strict=True):
        rest[rest.tolist().index(new)] = old
    state.packs[0, :size] = sorted(wanted.elements())
