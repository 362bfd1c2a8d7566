"""How much a recording writes: its limit, shared by all its processes, and equal sidecars stored once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import MutableMapping
from pathlib import Path

#: Holds the bytes of repros written so far, where there is a limit.
USED = "disk-used"


class NoRoomError(Exception):
    """What would be written exceeds the limit; `general` says so without numbers that differ from entry to entry."""

    def __init__(self, used: int, needed: int, limit: int) -> None:
        self.general = f"repros whose inputs would exceed --max-disk {limit}; a larger one keeps them"
        super().__init__(f"{used} bytes are written and --max-disk is {limit}: {needed} more would exceed it")


class DiskBudget:
    """How many bytes of repros a recording may still write; the journal, a line an event, is not counted.

    The processes of a recording add to one number, in a file of its directory.
    """

    def __init__(self, limit: int | None, root: Path) -> None:
        self.limit = limit
        self._file = root / USED

    def require(self, needed: int) -> None:
        """Raises NoRoomError unless so many bytes may be written, and OSError."""
        if self.limit is not None and (used := self._add(0)) + needed > self.limit:
            raise NoRoomError(used, needed, self.limit)

    def spent(self, path: Path) -> None:
        """Count a file that was written. Raises OSError."""
        if self.limit is not None:
            self._add(path.stat().st_size)

    def _add(self, size: int) -> int:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a+", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # given back when the file is closed, by a kill too
            file.seek(0)
            used = int(file.read() or 0) + size
            if size:
                file.truncate(0)
                file.write(str(used))
        return used


def share_sidecar(path: Path, sha256: str, known: MutableMapping[str, Path]) -> bool:
    """Make a sidecar a link to an equal one of the same recording; whether there was one.

    `known` are the sidecars written so far by checksum: `path` is added when it is the first of its kind.
    """
    first = known.setdefault(sha256, path)
    if first == path:
        return False
    temporary = path.with_name(f".{path.name}.{os.getpid()}.link")
    try:
        os.link(first, temporary)
    except OSError:  # removed meanwhile, or a file system without links: the copy stays
        return False
    temporary.replace(path)
    return True
