"""The record of one entry: a distinct program that a user's program gave JAX. Plain data, no JAX needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any


@dataclass(frozen=True)
class CallOptions:
    """How a jitted function was called beside its arrays.

    `static`: text of the static arguments by name. `donated`: numbers of the flat inputs that were donated.
    `notes`: what a script of the call does not keep.
    """

    static: Mapping[str, str] = field(default_factory=dict)
    donated: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def noting(self, *notes: str) -> CallOptions:
        """The same with more notes."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True)
class Entry:
    """What an entry is, where it comes from, how large it is, and how it was called.

    `fingerprint` is `jace.ir.fingerprint` of its jaxpr, None where the trace failed; `callbacks` tells programs apart
    that differ only in their Python callbacks, "" where there are none. `source` is where the function stands,
    "file:line", `call_site` the user's line that called it, "file:line (function)". `eager` marks the operations that
    JAX itself jits (`jnp.sin(x)` between jitted calls). `primitives` counts the equations by name. `options` are
    those of one call: they are in the headers of its scripts and not in the journal.
    """

    name: str
    fingerprint: str | None = None
    callbacks: str = ""
    source: str = ""
    call_site: str = ""
    thread: str = "MainThread"
    eager: bool = False
    equations: int = 0
    primitives: Mapping[str, int] = field(default_factory=dict)
    options: CallOptions = field(default_factory=CallOptions)

    @property
    def origin(self) -> str:
        """Function and its source, for the header of a repro."""
        return f"{self.source} ({self.name})" if self.source else self.name

    @property
    def place(self) -> str:
        """Where a person looks for it: its source, or the user's line that called it when that lies in a library."""
        in_a_library = "site-packages" in self.source or "dist-packages" in self.source
        return self.call_site if in_a_library and self.call_site else self.source

    def event(self) -> dict[str, Any]:
        """The fields of the journal's event; those that an entry lacks are left out."""
        known = {name: getattr(self, name) for name in _JOURNALED}
        return {name: value for name, value in known.items() if value or name not in _LACKING}

    @classmethod
    def of_event(cls, event: Mapping[str, Any]) -> Entry:
        """What an event of a journal, which may be an older one, says of an entry."""
        return cls(**{name: event[name] for name in _JOURNALED if name in event})


_JOURNALED = tuple(f.name for f in fields(Entry) if f.name != "options")
_LACKING = ("fingerprint", "callbacks")
