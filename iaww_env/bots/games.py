"""Games in which every seat is a bot's: nobody learns, so whole games fit into kernels.

Random bots play in the kernel that steps lanes, others in kernels of their own; a bot that answers many
decisions with one call is shown those of all games that wait for it. A lane has a place for the seat of a
learner; here NOBODY stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.bots.views import make_batch_view
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import kernel
from iaww_env.engine.kernels import lanes
from iaww_env.engine.kernels.batch import begin_rows, choose_at_random
from iaww_env.engine.kernels.game import Moves, list_actions, play_action
from iaww_env.engine.rng import Stream
from iaww_env.engine.rules.legal import Actions
from iaww_env.game import make_game
from iaww_env.observation import observation_table

RANDOM_CODES = (lanes.RANDOM, lanes.RANDOM_NODISCARD)
NOBODY = -1


@kernel
def draw_action(row: States, seat: int, with_discards: bool, stream: Stream, legal: Actions) -> int:
    """A uniformly random legal action of a seat, with or without discards; `legal` is scratch."""
    return choose_at_random(row, seat, with_discards, stream, legal)[0]


def find_lane_code(bot: Any) -> int | None:
    """What stands for a random bot in the kernel that steps lanes; None for all bots that must be asked."""
    code = getattr(bot, "lane_code", None)
    return int(code) if code in RANDOM_CODES else None


def note_move(lane: npt.NDArray[np.int16], seat: int, action: int) -> None:
    """Note a move that was played outside of kernels, where the lane has room for moves."""
    if len(lane) > lanes.LANE:
        count = int(lane[lanes.NOTED])
        if count < lanes.MOST_NOTED:
            lane[lanes.MOVES + 2 * count : lanes.MOVES + 2 * count + 2] = seat, action
        lane[lanes.NOTED] = min(count + 1, lanes.MOST_NOTED + 1)


def read_moves(lane: npt.NDArray[np.int16]) -> Moves:
    """A copy of the moves that a lane has noted.

    Raises:
        RuntimeError: There are more than it has room for.
    """
    count = int(lane[lanes.NOTED])
    if count > lanes.MOST_NOTED:
        raise RuntimeError(f"a game has more than {lanes.MOST_NOTED} moves: it is none that can be noted")
    return lane[lanes.MOVES : lanes.MOVES + 2 * count].reshape(count, 2).copy()


class BotGames:
    """Games of one line-up of bots: random, with a kernel of their own, or answering many decisions at once.

    Attributes:
        asked: The bots that must be asked, with their codes.
        codes: (seats,) int16, who plays each seat.
    """

    def __init__(self, bots: Sequence[Any], config: GameConfig | None = None) -> None:
        """Seat the bots: the same object where a bot takes several seats.

        Args:
            bots: By seat.
            config: What is played; only bots that answer many decisions at once need it.
        """
        self.asked: list[tuple[int, Any]] = []
        self.config = config
        self.codes = np.array([self._number_bot(bot) for bot in bots], np.int16)

    def _number_bot(self, bot: Any) -> int:
        code = find_lane_code(bot)
        if code is None:
            code = next((number for number, known in self.asked if known is bot), None)
        if code is None:
            code = lanes.FIRST_BOT + len(self.asked)
            self.asked.append((code, bot))
        return code

    def play(self, states: States, chances: Sequence[Stream] = (), *, noting: bool = False) -> list[Moves]:
        """Begin a game in every row, from the row's own stream, and play it to its end.

        Args:
            states: Rows that hold what is played.
            chances: Streams from which random bots draw, one for each row; none where no bot is random.
            noting: Note every move.

        Returns:
            (moves, 2) seat and action of every move of each game; nothing where they are not noted.
        """
        begin_rows(states)
        return self.play_on(states, chances, noting=noting)

    def play_on(self, states: States, chances: Sequence[Stream] = (), *, noting: bool = False) -> list[Moves]:
        """Play the game of every row to its end from where it stands; otherwise as `play`."""
        games = len(states)
        lane_rows = np.zeros((games, lanes.NOTING_LANE if noting else lanes.LANE), np.int16)
        lane_rows[:, lanes.LEARNER_SEAT] = NOBODY
        streams = np.zeros((games, lanes.STREAM), np.int64)
        if len(chances) > 0:
            streams[:, :4] = chances
        elif np.isin(self.codes, RANDOM_CODES).any():
            raise ValueError("a random bot plays: give the streams that it draws from")
        settings = np.zeros(lanes.SETTINGS, np.int64)
        legal = np.empty(fields.MOST_LEGAL, np.int16)
        for row, lane, stream in zip(states, lane_rows, streams, strict=True):
            self._open_lane(row, lane, stream, legal)
        while np.any(lane_rows[:, lanes.STAGE] == lanes.BOT_ASKED):
            for code, bot in self.asked:
                if not callable(getattr(bot, "play_lanes", None)):
                    self._ask_together(bot, code, states, lane_rows, streams, legal)
                    continue
                bot.play_lanes(code, states, settings, self.codes, lane_rows, streams)
                if np.any(self._await(lane_rows, code)):
                    raise RuntimeError(f"{type(bot).__name__} left games unfinished that waited for it")
        return [read_moves(lane) for lane in lane_rows] if noting else []

    def _ask_together(
        self,
        bot: Any,
        code: int,
        states: States,
        lane_rows: npt.NDArray[np.int16],
        streams: npt.NDArray[np.int64],
        legal: npt.NDArray[np.int16],
    ) -> None:
        """Play the lanes that wait for a bot that answers many decisions with one call.

        What costs time here is the bot; the games go on in Python.
        """
        if self.config is None:
            raise ValueError("a bot that answers many decisions at once plays: say what is played")
        table = observation_table(self.config, bot.profile)
        while len(games := np.flatnonzero(self._await(lane_rows, code))):
            seats = lane_rows[games, lanes.ASKED].astype(np.int64)
            shown = [
                table.observe(make_game(self.config, states[g]), seat)
                for g, seat in zip(games.tolist(), seats.tolist(), strict=True)
            ]
            observations, masks = (np.stack(one) for one in zip(*shown, strict=True))
            view = make_batch_view(bot, self.config, states, games, seats, observations, masks)
            for g, seat, action in zip(games, seats, bot.act_batch(view), strict=True):
                if not play_action(states[g], int(seat), int(action), legal):
                    raise RuntimeError(f"{type(bot).__name__} answered {action}, which is illegal")
                note_move(lane_rows[g], int(seat), int(action))
                self._open_lane(states[g], lane_rows[g], streams[g], legal)

    def _open_lane(
        self, row: States, lane: npt.NDArray[np.int16], stream: Stream, legal: npt.NDArray[np.int16]
    ) -> None:
        """Bring a game to the next decision of a bot that must be asked, or to its end.

        In Python, not in a kernel: a further kernel that plays whole games takes long to compile, and one
        decision of a bot later the kernels of the bots have taken over.
        """
        lane[lanes.STAGE] = lanes.ENDED
        codes: list[int] = self.codes.tolist()
        while row[fields.PHASE] != rulebook.OVER:
            seat = int(row[fields.ACTED : fields.ACTED + len(codes)].argmin())
            n = list_actions(row, seat, legal)
            is_random = codes[seat] in RANDOM_CODES
            if n > 1 and not is_random:
                lane[lanes.STAGE], lane[lanes.ASKED], lane[lanes.COUNT] = lanes.BOT_ASKED, seat, n
                return
            action = int(legal[0])
            if is_random:
                action = draw_action(row, seat, codes[seat] == lanes.RANDOM, stream, legal)
            play_action(row, seat, action, legal)
            note_move(lane, seat, action)

    def _await(self, lane_rows: npt.NDArray[np.int16], code: int) -> npt.NDArray[np.bool_]:
        """Which lanes wait for the bot of a code."""
        is_asked = lane_rows[:, lanes.STAGE] == lanes.BOT_ASKED
        found: npt.NDArray[np.bool_] = is_asked & (self.codes[lane_rows[:, lanes.ASKED]] == code)
        return found
