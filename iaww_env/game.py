"""The game as a readable object over one row of the state tensor."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.actions import ActionTable, action_table
from iaww_env.breakdown import ScoreBreakdown, break_down
from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, kinds, scenario
from iaww_env.config import GameConfig, check_deals, check_pools, choose_config
from iaww_env.engine import fields
from iaww_env.engine.fields import States, StateViews, find_layout
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.new_rows import check_seed, make_rows, seed_stream
from iaww_env.engine.rules.knowledge import MOST_PLACES
from iaww_env.errors import ConfigError, IawwError, IllegalActionError, StateError, quote
from iaww_env.rulebook import find_title
from iaww_env.soundness import check_row

MAGIC = b"IAWW"
BYTES_VERSION = 1


class Game:
    """One game: who must decide, what is legal, what happens, who wins.

    >>> game = Game(GameConfig(players=2), seed=7)
    >>> game.seats_to_act()
    [0, 1]
    """

    __slots__ = ("_config", "_row", "_views")

    _config: GameConfig
    _row: States
    _views: StateViews | None

    def __init__(
        self,
        config: GameConfig | None = None,
        seed: int | None = None,
        *,
        players: int | None = None,
        expansions: Sequence[str] | None = None,
        empire_side: str | None = None,
        empires: Sequence[str | None] | None = None,
        scenario: str | None = None,
        deals: Sequence[Sequence[Sequence[str]]] | None = None,
        pools: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Set up a game and deal its first round.

        Args:
            config: What to play; or say it by the five names behind `seed`.
            seed: A whole number from 0; None draws one from the system.
            players: Seats; four where nothing is said, one in a scenario.
            expansions: As in `GameConfig`; likewise the three behind it.
            empire_side: Side of the empire cards.
            empires: One id for each seat, or None where it is drawn.
            scenario: Id of a solo scenario.
            deals: Kinds dealt by round and seat, in place of random ones.
            pools: Solo: kinds of the eight pools, in place of random ones.
        """
        said = {"players": players, "expansions": expansions, "empire_side": empire_side}
        self._config = choose_config(config, **said, empires=empires, scenario=scenario)
        self._row = make_rows(self.config, [check_seed(seed)])[0]
        self._views = None
        kernels.set_up_row(self._row)
        self.stack_cards(deals, pools)
        kernels.start_row(self._row)

    def stack_cards(
        self,
        deals: Sequence[Sequence[Sequence[str]]] | None = None,
        pools: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Before anything is dealt: bring given cards to the top of their decks."""
        if self.state.pending:
            raise StateError("the cards are dealt already: give deals or pools when the game is made")
        if deals is not None and self.config.solo:
            raise ConfigError("a solo game has no deals: give pools")
        if pools is not None and not self.config.solo:
            raise ConfigError("pools are for solo games: give deals")
        if deals is not None:
            dealt = check_deals(self.config, deals)
            self._stack_decks([card for hands in dealt for hand in hands for card in hand])
        if pools is not None:
            self._stack_decks([card for pool in check_pools(self.config, pools) for card in pool])

    def _stack_decks(self, cards: list[str]) -> None:
        """Bring the named cards to the top of their decks, in this order; the others keep theirs."""
        index = {kind.id: kind.index for kind in kinds(self.config.expansions)}
        state = lend_state(self)
        for deck, window in enumerate((state.base_deck, state.ascension_deck)):
            name = ("base", "ascension")[deck]
            top = [index[card] for card in cards if kinds(self.config.expansions)[index[card]].deck == name]
            end = int(state.deck_end[deck])
            rest = window[:end].tolist()
            for kind in top:
                rest.remove(kind)
            window[:end] = top + rest

    # --- What there is to decide -----------------------------------------------------------------

    @property
    def actions(self) -> ActionTable:
        """The action table of the card pool: numbers to text and back."""
        return action_table(self.config.expansions)

    def seats_to_act(self) -> list[int]:
        """The seats that owe a decision; none when the game is over."""
        if self.over:
            return []
        acted = self.state.acted[: self.config.players].tolist()
        return [seat for seat, done in enumerate(acted) if not done]

    def legal_actions(self, seat: int) -> list[int]:
        """Numbers of the actions that a seat may take now, ascending; `wait` alone where it owes none."""
        out = np.empty(fields.MOST_LEGAL, np.int16)
        n = kernels.list_actions(self._row, self.check_seat(seat), out)
        legal: list[int] = out[:n].tolist()
        return legal

    def legal_texts(self, seat: int) -> list[str]:
        """The same in the notation of the project."""
        table = self.actions
        return [table.to_text(action) for action in self.legal_actions(seat)]

    def action_mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each legal action of a seat, 0 for all others."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[self.legal_actions(seat)] = 1
        return mask

    def step(self, seat: int, action: int | str) -> None:
        """Play a seat's decision, given as a number or as text.

        Raises:
            IllegalActionError: The action is not legal for the seat now; the game is unchanged.
        """
        if isinstance(action, str):
            action = self.actions.parse(action)
        elif isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise TypeError(f"an action is a number or its text, not {action!r} ({type(action).__name__})")
        scratch = np.empty(fields.MOST_LEGAL, np.int16)
        narrow = min(max(int(action), -1), 0x7FFF)  # numbers outside the table stay outside it
        if not kernels.play_action(self._row, self.check_seat(seat), narrow, scratch):
            self._refuse(seat, int(action))

    def check_seat(self, seat: int) -> int:
        """The seat, where there is such a one.

        Raises:
            IndexError: There is none; or TypeError, where it is no number.
        """
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer):
            raise TypeError(f"a seat is a number from 0 to {self.config.players - 1}, not {seat!r}")
        if not 0 <= seat < self.config.players:
            raise IndexError(f"there is no seat {seat}: the seats are 0 to {self.config.players - 1}")
        return int(seat)

    def _refuse(self, seat: int, action: int) -> None:
        from iaww_env.render.refusals import explain_refusal

        table = self.actions
        text = table.to_text(action) if 0 <= action < len(table) else quote(action)
        reason = explain_refusal(self, seat, action)
        raise IllegalActionError(seat, action, text, reason, self.legal_texts(seat))

    # --- Where the game stands -------------------------------------------------------------------

    @property
    def config(self) -> GameConfig:
        """What is played."""
        return self._config

    @property
    def state(self) -> StateViews:
        """Named windows into the row: `game.state.krystallium[seat]`, `game.state.built[seat, kind]`, ...

        They follow the game and can only be read; `edit` changes it.
        """
        if self._views is None:
            self._views = find_layout(self._config).views(self.row)
        return self._views

    @property
    def row(self) -> States:
        """The row itself, to be read."""
        return show_only(self._row)

    @contextmanager
    def edit(self) -> Iterator[StateViews]:
        """Change the game by hand: windows that can be written, checked when the block ends.

        >>> with game.edit() as state:
        ...     state.krystallium[0] += 3

        What follows from other fields must be changed with them; `iaww_env.soundness` says what must hold.

        Raises:
            StateError: What was written is no state of this configuration; the game is unchanged.
        """
        before, row = self._row.tobytes(), self._row.copy()
        yield find_layout(self._config).views(row)
        check_row(self._config, row)
        if self._row.tobytes() != before:
            raise StateError("the game was played on inside the block: edit it before or after that")
        self._row[:] = row

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == rulebook.OVER)

    @property
    def round(self) -> int:
        """The round, 1 to 4."""
        return int(self.state.round)

    @property
    def phase(self) -> str:
        """`draft`, `planning`, the resource of a production step, or `over`."""
        if self.state.phase == rulebook.PRODUCTION:
            return RESOURCES[int(self.state.step)]
        return rulebook.PHASES[int(self.state.phase)]

    @property
    def empires(self) -> list[str]:
        """The empires in play, by seat."""
        return [EMPIRE_IDS[number // len(SIDES)] for number in self.state.empire.tolist()]

    def hand(self, seat: int) -> list[str]:
        """Cards that the seat may pick from: its pack in the draft; in solo what a dig shows."""
        self.check_seat(seat)
        size = int(self.state.pack_size)
        shift = int(self.state.pack_shift) if self.state.phase == rulebook.DRAFT else 0
        pack = self.state.packs[(seat + shift) % self.config.players]
        return self._name_kinds(pack[:size].tolist())

    def drafted(self, seat: int) -> list[str]:
        """Cards that the seat has neither slated nor recycled yet; in solo its hand."""
        self.check_seat(seat)
        return self._name_kinds(self.state.drafted[seat, : self.state.n_drafted[seat]].tolist())

    def built(self, seat: int) -> dict[str, int]:
        """Built cards by kind."""
        self.check_seat(seat)
        counts = self.state.built[seat].tolist()
        return {k.id: n for k, n in zip(kinds(self.config.expansions), counts, strict=True) if n}

    def _name_kinds(self, indices: list[int]) -> list[str]:
        table = kinds(self.config.expansions)
        return [table[index].id for index in indices]

    # --- How it ends -----------------------------------------------------------------------------

    def _score(self) -> tuple[list[int], list[int], bool]:
        points = np.empty(self.config.players, np.int16)
        places = np.empty(self.config.players, np.int16)
        won = kernels.score_row(self._row, points, places)
        return points.tolist(), places.tolist(), bool(won)

    def scores(self) -> list[int]:
        """Points by seat: at the end, or what each would score now."""
        return self._score()[0]

    def score_breakdown(self, seat: int) -> ScoreBreakdown:
        """Where a seat's points come from, in parts that sum to its score; and what corruption costs it."""
        return break_down(self._row, self.config.players)[self.check_seat(seat)]

    def places(self) -> list[int]:
        """Places by seat, counted from 1; equal seats share one (ruling 11)."""
        return self._score()[1]

    def winners(self) -> list[int]:
        """The seats in first place; none before the game is over."""
        if not self.over:
            return []
        return [seat for seat, place in enumerate(self.places()) if place == 1]

    def scenario_won(self) -> bool | None:
        """Scenario: whether all named cards are built at the end (ruling 14); None elsewhere or earlier."""
        if self.config.scenario is None or not self.over:
            return None
        return self._score()[2]

    def medal(self) -> str | None:
        """Scenario: `bronze`, `silver`, `gold`, or None where it is lost, not over or without one."""
        points, _, won = self._score()
        if self.config.scenario is None or not self.over or not won:
            return None
        return scenario(self.config.scenario).find_medal(points[0])

    def title(self) -> str | None:
        """Standard solo game: the title that the points earn (ruling 13); None elsewhere or earlier."""
        if not self.config.solo or self.config.scenario is not None or not self.over:
            return None
        return find_title(self.scores()[0])

    # --- Copies ----------------------------------------------------------------------------------

    def clone(self) -> Game:
        """A copy that goes its own way, its random stream included."""
        return make_game(self.config, self._row.copy())

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.config == other.config and self._row.tobytes() == other._row.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def redeterminize(self, seat: int, rng: np.random.Generator | int) -> Game:
        """A game that agrees with everything the seat knows, all else drawn anew with `rng`."""
        if isinstance(rng, np.random.Generator):
            stream = rng.integers(0, 1 << 32, size=4, dtype=np.int64)
        else:
            stream = seed_stream(check_seed(rng))
        drawn = self.clone()
        scratch = np.empty(MOST_PLACES, np.int16)
        kernels.redeterminize_row(drawn._row, self.check_seat(seat), stream, scratch)
        return drawn

    def to_bytes(self) -> bytes:
        """The whole game in a few kilobytes, for `Game.from_bytes`."""
        about = json.dumps(self.config.to_dict(), separators=(",", ":")).encode()
        body = len(about).to_bytes(2, "little") + about + self._row.astype("<i2").tobytes()
        head = MAGIC + bytes([BYTES_VERSION])
        return head + zlib.crc32(head + body).to_bytes(4, "little") + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Game:
        """The game that `to_bytes` wrote.

        Raises:
            StateError: The bytes are garbled, cut short, or of another version.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise StateError(f"a saved game is bytes, not {type(data).__name__}")
        data = bytes(data)
        if data[:4] != MAGIC:
            raise StateError("these bytes are no saved game: they do not begin with IAWW")
        if len(data) < 11:
            raise StateError("the saved game is cut short")
        if data[4] != BYTES_VERSION:
            version = data[4]
            raise StateError(f"the saved game has version {version}; version {BYTES_VERSION} is read here")
        if zlib.crc32(data[:5] + data[9:]) != int.from_bytes(data[5:9], "little"):
            raise StateError("the saved game is garbled or cut short: its checksum does not agree")
        length = int.from_bytes(data[9:11], "little")
        try:
            config = GameConfig.from_dict(json.loads(data[11 : 11 + length]))
            row = np.frombuffer(data[11 + length :], "<i2").astype(np.int16)
        except (ValueError, RecursionError, IawwError) as error:
            raise StateError(f"the saved game cannot be read: {error}") from error
        check_row(config, row)
        return make_game(config, row)

    def __repr__(self) -> str:
        where = "over" if self.over else f"round {self.round}, {self.phase}"
        return f"<Game: {self.config.players} seats, {where}, points {self.scores()}>"

    def _repr_html_(self) -> str:
        from iaww_env.viewer.svg import game_to_html

        return game_to_html(self)

    def __str__(self) -> str:
        from iaww_env.render.text import describe_game

        return describe_game(self)


# --- For code of the package: unchecked --------------------------------------------------------------


def make_game(config: GameConfig, row: States) -> Game:
    """A game over this very row (nothing is copied, nothing is checked)."""
    game = Game.__new__(Game)
    game._config = config
    game._row = row
    game._views = None
    return game


def show_only(array: States) -> States:
    """The same numbers, to be read and not written: of a mere view the flag could be set back."""
    buffer: Any = array
    return np.asarray(memoryview(buffer).toreadonly())


def lend_row(game: Game) -> States:
    """The row itself, for kernels; whoever writes into it answers for it."""
    return game._row


def lend_state(game: Game) -> StateViews:
    """Windows into the row that can be written; whoever does answers for it."""
    return find_layout(game._config).views(game._row)
