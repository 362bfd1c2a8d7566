"""Time in which a process was ready to run and had no processor: on a busy machine it counts against no limit."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import psutil

#: Where Linux says so of each thread: nanoseconds that it ran, and that it waited for a processor; and how often.
_PROC = Path("/proc")


def waits(pid: int) -> dict[int, float]:
    """Seconds that each thread of a process has waited for a processor, by the thread's id.

    Empty where the system does not say, and of a process that has ended.
    """
    found: dict[int, float] = {}
    for thread in (_PROC / str(pid) / "task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError, IndexError):  # it ended while being looked at
            found[int(thread.parent.name)] = int(thread.read_text().split()[1]) * 1e-9
    return found


def waited_since(before: Mapping[int, float], pid: int) -> float:
    """Seconds that the thread of a process, or of its children, which waited longest has waited since.

    Threads wait side by side. Children that there are now (compilers) have been started since: to find them takes a
    walk through all processes of the machine, which nobody is asked for before a limit is reached.
    """
    now = waits(pid)
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            now |= waits(child.pid)
    return max((seconds - before.get(thread, 0.0) for thread, seconds in now.items()), default=0.0)
