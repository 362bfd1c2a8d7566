"""What is known of a jaxpr beside its equations: one record for each, as long as it lives."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

from jace_repro.trace.model import Body


@dataclass(frozen=True)
class TraceInfo:
    """What was seen of the trace that a jaxpr comes from.

    The body belongs to its function, which JAX's cache of the jaxpr keeps alive: held here, none would ever go.
    """

    _body: weakref.ref[Body]

    @property
    def body(self) -> Body | None:
        """How the function ran that was traced."""
        return self._body()


_infos: weakref.WeakKeyDictionary[Any, TraceInfo] = weakref.WeakKeyDictionary()


def note(closed: Any, body: Body) -> None:
    """A jaxpr comes from this run of a function."""
    _infos[closed] = TraceInfo(weakref.ref(body))


def body_of(closed: Any) -> Body | None:
    """How the function ran that a jaxpr was traced from; None when its trace was not seen."""
    info = _infos.get(closed)
    return info.body if info is not None else None
