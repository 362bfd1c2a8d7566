"""Running JAX's harnesses through the tester, resumably.

A run has a directory: `results.jsonl` (`results`), `cache/`, the compilation cache of the run, and `xla/`, XLA's.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from jace import pipelines
from jace_repro.survey.harnesses import Harness
from jace_repro.survey.results import Results
from jace_repro.tester import Options, Pool, Verdict
from jace_repro.tester.execute.backends import DEFAULT_BACKEND

PIPELINES = pipelines.PLANS
#: Megabytes of compiled code that a whole run may keep: all of it, or the next run is a cold one.
CACHE_MB = 16_384


@contextmanager
def environment(directory: Path) -> Iterator[None]:
    """Caches of the run's own for the workers started inside: jace's, large enough, and XLA's."""
    ours = {
        "JACE_CACHE_DIR": str((directory / "cache").resolve()),
        "JACE_CACHE_MB": str(CACHE_MB),
        "JAX_COMPILATION_CACHE_DIR": str((directory / "xla").resolve()),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def run(
    wanted: Sequence[tuple[Harness, Sequence[str]]],
    results: Results,
    *,
    jobs: int,
    timeout: float,
    memory_mb: int | None = None,
    progress: Callable[[Harness, Sequence[Verdict]], None] = lambda harness, verdicts: None,
    backend: str = DEFAULT_BACKEND,
) -> None:
    """Test harnesses on pipelines with `jobs` workers, those without x64 first: a worker knows one mode."""
    for x64 in (False, True):
        waiting: queue.SimpleQueue[tuple[Harness, Sequence[str]]] = queue.SimpleQueue()
        for item in wanted:
            if item[0].x64 == x64:
                waiting.put(item)
        if waiting.empty():
            continue
        with open_pool(jobs, timeout, memory_mb, backend) as pool:
            _drain(waiting, pool, results, progress)


def open_pool(
    jobs: int, timeout: float, memory_mb: int | None = None, backend: str = DEFAULT_BACKEND
) -> Pool:
    """Workers for harnesses. A failure is not localised: the harness is about one primitive already."""
    return Pool(jobs, timeout, memory_mb, backend=backend, options=Options(localize=False))


def _drain(
    waiting: queue.SimpleQueue[tuple[Harness, Sequence[str]]],
    pool: Pool,
    results: Results,
    progress: Callable[[Harness, Sequence[Verdict]], None],
) -> None:
    failed: list[BaseException] = []

    def serve() -> None:
        while not failed:
            try:
                harness, pipelines = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                started = time.perf_counter()
                verdicts = pool.check(harness.named, pipelines)
                if failed:  # the run was interrupted: the workers were killed, not the harness's fault
                    return
                results.add(harness, verdicts, time.perf_counter() - started)
                progress(harness, verdicts)
            except BaseException as error:
                failed.append(error)

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(pool.jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        failed.append(KeyboardInterrupt())
        pool.close()
        raise
    if failed:
        raise failed[0]
