"""Testing a set of entries: each through a pool of workers, with repros of what is found on generated inputs."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from jace.build import toolchain
from jace.errors import CompileError
from jace_repro.campaign.command_lines import jace_repro, shown
from jace_repro.campaign.conditions import options_for, showing
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, finding_key, groups
from jace_repro.campaign.settings import Settings, SettingsError, choose_pipelines
from jace_repro.campaign.text import describe_error
from jace_repro.repro import Repro, load
from jace_repro.tester import Options, Pool, Verdict
from jace_repro.tester.inputs.generated import with_generated
from jace_repro.tester.workers.died import WorkerDied

#: What a worker that does not start begins with.
_FAILED = "the tester failed:\n"
#: JAX's configuration is the process's: one repro at a time.
_CONFIGURING = threading.Lock()


@contextmanager
def open_pool(settings: Settings, *, fresh: bool = False) -> Iterator[Pool]:
    """The workers that `settings` asks for, each for one test if they are to be `fresh`; ended on exit, also by ctrl-C.

    Raises:
        SettingsError: there is no C++ compiler that runs, nothing can be sanitized, or the rules file fails.
    """
    require_compiler()
    how = Options(remember=True, inputs=settings.inputs)
    try:
        pool = Pool(
            settings.jobs,
            settings.stage_timeout,
            rules=settings.rules,
            options=how,
            sanitize=settings.sanitize,
            environment=dict(settings.environment),
            fresh=fresh,
        )
    except CompileError as error:
        raise SettingsError(str(error)) from error
    with pool:
        if settings.rules is not None:
            _try_rules(pool, settings.rules)
        yield pool


def require_compiler() -> None:
    """Nothing can be tested without a C++ compiler: say so before anything is done.

    Raises:
        SettingsError: there is none that runs.
    """
    try:
        toolchain()
    except CompileError as error:
        raise SettingsError(f"{error} ({jace_repro('doctor')} checks it.)") from error


def _try_rules(pool: Pool, rules: Path) -> None:
    """Have a worker run the rules file, before anything is tested with it.

    Raises:
        SettingsError: it fails.
    """
    try:
        pool.warm_up()
    except WorkerDied as died:
        raise SettingsError(
            f"the rules file {shown(rules)} fails:\n{died.detail.partition(_FAILED)[2]}"
        ) from died


def check_entries(
    entries: Sequence[EntryReport],
    pool: Pool,
    settings: Settings,
    on_result: Callable[[int, EntryReport], None],
    observer: Observer = NOBODY,
    *,
    blame: bool = True,
    enough: Callable[[], bool] | None = None,
) -> list[EntryReport]:
    """The entries with their verdicts, in the given order; `on_result` sees each as it is ready, with its number.

    Those that have verdicts already are left alone. `blame`: whether findings are looked into for whose fault they are;
    who reduces them asks that of the minimal ones, and has work for a worker that has nothing to test: it starts
    meanwhile. When there is `enough` no further test is begun; by default after `settings.max_findings` further
    findings.
    """
    results = list(entries)
    untested = [index for index, entry in enumerate(entries) if not entry.verdicts]
    if settings.max_findings is None:
        # the longest first, lest a worker has nothing to do while another tests it
        untested.sort(key=lambda index: -entries[index].entry.equations)
    enough = enough or limit(settings, lambda: results)
    todo = iter(untested)
    known: set[str] = set()
    waiting: dict[Future[EntryReport], int] = {}
    with (
        observer.progress("tested", len(untested)) as job,
        pool.heard_by(job.stage),
        ThreadPoolExecutor(max_workers=settings.jobs) as threads,
    ):

        def check(entry: EntryReport) -> EntryReport:
            job.working(entry.title)
            try:
                return _check_inputs(entry, pool, settings, blame)
            finally:
                job.rests()

        def begin(count: int) -> None:
            for index in itertools.islice(todo, count):
                waiting[threads.submit(check, entries[index])] = index

        try:
            begin(0 if enough() else settings.jobs)
            if not blame and 0 < len(waiting) < settings.jobs:
                pool.add_spare()
            while waiting:
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    index = waiting.pop(done)
                    results[index] = done.result()
                    on_result(index, results[index])
                    shown = {finding_key(results[index], verdict) for verdict in results[index].findings}
                    job.done(findings=len(shown - known))
                    known |= shown
                    if not enough():
                        begin(1)
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def limit(settings: Settings, entries: Callable[[], Iterable[EntryReport]]) -> Callable[[], bool]:
    """Whether the entries, which are tested meanwhile, show `settings.max_findings` findings more than now."""
    if settings.max_findings is None:
        return lambda: False
    most = len(groups(entries())) + settings.max_findings
    return lambda: len(groups(entries())) >= most


def stopped(entries: Iterable[EntryReport], settings: Settings) -> bool:
    """Whether entries were not tested because there were findings enough."""
    return settings.max_findings is not None and not all(entry.verdicts for entry in entries)


def _check_inputs(entry: EntryReport, pool: Pool, settings: Settings, blame: bool) -> EntryReport:
    """The entry with the verdicts of the first of its repros that shows a finding, else of the least good one."""
    results = []
    for repro in entry.repros or (entry.repro,):
        results.append(_check_one(replace(entry, repro=repro), pool, settings, blame))
        if results[-1].findings:
            return results[-1]
    return max(results, key=lambda result: any(v.outcome != "ok" for v in result.verdicts))


def _check_one(entry: EntryReport, pool: Pool, settings: Settings, blame: bool) -> EntryReport:
    pipelines = settings.pipelines
    if entry.status in ("trace-error", "tracing"):
        detail = f"the program ends while JAX traces it: {entry.error}"
        if entry.status == "trace-error":
            detail = f"the program raises while JAX traces it: {entry.error}"
        failed = tuple(Verdict(p, "reference-error", detail=detail, stage="trace") for p in pipelines)
        return replace(entry, verdicts=failed)
    if entry.repro is None:
        detail = f"no repro could be written: {entry.error}"
        return replace(entry, verdicts=tuple(Verdict(p, "harness-error", detail=detail) for p in pipelines))
    try:
        repro = load(entry.repro)
        wanted = choose_pipelines(pipelines, repro.header.pipeline)
        verdicts = pool.check(repro, wanted, replace(pool.options, blame=blame))
        written, unwritten = write_generated(
            entry.repro, repro, [v for v in verdicts if v.is_finding], settings
        )
        told = tuple(
            v.noting(unwritten.get(v.inputs or "", "")).in_user_terms(repro.source) for v in verdicts
        )
        options = {v.pipeline: options_for(v, repro.header, settings) for v in told if v.is_finding}
        return replace(entry, verdicts=told, with_inputs=written, options=options)
    except Exception as error:  # the tester itself failed: that is this entry's outcome
        detail = describe_error(error, settings.verbose)
        names = choose_pipelines(pipelines)
        return replace(entry, verdicts=tuple(Verdict(p, "harness-error", detail=detail) for p in names))


def write_generated(
    path: Path, repro: Repro, verdicts: Sequence[Verdict], settings: Settings
) -> tuple[dict[str, Path], dict[str, str]]:
    """The repros on the generated inputs that these verdicts were found on, and why there is none, by inputs.

    They are written beside `path`, where the repro lies.
    """
    written: dict[str, Path] = {}
    unwritten: dict[str, str] = {}
    for name, verdict in {v.inputs: v for v in reversed(verdicts) if v.inputs is not None}.items():
        to = path.with_suffix(f".{name}.py")
        try:
            with _CONFIGURING:
                generated = with_generated(repro, name)
            showing(generated, verdict, settings).save(to)
            written[name] = to
        except Exception as error:  # the finding stands; say why there is no repro of it
            unwritten[name] = f"; no repro with these inputs: {type(error).__name__}: {error}"
    return written, unwritten
