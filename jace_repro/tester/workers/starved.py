"""Time in which a process was ready to run and had no processor: on a busy machine it counts against no limit."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import psutil

#: Where Linux says so of each thread: nanoseconds that it ran, and that it waited for a processor; and how often.
_PROC = Path("/proc")


def waits(pid: int) -> dict[int, float]:
    """Seconds that each thread of a process and of its children has waited for a processor, by the thread's id.

    Empty where the system does not say.
    """
    found: dict[int, float] = {}
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            for thread in (_PROC / str(one.pid) / "task").glob("*/schedstat"):
                with contextlib.suppress(OSError, ValueError, IndexError):  # it ended while being looked at
                    found[int(thread.parent.name)] = int(thread.read_text().split()[1]) * 1e-9
    return found


def waited_since(before: Mapping[int, float], pid: int) -> float:
    """Seconds that the thread which waited longest has waited since: threads wait side by side."""
    return max((seconds - before.get(thread, 0.0) for thread, seconds in waits(pid).items()), default=0.0)
