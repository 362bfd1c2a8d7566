"""Ahead-of-time stages, following `jax.stages`: Wrapped -> Traced -> Lowered -> Compiled.

traced = wrapped.trace(*args)     the jaxpr of the user's function
lowered = traced.lower()          its SDFG
compiled = lowered.compile()      its machine code
compiled(*args)                   runs it as an XLA FFI call, as `wrapped(*args)` does
compiled.call_direct(*arrays)     runs it on NumPy arrays without XLA
"""

from __future__ import annotations

import functools
import json
import math
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal, Var

from jace.build import CompilerOptions, Loaded
from jace.errors import JaceError
from jace.jax_internals import is_key_dtype
from jace.primitive import bind
from jace.translate import unit as compilation


@dataclass(frozen=True)
class Bound:
    """A jace_call and what its operands and results are in terms of a flat call.

    Attributes:
        params: the parameters of the jace_call equation.
        operands: for each operand of the unit, the position of the flat argument, or a fixed value.
        results: for each flat result, the position of the unit's output, or a flat argument's, or a fixed
            value.
    """

    params: dict[str, Any]
    operands: tuple[Argument | Fixed, ...]
    results: tuple[Output | Argument | Fixed, ...]
    name: str

    @functools.cached_property
    def whole(self) -> compilation.Unit:
        """The unit of the whole program, whether or not DaCe can take it whole."""
        return bind.unit(self.params)

    @property
    def split(self) -> Any:
        """How the program is divided between DaCe and XLA (`partition.Split`), or None."""
        return bind.split(self.params)

    @property
    def units(self) -> list[compilation.Unit]:
        """The units that DaCe compiles: the whole, or one a region."""
        return [self.whole] if self.split is None else bind.regions(self.split)

    @property
    def unit(self) -> compilation.Unit:
        """The only unit.

        Raises:
            JaceError: the program is divided.
        """
        if (found := self.split) is not None:
            left = "\n".join(f"  - {f}" for f in found.foreign)
            raise JaceError(
                f"'{self.name}' is not one SDFG but {len(self.units)}: these equations are left to XLA\n{left}\n"
                "as_sdfgs() answers all of its SDFGs"
            )
        return self.whole


@dataclass(frozen=True)
class Argument:
    """A flat argument of the call."""

    index: int


@dataclass(frozen=True)
class Output:
    """An output of the unit."""

    index: int


@dataclass(frozen=True, eq=False)
class Fixed:
    """A value known when the function was traced."""

    value: Any


@dataclass(frozen=True)
class MemoryStats:
    """Bytes that a compiled program needs, named as in JAX's memory analysis."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    alias_size_in_bytes: int = 0


class Wrapped:
    """What `jace.jit` answers: a callable with the stages of a jax.jit function.

    Calling it is calling the jax.jit function inside: a subclass made for each function has that C++ object
    as its `__call__`, so that dispatch pays for no Python frame.
    """

    def __init__(self, fun: Callable[..., Any], jitted: Any) -> None:
        functools.update_wrapper(self, fun)
        self._jitted = jitted

    @staticmethod
    def of(fun: Callable[..., Any], jitted: Any) -> Wrapped:
        """A `Wrapped` whose call is `jitted`'s."""
        made = type("Wrapped", (Wrapped,), {"__call__": staticmethod(jitted), "__module__": __name__})
        return made(fun, jitted)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function. (Every instance's class overrides this.)"""
        return self._jitted(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<jace.jit function {getattr(self, '__qualname__', '?')}>"

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Trace for these arguments (arrays or `jax.ShapeDtypeStruct`s)."""
        return Traced(self._jitted.trace(*args, **kwargs))

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Trace and translate for these arguments."""
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results."""
        return self._jitted.eval_shape(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forget what was traced and compiled for this function in this process."""
        self._jitted.clear_cache()


class Traced:
    """A function traced for given argument types. Attributes beyond these are jax.stages.Traced's."""

    def __init__(self, traced: Any) -> None:
        self._traced = traced
        self._bound = _find_bound(traced)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._traced, name)

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The jaxpr of the user's function, large constants hoisted to leading inputs."""
        return self._bound.whole.closed

    def lower(self) -> Lowered:
        """Translate to an SDFG.

        Raises:
            UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
        """
        for unit in self._bound.units:
            unit.prepare()
        return Lowered(self._bound, self._traced)


class _Translated:
    """What a translated function and a compiled one have in common."""

    _bound: Bound

    def as_sdfg(self) -> Any:
        """The `dace.SDFG`.

        Raises:
            JaceError: equations are left to XLA, so that there are several.
        """
        return self._bound.unit.program.sdfg

    def as_sdfgs(self) -> list[Any]:
        """The `dace.SDFG`s: one, or one a region between the equations left to XLA."""
        return [unit.program.sdfg for unit in self._bound.units]


class Lowered(_Translated):
    """A translated function. Attributes beyond these are jax.stages.Traced's."""

    def __init__(self, bound: Bound, traced: Any) -> None:
        self._bound = bound
        self._traced = traced

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._traced, name)

    @property
    def left_to_xla(self) -> tuple[str, ...]:
        """The equations that stay with XLA: each with the reason and the user's source line."""
        return () if self._bound.split is None else tuple(map(str, self._bound.split.foreign))

    def as_text(self, dialect: str = "sdfg") -> str:
        """The program as text.

        Args:
            dialect: "jaxpr", "partition" (the jaxpr as divided between DaCe and XLA), "sdfg" (JSON; a list when
                there are several) or "stablehlo" (the wrapper that XLA compiles).
        Raises:
            ValueError: for another dialect.
        """
        if dialect == "jaxpr":
            return str(self._bound.whole.closed)
        if dialect == "partition":
            return str(self._bound.whole.closed if self._bound.split is None else self._bound.split.closed)
        if dialect == "sdfg":
            graphs = [sdfg.to_json() for sdfg in self.as_sdfgs()]
            return json.dumps(graphs[0] if self._bound.split is None else graphs, default=str)
        if dialect == "stablehlo":
            return str(self._traced.lower().as_text())
        raise ValueError(f"unknown dialect {dialect!r}; choose 'jaxpr', 'partition', 'sdfg' or 'stablehlo'")

    def compile(self) -> Compiled:
        """Compile to machine code.

        Raises:
            CodegenError, CompileError.
        """
        for unit in self._bound.units:
            _ = unit.library
        return Compiled(self._bound, self._traced)


class Compiled(_Translated):
    """A compiled function. Attributes beyond these are jax.stages.Traced's."""

    def __init__(self, bound: Bound, traced: Any = None, jitted: Any = None) -> None:
        self._bound = bound
        self._traced = traced
        self._jitted = jitted

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or self._traced is None:
            raise AttributeError(name)
        return getattr(self._traced, name)

    @functools.cached_property
    def _call(self) -> Any:
        return self._jitted if self._traced is None else self._traced.lower().compile()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run through XLA; arguments and results as the user's function has them."""
        return self._call(*args, **kwargs)

    def call_direct(self, *flat: Any) -> list[np.ndarray[Any, Any]]:
        """Run on NumPy arrays without XLA (through XLA when equations are left to it).

        Args:
            flat: the leaves of the arguments: arrays of the traced shapes and dtypes, or scalars. Typed
                keys may be given as they are or as their uint32 data.
        Returns:
            The leaves of the results as fresh NumPy arrays; typed keys as their uint32 data.
        Raises:
            TypeError: for a wrong number, shape or dtype of arguments.
            JaceError: if the program fails while it runs.
        """
        bound = self._bound
        if bound.split is not None:
            return self._call_split(flat)
        library = bound.unit.library
        needed = [o.index for o in (*bound.operands, *bound.results) if isinstance(o, Argument)]
        if needed and len(flat) <= max(needed):
            raise TypeError(
                f"'{bound.name}' takes at least {max(needed) + 1} flat arguments, not {len(flat)}"
            )
        dtypes = [dtype for _, dtype in library.signature.inputs]
        operands = [
            _as_numpy(flat[o.index] if isinstance(o, Argument) else o.value, dtype)
            for o, dtype in zip(bound.operands, dtypes, strict=True)
        ]
        outs = library.call_direct(operands)
        return [_result(r, outs, flat) for r in bound.results]

    def _call_split(self, flat: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        bound = self._bound
        avals = bound.whole.closed.in_avals
        operands = [
            _as_jax(flat[o.index] if isinstance(o, Argument) else o.value, aval)
            for o, aval in zip(bound.operands, avals, strict=True)
        ]
        outs = jax.jit(functools.partial(bind.jace_call_p.bind, **bound.params))(*operands)
        arrays = [np.asarray(_data(out)) for out in outs]
        return [_result(r, arrays, flat) for r in bound.results]

    @property
    def seconds(self) -> dict[str, float]:
        """{"translate": s, "compile": s}, 0.0 for what the cache made unnecessary."""
        stages = [unit.seconds for unit in self._bound.units]
        return {name: sum(s[name] for s in stages) for name in ("translate", "compile")}

    def as_text(self) -> str:
        """The C++ source that was compiled, region by region."""
        return "\n".join(unit.library.source or "" for unit in self._bound.units)

    @property
    def loaded(self) -> list[Loaded]:
        """The shared libraries behind this function and how often each has run, region by region."""
        return [unit.library.loaded for unit in self._bound.units]

    def cost_analysis(self) -> dict[str, float]:
        """Rough costs of a call: {"bytes accessed", "kernels", "equations"}; DaCe's part of it."""
        from jace.ir import count_equations

        stats = self.memory_analysis()
        nodes = (node for sdfg in self.as_sdfgs() for node, _ in sdfg.all_nodes_recursive())
        kernels = sum(type(node).__name__ == "MapEntry" for node in nodes)
        return {
            "bytes accessed": float(
                stats.argument_size_in_bytes + stats.output_size_in_bytes + 2 * stats.temp_size_in_bytes
            ),
            "kernels": float(kernels),
            "equations": float(sum(count_equations(unit.closed.jaxpr) for unit in self._bound.units)),
        }

    def deciding_flags(self) -> tuple[str, ...]:
        """The flags of the C++ compiler that decide what the code computes: what `first_flags` counts.

        Raises:
            JaceError: equations are left to XLA, so that there are several programs.
        """
        from jace.build.drivers import flags_of

        unit = self._bound.unit
        return flags_of(unit.program, unit.options)

    def memory_analysis(self) -> MemoryStats:
        """Bytes of arguments, outputs and temporaries; what XLA allocates between regions is not in it."""
        closed = self._bound.whole.closed
        arrays = [
            desc for sdfg in self.as_sdfgs() for _, _, desc in sdfg.arrays_recursive() if desc.transient
        ]
        temp = sum(int(d.total_size) * d.dtype.bytes for d in arrays if str(d.total_size).isdigit())
        return MemoryStats(_bytes(closed.in_avals), _bytes(closed.out_avals), temp)


def _bytes(avals: Sequence[Any]) -> int:
    physical = map(bind.physical, avals)
    return sum(math.prod(aval.shape) * aval.dtype.itemsize for aval in physical)


def compile_jaxpr(
    closed: ClosedJaxpr,
    pipeline: str = compilation.DEFAULT_PIPELINE,
    compiler_options: Any = None,
    on_unsupported: str = compilation.DEFAULT_ON_UNSUPPORTED,
) -> Compiled:
    """Translate and compile a closed jaxpr.

    Args:
        closed: the program; its inputs are the flat arguments of the result.
        pipeline, compiler_options, on_unsupported: as for `jace.jit`.
    Returns:
        A `Compiled` called with the jaxpr's inputs; `call_direct` takes them as NumPy arrays.
    Raises:
        JaceError: the type says which stage failed.
    """
    hoisted, leading = bind.hoist(closed)
    compilation.check_on_unsupported(on_unsupported)
    name = _name_of(closed)
    how: dict[str, Any] = {
        "pipeline": pipeline,
        "options": CompilerOptions.of(compiler_options),
        "on_unsupported": on_unsupported,
    }
    bound = Bound(
        {"jaxpr": hoisted, "name": name, "rules": compilation.current_rules(), **how},
        (*map(Fixed, leading), *(Argument(i) for i in range(len(closed.in_avals)))),
        tuple(Output(i) for i in range(len(closed.out_avals))),
        name,
    )
    for unit in bound.units:
        _ = unit.library

    def call(*flat: Any) -> list[Any]:
        return bind.bind(closed, flat, name=name, **how)

    return Compiled(bound, jitted=jax.jit(call))


def _name_of(closed: ClosedJaxpr) -> str:
    info = getattr(closed.jaxpr, "debug_info", None)
    return str(info.func_src_info).split(" ", maxsplit=1)[0] if info is not None else "jaxpr"


def _find_bound(traced: Any) -> Bound:
    """The jace_call equation of a traced jace.jit function, its operands as arguments of the call."""
    outer = traced.jaxpr
    calls = [eqn for eqn in outer.jaxpr.eqns if eqn.primitive is bind.jace_call_p]
    if len(calls) != 1:
        raise JaceError(f"'{traced.fun_name}' was traced to {len(calls)} compiled calls instead of one")
    call = calls[0]
    consts = list(traced._consts)
    origin: dict[Var, Any] = {v: Fixed(c) for v, c in zip(outer.jaxpr.constvars, outer.consts, strict=True)}
    origin |= {v: Fixed(c) for v, c in zip(outer.jaxpr.invars, consts, strict=False)}
    origin |= {v: Argument(i) for i, v in enumerate(outer.jaxpr.invars[len(consts) :])}
    operands = tuple(_origin(v, origin) for v in call.invars)
    origin |= {v: Output(i) for i, v in enumerate(call.outvars)}
    results = tuple(_origin(v, origin) for v in outer.jaxpr.outvars)
    return Bound(call.params, operands, results, str(traced.fun_name))


def _origin(atom: Any, origin: dict[Var, Any]) -> Any:
    return Fixed(atom.val) if isinstance(atom, Literal) else origin[atom]


def _as_numpy(value: Any, dtype: np.dtype[Any]) -> Any:
    value = _data(value)
    if isinstance(value, bool | int | float | complex):
        return np.asarray(value, dtype)
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def _as_jax(value: Any, aval: Any) -> Any:
    """A flat argument as XLA takes it: key data as typed keys, Python scalars as arrays."""
    if is_key_dtype(aval.dtype) and not is_key_dtype(getattr(value, "dtype", None)):
        return jax.random.wrap_key_data(jax.numpy.asarray(value), impl=aval.dtype._impl.name)
    return value if is_key_dtype(aval.dtype) else np.asarray(value, aval.dtype)


def _data(value: Any) -> Any:
    return jax.random.key_data(value) if is_key_dtype(getattr(value, "dtype", None)) else value


def _result(result: Any, outs: list[np.ndarray[Any, Any]], flat: Sequence[Any]) -> np.ndarray[Any, Any]:
    if isinstance(result, Output):
        return outs[result.index]
    return np.array(_data(flat[result.index] if isinstance(result, Argument) else result.value))
