"""Games of every mode, boiled down to digests: whatever a user, a learner or a bot sees of them.

Each part of a mode has a digest of its own, so that a difference says where to look:

- `game`: rows, masks and observations of both profiles, of every seat at every decision, hidden cards drawn
  anew, the record and its result;
- `batch`: states, masks, observations, rewards, points and places of a batch, under every reward;
- `environments`: all that the PettingZoo and Gymnasium forms return, illegal actions and forfeits included;
- a bot's name: each of its decisions and how the game ends, with the bot in all seats.

`python -m tests.digests` compares with `digests.json`; `--write` renews it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

import iaww_env
from iaww_env import GameConfig
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.records import Recorder, replay

PROFILES = ("full", "compact")
REWARDS = ("outcome", "rank", "points", "margin", "points_gain")
BOTS = ("random", "random:nodiscard", "greedy", "heuristic", "search:worlds=8")

SIDES = "ABCDEF"


def list_modes() -> dict[str, GameConfig]:
    """Every number of players with both card pools, every scenario; the sides take turns."""
    modes: dict[str, GameConfig] = {}
    for expansions, most, pool in (((), 5, "base"), (EXPANSIONS, 7, "ascension")):
        for players in range(1, most + 1):
            side = SIDES[(players - 1) % len(SIDES)]
            name = f"{pool}, {players}, side {side}"
            modes[name] = GameConfig(players=players, expansions=expansions, empire_side=side)
    for one in scenarios():
        modes[one.id] = GameConfig(
            players=1, expansions=EXPANSIONS if one.needs_expansion else (), scenario=one.id
        )
    named = GameConfig(players=4, empires=("noram_states", None, None, "republic_of_europe"))
    return {**modes, "base, 4, side A, two empires named": named}


class Digest:
    """Takes in values of any sort and gives one digest of all of them."""

    def __init__(self) -> None:
        self.state = hashlib.sha256()

    def add(self, *values: Any) -> None:
        """Take in arrays with their types and shapes, tables with their names, and all else by its text."""
        for value in values:
            if isinstance(value, np.ndarray) and value.dtype == object:
                self.add(value.tolist())
            elif isinstance(value, np.ndarray):
                self.state.update(f"{value.dtype.str}{value.shape}".encode())
                self.state.update(np.ascontiguousarray(value).tobytes())
            elif isinstance(value, Mapping):
                for name, one in value.items():
                    self.add(str(name), one)
            elif isinstance(value, list | tuple):
                self.add(f"{len(value)} entries", *value)
            else:
                plain = value.item() if isinstance(value, np.generic) else value
                self.state.update(f"{plain!r};".encode())

    def show(self) -> str:
        """The digest, short."""
        return self.state.hexdigest()[:16]


def choose_at_random(legal: Sequence[int], table: Any, rng: np.random.Generator) -> int:
    """A random action; constructions are given up now and then, digs and tokens are taken often."""
    calm = [one for one in legal if not table.discard <= one < table.use]
    rare = [one for one in calm if table.use <= one < table.end and one != table.to_empire]
    draw = rng.random()
    if draw < 0.1:
        return int(rng.choice(legal))
    return int(rng.choice(rare if rare and draw < 0.6 else calm))


# --- The parts -------------------------------------------------------------------------------------


def digest_game(config: GameConfig) -> str:
    """A random game, looked at from all sides at every decision."""
    digest, rng = Digest(), np.random.default_rng(11)
    recorder = Recorder(iaww_env.Game(config, 5), 5, checks=True)
    game, steps = recorder.game, 0
    tables = [iaww_env.observation_table(config, profile) for profile in PROFILES]
    while not game.over:
        digest.add(game.row, game.scores(), game.places())
        for seat in range(config.players):
            for table in tables:
                digest.add(*table.observe(game, seat))
        if steps % 40 == 0:
            drawn = game.redeterminize(int(rng.integers(config.players)), int(rng.integers(1 << 30)))
            digest.add(drawn.row)
        seat = int(rng.choice(game.seats_to_act()))
        recorder.step(seat, choose_at_random(game.legal_actions(seat), game.actions, rng))
        steps += 1
    record = recorder.record()
    digest.add(game.row, game.to_bytes(), game.winners(), game.medal(), game.title(), json.dumps(record))
    digest.add(replay(record).row, game.legal_actions(0), [table.observe(game, 0) for table in tables])
    return digest.show()


def digest_cards(config: GameConfig) -> str:
    """A batch in the profile `cards`, which is younger than the other parts."""
    digest = Digest()
    batch, stream = iaww_env.Batch(config, 3, seed=9, observation="cards"), iaww_env.make_stream(9)
    for step in range(260 + 60 * config.players):
        digest.add(batch.observations)
        batch.step(batch.sample_legal(stream, discards=step % 9 == 0))
    return digest.show()


def digest_batch(config: GameConfig) -> str:
    """Batches over the end of their games, one for each reward; with profile and without skipping in turn."""
    digest = Digest()
    for number, reward in enumerate(REWARDS):
        profile = (*PROFILES, None)[number % 3]
        batch = iaww_env.Batch(
            config, 3, seed=number, observation=profile, reward=reward, skip_forced=number % 2 == 0
        )
        stream = iaww_env.make_stream(number)
        for step in range(260 + 60 * config.players):
            if step % 8 == 0:
                digest.add(batch.states)
            digest.add(batch.seats, batch.masks, batch.observations, batch.rewards, batch.done)
            digest.add(batch.points, batch.places)
            batch.step(batch.sample_legal(stream, discards=step % 16 == 0))
    return digest.show()


def play_parallel(config: GameConfig, digest: Digest, **options: Any) -> None:
    """A game of the parallel environment, with an illegal action in the middle where that is survived."""
    env = iaww_env.parallel_env(config=config, **options)
    rng = np.random.default_rng(3)
    shown, infos = env.reset(seed=4)
    digest.add(shown, infos, env.state())
    step = 0
    while env.agents:
        masks = {agent: np.flatnonzero(one["action_mask"]).tolist() for agent, one in shown.items()}
        actions = {a: choose_at_random(legal, env.game.actions, rng) for a, legal in masks.items()}
        if step == 30:
            actions[env.agents[-1]] = 1 << 20
        shown, rewards, ended, cut, infos = env.step(actions)
        digest.add(shown, rewards, ended, cut, infos)
        step += 1
    digest.add(env.state())


def play_aec(config: GameConfig, digest: Digest, **options: Any) -> None:
    """The same, one agent after the other."""
    env = iaww_env.aec_env(config=config, **options)
    rng = np.random.default_rng(5)
    env.reset(seed=6)
    for step, agent in enumerate(env.agent_iter()):
        shown, *rest = env.last()
        digest.add(agent, shown, rest)
        if rest[1]:
            env.step(None)
            continue
        legal = np.flatnonzero(shown["action_mask"]).tolist()
        env.step(-3 if step == 60 else choose_at_random(legal, env.game.actions, rng))


def play_learner(env: Any, digest: Digest, steps: int) -> None:
    """Games of a single Gymnasium environment, with illegal actions here and there."""
    rng = np.random.default_rng(7)
    shown, infos = env.reset(seed=8)
    digest.add(shown, infos)
    for step in range(steps):
        legal = np.flatnonzero(shown["action_mask"]).tolist()
        table = iaww_env.action_table(env.unwrapped.config.expansions)
        action = table.wait - 2 if step % 97 == 96 else choose_at_random(legal, table, rng)
        shown, *rest = env.step(action)
        digest.add(shown, rest)
        if rest[1]:
            shown, infos = env.reset()
            digest.add(shown, infos)


def play_vector(env: Any, digest: Digest, steps: int) -> None:
    """Many lanes of a Gymnasium environment."""
    rng = np.random.default_rng(9)
    shown, infos = env.reset(seed=10)
    digest.add(shown, infos)
    for _ in range(steps):
        masks = shown["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        shown, *rest = env.step(actions)
        digest.add(shown, rest)


def digest_environments(config: GameConfig) -> str:
    """Every form of environment that plays this, each under another reward."""
    digest = Digest()
    rules = ("forfeit", "replace")
    if config.solo:
        for number, reward in enumerate(REWARDS):
            options = {"observation": PROFILES[number % 2], "illegal_action": rules[number // 2 % 2]}
            env = gymnasium.make("iaww/Solo-v0", config=config, reward=reward, **options)
            play_learner(env, digest, 150)
        vector = gymnasium.make_vec("iaww/Solo-v0", 3, config=config, autoreset_mode="SameStep")
        play_vector(vector, digest, 150)
        return digest.show()
    for number, reward in enumerate(REWARDS):
        options = {"observation": PROFILES[number % 2], "illegal_action": rules[number // 2 % 2]}
        play_parallel(config, digest, reward=reward, **options)
        play_aec(config, digest, reward=reward, skip_forced=number % 2 == 0, **options)
        opponents = [("greedy", "random", "random:nodiscard")[number % 3]]
        seat: Any = (0, "rotate", "random")[number % 3]
        env = gymnasium.make(
            "iaww/Versus-v0", config=config, reward=reward, opponents=opponents, seat=seat, **options
        )
        play_learner(env, digest, 150)
    vector = gymnasium.make_vec(
        "iaww/Versus-v0", 3, config=config, opponents=["greedy"], observation="compact", seat="rotate"
    )
    play_vector(vector, digest, 200)
    return digest.show()


def digest_bot(config: GameConfig, spec: str) -> str:
    """A game with one bot in all seats, each decision taken from a view."""
    digest = Digest()
    game = iaww_env.Game(config, 12)
    bots = [make_agent(spec) for _ in range(config.players)]
    for seat, bot in enumerate(bots):
        bot.reset(seat, config, 13 + seat)
    while not game.over:
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        action = legal[0]
        if len(legal) > 1:
            action = int(bots[seat].act(make_view(game, seat, bots[seat].profile)))
            digest.add(action)
        game.step(seat, action)
    digest.add(game.row, game.scores())
    return digest.show()


def list_parts(bots: Sequence[str]) -> dict[str, Callable[[GameConfig], str]]:
    """What is looked at in a mode, by name."""
    parts: dict[str, Callable[[GameConfig], str]] = {
        "game": digest_game,
        "batch": digest_batch,
        "cards": digest_cards,
        "environments": digest_environments,
    }
    return parts | {spec: (lambda config, spec=spec: digest_bot(config, spec)) for spec in bots}


def make_digests(bots: Sequence[str] = BOTS, modes: Sequence[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Mode, part and digest, one after the other."""
    for mode, config in list_modes().items():
        if not modes or mode in modes:
            for part, make in list_parts(bots).items():
                yield mode, part, make(config)
