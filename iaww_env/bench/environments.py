"""The environments' figures: what each API gives per second of CPU time, on one thread.

Batches draw their actions in a kernel, and drawing counts. The other environments are handed actions that
were drawn before the clock starts: one pass draws and notes them, and the passes that are timed play the same
games again from the same seed. So drawing costs nothing there, and resets, observations and masks all count.

A decision is a seat with a choice: two legal actions or more. Seats that wait, and decisions that the
environment takes itself, are not counted, though their time is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.batch import Batch, make_stream
from iaww_env.bench.report import Report, Row, find_place, measure_rate, show_report
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.engine.fields import OVER, PHASE, States
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.kernels import learner as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.envs.multi.aec import aec_env
from iaww_env.envs.multi.parallel import parallel_env
from iaww_env.game import Game

RATE = "decisions / CPU s"
MARK = "environment speed"
SEED = 7
DECISIONS_PER_REPEAT = 100_000
HEURISTIC = "heuristic"

Mask = npt.NDArray[np.int8]
Chooser = Callable[[Mask], int]
Work = Callable[[], int]


def make_chooser(config: GameConfig, seed: int = SEED) -> Chooser:
    """What draws a legal action from a mask, never giving up a construction."""
    table = action_table(config.expansions)
    kept = np.array([table.verb(action) != "discard" for action in range(len(table))])
    rng = np.random.default_rng(seed)

    def choose(mask: Mask) -> int:
        legal = np.flatnonzero(mask & kept)
        return int(legal[rng.integers(len(legal))])

    return choose


def has_choice(mask: Mask) -> bool:
    """Whether there are two legal actions or more."""
    return int(np.count_nonzero(mask)) > 1


# --- Batches ---------------------------------------------------------------------------------------


def measure_batch(games: int, profile: str, repeats: int) -> float:
    """Stepping a native batch, drawing included."""
    batch = Batch(GameConfig(players=4), games, seed=SEED, observation=profile)
    words = make_stream(SEED)
    calls = max(1, DECISIONS_PER_REPEAT // games)

    def play() -> int:
        for _ in range(calls):
            batch.step(batch.sample_legal(words, discards=False))
        return calls * games

    play()
    return measure_rate(play, repeats)


def replay_vector(games: int, profile: str, steps: int) -> Work:
    """Versus as a vector environment, stepped with actions drawn before; learners' decisions count."""
    import gymnasium

    env: Any = gymnasium.make_vec(
        "iaww/Versus-v0", games, players=4, opponents=["random:nodiscard"], observation=profile
    )
    choose = make_chooser(GameConfig(players=4))
    shown, _ = env.reset(seed=SEED)
    drawn, decisions = [], 0
    for _ in range(steps):
        masks = shown["action_mask"]
        drawn.append(np.array([choose(mask) for mask in masks]))
        decisions += sum(map(has_choice, masks))
        shown = env.step(drawn[-1])[0]

    def play() -> int:
        env.reset(seed=SEED)
        for actions in drawn:
            env.step(actions)
        return decisions

    return play


# --- One game at a time ----------------------------------------------------------------------------


def replay_parallel(profile: str, games: int) -> Work:
    """Whole games through PettingZoo's parallel API, with actions drawn before."""
    env = parallel_env(players=4, observation=profile)
    choose = make_chooser(env.config)
    drawn: list[list[dict[str, int]]] = []
    decisions = 0
    for game in range(games):
        shown, _ = env.reset(seed=None if game else SEED)
        drawn.append([])
        while env.agents:
            masks = {agent: one["action_mask"] for agent, one in shown.items()}
            drawn[-1].append({agent: choose(mask) for agent, mask in masks.items()})
            decisions += sum(map(has_choice, masks.values()))
            shown = env.step(drawn[-1][-1])[0]

    def play() -> int:
        for game, moves in enumerate(drawn):
            env.reset(seed=None if game else SEED)
            for actions in moves:
                env.step(actions)
        return decisions

    return play


def replay_aec(profile: str, games: int) -> Work:
    """Whole games through PettingZoo's AEC API, in its usual loop, with actions drawn before."""
    env = aec_env(players=4, observation=profile)
    choose = make_chooser(env.config)
    drawn: list[list[int | None]] = []
    for game in range(games):
        env.reset(seed=None if game else SEED)
        drawn.append([])
        for _ in env.agent_iter():
            shown, _, terminated, _, _ = env.last()
            assert shown is not None
            drawn[-1].append(None if terminated else choose(shown["action_mask"]))
            env.step(drawn[-1][-1])
    # Nobody waits in this form, and forced decisions are taken by the environment: each action is a choice.
    decisions = sum(action is not None for moves in drawn for action in moves)

    def play() -> int:
        for game, moves in enumerate(drawn):
            env.reset(seed=None if game else SEED)
            for _, action in zip(env.agent_iter(), moves, strict=True):
                env.last()
                env.step(action)
        return decisions

    return play


def replay_single(profile: str, games: int) -> Work:
    """Whole games of the Gymnasium environment against random opponents, with actions drawn before."""
    import gymnasium

    env: Any = gymnasium.make(
        "iaww/Versus-v0", players=4, opponents=["random:nodiscard"], observation=profile
    )
    choose = make_chooser(GameConfig(players=4))
    drawn: list[list[int]] = []
    for game in range(games):
        shown, _ = env.reset(seed=None if game else SEED)
        drawn.append([])
        ended = False
        while not ended:
            drawn[-1].append(choose(shown["action_mask"]))
            shown, _, ended, _, _ = env.step(drawn[-1][-1])
    decisions = sum(map(len, drawn))

    def play() -> int:
        for game, moves in enumerate(drawn):
            env.reset(seed=None if game else SEED)
            for action in moves:
                env.step(action)
        return decisions

    return play


# --- A bot -----------------------------------------------------------------------------------------


def replay_bot(spec: str, games: int) -> Work:
    """Whole games with one bot in all seats, played by its kernel; it must leave nothing to chance."""
    config, seeds = GameConfig(players=4), range(SEED, SEED + games)
    bot = make_agent(spec)
    rows = make_rows(config, seeds)
    decisions = sum(count_decisions(bot, Game(config, seed=seed)) for seed in seeds)
    play_rows = make_bot_table(bot, games, config.players)

    def play() -> int:
        play_rows(rows.copy())
        return decisions

    return play


def make_bot_table(bot: Any, games: int, players: int) -> Callable[[States], None]:
    """A function that plays new games in so many rows to their ends, one bot in all seats."""
    lanes, streams = np.zeros((games, record.LANE), np.int16), np.zeros((games, record.STREAM), np.int64)
    settings = np.zeros(record.SETTINGS, np.int64)
    # The learner sits where nobody sits, so the bot is asked for every seat, and nothing is shown.
    settings[record.SEAT_OPTION], settings[record.SKIP_FORCED] = players, 1
    codes = np.full(players, record.FIRST_BOT, np.int16)
    actions, offsets = np.zeros(games, np.int16), np.zeros(0, np.int64)
    masks, observations = np.zeros((games, 0), np.int8), np.zeros((games, 0), np.float32)
    last_observations, rewards = np.zeros((0, 0), np.float32), np.zeros(games)

    def play_rows(states: States) -> None:
        lanes[:, record.STAGE] = record.BEGIN
        rest = (settings, codes, lanes, streams, offsets, masks)
        last = (observations, last_observations)
        kernels.step_lanes(kernels.RESET, states, actions, *rest, *last, rewards)
        bot.play_lanes(record.FIRST_BOT, states, settings, codes, lanes, streams)
        if not (states[:, PHASE] == OVER).all():
            raise RuntimeError("the bot left games unfinished")

    return play_rows


def count_decisions(bot: Any, game: Game) -> int:
    """Play a game to its end, one bot in all seats; how many decisions had a choice."""
    decisions = 0
    while not game.over:
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        if len(legal) == 1:
            game.step(seat, legal[0])
            continue
        decisions += 1
        bot.reset(seat, game.config, SEED)
        game.step(seat, bot.act(make_view(game, seat, getattr(bot, "profile", "full"))))
    return decisions


# --- The report ------------------------------------------------------------------------------------


def measure_work(make: Callable[..., Work], repeats: int, *args: Any) -> float:
    """Best of several repeats, after one that compiles and warms up."""
    play = make(*args)
    play()
    return measure_rate(play, repeats)


def measure_environments(repeats: int = 9, games: int = 40) -> Report:
    """Measure every row of the environments; `games` says how long a repeat is."""
    report = Report("Environments", f"iaww bench env --repeats {repeats}")
    report.rows += [*_measure_batches(repeats), *_measure_pettingzoo(repeats, games)]
    report.rows += _measure_gymnasium(repeats, games)
    value = measure_work(replay_bot, repeats, HEURISTIC, games)
    includes = f"{games} games, all seats, in the bot's kernel, deals included; no observations or masks"
    report.rows.append(Row("heuristic bot's decisions in a batch", value, RATE, 400_000, includes))
    return report


def _measure_batches(repeats: int) -> list[Row]:
    drawn = "random legal play without discards, drawn in a kernel; drawing, observation, mask, resets"
    return [
        Row(f"native batch of {n}, {profile}", measure_batch(n, profile, repeats), RATE, goal, drawn)
        for n, profile, goal in (
            (256, "compact", 2_000_000),
            (256, "full", 1_200_000),
            (64, "compact", 1_600_000),
            (1, "compact", 700_000),
        )
    ]


def _measure_pettingzoo(repeats: int, games: int) -> list[Row]:
    seats = "one game; actions drawn before the clock; observations and masks of all four seats, resets"
    asked = "one game, last() and step(); actions drawn before the clock; observation and mask, resets"
    return [
        Row(f"PettingZoo {name}, {profile}", measure_work(make, repeats, profile, games), RATE, goal, says)
        for name, make, goal, says in (
            ("parallel", replay_parallel, 300_000, seats),
            ("AEC", replay_aec, 60_000, asked),
        )
        for profile in ("compact", "full")
    ]


def _measure_gymnasium(repeats: int, games: int) -> list[Row]:
    rows = []
    for name, make, goal, length in (
        ("Gymnasium Versus", replay_single, 150_000, 2 * games),
        ("vector Versus of 256", replay_vector, None, 15 * games),
    ):
        for profile in ("compact", "full"):
            sizes = (256, profile, length) if make is replay_vector else (profile, length)
            value = measure_work(make, repeats, *sizes)
            includes = (
                "the learner's decisions, actions drawn before the clock; three random opponents, "
                "observation and mask, resets. All four seats play alike: "
                f"about {4 * value:,.0f} decisions of all seats"
            )
            rows.append(Row(f"{name}, {profile}", value, RATE, goal, includes))
    return rows


def run_environments(repeats: int = 9, json_path: Path | None = None, readme: Path | None = None) -> None:
    """Measure, print, and write JSON and the table of a README where asked."""
    if readme is not None:
        find_place(readme, MARK)
    show_report(measure_environments(repeats), json_path, readme, MARK)
