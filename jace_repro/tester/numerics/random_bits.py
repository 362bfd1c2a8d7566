"""Random bits, as XLA has them, sooner: their code is long and takes XLA seconds to optimise for each shape.

They are integers, exact however they are compiled. Without optimisation that takes a sixth of the time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.extend.core import JaxprEqn

from jace_repro.tester.xla_options import UNOPTIMIZED

#: Primitives that hold a counter-based generator.
GENERATORS = frozenset({"random_bits", "random_fold_in", "random_seed", "random_split", "threefry2x32"})


def generated(eqn: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of an equation of one of these, on its operands: arrays of integers and typed keys."""
    with eqn.ctx.manager:
        outs = _compiled(eqn.primitive, tuple(sorted(eqn.params.items())))(*operands)
    return list(outs) if eqn.primitive.multiple_results else [outs]


@functools.lru_cache(maxsize=256)  # a campaign meets new shapes for hours
def _compiled(primitive: Any, params: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    return jax.jit(functools.partial(primitive.bind, **dict(params)), compiler_options=UNOPTIMIZED)
