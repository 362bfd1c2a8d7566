"""What the tests of JAX's harnesses share: workers, and what is expected of a harness."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jace_repro.survey.harness_run import PIPELINES, open_pool
from jace_repro.survey.harnesses import named
from jace_repro.tester import Pool, Verdict

HERE = Path(__file__).parents[1] / "harness"


@dataclass(frozen=True)
class Expected:
    """An exception: harnesses that are known not to be ok."""

    harness: str
    pipelines: tuple[str, ...]
    outcome: str
    reason: str

    def covers(self, name: str, pipeline: str) -> bool:
        return pipeline in self.pipelines and fnmatch.fnmatchcase(name, self.harness)


def expected() -> list[Expected]:
    """The committed exceptions."""
    entries = tomllib.loads((HERE / "expected.toml").read_text()).get("expected", [])
    return [Expected(e["harness"], tuple(e["pipelines"]), e["outcome"], e["reason"]) for e in entries]


def sample() -> list[tuple[str, bool]]:
    """The committed sample: names, and whether they need x64."""
    lines = (HERE / "sample.txt").read_text().splitlines()
    return [(name, mode == "x64") for mode, name in (line.split() for line in lines)]


def complaints(name: str, verdicts: Sequence[Verdict], exceptions: Sequence[Expected]) -> list[str]:
    """What is not as it should be: ok, or ill-conditioned for a reason the oracle gives, or as expected."""
    found = []
    for verdict in verdicts:
        told = f"{verdict.outcome} on {verdict.pipeline}: {verdict.detail}"
        known = [e for e in exceptions if e.covers(name, verdict.pipeline)]
        if known and verdict.outcome != known[0].outcome:
            found.append(f"{told}; expected.toml says {known[0].outcome} ({known[0].reason}): mend the entry")
        elif not known and verdict.outcome == "ill-conditioned":
            if not re.search("rounding errors move the exact result as far", verdict.detail):
                found.append(f"{told}; without a reason")
        elif not known and verdict.outcome != "ok":
            found.append(told)
    return found


class Workers:
    """A worker for each mode of JAX, started when it is first needed."""

    def __init__(self) -> None:
        self._pools: dict[bool, Pool] = {}

    def check(self, name: str, x64: bool) -> list[Verdict]:
        """The verdicts of a harness on both pipelines."""
        if x64 not in self._pools:
            self._pools[x64] = open_pool(jobs=1, timeout=120.0)
        return self._pools[x64].check(named(name, x64), PIPELINES)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: Any) -> None:
        for pool in self._pools.values():
            pool.close()
