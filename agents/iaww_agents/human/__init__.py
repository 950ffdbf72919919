"""A person at the terminal: what is asked, what may be typed, and what is told."""

from iaww_agents.human.person import GameLeft, HumanAgent

__all__ = ["GameLeft", "HumanAgent"]
