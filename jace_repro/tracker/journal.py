"""The journal of a recording: JSON lines, each handed to the operating system in one write. Needs no JAX."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

JOURNAL = "journal.jsonl"
ENTRIES = "entries"
#: The same programs as their users wrote them.
CALLTREES = "calltrees"
#: Holds a recording for each process that the recorded one started.
CHILDREN = "children"
#: What Python says of a crash (a segmentation fault, say): the stack of each thread.
FAULTS = "faults.txt"
#: Is there when something of a recording could not be written down: making an empty file takes no room.
LOST = "lost"
#: The note of an entry that was not asked for.
LEFT_OUT = "left out: no repro was asked for"
SCHEMA = 1


class Journal:
    """Appends events to ``directory/journal.jsonl``; made with its directory by the first event.

    Unbuffered: a forked child inherits nothing that it could write twice. Locked reentrantly: a signal handler
    may give JAX something while its thread is writing here.
    """

    def __init__(self, directory: Path, header: Mapping[str, Any]) -> None:
        self.directory = directory
        self._header = {"schema": SCHEMA, "time": time.time(), **header}
        self._file: io.FileIO | None = None
        self._closed = False
        self._torn = False
        self._lock = threading.RLock()
        self._start = time.monotonic()

    @property
    def opened(self) -> bool:
        """Whether there is a file."""
        return self._file is not None

    def describe(self, **fields: Any) -> None:
        """Add to the fields of the "start" event; it is written once more when it was written before."""
        self._header.update(fields)
        if self.opened:
            self.write("start", **self._header)

    def open(self) -> None:
        """Write the "start" event. Raises OSError."""
        with self._lock:
            if self._file is not None or self._closed:
                return
            self.directory.mkdir(parents=True, exist_ok=True)
            self._file = (self.directory / JOURNAL).open("ab", buffering=0)
            self._append("start", self._header)

    def write(self, event: str, **fields: Any) -> None:
        """Raises OSError when the disk is full; ignored after :meth:`close`."""
        with self._lock:
            self.open()
            self._append(event, fields)

    def note(self, entry: str, note: str | None) -> None:
        """Attach a remark to an entry, known by its id; None takes it back. Raises OSError."""
        self.write("note", id=entry, note=note)

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            self.abandon()

    def abandon(self) -> None:
        """Close the file without the lock, which a thread that a fork left behind may hold."""
        self._closed = True
        if self._file is not None:
            self._file.close()

    def _append(self, event: str, fields: Mapping[str, Any]) -> None:
        if self._closed or self._file is None:
            return
        stamp = round(time.monotonic() - self._start, 4)
        line = json.dumps({"event": event, "t": stamp, **fields}, default=str).encode() + b"\n"
        # After a write that the disk cut short, the next line must not continue the torn one.
        data = b"\n" + line if self._torn else line
        try:
            self._torn = self._file.write(data) != len(data)
            if self._torn:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), JOURNAL)
        except OSError:
            with contextlib.suppress(OSError):
                (self.directory / LOST).touch()
            raise
