"""From a closed jaxpr, without a function around it: to an SDFG, and to machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jax.extend.core import ClosedJaxpr

from jace import pipelines
from jace.debug import notes
from jace.jax_internals import jax_jit
from jace.primitive.bind import bind, hoist, without_dead_code
from jace.primitive.binding import Argument, CallBinding, Fixed, Output
from jace.settings import ON_UNSUPPORTED, Settings
from jace.stages.compiled import Compiled
from jace.stages.costs import struct

if TYPE_CHECKING:
    from jace.debug import Watch
    from jace.translate.passes import Program, State


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
    ).alive
    for unit in binding.units:
        _ = unit.library

    def call(*flat: Any) -> list[Any]:
        return bind(closed, flat, name=name, settings=settings.in_force())

    jitted: Any = jax_jit(call)
    return Compiled(binding, lambda: jitted.trace(*map(struct, closed.in_avals)), jitted)


def translate_jaxpr(
    closed: ClosedJaxpr,
    pipeline: str = pipelines.DEFAULT,
    *,
    observe: Callable[[str, State], None] | None = None,
    watch: Watch | None = None,
    annotate: bool = False,
) -> Program:
    """The SDFG that `compile_jaxpr` compiles, with its inputs and outputs; inputs that no output needs among them.

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
        alive, _ = without_dead_code(hoist(closed)[0], (True,) * len(closed.out_avals), keep_inputs=True)
        return translate(alive, pipeline, observe=observe, watch=watch)


def _name_of(closed: ClosedJaxpr) -> str:
    info = getattr(closed.jaxpr, "debug_info", None)
    return str(info.func_src_info).split(" ", maxsplit=1)[0] if info is not None else "jaxpr"
