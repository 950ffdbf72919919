"""What is not legal is refused with a reason, and the game does not notice."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from iaww_env.errors import ActionTextError, IawwError, IllegalActionError
from iaww_env.game import Game, lend_state
from tests.modes import MODES
from tests.random_play import play_on, play_some


def refuse(game: Game, seat: int, action: int | str) -> IllegalActionError:
    """Try an action that is not legal; the error, after checking that nothing moved."""
    before, legal = game.row.tobytes(), game.legal_actions(seat)
    with pytest.raises(IllegalActionError) as caught:
        game.step(seat, action)
    error = caught.value
    assert game.row.tobytes() == before
    assert game.legal_actions(seat) == legal
    assert (error.seat, error.legal) == (seat, tuple(game.legal_texts(seat)))
    assert error.reason
    assert error.reason in str(error)
    return error


@pytest.mark.parametrize("mode", MODES)
def test_some_illegal_numbers_everywhere(mode: str) -> None:
    rng = random.Random(mode)
    game = Game(MODES[mode], 4)
    size = len(game.actions)
    for played, _ in enumerate(play_on(game, random.Random(4), discards=True)):
        if played % 5:
            continue
        seat = rng.randrange(game.config.players)
        legal = game.legal_actions(seat) if seat in game.seats_to_act() else []
        # Neighbours of what is legal are the likeliest to slip through.
        tried = {action + by for action in legal for by in (-1, 1)} | set(rng.sample(range(size), 12))
        for action in sorted(tried - set(legal)):
            error = refuse(game, seat, action)
            assert error.action == action
            if 0 <= action < size:
                assert error.text == game.actions.to_text(action)


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo", "solo-ascension"])
def test_every_illegal_number(mode: str) -> None:
    refused = 0
    for decisions in (0, 20, 45, 80, 110):
        game = play_some(mode, 9, decisions)
        for seat in range(min(2, game.config.players)):
            legal = game.legal_actions(seat) if seat in game.seats_to_act() else []
            for action in set(range(-3, len(game.actions) + 3)) - set(legal):
                assert refuse(game, seat, action).action == action
                refused += 1
    assert refused > 2000


def test_every_number_is_illegal_when_the_game_is_over_or_the_phase_is_ended() -> None:
    over = play_some("2", 3, 10**6)
    assert over.over
    picked = Game(MODES["2"], 3)
    picked.step(1, picked.legal_actions(1)[0])
    ended = play_some("2", 3, 40)
    while len(ended.seats_to_act()) == 2:
        seat = ended.seats_to_act()[0]
        ended.step(seat, ended.legal_actions(seat)[-1])
    for game, seat, reason in (
        (over, 0, "the game is over"),
        (picked, 1, "the seat has picked already"),
        (ended, 1 - ended.seats_to_act()[0], "the seat has ended the phase"),
    ):
        for action in range(len(game.actions)):
            assert refuse(game, seat, action).reason == reason
        assert game.legal_texts(seat) == ["wait"]


HUGE = [-(2**15), 2**15, 2**16, -(2**31), 2**31, 2**32, -(2**63), 2**63 - 1]
HUGE += [2**63, 2**64, -(2**63) - 1, 10**30, np.uint64(2**63), -(10**5000)]


@pytest.mark.parametrize("wrong", HUGE, ids=lambda number: f"{len(bin(number))} bits")
def test_numbers_of_any_size_are_refused(wrong: int) -> None:
    """Also those that, cut to 16, 32 or 64 bits, would be legal."""
    game = Game(MODES["3"], 6)
    for action in (wrong, *(int(wrong) + legal for legal in game.legal_actions(0))):
        assert refuse(game, 0, action).action == action


@pytest.mark.parametrize(
    "wrong",
    [
        1.0,
        np.float64(1),
        True,
        False,
        np.bool_(True),
        None,
        b"end",
        [1],
        (1,),
        {},
        np.array([1]),
        1j,
        object(),
    ],
)
def test_actions_of_another_type_are_refused(wrong: Any) -> None:
    game = Game(MODES["3"], 6)
    before = game.row.tobytes()
    with pytest.raises(TypeError, match="action"):
        game.step(0, wrong)
    assert game.row.tobytes() == before


@pytest.mark.parametrize("seat", [-1, 3, 7, 2**31, 2**63, 2**64, -(2**64), np.int64(3)])
def test_seats_that_are_not_there(seat: int) -> None:
    game = Game(MODES["3"], 6)
    before = game.row.tobytes()
    asked = (
        lambda: game.step(seat, game.legal_actions(0)[0]),
        lambda: game.legal_actions(seat),
        lambda: game.legal_texts(seat),
        lambda: game.action_mask(seat),
        lambda: game.hand(seat),
        lambda: game.drafted(seat),
        lambda: game.built(seat),
        lambda: game.redeterminize(seat, 1),
    )
    for ask in asked:
        with pytest.raises(IndexError, match="seats are 0 to 2"):
            ask()
    assert game.row.tobytes() == before


@pytest.mark.parametrize("seat", [0.0, "0", None, True, np.bool_(False), [0], np.float32(1)])
def test_seats_of_another_type_are_refused(seat: Any) -> None:
    game = Game(MODES["3"], 6)
    asked = (
        lambda: game.step(seat, 1),
        lambda: game.legal_actions(seat),
        lambda: game.redeterminize(seat, 1),
    )
    for ask in asked:
        with pytest.raises(TypeError, match="seat"):
            ask()


# --- Texts and reasons -----------------------------------------------------------------------------


NO_ACTIONS = ["", "x", "pick", "pick:", "pick:no_such_card", "End", " end", "end ", "pick:zeppelin#2"]


@pytest.mark.parametrize("wrong", NO_ACTIONS)
def test_texts_that_name_no_action(wrong: str) -> None:
    game = Game(MODES["3"], 6)
    before = game.row.tobytes()
    with pytest.raises(ActionTextError):
        game.step(0, wrong)
    assert game.row.tobytes() == before


def test_texts_that_are_not_legal_now() -> None:
    game = Game(MODES["3"], 6)
    absent = next(text for text in game.actions if text not in game.legal_texts(0))
    assert refuse(game, 0, absent).text == absent
    assert refuse(game, 0, "end").text == "end"
    assert refuse(game, 0, "wait").reason == "the seat owes a decision"


@pytest.mark.parametrize("mode", ["4-ascension", "solo-ascension"])
def test_reasons_fit_the_position(mode: str) -> None:
    """Each verb that is refused is refused for what is in its way."""
    heard: dict[str, set[str]] = {}
    for seed in range(4):
        game = Game(MODES[mode], seed)
        rng = random.Random(seed)
        for played, _ in enumerate(play_on(game, random.Random(seed))):
            if game.over or played % 4:
                continue
            seat = rng.choice(game.seats_to_act())
            legal = game.legal_actions(seat)
            verbs = {game.actions.verb(action) for action in legal}
            for action in range(0, len(game.actions), 7):
                verb = game.actions.verb(action)
                if verb not in verbs and verb not in ("wait", "use"):
                    reason = refuse(game, seat, action).reason
                    heard.setdefault(verb, set()).add(reason)
                    check_reason(game, seat, reason)
    assert {"slate", "recycle", "toss", "place", "pick", "discard"} <= set(heard)
    assert len(set.union(*heard.values())) >= 8


def check_reason(game: Game, seat: int, reason: str) -> None:
    """What a reason says of the position is so."""
    state = lend_state(game)
    says = {
        "a loose cube must be placed first": bool(state.loose[seat]),
        "there is no loose cube": not state.loose[seat],
        "the token in hand": bool(state.held[seat]),
        "the choice of science supremacy": bool(state.must_choose[seat]),
        "in the draft a card is picked": game.phase == "draft",
        "the dig must be finished first": bool(state.dig_deck),
        "planning only": game.phase not in ("draft", "planning"),
        "there are undecided cards": bool(state.n_drafted[seat]) or bool(state.dig_deck),
    }
    assert all(so for words, so in says.items() if words in reason), reason


def test_the_error_survives_pickling_and_copying() -> None:
    game = Game(MODES["3"], 6)
    error = refuse(game, 2, 5000)
    for one in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (one.seat, one.action, one.text, one.reason, one.legal, str(one)) == (
            (error.seat, error.action, error.text, error.reason, error.legal, str(error))
        )
    assert isinstance(error, IawwError | ValueError)
    assert "seat 2" in str(error)
    assert "5000" in str(error)
