"""A campaign on a Dask cluster: it finds what one machine finds, and loses nothing with a worker."""

from __future__ import annotations

import builtins
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from places import PLANTED_RULES
from planted_pool import SIGNATURE, open_pool
from planted_programs import plant

from jace.ir import walk
from jace_repro.campaign.fuzz import cluster, part, remote, state
from jace_repro.campaign.fuzz.campaign import Budget, fuzz
from jace_repro.campaign.fuzz.state import TESTED, lines
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.settings import Settings, SettingsError
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import mutants, writing
from jace_repro.fuzz.programs import program
from jace_repro.repro import Header

SETTINGS = Settings(("fused",))


class Client:
    """In place of a cluster's: a thread of this process, one part after the other."""

    threads: ThreadPoolExecutor

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.lost: set[int] = set()  #: parts that no worker can do, in the order in which they were asked for

    def __enter__(self) -> Client:
        self.threads = ThreadPoolExecutor(1)
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(cancel_futures=True)

    def nthreads(self) -> dict[str, int]:
        return {"tcp://worker": 2}

    def submit(self, function: Any, request: dict[str, Any], files: Any, retries: int) -> Future[Any]:
        number = len(self.asked)
        self.asked.append(json.loads(json.dumps(request)))

        def lose() -> None:
            raise RuntimeError("the worker is gone")

        return self.threads.submit(
            lose if number in self.lost else lambda: function(self.asked[number], files)
        )

    def cancel(self, futures: list[Future[Any]]) -> None:
        for future in futures:
            future.cancel()


class InThisProcess:
    """In place of a part's process."""

    def __init__(self, line: list[str], **_: Any) -> None:
        self.folder = Path(line[-1])

    def wait(self) -> int:
        part.main(self.folder)
        return 0

    def kill(self) -> None:
        pass


@pytest.fixture
def client(monkeypatch) -> Iterator[Client]:
    distributed = pytest.importorskip("distributed")
    made = Client()
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: made)
    monkeypatch.setattr(remote.subprocess, "Popen", InThisProcess)
    monkeypatch.setattr(part, "open_pool", open_pool)
    plant(monkeypatch)
    monkeypatch.setattr(cluster, "PART", 8)
    return made


def on(out: Path, budget: Budget, settings: Settings = SETTINGS, observer: Observer = NOBODY) -> Any:
    return fuzz(out, budget, settings, observer, scheduler="tcp://scheduler:8786")


def files(out: Path) -> list[str]:
    return sorted(
        path.relative_to(out).as_posix() for path in out.rglob("*.py") if "__pycache__" not in path.parts
    )


def test_a_cluster_finds_what_one_machine_finds(tmp_path, client):
    there = on(tmp_path / "there", Budget(programs=20))
    alone = fuzz(tmp_path / "here", Budget(programs=20), SETTINGS)
    assert [request["numbers"] for request in client.asked if "numbers" in request] == [
        list(range(8)),
        list(range(8, 16)),
        list(range(16, 20)),
    ]
    assert there.extra["fuzz"] | {"seconds": 0} == alone.extra["fuzz"] | {"seconds": 0}
    assert [entry.name for entry in there.entries] == ["program/4", "program/14"]
    assert (there.exit_code, there.errors) == (1, ())
    assert files(tmp_path / "there") == files(tmp_path / "here")
    first, second = there.entries
    assert first.reduced is not None
    assert first.reduced.equations == 1
    assert first.reduced.repro.parent == tmp_path / "there" / "minimal"
    assert second.same_as == "program/4"
    # one of the two was reduced, by the cluster
    assert [request["entry"]["name"] for request in client.asked if "entry" in request] == ["program/4"]
    # the worker's directory, which is gone, is nowhere named
    assert (
        str(first.entry.source) == str(first.repro) == str(tmp_path / "there" / "programs" / "program-4.py")
    )


def test_workers_are_told_of_what_no_further_repro_is_wanted(tmp_path, client, monkeypatch):
    monkeypatch.setattr(state, "MOST_KEPT", 1)
    monkeypatch.setattr(cluster, "AHEAD", 1)
    sent: list[list[str]] = []
    put = cluster._put
    monkeypatch.setattr(cluster, "_put", lambda out, path, data: sent.append(path) or put(out, path, data))
    result = on(tmp_path, Budget(programs=40), Settings(("fused",), reduce=False))
    assert [entry.name for entry in result.entries] == ["program/4"]
    assert list(result.extra["fuzz"]["again"].values()) == [3]
    assert client.asked[0]["needless"] == []
    assert client.asked[-1]["needless"] == [SIGNATURE]
    assert "programs/program-4.py" in sent
    assert "programs/program-34.py" not in sent
    assert files(tmp_path) == ["programs/program-4.py"]


def test_what_the_cluster_could_not_do_is_told_and_remains_to_be_done(tmp_path, client):
    client.lost = {1}
    first = on(tmp_path, Budget(programs=20))
    (error,) = first.errors
    assert error == (
        "the cluster could not do programs 8 to 15 of seed 0: RuntimeError: the worker is gone; --resume tests them"
    )
    assert first.exit_code == 1
    assert first.extra["fuzz"]["programs"] == 12
    again = on(tmp_path, Budget(programs=20))
    assert client.asked[-2]["numbers"] == list(range(8, 16))
    assert (again.errors, again.extra["fuzz"]["programs"]) == ((), 20)


def test_a_finding_that_the_cluster_cannot_reduce_is_reduced_here(tmp_path, client):
    client.lost = {2}
    said: list[str] = []
    result = on(tmp_path, Budget(programs=10), observer=Observer(begins=said.append))
    assert "entry" in client.asked[2]
    (entry,) = result.entries
    assert entry.reduced is not None
    assert (
        "the cluster could not do the reduction of program/4: RuntimeError: the worker is gone; it is reduced here"
        in said
    )


def test_a_cluster_that_can_do_nothing_ends_the_campaign(tmp_path, client):
    client.lost = set(range(100))
    with pytest.raises(
        SettingsError, match=r"3 parts in a row failed.*the worker is gone\n.*--resume goes on"
    ):
        on(tmp_path, Budget(seconds=60))
    assert on(tmp_path, Budget(seconds=0)).tested == 0


def test_it_ends_when_there_are_findings_enough(tmp_path, client):
    settings = Settings(("fused",), max_findings=1, reduce=False)
    assert on(tmp_path, Budget(), settings).extra["fuzz"]["programs"] == 8


def test_workers_of_other_releases_are_refused(tmp_path, client, monkeypatch):
    monkeypatch.setattr(part, "versions", lambda: {**cluster._versions(), "jaxlib": "0.1"})
    with pytest.raises(SettingsError, match=r"other releases: jaxlib 0\.1 there and [0-9.]+ here"):
        on(tmp_path, Budget(programs=8))


def test_workers_are_sent_what_the_mutants_of_a_part_are_made_of(tmp_path, client):
    (tmp_path / "repros").mkdir()
    for k in range(12):
        closed = jax.make_jaxpr(lambda x: jnp.cumsum(x) * 2)(np.ones(3, np.float32))
        emit_flat(closed, [np.ones(3, np.float32)], header=Header()).save(tmp_path / "repros" / f"{k}.py")
    sent: list[dict[str, bytes]] = []
    submit = client.submit
    client.submit = lambda function, request, files, retries: (
        sent.append(files) or submit(function, request, files, retries)
    )
    result = fuzz(
        tmp_path / "out", Budget(programs=2), SETTINGS, mutate=[tmp_path / "repros"], scheduler="tcp://x:1"
    )
    assert result.tested == 2
    (request,) = client.asked
    assert len(request["sources"]) == 12
    (files,) = sent
    wanted = mutants.drawn_of(writing.name_at(0, 0, mutating=True), 12)
    assert set(files) == {request["sources"][k] for k in wanted}
    assert len(files) == 6


def test_no_worker_writes_outside_of_the_directory(tmp_path):
    with pytest.raises(SettingsError, match=r"a file for \.\./x, outside of"):
        cluster._put(tmp_path / "out", "../x", b"")
    assert not (tmp_path / "x").exists()


def test_settings_travel_with_the_rules_beside_them(tmp_path):
    (tmp_path / "mine.py").write_text("pass\n")
    settings = Settings(
        ("fused",),
        2,
        jobs=4,
        timeout=9.0,
        rules=tmp_path / "mine.py",
        environment=(("A", "b"),),
        verbose=True,
    )
    told = json.loads(json.dumps(part.settings_json(settings)))
    there = part._settings_of(told, Path("/there"))
    assert there.rules == Path("/there/mine.py")
    assert (there.jobs, there.pipelines, there.timeout) == (1, ("fused",), 9.0)
    assert (there.environment, there.inputs, there.verbose) == ((("A", "b"),), 2, True)


def test_without_dask_it_says_what_to_install(tmp_path, monkeypatch):
    imported = builtins.__import__

    def refused(name: str, *rest: Any) -> Any:
        if name == "distributed":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refused)
    with (
        pytest.raises(SettingsError, match=re.escape("pip install 'jace-repro[cluster]'")),
        cluster.connected("tcp://nowhere:1", SETTINGS),
    ):
        pass


def test_where_nobody_answers_it_says_so(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with (
        pytest.raises(SettingsError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster.connected("tcp://127.0.0.1:9", SETTINGS),
    ):
        pass


def test_a_part_whose_process_fails_says_what_it_said(tmp_path):
    with pytest.raises(remote.PartError, match=r"exit code 1\n(?s:.*)KeyError: 'settings'"):
        remote.run({}, {})


def test_a_part_ends_with_the_process_that_began_it(tmp_path):
    request = {"settings": part.settings_json(SETTINGS), "seed": 1, "numbers": list(range(1000))}
    script = f"from jace_repro.campaign.fuzz import remote; remote.run({request!r}, {{}})"
    began = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        own = _process_of(tmp_path)
    finally:
        began.kill()
        began.wait()
    deadline = time.monotonic() + 20
    while _is_alive(own) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _is_alive(own)


def _process_of(folder: Path) -> int:
    """The process of the part whose directory is in `folder`, once it is there."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for line in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = line.read_bytes().split(b"\0")
            except OSError:  # it ended meanwhile
                continue
            if b"jace_repro.campaign.fuzz.part" in words and any(str(folder).encode() in w for w in words):
                return int(line.parent.name)
        time.sleep(0.05)
    raise AssertionError("no process was begun")


def _is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def seed_of_a_rev(programs: int) -> int:
    """The first seed of a campaign of which a program is the operation rev, of two axes."""

    def has_one(seed: int) -> bool:
        names = [name for k in range(programs) if (name := writing.name_at(seed, k)).startswith("rev/")]
        eqns = (eqn for name in names for _, eqn in walk(program(name).closed))
        return any(eqn.primitive.name == "rev" and len(eqn.params["dimensions"]) == 2 for eqn in eqns)

    return next(seed for seed in itertools.count() if has_one(seed))


@pytest.mark.ci
def test_with_a_worker_killed_in_the_middle_nothing_is_lost(jace_repro, tmp_path):
    """A real cluster: the same programs with the same outcomes as on this machine, and the finding reduced there."""
    distributed = pytest.importorskip("distributed")
    asked = [
        "-n",
        "50",
        "--seed",
        str(seed_of_a_rev(50)),
        "--rules",
        str(PLANTED_RULES / "rev_forgets.py"),
        "--pipeline",
        "fused",
    ]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        busy: list[Any] = []

        def kill_one() -> None:
            while not (busy and (tmp_path / "there" / TESTED).exists()):  # one part is done, another is not
                busy[:] = [one.name for one in local.scheduler.workers.values() if one.processing]
                time.sleep(0.1)
            os.kill(local.workers[busy[0]].pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        there = jace_repro("fuzz", *asked, "-o", "there", "--scheduler", local.scheduler_address)
        killer.join(1)
        assert not killer.is_alive()
    alone = jace_repro("fuzz", *asked, "-o", "here", "--no-reduce")
    assert (there.code, alone.code) == (1, 1), there.out + there.err + alone.out + alone.err

    def outcomes(out: str) -> dict[int, Any]:
        return {line["number"]: line["outcomes"] for line in lines(tmp_path / out / TESTED)}

    assert outcomes("there") == outcomes("here")
    assert sorted(outcomes("there")) == list(range(50))
    reduced = [entry["reduced"] for entry in there.report["entries"] if entry["reduced"]]
    assert reduced
    assert all((tmp_path / one["repro"]).is_file() for one in reduced)
    assert any(one["equations"] == 1 for one in reduced)
    # the worker's directory, which is gone, is named neither in the report nor in the minimal repro
    rules = str(PLANTED_RULES / "rev_forgets.py")
    planted = [e for e in there.report["entries"] if e["reduced"] and "rule" in e["localized"]]
    assert planted
    assert all(entry["localized"]["rule"].startswith(f"{rules}:") for entry in planted)
    texts = [(tmp_path / entry["reduced"]["repro"]).read_text() for entry in planted]
    assert all(f'origin = "{rules}"' in text and "jace-repro-part" not in text for text in texts)
