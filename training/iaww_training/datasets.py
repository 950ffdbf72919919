"""Games of a bot to learn from: written by all cores, small, and played again in any profile.

    iaww selfplay search --games 2000 --out runs/search

A game is its seed and the actions that were played, two bytes each; what was seen is found by playing it
again in a batch. Files hold a few games each and come whole or not at all, so a run that was stopped goes on
where it was, and files of several machines can be put together (give each its own `--first`). With
`--backend ray` a Ray cluster plays, and the files come to lie here.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

import iaww_env
from iaww_env.batch import Batch
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.outputs import write_whole
from iaww_env.processes import share_work
from iaww_training import ray_work
from iaww_training.experts import HeuristicExpert
from iaww_training.publishing import sign_table

IN_FILE = 16  # games
NO_ACTION = -1
CARD = "CARD.md"


@dataclass(frozen=True)
class Options:
    """What is written."""

    bot: str
    """Bot of all seats."""
    config: GameConfig
    """What is played."""
    games: int = 1000
    """Games in all."""
    first: int = 1_000_000
    """Seed of the first game."""
    folder: Path = Path("runs/games")
    """Where the files lie; what is there is not played again."""
    workers: int | None = None
    """Processes; one for each core by default."""
    backend: Literal["local", "ray"] = "local"
    """Who plays: processes of this machine, or those of a Ray cluster."""


class Games(NamedTuple):
    """Games as they lie in a file: what is said of them, their seeds, and their actions.

    (games,) seeds, and (games, most) actions, NO_ACTION behind the end of a game.
    """

    about: dict[str, Any]
    seeds: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int16]


# --- Writing ---------------------------------------------------------------------------------------


def play_game(config: GameConfig, spec: str, seed: int) -> list[int]:
    """The decisions of a game with one bot in all seats, in the order in which a batch asks for them."""
    batch = Batch(config, 1, seed, observation=None)
    bots = [make_agent(spec) for _ in range(config.players)]
    for seat, bot in enumerate(bots):
        bot.reset(seat, config, seed * config.players + seat)
    played: list[int] = []
    while not played or not batch.done[0]:
        game, seat = batch.game(0), int(batch.seats[0])
        played.append(int(bots[seat].act(make_view(game, seat, bots[seat].profile))))
        batch.step(np.array(played[-1:]))
    return played


def play_games(config: GameConfig, spec: str, seeds: Sequence[int]) -> list[list[int]]:
    """The decisions of games with one bot in all seats; the heuristic plays them side by side."""
    if spec != "heuristic":
        return [play_game(config, spec, seed) for seed in seeds]
    batch = Batch(config, len(seeds), list(seeds), observation=None)
    expert = HeuristicExpert(batch)
    games: list[list[int]] = [[] for _ in seeds]
    goes_on = np.ones(len(seeds), np.bool_)
    while goes_on.any():
        actions = expert.choose()
        for g in np.flatnonzero(goes_on):
            games[g].append(int(actions[g]))
        batch.step(actions)
        goes_on &= batch.done == 0
    return games


def describe(config: GameConfig, spec: str) -> dict[str, Any]:
    """What is said of games: who played what, and by which version of the rules."""
    return {"bot": spec, "config": config.to_dict(), "version": iaww_env.__version__}


def record(config: GameConfig, spec: str, seeds: Sequence[int]) -> Games:
    """Games with one bot in all seats, as they lie in a file."""
    games = play_games(config, spec, seeds)
    actions = np.full((len(games), max(map(len, games))), NO_ACTION, np.int16)
    for row, game in zip(actions, games, strict=True):
        row[: len(game)] = game
    return Games(describe(config, spec), np.array(seeds), actions)


def pack_games(config: GameConfig, spec: str, seeds: Sequence[int]) -> tuple[Sequence[int], bytes]:
    """Play the games of a file; gives their seeds, and what stands in the file."""
    games = record(config, spec, seeds)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=json.dumps(games.about), seeds=games.seeds, actions=games.actions)
    return seeds, buffer.getvalue()


def find_path(folder: Path, seeds: Sequence[int]) -> Path:
    """The file of games."""
    return folder / f"games-{seeds[0]}.npz"


def is_written(config: GameConfig, spec: str, folder: Path, seeds: Sequence[int]) -> bool:
    """Whether the file of these games is there.

    Raises:
        ConfigError: The file that is there holds games of another bot, or of another kind.
    """
    path = find_path(folder, seeds)
    known = read_file(path) if path.exists() else None
    if known is not None and known.about != describe(config, spec):
        raise ConfigError(f"{path} holds games of {known.about}: take another folder")
    return known is not None and known.seeds.tolist() == list(seeds)


def write_file(config: GameConfig, spec: str, folder: Path, seeds: Sequence[int]) -> int:
    """Play the games of a file and write it, if it is not there; returns its games.

    Raises:
        ConfigError: The file that is there holds games of another bot, or of another kind.
    """
    if not is_written(config, spec, folder, seeds):
        write_whole(find_path(folder, seeds), pack_games(config, spec, seeds)[1])
    return len(seeds)


def write_files_by_ray(
    config: GameConfig, spec: str, folder: Path, parts: Sequence[Sequence[int]], workers: int | None
) -> Iterator[int]:
    """As `write_file` for each part: a cluster plays, this machine writes. So no folder need be shared."""
    missing = [seeds for seeds in parts if not is_written(config, spec, folder, seeds)]
    yield sum(map(len, parts)) - sum(map(len, missing))
    for seeds, content in ray_work.share_work(partial(pack_games, config, spec), missing, workers):
        write_whole(find_path(folder, seeds), content)
        yield len(seeds)


def write_games(options: Options) -> Iterator[int]:
    """Write what is missing, on all cores; gives how many games are there, again and again."""
    config, bot, folder = options.config, options.bot, options.folder
    if options.games < 1 or (options.workers is not None and options.workers < 1):
        raise ConfigError("give at least one game and at least one process")
    make_agent(bot)
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(options.first, options.first + options.games)
    parts = [seeds[start : start + IN_FILE] for start in range(0, len(seeds), IN_FILE)]
    if options.backend == "ray":
        written = write_files_by_ray(config, bot, folder, parts, options.workers)
    else:
        written = share_work(partial(write_file, config, bot, folder), parts, options.workers)
    done = 0
    for games in written:
        done += games
        yield done


# --- Reading ---------------------------------------------------------------------------------------


def read_file(path: Path) -> Games:
    """The games of a file. Nothing in it is run.

    Raises:
        ConfigError: It holds none.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes())) as held:
            games = Games(json.loads(str(held["about"])), held["seeds"], held["actions"])
            if games.actions.ndim != 2 or games.seeds.shape != games.actions.shape[:1]:
                raise ValueError("as many seeds as games are missing")
            return games._replace(seeds=games.seeds.astype(np.int64), actions=games.actions.astype(np.int16))
    except Exception as error:  # a damaged file can fail in any way
        raise ConfigError(f"{path} holds no games: {error}") from error


def read_games(folder: Path) -> Games:
    """The games of all files of a folder.

    Raises:
        ConfigError: There is none, or one holds no games, or games of another kind than the first.
    """
    files = {path: read_file(path) for path in sorted(folder.glob("games-*.npz"))}
    if not files:
        raise ConfigError(f"{folder} holds no files of games")
    first, *_ = files.values()
    for path, games in files.items():
        if games.about != first.about:
            raise ConfigError(f"{path} holds games of {games.about}, others in its folder of {first.about}")
    longest = max(games.actions.shape[1] for games in files.values())
    alike = []
    for games in files.values():
        behind = longest - games.actions.shape[1]
        alike.append(np.pad(games.actions, ((0, 0), (0, behind)), constant_values=NO_ACTION))
    return Games(first.about, np.concatenate([one.seeds for one in files.values()]), np.concatenate(alike))


# --- The card --------------------------------------------------------------------------------------


def count_points(games: Games) -> npt.NDArray[np.int16]:
    """(games, players) points at the end of each game."""
    config = GameConfig.from_dict(games.about["config"])
    batch = Batch(config, len(games.seeds), games.seeds.tolist(), observation=None)
    points = np.zeros((len(games.seeds), config.players), np.int16)
    for chosen in games.actions.T:
        asked = chosen != NO_ACTION
        batch.step(np.where(asked, chosen, batch.masks.argmax(axis=1)))
        ended = asked & (batch.done == 1)
        points[ended] = batch.points[ended]
    return points


def write_card(folder: Path, command: str) -> str:
    """Say in a file what a folder of games holds; returns the text."""
    games = read_games(folder)
    points = count_points(games)
    about, seeds = games.about, games.seeds
    said = {name: value for name, value in about["config"].items() if value not in (None, [])}
    played = ", ".join(f"{name}: {value}" for name, value in said.items())
    decisions = int((games.actions != NO_ACTION).sum())
    text = f"""# Games of {about["bot"]}

- {len(seeds):,} games, {decisions:,} decisions; seeds from {seeds.min()} to {seeds.max()}.
- Played: {played}; {about["bot"]} in all seats; iaww-env {about["version"]}.
- Points of a seat: {points.mean():.1f} on average, of the best seat {points.max(axis=1).mean():.1f}.
- A file holds the seeds and the actions of its games, in the order in which `Batch` asks for them; what was
  seen is found by playing them again (`iaww_training.imitation.replay`). Forced decisions are left out.
- {sign_table(command)}
"""
    write_whole(folder / CARD, text)
    return text
