"""What a run of JAX's harnesses comes to: per group, pipeline and primitive, as JSON and as a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jace_repro.survey.results import Result

SCHEMA = 1
#: Columns of the table; every other outcome is an error.
COLUMNS = ("ok", "ill-conditioned", "mismatch", "unsupported")


def tally(results: Sequence[Result]) -> dict[str, int]:
    """How many of each outcome, and "total"."""
    counts = Counter(r.outcome for r in results)
    return {"total": len(results), **dict(sorted(counts.items()))}


def _tallies(results: Sequence[Result], keys: Callable[[Result], Sequence[str]]) -> dict[str, Any]:
    """A tally by key and pipeline."""
    sorted_out: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        for key in keys(result):
            sorted_out.setdefault(key, {}).setdefault(result.pipeline, []).append(result)
    return {
        key: {pipeline: tally(rows) for pipeline, rows in sorted(by_pipeline.items())}
        for key, by_pipeline in sorted(sorted_out.items())
    }


def _of_primitives(results: Sequence[Result]) -> dict[str, Any]:
    """A tally by primitive and pipeline, and "dtypes": those of its first operands in harnesses that are ok."""
    found = _tallies(results, lambda r: r.harness.primitives)
    dtypes: dict[tuple[str, str], set[str]] = {}
    for result in results:
        if result.outcome == "ok":
            for name, dtype in result.harness.uses:
                dtypes.setdefault((name, result.pipeline), set()).add(dtype)
    for name, by_pipeline in found.items():
        for pipeline, counts in by_pipeline.items():
            counts["dtypes"] = sorted(dtypes.get((name, pipeline), ()))
    return found


def summary(results: Sequence[Result], run_facts: Mapping[str, Any]) -> dict[str, Any]:
    """What is committed and what the coverage page reads: counts, and every harness that is not ok."""
    harnesses = {r.harness.name: r.harness for r in results}
    bad = sorted((r for r in results if r.outcome != "ok"), key=lambda r: (r.harness, r.pipeline))
    return {
        "schema": SCHEMA,
        **run_facts,
        "harnesses": {
            "total": len(harnesses),
            "x32": sum(not h.x64 for h in harnesses.values()),
            "x64": sum(h.x64 for h in harnesses.values()),
        },
        "pipelines": _tallies(results, lambda r: ["all"]).get("all", {}),
        "groups": _tallies(results, lambda r: [r.harness.group]),
        "primitives": _of_primitives(results),
        "not_ok": [
            {
                "harness": r.harness.name,
                "x64": r.harness.x64,
                "group": r.harness.group,
                "pipeline": r.pipeline,
                "outcome": r.outcome,
                "reason": r.reason,
                "primitives": list(r.harness.primitives),
            }
            for r in bad
        ],
    }


def write_summary(value: Mapping[str, Any], path: Path) -> None:
    """Write a summary: an entry a line, so that a changed figure is a changed line."""
    parts = []
    for name, part in value.items():
        if isinstance(part, dict) and all(isinstance(v, dict) for v in part.values()):
            rows = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in part.items()]
            text = "{\n" + ",\n".join(rows) + "\n }"
        elif isinstance(part, list) and part:
            text = "[\n" + ",\n".join(f"  {json.dumps(v)}" for v in part) + "\n ]"
        else:
            text = json.dumps(part)
        parts.append(f" {json.dumps(name)}: {text}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def load_summary(path: Path) -> dict[str, Any]:
    """A committed summary.

    Raises:
        ValueError: it is of another schema.
    """
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if value.get("schema") != SCHEMA:
        raise ValueError(f"{path.name} has schema {value.get('schema')}, not {SCHEMA}")
    return value


def table(results: Sequence[Result], seconds: Mapping[str, float]) -> list[str]:
    """The table a group and pipeline, and totals, as lines.

    Args:
        seconds: of a harness by its name, both pipelines and the reference together.
    """
    pipelines = list(dict.fromkeys(r.pipeline for r in results))
    width = max([5, *(len(r.harness.group) for r in results)])
    head = f"{'group':{width}}" + "".join(f" | {p:>9} {_HEAD}" for p in pipelines) + " | seconds"
    lines = [head, "-" * len(head)]
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.harness.group, []).append(result)
    for group, rows in sorted(groups.items()):
        spent = sum(seconds[name] for name in {r.harness.name for r in rows})
        cells = "".join(f" | {_cells([r for r in rows if r.pipeline == p])}" for p in pipelines)
        lines.append(f"{group:{width}}{cells} | {spent:7.1f}")
    total = sum(seconds[name] for name in {r.harness.name for r in results})
    cells = "".join(f" | {_cells([r for r in results if r.pipeline == p])}" for p in pipelines)
    lines += ["-" * len(head), f"{'all':{width}}{cells} | {total:7.1f}", ""]
    for pipeline in pipelines:
        counts = tally([r for r in results if r.pipeline == pipeline])
        told = ", ".join(f"{n} {name} ({100 * n / counts['total']:.2f}%)" for name, n in counts.items())
        lines.append(f"{pipeline}: {told}")
    return lines


_HEAD = f"{'ok':>5} {'ill':>4} {'wrong':>5} {'unsup':>5} {'error':>5}"


def _cells(rows: Sequence[Result]) -> str:
    counts = Counter(r.outcome for r in rows)
    ok, ill, wrong, unsupported = (counts[name] for name in COLUMNS)
    error = len(rows) - ok - ill - wrong - unsupported
    return f"{len(rows):9} {ok:5} {ill:4} {wrong:5} {unsupported:5} {error:5}"
