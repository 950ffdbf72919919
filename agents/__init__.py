"""Bots that play It's a Wonderful World.

>>> from agents import make_agent
>>> bot = make_agent("random:nodiscard")

A bot is an `Agent`: `reset(seat, config, seed)` when a game begins, `act(view)` for each decision. Bots of
your own are named by `my_module:MyBot` or `path/to/bot.py` wherever ours are named, and by a name of their
own once their package declares it under the entry-point group `iaww.agents`.
"""

from __future__ import annotations

from agents.base import Agent, BatchView, View, list_agents, make_agent, make_view

# By this mark the package is told from others of the same name.
PROJECT = "iaww-env"

# The bots of the project, weakest first. The entry points in pyproject.toml say the same.
AGENTS = {
    "random": "agents.random_agent:RandomAgent",
    "greedy": "agents.greedy:GreedyAgent",
    "heuristic": "agents.heuristic:HeuristicAgent",
    "search": "agents.search:SearchAgent",
}

__all__ = ["AGENTS", "Agent", "BatchView", "View", "list_agents", "make_agent", "make_view"]
