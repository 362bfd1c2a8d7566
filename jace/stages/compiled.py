"""The last stage: machine code, called through XLA or directly."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jace.build import Loaded
from jace.jax_internals import api_boundary, jax_jit, plain_value
from jace.primitive.bind import jace_call_p
from jace.primitive.binding import Argument, CallBinding
from jace.primitive.values import as_jax, as_numpy, operand_of, result_of
from jace.stages import costs
from jace.stages.costs import MemoryStats
from jace.stages.stage import Translated


class Compiled(Translated):
    """A compiled function."""

    def __init__(self, binding: CallBinding, trace: Callable[[], Any], jitted: Any = None) -> None:
        self._binding = binding
        self._trace = trace
        self._jitted = jitted

    @property
    def call(self) -> Any:
        """Refused.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(
            "jax.stages.Compiled.call takes JAX's private parameters: call the Compiled itself"
        )

    @functools.cached_property
    def _traced(self) -> Any:
        return self._trace()

    @property
    def _executable(self) -> Any:
        """What `jax.experimental.serialize_executable` asks for: refused as pickling is."""
        return self.__reduce__()

    @functools.cached_property
    def _xla(self) -> Any:
        return self._traced.lower().compile()

    out_info = property(lambda self: self._xla.out_info, doc="Shapes, dtypes and places of the results.")
    input_formats = property(
        lambda self: self._xla.input_formats, doc="Layout and sharding of the arguments."
    )
    input_shardings = property(lambda self: self._xla.input_shardings, doc="Shardings of the arguments.")
    output_formats = property(
        lambda self: self._xla.output_formats, doc="Layout and sharding of the results."
    )
    output_shardings = property(lambda self: self._xla.output_shardings, doc="Shardings of the results.")

    @api_boundary
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run through XLA; arguments and results as the user's function has them."""
        return (self._jitted or self._xla)(*args, **kwargs)

    def runtime_executable(self) -> Any:
        """XLA's executable of the program around the SDFG; the machine code of the SDFG is `loaded`."""
        return self._xla.runtime_executable()

    def call_direct(self, *flat: Any) -> list[np.ndarray[Any, Any]]:
        """Run on NumPy arrays without XLA (through XLA when equations are left to it).

        Args:
            flat: the leaves of the arguments: arrays of the traced shapes and dtypes, or scalars. Typed
                keys may be given as they are or as their uint32 data.
        Returns:
            The leaves of the results as fresh NumPy arrays; typed keys as their uint32 data, float0 as booleans.
        Raises:
            TypeError: for a wrong number, shape or dtype of arguments; for refs.
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
            as_numpy(operand_of(o, flat), dtype) for o, dtype in zip(binding.operands, dtypes, strict=True)
        ]
        outs = library.call_direct(operands)
        return [result_of(r, outs, flat) for r in binding.results]

    def _call_split(self, flat: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
        binding = self._binding
        avals = binding.whole.closed.in_avals
        operands = [
            as_jax(operand_of(o, flat), aval) for o, aval in zip(binding.operands, avals, strict=True)
        ]
        outs = jax_jit(functools.partial(jace_call_p.bind, **binding.params))(*operands)
        arrays = [np.asarray(plain_value(out)) for out in outs]
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
        units = zip(self._binding.units, self._binding.conditional, strict=True)
        return [replace(unit.library.loaded, conditional=conditional) for unit, conditional in units]

    @property
    def idle_passes(self) -> tuple[str, ...]:
        """The user's own passes of the pipeline that left every SDFG as it was, where these were made just now."""
        found = [unit.idle for unit in self._binding.units]
        return tuple(step for step in itertools.chain(*found[:1]) if all(step in idle for idle in found))

    def cost_analysis(self) -> dict[str, float]:
        """Costs after fusion, under XLA's names: {"flops", "transcendentals", "bytes accessed"}; DaCe's part of it.

        Besides them "kernels", and "equations" as the user wrote them.
        """
        return costs.after_fusion(self._binding)

    def memory_analysis(self) -> MemoryStats:
        """Bytes of arguments, results and temporaries, DaCe's and XLA's together."""
        return costs.memory(self._binding, self._xla.memory_analysis())

    def deciding_flags(self) -> tuple[str, ...]:
        """The flags of the C++ compiler that decide what the code computes: what `first_flags` counts.

        Raises:
            JaceError: equations are left to XLA, so that there are several programs.
        """
        from jace.build.drivers import flags_of

        unit = self._binding.unit
        return flags_of(unit.program, unit.settings.options)
