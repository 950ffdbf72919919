"""`info`: a card or an empire that is played, in words."""

from __future__ import annotations

from iaww_agents.human.reading import EXACT, NO_FIT, fold, rank_names, spell_kind
from iaww_env.cards import DEFAULT_SIDE, Empire, Kind, describe, empire, kinds
from iaww_env.errors import quote, suggest
from iaww_env.game import Game

MOST_NAMED = 8
DECK_NAMES = {"base": "base game", "ascension": "Corruption & Ascension"}


def describe_card(game: Game, typed: str) -> str:
    """What a card or an empire in play costs and gives, by any unambiguous beginning of its id or name."""
    if not typed:
        return "info CARD tells what a card costs and gives, such as: info zep"
    found = find_cards(game, typed)
    if len(found) == 1:
        (one,) = found
        return describe_kind(one) if isinstance(one, Kind) else f"{one.id}: {one}"
    if found:
        named = ", ".join(one.id for one in found[:MOST_NAMED])
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return f"{quote(typed)}: which one? {named}{more}"
    known = [one.id for one in kinds(game.config.expansions)]
    return f"no card that is played here is called {quote(typed)}{suggest(typed, known)}"


def find_cards(game: Game, typed: str) -> list[Kind | Empire]:
    """The cards and empires that fit best what was typed."""
    said = fold(typed)
    pool: list[Kind | Empire] = [*kinds(game.config.expansions)]
    pool += [empire(one, game.config.empire_side or DEFAULT_SIDE) for one in game.empires]
    ranks = []
    for one in pool:
        spelt = spell_kind(one) if isinstance(one, Kind) else [one.name_en, one.name_fr, one.name_es]
        ranks.append(rank_names([fold(name) for name in (one.id, *spelt)], said))
    best = min(ranks, default=NO_FIT)
    found = [one for one, rank in zip(pool, ranks, strict=True) if rank == best < NO_FIT]
    return found[:1] if best == EXACT else found


def describe_kind(kind: Kind) -> str:
    """A card in lines: its name and copies, cost, what it recycles to, what it gives and scores."""
    about = describe(kind).partition("): ")[2]
    cost, _, gains = about.rpartition("; recycles to")[0].partition(" -> ")
    copies = "1 copy" if kind.copies == 1 else f"{kind.copies} copies"
    head = f"{kind.name_en} ({kind.id}): {kind.type}, {copies}, {DECK_NAMES[kind.deck]}"
    return f"{head}\n  costs     {cost}\n  recycles  to 1 {kind.recycling}\n  gives     {gains or 'nothing'}"
