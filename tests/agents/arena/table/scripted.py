"""A person whose lines come from a function, at a table with bots."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from iaww_agents.arena.play.match import judge_match
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_agents.arena.table.game_file import GameFile
from iaww_agents.arena.table.match import TableMatch
from iaww_agents.base import make_agent
from iaww_agents.human import GameLeft, HumanAgent
from iaww_agents.human.person import Offers
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.game import Game

Type = Callable[["Table"], str]


class Table:
    """A match with a scripted person, and all that the person was shown.

    Attributes:
        shown: What was printed, in order.
        prompts: The prompts that were answered, likewise.
    """

    def __init__(
        self,
        config: GameConfig,
        type_line: Type,
        *,
        seat: int = 0,
        seed: int = 7,
        bots: str | Callable[[int], Any] = "greedy",
        hints: str = "greedy",
        path: Path | None = None,
        width: int = 100,
    ) -> None:
        self.type_line, self.seat = type_line, seat
        self.shown: list[str] = []
        self.prompts: list[str] = []
        self.person = HumanAgent(self.read, self.write, width=width)
        name = "bot" if callable(bots) else bots
        names = tuple("you" if at == seat else name for at in range(config.players))
        self.fixture = Fixture(0, seed, names, config)
        self.file = GameFile(self.fixture, path, is_named=True)
        self.adviser = Adviser(hints, lambda: make_agent(hints))
        make = bots if callable(bots) else lambda at: make_agent(bots)
        self.match = TableMatch(
            self.fixture,
            lambda at: self.person if at == seat else make(at),
            self.person,
            seat,
            self.adviser,
            self.file,
        )

    @property
    def game(self) -> Game:
        """The game on the table."""
        return self.match.game

    @property
    def text(self) -> str:
        """All that was printed."""
        return "\n".join(self.shown)

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.type_line(self)

    def write(self, text: str) -> None:
        self.shown.append(text)

    def play(self) -> Result:
        return judge_match(self.fixture, lambda: self.match)

    def legal(self) -> list[str]:
        return self.game.legal_texts(self.seat)


def ask_apart(table: Table, game: Game, lines: list[str]) -> str:
    """What the person at a table would be shown in another game, for lines that end in leaving."""
    person, shown, left = copy.copy(table.person), [], iter(lines)
    person._numbers = copy.deepcopy(person._numbers)
    person.screen = copy.copy(person.screen)
    person.screen.write = shown.append
    person.read = lambda prompt: shown.append(prompt) or next(left)
    no_undo = "" if table.match.decided else table.match.no_undo
    try:
        while True:
            person.decide(
                make_view(game, table.seat), Offers(lambda: table.adviser.advise(game, table.seat), no_undo)
            )
    except (GameLeft, StopIteration):
        return "\n".join(map(str, shown))


def play_wisely(table: Table) -> str:
    """Whatever the greedy bot would play, so that games are those of people who build."""
    if "y/N" in table.prompts[-1]:
        return "y"
    bot = make_agent("greedy")
    bot.reset(table.seat, table.game.config, 0)
    return str(table.game.actions.to_text(bot.act(make_view(table.game, table.seat))))
