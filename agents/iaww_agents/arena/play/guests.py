"""Bots of others, seen from their referee: each plays in a process of its own, that holds nothing hidden.

The game, its moves and its score stay with the referee. What goes over the line for a decision is what the
seat sees, and an imagined game that agrees with it (`iaww_env.bots.views`); what comes back is a number.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iaww_agents.arena.play.channel import (
    ANSWER,
    ANSWER_FORM,
    ASK,
    BETWEEN,
    CRASHED,
    DONE,
    MAKE,
    NO_NUMBER,
    READY,
    REFUSED,
    RESET,
    Channel,
    GarbledFrame,
)
from iaww_agents.arena.play.faults import GuestFault
from iaww_agents.arena.play.results import CRASH, ILLEGAL, TIMEOUT
from iaww_agents.arena.play.shielding import end_orphans
from iaww_env.bots.specs import is_ours, make_agent
from iaww_env.bots.views import View, pack_view
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote

STARTING = 60.0  # seconds in which a process must stand; a bot's clock begins then
GRACE = 5.0  # seconds beyond a guest's limit before its referee is given up: it ends a guest by itself
ENDING = 1.0  # seconds in which a process that has hung up tells how it ended
GIGABYTE = 1 << 30
# The processes share the cores already.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# A guest's own process begins with the paths of this one, and with none of its arguments.
BEGIN = "import sys; sys.path[:] = {path!r}; from iaww_agents.arena.play.guest import main; main()"


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What bots are allowed.

    Attributes:
        time_limit: Seconds for each decision.
        first_limit: Seconds for making a bot, for `reset` and for its first decision in a process.
        memory_limit: Gigabytes that a bot of others may take; 0 for no limit.
        is_loud: Whether what bots of others print is shown.
    """

    time_limit: float = float("inf")
    first_limit: float = float("inf")
    memory_limit: float = 4.0
    is_loud: bool = False


class GuestBot:
    """A bot in a process of its own.

    Attributes:
        spec: What names it.
        profile: The profile of the observations that it asks for.
        allowed: Seconds for what it is asked next.
        is_warm: Whether it has decided before.
    """

    def __init__(self, spec: str, rules: HouseRules) -> None:
        """Start the process, and have it make the bot.

        Raises:
            ConfigError: There is no such bot.
            GuestFault: It cannot be made.
        """
        if not hasattr(os, "killpg"):
            raise ConfigError(f"{quote(spec)}: bots of others need Linux or macOS (on Windows: WSL)")
        self.spec, self.allowed, self.is_warm = spec, rules.first_limit, False
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours)
        self.process = start_process(theirs, rules)
        RUNNING.add(self)
        theirs.close()
        try:
            self.ask(READY, b"", STARTING)
            self.profile = self.ask(MAKE, spec.encode(), self.allowed).decode(errors="replace")
        except BaseException:
            self.end()
            raise

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """A game begins."""
        about = {"seat": seat, "config": config.to_dict(), "seed": seed, "profile": self.profile}
        self.ask(RESET, json.dumps(about).encode(), self.allowed)

    def act(self, view: View) -> int:
        """What the bot answers, which may be no legal action."""
        answer = self.ask(ASK, pack_view(view), self.allowed)
        if len(answer) != ANSWER_FORM.size:
            raise self.end_garbled()
        self.is_warm = True
        action: int = ANSWER_FORM.unpack(answer)[0]
        return action

    def ask(self, kind: int, said: bytes, allowed: float) -> bytes:
        """Say something and wait for the answer; a guest that does not answer is ended."""
        deadline = time.monotonic() + allowed
        try:
            if kind != READY:
                self.channel.send(kind, said, deadline)
            told, answer = self.channel.receive(deadline)
        except TimeoutError:
            self.end()
            raise GuestFault(TIMEOUT, f"did not answer within {allowed:g} s") from None
        except (OSError, EOFError):
            raise GuestFault(CRASH, self.find_end()) from None
        except GarbledFrame:
            raise self.end_garbled() from None
        if told == (ANSWER if kind == ASK else READY if kind == READY else DONE):
            return answer
        raise self.explain(kind, told, answer.decode(errors="replace"))

    def explain(self, kind: int, told: int, text: str) -> Exception:
        """What a guest says where it cannot do what it was asked."""
        if told == REFUSED and kind == MAKE:
            self.end()
            return ConfigError(text)
        if told == CRASHED:
            reason, _, trace = text.partition(BETWEEN)
            return GuestFault(CRASH, reason, is_told=False, trace=trace)
        if told == NO_NUMBER and kind == ASK:
            return GuestFault(ILLEGAL, text)
        return self.end_garbled()

    def end_garbled(self) -> GuestFault:
        """A guest that talks nonsense is ended."""
        self.end()
        return GuestFault(CRASH, "sent its referee what is no answer")

    def find_end(self) -> str:
        """How a process that has hung up ended."""
        until = time.monotonic() + ENDING
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT  # its number stays taken until its group has ended
        while os.waitid(os.P_PID, self.process.pid, flags) is None:
            if time.monotonic() > until:
                self.end()
                return "closed the line to its referee"
            time.sleep(0.01)
        return f"ended the process it played in (exit code {self.end()})"

    def end(self) -> int:
        """End the process and all that it has started; returns its exit code."""
        self.channel.line.close()
        if self.process.returncode is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has not come as far as having a group
                self.process.kill()
            except PermissionError:  # macOS says so of a group that has ended
                pass
        code = self.process.wait()
        RUNNING.discard(self)  # not before: who leaves in the midst of this must find it
        end_orphans([guest.process.pid for guest in RUNNING if hasattr(guest, "process")])
        return code


# Those that have not ended, also where they are still being made.
RUNNING: set[GuestBot] = set()


def end_guests() -> None:
    """End all guests of this process, wherever they stand."""
    for guest in list(RUNNING):
        guest.end()


def start_process(line: socket.socket, rules: HouseRules) -> subprocess.Popen[bytes]:
    """A process for a guest: a session of its own, one socket, nothing else of this one."""
    shown = None if rules.is_loud else subprocess.DEVNULL
    memory = int(rules.memory_limit * GIGABYTE)
    begin = BEGIN.format(path=[path or os.getcwd() for path in sys.path])
    command = [sys.executable, "-c", begin, str(line.fileno()), str(os.getpid()), str(memory)]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=shown,
        stderr=shown,
        pass_fds=[line.fileno()],
        start_new_session=True,
        env=ONE_THREAD | os.environ,
    )


class BotShelf:
    """The bots of a process: made once for each spec and copy, and told of each game.

    Ours play in this process, those of others each in its own. A guest is never kept beyond a *sitting*: in
    duplicate deals the same cards come again, and who has seen them must not meet them.
    """

    def __init__(self, rules: HouseRules | None = None) -> None:
        """No bot has been made yet."""
        self.rules = rules or HouseRules()
        self.bots: dict[tuple[str, int], Any] = {}
        self.sitting = ""

    def begin_sitting(self, sitting: str) -> None:
        """Guests of another sitting go home."""
        if sitting != self.sitting:
            self.sitting = sitting
            self._drop([key for key, bot in self.bots.items() if isinstance(bot, GuestBot)])

    def take(self, agents: Sequence[str], seat: int) -> Any:
        """The bot for a seat: of several of one spec, each seat has its own."""
        key = agents[seat], agents[:seat].count(agents[seat])
        if key not in self.bots:
            spec = key[0]
            self.bots[key] = make_agent(spec) if is_ours(spec) else GuestBot(spec, self.rules)
        return self.bots[key]

    def drop(self, spec: str) -> None:
        """A bot has failed: make it anew when it is needed again."""
        self._drop([key for key in self.bots if key[0] == spec])

    def close(self) -> None:
        """All bots go home."""
        self._drop(list(self.bots))

    def _drop(self, keys: Sequence[tuple[str, int]]) -> None:
        for key in keys:
            bot = self.bots.pop(key)
            if isinstance(bot, GuestBot):
                bot.end()

    def __enter__(self) -> BotShelf:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
