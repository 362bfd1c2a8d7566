"""The flat emitter: lax-level source of a traced program, one equation a line.

Retracing the script's `repro` gives a jaxpr that is structurally identical to the one it was written
from. Bodies of loops and branches, and functions called through jit, custom_jvp and custom_vjp, become
functions of the script; equal ones are written once.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace import ir
from jace.jax_internals import discharge_refs
from jace_repro.emitter.core import layout, literals, meshes, params
from jace_repro.emitter.core.errors import EmitError, SeveralDevices
from jace_repro.emitter.core.script import Script, identifier, variable_names
from jace_repro.emitter.flat import normal
from jace_repro.emitter.flat.callbacks import callback_call, debug_callback_call, debug_print_call
from jace_repro.emitter.flat.derivatives import custom_call
from jace_repro.emitter.flat.readable import readable
from jace_repro.repro import Header, Repro
from jace_repro.repro.sourcemap import original_place
from jace_repro.trace.callback_log import Log

Names = dict[Var, str]


def emit_flat(
    closed: ClosedJaxpr, args: Sequence[Any], *, header: Header, answers: Log | None = None
) -> Repro:
    """The repro of a traced program.

    Args:
        closed: the program; its invars correspond to `args` one to one.
        args: flat concrete operands: arrays, scalars or typed key arrays.
        header: what is known of it. A missing fingerprint is computed; notes about what could not be
            written are added to it.
        answers: what its Python callbacks answered when it ran; without it they are stubs that raise.

    Raises:
        EmitError: an operand has a type that no array of a script can have (a reference, a token).
    """
    if len(args) != len(closed.jaxpr.invars):
        raise EmitError(f"{len(args)} values for {len(closed.jaxpr.invars)} operands")
    changed = ir.normal_form(closed)
    if header.fingerprint is None:  # not the recorded program (any more): its call says nothing of this one
        header = replace(header, static={}, donated=())
    if header.fingerprint is None or changed is not closed:
        header = replace(header, fingerprint=ir.fingerprint(changed))
    without_refs = discharge_refs(changed)
    notes = [] if without_refs is changed else ["mutable references were turned into functional updates"]
    changed = without_refs
    given, results = _names_of(closed.jaxpr)
    rules: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
    for _ in range(_ROUNDS):
        script = Script.configured(header.jax_config)
        script.notes += notes
        emitter = FlatEmitter(script, answers)
        emitter.rules = rules
        body, names = emitter.body(
            changed.jaxpr, changed.consts, lambda _, outs: [*results, f"return {_tuple(outs)}"]
        )
        if not emitter.replaced:
            break
        # what the script shall be, written anew: the self-check compares with this program
        notes += dict.fromkeys(note for _, _, note in emitter.replaced.values())
        changed = ir.normal_form(ir.splice(changed, emitter.replacement))
        header = replace(header, fingerprint=ir.fingerprint(changed))
    else:
        raise EmitError("what its equations compute is made of such equations again")
    parameters = [names[v] for v in changed.jaxpr.invars]
    leaves = [
        (script.leaf(value, v.aval, f"x{i}"), f"{name}{path}: {_type(v.aval)}")
        for i, (value, v, name, path) in enumerate(
            zip(args, changed.jaxpr.invars, parameters, given, strict=True)
        )
    ]
    body = meshes.in_context(script, changed.jaxpr, body)
    body = [*(f"# static: {name} = {text}" for name, text in header.static.items()), *body]
    source = assemble(script, leaves, parameters, body, title(header), header.jax_config, header.donated)
    header = replace(header, notes=(*header.notes, *dict.fromkeys(script.notes)), self_check=None)
    return Repro(source=source, arrays=script.arrays, header=header)


#: How often a program is written: once more for each depth at which there are equations to replace.
_ROUNDS = 5


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


#: Arguments of JAX's own eager operations.
_ANONYMOUS = re.compile(r"args\[\d+\]")


def _one_line(text: str) -> str:
    return " ".join(str(text).split())


def title(header: Header) -> str:
    """The script's docstring."""
    where = PurePath(header.origin.partition(" (")[0]).name
    text = f"{header.name}{f' ({where})' if where else ''}: written by jace-repro, needs only jax and numpy."
    text = text.replace("\\", "/").replace('"""', "'''")
    return f'"""{text}"""'


def assemble(
    script: Script,
    leaves: Sequence[tuple[str, str]],
    parameters: Sequence[str],
    body: list[str],
    title: str,
    config: Any,
    donated: Sequence[int] = (),
) -> str:
    """The script's text from its parts.

    `leaves` are the values of inputs() with what to say of each, `body` the lines of repro(); `donated` are the numbers
    of the inputs that the script donates when it is run.
    """
    options = f", donate_argnums={tuple(donated)}" if donated else ""
    items = [line for leaf, said in leaves for line in layout.listed(leaf, f"  # {said}", 8)]
    inputs = ["def inputs():", "    return [", *(f"        {line}" for line in items), "    ]"]
    if not leaves:
        inputs = ["def inputs():", "    return []"]
    repro = [
        f"def repro({', '.join(parameters)}):",
        *("    " + line if line else "" for line in body),
    ]
    main = [
        'if __name__ == "__main__":',
        f"    for output in jax.tree.leaves(jax.jit(repro{options})(*inputs())):",
        "        print(output)",
    ]
    rest = ["\n".join(part) + "\n" for part in (inputs, repro, main)]
    return layout.fitted("\n\n".join([script.text(title, config, "\n".join(rest)), *rest]))


class FlatEmitter:
    """Writes jaxprs as functions of one script."""

    def __init__(self, script: Script, answers: Log | None = None) -> None:
        self.script = script
        #: equations that were replaced by what they compute: (equation, what it computes, note) by `_key`
        self.replaced: dict[Any, tuple[JaxprEqn, ClosedJaxpr, str]] = {}
        self._expanded: dict[Any, tuple[JaxprEqn, ClosedJaxpr]] = {}
        #: what Python callbacks answered
        self.answers = answers
        #: callbacks that are written: (function, name) by the function's identity
        self.callbacks: dict[int, tuple[Any, str]] = {}
        #: functions with derivative rules that are written: (rule, body, name) by the identity of both
        self.custom: dict[tuple[int, int], tuple[Any, Any, str]] = {}
        #: derivative rules that were traced: (rule, body, what it is) by the identity of both
        self.rules: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        #: functions whose derivative rules are being written
        self.open_rules: dict[str, str] = {}
        #: writes an equation of a primitive that is not JAX's, given what it computes; None: it is replaced by that
        self.stranger: Callable[[JaxprEqn, ClosedJaxpr], str | None] = lambda eqn, expanded: None
        self._bodies: dict[tuple[int, str], tuple[Any, str]] = {}

    def snapshot(self) -> Any:
        """What has been written so far, for `restore`."""
        return self.script.snapshot(), self.custom.copy(), self.callbacks.copy(), self._bodies.copy()

    def restore(self, snapshot: Any) -> None:
        """Forget what was written since the snapshot."""
        script, self.custom, self.callbacks, self._bodies = snapshot
        self.script.restore(script)

    def body(
        self,
        jaxpr: Jaxpr,
        consts: Sequence[Any],
        ending: Callable[[Names, list[str]], list[str]] | None = None,
    ) -> tuple[list[str], Names]:
        """The lines of a function with this body, and the names of its variables.

        `ending` writes the last lines from the names and the results, instead of returning the results.
        """
        names: Names = {}
        fresh = variable_names()
        for var in jaxpr.invars:
            names[var] = next(fresh)
        staged = [self.script.const(c) for c in consts]
        lines = []
        if staged and not normal.consts_in_order(jaxpr):
            globals_, staged = staged, [name.lower() for name in staged]
            stage = f"map({self.script.lax('stage')}, ({', '.join(globals_)},))"
            lines.append(f"{_unpack(staged)} = {stage}  # in the order of the program")
        names.update(zip(jaxpr.constvars, staged, strict=True))
        used = ir.used_variables(jaxpr)
        for eqn in jaxpr.eqns:
            for var in eqn.outvars:
                names[var] = next(fresh) if var in used else "_"
            lines += self._equation(eqn, names)
        outs = [self._atom(v, names) for v in jaxpr.outvars]
        lines += ending(names, outs) if ending else [f"return {_tuple(outs)}"]
        return lines, names

    # -- equations

    def _atom(self, atom: Var | Literal, names: Names) -> str:
        return self.script.literal(atom.val, atom.aval) if isinstance(atom, Literal) else names[atom]

    def _equation(self, eqn: JaxprEqn, names: Names) -> list[str]:
        args = [self._atom(v, names) for v in eqn.invars]
        outs = [names[v] for v in eqn.outvars]
        called, items, single = self.call(eqn, args)
        target = outs[0] if single else _unpack(outs)
        return layout.call(target, called, items, self._comment(eqn))

    def call(self, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool]:
        """(callee, arguments, whether the call answers one bare value) of an equation, given its operands."""
        if normal.needs_raw(eqn):
            return self._raw(eqn, args)
        special = _SPECIAL.get(eqn.primitive.name)
        if special is not None:
            done = special(self, eqn, args)
            if done is not None:
                return done
        call = readable(self.script, eqn, args)
        if call is not None:
            return call[0], call[1], True
        return self._bind(eqn, args)

    def _bind(self, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool]:
        try:
            primitive = self.script.primitive(eqn.primitive)
            written = self.params(eqn)
        except SeveralDevices:
            raise
        except EmitError as error:
            return self._lowered_away(eqn, args, error)
        return f"{primitive}.bind", [*args, *written], not eqn.primitive.multiple_results

    def _raw(self, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool]:
        primitive = self.script.primitive(eqn.primitive)
        return (
            self.script.use("raw"),
            [primitive, *args, *self.params(eqn)],
            not eqn.primitive.multiple_results,
        )

    def params(self, eqn: JaxprEqn, leave_out: frozenset[str] = frozenset()) -> list[str]:
        """The equation's parameters as keyword arguments, in alphabetical order."""
        written = []
        for name, value in sorted(eqn.params.items()):
            if name in leave_out:
                continue
            hint = _BODY_HINTS.get(name, name.removesuffix("_jaxpr"))
            try:
                text = params.param(self.script, value, functools.partial(self.traced, hint=hint))
            except EmitError as error:
                if name not in _RULES:
                    raise
                text = self._missing_rule(f"{_RULES[name]} of a {eqn.primitive.name}", error)
            written.append(f"{name}={text}" if name.isidentifier() else f"**{{{name!r}: {text}}}")
        return written

    def _missing_rule(self, what: str, error: EmitError) -> str:
        """A stub for a Python function that only a transformation of the program would call."""
        self.script.notes.append(f"{what} is not in the script, only transforming it would need it: {error}")
        return f"{self.script.use('unknown')}({literals.string(what)})"

    def _lowered_away(self, eqn: JaxprEqn, args: list[str], error: EmitError) -> tuple[str, list[str], bool]:
        """A call of what the equation does in terms of JAX's own primitives; EmitError when nothing says."""
        key = _key(eqn)
        if key not in self._expanded:
            what = f"equation {eqn.primitive.name} cannot be written as source: {error}"
            try:
                expanded = normal.expand(eqn)
            except EmitError as further:
                raise EmitError(f"{what}; {further}") from error
            if expanded is None:
                raise EmitError(what) from error
            self._expanded[key] = (eqn, expanded)
        expanded = self._expanded[key][1]
        name = self.stranger(eqn, expanded)
        if name is not None:
            return f"{name}.bind", args, not eqn.primitive.multiple_results
        self.replace(eqn, expanded, f"{eqn.primitive.name} was replaced by what it computes: {error}")
        return self.function(expanded, eqn.primitive.name), args, len(eqn.outvars) == 1

    def replace(self, eqn: JaxprEqn, body: ClosedJaxpr, note: str) -> None:
        """Note that the script has `body` in the place of an equation. (Derivative rules are no part of the jaxpr.)"""
        self.script.notes.append(note)
        if not self.open_rules:
            self.replaced[_key(eqn)] = (eqn, body, note)

    def replacement(self, eqn: JaxprEqn) -> ir.Splice | None:
        """What takes the place of an equation that was replaced while writing, for `ir.splice`."""
        found = self.replaced.get(_key(eqn))
        return ir.Splice(found[1], eqn.invars) if found is not None else None

    # -- functions

    def function(self, jaxpr: ClosedJaxpr | Jaxpr, hint: str, head: str = "", tail: str = "") -> str:
        """The name of a function with this body; see Script.define for `head` and `tail`."""
        closed = jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, ())
        key = (id(jaxpr), f"{hint}\n{head}\n{tail}")
        if key not in self._bodies:
            lines, names = self.body(closed.jaxpr, closed.consts)
            parameters = ", ".join(names[v] for v in closed.jaxpr.invars)
            self._bodies[key] = (jaxpr, self.script.define(hint, head, parameters, lines, tail))
        return self._bodies[key][1]

    def traced(self, jaxpr: ClosedJaxpr | Jaxpr, hint: str) -> str:
        """An expression for the jaxpr itself: J(function, types of its operands)."""
        name = self.function(jaxpr, hint)
        avals = [self.script.aval(v.aval) for v in ir.open_jaxpr(jaxpr).invars]
        text = f"{self.script.use('J')}({', '.join([name, *avals])})"
        return text if isinstance(jaxpr, ClosedJaxpr) else f"{text}.jaxpr"

    def _comment(self, eqn: JaxprEqn) -> str:
        types = ", ".join([_type(v.aval) for v in eqn.outvars])
        where = original_place(ir.source_of(eqn)).partition(" (")[0].replace("\\", "/").rpartition("/")[2]
        return f"  # {types}  {where}".rstrip() if types or where else ""


def _key(eqn: JaxprEqn) -> tuple[Any, ...]:
    """What an equation keeps when its variables and source line are replaced, while the equation itself lives."""
    literals_ = [np.asarray(v.val).tobytes() if isinstance(v, Literal) else None for v in eqn.invars]
    params_ = [id(value) for value in eqn.params.values()]
    return (eqn.primitive, *params_, *(v.aval for v in eqn.invars), *literals_)


_BODY_HINTS = {
    "jaxpr": "body",
    "branches": "branch",
    "cond_jaxpr": "cond",
    "body_jaxpr": "body",
    "jaxprs": "solve",
}


#: Parameters that hold Python functions which nothing calls while a program is traced or run as it is.
_RULES = {"policy": "the policy", "transpose_thunk": "the transpose", "rule": "the batching rule"}


@functools.cache
def _type(aval: Any) -> str:
    text = aval.str_short(short_dtypes=True) if hasattr(aval, "str_short") else str(aval)
    return f"{text} weak" if getattr(aval, "weak_type", False) else str(text)


def _tuple(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"({', '.join(items)})" if not items else ", ".join(items)


def _unpack(outs: Sequence[str]) -> str:
    return f"({outs[0]},)" if len(outs) == 1 else ", ".join(outs)


# -- calls: a function of the script behind a public transform


def is_plain_jit(params: Mapping[str, Any]) -> bool:
    """Whether a jit equation has neither shardings nor layouts nor compiler options."""
    shardings = (*params["in_shardings"], *params["out_shardings"])
    return (
        all(type(s).__name__ == "UnspecifiedValue" for s in shardings)
        and not any(x is not None for x in (*params["in_layouts"], *params["out_layouts"]))
        and params["ctx_mesh"].empty
        and not params["compiler_options_kvs"]
    )


def jit_decorator(script: Script, name: str | None, options: Mapping[str, Any]) -> str:
    """The line above a jitted function; `name` is what JAX calls it where that is not its name in the script."""
    given = [f"{k}={v!r}" for k, v in options.items()]
    if name is not None:
        given.insert(0, literals.string(name))
    return f"@{script.use('jit')}({', '.join(given)})" if given else "@jax.jit"


def _jit(self: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool] | None:
    p = eqn.params
    jaxpr = p["jaxpr"]
    same_types = [v.aval for v in eqn.invars] == [v.aval for v in jaxpr.jaxpr.invars]
    if not is_plain_jit(p) or p["inline"] or not same_types:
        return None
    options: dict[str, Any] = {}
    if any(p["donated_invars"]):
        options["donate_argnums"] = tuple(i for i, donated in enumerate(p["donated_invars"]) if donated)
    if p["keep_unused"]:
        options["keep_unused"] = True
    head = jit_decorator(self.script, None if identifier(p["name"]) == p["name"] else p["name"], options)
    name = self.function(jaxpr, p["name"], head)
    return name, args, len(eqn.outvars) == 1


def _reduce(self: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool] | None:
    """The bind, with the body's function as the Python function that the equation keeps beside it."""
    computation = self.function(eqn.params["jaxpr"], "reducer")
    written = self.params(eqn, frozenset({"computation"}))
    return (
        f"{self.script.primitive(eqn.primitive)}.bind",
        [*args, f"computation={computation}", *written],
        False,
    )


def _shard_map(self: FlatEmitter, eqn: JaxprEqn, args: list[str]) -> tuple[str, list[str], bool]:
    """A function of the script behind jax.shard_map."""
    options = meshes.shard_map_options(self.script, eqn)
    head = "\n".join(layout.call("", "@jax.shard_map", options, "", 0))
    return self.function(eqn.params["jaxpr"], "shard", head), args, len(eqn.outvars) == 1


_Writer = Callable[[FlatEmitter, JaxprEqn, list[str]], tuple[str, list[str], bool] | None]
_SPECIAL: dict[str, _Writer] = {
    "jit": _jit,
    "custom_jvp_call": custom_call,
    "custom_vjp_call": custom_call,
    "pure_callback": callback_call,
    "io_callback": callback_call,
    "debug_callback": debug_callback_call,
    "debug_print": debug_print_call,
    "reduce": _reduce,
    "shard_map": _shard_map,
}
