"""What `iaww selfplay` does: games of a bot written on all cores, with a bar, and a card at the end."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import Progress

from iaww_agents.arena.progress import ProgressLines
from iaww_env.config import GameConfig
from iaww_training.datasets import Options, write_card, write_games


def write_selfplay(
    agent: str,
    config: GameConfig,
    *,
    games: int,
    out: Path | None,
    first: int,
    workers: int | None,
    backend: Literal["local", "ray"],
) -> int:
    """Write games, and what is in them."""
    folder = out or Path("runs") / re.sub(r"\W+", "_", agent).strip("_")
    options = Options(agent, config, games, first, folder, workers, backend)
    console = Console(file=sys.stderr)
    lines = ProgressLines()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"games of {agent}", total=games)
        for done in write_games(options):
            bar.update(task, completed=done)
            if not console.is_terminal:
                lines.tell(done, games)
    command = f"iaww selfplay {agent} --players {config.players} --games {games} --out {folder}"
    print(write_card(folder, command), end="")
    print(f"written: {folder}/\nto learn from it: iaww imitate {folder}")
    return 0
