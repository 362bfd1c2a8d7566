"""custom_jvp_call and custom_vjp_call as functions of the script, with their derivative rules.

The rules are traced (:mod:`jace_repro.emitter.flat.derivative_rules`), and written as `f.defjvp(...)` and
`f.defvjp(fwd, bwd)`. A rule that cannot be traced any more (it closes over values of a trace that is over) becomes one
that raises, and a note says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from jace import ir
from jace_repro.emitter.core import avals, syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.flat.derivative_rules import JvpRule, VjpRule, jvp_rules, vjp_rule
from jace_repro.emitter.flat.writer import Ending, EquationCall, JaxprWriter, Names, writes
from jace_repro.trace.frames import is_jax_file, split_source

#: Functions of jax.nn with a rule of their own: the call is written where it traces to the same equation.
_PUBLIC = ("relu", "relu6", "log1mexp")

#: A rule may call functions with rules of their own, and so on: f' is g, g' is h. Deeper ones are left out.
_DEPTH = 3

_Rule = VjpRule | list[JvpRule]


@writes("custom_jvp_call", "custom_vjp_call")
def _custom_call(writer: JaxprWriter, eqn: JaxprEqn, args: list[str]) -> EquationCall:
    """The call of a function with a derivative rule."""
    single = len(eqn.outvars) == 1
    known = _public(eqn)
    if known is not None:
        return EquationCall(known, args, single)
    count = eqn.params["num_consts"]
    name = _function(writer, eqn)
    return EquationCall(f"{name}({', '.join(args[:count])})" if count else name, args[count:], single)


def _public(eqn: JaxprEqn) -> str | None:
    """JAX's own function for this equation, when calling it is the very same equation."""
    body = eqn.params["call_jaxpr"]
    debug = body.jaxpr.debug_info
    if debug.func_name not in _PUBLIC or not is_jax_file(split_source(str(debug.func_src_info))[1]):
        return None
    try:
        again = jax.make_jaxpr(getattr(jax.nn, debug.func_name))(*map(avals.operand, body.in_avals))
    except TypeError:  # not with operands of these types
        return None
    alone = ir.make_closed(_variables(eqn.invars), eqn.outvars, [eqn])
    if len(alone.in_avals) != len(eqn.invars) or ir.fingerprint(again) != ir.fingerprint(alone):
        return None
    return f"jax.nn.{debug.func_name}"


def _variables(atoms: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(v for v in atoms if not isinstance(v, Literal)))


def _function(writer: JaxprWriter, eqn: JaxprEqn) -> str:
    """The name of the script's function, or of what makes it from its constants if it has any."""
    body, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    thunk = next((eqn.params[k] for k in ("jvp_jaxpr_fun", "fwd_jaxpr_thunk") if k in eqn.params), None)
    done = writer.custom_functions.get((id(thunk), id(body)))
    if done is not None:
        return done[-1]
    known = writer.derivative_rules.get((id(thunk), id(body)))
    if known is None:
        known = writer.derivative_rules[id(thunk), id(body)] = (thunk, body, _trace_rule(writer, eqn))
    rule = known[-1]
    key = "\n".join([ir.canonical_text(closed) for closed in (body, *_jaxprs(rule))])
    if key in writer.open_rules:  # a rule that calls its own function
        return writer.open_rules[key]
    script = writer.script
    title = body.jaxpr.debug_info.func_name or "fun"
    name = script.reserve(title)
    maker = script.reserve(f"make_{title}") if count else name
    primal, names = writer.body(body.jaxpr, body.consts)
    operands = [names[v] for v in body.jaxpr.invars]
    head = f"@jax.{eqn.primitive.name.removesuffix('_call')}"
    lines = syntax.function(name, ", ".join(operands[count:]), primal, head)
    writer.open_rules[key] = maker
    try:
        lines += _rule_lines(writer, eqn, name, rule)
    finally:
        del writer.open_rules[key]
    if count:
        inner = [line for line, after in itertools.pairwise([*lines, ""]) if line or after]
        lines = syntax.function(maker, ", ".join(operands[:count]), [*inner, "", f"return {name}"])
    added = script.add(dict.fromkeys((maker, name)), lines)
    writer.custom_functions[id(thunk), id(body)] = (thunk, body, added)
    return added


def _trace_rule(writer: JaxprWriter, eqn: JaxprEqn) -> _Rule | EmitError:
    try:
        if eqn.primitive.name == "custom_vjp_call":
            return vjp_rule(eqn)
        return jvp_rules(eqn, nested=bool(writer.open_rules))
    except EmitError as error:
        return error


def _jaxprs(rule: _Rule | EmitError) -> list[ClosedJaxpr]:
    if isinstance(rule, VjpRule):
        return [rule.fwd, rule.bwd]
    return [] if isinstance(rule, EmitError) else [case.closed for case in rule]


def _rule_lines(writer: JaxprWriter, eqn: JaxprEqn, name: str, rule: _Rule | EmitError) -> list[str]:
    """The lines that give a function its rule, or one that raises when the rule cannot be written."""
    script, symbolic = writer.script, bool(eqn.params["symbolic_zeros"])
    before, notes = writer.snapshot(), len(script.notes)
    ending = ", symbolic_zeros=True" if symbolic else ""
    try:
        if isinstance(rule, EmitError):
            raise rule
        if len(writer.open_rules) > _DEPTH:
            raise EmitError(f"rules of rules are written to a depth of {_DEPTH}")
        written = (
            _vjp(writer, rule, name, symbolic, ending)
            if isinstance(rule, VjpRule)
            else _jvp(writer, rule, name, symbolic, ending)
        )
        if any(note.startswith("unknown:") for note in script.notes[notes:]):
            raise EmitError("there is a Python callback in it")
        return written
    except EmitError as error:
        writer.restore(before)
        title = eqn.params["call_jaxpr"].jaxpr.debug_info.func_name or "a function"
        script.notes.append(f"the derivative rule of {title} is not in the script: {error}")
        missing = script.use("no_rule")
        if eqn.primitive.name == "custom_jvp_call":
            return ["", "", f"{name}.defjvp({missing}{ending})"]
        return ["", "", f"{name}.defvjp({missing}, {missing}{ending})"]


def _jvp(writer: JaxprWriter, rules: Sequence[JvpRule], name: str, symbolic: bool, ending: str) -> list[str]:
    lines: list[str] = []
    for rule in rules:
        body, names = writer.body(rule.closed.jaxpr, rule.closed.consts, _jvp_ending(writer, rule))
        operands = [names[v] for v in rule.closed.jaxpr.invars]
        count = len(rule.zeros)
        given = iter(operands[count:])
        tangents = ["_" if zero else next(given) for zero in rule.zeros]
        source = "tangents"
        if symbolic and rule.zeros.count(False) > 1 and len(rules) == 1:
            source = f"map({writer.script.use('dense')}, tangents)"
        body = [
            f"{syntax.targets(operands[:count])} = primals",
            f"{syntax.targets(tangents)} = {source}",
            *body,
        ]
        if rule is not rules[-1]:
            body = [f"if zeros == {rule.zeros}:", *syntax.indented(body)]
        lines += body
    if len(rules) > 1:
        zero = writer.script.import_("import jax.custom_derivatives", "jax.custom_derivatives.SymbolicZero")
        lines.insert(0, f"zeros = tuple(isinstance(t, {zero}) for t in tangents)")
    definition = syntax.function(f"{name}_jvp", "primals, tangents", lines)
    if not symbolic:
        return ["", "", f"@{name}.defjvp", *definition]
    return ["", "", *definition, "", "", f"{name}.defjvp({name}_jvp{ending})"]


def _jvp_ending(writer: JaxprWriter, rule: JvpRule) -> Ending:
    def ending(names: Names, outs: list[str]) -> list[str]:
        primals, given = outs[: len(rule.out_zeros)], iter(outs[len(rule.out_zeros) :])
        tangents = []
        for primal, zero in zip(primals, rule.out_zeros, strict=True):
            if not zero:
                tangents.append(next(given))
                continue
            fun = writer.script.import_(
                "import jax.custom_derivatives", "jax.custom_derivatives.zero_from_primal"
            )
            tangents.append(f"{fun}({primal}, symbolic_zeros=True)")
        return [f"return {_pack(primals)}, {_pack(tangents)}"]

    return ending


def _vjp(writer: JaxprWriter, rule: VjpRule, name: str, symbolic: bool, ending: str) -> list[str]:
    count = len(rule.residuals)
    own = rule.residuals.count(None)

    def end_fwd(names: Names, outs: list[str]) -> list[str]:
        given = iter(outs[:own])
        operands = [names[v] for v in rule.fwd.jaxpr.invars]
        residuals = [next(given) if f is None else operands[f] for f in rule.residuals]
        return [f"return {_pack(outs[own:])}, {syntax.tuple_of(residuals)}"]

    def end_bwd(names: Names, outs: list[str]) -> list[str]:
        given = iter(outs)
        return [f"return {syntax.tuple_of('None' if z else next(given) for z in rule.out_zeros)}"]

    fwd, names = writer.body(rule.fwd.jaxpr, rule.fwd.consts, end_fwd)
    operands = [names[v] for v in rule.fwd.jaxpr.invars]
    if symbolic and operands:
        fwd.insert(0, f"{syntax.targets(operands)} = {syntax.targets([f'{v}.value' for v in operands])}")
    bwd, names = writer.body(rule.bwd.jaxpr, rule.bwd.consts, end_bwd)
    values = [names[v] for v in rule.bwd.jaxpr.invars]
    residuals, cotangents = values[:count], values[count:]
    unpack = [f"{syntax.targets(residuals)} = residuals"] if residuals else []
    if symbolic:
        given = "cotangents" if len(cotangents) != 1 else "[cotangents]"
        unpack.append(f"{syntax.targets(cotangents)} = map({writer.script.use('dense')}, {given})")
    elif cotangents:
        unpack.append(f"{', '.join(cotangents)} = cotangents")
    return [
        *("", ""),
        *syntax.function(f"{name}_fwd", ", ".join(operands), fwd),
        *("", ""),
        *syntax.function(f"{name}_bwd", "residuals, cotangents", [*unpack, *bwd]),
        *("", ""),
        f"{name}.defvjp({name}_fwd, {name}_bwd{ending})",
    ]


def _pack(items: Sequence[str]) -> str:
    """Results as the function's own, in a tuple with others: one is a bare value."""
    return items[0] if len(items) == 1 else syntax.tuple_of(items)
