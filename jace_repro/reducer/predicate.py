"""Predicates: a command (exit status 0) or a function of the user's decides which candidates are interesting."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jace_repro.repro import Repro
from jace_repro.tester.verdict.verdict import Verdict

#: The signature (and the pipeline) of every repro that a predicate calls interesting, and the outcome.
PREDICATE, INTERESTING = "predicate", "interesting"

#: Whether a program, as a function of its arguments, is interesting.
Interesting = Callable[[Callable[..., Any], list[Any]], bool]


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
            return Verdict(PREDICATE, INTERESTING, signature=PREDICATE, detail=f"{command}: exit status 0")
        return Verdict(PREDICATE, "ok", detail=f"{command}: exit status {code}")

    return check


def function_check(interesting: Interesting) -> Callable[[Repro], Verdict]:
    """A `check` that asks a function of this process: `interesting(fun, args)`, `fun(*args)` the candidate.

    What it raises says that the candidate is not interesting.
    """
    name = getattr(interesting, "__name__", type(interesting).__name__)

    def check(repro: Repro) -> Verdict:
        with repro.configured():
            try:
                answer = bool(interesting(repro.load_function(), repro.load_inputs()))
            except Exception as error:  # of a candidate, whatever that does to somebody's function
                return Verdict(PREDICATE, "ok", detail=f"{name}: {type(error).__name__}: {error}")
        if answer:
            return Verdict(PREDICATE, INTERESTING, signature=PREDICATE, detail=f"{name}(fun, args): true")
        return Verdict(PREDICATE, "ok", detail=f"{name}(fun, args): false")

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
