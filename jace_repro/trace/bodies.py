"""How the functions ran that jaxprs were traced from: one table, which lets go what JAX lets go."""

from __future__ import annotations

import weakref
from typing import Any

from jace_repro.trace.model import Body

#: A body belongs to its function, which JAX's cache of the jaxpr keeps alive: held here, none would ever go.
_bodies: weakref.WeakKeyDictionary[Any, weakref.ref[Body]] = weakref.WeakKeyDictionary()


def note(closed: Any, body: Body) -> None:
    """A jaxpr comes from this run of a function."""
    _bodies[closed] = weakref.ref(body)


def body_of(closed: Any) -> Body | None:
    """How the function ran that a jaxpr was traced from; None when its trace was not seen."""
    found = _bodies.get(closed)
    return found() if found is not None else None
