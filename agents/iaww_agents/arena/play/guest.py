"""The process in which a bot of others plays: it holds the bot, and of the game only what its seat may know.

A referee starts it (see `guests`) and asks; the bot gets an ordinary `View`, put together from what was sent.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from iaww_agents.arena.play.channel import (
    ANSWER,
    ANSWER_FORM,
    ASK,
    BETWEEN,
    CRASHED,
    DONE,
    MAKE,
    MOST_SAID,
    NO_NUMBER,
    READY,
    REFUSED,
    RESET,
    receive_all,
    send_all,
)
from iaww_agents.arena.play.faults import describe_error, describe_trace, explain_no_number
from iaww_agents.arena.play.shielding import shield_process
from iaww_env.announcing import announcer
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import View, make_unpacker
from iaww_env.config import GameConfig
from iaww_env.errors import IawwError

LOOK = 1.0  # seconds between looks whether the referee is still there
PR_SET_PDEATHSIG = 1  # of Linux's prctl: the signal to be sent when the parent ends


class Guest:
    """A bot, and what is known of the game that it plays."""

    def __init__(self) -> None:
        """There is no bot yet."""
        self.bot: Any = None
        self.seat = 0
        self.read_view: Callable[[bytearray], View] = _refuse_view

    def answer(self, kind: int, said: bytearray) -> tuple[int, bytes]:
        """Do what the referee says; the answer to it."""
        try:
            if kind == MAKE:
                self.bot = make_agent(said.decode())
                return DONE, shorten(str(getattr(self.bot, "profile", "full")))
            if kind == RESET:
                return self.begin_game(json.loads(said))
            assert kind == ASK
            return self.decide(self.read_view(said))
        except IawwError as error:
            return (REFUSED, shorten(describe_error(error, False))) if kind == MAKE else tell_crash(error)
        except BaseException as error:  # whatever it is, it is the bot's
            return tell_crash(error)

    def begin_game(self, about: dict[str, Any]) -> tuple[int, bytes]:
        """Tell the bot of a game."""
        config = GameConfig.from_dict(about["config"])
        self.seat = about["seat"]
        self.read_view = make_unpacker(config, self.seat, about["profile"])
        reset = getattr(self.bot, "reset", None)
        if callable(reset):
            reset(self.seat, config, about["seed"])
        return DONE, b""

    def decide(self, view: View) -> tuple[int, bytes]:
        """The bot's action."""
        action = self.bot.act(view)
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            return NO_NUMBER, shorten(explain_no_number(action))
        return ANSWER, ANSWER_FORM.pack(min(max(int(action), -1), 1 << 62))


def _refuse_view(said: bytearray) -> View:
    raise RuntimeError("no game has begun")


def tell_crash(error: BaseException) -> tuple[int, bytes]:
    """The answer of a bot that has crashed: why, and its traceback."""
    reason = describe_error(error).replace(BETWEEN, "?")
    return CRASHED, shorten(f"{reason}{BETWEEN}{describe_trace(error)}")


def shorten(text: str) -> bytes:
    """A text as it is sent."""
    return text.encode(errors="replace")[:MOST_SAID]


# --- The process -----------------------------------------------------------------------------------


def serve_guest(descriptor: int, referee: int, memory: int) -> None:
    """Answer until the referee hangs up.

    Args:
        descriptor: Of the socket to the referee.
        referee: Its process: where that ends, this one ends.
        memory: Bytes that this process may take; 0 for no limit.
    """
    line = socket.socket(fileno=descriptor)
    limit_process(memory)
    shield_process()  # bots of the same table are processes of the same user
    if sys.platform == "linux":  # at once, even where a bot lets no other thread run
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=follow_referee, args=(referee,), daemon=True).start()
    announcer.is_silent = True  # the referee's parent speaks
    guest, born = Guest(), os.getpid()
    send_all(line, READY)
    while True:
        try:
            kind, said = receive_all(line)
        except (EOFError, OSError):
            os.killpg(0, signal.SIGKILL)  # with whatever the bot has left running
        answer = guest.answer(kind, said)
        if os.getpid() != born:  # the bot has forked, and this is the copy: one of them answers
            os._exit(0)
        send_all(line, *answer)


def limit_process(memory: int) -> None:
    """So much memory and no more, no core dump; and where memory ends, this process is the first to go."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory > 0:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:  # only Linux has it
        pass


def follow_referee(referee: int) -> None:
    """End with the referee, also where a bot is busy for ever, and end what the bot has started."""
    while os.getppid() == referee:
        time.sleep(LOOK)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Run the process as `guests` starts it."""
    serve_guest(*map(int, sys.argv[1:4]))


if __name__ == "__main__":
    main()
