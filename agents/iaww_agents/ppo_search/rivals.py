"""How far the others can be foreseen: what they pick, beside what the heuristic's quick rules would pick.

A pick is revealed when all have picked, and of some packs a seat knows what was in them: it has had them in
its hand. So it can tell whether another seat picked by the rules. How often each did is how often it is taken
to do so in sampled worlds; else it picks the card there that the rules think next best, as often again, and
so on. Who can be foreseen is played against as such, and little is built on what the others will leave.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_agents.heuristic.rules import decide_pick
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import BOTS, compile_apart
from iaww_agents.ppo_search.playouts import ALWAYS
from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.row import find_pack, find_seat, find_verb
from iaww_env.engine.rules.knowledge import knows_pack
from iaww_env.engine.rules.legal import Actions

Counts = npt.NDArray[np.int64]

# Before anything is seen: as if so many of so many picks had been those of the rules.
HITS, SEEN = 3, 4

kernel = compile_apart(__file__, *BOTS)


@kernel
def count_picks(
    before: States, after: States, seat: int, weights: Weights, hits: Counts, seen: Counts
) -> None:
    """Count the picks of the others between two rows of a draft, where the seat knows their packs.

    Both rows agree with what the seat knows; nothing else of them is looked at.
    """
    n = int(before[fields.PLAYERS])
    for other in range(n):
        origin = (other + int(before[fields.PACK_SHIFT])) % n
        if other == seat or not knows_pack(before, seat, origin):
            continue
        at = find_seat(before, other)
        was, now = at + fields.DRAFTED, find_seat(after, other) + fields.DRAFTED
        for i in range(fields.MOST_DRAFTED):
            if before[was + i] != after[now + i]:
                picked = decide_pick(before, other, at, find_pack(before, other), weights)
                hits[other] += picked - find_verb(before, verbs.PICK) == after[now + i]
                seen[other] += 1
                break


class Rivals:
    """What the picks of one game have told a seat of the others."""

    def __init__(self, config: GameConfig) -> None:
        """Nothing is seen yet."""
        self._weights = read_weights(config.solo)
        self._hits, self._seen = np.zeros((2, config.players), np.int64)
        self._before: States | None = None

    def watch(self, row: States, seat: int) -> None:
        """Take in what can be seen when the seat decides: a row that agrees with what it knows."""
        before, self._before = self._before, row
        if before is not None and is_pick_apart(before, row):
            count_picks(before, row, seat, self._weights, self._hits, self._seen)

    def foresee(self) -> Actions:
        """How often each seat picks by the rules, so far as one can tell: in parts of ALWAYS."""
        return (ALWAYS * (self._hits + HITS) // (self._seen + SEEN)).astype(np.int16)


def is_pick_apart(before: States, after: States) -> bool:
    """Whether two rows are of one draft, a pick apart."""
    in_draft = before[fields.PHASE] == after[fields.PHASE] == rulebook.DRAFT
    is_next = before[fields.PICK] + 1 == after[fields.PICK]
    return bool(in_draft and is_next and before[fields.ROUND] == after[fields.ROUND])
