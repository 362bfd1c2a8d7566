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


def symbol(sdfg: dace.SDFG, extent: int) -> Any:
    """An extent as a symbol, which the SDFG has from now on, where it is more than one."""
    if extent <= 1:
        return extent
    name = f"{_PREFIX}{extent}"
    if name not in sdfg.symbols:
        sdfg.add_symbol(name, dace.int64)
    return pystr_to_symbolic(name)


def values(names: Iterable[str]) -> dict[str, int]:
    """The values of those of these symbols that are extents."""
    return {match[0]: int(match[1]) for name in names if (match := _NAME.fullmatch(name)) is not None}
