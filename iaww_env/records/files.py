"""Files of records: JSON Lines, one game in each line, gzipped where the name ends in `.gz`."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from iaww_env.errors import ConfigError, RecordError, name_path, quote
from iaww_env.outputs import check_output, is_stream, replace_file
from iaww_env.records.form import FORMAT

GZIP_MAGIC = b"\x1f\x8b"
LONGEST_LINE = 1 << 22  # bytes; a game of seven seats with all its checks takes some 120,000
MOST_NAMES = 1000


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records to a file, gzipped where its name ends in `.gz`; returns how many.

    The same records give the same bytes, gzipped or not. The file takes its place when all stand in it.

    Raises:
        ConfigError: The file cannot be written, or holds something else than records.
    """
    path = Path(path)
    written = 0
    with replace_file(path, holds_records) as file:
        packer = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if path.suffix == ".gz" else None
        out = packer or file
        for record in records:
            out.write(json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n")
            written += 1
        if packer is not None:
            packer.close()
    return written


def check_records(path: str | Path, *, replace: bool = False) -> None:
    """Refuse, before there is anything to write, a file that records may not be written to.

    Games that somebody has kept are never lost by the way: only who says so has them replaced.

    Args:
        path: The file; a pipe or a device holds nothing that could be lost.
        replace: Whether records that stand there may be replaced.

    Raises:
        ConfigError: It cannot be written, or holds something.
    """
    check_output(path, holds_records)
    if not replace and not is_stream(path) and Path(path).exists() and Path(path).stat().st_size:
        raise ConfigError(
            f"{name_path(path)} holds games already, and is left as it is: name a new file, or say --replace"
        )


def find_free(path: Path) -> Path:
    """The path, or one with a number behind its name, where no file is."""
    name, dot, end = path.name.partition(".")
    numbered = (path.with_name(f"{name}-{number}{dot}{end}") for number in range(2, MOST_NAMES))
    return next((one for one in (path, *numbered) if not one.exists() and not one.is_symlink()), path)


def holds_records(begin: bytes) -> bool:
    """Whether a file with these first bytes holds records, gzipped or not."""
    if begin.startswith(GZIP_MAGIC):
        try:
            begin = zlib.decompressobj(wbits=31).decompress(begin, 4096)
        except zlib.error:
            return False
    return begin.lstrip().startswith(b"{") and f'"{FORMAT}"'.encode() in begin


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The records of a file, one after the other; a gzipped file is known by its first bytes.

    What the records say is not checked here: see `iaww_env.records.verify_record` and `replay`.

    Raises:
        RecordError: The file is cut short or garbled, or holds no record.
        OSError: The file cannot be opened.
    """
    number = 0
    with Path(path).open("rb") as file:
        packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        file.seek(0)
        # Closing the outer file is enough: the unpacking reader holds nothing else.
        lines = gzip.GzipFile(fileobj=file) if packed else file
        while line := _read_line(lines, number + 1):
            number += 1
            yield _parse_line(line, number)
    if not number:
        raise RecordError("the file holds no record")


def _read_line(lines: BinaryIO | gzip.GzipFile, number: int) -> bytes:
    """The next line, read no further than the longest one: a small gzipped file can hold an endless line."""
    try:
        line = lines.readline(LONGEST_LINE + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"record {number}: the gzipped file is cut short or garbled: {error}") from error
    if len(line) > LONGEST_LINE:
        raise RecordError(f"record {number}: the line is longer than {LONGEST_LINE} bytes: this is no game")
    return line


def _parse_line(line: bytes, number: int) -> dict[str, Any]:
    try:
        text = line.decode("utf-8")
        record = json.loads(text, object_pairs_hook=_join_pairs, parse_constant=_refuse_constant)
    except RecordError as error:
        raise RecordError(f"record {number}: {error}") from None
    except RecursionError:
        raise RecordError(f"record {number}: the JSON is nested too deeply") from None
    except ValueError as error:  # JSON, UTF-8, or a number of thousands of digits
        what = "an empty line" if not line.strip() else f"no JSON: {error}"
        raise RecordError(f"record {number}: {what}") from error
    if not isinstance(record, dict):
        raise RecordError(f"record {number}: a record is an object, not {quote(record)}")
    return record


def _join_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a name that stands twice would hide one of its values."""
    joined: dict[str, Any] = {}
    for name, value in pairs:
        if name in joined:
            raise RecordError(f"the field {quote(name)} stands twice in one object")
        joined[name] = value
    return joined


def _refuse_constant(name: str) -> NoReturn:
    raise RecordError(f"{name} is no number that a record can hold")
