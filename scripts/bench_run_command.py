"""Times `jace-repro run` on programs, and prints where the time goes; against another checkout when one is named.

    python scripts/bench_run_command.py [--baseline CHECKOUT] [--repeats N] [PROG.py ...]

Each run is a command of its own, first with cold caches (of jace and of XLA's answers), then again with the caches
that the first one has filled. With a baseline both take turns in one interleaved run, and the ratio of the medians is
printed. CPU seconds include the workers and the compilers: on a machine that others use, they say more than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: A program and the options that it is run with.
Case = tuple[Path, tuple[str, ...]]
_PASSES = ("--pipeline", "canonical/auto-optimize")
_EXAMPLE = ROOT / "corpus" / "programs" / "failing" / "wave_equation.py"
_TRAINING = ROOT / "scripts" / "training" / "train.py"
_RULES = ("--rules", str(ROOT / "tests" / "planted" / "rules" / "gather_from_next_row.py"))
#: README's first example; a training program in six files: right, with a rule of its user's that is wrong, and on
#: DaCe's passes, which `metrics.extrapolated` breaks.
CASES: tuple[Case, ...] = ((_EXAMPLE, _PASSES), (_TRAINING, ()), (_TRAINING, _RULES), (_TRAINING, _PASSES))


def run(checkout: Path, case: Case, cache: Path) -> dict[str, float]:
    """Seconds of one command: on the clock, of the CPU, and of its phases as far as its report has them."""
    program, options = case
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [sys.executable, "-m", "jace_repro", "run", "-o", str(out), *options]
        environment = {**os.environ, "PYTHONPATH": str(checkout), "JACE_CACHE_DIR": str(cache)}
        before, start = os.times(), time.monotonic()
        done = subprocess.run(
            [*command, str(program)], env=environment, cwd=folder, capture_output=True, text=True, check=False
        )
        clock, after = time.monotonic() - start, os.times()
        if done.returncode not in (0, 1):
            sys.exit(f"{program} with {checkout}: exit {done.returncode}\n{done.stderr[-2000:]}")
        phases = json.loads((out / "report.json").read_text())["summary"].get("seconds", {})
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"clock": clock, "cpu": cpu, **phases}


def measured(
    checkouts: list[Path], case: Case, repeats: int
) -> dict[tuple[Path, str], list[dict[str, float]]]:
    """Runs by checkout and by "cold" or "warm"; the checkouts take turns."""
    found: dict[tuple[Path, str], list[dict[str, float]]] = {}
    for turn in range(repeats):
        for checkout in checkouts if turn % 2 == 0 else reversed(checkouts):
            with tempfile.TemporaryDirectory() as cache:
                for state in ("cold", "warm"):
                    found.setdefault((checkout, state), []).append(run(checkout, case, Path(cache)))
    return found


def median(runs: list[dict[str, float]], name: str) -> float:
    """The median of one figure."""
    return statistics.median(one.get(name, 0.0) for one in runs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", type=Path, help="run without options [default: four cases]")
    parser.add_argument("--baseline", type=Path, help="another checkout of this repository")
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    checkouts = [ROOT, *([options.baseline.resolve()] if options.baseline else [])]
    for case in [(program.resolve(), ()) for program in options.programs] or CASES:
        found = measured(checkouts, case, options.repeats)
        command = " ".join(option.replace(f"{ROOT}/", "") for option in (case[0].name, *case[1]))
        print(
            f"{command} ({options.repeats} runs each, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f})"
        )
        for state in ("cold", "warm"):
            own = found[ROOT, state]
            phases = ", ".join(f"{n} {median(own, n):.1f}" for n in own[0] if n not in ("clock", "cpu"))
            print(f"  {state}: {median(own, 'clock'):6.1f} s, CPU {median(own, 'cpu'):6.1f} s ({phases})")
            if options.baseline:
                base = found[checkouts[1], state]
                for name in ("clock", "cpu"):
                    ratio = median(own, name) / median(base, name)
                    print(f"    {name} against {median(base, name):.1f} s of the baseline: {ratio:.2f}")


if __name__ == "__main__":
    main()
