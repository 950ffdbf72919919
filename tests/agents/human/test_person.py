"""A person in a seat of its own: what is shown and asked, with no more than a view."""

from __future__ import annotations

import re

import pytest

from iaww_agents.base import make_view
from iaww_agents.human import GameLeft, HumanAgent
from iaww_agents.human.lookup import describe_card
from iaww_agents.human.person import COMMANDS, HELP, Advice, Offers
from iaww_env.cards import kinds, scenario
from iaww_env.config import GameConfig
from iaww_env.game import Game
from tests.modes import CA


def sit(game: Game, *lines: str, width: int = 100) -> tuple[int, str, list[str]]:
    """What a person in seat 0 plays, is shown and is asked, by the lines that it types."""
    typed, shown, prompts = iter(lines), [], []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    human = HumanAgent(read=read, write=lambda text: shown.append(str(text)), width=width)
    human.reset(0, game.config, 0)
    action = human.act(make_view(game, 0))
    return action, "\n".join(shown), prompts


def reach_planning(config: GameConfig, seed: int = 3) -> Game:
    game = Game(config, seed=seed)
    while game.phase == "draft":
        seat = game.seats_to_act()[0]
        game.step(seat, game.legal_actions(seat)[0])
    return game


def test_a_person_sees_the_hand_with_numbers_and_plays_by_them() -> None:
    game = Game(GameConfig(3), seed=12)
    action, shown, prompts = sit(game, "2")
    assert action == game.legal_actions(0)[1]
    for number, text in enumerate(game.legal_texts(0), 1):
        assert f" {number} {text.partition(':')[2]} " in shown
    assert prompts == ["> "]


def test_the_narrowest_terminal_shows_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be one column wide, or tell none: no text is wrapped to less than a word."""
    for columns in ("1", "2", "5"):
        monkeypatch.setenv("COLUMNS", columns)
        _, shown, _ = sit(Game(GameConfig(2), seed=12), "nonsense", "help", "?", "1", width=0)
        assert "leave the game;" in " ".join(shown.split())


def test_what_is_shown_is_what_the_seat_knows() -> None:
    game = Game(GameConfig(3, CA), seed=12)
    shown = {sit(one, "?", "1")[1] for one in (game, game.redeterminize(0, 1), game.redeterminize(0, 2))}
    assert len(shown) == 1


def test_the_end_of_the_input_leaves_the_game() -> None:
    def read(prompt: str) -> str:
        raise EOFError

    human = HumanAgent(read=read, write=lambda text: None)
    human.reset(0, GameConfig(players=2), 0)
    with pytest.raises(GameLeft):
        human.act(make_view(Game(GameConfig(players=2), seed=1), 0))


def test_without_a_table_there_is_no_hint_and_nothing_to_take_back() -> None:
    _, shown, _ = sit(Game(GameConfig(2), seed=1), "hint", "undo", "1")
    assert "there is nobody here to ask for a hint" in shown
    assert "nothing can be taken back here" in shown


def ask_hint(game: Game, hinted: str, *lines: str) -> tuple[int | None, str]:
    """What is played and shown by a person to whom a bot says this."""
    typed, shown = iter(lines), []
    human = HumanAgent(read=lambda prompt: next(typed), write=lambda text: shown.append(str(text)), width=100)
    human.reset(0, game.config, 0)
    advice = Advice(f"somebody would play {hinted}", game.actions.parse(hinted))
    return human.decide(make_view(game, 0), Offers(hint=lambda: advice)), "\n".join(shown)


def test_enter_behind_a_hint_plays_it() -> None:
    game = Game(GameConfig(3), seed=12)
    hinted = game.legal_texts(0)[2]
    action, shown = ask_hint(game, hinted, "", "hint", "")
    assert action == game.actions.parse(hinted)
    assert "type the number or the beginning of an action" in shown, "before the hint Enter plays nothing"
    assert f"somebody would play {hinted}; Enter alone plays it" in shown


def test_no_hint_gives_up_a_card_by_enter() -> None:
    game, text = slate_one()
    action, shown = ask_hint(game, text, "hint", "", "1")
    assert action != game.actions.parse(text)
    assert "Enter alone plays it" not in shown


def test_a_scenario_begins_with_what_it_asks_for() -> None:
    game = Game(GameConfig(1, scenario="base_sc01"), seed=3)
    _, shown, _ = sit(game, "1")
    played = scenario("base_sc01")
    assert f"scenario {played.title_en}: " in shown
    assert f"gold {played.gold}" in shown
    assert "to build: " in shown
    for card in set(played.cards):
        assert card in shown.partition("to build: ")[2].splitlines()[0] or card in shown


def test_choices_stand_in_the_order_of_their_numbers() -> None:
    """Those that came up later, such as digs, have higher numbers and stand further down."""
    game = Game(GameConfig(1), seed=3)
    for _ in range(60):
        if game.over:
            break
        legal = game.legal_actions(0)
        if len(legal) > 1:
            _, shown, _ = sit(game, f"{game.legal_texts(0)[0]}", "y")
            found = [
                int(number)
                for line in shown.splitlines()
                if re.match(r"(slate|recycle|discard|dig|end|place|use) ", line)
                for number in re.findall(r" (\d+) ", line)
            ]
            assert [one for one in found if one] == sorted(one for one in found if one)
        game.step(0, legal[len(legal) // 2])


def test_help_tells_every_command_on_one_screen() -> None:
    assert len(HELP.splitlines()) < 20
    assert max(map(len, HELP.splitlines())) < 80
    for command in set(COMMANDS) - {"exit"}:
        assert command in HELP.replace("?", " ? ").replace(",", " ").split()


# --- Giving up -------------------------------------------------------------------------------------


def slate_one() -> tuple[Game, str]:
    game = reach_planning(GameConfig(2))
    game.step(0, next(one for one in game.legal_texts(0) if one.startswith("slate")))
    return game, next(one for one in game.legal_texts(0) if one.startswith("discard"))


@pytest.mark.parametrize("answer", ["y", "Y", "yes"])
def test_a_card_is_given_up_after_a_question(answer: str) -> None:
    game, text = slate_one()
    action, shown, prompts = sit(game, text, answer)
    assert game.actions.to_text(action) == text
    assert prompts == ["> ", f"Give up {text.partition(':')[2]}? y/N "]
    assert "cube goes to the empire card" in shown


@pytest.mark.parametrize("answer", ["", "n", "no", "N"])
def test_a_card_is_kept_unless_one_says_yes(answer: str) -> None:
    game, text = slate_one()
    other = next(one for one in game.legal_texts(0) if one.startswith("recycle"))
    action, shown, prompts = sit(game, text, answer, other)
    assert game.actions.to_text(action) == other
    assert f"{text.partition(':')[2]} is kept" in shown
    assert len(prompts) == 3


def test_what_was_typed_ahead_of_the_question_is_no_answer_and_is_not_lost() -> None:
    game, text = slate_one()
    other = next(one for one in game.legal_texts(0) if one.startswith("recycle"))
    action, shown, prompts = sit(game, text, other)
    assert game.actions.to_text(action) == other
    assert "is kept" in shown
    assert len(prompts) == 2


def test_the_question_says_what_is_lost() -> None:
    game, text = slate_one()
    one = text.partition(":")[2]
    while not any(text.startswith(f"place:{one}") for text in game.legal_texts(0)):
        game.step(0, next(t for t in game.legal_texts(0) if t.startswith(("recycle", "to_empire"))))
    game.step(0, f"place:{one}")
    spaces = sum(next(kind for kind in kinds() if kind.id == one).cost)
    _, shown, _ = sit(game, text, "y")
    assert f"{one}: 1 of its {spaces} spaces are filled, and what lies there is lost" in shown


def test_enter_alone_ends_a_step_in_which_nothing_else_but_giving_up_is_left() -> None:
    game, _ = slate_one()
    while game.drafted(0):
        game.step(0, next(text for text in game.legal_texts(0) if text.startswith("slate")))
    assert {one.partition(":")[0] for one in game.legal_texts(0)} == {"discard", "end"}
    action, shown, _ = sit(game, "")
    assert action == game.actions.end
    assert "Enter alone plays end" in shown
    other = reach_planning(GameConfig(2))
    action, shown, _ = sit(other, "", "1")  # where there is a choice it plays nothing
    assert "type the number or the beginning of an action" in shown


# --- Cards -----------------------------------------------------------------------------------------


def test_every_card_is_found_and_told() -> None:
    game = Game(GameConfig(2, CA), seed=1)
    for kind in kinds(CA):
        for typed in (kind.id, kind.name_en.upper()):
            said = describe_card(game, typed)
            assert said.startswith(f"{kind.name_en} ({kind.id}): {kind.type}, {kind.copies} cop")
            assert f"recycles  to 1 {kind.recycling}" in said
            for name in ("materials", "energy", "science", "gold", "exploration", "krystallium"):
                amount = getattr(kind.cost, name)
                assert (f"{amount} {name}" in said.splitlines()[1]) == bool(amount)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("zep", "Zeppelin (zeppelin)"),
        ("", "info CARD tells"),
        ("s", "which one? "),
        ("zepelin", "did you mean 'zeppelin'?"),
        ("qqq", "no card that is played here is called 'qqq'"),
    ],
)
def test_cards_are_looked_up_by_any_beginning(typed: str, said: str) -> None:
    assert said in describe_card(Game(GameConfig(2), seed=1), typed)


def test_the_empires_in_play_can_be_looked_up() -> None:
    game = Game(GameConfig(2, empires=("aztec_empire", "noram_states")), seed=1)
    assert describe_card(game, "aztec").startswith("aztec_empire: Aztec Empire (side A): ")
    assert "no card" in describe_card(game, "panafrican")
