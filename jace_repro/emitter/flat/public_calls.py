"""Equations as calls of public functions, which take the parameters by other names, in other forms or by default.

A row of the table says which function an equation may be a call of, and what its arguments are. Whether the call is
traced to the very equation is tried (`retracing`): a row need not know what the function makes of each argument. Where
it makes something else of them, in this release of JAX or on these types, the equation stays a bind.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend.core import JaxprEqn, Literal

from jace_repro.emitter.core import params, syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.flat.retracing import retraced
from jace_repro.emitter.flat.writer import WRITERS, EquationCall, EquationWriter, JaxprWriter

Arguments = dict[str, Any]

#: So many equations are remembered, with whether they are the calls that they were tried as.
_REMEMBERED = 4096
_tried: dict[Any, bool | None] = {}


@dataclass(frozen=True)
class Row:
    """A public function that equations may be calls of.

    Attributes:
        function: its importable name.
        positional: the arguments that follow the operands; others go by keyword, unless they are the defaults.
        grouped: the operands from this one on are one sequence; None for none.
        bare: a sequence of one is that one.
        arguments: of an equation, by the function's names; what it does not take is left out. By default its
            parameters.
    """

    function: str
    positional: tuple[str, ...] = ()
    grouped: int | None = None
    bare: bool = False
    arguments: Callable[[JaxprEqn], Arguments] = lambda eqn: dict(eqn.params)

    def called(self) -> Callable[..., Any] | None:
        """The function; None where this release of JAX has none."""
        module, _, name = self.function.rpartition(".")
        found: Callable[..., Any] | None = getattr(importlib.import_module(module), name, None)
        return found

    def operands(self, given: Sequence[Any], group: Callable[[Sequence[Any]], Any]) -> list[Any]:
        """Operands, or their texts, as the function takes them."""
        if self.grouped is None:
            return list(given)
        last = given[self.grouped :]
        one = self.bare and len(last) == 1
        return [*given[: self.grouped], last[0] if one else group(last)]


# --- arguments ---------------------------------------------------------------------------------------------------


_MODES = {lax.GatherScatterMode.CLIP: "clip", lax.GatherScatterMode.PROMISE_IN_BOUNDS: "promise_in_bounds"}


def _of_gather(eqn: JaxprEqn) -> Arguments:
    mode = eqn.params["mode"]
    return {
        **eqn.params,
        "mode": "fill" if mode == lax.GatherScatterMode.FILL_OR_DROP else _MODES.get(mode, mode),
    }


def _of_scatter(eqn: JaxprEqn) -> Arguments:
    mode = eqn.params["mode"]
    return {
        **eqn.params,
        "mode": "drop" if mode == lax.GatherScatterMode.FILL_OR_DROP else _MODES.get(mode, mode),
    }


def _of_dynamic(eqn: JaxprEqn) -> Arguments:
    return {**eqn.params, "allow_negative_indices": False}


def _last_axis(name: str) -> Callable[[JaxprEqn], Arguments]:
    """The parameters, and -1 for the last axis."""

    def arguments(eqn: JaxprEqn) -> Arguments:
        operand: Any = eqn.invars[0].aval
        last = eqn.params[name] == operand.ndim - 1
        return {**eqn.params, name: -1 if last else eqn.params[name]}

    return arguments


def _of_convolution(eqn: JaxprEqn) -> Arguments:
    return {
        **_plain_windows(eqn.params),
        "dimension_numbers": _dimension_names(eqn.params["dimension_numbers"]),
    }


def _dimension_names(numbers: Any) -> tuple[str, str, str] | None:
    """("NCHW", "OIHW", "NCHW") of the numbers of axes; None for these, which are the default."""
    specs = (numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec)
    if all(tuple(spec) == tuple(range(len(spec))) for spec in specs):
        return None
    spatial = "DHW"[-(len(specs[0]) - 2) :] if len(specs[0]) <= 5 else "0123456789"
    lhs, rhs, out = (
        "".join(name for _, name in sorted(zip(spec, pair + spatial, strict=False)))
        for spec, pair in zip(specs, ("NC", "OI", "NC"), strict=True)
    )
    return lhs, rhs, out


def _plain_windows(given: Mapping[str, Any]) -> Arguments:
    """Parameters without dilations that dilate nothing."""
    return {k: v for k, v in given.items() if not (k.endswith("_dilation") and set(v) == {1})}


def _of_windows(computation: Callable[..., Any]) -> Callable[[JaxprEqn], Arguments]:
    def arguments(eqn: JaxprEqn) -> Arguments:
        operand: Any = eqn.invars[0].aval
        given = _plain_windows(eqn.params)
        if set(given["window_strides"]) == {1}:
            del given["window_strides"]
        if set(given["padding"]) == {(0, 0)}:
            del given["padding"]
        return {**given, "init_value": _identity(computation, operand.dtype), "computation": computation}

    return arguments


def _identity(computation: Callable[..., Any], dtype: Any) -> Any:
    """What a combination with leaves as it is."""
    integer = np.dtype(dtype).kind in "iu"
    if computation is lax.add:
        return 0 if integer else 0.0
    if integer:
        return int(np.iinfo(dtype).min if computation is lax.max else np.iinfo(dtype).max)
    return -np.inf if computation is lax.max else np.inf


def _of_bits(eqn: JaxprEqn) -> Arguments:
    return {"shape": eqn.params["shape"], "dtype": np.dtype(f"uint{eqn.params['bit_width']}")}


def _of_split(eqn: JaxprEqn) -> Arguments:
    shape = eqn.params["shape"]
    return {"num": shape[0] if len(shape) == 1 else shape}


def _of_key(eqn: JaxprEqn) -> Arguments:
    return {"impl": eqn.params["impl"].name}


# --- the table ---------------------------------------------------------------------------------------------------


_SCATTER = ("dimension_numbers",)

#: By the name of the primitive.
ROWS: dict[str, Row] = {
    "gather": Row("jax.lax.gather", ("dimension_numbers", "slice_sizes"), arguments=_of_gather),
    "scatter": Row("jax.lax.scatter", _SCATTER, arguments=_of_scatter),
    "scatter-add": Row("jax.lax.scatter_add", _SCATTER, arguments=_of_scatter),
    "scatter-mul": Row("jax.lax.scatter_mul", _SCATTER, arguments=_of_scatter),
    "scatter-min": Row("jax.lax.scatter_min", _SCATTER, arguments=_of_scatter),
    "scatter-max": Row("jax.lax.scatter_max", _SCATTER, arguments=_of_scatter),
    "scatter-sub": Row("jax.lax.scatter_sub", _SCATTER, arguments=_of_scatter),
    "dynamic_slice": Row("jax.lax.dynamic_slice", ("slice_sizes",), grouped=1, arguments=_of_dynamic),
    "dynamic_update_slice": Row("jax.lax.dynamic_update_slice", grouped=2, arguments=_of_dynamic),
    "sort": Row("jax.lax.sort", grouped=0, bare=True, arguments=_last_axis("dimension")),
    "top_k": Row("jax.lax.top_k", ("k",), arguments=_last_axis("axis")),
    "conv_general_dilated": Row(
        "jax.lax.conv_general_dilated", ("window_strides", "padding"), arguments=_of_convolution
    ),
    **{
        f"reduce_window_{name}": Row(
            "jax.lax.reduce_window",
            ("init_value", "computation", "window_dimensions"),
            arguments=_of_windows(computation),
        )
        for name, computation in (("max", lax.max), ("min", lax.min), ("sum", lax.add))
    },
    "bitcast_convert_type": Row("jax.lax.bitcast_convert_type", ("new_dtype",)),
    "stop_gradient": Row("jax.lax.stop_gradient"),
    "split": Row("jax.lax.split", ("sizes", "axis")),
    "stack": Row("jax.numpy.stack", grouped=0),
    "unstack": Row("jax.lax.unstack"),
    "tile": Row("jax.lax.tile", ("reps",)),
    "copy": Row("jax.numpy.copy"),
    "add_any": Row("jax.interpreters.ad.add_jaxvals"),
    "round": Row("jax.lax.round", ("rounding_method",)),
    "reduce_precision": Row("jax.lax.reduce_precision", ("exponent_bits", "mantissa_bits")),
    "optimization_barrier": Row("jax.lax.optimization_barrier", grouped=0, bare=True),
    "rng_bit_generator": Row("jax.lax.rng_bit_generator", ("shape",)),
    "rng_uniform": Row("jax.lax.rng_uniform", ("shape",)),
    "lu": Row("jax.lax.linalg.lu"),
    "qr": Row("jax.lax.linalg.qr"),
    "eigh": Row("jax.lax.linalg.eigh", arguments=lambda eqn: {**eqn.params, "symmetrize_input": False}),
    "eig": Row("jax.lax.linalg.eig"),
    "schur": Row("jax.lax.linalg.schur"),
    "hessenberg": Row("jax.lax.linalg.hessenberg"),
    "tridiagonal": Row("jax.lax.linalg.tridiagonal"),
    "tridiagonal_solve": Row("jax.lax.linalg.tridiagonal_solve"),
    "triangular_solve": Row("jax.lax.linalg.triangular_solve"),
    "householder_product": Row("jax.lax.linalg.householder_product"),
    "random_bits": Row("jax.random.bits", ("shape", "dtype"), arguments=_of_bits),
    "random_split": Row("jax.random.split", arguments=_of_split),
    "random_fold_in": Row("jax.random.fold_in"),
    "random_unwrap": Row("jax.random.key_data"),
    "random_wrap": Row("jax.random.wrap_key_data", arguments=_of_key),
    "random_seed": Row("jax.random.key", arguments=_of_key),
}


# --- writing -----------------------------------------------------------------------------------------------------


def _writer(row: Row) -> EquationWriter:
    def write(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall | None:
        function = row.called()
        if function is None:
            return None
        if eqn.params.get("precision", "") is None and writer.script.matmul_precision is not None:
            return None  # the function would ask for that of the script
        positional, keywords = _arguments(row, function, eqn)

        def call(*operands: Any) -> Any:
            return function(*row.operands(operands, tuple), *positional, **keywords)

        single = _single_result(eqn, args, call)
        if single is None:
            return None
        try:
            written = [params.param(writer.script, value, params.no_jaxpr) for value in positional]
            written += [
                f"{name}={params.param(writer.script, value, params.no_jaxpr)}"
                for name, value in keywords.items()
            ]
        except EmitError:
            return None
        operands = row.operands(args, syntax.list_of if row.grouped == 0 else syntax.tuple_of)
        return EquationCall(writer.script.public(row.function), [*operands, *written], single)

    return write


def _arguments(row: Row, function: Callable[..., Any], eqn: JaxprEqn) -> tuple[list[Any], Arguments]:
    """The arguments that follow the operands, by position and by name."""
    given = row.arguments(eqn)
    positional = [given.pop(name) for name in row.positional]
    taken = inspect.signature(function).parameters
    return positional, {
        n: v for n, v in given.items() if n in taken and not params.goes_without_saying(v, taken[n].default)
    }


def _single_result(eqn: JaxprEqn, args: list[str], call: Callable[..., Any]) -> bool | None:
    """Whether the call gives one bare value; None where it is not the equation."""
    key = (
        jax.config.jax_enable_x64,
        eqn.primitive,
        tuple(eqn.params.items()),
        tuple((v.aval, np.asarray(v.val).tobytes() if isinstance(v, Literal) else None) for v in eqn.invars),
        tuple(text[0].isupper() for text in args),
    )

    def tried() -> bool | None:
        results = retraced([eqn], eqn.invars, args, call)
        return None if results is None else not isinstance(results, tuple | list)

    try:
        if key in _tried:
            return _tried[key]
    except TypeError:  # a parameter that cannot be hashed
        return tried()
    if len(_tried) >= _REMEMBERED:
        _tried.clear()
    return _tried.setdefault(key, tried())


WRITERS.update({name: _writer(row) for name, row in ROWS.items()})
