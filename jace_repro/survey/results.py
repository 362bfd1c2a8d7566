"""Results of JAX's harnesses: one of each on each pipeline, in a file that a killed run can continue.

`results.jsonl` gets a line for each harness as it is finished, after a first line that says which state of the sources
the results are of.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from jace.build import digest, toolchain
from jace_repro.paths import SOURCE_ROOT
from jace_repro.survey.harnesses import Harness
from jace_repro.tester import Verdict


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
