"""What is guilty of a finding, what is known of a crash, and what the witnesses say: the facts that a verdict carries.

Each is written to the machine report and to the worker's messages by its `to_json`, and read back by `from_json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from jace_repro.repro.sourcemap import in_user_terms

_DIRECTION = re.compile(r"read|write")
_ITERATION = re.compile(r"^(?:scan|while)\.\w+\[(\d+)\]$")
#: What JSON says of a culprit that was localised, known or not.
_LOCALIZED = (
    *("iteration", "values", "compilations", "primitive", "equation", "index", "path", "source", "pass"),
    *("confirmed", "difference", "note", "rule"),
)
#: What it says of any other, as far as it is known.
_NAMED = ("primitive", "primitives", "equation", "source", "pass", "note", "rule")
#: What it says even when it is not known, beside what.
_BESIDE = {"primitive": ("equation", "note"), "source": ("equation",)}


@dataclass(frozen=True)
class Culprit:
    """What is guilty, as far as it is known: an equation, a step of the pipeline, a flag of the compiler.

    Attributes:
        primitive: of the equation.
        equation: one line of text.
        source: "file:line (function)" that made it: of the user, else of the repro.
        primitives: all that have no rule, where a program is not supported.
        pass_: the pass of the pipeline ("auto-optimize/LoopToMap.2" is its second run).
        application: number of the first guilty application of that pass; None for a pass that changes the SDFG by
            itself.
        transformation: class of the application.
        match: what the application matched.
        flag: the first guilty flag of the C++ compiler.
        rule: "file:line (name)" of the translation rule, when a user registered it.
        confirmed: whether the equation fails when it is compiled by itself; None when nobody looked.
        path: the control flow around the equation, outermost first: "scan.jaxpr[3]" is the body's fourth iteration.
        index: position of the top-level equation (itself, or the control flow it is in) in the inlined program.
        difference: class of the difference that the equation makes.
        values: its operands, what was expected and what it gave, each a short text an array.
        compilations: how many it took to find it.
        note: what else is to be said.
    """

    primitive: str | None = None
    equation: str | None = None
    source: str | None = None
    primitives: tuple[str, ...] = ()
    pass_: str | None = None
    application: int | None = None
    transformation: str = ""
    match: str = ""
    flag: str | None = None
    rule: str | None = None
    confirmed: bool | None = None
    path: tuple[str, ...] = ()
    index: int | None = None
    difference: str | None = None
    values: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    compilations: int = 0
    note: str = ""

    @property
    def iteration(self) -> int | None:
        """The iteration of the innermost loop around it, counted from 0 as it runs; None outside of loops."""
        counts = [m[1] for step in self.path if (m := _ITERATION.search(step))]
        return int(counts[-1]) if counts else None

    @property
    def summary(self) -> str:
        """One line for people about an equation that was localised."""
        where = f" in {' > '.join(self.path)}" if self.path else ""
        source = f" at {self.source}" if self.source else ""
        kind = "first diverging equation" if self.confirmed else "diverges only in its context"
        return f"{kind}: {self.equation}{where}{source}" + (f" ({self.note})" if self.note else "")

    def in_user_terms(self, script: str) -> Culprit:
        """With the line of the user's program as `source`, when the script that names one of its own lines knows it."""
        return replace(self, source=in_user_terms(script, self.source or "") or None)

    def to_report(self, pipeline: str) -> dict[str, Any]:
        """What the machine report's `localized` says of it."""
        return {
            "equation": self.equation,
            "primitive": self.primitive,
            "pass": self.pass_,
            "source": self.source or "",
            "pipeline": pipeline,
            **({"rule": self.rule} if self.rule else {}),
        }

    def to_json(self) -> dict[str, Any]:
        """What a verdict's `guilty` says in JSON."""
        everything: dict[str, Any] = {one.name.rstrip("_"): getattr(self, one.name) for one in fields(self)}
        everything.update(
            iteration=self.iteration,
            path=list(self.path),
            primitives=list(self.primitives),
            values={name: list(texts) for name, texts in self.values.items()},
        )
        if self.confirmed is not None:
            return {name: everything[name] for name in _LOCALIZED}
        return {
            name: everything[name] or None
            for name in _NAMED
            if everything[name] or any(everything[other] for other in _BESIDE.get(name, ()))
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Culprit:
        """The inverse of `to_json`."""
        known = {name: value for name, value in data.items() if name not in ("iteration", "pass")}
        for name in {"path", "primitives"} & known.keys():
            known[name] = tuple(known[name])
        return cls(**known, pass_=data.get("pass"))


@dataclass(frozen=True)
class Crash:
    """What is known of a crash of compiled code.

    Attributes:
        signal: that ended the process.
        kind: of the sanitizer's report ("heap-buffer-overflow", "SEGV", "undefined-behavior", ...).
        access: the access and the block of memory, or the sanitizer's message.
        state, map, node: labels in the SDFG.
        equation, primitive: what the line computes.
        source: the user's line.
        file, line, code: of the generated C++.
    """

    kind: str | None = None
    access: str | None = None
    state: str | None = None
    map: str | None = None
    node: str | None = None
    equation: str | None = None
    source: str | None = None
    primitive: str | None = None
    file: str | None = None
    line: int | None = None
    code: str | None = None
    signal: str | None = None

    @property
    def explained(self) -> bool:
        """Whether a sanitizer has seen it."""
        return self.kind is not None

    @property
    def fault(self) -> str | None:
        """What is wrong, whatever the sizes are: how far out of bounds an access is decides what it is called."""
        direction = _DIRECTION.match(self.access or "")
        return direction[0] if direction else self.access or self.kind

    @property
    def culprit(self) -> Culprit | None:
        """The equation that crashes, when it is known."""
        if not self.equation:
            return None
        return Culprit(primitive=self.primitive, equation=self.equation, source=self.source)

    def in_user_terms(self, script: str) -> Crash:
        """With the line of the user's program as `source`, when the script that names one of its own lines knows it."""
        return replace(self, source=in_user_terms(script, self.source or "") or None)

    @property
    def summary(self) -> str:
        """One line for people about what a sanitizer said."""
        kind = ", ".join(filter(None, (self.kind, self.access)))
        if not self.state:
            return kind
        labels = {"state": self.state, "map": self.map, "node": self.node}
        place = ", ".join(f"{name} {label}" for name, label in labels.items() if label)
        told = f"{kind}; in {place}: `{self.code}`"
        if self.file:
            told += f" ({self.file}:{self.line})"
        if self.equation:
            told += f"; equation {self.equation}"
        return f"{told} at {self.source}" if self.source else told

    def to_json(self) -> dict[str, Any]:
        """What a verdict's `crash` says in JSON: the place is left out where no line is known."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        if self.line is None:
            said = {name: value for name, value in said.items() if value is not None}
        elif self.signal is None:
            del said["signal"]
        return said

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Crash:
        """The inverse of `to_json`."""
        return cls(**data)


@dataclass(frozen=True)
class Evidence:
    """What one witness says of two executions that differ.

    Attributes:
        oracle: its name.
        agrees_with_dace, agrees_with_xla: whether it agrees, within what rounding explains; None when it was not asked
            or said nothing.
        max_ulp: its distance to what DaCe gave.
        note: why it says nothing.
    """

    oracle: str
    agrees_with_dace: bool | None = None
    agrees_with_xla: bool | None = None
    max_ulp: float | None = None
    note: str = ""

    @property
    def summary(self) -> str:
        """One line for people: whom it agrees with."""
        sides = {"DaCe": self.agrees_with_dace, "XLA": self.agrees_with_xla}
        heard = {name: agrees for name, agrees in sides.items() if agrees is not None}
        if not heard:
            return f"{self.oracle} says nothing: {self.note}"
        friends = " and ".join(name for name, agrees in heard.items() if agrees)
        return f"{self.oracle} agrees with {friends or 'nobody'}"

    def to_json(self) -> dict[str, Any]:
        """A row of a verdict's `evidence` in JSON."""
        return {
            **{one.name: getattr(self, one.name) for one in fields(self)},
            "max_ulp": number(self.max_ulp),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """The inverse of `to_json`."""
        ulp = data["max_ulp"]
        return cls(**{**data, "max_ulp": None if ulp is None else float(ulp)})


def number(value: float | None) -> float | str | None:
    """A number for strict JSON, which has no infinities and no NaN: these are written as text."""
    if value is None or value - value == 0:
        return value
    return repr(float(value))
