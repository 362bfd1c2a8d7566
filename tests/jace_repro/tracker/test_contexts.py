"""Where a program calls JAX from: nested recordings, notebooks, generators, threads, asyncio, tests."""

from __future__ import annotations

import asyncio
import linecache
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.repro import load as load_repro
from jace_repro.tracker.api import LiveRecording, record, record_program
from jace_repro.tracker.recording import RecordedEntry, Recording, Target, load


def own(rec: LiveRecording | Recording) -> list[RecordedEntry]:
    """The entries that are not JAX's own eager operations."""
    return [e for e in rec.entries if not e.entry.eager]


def names(rec: LiveRecording | Recording) -> list[tuple[str, int]]:
    """Name and number of calls of each of them."""
    return [(e.entry.name, e.calls) for e in own(rec)]


def jitted(name: str, factor: float) -> jax.stages.Wrapped:
    """A function of its own each time."""

    def f(x):
        return x * factor

    f.__name__ = f.__qualname__ = name
    return jax.jit(f)


# --------------------------------------------------------------------------------- nested recordings


def test_a_nested_recording_and_the_outer_one_both_get_the_entries(tmp_path: Path) -> None:
    before, inside, after = jitted("before", 2.0), jitted("inside", 3.0), jitted("after", 4.0)
    x = np.ones(2, np.float32)
    with record(tmp_path / "outer") as outer:
        before(x)
        with record(tmp_path / "inner") as inner:
            before(x)
            inside(x)
            inside(x)
        after(x)
        inside(x)
    after(x)
    assert names(outer) == [("before", 2), ("inside", 3), ("after", 1)]
    assert names(inner) == [("before", 1), ("inside", 2)]
    for rec in (outer, inner):
        assert {e.status for e in own(rec)} == {"completed"}
        assert all(load_repro(rec.recording.path(e)).load_inputs()[0].tolist() == [1, 1] for e in own(rec))


def test_recordings_that_overlap_in_two_threads(tmp_path: Path) -> None:
    """The one that began first ends first."""
    first, both, second = jitted("first", 2.0), jitted("both", 3.0), jitted("second", 4.0)
    begun, ended = threading.Event(), threading.Event()
    found: list[list[tuple[str, int]]] = []

    def other() -> None:
        with record(tmp_path / "b") as rec:
            begun.set()
            ended.wait(60)
            second(1.0)
        found.append(names(rec))

    thread = threading.Thread(target=other)
    with record(tmp_path / "a") as rec:
        first(1.0)
        thread.start()
        begun.wait(60)
        both(1.0)
    ended.set()
    thread.join()
    assert names(rec) == [("first", 1), ("both", 1)]
    assert found == [[("both", 1), ("second", 1)]]
    from jax._src import pjit

    assert pjit._pjit_call_impl_python.__name__ == "_pjit_call_impl_python"
    assert not hasattr(pjit._pjit_call_impl_python, "__wrapped__")


def test_an_error_while_tracing_is_in_both(tmp_path: Path) -> None:
    wrong = jax.jit(lambda x: jnp.dot(x, x[1:]))
    with record(tmp_path / "outer") as outer, record(tmp_path / "inner") as inner:
        with pytest.raises(TypeError):
            wrong(np.ones(3))
        with pytest.raises(TypeError):
            wrong(np.ones(3))
    for rec in (outer, inner):
        (entry,) = own(rec)
        assert (entry.status, entry.calls) == ("trace-error", 2)


def test_compiled_in_an_outer_recording_called_in_an_inner_one(tmp_path: Path) -> None:
    with record(tmp_path / "outer") as outer:
        compiled = jitted("ahead", 2.0).lower(jax.ShapeDtypeStruct((2,), np.float32)).compile()
        with record(tmp_path / "inner") as inner:
            compiled(np.ones(2, np.float32))
    assert names(outer) == names(inner) == [("ahead", 1)]


def test_a_program_that_records_itself_under_the_command(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        import jax, jace_repro

        @jax.jit
        def step(x):
            return x + 1

        step(1.0)
        with jace_repro.record(sys.argv[1]) as rec:
            step(2.0)
        print([e.entry.name for e in rec.entries])
        """)
    )
    target = Target("path", str(program), (str(tmp_path / "inner"),))
    recording = record_program(target, tmp_path / "outer")
    assert recording.exit_code == 0
    assert names(recording) == [("step", 2)]
    assert names(load(tmp_path / "inner")) == [("step", 1)]
    values = [load_repro(r.path(r.entries[0])).load_inputs() for r in (recording, load(tmp_path / "inner"))]
    assert values == [[1.0], [2.0]]


# ------------------------------------------------------------------------------------- where it runs


def test_a_cell_of_a_notebook(tmp_path: Path) -> None:
    """Its source is in no file: the cell's name and line are what there is."""
    cell = "import jax\n@jax.jit\ndef in_a_cell(x):\n    return x - 1\nin_a_cell(3.0)\n"
    name = "<ipython-input-3-0123456789ab>"
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    with record(tmp_path) as rec:
        exec(compile(cell, name, "exec"), {"__name__": "__main__"})
    (entry,) = own(rec)
    assert (entry.entry.name, entry.status) == ("in_a_cell", "completed")
    assert entry.entry.source == f"{name}:2"
    assert entry.entry.call_site.startswith(f"{name}:5")


def test_a_recording_over_several_cells(tmp_path: Path) -> None:
    context = record(tmp_path)
    rec = context.__enter__()
    jitted("first_cell", 2.0)(1.0)
    assert names(rec) == [("first_cell", 1)]  # readable at any time
    jitted("second_cell", 3.0)(1.0)
    context.__exit__(None, None, None)
    jitted("third_cell", 4.0)(1.0)
    assert names(rec) == [("first_cell", 1), ("second_cell", 1)]


def test_a_generator_that_is_left_half_way(tmp_path: Path) -> None:
    def values() -> Iterator[float]:
        with record(tmp_path / "generator"):
            for n in range(10):
                yield float(jitted("in_a_generator", n + 2.0)(1.0))

    generator = values()
    with record(tmp_path / "outer") as outer:
        assert [next(generator), next(generator)] == [2.0, 3.0]
    jitted("outside", 20.0)(1.0)  # the generator's recording is open still
    generator.close()
    jitted("afterwards", 21.0)(1.0)
    assert names(outer) == [("in_a_generator", 1)] * 2
    assert names(load(tmp_path / "generator")) == [("in_a_generator", 1)] * 2 + [("outside", 1)]


def test_many_threads(tmp_path: Path) -> None:
    """Every call is counted, every distinct function is one entry, and the journal's lines are whole."""
    shared = jitted("shared", 2.0)

    def work(n: int) -> float:
        own_function = jitted(f"own_{n}", n + 3.0)
        return float(sum(shared(float(i)) for i in range(20)) + own_function(1.0))

    with record(tmp_path) as rec, ThreadPoolExecutor(8, thread_name_prefix="pool") as pool:
        assert len(list(pool.map(work, range(16)))) == 16
    counts = dict(names(rec))
    assert counts == {"shared": 16 * 20, **{f"own_{n}": 1 for n in range(16)}}
    assert len({e.id for e in rec.entries}) == len(rec.entries)
    assert {e.status for e in own(rec)} == {"completed"}
    assert {e.entry.thread.rpartition("_")[0] for e in own(rec)} == {"pool"}


def test_asyncio(tmp_path: Path) -> None:
    async def one(n: int) -> float:
        await asyncio.sleep(0)
        return float(jitted(f"task_{n}", n + 2.0)(1.0)) + await asyncio.to_thread(
            lambda: float(jitted(f"thread_{n}", n + 12.0)(1.0))
        )

    async def main() -> list[float]:
        return list(await asyncio.gather(*(one(n) for n in range(3))))

    with record(tmp_path) as rec:
        assert asyncio.run(main()) == [14.0, 16.0, 18.0]
    assert sorted(e.entry.name for e in own(rec)) == sorted(
        f"{k}_{n}" for k in ("task", "thread") for n in range(3)
    )
    assert {e.status for e in own(rec)} == {"completed"}


# -------------------------------------------------------------------------------------------- tests


TESTS = """
import jax, numpy as np, pytest

@jax.jit
def shared(x):
    return x + 1

@pytest.fixture
def prepared():
    return jax.jit(lambda x: x * 7)(2.0)

@pytest.mark.parametrize("n", [3, 4])
def test_shared(n):
    assert shared(np.ones(2, np.float32)).sum() == n

def test_own(prepared):
    jax.jit(lambda x: x - 5)(prepared)

def test_again():
    shared(np.ones(2, np.float32))
"""


@pytest.mark.parametrize(
    "options", [(), pytest.param(("-n", "2", "--dist", "loadfile"), marks=pytest.mark.ci, id="xdist")]
)
def test_entries_say_which_tests_called_them(
    tmp_path: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    argv = ("-q", "-p", "no:cacheprovider", *options, "test_it.py")
    recording = record_program(Target("pytest", "", argv), tmp_path / "out")
    assert recording.exit_code == 1
    assert [(e.entry.name, e.calls, e.tests) for e in own(recording)] == [
        ("shared", 3, ("test_it.py::test_shared[3]", "test_it.py::test_shared[4]", "test_it.py::test_again")),
        ("<lambda>", 1, ("test_it.py::test_own",)),
        ("<lambda>", 1, ("test_it.py::test_own",)),
    ]
    assert all(bool(e.process) == bool(options) for e in own(recording))


def test_the_report_names_the_test(jace_repro, program) -> None:
    program(TESTS, "test_it.py")
    ran = jace_repro("record", "-o", "out", "--no-self-check", "--pytest", "-q", "test_it.py")
    (shared,) = [e for e in ran.report["entries"] if e["name"] == "shared"]
    assert shared["tests"] == [f"test_it.py::test_{name}" for name in ("shared[3]", "shared[4]", "again")]
    assert "in test_it.py::test_shared[3] and 2 more" in ran.out


def test_outside_of_a_test_none_is_named(tmp_path: Path) -> None:
    script = f"""
import jax
from jace_repro import record
with record({str(tmp_path)!r}) as rec:
    jax.jit(lambda x: x + 1)(1.0)
print([e.tests for e in rec.entries])
"""
    import os

    env = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == "[()]\n"


def test_what_was_warm_before_is_seen_after_a_nested_recording_too(tmp_path: Path) -> None:
    warm = jitted("warm", 2.0)
    x = np.ones(2, np.float32)
    with record(tmp_path / "first"):  # from the first recording on, JAX's caches know of recordings
        pass
    for _ in range(3):
        warm(x)
    with record(tmp_path / "outer") as outer:
        with record(tmp_path / "inner"):
            pass
        warm(x)
        warm(x)
    assert names(outer) == [("warm", 2)]
