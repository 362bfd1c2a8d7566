"""The public functions that test and reduce: `jace_repro.check`, for anyone's tests, and `jace_repro.reduce`."""

from __future__ import annotations

import atexit
import functools
import math
import os
import re
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax

from jace_repro.campaign.conditions import as_found, showing
from jace_repro.campaign.localize import localized_json
from jace_repro.campaign.own_passes import settled
from jace_repro.campaign.reduce import default_calls, failure_to_keep, judged
from jace_repro.campaign.reduction import reduce_one
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.campaign.settings import DEFAULT_PIPELINES, Settings, SettingsError
from jace_repro.campaign.testing import write_generated
from jace_repro.campaign.text import finding_lines
from jace_repro.emitter import emit_flat
from jace_repro.reducer import Interesting, Reduced, function_check
from jace_repro.repro import Header, Repro, current_config, load
from jace_repro.repro.entry import Entry
from jace_repro.tester import OUTCOMES, Options, Pool, Verdict

#: Outcomes that are no finding.
FINE = tuple(name for name, outcome in OUTCOMES.items() if outcome.kind == "fine")


class DisagreementError(AssertionError):
    """A function and its DaCe translation do not agree.

    Attributes:
        verdicts: one a pipeline, those that are right as well.
        repro: the script that shows it, also where the inputs that failed are generated ones.
        findings: the report that says the same to a machine.
    """

    def __init__(self, message: str, verdicts: Sequence[Verdict], repro: Path, findings: Report) -> None:
        super().__init__(message)
        self.verdicts = list(verdicts)
        self.repro = repro
        self.findings = findings


def check(
    fun: Any,
    *args: Any,
    pipelines: str | Sequence[str] = DEFAULT_PIPELINES,
    inputs: int | str = "recorded",
    accept: Collection[str] = FINE,
    timeout: float = 60.0,
    rules: str | Path | None = None,
    out: str | Path | None = None,
    **kwargs: Any,
) -> list[Verdict]:
    """Compare `fun(*args, **kwargs)` under XLA and through DaCe, each pipeline in a worker process.

    There is no tolerance to choose: what rounds nothing is compared bit for bit, and a higher-precision evaluation
    judges a difference that rounding does not explain. The workers stay warm for all calls of the process.

    Args:
        fun: what jax.jit accepts.
        args: its arguments, pytrees of arrays and scalars.
        pipelines: ways through DaCe, or one; see `jace.jit`.
        inputs: "recorded" for `args` alone; "all" for generated inputs as well, or a number of sets at most.
        accept: outcomes that pass. By default those that `jace-repro check` takes for no finding: "ok", and
            "ill-conditioned", which says that rounding errors alone move the result as far as it differs.
        timeout: seconds for one stage of one test.
        rules: a Python file that the worker runs first, to register rules of your own.
        out: where the repro of a failure goes [default: a new temporary directory].
        kwargs: keyword arguments of `fun`, pytrees as well; one that has the name of an option above goes into a
            `functools.partial`.
    Returns:
        The verdicts, all of them accepted.
    Raises:
        ValueError: there is no such pipeline.
        DisagreementError: an AssertionError: an outcome is not accepted. The message says what differs, where in your
            program, whose fault it is, where its repro is and how to go on.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    name = _name_of(fun)
    repro = _written(fun, args, kwargs, name)
    names, settings = _settled(pipelines, rules, timeout)
    pool = _pool(os.getpid(), settings)
    verdicts = pool.check(repro, names, replace(pool.options, inputs=_sets(inputs)))
    bad = [v for v in verdicts if v.outcome not in accept]
    if not bad:
        return verdicts
    folder = _path(out) or Path(tempfile.mkdtemp(prefix="jace-repro-"))
    told = _told(repro, verdicts, bad, folder, settings)
    path = told.entries[0].repro_of(bad[0]) or folder / f"{name}.py"
    raise DisagreementError(_message(name, told, bad), verdicts, path, told)


def reduce(
    repro: Repro | str | Path | Callable[..., Any],
    args: Sequence[Any] | None = None,
    interesting: Interesting | None = None,
    *,
    pipelines: str | Sequence[str] = (),
    signature: str | None = None,
    max_calls: int | None = None,
    seconds: float = math.inf,
    as_written: bool = False,
    timeout: float = 60.0,
    rules: str | Path | None = None,
    out: str | Path | None = None,
) -> Reduced:
    """Reduce what fails to the smallest program that fails the same way: with the same signature.

        jace_repro.reduce("entries/e0007_step.py")
        jace_repro.reduce(step, (params, batch))
        jace_repro.reduce(step, (params, batch), lambda fun, args: bool(jnp.isnan(jax.jit(fun)(*args)[0])))

    The tester judges candidates in worker processes, which stay warm for all calls of the process. A function of your
    own is asked in this process in place of the tester: what ends a process is better asked by a command
    (`jace-repro reduce --predicate`).

    Args:
        repro: what fails, or where it lies; or a function, what jax.jit accepts.
        args: the arguments of a function, pytrees of arrays and scalars.
        interesting: whether a candidate is to be kept: `interesting(fun, args)`, where `fun(*args)` is the candidate, a
            function of flat arrays that gives flat arrays. What it raises counts as no.
        pipelines: ways through DaCe to try, or one; by default that which the repro was made for, else all that
            `jace-repro check` tries.
        signature: the beginning of that of the failure to keep, when the repro shows several.
        max_calls: candidates to test at most; by default 200, with `as_written` 400.
        seconds: from now on, after which no candidate is tested any more.
        as_written: edit the script, not the jaxpr that it traces to: what is left are calls as its author wrote them.
        timeout: seconds for one stage of one test.
        rules: a Python file that the worker runs first, to register rules of your own.
        out: where the minimal repro is written; the best so far is there all the time.
    Returns:
        The minimal repro, whose header says what it shows, and its size. Ctrl-C ends the search early.
    Raises:
        NothingToReduceError: the repro does not fail, or not in that way, or is not interesting.
        TrivialProgramError: no output of it depends on an equation.
        ReproError: there is no repro in that file.
    """
    until = time.monotonic() + seconds
    loaded = _loaded(repro, args)
    names, settings = _settled(pipelines, rules, timeout)
    settings = as_found(settings, loaded)
    pool = _pool(os.getpid(), settings)
    judge = None if interesting is None else function_check(interesting)
    verdicts = judged(loaded, pool, names, judge)
    verdict = failure_to_keep(loaded.header.name, verdicts, signature, loaded.header.signature)
    calls = max_calls or default_calls(as_written)
    minimal = reduce_one(
        loaded, verdict, pool, settings, _path(out), calls, until=until, judge=judge, as_written=as_written
    )
    return minimal.reduced


def _loaded(repro: Repro | str | Path | Callable[..., Any], args: Sequence[Any] | None) -> Repro:
    """The repro that is meant. Raises TypeError: arguments of no function, or a function without."""
    if isinstance(repro, Repro | str | Path):
        if args is not None:
            raise TypeError("a repro has its arguments: `args` are those of a function")
        return repro if isinstance(repro, Repro) else load(Path(repro))
    if args is None:
        raise TypeError(f"{repro!r} is to be reduced with which arguments? reduce(fun, args)")
    return _written(repro, args, {}, _name_of(repro))


def _name_of(fun: Any) -> str:
    return re.sub(r"\W+", "_", getattr(fun, "__name__", "function")).strip("_") or "function"


def _settled(
    pipelines: str | Sequence[str], rules: str | Path | None, timeout: float
) -> tuple[tuple[str, ...], Settings]:
    """The pipelines, and what their workers need. Raises ValueError for pipelines that there are not."""
    names = (pipelines,) if isinstance(pipelines, str) else tuple(pipelines)
    try:
        found = settled(Settings(names, rules=_path(rules), timeout=timeout))
    except SettingsError as error:
        raise ValueError(str(error)) from error
    return found.pipelines, replace(found, pipelines=())


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


@functools.cache
def _pool(process: int, settings: Settings) -> Pool:
    """The workers of this process for these settings; ended with it."""
    pool = Pool(
        1,
        settings.stage_timeout,
        rules=settings.rules,
        options=Options(remember=True),
        sanitize=settings.sanitize,
        environment=dict(settings.environment),
    )
    _pools.append((process, pool))
    return pool


_pools: list[tuple[int, Pool]] = []


@atexit.register
def close() -> None:
    """End the workers that `check` and `reduce` keep; the next call starts new ones."""
    while _pools:
        process, pool = _pools.pop()
        if process == os.getpid():  # a fork of this process has no workers, they are its parent's
            pool.close()
    _pool.cache_clear()


def _sets(inputs: int | str) -> int | None:
    """Raises ValueError for what is neither a number nor one of the two words."""
    if inputs in ("recorded", "all"):
        return 0 if inputs == "recorded" else None
    if isinstance(inputs, int) and inputs >= 0:
        return inputs
    raise ValueError(f'inputs={inputs!r}: must be a number, "all" or "recorded"')


def _written(fun: Any, args: Sequence[Any], kwargs: Mapping[str, Any], name: str) -> Repro:
    """The repro of a call."""
    leaves, structure = jax.tree.flatten((tuple(args), dict(kwargs)))

    def repro(*flat: Any) -> list[Any]:
        positional, named = jax.tree.unflatten(structure, flat)
        return jax.tree.leaves(fun(*positional, **named))

    closed = jax.make_jaxpr(repro)(*leaves)
    header = Header(origin=name, name=name, jax_config=current_config())
    return emit_flat(closed, leaves, header=header)


def _told(
    repro: Repro, verdicts: Sequence[Verdict], bad: Sequence[Verdict], folder: Path, settings: Settings
) -> Report:
    """The report of a failure; writes the repros."""
    name = repro.header.name
    path = folder / f"{name}.py"
    shown = next((v for v in bad if v.inputs is None), None)
    saved = repro.save(path) if shown is None else showing(repro, shown, settings).save(path)
    written, unwritten = write_generated(path, saved, bad, settings)
    told = tuple(v.noting(unwritten.get(v.inputs or "", "")).in_user_terms(repro.source) for v in verdicts)
    localized = localized_json(repro, None, bad[0])
    return Report(
        "check",
        (EntryReport(Entry(name), repro=path, verdicts=told, with_inputs=written, localized=localized),),
    )


def _message(name: str, told: Report, bad: Sequence[Verdict]) -> str:
    """What differs, where, whose fault it is and how to go on."""
    (entry,) = told.entries
    lines = [f"{name} does not agree with its DaCe translation"]
    for verdict in (v for v in bad if not v.is_finding):
        lines.append(f"  {verdict.outcome} on {verdict.pipeline}: {verdict.detail}")
        if verdict.outcome in FINE:
            lines.append(f"  If that is all right here, say accept={FINE!r}.")
    for number, group in enumerate(told.groups, 1):
        lines += ["", *finding_lines(number, group)]
    if not told.groups:
        lines.append(f"  repro     {entry.repro}")
    return "\n".join(lines)
