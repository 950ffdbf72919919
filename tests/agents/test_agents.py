"""Bots: how they are named and found, what they are shown, that they are honest and play as they say."""

from __future__ import annotations

import ast
import gc
import random
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents import Agent, View, list_agents, make_agent, make_view
from iaww_agents.greedy import GreedyAgent, choose_greedily
from iaww_agents.random_agent import RandomAgent
from iaww_env import ConfigError, Game, GameConfig
from iaww_env.bots import specs as bot_specs
from iaww_env.bots.specs import parse_options
from iaww_env.cards import kind, kinds
from iaww_env.engine.fields import MOST_LEGAL, find_layout
from tests.bots.bot_files import OWN_CHANCE, write_bot
from tests.chi_square import find_chi_square, limit_chi_square
from tests.dealt_cards import draw_deals
from tests.envs.single.learner_play import make_vec
from tests.modes import MODES, VERSUS
from tests.processes import ROOT, run_python
from tests.random_play import play_on

BOTS = ("random", "random:nodiscard", "greedy")

# --- Names -------------------------------------------------------------------------------------------


def test_the_registry_is_what_the_package_declares() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert {"random", "greedy", "heuristic", "search"} <= set(declared["iaww.agents"])
    assert set(declared["iaww.agents"]) <= set(list_agents())
    for name in declared["iaww.agents"]:
        assert isinstance(make_agent(name), Agent)


def test_bots_by_name_and_options() -> None:
    assert isinstance(make_agent("greedy"), GreedyAgent)
    plain, without, said = (make_agent(s) for s in ("random", "random:nodiscard", "random:nodiscard=true"))
    assert [bot.nodiscard for bot in (plain, without, said)] == [False, True, True]
    assert make_agent("random:nodiscard") is not without


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("fast", {"fast": True}),
        ("simulations=200,fast", {"simulations": 200, "fast": True}),
        ("a=1.5,b=-3,c=1e3,d=no,e=", {"a": 1.5, "b": -3, "c": 1000.0, "d": "no", "e": ""}),
        ("yes=true,no=False", {"yes": True, "no": False}),
        ("weights=some/where.npz, n = 1_000", {"weights": "some/where.npz", "n": 1000}),
    ],
)
def test_options(text: str, options: dict[str, Any]) -> None:
    parsed = parse_options(text)
    assert parsed == options
    assert [type(value) for value in parsed.values()] == [type(value) for value in options.values()]


@pytest.mark.parametrize("text", ["=1", "a b", "1a=2", "a=1,a=2", "a-b=1"])
def test_options_that_are_none(text: str) -> None:
    with pytest.raises(ConfigError, match="option"):
        parse_options(text, f"random:{text}")


def test_bots_of_modules_files_and_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_bot(
        tmp_path, "my_bots", "def __init__(self, depth=1):\n    self.depth = depth\n" + OWN_CHANCE
    )
    monkeypatch.syspath_prepend(tmp_path)
    for spec, depth in (("my_bots:Bot", 1), (path, 1), (f"{path}:Bot", 1), (f"{path}:Bot:depth=7", 7)):
        bot = make_agent(spec)
        assert type(bot).__name__ == "Bot"
        assert bot.depth == depth
    assert make_agent("my_bots:Bot:depth=3").depth == 3
    assert type(make_agent(path)) is type(make_agent(f"{path}:Bot")), "a file is loaded once"
    assert isinstance(make_agent(GreedyAgent), GreedyAgent)
    assert make_agent(lambda: RandomAgent(nodiscard=True)).nodiscard
    monkeypatch.chdir(tmp_path)
    assert type(make_agent("my_bots.py")) is type(make_agent(path))


def test_a_bot_needs_no_base_class(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text(
        "class Plain:\n"
        "    asked = 0\n"
        "    def reset(self, seat, config, seed):\n        pass\n"
        "    def act(self, view):\n        Plain.asked += 1\n        return view.legal_actions()[0]\n"
    )
    play_batch_of(str(path))
    assert type(make_agent(str(path))).asked > 30


def play_batch_of(spec: str) -> None:
    env = make_vec("3", 2, opponents=[spec])
    env.reset(seed=1)
    for _ in range(30):
        env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gready", ["did you mean 'greedy'", "random", "module:Class"]),
        ("", ["there are", "greedy"]),
        ("nothing at all", ["greedy", "random"]),
        ("greedy:depth=3", ["'depth'", "no options"]),
        ("random:nodiscards", ["did you mean 'nodiscard'"]),
        ("no_such_module:Bot", ["no_such_module", "greedy"]),
        ("json:Bot", ["json", "'Bot'", "none"]),
        ("iaww_agents.greedy:Gready", ["'Gready'", "GreedyAgent"]),
        ("iaww_agents.greedy:CUBE", ["no class"]),
        ("json:dumps", ["obj"]),
        ("no/such/file.py", ["no file"]),
        (7, ["text", "class"]),
        (None, ["text", "class"]),
    ],
)
def test_bots_that_do_not_exist(spec: Any, said: list[str]) -> None:
    with pytest.raises((ConfigError, TypeError)) as caught:
        make_agent(spec)
    for part in said:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "none"),
        ("class A:\n    act = 1\nclass B:\n    act = 2\n", "several: A, B"),
        ("from iaww_agents import Agent\n", "none"),
    ],
)
def test_files_without_one_bot(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bots.py"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        make_agent(str(path))
    with pytest.raises(ConfigError, match="act"):
        make_agent(dict)


def test_errors_inside_a_file_come_through(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import no_such_package\n")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_package"):
            make_agent(str(path))


def test_bots_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("theirs", "iaww_agents.random_agent:RandomAgent", "iaww.agents"),
        EntryPoint("greedy", "iaww_agents.random_agent:RandomAgent", "iaww.agents"),
        EntryPoint("broken", "no_such_package:Bot", "iaww.agents"),
    ]
    monkeypatch.setattr(bot_specs, "entry_points", lambda group: points if group == "iaww.agents" else [])
    bot_specs._find_registered.cache_clear()
    try:
        assert {"theirs", "greedy", "broken"} <= set(list_agents())
        assert isinstance(make_agent("theirs:nodiscard"), RandomAgent)
        assert isinstance(make_agent("greedy"), GreedyAgent), "ours keep their names"
        with pytest.raises(ConfigError, match="no_such_package"):
            make_agent("broken")
    finally:
        bot_specs._find_registered.cache_clear()


def test_the_environment_imports_no_bots() -> None:
    """Neither in its text, nor when all of it is loaded."""
    for path in (ROOT / "iaww_env").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if re.match(r"(iaww_agents|iaww_training)\b", name)], path
    run_python(
        "-c",
        "import iaww_env, sys; [getattr(iaww_env, name) for name in dir(iaww_env)]; "
        "iaww_env.SoloEnv().reset(seed=1); assert 'iaww_agents' not in sys.modules",
    )


# --- What a bot is shown -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_a_view_says_what_the_seat_may_know(mode: str) -> None:
    game, rng = Game(MODES[mode], 3), random.Random(3)
    for number, _ in enumerate(play_on(game, rng)):
        if number % 7:
            continue
        for seat in game.seats_to_act():
            view = make_view(game, seat, "compact" if number % 2 else "full")
            assert view.legal_actions() == game.legal_actions(seat)
            assert (view.action_mask == game.action_mask(seat)).all()
            assert [view.text(action) for action in view.legal_actions()] == game.legal_texts(seat)
            assert view.config is game.config
            drawn = view.sample_game(5)
            assert drawn == game.redeterminize(seat, 5)
            assert view.sample_game(np.random.default_rng(1)) != drawn


def test_a_view_has_nothing_else() -> None:
    """What it offers, and that no attribute leads to a game or to its row."""
    game = Game(GameConfig(players=3), 1)
    view = make_view(game, 1)
    public = {name for name in dir(view) if not name.startswith("_")}
    assert public == {"action_mask", "config", "legal_actions", "observation", "sample_game", "text"}
    with pytest.raises(AttributeError):
        view.game = game  # type: ignore[attr-defined]
    values = [getattr(view, name) for name in dir(view) if not re.match(r"_View__|__", name)]
    for value in values:
        assert not isinstance(value, Game)
        assert not (isinstance(value, np.ndarray) and np.shares_memory(value, game.row))
        assert game not in gc.get_referents(value)


def test_a_view_stays_as_it_was() -> None:
    """Later moves do not reach it, and what a bot does to it reaches nothing."""
    game = Game(GameConfig(players=2), 1)
    view, before = make_view(game, 0), game.clone()
    drawn = view.sample_game(9)
    for seat in (0, 1):
        game.step(seat, game.legal_actions(seat)[0])
    assert view.sample_game(9) == drawn == before.redeterminize(0, 9)
    after = game.clone()
    world = view.sample_game(9)
    world.step(0, world.legal_actions(0)[0])
    view.observation[:], view.action_mask[:] = 3, 1
    assert game == after
    assert view.sample_game(9) == drawn


# --- Honest ------------------------------------------------------------------------------------------


def ask(bot: Agent, view: View, seat: int, seed: int = 8) -> int:
    bot.reset(seat, view.config, seed)
    return int(bot.act(view))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("mode", MODES)
def test_a_bot_plays_the_same_whatever_is_hidden(mode: str, bot: str) -> None:
    """Packs, decks, secret picks and what others have done in this phase, all drawn anew."""
    game, rng, agent = Game(MODES[mode], 5), random.Random(5), make_agent(bot)
    changed = 0
    for number, _ in enumerate(play_on(game, rng)):
        if number % 5 or game.over:
            continue
        seat = rng.choice(game.seats_to_act())
        drawn = game.redeterminize(seat, number)
        changed += drawn != game
        assert ask(agent, make_view(game, seat), seat) == ask(agent, make_view(drawn, seat), seat)
    assert changed > 10


@pytest.mark.parametrize("mode", MODES)
def test_the_kernel_of_greedy_looks_at_nothing_hidden(mode: str) -> None:
    """It is given the whole row, so here the hidden cards of the row itself are drawn anew."""
    game, rng, room = Game(MODES[mode], 6), random.Random(6), np.zeros(MOST_LEGAL, np.int16)
    agent, decisions = GreedyAgent(), 0
    for _ in play_on(game, rng):
        for seat in game.seats_to_act():
            action = choose_greedily(game.row, seat, room)
            assert action in game.legal_actions(seat)
            assert choose_greedily(game.redeterminize(seat, decisions).row, seat, room) == action
            if decisions % 10 == 0:
                assert ask(agent, make_view(game, seat), seat) == action
            decisions += 1
    assert decisions > 100


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_moves(bot: str) -> None:
    """After other games as well; and bots with a chance of their own differ by seed and by seat."""
    used, fresh = make_agent(bot), make_agent(bot)
    games = [play_alone(used, seed) for seed in (1, 2, 1)]
    assert games[0] == games[2] == play_alone(fresh, 1)
    assert (games[0] != games[1]) == bot.startswith("random")


def play_alone(bot: Agent, seed: int) -> list[int]:
    """A bot's moves in a game against others that do not change."""
    game, moves = Game(GameConfig(players=2), 4), []
    bot.reset(0, game.config, seed)
    for _ in range(60):
        if 0 in game.seats_to_act():
            moves.append(bot.act(make_view(game, 0)))
            game.step(0, moves[-1])
        else:
            game.step(1, game.legal_actions(1)[0])
    return moves


# --- As they say ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodiscard", [False, True])
def test_random_bots_are_uniform_and_keep_what_they_should(nodiscard: bool) -> None:
    """Chi-square over 400 draws for each legal action of one position, from a fixed seed."""
    game, rng = Game(GameConfig(players=2), 2), random.Random(2)
    for _ in play_on(game, rng):
        legal = game.legal_texts(0)
        if sum(text.startswith("discard") for text in legal) > 1 and len(legal) > 5:
            break
    bot, view = RandomAgent(nodiscard), make_view(game, 0)
    kept = [text for text in legal if not (nodiscard and text.startswith("discard"))]
    bot.reset(0, game.config, 3)
    drawn = [view.text(bot.act(view)) for _ in range(400 * len(kept))]
    assert set(drawn) == set(kept)
    counts = np.array([drawn.count(text) for text in kept])
    assert find_chi_square(counts, 400) < limit_chi_square(len(kept) - 1, spare=5)


@pytest.mark.parametrize("spec", ["random", "random:nodiscard"])
def test_random_opponents_in_the_kernel_are_uniform_too(spec: str) -> None:
    """Its first pick, from one hand, in 2,000 games with streams of their own."""
    env = make_vec("2", 2000, opponents=[spec], seat=1, observation="compact")
    env.reset(seed=1, options={"deals": draw_deals(env.config, 3)})
    hand = sorted(set(env.game(0).hand(0)))
    names = [one.id for one in kinds()]
    picks = [
        names[number - 1] for number in find_layout(env.config).views(env._lanes.states).picked[:, 0].tolist()
    ]
    assert sorted(set(picks)) == hand
    counts = np.array([picks.count(name) for name in hand])
    assert find_chi_square(counts, len(picks) / len(hand)) < limit_chi_square(len(hand) - 1, spare=5)


def test_random_opponents_in_the_kernel_keep_what_they_should() -> None:
    """Uniform play gives up nearly all that it slates; without discards all is built or still open."""
    kept = []
    for spec in ("random", "random:nodiscard"):
        env = make_vec("2", 32, opponents=[spec], autoreset_mode="NextStep")
        env.reset(seed=1)
        state, ended = find_layout(env.config).views(env._lanes.states), np.zeros(32, np.bool_)
        table = np.zeros(32)
        while not ended.all():
            over = env.step(env.action_masks().argmax(axis=1))[2]
            table[over & ~ended] = (state.n_built + state.n_sites)[over & ~ended, 1]
            ended |= over
        kept.append(table.mean())
    # Of 28 drafted cards about half are slated.
    assert kept[0] < 6
    assert kept[1] > 12


def place_kind(game: Game, seat: int, name: str, missing: list[int]) -> None:
    """A card under construction, with so much missing of each space."""
    n = int(game.state.n_sites[seat])
    card = kind(name)
    game.state.site_kind[seat, n], game.state.site_card[seat, n] = card.index, card.first_card
    game.state.site_missing[seat, n] = missing
    game.state.site_left[seat, n] = sum(missing)
    game.state.open[seat] += np.array(missing, np.int16)
    game.state.n_sites[seat] += 1


def start_step(seat: int = 0) -> Game:
    """The first production step of round 2 with empty tables; the seat has one loose cube of materials."""
    game = Game(GameConfig(players=2, empires=("aztec_empire", "noram_states")), 1)
    game.state.phase[...], game.state.step[...], game.state.round[...] = 2, 0, 2
    game.state.loose[seat], game.state.loose_resource[seat] = 1, 0
    game.state.krystallium[:] = 0
    return game


def test_greedy_completes_what_is_nearly_built() -> None:
    """Of two copies of a kind that production will fill it takes the one with the fewer open spaces."""
    for missing in (
        [[3, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]],
        [[1, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]],
    ):
        game = start_step()
        for one in missing:
            place_kind(game, 0, "wind_turbines", one)
        game.state.site_card[0, 1] += 1
        game.state.production[0, 0] = 9
        action = ask(GreedyAgent(), make_view(game, 0), 0)
        nearer = 1 if missing[0][0] == 3 else 0
        assert game.actions.to_text(action) == ("place:wind_turbines#2" if nearer else "place:wind_turbines")


@pytest.mark.parametrize(("name", "missing", "used"), [("zeppelin", 1, True), ("wind_turbines", 3, False)])
def test_greedy_keeps_tokens_that_gain_less_than_they_are_worth(name: str, missing: int, used: bool) -> None:
    """One krystallium that completes a card is laid on it; on one that is far from built it is not."""
    game = start_step()
    game.state.loose[0], game.state.krystallium[0] = 0, 1
    place_kind(game, 0, name, [0, missing, 0, 0, 0, 0, 0, 0])
    game.state.production[0] = 0
    texts = [game.actions.to_text(ask(GreedyAgent(), make_view(game, 0), 0))]
    assert texts == (["use:krystallium_as_energy"] if used else ["end"])


def test_greedy_never_digs_and_never_gives_up() -> None:
    for mode in ("3", "solo", "solo-ascension-sc01"):
        game, room = Game(MODES[mode], 2), np.zeros(MOST_LEGAL, np.int16)
        while not game.over:
            seat = game.seats_to_act()[0]
            text = game.actions.to_text(choose_greedily(game.row, seat, room))
            assert not text.startswith(("dig", "discard"))
            game.step(seat, text)


@pytest.mark.parametrize(
    ("mode", "least"), [("2", 27), ("3", 23), ("4", 22), ("4-ascension", 22), ("solo", 30)]
)
def test_greedy_in_self_play_scores_what_it_should(mode: str, least: float) -> None:
    """Mean points of 40 games; at home they are much more, so no seed makes this fail by chance."""
    room, points = np.zeros(MOST_LEGAL, np.int16), []
    for seed in range(40):
        game = Game(MODES[mode], seed)
        while not game.over:
            for seat in game.seats_to_act():
                game.step(seat, choose_greedily(game.row, seat, room))
        points += game.scores()
    assert np.mean(points) > least


def test_greedy_beats_random_play() -> None:
    """Four greedy games in five against three that never discard: fair is one in four."""
    env = make_vec("4", 32, opponents=["random:nodiscard"], seat="rotate", autoreset_mode="SameStep")
    env.reset(seed=3)
    bot, won, ended = GreedyAgent(), 0, 0
    while ended < 60:
        actions = []
        for g in range(32):
            seat = env.call("learner_seat")[g] if g == 0 else env._lanes.seat(g)
            actions.append(choose_greedily(env._lanes.states[g], seat, bot._legal))
        _, rewards, over, *_ = env.step(np.array(actions))
        ended, won = ended + over.sum(), won + (rewards[over] == 1).sum()
    assert won / ended > 0.8


def test_every_mode_is_played(tmp_path: Path) -> None:
    """Whole games of every bot in every mode with two seats and more, through the environment."""
    for number, mode in enumerate(VERSUS):
        spec = BOTS[number % len(BOTS)]
        table = mode
        env = make_vec(table, 2, opponents=[spec], autoreset_mode="SameStep")
        env.reset(seed=1)
        assert any(env.step(env.action_masks().argmax(axis=1))[2].any() for _ in range(400))
