#!/usr/bin/env python
"""Programs that die in the middle: what is left of each when jace-repro recorded it, as a table.

    python scripts/fault_table.py [--only WORD] [--jobs N]

Every program calls `before`, which completes, and then `deadly`, in which it dies: while JAX traces it, while it is
compiled, while it runs; in the main thread, in a worker thread, or in a process of multiprocessing's. It is run by
plain Python and recorded, and a line of the table says whether

* exit code, standard output and standard error are those of plain Python;
* the recording has every entry with the right status, also when its journals are cut off anywhere;
* every repro runs by itself under plain JAX.

Exits with 1 when something is lost.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import jace_repro
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import RecordedEntry, Recording, load

PROGRAM = """
import multiprocessing, os, resource, signal, sys, threading, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
PHASE, PLACE = {phase!r}, {place!r}

def end(*_):
{death}

def main():
    import jax, jax.numpy as jnp, numpy as np

    armed = []

    def lowered(event, *_, **__):
        if PHASE == "compile" and armed and event == "/jax/core/compile/jaxpr_to_mlir_module_duration":
            armed.clear()
            end()

    jax.monitoring.register_event_duration_secs_listener(lowered)

    @jax.jit
    def before(x):
        return x * 2 + 1

    @jax.jit
    def deadly(x):
        y = jnp.sin(x)
        if PHASE == "trace":
            end()
        if PHASE == "run":
            jax.debug.callback(end, y)
        return y + 1

    x = np.linspace(0, 1, {size}, dtype=np.float32)
    jax.block_until_ready(before(x))
    armed.append(True)
    jax.block_until_ready(deadly(x))
    jax.effects_barrier()

if __name__ == "__main__":
    if PLACE == "main":
        main()
    else:
        start = threading.Thread if PLACE == "thread" else multiprocessing.get_context("spawn").Process
        worker = start(target=main, name="worker")
        worker.start()
        worker.join()
        sys.exit(abs(getattr(worker, "exitcode", 0)))
"""

#: What a program may do to itself: the body of its function `end`.
DEATHS = {
    "exception": "raise RuntimeError('the end')",
    "exception of JAX's": "import jax.numpy as jnp; jnp.ones((2, 3)) @ jnp.ones((2, 3))",
    "MemoryError": "raise MemoryError('the end')",
    "sys.exit": "sys.exit(5)",
    "ctrl-C": "signal.raise_signal(signal.SIGINT); time.sleep(0.01)",
    "os._exit": "os._exit(6)",
    "segmentation fault": "import ctypes; ctypes.string_at(0)",
    "SIGKILL": "os.kill(os.getpid(), signal.SIGKILL)",
    "SIGTERM": "os.kill(os.getpid(), signal.SIGTERM); time.sleep(5)",
    "abort": "os.abort()",
    "out of memory": (
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))\n"
        "bytearray(1 << 34)"
    ),
    "deadlock": "threading.Event().wait()",
}

#: Deaths by a Python exception, which JAX passes on from where it is tracing or compiling.
RAISE = frozenset({"exception", "exception of JAX's", "MemoryError", "sys.exit", "ctrl-C", "out of memory"})
#: Those that no `except Exception` catches.
NO_ERRORS = frozenset({"sys.exit", "ctrl-C"})


@dataclass(frozen=True)
class Case:
    """One way to die. `status` is what becomes of `deadly`; None: it depends on when JAX notices."""

    death: str
    phase: str
    place: str = "main"
    size: int = 64
    options: tuple[str, ...] = ()
    prologue: str = ""
    #: Names of the entries that can have no repro: there is no room for their inputs.
    without_repro: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """As in the table."""
        return f"{self.death}, {self.phase}, {self.place}"

    @property
    def statuses(self) -> dict[str, set[str]]:
        """What each entry may have become."""
        if self.phase == "none":
            after = {"completed"}
        elif self.death in RAISE:
            # a callback's error reaches the program when it waits: JAX may have handed out the outputs by then
            after = {"trace": {"trace-error"}, "compile": {"raised"}}.get(self.phase, {"raised", "completed"})
        else:
            after = {{"trace": "tracing", "compile": "traced", "run": "dispatched"}[self.phase]}
        return {"before": {"completed"}, "deadly": after}

    def program(self) -> str:
        """Its text."""
        death = textwrap.indent(DEATHS.get(self.death, "pass"), "    ")
        text = PROGRAM.format(phase=self.phase, place=self.place, death=death, size=self.size)
        return text.replace("\nPHASE,", f"\n{self.prologue}\nPHASE,", 1) if self.prologue else text


_LIMIT = "resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))"
_FULL = frozenset({"before", "deadly"})


def cases() -> list[Case]:
    """All of them."""
    found = [
        Case(death, phase) for death in DEATHS for phase in ("trace", "compile", "run") if death != "deadlock"
    ]
    elsewhere = ("exception", "sys.exit", "os._exit", "segmentation fault", "SIGKILL")
    found += [
        Case(death, phase, place)
        for place in ("thread", "child")
        for death in elsewhere
        for phase in ("trace", "run")
    ]
    found += [
        Case("deadlock", phase, place, options=("--timeout", "12"))
        for phase, place in (("trace", "main"), ("run", "main"), ("trace", "thread"), ("run", "child"))
    ]
    found += [
        Case("--max-disk", "none", size=50_000, options=("--max-disk", "100K"), without_repro=_FULL),
        Case("--max-disk", "none", "child", 50_000, ("--max-disk", "100K"), without_repro=_FULL),
        # the journal fits, the arrays do not
        Case("disk full", "none", size=50_000, prologue=_LIMIT.format(60_000), without_repro=_FULL),
        Case(
            "entries not writable",
            "none",
            prologue="os.environ['HOME'] = '/'; open(os.path.join(os.environ['FAULT_OUT'], 'entries'), 'w').close()",
            without_repro=_FULL,
        ),
    ]
    return found


@dataclass(frozen=True)
class Result:
    """What was found. `problems` is empty when nothing is lost."""

    case: Case
    exit_code: int | None
    expected: int
    found: int
    repros: int
    runnable: int
    problems: tuple[str, ...] = field(default=())


def examine(case: Case, directory: Path) -> Result:
    """Run a case in an empty directory."""
    program = directory / "program.py"
    program.write_text(case.program())
    out = directory / "out"
    environment = {**_environment(), "FAULT_OUT": str(directory / "plain")}
    (directory / "plain").mkdir()
    problems = []
    recorded = _run(
        [*_COMMAND, "--no-self-check", "-o", str(out), *case.options, str(program)],
        {**environment, "FAULT_OUT": str(out)},
    )
    report = json.loads((out / "report.json").read_text())
    recording = load(out, exit_code=report["summary"]["program"]["exit_code"])
    if "--timeout" not in case.options:
        plain = _run([sys.executable, str(program)], environment)
        problems += _differences(plain, recorded, recording)
    entries = [e for e in recording.entries if not e.entry.eager]
    for name, statuses in case.statuses.items():
        problems += _wrong(name, statuses, entries)
    found = sum(any(e.entry.name == name for e in entries) for name in case.statuses)
    repros = {e.entry.name: recording.path(e) for e in entries if e.repro is not None}
    for name in case.statuses:
        traced = any(e.entry.name == name and e.status not in ("tracing", "trace-error") for e in entries)
        if traced and (name in repros) == (name in case.without_repro):
            problems.append(f"{name} has {'a' if name in repros else 'no'} repro")
    runnable = 0
    for entry in entries:
        if entry.repro is None:
            continue
        failure = _replay(entry, recording.path(entry))
        runnable += failure is None
        problems += [failure] if failure else []
    problems += _cut(out, recording)
    code = recording.exit_code
    return Result(case, code, len(case.statuses), found, len(repros), runnable, tuple(problems))


_PACKAGE = Path(jace_repro.__file__).parent
_COMMAND = [sys.executable, "-m", "jace_repro", "record"]


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def _run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=env, start_new_session=True
    )


def _differences(
    plain: subprocess.CompletedProcess[str], recorded: subprocess.CompletedProcess[str], recording: Recording
) -> list[str]:
    """What the program could tell, or its user."""
    problems = []
    if recording.exit_code != plain.returncode:
        problems.append(f"exit code {recording.exit_code}, plain {plain.returncode}")
    said, expected = _normal(recorded.stderr), _normal(plain.stderr)
    if said != expected:
        extra = [line for line in said if line not in expected] or ["fewer lines"]
        problems.append(f"standard error differs: {extra[0][:120]}")
    return problems


def _normal(text: str) -> list[str]:
    """Lines less what differs from run to run, and less what the command itself says."""
    # XLA writes the whole stack into the message of an error raised in a callback: the tracker is on it
    text = re.sub(rf'  File "{re.escape(str(_PACKAGE))}/.*\n(?:    .*\n)*', "", text)
    text = re.sub(r"0x[0-9a-f]+|\b[EWI]\d{4} [\d:.]+ +\d+|pid=\d+|process \d+", "*", text)
    return [line for line in text.splitlines() if line.strip() and not line.startswith("jace-repro:")]


def _wrong(name: str, statuses: set[str], entries: list[RecordedEntry]) -> list[str]:
    found = [e.status for e in entries if e.entry.name == name]
    if len(found) != 1:
        return [f"{name} is recorded {len(found)} times"]
    return [] if found[0] in statuses else [f"{name} is {found[0]}, not {' or '.join(sorted(statuses))}"]


def _replay(entry: RecordedEntry, repro: Path) -> str | None:
    """What is wrong with a repro: it should run, or raise what the program raised while it was traced."""
    done = subprocess.run(
        [sys.executable, str(repro)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=repro.parent,
    )
    said = done.stderr.strip().splitlines() or [""]
    if entry.status == "trace-error":
        wanted = (entry.error or "").partition(":")[0]
        raised = any(line.startswith(wanted) for line in said)
        return None if raised else f"the repro of {entry.entry.name} does not raise {wanted}"
    return None if done.returncode == 0 else f"the repro of {entry.entry.name}: {said[-1][:120]}"


def _cut(out: Path, recording: Recording) -> list[str]:
    """Problems of journals that end anywhere: a recording must load, and know no more than the whole one."""
    journals = [out / JOURNAL, *(child.directory / JOURNAL for child in recording.children)]
    known = {e.id for e in recording.entries}
    problems = []
    for journal in journals:
        whole = journal.read_bytes()
        for size in range(0, len(whole), max(1, len(whole) // 40)):
            journal.write_bytes(whole[:size])
            more = {e.id for e in load(out).entries if not e.id.rpartition(".")[2].startswith("t")} - known
            if more:
                problems.append(f"a journal cut after {size} bytes has {more}")
        journal.write_bytes(whole)
    return problems


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="WORD", help="cases whose name contains it")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    options = parser.parse_args()
    chosen = [case for case in cases() if options.only in case.name]

    def one(case: Case) -> Result:
        with tempfile.TemporaryDirectory() as directory:
            return examine(case, Path(directory))

    lost = 0
    print(f"{'case':44} {'exit':>5} {'entries':>8} {'repros':>7} {'run':>4}  lost")
    with ThreadPoolExecutor(options.jobs) as threads:
        for result in threads.map(one, chosen):
            lost += bool(result.problems)
            entries = f"{result.found}/{result.expected}"
            counts = f"{entries:>8} {result.repros:7} {result.runnable:4}"
            text = "; ".join(result.problems) or "-"
            print(
                f"{result.case.name:44} {result.exit_code!s:>5} {counts}  {text}",
                flush=True,
            )
    print(f"{len(chosen)} cases, {lost} with losses")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
