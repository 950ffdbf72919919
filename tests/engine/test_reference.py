"""The engine against the slow reference: random games in every mode, compared at every decision.

A group of modes plays 200 games in the normal run and 4,000 with `pytest -m slow`. Each group also proves
that what it is there for did happen: every verb, every card built, ties, reshuffled decks, ...
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from iaww_env import GameConfig
from iaww_env.cards import EXPANSIONS, RESOURCES, SIDES, kind, kinds, scenarios
from iaww_env.cards import empires as list_empires
from iaww_env.game import lend_state
from tests.engine.side_by_side import IDS, SideBySide

GAMES = 200
MANY_GAMES = 4000
TREASURE = (40, 9, 9)  # krystallium, generals, financiers: enough for the dearest cards

Events = Counter[str]
Choose = Callable[[list[str], dict[str, float], random.Random], str]


# --- Modes -----------------------------------------------------------------------------------------


def list_modes(players: range, pools: list[tuple[str, ...]]) -> list[GameConfig]:
    """Every number of players with these card pools and every side of the empire cards."""
    return [GameConfig(n, pool, side) for n in players for pool in pools for side in SIDES]


def list_scenarios() -> list[GameConfig]:
    """Every scenario; those of the base game with both card pools."""
    return [
        GameConfig(1, pool, scenario=one.id)
        for one in scenarios()
        for pool in ((), EXPANSIONS)
        if pool or not one.needs_expansion
    ]


GROUPS: dict[str, list[GameConfig]] = {
    "base": list_modes(range(2, 6), [()]),
    "ascension, 2 to 4": list_modes(range(2, 5), [EXPANSIONS]),
    "ascension, 5 to 7": list_modes(range(5, 8), [EXPANSIONS]),
    "solo": list_modes(range(1, 2), [(), EXPANSIONS]),
    "scenarios": list_scenarios(),
}


# --- Ways to play ----------------------------------------------------------------------------------


def choose_anything(texts: list[str], wishes: dict[str, float], rng: random.Random) -> str:
    """Every legal action alike."""
    return rng.choice(texts)


def choose_without_discards(texts: list[str], wishes: dict[str, float], rng: random.Random) -> str:
    """Every legal action alike, but no construction is given up."""
    return rng.choice([text for text in texts if not text.startswith("discard:")])


def choose_to_build(texts: list[str], wishes: dict[str, float], rng: random.Random) -> str:
    """Finish cards, those that this game wishes for first; now and then do something else."""
    if rng.random() < 0.05:
        return choose_anything(texts, wishes, rng)

    def wish(text: str) -> float:
        return wishes[text.partition(":")[2].partition("#")[0]]

    verbs: dict[str, list[str]] = {}
    for text in texts:
        verbs.setdefault(text.partition(":")[0], []).append(text)
    if "place" in verbs:
        return max(verbs["place"], key=wish)
    if "use" in verbs and rng.random() < 0.8:
        return rng.choice(verbs["use"])
    if "dig" in verbs and rng.random() < 0.3:
        return rng.choice(verbs["dig"])
    if "slate" in verbs:
        best = max(verbs["slate"], key=wish)
        return best if wish(best) > 0.4 else min(verbs["recycle"], key=wish)
    if "pick" in verbs:
        return max(verbs["pick"], key=wish)
    if "toss" in verbs:
        return min(verbs["toss"], key=wish)
    return rng.choice([text for text in texts if not text.startswith(("discard:", "use:"))])


def choose_to_dig(texts: list[str], wishes: dict[str, float], rng: random.Random) -> str:
    """Solo: dig whenever it is legal, into the same deck for long, so that the decks run out."""
    digs = [text for text in texts if text.startswith("dig:")]
    if digs:
        return max(digs, key=lambda text: wishes[text])
    return choose_without_discards(texts, wishes, rng)


WAYS: list[tuple[Choose, tuple[int, int, int] | None]] = [
    (choose_anything, None),
    (choose_without_discards, None),
    (choose_to_build, None),
    (choose_to_build, TREASURE),
]
SOLO_WAYS = [*WAYS, (choose_to_dig, None)]


# --- What happened ---------------------------------------------------------------------------------


def note_choice(events: Events, text: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Note what a choice shows; `before` and `after` are the positions of the seat within one phase."""
    verb, _, named = text.partition(":")
    events[verb] += 1
    events[f"{verb} a younger copy"] += "#" in named
    krystallium = after["krystallium"] - before["krystallium"]
    events["krystallium from cubes"] += verb in ("to_empire", "recycle") and krystallium > 0
    surplus = before["loose"] - after["loose"]
    events["surplus of a recycled cube"] += verb == "recycle" and after["loose"] == 0
    events["surplus by a discard"] += verb == "discard" and surplus > 0
    events["surplus by a token"] += verb == "place" and before["held"] is not None and surplus > 0
    built = sum(after["built"].values()) - sum(before["built"].values())
    events["built in planning or production"] += built
    events["bonus krystallium"] += verb == "place" and before["held"] is None and krystallium > 0


def note_step(events: Events, made: list[int]) -> None:
    """Note who leads at the beginning of a production step, where so many cubes are made."""
    ranked = sorted(made, reverse=True)
    events["corruption takes more than there is"] += ranked[-1] < 0
    if len(made) == 1:
        events["solo supremacy"] += ranked[0] >= 5
    elif ranked[0] > 0:
        leaders = made.count(ranked[0])
        events[f"{min(leaders, 3)} in the lead"] += 1
        second = ranked[leaders] if leaders < len(made) else 0
        events["tie for second"] += leaders == 1 and second > 0 and made.count(second) > 1
        events["second with none"] += leaders == 1 and second <= 0


def note_end(events: Events, pair: SideBySide) -> None:
    """Note what a finished game shows."""
    game = pair.game
    events["games"] += 1
    events["shared victory"] += len(game.winners()) > 1
    events["tie of points decided"] += len(set(game.scores())) < len(set(game.places()))
    events["reshuffled deck"] += bool(game.state.reshuffled.any())
    events[f"scenario won: {game.scenario_won()}"] += 1
    events[f"medal: {game.medal()}"] += 1
    events[f"title: {game.title()}"] += 1
    for seat, position in enumerate(pair.positions):
        events[f"empire {game.empires[seat]} {game.config.empire_side}"] += 1
        for id, count in position["built"].items():
            events[f"built {id}"] += count
            per = kind(id).points_per
            if per is not None and per[2] is not None:
                counts = [pair.reference.seats[seat].count_thing(thing) for thing in per[1:] if thing]
                events[f"duo {id}"] += min(counts) > 0


# --- Playing ---------------------------------------------------------------------------------------


def name_empires(config: GameConfig, rng: random.Random) -> GameConfig:
    """Name some of the empires, or none."""
    empires = [one.id for one in list_empires(expansions=config.expansions)]
    drawn = rng.sample(empires, config.players)
    return config.replace(empires=tuple(one if rng.random() < 0.3 else None for one in drawn))


def play_game(config: GameConfig, number: int, way: int, events: Events) -> None:
    """Play one game in both to its end, the seats asked in random order."""
    rng = random.Random(number)
    choose, tokens = (SOLO_WAYS if config.solo else WAYS)[way]
    config = name_empires(config, rng)
    wishes = {one.id: rng.random() for one in kinds(EXPANSIONS)}
    wishes |= {"dig:base": rng.random(), "dig:ascension": rng.random()}
    pair = SideBySide(config, number, tokens)
    try:
        while not pair.game.over:
            seat = rng.choice(pair.game.seats_to_act())
            text = choose(pair.check_legal(seat), wishes, rng)
            before = pair.positions[seat]
            if pair.step(seat, text):
                events[text.partition(":")[0]] += 1
                if pair.game.phase in RESOURCES:
                    step = RESOURCES.index(pair.game.phase)
                    note_step(events, [one["net_production"][step] for one in pair.positions])
            else:
                note_choice(events, text, before, pair.positions[seat])
        pair.check_result()
    except AssertionError as error:
        error.add_note(f"{config}, seed {number}, way {way}, the last of {len(pair.moves)} moves:")
        error.add_note(f"{pair.moves[-20:]}")
        raise
    note_end(events, pair)


def play_group(group: str, games: int) -> Events:
    """Play so many games of a group, its modes and the ways to play in turn; what happened."""
    modes = GROUPS[group]
    ways = len(SOLO_WAYS if modes[0].solo else WAYS)
    events = Events()
    for number in range(games):
        play_game(modes[number % len(modes)], number, number // len(modes) % ways, events)
    return events


# --- What must have happened -----------------------------------------------------------------------

ALWAYS = {
    "pick",
    "slate",
    "recycle",
    "place",
    "place a younger copy",
    "discard",
    "discard a younger copy",
    "use",
    "to_empire",
    "choose",
    "end",
    "krystallium from cubes",
    "surplus of a recycled cube",
    "surplus by a discard",
    "surplus by a token",
    "bonus krystallium",
    "corruption takes more than there is",
}
VERSUS = ALWAYS | {
    "1 in the lead",
    "2 in the lead",
    "3 in the lead",
    "tie for second",
    "second with none",
    "shared victory",
    "tie of points decided",
}
SOLO = ALWAYS | {"dig", "toss", "solo supremacy", "reshuffled deck"}
MUST_HAPPEN = {
    "base": VERSUS,
    "ascension, 2 to 4": VERSUS,
    "ascension, 5 to 7": VERSUS,
    "solo": SOLO | {f"title: {title}" for title in ("apprentice", "dictator", "emperor", "living god")},
    "scenarios": SOLO
    | {f"medal: {medal}" for medal in (None, "bronze", "silver", "gold")}
    | {f"scenario won: {won}" for won in (True, False)},
}


def check_events(group: str, events: Events) -> None:
    """Whether the games of a group have shown what they are there for."""
    missing = {event for event in MUST_HAPPEN[group] if events[event] == 0}
    pool = kinds(GROUPS[group][-1].expansions)
    empires = list_empires(expansions=GROUPS[group][-1].expansions)
    if group not in ("solo", "scenarios"):
        missing |= {f"built {one.id}" for one in pool if events[f"built {one.id}"] == 0}
        missing |= {
            f"duo {one.id}"
            for one in pool
            if one.points_per and one.points_per[2] and events[f"duo {one.id}"] == 0
        }
        missing |= {f"empire {one.id} {side}" for one in empires for side in SIDES} - set(events)
    assert not missing, "the games did not show this"


@pytest.mark.parametrize("group", list(GROUPS))
def test_engine_and_reference_agree_at_every_decision(group: str) -> None:
    events = play_group(group, GAMES)
    assert events["games"] == GAMES
    check_events(group, events)


@pytest.mark.slow
@pytest.mark.parametrize("group", list(GROUPS))
def test_engine_and_reference_agree_in_many_more_games(group: str) -> None:
    assert play_group(group, MANY_GAMES)["games"] == MANY_GAMES


# --- That a difference is seen ---------------------------------------------------------------------


def play_into_production() -> SideBySide:
    """A game of three in round 2, with cards built, under construction and discarded, and loose cubes."""
    rng = random.Random(3)
    wishes = {one.id: rng.random() for one in kinds(EXPANSIONS)}
    pair = SideBySide(GameConfig(3, EXPANSIONS, "A"), 3, TREASURE)
    while pair.game.round == 1 or pair.game.phase != "materials":
        seat = rng.choice(pair.game.seats_to_act())
        pair.step(seat, choose_to_build(pair.check_legal(seat), wishes, rng))
    return pair


@pytest.mark.parametrize(
    "field",
    [
        "round",
        "phase",
        "pick",
        "pending",
        "acted",
        "krystallium",
        "generals",
        "financiers",
        "empire_cubes",
        "loose",
        "held",
        "must_choose",
        "picked",
        "n_drafted",
        "n_sites",
        "n_built",
        "flat_points",
        "production",
        "types_built",
        "point_rate",
        "site_kind",
        "site_missing",
        "site_twin",
        "built",
        "discarded",
    ],
)
def test_a_change_of_any_compared_field_is_noticed(field: str) -> None:
    pair = play_into_production()
    pair.check_all()
    window = getattr(lend_state(pair.game), field)
    window[...] = window + 1
    with pytest.raises(AssertionError):
        pair.check_all()


def test_a_card_in_another_hand_is_noticed() -> None:
    pair = SideBySide(GameConfig(3), 1)
    lend_state(pair.game).packs[1, 0] = next(
        index for index in range(78) if IDS[index] not in pair.game.hand(1)
    )
    with pytest.raises(AssertionError):
        pair.check_all()


def test_a_wrong_deck_is_noticed() -> None:
    pair = SideBySide(GameConfig(1), 1)
    deck = lend_state(pair.game).base_deck
    place = int(pair.game.state.deck_next[0])
    deck[place] = (deck[place] + 1) % 78
    with pytest.raises(AssertionError):
        pair.check_all()
