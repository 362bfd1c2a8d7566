"""Finds where a JAX program and its DaCe translation disagree, and reduces each disagreement to a script.

The command line is ``jace-repro`` (see :mod:`jace_repro.cli`). For use inside Python:

* :func:`record` — a context manager that journals every entry JAX traces in its body, and writes a repro of each;
* :func:`check` — compares one function on one set of arguments through XLA and DaCe, for use in a test; the pytest
  fixture ``jace_check`` is the same. It raises :class:`DisagreementError`, which has a :class:`Verdict` a pipeline;
* :func:`load` — reads a repro file: a :class:`Repro`;
* :func:`reduce` — makes a failing repro as small as it gets: a :class:`Reduced`;
* ``%load_ext jace_repro`` — in a notebook; then ``%%jace_repro`` records and tests a cell.

PYTEST_DONT_REWRITE: a recorded pytest finds this package imported already, and would warn that it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.api import DisagreementError, check, reduce
    from jace_repro.campaign.reduce import NothingToReduceError
    from jace_repro.campaign.report import Report
    from jace_repro.cli.notebook import load_ipython_extension, unload_ipython_extension
    from jace_repro.reducer import Reduced
    from jace_repro.repro import Repro, ReproError, load
    from jace_repro.tester import Verdict
    from jace_repro.tracker.api import LiveRecording, record
    from jace_repro.tracker.recording import RecordedEntry, Recording

__all__ = [
    "DisagreementError",
    "LiveRecording",
    "NothingToReduceError",
    "RecordedEntry",
    "Recording",
    "Reduced",
    "Report",
    "Repro",
    "ReproError",
    "Verdict",
    "check",
    "load",
    "load_ipython_extension",
    "record",
    "reduce",
    "unload_ipython_extension",
]

#: Where each public name is defined. Imported on first use: the tracker must be importable before JAX is, and `--help`
#: needs neither.
_HOME: Mapping[str, str] = {
    "DisagreementError": "jace_repro.api",
    "LiveRecording": "jace_repro.tracker.api",
    "NothingToReduceError": "jace_repro.campaign.reduce",
    "RecordedEntry": "jace_repro.tracker.recording",
    "Recording": "jace_repro.tracker.recording",
    "Reduced": "jace_repro.reducer",
    "Report": "jace_repro.campaign.report",
    "Repro": "jace_repro.repro",
    "ReproError": "jace_repro.repro",
    "Verdict": "jace_repro.tester",
    "check": "jace_repro.api",
    "load": "jace_repro.repro",
    "load_ipython_extension": "jace_repro.cli.notebook",
    "record": "jace_repro.tracker.api",
    "reduce": "jace_repro.api",
    "unload_ipython_extension": "jace_repro.cli.notebook",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
