"""A zoo of bad bots: each goes wrong in a way of its own."""

import os
import sys
import time
from typing import Any

from iaww_agents.base import Agent, View


class FirstLegal(Agent):
    """A good bot, if not a clever one."""

    def act(self, view: View) -> int:
        return view.legal_actions()[0]


class Crashes(Agent):
    def act(self, view: View) -> int:
        raise ZeroDivisionError("no divisor")


class CrashesAtReset(FirstLegal):
    def reset(self, seat: int, config: Any, seed: int) -> None:
        raise LookupError("nothing found")


class CrashesWithBrokenError(Agent):
    def act(self, view: View) -> int:
        class BrokenError(Exception):
            def __str__(self) -> str:
                raise RuntimeError

        raise BrokenError


class AnswersNone(Agent):
    def act(self, view: View) -> Any:
        return None


class AnswersFloat(Agent):
    def act(self, view: View) -> Any:
        return float(view.legal_actions()[0])


class AnswersText(Agent):
    def act(self, view: View) -> Any:
        return view.text(view.legal_actions()[0])


class PlaysIllegal(Agent):
    def act(self, view: View) -> int:
        return int((view.action_mask == 0).argmax())


class PlaysOutside(Agent):
    def act(self, view: View) -> int:
        return -1


class Hangs(Agent):
    def act(self, view: View) -> int:
        while True:
            pass


class HangsInSleep(Agent):
    def act(self, view: View) -> int:
        time.sleep(1000)
        return 0


class TooSlow(FirstLegal):
    def act(self, view: View) -> int:
        time.sleep(0.95)
        return super().act(view)


class Scribbles(FirstLegal):
    """Overwrites all that it is given, and plays on."""

    def act(self, view: View) -> int:
        action = super().act(view)
        view.observation[:] = 1e9
        view.action_mask[:] = 1
        drawn = view.sample_game(0)
        drawn.row[:] = 0
        return action


class PrintsMegabyte(FirstLegal):
    """Prints a megabyte at every decision, by every way out."""

    def act(self, view: View) -> int:
        print("x" * 1_000_000)
        sys.stderr.write("y" * 1_000_000)
        os.write(1, b"z" * 100_000)
        return super().act(view)


class Exits(Agent):
    def act(self, view: View) -> int:
        sys.exit(3)


class KillsProcess(Agent):
    def act(self, view: View) -> int:
        os._exit(7)


class ReadsInput(Agent):
    def act(self, view: View) -> int:
        return int(input("your move? "))


class CannotBeMade(FirstLegal):
    def __init__(self) -> None:
        raise OSError("weights are missing")


class Raises(Agent):
    """Neither an error of the usual kind nor one to be let through."""

    def act(self, view: View) -> int:
        raise KeyboardInterrupt
