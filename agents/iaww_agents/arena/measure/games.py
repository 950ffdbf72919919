"""What scripts that measure bots have in common: games that are kept in a file of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iaww_agents.arena.play.tournament import Tournament, run_tournament
from iaww_agents.arena.publish.scripts import LEADERBOARD
from iaww_env.config import GameConfig


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """Where games come from, where they are kept, and where tables of them go."""

    key: str
    """What all deals follow from; where a bot of others plays, take one that it cannot guess."""
    out: Path
    """File of results, gone on with where it exists."""
    workers: int | None = None
    """Processes; one for each core by default."""
    into: Path = LEADERBOARD
    """The file that tables are written into."""
    write: bool = False
    """Write them; by default they are printed."""
    time_limit: float = 60.0
    """Seconds for each decision."""

    def play(
        self, agents: Sequence[str], config: GameConfig, games: int, *, duplicates: bool = True
    ) -> Tournament:
        """Play what is missing of so many games; each deal in every rotation, or each a deal of its own."""
        return run_tournament(
            agents,
            config,
            games=games,
            key=self.key,
            out=self.out,
            workers=self.workers,
            duplicates=duplicates,
            time_limit=self.time_limit,
        )
