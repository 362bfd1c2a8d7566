"""Processes that a recorded program starts: each records by itself, and one recording holds them all."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from jace_repro.repro import load as load_repro
from jace_repro.tracker.api import record, record_program
from jace_repro.tracker.journal import CHILDREN
from jace_repro.tracker.recording import RecordedEntry, Recording, Target, load

# Children import JAX themselves: a fork of a process whose JAX has run something may hang, with or without us.
HEAD = """
    import concurrent.futures, multiprocessing, os, signal, sys

    def work(n):
        import jax, jax.numpy as jnp, numpy as np

        @jax.jit
        def step(x):
            return jnp.sin(x) * n

        return float(step(np.full(3, n, np.float32))[0])
"""


def write(path: Path, text: str, head: str = HEAD) -> str:
    """A program on disk."""
    path.write_text(textwrap.dedent(head) + textwrap.dedent(text))
    return str(path)


def recorded(tmp_path: Path, text: str, *argv: str, head: str = HEAD) -> Recording:
    """The recording of a program."""
    program = write(tmp_path / "program.py", text, head)
    return record_program(Target("path", program, argv), tmp_path / "out", timeout=120)


def own(recording: Recording) -> list[RecordedEntry]:
    """The entries that are not JAX's own eager operations."""
    return [e for e in recording.entries if not e.entry.eager]


def first_inputs(recording: Recording) -> list[float]:
    """The first number that each entry was given, in order."""
    return sorted(float(load_repro(recording.path(e)).load_inputs()[0][0]) for e in own(recording))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_of_multiprocessing(tmp_path: Path, method: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = """
        def show(n):
            print(sorted(k for k in os.environ if "JACE" in k.upper()), sys.argv[1:], work(n), flush=True)

        if __name__ == "__main__":
            context = multiprocessing.get_context(sys.argv[1])
            for n in (1, 2):
                child = context.Process(target=show, args=(n,))
                child.start()
                child.join()
                print(child.exitcode, flush=True)
    """
    recording = recorded(tmp_path, text, method)
    seen = capfd.readouterr()
    plain = subprocess.run(
        [sys.executable, str(tmp_path / "program.py"), method], capture_output=True, text=True, check=False
    )
    assert (seen.out, seen.err) == (plain.stdout, plain.stderr)
    assert recording.exit_code == 0
    entries = own(recording)
    assert [(e.entry.name, e.status, e.calls) for e in entries] == [("step", "completed", 1)] * 2
    assert first_inputs(recording) == [1.0, 2.0]
    assert len({e.id for e in recording.entries}) == len(recording.entries)
    assert len({e.process for e in entries}) == 2
    for entry in entries:
        assert entry.id.startswith(entry.process + ".e")
        assert entry.repro is not None
        assert entry.repro.parts[:2] == (CHILDREN, entry.process)
        assert entry.entry.source.endswith("program.py:7")
    assert [c.exit_code for c in recording.children] == [0, 0]
    assert not recording.tracker_errors


def test_a_pool_of_processes(tmp_path: Path) -> None:
    text = """
        if __name__ == "__main__":
            with concurrent.futures.ProcessPoolExecutor(2) as pool:
                print(list(pool.map(work, [1, 2, 3, 4])))
            work(5)
    """
    recording = recorded(tmp_path, text)
    assert first_inputs(recording) == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert {e.status for e in own(recording)} == {"completed"}
    assert sum(not e.process for e in own(recording)) == 1


def test_os_fork_and_its_children(tmp_path: Path) -> None:
    """A forked child, and one of its own: all end through os._exit."""
    text = """
        import jax

        if (child := os.fork()) == 0:
            if (grandchild := os.fork()) == 0:
                work(3)
                os._exit(0)
            os.waitpid(grandchild, 0)
            work(2)
            os._exit(0)
        os.waitpid(child, 0)
        if os.fork() == 0:
            os._exit(0)  # without JAX: leaves nothing
        os.wait()
        work(1)
    """
    recording = recorded(tmp_path, text)
    assert first_inputs(recording) == [1.0, 2.0, 3.0]
    entries = own(recording)
    assert [bool(e.process) for e in entries] == [False, True, True]
    assert {e.status for e in entries} == {"completed"}
    assert len(list((tmp_path / "out" / CHILDREN).iterdir())) == 2


def test_children_of_spawned_children(tmp_path: Path) -> None:
    text = """
        def parent(n):
            child = multiprocessing.get_context("spawn").Process(target=work, args=(n + 1,))
            child.start()
            child.join()
            work(n)

        if __name__ == "__main__":
            child = multiprocessing.get_context("spawn").Process(target=parent, args=(1,))
            child.start()
            child.join()
    """
    recording = recorded(tmp_path, text)
    assert first_inputs(recording) == [1.0, 2.0]
    pids = {c.header["pid"]: c.header["parent"] for c in recording.children}
    assert len(set(pids) & set(pids.values())) == 1  # one is the parent of the other


DYING = """
    def die(how):
        import jax, jax.numpy as jnp, numpy as np

        def last(v):
            if how == "raise":
                raise RuntimeError("in the callback")
            os.kill(os.getpid(), getattr(signal, how)) if how.startswith("SIG") else os._exit(7)

        @jax.jit
        def deadly(x):
            return jax.pure_callback(last, jax.ShapeDtypeStruct((), np.float32), x) * 2

        work(1)
        deadly(2.0).block_until_ready()

    if __name__ == "__main__":
        child = multiprocessing.get_context(sys.argv[1]).Process(target=die, args=(sys.argv[2],))
        child.start()
        child.join()
        sys.exit(abs(child.exitcode))
"""


@pytest.mark.parametrize(
    ("method", "how", "code"),
    [
        ("fork", "SIGKILL", signal.SIGKILL),
        ("spawn", "SIGSEGV", signal.SIGSEGV),
        ("spawn", "_exit", 7),
        ("forkserver", "SIGTERM", signal.SIGTERM),
    ],
)
def test_a_child_that_dies_has_lost_nothing(tmp_path: Path, method: str, how: str, code: int) -> None:
    recording = recorded(tmp_path, DYING, method, how)
    assert recording.exit_code == code
    entries = {e.entry.name: e for e in own(recording)}
    assert {name: e.status for name, e in entries.items()} == {"step": "completed", "deadly": "dispatched"}
    assert load_repro(recording.path(entries["deadly"])).load_inputs() == [2.0]


def test_the_traceback_of_a_child_is_pythons(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = """
        def wrong(n):
            work(n)
            import jax, jax.numpy as jnp
            jax.jit(lambda x: x @ jnp.ones(5))(jnp.ones(3))

        if __name__ == "__main__":
            child = multiprocessing.get_context(sys.argv[1]).Process(target=wrong, args=(1,), name="it")
            child.start()
            child.join()
    """
    recording = recorded(tmp_path, text, "spawn")
    seen = capfd.readouterr().err
    plain = subprocess.run(
        [sys.executable, str(tmp_path / "program.py"), "spawn"], capture_output=True, text=True, check=False
    )
    assert "TypeError" in seen
    assert seen == plain.stderr
    (child,) = recording.children
    assert child.exit_code == 1
    assert (child.error or "").startswith("TypeError: ")
    assert recording.error is None
    assert [e.status for e in own(recording)] == ["completed", "trace-error"]


IN_A_CHILD = """
import jax


def in_a_child(value):
    return float(jax.jit(lambda x: x * 3)(value))
"""


@pytest.mark.parametrize("method", ["spawn", pytest.param("forkserver", marks=pytest.mark.ci)])
def test_record_in_this_process_includes_its_children(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Children get this process's search path, which need not lead to the tests themselves.
    (tmp_path / "work_of_a_child.py").write_text(IN_A_CHILD)
    monkeypatch.syspath_prepend(tmp_path)
    in_a_child = importlib.import_module("work_of_a_child").in_a_child
    context = multiprocessing.get_context(method)
    with record(tmp_path / "outer"), record(tmp_path / "inner") as inner:
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            assert pool.submit(in_a_child, 2.0).result() == 6.0
        assert [e.entry.name for e in inner.entries if e.process] == ["<lambda>"]
    for name in ("outer", "inner"):
        (entry,) = load(tmp_path / name).entries
        assert (entry.status, bool(entry.process)) == ("completed", True)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(in_a_child, 2.0).result() == 6.0
    assert len(load(tmp_path / "outer").children) == 1


def test_a_child_without_jax_leaves_nothing(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        child = multiprocessing.get_context("spawn").Process(target=os.getpid)
        child.start()
        child.join()
    assert child.exitcode == 0
    assert rec.recording.children == ()
    assert not (tmp_path / CHILDREN).exists()


def test_what_is_given_to_a_child_needs_no_package_there(tmp_path: Path) -> None:
    """A source tree that is neither installed nor on the search path: its file is found all the same."""
    import pickle

    from jace_repro.tracker.session import _Joining
    from jace_repro.tracker.settings import RecordSettings

    joining = pickle.dumps(_Joining((RecordSettings(str(tmp_path)),)))
    script = f"""
import pickle, sys
assert "jace_repro" not in sys.modules
assert pickle.loads({joining!r}) is None
print([s.settings.root for s in sys.modules["jace_repro.tracker.session"]._sessions])
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.stdout.strip(), done.stderr) == (str([str(tmp_path)]), "")


def test_the_limit_on_the_disk_is_that_of_all_processes(tmp_path: Path) -> None:
    text = """
        import jax, numpy as np

        def large(n):
            jax.jit(lambda x: x * n)(np.random.default_rng(n).random(20_000, np.float32))

        if __name__ == "__main__":
            for n in range(4):
                child = multiprocessing.get_context("fork").Process(target=large, args=(n,))
                child.start()
                child.join()
    """
    program = write(tmp_path / "program.py", text)
    recording = record_program(Target("path", program), tmp_path / "out", max_disk=200_000)
    entries = own(recording)
    assert [e.status for e in entries] == ["completed"] * 4
    assert [e.repro is not None for e in entries] == [True, True, False, False]
    assert len(recording.tracker_errors) == 2
    assert recording.tracker_errors[0].startswith(f"process {entries[2].process}: ")


@pytest.mark.ci
def test_a_deadlock_in_a_child_is_ended_with_the_program(tmp_path: Path) -> None:
    text = """
        def stuck(path):
            work(1)
            open(path, "w").write(str(os.getpid()))
            multiprocessing.Event().wait()

        if __name__ == "__main__":
            child = multiprocessing.get_context("spawn").Process(target=stuck, args=(sys.argv[1],))
            child.start()
            child.join()
    """
    program = write(tmp_path / "program.py", text)
    target = Target("path", program, (str(tmp_path / "pid"),))
    recording = record_program(target, tmp_path / "out", timeout=15)
    assert (recording.error or "").startswith("timeout")
    assert [e.status for e in own(recording)] == ["completed"]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_what_several_processes_completed_is_one_line_of_the_report(jace_repro, program) -> None:
    text = textwrap.dedent(HEAD) + textwrap.dedent("""
        def same(n):
            import jax, numpy as np
            jax.jit(lambda x: x * 3)(np.full(3, n, np.float32))

        if __name__ == "__main__":
            same(0)
            for n in (1, 2):
                child = multiprocessing.get_context("spawn").Process(target=same, args=(n,))
                child.start()
                child.join()
    """)
    ran = jace_repro("record", "-o", "out", "--max-inputs", "2", program(text))
    assert ran.code == 0
    (entry,) = ran.report["entries"]
    assert (entry["calls"], entry["self_check"], len(entry["processes"])) == (3, "exact", 2)
    assert [path.partition("/entries/")[0] for path in entry["repros"]] == [
        "out",
        f"out/{CHILDREN}/{entry['processes'][0]}",
    ]
    (line,) = [line for line in ran.out.splitlines() if "<lambda>" in line]
    assert f"in process {', '.join(entry['processes'])}" in line


def test_a_fork_in_the_middle_of_a_call_leaves_the_call_to_the_parent(tmp_path: Path) -> None:
    import jax
    import numpy as np

    from jace_repro.tracker.journal import JOURNAL, Journal
    from jace_repro.tracker.recorder import Recorder
    from jace_repro.tracker.settings import RecordSettings

    journal = Journal(tmp_path, {})
    recorder = Recorder(journal, RecordSettings(str(tmp_path)))
    x = np.ones(2, np.float32)
    closed = jax.make_jaxpr(lambda x: x + 1)(x)
    flight = recorder.executing(closed, [x], "f")
    assert flight is not None
    assert len(flight.scripts) == 1
    before = (flight.scripts[0].path.read_text(), (tmp_path / JOURNAL).read_text())
    journal.abandon()  # as after a fork
    recorder.move(Journal(tmp_path / CHILDREN / "1", {}))
    recorder.compiled(flight)
    recorder.executed(flight, [x])
    assert (flight.scripts[0].path.read_text(), (tmp_path / JOURNAL).read_text()) == before
    assert not (tmp_path / CHILDREN).exists()
    again = recorder.executing(closed, [x], "f")  # the child's own call is the child's own entry
    assert again is not None
    assert (again.scripts[0].path, again.known.id) == (
        tmp_path / CHILDREN / "1" / "entries" / "e0001_lambda.py",
        "e0001",
    )


def test_what_is_asked_of_jace_is_noted_once_and_never_breaks_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jace_repro.tracker.journal import JOURNAL, Journal
    from jace_repro.tracker.recorder import Recorder
    from jace_repro.tracker.settings import RecordSettings

    journal = Journal(tmp_path, {})
    recorder = Recorder(journal, RecordSettings(str(tmp_path)))
    for _ in range(2):
        recorder.asked("pipeline", "canonical")
    (event,) = (
        e for e in map(json.loads, (tmp_path / JOURNAL).read_text().splitlines()) if e["event"] == "asked"
    )
    assert (event["what"], event["name"]) == ("pipeline", "canonical")

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(journal, "write", full)
    recorder.asked("rule", "sin")
