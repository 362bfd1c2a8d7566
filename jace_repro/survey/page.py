"""The coverage table as text: Markdown for the committed page, plain rows for a terminal, and JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax

import jace
from jace_repro.survey.classify import ELSEWHERE, LEFT, PIPELINES, UNSUPPORTED, Row

#: What `scripts/harness.py` found when the last full run was committed.
HARNESS_SUMMARY = Path(jace.__file__).with_name("harness.json")

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("int", ("int8", "int16", "int32", "int64")),
    ("uint", ("uint8", "uint16", "uint32", "uint64")),
    ("float", ("bfloat16", "float16", "float32", "float64")),
    ("complex", ("complex64", "complex128")),
)
_SHORT = {"bfloat16": "bf16", "float8_e4m3fn": "f8"}
_NO_REASON = "**no reason given**"


def short_dtypes(names: Iterable[str]) -> str:
    """Dtypes in few letters: "bool int f32" for bool, all four signed integers and float32."""
    left, shown = list(names), []
    for name in list(left):
        for group, members in _GROUPS:
            if name in left and name == members[0] and set(members) <= set(left):
                shown.append(group)
                left = [n for n in left if n not in members]
        if name in left:
            short = (
                name.replace("uint", "u").replace("int", "i").replace("float", "f").replace("complex", "c")
            )
            shown.append(_SHORT.get(name, short))
            left.remove(name)
    return " ".join(shown)


def load_harness(path: Path = HARNESS_SUMMARY) -> Mapping[str, Any]:
    """The committed summary of the harness run, or an empty one."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"primitives": {}}


def harness_cell(row: Row, pipeline: str, harness: Mapping[str, Any]) -> str:
    """What is known of a primitive on one pipeline: harnesses that are ok of all, else whether it translates."""
    counts = harness["primitives"].get(row.name, {}).get(pipeline)
    if counts:
        return f"{counts.get('ok', 0)}/{counts['total']}"
    if not row.translated:
        return ""
    return "translates" if pipeline in row.pipelines else "" if row.tried else "not tried"


def cells(row: Row, harness: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of a row: primitive, kind, where, dtypes, one a pipeline, note."""
    dtypes = short_dtypes(row.dtypes)
    if row.refused and row.translated:
        dtypes += f"; not {short_dtypes(row.refused)}"
    results = (harness_cell(row, p, harness) for p in PIPELINES)
    note = row.note if row.note is not None else _NO_REASON
    return row.name, row.kind, row.where.removeprefix("jace."), dtypes, *results, note


HEADINGS = ("primitive", "kind", "where", "dtypes", *PIPELINES, "note")


def totals(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """(kind, how many), the largest first; what is not translated comes last."""
    counts = Counter(row.kind for row in rows)
    last = (LEFT, UNSUPPORTED, ELSEWHERE)
    first = sorted((k for k in counts if k not in last), key=lambda k: (-counts[k], k))
    return [(kind, counts[kind]) for kind in (*first, *(k for k in last if counts[k]))]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines)


def markdown_table(rows: Sequence[Row], harness: Mapping[str, Any]) -> str:
    """The rows but those of other devices, as a Markdown table."""
    shown = ([f"`{name}`", *rest] for name, *rest in (cells(row, harness) for row in rows))
    return _table(HEADINGS, shown)


def summary(rows: Sequence[Row]) -> str:
    """A sentence of totals."""
    here = [row for row in rows if row.kind != ELSEWHERE]
    left, missing = (sum(row.kind == kind for row in here) for kind in (LEFT, UNSUPPORTED))
    unexplained = sum(row.note is None for row in here)
    text = (
        f"{len(here)} of {len(rows)} primitives may be in a program for one CPU: "
        f"{len(here) - left - missing} are translated, {left} are left to XLA inside of the same program, "
        f"{missing} are not supported"
    )
    return text + (f", {unexplained} of them without a reason." if unexplained else ", each with its reason.")


_HEAD = """\
# Which primitives of JAX jace translates

Written by `python scripts/update_docs.py` from jax {version}: do not edit. `jace-repro doctor --primitives` prints the
same for the JAX that is installed.

{summary}

{totals}

A primitive of another library (Equinox, Lineax) is translated if JAX's lowering of it is a Python function
(`mlir.lower_fun`) or if it has a rule (`jace.register_rule`). Otherwise `jace.jit(f, on_unsupported="xla")` leaves its
equations to XLA inside of the same program; without it they are an error that names all of them.

How to read the table:

- **kind, where**: the rule in `jace/rules`, the table in `jace/ir`, or the function of JAX that is traced in the
  primitive's place. A call is replaced by its body, an annotation (a sharding, a name, a barrier) by its operand.
- **dtypes**: found by trying. For each of bool, i4, i8 to i64, u4, u8 to u64, f8 (e4m3fn), bf16, f16, f32, f64, c64 and
  c128 a small program with the primitive is traced and, where JAX traces it, translated by both pipelines to the plan
  from which C++ is generated. *int*, *uint*, *float* and *complex* stand for all sizes from 8 bits (*float*: bf16 to
  f64); i4, u4 and f8 stand for all types of 2, 4 and 8 bits, which share their code; *fry*, *rbg* and *urbg* are JAX's
  kinds of PRNG keys. What follows *not* is traced by JAX and not translated by jace.
- **fused, canonical**: of JAX's own test harnesses that contain the primitive, how many agree with XLA, as the last
  full run of `scripts/harness.py` found ({run}). Where there is no such figure, "translates" says
  that the small program does. `canonical/simplify` and `canonical/auto-optimize` start from the plan of `canonical`.
"""


def page(rows: Sequence[Row], harness: Mapping[str, Any]) -> str:
    """The whole page, ending in a newline."""
    here = [row for row in rows if row.kind != ELSEWHERE]
    elsewhere: dict[str, list[str]] = {}
    for row in rows:
        if row.kind == ELSEWHERE:
            elsewhere.setdefault(row.note or "", []).append(f"`{row.name}`")
    others = ([why, " ".join(names)] for why, names in sorted(elsewhere.items()))
    run = f"at commit {harness['commit']}" if "commit" in harness else "none is committed yet"
    head = _HEAD.format(
        version=jax.__version__,
        summary=textwrap.fill(summary(rows), 118),
        totals=_table(("kind", "primitives"), ((k, str(n)) for k, n in totals(rows))),
        run=run,
    )
    return (
        f"{head}\n## Programs for one CPU\n\n{markdown_table(here, harness)}\n\n"
        f"## Other devices\n\n{_table(('why', 'primitives'), others)}\n"
    )


def as_json(rows: Iterable[Row], harness: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows with the harness's figures."""
    return [
        {
            "primitive": row.name,
            "kind": row.kind,
            "where": row.where,
            "module": row.module,
            "dtypes": list(row.dtypes),
            "refused_dtypes": list(row.refused),
            "pipelines": list(row.pipelines),
            "translated": row.translated,
            "tried": row.tried,
            "note": row.note,
            "harness": harness["primitives"].get(row.name),
        }
        for row in rows
    ]
