"""The call a process made last, in a file that outlives it: later calls of an entry leave no line in the journal."""

from __future__ import annotations

import contextlib
import os
import struct
import threading
from pathlib import Path

#: Sixteen bytes in the directory of a recording: number of the entry, number of the call. Removed at a clean end.
LAST_CALL = "last-call"
_PAIR = struct.Struct("<QQ")


class LastCall:
    """Notes calls in one small write each; the system keeps it whatever becomes of the process.

    A memory-mapped file would be quicker by a microsecond, and fatal to the process should anybody truncate it.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / LAST_CALL
        self._file: int | None = None
        self._lock = threading.RLock()

    def open(self) -> None:
        """Make the file, in a directory that exists. Raises OSError."""
        with self._lock:
            if self._file is None:
                self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
                os.pwrite(self._file, bytes(_PAIR.size), 0)

    def note(self, entry: int, call: int) -> None:
        """Entry number `entry` is called for the `call`-th time."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk: the journal says so
                os.pwrite(self._file, _PAIR.pack(entry, call), 0)

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)

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
