"""What the command `iaww evaluate` does; called by `iaww_env.cli.learning`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import iaww_env
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.schedule import check_key
from iaww_agents.arena.play.shielding import shield_process
from iaww_agents.arena.play.tournament import MOST_GAMES, run_tournament
from iaww_agents.arena.progress import ProgressLines, write_line
from iaww_agents.arena.publish.plots import check_plot
from iaww_agents.arena.publish.report import make_console
from iaww_env.announcing import announce_to, show_in_bar
from iaww_env.bots.seeds import derive_number
from iaww_env.cli.options import GameOptions
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, name_path, tell_install
from iaww_env.outputs import check_output, is_stream, write_whole
from iaww_training.evaluation.curve import read_curve
from iaww_training.evaluation.exploitability import Exploitability, measure_response
from iaww_training.evaluation.games import check_evaluation, list_configs, list_matches, play_matches
from iaww_training.evaluation.measures import measure_games, to_plain
from iaww_training.evaluation.report import Evaluation, make_report

FORMAT = "iaww-evaluation"
VERSION = 1
USUAL_MINUTES = 10.0
MOST_MINUTES = 100_000.0
MOST_DECISIONS = 1_000_000_000_000
USUAL_PLAYERS = 4  # of a best response, where no number is said
LEARNING = "learning a response"
TIME_LIMIT = 60.0  # seconds for a decision: who evaluates an agent waits for it

Show = Callable[[int, int], None]


def hold_evaluation(
    agent: str,
    game: GameOptions,
    *,
    games: int,
    ladder: Sequence[str],
    key: str | None,
    workers: int | None,
    markdown: bool,
    out: Path | None,
    curve: Path | None,
    plot: Path | None,
    best_response: bool,
    minutes: float | None,
    decisions: int | None,
    folder: Path | None,
) -> int:
    """Measure an agent, and print what was found."""
    shield_process()  # the key of the deals is in its memory
    check_evaluation(agent, ladder, games)
    if games > MOST_GAMES:
        raise ConfigError(f"--games is {games}: play at most {MOST_GAMES:,}")
    configs = list_configs(game)
    check_files(out, curve, plot)
    check_response(configs, best_response, minutes, decisions, folder)
    learnt = None if curve is None else read_curve(curve)
    key = check_key(key)
    with LocalPool(workers, time_limit=TIME_LIMIT) as pool:
        with show_progress("playing") as show:
            matches = list(list_matches(agent, ladder, configs))
            played = play_matches(matches, games, key, pool, show)
        found = Evaluation(agent, key, configs, played, measure_games(played), learnt)
        if best_response:
            config = choose_config(configs)
            found.exploitability = respond(agent, config, games, key, pool, minutes, decisions, folder)
    print_evaluation(found, markdown=markdown)
    if out is not None:
        write_whole(out, describe_figures(found), holds_figures)
        print(f"{out}: figures written", file=sys.stderr if is_stream(out) else sys.stdout)
    if plot is not None and learnt is not None:
        print(f"{learnt.plot(plot)}: curve drawn")
    return 0


# --- Refusing --------------------------------------------------------------------------------------


def check_files(out: Path | None, curve: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written.

    Raises:
        ConfigError: The message names the file.
    """
    if plot is not None and curve is None:
        raise ConfigError("--plot draws the curve of a run: name its folder with --curve")
    if plot is not None and out is not None and os.path.realpath(plot) == os.path.realpath(out):
        raise ConfigError(f"--plot and --out are one file, {name_path(out)}: name two")
    if plot is not None:
        check_plot(plot)
    if out is not None:
        check_output(out, holds_figures)


def check_response(
    configs: Sequence[GameConfig],
    best_response: bool,
    minutes: float | None,
    decisions: int | None,
    folder: Path | None,
) -> None:
    """Refuse a best response that cannot be learnt.

    Raises:
        ConfigError: The message says what would do.
    """
    said = {"--minutes": minutes, "--decisions": decisions, "--folder": folder}
    for name, value in said.items():
        if value is not None and not best_response:
            raise ConfigError(f"{name} is of a best response: ask for one with --best-response")
    if not best_response:
        return
    if all(config.solo for config in configs):
        raise ConfigError("alone there is nobody to respond to: leave --best-response out, or say --players")
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:  # nan lies nowhere
        raise ConfigError(f"--minutes is {minutes:g}: give more than 0, and at most {MOST_MINUTES:,.0f}")
    if decisions is not None and not 0 < decisions <= MOST_DECISIONS:
        raise ConfigError(f"--decisions is {decisions}: give 1 or more, and at most {MOST_DECISIONS:,}")
    if folder is not None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{name_path(folder)} holds something already: name a new --folder")
    if folder is not None and "," in str(folder):
        raise ConfigError(f"{name_path(folder)} has a comma, which ends the option of a bot: name another")
    try:
        import iaww_training.evaluation.best_response  # noqa: F401  # said before anybody waits
    except ImportError as error:
        raise ConfigError(
            f"a best response needs the extra train ({error.name} is missing); {tell_install('train')}"
        ) from None


def holds_figures(begin: bytes) -> bool:
    """Whether a file is one of figures, which may be replaced."""
    return begin.startswith(b"{") and f'"{FORMAT}"'.encode() in begin[:80]


def choose_config(configs: Sequence[GameConfig]) -> GameConfig:
    """What a best response plays: with four players where there are several numbers of them."""
    return next((config for config in configs if config.players == USUAL_PLAYERS), configs[0])


# --- A best response -------------------------------------------------------------------------------


def respond(
    agent: str,
    config: GameConfig,
    games: int,
    key: str,
    pool: LocalPool,
    minutes: float | None,
    decisions: int | None,
    folder: Path | None,
) -> Exploitability:
    """Learn a response to an agent, and measure it on deals of its own."""
    from iaww_training.evaluation.best_response import NETWORK, Budget, learn_response

    if minutes is None and decisions is None:
        minutes = USUAL_MINUTES
    seed = derive_number(key, "seed of a response", 0) % (1 << 31)
    fresh = f"{derive_number(key, 'deals of a response', 0):x}"
    with tempfile.TemporaryDirectory() if folder is None else nullcontext(str(folder)) as place:
        Path(place).mkdir(parents=True, exist_ok=True)
        with show_progress(LEARNING) as show:
            lines = LearningLines(config, show)
            budget = Budget(minutes, decisions)
            learnt = learn_response(agent, config, Path(place), budget, seed=seed, say=lines.tell)
        response = f"iaww_agents.ppo.bot:PpoAgent:path={Path(place) / NETWORK}"
        lineup = [response, *[agent] * (config.players - 1)]
        with show_progress("measuring the response") as show:
            played = run_tournament(lineup, config, games=games, key=fresh, report=show, pool=pool)
    return measure_response(
        played.results,
        response,
        agent,
        decisions=learnt.decisions,
        minutes=learnt.minutes,
        began_with=learnt.began_with,
    )


class LearningLines:
    """How far learning has come: a bar, or lines where nobody looks at one."""

    def __init__(self, config: GameConfig, show: Show) -> None:
        """Nothing is learnt yet."""
        self.show, self.fair = show, 1 / config.players
        self.told = 0.0

    def tell(self, done: float, decisions: int, won: float) -> None:
        """So much is learnt; a line for each tenth."""
        self.show(round(1000 * done), 1000)
        if done >= self.told + 0.1 or done >= 1:
            self.told = done
            write_line(
                f"{LEARNING}: {done:.0%}, {decisions:,} decisions; of the last games it won {won:.1%} (fair: "
                f"{self.fair:.1%}), still exploring"
            )


# --- Telling ---------------------------------------------------------------------------------------


@contextmanager
def show_progress(what: str) -> Iterator[Show]:
    """What is to be told how far something has come: a bar, or lines now and then in a log."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    screen, lines = Console(stderr=True), ProgressLines()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())

    def tell(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not screen.is_terminal and what != LEARNING:
            lines.tell(done, total)

    try:
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task(what, total=None)
            show = partial(show_in_bar, bar, task, what)
            with announce_to(show) if screen.is_terminal else nullcontext():
                yield tell
    finally:  # also where a second Ctrl-C comes while the bar is taken away
        screen.show_cursor()


def print_evaluation(found: Evaluation, *, markdown: bool) -> None:
    """The report on the standard output."""
    report = make_report(found)
    if markdown:
        print(report.to_markdown(), end="")
    else:
        report.print(make_console())


def describe_figures(found: Evaluation) -> str:
    """All figures as JSON; intervals are 95 %, with deals as units."""
    figures = found.figures
    held = {
        "format": FORMAT,
        "format_version": VERSION,
        "version": iaww_env.__version__,
        "agent": found.agent,
        "key": found.key,
        "configs": to_plain(found.configs),
        "ladder": to_plain(figures.ladder),
        "mirror": to_plain(figures.mirror),
        "sources": to_plain(figures.sources),
        "empires": to_plain(figures.empires),
        "solo": to_plain(figures.solo),
        "curve": to_plain(found.curve),
        "best_response": to_plain(found.exploitability),
    }
    return json.dumps(held, indent=1, allow_nan=False) + "\n"
