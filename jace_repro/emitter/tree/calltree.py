"""The call-tree emitter: a traced program as its user wrote it.

Functions are functions again, with their names and parameters, nested where they share values; transforms,
control flow and jitted calls stand as calls of `jax.vmap`, `lax.scan`, `@jax.jit`; what the user asked of
`jax.numpy` is asked of it again. Retracing `repro` gives the recorded jaxpr, as far as the trace could tell
(:mod:`jace_repro.trace.model`): a self-check says whether it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script, plain_identifier
from jace_repro.emitter.flat.flat import assemble, title
from jace_repro.emitter.tree.escapes import inline_escapes
from jace_repro.emitter.tree.functions import Writer, positional
from jace_repro.emitter.tree.outline import share_helpers
from jace_repro.emitter.tree.paths import identifier_of, paths
from jace_repro.emitter.tree.scopes import Scope, unused
from jace_repro.repro import Header, Repro
from jace_repro.trace.callback_log import Log
from jace_repro.trace.model import Body, Traced, bodies_of, leaves


def emit_calltree(body: Body, args: Sequence[Any], *, header: Header, answers: Log | None = None) -> Repro:
    """The script of a traced program, or of a call that was made outside of jit (`header.eager`).

    Args:
        body: how its function ran while it was traced.
        args: flat concrete operands, one for each traced value among the arguments of `body`.
        header: what is known of it, its fingerprint included.
        answers: what its Python callbacks answered when it ran; without it they are stubs that raise.
    Raises:
        EmitError: something in the call tree has no source.
    """
    if body.problem:
        raise EmitError(body.problem)
    script = Script.configured(header.jax_config)
    operands = [leaf for leaf in leaves((body.args, dict(body.kwargs))) if isinstance(leaf, Traced)]
    if header.eager:  # an array that is given twice is one value
        operands = list(dict.fromkeys(operands))
    if len(operands) != len(args):
        raise EmitError(f"the function took {len(operands)} values, the program takes {len(args)}")
    inline_escapes(body)
    share_helpers(body)
    names_of_functions = {plain_identifier(b.function.name) for b in bodies_of(body)}
    writer = Writer(script, answers, names_of_functions)
    write = _write_steps if header.eager else _write_call
    names, lines = write(writer, body, operands)
    inputs = [
        (script.leaf(value, t.aval, f"x{i}"), f"{n}: {t.aval.str_short(short_dtypes=True)}")
        for i, (value, t, n) in enumerate(zip(args, operands, names, strict=True))
    ]
    source = assemble(script, inputs, names, lines, title(header), header.jax_config, header.donated)
    notes = (*header.notes, *dict.fromkeys(script.notes))
    return Repro(source=source, arrays=script.arrays, header=replace(header, notes=notes))


def _write_call(writer: Writer, body: Body, operands: Sequence[Traced]) -> tuple[list[str], list[str]]:
    """(parameters, lines) of `repro`, which calls the user's function."""
    name = writer.module_function(body)
    names = _parameter_names(body, operands, writer.reserved)
    known = {t.id: n for t, n in zip(operands, names, strict=True)}
    scope = Scope(writer.reserved | {name}, writer.reserved, known)
    given = writer.values.arguments(*body.function.dynamic(body.args, body.kwargs), scope, {})
    return names, [f"return {scope.plain(f'{name}({given})')}"]


def _write_steps(writer: Writer, body: Body, operands: Sequence[Traced]) -> tuple[list[str], list[str]]:
    """(parameters, lines) of `repro`, which does itself what no function of the user's did."""
    names = _parameter_names(body, operands, writer.reserved)
    own = replace(
        body, function=replace(body.function, parameters=tuple(names)), args=tuple(operands), kwargs={}
    )
    parameters, lines = writer.lines(own, None, None)
    return parameters.split(", ") if operands else [], lines


def _parameter_names(body: Body, operands: Sequence[Traced], reserved: Iterable[str]) -> list[str]:
    """A name for each flat operand, after the path to it: params_dense_kernel."""
    wanted: dict[int, str] = {}
    args, kwargs = body.args, body.kwargs
    parameters = positional(body.function, len(args))
    for name, value in (*zip(parameters, args, strict=True), *kwargs.items()):
        for traced, path in paths(value, name):
            wanted.setdefault(traced.id, identifier_of(path))
    taken = set(reserved)
    names = []
    for operand in operands:
        names.append(unused(wanted[operand.id], taken))
        taken.add(names[-1])
    return names
