"""External predicates: a command decides which candidates are interesting (exit status 0)."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from jace_repro.repro import Repro
from jace_repro.tester.verdict.verdict import Verdict

#: The signature (and the pipeline) of every repro that the command calls interesting.
PREDICATE = "predicate"


class PredicateError(Exception):
    """The command could not be started."""


def predicate_check(command: str, timeout: float) -> Callable[[Repro], Verdict]:
    """A `check` for `reduce_repro(..., signature=PREDICATE)` that asks an external command.

    The candidate's path is appended to the command's arguments (or replaces `{}` in them), its source is on
    standard input. Exit status 0 means interesting; any other, or a run longer than `timeout` seconds, not.

    Raises:
        PredicateError: (from the check) the command cannot be started.
    """
    words = shlex.split(command)
    if not words:
        raise PredicateError("the predicate command is empty")

    def check(repro: Repro) -> Verdict:
        with tempfile.TemporaryDirectory(prefix="jace-repro-") as folder:
            saved = repro.save(Path(folder, "candidate.py"))
            path = str(saved.path)
            line = [w.replace("{}", path) for w in words] if any("{}" in w for w in words) else [*words, path]
            code = _run(line, saved.source, timeout)
        if code is None:
            return Verdict(PREDICATE, "ok", detail=f"{command}: no answer in {timeout:g} s")
        if code == 0:
            return Verdict(PREDICATE, "mismatch", signature=PREDICATE, detail=f"{command}: exit status 0")
        return Verdict(PREDICATE, "ok", detail=f"{command}: exit status {code}")

    return check


def _run(line: list[str], text: str, timeout: float) -> int | None:
    """The exit status of a command, None when it was killed (with its children) for taking too long."""
    try:
        process = subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
    except OSError as error:
        raise PredicateError(f"the predicate {line[0]!r} cannot be started: {error.strerror}") from error
    try:
        process.communicate(text, timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process.returncode
