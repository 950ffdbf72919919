"""Matches between bots that one can trust: duplicate deals, ratings with intervals, reports.

>>> from iaww_agents.arena.play.tournament import run_tournament
>>> from iaww_agents.arena.publish.report import make_report
>>> print(make_report(run_tournament(["greedy", "random:nodiscard"], games=200)).to_markdown())
"""
