"""A zoo of bad bots: each goes wrong in a way of its own."""

import atexit
import ctypes
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import iaww_env
from iaww_agents.base import Agent, View
from iaww_env.game import lend_row


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
        lend_row(drawn)[:] = 0
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


# --- Those that go for the process, the referee and the machine ------------------------------------------


def find_line() -> int:
    """The descriptor of the only socket of this process: the line to its referee."""
    found = [int(name) for name in os.listdir("/proc/self/fd") if name.isdigit()]
    for descriptor in found:
        try:
            if os.readlink(f"/proc/self/fd/{descriptor}").startswith("socket:"):
                return descriptor
        except OSError:
            continue
    raise LookupError("there is no line")


class Forks(FirstLegal):
    """At every decision a copy of the process is made, and both answer."""

    def act(self, view: View) -> int:
        os.fork()
        return super().act(view)


class ForksAndLeaves(FirstLegal):
    """The copy answers, and the first one is gone."""

    def act(self, view: View) -> int:
        if os.fork():
            os._exit(5)
        return super().act(view)


class ForksAndStays(FirstLegal):
    """Copies that sleep, with the line to the referee open."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        if os.fork() == 0:
            time.sleep(1000)


class ClosesEverything(Agent):
    def act(self, view: View) -> int:
        os.closerange(0, 4096)
        time.sleep(1000)
        return 0


class TalksNonsense(Agent):
    def act(self, view: View) -> int:
        os.write(find_line(), b"\xff" * 1000)
        time.sleep(1000)
        return 0


class SaysTooMuch(Agent):
    """An error of a hundred megabytes."""

    def act(self, view: View) -> int:
        raise ValueError("x" * 100_000_000)


class SendsMuch(Agent):
    """A frame that claims four gigabytes, and as much of it as will go."""

    def act(self, view: View) -> int:
        line = socket.socket(fileno=os.dup(find_line()))
        line.sendall(bytes([13]) + b"\xff\xff\xff\xff" + b"\0" * 100_000)
        time.sleep(1000)
        return 0


class AnswersTwice(FirstLegal):
    """Sends its answer itself, and answers again."""

    def act(self, view: View) -> int:
        action = super().act(view)
        os.write(find_line(), bytes([13]) + (8).to_bytes(4, "little") + action.to_bytes(8, "little"))
        return action


class EatsMemory(Agent):
    def act(self, view: View) -> int:
        eaten = []
        while True:
            eaten.append(np.ones(1 << 24))


class KillsGroup(Agent):
    def act(self, view: View) -> int:
        os.killpg(0, signal.SIGKILL)
        return 0


class KillsReferee(Agent):
    def act(self, view: View) -> int:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
        return 0


class Segfaults(Agent):
    def act(self, view: View) -> int:
        ctypes.string_at(8)
        return 0


class OverflowsStack(Agent):
    def act(self, view: View) -> int:
        return self.act(view)


class HidesBehindSignals(Agent):
    """Lets no signal through that can be held, and hangs."""

    def act(self, view: View) -> int:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass


class HangsAtExit(Agent):
    def act(self, view: View) -> int:
        atexit.register(time.sleep, 1000)
        sys.exit(4)


class AnswersHuge(Agent):
    def act(self, view: View) -> int:
        return 1 << 5000


class AnswersUglyText(Agent):
    """Words that would clear the screen of who prints them."""

    def act(self, view: View) -> int:
        raise ValueError("\x1b[2J\x1b]0;owned\x07 gone")


class PatchesModules(FirstLegal):
    """Wins by a million points, as far as it can reach."""

    def __init__(self) -> None:
        iaww_env.Game.scores = lambda self: [1_000_000] * self.config.players  # type: ignore[method-assign]
        iaww_env.Game.places = lambda self: [1] * self.config.players  # type: ignore[method-assign]
        iaww_env.Game.step = lambda self, seat, action: None  # type: ignore[method-assign]
        for name, module in list(sys.modules.items()):
            if name.startswith("iaww_agents.arena.play.res"):
                vars(module).clear()


class ReadsEverything(FirstLegal):
    """Looks for the game in all that its process holds."""

    def act(self, view: View) -> int:
        known = view.sample_game(0)
        mine = {known.row.tobytes(), *self.list_imagined(view)}
        for thing in gc.get_objects():
            if isinstance(thing, iaww_env.Game) and thing.row.tobytes() not in mine:
                raise AssertionError("here is a game")
        names = " ".join([*sys.argv, *os.environ.values(), *os.environ])
        if "secret of the deals" in names:
            raise AssertionError("here is the key")
        if len([name for name in os.listdir("/proc/self/fd")]) > 8:
            raise AssertionError("here are more doors than one")
        return super().act(view)

    def list_imagined(self, view: View) -> set[bytes]:
        """The rows of games that the view itself holds."""
        held = [getattr(view, name) for name in ("_View__imagined", "_View__sample") if hasattr(view, name)]
        games = [thing for thing in held if isinstance(thing, iaww_env.Game)]
        return {game.row.tobytes() for game in games}


class Divines(FirstLegal):
    """Looks for the seed of the deal: that it was told, that divided, and the first thousands."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        self.seat, self.seed, self.tried = seat, seed, False

    def act(self, view: View) -> int:
        if not self.tried:
            self.tried = True
            hand = view.sample_game(0).hand(self.seat)
            for seed in (self.seed, self.seed // 7, self.seed >> 1, *range(300)):
                if iaww_env.Game(view.config, seed).hand(self.seat) == hand:
                    raise AssertionError(f"the seed of the deal is {seed}")
        return super().act(view)


class Remembers(FirstLegal):
    """Fails where it is dealt a pack that it has seen from another seat, less the first pick."""

    seen: ClassVar[list[Counter[str]]] = []

    def reset(self, seat: int, config: Any, seed: int) -> None:
        self.seat, self.asked = seat, 0

    def act(self, view: View) -> int:
        self.asked += 1
        hand = Counter(view.sample_game(0).hand(self.seat))
        if self.asked == 1 and any(pack <= hand for pack in self.seen):
            raise AssertionError("these cards have been here before")
        if self.asked == 2:
            self.seen.append(hand)
        return super().act(view)


class LeavesProcesses(FirstLegal):
    """Starts programs and threads that do not end."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        subprocess.Popen(["sleep", "1000"])
        threading.Thread(target=time.sleep, args=(1000,)).start()


class LeavesSessions(FirstLegal):
    """Starts programs that leave its process group, and one whose parent is gone at once."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
        subprocess.run(["sh", "-c", "setsid sleep 1000 & exit 0"], check=False)


class ReadsRivals(FirstLegal):
    """Opens the memory of every other process with its referee, as far as the system lets it."""

    def act(self, view: View) -> int:
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rpartition(")")[2].split()[1])
                if parent == os.getppid() and path.parent.name != str(os.getpid()):
                    path.with_name("mem").open("rb").close()
            except OSError:
                continue
            assert os.geteuid() == 0, "the memory of a rival lies open"
        return super().act(view)


class ChangesPlace(FirstLegal):
    """Another folder, other paths, no builtins left to print."""

    def reset(self, seat: int, config: Any, seed: int) -> None:
        os.chdir("/")
        sys.path.clear()
        sys.setrecursionlimit(200)
        Path("/proc/self/comm").write_text("tournament")
