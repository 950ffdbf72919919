"""What networks see: pieces by name, legal actions one by one, one row for all numbers of players."""

from __future__ import annotations

import numpy as np
import pytest

import iaww_env
from iaww_agents.networks.inputs import Inputs, gather_legal, gather_seen, make_inputs
from iaww_env.errors import ConfigError
from tests.agents.networks.small_networks import ASCENSION, draw_decisions
from tests.modes import SIZES


def find_pieces(inputs: Inputs) -> dict[str, slice]:
    """Where each piece lies in what the seat knows."""
    ends = np.cumsum([0, *inputs.pieces.values()]).tolist()
    return {name: slice(*ends[n : n + 2]) for n, name in enumerate(inputs.pieces)}


@pytest.mark.parametrize("mode", ["1", "2", "5", "1-ascension", "7-ascension"])
def test_every_piece_of_every_game_has_its_place(mode: str) -> None:
    """Numbers stand where the piece of their name does; a piece that a game does not have is zeros."""
    config = SIZES[mode]
    inputs, batch = make_inputs(config.expansions), draw_decisions(config)
    known = gather_seen(inputs, inputs.find(config), batch.observations)
    assert known.shape == (batch.num_games, inputs.size)
    table = iaww_env.observation_table(config, "cards")
    shown = vars(table.views(batch.observations))
    missing = 0
    for name, where in find_pieces(inputs).items():
        if name in shown:
            assert known[:, where].tobytes() == np.ascontiguousarray(shown[name]).tobytes(), name
        else:
            missing += 1
            assert not known[:, where].any(), name
    assert missing > 0, "solo and the others have pieces of their own"
    assert set(shown) - set(inputs.pieces) == {"missing"}, "it goes with the actions"


@pytest.mark.parametrize("mode", ["4", "1", "5-ascension"])
def test_legal_actions_are_listed_with_what_is_said_of_their_kind(mode: str) -> None:
    config = SIZES[mode]
    inputs, batch = make_inputs(config.expansions), draw_decisions(config)
    legal = gather_legal(inputs, inputs.find(config), batch.observations, batch.masks)
    actions = iaww_env.action_table(config.expansions)
    rows, numbers = np.nonzero(batch.masks)
    assert legal.rows.tolist() == rows.tolist()
    assert legal.actions.tolist() == numbers.tolist()
    counts = batch.masks.sum(1)
    assert legal.places.tolist() == [n for count in counts for n in range(count)]
    assert legal.most == counts.max()
    shown = vars(iaww_env.observation_table(config, "cards").views(batch.observations))
    asked = 0
    for at, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        kind = actions.kind(int(number))
        if kind is None:
            assert not legal.features[at].any()
            continue
        said = [np.ravel(shown[name][row][kind.index]) for name in inputs.card_pieces]
        assert legal.features[at].tolist() == np.concatenate(said).tolist()
        asked += 1
    assert asked > 50
    assert {"hand", "worth", "missing"} <= set(inputs.card_pieces)


def test_every_action_has_its_verb_and_kind() -> None:
    inputs, actions = make_inputs(), iaww_env.action_table()
    for text, other, same_verb, same_kind in (
        ("pick:zeppelin", "pick:wind_turbines", True, False),
        ("pick:zeppelin", "slate:zeppelin", False, True),
        ("place:wind_turbines", "place:wind_turbines#2", False, True),
        ("place:wind_turbines", "discard:wind_turbines", False, True),
        ("end", "to_empire", False, True),
    ):
        one, two = actions.parse(text), actions.parse(other)
        assert (inputs.verb_of[one] == inputs.verb_of[two]) == same_verb, (text, other)
        assert (inputs.kind_of[one] == inputs.kind_of[two]) == same_kind, (text, other)
    for number in range(len(actions)):
        assert (inputs.verb_of[number] < inputs.asking) == (actions.kind(number) is not None)
    assert inputs.kind_of[actions.parse("end")] == actions.kinds
    assert not inputs.facts[-1].any(), "no kind, no facts"
    assert np.abs(inputs.facts).max() <= 1


def test_pieces_left_out_are_not_seen() -> None:
    config = SIZES["4"]
    table, batch = iaww_env.observation_table(config, "cards"), draw_decisions(SIZES["4"])
    changed = batch.observations.copy()
    table.views(changed).missing[:] += 1
    table.views(changed).next_production[:] += 1
    for without, is_same in ((("missing", "next_production"), True), (("missing",), False), ((), False)):
        inputs = make_inputs((), players=(4,), without=without)
        sources = inputs.find(config)
        given = [
            gather_seen(inputs, sources, seen).tobytes()
            + gather_legal(inputs, sources, seen, batch.masks).features.tobytes()
            for seen in (batch.observations, changed)
        ]
        assert (given[0] == given[1]) == is_same
    with pytest.raises(ValueError, match="site_kind: no pieces of cards"):
        make_inputs((), without=("site_kind",))


def test_games_of_another_sort_are_refused() -> None:
    """The card pool is another, or observations are longer with more seats."""
    with pytest.raises(ConfigError, match="knows the card pool"):
        make_inputs().find(SIZES["4-ascension"])
    with pytest.raises(ConfigError, match="knows the card pool"):
        make_inputs(ASCENSION).find(SIZES["4"])
    for players, other in ((4, "2"), (2, "4"), (1, "2")):
        inputs = make_inputs((), profile="full", players=(players,))
        assert inputs.find(SIZES[str(players)]).runs.size
        with pytest.raises(ConfigError, match="this network sees full of games with"):
            inputs.find(SIZES[other])
