"""Numbers to type for actions: a number that was shown means the same action to the end of the phase.

Actions come and go with every decision. If their numbers moved with them, what is typed ahead, or twice by
mistake, would play something else. So an action keeps its number, and a number whose action is not legal now
plays nothing. All production steps of a round count as one phase here.
"""

from __future__ import annotations

from collections.abc import Iterable

from iaww_env.actions import action_table
from iaww_env.game import Game

END_NUMBER = 0  # of the action `end`, in every phase


class ActionNumbers:
    """The numbers of one seat's actions in one phase."""

    def __init__(self) -> None:
        """No phase has begun."""
        self._phase: tuple[int, int] | None = None
        self._actions: list[int] = []
        self._end = 0

    def show(self, game: Game, legal: Iterable[int]) -> None:
        """Give numbers to legal actions that have none yet; a new phase begins with number 1."""
        phase = game.round, int(game.state.phase)
        if phase != self._phase:
            self._phase, self._actions = phase, []
        end = action_table(game.config.expansions).end
        self._actions += [one for one in legal if one != end and one not in self._actions]
        self._end = end

    def find_number(self, action: int) -> int:
        """The number of an action that was shown."""
        return END_NUMBER if action == self._end else self._actions.index(action) + 1

    def rank(self, action: int) -> tuple[bool, int]:
        """The place of an action in a list: by its number, `end` behind all others."""
        number = self.find_number(action)
        return number == END_NUMBER, number

    def list_numbers(self, actions: Iterable[int]) -> str:
        """The numbers of these actions, as in `0, 3, 5 to 8`."""
        numbers = sorted(map(self.find_number, actions))
        runs: list[list[int]] = []
        for number in numbers:
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        shown = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
        return ", ".join(shown)

    def find_action(self, number: int) -> int | None:
        """The action of a number; None where it was never shown in this phase."""
        if number == END_NUMBER:
            return self._end
        return self._actions[number - 1] if number <= len(self._actions) else None
