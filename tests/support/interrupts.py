"""Processes that ctrl-C reaches."""

from __future__ import annotations

import signal


def as_from_a_terminal() -> None:
    """`preexec_fn` of a process to be interrupted: a shell's background job ignores SIGINT, and its children do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
