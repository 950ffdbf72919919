"""A person who plays: what is asked and told, at a terminal and on a page, and what may be typed."""

from iaww_agents.human.person import GameLeft, HumanAgent

__all__ = ["GameLeft", "HumanAgent"]
