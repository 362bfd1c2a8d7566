"""Running JAX's harnesses through the tester: resumable, and summed up per group, pipeline and primitive.

A run has a directory: `results.jsonl` gets a line for each harness as it is finished, after a first line that says
which state of the sources the results are of; `cache/` is the compilation cache of the run, `xla/` XLA's.
"""

from __future__ import annotations

import json
import os
import platform
import queue
import re
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from jace.build.cache import digest
from jace.build.flags import toolchain
from jace_repro.paths import SOURCE_ROOT
from jace_repro.survey.harnesses import Harness
from jace_repro.tester import Options, Pool, Verdict
from jace_repro.tester.execute.backends import DEFAULT_BACKEND

PIPELINES = ("fused", "canonical")
SCHEMA = 1
#: Columns of the table; every other outcome is an error.
COLUMNS = ("ok", "ill-conditioned", "mismatch", "unsupported")
#: Megabytes of compiled code that a whole run may keep: all of it, or the next run is a cold one.
CACHE_MB = 16_384


@dataclass(frozen=True)
class Result:
    """One harness on one pipeline.

    Attributes:
        outcome: a name of the table of outcomes (`tester.outcomes`).
        reason: one line; "" for an ok with nothing to say.
        seconds: of the whole test on this pipeline, the XLA reference excepted.
    """

    harness: Harness
    pipeline: str
    outcome: str
    reason: str
    seconds: float

    @classmethod
    def of(cls, harness: Harness, verdict: Verdict) -> Result:
        """From what the tester says."""
        spent = sum(v for stage, v in verdict.seconds.items() if stage not in ("xla", "reference"))
        return cls(harness, verdict.pipeline, verdict.outcome, one_line(verdict.detail), round(spent, 4))


def one_line(detail: str) -> str:
    """A verdict's detail on one line, at most 300 characters, without what differs from machine to machine."""
    text = " ".join(detail.split())
    text = re.sub(r"(?<![\w.])/[\w.+\-@/]+/", "", text)
    return text if len(text) <= 300 else text[:297] + "..."


def state() -> dict[str, str]:
    """What results depend on: the sources of jace and of the tester, the versions, the compiler."""
    sources = [p for package in ("jace", "jace_repro") for p in (SOURCE_ROOT / package).rglob("*")]
    kept = sorted(p for p in sources if p.suffix in (".py", ".h", ".cc"))
    text = [f"{p.relative_to(SOURCE_ROOT)}\0{p.read_text(encoding='utf-8')}" for p in kept]
    versions = {name: metadata.version(name) for name in ("jax", "jaxlib", "dace", "numpy", "scipy")}
    versions["python"] = platform.python_version()
    versions["compiler"] = toolchain().version
    return {"sources": digest(*text)[:16], **versions}


def commit() -> str:
    """The commit of the sources, "-dirty" appended when the packages differ from it; "" outside a repository."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=SOURCE_ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    head = git("rev-parse", "--short=12", "HEAD")
    return head + ("-dirty" if head and git("status", "--porcelain", "jace", "jace_repro") else "")


class Results:
    """The results file of a run, appended to line by line: a killed run loses what was under way."""

    def __init__(self, path: Path, current: Mapping[str, str], *, keep_other_states: bool = False) -> None:
        self.path = path
        self.found: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = _lines(path)
        if lines and (lines[0].get("state") == current or keep_other_states):
            self.found = {line["harness"]["name"]: line for line in lines[1:]}
            self._rewrite(current)  # without a last line that was cut off
            return
        if lines:
            path.replace(path.with_suffix(".old.jsonl"))
        self._rewrite(current)

    def _rewrite(self, current: Mapping[str, str]) -> None:
        lines = [{"state": dict(current)}, *self.found.values()]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        scratch = self.path.with_suffix(".tmp")
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(self.path)

    def add(self, harness: Harness, verdicts: Sequence[Verdict], seconds: float) -> None:
        """Keep what the tester said of a harness; `seconds` is how long it took as a whole."""
        results = [Result.of(harness, verdict) for verdict in verdicts]
        line: dict[str, Any] = {
            "harness": asdict(harness),
            "seconds": round(seconds, 4),
            "results": {r.pipeline: [r.outcome, r.reason, r.seconds] for r in results},
        }
        with self._lock:
            before = self.found.get(harness.name)
            if before is not None:
                line["results"] = {**before["results"], **line["results"]}
            self.found[harness.name] = line
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def missing(self, harness: Harness, pipelines: Sequence[str], *, failures: bool = False) -> list[str]:
        """The pipelines that have no result yet; with `failures` also those whose result is not ok."""
        have = self.found.get(harness.name, {"results": {}})["results"]
        return [p for p in pipelines if p not in have or (failures and have[p][0] != "ok")]

    def of(self, harnesses: Sequence[Harness], pipelines: Sequence[str]) -> list[Result]:
        """The results of these harnesses, in order."""
        rows = ((h, self.found[h.name]["results"]) for h in harnesses if h.name in self.found)
        return [Result(h, p, *have[p]) for h, have in rows for p in pipelines if p in have]


def _lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a results file; a line that a killed run cut off is left out."""
    if not path.exists():
        return []
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except ValueError:
            break
    return lines


@contextmanager
def environment(directory: Path) -> Iterator[None]:
    """Caches of the run's own for the workers started inside: jace's, large enough, and XLA's."""
    ours = {
        "JACE_CACHE_DIR": str((directory / "cache").resolve()),
        "JACE_CACHE_MB": str(CACHE_MB),
        "JAX_COMPILATION_CACHE_DIR": str((directory / "xla").resolve()),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def run(
    wanted: Sequence[tuple[Harness, Sequence[str]]],
    results: Results,
    *,
    jobs: int,
    timeout: float,
    memory_mb: int | None = None,
    progress: Callable[[Harness, Sequence[Verdict]], None] = lambda harness, verdicts: None,
    backend: str = DEFAULT_BACKEND,
) -> None:
    """Test harnesses on pipelines with `jobs` workers, those without x64 first: a worker knows one mode."""
    for x64 in (False, True):
        waiting: queue.SimpleQueue[tuple[Harness, Sequence[str]]] = queue.SimpleQueue()
        for item in wanted:
            if item[0].x64 == x64:
                waiting.put(item)
        if waiting.empty():
            continue
        with open_pool(jobs, timeout, memory_mb, backend) as pool:
            _drain(waiting, pool, results, progress)


def open_pool(
    jobs: int, timeout: float, memory_mb: int | None = None, backend: str = DEFAULT_BACKEND
) -> Pool:
    """Workers for harnesses. A failure is not localised: the harness is about one primitive already."""
    return Pool(jobs, timeout, memory_mb, backend=backend, options=Options(localize=False))


def _drain(
    waiting: queue.SimpleQueue[tuple[Harness, Sequence[str]]],
    pool: Pool,
    results: Results,
    progress: Callable[[Harness, Sequence[Verdict]], None],
) -> None:
    failed: list[BaseException] = []

    def serve() -> None:
        while not failed:
            try:
                harness, pipelines = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                started = time.perf_counter()
                verdicts = pool.check(harness.named, pipelines)
                if failed:  # the run was interrupted: the workers were killed, not the harness's fault
                    return
                results.add(harness, verdicts, time.perf_counter() - started)
                progress(harness, verdicts)
            except BaseException as error:
                failed.append(error)

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(pool.jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        failed.append(KeyboardInterrupt())
        pool.close()
        raise
    if failed:
        raise failed[0]


# --- summing up ---------------------------------------------------------------------------------------------


def tally(results: Sequence[Result]) -> dict[str, int]:
    """How many of each outcome, and "total"."""
    counts = Counter(r.outcome for r in results)
    return {"total": len(results), **dict(sorted(counts.items()))}


def _tallies(results: Sequence[Result], keys: Callable[[Result], Sequence[str]]) -> dict[str, Any]:
    """key -> pipeline -> tally."""
    sorted_out: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        for key in keys(result):
            sorted_out.setdefault(key, {}).setdefault(result.pipeline, []).append(result)
    return {
        key: {pipeline: tally(rows) for pipeline, rows in sorted(by_pipeline.items())}
        for key, by_pipeline in sorted(sorted_out.items())
    }


def _of_primitives(results: Sequence[Result]) -> dict[str, Any]:
    """primitive -> pipeline -> tally, and "dtypes": those of its first operands in harnesses that are ok."""
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
