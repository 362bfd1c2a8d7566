"""A campaign on a Dask cluster: its workers test and reduce, part by part; journal, findings and corpus stay here.

A part is some tens of programs, or a finding to reduce. Workers keep nothing and say the same of a part whenever they
are asked: Dask gives a part that was lost with its worker to another.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jace_repro.campaign.fuzz import remote
from jace_repro.campaign.fuzz.part import settings_json, tested_of
from jace_repro.campaign.fuzz.state import SOURCES, State, Tested, files_of
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, versions
from jace_repro.campaign.settings import Settings, SettingsError
from jace_repro.campaign.stored import entry_of
from jace_repro.fuzz import writing
from jace_repro.fuzz.mutants import MUTATED, drawn_of
from jace_repro.repro import write_file

#: Programs of a part: some half a minute's work of one core, beside which starting its process (4 s) is little.
PART = 32
#: Parts for each thread of the workers that are under way, so that none waits for this process.
AHEAD = 2
#: A part whose process failed is begun so many times more.
RETRIES = 1
#: So many failures in a row, with nothing done between them, end it: the next ones would fail alike.
FAILURES = 3
#: Seconds that connecting may take, and after which it is asked whether there are further workers.
CONNECT_SECONDS, LOOK_SECONDS = 30, 5.0


@dataclass(frozen=True)
class Cluster:
    """A cluster that parts are given to.

    Attributes:
        client: of `distributed`.
        settings: how parts are tested.
        observer: is told of what the workers do.
        rules: the file of the user's rules and passes, by its name.
    """

    client: Any
    settings: Settings
    observer: Observer = NOBODY
    rules: Mapping[str, bytes] = field(default_factory=dict)

    def submit(self, request: Mapping[str, Any], files: Mapping[str, bytes]) -> Any:
        """The future of a part."""
        whole = {**request, "settings": settings_json(self.settings)}
        return self.client.submit(remote.run, whole, {**self.rules, **files}, retries=RETRIES)

    @property
    def threads(self) -> int:
        """How many parts are worked on at a time."""
        return sum(self.client.nthreads().values())


@contextlib.contextmanager
def connected(address: str, settings: Settings, observer: Observer = NOBODY) -> Iterator[Cluster]:
    """The cluster of a scheduler; what it has not done on exit is not done.

    Raises:
        SettingsError: `distributed` is not installed, or nobody answers at the address.
    """
    try:
        import distributed
    except ImportError as error:
        raise SettingsError("--scheduler needs Dask: pip install 'jace-repro[cluster]'") from error
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no Dask scheduler answers at {address}: {error}") from error
    rules = {} if settings.rules is None else {settings.rules.name: settings.rules.read_bytes()}
    with client:
        yield Cluster(client, settings, observer, rules)


def run(
    numbers: Iterator[int],
    state: State,
    out: Path,
    cluster: Cluster,
    keep: Callable[[Tested], None],
    enough: Callable[[], bool],
) -> None:
    """Test the programs of these numbers, part by part; those of a part that fails remain to be tested.

    Args:
        numbers: which ones; ends when no more are to be begun.
        state: of the campaign.
        out: its directory.
        cluster: tests them.
        keep: is given each program when it is done with.
        enough: no further part is awaited when that is so.
    Raises:
        SettingsError: the workers have other releases than this machine, or one part after the other fails.
    """

    def parts() -> Iterator[_Part]:
        while part := list(itertools.islice(numbers, PART)):
            what = f"programs {part[0]} to {part[-1]} of seed {state.seed}"
            asked = {
                "seed": state.seed,
                "numbers": part,
                "sources": [f"{SOURCES}/{path.name}" for path in state.sources],
                "needless": sorted(state.needless),
            }
            yield _Part(what, asked, _sources_of(part, state))

    for _, answer, error in _answers(parts(), cluster, out):
        if error:
            state.errors.append(f"{error}; --resume tests them")
            continue
        for data in answer["tested"]:
            tested = tested_of(data, out)
            keep(tested if tested.entry is None else replace(tested, entry=_lying_here(tested.entry)))
        if enough():
            return


def reduce(state: State, out: Path, cluster: Cluster) -> None:
    """Reduce the smallest program of each distinct finding; one that fails is left as it is.

    Raises SettingsError as `run` does.
    """
    chosen = dict(enumerate(state.found))
    parts = {
        index: _Part(
            f"the reduction of {chosen[index].name}",
            {"entry": chosen[index].to_json(out)},
            _files_of(chosen[index], out),
        )
        for index in _to_reduce(state.found)
    }
    if parts:
        cluster.observer.begins(f"reducing {len(parts)} findings on the cluster")
    of = {part.what: index for index, part in parts.items()}
    for part, answer, error in _answers(iter(parts.values()), cluster, out):
        if error:
            cluster.observer.begins(f"{error}; it is reduced here")
        else:
            state.found[of[part.what]] = _lying_here(entry_of(answer["entry"], out))


def _to_reduce(found: Sequence[EntryReport]) -> Iterator[int]:
    """The smallest program of each signature that none has been reduced of."""
    known = {v.signature for entry in found if entry.reduced is not None for v in entry.findings}
    for index in sorted(range(len(found)), key=lambda i: found[i].entry.equations):
        shown = {v.signature for v in found[index].findings}
        if found[index].reduced is None and shown - known:
            known |= shown
            yield index


@dataclass(frozen=True)
class _Part:
    """What a worker is asked for: in words, as JSON, and the files that belong to it."""

    what: str
    request: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)


def _answers(
    parts: Iterator[_Part], cluster: Cluster, out: Path
) -> Iterator[tuple[_Part, dict[str, Any], str]]:
    """Each part with its answer, whose files are in place then, as they are ready; or with why there is none."""
    waiting: dict[Any, _Part] = {}
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    failures = 0

    def begin() -> None:
        for part in itertools.islice(parts, max(0, AHEAD * max(1, cluster.threads) - len(waiting))):
            future = cluster.submit(part.request, part.files)
            waiting[future] = part
            future.add_done_callback(done.put)

    with cluster.observer.progress("parts done on the cluster", None) as job:
        begin()
        if waiting and not cluster.threads:
            cluster.observer.begins("waiting for the cluster's first worker")
        try:
            while waiting:
                try:
                    future = done.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    begin()  # for workers that are new
                    continue
                part = waiting.pop(future)
                try:
                    answer, files = future.result()
                except Exception as error:  # whatever the worker, its machine or Dask has to say
                    failures += 1
                    said = f"{part.what}: {type(error).__name__}: {error}"
                    if failures == FAILURES:
                        raise SettingsError(
                            f"{FAILURES} parts in a row failed on the cluster, the last one, {said}\n"
                            "What was done is kept: --resume goes on."
                        ) from error
                    yield part, {}, f"the cluster could not do {said}"
                else:
                    failures = 0
                    _require_alike(answer["versions"])
                    for path, data in files.items():
                        _put(out, path, data)
                    job.done()
                    yield part, answer, ""
                begin()
        finally:
            cluster.client.cancel(list(waiting))


def _require_alike(there: Mapping[str, str]) -> None:
    """What the workers find is replayed and reduced here, and by each other."""
    here = _versions()
    other = [
        f"{name} {there.get(name)} there and {here[name]} here"
        for name in here
        if there.get(name) != here[name]
    ]
    if other:
        raise SettingsError(f"a worker of the cluster has other releases: {', '.join(other)}")


@functools.cache
def _versions() -> Mapping[str, str]:
    return {name: version for name, version in versions().items() if name != "python"}


def _put(out: Path, path: str, data: bytes) -> None:
    """Write a file that a worker sent, which lies in the directory of the campaign."""
    to = out / path
    if not to.resolve().is_relative_to(out.resolve()):
        raise SettingsError(f"a worker of the cluster sent a file for {path}, outside of {out}")
    to.parent.mkdir(parents=True, exist_ok=True)
    write_file(to, data)


def _files_of(entry: EntryReport, out: Path) -> dict[str, bytes]:
    """The repros of an entry with what lies beside them, as they are to lie with a worker."""
    files: dict[str, bytes] = {}
    for repro in {entry.repro, *entry.with_inputs.values()} - {None}:
        assert repro is not None
        for path in files_of(repro):
            files[f"{remote.KEPT}/{path.relative_to(out).as_posix()}"] = path.read_bytes()
    return files


def _sources_of(part: Sequence[int], state: State) -> dict[str, bytes]:
    """The repros that the mutants of a part are made of."""
    if not state.sources:
        return {}
    names = [writing.name_at(state.seed, number, mutating=True) for number in part]
    wanted = {k for name in names if name.startswith(MUTATED) for k in drawn_of(name, len(state.sources))}
    return {
        f"{SOURCES}/{path.name}": path.read_bytes()
        for source in (state.sources[k] for k in sorted(wanted))
        for path in files_of(source)
    }


def _lying_here(entry: EntryReport) -> EntryReport:
    """An entry of a worker, whose program lies here now."""
    source = "" if entry.repro is None else entry.repro.as_posix()
    return replace(entry, entry=replace(entry.entry, source=source))
