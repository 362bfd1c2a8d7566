"""The stages after tracing and before machine code: the jaxpr, its SDFG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from jace.jax_internals import api_boundary
from jace.primitive.binding import CallBinding, binding_of
from jace.stages import costs, dialects, placement
from jace.stages.compiled import Compiled
from jace.stages.stage import Stage, Translated


class Traced(Stage):
    """A function traced for given argument types."""

    def __init__(self, traced: Any) -> None:
        self._traced = traced
        self._binding = binding_of(traced)

    fun_name = property(lambda self: self._traced.fun_name, doc="Name of the user's function.")
    out_avals = property(lambda self: self._traced.out_avals, doc="Types of the results, as a tree.")
    lojax = property(
        lambda self: self._traced.lojax, doc="JAX's own: the call of the function, of low-level types."
    )

    effects = property(
        lambda self: self._traced.effects, doc="Effects of the call (JAX has it from 0.11 on)."
    )

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The jaxpr of the user's function; the contents of refs are values in it."""
        return self._binding.jaxpr

    def closure_convert(self) -> tuple[list[Any], Any]:
        """The constants and a function of them and of the arguments (JAX has it from 0.11 on).

        Raises:
            AttributeError: the installed JAX has it not.
        """
        consts, fun = self._traced.closure_convert()
        return consts, fun

    def with_consts_as_arg(self) -> tuple[list[Any], Traced]:
        """The constants and this with one more argument for them, the first (JAX has it from 0.11 on).

        Raises:
            AttributeError: the installed JAX has it not.
        """
        consts, traced = self._traced.with_consts_as_arg()
        return consts, Traced(traced)

    def physicalize(self, ctx: Any) -> Any:
        """Not here: it is for Pallas kernels.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("physicalize is for Pallas kernels, which jace.jit does not translate")

    @api_boundary
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run what was traced."""
        return self._traced(*args, **kwargs)

    @api_boundary
    def lower(self, *, lowering_platforms: Sequence[str] | None = None, **private: Any) -> Any:
        """Translate to an SDFG.

        Args:
            lowering_platforms: None or ("cpu",).
            private: what `jax.export` asks for; it is answered JAX's own `Lowered`, without DaCe.
        Returns:
            A `Lowered`.
        Raises:
            ValueError: for a platform other than the CPU.
            UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError.
        """
        if private:
            return self._traced.lower(lowering_platforms=lowering_platforms, **private)
        placement.check_platforms("lowering_platforms", lowering_platforms or ())
        alive = self._binding.alive
        for unit in alive.units:
            unit.prepare()
        return Lowered(alive, self._traced)


class Lowered(Translated):
    """A translated function."""

    def __init__(self, binding: CallBinding, traced: Any) -> None:
        self._binding = binding
        self._traced = traced

    @property
    def out_info(self) -> Any:
        """Shapes and dtypes of the results, as a tree; what is lowered knows no weak types, in JAX either."""
        return jax.tree.map(lambda info: info.update(weak_type=False), self._traced.out_info)

    @property
    def left_to_xla(self) -> tuple[str, ...]:
        """The equations that stay with XLA: each with the reason and the user's source line."""
        return () if self._binding.split is None else tuple(map(str, self._binding.split.foreign))

    @api_boundary
    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The program as text.

        Args:
            dialect: "sdfg" (the default: states, maps, tasklets and memlets, indented), "json" (the SDFG as DaCe
                saves it; a list when there are several), "cpp" (the generated code), "jaxpr", "partition" (the
                jaxpr as divided between DaCe and XLA), "stablehlo" or "hlo" (the wrapper that XLA compiles).
            debug_info: with the user's source lines, where the dialect has room for them.
        Raises:
            ValueError: for another dialect.
        """
        return dialects.form(dialect).text(self._binding, self._traced.lower, debug_info)

    @api_boundary
    def compiler_ir(self, dialect: str | None = None) -> Any:
        """The program as an object: what `as_text` writes down.

        Args:
            dialect: as for `as_text`: "sdfg" answers the `dace.SDFG` (a list when there are several), "jaxpr" and
                "partition" a `ClosedJaxpr`, "stablehlo" and "hlo" XLA's module, "json" what `json.dumps` takes.
        Raises:
            ValueError: for another dialect.
        """
        return dialects.form(dialect).value(self._binding, self._traced.lower)

    def cost_analysis(self) -> dict[str, float]:
        """Costs before fusion, under XLA's names: {"flops", "transcendentals", "bytes accessed"}; DaCe's part of it."""
        return costs.before_fusion(self._binding)

    @api_boundary
    def compile(
        self, compiler_options: Any = None, *, device_assignment: Sequence[Any] | None = None
    ) -> Compiled:
        """Compile to machine code.

        Args:
            compiler_options: None: they belong to `jace.jit`, since the SDFG is made for them.
            device_assignment: None, or the one CPU device.
        Raises:
            ValueError: for options or another device.
            CodegenError, CompileError.
        """
        if compiler_options:
            raise ValueError(
                f"compiler_options={compiler_options!r}: a jace.jit function is lowered for its options; give them to "
                "jace.jit(fun, compiler_options=...)"
            )
        placement.check_devices("device_assignment", list(device_assignment or ()))
        for unit in self._binding.units:
            _ = unit.library
        return Compiled(self._binding, lambda: self._traced)
