"""A bot that is asked for a hint may answer anything: what cannot be played is no advice, and no error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.arena.play.guests import GuestBot, HouseRules
from iaww_agents.arena.table import advising
from iaww_agents.arena.table.advising import Adviser
from iaww_env.config import GameConfig
from iaww_env.game import Game
from tests.bots.bot_files import write_bot

GAME = Game(GameConfig(players=2), 7)
LEGAL = GAME.legal_actions(0)
# Cards that the other seat alone may pick.
HIDDEN = next(one for one in GAME.legal_actions(1) if one not in LEGAL)


class Answering:
    """A bot with one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: Any) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [LEGAL[1], np.int16(LEGAL[1])])
def test_a_legal_action_is_advice(answer: Any) -> None:
    advice = Adviser("some.py", lambda: Answering(answer)).advise(GAME, 0)
    assert advice.said == f"some.py would play {GAME.actions.to_text(LEGAL[1])}"
    assert advice.action == LEGAL[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (HIDDEN, f"it names {GAME.actions.to_text(HIDDEN)}, which is not legal here"),
        (len(GAME.actions), f"it names {len(GAME.actions)}, which is not legal here"),
        (-1, "it names -1, which is not legal here"),
        (10**5000, "which is not legal here"),
        (True, "it answered True (bool): an action is a whole number"),
        (float(LEGAL[1]), "an action is a whole number"),
        (None, "it answered None (NoneType): an action is a whole number"),
        (np.array(LEGAL[:2]), "an action is a whole number"),
    ],
    ids=["other", "beyond", "negative", "huge", "flag", "float", "none", "array"],
)
def test_what_cannot_be_played_is_no_advice(answer: Any, said: str) -> None:
    advice = Adviser("some.py", lambda: Answering(answer)).advise(GAME, 0)
    assert advice.said.startswith("some.py cannot say: ")
    assert said in advice.said
    assert advice.action is None


def test_a_bot_that_hangs_is_waited_for_a_while_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advising, "PATIENCE", 1.0)
    path = write_bot(tmp_path, "hanging", "def act(self, view):\n    time.sleep(600)", "import time")
    bot = GuestBot(path, HouseRules())
    try:
        adviser = Adviser(path, lambda: bot)
        assert "did not answer within 1 s" in adviser.advise(GAME, 0).said
        assert "cannot say" in adviser.advise(GAME, 0).said, "asked again it has ended"
    finally:
        bot.end()
