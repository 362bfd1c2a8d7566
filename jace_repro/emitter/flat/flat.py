"""The flat emitter: lax-level source of a traced program, one equation a line.

Retracing the script's `repro` gives a jaxpr that is structurally identical to the one it was written
from. Bodies of loops and branches, and functions called through jit, custom_jvp and custom_vjp, become
functions of the script; equal ones are written once.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr

from jace import ir
from jace.ir import discharge_refs
from jace_repro.emitter.core import layout, meshes, operands, syntax
from jace_repro.emitter.core.assembly import assemble
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.writer import JaxprWriter, Names, type_text
from jace_repro.repro import Header, Repro
from jace_repro.trace.callback_log import Log

#: How often a program is written: once more for each depth at which there are equations to replace.
_ROUNDS = 5

#: Arguments of JAX's own eager operations.
_ANONYMOUS = re.compile(r"args\[\d+\]")


def emit_flat(
    closed: ClosedJaxpr, args: Sequence[Any], *, header: Header, callback_log: Log | None = None
) -> Repro:
    """The repro of a traced program.

    Args:
        closed: the program; its invars correspond to `args` one to one. A mutable reference among them is an array in
            the script, whose final value is a further output where it may be written.
        args: flat concrete operands: arrays, scalars or typed key arrays.
        header: what is known of it. A missing fingerprint is computed; notes about what could not be
            written are added to it.
        callback_log: what its Python callbacks returned when it ran; without it they are stubs that raise.

    Raises:
        EmitError: an operand has a type that no array of a script can have (a reference, a token).
    """
    if len(args) != len(closed.jaxpr.invars):
        raise EmitError(f"{len(args)} values for {len(closed.jaxpr.invars)} operands")
    changed = ir.normal_form(closed)
    if header.fingerprint is None:  # not the recorded program (any more): its call says nothing of this one
        header = replace(header, static={}, donated=())
    header = replace(header, without_dead_code=False)
    if header.fingerprint is None or changed is not closed:
        header = replace(header, fingerprint=ir.fingerprint(changed))
    changed, notes = _without_refs(changed)
    if notes:
        header = _of_script(header, changed)
    given, results = _names_of(closed.jaxpr)

    def ending(names: Names, outs: list[str]) -> list[str]:
        return [*results, f"return {syntax.returned(outs)}"]

    rules: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
    for _ in range(_ROUNDS):
        script = Script.configured(header.jax_config)
        script.notes += notes
        writer = JaxprWriter(script, callback_log)
        writer.derivative_rules = rules  # each is traced once
        body, names = writer.body(changed.jaxpr, changed.consts, ending)
        if not writer.replaced:
            break
        notes += dict.fromkeys(note for _, _, note in writer.replaced.values())
        changed = ir.normal_form(ir.splice(changed, writer.replacement))
        # JAX has kept what the primitives were given; what computes the same need not read it
        header = _of_script(header, changed)
    else:
        raise EmitError("what its equations compute is made of such equations again")
    invars = changed.jaxpr.invars
    parameters = [names[v] for v in invars]
    inputs = [
        (operands.leaf(script, value, v.aval, f"x{i}"), f"{names[v]}{path}: {type_text(v.aval)}")
        for i, (value, v, path) in enumerate(zip(args, invars, given, strict=True))
    ]
    static = [f"# static: {name} = {text}" for name, text in header.static.items()]
    lines = [*static, *meshes.in_context(script, changed.jaxpr, body)]
    return assemble(script, header, inputs, parameters, lines)


def _of_script(header: Header, changed: ClosedJaxpr) -> Header:
    """The header of what the script shall be: the self-check compares with this program."""
    return replace(header, fingerprint=ir.fingerprint(ir.live_form(changed)), without_dead_code=True)


def _without_refs(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[str]]:
    """The program on arrays, and a note where it was on mutable references, its own or its inputs."""
    pure = ir.on_values(closed).closed if any(map(ir.is_ref, closed.in_avals)) else discharge_refs(closed)
    return pure, [] if pure is closed else ["mutable references were turned into functional updates"]


def _names_of(jaxpr: Jaxpr) -> tuple[list[str], list[str]]:
    """What to say of each input (" = params['w']" or nothing), and comments that say what the results are."""
    debug = jaxpr.debug_info
    names, paths = debug.arg_names, debug.result_paths
    known = debug.func_name != "repro"  # the names in a script are not those of the program
    if not known or names is None or len(names) != len(jaxpr.invars):
        names = [""] * len(jaxpr.invars)
    plain = [not name or _ANONYMOUS.fullmatch(name) is not None for name in names]
    given = ["" if skip else f" = {_one_line(name)}" for name, skip in zip(names, plain, strict=True)]
    if not known or not isinstance(paths, tuple) or len(paths) != len(jaxpr.outvars) or paths == ("result",):
        return given, []
    text = ", ".join(_one_line(path) for path in paths)
    return given, [f"# {line}" for line in textwrap.wrap(text, layout.WIDTH, break_long_words=False)]


def _one_line(text: str) -> str:
    return " ".join(str(text).split())
