"""What may be typed for an action, and what is said where it is none."""

from __future__ import annotations

import pytest

from iaww_agents.human.numbers import ActionNumbers
from iaww_agents.human.reading import GLUE, find_fitting, read_action
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.game import Game

TABLE = action_table()


def fit(typed: str, *legal: str) -> list[str]:
    """The legal actions that a text means, by their texts."""
    return [TABLE.to_text(one) for one in find_fitting(TABLE, map(TABLE.parse, legal), typed)]


@pytest.mark.parametrize(
    "typed", ["pick:zeppelin", "PICK:Zeppelin", "p:zep", "pick zep", "p z", "zep", "ZEPPELIN", "pick : zep"]
)
def test_any_beginning_means_an_action(typed: str) -> None:
    assert fit(typed, "pick:zeppelin", "pick:harbor_zone", "pick:mega_drill") == ["pick:zeppelin"]


@pytest.mark.parametrize(
    ("typed", "legal", "meant"),
    [
        ("wind turb", ["slate:wind_turbines", "slate:wind_tunnel"], ["slate:wind_turbines"]),
        ("turbines", ["slate:wind_turbines", "slate:zeppelin"], ["slate:wind_turbines"]),  # inside
        ("éoliennes", ["slate:wind_turbines", "slate:zeppelin"], ["slate:wind_turbines"]),  # its French name
        ("zep", ["slate:zeppelin", "recycle:zeppelin"], ["slate:zeppelin", "recycle:zeppelin"]),
        ("r zep", ["slate:zeppelin", "recycle:zeppelin"], ["recycle:zeppelin"]),
        ("zep", ["place:zeppelin", "discard:zeppelin"], ["place:zeppelin"]),
        ("zep", ["discard:zeppelin"], []),
        ("d zep", ["place:zeppelin", "discard:zeppelin"], ["discard:zeppelin"]),
        ("place:zeppelin", ["place:zeppelin", "place:zeppelin#2"], ["place:zeppelin"]),
        ("zeppelin", ["place:zeppelin", "place:zeppelin#2"], ["place:zeppelin"]),
        ("zeppelin#2", ["place:zeppelin", "place:zeppelin#2"], ["place:zeppelin#2"]),
        ("zep", ["place:zeppelin", "place:zeppelin#2"], ["place:zeppelin", "place:zeppelin#2"]),
        ("use:krystallium", ["use:krystallium_as_gold", "use:krystallium"], ["use:krystallium"]),
        ("krystallium as g", ["use:krystallium_as_gold", "use:krystallium"], ["use:krystallium_as_gold"]),
        ("gen", ["choose:general", "choose:financier"], ["choose:general"]),
        ("end", ["end", "discard:zeppelin"], ["end"]),
        ("e", ["end", "discard:zeppelin"], ["end"]),
        ("to_emp", ["to_empire", "place:zeppelin"], ["to_empire"]),
        ("to emp", ["to_empire", "place:zeppelin"], ["to_empire"]),
        ("dig", ["dig:base", "slate:zeppelin"], ["dig:base"]),
        ("pick", ["pick:zeppelin", "pick:mega_drill"], ["pick:zeppelin", "pick:mega_drill"]),
        ("slate:", ["slate:zeppelin", "recycle:zeppelin"], ["slate:zeppelin"]),
        ("zzz", ["slate:zeppelin"], []),
    ],
)
def test_what_is_typed_means_what_fits_best(typed: str, legal: list[str], meant: list[str]) -> None:
    known = [one for one in legal if one in TABLE]
    assert fit(typed, *known) == meant


def test_every_action_is_read_by_its_own_text_whatever_else_is_legal() -> None:
    for number, text in enumerate(TABLE):
        assert find_fitting(TABLE, range(len(TABLE)), text) == [number]


def say(game: Game, typed: str) -> str:
    """What is answered to a text that is no legal action."""
    numbers, legal = ActionNumbers(), game.legal_actions(0)
    numbers.show(game, legal)
    answer = read_action(game, 0, legal, numbers, typed)
    assert isinstance(answer, str), answer
    return answer.replace(GLUE, " ")


def test_the_reason_is_told_and_the_nearest_legal() -> None:
    game = Game(GameConfig(2), seed=7)
    absent = next(one for one in game.actions if one.startswith("pick") and one not in game.legal_texts(0))
    said = say(game, absent)
    assert said.startswith(f"{absent} is not legal now: the card is not in the pack in hand; legal: 1 pick:")
    assert "in the draft a card is picked" in say(game, "end")
    assert say(game, "777") == "there is no number 777 in this phase; listed now: 1 to 10"
    assert "did you mean 'zeppelin'?" in say(game, "zepelin")
    assert say(game, "pick").startswith("'pick': which one? 1 pick:")
    assert say(game, "0") == say(game, "end")
    assert "no action, no card and no command" in say(game, "²")
    assert "no action, no card and no command" in say(game, "9" * 5000)


def test_each_reason_is_that_of_the_rules() -> None:
    """In planning: what stands in the way is named, and the same card in another verb is offered."""
    game = Game(GameConfig(2), seed=7)
    while game.phase == "draft":
        seat = game.seats_to_act()[0]
        game.step(seat, game.legal_actions(seat)[0])
    card = game.drafted(0)[0]
    said = say(game, f"place {card}")
    assert "there is no loose cube and no token in hand" in said
    assert f"slate:{card}" in said
    assert f"recycle:{card}" in said
    assert "there are undecided cards" in say(game, "end")
    game.step(0, f"slate:{card}")
    assert f"slate:{card}" not in game.legal_texts(0) or game.drafted(0).count(card)


def test_a_number_is_given_once_and_for_a_phase() -> None:
    game, numbers = Game(GameConfig(2), seed=7), ActionNumbers()
    legal = game.legal_actions(0)
    numbers.show(game, legal)
    assert [numbers.find_number(one) for one in legal] == list(range(1, len(legal) + 1))
    numbers.show(game, [*legal[3:], 40, game.actions.end])
    assert [numbers.find_number(one) for one in legal] == list(range(1, len(legal) + 1))
    assert numbers.find_number(game.actions.end) == 0
    assert numbers.find_action(0) == game.actions.end
    assert numbers.find_action(len(legal) + 1) in (40, None)


def test_a_number_that_is_not_listed_is_answered_with_those_that_are() -> None:
    game = Game(GameConfig(2), seed=7)
    while game.phase == "draft":
        seat = game.seats_to_act()[0]
        game.step(seat, game.legal_actions(seat)[0])
    numbers = ActionNumbers()
    first = game.legal_actions(0)
    numbers.show(game, first)
    game.step(0, first[0])
    legal = game.legal_actions(0)
    numbers.show(game, legal)
    gone = next(number for number, one in enumerate(first, 1) if one not in legal)
    listed = {numbers.find_number(one) for one in legal}
    for typed in (gone, 99):
        answer = read_action(game, 0, legal, numbers, str(typed))
        assert isinstance(answer, str)
        told = answer.rpartition("listed now: ")[2]
        ranges = [part.split(" to ") for part in told.split(", ")]
        assert {one for run in ranges for one in range(int(run[0]), int(run[-1]) + 1)} == listed
