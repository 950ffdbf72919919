"""The drawing says what `look_at_game` says, to each viewer what it may know, and what it may do."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env.breakdown import PARTS
from iaww_env.cards import SPACES, TYPES, scenario
from iaww_env.cards import kind as find_kind
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.render.seen import SeenSeat, look_at_game
from iaww_env.viewer.drawing import TEXT, Box, Panel, Sign, Strip, Text
from iaww_env.viewer.letters import measure_text
from iaww_env.viewer.panels import draw_game, draw_seen
from iaww_env.viewer.symbols import FILLED
from tests.modes import CA, MODES
from tests.viewer.drawn_games import list_positions


def count_signs(strip: Strip) -> Counter[str]:
    """The signs of a card's spaces: all before its arrow."""
    found: Counter[str] = Counter()
    arrows = [shape.points[0] for shape in strip.shapes if hasattr(shape, "points") and not shape.fill]
    x, y = arrows[0] if arrows else (0, 0)
    for shape in strip.shapes:
        if isinstance(shape, Sign) and shape.y > 20 and (shape.y, shape.x) < (y, x):
            found[shape.name] += 1
    return found


def find_panel(panels: tuple[Panel, ...], name: str) -> Panel:
    return next(panel for panel in panels if panel.name == name)


def read_texts(strip: Strip) -> list[str]:
    return [shape.text for shape in strip.shapes if isinstance(shape, Text)]


def check_seat(panel: Panel, seat: SeenSeat, parts: dict[str, int]) -> None:
    """Everything that is seen of a seat stands in its panel, in numbers and in cubes."""
    name, production, holdings, *others = panel.strips
    assert str(seat.points) in read_texts(name)
    assert seat.empire.name_en in read_texts(name)
    assert read_texts(production)[1:] == [str(made) for made in seat.production]
    assert read_texts(holdings)[1:4] == [str(count) for count in seat.tokens]
    assert sum(isinstance(one, Box) and one.fill == "ink" for one in holdings.shapes) == seat.empire_cubes
    told = [strip.text for strip in others]
    sources = next((text for text in told if text.startswith("Points: ")), "Points: none yet")
    expected = ", ".join(f"{parts[part]} {part}" for part in PARTS if parts[part])
    assert sources == f"Points: {expected or 'none yet'}"
    sites = [strip for strip in others if " under construction, missing " in strip.text]
    assert len(sites) == len(seat.sites)
    for strip, site in zip(sites, seat.sites, strict=True):
        signs = count_signs(strip)
        assert tuple(signs[space] for space in SPACES) == site.missing
        assert signs[FILLED] == sum(site.kind.cost) - sum(site.missing)
        assert read_texts(strip)[0].startswith(site.kind.name_en)
    built = Counter(strip.text for strip in others if strip.text.startswith("Built: ") and "->" in strip.text)
    assert len(built) == len(seat.built)
    for type in TYPES:
        count = seat.types_built[type]
        assert not count or any(f"{count} {type}" in text for text in told if "by type" in text)
    named = " ".join(told)
    for kind in (*seat.drafted, *(seat.hand or ())):
        assert kind.name_en in named or kind.name_en in " ".join(strip.text for strip in panel.strips)


@pytest.mark.parametrize("mode", MODES)
def test_the_drawing_says_what_is_seen(mode: str) -> None:
    config = MODES[mode]
    for game, step in list_positions(config, 11, 23):
        for viewer in (None, step % config.players):
            seen, panels = look_at_game(game, viewer), draw_game(game, viewer)
            holder = viewer if viewer is not None or game.over else game.seats_to_act()[0]
            assert any(game.phase in text for text in [panels[0].title]) or game.over
            for seat in seen.seats:
                parts = seen.game.score_breakdown(seat.seat).parts
                panel = find_panel(panels, f"seat-{seat.seat}")
                if any(one.name == "pack" for one in panels) and panel.name == f"seat-{holder}":
                    pack = find_panel(panels, "pack")
                    cards = [strip for strip in pack.strips if "recycles to" in strip.text]
                    kinds = set(seat.hand or ()) | ({seat.picked} if seat.picked else set())
                    assert len(cards) >= len(kinds)
                    panel = Panel(panel.name, panel.title, (*panel.strips, *pack.strips))
                check_seat(panel, seat, parts)


@pytest.mark.parametrize("mode", MODES)
def test_drawings_of_a_seat_never_change_with_what_it_cannot_know(mode: str) -> None:
    config = MODES[mode]
    for game, step in list_positions(config, 5, 17):
        seat = step % config.players
        assert draw_game(game.redeterminize(seat, step), seat) == draw_game(game, seat)


def test_a_drawing_is_no_secret_to_a_spectator() -> None:
    game = Game(GameConfig(4), seed=2)
    for card in set(game.hand(3)):
        assert any(
            card.replace("_", " ") in strip.text.lower().replace("-", " ").replace("'", "")
            for panel in draw_game(game)
            for strip in panel.strips
        )
    assert draw_game(game.redeterminize(0, 1)) != draw_game(game)


@pytest.mark.parametrize("players", [1, 3])
def test_what_the_viewer_may_do_stands_where_it_can_be_done(players: int) -> None:
    """Every legal action of the viewer is named by one strip of its own, and no other action by any."""
    offered = 0
    for game, step in list_positions(GameConfig(players, CA), 9, 5):
        seat = step % players
        panels = draw_game(game, seat)
        named = [action for panel in panels for strip in panel.strips for action in strip.actions]
        legal = [text for text in game.legal_texts(seat) if seat in game.seats_to_act()]
        assert sorted(named) == sorted(legal)
        foreign = [panel for panel in panels if panel.name not in ("head", "pack", f"seat-{seat}")]
        assert not any(strip.actions for panel in foreign for strip in panel.strips)
        offered += len(named)
    assert offered > 50


@pytest.mark.parametrize("players", [1, 2, 5])
def test_what_was_seen_before_changes_nothing(players: int) -> None:
    """Seats that are taken over from an earlier look are those that would be read."""
    before = {viewer: None for viewer in (None, *range(players))}
    taken = 0
    for game, step in list_positions(GameConfig(players, CA), 4, 1):
        viewer = (None, *range(players))[step % (players + 1)]
        fresh = look_at_game(game, viewer)
        again = look_at_game(game, viewer, before[viewer])
        assert again.seats == fresh.seats
        assert draw_seen(game, again) == draw_seen(game, fresh)
        if before[viewer] is not None:
            taken += sum(one is other for one, other in zip(again.seats, before[viewer].seats, strict=True))
        before[viewer] = again
    assert taken > 20 or players == 1


def test_who_plays_stands_in_the_head_of_its_panel_and_in_the_result() -> None:
    agents = ("ppo", "search:worlds=64,depth=3,and=many,other,options=1", "")
    *_, (over, _) = list_positions(GameConfig(3), 2, 60)
    panels = draw_game(over, agents=agents)
    for seat, agent in enumerate(agents):
        panel = find_panel(panels, f"seat-{seat}")
        name = panel.strips[0]
        assert ("played by" in name.text) == bool(agent)
        assert agent in name.text
        assert panel.title.endswith(f" \u00b7 {agent}") == bool(agent)
        texts = [shape for shape in name.shapes if isinstance(shape, Text)]
        found = [one for one in texts if one.fill == "muted" and one.size == TEXT]
        assert [one.text for one in found] == [agent] * bool(agent) or found[0].text.endswith("...")
        assert all(agent.startswith(one.text.removesuffix("...")) for one in found)
        points = next(one for one in texts if one.text == str(over.scores()[seat]))
        assert all(one.left + measure_text(one.text, one.size) < points.left for one in found)
    drawn = draw_game(over, agents=("ppo", "ppo", "ppo"))
    assert f"seat {over.winners()[0]} (ppo)" in drawn[0].title


def test_to_act_is_said_of_all_who_decide_and_next_of_one() -> None:
    game = Game(GameConfig(3), seed=2)
    panels = draw_game(game, turn=1)
    assert "to act: seat 0, seat 1, seat 2" in [strip.text for strip in panels[0].strips]
    marks = [read_texts(find_panel(panels, f"seat-{seat}").strips[0]) for seat in range(3)]
    assert ["next" in texts for texts in marks] == [False, True, False]
    assert not any("to act" in texts for texts in marks)


def test_whoever_looks_at_the_own_hand_is_told_so() -> None:
    game = Game(GameConfig(3), seed=2)
    assert find_panel(draw_game(game, 1), "pack").title == "Your hand"
    assert find_panel(draw_game(game, None, 1), "pack").title == "Pack in hand of seat 1"


def test_what_a_scenario_asks_for_is_called_by_its_name() -> None:
    game = Game(MODES["solo-ascension-sc01"], seed=1)
    told = " ".join(strip.text for strip in draw_game(game)[0].strips)
    cards = set(scenario(str(game.config.scenario)).cards)
    assert cards
    for card in cards:
        assert f"{find_kind(card).name_en} 0/" in told
        assert "_" not in card or card not in told
