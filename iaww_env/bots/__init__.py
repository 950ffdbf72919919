"""What a bot is given, and how bots are named and found.

>>> from iaww_env.bots import make_agent, make_view
>>> bot = make_agent("random:nodiscard")
"""

from iaww_env.bots.specs import BotSpec, list_agents, make_agent
from iaww_env.bots.views import BatchView, View, make_view

__all__ = ["BatchView", "BotSpec", "View", "list_agents", "make_agent", "make_view"]
