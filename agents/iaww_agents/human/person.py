"""The seat of a person: what is legal is numbered, what is typed is read, what cannot be is explained."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from iaww_agents.base import Agent, View
from iaww_agents.human.changes import describe_give_up, describe_own_move
from iaww_agents.human.lookup import describe_card
from iaww_agents.human.numbers import ActionNumbers
from iaww_agents.human.reading import read_action
from iaww_agents.human.showing import Screen
from iaww_agents.human.wording import TYPED
from iaww_env.cards import kinds
from iaww_env.config import GameConfig
from iaww_env.game import Game

PROMPT = "> "
LEAST_COLUMNS = 20  # a terminal with fewer breaks the lines itself
HELP = """\
  3              play the action of this number; it stays through the phase
  pick:zeppelin  play an action by its text, or by any beginning that fits one
                 action alone: p zep, zep
  Enter          play what is named for it, where something is; behind a hint,
                 the hint
  hint           what a bot would play here, knowing what you know
  undo           take your last decision back, if nothing was revealed since
  info CARD      what a card costs and gives, by any beginning of its name
  table, ?       the whole table again
  help, h        this
  quit, q        leave the game; Ctrl-D does the same
Only discard:CARD gives up a card under construction, and you are asked first."""
HINT, UNDO, INFO, TABLE, HELP_ASKED, LEAVE = range(6)
COMMANDS = {
    "hint": HINT,
    "undo": UNDO,
    "info": INFO,
    "table": TABLE,
    "?": TABLE,
    "help": HELP_ASKED,
    "h": HELP_ASKED,
    "q": LEAVE,
    "quit": LEAVE,
    "exit": LEAVE,
}


class GameLeft(KeyboardInterrupt):
    """The person has left the game; no fault of any bot."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot says when it is asked: in words, and the action that it would play, where it names one.

    Attributes:
        said: In words, its action as it is typed.
        action: What it would play.
        by: Who is asked.
    """

    said: str
    action: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """What whoever leads the game offers a person beside the view.

    Attributes:
        hint: Says what a bot would play.
        no_undo: Why no decision can be taken back; empty where one can.
    """

    hint: Callable[[], Advice] = lambda: Advice("there is nobody here to ask for a hint")
    no_undo: str = "nothing can be taken back here"


NO_OFFERS = Offers()


class HumanAgent(Agent):
    """Shows what the seat sees, and asks which of the numbered legal actions to play."""

    wording = TYPED

    def __init__(
        self,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], object] | None = None,
        colour: bool = False,
        width: int | None = None,
    ) -> None:
        """Make the seat of a person.

        Args:
            read: Shows a prompt and returns what was typed; `input` by default.
            write: Shows text; `print` by default.
            colour: Colour by ANSI escapes.
            width: Columns of the table; by default those of the terminal, asked before each decision.
        """
        self.read, self.width = read or input, width
        self.screen = Screen(write or print, colour, width or 0)
        self.reset(0, GameConfig(), 0)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._seat, self._config = seat, config
        self._legal: list[str] = []  # as texts
        self._numbers = ActionNumbers()
        self._moment: tuple[int, ...] = ()
        self._typed_ahead = ""

    def act(self, view: View) -> int:
        """Ask until the answer is a legal action.

        Raises:
            GameLeft: The person has typed q, or the input has ended.
        """
        action = self.decide(view)
        assert action is not None, "what cannot be undone was undone"
        return action

    def decide(self, view: View, offers: Offers = NO_OFFERS) -> int | None:
        """Ask until the answer is a legal action, or None where the last decision is taken back.

        Raises:
            GameLeft: The person has typed q, or the input has ended.
        """
        game = view.sample_game(np.random.default_rng(0))  # whatever is hidden is drawn anew and not shown
        legal = view.legal_actions()
        self._numbers.show(game, legal)
        self._legal = [view.text(action) for action in legal]
        usual = find_usual(game, legal)
        self._show_position(game, legal)
        while True:
            typed = self._read_line(PROMPT)
            command, about = find_command(typed)
            if command == LEAVE:
                raise GameLeft
            if command == UNDO and not offers.no_undo:
                return None
            if command == HINT:
                usual = self._take_hint(game, offers, usual)
            elif command is not None:
                self._obey(command, about, game, legal, offers)
            elif not typed and usual is None:
                self.tell("type the number or the beginning of an action, or help")
            else:
                action = usual if not typed else self._read_action(game, legal, typed)
                if action is not None:
                    return action

    def check_presence(self) -> None:
        """Whoever sits at the terminal is there until Ctrl-C."""

    # --- Showing -------------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Something to be read."""
        self._measure_width()
        self.screen.tell(text)

    def tell_move(self, before: Game, action: int, after: Game, *, forced: bool) -> None:
        """What the person has just played, and what came of it."""
        said = describe_own_move(before, self._seat, action, after, forced=forced, wording=self.wording)
        if said:
            self.tell(said)

    def _measure_width(self) -> None:
        columns = shutil.get_terminal_size((100, 24)).columns - 1
        self.screen.width = self.width or max(columns, LEAST_COLUMNS)

    def _show_position(self, game: Game, legal: list[int]) -> None:
        """The cards where a phase, a pick or a sequence begins, and what can be played."""
        self._measure_width()
        moment = find_moment(game)
        is_new = moment != self._moment
        if is_new:
            self.screen.show_phase(game, self._seat, self._numbers, is_first=not self._moment)
        self._moment = moment
        self._show_choices(game, legal, with_picks=not is_new)

    def _show_choices(self, game: Game, legal: list[int], *, with_picks: bool) -> None:
        self.screen.write("")
        self.screen.show_choices(game, self._seat, legal, self._numbers, with_picks=with_picks)
        usual = find_usual(game, legal)
        if usual is not None:
            self.tell(f"Enter alone plays {game.actions.to_text(usual)}")

    def complete(self, typed: str) -> list[str]:
        """What goes on from what was typed: commands, legal actions, and behind `info` all cards."""
        cards = [f"info {one.id}" for one in kinds(self._config.expansions)]
        return [one for one in (*COMMANDS, *self._legal, *cards) if one.startswith(typed.lower())]

    # --- Reading -------------------------------------------------------------------------------------

    def _read_line(self, prompt: str) -> str:
        if self._typed_ahead:
            typed, self._typed_ahead = self._typed_ahead, ""
            return typed
        try:
            return self.read(prompt).strip()
        except EOFError:
            raise GameLeft from None

    def _take_hint(self, game: Game, offers: Offers, usual: int | None) -> int | None:
        """Tell a hint; returns what Enter alone plays from now on, which never gives up a card."""
        advice = offers.hint()
        if advice.action is None or game.actions.verb(advice.action) == "discard":
            self.tell(advice.said)
            return usual
        self.tell(f"{advice.said}; Enter alone plays it")
        return advice.action

    def _obey(self, command: int, about: str, game: Game, legal: list[int], offers: Offers) -> None:
        """Answer a command that plays nothing."""
        if command == UNDO:
            self.tell(offers.no_undo)
        elif command == INFO:
            self.tell(describe_card(game, about))
        elif command == TABLE:
            self._measure_width()
            self.screen.show_table(game, self._seat)
            self._show_choices(game, legal, with_picks=True)
        else:
            self.tell(HELP)

    def _read_action(self, game: Game, legal: list[int], typed: str) -> int | None:
        """The legal action that was typed; None where it was none, or where a card is kept after all."""
        action = read_action(game, self._seat, legal, self._numbers, typed)
        if isinstance(action, str):
            self.tell(action)
            return None
        if game.actions.verb(action) != "discard":
            return action
        label = game.actions.to_text(action).partition(":")[2]
        self.tell(describe_give_up(game, self._seat, label))
        answer = self._read_line(f"Give up {label}? y/N ")
        if answer.lower() in ("y", "yes"):
            return action
        self.tell(f"{label} is kept")
        if answer.lower() not in ("", "n", "no"):
            self._typed_ahead = answer  # it was not meant for the question
        return None


def find_command(typed: str) -> tuple[int | None, str]:
    """The command that was typed, and what stands behind it."""
    first, _, rest = typed.partition(" ")
    command = COMMANDS.get(first.lower())
    if command is None or (rest and command != INFO):
        return None, ""
    return command, rest.strip()


def find_usual(game: Game, legal: list[int]) -> int | None:
    """What Enter alone plays: the one action that does not give up a card, where it ends the phase."""
    table = game.actions
    others = [one for one in legal if table.verb(one) != "discard"]
    return table.end if others == [table.end] else None


def find_moment(game: Game) -> tuple[int, ...]:
    """When it is: another one begins with each phase, pick and sequence, and where a dig shows cards."""
    state = game.state
    shown = int(game.config.solo and state.pack_size > 0)
    return int(state.round), int(state.phase), int(state.step), int(state.pick), int(state.sequence), shown
