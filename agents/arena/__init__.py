"""Matches between bots that one can trust: duplicate deals, ratings with intervals, reports.

>>> from agents.arena.tournament import run_tournament
>>> from agents.arena.report import make_report
>>> print(make_report(run_tournament(["greedy", "random:nodiscard"], games=200)).to_markdown())
"""
