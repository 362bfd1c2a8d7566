"""Dispatch, tracing and compiling by release of JAX and Python: one table, each cell with its ratio to the first one.

    python scripts/bench_releases.py [--pair PYTHON JAX]... [--rounds N] [--keep DIR] [--json FILE]

The first column is this environment; the others are those that `scripts/releases.py` tests, each in an environment of
its own, or those named by --pair. A round asks each of them once, in turns, in a fresh process with cold caches; a cell
is the smallest figure of all rounds. What is asked: a call of a small program by jax.jit and by jace.jit, what a
recording adds to such a call, tracing a training step with and without one, and lowering and compiling a kernel of
corpus/programs by either.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from releases import PAIRS, environment, in_environment

from jace_repro.campaign.interpreters import find

#: Prints the figures of one process: seconds by what they are of.
ASK = """
import json, sys, tempfile
sys.path.insert(0, "scripts")
import bench_run, bench_tracking
from jace_repro.tracker.api import record
import jax, jax.numpy as jnp
call = bench_run.overhead("fused", 5)
compiled = bench_run.compilation("turbulent_kinetic_energy", "fused", 2)
cached, x = jax.jit(lambda x: x + 1), jnp.ones(3)
program = bench_tracking.PROGRAMS["mlp step"]
plain, recorded = [], []
for _ in range(5):
    plain.append(bench_tracking.trace_seconds(*program))
    with tempfile.TemporaryDirectory() as out, record(out + "/r"):
        recorded.append(bench_tracking.trace_seconds(*program))
off = min(bench_tracking.call_seconds(cached, (x,), 2000) for _ in range(3))
with tempfile.TemporaryDirectory() as out, record(out + "/r"):
    on = min(bench_tracking.call_seconds(cached, (x,), 2000) for _ in range(3))
print(json.dumps({
    "release": f"jax {jax.__version__}, Python {sys.version_info[0]}.{sys.version_info[1]}",
    "call, jax": call["jax"], "call, jace": call["jace"], "call, recorded, more": on - off,
    "trace": min(plain), "trace, recorded": min(recorded),
    "compile, jax": compiled["jax"], "compile, jace": compiled["jace"],
}))
"""


def figures(python: Path, cache: Path) -> dict[str, float]:
    """The figures of one process; its release is among them. Raises RuntimeError when it fails."""
    done = in_environment(python, ["-c", ASK], cache=cache, capture=True)
    if done.returncode != 0:
        raise RuntimeError(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def row(name: str, columns: list[Mapping[str, float]]) -> str:
    """A line of the table."""
    first = columns[0][name]
    unit, factor = ("us", 1e6) if first < 1e-3 else ("ms", 1e3)
    cells = [f"{column[name] * factor:8.1f} {unit} {column[name] / first:5.2f}" for column in columns]
    return f"{name:22}" + "".join(f"{cell:>28}" for cell in cells)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pair", nargs=2, action="append", metavar=("PYTHON", "JAX"))
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the environments are made and kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="releases-") as scratch:
        pythons = [Path(sys.executable)]
        for version, jax in options.pair or PAIRS:
            python = find(version)
            if python is None:
                print(f"Python {version}, jax {jax}: left out, there is no Python {version} here")
                continue
            try:
                made = environment(python, jax, (options.keep or Path(scratch)) / f"{version}-{jax}")
            except subprocess.CalledProcessError as error:
                print(f"no environment of Python {version}, jax {jax}: {error}", file=sys.stderr)
                return 1
            pythons.append(made)
        columns: list[dict[str, float]] = [{} for _ in pythons]
        for number in range(options.rounds):
            for column, python in zip(columns, pythons, strict=True):
                found = figures(python, Path(scratch) / "cache")
                column |= {name: min(value, column.get(name, value)) for name, value in found.items()}
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
    print(f"{'':22}" + "".join(f"{column['release']:>28}" for column in columns))
    print("\n".join(row(name, columns) for name in columns[0] if name != "release"))
    if options.json is not None:
        options.json.write_text(json.dumps(columns, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
