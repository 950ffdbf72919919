"""Games as JSON Lines: noting them, files of them, playing them again, comparing them with the rules.

>>> from iaww_env.records import Recorder, read_records, replay

A record is one JSON object; `form` tells its fields, and `capture` takes them from a game.
"""

from iaww_env.records.files import read_records, write_records
from iaww_env.records.recorder import Recorder, record_game
from iaww_env.records.replay import replay
from iaww_env.records.verify import RecordMismatch, Tally, verify_file, verify_record, verify_records

__all__ = [
    "RecordMismatch",
    "Recorder",
    "Tally",
    "read_records",
    "record_game",
    "replay",
    "verify_file",
    "verify_record",
    "verify_records",
    "write_records",
]
