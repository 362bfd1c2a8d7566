"""`jace_call`: the JAX primitive that a jace.jit call binds.

    outs = jace_call[jaxpr=..., name=..., pipeline=..., options=..., rules=..., on_unsupported=...] *operands

`jaxpr` is closed; its constants are small (large ones are leading operands). On CPU it lowers to one XLA
FFI custom call of the shim, or, when equations of it stay with XLA (callbacks; what jace has no rule for, if
`on_unsupported` allows), to a function that calls one such region after the other with those equations between.
Every transformation rule transforms the jaxpr and binds jace_call again, so derivatives and batched programs
run in DaCe too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax._src import core, dispatch, source_info_util
from jax._src import linear_util as lu
from jax._src.interpreters import ad as _ad
from jax._src.interpreters import batching as _batching
from jax._src.interpreters import mlir
from jax._src.interpreters import partial_eval as _pe
from jax._src.interpreters import remat as _remat_lib
from jax._src.state.types import ReadEffect
from jax._src.util import weakref_lru_cache
from jax.extend.core import ClosedJaxpr, JaxprEqn, Primitive

from jace import dtypes, ir, jax_internals
from jace.build import CompilerOptions, shim
from jace.errors import JaceError, UnsupportedPrimitiveError
from jace.primitive import packing
from jace.translate import unit as compilation

# Equations and errors point at the user's lines, not at ours.
for _module in ("api.py", "primitive", "stages.py"):
    source_info_util.register_exclusion(str(Path(__file__).parents[1] / _module))

#: Constants of at most this many elements are compiled in.
_SMALL_CONSTANT = 64

# Untyped, and without __all__: for a type checker these are Any.
ad: Any = _ad
batching: Any = _batching
pe: Any = _pe
remat_lib: Any = _remat_lib

_NOT_MAPPED = getattr(batching, "not_mapped", None)  # jax 0.10.2 says None

jace_call_p: Any = Primitive("jace_call")
jace_call_p.multiple_results = True
# Operands and results are arrays; values of user-defined types in the body are lowered when it is translated.
jace_call_p.is_high = lambda *avals, **params: False


def bind(
    closed: ClosedJaxpr,
    operands: Sequence[Any],
    *,
    name: str,
    pipeline: str,
    options: CompilerOptions,
    rules: str | None = None,
    on_unsupported: str = compilation.DEFAULT_ON_UNSUPPORTED,
) -> list[Any]:
    """Bind a closed jaxpr, its constants hoisted to operands.

    Args:
        operands: one value an input of `closed`.
        rules: token of the rules to compile under; the current one if None.
        on_unsupported: "error" or "xla".
    Returns:
        One value an output.
    """
    hoisted, leading = hoist(closed)
    rules = compilation.current_rules() if rules is None else rules
    return jace_call_p.bind(
        *leading,
        *operands,
        jaxpr=hoisted,
        name=name,
        pipeline=pipeline,
        options=options,
        rules=rules,
        on_unsupported=on_unsupported,
    )


def bind_with_state(closed: ClosedJaxpr, operands: Sequence[Any], **params: Any) -> list[Any]:
    """Bind a closed jaxpr that may read and write refs (`jax.new_ref`), given as operands or closed over.

    jace_call works on values: the refs' contents go in, their final values come out and are written back.
    """
    refs = [isinstance(c, core.Ref) or _is_ref(core.typeof(c)) for c in closed.consts]
    if any(refs):  # refs that the function closes over become leading operands
        moved = _keep(closed.jaxpr.constvars, refs)
        stay = [not r for r in refs]
        consts, invars = _keep(closed.jaxpr.constvars, stay), [*moved, *closed.jaxpr.invars]
        effects = pe.make_jaxpr_effects(consts, invars, closed.jaxpr.outvars, closed.jaxpr.eqns)
        jaxpr = closed.jaxpr.replace(constvars=consts, invars=invars, effects=effects)
        operands = [*_keep(closed.consts, refs), *operands]
        closed = core.ClosedJaxpr(jaxpr, _keep(closed.consts, stay))
    if not any(map(_is_ref, closed.in_avals)):
        return bind(closed, operands, **params)
    pure = ir.discharge(closed)
    values = [x[...] if i in pure.inputs else x for i, x in enumerate(operands)]
    outs = bind(pure.closed, values, **params)
    for position, final in zip(pure.inputs, pure.outputs, strict=True):
        if _writes(closed, position):
            operands[position][...] = outs[final]
    return [out for k, out in enumerate(outs) if k not in pure.outputs]


def _is_ref(aval: Any) -> bool:
    return isinstance(aval, jax_internals.AbstractRef)


def _writes(closed: ClosedJaxpr, position: int) -> bool:
    """Whether a jaxpr may change the ref that is its input at `position`."""
    jaxpr = closed.jaxpr
    variables = [*jaxpr.constvars, *jaxpr.invars]
    written: list[Any] = [
        variables[e.input_index] if hasattr(e, "input_index") else e.input  # jax 0.10.2 names the variable
        for e in closed.effects
        if isinstance(e, jax_internals.JaxprInputEffect) and not isinstance(e, ReadEffect)
    ]
    return jaxpr.invars[position] in written


def hoist(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[Any]]:
    """`closed` with its large constants as leading inputs, and their values.

    Small concrete constants stay: the translator folds them (indices of a gather, say). The same object is
    answered for the same object.
    """
    inner = _hoisted(closed)
    return inner, [c for c in closed.consts if not _stays(c)]


def _stays(const: Any) -> bool:
    if isinstance(const, core.Tracer) or jax_internals.is_key_dtype(getattr(const, "dtype", None)):
        return False
    return np.size(const) <= _SMALL_CONSTANT


@weakref_lru_cache
def _hoisted(closed: ClosedJaxpr) -> ClosedJaxpr:
    jaxpr = closed.jaxpr
    stays = [_stays(c) for c in closed.consts]
    if all(stays):
        return closed
    moved = [v for v, stay in zip(jaxpr.constvars, stays, strict=True) if not stay]
    debug = jaxpr.debug_info
    names = debug.arg_names
    if names is not None:
        debug = debug._replace(arg_names=("",) * len(moved) + tuple(names))
    made = jaxpr.replace(
        constvars=_keep(jaxpr.constvars, stays), invars=[*moved, *jaxpr.invars], debug_info=debug
    )
    return core.ClosedJaxpr(made, _keep(closed.consts, stays))


def unit(params: dict[str, Any]) -> compilation.Unit:
    """The compilation unit of a jace_call equation's parameters."""
    return compilation.unit_of(params["jaxpr"], params["pipeline"], params["options"], params["rules"])


def split(params: dict[str, Any]) -> Any:
    """How a jace_call equation with these parameters is divided (`partition.Split`); None if DaCe takes it whole.

    Raises:
        UnsupportedPrimitiveError: something can be translated by nobody, or may not be left to XLA.
    """
    settings = tuple(sorted((k, v) for k, v in params.items() if k not in ("jaxpr", "name")))
    return _split(params["jaxpr"], params["name"], settings)


@weakref_lru_cache
def _split(closed: ClosedJaxpr, name: str, settings: tuple[tuple[str, Any], ...]) -> Any:
    params = dict(settings)

    def make(region: ClosedJaxpr, operands: Any, outvars: Any, first: JaxprEqn) -> JaxprEqn:
        inner, leading = hoist(region)
        assert not leading, "partition compiles in small constants only"
        whole = {**params, "jaxpr": inner, "name": f"{name}_region", "on_unsupported": "error"}
        return jax_internals.new_jaxpr_eqn(
            list(operands), list(outvars), jace_call_p, whole, set(), first.source_info, first.ctx
        )

    try:
        unit({"jaxpr": closed, **params}).prepare()
    except UnsupportedPrimitiveError:
        from jace.translate import partition

        found = partition.split(closed, make, _stays, leave_unsupported=params["on_unsupported"] == "xla")
        if found is None:  # the refusal of a rule, not the lack of one
            raise
        return found
    return None


def regions(found: Any) -> list[compilation.Unit]:
    """The compilation units of a split program, in order, bodies of loops and branches included."""
    calls = (eqn for _, eqn in ir.walk(found.closed) if eqn.primitive is jace_call_p)
    return [unit(eqn.params) for eqn in calls]


# --- evaluation and lowering


@jace_call_p.def_effectful_abstract_eval
def _abstract_eval(*operands: Any, jaxpr: ClosedJaxpr, **_: Any) -> tuple[list[Any], Any]:
    return list(jaxpr.out_avals), _effects(jaxpr)


def _effects(jaxpr: ClosedJaxpr) -> set[Any]:
    """The effects of a jace_call: refs and boxes that live inside of its jaxpr are nobody else's affair."""
    return {e for e in jaxpr.effects if not jax_internals.is_private_effect(e)}


jace_call_p.def_impl(partial(dispatch.apply_primitive, jace_call_p))


def physical(aval: Any) -> Any:
    """The array that XLA passes for a value: key<fry> is its uint32 data, float0 a bool array."""
    if aval.dtype == jax.dtypes.float0:
        return core.ShapedArray(aval.shape, np.dtype(bool))
    return core.physical_aval(aval)


def _lower_cpu(ctx: Any, *operands: Any, **params: Any) -> Any:
    found = split(params)
    if found is not None:
        return mlir.core_call_lowering(ctx, *operands, name=params["name"], call_jaxpr=found.closed)
    library = unit(params).library
    shim.load()
    key = np.int64(library.call_key)
    plain = ctx.replace(
        avals_in=[physical(a) for a in ctx.avals_in], avals_out=[physical(a) for a in ctx.avals_out]
    )
    if any(dtypes.packed(a.dtype) for a in (*plain.avals_in, *plain.avals_out)):
        call = partial(_call_unpacked, key=key, results=tuple(plain.avals_out))
        return mlir.lower_fun(call, multiple_results=True)(plain, *operands)
    return jax.ffi.ffi_lowering(shim.TARGET)(plain, *operands, key=key)


def _call_unpacked(*operands: Any, key: np.int64, results: tuple[Any, ...]) -> list[Any]:
    """The custom call with a byte for every element that XLA would pack (int4 and the like)."""
    shapes = [jax.ShapeDtypeStruct(a.shape, packing.border_dtype(a.dtype)) for a in results]
    outs = jax.ffi.ffi_call(shim.TARGET, shapes)(*map(packing.unpack, operands), key=key)
    return [packing.repack(out, a.dtype) for out, a in zip(outs, results, strict=True)]


def _lower_elsewhere(ctx: Any, *operands: Any, **params: Any) -> Any:
    platforms = ctx.module_context.platforms
    raise JaceError(
        f"jace.jit compiles for CPU only, and '{params['name']}' was called on {', '.join(platforms)}: "
        "run it under `with jax.default_device(jax.devices('cpu')[0])`, or use jax.jit there"
    )


mlir.register_lowering(jace_call_p, _lower_elsewhere)
# not cacheable: the call may hold callbacks, whose tokens and keep-alives belong to one equation
mlir.register_lowering(jace_call_p, _lower_cpu, platform="cpu", cacheable=False)


# --- forward mode


def _is_nonzero(tangent: Any) -> bool:
    return type(tangent) is not ad.Zero and core.typeof(tangent).dtype != jax.dtypes.float0


def _keep(values: Sequence[Any], keep: Sequence[bool]) -> list[Any]:
    return [v for v, k in zip(values, keep, strict=True) if k]


def _fill_zeros(values: Sequence[Any], nonzero: Sequence[bool], avals: Sequence[Any]) -> list[Any]:
    it = iter(values)
    return [
        next(it) if nz else ad.Zero(aval.to_tangent_aval()) for nz, aval in zip(nonzero, avals, strict=True)
    ]


def _jvp(primals: Any, tangents: Any, *, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    nonzeros = [_is_nonzero(t) for t in tangents]
    jvp_jaxpr, nonzeros_out = ad.jvp_jaxpr(jaxpr, nonzeros, instantiate=False)
    outs = bind(jvp_jaxpr, [*primals, *_keep(tangents, nonzeros)], name=f"{name}_jvp", **params)
    n = len(jaxpr.out_avals)
    return outs[:n], _fill_zeros(outs[n:], nonzeros_out, jaxpr.out_avals)


ad.primitive_jvps[jace_call_p] = _jvp


# --- reverse mode


def _linearize(
    is_vjp: bool, nonzeros: Any, *primals: Any, jaxpr: ClosedJaxpr, name: str, **params: Any
) -> Any:
    """(primal outputs, which have tangents, residuals, linear function of residuals and tangents)."""
    forward, n_residuals, nonzeros_out, forwarded, linear = ad.linearize_jaxpr(jaxpr, nonzeros, is_vjp=is_vjp)
    outs = _bind_forwarding(forward, primals, name=f"{name}_fwd", **params)
    split = len(outs) - n_residuals
    computed = iter(outs[split:])
    # Residuals that are inputs of the function are not copied.
    residuals = [next(computed) if i is None else (*jaxpr.consts, *primals)[i] for i in forwarded]

    def apply_linear(residuals: Sequence[Any], *tangents: Any) -> list[Any]:
        given = _keep(tangents, nonzeros)
        outs = bind(linear, [*residuals, *given], name=f"{name}_lin", **params)
        return _fill_zeros(outs, nonzeros_out, jaxpr.out_avals)

    return outs[:split], nonzeros_out, residuals, apply_linear


def _bind_forwarding(closed: ClosedJaxpr, operands: Sequence[Any], **params: Any) -> list[Any]:
    """Bind, but take outputs that are inputs, or that repeat another output, from where they are."""
    inputs = {id(v): i for i, v in enumerate(closed.jaxpr.invars)}
    first: dict[int, int] = {}
    source: list[Any] = []  # an operand's index as (0, i), an output's as (1, i)
    for v in closed.jaxpr.outvars:
        if id(v) in inputs:
            source.append((0, inputs[id(v)]))
        else:
            source.append((1, first.setdefault(id(v), len(first))))
    seen: set[Any] = set()
    keep = [s[0] == 1 and not (s in seen or seen.add(s)) for s in source]  # type: ignore[func-returns-value]
    outs = bind(pe.prune_closed_jaxpr_outputs(closed, keep), operands, **params)
    places = (list(operands), outs)
    return [places[kind][i] for kind, i in source]


ad.primitive_linearizations[jace_call_p] = _linearize


@weakref_lru_cache
def _transposed(jaxpr: ClosedJaxpr, linear: tuple[bool, ...], nonzero: tuple[bool, ...]) -> Any:
    """Jaxpr from non-linear operands and non-zero cotangents to non-zero cotangents of linear operands.

    Returns:
        The closed jaxpr, and for each linear operand whether its cotangent is among the results.
    """
    in_avals, out_avals = jaxpr.in_avals, jaxpr.out_avals
    found: list[bool] = []

    def transposed(*flat: Any) -> list[Any]:
        it = iter(flat)
        primals = [
            ad.UndefinedPrimal(a) if is_lin else next(it) for a, is_lin in zip(in_avals, linear, strict=True)
        ]
        cts = [next(it) if nz else ad.Zero(a.to_ct_aval()) for a, nz in zip(out_avals, nonzero, strict=True)]
        outs = _keep(ad.backward_pass(jaxpr.jaxpr, False, jaxpr.consts, primals, cts), linear)
        found[:] = [type(ct) is not ad.Zero for ct in outs]
        return _keep(outs, found)

    debug = jaxpr.jaxpr.debug_info.with_unknown_names()
    avals = [a for a, is_lin in zip(in_avals, linear, strict=True) if not is_lin]
    avals += [a.to_ct_aval() for a, nz in zip(out_avals, nonzero, strict=True) if nz]
    made, _, consts = pe.trace_to_jaxpr_dynamic(lu.wrap_init(transposed, debug_info=debug), avals)
    return core.ClosedJaxpr(made, consts), tuple(found)


def _transpose(cts: Any, *operands: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> list[Any]:
    linear = tuple(ad.is_undefined_primal(x) for x in operands)
    nonzero = tuple(type(ct) is not ad.Zero for ct in cts)
    closed, found = _transposed(jaxpr, linear, nonzero)
    known = [x for x, is_lin in zip(operands, linear, strict=True) if not is_lin]
    outs = iter(bind(closed, [*known, *_keep(cts, nonzero)], name=f"{name}_t", **params))
    found_it = iter(found)
    return [
        (next(outs) if next(found_it) else ad.Zero(x.aval.to_ct_aval())) if is_lin else None
        for x, is_lin in zip(operands, linear, strict=True)
    ]


ad.primitive_transposes[jace_call_p] = _transpose


# --- batching


def _batch(axis_data: Any, values: Any, dims: Any, *, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    wanted = [batching.zero_if_mapped] * len(jaxpr.out_avals)
    batched, mapped = batching.batch_jaxpr_axes(jaxpr, axis_data, dims, wanted)
    outs = bind(batched, values, name=f"{name}_vmap", **params)
    return outs, [0 if m else _NOT_MAPPED for m in mapped]


batching.fancy_primitive_batchers[jace_call_p] = _batch


# --- partial evaluation, rematerialisation, dead code


def _partial_eval(trace: Any, *tracers: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> list[Any]:
    """Split into what known operands decide (bound now) and the rest (staged)."""
    unknown = tuple(not t.pval.is_known() for t in tracers)
    known_jaxpr, staged_jaxpr, unknown_out, residual_avals = pe.partial_eval_jaxpr_nounits(
        jaxpr, unknown, instantiate=False
    )
    known = [t.pval.get_known() for t in tracers if t.pval.is_known()]
    outs = bind(known_jaxpr, known, name=f"{name}_known", **params)
    split = len(outs) - len(residual_avals)
    residuals = [trace.new_instantiated_const(r) for r in outs[split:]]
    # partial_eval_jaxpr_nounits puts the residuals before the unknown inputs.
    staged_in = [trace.instantiate_const(t) for t, u in zip(tracers, unknown, strict=True) if u]
    hoisted, leading = hoist(staged_jaxpr)
    consts = [trace.new_instantiated_const(c) for c in leading]
    staged_out = [pe.JaxprTracer(trace, pe.PartialVal.unknown(a), None) for a in staged_jaxpr.out_avals]
    recipe = pe.new_eqn_recipe(
        trace,
        [*consts, *residuals, *staged_in],
        staged_out,
        jace_call_p,
        {"jaxpr": hoisted, "name": f"{name}_staged", **params},
        _effects(staged_jaxpr),
        source_info_util.current(),
    )
    for tracer in staged_out:
        tracer.recipe = recipe
    known_it, staged_it = iter(outs[:split]), iter(staged_out)
    return [next(staged_it) if u else next(known_it) for u in unknown_out]


pe.custom_partial_eval_rules[jace_call_p] = _partial_eval
pe.partial_eval_jaxpr_custom_rules[jace_call_p] = partial(
    pe.closed_call_partial_eval_custom_rule,
    "jaxpr",
    lambda unknown, inst, known_out, inst_out, n_out, n_res, known, staged: (known, staged),
)


def _remat(policy: Any, *operands: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    forward, again, _ = remat_lib.remat_jaxpr(jaxpr, policy)
    outs = bind(forward, operands, name=f"{name}_fwd", **params)
    split = len(jaxpr.out_avals)

    def rerun(*operands: Any) -> list[Any]:
        return bind(again, [*outs[split:], *operands], name=f"{name}_remat", **params)

    return outs[:split], rerun


remat_lib.rules[jace_call_p] = _remat


@weakref_lru_cache
def _dce_jaxpr(jaxpr: ClosedJaxpr, used: tuple[bool, ...]) -> tuple[ClosedJaxpr, list[bool]]:
    alive, used_in = pe.dce_jaxpr(jaxpr.jaxpr, used)
    return core.ClosedJaxpr(alive, jaxpr.consts), used_in


def _dce(used: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    if not any(used) and not eqn.effects:
        return [False] * len(eqn.invars), None
    jaxpr, used_in = _dce_jaxpr(eqn.params["jaxpr"], tuple(used))
    made = core.new_jaxpr_eqn(
        _keep(eqn.invars, used_in),
        _keep(eqn.outvars, used),
        eqn.primitive,
        {**eqn.params, "jaxpr": jaxpr},
        _effects(jaxpr),
        eqn.source_info,
        eqn.ctx,
    )
    return used_in, made


pe.dce_rules[jace_call_p] = _dce
