"""Programs recorded in a child process: what ``python PROG.py`` promises holds, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from interrupts import as_from_a_terminal

from jace_repro.repro import parse_header
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker.api import record_program
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import Recording, Target


def write(path: Path, text: str) -> Path:
    """A program on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path


def statuses(recording: Recording) -> dict[str, str]:
    """Status by name of the entries that are the program's own."""
    return {e.entry.name: e.status for e in recording.entries if not e.entry.eager}


PROGRAM = """
    import atexit, os, sys, threading
    print("jax" in sys.modules, "numpy" in sys.modules)
    os.environ["JAX_ENABLE_X64"] = "1"
    import jax, jax.numpy as jnp
    import helper_beside_it

    print(type(jax.__spec__.loader), vars(jax.__spec__.loader), jax.__loader__ is jax.__spec__.loader)
    print(sys.argv, sys.path[0] == os.path.dirname(os.path.realpath(__file__)), os.getcwd())
    print(__name__, __file__, sys.modules["__main__"].__dict__ is globals(), __spec__, helper_beside_it.NAME)
    print(sorted(k for k in globals() if k.startswith("__")))

    @jax.jit
    def main_step(x):
        return x * 2 + jnp.sum(x)

    def late():
        import time
        time.sleep(0.2)
        print(jax.jit(lambda x: jnp.sin(x) / 3, donate_argnums=0)(jnp.ones(2)))

    print(main_step(jnp.arange(3.0)).tobytes().hex())
    threading.Thread(target=late).start()
    atexit.register(lambda: print("last", main_step(1.0)))
    if len(sys.argv) > 2:
        sys.exit(7)
"""


@pytest.mark.cold
def test_a_program_cannot_tell(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = write(tmp_path / "where it is" / "program.py", PROGRAM)
    write(program.with_name("helper_beside_it.py"), "NAME = __name__")
    monkeypatch.chdir(tmp_path)
    shown = os.path.relpath(program)
    plain = subprocess.run([sys.executable, shown, "a b", "--c"], capture_output=True, text=True)
    recording = record_program(Target("path", shown, ("a b", "--c")), tmp_path / "out")
    assert (plain.returncode, recording.exit_code, recording.error) == (7, 7, None)
    seen = capfd.readouterr()
    assert (seen.out, seen.err) == (plain.stdout, plain.stderr)
    assert statuses(recording) == {"main_step": "completed", "<lambda>": "completed"}
    calls = {(e.entry.name, e.calls) for e in recording.entries if not e.entry.eager}
    assert ("main_step", 1) in calls
    assert all(recording.path(e).exists() for e in recording.entries)
    assert recording.entry("main_step").entry.source.endswith("program.py:13")
    assert not recording.tracker_errors
    header, _ = parse_header(recording.path(recording.entry("main_step")).read_text())
    assert header.jax_config == {"jax_enable_x64": True}


def test_an_error_leaves_its_traceback_and_its_entry(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = write(
        tmp_path / "program.py",
        """
        import jax, jax.numpy as jnp

        @jax.jit
        def fine(x):
            return x + 1

        @jax.jit
        def wrong(x):
            return fine(x) @ jnp.ones((2, 5))

        fine(jnp.ones(3))
        wrong(jnp.ones(3))
        """,
    )
    plain = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    recording = record_program(Target("path", str(program)), tmp_path / "out")
    assert recording.exit_code == plain.returncode == 1
    assert capfd.readouterr().err == plain.stderr
    assert statuses(recording) == {"fine": "completed", "wrong": "trace-error"}
    wrong = recording.entry("wrong")
    assert recording.error == wrong.error
    assert "dot_general" in (wrong.error or "")
    script = subprocess.run(
        [sys.executable, str(recording.path(wrong))], capture_output=True, text=True, cwd=tmp_path
    )
    assert script.returncode == 1
    assert (wrong.error or "?") in script.stderr


def test_modules(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path / "package" / "__main__.py",
        """
        import sys
        import jax
        from . import other
        print(__name__, __package__, __spec__.name, sys.argv[1:], sys.argv[0] == __file__, sys.path[0])
        print(jax.jit(other.double)(3))
        """,
    )
    write(tmp_path / "package" / "other.py", "def double(x):\n    return x * 2\n")
    write(tmp_path / "package" / "__init__.py", "")
    monkeypatch.chdir(tmp_path)
    plain = subprocess.run([sys.executable, "-m", "package", "-x"], capture_output=True, text=True)
    recording = record_program(Target("module", "package", ("-x",)), tmp_path / "out")
    assert (recording.exit_code, plain.returncode) == (0, 0), plain.stderr
    assert capfd.readouterr().out == plain.stdout
    assert recording.entry("double").entry.source == "package/other.py:1"


@pytest.mark.parametrize("safe", [False, True])
def test_modules_where_one_is_stand_in_nobodys_way(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, safe: bool
) -> None:
    """The program finds those of its own folder; neither it nor the tracker those of the working directory."""
    text = "import jax, beside\nprint(jax.jit(beside.fun)(1.0))\n"
    program = write(tmp_path / "there" / "program.py", text)
    write(program.with_name("beside.py"), "def fun(x):\n    return x * 2\n")
    for name in ("nt", "json", "faulthandler", "gzip", "numpy"):
        write(tmp_path / f"{name}.py", "raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    if safe:
        monkeypatch.setenv("PYTHONSAFEPATH", "1")
    plain = subprocess.run([sys.executable, "there/program.py"], capture_output=True, text=True)
    recording = record_program(Target("path", "there/program.py"), tmp_path / "out")
    assert (recording.exit_code, plain.returncode) == (int(safe), int(safe)), plain.stderr
    assert capfd.readouterr().out == plain.stdout
    assert statuses(recording) == ({} if safe else {"fun": "completed"})


def test_a_killed_program_has_lost_nothing(tmp_path: Path) -> None:
    program = write(
        tmp_path / "program.py",
        """
        import os, signal, jax, numpy as np
        done = jax.jit(lambda x: x + 1)(1.0)

        @jax.jit
        def deadly(x):
            die = lambda v: os.kill(os.getpid(), signal.SIGKILL)
            return jax.pure_callback(die, jax.ShapeDtypeStruct((), np.float32), x) * 2

        deadly(2.0).block_until_ready()
        """,
    )
    recording = record_program(Target("path", str(program)), tmp_path / "out")
    assert recording.exit_code == -signal.SIGKILL
    assert recording.error == "killed by SIGKILL"
    assert statuses(recording) == {"<lambda>": "completed", "deadly": "dispatched"}
    assert recording.path(recording.entry("deadly")).exists()


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    program = write(
        tmp_path / "program.py",
        """
        import time, jax

        @jax.jit
        def slow_to_trace(x):
            time.sleep(60)
            return x

        jax.jit(lambda x: x + 1)(1.0)
        slow_to_trace(1.0)
        """,
    )
    start = time.monotonic()
    recording = record_program(Target("path", str(program)), tmp_path / "out", timeout=8)
    assert time.monotonic() - start < 50
    assert recording.error == "timeout: killed after 8 s"
    assert statuses(recording) == {"<lambda>": "completed", "slow_to_trace": "tracing"}
    # it died in Python code that JAX was tracing: the journal's last line says in which
    assert '"slow_to_trace"' in (tmp_path / "out" / JOURNAL).read_text().splitlines()[-1]


def test_interrupted(tmp_path: Path) -> None:
    program = write(
        tmp_path / "program.py",
        f"""
        import time, jax
        jax.jit(lambda x: x + 1)(1.0)
        open({str(tmp_path / "ready")!r}, "w").close()
        time.sleep(60)
        """,
    )
    runner = write(
        tmp_path / "runner.py",
        f"""
        import sys
        sys.path[:0] = {[p for p in sys.path if p]!r}
        from pathlib import Path
        from jace_repro.tracker.recording import Target
        from jace_repro.tracker.api import record_program
        r = record_program(Target("path", {str(program)!r}), Path({str(tmp_path / "out")!r}))
        print(r.exit_code, r.error, [e.status for e in r.entries])
        """,
    )
    parent = subprocess.Popen(
        [sys.executable, str(runner)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_from_a_terminal,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "ready").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    threading.Timer(0.1, os.killpg, (parent.pid, signal.SIGINT)).start()  # as a terminal does
    out, err = parent.communicate(timeout=60)
    assert out.split(" ", 1) == [str(-signal.SIGINT), "interrupted (ctrl-C) ['completed']\n"], err
    assert "KeyboardInterrupt" in err


def test_a_program_without_jax(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = write(tmp_path / "program.py", "import sys\nassert 'jax' not in sys.modules\n{}['x']\n")
    recording = record_program(Target("path", str(program)), tmp_path / "out")
    assert (recording.exit_code, recording.entries, recording.error) == (1, (), "KeyError: 'x'")
    assert capfd.readouterr().err.count("File ") == 1


def test_a_program_that_is_not_there(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recording = record_program(Target("path", str(tmp_path / "nowhere.py")), tmp_path / "out")
    assert (recording.exit_code, recording.entries) == (2, ())
    assert "can't open file" in capfd.readouterr().err


def test_max_disk(tmp_path: Path) -> None:
    """What would exceed the limit has an entry without a repro, with the reason; smaller ones still have theirs."""
    program = write(
        tmp_path / "prog.py",
        """
        import jax, jax.numpy as jnp, numpy as np
        big, small = jax.jit(lambda x: jnp.cos(x)), jax.jit(lambda x: jnp.sin(x))
        big(np.random.default_rng(0).random(300_000, np.float32))
        small(np.ones(3, np.float32))
        small(np.random.default_rng(0).random(200_000, np.float32))
        small(np.random.default_rng(0).random(100_000, np.float32))
        """,
    )
    recording = record_program(Target("path", str(program)), tmp_path / "out", max_disk=1 << 20)
    entries = [e for e in recording.entries if not e.entry.eager]
    assert [e.status for e in entries] == ["completed"] * 4
    assert [e.repro is not None for e in entries] == [False, True, True, False]
    assert "--max-disk is 1048576: 1200000 more would exceed it" in (entries[0].note or "")
    (problem,) = recording.tracker_errors
    assert "--max-disk" in problem
    written = sum(p.stat().st_size for p in (tmp_path / "out" / "entries").iterdir())
    assert 100_000 < written <= 1 << 20


OF_JACE = """
    import jace
    from jace import ir

    @jace.jit(pipeline="canonical", static_argnames="n")
    def step(x, n):
        return jnp.sin(inner(x)) * n

    @jace.jit
    def inner(x):
        return x @ x.T

    import jax
    import jax.numpy as jnp
    import numpy as np

    @jace.register_rule("sin", override=True)
    def sine(params, ins, out, x):
        return f"jace::sin_({x})"

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    print(step(x, n=2), jax.grad(lambda x: step(x, n=3).sum())(x), ir.__name__)
    print(step.lower(x, n=2).compile()(x))  # by DaCe
"""


@pytest.mark.cold
def test_a_program_of_jace_functions_is_recorded_as_one_of_jax(tmp_path: Path) -> None:
    program = write(tmp_path / "program.py", OF_JACE)
    recording = record_program(Target("path", str(program)), tmp_path / "out")
    assert (recording.exit_code, recording.error) == (0, None)
    assert [(what, name, place.rpartition(":")[2]) for what, name, place in recording.asked] == [
        ("pipeline", "canonical", "5 (<module>)"),
        ("pipeline", "fused", "9 (<module>)"),
        ("rule", "sin", "17 (<module>)"),
    ]
    own = [e for e in recording.entries if not e.entry.eager]
    assert "step" in {e.entry.name for e in own}
    checked = self_check_many([recording.path(e) for e in own])
    assert [c.status for c in checked] == ["exact"] * len(own)
    assert not any("import jace" in recording.path(e).read_text() for e in own)
