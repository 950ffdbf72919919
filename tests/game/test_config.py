"""Configurations: what can be played, what cannot and why."""

import copy
import json
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, scenarios
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, IawwError
from tests.dealt_cards import HAND_SIZES
from tests.modes import CA

# --- What can be played ------------------------------------------------------------------------------


def test_defaults() -> None:
    config = GameConfig()
    assert (config.players, config.expansions, config.empire_side) == (4, (), "A")
    assert (config.empires, config.scenario) == (None, None)
    assert (config.ascension, config.solo) == (False, False)
    assert (config.rounds, config.picks, config.pools) == (4, 7, 8)


@pytest.mark.parametrize(
    ("players", "expansions", "base", "ascension"),
    [(players, CA if expanded else (), *cards) for players, expanded, *cards in HAND_SIZES],
)
def test_cards_dealt(players: int, expansions: tuple[str, ...], base: int, ascension: int) -> None:
    config = GameConfig(players=players, expansions=expansions)
    assert (config.hand_base, config.hand_ascension) == (base, ascension)
    assert (config.kinds, config.cards) == ((116, 206) if expansions else (78, 150))
    assert config.solo == (players == 1)
    assert config.ascension == bool(expansions)
    times = config.pools if config.solo else config.rounds * players
    assert times * base <= 150
    assert times * ascension <= 56


@pytest.mark.parametrize("form", [CA, list(CA), "corruption_and_ascension"])
def test_expansions_in_any_form(form: Any) -> None:
    config = GameConfig(expansions=form)
    assert config.expansions == CA
    assert config == GameConfig(expansions=CA)
    assert hash(config) == hash(GameConfig(expansions=CA))


def test_sides() -> None:
    for side in "ABCDEF":
        assert GameConfig(empire_side=side).empire_side == side
        assert GameConfig(players=1, empire_side=side).empire_side == side
    assert GameConfig(players=1).empire_side == "A"
    for one in scenarios():
        config = GameConfig(players=1, expansions=CA, scenario=one.id)
        assert config.empire_side == "B"
        assert config == GameConfig(players=1, expansions=CA, scenario=one.id, empire_side="B")


def test_base_scenarios_need_no_expansion() -> None:
    for one in scenarios()[:6]:
        assert GameConfig(players=1, scenario=one.id).solo


def test_empires_named_and_drawn() -> None:
    named = GameConfig(players=3, empires=["aztec_empire", None, "noram_states"])  # type: ignore[arg-type]
    assert named.empires == ("aztec_empire", None, "noram_states")
    assert GameConfig(players=7, expansions=CA, empires=EMPIRE_IDS).empires == EMPIRE_IDS
    assert GameConfig(players=2, empires=(None, None)) == GameConfig(players=2)


def test_numpy_integers_become_plain_ones() -> None:
    assert type(GameConfig(players=np.int64(3)).players) is int  # type: ignore[arg-type]


def test_a_config_is_frozen_hashable_and_survives_copies() -> None:
    config = GameConfig(players=2, empires=("aztec_empire", None))
    with pytest.raises(AttributeError):
        config.players = 3  # type: ignore[misc]
    assert len({config, GameConfig(players=2, empires=("aztec_empire", None)), GameConfig(players=2)}) == 2
    for twin in (pickle.loads(pickle.dumps(config)), copy.copy(config), copy.deepcopy(config)):
        assert twin == config


# --- What cannot, and what would do ------------------------------------------------------------------


CANNOT_BE_PLAYED: list[tuple[dict[str, Any], str]] = [
    ({"players": 0}, "1 to 5 can play, 6 and 7 with Corruption & Ascension"),
    ({"players": -1}, "1 to 5 can play"),
    ({"players": 8}, "players is 8: 1 to 5 can play, 6 and 7 with Corruption & Ascension"),
    ({"players": 8, "expansions": CA}, "players is 8: 1 to 7 can play"),
    ({"players": 6}, "6 players need Corruption & Ascension: add expansions="),
    ({"players": 7}, "7 players need Corruption & Ascension: add expansions="),
    ({"players": True}, "players is True: give an integer"),
    ({"players": np.True_}, "give an integer"),
    ({"players": 4.0}, "players is 4.0: give an integer"),
    ({"players": "4"}, "players is '4': give an integer"),
    ({"players": None}, "give an integer"),
    ({"players": [4]}, "give an integer"),
    ({"expansions": "ca"}, "there is no expansion 'ca': choose from ['corruption_and_ascension']"),
    ({"expansions": ["Corruption_And_Ascension"]}, "choose from ['corruption_and_ascension']"),
    ({"expansions": "war_or_peace"}, "War or Peace cannot be played yet"),
    ({"expansions": CA * 2}, "is named twice"),
    ({"expansions": None}, "give a list"),
    ({"expansions": [["corruption_and_ascension"]]}, "there is no expansion"),
    ({"empire_side": "G"}, "there is no empire side 'G': choose from A, B, C, D, E, F"),
    ({"empire_side": "a"}, "choose from A, B, C, D, E, F"),
    ({"empire_side": ""}, "choose from A, B, C, D, E, F"),
    ({"empire_side": 0}, "choose from A, B, C, D, E, F"),
    ({"players": 2, "empires": ["aztec_empire"] * 2}, "seats 0 and 1 both have 'aztec_empire'"),
    ({"players": 3, "empires": ["aztec_empire", None, "aztec_empire"]}, "seats 0 and 2 both have"),
    ({"players": 2, "empires": ["aztec_empir", None]}, "did you mean 'aztec_empire'?"),
    ({"players": 2, "empires": ["Aztec Empire", None]}, "did you mean 'aztec_empire'?"),
    ({"players": 2, "empires": ["north_hegemony", None]}, "'north_hegemony' comes with Corruption & Asc"),
    ({"players": 2, "empires": ["aztec_empire"]}, "1 empires for 2 seats"),
    ({"players": 2, "empires": [None] * 3}, "3 empires for 2 seats"),
    ({"players": 2, "empires": []}, "0 empires for 2 seats"),
    ({"players": 1, "empires": "aztec_empire"}, "give a list"),
    ({"players": 1, "empires": [0]}, "there is no empire 0"),
    ({"players": 1, "empires": [["aztec_empire"]]}, "there is no empire"),
    ({"players": 1, "scenario": "base_sc07"}, "choose from base_sc01, base_sc02, base_sc03"),
    ({"players": 1, "scenario": 1}, "choose from base_sc01"),
    ({"players": 1, "scenario": ""}, "there is no scenario ''"),
    ({"scenario": "base_sc01"}, "is played alone, not with 4: set players=1"),
    ({"players": 1, "scenario": "ascension_sc01"}, "needs Corruption & Ascension: add expansions="),
    ({"players": 1, "scenario": "base_sc01", "empire_side": "A"}, "on side B, not A: leave empire_side out"),
    ({"players": 1, "scenario": "base_sc01", "empire_side": "D"}, "on side B, not D"),
]


@pytest.mark.parametrize(("fields", "message"), CANNOT_BE_PLAYED, ids=lambda value: repr(value)[:50])
def test_cannot_be_played(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        GameConfig(**fields)
    assert isinstance(caught.value, IawwError)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 400


def test_numbers_too_long_to_print_are_refused_too() -> None:
    with pytest.raises(ConfigError, match="a very long int: 1 to 5 can play"):
        GameConfig(players=10**5000)


# --- As a table of fields ----------------------------------------------------------------------------


def test_to_dict_is_the_form_of_records() -> None:
    config = GameConfig(players=2, expansions=CA, empires=("aztec_empire", None))
    assert config.to_dict() == {
        "players": 2,
        "expansions": ["corruption_and_ascension"],
        "empire_side": "A",
        "empires": ["aztec_empire", None],
        "scenario": None,
    }
    assert list(config.to_dict()) == ["players", "expansions", "empire_side", "empires", "scenario"]


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(),
        GameConfig(players=2, empire_side="F"),
        GameConfig(players=7, expansions=CA, empires=EMPIRE_IDS),
        GameConfig(players=1, scenario="base_sc04", empires=("noram_states",)),
        GameConfig(players=1, expansions=CA, scenario="ascension_sc05"),
    ],
    ids=str,
)
def test_there_and_back_through_json(config: GameConfig) -> None:
    assert GameConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_from_dict_takes_missing_fields_but_players_as_defaults() -> None:
    assert GameConfig.from_dict({"players": 3}) == GameConfig(players=3)
    with pytest.raises(ConfigError, match="how many `players`"):
        GameConfig.from_dict({"expansions": []})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 2, "expansion": []}, "no field 'expansion'; did you mean 'expansions'?"),
        ({"players": 2, "seed": 1}, "no field 'seed'; the fields are players, expansions"),
        ({"players": 2, 3: None}, "no field 3"),
        ({"players": 2, "expansions": "corruption_and_ascension"}, "give a list of names"),
        ({"players": 2, "expansions": None}, "give a list of names"),
        ({"players": 2, "expansions": {"corruption_and_ascension": True}}, "give a list of names"),
        ({"players": 2.0}, "give an integer"),
        ({"players": None}, "give an integer"),
        ({"players": 2, "empires": {"0": "aztec_empire", "1": None}}, "give a list"),
        ({"players": 1, "scenario": ["base_sc01"]}, "there is no scenario"),
        ([("players", 2)], "a table of fields"),
        ("players", "a table of fields"),
        (None, "a table of fields"),
    ],
    ids=repr,
)
def test_from_dict_refuses(fields: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        GameConfig.from_dict(fields)


def test_replace_checks_again() -> None:
    config = GameConfig(players=5)
    assert config.replace(players=2) == GameConfig(players=2)
    assert config.replace() == config
    assert config.players == 5
    with pytest.raises(ConfigError, match="need Corruption & Ascension"):
        config.replace(players=6)
    with pytest.raises(ConfigError, match="did you mean 'players'"):
        config.replace(player=2)
    with pytest.raises(ConfigError, match="2 empires for 3 seats"):
        GameConfig(players=2, empires=("aztec_empire", None)).replace(players=3)


def test_replace_lets_the_scenario_decide_the_side() -> None:
    alone = GameConfig(players=1)
    told = alone.replace(scenario="base_sc01")
    assert (told.empire_side, told.replace(scenario=None)) == ("B", alone)
    with pytest.raises(ConfigError, match="on side B, not D"):
        alone.replace(empire_side="D").replace(scenario="base_sc01")
    with pytest.raises(ConfigError, match="on side B, not A"):
        alone.replace(scenario="base_sc01", empire_side="A")


# --- Light -------------------------------------------------------------------------------------------


def test_configurations_and_actions_need_the_standard_library_only() -> None:
    code = (
        "import sys, types, pathlib\n"
        "package = types.ModuleType('iaww_env'); package.__path__ = [sys.argv[1]]\n"
        "sys.modules['iaww_env'] = package\n"  # the package's own __init__ may import more
        "import iaww_env.errors, iaww_env.cards, iaww_env.config, iaww_env.actions\n"
        "iaww_env.actions.action_table(['corruption_and_ascension'])\n"
        "print([name for name in ('numpy', 'numba', 'gymnasium', 'pettingzoo') if name in sys.modules])\n"
    )
    import iaww_env.config

    folder = iaww_env.config.__file__.rpartition("config.py")[0]
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_expansions_are_the_catalogues() -> None:
    assert EXPANSIONS == CA
