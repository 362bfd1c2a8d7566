"""Evaluating a jaxpr in higher precision, and with rounding-sized noise.

`evaluate(closed, args, salt)` binds the equations one by one, with f16/bf16/f32 values held in f64 (c64 in
c128), recursing into scan, while, cond and calls. f64 values stay f64: there the noise alone tells how well
conditioned the program is. With `salt == 0` the result is the best estimate of the true one. Any other salt
perturbs what each rounding equation gives by a few times the error that its implementation may make
(`errormodel`): the spread of such samples is how far rounding can move each output, element by element. The
noise is a hash of the value and the salt, so equal computations stay equal and a run can be repeated.

Three rules keep the noise honest. A result with few significant bits (an integer, a dyadic fraction, a zero)
was not rounded and is not perturbed. Values beyond the range of the native type become infinities, and
subnormal ones zeros, as they do in the program. An equation that cannot be evaluated in the wider type is
evaluated in its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir import eval_equation, expand_call, open_jaxpr
from jace_repro.tester import errormodel
from jace_repro.tester.errormodel import is_inexact

#: Noise per equation, in multiples of the error its implementation may make. The judge doubles the spread of
#: the samples, so that a candidate is granted up to 8 times the error of the worst published implementation.
NOISE_FACTOR = 4.0

#: Loops whose exit depends on noise may never meet their condition: stop where the program itself would have
#: long.
MAX_TRIPS = 100_000

#: Their meaning depends on the representation of their operands.
NATIVE = frozenset(
    {
        *("bitcast_convert_type", "nextafter", "reduce_precision", "random_gamma", "rng_bit_generator"),
        *("rng_uniform", "pure_callback", "io_callback", "debug_callback", "threefry2x32"),
    }
)

_DTYPE_PARAMS = ("new_dtype", "dtype", "preferred_element_type", "out_dtype", "output_dtype")

#: Reductions of many terms: sequential summation may round the same way every time (0.1 added 10,000 times).
_SEQUENTIAL_FROM = 128

_Value = Any


def wide_dtype(dtype: Any) -> Any:
    """The dtype in which values of `dtype` are held."""
    if not is_inexact(dtype):
        return dtype
    return np.dtype(np.complex128 if np.dtype(dtype).kind == "c" else np.float64)


def _widen(value: _Value) -> _Value:
    value = value if isinstance(value, jax.Array) else jnp.asarray(value)
    wide = wide_dtype(value.dtype)
    return value if wide == value.dtype else lax.convert_element_type(value, wide)


def _narrow(value: _Value, dtype: Any) -> _Value:
    return value if not is_inexact(dtype) or value.dtype == dtype else lax.convert_element_type(value, dtype)


def evaluate(closed: ClosedJaxpr, args: Sequence[Any], salt: int = 0) -> list[np.ndarray[Any, Any]]:
    """The flat outputs in wide dtypes (integers and booleans in their own), as NumPy arrays.

    Args:
        closed: any jaxpr that JAX can evaluate, without typed PRNG keys (`jace.ir.expand_random` first).
        args: one array an invar, in the native dtypes.
        salt: 0 for the best estimate; anything else for a noisy sample.
    """
    with jax.enable_x64(True):
        key = np.uint32(salt)
        consts = [_widen(c) for c in closed.consts]
        inputs = [_cast(a, v.aval.dtype) for a, v in zip(args, closed.jaxpr.invars, strict=True)]
        outs = _run(open_jaxpr(closed), consts, inputs, key if salt else None)
        return [np.asarray(out) for out in outs]


def _cast(value: Any, dtype: Any) -> _Value:
    return _widen(np.asarray(value).astype(dtype))


def _run(jaxpr: Jaxpr, consts: Sequence[_Value], args: Sequence[_Value], salt: _Value | None) -> list[_Value]:
    env: dict[Var, _Value] = dict(zip(jaxpr.constvars, consts, strict=True))
    env.update(zip(jaxpr.invars, args, strict=True))

    def read(atom: Var | Literal) -> _Value:
        return _cast(atom.val, atom.aval.dtype) if isinstance(atom, Literal) else env[atom]

    last_use = {v: i for i, eqn in enumerate(jaxpr.eqns) for v in eqn.invars if isinstance(v, Var)}
    kept = {v for v in jaxpr.outvars if isinstance(v, Var)}
    for index, eqn in enumerate(jaxpr.eqns):
        outs = _equation(eqn, [read(v) for v in eqn.invars], salt, index)
        env.update(zip(eqn.outvars, outs, strict=True))
        for var in eqn.invars:
            if isinstance(var, Var) and last_use[var] == index and var not in kept:
                env.pop(var, None)
    return [read(v) for v in jaxpr.outvars]


def _equation(eqn: JaxprEqn, args: list[_Value], salt: _Value | None, index: int) -> list[_Value]:
    name = eqn.primitive.name
    call = expand_call(eqn)
    if call is not None:
        operands = dict(zip(map(id, eqn.invars), args, strict=True))
        body = call.body
        return _run(
            body.jaxpr, [_widen(c) for c in body.consts], [operands[id(v)] for v in call.operands], salt
        )
    if name in _CONTROL:
        return _CONTROL[name](eqn, args, salt)
    outs = _bind(eqn, args)
    if name in errormodel.EXACT and name != "round":
        return outs
    noise = _noise_magnitudes(eqn, args, outs, salt)
    settled = []
    for position, (out, var) in enumerate(zip(outs, eqn.outvars, strict=True)):
        if not is_inexact(var.aval.dtype):
            settled.append(out)
            continue
        # A product may be contracted with the addition that follows, another time not: its noise is its own.
        stream = (index + 1) * 31 + position if name in ("mul", "square", "integer_pow", "dot_general") else 0
        ulps = NOISE_FACTOR * errormodel.error_ulps(name, var.aval.dtype)
        settled.append(_settle(out, noise[position], str(np.dtype(var.aval.dtype)), ulps, salt, stream))
    return settled


def _bind(eqn: JaxprEqn, args: Sequence[_Value]) -> list[_Value]:
    """The equation on wide operands; in its own dtypes where it must or where the wide types do not work."""
    if eqn.primitive.name not in NATIVE:
        try:
            outs = _bind_params(eqn, _wide_params(eqn), args)
            if all(o.dtype == wide_dtype(v.aval.dtype) for o, v in zip(outs, eqn.outvars, strict=True)):
                return outs
        except (TypeError, ValueError, NotImplementedError, KeyError, AssertionError):
            pass  # no rule for the wide dtype: the native one below decides, and raises if it fails too
    native = [_narrow(a, v.aval.dtype) for a, v in zip(args, eqn.invars, strict=True)]
    return [_widen(o) for o in eval_equation(eqn, native)]


def _bind_params(eqn: JaxprEqn, params: dict[str, Any], args: Sequence[_Value]) -> list[_Value]:
    outs = eqn.primitive.bind(*args, **eqn.primitive.get_bind_params(params))
    return list(outs) if eqn.primitive.multiple_results else [outs]


def _wide_params(eqn: JaxprEqn) -> dict[str, Any]:
    params = dict(eqn.params)
    for name in _DTYPE_PARAMS:
        if params.get(name) is not None and not isinstance(params[name], tuple):
            params[name] = wide_dtype(params[name])
    for name, value in params.items():
        if isinstance(value, Jaxpr | ClosedJaxpr):
            params[name] = _wide_jaxpr(value)
    if "accuracy" in params:
        params["accuracy"] = None
    return params


def _wide_jaxpr(jaxpr: Jaxpr | ClosedJaxpr) -> Jaxpr | ClosedJaxpr:
    """A combiner (of scatter, reduce, ...) retraced on the wide dtypes."""
    consts = jaxpr.consts if isinstance(jaxpr, ClosedJaxpr) else ()
    inner = open_jaxpr(jaxpr)
    structs = [jax.ShapeDtypeStruct(v.aval.shape, wide_dtype(v.aval.dtype)) for v in inner.invars]
    traced = jax.make_jaxpr(lambda *a: _run(inner, [_widen(c) for c in consts], a, None))(*structs)
    if isinstance(jaxpr, ClosedJaxpr):
        return traced
    if traced.consts:
        raise ValueError("a combiner with constants has no open form")
    return traced.jaxpr


# --- control flow -------------------------------------------------------------------------------------------


def _body(closed: ClosedJaxpr) -> Callable[[Sequence[_Value], _Value | None], list[_Value]]:
    return lambda args, salt: _run(closed.jaxpr, [_widen(c) for c in closed.consts], args, salt)


def _salted(salt: _Value | None) -> _Value:
    """The salt as an operand: closed over, every new salt would be a new constant and a new compilation."""
    return jnp.asarray(0 if salt is None else salt, jnp.uint32)


def _scan(eqn: JaxprEqn, args: list[_Value], salt: _Value | None) -> list[_Value]:
    p = eqn.params
    consts, carry = p["num_consts"], p["num_carry"]
    body = _body(p["jaxpr"])
    noisy = salt is not None

    def step(state: tuple[_Value, list[_Value]], x: list[_Value]) -> tuple[Any, list[_Value]]:
        key, held = state
        outs = body([*args[:consts], *held, *x], key if noisy else None)
        return (key, outs[:carry]), outs[carry:]

    (_, final), stacked = lax.scan(
        step,
        (_salted(salt), args[consts : consts + carry]),
        args[consts + carry :],
        length=p["length"],
        reverse=p["reverse"],
    )
    return [*final, *stacked]


def _while(eqn: JaxprEqn, args: list[_Value], salt: _Value | None) -> list[_Value]:
    p = eqn.params
    nc, nb = p["cond_nconsts"], p["body_nconsts"]
    cond_consts, body_consts, init = args[:nc], args[nc : nc + nb], args[nc + nb :]
    cond, body = _body(p["cond_jaxpr"]), _body(p["body_jaxpr"])
    noisy = salt is not None

    def proceed(state: tuple[_Value, _Value, list[_Value]]) -> _Value:
        key, trips, held = state
        (again,) = cond([*cond_consts, *held], key if noisy else None)
        return jnp.logical_and(jnp.any(again), trips < MAX_TRIPS)

    def step(state: tuple[_Value, _Value, list[_Value]]) -> tuple[_Value, _Value, list[_Value]]:
        key, trips, held = state
        return key, trips + 1, body([*body_consts, *held], key if noisy else None)

    if p["cond_jaxpr"].out_avals[0].shape:
        raise NotImplementedError("while over a batch of predicates")
    return lax.while_loop(proceed, step, (_salted(salt), jnp.int32(0), init))[2]


def _cond(eqn: JaxprEqn, args: list[_Value], salt: _Value | None) -> list[_Value]:
    index, *operands = args
    noisy = salt is not None
    branches = [
        functools.partial(lambda body, key, *xs: body(xs, key if noisy else None), _body(b))
        for b in eqn.params["branches"]
    ]
    return lax.switch(jnp.asarray(index).astype(jnp.int32), branches, _salted(salt), *operands)


_CONTROL: dict[str, Callable[[JaxprEqn, list[_Value], _Value | None], list[_Value]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}


# --- noise --------------------------------------------------------------------------------------------------


def _terms(eqn: JaxprEqn) -> int:
    """How many terms a sum has."""
    name, p = eqn.primitive.name, eqn.params
    shape = eqn.invars[0].aval.shape
    if name == "reduce_sum":
        return int(np.prod([shape[a] for a in p["axes"]], dtype=np.int64))
    if name == "cumsum":
        return int(shape[p["axis"]])
    if name == "dot_general":
        return int(np.prod([shape[a] for a in p["dimension_numbers"][0][0]], dtype=np.int64))
    if name == "conv_general_dilated":
        kernel = eqn.invars[1].aval.shape
        return int(np.prod(kernel, dtype=np.int64)) // max(kernel[p["dimension_numbers"].rhs_spec[0]], 1)
    if name == "reduce_window_sum":
        return int(np.prod(p["window_dimensions"], dtype=np.int64))
    return max(int(eqn.invars[-1].aval.size), 1)  # scatter: at most all the updates


def _noise_magnitudes(
    eqn: JaxprEqn, args: Sequence[_Value], outs: Sequence[_Value], salt: _Value | None
) -> list[_Value]:
    """Per output an absolute noise for operations whose error is not relative to their result (0.
    elsewhere).
    """
    name = eqn.primitive.name
    plain: list[_Value] = [0.0] * len(outs)
    if salt is None or not is_inexact(eqn.outvars[0].aval.dtype):
        return plain
    native = np.dtype(eqn.outvars[0].aval.dtype)
    eps = _eps(native)
    if name in errormodel.SUMS:
        count = _terms(eqn)
        magnitudes = _bind(eqn, [jnp.abs(a).astype(a.dtype) if is_inexact(a.dtype) else a for a in args])[0]
        # Random rounding errors of n additions grow like sqrt(n)/3 * eps/2 * sum|x|; granted with a wide
        # margin.
        bound = (2.0 + 0.25 * float(np.sqrt(count))) * eps * jnp.abs(magnitudes)
        bound = jnp.where(_short(magnitudes, native), 0.0, bound)  # integers, dyadic fractions: no rounding
        if count >= _SEQUENTIAL_FROM and name in ("reduce_sum", "cumsum") and native.kind != "c":
            bound = jnp.maximum(bound, 2.0 * jnp.abs(_sequential(eqn, args[0], native) - outs[0]))
        return [bound]
    if name in errormodel.PRODUCTS:
        axes = eqn.params.get("axes", (eqn.params.get("axis", 0),))
        shape = eqn.invars[0].aval.shape
        count = int(np.prod([shape[a] for a in axes], dtype=np.int64)) if shape else 1
        return [eps * 4.0 * float(np.sqrt(max(count, 1))) * jnp.abs(outs[0])]
    if name in errormodel.LINALG:
        size = max((max(v.aval.shape[-2:], default=1) for v in eqn.invars), default=1)
        return [4.0 * eps * size * jnp.max(jnp.abs(o), initial=0.0) for o in outs]
    return plain


def _sequential(eqn: JaxprEqn, x: _Value, native: np.dtype[Any]) -> _Value:
    """A sum in the native dtype, first to last, as plain generated code does it."""
    axes = eqn.params["axes"] if "axes" in eqn.params else (eqn.params["axis"],)
    accumulate = np.float32 if native.itemsize == 2 else native
    moved = jnp.moveaxis(x, axes, tuple(range(len(axes))))
    rows = moved.reshape(-1, *moved.shape[len(axes) :]).astype(accumulate)
    if eqn.params.get("reverse"):
        rows = rows[::-1]

    def step(total: _Value, row: _Value) -> tuple[_Value, _Value]:
        total = total + row
        return total, (total if eqn.primitive.name == "cumsum" else None)

    total, partial = lax.scan(step, jnp.zeros(rows.shape[1:], accumulate), rows)
    if partial is None:
        return total.astype(x.dtype)
    partial = partial[::-1] if eqn.params.get("reverse") else partial
    return jnp.moveaxis(partial, 0, axes[0]).astype(x.dtype)


def _eps(native: np.dtype[Any]) -> float:
    real = {"complex64": np.float32, "complex128": np.float64}.get(native.name, native)
    return float(jnp.finfo(real).eps)


@functools.partial(jax.jit, static_argnums=(2,))
def _settle_jit(
    y: _Value, magnitude: _Value, native: str, ulps: _Value, salt: _Value, stream: _Value
) -> _Value:
    """`y` perturbed and confined to the range of the native dtype; salt 0 perturbs nothing."""
    dtype = jnp.dtype(native)
    real = {"complex64": np.dtype(np.float32), "complex128": np.dtype(np.float64)}.get(native, dtype)
    if dtype.kind == "c":
        scale = jnp.maximum(jnp.abs(y.real), jnp.abs(y.imag))
        both = [
            _perturb(part, magnitude, ulps * _eps(real) * scale, real, salt, stream + k)
            for k, part in enumerate((y.real, y.imag))
        ]
        return lax.complex(_confine(both[0], real), _confine(both[1], real))
    return _confine(_perturb(y, magnitude, ulps * _eps(real) * jnp.abs(y), real, salt, stream), real)


def _settle(
    y: _Value, magnitude: _Value, native: str, ulps: float, salt: _Value | None, stream: int
) -> _Value:
    return _settle_jit(y, magnitude, native, ulps, _salted(salt), np.uint32(stream))


def _perturb(
    y: _Value, magnitude: _Value, relative: _Value, native: Any, salt: _Value, stream: _Value
) -> _Value:
    """`y` plus noise: `magnitude` unconditionally, `relative` unless the result was not rounded."""
    bits = lax.bitcast_convert_type(y, jnp.uint64)
    # splitmix64: every bit of the value, the salt and the stream reaches every bit of the hash
    h = bits ^ (salt.astype(jnp.uint64) << 32) ^ (jnp.asarray(stream).astype(jnp.uint64) << 7)
    h = (h ^ (h >> 30)) * jnp.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> 27)) * jnp.uint64(0x94D049BB133111EB)
    h = h ^ (h >> 31)
    unit = (h >> 11).astype(jnp.float64) * 2.0**-52 - 1.0
    amplitude = jnp.maximum(magnitude, jnp.where(_short(y, native), 0.0, relative))
    usable = jnp.isfinite(y) & jnp.isfinite(amplitude) & (salt != 0)
    return jnp.where(usable, y + unit * amplitude, y)


def _short(y: _Value, native: Any) -> _Value:
    """Whether a wide result has so few significant bits that it cannot have been rounded.

    f64: 24 trailing zero bits; narrower types: it is a value of the native type.
    """
    if np.dtype(native).kind == "c":
        return jnp.zeros(jnp.shape(y), bool)
    if np.dtype(native) == np.float64:
        return (lax.bitcast_convert_type(y, jnp.uint64) & jnp.uint64(0xFFFFFF)) == 0
    return y.astype(native).astype(jnp.float64) == y


def _confine(y: _Value, native: Any) -> _Value:
    """Overflow and flush to zero where the native dtype does (f16 keeps its subnormals)."""
    info = jnp.finfo(native)
    top = (
        float(info.max) * (1.0 + float(info.eps) / 4.0) if np.dtype(native) != np.float64 else float(info.max)
    )
    y = jnp.where(jnp.abs(y) > top, jnp.copysign(jnp.inf, y), y)
    if jnp.dtype(native) != jnp.float16:
        y = jnp.where(jnp.abs(y) < float(info.tiny), jnp.copysign(0.0, y), y)
    return y
