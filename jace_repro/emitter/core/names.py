"""Names in a script: of functions and variables, and those that neither may have."""

from __future__ import annotations

import functools
import keyword
import re
from collections.abc import Iterable, Iterator

from jace_repro.emitter.core import prelude

#: Short names that a script gives dtypes, by the dtype's own.
SHORT_DTYPES = {
    "bool": "bool_",
    "bfloat16": "bf16",
    **{f"int{n}": f"i{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": f"u{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    **{f"complex{n}": f"c{n}" for n in (64, 128)},
}

_MODULES_AND_BUILTINS = (
    *("np", "jax", "lax", "jnp", "ad", "io", "S", "J", "P"),
    *("int", "set", "len", "jit", "raw"),
)
_RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *_MODULES_AND_BUILTINS))


def variable_names(taken: Iterable[str] = ()) -> Iterator[str]:
    """a, b, ..., z, aa, ab, ... without keywords and the names in use."""
    avoid = _RESERVED | set(taken)
    letters = "abcdefghijklmnopqrstuvwxyz"
    prefixes = [""]
    while True:
        names = [prefix + letter for prefix in prefixes for letter in letters]
        yield from (name for name in names if name not in avoid)
        prefixes = names


def identifier(name: str, fallback: str = "fun") -> str:
    """A readable Python identifier for a function's name, never one that a variable could have."""
    text = re.sub(r"\W+", "_", name).strip("_") or fallback
    if text == "lambda":
        text = "lambda_"
    if text[0].isdigit():
        text = f"{fallback}_{text}"
    return f"{text}_fn" if len(text) <= 3 or text in _RESERVED or text in prelude.FUNCTIONS else text


def plain_identifier(name: str) -> str:
    """A Python identifier for a function's name: the name itself where it is one and means nothing else."""
    own = name.isidentifier() and name not in _RESERVED and name not in prelude.FUNCTIONS
    return name if own else identifier(name)


def rule_names(name: str) -> list[str]:
    """The names of the derivative rules of a function."""
    return [f"{name}_jvp", f"{name}_fwd", f"{name}_bwd"]


def unused(name: str, taken: Iterable[str]) -> str:
    """`name`, or the first of name_2, name_3, ... that is not taken."""
    taken = set(taken)
    found, count = name, 2
    while found in taken:
        found, count = f"{name}_{count}", count + 1
    return found


# the same expressions are asked about again whenever a variable gets another value
@functools.lru_cache(1 << 16)
def words(text: str) -> frozenset[str]:
    """The variables in an expression, and perhaps more."""
    return frozenset(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text))
