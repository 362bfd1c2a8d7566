"""The exit codes of every command; `jace-repro --help` explains them."""

from __future__ import annotations

from collections.abc import Mapping

NOTHING, FINDING, ERROR, PROGRAM_FAILS = 0, 1, 2, 3
#: As a shell reports a command that ctrl-C ended.
INTERRUPTED = 130
#: By the kind of an outcome; what comes first counts most.
OF_KIND: Mapping[str, int] = {"finding": FINDING, "harness": ERROR, "program": PROGRAM_FAILS, "fine": NOTHING}
