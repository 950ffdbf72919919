"""The environments' figures: what each API gives per second of CPU time, on one thread; and on two.

Batches draw their actions in a kernel, and drawing counts. The other environments are handed actions that
were drawn before the clock starts: one pass draws and notes them, and the passes that are timed play the same
games again from the same seed. So drawing costs nothing there, and resets, observations and masks all count.

A decision is a seat with a choice: two legal actions or more. Seats that wait, and decisions that the
environment takes itself, are not counted, though their time is.

What several threads gain is measured on the wall clock (see `threads`): CPU time is what all of them spend.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from iaww_env.bench.drawing import SEED, draw_vector, has_choice, make_chooser, make_vector
from iaww_env.bench.measuring import RATE, Work, make_batch_work, measure_rate
from iaww_env.bench.report import SpeedReport, SpeedRow, run_report
from iaww_env.bench.threads import measure_threads
from iaww_env.bots.games import BotGames
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows
from iaww_env.envs.multi.aec import aec_env
from iaww_env.envs.multi.parallel import parallel_env
from iaww_env.game import Game

MARK = "environment speed"
DECISIONS_PER_REPEAT = 100_000
HEURISTIC = "heuristic"


# --- Batches ---------------------------------------------------------------------------------------


def measure_batch(games: int, profile: str, repeats: int) -> float:
    """Stepping a native batch with observations, drawing included."""
    work = make_batch_work(GameConfig(players=4), games, DECISIONS_PER_REPEAT, profile)
    return measure_rate(work, repeats)


def replay_vector(games: int, profile: str, steps: int) -> Work:
    """Versus as a vector environment, stepped with actions drawn before; learners' decisions count."""
    env = make_vector(games, profile)
    drawn, decisions = draw_vector(env, steps)

    def play() -> int:
        env.reset(seed=SEED)
        for actions in drawn:
            env.step(actions)
        return decisions

    return play


# --- One game at a time ----------------------------------------------------------------------------


Drawn = tuple[list[Any], int]
"""The actions of a game, in the order played, and how many decisions they hold."""


def replay_games(
    env: Any,
    games: int,
    draw_game: Callable[[Any], Drawn],
    play_game: Callable[[Any, list[Any]], None] | None = None,
) -> Work:
    """Whole games, played once to draw their actions; the work is to play them again from the same seed.

    Args:
        env: The environment.
        games: How many.
        draw_game: Given what a reset has returned, plays a game to its end and says what was played.
        play_game: Plays the actions of a game that was reset; by default one `step` for each.
    """
    drawn: list[list[Any]] = []
    decisions = 0
    for game in range(games):
        moves, taken = draw_game(env.reset(seed=None if game else SEED))
        drawn.append(moves)
        decisions += taken
    play_again = play_game or step_through

    def play() -> int:
        for game, moves in enumerate(drawn):
            env.reset(seed=None if game else SEED)
            play_again(env, moves)
        return decisions

    return play


def step_through(env: Any, moves: list[Any]) -> None:
    """Play the actions of a game."""
    for action in moves:
        env.step(action)


def replay_parallel(profile: str, games: int) -> Work:
    """Whole games through PettingZoo's parallel API, with actions drawn before."""
    env = parallel_env(players=4, observation=profile)
    choose = make_chooser(env.config)

    def draw_game(begun: Any) -> Drawn:
        shown, moves, decisions = begun[0], [], 0
        while env.agents:
            masks = {agent: one["action_mask"] for agent, one in shown.items()}
            moves.append({agent: choose(mask) for agent, mask in masks.items()})
            decisions += sum(map(has_choice, masks.values()))
            shown = env.step(moves[-1])[0]
        return moves, decisions

    return replay_games(env, games, draw_game)


def replay_aec(profile: str, games: int) -> Work:
    """Whole games through PettingZoo's AEC API, in its usual loop, with actions drawn before."""
    env = aec_env(players=4, observation=profile)
    choose = make_chooser(env.config)

    def draw_game(begun: Any) -> Drawn:
        moves: list[int | None] = []
        for _ in env.agent_iter():
            shown, _, terminated, _, _ = env.last()
            assert shown is not None
            moves.append(None if terminated else choose(shown["action_mask"]))
            env.step(moves[-1])
        # Nobody waits in this form, and the environment takes forced decisions: each action is a choice.
        return moves, sum(action is not None for action in moves)

    def play_game(env: Any, moves: list[Any]) -> None:
        for _, action in zip(env.agent_iter(), moves, strict=True):
            env.last()
            env.step(action)

    return replay_games(env, games, draw_game, play_game)


def replay_single(profile: str, games: int) -> Work:
    """Whole games of the Gymnasium environment against random opponents, with actions drawn before."""
    import gymnasium

    env: Any = gymnasium.make(
        "iaww/Versus-v0", players=4, opponents=["random:nodiscard"], observation=profile
    )
    choose = make_chooser(GameConfig(players=4))

    def draw_game(begun: Any) -> Drawn:
        shown, moves, ended = begun[0], [], False
        while not ended:
            moves.append(choose(shown["action_mask"]))
            shown, _, ended, _, _ = env.step(moves[-1])
        return moves, len(moves)

    return replay_games(env, games, draw_game)


# --- A bot -----------------------------------------------------------------------------------------


def replay_bot(spec: str, games: int) -> Work:
    """Whole games with one bot in all seats, played by its kernel; it must leave nothing to chance."""
    config, seeds = GameConfig(players=4), range(SEED, SEED + games)
    bot = make_agent(spec)
    rows = make_rows(config, seeds)
    decisions = sum(count_decisions(bot, Game(config, seed=seed)) for seed in seeds)
    table = BotGames([bot] * config.players)

    def play() -> int:
        table.play(rows.copy())
        return decisions

    return play


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


def measure_environments(repeats: int = 9, games: int = 40) -> SpeedReport:
    """Measure every row of the environments; `games` says how long a repeat is."""
    report = SpeedReport("Environments", f"iaww bench env --repeats {repeats}")
    report.rows += [*_measure_batches(repeats), *_measure_pettingzoo(repeats, games)]
    report.rows += [*_measure_gymnasium(repeats, games), *measure_threads(repeats, games)]
    value = measure_rate(replay_bot(HEURISTIC, games), repeats)
    includes = f"{games} games, all seats, in the bot's kernel, deals included; no observations or masks"
    report.rows.append(SpeedRow("heuristic bot's decisions in a batch", value, RATE, 400_000, includes))
    return report


def _measure_batches(repeats: int) -> list[SpeedRow]:
    drawn = "random legal play without discards, drawn in a kernel; drawing, observation, mask, resets"
    return [
        SpeedRow(f"native batch of {n}, {profile}", measure_batch(n, profile, repeats), RATE, goal, drawn)
        for n, profile, goal in (
            (256, "compact", 2_000_000),
            (256, "full", 1_200_000),
            (64, "compact", 1_600_000),
            (1, "compact", 700_000),
        )
    ]


def _measure_pettingzoo(repeats: int, games: int) -> list[SpeedRow]:
    seats = "one game; actions drawn before the clock; observations and masks of all four seats, resets"
    asked = "one game, last() and step(); actions drawn before the clock; observation and mask, resets"
    return [
        SpeedRow(
            f"PettingZoo {name}, {profile}", measure_rate(make(profile, games), repeats), RATE, goal, says
        )
        for name, make, goal, says in (
            ("parallel", replay_parallel, 300_000, seats),
            ("AEC", replay_aec, 60_000, asked),
        )
        for profile in ("compact", "full")
    ]


def _measure_gymnasium(repeats: int, games: int) -> list[SpeedRow]:
    rows = []
    for name, make, goal, length in (
        ("Gymnasium Versus", replay_single, 150_000, 2 * games),
        ("vector Versus of 256", replay_vector, None, 15 * games),
    ):
        for profile in ("compact", "full"):
            sizes = (256, profile, length) if make is replay_vector else (profile, length)
            value = measure_rate(make(*sizes), repeats)
            includes = (
                "the learner's decisions, actions drawn before the clock; three random opponents, "
                "observation and mask, resets. All four seats play alike: "
                f"about {4 * value:,.0f} decisions of all seats"
            )
            rows.append(SpeedRow(f"{name}, {profile}", value, RATE, goal, includes))
    return rows


def run_environments(repeats: int = 9, json_path: Path | None = None, into: Path | None = None) -> None:
    """Measure, print, and write JSON and the table between its marks where asked."""
    run_report(lambda: measure_environments(repeats), MARK, json_path, into)
