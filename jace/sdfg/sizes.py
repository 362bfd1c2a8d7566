"""Extents as symbols of an SDFG, of which each has one value: those of `canonical/sizes:symbols`.

A person writes SDFGs for arrays of any size; a jaxpr has numbers. The extent 5 becomes the symbol `size_5`, an argument
of the SDFG that is 5 at every call: what is computed stays the same, and DaCe's passes and its code generator have to
do without numbers. Extents of 0 and 1, which mean something of their own, stay numbers, and so do the places of parts
and what C++ says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import dace
from dace.symbolic import pystr_to_symbolic

_PREFIX = "size_"
_NAME = re.compile(_PREFIX + r"(\d+)")


def number(extent: int) -> Any:
    """An extent as it is."""
    return extent


def symbol(extent: int) -> Any:
    """An extent as a symbol, where it is more than one."""
    return pystr_to_symbolic(f"{_PREFIX}{extent}") if extent > 1 else extent


def declare(sdfg: dace.SDFG, extents: Iterable[int]) -> None:
    """Make the symbols of these extents symbols of an SDFG."""
    for extent in extents:
        if extent > 1 and f"{_PREFIX}{extent}" not in sdfg.symbols:
            sdfg.add_symbol(f"{_PREFIX}{extent}", dace.int64)


def values(names: Iterable[str]) -> dict[str, int]:
    """The values of those of these symbols that are extents."""
    return {match[0]: int(match[1]) for name in names if (match := _NAME.fullmatch(name)) is not None}
