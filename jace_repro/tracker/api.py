"""Recording programs: every distinct top-level entry that a program gives JAX, with its real inputs.

:func:`record` records this process, :func:`record_program` an unmodified program in a child process.
Everything goes to a directory as it happens: ``journal.jsonl``, one flushed line an event, and one repro
file per distinct entry under ``entries/`` (see :mod:`jace_repro.tracker.recorder`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import psutil

from jace_repro.repro.selection import ALL, Selection
from jace_repro.tracker import hooks
from jace_repro.tracker.journal import FAULTS, JOURNAL, Journal
from jace_repro.tracker.recording import RecordedEntry, Recording, Target, load
from jace_repro.tracker.session import Session, open_session
from jace_repro.tracker.settings import RecordSettings

# ------------------------------------------------------------------------------------ in this process


class LiveRecording:
    """What :func:`record` yields: the recording so far, readable at any time."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @property
    def recording(self) -> Recording:
        """The recording as the journal has it now."""
        return load(self.directory)

    @property
    def entries(self) -> tuple[RecordedEntry, ...]:
        """The distinct entries recorded so far."""
        return self.recording.entries


@contextlib.contextmanager
def record(
    out: str | Path | None = None,
    *,
    max_disk: int | None = None,
    max_inputs: int = 1,
    selection: Selection = ALL,
) -> Iterator[LiveRecording]:
    """Record what this process, and those it starts, give JAX while the context is open, in all threads.

    Recordings may be nested and overlap: each gets everything.

    Args:
        out: the directory of the recording; a new temporary one if None.
        max_disk: bytes of repros; an entry whose inputs would exceed them gets none, and the journal says so.
        max_inputs: repros of one entry: so many calls with different values are kept, the first ones.
        selection: which entries get a repro; the journal names the others.
    Raises:
        HooksUnavailable: this JAX release is not one the tracker knows.
        FileExistsError: ``out`` holds a recording already.
        ValueError: ``max_inputs`` is not positive.
    """
    if max_inputs < 1:
        raise ValueError(f"max_inputs is {max_inputs}: an entry has at least one repro")
    hooks.require()
    directory = _new_directory(out).resolve()  # the program may change the working directory
    journal = Journal(directory, {"pid": os.getpid()})
    settings = RecordSettings(str(directory), max_disk, max_inputs, **asdict(selection))
    session = Session(settings, journal)
    open_session(session)
    try:
        session.start()
        journal.open()
        yield LiveRecording(directory)
    finally:
        # The program may have filled the disk: what could be written is there.
        with contextlib.suppress(OSError):
            session.stop()


def _new_directory(out: str | Path | None) -> Path:
    if out is None:
        return Path(tempfile.mkdtemp(prefix="jace-repro-"))
    directory = Path(out)
    if (directory / JOURNAL).exists():
        raise FileExistsError(f"{directory} holds a recording already; name another directory or remove it")
    directory.mkdir(parents=True, exist_ok=True)
    return directory


# ----------------------------------------------------------------------------------- another process


def record_program(
    target: Target,
    out: str | Path,
    *,
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
    max_disk: int | None = None,
    max_inputs: int = 1,
    selection: Selection = ALL,
) -> Recording:
    """Run a program in a child process under the tracker and load what it journaled.

    The program sees what ``python PROG.py ARGV...`` (``python -m ...``) gives it: argv, ``__main__``,
    working directory, ``sys.path[0]``, standard streams.  Ctrl-C reaches it as it would without us.  Its functions of
    ``jace.jit`` are called as those of ``jax.jit``.

    Args:
        target: what to run.
        out: directory for the recording, created; must not hold one already.
        timeout: seconds after which the program and what it started are killed (SIGTERM, SIGKILL five seconds
            later).
        env: environment of the child; this process's if None.
        max_disk, max_inputs, selection: see :func:`record`.
    Returns:
        The recording, also when the program crashed, was killed or never reached JAX.
    Raises:
        FileExistsError: ``out`` holds a recording already.
        HooksUnavailable: this JAX release is not one the tracker knows.
    """
    hooks.require()
    directory = _new_directory(out).resolve()
    child = Path(__file__).with_name("bootstrap.py")
    settings = RecordSettings(str(directory), max_disk, max_inputs, **asdict(selection), by_xla=True)
    command = [
        sys.executable,
        str(child),
        json.dumps(asdict(settings)),
        target.kind,
        target.value,
        *target.argv,
    ]
    process = subprocess.Popen(command, env=None if env is None else dict(env))
    code, reason = _wait(process, timeout)
    faults = directory / FAULTS
    if faults.exists() and not faults.stat().st_size:
        faults.unlink()
    if not (directory / JOURNAL).exists():
        return Recording(directory, (), code, reason or "the program ended before the tracker started")
    return load(directory, exit_code=code, error=reason)


def _wait(process: subprocess.Popen[bytes], timeout: float | None) -> tuple[int | None, str | None]:
    """Exit code and, when it is not the program's own doing, what ended it."""
    interrupted = False
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        try:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            code = process.wait(left)
            break
        except KeyboardInterrupt:  # the terminal sent it to the child as well: let it end by itself
            if interrupted:
                process.kill()
            interrupted = True
        except subprocess.TimeoutExpired:
            return _end(process), f"timeout: killed after {timeout:g} s"
    if interrupted:
        return code, "interrupted (ctrl-C)"
    if code < 0:
        return code, f"killed by {_signal_name(-code)}"
    return code, None


def _end(process: subprocess.Popen[bytes]) -> int:
    """End a program and the processes it started, which would go on without it. Its exit code."""
    family: list[psutil.Process] = []
    with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended by itself
        family = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    for member in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            member.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    _, alive = psutil.wait_procs(family, timeout=5)
    for member in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            member.kill()
    return process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
