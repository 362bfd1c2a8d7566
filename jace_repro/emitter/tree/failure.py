"""The call-tree emitter: a script that dies while being traced, as the recorded program did.

What goes in is the tracker's `TraceFailure`: the functions that were being traced, outermost first, the
equations of each so far, and the calls that may be the one that raised. What comes out has one function for
each, in which the next one is traced on operands of the recorded types; the innermost makes the failing
call. Candidates are tried in turn, and the first that raises the recorded error is kept.
"""

from __future__ import annotations

import contextlib
import keyword
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import jax
import numpy as np

from jace_repro.emitter.core import params
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.literals import is_key
from jace_repro.emitter.core.script import Script, variable_names
from jace_repro.emitter.flat.flat import FlatEmitter, Names, assemble, title
from jace_repro.repro import Header, Repro
from jace_repro.trace.failure import Call, Func, Opaque, Ref, TraceFailure
from jace_repro.trace.frames import line_of

#: How Python spells the methods that have a spelling.
_OPERATORS = {
    "__add__": "{} + {}",
    "__sub__": "{} - {}",
    "__mul__": "{} * {}",
    "__matmul__": "{} @ {}",
    "__truediv__": "{} / {}",
    "__floordiv__": "{} // {}",
    "__mod__": "{} % {}",
    "__pow__": "{} ** {}",
    "__and__": "{} & {}",
    "__or__": "{} | {}",
    "__xor__": "{} ^ {}",
    "__eq__": "{} == {}",
    "__ne__": "{} != {}",
    "__lt__": "{} < {}",
    "__le__": "{} <= {}",
    "__gt__": "{} > {}",
    "__ge__": "{} >= {}",
    "__getitem__": "{}[{}]",
    "__neg__": "-{}",
    "__invert__": "~{}",
    "__bool__": "bool({})",
    "__int__": "int({})",
    "__float__": "float({})",
    "__complex__": "complex({})",
    "__index__": "range({})",
    "__len__": "len({})",
    "__iter__": "iter({})",
    "__hash__": "hash({})",
    "__array__": "np.asarray({})",
}


def emit_failure(failure: TraceFailure, *, header: Header) -> Repro:
    """The script of a program that raised while being traced.

    The header's `expected_error` is set to the recorded exception. When no candidate raises it in this
    process, the script makes the first call that can be written, and a note says so.

    Raises:
        EmitError: none of the candidates can be written as source.
    """
    header = replace(header, expected_error=failure.exception, fingerprint=None, outputs_sha256=None)
    problems: list[str] = []
    written: list[tuple[Repro, str]] = []
    for call in failure.candidates:
        try:
            repro = _write(failure, call, header)
        except EmitError as error:
            problems.append(f"{call.name}: {error}")
            continue
        raised = _raised(repro)
        if raised == (_last_name(failure.exception), _first_line(failure.message)):
            return repro
        written.append((repro, raised[0]))
    for repro, kind in written:
        if kind == _last_name(failure.exception):
            return repro
    if not written:
        raise EmitError(
            "no failing call can be written as source: " + "; ".join(problems or ["none is known"])
        )
    repro, kind = written[0]
    note = f"unconfirmed: the script raises {kind or 'nothing'}, the program raised {failure.exception}"
    return replace(repro, header=replace(repro.header, notes=(*repro.header.notes, note)))


def _raised(repro: Repro) -> tuple[str, str]:
    """(type name, first line of the message) of what tracing the script raises, ("", "") when nothing."""
    with repro.configured(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            jax.make_jaxpr(repro.load_function())(*repro.load_inputs())
        except Exception as error:
            return type(error).__name__, _first_line(str(error))
    return "", ""


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _last_name(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _write(failure: TraceFailure, call: Call, header: Header) -> Repro:
    script = Script.configured(header.jax_config)
    writer = _Writer(script, call, failure.exception)
    root = failure.root.func or Func(failure.name, failure.source, "eager")
    lines, refs, names = writer.body(root)
    values = list(failure.inputs[: len(root.params)])
    values += [_zeros(ref) for ref in refs[len(values) :]]
    leaves = []
    for i, (value, ref, name) in enumerate(zip(values, refs, names, strict=True)):
        leaves.append((script.leaf(value, _aval(ref), f"x{i}"), f"{name}: {ref.dtype}{list(ref.shape)}"))
    source = assemble(script, leaves, names, lines, title(header), header.jax_config)
    notes = (*header.notes, *dict.fromkeys(script.notes))
    return Repro(source=source, arrays=script.arrays, header=replace(header, notes=notes))


def _aval(ref: Ref) -> Any:
    return jax.core.ShapedArray(ref.shape, _dtype(ref), ref.weak_type)


def _dtype(ref: Ref) -> Any:
    if ref.dtype.startswith("key<"):
        names = {"key<fry>": "threefry2x32", "key<rbg>": "rbg", "key<urbg>": "unsafe_rbg"}
        return jax.eval_shape(lambda: jax.random.key(0, impl=names[ref.dtype])).dtype
    if ref.dtype == "float0":
        return jax.dtypes.float0
    return np.dtype(getattr(jax.numpy, ref.dtype) if ref.dtype in ("bfloat16",) else ref.dtype)


def _zeros(ref: Ref) -> Any:
    dtype = _dtype(ref)
    if ref.dtype.startswith("key<"):
        count = int(np.prod(ref.shape, dtype=int))
        return jax.random.split(jax.random.key(0, impl=str(dtype._impl.name)), count).reshape(ref.shape)
    return np.zeros(ref.shape, dtype)


class _Writer:
    """Writes the functions that were being traced, down to one failing call."""

    def __init__(self, script: Script, failing: Call, exception: str) -> None:
        self.script = script
        self.failing = failing
        self.exception = exception
        self.flat = FlatEmitter(script)

    def body(self, func: Func) -> tuple[list[str], list[Ref], list[str]]:
        """Lines of the function, the values it takes, and their names."""
        nested = next((c for c in func.calls if c.kind == "trace" and c.func is not None), None)
        wanted = [] if nested else list(_refs((self.failing.args, self.failing.kwargs, self.failing.applied)))
        known = {ref.id for ref in (*func.params, *func.outputs)} if func.jaxpr is not None else set()
        params_ = list(func.params) if func.jaxpr is not None else []
        extra = [ref for ref in wanted if ref.id not in known]
        texts: dict[int, str] = {}

        def ending(names: Names, outs: list[str]) -> list[str]:
            if func.jaxpr is not None:
                invars = func.jaxpr.jaxpr.invars
                texts.update((ref.id, names[v]) for ref, v in zip(func.params, invars, strict=True))
                texts.update((ref.id, out) for ref, out in zip(func.outputs, outs, strict=True))
            fresh = variable_names(names.values())
            texts.update((ref.id, next(fresh)) for ref in extra)
            return self._traced(nested) if nested else self._failing(texts)

        if func.jaxpr is None:
            lines = ending({}, [])
        else:
            lines, _ = self.flat.body(func.jaxpr.jaxpr, func.jaxpr.consts, ending)
        refs = [*params_, *extra]
        return lines, refs, [texts.get(ref.id, "_") for ref in refs]

    def _traced(self, call: Call) -> list[str]:
        """Tracing the next function on operands of the recorded types."""
        func = call.func
        assert func is not None
        lines, refs, names = self.body(func)
        name = self.script.define(func.name, "", ", ".join(names), lines)
        avals = [self.script.aval(_aval(ref)) for ref in refs]
        where = ", ".join(filter(None, (f"traced by {func.traced_for}", _place(call.source))))
        return [f"return {self.script.use('J')}({', '.join([name, *avals])})  # {where}"]

    def _failing(self, names: Mapping[int, str]) -> list[str]:
        call = self.failing
        where = ", ".join(filter(None, (f"raises {self.exception}", _place(call.source))))
        return [f"return {self._call(call, names)}  # {where}"]

    def _call(self, call: Call, names: Mapping[int, str]) -> str:
        args = [self._value(a, names) for a in call.args]
        if call.kind == "bind":
            given = [f"{k}={self._value(v, names)}" for k, v in sorted(call.kwargs.items())]
            return f"{self.script.primitive(call.primitive)}.bind({', '.join([*args, *given])})"
        if call.kind == "method":
            return self._method(call, args, names)
        given = [f"{k}={self._value(v, names)}" for k, v in call.kwargs.items()]
        text = f"{self._function(call.name)}({', '.join([*args, *given])})"
        if call.applied is None:
            return text
        return f"{text}({', '.join([self._value(a, names) for a in call.applied])})"

    def _method(self, call: Call, args: list[str], names: Mapping[int, str]) -> str:
        operator = _OPERATORS.get(call.name)
        if operator is not None and operator.count("{}") == len(args) and not call.kwargs:
            if call.name == "__getitem__" and type(call.args[1]) is tuple and call.args[1]:
                args[1] = args[1][1:-1]  # x[i, j] rather than x[(i, j)]
            return operator.format(*args)
        if not call.name.isidentifier() or keyword.iskeyword(call.name):
            raise EmitError(f"a method named {call.name!r}")
        given = [f"{k}={self._value(v, names)}" for k, v in call.kwargs.items()]
        return f"{args[0]}.{call.name}({', '.join([*args[1:], *given])})"

    def _function(self, name: str) -> str:
        """An expression for an importable public function."""
        module, _, attribute = name.rpartition(".")
        short = {"jax.numpy": ("import jax.numpy as jnp", "jnp"), "jax.lax": ("from jax import lax", "lax")}
        if module in short:
            line, alias = short[module]
            return self.script.import_(line, f"{alias}.{attribute}")
        if module != "jax":
            self.script.imports.add(f"import {module}")
        return name

    def _value(self, value: Any, names: Mapping[int, str]) -> str:
        """An argument as source. Raises EmitError for what is opaque or not traced here."""
        if isinstance(value, Ref):
            return names[value.id]
        if isinstance(value, Opaque):
            raise EmitError(f"{value.reason}: {value.text}")
        if isinstance(value, Func):
            return self._user_function(value)
        if isinstance(value, slice):
            parts = [self._value(v, names) for v in (value.start, value.stop, value.step)]
            return f"slice({', '.join(parts)})"
        if type(value) in (tuple, list):
            inner = ", ".join(self._value(v, names) for v in value)
            comma = "," if len(value) == 1 else ""
            return f"({inner}{comma})" if type(value) is tuple else f"[{inner}]"
        if type(value) is dict:
            items = [f"{self._value(k, names)}: {self._value(v, names)}" for k, v in value.items()]
            return f"{{{', '.join(items)}}}"
        if isinstance(value, np.ndarray) or is_key(value):
            return self.script.array(value, f"v{len(self.script.arrays)}")
        if isinstance(value, np.generic):
            return self.script.array(value, "")
        return params.param(self.script, value, lambda jaxpr: self.flat.traced(jaxpr, "body"))

    def _user_function(self, func: Func) -> str:
        if func.jaxpr is None:
            raise EmitError(f"the function {func.name}, which was not traced")
        return self.flat.function(func.jaxpr, func.name)


def _place(source: str) -> str:
    """FILE:LINE of "path/FILE:LINE (function)"."""
    return PurePath(line_of(source)).name


def _refs(value: Any) -> Iterator[Ref]:
    """The traced values in a tree of arguments, each once."""
    seen: dict[int, Ref] = {}
    _collect(value, seen)
    return iter(seen.values())


def _collect(value: Any, seen: dict[int, Ref]) -> None:
    if isinstance(value, Ref):
        seen.setdefault(value.id, value)
    items: Sequence[Any] = ()
    if isinstance(value, tuple | list):
        items = value
    elif isinstance(value, Mapping):
        items = list(value.values())
    elif isinstance(value, slice):
        items = (value.start, value.stop, value.step)
    with contextlib.suppress(RecursionError):
        for item in items:
            _collect(item, seen)
