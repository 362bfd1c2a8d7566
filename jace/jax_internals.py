"""The JAX internals that jace uses, imported in one place and probed at import.

`jax.extend.core` covers most of what is needed; what it lacks is listed here. When a JAX release moves one of
these names, importing this module says which one instead of failing somewhere deep in a translation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import jax

try:
    from jax._src import core, source_info_util
    from jax._src.interpreters import mlir, pxla

    try:
        from jax._src import prng
    except ImportError:  # jax 0.10.2 moved it
        from jax._src.random import prng

    DebugInfo = core.DebugInfo
    DropVar = core.DropVar
    ShapedArray = core.ShapedArray
    physical_aval: Callable[[Any], Any] = core.physical_aval
    physical_element_aval: Callable[[Any], Any] = core.physical_element_aval
    new_jaxpr_eqn = core.new_jaxpr_eqn
    check_jaxpr: Callable[[Any], None] = core.check_jaxpr
    user_frame = source_info_util.user_frame
    user_context = source_info_util.user_context
    # frames of this package are never "the user's line" of an equation
    source_info_util.register_exclusion(os.path.dirname(__file__))
    random_seed_base = prng.random_seed_impl_base
    random_split_base = prng.random_split_impl_base
    random_fold_in_base = prng.random_fold_in_impl_base
    random_bits_base = prng.random_bits_impl_base
    _discharge_internal_refs = pxla._discharge_internal_refs
    _lowerings = mlir._lowerings
    _platform_lowerings = mlir._platform_specific_lowerings
    _LOWER_FUN_CODE = mlir.lower_fun(lambda: None).__code__
except (ImportError, AttributeError) as error:  # pragma: no cover - depends on the JAX release
    raise ImportError(
        f"jace does not know this JAX release ({jax.__version__}): {error}. It was written for jax 0.10.1."
    ) from error


def is_key_dtype(dtype: Any) -> bool:
    """Whether `dtype` is a typed PRNG key (key<fry>, ...)."""
    return bool(jax.numpy.issubdtype(dtype, jax.dtypes.prng_key))


def lower_fun_of(primitive: Any) -> tuple[Callable[..., Any], bool] | None:
    """The Python function behind a primitive whose CPU lowering is `mlir.lower_fun(fun)`.

    Returns:
        (fun, multiple_results), or None when the lowering is something else.
    """
    entry = _platform_lowerings["cpu"].get(primitive) or _lowerings.get(primitive)
    if entry is None:
        return None
    rule = entry.rule
    for _ in range(4):  # jax wraps rules in cache or partial layers
        if getattr(rule, "__code__", None) is _LOWER_FUN_CODE:
            cells = dict(zip(rule.__code__.co_freevars, rule.__closure__ or (), strict=True))
            return cells["fun"].cell_contents, bool(cells["multiple_results"].cell_contents)
        rule = getattr(rule, "__wrapped__", None)
        if rule is None:
            return None
    return None


def discharge_refs(closed: Any) -> Any:
    """`closed` with internal mutable arrays (refs) turned into functional updates."""
    effects = core.InternalMutableArrayEffect
    if any(isinstance(effect, effects) for effect in closed.jaxpr.effects):
        return _discharge_internal_refs(closed)
    return closed
