"""Runs the tests on other releases of Python and JAX than those of this environment, each pair in one of its own.

    python scripts/releases.py [--pair PYTHON JAX]... [--all] [--harnesses F] [--keep DIR] [TEST ...]

Without --pair: the last release of each series that is supported, on a Python that it supports. An interpreter is
looked for on the PATH, among pyenv's and uv's; one that is missing is said, and its pair not run. The tests are those
that meet JAX's own structures (`QUICK`), those that are named, or with --all all that `pytest` runs; --harnesses runs
that share of JAX's own (`scripts/harness.py`) as well, with 1 all of them. Exit status 1: a test or a harness failed,
or an environment could not be made.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from jace_repro.campaign.interpreters import find

ROOT = Path(__file__).resolve().parents[1]
PAIRS = (("3.12", "0.11.2"), ("3.13", "0.12.0.1"))
QUICK = (
    *(
        "tests/jace/ir",
        "tests/jace/primitive",
        "tests/jace/releases",
        "tests/jace/stages",
        "tests/jace/translate",
    ),
    *("tests/jace/rules/test_control_flow.py", "tests/jace/rules/test_edge_semantics.py"),
    *("tests/jace_repro/emitter/core", "tests/jace_repro/emitter/flat/test_flat.py"),
    *(
        "tests/jace_repro/emitter/flat/test_lax_calls.py",
        "tests/jace_repro/emitter/flat/test_public_calls.py",
    ),
    *("tests/jace_repro/emitter/flat/test_loops.py", "tests/jace_repro/trace"),
)


def environment(python: Path, jax: str, folder: Path) -> Path:
    """The Python of a virtual environment with this release of JAX and what the tests need.

    Raises:
        CalledProcessError: it cannot be made.
    """
    made = folder / "bin" / "python"
    if not made.exists():
        subprocess.run([str(python), "-m", "venv", str(folder)], check=True)
    wanted = [f"jax=={jax}", f"jaxlib=={jax}", "-e", f"{ROOT}[test]"]
    subprocess.run([str(made), "-m", "pip", "install", "-q", *wanted], check=True)
    return made


def in_environment(
    python: Path, words: Sequence[str], *, cache: Path | None = None, capture: bool = False
) -> subprocess.CompletedProcess[str]:
    """What a command of this Python gave, run here, with nothing of the environment that this runs in."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    clean["PATH"] = f"{python.parent}{os.pathsep}{clean['PATH']}"
    if cache is not None:
        clean["JACE_CACHE_DIR"] = str(cache)
    command = [str(python), *words]
    return subprocess.run(command, cwd=ROOT, env=clean, check=False, capture_output=capture, text=True)


def tested(python: Path, tests: Sequence[str], cache: Path) -> int:
    """The exit status of the tests in an environment."""
    command = ["-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider", *tests]
    return in_environment(python, command, cache=cache).returncode


def harnesses(python: Path, fraction: float, cache: Path) -> int:
    """The exit status of a share of JAX's harnesses in an environment."""
    with tempfile.TemporaryDirectory() as found:
        command = ["scripts/harness.py", "--fraction", str(fraction), "--out", found]
        return in_environment(python, command, cache=cache).returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pair", nargs=2, action="append", metavar=("PYTHON", "JAX"))
    parser.add_argument("--all", action="store_true", help="all tests, not the quick ones")
    parser.add_argument(
        "--harnesses",
        type=float,
        default=0,
        metavar="F",
        help="this share of JAX's own, too (all: 20 minutes)",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the environments are made and kept")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    options = parser.parse_args()
    tests = options.tests or ([] if options.all else list(QUICK))
    lines, failed = [], False
    with tempfile.TemporaryDirectory(prefix="releases-") as scratch:
        for version, jax in options.pair or PAIRS:
            name, start = f"Python {version}, jax {jax}", time.monotonic()
            python = find(version)
            if python is None:
                lines.append(f"{name}: not tested, there is no Python {version} here")
                continue
            print(f"== {name}", flush=True)
            try:
                made = environment(python, jax, (options.keep or Path(scratch)) / f"{version}-{jax}")
                status = tested(made, tests, Path(scratch) / "cache")
                if options.harnesses:
                    status = harnesses(made, options.harnesses, Path(scratch) / "cache") or status
            except subprocess.CalledProcessError as error:
                status, jax = error.returncode, f"{jax} (the environment could not be made)"
            failed |= status != 0
            said = "passed" if status == 0 else f"failed, exit status {status}"
            lines.append(f"Python {version}, jax {jax}: {said}, {time.monotonic() - start:.0f} s")
    print("\n".join(lines))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
