"""`iaww play --browser`: a person against bots, on a page of this machine's own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from iaww_agents.arena.browser.page import write_play_page
from iaww_agents.arena.browser.person import BrowserPerson
from iaww_agents.arena.browser.session import BROKEN, CLOSED, LEAVE, OVER, Session
from iaww_agents.arena.browser.showing import show_end, show_position
from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import Make, judge_match
from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_agents.arena.table.game_file import GameFile, open_game_file
from iaww_agents.arena.table.match import TableMatch
from iaww_agents.arena.table.seating import WATCHED, describe_seating, seat_company, seat_person
from iaww_agents.arena.terminal.ending import print_end
from iaww_agents.human.person import GameLeft
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, tell_install
from iaww_env.viewer.moves import name_stage
from iaww_env.viewer.opening import open_address

LIBRARIES = ("starlette", "uvicorn", "wsproto")


def play_in_browser(
    agents: Sequence[str],
    config: GameConfig,
    *,
    seat: int,
    seed: int | None,
    hints: str | None = None,
    record: Path | None = None,
    no_record: bool = False,
    port: int = 0,
    open: bool = True,
) -> int:
    """A person plays against bots."""
    check_libraries()
    from iaww_agents.arena.browser.server import listen_at, serve

    fixture = seat_person(agents, config, seat, seed)
    file = open_game_file(fixture, record, no_record=no_record)
    session = Session()
    person = BrowserPerson(session, seat, fixture.agents)
    with listen_at(port) as listening, BotShelf(WATCHED) as shelf:
        make, adviser = seat_company(fixture, person, seat, hints, shelf)
        page = write_play_page(fixture, seat)
        with serve(session, page, listening) as address:
            print(describe_seating(fixture, seat))
            print(f"Play at {address} (Ctrl-C here or Leave there ends the game)", flush=True)
            if open:
                threading.Thread(target=offer_page, args=(address,), daemon=True).start()
            lead_game(fixture, make, person, adviser, file)
    return 0


def check_libraries() -> None:
    """Refuse to begin where the server's libraries are missing.

    Raises:
        ConfigError: They are; the message says how to get them.
    """
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        named = " and ".join(missing)
        raise ConfigError(f"--browser needs {named}, not installed here; {tell_install('browser')}")


def offer_page(address: str) -> None:
    """Open the page; a browser may keep whoever opens it waiting."""
    if not open_address(address):
        print("There is no browser here: open the address in one of yours.", flush=True)


def lead_game(fixture: Fixture, make: Make, person: BrowserPerson, adviser: Adviser, file: GameFile) -> None:
    """Play the game to its end, or until a bot or the person breaks it off; show how it ended."""
    begun: list[TableMatch] = []

    def begin() -> TableMatch:
        begun.append(TableMatch(fixture, make, person, person.seat, adviser, file))
        return begun[0]

    try:
        result = judge_match(fixture, begin)
    except GameLeft:
        print("\nYou have left the game.")
        person.session.end(CLOSED, outcome=["You have left the game."], saved=save_game(file, person.session))
        return
    except BaseException:  # Ctrl-C, or what nobody has thought of
        told = ["The game was ended at the terminal."]
        person.session.end(CLOSED, outcome=told, saved=save_game(file, person.session))
        raise
    for match in begun:
        match.tell_news()
    saved = save_game(file, person.session)
    print_end(result)
    end_game(result, begun, person.session, saved)


def save_game(file: GameFile, session: Session) -> str:
    """Save the game and say where; the page is told too where that fails."""
    try:
        return file.finish()
    except (ConfigError, OSError) as error:
        session.end(CLOSED, outcome=["The game has ended."], saved=f"The game could not be saved: {error}")
        raise


def end_game(result: Result, begun: Sequence[TableMatch], session: Session, saved: str) -> None:
    """Show how the game ended, with all that was hidden, until the person has seen enough."""
    about = show_end(result) | {"saved": saved}
    if result.status == OK:
        game = begun[0].game
        session.end(OVER, panels=show_position(game, None, result.agents), stage=name_stage(game), **about)
    else:
        session.end(BROKEN, **about)
    print("\nThe page shows the end. Close there or Ctrl-C here ends this program.", flush=True)
    while session.await_request().kind != LEAVE:
        pass
