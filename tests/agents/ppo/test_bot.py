"""The bot that plays a network from its file: every mode of its card pool, and what it is not to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import iaww_env
from iaww_agents.ppo.bot import PpoAgent
from iaww_env.batch import lend_states
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import BatchView, make_batch_view, make_view
from iaww_env.errors import ConfigError
from iaww_training.decisions import look
from iaww_training.network import load_network, save_network
from tests.agents.networks.small_networks import (
    ASCENSION,
    draw_decisions,
    draw_steps,
    list_rows,
    make_network,
    write_network,
)
from tests.modes import SIZES, WITH_SCENARIOS

SPEC = "iaww_agents.ppo.bot:PpoAgent"


@pytest.fixture(params=[False, True], ids=["plain", "advised"])
def bot(tmp_path: Path, request: pytest.FixtureRequest) -> PpoAgent:
    return PpoAgent(str(write_network(tmp_path / "net.npz", advised=request.param)))


def show(bot: PpoAgent, batch: iaww_env.Batch) -> BatchView:
    """All decisions of a batch."""
    games = np.arange(batch.num_games)
    shown = batch.seats, batch.observations, batch.masks
    return make_batch_view(bot, batch.config, lend_states(batch), games, *shown)


@pytest.mark.parametrize("mode", ["2", "4", "1", "base_sc01-base"])
def test_one_network_plays_every_game_of_its_card_pool_to_the_end(mode: str, bot: PpoAgent) -> None:
    config = WITH_SCENARIOS[mode]
    game, asked = iaww_env.Game(config, 4), 0
    while not game.over:
        seat = game.seats_to_act()[0]
        bot.reset(seat, config, 1)
        action = bot.act(make_view(game, seat, bot.profile))
        assert action in game.legal_actions(seat)
        game.step(seat, action)
        asked += 1
    assert asked > 20


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("mode", ["3", "1", "5-ascension"])
def test_it_plays_what_its_network_scores_highest(mode: str, advised: bool, tmp_path: Path) -> None:
    """One by one as many at once, and as PyTorch says."""
    config = SIZES[mode]
    path = write_network(tmp_path / "net.npz", config.expansions, advised=advised)
    bot, network = PpoAgent(str(path), discards=True), load_network(path)
    bot.reset_batch(config)
    for batch in [draw_decisions(config, steps) for steps in (0, 20, 70)]:
        chosen = bot.act_batch(show(bot, batch))
        rows = list_rows(batch)
        seen = look(network.inputs, network.inputs.find(config), batch.observations, batch.masks, rows)
        with torch.no_grad():
            scores, _ = network(*seen.tensors())
        assert chosen.tolist() == seen.legal.actions[seen.offsets[:-1] + scores.argmax(1).numpy()].tolist()
        for g in range(0, batch.num_games, 5):
            game, seat = batch.game(g), int(batch.seats[g])
            assert bot.act(make_view(game, seat, bot.profile)) == chosen[g]


def test_games_are_imagined_only_for_a_network_that_is_advised(bot: PpoAgent, tmp_path: Path) -> None:
    batch = draw_decisions(SIZES["4"])
    for advised in (False, True, False):
        bot = PpoAgent(str(write_network(tmp_path / f"{advised}.npz", advised=advised)))
        bot.reset_batch(SIZES["4"])
        assert (show(bot, batch).imagined is not None) == advised


def test_what_is_hidden_changes_nothing(bot: PpoAgent) -> None:
    rng, changed = np.random.default_rng(1), 0
    for steps in (3, 40, 90):
        game = draw_decisions(SIZES["4"], steps).game(1)
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, 1)
        played = bot.act(make_view(game, seat, bot.profile))
        for _ in range(5):
            drawn = game.redeterminize(seat, rng)
            changed += drawn != game
            assert bot.act(make_view(drawn, seat, bot.profile)) == played
    assert changed > 10


@pytest.mark.parametrize("discards", [False, True])
def test_it_gives_up_cards_only_where_that_is_asked_for(discards: bool, tmp_path: Path) -> None:
    """By a network that likes nothing better."""
    network, table = make_network(), iaww_env.action_table()
    gives_up = np.zeros(len(table), bool)
    gives_up[table.discard : table.use] = True
    with torch.no_grad():
        network.bias.bias[sorted(set(network.inputs.verb_of[gives_up].tolist()))] = 100.0
    save_network(network, tmp_path / "net.npz")
    bot = make_agent(f"{SPEC}:path={tmp_path / 'net.npz'}{',discards' if discards else ''}")
    bot.reset_batch(SIZES["4"])
    could = 0
    for batch in draw_steps(SIZES["4"], 70):
        can = batch.masks[:, gives_up].any(1)
        assert (gives_up[bot.act_batch(show(bot, batch))] == (can & discards)).all()
        could += int(can.sum())
    assert could > 100


def test_games_of_another_card_pool_are_refused(bot: PpoAgent, tmp_path: Path) -> None:
    """Again and again, not only the first time; and its own games are played after that."""
    for _ in range(2):
        with pytest.raises(ConfigError, match="knows the card pool"):
            bot.reset(0, SIZES["4-ascension"], 1)
    bot.reset(0, SIZES["4"], 1)
    other = PpoAgent(str(write_network(tmp_path / "other.npz", ASCENSION)))
    with pytest.raises(ConfigError, match="knows the card pool"):
        other.reset_batch(SIZES["4"])


def test_files_that_hold_no_network_are_refused_before_any_game(tmp_path: Path) -> None:
    whole = write_network(tmp_path / "net.npz").read_bytes()
    for number, content in enumerate((b"", b"no network", whole[: len(whole) // 2])):
        path = tmp_path / f"{number}.npz"
        path.write_bytes(content)
        with pytest.raises(ConfigError, match="holds no network"):
            make_agent(f"{SPEC}:path={path}")
    with pytest.raises(ConfigError, match="cannot read"):
        make_agent(f"{SPEC}:path={tmp_path / 'none.npz'}")
    with pytest.raises(ConfigError, match="write discards"):
        make_agent(f"{SPEC}:path={tmp_path / 'net.npz'},discards=7")


def test_it_sees_the_profile_of_its_network(tmp_path: Path) -> None:
    path = write_network(tmp_path / "net.npz", profile="compact", players=(4,))
    bot = PpoAgent(str(path))
    assert bot.profile == "compact"
    assert PpoAgent.profile == "cards", "that of others stays as it is"
    batch = draw_decisions(SIZES["4"], profile="compact")
    bot.reset_batch(SIZES["4"])
    chosen = bot.act_batch(show(bot, batch))
    assert (batch.masks[np.arange(batch.num_games), chosen] == 1).all()
