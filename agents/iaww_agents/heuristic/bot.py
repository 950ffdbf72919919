"""The heuristic: a real player made of values, for every mode.

It values a card by the points it can expect to make (its own, rates and duos with what is built and slated,
its bonus), by its engine over the rounds left, and by the cubes it takes. Before it slates or recycles in a
case that is not clear, it plays its own cards through to the end. With `check=0` it goes by the quick rules
alone, many times faster. To be read in this order:

- `values.py`: what a card is worth to a seat;
- `rules.py`: the quick rules built on these values, one decision at a time;
- `plan.py`: what becomes of the seat's cards, played through by these rules;
- `weights.py`: the numbers behind all of it, by name. `heuristic.csv` holds them, with a column for games of
  two and more and one for solo; `kinds.csv` what each kind is worth beyond its figures. `tune_heuristic` and
  `learn_biases` in the package `iaww_training` are how they were found.
"""

from __future__ import annotations

import numpy as np

from iaww_agents.base import DeterministicAgent, LaneArrays
from iaww_agents.heuristic.plan import choose_heuristic
from iaww_agents.heuristic.weights import Weights, change_weights
from iaww_agents.jit import kernel
from iaww_env import rulebook
from iaww_env.bots.numbers import check_number
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import lanes

MOST = 1_000_000.0  # of a weight, either way


@kernel
def choose_by_values(row: States, seat: int, weights: Weights, scratch: States) -> int:
    """The action of a seat that owes a decision; `scratch` is a spare row."""
    return choose_heuristic(row, seat, weights, scratch)


@kernel
def play_by_values(code: int, games: LaneArrays, weights: Weights, scratch: States) -> None:
    """Play every lane that waits for this bot until it waits for somebody else."""
    for g in range(games.states.shape[0]):
        row, lane = games.states[g], games.lanes[g]
        for _ in range(rulebook.MOST_DECISIONS):
            if not lanes.awaits_bot(row, lane, games.codes, code):
                break
            action = choose_heuristic(row, int(lane[lanes.ASKED]), weights, scratch)
            lanes.answer_lane(row, lane, games.streams[g], games.codes, games.settings, action)


class HeuristicAgent(DeterministicAgent):
    """Plays by the values of cards; it leaves nothing to chance, and weights can be changed by name."""

    choose = staticmethod(choose_by_values)
    play = staticmethod(play_by_values)

    def __init__(self, **weights: float) -> None:
        """Make the bot, e.g. `HeuristicAgent(deny=0)`, or by spec `heuristic:deny=0`."""
        changes = {
            name: check_number("heuristic", name, value, -MOST, MOST) for name, value in weights.items()
        }
        self._weights = {solo: change_weights(solo, changes) for solo in (False, True)}

    def lend_arrays(self, row: States) -> tuple[Weights, States]:
        """The weights of the mode, and a spare row."""
        return self._weights[bool(row[fields.PLAYERS] == 1)], np.empty_like(row)
