"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from iaww_agents.base import Agent, View
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.errors import ActionTextError
from iaww_env.render.text import LEGAL_HEAD, render_table

HELP = "type the number or the text of an action; ? shows the table again, q leaves the game"


class GameLeft(KeyboardInterrupt):
    """The person has left the game; no fault of any bot."""


class HumanAgent(Agent):
    """Shows the table as the seat sees it, and asks which of the numbered legal actions to play."""

    def __init__(
        self,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], object] | None = None,
        colour: bool = False,
        width: int = 100,
    ) -> None:
        """Make the seat of a person.

        Args:
            read: Shows a prompt and returns what was typed; `input` by default.
            write: Shows text; `print` by default.
            colour: Colour by ANSI escapes.
            width: Columns of the table.
        """
        self.read, self.write = read or input, write or print
        self.colour, self.width = colour, width
        self._seat = 0

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._seat = seat

    def act(self, view: View) -> int:
        """Ask until the answer is a legal action.

        Raises:
            GameLeft: The person typed q, or the input has ended.
        """
        legal = view.legal_actions()
        self.show_table(view)
        self.show_actions(view, legal)
        while True:
            try:
                typed = self.read("> ").strip()
            except EOFError:
                raise GameLeft from None
            if typed.lower() in ("q", "quit"):
                raise GameLeft
            if typed == "?":
                self.show_table(view)
                self.show_actions(view, legal)
                self.write(HELP)
                continue
            action = read_action(view, legal, typed)
            if isinstance(action, int):
                return action
            self.write(action)

    def show_table(self, view: View) -> None:
        """The table as the seat sees it; whatever is hidden is drawn anew and not shown."""
        game = view.sample_game(np.random.default_rng(0))
        table = render_table(game, self._seat, colour=self.colour, width=self.width)
        # The legal actions follow with their numbers.
        lines = table.split("\n")
        heads = [i for i, line in enumerate(lines) if LEGAL_HEAD in line]
        self.write("\n" + "\n".join(lines[: heads[-1]] if heads else lines))

    def show_actions(self, view: View, legal: list[int]) -> None:
        """The legal actions with their numbers."""
        items = [f"{number:>3} {view.text(action)}" for number, action in enumerate(legal, 1)]
        wide = max(map(len, items)) + 2
        across = max(1, self.width // wide)
        for start in range(0, len(items), across):
            self.write("".join(f"{item:<{wide}}" for item in items[start : start + across]).rstrip())


def read_action(view: View, legal: list[int], typed: str) -> int | str:
    """What was typed as a legal action, or what to say about it."""
    if typed.isdecimal():
        number = int(typed)
        if 1 <= number <= len(legal):
            return legal[number - 1]
        return f"there is no number {number}: choose from 1 to {len(legal)}"
    try:
        action = action_table(view.config.expansions).parse(typed)
    except ActionTextError as error:
        return f"{error}; {HELP}" if typed else HELP
    return action if action in legal else f"{typed} is not legal now; {HELP}"
