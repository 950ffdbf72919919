"""The quick bots, and one decision of a bot."""

from __future__ import annotations

from iaww_agents import Agent, View

BOTS = ("random", "random:nodiscard", "greedy")


def ask(bot: Agent, view: View, seat: int, seed: int = 8) -> int:
    bot.reset(seat, view.config, seed)
    return int(bot.act(view))
