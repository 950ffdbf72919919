"""One game between bots, decision by decision, with each bot held to account.

A bot that crashes, answers something illegal or takes too long loses the game, and the result says why and
with which seed; nothing that it does stops the tournament. Bots get copies: scribbling on an observation
harms nobody. Bots of others play in processes of their own (see `guests`); the game lives here, and its
result is what its moves say when they are played again.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from iaww_agents.arena.play.faults import Fault, GuestFault, describe_error, describe_trace, explain_no_number
from iaww_agents.arena.play.guests import GRACE, STARTING, GuestBot
from iaww_agents.arena.play.results import CRASH, ILLEGAL, TIMEOUT, Result, make_fault, make_result
from iaww_agents.arena.play.schedule import Fixture
from iaww_env.bots.games import draw_action, find_lane_code
from iaww_env.bots.specs import is_ours
from iaww_env.bots.views import make_view
from iaww_env.engine import fields
from iaww_env.engine.kernels import lanes
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.errors import quote
from iaww_env.game import Game, lend_row

FOREVER = float("inf")

Show = Callable[[Game, int, int], None]
Make = Callable[[int], Any]
Noted = list[tuple[int, int]]  # seats and actions


class Clock:
    """Notes which seat is busy since when; `SharedClock` in `worker` shows it to another process.

    Attributes:
        limit: Seconds for each decision.
        first: Seconds for making a bot, for `reset` and for its first decision in this process, when
            weights are loaded and kernels compiled; never less than `limit`.
        warm: Specs of the bots that have decided in this process.
        is_interactive: Whether an interrupt comes from a person, and not from a bot.
    """

    is_interactive = True

    def __init__(self, limit: float = FOREVER, first: float = 0.0) -> None:
        """A clock that only this process sees."""
        self.limit, self.first = limit, max(limit, first)
        self.warm: set[str] = set()

    def start(self, seat: int, allowed: float) -> None:
        """A seat is asked something."""

    def stop(self) -> None:
        """It has answered."""


def play_match(
    fixture: Fixture,
    make: Make,
    clock: Clock | None = None,
    *,
    show: Show | None = None,
    noting: bool = False,
) -> Result:
    """Play one game to its end, or until a bot breaks it off.

    Args:
        fixture: The game.
        make: Gives the bot of a seat.
        clock: Time limits; none by default.
        show: Called with the game, the seat and its action before each action is played.
        noting: Give the moves with the result, also where the game broke off.
    """
    moves = Noted()
    result = judge_match(fixture, lambda: Match(fixture, make, clock or Clock(), show, moves))
    if noting:
        result = dataclasses.replace(result, moves=np.array(moves, np.int16).reshape(-1, 2))
    return result


def judge_match(fixture: Fixture, begin: Callable[[], Match]) -> Result:
    """Begin a game and play it; where a bot breaks it off, the result says so."""
    began = time.perf_counter()
    try:
        result = begin().play()
    except Fault as fault:
        reason = f"{fixture.agents[fault.seat]} in seat {fault.seat} {fault.reason}"
        result = make_fault(fixture, fault.seat, fault.status, reason, trace=fault.trace)
    return dataclasses.replace(result, seconds=time.perf_counter() - began)


class Match:
    """A game under way, its bots and their clock."""

    def __init__(
        self, fixture: Fixture, make: Make, clock: Clock, show: Show | None, moves: Noted | None = None
    ) -> None:
        """Deal the game and seat the bots; every move is noted in `moves`, where it outlives the game."""
        self.fixture, self.clock, self.show = fixture, clock, show
        self.game = Game(fixture.config, fixture.seed)
        self.stream = fixture.make_stream()
        self.legal = np.empty(fields.MOST_LEGAL, np.int16)  # scratch
        self.bots = [self.seat_bot(seat, make) for seat in range(fixture.config.players)]
        self.profiles = [check_profile(bot, seat) for seat, bot in enumerate(self.bots)]
        self.decisions = 0
        self.moves = Noted() if moves is None else moves

    def seat_bot(self, seat: int, make: Make) -> Any:
        """Make a bot, or take the one that played before, and tell it of the game."""
        first = self.clock.first
        starting = 0.0 if is_ours(self.fixture.agents[seat]) else STARTING
        bot = self.ask(seat, first + starting, "was made", make, seat)
        reset = getattr(bot, "reset", None)
        if callable(reset):
            args = (seat, self.fixture.config, self.fixture.seed_bot(seat))
            self.ask(seat, first, "was told of the game", reset, *args)
        return bot

    def play(self) -> Result:
        """Ask the seats in order until the game is over; the result is what a replay of the moves says."""
        while not self.game.over:
            self.play_next(self.game.seats_to_act()[0])
        again = replay_moves(self.fixture, self.moves)
        return make_result(self.fixture, lend_row(again), decisions=self.decisions)

    def play_next(self, seat: int) -> None:
        """Play one decision of a seat: of its bot where there is a choice."""
        legal = self.game.legal_actions(seat)
        action = legal[0]
        if len(legal) > 1:
            self.decisions += 1
            action = self.choose_action(seat, legal)
        self.play_action(seat, action)

    def play_action(self, seat: int, action: int) -> None:
        """Play a legal action, and note it."""
        if self.show is not None:
            self.show(self.game, seat, action)
        self.game.step(seat, action)
        self.moves.append((seat, action))

    def choose_action(self, seat: int, legal: list[int]) -> int:
        """The legal action of a seat's bot."""
        bot = self.bots[seat]
        code = find_lane_code(bot)
        if code is not None:  # as the kernels play it
            return int(draw_action(lend_row(self.game), seat, code == lanes.RANDOM, self.stream, self.legal))
        view = make_view(self.game, seat, self.profiles[seat])
        spec = self.fixture.agents[seat]
        is_warm = bot.is_warm if isinstance(bot, GuestBot) else spec in self.clock.warm
        allowed = self.clock.limit if is_warm else self.clock.first
        answer = self.ask(seat, allowed, "was asked", bot.act, view)
        self.clock.warm.add(spec)
        return self.check_answer(seat, answer, legal)

    def check_answer(self, seat: int, answer: Any, legal: list[int]) -> int:
        """The answer as a legal action."""
        if isinstance(answer, bool) or not isinstance(answer, int | np.integer):
            raise Fault(seat, ILLEGAL, explain_no_number(answer))
        action = int(answer)
        if action not in legal:
            table = self.game.actions
            text = table.to_text(action) if 0 <= action < len(table) else str(action)
            shown = ", ".join(self.game.legal_texts(seat)[:8])
            raise Fault(seat, ILLEGAL, f"played {text}, which is illegal; legal: {shown}")
        return action

    def ask(self, seat: int, allowed: float, what: str, call: Callable[..., Any], *args: Any) -> Any:
        """Call a bot with the clock running; whatever goes wrong is its fault."""
        guest = getattr(call, "__self__", None)
        is_guest = isinstance(guest, GuestBot)
        if isinstance(guest, GuestBot):
            guest.allowed = allowed
        self.clock.start(seat, allowed + GRACE if is_guest else allowed)
        began = time.monotonic()
        try:
            answer = call(*args)
        except GuestFault as fault:
            reason = fault.reason if fault.is_told else f"crashed when it {what}: {fault.reason}"
            raise Fault(seat, fault.status, reason, fault.trace) from None
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and self.clock.is_interactive:
                raise  # a person has had enough
            reason = f"crashed when it {what}: {describe_error(error)}"
            raise Fault(seat, CRASH, reason, describe_trace(error)) from error
        finally:
            self.clock.stop()
        took = time.monotonic() - began
        if took > allowed:
            raise Fault(seat, TIMEOUT, f"took {took:.1f} s when it {what}, and {allowed:g} s are allowed")
        return answer


def replay_moves(fixture: Fixture, moves: Sequence[tuple[int, int]]) -> Game:
    """The game of a fixture after these moves, played from its deal."""
    game = Game(fixture.config, fixture.seed)
    for seat, action in moves:
        game.step(seat, action)
    return game


def check_profile(bot: Any, seat: int) -> str:
    """The profile of the observations that a bot asks for."""
    profile = getattr(bot, "profile", "full")
    if profile not in PROFILES:
        raise Fault(seat, CRASH, f"asks for observations {quote(profile)}: there are {', '.join(PROFILES)}")
    return str(profile)
