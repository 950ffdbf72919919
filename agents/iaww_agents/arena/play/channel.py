"""What a referee and the process of a guest say to each other: short frames over a socket.

Nothing that a guest sends is ever unpickled or evaluated: it is a kind, a length and so many bytes, and a
frame that is too long or of no known kind ends the talk.
"""

from __future__ import annotations

import math
import socket
import struct
import time

HEAD = struct.Struct("<BI")  # the kind of a frame, and how many bytes follow
ANSWER_FORM = struct.Struct("<q")

# What a referee says: make the bot, a game begins, decide.
MAKE, RESET, ASK = range(1, 4)
# What a guest says: the process stands, it is done, an action; and where it cannot: why not.
READY, DONE, ANSWER, REFUSED, CRASHED, NO_NUMBER = range(11, 17)
MOST_SAID = 16384  # bytes that a guest says at once
BETWEEN = "\0"  # between the reason of a crash and its traceback


class GarbledFrame(Exception):
    """What has come is no frame."""


class Channel:
    """One end of the line, at the referee's side: it waits no longer than it is told to."""

    def __init__(self, line: socket.socket) -> None:
        """Take the socket over."""
        self.line = line
        self.come = bytearray()

    def send(self, kind: int, said: bytes, deadline: float) -> None:
        """Send a frame; raises TimeoutError, or OSError where the other end is gone."""
        self._wait_until(deadline)
        self.line.sendall(HEAD.pack(kind, len(said)) + said)

    def receive(self, deadline: float) -> tuple[int, bytes]:
        """The next frame.

        Raises:
            TimeoutError: It has not come whole before the deadline.
            EOFError: The other end has hung up.
            GarbledFrame: It is none.
        """
        while True:
            if len(self.come) >= HEAD.size:
                kind, length = HEAD.unpack_from(self.come)
                if not READY <= kind <= NO_NUMBER or length > MOST_SAID:
                    raise GarbledFrame
                end = HEAD.size + length
                if len(self.come) >= end:
                    said = bytes(self.come[HEAD.size : end])
                    del self.come[:end]
                    return kind, said
            self._wait_until(deadline)
            more = self.line.recv(MOST_SAID)
            if not more:
                raise EOFError
            self.come += more

    def _wait_until(self, deadline: float) -> None:
        """How long the next call may take."""
        if math.isinf(deadline):
            self.line.settimeout(None)
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.line.settimeout(left)


def receive_all(line: socket.socket) -> tuple[int, bytearray]:
    """The next frame at a guest's side, in bytes that may be written; raises EOFError where there is none."""
    head = line.recv(HEAD.size, socket.MSG_WAITALL)
    if len(head) < HEAD.size:
        raise EOFError
    kind, length = HEAD.unpack(head)
    said = bytearray(length)
    if length and line.recv_into(said, length, socket.MSG_WAITALL) < length:
        raise EOFError
    return kind, said


def send_all(line: socket.socket, kind: int, said: bytes = b"") -> None:
    """Send a frame from a guest's side."""
    line.sendall(HEAD.pack(kind, len(said)) + said)
