"""Numbers of the rulebook that several parts of the package read."""

from __future__ import annotations

DIRECTIONS = (1, -1, 1, -1)  # by round: to which neighbour packs pass, seat + 1 is the left one (ruling 1)
