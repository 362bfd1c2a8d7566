"""The proof that compiled code ran: the shared libraries of an executable, and how often each was called."""

from __future__ import annotations

from typing import Any

from jace_repro.tester.execute.backends import Executable

#: Of each shared library {"file", "sha256", "calls", "conditional"}; the calls are counted by the library's caller in
#: C. A conditional one is part of a branch or of a loop's body: it need not be called.
Libraries = list[dict[str, Any]]


def loaded(executable: Executable) -> Libraries | None:
    """The shared libraries of an executable with the calls so far; None for a stand-in that has none."""
    ask = getattr(executable, "loaded", None)
    return ask() if ask is not None else None


def calls_between(before: Libraries | None, after: Libraries | None) -> Libraries | None:
    """The libraries with the calls between `before` and `after`."""
    if before is None or after is None:
        return None
    pairs = zip(before, after, strict=True)
    return [{**new, "calls": new["calls"] - old["calls"]} for old, new in pairs]


def called(libraries: Libraries) -> bool:
    """Whether all code was called that a call of the program cannot do without."""
    return all(library["calls"] for library in libraries if not library.get("conditional"))
