"""Bug reports in markdown, ready to be pasted into an issue: what ``--report FILE.md`` writes.

One report a distinct finding: what happens, the repro in full, versions, which oracle agrees with whom, the culprit
as far as it is known, and how to run it.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jace.build import toolchain
from jace.errors import CompileError
from jace_repro.campaign.guilty_step import changed, saved_step
from jace_repro.campaign.report import Group, Report, versions
from jace_repro.repro import Repro, ReproError, large, load, write_file
from jace_repro.tester.numerics.differing import Differing
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.culprit import Culprit, Evidence
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict

#: GitHub takes 65536 characters.
MAX_SCRIPT = 50_000
#: A longer script is folded.
LONG_SCRIPT = 80

#: What localisation may know, and how it is called; in this order.
_CULPRIT: Mapping[str, str] = {
    "primitive": "primitive",
    "equation": "equation",
    "source": "at",
    "path": "inside",
    "iteration": "iteration",
    "kernel": "fused kernel",
    "pass": "pass",
    "application": "application of the pass",
    "transformation": "transformation",
    "match": "matched",
    "flags": "compiler flag",
    "good": "last good step",
    "stop": "first bad step",
    "note": "note",
}

#: What the equation of a minimal repro has otherwise than the one that it was reduced from.
_OF_THE_EQUATION = frozenset({"equation", "primitive", "path", "iteration", "values", "note"})


def write(result: Report, path: Path) -> list[Path]:
    """Write a report of each distinct finding, to `path`, `path`-2 and so on; answer which. Raises OSError."""
    written = []
    for number, group in enumerate(result.groups, 1):
        to = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        to.parent.mkdir(parents=True, exist_ok=True)
        write_file(to, bug_report(group).encode())
        written.append(to)
    return written


def bug_report(group: Group) -> str:
    """The markdown of one finding."""
    verdict, entry = group.verdict, group.entry
    file = entry.reduced.repro if entry.reduced is not None else entry.repro_of(verdict)
    repro, problem = _loaded(file)
    # what the script shows is said, not what the program shows that it was reduced from
    minimal = entry.reduced.verdict if entry.reduced is not None else None
    culprit = _culprit(verdict, entry.localized, minimal)
    sections = [
        f"# {title(verdict, entry.name)}",
        *_what_happens(group, minimal or verdict),
        *_expected_and_actual((minimal or verdict).differing),
        *_repro(repro, problem),
        *_how_to_run(verdict, file),
        *_evidence(verdict.evidence or ()),
        *_localisation(culprit),
        *_guilty_step(file, entry.localized or {}),
        *_versions(),
    ]
    return "\n\n".join(sections) + "\n"


def _loaded(file: Path | None) -> tuple[Repro | None, str]:
    """The repro, or why there is none."""
    if file is None:
        return None, "there is none"
    try:
        return load(file), ""
    except (OSError, ReproError) as error:
        return None, str(error)


def title(verdict: Verdict, name: str) -> str:
    """One line that says what is wrong with what."""
    primitive = verdict.guilty.primitive if verdict.guilty is not None else None
    what = f"`{primitive or name}`"
    said = OUTCOMES[verdict.outcome].title.format(what=what)
    return f"{said} ({verdict.outcome}, pipeline {verdict.pipeline})"


def _what_happens(group: Group, verdict: Verdict) -> Iterator[str]:
    yield "## What happens"
    yield OUTCOMES[verdict.outcome].meaning
    yield _fenced(verdict.detail.strip(), "text")
    facts = [f"- outcome: `{verdict.outcome}` on pipeline `{verdict.pipeline}`, in stage `{verdict.stage}`"]
    who = verdict.who or group.verdict.who
    if who is not None:
        facts.append(f"- to blame: {who}: {PARTIES[who]}")
    if verdict.difference is not None:
        sizes = {"absolute": verdict.max_abs, "relative": verdict.max_rel, "ULP": verdict.max_ulp}
        told = ", ".join(f"{size} {name}" for name, size in sizes.items() if size is not None)
        facts.append(f"- difference: {verdict.difference}" + (f", at most {told}" if told else ""))
    if verdict.exact:
        facts.append("- no operation of the program rounds on these inputs: one wrong bit is an error")
    if group.verdict.inputs is not None:
        facts.append(f"- found on generated inputs: {group.verdict.inputs}")
    if verdict.crash is not None:
        facts += [
            f"- {name}: {value}" for name, value in verdict.crash.to_json().items() if value is not None
        ]
    if verdict.signature is not None:
        facts.append(f"- signature: `{verdict.signature}`")
    if len(group.entries) > 1:
        facts.append(f"- shown by {len(group.entries)} programs: {', '.join(e.name for e in group.entries)}")
    yield "\n".join(facts)


def _expected_and_actual(differing: Sequence[Differing]) -> Iterator[str]:
    """A table of the wrong elements."""
    if not differing:
        return
    rows = []
    for output in differing:
        for one in output.elements:
            where = f"{output.output}[{', '.join(map(str, one.index))}]" if one.index else str(output.output)
            rows.append((f"`{where}`", f"`{one.expected}`", f"`{one.actual}`"))
    yield "## Expected and actual"
    yield _table(("output", "expected", "actual"), rows)
    more = [f"{o.count} elements of output {o.output}" for o in differing if o.count > len(o.elements)]
    if more:
        yield f"The worst are shown; wrong are {', '.join(more)}."


def _repro(repro: Repro | None, problem: str) -> Iterator[str]:
    yield "## Repro"
    if repro is None or repro.path is None:
        yield f"No script: {problem}."
        return
    name, text = repro.path.name, repro.source.rstrip()
    if repro.arrays:
        size = sum(array.nbytes for array in repro.arrays.values())
        names = [*([repro.path.with_suffix(".npz").name] if repro.saved and repro.saved[1] else [])]
        names += map(large.file_name, large.said(repro.source).values())
        yield (
            f"It reads its data from {' and '.join(f'`{name}`' for name in names)}, which must lie beside it "
            f"({size} bytes of arrays): attach that file."
        )
    if len(text) > MAX_SCRIPT:
        yield f"`{name}` is too long for an issue ({len(text)} characters): attach the file."
    elif text.count("\n") >= LONG_SCRIPT:
        yield f"<details><summary>{name}</summary>"
        yield _fenced(text, "python")
        yield "</details>"
    else:
        yield f"`{name}`:"
        yield _fenced(text, "python")


def _how_to_run(verdict: Verdict, file: Path | None) -> Iterator[str]:
    if file is None:
        return
    commands = [
        f"python {file.name}  # under plain JAX",
        f"jace-repro check --pipeline {verdict.pipeline} {file.name}  # compares it with DaCe",
        f"jace-repro localize --pipeline {verdict.pipeline} {file.name}",
    ]
    yield "## How to run it"
    yield _fenced("\n".join(commands), "bash")


def _evidence(rows: Sequence[Evidence]) -> Iterator[str]:
    if not rows:
        return
    said = {True: "yes", False: "no", None: ""}
    header = ("oracle", "agrees with DaCe", "agrees with XLA", "max ulp", "note")
    table = [
        (
            row.oracle,
            said[row.agrees_with_dace],
            said[row.agrees_with_xla],
            "" if row.max_ulp is None else row.max_ulp,
            row.note,
        )
        for row in rows
    ]
    yield "## Evidence"
    yield _table(header, table)


def _culprit(
    verdict: Verdict, localized: Mapping[str, Any] | None, minimal: Verdict | None
) -> dict[str, Any]:
    """What the verdict names, over it what localisation has found, and over it the equation of the minimal repro."""
    guilty = (verdict.guilty or Culprit()).to_json()
    found = {name: value for name, value in (localized or {}).items() if value not in (None, "", [])}
    small = minimal.guilty.to_json() if minimal is not None and minimal.guilty is not None else {}
    return {**guilty, **found, **{name: small[name] for name in _OF_THE_EQUATION & small.keys()}}


def _localisation(culprit: Mapping[str, Any]) -> Iterator[str]:
    known = {name: culprit.get(name) for name in _CULPRIT}
    lines = [
        f"- {_CULPRIT[name]}: {_inline(value)}"
        for name, value in known.items()
        if value not in (None, "", [])
    ]
    if not lines:
        return
    yield "## Localisation"
    yield "\n".join(lines)
    values = culprit.get("values") or {}
    told = [f"{name}: {_in_rows(text)}" for name, texts in values.items() for text in texts]
    if told:
        yield _fenced("\n".join(told), "text")


def _guilty_step(file: Path | None, localized: Mapping[str, Any]) -> Iterator[str]:
    """The SDFG before and after it."""
    folder = None if file is None else saved_step(file, localized)
    if folder is None:
        return
    yield "## Before and after"
    attached, *change = changed(folder)
    yield attached
    if change:
        said, lines = change
        yield said
        yield _fenced(lines, "diff")


def _in_rows(text: str) -> str:
    """An array that is written on one line, with a line for each row."""
    return str(text).replace("], [", "],\n  [")


def _versions() -> Iterator[str]:
    yield "## Versions"
    yield _table(("what", "version"), list(environment().items()))


def environment() -> dict[str, str]:
    """Versions of everything that decides the result: packages, compiler, system, processor."""
    wanted = ("jax", "jaxlib", "dace", "numpy", "python", "jace-repro")
    found = {name: version for name, version in versions().items() if name in wanted}
    try:
        compiler = toolchain().version
    except CompileError as error:
        compiler = str(error)
    return {
        **{name: found[name] for name in wanted},
        "C++ compiler": compiler,
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processor": _processor(),
    }


def _processor() -> str:
    """The model where the system tells it, with the vector instructions that decide what is generated."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    flags = re.search(r"^flags\s*:\s*(.+)$", text, re.MULTILINE)
    vector = [name for name in ("avx2", "fma", "avx512f") if flags and name in flags[1].split()]
    return ", ".join([model[1] if model else platform.machine(), *vector])


def _table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in (header, *rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def _fenced(text: str, language: str) -> str:
    """A code block; the fence is longer than any in the text."""
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _inline(value: Any) -> str:
    """A value as inline code, on one line."""
    text = " > ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = " ".join(text.split())
    return f"``{text}``" if "`" in text else f"`{text}`"
