"""Where a game and the pages that show it meet: the state that all of them show, and what they ask for.

The game runs in one thread and the server in another. All that a page shows is one state with a version, so
a page that comes late, is loaded again or has lost its connection takes the state and is where the others
are. What a page asks for names the question that it answers. A question is answered once: a second click, or
one in a tab that has not seen the news yet, is refused and plays nothing.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

AWAKE = 0.5  # seconds after which whoever waits looks up, where Ctrl-C does not wake it (Windows)
PLAY, UNDO, HINT, LEAVE = "play", "undo", "hint", "leave"
# What a state says of the game.
ASKED, WAITING, OVER, BROKEN, CLOSED = "asked", "waiting", "over", "broken", "closed"

NOT_ASKED = "nothing is asked of you now: others decide"
ANSWERED = "that was decided already, perhaps in another tab: look at how the game stands now"
ENDED = "the game is over"


class Refused(Exception):
    """What a page asks for cannot be; the game is as it was. The message is for the person."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a page asks for, once it is accepted."""

    kind: str
    action: int = -1


@dataclass(frozen=True, slots=True)
class Question:
    """What may be answered.

    Attributes:
        number: Its place in the game; an answer names it.
        actions: What may be played, by its text.
        careful: Texts that are played only where the person has said so twice.
        no_undo: Why no decision can be taken back; empty where one can.
    """

    number: int
    actions: Mapping[str, int]
    careful: frozenset[str]
    no_undo: str


class Session:
    """The state of one game, asked by many pages."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self._turn = threading.Condition()
        self._state: dict[str, Any] = {"status": WAITING, "news": [], "since": 0, "question": 0}
        self._version, self._written = 1, (0, "")
        self._question: Question | None = None
        self._asked = 0
        self._requests: list[Request] = []
        self._listeners: set[Callable[[], object]] = set()

    # --- What the game does -----------------------------------------------------------------------

    def show(self, **parts: Any) -> None:
        """Change parts of the state; every page is told."""
        with self._turn:
            self._change(parts)

    def tell(self, text: str) -> None:
        """Something to be read."""
        with self._turn:
            self._change({"news": [*self._state["news"], text]})

    def ask(self, actions: Mapping[str, int], careful: Sequence[str], no_undo: str, **parts: Any) -> None:
        """Put the next question."""
        with self._turn:
            self._asked += 1
            self._question = Question(self._asked, actions, frozenset(careful), no_undo)
            about = {"status": ASKED, "question": self._asked, "undo": no_undo, "hint": None}
            self._change(about | parts)

    def await_request(self) -> Request:
        """What a page asks for next."""
        with self._turn:
            while not self._requests:
                self._turn.wait(AWAKE)
            return self._requests.pop(0)

    @property
    def has_left(self) -> bool:
        """Whether a page has asked to leave, and nobody has seen to it yet."""
        with self._turn:
            return any(one.kind == LEAVE for one in self._requests)

    def end(self, status: str, **parts: Any) -> None:
        """The game is over, and nothing is asked any more."""
        with self._turn:
            self._question, self._requests = None, []
            self._change({"status": status, "question": 0, "choices": [], "hint": None} | parts)

    def close(self) -> None:
        """The server ends; pages that still listen are told."""
        with self._turn:
            if self._state["status"] != CLOSED:
                self._question = None
                self._change({"status": CLOSED, "question": 0, "choices": []})

    def await_silence(self, seconds: float) -> None:
        """Wait until no page listens any more, but not for long."""
        with self._turn:
            self._turn.wait_for(lambda: not self._listeners, seconds)

    # --- What pages do ----------------------------------------------------------------------------

    def read(self) -> tuple[int, str, bool]:
        """The version, the state as JSON, and whether it is the last one."""
        with self._turn:
            if self._written[0] != self._version:
                state = self._state | {"version": self._version}
                text = json.dumps(state, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
                self._written = self._version, text
            return *self._written, self._state["status"] == CLOSED

    @contextlib.contextmanager
    def listen(self, call: Callable[[], object]) -> Iterator[None]:
        """While this lasts, a function is called, from any thread, when the state has changed."""
        with self._turn:
            self._listeners.add(call)
        try:
            yield
        finally:
            with self._turn:
                self._listeners.discard(call)
                self._turn.notify_all()

    def answer(self, kind: str, question: int, text: str = "", is_sure: bool = False) -> None:
        """Take what a page asks for.

        Raises:
            Refused: It cannot be, and why.
        """
        with self._turn:
            if kind == LEAVE:
                self._requests.insert(0, Request(LEAVE))
                self._turn.notify_all()
                return
            self._check_question(question)
            asked = self._question
            assert asked is not None
            if kind == HINT:
                self._take_hint()
            elif kind == UNDO:
                if asked.no_undo:
                    raise Refused(asked.no_undo)
                self._take(Request(UNDO))
            else:
                self._take(self._check_action(asked, text, is_sure))

    def _check_question(self, question: int) -> None:
        """Refuse what answers another question than the one that is asked."""
        if self._question is not None and question == self._question.number:
            return
        if self._state["status"] in (OVER, BROKEN, CLOSED):
            raise Refused(ENDED)
        raise Refused(ANSWERED if 0 < question <= self._asked else NOT_ASKED)

    def _check_action(self, asked: Question, text: str, is_sure: bool) -> Request:
        if text not in asked.actions:
            raise Refused("this cannot be chosen now")
        if text in asked.careful and not is_sure:
            raise Refused("this gives a card up: say that you are sure")
        return Request(PLAY, asked.actions[text])

    def _take(self, request: Request) -> None:
        """Hand a request to the game; its question is answered."""
        self._question = None
        self._requests = [one for one in self._requests if one.kind == LEAVE] + [request]
        news = self._state["news"]
        self._change({"status": WAITING, "question": 0, "choices": [], "hint": None, "since": len(news)})

    def _take_hint(self) -> None:
        """Have the game ask for a hint, unless that is under way."""
        if not any(one.kind == HINT for one in self._requests):
            self._requests.append(Request(HINT))
            self._change({"hint": {"words": "asking ...", "action": ""}})

    def _change(self, parts: Mapping[str, Any]) -> None:
        self._state |= parts
        self._version += 1
        self._turn.notify_all()
        for call in self._listeners:
            call()
