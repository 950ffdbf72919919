"""The bots in the seats beside the learner: who they are, and how they answer for lanes that wait."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from iaww_env.batch import find_offsets
from iaww_env.bots.games import find_lane_code
from iaww_env.bots.seeds import derive_bot_seed
from iaww_env.bots.specs import BotSpec, is_ours, make_agent
from iaww_env.bots.views import View, imagine_game, make_batch_view
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.kernels import learner as kernels
from iaww_env.errors import ConfigError, IllegalActionError, quote
from iaww_env.game import make_game

if TYPE_CHECKING:
    from iaww_env.envs.single.lanes import Lanes


class Opponents:
    """The bots of all lanes, by code: random ones play inside the kernel, the others are asked here.

    Attributes:
        specs: One for each seat but the learner's, in seat order from the learner's left.
        codes: (specs,) int16, who plays each of these seats.
        asked: The bots that are asked here, from code `FIRST_BOT` on.
    """

    def __init__(self, config: GameConfig, specs: Sequence[BotSpec]) -> None:
        """Make the bots; one spec stands for all seats."""
        self.specs = _spread_specs(config, specs)
        self.asked: list[AskedBot] = []
        known: dict[BotSpec, int] = {}
        for spec in self.specs:
            if spec not in known:
                known[spec] = self._add_bot(config, spec)
        self.codes = np.array([known[spec] for spec in self.specs] or [0], np.int16)

    def _add_bot(self, config: GameConfig, spec: BotSpec) -> int:
        agent = make_agent(spec)
        code = find_lane_code(agent)
        if code is not None:
            return code
        code = record.FIRST_BOT + len(self.asked)
        for way, kind in (("play_lanes", KernelBot), ("act_batch", BatchBot), ("act", SeatBots)):
            if kind is KernelBot and isinstance(spec, str) and not is_ours(spec):
                continue  # a kernel is given whole rows: bots of others, named by a text, are shown views
            if callable(getattr(agent, way, None)):
                self.asked.append(kind(code, spec, agent, config))
                break
        return code

    def forget(self, lanes: Sequence[int]) -> None:
        """These lanes begin anew, perhaps from the seed of the game before."""
        for bot in self.asked:
            bot.forget(lanes)

    def answer(self, lanes: Lanes) -> None:
        """Have every bot answer, or play, in the lanes that wait for it."""
        for bot in self.asked:
            bot.answer(lanes)


def _spread_specs(config: GameConfig, specs: Sequence[BotSpec]) -> list[BotSpec]:
    others = config.players - 1
    if isinstance(specs, str) or callable(specs):
        specs = [specs]
    if not isinstance(specs, Sequence):
        raise ConfigError(f"opponents is {quote(specs)}: give a list of bots, such as ['random']")
    if len(specs) not in (1, others):
        raise ConfigError(
            f"{len(specs)} opponents for {others} seats: give one for each seat from the learner's left, or "
            "one for all of them"
        )
    return list(specs) * others if len(specs) == 1 else list(specs)


class AskedBot:
    """One bot that is asked outside the kernel. It is pickled by its spec and what it holds."""

    def __init__(self, code: int, spec: BotSpec, agent: Any, config: GameConfig) -> None:
        """Take the bot in."""
        self.code, self.spec, self.agent, self.config = code, spec, agent, config
        prepare_agent(agent, config)

    def forget(self, lanes: Sequence[int]) -> None:
        """These lanes begin anew."""

    def answer(self, lanes: Lanes) -> None:
        """Answer, or play, in the lanes that wait for this bot."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        # The class of a bot from a file can be found again only once the file is loaded.
        return _load_bot, (type(self), self.spec, pickle.dumps(self.__dict__))


def prepare_agent(agent: Any, config: GameConfig) -> None:
    """Tell a bot of many games what is played, if it asks for that."""
    if callable(getattr(agent, "reset_batch", None)):
        agent.reset_batch(config)


def _load_bot(kind: type[AskedBot], spec: BotSpec, held: bytes) -> AskedBot:
    make_agent(spec)
    bot = kind.__new__(kind)
    bot.__dict__.update(pickle.loads(held))
    return bot


class KernelBot(AskedBot):
    """A bot that plays whole lanes inside a kernel of its own, and one of its kind in each further thread."""

    def __init__(self, code: int, spec: BotSpec, agent: Any, config: GameConfig) -> None:
        """Take the bot in; the others are made when threads share the lanes."""
        super().__init__(code, spec, agent, config)
        self.agents = [agent]

    def answer(self, lanes: Lanes) -> None:
        """Play every lane that waits for it until it waits for somebody else."""
        parts, rows = lanes.threads.parts, (lanes.states, lanes.lanes, lanes.streams)
        settings, codes = lanes.settings, lanes.opponents.codes
        # Only of our own bots it is known that two of them share nothing.
        if not parts or not isinstance(self.spec, str):
            play_part(self.agent, self.code, settings, codes, *rows)
            return
        while len(self.agents) < len(parts):
            self.agents.append(make_agent(self.spec))
            prepare_agent(self.agents[-1], self.config)
        shares = [
            (agent, self.code, settings, codes, *(one[part] for one in rows))
            for agent, part in zip(self.agents, parts, strict=True)
        ]
        lanes.threads.run(play_part, shares)


def play_part(
    agent: Any,
    code: int,
    settings: record.Settings,
    codes: record.Codes,
    states: States,
    lanes: record.Lane,
    streams: record.Streams,
) -> None:
    """Have a bot play those of some lanes that wait for it."""
    agent.play_lanes(code, states, settings, codes, lanes, streams)


class ViewingBot(AskedBot):
    """A bot that decides by observation and mask."""

    def __init__(self, code: int, spec: BotSpec, agent: Any, config: GameConfig) -> None:
        """Take the bot in; it says which profile it sees."""
        super().__init__(code, spec, agent, config)
        self.offsets, self.size = find_offsets(config, getattr(agent, "profile", "full"))

    def _look(
        self, lanes: Lanes
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Numbers, observations and masks of the lanes that wait for it, as fresh arrays."""
        n, actions = lanes.lanes.shape[0], lanes.n_actions
        games = np.empty(n, np.int64)
        masks, observations = np.empty((n, actions), np.int8), np.empty((n, self.size), np.float32)
        codes = lanes.opponents.codes
        found = kernels.show_waiting(
            self.code, lanes.states, codes, lanes.lanes, self.offsets, games, masks, observations
        )
        return games[:found], observations[:found], masks[:found]

    def _give(self, lanes: Lanes, g: int, action: Any, mask: npt.NDArray[np.int8]) -> None:
        """Note the answer for a lane, if it is a legal action."""
        seat = int(lanes.lanes[g, record.ASKED])
        is_number = isinstance(action, int | np.integer) and not isinstance(action, bool)
        if not is_number:
            raise TypeError(
                f"the bot {quote(self.spec)} in seat {seat} answered {quote(action)} "
                f"({type(action).__name__}): an action is a whole number"
            )
        if not (0 <= action < len(mask) and mask[action]):
            table = make_game(self.config, lanes.states[g]).actions
            legal = [table.to_text(one) for one in np.flatnonzero(mask).tolist()]
            text = table.to_text(int(action)) if 0 <= action < len(table) else str(action)
            reason = f"the bot {quote(self.spec)} answered it, and it is not legal"
            raise IllegalActionError(seat, int(action), text, reason, legal)
        lanes.actions[g] = action
        lanes.lanes[g, record.STAGE] = record.BOT_ANSWERED


class BatchBot(ViewingBot):
    """A bot that answers many decisions with one call."""

    def answer(self, lanes: Lanes) -> None:
        """Ask once for all lanes that wait."""
        games, observations, masks = self._look(lanes)
        if len(games) == 0:
            return

        # A copy of their chance: of the lanes themselves the bot is given nothing.
        streams = np.ascontiguousarray(lanes.streams[games, : record.BOT_SEED])

        def draw() -> npt.NDArray[np.float64]:
            out = np.empty(len(streams))
            kernels.draw_uniforms(streams, out)
            return out

        seats = lanes.lanes[games, record.ASKED].astype(np.int64)
        own = games.copy(), seats, observations, masks.copy()
        view = make_batch_view(self.agent, self.config, lanes.states, *own, draw)
        actions = np.asarray(self.agent.act_batch(view))
        lanes.streams[games, : record.BOT_SEED] = streams
        if actions.shape != games.shape:
            raise ValueError(
                f"the bot {quote(self.spec)} answered {actions.shape} actions where {games.shape} were asked"
            )
        for i, g in enumerate(games.tolist()):
            self._give(lanes, g, actions[i], masks[i])


class SeatBots(ViewingBot):
    """A bot that answers one decision at a time: one for each seat of each lane."""

    def __init__(self, code: int, spec: BotSpec, agent: Any, config: GameConfig) -> None:
        """Take the first of them in; the others are made when their seats are asked."""
        super().__init__(code, spec, agent, config)
        # By lane and seat: number and seed of the game it was told of, and the bot.
        self.seated: dict[tuple[int, int], tuple[tuple[int, int], Any]] = {}

    def forget(self, lanes: Sequence[int]) -> None:
        """The bots of these lanes must be told that a game has begun."""
        begun = set(lanes)
        for key in [key for key in self.seated if key[0] in begun]:
            del self.seated[key]

    def answer(self, lanes: Lanes) -> None:
        """Ask for each lane that waits."""
        for g, observation, mask in zip(*self._look(lanes), strict=True):
            seat = int(lanes.lanes[g, record.ASKED])
            imagined = imagine_game(make_game(self.config, lanes.states[g]), seat)
            view = View(self.config, observation.copy(), mask.copy(), imagined, seat)
            self._give(lanes, int(g), self._find(lanes, int(g), seat).act(view), mask)

    def _find(self, lanes: Lanes, g: int, seat: int) -> Any:
        """The bot in this seat, told where a game has begun."""
        game = int(lanes.streams[g, record.GAMES]), int(lanes.streams[g, record.BOT_SEED])
        told, agent = self.seated.get((g, seat), (None, None))
        if told != game:
            agent = make_agent(self.spec) if agent is None else agent
            agent.reset(seat, self.config, derive_bot_seed(game[1], seat, game[0]))
            self.seated[g, seat] = game, agent
        return agent
