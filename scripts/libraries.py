"""How well programs of the JAX ecosystem are recorded: a table of scripts/libraries/*.py, one line a program.

    python scripts/libraries.py --stock PYTHON [--jobs N] [--out DIR] [--json FILE] [NAME...]

Run it in an interpreter that has the libraries (flax, equinox, diffrax, numpyro, ...); --stock is one of a fresh
environment that has jax, jaxlib and numpy only. Every program is run as it is, then by `jace-repro record`, which
replays each repro; then every repro is run by the stock interpreter: functions as `python REPRO.py`, the many
one-operation entries several to a process. A name may also be the path of a program of your own.

What is promised, of all entries: every program is recorded to its end with its own output and a repro of every
entry; every repro runs on stock JAX; 95% of the flat repros are exact (the same jaxpr, the same output bits), and 85%
of the call-tree scripts, where an entry that is a function and has none counts as one that is not. Exit status 1 if
a figure is lower, 2 for a wrong name.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

PROGRAMS = Path(__file__).resolve().parent / "libraries"
RUNNER = Path(__file__).resolve().parent / "stock_runner.py"
LIBRARIES = {
    "linen": "flax linen",
    "nnx": "flax nnx",
    "haiku": "dm-haiku",
    "jaxmd": "jax-md",
    "mjx": "mujoco-mjx",
    "jaxcfd": "jax-cfd",
    "stax": "jax.example_libraries",
    "jaxscipy": "jax.scipy",
    "jax": "jax alone",
}
PROMISED_FLAT, PROMISED_TREE = 0.95, 0.85
STATUSES = ("exact", "jaxpr-differs", "failed")


@dataclass(frozen=True)
class Form:
    """One script of an entry. `check` is a self-check's status, `error` why it does not run on stock JAX."""

    path: Path
    check: str
    detail: str = ""
    error: str | None = None

    @property
    def lines(self) -> int:
        """Lines of the script."""
        return len(self.path.read_text(encoding="utf-8").splitlines())


@dataclass(frozen=True)
class Entry:
    """One recorded entry; `note` says why it has no flat script.

    `function`: the program's own, which should have a call tree. JAX's operations between jitted calls are none, and
    what raised while it was traced has one script, which raises as well.
    """

    name: str
    eager: bool
    function: bool
    flat: Form | None
    tree: Form | None
    note: str = ""


@dataclass(frozen=True)
class Row:
    """One program. `problems` are failures of the program or of its recording, not of one entry."""

    program: str
    entries: tuple[Entry, ...]
    problems: tuple[str, ...]
    plain_seconds: float
    record_seconds: float

    @property
    def library(self) -> str:
        """The library that the program is about, by its name's first word."""
        word = self.program.partition("_")[0]
        return LIBRARIES.get(word, word)


# ------------------------------------------------------------------------------------------ one program


def measure(program: Path, directory: Path, stock: str, timeout: float) -> Row:
    """Run, record and replay one program; `directory` receives the recording."""
    started = time.monotonic()
    plain = _run([sys.executable, str(program)], timeout)
    plain_seconds = time.monotonic() - started
    if plain.returncode:
        return Row(program.stem, (), (f"it fails by itself: {_tail(plain.stderr)}",), plain_seconds, 0.0)
    started = time.monotonic()
    record = [sys.executable, "-m", "jace_repro", "record", "-o", str(directory), str(program)]
    recorded = _run(record, timeout)
    record_seconds = time.monotonic() - started
    report = directory / "report.json"
    if not report.exists():
        problem = f"no report, exit code {recorded.returncode}: {_tail(recorded.stderr)}"
        return Row(program.stem, (), (problem,), plain_seconds, record_seconds)
    found = json.loads(report.read_text(encoding="utf-8"))
    problems = recording_problems(found, plain.stdout, recorded)
    entries = run_on_stock(read_entries(found, directory), stock, timeout)
    return Row(program.stem, entries, problems, plain_seconds, record_seconds)


def recording_problems(
    report: Mapping[str, Any], output: str, recorded: subprocess.CompletedProcess[str]
) -> tuple[str, ...]:
    """What went wrong while recording: its end, its output, what the recorder says it missed."""
    ended = report["summary"]["program"]
    missed = [line for line in recorded.stderr.splitlines() if "jace-repro: not recorded:" in line]
    problems = [line for line in missed if "no repro of" not in line]  # those are counted by entry
    if ended["exit_code"] != 0 or ended["error"]:
        problems.append(f"under the recorder: exit code {ended['exit_code']}, {ended['error']}")
    if not recorded.stdout.startswith(output):
        first = recorded.stdout.partition("\n")[0]
        problems.append(
            f"the recorded program printed something else: {first!r} instead of {_tail(output)!r}"
        )
    if not report["entries"]:
        problems.append("nothing was recorded")
    return tuple(problems)


def read_entries(report: Mapping[str, Any], directory: Path) -> tuple[Entry, ...]:
    """The entries of a machine report, before their scripts have run on stock JAX."""

    def form(entry: Mapping[str, Any], path: str, check: str) -> Form | None:
        if entry.get(path) is None:
            return None
        status = entry.get(check) or "failed"
        return Form(directory / entry[path], status, "" if status == "exact" else entry["error"] or "")

    return tuple(
        Entry(
            name=f"{Path(e['repro'] or '').stem.partition('_')[0]} {e['name']}".strip(),
            eager=e["eager"],
            function=not e["eager"] and e.get("status") != "trace-error",
            flat=form(e, "repro", "self_check"),
            tree=form(e, "call_tree", "call_tree_check"),
            note=e["error"] or "",
        )
        for e in report["entries"]
    )


def run_on_stock(entries: Sequence[Entry], stock: str, timeout: float) -> tuple[Entry, ...]:
    """The entries with how each of their scripts ends under the interpreter `stock`."""
    from dataclasses import replace

    shared = [e.flat.path for e in entries if e.flat and e.eager]
    alone = [e.flat.path for e in entries if e.flat and not e.eager]
    alone += [e.tree.path for e in entries if e.tree]
    errors = {**_run_shared(shared, stock, timeout), **{p: _run_alone(p, stock, timeout) for p in alone}}

    def ran(form: Form | None) -> Form | None:
        if form is None:
            return None
        error = errors[form.path]
        return replace(form, error=None if error is None or _is_wanted(form.path, error) else error)

    return tuple(replace(e, flat=ran(e.flat), tree=ran(e.tree)) for e in entries)


def _run_alone(path: Path, stock: str, timeout: float) -> str | None:
    done = _run([stock, str(path)], timeout)
    return None if done.returncode == 0 else _tail(done.stderr) or f"exit code {done.returncode}"


def _run_shared(paths: Sequence[Path], stock: str, timeout: float) -> dict[Path, str | None]:
    if not paths:
        return {}
    words = [stock, str(RUNNER), str(int(timeout))]
    done = _run(words, timeout * len(paths), "\n".join(map(str, paths)))
    answers = {Path(a["path"]): a["error"] for a in map(json.loads, done.stdout.splitlines())}
    missing = f"the runner ended early, exit code {done.returncode}: {_tail(done.stderr)}"
    return {path: answers.get(path, missing) for path in paths}


def _is_wanted(path: Path, error: str) -> bool:
    """Whether a script that reproduces an error of the program raised just that."""
    from jace_repro.repro import parse_header

    header, _ = parse_header(path.read_text(encoding="utf-8"))
    wanted = (header.expected_error or "").rpartition(".")[2]
    return bool(wanted) and wanted in error


def _run(words: Sequence[str], timeout: float, text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(words, input=text, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, -1, "", f"no end after {timeout:g} s")


def _tail(text: str) -> str:
    return text.strip()[-2000:]


# ------------------------------------------------------------------------------------------ the table


def forms(rows: Iterable[Row], kind: str) -> list[Form]:
    """Every script of that kind, "flat" or "tree"."""
    return [form for row in rows for e in row.entries if (form := getattr(e, kind)) is not None]


def checks(scripts: Sequence[Form], wanted: int) -> str:
    """Self-checks as exact/differs/failed/none, of `wanted` entries."""
    counts = Counter(form.check for form in scripts)
    return "/".join(map(str, [*(counts[status] for status in STATUSES), wanted - len(scripts)]))


def cells(program: str, library: str, rows: Sequence[Row]) -> list[str]:
    """A line of the table, of one program or of all."""
    entries = [e for row in rows for e in row.entries]
    flat, tree = forms(rows, "flat"), forms(rows, "tree")
    eager = sum(e.eager for e in entries)
    return [
        program,
        library,
        f"{len(entries) - eager} + {eager}",
        f"{sum(f.error is None for f in flat + tree)}/{len(flat + tree)}",
        checks(flat, len(entries)),
        checks(tree, sum(e.tree is not None or e.function for e in entries)) if tree else "-",
        str(sum(f.lines for f in flat)),
        str(sum(f.lines for f in tree)) if tree else "-",
        f"{sum(r.plain_seconds for r in rows):.0f} / {sum(r.record_seconds for r in rows):.0f}",
    ]


HEADINGS = ["program", "library", "functions + eager", "ran on stock", "flat: exact/differs/failed/none"]
HEADINGS += ["call tree: the same", "flat lines", "tree lines", "seconds: plain / record"]


def table(rows: Sequence[Row]) -> str:
    """The rows and their totals as a Markdown table."""
    body = [cells(row.program, row.library, [row]) for row in rows]
    lines = [HEADINGS, *body, cells("total", f"{len({r.library for r in rows})} libraries", rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in lines]
    text.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(text)


@dataclass(frozen=True)
class Figure:
    """One promised figure: `good` of `of`, at least `promised` of them."""

    name: str
    good: int
    of: int
    promised: float

    @property
    def kept(self) -> bool:
        """Whether the promise holds."""
        return self.good >= self.promised * self.of

    def __str__(self) -> str:
        percent = 100 * self.good / self.of if self.of else 100
        verdict = "" if self.kept else "  TOO FEW"
        return (
            f"{self.name}: {self.good} of {self.of}, {percent:.1f}% (promised {self.promised:.0%}){verdict}"
        )


def figures(rows: Sequence[Row]) -> list[Figure]:
    """What is promised, and how it stands. Call trees are left out while no recording has any."""
    entries = [e for row in rows for e in row.entries]
    flat, tree = forms(rows, "flat"), forms(rows, "tree")
    exact = [sum(f.check == "exact" for f in some) for some in (flat, tree)]
    wanted = [e for e in entries if e.tree or e.function]
    found = [
        Figure("programs recorded", sum(not r.problems for r in rows), len(rows), 1.0),
        Figure("entries with a repro", len(flat), len(entries), 1.0),
        Figure(
            "scripts that run on stock JAX", sum(f.error is None for f in flat + tree), len(flat + tree), 1.0
        ),
        Figure("flat repros exact", exact[0], len(entries), PROMISED_FLAT),
    ]
    functions = [e for e in entries if not e.eager]
    of_functions = sum(e.flat is not None and e.flat.check == "exact" for e in functions)
    found.append(Figure("  of functions", of_functions, len(functions), PROMISED_FLAT))
    if tree:
        found.append(Figure("call-tree scripts exact", exact[1], len(wanted), PROMISED_TREE))
    return found


def failures(rows: Sequence[Row]) -> list[str]:
    """One line for everything that is not as it should be, with its reason."""
    lines = []
    for row in rows:
        lines += [f"{row.program}: {problem}" for problem in row.problems]
        for entry in row.entries:
            where = f"{row.program}: {entry.name}"
            if entry.flat is None:
                lines.append(f"{where}: no repro: {entry.note}")
            for kind, form in (("flat", entry.flat), ("call tree", entry.tree)):
                if form is not None and form.check != "exact":
                    lines.append(f"{where}: {kind}: {form.check}: {form.detail}")
                if form is not None and form.error is not None:
                    lines.append(f"{where}: {kind}: does not run on stock JAX: {form.error}")
    return lines


def to_json(rows: Sequence[Row]) -> dict[str, Any]:
    """The machine report."""

    def form(value: Form | None) -> dict[str, Any] | None:
        if value is None:
            return None
        return {
            "check": value.check,
            "detail": value.detail,
            "stock_error": value.error,
            "lines": value.lines,
        }

    return {
        "schema": 1,
        "command": "libraries",
        "programs": [
            {
                "program": row.program,
                "library": row.library,
                "problems": list(row.problems),
                "seconds": {"plain": round(row.plain_seconds, 1), "record": round(row.record_seconds, 1)},
                "entries": [
                    {
                        "name": e.name,
                        "eager": e.eager,
                        "flat": form(e.flat),
                        "call_tree": form(e.tree),
                        "note": e.note,
                    }
                    for e in row.entries
                ],
            }
            for row in rows
        ],
        "figures": [
            {"name": f.name.strip(), "good": f.good, "of": f.of, "promised": f.promised, "kept": f.kept}
            for f in figures(rows)
        ],
    }


def chosen(names: Sequence[str]) -> list[Path]:
    """The programs to measure. Raises click.UsageError for a name that is none."""
    if not names:
        return sorted(PROGRAMS.glob("*.py"))
    paths = [Path(n) if n.endswith(".py") else PROGRAMS / f"{n}.py" for n in names]
    missing = [n for n, path in zip(names, paths, strict=True) if not path.exists()]
    if missing:
        raise click.UsageError(f"no such program: {', '.join(missing)}")
    return [path.resolve() for path in paths]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--stock", required=True, type=click.Path(exists=True, dir_okay=False), metavar="PYTHON")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Programs at a time.")
@click.option("--timeout", type=float, default=600.0, show_default=True, help="Seconds for one process.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Keep the recordings there.")
@click.option("--json", "json_path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.argument("names", nargs=-1)
def main(
    stock: str, jobs: int, timeout: float, out: Path | None, json_path: Path | None, names: tuple[str, ...]
) -> None:
    """Measure, print, and end with the status that the module's docstring tells."""
    programs = chosen(names)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        directory = (out or Path(scratch)).resolve()

        def one(program: Path) -> Row:
            row = measure(program, directory / program.stem, stock, timeout)
            click.echo(" ".join(cells(row.program, row.library, [row])), err=True)
            return row

        rows = list(pool.map(one, programs))
        click.echo(table(rows) + "\n")
        promises = figures(rows)
        click.echo("\n".join(map(str, promises)))
        if wrong := failures(rows):
            click.echo("\nNot as it should be:\n" + "\n".join(wrong))
        if json_path is not None:
            json_path.write_text(json.dumps(to_json(rows), indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if all(f.kept for f in promises) else 1)


if __name__ == "__main__":
    main()
