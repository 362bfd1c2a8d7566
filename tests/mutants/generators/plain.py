"""What a user of hypothesis writes in an afternoon: some arrays, and a few functions of jax.numpy on them.

Nothing knows which primitives there are, where their critical points lie, or what has been reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from jax import lax

from mutants.generators import Made, numbered

#: Examples that one run of hypothesis makes; its first one is always the smallest.
_EXAMPLES = 60
_DTYPES = ("float32", "int32", "float16", "uint8", "bool", "complex64")
_UNARY = (
    *(
        "abs",
        "sin",
        "cos",
        "tan",
        "tanh",
        "exp",
        "log",
        "sqrt",
        "square",
        "negative",
        "floor",
        "ceil",
        "round",
    ),
    *(
        "sign",
        "exp2",
        "log1p",
        "expm1",
        "arctan",
        "sinh",
        "cosh",
        "isnan",
        "isinf",
        "logical_not",
        "real",
        "conj",
    ),
    *("sort", "argsort", "cumsum", "cumprod", "flip", "ravel", "transpose", "diff", "unwrap", "nan_to_num"),
)
_BINARY = (
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "maximum", "minimum"),
    *("arctan2", "hypot", "equal", "less", "greater_equal", "logical_and", "matmul", "outer", "left_shift"),
)
_REDUCTIONS = ("sum", "prod", "max", "min", "mean", "std", "argmax", "argmin", "any", "all", "median")
_WAYS: dict[str, Callable[..., Any]] = {
    "plain": lambda f, *xs: f(*xs),
    "jit": lambda f, *xs: jax.jit(f)(*xs),
    "vmap": lambda f, *xs: jax.vmap(f)(*xs),
    "grad": lambda f, *xs: jax.grad(lambda *ys: jnp.sum(f(*ys)))(*xs),
    "scan": lambda f, x, *xs: lax.scan(lambda c, _: (f(c, *xs).astype(c.dtype), None), x, None, 3)[0],
}


@st.composite
def _functions(draw: st.DrawFn) -> Callable[..., Any]:
    """A chain of functions of two arrays, in one way."""
    steps = draw(
        st.lists(
            st.one_of(
                st.tuples(st.just("unary"), st.sampled_from(_UNARY)),
                st.tuples(st.just("binary"), st.sampled_from(_BINARY)),
                st.tuples(st.just("reduction"), st.sampled_from(_REDUCTIONS)),
            ),
            min_size=1,
            max_size=6,
        )
    )
    way = _WAYS[draw(st.sampled_from(sorted(_WAYS)))]

    def chain(x: Any, y: Any) -> Any:
        for kind, name in steps:
            function = getattr(jnp, name)
            if kind == "reduction":
                x = function(x, axis=-1 if x.ndim else None)
            else:
                x = function(x, y) if kind == "binary" else function(x)
        return x

    return lambda x, y: way(chain, x, y)


@st.composite
def _examples(draw: st.DrawFn) -> Made:
    """A function with two arrays of shapes that broadcast."""
    (one, other), _ = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=6))
    dtype = np.dtype(draw(st.sampled_from(_DTYPES)))
    arrays = [draw(hnp.arrays(dtype, shape)) for shape in (one, other)]
    return Made(draw(_functions()), arrays)


def programs(seed: int) -> Iterator[Made]:
    """What hypothesis draws, in its order; many are not well-typed, and JAX refuses them."""
    for number in numbered(seed):
        yield from _drawn(number)


def _drawn(seed: int) -> list[Made]:
    found: list[Made] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=_EXAMPLES,
        phases=[hypothesis.Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(_examples())
    def draw(example: Made) -> None:
        found.append(example)

    draw()
    return found
