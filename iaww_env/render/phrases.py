"""What stands on the table, in words: for the presentations as text and as a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from iaww_env import rulebook
from iaww_env.actions import DIGS
from iaww_env.cards import CHARACTERS, RESOURCES, SPACES, Empire, Kind, kinds, scenario
from iaww_env.engine import facts
from iaww_env.game import Game
from iaww_env.render.lines import Span
from iaww_env.render.seen import SeenGame, SeenSeat
from iaww_env.rulebook import DIRECTIONS

SHORT = ("mat", "ene", "sci", "gold", "exp", "kry", "gen", "fin")  # in the order of SPACES
SHORT_OF = dict(zip(SPACES, SHORT, strict=True))


# --- Amounts ---------------------------------------------------------------------------------------


def list_amounts(amounts: tuple[int, ...]) -> list[Span]:
    """The amounts that are not 0, in the order of `SPACES`: `3 mat`, `1 sci`."""
    return [
        (f"{amount} {short}", space)
        for amount, short, space in zip(amounts, SHORT, SPACES[: len(amounts)], strict=False)
        if amount
    ]


def list_gains(kind: Kind) -> list[Span]:
    """What a card gives once it is built: production, bonus, points."""
    gains = list_amounts(kind.production)
    if kind.production_per is not None:
        resource, counted = kind.production_per
        gains.append((f"1 {SHORT_OF[resource]}/{counted}", resource))
    no_cubes = (0,) * len(RESOURCES)
    bonus = (*no_cubes, kind.bonus_krystallium, kind.bonus_general, kind.bonus_financier)
    gains += [(f"bonus {text}", style) for text, style in list_amounts(bonus)]
    return gains + list_points(kind)


def list_points(card: Kind | Empire) -> list[Span]:
    """The points of a card or an empire."""
    points: list[Span] = []
    if isinstance(card, Kind) and card.points:
        points.append((_name_points(card.points), "bold"))
    per = card.points_per
    if per is not None:
        paid_for = f"{per.first}+{per.second}" if per.is_duo else per.first
        points.append((f"{_name_points(per.points)}/{paid_for}", "bold"))
    return points


def count_things(count: int, thing: str) -> str:
    """So many cubes of a resource, or characters: `1 material`, `2 materials`, `3 gold`, `2 generals`."""
    if thing in CHARACTERS:
        return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
    return f"{count} {thing.removesuffix('s') if count == 1 else thing}"


def _name_points(points: int) -> str:
    return "1 pt" if points == 1 else f"{points} pts"


def list_corruption(seat: SeenSeat) -> list[Span]:
    """Where corruption takes something away: what is made, what is lost, what is left (ruling 8)."""
    amounts = zip(RESOURCES, seat.made, seat.corruption, seat.production, strict=True)
    return [
        (f"{made}-{lost}={left} {SHORT_OF[resource]}", resource)
        for resource, made, lost, left in amounts
        if lost
    ]


def name_kind(kind: Kind, count: int = 1) -> str:
    """A card, and how many: `wind_turbines x2`."""
    return kind.id if count == 1 else f"{kind.id} x{count}"


# --- The table -------------------------------------------------------------------------------------


def describe_table(seen: SeenGame, name_card: Callable[[str], str] = str) -> list[str]:
    """The lines above the seats: when it is, and what is played; cards by their ids, or as they are named."""
    game = seen.game
    config = game.config
    now = (
        _describe_end(seen)
        if game.over
        else f"Round {game.round} of {rulebook.ROUNDS}, {_describe_phase(seen)}"
    )
    players = "solo" if config.solo else f"{config.players} players"
    box = "base game and Corruption & Ascension" if config.ascension else "base game"
    lines = [now, f"{players}, {box}, empire side {config.empire_side}"]
    if config.solo:
        lines += [_describe_decks(game), *describe_goal(game, name_card)]
        digs = [text.partition(":")[2] for text in game.legal_texts(0) if text.startswith("dig:")]
        lines += [f"can dig: {', '.join(digs)}"] if digs else []
    if seen.viewer is None and not game.over:
        lines.append(f"to act: {', '.join(f'seat {seat}' for seat in game.seats_to_act())}")
    return lines


def _describe_phase(seen: SeenGame) -> str:
    game = seen.game
    state = game.state
    if state.phase == rulebook.DRAFT:
        return f"draft: pick {int(state.pick) + 1} of {rulebook.PICKS}{_describe_direction(seen)}"
    if state.phase == rulebook.PLANNING:
        return (
            f"planning: sequence {int(state.sequence)} of {rulebook.SEQUENCES}"
            if game.config.solo
            else "planning"
        )
    return f"production step {int(state.step) + 1} of {facts.N_RESOURCES}: {game.phase}"


def _describe_direction(seen: SeenGame) -> str:
    game = seen.game
    if game.state.pick + 1 == rulebook.PICKS:
        return ", the last"
    by = DIRECTIONS[game.round - 1]
    side = "left" if by > 0 else "right"
    seat, players = seen.viewer, game.config.players
    if seat is None:
        return f", packs pass {side} (seat 0 to seat {by % players})"
    to, source = (seat + by) % players, (seat - by) % players
    return f", packs pass {side} (to seat {to}, from seat {source})"


def _describe_end(seen: SeenGame) -> str:
    game, points = seen.game, seen.game.scores()
    if game.config.solo:
        return f"Game over: {points[0]} points, {_describe_honour(game)}"
    winners = game.winners()
    best = f"with {points[winners[0]]} points"
    if len(winners) == 1:
        return f"Game over: seat {_name_winner(seen, winners[0])} wins {best}"
    names = [_name_winner(seen, seat) for seat in winners]
    return f"Game over: seats {', '.join(names[:-1])} and {names[-1]} share the win {best}"


def _name_winner(seen: SeenGame, seat: int) -> str:
    agent = seen.name_agent(seat)
    return f"{seat} ({agent})" if agent else str(seat)


def _describe_honour(game: Game) -> str:
    if game.config.scenario is None:
        return str(game.title())
    if not game.scenario_won():
        return "the scenario is lost: not all its cards are built"
    medal = game.medal()
    return f"the scenario is won with {medal}" if medal else "the scenario is won, without a medal"


def _count_named(game: Game) -> list[tuple[str, int, int]]:
    """The named cards of a scenario: how many of each are built, and how many it asks for (ruling 14)."""
    if game.config.scenario is None:
        return []
    built, asked = game.built(0), Counter(scenario(game.config.scenario).cards)
    return [(card, min(built.get(card, 0), n), n) for card, n in asked.items()]


def _describe_decks(game: Game) -> str:
    """Solo: pools and decks by number, which is public."""
    state = game.state
    begun = int(state.sequence) if state.phase == rulebook.PLANNING else rulebook.SEQUENCES
    parts = [
        f"pools left {0 if game.over else rulebook.POOLS - (game.round - 1) * rulebook.SEQUENCES - begun}"
    ]
    pool = kinds(game.config.expansions)
    for deck, name in enumerate(DIGS[: 1 + game.config.ascension]):
        left = int(state.deck_end[deck] - state.deck_next[deck])
        gone = sum(n for kind, n in zip(pool, state.discarded[0].tolist(), strict=True) if kind.deck == name)
        parts.append(f"{name} deck {left} (+{gone} discarded)")
    return ", ".join(parts)


def describe_goal(game: Game, name_card: Callable[[str], str] = str) -> list[str]:
    """Solo: what the points are worth; a scenario also asks for cards (rulings 13 and 14)."""
    if game.config.scenario is None:
        return ["titles: " + ", ".join(f"{title} {least}" for least, title in reversed(rulebook.TITLES))]
    played = scenario(game.config.scenario)
    medals = ", ".join(f"{medal} {getattr(played, medal)}" for medal in reversed(rulebook.MEDALS))
    cards = ", ".join(f"{name_card(card)} {built}/{asked}" for card, built, asked in _count_named(game))
    return [f"scenario {played.title_en}: {medals}", f"to build: {cards}"]


# --- A seat ----------------------------------------------------------------------------------------


def list_duties(seat: SeenSeat, seen: SeenGame) -> list[tuple[str, list[Span]]]:
    """What a seat has in hand or owes, as labels and words."""
    duties: list[tuple[str, list[Span]]] = []
    if seat.loose:
        cubes = count_things(seat.loose, seat.loose_resource)
        duties.append(("loose cubes", [(cubes, seat.loose_resource)]))
    if seat.held:
        space = SPACES[seat.held - 1]
        token = "krystallium" if space in RESOURCES else space
        duties.append(("token in hand", [(f"{token} for a {space} space", token)]))
    if seat.must_choose:
        duties.append(("to choose", [("general", "general"), ("or", ""), ("financier", "financier")]))
    if seat.picked is not None:
        duties.append(("picked", [(seat.picked.id, seat.picked.type)]))
    if seen.game.config.solo and seen.game.state.dig_deck:
        duties.append(("digging", [(_describe_dig(seen.game), "")]))
    if seat.acted and seat.picked is None:
        duties.append(("ended", [("this phase", "")]))
    return duties


def _describe_dig(game: Game) -> str:
    deck = DIGS[int(game.state.dig_deck) - 1]
    tosses = int(game.state.tosses)
    if tosses:
        return f"{deck} deck, {tosses} card{'s' * (tosses > 1)} to toss"
    return f"{deck} deck, one card to keep"


def describe_empire_cubes(seat: SeenSeat) -> str:
    """Cubes on the empire card, of those that make a krystallium (ruling 4)."""
    return f"{seat.empire_cubes}/{rulebook.CUBES_FOR_KRYSTALLIUM}"
