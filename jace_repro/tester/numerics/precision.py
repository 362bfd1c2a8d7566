"""Evaluating a jaxpr in higher precision, and with rounding-sized noise.

`evaluate(closed, args, salt)` computes the equations one by one, with f16/bf16/f32 values held in f64 (c64 in
c128), recursing into scan, while, cond and calls. f64 values stay f64: there the noise alone tells how well
conditioned the program is. With `salt == 0` the result is the best estimate of the true one. Any other salt
perturbs what each rounding equation gives by a few times the error that its implementation may make
(`errormodel`): the spread of such samples is how far rounding can move each output, element by element. The
noise is a hash of the value and the salt, and of the place where an implementation may depend on that: correctly
rounded computations on equal values stay equal, and a run can be repeated.

What an implementation may choose besides (contraction, the width of intermediate results, the order of sums) is in
`freedoms`: half of the samples take each choice.

Three rules keep the noise honest. A result with few significant bits (an integer, a dyadic fraction, a zero)
was not rounded and is not perturbed. Values beyond the range of the native type become infinities, and
subnormal ones zeros, as they do in the program. An equation that cannot be evaluated in the wider type is
evaluated in its own.

Values are NumPy arrays and common primitives NumPy functions (`numpy_ops`): nothing is compiled for them. JAX
does the rest, and long loops, whose bodies are traced.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir import eval_equation, expand_call, inner_jaxprs, walk
from jace.ir import evaluate as evaluate_program
from jace.releases import closed_of
from jace_repro.tester.numerics import errormodel, freedoms, loops, overflow, poles
from jace_repro.tester.numerics.absolute_noise import noise_magnitudes
from jace_repro.tester.numerics.errormodel import is_inexact
from jace_repro.tester.numerics.native import apply as apply_natively
from jace_repro.tester.numerics.native import given
from jace_repro.tester.numerics.native_ops import moving_op
from jace_repro.tester.numerics.noise import confine, module_of, settle
from jace_repro.tester.numerics.numpy_ops import COMPLEX, FLOAT_OPS, as_given, of_complex

#: Noise per equation, in multiples of the error its implementation may make. The oracle doubles the spread of
#: the samples, so that a candidate is granted up to 8 times the error of the worst published implementation.
NOISE_FACTOR = 4.0

#: Their meaning depends on the representation of their operands.
NATIVE = frozenset(
    {
        *("bitcast_convert_type", "nextafter", "reduce_precision", "random_gamma", "rng_bit_generator"),
        *("rng_uniform", "pure_callback", "io_callback", "debug_callback", "threefry2x32"),
    }
)

_DTYPE_PARAMS = ("new_dtype", "dtype", "preferred_element_type", "out_dtype", "output_dtype")

#: Even equal values have noise of their own where the place decides: a product may be contracted with the addition
#: that follows, another time not; the order of a sum may differ; and a loop has another exp for its vectors than for
#: the elements that are left over, which moves equal keys of a sort.
_BY_PLACE = (
    frozenset({"mul", "square", "integer_pow"})
    | errormodel.SUMS
    | errormodel.SPECIAL
    | set(errormodel.ERROR_ULPS)
)

#: Products that a compiler contracts with an addition...
_PRODUCTS = frozenset({"mul", "square", "integer_pow"})
#: ...of these, also where `errormodel.MOVES` stands between.
_ADDITIONS = poles.DIFFERENCES | {"reduce_sum"}

_Value = Any

#: A discontinuous primitive, and its results.
Decision = tuple[str, list[np.ndarray[Any, Any]]]
_recorder: ContextVar[list[Decision] | None] = ContextVar("decisions", default=None)


@functools.cache
def wide_dtype(dtype: Any) -> Any:
    """The dtype in which values of `dtype` are held."""
    if not is_inexact(dtype):
        return dtype
    return np.dtype(np.complex128 if np.dtype(dtype).kind == "c" else np.float64)


def _dtype(atom: Any) -> Any:
    return getattr(atom.aval, "dtype", np.dtype(bool))


def _convert(value: _Value, dtype: Any) -> _Value:
    """A value in another dtype; typed keys and equal dtypes pass."""
    if not isinstance(value, np.ndarray | jax.Array):
        value = np.asarray(value)
    if value.dtype == dtype or not is_inexact(dtype):
        return value
    if isinstance(value, jax.core.Tracer):
        return lax.convert_element_type(value, dtype)
    return np.asarray(value).astype(dtype)


def _widen(value: _Value) -> _Value:
    return _convert(value, wide_dtype(value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype))


def evaluate(closed: ClosedJaxpr, args: Sequence[Any], salt: int = 0) -> list[np.ndarray[Any, Any]]:
    """The flat outputs in wide dtypes (integers and booleans in their own), as NumPy arrays.

    Args:
        closed: any jaxpr that JAX can evaluate, without typed PRNG keys (`jace.ir.expand_random` first).
        args: one array an invar, in the native dtypes.
        salt: 0 for the best estimate; anything else for a noisy sample.
    """
    with jax.enable_x64(True), np.errstate(all="ignore"):
        inputs = [_cast(a, _dtype(v)) for a, v in zip(args, closed.jaxpr.invars, strict=True)]
        outs = _run_closed(closed, inputs, np.uint32(salt) if salt else None)
        return [np.asarray(out) for out in outs]


def _cast(value: Any, dtype: Any) -> _Value:
    return _widen(np.asarray(value).astype(dtype))


def _run_closed(closed: ClosedJaxpr, args: Sequence[_Value], salt: _Value | None) -> list[_Value]:
    widened = ClosedJaxpr(closed.jaxpr, [_widen(c) for c in closed.consts])
    body = _Body(salt)
    if salt is not None:
        body = _Body(salt, _added(closed.jaxpr), _singular(closed.jaxpr))
    outs = evaluate_program(widened, args, body.equation)
    found = [_literal(v, x) for v, x in zip(closed.jaxpr.outvars, outs, strict=True)]
    return (
        found if salt is None else [_stored(v, x) for v, x in zip(closed.jaxpr.outvars, found, strict=True)]
    )


def _stored(atom: Any, value: _Value) -> _Value:
    """What a body gives is of its type, whatever it was computed in."""
    small = errormodel.is_real(atom) and np.dtype(_dtype(atom)).itemsize == 2
    return confine(value, _dtype(atom)) if small else value


def _literal(atom: Any, value: _Value) -> _Value:
    return _cast(value, _dtype(atom)) if isinstance(atom, Literal) else value


@dataclass
class _Body:
    """One evaluation of a body.

    Attributes:
        salt: of the noise; None for none.
        added: what ends in an addition (`_added`).
        singular: what a function with poles is taken of (`_singular`).
        index: position of the next equation, the stream of its noise.
        contracted: what additions take in the place of a product that overflows.
    """

    salt: _Value | None
    added: frozenset[Var] = frozenset()
    singular: frozenset[Var] = frozenset()
    index: int = 0
    contracted: dict[Var, _Value] = field(default_factory=dict)

    def equation(self, eqn: JaxprEqn, operands: list[_Value]) -> list[_Value]:
        """The results of the next equation."""
        name = eqn.primitive.name
        args = [_literal(v, x) for v, x in zip(eqn.invars, operands, strict=True)]
        args = as_given(name, args, [_dtype(v) for v in eqn.invars])
        inner = [
            self.contracted.get(v, a) if isinstance(v, Var) else a
            for v, a in zip(eqn.invars, args, strict=True)
        ]
        outs = _equation(eqn, inner if name in _ADDITIONS else args, self.salt, self.index, self.singular)
        self.index += 1
        if not self.added.isdisjoint(eqn.outvars):
            if name in _PRODUCTS:
                product = _contracted(eqn, args, outs[0], self.salt)
                self.contracted.update({} if product is outs[0] else {eqn.outvars[0]: product})
            elif not self.contracted.keys().isdisjoint(v for v in eqn.invars if isinstance(v, Var)):
                self.contracted.update(zip(eqn.outvars, _bind(eqn, inner), strict=True))
        return outs


@functools.lru_cache(maxsize=512)
def _added(jaxpr: Jaxpr) -> frozenset[Var]:
    """Real products of a body, and what moves or negates them, that end in one of its additions."""
    found, made = errormodel.feeding(jaxpr, _ADDITIONS), _PRODUCTS | errormodel.MOVES
    return frozenset(v for eqn in jaxpr.eqns if eqn.primitive.name in made for v in eqn.outvars if v in found)


@functools.lru_cache(maxsize=512)
def _singular(jaxpr: Jaxpr) -> frozenset[Var]:
    """What functions with poles at integers are taken of, also in the bodies of equations, or where a body ends.

    What a loop's body gives is what its next iteration, or what follows the loop, takes them of.
    """
    given = frozenset(v for v in jaxpr.outvars if isinstance(v, Var) and errormodel.is_real(v))
    return given | errormodel.feeding(jaxpr, poles.AT_INTEGERS, in_bodies=True)


def _contracted(eqn: JaxprEqn, args: Sequence[_Value], out: _Value, salt: _Value | None) -> _Value:
    """A product as an addition sees it: in half of the samples it is not rounded, so that it does not overflow.

    Where f64 itself overflows, the largest number stands for what is beyond.
    """
    xp = module_of(*args, out, salt)
    over = xp.isinf(out) & functools.reduce(xp.logical_and, map(xp.isfinite, args))
    if xp is np and not np.any(over):
        return out
    top = np.finfo(np.float64).max
    over = over & freedoms.takes("contracts", salt)
    return xp.where(over, xp.clip(_bind(eqn, args)[0], -top, top), out)


def _salt_of(name: str, salt: _Value | None, ulps: float) -> _Value | None:
    """The salt of a function's noise: where two functions have one value, an implementation errs in each by itself.

    What is rounded once errs alike: a + b and a - (-b) have the same bits everywhere.
    """
    if salt is None or ulps <= NOISE_FACTOR:
        return salt
    return salt + ((zlib.crc32(name.encode()) & 0xFFFFFF) << 8)


def _equation(
    eqn: JaxprEqn, args: list[_Value], salt: _Value | None, index: int, singular: frozenset[Var]
) -> list[_Value]:
    name = eqn.primitive.name
    if not eqn.outvars:  # it prints, or calls back: there is nothing to evaluate
        return []
    if not _touches_inexact(eqn):
        return apply_natively(eqn, args) if module_of(*args) is np else eval_equation(eqn, args)
    call = expand_call(eqn)
    if call is not None:
        return _run_closed(call.body, given(call, eqn, args), salt)
    if (control := loops.CONTROL.get(name)) is not None:
        return control(eqn, args, salt, _run_closed)
    outs = _bind(eqn, args)
    if salt is not None and len(outs) == 1:
        outs = [overflow.on_the_way(eqn, args, outs[0], salt, _bind)]
    if salt is not None and name in poles.DIFFERENCES:
        outs = [poles.vanishing(eqn, args, outs[0], salt)]
    if name in errormodel.DISCONTINUOUS:
        _record(name, outs)
    if errormodel.is_exact(eqn) and name != "round":
        return outs
    noise = noise_magnitudes(eqn, args, outs, _bind) if salt is not None else [0.0] * len(outs)
    ulps = NOISE_FACTOR * errormodel.error_ulps(name, _dtype(eqn.outvars[0]))
    wide = False if salt is None else freedoms.takes("keeps_wide", salt)
    small = False if salt is None else freedoms.takes("contracts", salt)
    own = _salt_of(name, salt, ulps)
    settled = []
    for position, (out, var) in enumerate(zip(outs, eqn.outvars, strict=True)):
        if not is_inexact(_dtype(var)):
            settled.append(out)
            continue
        stream = (index + 1) * 31 + position if name in _BY_PLACE else 0
        rounds = name in errormodel.ALWAYS_ROUND
        noisy = settle(
            out, noise[position], _dtype(var), ulps, own,
            stream=stream, rounds=rounds, keeps_wide=wide, keeps_small=small,
        )  # fmt: skip
        if salt is not None and var in singular:
            noisy = poles.onto_integers(out, noisy, noise[position], ulps, _dtype(var), salt)
        settled.append(noisy)
    return settled


def decisions(closed: ClosedJaxpr, args: Sequence[Any], salt: int = 0) -> list[Decision]:
    """What the discontinuous equations decide in one evaluation, in order; not those of loops that are traced."""
    found: list[Decision] = []
    token = _recorder.set(found)
    try:
        evaluate(closed, args, salt)
    finally:
        _recorder.reset(token)
    return found


def _record(name: str, outs: Sequence[_Value]) -> None:
    found = _recorder.get()
    if found is not None and module_of(*outs) is np:
        found.append((name, [np.asarray(out) for out in outs]))


@functools.lru_cache(maxsize=4096)
def _touches_inexact(eqn: JaxprEqn) -> bool:
    """Whether a floating-point value occurs in the equation or in its bodies."""
    if any(is_inexact(_dtype(v)) for v in (*eqn.invars, *eqn.outvars)):
        return True
    bodies = list(inner_jaxprs(eqn))
    inner = (v for body in bodies for _, e in walk(body) for v in (*e.invars, *e.outvars))
    return any(is_inexact(_dtype(v)) for v in inner)


def _bind(eqn: JaxprEqn, args: Sequence[_Value]) -> list[_Value]:
    """The equation on wide operands; in its own dtypes where it must or where the wide types do not work."""
    wanted = [wide_dtype(_dtype(v)) for v in eqn.outvars]
    if eqn.primitive.name not in NATIVE:
        try:
            outs = _in_numpy(eqn, args, wanted) or _in_jax(eqn, args)
            if all(o.dtype == dtype for o, dtype in zip(outs, wanted, strict=True)):
                return outs
        except (TypeError, ValueError, NotImplementedError, KeyError, AssertionError):
            pass  # no rule for the wide dtype: the native one below decides, and raises if it fails too
    native = [_convert(a, _dtype(v)) for a, v in zip(args, eqn.invars, strict=True)]
    return [_convert(o, dtype) for o, dtype in zip(eval_equation(eqn, native), wanted, strict=True)]


def _in_numpy(eqn: JaxprEqn, args: Sequence[_Value], wanted: Sequence[Any]) -> list[_Value] | None:
    """The equation in NumPy, if it has a function for it and all values are real; None otherwise."""
    op = FLOAT_OPS.get(eqn.primitive.name) or moving_op(eqn)
    if op is None or module_of(*args) is not np:
        return None
    dtypes = [_dtype(v) for v in (*eqn.invars, *eqn.outvars)]
    if any(np.dtype(d).kind == "c" for d in dtypes):
        return None
    if eqn.primitive.name == "convert_element_type" and wanted[0].kind != "f":
        op = moving_op(eqn)  # float to integer saturates
        assert op is not None
    outs = op(_wide_params(eqn), *(np.asarray(a) for a in args))
    return [np.asarray(o) for o in (outs if isinstance(outs, list) else [outs])]


def _in_jax(eqn: JaxprEqn, args: Sequence[_Value]) -> list[_Value]:
    primitive: Any = eqn.primitive
    outs = primitive.bind(*args, **primitive.get_bind_params(_wide_params(eqn)))
    if primitive.name in COMPLEX and np.dtype(args[0].dtype).kind == "c" and module_of(*args) is np:
        better = of_complex(primitive.name, np.asarray(args[0]))
        outs = np.where(np.isnan(better), np.asarray(outs), better)
    return list(outs) if primitive.multiple_results else [outs]


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


@functools.lru_cache(maxsize=512)
def _wide_jaxpr(jaxpr: Jaxpr | ClosedJaxpr) -> Jaxpr | ClosedJaxpr:
    """A combiner (of scatter, reduce, ...) retraced on the wide dtypes; the same object again, for JAX's caches.

    One operation has the range of the wide type: what it gives in between depends on the order (`overflow`).
    """
    closed = closed_of(jaxpr)
    struct: Any = jax.ShapeDtypeStruct
    structs = [struct(a.shape, wide_dtype(a.dtype)) for a in closed.in_avals]

    def combine(*args: Any) -> list[Any]:
        return (
            evaluate_program(closed, args, _bind)
            if len(closed.eqns) == 1
            else _run_closed(closed, args, None)
        )

    traced = jax.make_jaxpr(combine)(*structs)
    if isinstance(jaxpr, ClosedJaxpr):
        return traced
    if traced.consts:
        raise ValueError("a combiner with constants has no open form")
    return traced.jaxpr
