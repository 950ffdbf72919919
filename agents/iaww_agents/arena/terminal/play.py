"""`iaww play`: a person against bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import judge_match
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.terminal.advising import Adviser
from iaww_agents.arena.terminal.ending import print_end
from iaww_agents.arena.terminal.game_file import GameFile, open_game_file
from iaww_agents.arena.terminal.seating import WATCHED, seat_agents, seat_all
from iaww_agents.arena.terminal.table import TableMatch
from iaww_agents.human.line_editing import edit_lines, read_line
from iaww_agents.human.person import GameLeft, HumanAgent
from iaww_env.bots.specs import list_agents
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.rendering import has_colour
from iaww_env.errors import ConfigError
from iaww_env.render.text import render_table

HUMAN = "you"


def play_in_terminal(
    agents: Sequence[str],
    config: GameConfig,
    *,
    seat: int,
    seed: int | None,
    hints: str | None = None,
    record: Path | None = None,
    no_record: bool = False,
) -> int:
    """A person plays against bots."""
    if not 0 <= seat < config.players:
        raise ConfigError(f"--seat is {seat}: the seats are 0 to {config.players - 1}")
    if record is not None and no_record:
        raise ConfigError("--record names a file and --no-record wants none: leave one of them out")
    usual = "heuristic" if "heuristic" in list_agents() else "greedy"
    others = seat_agents(agents or [usual], config.players - 1) if config.players > 1 else []
    fixture = Fixture(0, check_seed(seed), (*others[:seat], HUMAN, *others[seat:]), config)
    file = GameFile(fixture, None) if no_record else open_game_file(fixture, record)
    human = HumanAgent(read=read_line, colour=has_colour())
    with edit_lines(human.complete), BotShelf(WATCHED) as shelf:
        lineup = (*fixture.agents, hints or usual)  # who is asked for hints stands beside the table

        def make(at: int) -> Any:
            return human if at == seat else shelf.take(lineup, at)

        seat_all(lineup, make)
        adviser = Adviser(lineup[-1], lambda: make(len(lineup) - 1))
        named = ", ".join(others) or "none"
        print(f"You are seat {seat}. Other seats: {named}. The seed is {fixture.seed}. Type help for help.")
        try:
            lead_game(fixture, make, human, seat, adviser, file)
        except GameLeft:
            print("\nYou have left the game.")
        except KeyboardInterrupt:
            print()
            raise
        finally:
            file.finish()
    return 0


def lead_game(
    fixture: Fixture, make: Any, human: HumanAgent, seat: int, adviser: Adviser, file: GameFile
) -> None:
    """Play the game to its end, or until a bot breaks it off, and tell how it ended."""
    begun: list[TableMatch] = []

    def begin() -> TableMatch:
        begun.append(TableMatch(fixture, make, human, seat, adviser, file))
        return begun[0]

    result = judge_match(fixture, begin)
    for match in begun:
        match.tell_news()
        if match.game.over:
            print(f"\n{render_table(match.game, None, colour=has_colour())}")
    print_end(result)
