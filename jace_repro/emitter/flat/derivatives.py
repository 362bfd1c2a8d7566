"""custom_jvp_call and custom_vjp_call as functions of the script, with their derivative rules.

The equations keep their rules as Python functions that JAX traces when somebody differentiates. Here they are
traced while the program is written: `jvp_rules` and `vjp_rule` give jaxprs, the rest writes them as
`f.defjvp(...)` and `f.defvjp(fwd, bwd)`. A rule that cannot be traced any more (it closes over values of a
trace that is over) becomes one that raises, and a note says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from jace import ir
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script
from jace_repro.emitter.flat.isolation import isolated, remembered
from jace_repro.trace.frames import is_jax_file, split_source

if TYPE_CHECKING:
    from jace_repro.emitter.flat.flat import FlatEmitter, Names

#: Functions of JAX with a rule of their own, (import, expression, function) by name: the call is written where it
#: traces to the same equation.
_PUBLIC: dict[str, tuple[str, str, Callable[..., Any]]] = {
    name: ("import jax", f"jax.nn.{name}", getattr(jax.nn, name)) for name in ("relu", "relu6", "log1mexp")
}

#: A rule may call functions with rules of their own, and so on: f' is g, g' is h. Deeper ones are left out.
_DEPTH = 3

#: Rules that see which tangents are zero are traced for each combination of that many tangents; rules of rules are
#: not, the number of traces would be a power of it.
_COMBINED = 3

#: Operands that a forward rule may forbid to be differentiated are found by trying, if they are that many.
_TRIED = 6

_struct: Any = jax.ShapeDtypeStruct


@dataclass(frozen=True)
class JvpRule:
    """A jvp rule for one combination of zero tangents.

    `closed` takes the primals and the tangents that are not zero, and answers primals and the tangents that are
    not zero.
    """

    zeros: tuple[bool, ...]
    closed: ClosedJaxpr
    out_zeros: tuple[bool, ...]


@dataclass(frozen=True)
class VjpRule:
    """A vjp rule: `fwd` answers residuals and primals, `bwd` takes residuals and cotangents.

    `residuals` are all of them in order: the number of an operand that is one, None for the next result of
    `fwd`. `bwd` answers the cotangents that are not zero; `out_zeros` says which are.
    """

    fwd: ClosedJaxpr
    residuals: tuple[int | None, ...]
    bwd: ClosedJaxpr
    out_zeros: tuple[bool, ...]


# -- tracing


def jvp_rules(eqn: JaxprEqn, nested: bool) -> list[JvpRule]:
    """The jvp rule of a custom_jvp_call; the last one is for tangents none of which is zero without need.

    `nested` says that another rule calls the function.

    Raises EmitError when it cannot be traced.
    """
    body, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    operands = len(body.in_avals) - count
    flags = [(False,) * operands]
    if eqn.params["symbolic_zeros"]:
        moving = [_moves(aval) for aval in body.in_avals[count:]]
        choices = [(True, False) if moves else (True,) for moves in moving]
        few = sum(moving) <= _COMBINED and not nested
        flags = [f for f in itertools.product(*choices) if not all(f)] if few else []
        flags = flags or [tuple(not moves for moves in moving)]
    found = []
    for zeros in flags:
        with isolated(eqn.params["jvp_jaxpr_fun"]):
            jaxpr, consts, out_zeros = _traced("jvp", eqn.params["jvp_jaxpr_fun"].call_wrapped, *zeros)
        closed = _checked(ClosedJaxpr(jaxpr, consts), operands + zeros.count(False))
        _check_results(body.out_avals, closed.out_avals[: len(out_zeros)])
        found.append(JvpRule(zeros, closed, tuple(out_zeros)))
    return found


def vjp_rule(eqn: JaxprEqn) -> VjpRule:
    """The vjp rule of a custom_vjp_call, for as many differentiated operands as it allows.

    Raises EmitError when it cannot be traced.
    """
    params = eqn.params
    operands = len(params["call_jaxpr"].in_avals) - params["num_consts"]
    asked = [f for f in remembered(params["fwd_jaxpr_thunk"]) if len(f) <= operands]
    reason = None
    for moves in _differentiated(params, asked):
        try:
            with isolated(params["fwd_jaxpr_thunk"], params["out_trees"], params["bwd"]):
                return _vjp_rule(params, moves)
        except EmitError as error:
            reason = reason or error
    raise reason or EmitError("the rule allows no operand to be differentiated")


def _differentiated(params: Mapping[str, Any], asked: Sequence[tuple[bool, ...]]) -> Iterator[Sequence[bool]]:
    """Which operands to differentiate: all, else those of the program, else all that may be (Equinox's rules
    forbid some).
    """
    moves = [_moves(aval) for aval in params["call_jaxpr"].in_avals[params["num_consts"] :]]
    yield moves
    for flags in reversed(asked):  # constants of a rule bound again come first, and are not differentiated
        yield (*(False,) * (len(moves) - len(flags)), *flags)
    one = [[i == j for j in range(len(moves))] for i, move in enumerate(moves) if move]
    if params["symbolic_zeros"] and len(one) <= _TRIED:
        allowed = [flags for flags in one if _traces(params["fwd_jaxpr_thunk"], flags)]
        if allowed:
            yield [*map(any, zip(*allowed, strict=True))]


def _vjp_rule(params: Mapping[str, Any], moves: Sequence[bool]) -> VjpRule:
    body, count = params["call_jaxpr"], params["num_consts"]
    avals = body.in_avals[count:]
    forward = _traced("forward", params["fwd_jaxpr_thunk"].call_wrapped, *moves)
    fwd = _checked(ClosedJaxpr(*forward), len(avals))
    *_, forwarded = _traced("forward", params["out_trees"])
    residuals = tuple(None if f is None else f - count for f in forwarded)
    own = iter(fwd.out_avals)
    res = [next(own) if f is None else avals[f] for f in residuals]
    _check_results(body.out_avals, list(own))
    operands = [_like(a) for a in res] + [_like(a.to_ct_aval()) for a in body.out_avals]
    known = {i: fwd.jaxpr.outvars[n] for n, i in enumerate(i for i, f in enumerate(residuals) if f is None)}
    constants = {i: atom.val for i, atom in known.items() if isinstance(atom, Literal)}
    out_zeros: list[bool] = []

    def bwd(*args: Any) -> list[Any]:  # a rule may branch on what its forward rule gave as a constant
        cotangents = params["bwd"].call_wrapped(*(constants.get(i, a) for i, a in enumerate(args)))
        out_zeros[:] = [type(c).__name__ in ("Zero", "SymbolicZero") for c in cotangents]
        return [c for c, zero in zip(cotangents, out_zeros, strict=True) if not zero]

    closed = _checked(_traced("backward", jax.make_jaxpr(bwd), *operands), len(operands))
    return VjpRule(fwd, residuals, closed, tuple(out_zeros))


def _traces(thunk: Any, flags: Sequence[bool]) -> bool:
    try:
        with isolated(thunk):
            _traced("forward", thunk.call_wrapped, *flags)
    except EmitError:
        return False
    return True


_Rule = VjpRule | list[JvpRule]


def _traced(what: str, trace: Callable[..., Any], *args: Any) -> Any:
    try:
        return trace(*args)
    except Exception as error:  # whatever the user's function raises outside of the program it was made for
        first = str(error).strip().partition("\n")[0]
        raise EmitError(f"the {what} rule cannot be traced: {type(error).__name__}: {first}") from error


def _checked(closed: ClosedJaxpr, operands: int) -> ClosedJaxpr:
    if any(isinstance(c, jax.core.Tracer) for c in closed.consts):
        raise EmitError("the rule uses values of a trace that is over")
    if len(closed.in_avals) != operands:
        raise EmitError(f"the rule takes {len(closed.in_avals)} values, not {operands}")
    return ir.normal_form(closed)


def _check_results(wanted: Sequence[Any], found: Sequence[Any]) -> None:
    """A body that was rewritten (by the reducer) need not be what its rule differentiates any more."""
    if [(a.shape, a.dtype) for a in wanted] != [(a.shape, a.dtype) for a in found]:
        raise EmitError("the rule belongs to a function with other results")


def _moves(aval: Any) -> bool:
    """Whether values of a type have tangents: integers and keys have none."""
    return bool(aval.to_tangent_aval().dtype != jax.dtypes.float0)


def _like(aval: Any) -> Any:
    return _struct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


# -- writing


def custom_call(emitter: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool]:
    """The call of a function with a derivative rule (see FlatEmitter for what is answered)."""
    single = len(eqn.outvars) == 1
    known = _public(emitter.script, eqn)
    if known is not None:
        return known, args, single
    count = eqn.params["num_consts"]
    name = _function(emitter, eqn)
    return (f"{name}({', '.join(args[:count])})" if count else name), args[count:], single


def _public(script: Script, eqn: JaxprEqn) -> str | None:
    """JAX's own function for this equation, when calling it is the very same equation."""
    body = eqn.params["call_jaxpr"]
    debug = body.jaxpr.debug_info
    known = _PUBLIC.get(debug.func_name or "")
    if known is None or not is_jax_file(split_source(str(debug.func_src_info))[1]):
        return None
    line, name, fun = known
    try:
        again = jax.make_jaxpr(fun)(*map(_like, body.in_avals))
    except TypeError:  # not with operands of these types
        return None
    alone = ir.make_closed(_variables(eqn.invars), eqn.outvars, [eqn])
    if len(alone.in_avals) != len(eqn.invars) or ir.fingerprint(again) != ir.fingerprint(alone):
        return None
    return script.import_(line, name)


def _variables(atoms: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(v for v in atoms if not isinstance(v, Literal)))


def _function(emitter: FlatEmitter, eqn: JaxprEqn) -> str:
    """The name of the script's function, or of what makes it from its constants if it has any."""
    body, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    thunk = next((eqn.params[k] for k in ("jvp_jaxpr_fun", "fwd_jaxpr_thunk") if k in eqn.params), None)
    done = emitter.custom.get((id(thunk), id(body)))
    if done is not None:
        return done[-1]
    known = emitter.rules.get((id(thunk), id(body)))
    if known is None:
        known = emitter.rules[id(thunk), id(body)] = (thunk, body, _trace_rule(emitter, eqn))
    rule = known[-1]
    key = "\n".join([ir.canonical_text(closed) for closed in (body, *_jaxprs(rule))])
    if key in emitter.open_rules:  # a rule that calls its own function
        return emitter.open_rules[key]
    script = emitter.script
    title = body.jaxpr.debug_info.func_name or "fun"
    name = script.reserve(title)
    maker = script.reserve(f"make_{title}") if count else name
    primal, names = emitter.body(body.jaxpr, body.consts)
    operands = [names[v] for v in body.jaxpr.invars]
    lines = [f"@jax.{eqn.primitive.name.removesuffix('_call')}", *_def(name, operands[count:], primal)]
    emitter.open_rules[key] = maker
    try:
        lines += _rule_lines(emitter, eqn, name, rule)
    finally:
        del emitter.open_rules[key]
    if count:
        inner = [line for line, after in itertools.pairwise([*lines, ""]) if line or after]
        lines = _def(maker, operands[:count], [*inner, "", f"return {name}"])
    added = script.add(dict.fromkeys((maker, name)), lines)
    emitter.custom[id(thunk), id(body)] = (thunk, body, added)
    return added


def _trace_rule(emitter: FlatEmitter, eqn: JaxprEqn) -> _Rule | EmitError:
    try:
        if eqn.primitive.name == "custom_vjp_call":
            return vjp_rule(eqn)
        return jvp_rules(eqn, nested=bool(emitter.open_rules))
    except EmitError as error:
        return error


def _jaxprs(rule: _Rule | EmitError) -> list[ClosedJaxpr]:
    if isinstance(rule, VjpRule):
        return [rule.fwd, rule.bwd]
    return [] if isinstance(rule, EmitError) else [case.closed for case in rule]


def _rule_lines(emitter: FlatEmitter, eqn: JaxprEqn, name: str, rule: _Rule | EmitError) -> list[str]:
    """The lines that give a function its rule, or one that raises when the rule cannot be written."""
    script, symbolic = emitter.script, bool(eqn.params["symbolic_zeros"])
    before, notes = emitter.snapshot(), len(script.notes)
    ending = ", symbolic_zeros=True" if symbolic else ""
    try:
        if isinstance(rule, EmitError):
            raise rule
        if len(emitter.open_rules) > _DEPTH:
            raise EmitError(f"rules of rules are written to a depth of {_DEPTH}")
        written = (
            _vjp(emitter, rule, name, symbolic, ending)
            if isinstance(rule, VjpRule)
            else _jvp(emitter, rule, name, symbolic, ending)
        )
        if any(note.startswith("unknown:") for note in script.notes[notes:]):
            raise EmitError("there is a Python callback in it")
        return written
    except EmitError as error:
        emitter.restore(before)
        title = eqn.params["call_jaxpr"].jaxpr.debug_info.func_name or "a function"
        script.notes.append(f"the derivative rule of {title} is not in the script: {error}")
        missing = script.use("no_rule")
        if eqn.primitive.name == "custom_jvp_call":
            return ["", "", f"{name}.defjvp({missing}{ending})"]
        return ["", "", f"{name}.defvjp({missing}, {missing}{ending})"]


def _jvp(emitter: FlatEmitter, rules: Sequence[JvpRule], name: str, symbolic: bool, ending: str) -> list[str]:
    lines: list[str] = []
    for rule in rules:
        body, names = emitter.body(rule.closed.jaxpr, rule.closed.consts, _jvp_ending(emitter, rule))
        operands = [names[v] for v in rule.closed.jaxpr.invars]
        count = len(rule.zeros)
        given = iter(operands[count:])
        tangents = ["_" if zero else next(given) for zero in rule.zeros]
        source = "tangents"
        if symbolic and rule.zeros.count(False) > 1 and len(rules) == 1:
            source = f"map({emitter.script.use('dense')}, tangents)"
        body = [f"{_targets(operands[:count])} = primals", f"{_targets(tangents)} = {source}", *body]
        if rule is not rules[-1]:
            body = [f"if zeros == {rule.zeros}:", *_indented(body)]
        lines += body
    if len(rules) > 1:
        zero = emitter.script.import_("import jax.custom_derivatives", "jax.custom_derivatives.SymbolicZero")
        lines.insert(0, f"zeros = tuple(isinstance(t, {zero}) for t in tangents)")
    definition = _def(f"{name}_jvp", ["primals", "tangents"], lines)
    if not symbolic:
        return ["", "", f"@{name}.defjvp", *definition]
    return ["", "", *definition, "", "", f"{name}.defjvp({name}_jvp{ending})"]


def _jvp_ending(emitter: FlatEmitter, rule: JvpRule) -> Callable[[Names, list[str]], list[str]]:
    def ending(names: Names, outs: list[str]) -> list[str]:
        primals, given = outs[: len(rule.out_zeros)], iter(outs[len(rule.out_zeros) :])
        tangents = []
        for primal, zero in zip(primals, rule.out_zeros, strict=True):
            if not zero:
                tangents.append(next(given))
                continue
            fun = emitter.script.import_(
                "import jax.custom_derivatives", "jax.custom_derivatives.zero_from_primal"
            )
            tangents.append(f"{fun}({primal}, symbolic_zeros=True)")
        return [f"return {_pack(primals)}, {_pack(tangents)}"]

    return ending


def _vjp(emitter: FlatEmitter, rule: VjpRule, name: str, symbolic: bool, ending: str) -> list[str]:
    count = len(rule.residuals)
    own = rule.residuals.count(None)

    def end_fwd(names: Names, outs: list[str]) -> list[str]:
        given = iter(outs[:own])
        operands = [names[v] for v in rule.fwd.jaxpr.invars]
        residuals = [next(given) if f is None else operands[f] for f in rule.residuals]
        return [f"return {_pack(outs[own:])}, {_pack(residuals, always=True)}"]

    def end_bwd(names: Names, outs: list[str]) -> list[str]:
        given = iter(outs)
        return [f"return {_pack(['None' if z else next(given) for z in rule.out_zeros], always=True)}"]

    fwd, names = emitter.body(rule.fwd.jaxpr, rule.fwd.consts, end_fwd)
    operands = [names[v] for v in rule.fwd.jaxpr.invars]
    if symbolic and operands:
        fwd.insert(0, f"{_targets(operands)} = {_targets([f'{v}.value' for v in operands])}")
    bwd, names = emitter.body(rule.bwd.jaxpr, rule.bwd.consts, end_bwd)
    values = [names[v] for v in rule.bwd.jaxpr.invars]
    residuals, cotangents = values[:count], values[count:]
    unpack = [f"{_targets(residuals)} = residuals"] if residuals else []
    if symbolic:
        given = "cotangents" if len(cotangents) != 1 else "[cotangents]"
        unpack.append(f"{_targets(cotangents)} = map({emitter.script.use('dense')}, {given})")
    elif cotangents:
        unpack.append(f"{', '.join(cotangents)} = cotangents")
    return [
        *("", ""),
        *_def(f"{name}_fwd", operands, fwd),
        *("", ""),
        *_def(f"{name}_bwd", ["residuals", "cotangents"], [*unpack, *bwd]),
        *("", ""),
        f"{name}.defvjp({name}_fwd, {name}_bwd{ending})",
    ]


def _def(name: str, parameters: Sequence[str], body: Sequence[str]) -> list[str]:
    return [f"def {name}({', '.join(parameters)}):", *_indented(body)]


def _indented(lines: Sequence[str]) -> list[str]:
    return ["    " + line if line else "" for line in lines]


def _targets(names: Sequence[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def _pack(items: Sequence[str], always: bool = False) -> str:
    """Results as the function's own: one bare, several (or `always`) as a tuple."""
    if len(items) == 1:
        return f"({items[0]},)" if always else items[0]
    return f"({', '.join(items)})"
