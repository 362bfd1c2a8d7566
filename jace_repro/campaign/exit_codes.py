"""The exit codes of every command; `jace-repro --help` explains them."""

from __future__ import annotations

NOTHING, FINDING, ERROR, PROGRAM_FAILS = 0, 1, 2, 3
#: As a shell reports a command that ctrl-C ended.
INTERRUPTED = 130
