"""What the picks of others tell: counted where their packs are known, and what worlds make of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import kernel
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.ppo_search.bot import PpoSearchAgent
from iaww_agents.ppo_search.playouts import ALWAYS, Playouts, foresee
from iaww_agents.ppo_search.rivals import HITS, SEEN, Rivals
from iaww_env import Game, GameConfig
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.row import find_pack, find_verb
from iaww_env.engine.rules.legal import Actions
from iaww_env.game import lend_row
from tests.modes import SIZES

Watch = Callable[[Game, int], None]


def play_drafts(config: GameConfig, me: int, other: str, watch: Watch, rounds: int = 2) -> None:
    """Let bots play and a seat watch whenever it has a choice."""
    bots = [make_agent(other) for _ in range(config.players)]
    game = Game(config, 11)
    for seat, bot in enumerate(bots):
        bot.reset(seat, config, seat)
    while game.round <= rounds:
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        if len(legal) == 1:
            game.step(seat, legal[0])
            continue
        if seat == me:
            watch(game, seat)
        game.step(seat, bots[seat].act(make_view(game, seat, bots[seat].profile)))


def count_known(config: GameConfig, asked: int) -> int:
    """Picks that a seat can judge: who sits n places on has the pack that it had n picks ago."""
    return sum(min(pick, config.players - 1) for pick in range(asked - 1))


@pytest.mark.parametrize(("mode", "me"), [("2", 0), ("3", 1), ("4", 0), ("5-ascension", 3)])
def test_who_picks_by_the_rules_is_found_out(mode: str, me: int) -> None:
    """The heuristic picks as its quick rules do; who picks by chance does not."""
    config, told = SIZES[mode], {}
    for other in ("heuristic", "random:nodiscard"):
        rivals, picks = Rivals(config), [0, 0]

        def watch(game: Game, seat: int, rivals: Rivals = rivals, picks: list[int] = picks) -> None:
            picks[game.round - 1] += game.phase == "draft"
            rivals.watch(lend_row(game.redeterminize(seat, 5)), seat)

        play_drafts(config, me, other, watch)
        told[other] = rivals.foresee().tolist()
        assert rivals._seen.sum() == sum(count_known(config, asked) for asked in picks)
        assert rivals._seen[me] == 0
        assert told[other][me] == ALWAYS * HITS // SEEN, "of itself it need not know"
    others = [seat for seat in range(config.players) if seat != me]
    assert all(told["heuristic"][one] > ALWAYS * HITS // SEEN for one in others)
    assert all(told["random:nodiscard"][one] < ALWAYS * HITS // SEEN for one in others)


def test_only_rows_a_pick_apart_are_told_from_each_other() -> None:
    """Not those of two rounds, where other packs are dealt, nor a row and one much later."""
    config, rows = GameConfig(3), []

    def watch(game: Game, seat: int) -> None:
        if game.phase == "draft":
            row = lend_row(game.redeterminize(seat, 5)).copy()
            rows.append((game.round, int(row[fields.PICK]), row))

    play_drafts(config, 0, "heuristic", watch)
    for number, pick, before in rows:
        for next_number, next_pick, after in rows:
            rivals = Rivals(config)
            rivals.watch(before, 0)
            rivals.watch(after, 0)
            is_apart = (number, pick + 1) == (next_number, next_pick)
            assert (rivals._seen.sum() > 0) == (is_apart and pick > 0), "of the first packs none is known"


def test_what_is_hidden_tells_nothing() -> None:
    """Rows that agree with what the seat knows, and hide other cards, are counted alike."""
    found = []
    for number in (1, 2, 3):
        rivals = Rivals(GameConfig(4))

        def watch(game: Game, seat: int, rivals: Rivals = rivals, number: int = number) -> None:
            rivals.watch(lend_row(game.redeterminize(seat, number)), seat)

        play_drafts(GameConfig(4), 2, "greedy", watch)
        found.append(rivals.foresee().tolist())
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) > 1


def test_a_game_that_begins_knows_nothing_of_the_one_before() -> None:
    bot, config = PpoSearchAgent(worlds=1, sure=0.0), GameConfig(2)
    bot.reset(0, config, 1)

    def act(game: Game, seat: int) -> None:
        bot.act(make_view(game, seat, bot.profile))

    play_drafts(config, 0, "heuristic", act, rounds=1)
    assert bot._rivals.foresee()[1] > ALWAYS * HITS // SEEN
    bot.reset(0, config, 1)
    assert bot._rivals.foresee().tolist() == [ALWAYS * HITS // SEEN] * 2


# --- In worlds ---------------------------------------------------------------------------------------


@kernel
def foresee_once(row: States, mover: int, often: int, weights: Weights) -> int:
    """What a seat is taken to do."""
    return foresee(row, mover, often, weights)


def rank_by_rules(row: States, seat: int, weights: Weights) -> list[int]:
    """A seat's picks, the first of the rules first: they pick again from what that leaves."""
    left, ranked, start = row.copy(), [], find_pack(row, seat)
    while left[fields.PACK_SIZE]:
        ranked.append(foresee_once(left, seat, ALWAYS, weights))
        taken = ranked[-1] - find_verb(row, verbs.PICK)
        pack = [kind for kind in left[start : start + left[fields.PACK_SIZE]].tolist() if kind != taken]
        left[fields.PACK_SIZE] = len(pack)
        left[start : start + len(pack)] = pack
    return ranked


@pytest.mark.parametrize("often", [0, 150, 600])
@pytest.mark.parametrize(("seed", "kinds"), [(5, 7), (12, 5)])
def test_picks_are_the_best_so_often_and_of_the_rest_the_best_so_often(
    seed: int, kinds: int, often: int
) -> None:
    """Who never picks the best is taken to pick anything, not the worst; one of two alike is as the other."""
    config, seat = GameConfig(4), 1
    game, weights = Game(config, seed), read_weights(False)
    ranked, chance, cards = rank_by_rules(lend_row(game), seat, weights), often / ALWAYS, 7
    assert sorted(ranked) == sorted(game.legal_actions(seat))
    assert len(ranked) == kinds
    worlds = Playouts(load_forward(find_shipped(config)), config).draw_worlds(
        lend_row(game), seat, 4000, np.random.default_rng(1)
    )
    picks = [foresee_once(world, seat, often, weights) for world in worlds]
    expected = dict.fromkeys(ranked, 0.0)
    for rank in range(cards):
        left = (1 - chance) ** cards / cards
        expected[ranked[min(rank, kinds - 1)]] += chance * (1 - chance) ** rank + left
    assert sum(expected.values()) == pytest.approx(1)
    for action, share in expected.items():
        error = (share * (1 - share) / len(picks)) ** 0.5
        assert picks.count(action) / len(picks) == pytest.approx(share, abs=4 * error)


def test_only_picks_are_doubted() -> None:
    """Plans and production are played by the rules however often picks are."""
    config = GameConfig(3)
    game, weights, rng, asked = Game(config, 5), read_weights(False), np.random.default_rng(1), 0
    while not game.over:
        seat = game.seats_to_act()[0]
        if game.phase != "draft":
            row = lend_row(game).copy()
            action = foresee_once(row, seat, 0, weights)
            assert action == foresee_once(row, seat, ALWAYS, weights)
            assert (row == lend_row(game)).all(), "no chance is drawn"
            asked += 1
        game.step(seat, int(rng.choice(game.legal_actions(seat))))
    assert asked > 50


def test_worlds_are_told_how_far_each_seat_is_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surely where nothing is said; else other worlds come of it. Without belief the bot says nothing."""
    config = GameConfig(4)
    game, playouts = Game(config, 5), Playouts(load_forward(find_shipped(config)), config)
    actions = np.array(game.legal_actions(2), np.int16)
    worlds = playouts.draw_worlds(lend_row(game), 2, 8, np.random.default_rng(1))
    plain, sure, unsure = (
        playouts.compare(worlds, 2, actions, often)
        for often in (None, np.full(4, ALWAYS, np.int16), np.array([0, 0, ALWAYS, 0], np.int16))
    )
    assert (plain == sure).all()
    assert (plain != unsure).mean() > 0.5
    said = []

    def compare(_: Playouts, worlds: States, __: int, tried: Actions, often: object) -> object:
        said.append(often)
        return np.zeros((len(tried), len(worlds)))

    monkeypatch.setattr(Playouts, "compare", compare)
    for belief in (0, 1):
        bot = PpoSearchAgent(belief=belief)
        bot.reset(2, config, 1)
        bot.act(make_view(game, 2, bot.profile))
    assert said[0] is None
    assert said[-1].tolist() == [ALWAYS * HITS // SEEN] * 4  # type: ignore[attr-defined]
