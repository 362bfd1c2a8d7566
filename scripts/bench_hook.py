"""What the start-up hook costs a Python that records nothing: `jace-repro hook install`, and JACE_REPRO is not set.

python scripts/bench_hook.py [ROUNDS]

Starts `python -c pass` in an environment of its own, in turn with the hook and without it, and twice without it for
what chance alone makes; prints the medians, their ratio, and how many modules `-X importtime` says are imported.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from jace_repro.tracker import hook_line


def seconds(python: Path) -> float:
    start = time.perf_counter()
    subprocess.run([python, "-c", "pass"], env=ENVIRONMENT, check=True)
    return time.perf_counter() - start


def imported(python: Path) -> int:
    done = subprocess.run(
        [python, "-X", "importtime", "-c", "pass"],
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        text=True,
    )
    return len(done.stderr.splitlines())


ENVIRONMENT = {name: text for name, text in os.environ.items() if name != "JACE_REPRO"}


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 200
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        python = Path(folder, "bin", "python")
        (packages,) = Path(folder).glob("lib/python*/site-packages")
        times: dict[str, list[float]] = {"with": [], "without": [], "without, again": []}
        modules = {}
        for number in range(rounds + 1):
            for name in times:
                if name == "with":
                    hook_line.install(packages)
                else:
                    hook_line.remove(packages)
                modules[name] = imported(python) if number == 0 else modules[name]
                taken = seconds(python)
                if number:  # the first round warms the caches of the disk
                    times[name].append(taken)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"{name:16} {value * 1e3:8.3f} ms  {modules[name]} modules imported")
    base = medians["without"]
    print(
        f"ratio            {medians['with'] / base:8.4f}  (without, again: {medians['without, again'] / base:.4f})"
    )


if __name__ == "__main__":
    main()
