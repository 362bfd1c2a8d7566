"""Where in a user's file a worker is, or was when it died, by the stacks that `faulthandler` writes."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import psutil

#: A worker writes its stacks when it is sent this.
ASKS = signal.SIGUSR1
#: Seconds that it may take to write them, and between two looks.
_SECONDS, _POLL_SECONDS = 1.0, 0.05

_STACKS = re.compile(r"^(?:Current thread|Thread) ", re.MULTILINE)
_FRAME = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<name>.*)$', re.MULTILINE)
#: What applies the passes of a user's own: where no function of its file is under way, what is of that file is a rule.
_APPLIES = ("translate", "transform.py")


def ask(pid: int, log: Path) -> None:
    """Have a worker write its stacks at the end of its log, if it can."""
    before = log.stat().st_size
    try:
        psutil.Process(pid).send_signal(ASKS)
    except psutil.Error:
        return  # it ended by itself
    until = time.monotonic() + _SECONDS
    while log.stat().st_size == before and time.monotonic() < until:
        time.sleep(_POLL_SECONDS)
    time.sleep(_POLL_SECONDS)  # the rest of it


def within_pass(text: str, file: Path) -> str | None:
    """The innermost place in a file of passes that is under way, "line 12, in f"; None where none is.

    Args:
        text: of the log.
        file: the user's.
    """
    for stack in reversed(_STACKS.split(text)):
        frames = list(_FRAME.finditer(stack))
        own = [frame for frame in frames if frame["file"] == str(file)]
        if own and any(Path(frame["file"]).parts[-2:] == _APPLIES for frame in frames):
            return f"line {own[0]['line']}, in {own[0]['name']}"
    return None
