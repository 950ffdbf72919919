"""`iaww watch`: bots play, and every move is printed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import play_match
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.thoughts import ThoughtKeeper
from iaww_agents.arena.table.game_file import GameFile
from iaww_agents.arena.table.seating import WATCHED, seat_agents, seat_all
from iaww_agents.arena.terminal.ending import print_end
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.rendering import has_colour
from iaww_env.errors import ConfigError
from iaww_env.game import Game
from iaww_env.render.text import render_table

LONGEST_DELAY = 3600


def watch_game(
    agents: Sequence[str],
    config: GameConfig,
    *,
    seed: int | None,
    delay: float,
    record: Path | None = None,
) -> int:
    """Show bots playing, move by move, with the table at the beginning of each phase."""
    if not 0 <= delay <= LONGEST_DELAY:  # nan lies nowhere
        raise ConfigError(f"--delay is {delay:g}: give seconds from 0 to {LONGEST_DELAY:,}")
    lineup = tuple(seat_agents(agents, config.players))
    seed = check_seed(seed)
    fixture = Fixture(0, seed, lineup, config)
    file = GameFile(fixture, record, is_named=True)
    with BotShelf(WATCHED) as shelf:
        make = partial(shelf.take, lineup)
        watcher = Watcher(delay, file, ThoughtKeeper(make))
        seat_all(lineup, make)
        print(f"{', '.join(f'seat {at}: {spec}' for at, spec in enumerate(lineup))}. The seed is {seed}.")
        try:
            result = play_match(fixture, watcher.keeper.make, show=watcher.show_move)
            watcher.show_table()
            print_end(result)
        finally:
            file.finish()
    return 0


class Watcher:
    """Prints moves as they are played."""

    def __init__(self, delay: float, file: GameFile, keeper: ThoughtKeeper) -> None:
        """Wait `delay` seconds before each move; note it in the file, with what its bot thought."""
        self.delay, self.file, self.keeper = delay, file, keeper
        file.thoughts = keeper.thoughts
        self.game: Game | None = None
        self.phase: tuple[int, str] | None = None

    def show_move(self, game: Game, seat: int, action: int) -> None:
        """Print a move, and the table where a round begins or a phase of it."""
        if (game.round, game.phase) != self.phase:
            if self.phase is None or self.phase[0] != game.round or game.phase == "planning":
                print(f"\n{render_table(game, None, colour=has_colour())}")
            self.phase = game.round, game.phase
            print(f"\nround {game.round}, {game.phase}")
        print(f"  seat {seat}: {game.actions.to_text(action)}", flush=True)
        self.game = game  # it is the one that goes on
        if self.delay > 0:
            time.sleep(self.delay)
        self.keeper.note(game, seat, action)
        self.file.note(game, seat, action)

    def show_table(self) -> None:
        """The table as it stands after the last move."""
        if self.game is not None:
            print(f"\n{render_table(self.game, None, colour=has_colour())}")
