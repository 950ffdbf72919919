"""The rules of the game once more: slow, plain Python, to compare the fast engine with.

Written from the rulings and the card table alone, with the standard library only. Start reading in
`rules.py` (the game), then `seat.py` (what one empire owns), `dig.py` (solo), `card_table.py` (card facts).
"""

from tests.reference.rules import ReferenceGame

__all__ = ["ReferenceGame"]
