"""Bots written into files, as a user would write them."""

from __future__ import annotations

from pathlib import Path


def write_bot(folder: Path, name: str, body: str, head: str = "") -> str:
    """A file with one bot, whose methods are `body`; its path."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    path = folder / f"{name}.py"
    path.write_text(
        f"import numpy as np\nfrom iaww_agents import Agent\n{head}\n\nclass Bot(Agent):\n{lines}\n"
    )
    return str(path)


# A bot that plays as `greedy` does, but answers one decision at a time.
SLOW_GREEDY = """
def __init__(self):
    from iaww_agents.greedy import GreedyAgent
    self.inner = GreedyAgent()
def reset(self, seat, config, seed):
    self.inner.reset(seat, config, seed)
def act(self, view):
    return self.inner.act(view)
"""

# A bot that plays at random from its own seed.
OWN_CHANCE = """
def reset(self, seat, config, seed):
    self.rng = np.random.default_rng(seed)
def act(self, view):
    return int(self.rng.choice(view.legal_actions()))
"""

# A bot that answers in batches, at random from the streams of the games.
IN_BATCHES = """
profile = "compact"
def act(self, view):
    raise AssertionError("asked one by one")
def act_batch(self, view):
    counts = view.action_masks.sum(axis=1)
    picks = (view.draw_uniforms() * counts).astype(int)
    return np.array([np.flatnonzero(mask)[pick] for mask, pick in zip(view.action_masks, picks)])
"""
