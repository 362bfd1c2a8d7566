"""The JAX internals that jace uses, imported in one place and probed at import.

`jax.extend.core` covers most of what is needed; what it lacks is listed here. When a JAX release moves one of
these names, importing this module says which one instead of failing somewhere deep in a translation.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

#: JAX's own, wherever a program has put `jace.jit` in the place of `jax.jit` to have a library run through DaCe.
jax_jit: Any = jax.jit

try:
    from jax._src import config, core, effects, hijax, mesh, source_info_util, traceback_util
    from jax._src.interpreters import ad as _ad
    from jax._src.interpreters import mlir, pxla
    from jax._src.interpreters import partial_eval as pe
    from jax._src.interpreters import remat as _remat
    from jax._src.state import discharge as state_discharge
    from jax._src.state import types as state_types

    try:
        from jax._src import prng
    except ImportError:  # jax 0.10.2 moved it
        from jax._src.random import prng

    try:
        from jax._src import flattree as _flattree
    except ImportError:  # until jax 0.11
        _flattree = None

    # What `jace.releases` needs. Modules that are untyped, and without __all__: for a type checker these are Any.
    ad: Any = _ad
    remat: Any = _remat
    partial_eval: Any = pe
    flattree: Any = _flattree
    discharge_state: Callable[..., Any] = state_discharge.discharge_state
    _PROBED = (ad.linearize_jaxpr, remat.remat_jaxpr, remat.RematTrace.process_primitive)
    DebugInfo = core.DebugInfo
    DropVar = core.DropVar
    JaxprInputEffect = effects.JaxprInputEffect
    ShapedArray = core.ShapedArray
    physical_aval: Callable[[Any], Any] = core.physical_aval
    physical_element_aval: Callable[[Any], Any] = core.physical_element_aval
    trace_context: Callable[[], Any] = config.trace_context
    new_jaxpr_eqn = core.new_jaxpr_eqn
    check_jaxpr: Callable[[Any], None] = core.check_jaxpr
    user_frame = source_info_util.user_frame
    user_context = source_info_util.user_context
    # frames of this package are never "the user's line" of an equation, nor in the traceback of a tracing error
    source_info_util.register_exclusion(os.path.dirname(__file__))
    traceback_util.register_exclusion(os.path.dirname(__file__) + os.sep)
    #: A decorator: errors that leave the function have their tracebacks filtered as jax.jit's have.
    api_boundary = traceback_util.api_boundary
    random_seed_base = prng.random_seed_impl_base
    random_split_base = prng.random_split_impl_base
    random_fold_in_base = prng.random_fold_in_impl_base
    random_bits_base = prng.random_bits_impl_base
    AbstractRef = state_types.AbstractRef
    ReadEffect = state_types.ReadEffect
    AbstractToken = core.AbstractToken
    lower_jaxpr: Callable[[Any], Any] = pe.lower_jaxpr2
    dce_jaxpr: Callable[..., tuple[Any, list[bool]]] = pe.dce_jaxpr
    #: Avals that are an array in another guise: a pinned value, a collective under way.
    _WRAPPERS = (state_types.AbstractLinVal, core.AbstractFuture)
    #: Effects on what a program makes itself: refs, and (until jax 0.11) boxes.
    _PRIVATE_EFFECTS = (core.InternalMutableArrayEffect, *filter(None, [getattr(hijax, "BoxEffect", None)]))
    _discharge_internal_refs = pxla._discharge_internal_refs
    _lowerings = mlir._lowerings
    _platform_lowerings = mlir._platform_specific_lowerings
    _LOWER_FUN_CODE = mlir.lower_fun(lambda: None).__code__
except (ImportError, AttributeError) as error:  # pragma: no cover - depends on the JAX release
    raise ImportError(
        f"jace does not know this JAX release ({jax.__version__}): {error}. It was written for jax 0.10.1 to 0.12.0.1."
    ) from error


def is_key_dtype(dtype: Any) -> bool:
    """Whether `dtype` is a typed PRNG key (key<fry>, ...)."""
    return bool(jax.numpy.issubdtype(dtype, jax.dtypes.prng_key))


def is_extended_dtype(dtype: Any) -> bool:
    """Whether `dtype` stands for another one: a PRNG key, or an extended dtype of a user."""
    return bool(jax.numpy.issubdtype(dtype, jax.dtypes.extended))


def plain_aval(aval: Any) -> Any:
    """The array behind an aval.

    Of pinned values and futures the inner one, of keys the uint32 data, of a token a scalar that nobody reads, of
    float0, the tangents of integers, what XLA passes: booleans.
    """
    if isinstance(aval, _WRAPPERS):
        return plain_aval(aval.inner_aval)
    if isinstance(aval, AbstractToken):
        return ShapedArray((), np.dtype(np.bool_))
    if getattr(aval, "dtype", None) == jax.dtypes.float0:
        return ShapedArray(aval.shape, np.dtype(np.bool_))
    return physical_aval(aval) if is_extended_dtype(getattr(aval, "dtype", None)) else aval


def is_plain(value: Any) -> bool:
    """Whether a value is the array behind it (`plain_value`)."""
    dtype = getattr(value, "dtype", None)
    return dtype is None or not (is_key_dtype(dtype) or dtype == jax.dtypes.float0)


def plain_value(value: Any) -> Any:
    """The array behind a value, of the type that `plain_aval` tells; other values as they are."""
    if is_plain(value):
        return value
    return np.zeros(value.shape, bool) if value.dtype == jax.dtypes.float0 else jax.random.key_data(value)


def mesh_axis_sizes(ctx: Any) -> dict[Any, int]:
    """Axis names and sizes of the mesh that an equation was traced under (`eqn.ctx`)."""
    return dict(ctx.cur_abstract_mesh.shape)


def no_mesh() -> Any:
    """A context manager under which there is no mesh."""
    return mesh.use_abstract_mesh(mesh.empty_abstract_mesh)


def is_array_effect(effect: Any) -> bool:
    """Whether an effect is a read or write of a ref, or of one that lives inside of the program."""
    return isinstance(effect, core.InternalMutableArrayEffect | state_types.RefEffect)


def is_private_effect(effect: Any) -> bool:
    """Whether an effect concerns only what lives inside of the program: refs and boxes that it makes itself."""
    return isinstance(effect, _PRIVATE_EFFECTS)


def lower_fun_of(primitive: Any) -> tuple[Callable[..., Any], bool] | None:
    """The Python function behind a primitive whose lowering is `mlir.lower_fun(fun)`, for CPU or else by default.

    Returns:
        (fun, multiple_results), or None when the lowering is something else.
    """
    for table in (_platform_lowerings["cpu"], _lowerings):
        entry = table.get(primitive)
        found = _unwrapped(entry.rule) if entry is not None else None
        if found is not None:
            return found
    return None


def _unwrapped(rule: Any) -> tuple[Callable[..., Any], bool] | None:
    """(fun, multiple_results) of a rule made by `mlir.lower_fun`, through layers of caching and `partial`."""
    if getattr(rule, "__code__", None) is _LOWER_FUN_CODE:
        cells = dict(zip(rule.__code__.co_freevars, rule.__closure__ or (), strict=True))
        return cells["fun"].cell_contents, bool(cells["multiple_results"].cell_contents)
    if isinstance(rule, functools.partial):
        found = _unwrapped(rule.func)
        return (functools.partial(found[0], **rule.keywords), found[1]) if found and not rule.args else None
    wrapped = getattr(rule, "__wrapped__", None)
    return _unwrapped(wrapped) if wrapped is not None else None


def discharge_refs(closed: Any) -> Any:
    """`closed` with internal mutable arrays (refs) turned into functional updates."""
    internal = core.InternalMutableArrayEffect
    if any(isinstance(effect, internal) for effect in closed.jaxpr.effects):
        return _discharge_internal_refs(closed)
    return closed
