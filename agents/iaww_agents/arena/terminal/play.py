"""`iaww play`: a person against bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import Make, judge_match
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_agents.arena.table.game_file import GameFile, open_game_file
from iaww_agents.arena.table.match import TableMatch
from iaww_agents.arena.table.seating import WATCHED, describe_seating, seat_company, seat_person
from iaww_agents.arena.terminal.ending import print_end
from iaww_agents.human.line_editing import edit_lines, read_line
from iaww_agents.human.person import GameLeft, HumanAgent
from iaww_env.config import GameConfig
from iaww_env.envs.rendering import has_colour
from iaww_env.render.text import render_table


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
    fixture = seat_person(agents, config, seat, seed)
    file = open_game_file(fixture, record, no_record=no_record)
    human = HumanAgent(read=read_line, colour=has_colour())
    with edit_lines(human.complete), BotShelf(WATCHED) as shelf:
        make, adviser = seat_company(fixture, human, seat, hints, shelf)
        print(f"{describe_seating(fixture, seat)} Type help for help.")
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
    fixture: Fixture, make: Make, human: HumanAgent, seat: int, adviser: Adviser, file: GameFile
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
