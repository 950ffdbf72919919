"""Which games a tournament plays: duplicate deals, and who sits where.

A *deal* is a seed, and all deals of a tournament follow from its key, which no bot is told: who could guess
a seed would know every card. The same deal is played again and again with the line-up rotated through the
seats, so that every bot plays every seat of the same cards, and the luck of the cards cancels.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from iaww_env.bots.seeds import derive_bot_seed, derive_number, derive_stream_seed
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import seed_stream
from iaww_env.errors import ConfigError, quote

Lineup = tuple[str, ...]

KEY_BYTES = 16
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game that is to be played; the same fixture always goes the same way.

    Attributes:
        deal: Number of the deal in its tournament.
        seed: Seed of the game.
        agents: Specs of the bots, by seat.
        config: What is played.
        turn: Which rotation of the deal it is.
    """

    deal: int
    seed: int
    agents: Lineup
    config: GameConfig
    turn: int = field(default=0, compare=False)

    def make_stream(self) -> npt.NDArray[np.int64]:
        """The stream from which random bots draw; whoever guesses it from their play has no deal."""
        return seed_stream(derive_stream_seed(self.seed))

    def seed_bot(self, seat: int) -> int:
        """Where the own chance of the bot in a seat begins; it does not lead back to the deal."""
        return derive_bot_seed(self.seed, seat)


def draw_key() -> str:
    """A key of 128 bits that nobody can guess."""
    return secrets.token_hex(KEY_BYTES)


def check_key(key: object) -> str:
    """A key as a text; None draws one."""
    if key is None:
        return draw_key()
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise ConfigError(f"a key is a text of 1 to {LONGEST_KEY} letters, not {quote(key)}")
    return key


def list_lineups(agents: Sequence[str], players: int) -> list[Lineup]:
    """Who plays together: every bot takes equally many seats, and what is left over goes round.

    Four bots for four seats are one line-up; two take two seats each; of six, every four play together.
    """
    if not agents:
        raise ConfigError("name at least one bot")
    each, over = divmod(players, len(agents))
    everybody = tuple(agents) * each
    return [everybody + more for more in combinations(agents, over)]


def list_rotations(lineup: Lineup) -> list[Lineup]:
    """The line-up rotated through the seats, each different seating once."""
    turned = [lineup[by:] + lineup[:by] for by in range(len(lineup))]
    return list(dict.fromkeys(turned))


def schedule_games(
    config: GameConfig, agents: Sequence[str], key: str, *, duplicates: bool = True
) -> Iterator[Fixture]:
    """The games of a tournament without end, deal by deal.

    Args:
        config: What is played.
        agents: Specs of the bots; one that is named twice takes twice the seats.
        key: All deals follow from it.
        duplicates: Play each deal in every rotation. Otherwise every game is a deal of its own.
    """
    lineups = list_lineups(agents, config.players)
    deal = 0
    while True:
        rng = np.random.default_rng(derive_number(key, "seating", deal))
        for lineup in choose_lineups(config, lineups, deal):
            # Who sits to whose left changes from deal to deal: rotating keeps neighbours together.
            seated = tuple(lineup[i] for i in rng.permutation(len(lineup)).tolist())
            rotations = list_rotations(seated) if duplicates else [seated]
            for turn, turned in enumerate(rotations):
                yield Fixture(deal, derive_number(key, "deal", deal), turned, config, turn)
        deal += 1


def choose_lineups(config: GameConfig, lineups: list[Lineup], deal: int) -> list[Lineup]:
    """The line-ups that play a deal: they take turns; solo, every bot plays every deal."""
    if config.solo:
        return lineups
    return [lineups[deal % len(lineups)]]


def take_deals(fixtures: Iterator[Fixture], games: int) -> Iterator[list[Fixture]]:
    """The fixtures deal by deal, until there are at least so many games."""
    taken: list[Fixture] = []
    count = 0
    for fixture in fixtures:
        if taken and fixture.deal != taken[-1].deal:
            yield taken
            if count >= games:
                return
            taken = []
        taken.append(fixture)
        count += 1
