"""The forms in which a lowered function can be read: as text, and as the objects behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jace.primitive.binding import CallBinding
from jace.translate.unit import Unit


@dataclass(frozen=True)
class Form:
    """One dialect.

    Attributes:
        text: (binding, XLA's lowering, with source lines?) -> text.
        value: (binding, XLA's lowering) -> the object.
    """

    text: Callable[[CallBinding, Callable[[], Any], bool], str]
    value: Callable[[CallBinding, Callable[[], Any]], Any]


def _whole(binding: CallBinding) -> Any:
    return binding.whole.closed


def _partition(binding: CallBinding) -> Any:
    return binding.whole.closed if binding.split is None else binding.split.closed


def _jaxpr_text(closed: Any, lines: bool) -> str:
    return str(closed.pretty_print(source_info=True) if lines else closed)


def _one_or_all(found: list[Any]) -> Any:
    return found[0] if len(found) == 1 else found


def _sdfgs(binding: CallBinding) -> Any:
    return _one_or_all([unit.program.sdfg for unit in binding.units])


def _json(binding: CallBinding) -> Any:
    return _one_or_all([unit.program.sdfg.to_json() for unit in binding.units])


def _cpp(binding: CallBinding) -> str:
    from jace.build.codegen import generate

    return "\n".join(generate(unit.program).body for unit in binding.units)


def _described(unit: Unit, lines: bool) -> str:
    from jace.sdfg.text import describe

    info = unit.closed.jaxpr.debug_info
    roles: dict[str, str] = {}
    for kind, buffers, names in (
        ("input", unit.program.inputs, info.arg_names),
        ("output", unit.program.outputs, info.result_paths),
    ):
        given = names if names is not None and len(names) == len(buffers) else [""] * len(buffers)
        roles |= {b.name: f"{kind} {name}".rstrip() for b, name in zip(buffers, given, strict=True)}
    return describe(unit.program.sdfg, roles, lines=lines)


def _xla(dialect: str) -> Form:
    return Form(
        lambda binding, lowered, lines: str(lowered().as_text(dialect, debug_info=lines)),
        lambda binding, lowered: lowered().compiler_ir(dialect),
    )


_FORMS = {
    "sdfg": Form(
        lambda binding, lowered, lines: "\n".join(_described(unit, lines) for unit in binding.units),
        lambda binding, lowered: _sdfgs(binding),
    ),
    "json": Form(
        lambda binding, lowered, lines: json.dumps(_json(binding), default=str),
        lambda binding, lowered: _json(binding),
    ),
    "cpp": Form(
        lambda binding, lowered, lines: _cpp(binding),
        lambda binding, lowered: _cpp(binding),
    ),
    "jaxpr": Form(
        lambda binding, lowered, lines: _jaxpr_text(_whole(binding), lines),
        lambda binding, lowered: _whole(binding),
    ),
    "partition": Form(
        lambda binding, lowered, lines: _jaxpr_text(_partition(binding), lines),
        lambda binding, lowered: _partition(binding),
    ),
    "stablehlo": _xla("stablehlo"),
    "hlo": _xla("hlo"),
}
#: What `as_text` and `compiler_ir` take; the first is what they take when nothing is said.
DIALECTS = tuple(_FORMS)


def form(dialect: str | None) -> Form:
    """The form of a dialect.

    Raises:
        ValueError: there is none of that name.
    """
    name = DIALECTS[0] if dialect is None else dialect
    if name not in _FORMS:
        raise ValueError(f"unknown dialect {dialect!r}; choose one of {', '.join(map(repr, DIALECTS))}")
    return _FORMS[name]
