"""Tables at which a network learns: many games side by side, of several kinds, with others in some seats.

Most games are played by the learner in all seats. In the others an opponent (an older snapshot of the
learner, or a bot) takes some of them; its decisions are played and not learnt from. Who sits where is drawn
when a game begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from iaww_agents.networks.inputs import PROFILE, Inputs, Rows, gather_seen
from iaww_env.batch import Batch, lend_states
from iaww_env.config import GameConfig
from iaww_env.selfplay import SelfPlayRollout
from iaww_training.decisions import Seen, join, look_at_games
from iaww_training.imitation import REWARD, choose_reward
from iaww_training.matches import Chooser
from iaww_training.network import NOWHERE, ScoringNetwork

Floats = npt.NDArray[np.float32]
LEARNER = 0


class Collected(NamedTuple):
    """Decisions of the learner, in the order in which they were made. (decisions,) but for what was seen."""

    seen: Seen
    actions: npt.NDArray[np.int64]
    values: Floats
    log_probs: Floats
    advantages: Floats
    returns: Floats


class Ended(NamedTuple):
    """A game that has ended: points and share of the win of each seat, and who sat there."""

    table: int
    points: list[int]
    wins: list[float]
    seated: list[int]


class Table:
    """Games of one configuration.

    Attributes:
        batch: The games.
        rollout: Who decided what, and what came of it.
        seated: (games, players) who sits where: LEARNER, or the number of an opponent.
    """

    def __init__(
        self,
        config: GameConfig,
        games: int,
        steps: int,
        seed: int,
        discards: bool,
        mixed: int,
        learners: int | None = None,
        reward: str = REWARD,
    ) -> None:
        """Begin the games; in the first `mixed` of them opponents take all seats but so many, or some."""
        paid = choose_reward(config, reward)
        self.batch = Batch(config, games, seed, observation=PROFILE, reward=paid, discards=discards)
        self.seated = np.zeros((games, config.players), np.int64)
        self.mixed = 0 if config.solo else mixed
        self.learners = learners
        self.rollout = SelfPlayRollout(self.batch, steps, observed=False)

    def seat(self, g: int, players: int, rng: np.random.Generator) -> None:
        """Draw who sits where in a game that begins: one opponent of so many, in some of the seats."""
        if g < self.mixed and players > 1:
            count = self.seated.shape[1]
            kept = self.learners
            others = rng.integers(1, count) if kept is None else count - min(kept, count - 1)
            order = rng.permutation(count)
            self.seated[g] = np.where(order < others, rng.integers(1, players), LEARNER)


class Tables:
    """All games that are learnt from, and who plays in them."""

    def __init__(
        self,
        inputs: Inputs,
        configs: Sequence[tuple[GameConfig, int]],
        steps: int,
        seed: int,
        *,
        scale: float,
        gae: float = 0.95,
        discards: bool = False,
        mixed_share: float = 0.0,
        learners: int | None = None,
        reward: str = REWARD,
    ) -> None:
        """Begin so many games of each configuration.

        Args:
            inputs: What networks see.
            configs: Configurations, each with its number of games.
            steps: Decisions of each game in a rollout.
            seed: Of the games and of the draws.
            scale: What a point is worth.
            gae: Weight of later estimates of the advantage.
            discards: Whether the learner may give up constructions.
            mixed_share: Share of games in which opponents take seats.
            learners: Seats that the learner keeps in these games; drawn for each game by default.
            reward: What a seat learns from, where it is not alone.
        """
        self.inputs, self.steps, self.scale, self.gae = inputs, steps, scale, gae
        self.tables = [
            Table(
                config,
                games,
                steps,
                seed + 1_000_000 * number,
                discards,
                round(mixed_share * games),
                learners,
                reward,
            )
            for number, (config, games) in enumerate(configs)
        ]
        self.sources = [inputs.find(table.batch.config) for table in self.tables]
        self.rng = np.random.default_rng(seed)
        self.opponents: list[Chooser] = []

    def set_opponents(self, opponents: Sequence[Chooser]) -> None:
        """Who else may take seats from the next games on; seats of those that are gone are the learner's."""
        self.opponents = list(opponents)
        for table in self.tables:
            table.seated[table.seated > len(self.opponents)] = LEARNER

    def seat_opponents(self) -> None:
        """Draw who sits where in the games under way: at the beginning of a run."""
        for table in self.tables:
            for g in range(table.mixed):
                table.seat(g, len(self.opponents) + 1, self.rng)

    @torch.no_grad()
    def collect(self, network: ScoringNetwork) -> tuple[Collected, list[Ended]]:
        """Play so many steps; the decisions of the learner, and the games that have ended."""
        parts: list[list[Seen]] = [[] for _ in self.tables]
        asked: list[list[npt.NDArray[np.bool_]]] = [[] for _ in self.tables]
        ended: list[Ended] = []
        for table in self.tables:
            table.rollout.clear()
        for _ in range(self.steps):
            seen_now = []
            for number, (table, sources) in enumerate(zip(self.tables, self.sources, strict=True)):
                batch = table.batch
                who = table.seated[np.arange(batch.num_games), batch.seats]
                mine = who == LEARNER
                seen = look_at_games(self.inputs, sources, batch, mine)
                seen_now.append(seen)
                parts[number].append(seen)
                asked[number].append(mine)
            places, log_probs, values = self._decide(network, join(seen_now))
            at = 0
            for number, seen in enumerate(seen_now):
                part = slice(at, at + len(seen))
                at += len(seen)
                ended += self._step(
                    number, asked[number][-1], seen, places[part], log_probs[part], values[part]
                )
        return self._close(network, parts, asked), ended

    def _decide(self, network: ScoringNetwork, seen: Seen) -> tuple[npt.NDArray[np.int64], Floats, Floats]:
        """Places of the actions drawn from the policy, their log-probabilities, and values."""
        if len(seen) == 0:  # opponents decide in all games
            return np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32)
        scores, values = network(*seen.tensors())
        log_probs = torch.log_softmax(scores, 1).numpy()
        # The greatest of the log-probabilities, each plus Gumbel noise, is a draw from the policy.
        noise = -np.log(-np.log(self.rng.random(log_probs.shape, np.float32) + 1e-12) + 1e-12)
        places = np.where(log_probs > NOWHERE / 2, log_probs + noise, -np.inf).argmax(1)
        return places, log_probs[np.arange(len(places)), places], values.numpy()

    def _step(
        self,
        number: int,
        mine: npt.NDArray[np.bool_],
        seen: Seen,
        places: npt.NDArray[np.int64],
        log_probs: Floats,
        values: Floats,
    ) -> list[Ended]:
        """Play a step of a table; the games that have ended."""
        table = self.tables[number]
        batch, games = table.batch, table.batch.num_games
        actions = np.zeros(games, np.int16)
        actions[mine] = seen.legal.actions[seen.offsets[:-1] + places]
        if not mine.all():
            who = table.seated[np.arange(games), batch.seats]
            for one, opponent in enumerate(self.opponents, 1):
                theirs = who == one
                if theirs.any():
                    actions = np.where(theirs, opponent(batch, theirs), actions)
        every_value, every_log_prob = np.zeros((2, games), np.float32)
        every_value[mine], every_log_prob[mine] = values, log_probs
        table.rollout.step(actions, every_value, every_log_prob)
        ended = []
        for g in np.flatnonzero(batch.done).tolist():
            first = batch.places[g] == 1
            wins = (first / first.sum()).tolist()
            ended.append(Ended(number, batch.points[g].tolist(), wins, table.seated[g].tolist()))
            table.seat(g, len(self.opponents) + 1, self.rng)
        return ended

    def _close(
        self,
        network: ScoringNetwork,
        parts: list[list[Seen]],
        asked: list[list[npt.NDArray[np.bool_]]],
    ) -> Collected:
        """Advantages and returns along the decisions of each seat."""
        found: list[dict[str, npt.NDArray[Any]]] = []
        seen: list[Seen] = []
        for table, sources, mine, part in zip(self.tables, self.sources, asked, parts, strict=True):
            rollout = table.rollout
            rollout.rewards *= self.scale
            last = rollout.last_observations()
            games, players = last.shape[:2]
            everyone = None
            if sources.adviser is not None:
                seats = np.tile(np.arange(players), games)
                everyone = Rows(lend_states(table.batch).repeat(players, 0), seats)
            known = gather_seen(self.inputs, sources, last.reshape(-1, last.shape[-1]), everyone)
            values = network.estimate(torch.from_numpy(known)).numpy().reshape(last.shape[:2])
            rollout.estimate(values, gamma=1.0, lam=self.gae)
            chosen = np.stack(mine)
            names = ("actions", "values", "log_probs", "advantages", "returns")
            found.append({name: getattr(rollout, name)[chosen] for name in names})
            seen.append(join(part))
        flat = {name: np.concatenate([one[name] for one in found]) for name in found[0]}
        flat["actions"] = flat["actions"].astype(np.int64)
        return Collected(join(seen), **flat)
