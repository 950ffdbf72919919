"""The environment of PettingZoo in which one seat at a time is asked (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from iaww_env.engine import fields
from iaww_env.engine.kernels import parallel as kernels
from iaww_env.engine.rewards import POINTS_GAIN
from iaww_env.envs.action_numbers import MOST_ACTION, NO_ACTION, PLAIN, read_action
from iaww_env.envs.multi.seated import Infos, SeatedEnv
from iaww_env.envs.multi.session import Session
from iaww_env.envs.options import SeatedOptions
from iaww_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered
from iaww_env.envs.signatures import takes
from iaww_env.envs.spaces import Observation

Last = tuple[Observation | None, float, bool, bool, dict[str, Any]]


class AECGame(SeatedEnv, AECEnv[str, Observation, int | None]):
    """One seat is asked after the other: always the first that owes a decision, and nobody ever waits.

    Inside a phase a seat's decisions touch nobody else and nobody sees them, so this is the very game of the
    parallel environment. It does not ask the seats in a fixed cycle, so PettingZoo's `aec_to_parallel` cannot
    wrap it: take `parallel_env`. See `aec_env`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo declares it on the instance
        "name": "iaww_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(self, session: Session, render_mode: str | None = None) -> None:
        """Seat the agents; the game begins with `reset`."""
        super().__init__(session, render_mode)
        self._acted = slice(fields.ACTED, fields.ACTED + len(self._names))
        self.agent_selection = self._names[0]
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: Infos = {}

    # --- PettingZoo's methods --------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: A whole number from 0; None goes on where the random stream of the last game ended.
            options: `deals` (kinds by round and seat) and `empires`; other names are left alone.
        """
        self._session.begin(seed, options)
        names = self._names
        self.agents = list(names)
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos = {name: {} for name in names}
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo resets it itself
        self._select_seat()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is asked; None of one whose game has ended."""
        agent = self.agent_selection
        if not self.agents:
            raise self._explain_stop()
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = int(action) if type(action) in PLAIN else read_action(agent, action)  # type: ignore[arg-type]
        self.infos[agent] = self._play(self._seats[agent], number)
        self._cumulative_rewards[agent] = 0.0
        if self._session.over:
            self._end()
        else:
            self._pay()
            self._select_seat()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, and what it may do; fresh arrays."""
        return self._show_seat(self._find_seat(agent))

    def last(self, observe: bool = True) -> Last:
        """Observation, reward since its last action, termination, truncation and info of the agent asked."""
        if not self.agents:
            raise self._explain_stop()
        agent = self.agent_selection
        shown = self._show_seat(self._seats[agent]) if observe else None
        reward, ended = self._cumulative_rewards[agent], self.terminations[agent]
        return shown, reward, ended, False, self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int | None]:
        """The agents in the order in which they are asked; `step` once for each."""
        if self._session.row is None:
            raise self._explain_stop()
        return super().agent_iter(max_iter)

    def render(self) -> Rendered:
        """What the agent that is asked sees: returned (`"ansi"`, `"rgb_array"`) or shown (`"human"`)."""
        return self._render_for(None if self._session.over else self._seats[self.agent_selection])

    # --- A step in parts -------------------------------------------------------------------------

    def _play(self, seat: int, action: int) -> dict[str, Any]:
        """Play an action; an illegal one is replaced, or ends the game, or is refused with an error."""
        session = self._session
        if self._play_legal(seat, action):
            return {}
        legal = session.handle_illegal(seat, action)
        if legal is not None:
            self._play_legal(seat, legal)
        return {"illegal_action": int(session.illegal_count[seat])}

    def _play_legal(self, seat: int, action: int) -> bool:
        session = self._session
        known = action if 0 <= action <= MOST_ACTION else NO_ACTION
        return kernels.step_seat(session.state_row, seat, known, session.asks, session.legal)

    def _select_seat(self) -> None:
        """The first seat that has not ended its phase, or picked, is asked next."""
        acted = self._session.state_row[self._acted].tolist()
        self.agent_selection = self._names[acted.index(0)]

    def _pay(self) -> None:
        """Rewards of a step that did not end the game; only points_gain has any."""
        session = self._session
        if session.scheme != POINTS_GAIN:
            self.rewards = dict.fromkeys(self._names, 0.0)
            return
        self._share(session.settle())

    def _share(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self._names, rewards, strict=True))
        self._accumulate_rewards()

    def _end(self) -> None:
        """The game is over: every agent is asked once more, to take note."""
        session = self._session
        self._share(session.settle())
        self.infos = self._close_infos()
        self.terminations = dict.fromkeys(self._names, True)
        self.agent_selection = self._names[0]


@takes(SeatedOptions)
def aec_env(options: SeatedOptions) -> AECGame:
    """The game as a PettingZoo AEC environment: one seat at a time is asked. Two to seven players.

    >>> env = aec_env(players=3)
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     ended = termination or truncation
    ...     env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    """
    return AECGame(Session(options.make_config(), options), options.render_mode)
