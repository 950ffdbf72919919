"""Bots that play It's a Wonderful World.

>>> from iaww_agents import make_agent
>>> bot = make_agent("random:nodiscard")

A bot is an `Agent`: `reset(seat, config, seed)` when a game begins, `act(view)` for each decision. Bots of
your own are named by `my_module:MyBot` or `path/to/bot.py` wherever ours are named, and by a name of their
own once their package declares it under the entry-point group `iaww.agents`.
"""

from __future__ import annotations

from iaww_agents.base import Agent, BatchView, View, list_agents, make_agent, make_view

__all__ = ["Agent", "BatchView", "View", "list_agents", "make_agent", "make_view"]
