"""Who plays a game that a person plays or watches: bots that are made before it begins."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from iaww_agents.arena.play.faults import GuestFault
from iaww_agents.arena.play.guests import BotShelf, HouseRules
from iaww_agents.arena.play.match import Make
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_env.bots.specs import list_agents
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.errors import ConfigError, quote

HUMAN = "you"
WATCHED = HouseRules(is_loud=True)  # what a bot prints is for its author, who watches it


def seat_person(agents: Sequence[str], config: GameConfig, seat: int, seed: int | None) -> Fixture:
    """The game of a person in a seat, with bots in the others; the usual one where none is named.

    Raises:
        ConfigError: There is no such seat, or the bots do not fit.
    """
    if not 0 <= seat < config.players:
        raise ConfigError(f"--seat is {seat}: the seats are 0 to {config.players - 1}")
    others = seat_agents(agents or [find_usual_bot()], config.players - 1) if config.players > 1 else []
    return Fixture(0, check_seed(seed), (*others[:seat], HUMAN, *others[seat:]), config)


def describe_seating(fixture: Fixture, seat: int) -> str:
    """Who sits where, in a line."""
    others = [spec for at, spec in enumerate(fixture.agents) if at != seat]
    named = ", ".join(others) or "none"
    return f"You are seat {seat}. Other seats: {named}. The seed is {fixture.seed}."


def seat_company(
    fixture: Fixture, person: Any, seat: int, hints: str | None, shelf: BotShelf
) -> tuple[Make, Adviser]:
    """Make the bots of a person's game, and the one that is asked for hints; it stands beside the table."""
    lineup = (*fixture.agents, hints or find_usual_bot())

    def make(at: int) -> Any:
        return person if at == seat else shelf.take(lineup, at)

    seat_all(lineup, make)
    return make, Adviser(lineup[-1], lambda: make(len(lineup) - 1))


def find_usual_bot() -> str:
    """Who plays, and who is asked for hints, where nobody is named."""
    return "heuristic" if "heuristic" in list_agents() else "greedy"


def seat_agents(agents: Sequence[str], seats: int) -> list[str]:
    """One bot for each seat; a single one stands for all.

    Raises:
        ConfigError: There are neither one nor as many bots as seats.
    """
    if len(agents) not in (1, seats):
        named = "seat" if seats == 1 else "seats"
        raise ConfigError(
            f"{len(agents)} bots for {seats} {named}: name one for each seat, or one for all of them"
        )
    return list(agents) * seats if len(agents) == 1 else list(agents)


def seat_all(lineup: Sequence[str], make: Make) -> None:
    """Make every bot: what is wrong with one is told before the game, not as its loss."""
    for at, spec in enumerate(lineup):
        try:
            make(at)
        except GuestFault as fault:
            print_trace(fault.trace)
            raise ConfigError(f"the bot {quote(spec)}: {fault.reason} when it was made") from None


def print_trace(trace: str) -> None:
    """The traceback of a crash on the error stream, for the bot's author."""
    if trace:
        print(trace, file=sys.stderr, flush=True)
