"""The call a process made last, in a file that outlives it: later calls of an entry leave no line in the journal."""

from __future__ import annotations

import contextlib
import mmap
import struct
from pathlib import Path

#: Sixteen bytes in the directory of a recording: number of the entry, number of the call. Removed at a clean end.
LAST_CALL = "last-call"
_PAIR = struct.Struct("<QQ")


class LastCall:
    """Notes calls at the price of a store to memory; the system writes it out whatever becomes of the process."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / LAST_CALL
        self._map: mmap.mmap | None = None

    def open(self) -> None:
        """Make the file, in a directory that exists. Raises OSError."""
        if self._map is None:
            with self._path.open("w+b") as file:
                file.write(
                    bytes(_PAIR.size)
                )  # a store to a page without a block on a full disk would be fatal
                file.flush()
                self._map = mmap.mmap(file.fileno(), _PAIR.size)

    def note(self, entry: int, call: int) -> None:
        """Entry number `entry` is called for the `call`-th time."""
        if self._map is not None:
            _PAIR.pack_into(self._map, 0, entry, call)

    def remove(self) -> None:
        """The process comes to a clean end. Raises OSError."""
        self._path.unlink(missing_ok=True)


def read(directory: Path) -> tuple[int, int] | None:
    """Entry and call, when the process did not come to a clean end, or not yet."""
    with contextlib.suppress(OSError, struct.error):  # there is none, or it was being made
        entry, call = _PAIR.unpack((directory / LAST_CALL).read_bytes())
        if entry:
            return entry, call
    return None
