"""The game itself: rounds, phases, whose turn it is and what each action does.

Start `ReferenceGame(config, deals=deals)` or `ReferenceGame(config, pools=pools, source=source)`; then, while
it is not over, `step(seat, text)` with one of `legal_actions(seat)` for a seat among `seats_to_act()`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tests.reference.card_table import (
    DATA_FOLDER,
    RESOURCES,
    check_config,
    check_deal,
    read_card_table,
    require,
    scenario_cards,
)
from tests.reference.dig import DigDecks, Source
from tests.reference.result import (
    find_medal,
    find_supreme_seats,
    find_title,
    has_named_cards,
    rank_seats,
)
from tests.reference.seat import USES, Dig, Seat

ROUNDS = 4
PICKS = 7
SUPREMACY = {  # ruling 8; science: the choice of either
    "materials": "financier",
    "energy": "general",
    "gold": "financier",
    "exploration": "general",
}


class ReferenceGame:
    """One game. `round`, `phase`, `pick` and `over` say where it stands; `pick` is 0 outside the draft."""

    def __init__(
        self,
        config: dict[str, Any],
        deals: list[list[list[str]]] | None = None,
        pools: list[list[str]] | None = None,
        source: Source | None = None,
        data_folder: Path = DATA_FOLDER,
    ) -> None:
        """Set up the game: `deals[round][seat]` for two and more players, `pools` and a `source` for solo.

        A source with a method `follow` is handed the game, so that it can see the discards it has to shuffle.
        """
        self.table = read_card_table(data_folder)
        check_config(config, self.table)
        self.config = config
        self.players: int = config["players"]
        self.solo = self.players == 1
        side = config["empire_side"]
        self.seats = [Seat(self.table.empires[name, side]) for name in config["empires"]]
        for kind in scenario_cards(config, self.table):
            self.seats[0].start_construction(self.table.cards[kind])
        if self.solo:
            self.set_up_pools(pools, source)
        else:
            self.set_up_deals(deals)
        self.round = 0
        self.pick = 0
        self.phase = ""
        self.begin_round()

    def set_up_deals(self, deals: list[list[list[str]]] | None) -> None:
        """Keep what each seat will be dealt in each round."""
        if deals is None:
            raise ValueError("a game of two or more players needs deals")
        packs_per_round = [len(packs) for packs in deals]
        require(packs_per_round == [self.players] * ROUNDS, "one pack for each round and seat")
        check_deal([pack for packs in deals for pack in packs], self.config, self.table)
        self.deals = deals

    def set_up_pools(self, pools: list[list[str]] | None, source: Source | None) -> None:
        """Keep the pools in order; all other cards are the decks that can be dug.

        In a scenario as in the standard game of the same boxes (rulings 15 and 16).
        """
        if pools is None or len(pools) != 2 * ROUNDS:
            raise ValueError("a solo game needs eight pools")
        check_deal(pools, self.config, self.table)
        self.pools_to_come = [list(pool) for pool in pools]
        decks = self.table.card_pool(self.config["expansions"])
        decks -= Counter(scenario_cards(self.config, self.table))
        decks -= Counter(kind for pool in pools for kind in pool)
        self.decks = DigDecks(decks, self.table, source)
        follow = getattr(source, "follow", None)
        if follow is not None:
            follow(self)

    # --- asking ---------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def seats_to_act(self) -> list[int]:
        """All seats that still owe a decision in this phase (in the draft: in this pick)."""
        return [number for number, seat in enumerate(self.seats) if not seat.ended]

    def legal_actions(self, seat_number: int) -> set[str]:
        """What the seat may do now; `wait` alone when it has nothing to decide."""
        seat = self.seats[seat_number]
        if seat.ended:
            return {"wait"}
        if self.phase == "draft":
            return {f"pick:{kind}" for kind in seat.hand}  # and nothing else (ruling 19)
        if seat.held is not None:
            _, space = USES[seat.held]
            return seat.legal_places(space)
        if seat.must_choose:
            return {"choose:general", "choose:financier"}
        return seat.legal_uses() | seat.legal_discards() | self.legal_main_actions(seat)

    def legal_main_actions(self, seat: Seat) -> set[str]:
        """What stands to be done next, besides using tokens and giving cards up."""
        if seat.dig is not None:
            if seat.dig.tosses_owed:
                return {f"toss:{kind}" for kind in seat.drafted}
            return {f"pick:{kind}" for kind in seat.dig.looked_at}
        if seat.loose:
            return {"to_empire"} | seat.legal_places(str(seat.loose_resource))
        if not seat.drafted:
            return {"end"}
        actions = {f"slate:{kind}" for kind in seat.drafted} | {f"recycle:{kind}" for kind in seat.drafted}
        if self.solo and len(seat.drafted) >= 2:
            actions |= {f"dig:{deck}" for deck in self.decks.diggable_decks(seat.discarded)}
        return actions

    def position(self, seat_number: int) -> dict[str, Any]:
        """Everything about the seat, as plain data."""
        return self.seats[seat_number].describe()

    # --- acting ---------------------------------------------------------------------------------

    def step(self, seat_number: int, text: str) -> None:
        """Carry out one action of one seat; a ValueError, and nothing changed, when it is not legal."""
        require(seat_number in range(self.players), f"no seat {seat_number}")
        require(text in self.legal_actions(seat_number), f"not legal for seat {seat_number}: {text}")
        if text == "wait":
            return
        seat = self.seats[seat_number]
        verb, _, argument = text.partition(":")
        if verb == "pick":
            self.pick_card(seat, argument)
        elif verb == "slate":
            seat.drafted.remove(argument)
            seat.start_construction(self.table.cards[argument])
        elif verb == "recycle":
            seat.drafted.remove(argument)
            seat.recycle_card(self.table.cards[argument])
        elif verb == "toss":
            self.toss_card(seat, argument)
        elif verb == "place":
            seat.place_on_site(argument)
        elif verb == "discard":
            seat.discard_site(argument)
        elif verb == "use":
            seat.use_token(argument)
        elif verb == "to_empire":
            seat.place_on_empire()
        elif verb == "choose":
            seat.must_choose = False
            seat.tokens[argument] += 1
        elif verb == "dig":
            seat.dig = Dig(argument)
        else:
            assert verb == "end"
            seat.ended = True
        self.move_on()

    def pick_card(self, seat: Seat, kind: str) -> None:
        """Pick from the pack in the draft, or keep one of the cards looked at in a dig."""
        if self.phase == "draft":
            seat.hand.remove(kind)
            seat.drafted.append(kind)
            seat.ended = True
        else:
            assert seat.dig is not None
            seat.dig.looked_at.remove(kind)
            seat.drafted.append(kind)
            seat.discarded.update(seat.dig.looked_at)
            seat.dig = None

    def toss_card(self, seat: Seat, kind: str) -> None:
        """Pay a card for a dig; after the second, look at the top of the deck."""
        assert seat.dig is not None
        seat.drafted.remove(kind)
        seat.discarded[kind] += 1
        if seat.dig.tosses_owed == 2:
            seat.dig.tosses_owed = 1
            return
        try:
            seat.dig.looked_at = self.decks.look_at_top(seat.dig.deck, seat.discarded)
        except Exception:
            seat.discarded[kind] -= 1
            seat.drafted.append(kind)
            raise
        seat.dig.tosses_owed = 0

    # --- the course of the game -----------------------------------------------------------------

    def move_on(self) -> None:
        """Take the next pool, or go on to the next pick, phase or round, when everybody is ready for it."""
        if self.solo:
            self.take_second_pool()
        if self.seats_to_act():
            return
        if self.phase == "draft":
            self.end_pick()
        elif self.phase == "planning":
            self.begin_production("materials")
        elif self.phase != "exploration":
            self.begin_production(RESOURCES[RESOURCES.index(self.phase) + 1])
        elif self.round < ROUNDS:
            self.begin_round()
        else:
            self.phase = "over"

    def begin_round(self) -> None:
        """Deal the packs; solo: start planning."""
        self.round += 1
        if self.solo:
            self.begin_planning()
            return
        self.phase = "draft"
        for seat, pack in zip(self.seats, self.deals[self.round - 1], strict=True):
            seat.hand = list(pack)
            seat.ended = False

    def end_pick(self) -> None:
        """Pass the packs on; after the seventh pick discard what is left and start planning (ruling 1)."""
        self.pick += 1
        if self.pick == PICKS:
            for seat in self.seats:
                seat.discarded.update(seat.hand)
                seat.hand = []
            self.pick = 0
            self.begin_planning()
            return
        packs = [seat.hand for seat in self.seats]
        step_to_neighbour = 1 if self.round in (1, 3) else -1  # left, or right
        for number, pack in enumerate(packs):
            neighbour = self.seats[(number + step_to_neighbour) % self.players]
            neighbour.hand = pack
            neighbour.ended = False

    def begin_planning(self) -> None:
        """Start planning; solo: with the first pool of the round."""
        self.phase = "planning"
        for seat in self.seats:
            seat.ended = False
        if self.solo:
            self.seats[0].drafted = self.pools_to_come.pop(0)

    def take_second_pool(self) -> None:
        """Start the second sequence of a solo planning phase once the first is done (ruling 13)."""
        seat = self.seats[0]
        pools_after_this_round = 2 * (ROUNDS - self.round)
        first_sequence = len(self.pools_to_come) > pools_after_this_round
        busy = seat.drafted or seat.loose or seat.held is not None or seat.dig is not None
        if self.phase == "planning" and first_sequence and not busy:
            seat.drafted = self.pools_to_come.pop(0)

    def begin_production(self, resource: str) -> None:
        """Count what every seat makes, award supremacy by it, then hand out the cubes (ruling 8)."""
        self.phase = resource
        produced = [seat.count_production(resource) for seat in self.seats]
        for number in find_supreme_seats(produced):
            seat = self.seats[number]
            if resource == "science":
                seat.must_choose = True
            else:
                seat.tokens[SUPREMACY[resource]] += 1  # there are always enough (ruling 18)
        for seat, amount in zip(self.seats, produced, strict=True):
            seat.ended = False
            seat.receive_cubes(resource, amount)

    # --- the result -----------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of every seat, as things stand."""
        return [seat.points() for seat in self.seats]

    def places(self) -> list[int]:
        """The place of every seat, 1 for the best, as things stand."""
        return rank_seats(self.seats)

    def winners(self) -> list[int]:
        """The seats on the first place (a solo seat always; see `medal` and `title`)."""
        return [number for number, place in enumerate(self.places()) if place == 1]

    def scenario_won(self) -> bool | None:
        """Whether all named cards of the scenario are built, as things stand; None in every other game."""
        if self.config.get("scenario") is None:
            return None
        return has_named_cards(self.seats[0], self.table.scenarios[self.config["scenario"]])

    def medal(self) -> str | None:
        """The medal in a scenario, as things stand; None in every other game."""
        if self.config.get("scenario") is None:
            return None
        return find_medal(self.seats[0], self.table.scenarios[self.config["scenario"]])

    def title(self) -> str | None:
        """The title in the standard solo game, as things stand; None in every other game."""
        if not self.solo or self.config.get("scenario") is not None:
            return None
        return find_title(self.seats[0].points())
