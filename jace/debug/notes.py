"""Comments in generated C++ that say what a line computes, so that a crash can be told in the user's terms.

Written only inside `annotated(True)` (sanitized builds): a build without them is not a byte longer. A line ends with

    // = PRIMITIVE | EQUATION | FILE:LINE (FUNCTION)    what the kernel emitter knows
    // @ state STATE, map MAP, node NODE                what DaCe's code generator knows

and `locate` reads them back.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace

from jax.extend.core import JaxprEqn

from jace.ir.core import describe, source_of

_enabled: ContextVar[bool] = ContextVar("jace_notes", default=False)

_EQUATION = re.compile(r"// = (.*?) \| (.*?) \| (.*?)\s*(?=// @ |$)")
_ROUND = str.maketrans("{}", "()")
_PLACE = re.compile(r"// @ state (\S*), map (\S*), node (\S*)")
_NOTE = re.compile(r"[ \t]*// (?:= .*? \| .*|@ state \S*, map .*)$", re.MULTILINE)
#: The declaration of a tasklet's input or output, with its name; the access to the array is on this line.
_CONNECTOR = re.compile(r"(\w+) = &?\w[\w.>-]*\[|\] = (\w+);")


@dataclass(frozen=True)
class Location:
    """Where a line of annotated C++ comes from; "" for what is not known.

    Attributes:
        state, map, node: labels in the SDFG.
        primitive: name of the equation's primitive.
        equation: one line, as errors print it.
        source: "file:line (function)" of the user.
    """

    state: str = ""
    map: str = ""
    node: str = ""
    primitive: str = ""
    equation: str = ""
    source: str = ""


@contextlib.contextmanager
def annotated(enabled: bool) -> Iterator[None]:
    """Whether what is planned and generated inside (in this thread) carries comments."""
    token = _enabled.set(enabled)
    try:
        yield
    finally:
        _enabled.reset(token)


def equation_note(eqn: JaxprEqn | None) -> str:
    """What ends a line that computes `eqn`; "" when nobody asked for it."""
    if eqn is None or not _enabled.get():
        return ""
    text = " ".join(f"{eqn.primitive.name} | {describe(eqn)} | {source_of(eqn)}".split())
    if text.count("{") != text.count("}"):
        text = text.translate(_ROUND)  # a parameter was cut short, and DaCe indents what follows by braces
    return f"  // = {text.replace(chr(92), '/')}"  # a backslash would swallow the next line


def is_noted(line: str) -> bool:
    """Whether a line says which equation it computes."""
    return _EQUATION.search(line) is not None


def place_note(state: str, map_: str, node: str) -> str:
    """What ends a line that DaCe generated for a node of a state."""
    return f"  // @ state {state}, map {map_}, node {node}"


def sources_in(text: str) -> tuple[str, ...]:
    """The places of the user's program ("file:line (function)") that lines of annotated C++ come from, each once."""
    return tuple(dict.fromkeys(found[3] for line in text.splitlines() if (found := _EQUATION.search(line))))


def without_notes(text: str) -> str:
    """Annotated C++ without its comments."""
    return _NOTE.sub("", text)


def locate(source: str, line: int) -> Location | None:
    """Where line `line` (from 1) of annotated C++ comes from; None for a line of no node (a header, say).

    A line that DaCe wrote for a tasklet's operand or result has no equation of its own: it gets that of the first
    line of the tasklet that names the same connector, else of the tasklet's last equation, which the others lead to.
    """
    lines = source.splitlines()
    if not 0 < line <= len(lines):
        return None
    text = lines[line - 1]
    place = _PLACE.search(text)
    if place is None:
        return None
    found = _EQUATION.search(text) or _equation_nearby(lines, line - 1, place[0])
    made = Location(place[1], place[2], place[3])
    return made if found is None else replace(made, primitive=found[1], equation=found[2], source=found[3])


def _equation_nearby(lines: list[str], at: int, place: str) -> re.Match[str] | None:
    same = [k for k, text in enumerate(lines) if place in text and _EQUATION.search(text)]
    names = _CONNECTOR.search(lines[at].partition("//")[0])
    name = next(filter(None, names.groups()), None) if names else None
    naming = [k for k in same if name and re.search(rf"\b{name}\b", lines[k].partition("//")[0])]
    chosen = naming[:1] or same[-1:]
    return _EQUATION.search(lines[chosen[0]]) if chosen else None
