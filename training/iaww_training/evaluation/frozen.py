"""An agent of any kind in seats of a batch: it plays as it is and learns nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_agents.base import DeterministicAgent
from iaww_env import rulebook
from iaww_env.batch import Batch, lend_states
from iaww_env.bots.games import find_lane_code
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import View, imagine_game, make_batch_view
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game, make_game
from iaww_env.observation import observation_table
from iaww_training.matches import Actions

Asked = npt.NDArray[np.bool_]


class FrozenAgent:
    """What an agent plays in the games of a batch that ask it.

    Where the batch leaves giving up constructions out of its masks, the agent cannot do so either.
    """

    def __init__(self, spec: str, config: GameConfig, seed: int) -> None:
        """Make the agent; its chance follows from the seed.

        Raises:
            ConfigError: There is no such bot, or it cannot play this.
        """
        self.spec, self.config = spec, config
        self.rng = np.random.default_rng(seed)
        self.agent = make_agent(spec)
        if callable(getattr(self.agent, "reset_batch", None)):
            self.agent.reset_batch(config)
        self.seated: dict[tuple[int, int], Any] = {}

    def __call__(self, batch: Batch, asked: Asked) -> Actions:
        """(games,) its action in each game that asks it; 0 in the others."""
        actions = np.zeros(batch.num_games, np.int16)
        games = np.flatnonzero(asked)
        if len(games) == 0:
            return actions
        if find_lane_code(self.agent) is not None:
            actions[games] = self._draw(batch.masks[games])
        elif isinstance(self.agent, DeterministicAgent):
            rows = lend_states(batch)
            arrays = self.agent.lend_arrays(rows[0])
            choose = type(self.agent).choose
            actions[games] = [choose(rows[g], int(batch.seats[g]), *arrays) for g in games]
        elif callable(getattr(self.agent, "act_batch", None)):
            actions[games] = self._ask_together(batch, games)
        else:
            actions[games] = [self._ask(batch, int(g)) for g in games]
        return self._check(batch, games, actions)

    def _draw(self, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """A uniformly random legal action of each decision."""
        drawn: npt.NDArray[np.int64] = (masks * self.rng.random(masks.shape)).argmax(1)
        return drawn

    def _ask_together(self, batch: Batch, games: npt.NDArray[np.int64]) -> npt.NDArray[np.integer]:
        """One call for all."""
        seats, profile = batch.seats[games].astype(np.int64), self.agent.profile
        if profile == batch.profile:
            observations = np.array(batch.observations[games])
        else:
            table = observation_table(self.config, profile)
            shown = [
                table.observe(self._show(batch, int(g)), int(seat))[0]
                for g, seat in zip(games, seats, strict=True)
            ]
            observations = np.stack(shown)
        masks = np.array(batch.masks[games])
        view = make_batch_view(self.agent, self.config, lend_states(batch), games, seats, observations, masks)
        return np.asarray(self.agent.act_batch(view))

    def _ask(self, batch: Batch, g: int) -> int:
        """One decision; an agent of its own plays each seat of each game."""
        game, seat = self._show(batch, g), int(batch.seats[g])
        state = game.state
        begins = state.round == 1 and state.pick == 0 and state.phase == rulebook.DRAFT
        if begins or (g, seat) not in self.seated:
            agent = self.seated.setdefault((g, seat), make_agent(self.spec))
            if callable(getattr(agent, "reset", None)):
                agent.reset(seat, self.config, int(self.rng.integers(1 << 62)))
        agent = self.seated[g, seat]
        observation, _ = observation_table(self.config, getattr(agent, "profile", "full")).observe(game, seat)
        mask = np.array(batch.masks[g])
        return int(agent.act(View(self.config, observation, mask, imagine_game(game, seat), seat)))

    def _show(self, batch: Batch, g: int) -> Game:
        return make_game(self.config, lend_states(batch)[g])

    def _check(self, batch: Batch, games: npt.NDArray[np.int64], actions: Actions) -> Actions:
        """Its actions, where all are legal.

        Raises:
            ConfigError: One is not.
        """
        for g in games[batch.masks[games, actions[games]] == 0][:1].tolist():
            table = self._show(batch, g).actions
            number = int(actions[g])
            text = table.to_text(number) if 0 <= number < len(table) else str(number)
            raise ConfigError(
                f"{quote(self.spec)} answers {text}, which is not legal there: a response learns against "
                "agents that play legal actions and give up no card under construction"
            )
        return actions
