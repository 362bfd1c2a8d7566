"""One text that is compiled in several units at once: each has its share of the parts (`jace.build.parts`).

A unit has the parts that `JACE_UNIT` of `JACE_UNITS` says, and the first one what is not in parts. Where neither is
defined, everything is in one.
"""

from __future__ import annotations

import re

#: What stands before the first part.
START = """
#ifdef JACE_UNITS
#define JACE_PART __attribute__((noinline)) void
#else
#define JACE_UNITS 1
#define JACE_UNIT 0
#define JACE_PART static __attribute__((noinline)) void
#endif

"""
_PART = """#if {number} % JACE_UNITS == JACE_UNIT
JACE_PART {function}
{{
{body}}}
#else
JACE_PART {function};
#endif

"""
_REST = """#if JACE_UNIT == 0
{text}#endif
"""
_IS_PART = re.compile(r"^#if (\d+) % JACE_UNITS == JACE_UNIT$", re.MULTILINE)


def part(number: int, function: str, body: str) -> str:
    """A part: its number, from 0, the function as it is declared, the lines of its body."""
    return _PART.format(number=number, function=function, body=body)


def rest(text: str) -> str:
    """What is not in parts, to the end of the text."""
    return _REST.format(text=text)


def parts_in(text: str) -> int:
    """How many parts a text has."""
    return sum(1 for _ in _IS_PART.finditer(text))


def flags(unit: int, units: int) -> tuple[str, str]:
    """What the compiler is told for one unit of so many."""
    return f"-DJACE_UNITS={units}", f"-DJACE_UNIT={unit}"
