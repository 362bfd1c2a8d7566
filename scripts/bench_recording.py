#!/usr/bin/env python
"""What recording costs a program of many calls: time a call, memory, bytes on disk.

    python scripts/bench_recording.py [--calls N] [--distinct N]

Each program is run by plain Python and recorded. Memory is what the process has grown by in its loop; it must not
grow with the number of calls.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from jace_repro.tracker.api import record_program
from jace_repro.tracker.journal import ENTRIES, JOURNAL
from jace_repro.tracker.recording import Target

PROGRAM = """
import json, sys, time
import jax, jax.numpy as jnp, numpy as np

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

@jax.jit
def step(x):
    return x * 0.999 + 1

x = jnp.ones(10)
step(x)
n = int(sys.argv[2])
{setup}
start, before = time.perf_counter(), memory()
for i in range(n):
    {body}
seconds, grown = time.perf_counter() - start, memory() - before
with open(sys.argv[1], "w") as file:
    json.dump({{"us": seconds / n * 1e6, "grown": grown}}, file)
"""

#: Programs: what is done before the loop, and in it.
PROGRAMS = {
    "a jitted step": ("", "x = step(x)"),
    "eager operations": ("", "y = jnp.sin(x) + float(i)"),
    "eager operations around a step": ("", "x = step(jnp.sin(x) * i + 1) / 2"),
    "eager indexing": ("z = jnp.arange(1000.0)", "y = z[i % 1000]"),
    "the same function, traced anew": ("", "y = jax.jit(lambda x: x * 3 + 1)(x)"),
    "distinct functions": ("", "y = jax.jit(lambda x: x * 3 + i)(x)"),
    "distinct functions of 1 MB": ("x = jnp.ones(250_000)", "y = jax.jit(lambda x: x * 3 + i)(x)"),
}
#: Those that trace in every turn of the loop: they have fewer.
TRACING = frozenset({"the same function, traced anew", "distinct functions", "distinct functions of 1 MB"})


@dataclass(frozen=True)
class Cost:
    """Of a program, by the call."""

    us: float
    grown: int


def measure(program: Path, calls: int, out: Path | None, max_inputs: int) -> Cost:
    """Run a program, recorded when there is a directory to record it in."""
    result = program.with_suffix(".json")
    arguments = (str(result), str(calls))
    if out is None:
        subprocess.run([sys.executable, str(program), *arguments], check=True)
    else:
        record_program(Target("path", str(program), arguments), out, max_inputs=max_inputs)
    return Cost(**json.loads(result.read_text()))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=100_000, metavar="N")
    parser.add_argument(
        "--distinct", type=int, default=200, metavar="N", help="calls of programs that trace anew"
    )
    parser.add_argument("--max-inputs", type=int, default=1, metavar="N")
    options = parser.parse_args()
    head = ("us/call", "recorded", "MB grown", "recorded", "journal kB", "entries", "kB on disk")
    print(f"{'program':32} {'calls':>7} " + " ".join(f"{name:>10}" for name in head))
    for name, (setup, body) in PROGRAMS.items():
        calls = options.distinct if name in TRACING else options.calls
        with tempfile.TemporaryDirectory() as folder:
            program, out = Path(folder, "program.py"), Path(folder, "out")
            program.write_text(PROGRAM.format(setup=setup, body=body))
            plain = measure(program, calls, None, options.max_inputs)
            recorded = measure(program, calls, out, options.max_inputs)
            files = {path.stat().st_ino: path.stat() for path in (out / ENTRIES).iterdir()}
            scripts = sum(path.suffix == ".py" for path in (out / ENTRIES).iterdir())
            kilobytes = sum(stat.st_blocks * 512 for stat in files.values()) / 1e3
            row = (plain.us, recorded.us, plain.grown / 1e6, recorded.grown / 1e6)
            print(
                f"{name:32} {calls:7} {' '.join(f'{value:10.1f}' for value in row)} "
                f"{(out / JOURNAL).stat().st_size / 1e3:10.1f} {scripts:10} {kilobytes:10.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
