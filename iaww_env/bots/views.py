"""What a bot is given to decide by: a view of one decision, or of many at once.

A bot sees what its seat may know and nothing else. A view holds no more than an *imagined* game behind its
function `sample_game`: one that agrees with everything the seat knows, all else drawn anew before the bot is
asked. Whoever digs it out has found nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.rules.knowledge import MOST_PLACES
from iaww_env.game import Game, make_game
from iaww_env.observation import observation_table

Rng = np.random.Generator | int

# Which possible game a view holds does not matter, so it is always drawn with the same stream.
_STREAM = (0x9E3779B9, 0x7F4A7C15, 0xF39CC060, 0x5CEDC834)


class View:
    """One decision of one seat, as the seat sees it.

    Attributes:
        config: What is played.
        observation: (size,) float32, in the profile the bot asked for; `iaww_env.observation.views` names
            its pieces.
        action_mask: (actions,) int8, 1 for each legal action.
        seat: Whose decision it is.
    """

    __slots__ = ("__imagined", "action_mask", "config", "observation", "seat")

    config: GameConfig
    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]
    seat: int

    def __init__(
        self,
        config: GameConfig,
        observation: npt.NDArray[np.float32],
        action_mask: npt.NDArray[np.int8],
        imagined: Game,
        seat: int,
    ) -> None:
        """Put a view together; `make_view` makes one from a game.

        Args:
            config: What is played.
            observation: What the seat sees.
            action_mask: What it may play.
            imagined: A game of `imagine_game`, never the real one.
            seat: The seat.
        """
        self.config = config
        self.observation = observation
        self.action_mask = action_mask
        self.seat = seat
        self.__imagined = imagined

    def legal_actions(self) -> list[int]:
        """Numbers of the legal actions, ascending."""
        legal: list[int] = np.flatnonzero(self.action_mask).tolist()
        return legal

    def text(self, action: int) -> str:
        """The text form of an action."""
        return action_table(self.config.expansions).to_text(action)

    def sample_game(self, rng: Rng) -> Game:
        """A game that agrees with everything the seat knows, all else drawn with `rng`: for searching.

        It is a copy: whatever is played in it stays in it.
        """
        return self.__imagined.redeterminize(self.seat, rng)


def make_view(game: Game, seat: int, profile: str = "full") -> View:
    """What a seat sees of a game as it stands now; later moves do not change the view."""
    observation, mask = observation_table(game.config, profile).observe(game, seat)
    return View(game.config, observation, mask, imagine_game(game, seat), seat)


def imagine_game(game: Game, seat: int) -> Game:
    """A game that agrees with what a seat knows, and depends on nothing else: a bot may have it."""
    row, stream = game.row.copy(), np.array(_STREAM, np.int64)
    kernels.redeterminize_row(row, seat, stream, np.empty(MOST_PLACES, np.int16))
    return make_game(game.config, row)


def imagine_rows(
    states: npt.NDArray[np.int16], games: npt.NDArray[np.integer], seats: npt.NDArray[np.integer]
) -> npt.NDArray[np.int16]:
    """(decisions, cells) a row for each decision that agrees with what its seat knows, as `imagine_game`.

    Args:
        states: (games, cells) the real games; they are left as they are.
        games: (decisions,) the game of each decision.
        seats: (decisions,) who decides.
    """
    rows: npt.NDArray[np.int16] = states[games]
    places = np.empty(MOST_PLACES, np.int16)
    for row, seat in zip(rows, seats.tolist(), strict=True):
        kernels.redeterminize_row(row, seat, np.array(_STREAM, np.int64), places)
    return rows


# --- A view on its way to another process ----------------------------------------------------------


def pack_view(view: View) -> bytes:
    """All that a view holds of its decision."""
    imagined: Game = view._View__imagined  # type: ignore[attr-defined]  # nobody else's, but this module's
    return view.observation.tobytes() + imagined.row.tobytes() + view.action_mask.tobytes()


def make_unpacker(config: GameConfig, seat: int, profile: str) -> Callable[[bytearray], View]:
    """What makes the views of a seat again from what `pack_view` made of them."""
    size = observation_table(config, profile).size
    cells, actions = find_layout(config).state_size, len(action_table(config.expansions))
    row_at = size * np.dtype(np.float32).itemsize
    mask_at = row_at + cells * np.dtype(np.int16).itemsize

    def unpack(packed: bytearray) -> View:
        observation = np.frombuffer(packed, np.float32, size)
        row = np.frombuffer(packed, np.int16, cells, row_at)
        mask = np.frombuffer(packed, np.int8, actions, mask_at)
        return View(config, observation, mask, make_game(config, row), seat)

    return unpack


class BatchView:
    """Decisions of one bot in many games, for bots that answer them all at once.

    Attributes:
        config: What is played.
        games: (decisions,) int64, the game of each decision.
        seats: (decisions,) int64, the seat that decides.
        observations: (decisions, size) float32.
        action_masks: (decisions, actions) int8.
        imagined: (decisions, cells) int16, for each decision the row of a game that agrees with everything
            its seat knows, all else drawn anew; None where the bot does not say `imagines = True`.
    """

    __slots__ = ("__draw", "action_masks", "config", "games", "imagined", "observations", "seats")

    def __init__(
        self,
        config: GameConfig,
        games: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        observations: npt.NDArray[np.float32],
        action_masks: npt.NDArray[np.int8],
        draw: Callable[[], npt.NDArray[np.float64]],
        imagined: npt.NDArray[np.int16] | None = None,
    ) -> None:
        """Put a view together."""
        self.imagined = imagined
        self.config, self.games, self.seats = config, games, seats
        self.observations, self.action_masks = observations, action_masks
        self.__draw = draw

    def __len__(self) -> int:
        return len(self.games)

    def draw_uniforms(self) -> npt.NDArray[np.float64]:
        """(decisions,) random numbers from 0 to 1, never 1; each from the own stream of its game.

        A bot that takes its chance from here plays the same in a game whichever games stand beside it.
        """
        return self.__draw()


def refuse_chance() -> npt.NDArray[np.float64]:
    """No bot that plays here takes chances: it would play otherwise than decision by decision."""
    raise RuntimeError("a bot that takes its chance from a view is asked decision by decision")


def make_batch_view(
    bot: object,
    config: GameConfig,
    states: npt.NDArray[np.int16],
    games: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    observations: npt.NDArray[np.float32],
    action_masks: npt.NDArray[np.int8],
    draw: Callable[[], npt.NDArray[np.float64]] = refuse_chance,
) -> BatchView:
    """What a bot sees of decisions in many games, with imagined games where it says that it needs them.

    Args:
        bot: The bot.
        config: What is played.
        states: (games, cells) the real games; the view keeps nothing of them.
        games: (decisions,) as in `BatchView`; likewise the three behind it.
        seats: (decisions,)
        observations: (decisions, size)
        action_masks: (decisions, actions)
        draw: Draws the bot's chance.
    """
    imagined = imagine_rows(states, games, seats) if getattr(bot, "imagines", False) else None
    return BatchView(config, games, seats, observations, action_masks, draw, imagined)
