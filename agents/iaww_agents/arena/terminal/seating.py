"""Who plays a game at the terminal: bots that are made before it begins."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from iaww_agents.arena.play.faults import GuestFault
from iaww_agents.arena.play.guests import HouseRules
from iaww_agents.arena.play.match import Make
from iaww_env.errors import ConfigError, quote

WATCHED = HouseRules(is_loud=True)  # what a bot prints is for its author, who watches it


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
