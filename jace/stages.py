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
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace import pipelines
from jace.build import Loaded
from jace.debug import notes
from jace.ir.core import count_equations
from jace.primitive.bind import bind, hoist, jace_call_p
from jace.primitive.binding import Argument, CallBinding, Fixed, Output, binding_of
from jace.primitive.lowering import physical
from jace.primitive.values import as_jax, as_numpy, key_data, result_of
from jace.settings import ON_UNSUPPORTED, Settings

if TYPE_CHECKING:
    from jace.debug import Watch
    from jace.translate.passes import Program, State


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
        """Run the function; every instance's class overrides this."""
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
        self._binding = binding_of(traced)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._traced, name)

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The jaxpr of the user's function, large constants hoisted to leading inputs."""
        return self._binding.whole.closed

    def lower(self) -> Lowered:
        """Translate to an SDFG.

        Raises:
            UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
        """
        for unit in self._binding.units:
            unit.prepare()
        return Lowered(self._binding, self._traced)


class _Translated:
    """What a translated function and a compiled one have in common."""

    _binding: CallBinding

    def as_sdfg(self) -> Any:
        """The `dace.SDFG`.

        Raises:
            JaceError: equations are left to XLA, so that there are several.
        """
        return self._binding.unit.program.sdfg

    def as_sdfgs(self) -> list[Any]:
        """The `dace.SDFG`s: one, or one a region between the equations left to XLA."""
        return [unit.program.sdfg for unit in self._binding.units]


class Lowered(_Translated):
    """A translated function. Attributes beyond these are jax.stages.Traced's."""

    def __init__(self, binding: CallBinding, traced: Any) -> None:
        self._binding = binding
        self._traced = traced

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._traced, name)

    @property
    def left_to_xla(self) -> tuple[str, ...]:
        """The equations that stay with XLA: each with the reason and the user's source line."""
        return () if self._binding.split is None else tuple(map(str, self._binding.split.foreign))

    def as_text(self, dialect: str = "sdfg") -> str:
        """The program as text.

        Args:
            dialect: "jaxpr", "partition" (the jaxpr as divided between DaCe and XLA), "sdfg" (JSON; a list when
                there are several) or "stablehlo" (the wrapper that XLA compiles).
        Raises:
            ValueError: for another dialect.
        """
        if dialect == "jaxpr":
            return str(self._binding.whole.closed)
        if dialect == "partition":
            return str(
                self._binding.whole.closed if self._binding.split is None else self._binding.split.closed
            )
        if dialect == "sdfg":
            graphs = [sdfg.to_json() for sdfg in self.as_sdfgs()]
            return json.dumps(graphs[0] if self._binding.split is None else graphs, default=str)
        if dialect == "stablehlo":
            return str(self._traced.lower().as_text())
        raise ValueError(f"unknown dialect {dialect!r}; choose 'jaxpr', 'partition', 'sdfg' or 'stablehlo'")

    def compile(self) -> Compiled:
        """Compile to machine code.

        Raises:
            CodegenError, CompileError.
        """
        for unit in self._binding.units:
            _ = unit.library
        return Compiled(self._binding, self._traced)


class Compiled(_Translated):
    """A compiled function. Attributes beyond these are jax.stages.Traced's."""

    def __init__(self, binding: CallBinding, traced: Any = None, jitted: Any = None) -> None:
        self._binding = binding
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
        binding = self._binding
        if binding.split is not None:
            return self._call_split(flat)
        library = binding.unit.library
        needed = [o.index for o in (*binding.operands, *binding.results) if isinstance(o, Argument)]
        if needed and len(flat) <= max(needed):
            raise TypeError(
                f"'{binding.name}' takes at least {max(needed) + 1} flat arguments, not {len(flat)}"
            )
        dtypes = [dtype for _, dtype in library.signature.inputs]
        operands = [
            as_numpy(flat[o.index] if isinstance(o, Argument) else o.value, dtype)
            for o, dtype in zip(binding.operands, dtypes, strict=True)
        ]
        outs = library.call_direct(operands)
        return [result_of(r, outs, flat) for r in binding.results]

    def _call_split(self, flat: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        binding = self._binding
        avals = binding.whole.closed.in_avals
        operands = [
            as_jax(flat[o.index] if isinstance(o, Argument) else o.value, aval)
            for o, aval in zip(binding.operands, avals, strict=True)
        ]
        outs = jax.jit(functools.partial(jace_call_p.bind, **binding.params))(*operands)
        arrays = [np.asarray(key_data(out)) for out in outs]
        return [result_of(r, arrays, flat) for r in binding.results]

    @property
    def seconds(self) -> dict[str, float]:
        """{"translate": s, "compile": s}, 0.0 for what the cache made unnecessary."""
        stages = [unit.seconds for unit in self._binding.units]
        return {name: sum(s[name] for s in stages) for name in ("translate", "compile")}

    def as_text(self) -> str:
        """The C++ source that was compiled, region by region."""
        return "\n".join(unit.library.source or "" for unit in self._binding.units)

    @property
    def loaded(self) -> list[Loaded]:
        """The shared libraries behind this function and how often each has run, region by region."""
        return [unit.library.loaded for unit in self._binding.units]

    def cost_analysis(self) -> dict[str, float]:
        """Rough costs of a call: {"bytes accessed", "kernels", "equations"}; DaCe's part of it."""
        stats = self.memory_analysis()
        nodes = (node for sdfg in self.as_sdfgs() for node, _ in sdfg.all_nodes_recursive())
        kernels = sum(type(node).__name__ == "MapEntry" for node in nodes)
        return {
            "bytes accessed": float(
                stats.argument_size_in_bytes + stats.output_size_in_bytes + 2 * stats.temp_size_in_bytes
            ),
            "kernels": float(kernels),
            "equations": float(sum(count_equations(unit.closed.jaxpr) for unit in self._binding.units)),
        }

    def deciding_flags(self) -> tuple[str, ...]:
        """The flags of the C++ compiler that decide what the code computes: what `first_flags` counts.

        Raises:
            JaceError: equations are left to XLA, so that there are several programs.
        """
        from jace.build.drivers import flags_of

        unit = self._binding.unit
        return flags_of(unit.program, unit.settings.options)

    def memory_analysis(self) -> MemoryStats:
        """Bytes of arguments, outputs and temporaries; what XLA allocates between regions is not in it."""
        closed = self._binding.whole.closed
        arrays = [
            desc for sdfg in self.as_sdfgs() for _, _, desc in sdfg.arrays_recursive() if desc.transient
        ]
        temp = sum(int(d.total_size) * d.dtype.bytes for d in arrays if str(d.total_size).isdigit())
        return MemoryStats(_bytes(closed.in_avals), _bytes(closed.out_avals), temp)


def _bytes(avals: Sequence[Any]) -> int:
    return sum(math.prod(aval.shape) * aval.dtype.itemsize for aval in map(physical, avals))


def compile_jaxpr(
    closed: ClosedJaxpr,
    pipeline: str = pipelines.DEFAULT,
    compiler_options: Any = None,
    on_unsupported: str = ON_UNSUPPORTED[0],
) -> Compiled:
    """Translate and compile a closed jaxpr.

    Args:
        closed: the program; its inputs are the flat arguments of the result.
        pipeline, compiler_options, on_unsupported: as for `jace.jit`.
    Returns:
        A `Compiled` called with the jaxpr's inputs; `call_direct` takes them as NumPy arrays.
    Raises:
        ValueError: for an unknown pipeline, compiler option or `on_unsupported`.
        JaceError: the type says which stage failed.
    """
    settings = Settings.of(pipeline, compiler_options, on_unsupported)
    hoisted, leading = hoist(closed)
    name = _name_of(closed)
    binding = CallBinding(
        {"jaxpr": hoisted, "name": name, "settings": settings.in_force()},
        (*map(Fixed, leading), *(Argument(i) for i in range(len(closed.in_avals)))),
        tuple(Output(i) for i in range(len(closed.out_avals))),
        name,
    )
    for unit in binding.units:
        _ = unit.library

    def call(*flat: Any) -> list[Any]:
        return bind(closed, flat, name=name, settings=settings.in_force())

    return Compiled(binding, jitted=jax.jit(call))


def translate_jaxpr(
    closed: ClosedJaxpr,
    pipeline: str = pipelines.DEFAULT,
    *,
    observe: Callable[[str, State], None] | None = None,
    watch: Watch | None = None,
    annotate: bool = False,
) -> Program:
    """The SDFG that `compile_jaxpr` compiles, with its inputs and outputs.

    Args:
        closed: the program; large constants of it become leading inputs.
        pipeline: as for `jace.jit`.
        observe: called with (pass name, state) after each pass.
        watch: is told what ran.
        annotate: end the lines of tasklets with the equations that they compute (`jace.debug.notes`).
    Raises:
        ValueError: no such pipeline, or no place to stop.
        UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
    """
    from jace.translate.passes import translate

    with notes.annotated(annotate):
        return translate(hoist(closed)[0], pipeline, observe=observe, watch=watch)


def _name_of(closed: ClosedJaxpr) -> str:
    info = getattr(closed.jaxpr, "debug_info", None)
    return str(info.func_src_info).split(" ", maxsplit=1)[0] if info is not None else "jaxpr"
