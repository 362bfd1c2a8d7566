"""Where a row is tried: a throw-away directory, what is typed there, and whether what is said of it holds."""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: A program that DaCe's auto_optimize breaks: the README's.
WAVE = ROOT / "corpus/programs/failing/wave_equation.py"

STEP = """\
import jax, jax.numpy as jnp

@jax.jit
def step(x):
    return jnp.floor(x) * 2

print("the program says", float(step(jnp.linspace(-2.0, 2.0, 40)).sum()))
"""
RULES = """\
import jace

@jace.register_rule("floor", override=True)
def floor(params, in_dtypes, out_dtype, x):
    return f"(({x}) < 0 ? -jace::floor(-({x})) : jace::floor({x}))"
"""


class NotSo(Exception):
    """What a row promises does not hold."""


def holds(fact: object, what: str) -> None:
    """Raises NotSo unless it is so."""
    if not fact:
        raise NotSo(what)


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str

    def says(self, *texts: str) -> Done:
        """Raises NotSo unless it said all of them."""
        for text in texts:
            holds(text in self.out + self.err, f"it does not say {text!r}: {_last(self.out + self.err)}")
        return self


class Place:
    """A directory to type commands in; `typed` is the first of them, for the table."""

    def __init__(self, folder: Path, shared: Callable[[str], Path]) -> None:
        self.folder = folder
        self.typed = ""
        self._shared = shared

    def file(self, name: str, text: str | bytes) -> str:
        """Write a file, and answer its name."""
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def copy(self, name: str) -> Path:
        """What a run that rows share has left (`RUNS`), as a folder of this place."""
        shutil.copytree(self._shared(name), self.folder / name)
        return self.folder / name

    def jace_repro(self, *words: str | Path, code: int = 0, **env: str) -> Done:
        """Type a command of jace-repro's, which is to end with this exit code. Raises NotSo."""
        return self.command([sys.executable, "-m", "jace_repro", *map(str, words)], code=code, **env)

    def python(self, *words: str | Path, code: int = 0, **env: str) -> Done:
        """Type a command of Python's. Raises NotSo."""
        return self.command([sys.executable, *map(str, words)], code=code, **env)

    def script(self, text: str, code: int = 0) -> Done:
        """Have Python run a script. Raises NotSo."""
        return self.python(self.file("script.py", text), code=code)

    def shell(self, line: str, code: int = 0) -> Done:
        """Type a line of the shell's, in which `jace-repro` and `python` are those of this environment."""
        known = {"jace-repro": f"{sys.executable} -m jace_repro", "python": sys.executable}
        real = re.sub(r"(?<![\w/.-])(jace-repro|python)(?= )", lambda word: known[word[0]], line)
        return self.command(["bash", "-o", "pipefail", "-c", real], code=code, typed=line)

    def command(self, words: list[str], code: int = 0, typed: str | None = None, **env: str) -> Done:
        """Type a command, which is to end with this exit code and no traceback of ours. Raises NotSo."""
        self.typed = self.typed or typed or _shown(words, env)
        done = subprocess.run(
            words,
            cwd=self.folder,
            env={**os.environ, **environment(), **env},
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        said = _last(done.stdout + done.stderr)
        holds(done.returncode == code, f"exit code {done.returncode}, not {code}: {said}")
        ours = "jace_repro/cli/" in done.stderr and "Traceback" in done.stderr
        holds(not ours, f"a traceback: {said}")
        return Done(done.returncode, done.stdout, done.stderr)

    def report(self, name: str) -> Any:
        """A machine report."""
        return json.loads((self.folder / name).read_text())


def environment() -> dict[str, str]:
    """Variables that every command has: this checkout, where it is not installed, and no colours."""
    paths = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1", "JAX_PLATFORMS": "cpu"}


def _shown(words: list[str], env: Mapping[str, str]) -> str:
    """A command line as its user types it."""
    line = shlex.join([*(f"{name}={value}" for name, value in env.items()), *words])
    return line.replace(f"{sys.executable} -m jace_repro", "jace-repro").replace(sys.executable, "python")


def _last(text: str) -> str:
    return " | ".join(line.strip() for line in text.strip().splitlines()[-3:])[-300:]


#: Runs that rows share: the words after `jace-repro run -o NAME`, and what lies there.
RUNS: Mapping[str, tuple[str, ...]] = {
    "wave": ("--pipeline", "canonical/auto-optimize", "--report", "wave/bug.md", "wave_equation.py"),
    "ruled": (
        *("--pipeline", "fused", "--no-eager", "--rules", "rules.py"),
        *(
            "--junit",
            "ruled/junit.xml",
            "--sarif",
            "ruled/found.sarif",
            "--json",
            "ruled/found.json",
            "step.py",
        ),
    ),
}


def shared_run(name: str) -> Path:
    """The directory of a run, which is made when a row first asks for it; what it said is in `said.txt`."""
    with _MAKING[name]:
        return _made(name)


_MAKING = {name: threading.Lock() for name in RUNS}


@functools.cache
def _made(name: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"first-hour-{name}-", dir=os.environ.get("FIRST_HOUR_DIR")))
    place = Place(folder, shared_run)
    place.file("wave_equation.py", WAVE.read_text())
    place.file("step.py", STEP)
    place.file("rules.py", RULES)
    done = place.jace_repro("run", "-o", name, *RUNS[name], code=1)
    (folder / name / "said.txt").write_text(done.out + done.err)
    return folder / name
