"""Which arguments of JAX's public functions are functions to trace: one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jace_repro.trace.public_api import public_name
from jace_repro.trace.values import is_array

_FIRST = (
    *("checkpoint", "remat", "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacrev", "jvp", "linear_transpose"),
    *("linearize", "named_call", "value_and_grad", "vjp", "vmap"),
    *("lax.scan", "lax.map", "lax.associative_scan"),
    *("numpy.vectorize", "numpy.frompyfunc", "numpy.fromfunction", "numpy.apply_along_axis"),
    *("numpy.apply_over_axes", "experimental.checkify.checkify"),
    *(f"scipy.sparse.linalg.{name}" for name in ("cg", "gmres", "bicgstab")),
)
#: Where public functions take functions; no other argument of theirs is one, though it may be callable.
PLACES = {
    **{f"jax.{name}": (0,) for name in _FIRST},
    "jax.lax.cond": (1, 2),
    "jax.lax.switch": (1,),
    "jax.lax.while_loop": (0, 1),
    "jax.lax.fori_loop": (2,),
    "jax.lax.custom_root": (0, 2, 3),
    "jax.lax.custom_linear_solve": (0, 2, 3),
    "jax.lax.reduce": (2,),
    "jax.lax.reduce_window": (2,),
    "jax.numpy.piecewise": (2,),
    "jax.scipy.optimize.minimize": (0,),
    "jax.experimental.ode.odeint": (0,),
}
#: Keyword arguments of public functions that are functions to trace (a checkpoint policy is not).
_KEYWORDS = frozenset(
    (
        *("f", "fun", "func", "fn", "body", "body_fun", "cond_fun", "true_fun", "false_fun", "branches"),
        *("solve", "computation", "transpose_solve", "tangent_solve", "matvec", "pyfunc", "init_fun"),
        "operator",
    )
)


def replace_functions(
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    replacement: Callable[[Callable[..., Any]], Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a public function with the user's functions among them replaced.

    An object that can be called may be data as well (a model that is differentiated): it is a function only where
    the public function takes one.
    """
    places = PLACES.get(name)
    if places is None:
        return args, kwargs
    if name == "jax.lax.cond" and len(args) == 5 and not callable(args[1]):
        places = (2, 4)  # an older form: cond(pred, true_operand, true_fun, false_operand, false_fun)
    return (
        tuple(_replaced(a, replacement) if i in places else a for i, a in enumerate(args)),
        {k: _replaced(v, replacement) if k in _KEYWORDS else v for k, v in kwargs.items()},
    )


def _replaced(value: Any, replacement: Callable[[Callable[..., Any]], Any]) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_replaced(v, replacement) for v in value)
    if not callable(value) or isinstance(value, type) or is_array(value) or public_name(value) is not None:
        return value
    return replacement(value)
