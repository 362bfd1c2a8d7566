"""Finds where a JAX program and its DaCe translation disagree, and reduces each disagreement to a script.

The command line is ``jace-repro`` (see :mod:`jace_repro.cli`). For use inside Python:

* :func:`record` — a context manager that journals every entry JAX traces in its body;
* :func:`check` — compares one function on one set of arguments through XLA and DaCe, for use in a test; the pytest
  fixture ``jace_check`` is the same.

PYTEST_DONT_REWRITE: a recorded pytest finds this package imported already, and would warn that it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.api import check as check
    from jace_repro.tester import Verdict as Verdict
    from jace_repro.tracker.api import record as record

__all__ = ["check", "record"]


def __getattr__(name: str) -> Any:
    # Imported on first use: the tracker must be importable before JAX is, and `--help` needs neither.
    if name == "record":
        from jace_repro.tracker.api import record

        return record
    if name == "check":
        from jace_repro.api import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
