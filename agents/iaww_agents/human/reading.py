"""What was typed, as an action: its number, its text, or the beginning of what it is about.

`pick:zeppelin`, `p zep` and `zep` are one and the same where they fit one legal action alone, upper and lower
case alike, by the id or by the printed name. A card under construction is given up by nothing that does not
say so: `zep` never means `discard:zeppelin`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iaww_agents.human.numbers import END_NUMBER, ActionNumbers
from iaww_env.actions import ActionTable
from iaww_env.cards import LANGUAGES, Kind, kinds
from iaww_env.errors import quote, suggest
from iaww_env.game import Game
from iaww_env.render.refusals import explain_refusal

EXACT, BEGINS, INSIDE, TRANSLATED, BY_VERB, NO_FIT = range(6)
GLUE = "\u00a0"  # a blank at which no line ends
MOST_NAMED = 6  # actions that an answer names
ONE_OF_MANY = "which one?"


def read_action(game: Game, seat: int, legal: Sequence[int], numbers: ActionNumbers, typed: str) -> int | str:
    """The legal action that was typed, or what to say about it.

    Args:
        game: The game as the seat may imagine it; nothing hidden is read from it.
        seat: Who decides.
        legal: Its legal actions.
        numbers: The numbers they were shown with.
        typed: What was typed, without blanks around it.
    """
    if typed.isdecimal() and len(typed) < 6:
        number = int(typed)
        action = numbers.find_action(number)
        listed = f"listed now: {numbers.list_numbers(legal)}"
        if action is None:
            return f"there is no number {number} in this phase; {listed}"
        if action in legal:
            return action
        why = explain_illegal(game, seat, legal, numbers, action)
        return why if number == END_NUMBER else f"{why}; {listed}"
    table = game.actions
    fitting = find_fitting(table, legal, typed)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return f"{quote(typed)}: {ONE_OF_MANY} {name_actions(table, numbers, fitting)}"
    meant = guess_illegal(table, legal, typed)
    if meant is not None:
        return explain_illegal(game, seat, legal, numbers, meant)
    known = [*(table.to_text(one) for one in legal), *(one.id for one in kinds(table.expansions))]
    return f"{quote(typed)} is no action, no card and no command{suggest(typed, known)}; type help"


# --- What fits ---------------------------------------------------------------------------------------


def find_fitting(table: ActionTable, actions: Iterable[int], typed: str) -> list[int]:
    """The actions that fit best what was typed, and equally well."""
    ranks: dict[int, int] = {}
    for action in actions:
        rank = rank_action(table, action, typed)
        if rank < NO_FIT:
            ranks[action] = rank
    best = min(ranks.values(), default=NO_FIT)
    return [action for action, rank in ranks.items() if rank == best]


def rank_action(table: ActionTable, action: int, typed: str) -> int:
    """How well an action fits: the less, the better."""
    said = fold(typed)
    verb = fold(table.verb(action))
    names = list_names(table, action)
    if not names:  # to_empire, end
        return rank_name(verb, said)
    if ":" in said:
        first, _, rest = said.partition(":")
        return rank_names(names, rest.strip()) if verb.startswith(first.strip()) else NO_FIT
    first, _, rest = said.partition(" ")
    found = NO_FIT
    if verb.startswith(first):
        found = rank_names(names, rest) if rest else BY_VERB
    if verb != "discard":
        found = min(found, rank_names(names, said))
    return found


def rank_names(names: Sequence[str], said: str) -> int:
    """How well something fits by its names: by the id and the English one, or else by a translated one."""
    own = min(rank_name(name, said) for name in names[:2])
    translated = min((rank_name(name, said) for name in names[2:]), default=NO_FIT)
    return min(own, max(translated, TRANSLATED) if translated != EXACT else EXACT)


def rank_name(name: str, said: str) -> int:
    """How well a name fits: as a whole, by its beginning, or by the beginning of a word in it."""
    if name == said:
        return EXACT
    if name.startswith(said):
        return BEGINS
    return INSIDE if f" {said}" in name else NO_FIT


def list_names(table: ActionTable, action: int) -> list[str]:
    """What stands behind the verb, in the ways in which it can be typed; none where nothing does."""
    named = table.to_text(action).partition(":")[2]
    kind, copy = table.kind(action), named.partition("#")[2]
    if not named:
        return []
    behind = f"#{copy}" if copy else ""
    return [fold(named), *(fold(name) + behind for name in spell_kind(kind))]


def spell_kind(kind: Kind | None) -> list[str]:
    """The printed names of a kind."""
    return [] if kind is None else [kind.name(language) for language in LANGUAGES]


def fold(text: str) -> str:
    """A text as it is compared: small letters, blanks for underscores and hyphens."""
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())


# --- What does not -------------------------------------------------------------------------------------


def guess_illegal(table: ActionTable, legal: Sequence[int], typed: str) -> int | None:
    """What is not legal and was most likely meant: with a verb that is legal now, where there is such."""
    fitting = find_fitting(table, range(len(table)), typed)
    verbs = {table.verb(one) for one in legal}
    now = [one for one in fitting if table.verb(one) in verbs]
    meant = {table.kind(one) for one in fitting}
    return (now or fitting)[0] if fitting and len(meant) == 1 else None


def explain_illegal(game: Game, seat: int, legal: Sequence[int], numbers: ActionNumbers, action: int) -> str:
    """Why an action is not legal now, and the nearest that are."""
    table = game.actions
    near = [one for one in legal if table.kind(one) is not None and table.kind(one) is table.kind(action)]
    near = near or [one for one in legal if table.verb(one) == table.verb(action)]
    near = near or (list(legal) if len(legal) <= MOST_NAMED else [])
    instead = f"; legal: {name_actions(table, numbers, near)}" if near else ""
    return f"{table.to_text(action)} is not legal now: {explain_refusal(game, seat, action)}{instead}"


def name_actions(table: ActionTable, numbers: ActionNumbers, actions: Sequence[int]) -> str:
    """Some actions, each with its number."""
    said = [f"{numbers.find_number(one)}{GLUE}{table.to_text(one)}" for one in actions[:MOST_NAMED]]
    return ", ".join(said) + (", ..." if len(actions) > MOST_NAMED else "")
