"""What holds in every state of a game, asked of every row that comes from outside before a kernel sees it.

Kernels look nothing up twice: a kind out of range, or a sum that does not belong to its cards, would lead
them out of the row. So each card must lie in one place, what a row sums up must follow from its cards, and
whatever waits for a decision must belong to the phase. What passes can be played to its end.
"""

from iaww_env.soundness.rows import check_row, check_rows

__all__ = ["check_row", "check_rows"]
