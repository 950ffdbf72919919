"""The network of `ppo`, looking ahead: what may be played is tried out in sampled worlds.

For a decision the bot asks its policy, and compares actions on the same worlds, each drawn so that it agrees
with all the seat knows and played on to the end of the round (see `playouts`), from the seat's next pick in
several ways, of which the best counts. What an action is worth there is added to what the policy thinks of
it: one that the policy holds for unlikely must gain more. Actions that are clearly behind are dropped, so the
budget goes to the close ones. By default all that is legal is tried: what the policy holds for very unlikely
is what it has most to learn of.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from iaww_agents.base import View
from iaww_agents.networks.inputs import Rows
from iaww_agents.ppo.bot import find_shipped
from iaww_agents.ppo_search.looking import LookingAgent
from iaww_agents.ppo_search.playouts import BY, Doubles, Lookahead
from iaww_agents.ppo_search.rivals import Rivals
from iaww_agents.search.bot import CHUNK, LONGEST, MOST_BONUS, MOST_WORLDS, find_rivals
from iaww_env import rulebook
from iaww_env.bots.numbers import check_number, check_whole
from iaww_env.config import GameConfig
from iaww_env.engine.rules.legal import Actions
from iaww_env.errors import ConfigError, quote
from iaww_env.game import lend_row

MOST_CANDIDATES = 60
WORLDS, CANDIDATES = 16, MOST_CANDIDATES  # of a decision, where nothing is said
UNLIKELY, SURE = 0.0, 1.0  # all that is legal is tried
DEPTH, WIDTH, MOST_DEPTH = 1, 3, 6  # of what a seat picks next
TRUST = 0.1
WIN_BONUS, RIVALRY = 20.0, 0.3  # as `search` counts


class PpoSearchAgent(LookingAgent):
    """Determinised search with a learnt policy and a learnt value."""

    def __init__(
        self,
        worlds: int | None = None,
        milliseconds: float | None = None,
        candidates: int = CANDIDATES,
        unlikely: float = UNLIKELY,
        sure: float = SURE,
        trust: float = TRUST,
        rounds: int = 1,
        depth: int = DEPTH,
        width: int = WIDTH,
        own: str = "policy",
        others: str = "rules",
        win_bonus: float = WIN_BONUS,
        rivalry: float = RIVALRY,
        belief: int = 1,
        path: str | None = None,
    ) -> None:
        """Make the bot.

        Args:
            worlds: Sampled worlds for a decision, in steps of 8; 16 where no time is given either.
            milliseconds: Time for a decision; None for no limit. Only without it do the same seeds give the
                same moves.
            candidates: At most so many actions are compared, the likeliest of the policy.
            unlikely: None are that the policy holds for less likely.
            sure: How likely its action must be to the policy to be played without a comparison.
            trust: Points that an action must gain to be played as readily as one that the policy holds for
                2.7 times as likely.
            rounds: Worlds are played on for so many rounds, this one among them, and judged by the network
                as the next begins; 4 to the end of the game, 0 for no further than the action itself.
            depth: At so many next picks of the seat each world is played on in several ways, and the best one
                counts.
            width: They begin with so many actions, those that the policy thinks best.
            own: How the seat itself decides there: by the "policy", by the heuristic's "rules", or by
                "plans": by the policy where it drafts and plans, and by the rules in production.
            others: How the other seats do.
            win_bonus: Points that winning is worth beyond the points themselves.
            rivalry: What a point of the best other seat costs, 0 to 1.
            belief: 1 where the picks of others tell how far the rules foresee their next ones; at 0 they are
                taken for certain.
            path: Weights to play; those of `ppo` by default.
        """
        self._worlds = WORLDS if milliseconds is None else MOST_WORLDS
        self._seconds: float | None = None
        if worlds is not None:
            self._worlds = check_whole("ppo_search", "worlds", worlds, 1, MOST_WORLDS)
        if milliseconds is not None:
            self._seconds = check_number("ppo_search", "milliseconds", milliseconds, 0.001, LONGEST) / 1000
        self._candidates = check_whole("ppo_search", "candidates", candidates, 2, MOST_CANDIDATES)
        self._unlikely = check_number("ppo_search", "unlikely", unlikely, 0, 1)
        self._sure = check_number("ppo_search", "sure", sure, 0, 1)
        self._trust = check_number("ppo_search", "trust", trust, 0, 1000)
        self._belief = check_whole("ppo_search", "belief", belief, 0, 1)
        for name, by in ("own", own), ("others", others):
            if by not in BY:
                raise ConfigError(f"ppo_search: {name} is one of {', '.join(BY)}, not {quote(by)}")
        lookahead = Lookahead(
            check_whole("ppo_search", "rounds", rounds, 0, rulebook.ROUNDS),
            own,
            others,
            check_number("ppo_search", "win_bonus", win_bonus, -MOST_BONUS, MOST_BONUS),
            check_number("ppo_search", "rivalry", rivalry, 0, 1),
            check_whole("ppo_search", "depth", depth, 0, MOST_DEPTH),
            check_whole("ppo_search", "width", width, 2, MOST_CANDIDATES),
        )
        super().__init__(path, lookahead)

    def find_weights(self, config: GameConfig) -> Path:
        """Those of `ppo`."""
        return find_shipped(config)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat; of the others nothing is known yet."""
        super().reset(seat, config, seed)
        self._rivals = Rivals(config)

    def act(self, view: View) -> int:
        """What the policy is sure of, or the best of what it thinks of in sampled worlds."""
        self._weighed = {}
        row = lend_row(view.sample_game(0))
        self._rivals.watch(row, view.seat)
        mask, rows = view.action_mask * self._allowed, Rows(row[None], np.array([view.seat]))
        scores, _ = self._playouts.score(view.observation[None], mask[None], rows)
        actions, log_probs = list_candidates(scores[0], self._candidates, self._unlikely)
        if len(actions) == 1 or log_probs[0] >= np.log(max(self._sure, 1e-9)):
            return int(actions[0])
        return int(actions[self._compare(row, view.seat, actions, self._trust * log_probs)])

    def _compare(self, row: npt.NDArray[np.int16], seat: int, actions: Actions, ahead: Doubles) -> int:
        """The number of the best candidate; `ahead` is what each is given before anything is tried."""
        playouts = self._playouts
        often = self._rivals.foresee() if self._belief else None
        alive = np.arange(len(actions))
        values = np.empty((len(actions), 0))
        begun, chunks = time.perf_counter(), 0
        while len(alive) > 1 and values.shape[1] < self._worlds:
            worlds = playouts.draw_worlds(row, seat, CHUNK, self._rng)
            new = playouts.compare(worlds, seat, np.ascontiguousarray(actions[alive]), often)
            values, chunks = np.concatenate([values, new + ahead[alive, None]], axis=1), chunks + 1
            means = (values.mean(axis=1) - ahead[alive]).tolist()
            self._weighed |= dict(zip(actions[alive].tolist(), means, strict=True))
            keep = find_rivals(values)
            alive, values = alive[keep], values[keep]
            spent = time.perf_counter() - begun
            if self._seconds is not None and spent + spent / chunks > self._seconds:
                break
        return int(alive[int(values.mean(axis=1).argmax())])


def list_candidates(
    scores: npt.NDArray[np.float32], most: int, unlikely: float = UNLIKELY
) -> tuple[Actions, Doubles]:
    """The likeliest actions by their scores, those first, and the logarithms of their probabilities.

    Actions below `unlikely` are left out, and those that are not legal.
    """
    odds = scores.astype(np.float64) - scores.max()
    log_probs = odds - np.log(np.exp(odds).sum())
    order = np.argsort(-log_probs, kind="stable")[:most]
    order = order[(log_probs[order] > np.log(max(unlikely, 1e-30))) & np.isfinite(log_probs[order])]
    return order.astype(np.int16), log_probs[order]
