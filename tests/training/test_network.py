"""The network that scores legal actions: what it sees, what it scores, and its files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import iaww_env
from iaww_env.bots.views import make_view
from iaww_env.errors import ConfigError
from iaww_training.network import (
    NOWHERE,
    ScoringNetwork,
    find_card_places,
    list_legal,
    load_network,
    number_actions,
    save_network,
)
from iaww_training.network_agent import NetworkAgent

ASCENSION = ("corruption_and_ascension",)


def make_network(profile: str = "cards", players: int = 4, **options: Any) -> ScoringNetwork:
    torch.manual_seed(3)
    table = iaww_env.observation_table(iaww_env.GameConfig(players=players), profile)
    return ScoringNetwork(table, width=24, depth=8, **options)


def draw_decisions(profile: str = "cards", players: int = 4, steps: int = 60) -> iaww_env.Batch:
    """A batch in the middle of its games."""
    batch = iaww_env.Batch(players=players, num_games=32, seed=5, observation=profile)
    stream = iaww_env.make_stream(5)
    for _ in range(steps):
        batch.step(batch.sample_legal(stream, discards=False))
    return batch


# --- Legal actions ---------------------------------------------------------------------------------


def test_lists_hold_the_legal_actions_and_nothing_else() -> None:
    batch = draw_decisions()
    legal = list_legal(torch.from_numpy(batch.masks))
    for mask, actions, is_action in zip(batch.masks, legal.actions, legal.is_action, strict=True):
        assert actions[is_action].tolist() == np.flatnonzero(mask).tolist()
    assert legal.is_action.sum(1).max() == legal.actions.shape[1]


def test_what_is_no_action_is_never_chosen() -> None:
    network, batch = make_network(), draw_decisions()
    legal = list_legal(torch.from_numpy(batch.masks))
    scores, values = network(torch.from_numpy(batch.observations), legal)
    assert (scores[~legal.is_action] == NOWHERE).all()
    assert (scores[legal.is_action] > NOWHERE / 2).all()
    assert values.shape == (32,)
    torch.testing.assert_close(values, network.estimate(torch.from_numpy(batch.observations)))


def test_a_decision_is_scored_alone_as_in_company() -> None:
    network, batch = make_network(), draw_decisions()
    seen, masks = torch.from_numpy(batch.observations), torch.from_numpy(batch.masks)
    together, _ = network(seen, list_legal(masks))
    for g in range(0, 32, 7):
        alone, _ = network(seen[g : g + 1], list_legal(masks[g : g + 1]))
        torch.testing.assert_close(alone[0], together[g, : alone.shape[1]])


def test_every_action_has_its_verb_and_kind() -> None:
    table = iaww_env.observation_table(iaww_env.GameConfig(players=4), "cards")
    verbs, kinds, n_asking = number_actions(table)
    actions = iaww_env.action_table()
    for text, other, same_verb, same_kind in (
        ("pick:zeppelin", "pick:wind_turbines", True, False),
        ("pick:zeppelin", "slate:zeppelin", False, True),
        ("place:wind_turbines", "place:wind_turbines#2", False, True),
        ("place:wind_turbines", "discard:wind_turbines", False, True),
        ("end", "to_empire", False, True),
    ):
        one, two = actions.parse(text), actions.parse(other)
        assert (verbs[one] == verbs[two]) == same_verb, (text, other)
        assert (kinds[one] == kinds[two]) == same_kind, (text, other)
    for number in range(len(actions)):
        assert (verbs[number] < n_asking) == (actions.kind(number) is not None)
    assert kinds[actions.parse("end")] == actions.kinds


def test_the_numbers_of_a_card_are_those_of_its_kind() -> None:
    table = iaww_env.observation_table(iaww_env.GameConfig(players=4), "cards")
    names = [piece.name for piece in table.pieces]
    places = find_card_places(table, names)
    where = table.views(np.arange(table.size))
    for kind in (0, 17, table.config.kinds - 1):
        assert {where.hand[kind], where.worth[kind], *where.missing[kind]} <= set(places[kind].tolist())
        assert where.hand[(kind + 1) % table.config.kinds] not in places[kind]
    assert set(places[-1].tolist()) == {table.size}, "no card: the zero behind the observation"


# --- What it sees ----------------------------------------------------------------------------------


def test_pieces_left_out_are_not_seen() -> None:
    batch = draw_decisions()
    table = iaww_env.observation_table(batch.config, "cards")
    legal = list_legal(torch.from_numpy(batch.masks))
    changed = batch.observations.copy()
    table.views(changed).missing[:] += 1
    for without, is_same in ((("missing",), True), ((), False)):
        network = make_network(without=without)
        scores = [network(torch.from_numpy(seen), legal)[0] for seen in (batch.observations, changed)]
        assert torch.equal(*scores) == is_same
    with pytest.raises(ValueError, match="no pieces of cards"):
        make_network(without=("site_kind",))


# --- Files -----------------------------------------------------------------------------------------


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    network, batch = make_network(without=("missing",)), draw_decisions()
    save_network(network, tmp_path / "runs" / "net.pt")
    again = load_network(tmp_path / "runs" / "net.pt")
    legal = list_legal(torch.from_numpy(batch.masks))
    one, two = (net(torch.from_numpy(batch.observations), legal)[0] for net in (network, again))
    assert torch.equal(one, two)


class Trap:
    """What would be run if a file were unpickled without looking."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("sprung"),))


@pytest.mark.parametrize("content", [b"", b"no network", pickle.dumps({"weights": Trap()}), "cut"])
def test_a_file_of_something_else_is_refused(
    content: bytes | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.pt"
    save_network(make_network(), path)
    path.write_bytes(path.read_bytes()[:5000] if isinstance(content, str) else content)
    with pytest.raises(ConfigError, match="holds no network"):
        load_network(path)
    assert not (tmp_path / "sprung").exists()
    with pytest.raises(FileNotFoundError):
        load_network(tmp_path / "other.pt")


# --- As a bot --------------------------------------------------------------------------------------


@pytest.fixture
def bot(tmp_path: Path) -> NetworkAgent:
    save_network(make_network(), tmp_path / "net.pt")
    return NetworkAgent(str(tmp_path / "net.pt"))


def test_one_network_plays_every_number_of_players(bot: NetworkAgent) -> None:
    for players in (2, 3, 5):
        batch = draw_decisions(players=players)
        game = batch.game(0)
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, 1)
        assert bot.act(make_view(game, seat, bot.profile)) in game.legal_actions(seat)
    for config in (iaww_env.GameConfig(players=1), iaww_env.GameConfig(4, ASCENSION)):
        with pytest.raises(ConfigError, match="has learnt"):
            bot.reset(0, config, 1)


def test_what_is_hidden_changes_nothing(bot: NetworkAgent) -> None:
    rng = np.random.default_rng(1)
    for steps in (3, 40, 90):
        game = draw_decisions(steps=steps).game(1)
        seat = game.seats_to_act()[0]
        played = bot.act(make_view(game, seat, bot.profile))
        for _ in range(5):
            assert bot.act(make_view(game.redeterminize(seat, rng), seat, bot.profile)) == played


def test_it_gives_up_cards_only_where_that_is_asked_for(bot: NetworkAgent, tmp_path: Path) -> None:
    batch = draw_decisions(steps=70)
    table = iaww_env.action_table()
    discards = np.zeros(len(table), bool)
    discards[table.discard : table.use] = True
    eager = NetworkAgent(str(tmp_path / "net.pt"), discards=True)
    assert (batch.masks[:, discards].any(1)).sum() > 5
    with torch.no_grad():
        for net in (bot._network, eager._network):
            verbs, _, _ = number_actions(net.table)
            net.bias.bias[sorted(set(verbs[discards]))] = 100.0
    masks, seen = batch.masks, batch.observations
    assert not discards[bot._choose(batch.config, seen, masks)].any()
    assert discards[eager._choose(batch.config, seen, masks)].any()
