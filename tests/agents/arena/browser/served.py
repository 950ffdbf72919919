"""A game that is served to browsers while a test lasts, and what talks to it as a page does."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from iaww_agents.arena.browser.page import write_play_page
from iaww_agents.arena.browser.person import BrowserPerson
from iaww_agents.arena.browser.play import lead_game
from iaww_agents.arena.browser.server import listen_at, serve
from iaww_agents.arena.browser.session import Session
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_agents.arena.table.game_file import GameFile
from iaww_agents.base import make_agent
from iaww_env.config import GameConfig

LONGEST = 120.0  # seconds for a bot, on a machine that does much else
Bots = Callable[[int], Any]


class Served:
    """A game under way in a thread of its own, and its server.

    Attributes:
        address: Of its page.
        session: What all pages show.
    """

    def __init__(self, config: GameConfig, bots: str | Bots, seat: int, seed: int, path: Path | None) -> None:
        name = "bot" if callable(bots) else bots
        names = tuple("you" if at == seat else name for at in range(config.players))
        self.fixture = Fixture(0, seed, names, config)
        self.file = GameFile(self.fixture, path, is_named=True)
        self.session, self.address = Session(), ""
        self.person = BrowserPerson(self.session, seat, names)
        make = bots if callable(bots) else lambda at: make_agent(bots)
        adviser = Adviser("greedy", lambda: make_agent("greedy"))
        arguments = (lambda at: self.person if at == seat else make(at), self.person, adviser, self.file)
        self.thread = threading.Thread(target=lead_game, args=(self.fixture, *arguments), daemon=True)

    @property
    def state(self) -> dict[str, Any]:
        """What every page shows now."""
        state: dict[str, Any] = json.loads(self.session.read()[1])
        return state

    def await_state(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The state, once it is so."""
        latest = time.monotonic() + LONGEST
        while not is_there(state := self.state):
            assert time.monotonic() < latest, state["status"]
            time.sleep(0.002)
        return state

    def await_question(self, after: int = 0) -> dict[str, Any]:
        """The state in which the next thing is asked, or nothing any more."""
        return self.await_state(lambda state: state["question"] > after or state["status"] in ENDED)

    def send(
        self, method: str = "POST", path: str = "ask", body: Any = None, **headers: str | None
    ) -> tuple[int, Any, dict[str, str]]:
        """A request as the page sends it; what is None among the headers is left out."""
        there = urlsplit(self.address)
        given = {"host": there.netloc, "origin": f"http://{there.netloc}", "content-type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        line = http.client.HTTPConnection("127.0.0.1", there.port, timeout=30)
        try:
            line.putrequest(method, path if path.startswith("/") else there.path + path, skip_host=True)
            for name, value in ({"content-length": str(len(data))} | given).items():
                if value is not None:
                    line.putheader(name, value)
            line.endheaders(data)
            answer = line.getresponse()
            text = answer.read().decode()
            is_json = answer.headers.get_content_type() == "application/json"
            return answer.status, json.loads(text) if is_json else text, dict(answer.headers)
        finally:
            line.close()

    def ask(self, kind: str, question: int, action: str = "", sure: bool = False) -> tuple[int, str]:
        """Ask as the page does; the status, and why it is refused."""
        body = {"kind": kind, "question": question, "action": action, "sure": sure}
        status, said, _ = self.send(body=body)
        return status, said.get("refused", "")

    def play(self, state: dict[str, Any], action: str) -> dict[str, Any]:
        """Choose something; the state in which the next thing is asked."""
        assert self.ask("play", state["question"], action, sure=True) == (200, "")
        return self.await_question(state["question"])


ENDED = ("over", "broken", "closed")


@contextmanager
def serve_game(
    config: GameConfig,
    bots: str | Bots = "greedy",
    *,
    seat: int = 0,
    seed: int = 7,
    path: Path | None = None,
) -> Iterator[Served]:
    """While this lasts, the game is played and served."""
    served = Served(config, bots, seat, seed, path)
    with serve(served.session, write_play_page(served.fixture, seat), listen_at(0)) as served.address:
        served.thread.start()
        try:
            yield served
        finally:
            while served.thread.is_alive():
                served.session.answer("leave", 0)
                served.thread.join(0.05)


def choose_first(state: dict[str, Any]) -> str:
    """The first choice that builds something, if there is one."""
    order = ("slate", "place", "pick", "choose")
    choices = [one["action"] for one in state["choices"] if not one["loss"]]
    return str(min(choices, key=lambda text: next((i for i, verb in enumerate(order) if verb in text), 9)))
