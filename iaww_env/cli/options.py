"""Options that several commands share."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Literal

from tyro.conf import OmitArgPrefixes, arg

from iaww_env.cards import SIDES

if TYPE_CHECKING:
    from iaww_env.config import GameConfig


@dataclasses.dataclass(frozen=True)
class GameOptions:
    """What is played."""

    players: Annotated[int | None, arg(metavar="INT", help_behavior_hint="")] = None
    """Seats, 1 (solo) to 7; four by default, one in a scenario."""
    expansions: Annotated[
        tuple[Literal["corruption_and_ascension"], ...],
        arg(metavar="{corruption_and_ascension}", help_behavior_hint=""),
    ] = ()
    """Expansions that are added to the base game."""
    empire_side: Annotated[str | None, arg(metavar=f"{{{','.join(SIDES)}}}", help_behavior_hint="")] = None
    """Side of the empire cards; A by default, B in a scenario."""
    empires: Annotated[tuple[str | None, ...], arg(metavar="EMPIRE ...", help_behavior_hint="")] = ()
    """One empire for each seat, None to draw it; all drawn by default. `iaww cards --empires` lists them."""
    scenario: Annotated[str | None, arg(metavar="SCENARIO", help_behavior_hint="")] = None
    """A solo scenario, such as base_sc01; `iaww cards --scenarios` lists them."""

    def make_config(self) -> GameConfig:
        """The configuration that the options describe."""
        from iaww_env.config import GameConfig

        players = self.players
        if players is None:
            players = 4 if self.scenario is None else 1
        return GameConfig(
            players=players,
            expansions=self.expansions,
            empire_side=self.empire_side,
            empires=self.empires or None,
            scenario=self.scenario,
        )


Options = OmitArgPrefixes[GameOptions]
STANDARD_GAME = GameOptions()
