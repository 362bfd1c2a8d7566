"""The self-check: what is exact, what differs, what fails, in processes of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import Header, Repro, digest_outputs, load, save_jaxpr, trace_repro
from jace_repro.selfcheck import note_self_check, self_check, self_check_many
from jace_repro.selfcheck.driver import examine
from jace_repro.tracker.api import record

X = np.linspace(0, 1, 40, dtype=np.float32)


def recorded(**fields: object) -> Repro:
    """What the tracker makes of `sin(x) * 2`, fingerprint and outputs included."""
    fun = lambda x: (jnp.sin(x) * 2, jax.random.key(3))
    args = [np.linspace(0, 1, 40, dtype=np.float32)]
    closed = jax.make_jaxpr(fun)(*args)
    digest = digest_outputs(jax.tree.leaves(jax.jit(fun)(*args)))
    header = Header(name="sin", fingerprint=ir.fingerprint(closed), outputs_sha256=digest)
    repro = emit_flat(closed, args, header=header)
    return replace(repro, header=replace(repro.header, **fields))


def edited(old: str, new: str, **fields: object) -> Repro:
    repro = recorded(**fields)
    assert old in repro.source
    return replace(repro, source=repro.source.replace(old, new))


CASES: dict[str, tuple[Repro, str, str]] = {
    "exact": (recorded(), "exact", ""),
    "no digest": (recorded(outputs_sha256=None), "exact", ""),
    "other program": (edited("lax.sin(", "lax.cos("), "jaxpr-differs", "cos"),
    "other bits": (recorded(outputs_sha256="00" * 32), "failed", "outputs differ"),
    "raises": (edited("lax.sin(a)", "lax.sin(a, 3, 4)"), "failed", "TypeError"),
    "crash": (edited("def repro(a):", "def repro(a):\n    import os; os.abort()"), "failed", "SIGABRT"),
    "hang": (edited("def repro(a):", "def repro(a):\n    while True: pass"), "failed", "timeout"),
    "exit": (edited("def repro(a):", "def repro(a):\n    raise SystemExit(3)"), "failed", "SystemExit"),
    "imports us": (edited("import jax\n", "import jax\nimport jace_repro\n"), "failed", "imports jace_repro"),
    "callback": (recorded(notes=("unknown: the Python callback",)), "failed", "unknown: the Python"),
    "does not raise": (recorded(expected_error="TypeError"), "failed", "raised nothing"),
    "raises elsewhere": (
        edited("lax.sin(a)", "lax.sin(a, 3, 4)", expected_error="TypeError"),
        "failed",
        "not at the call",
    ),
    "raises as it should": (
        edited("lax.sin(a)", "lax.sin(a, 3, 4)  # raises TypeError", expected_error="TypeError"),
        "exact",
        "",
    ),
}


def test_every_outcome(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name.replace(' ', '_')}.py" for name in CASES]
    for (repro, _, _), path in zip(CASES.values(), paths, strict=True):
        repro.save(path)
    expected = {paths[2]: ir.canonical_text(jax.make_jaxpr(jnp.sin)(1.0))}
    endless = paths.pop(list(CASES).index("hang"))
    checks = self_check_many(paths, jobs=2, expected=expected)
    checks.insert(list(CASES).index("hang"), self_check(endless, timeout=3.0))
    for name, check in zip(CASES, checks, strict=True):
        _, status, detail = CASES[name]
        assert check.status == status, (name, check)
        assert detail in check.detail, (name, check)
    assert "= sin[accuracy=None]" in checks[2].detail


def test_files_that_are_no_repros(tmp_path: Path) -> None:
    (tmp_path / "text.py").write_text("print(1)\n")
    assert self_check(tmp_path / "text.py").status == "failed"
    assert "No such file" in self_check(tmp_path / "missing.py").detail


def test_what_differs_is_known_from_the_recording(tmp_path: Path) -> None:
    """The canonical text lies beside the script; a long difference is cut."""
    path = tmp_path / "other.py"
    CASES["other program"][0].save(path)
    assert "cos" not in self_check(path).detail
    save_jaxpr(path, jax.make_jaxpr(lambda x: (jnp.sin(x) * 2, jax.random.key(3)))(X))
    found = self_check(path)
    assert found.status == "jaxpr-differs"
    changed = [line for line in found.detail.splitlines() if line[0] in "+-"]
    assert changed[:2] == ["--- recorded", "+++ script"]
    assert [line.split(" = ")[1][:4] for line in changed[2:]] == ["sin[", "cos["]

    def long(x: Array) -> Array:
        for _ in range(100):
            x = jnp.tanh(x)
        return x

    save_jaxpr(path, jax.make_jaxpr(long)(X))
    lines = self_check(path).detail.splitlines()
    assert len(lines) == 61
    assert lines[-1].endswith("more lines")


def test_the_recording_keeps_what_a_difference_needs(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        jax.jit(lambda x: jnp.sin(x) * 2)(X)
    path = rec.recording.path(rec.entries[-1])
    assert self_check(path).status == "exact"
    path.write_text(path.read_text().replace("lax.sin(", "lax.cos("))
    assert "-  v1:f32[40] = sin[" in self_check(path).detail


@pytest.mark.parametrize("eager", [False, True])
def test_a_script_that_raises_for_a_nan_is_the_program_that_did(tmp_path: Path, eager: bool) -> None:
    """`jax_debug_nans` changes what is raised, and nothing that is traced or computed."""
    program = (lambda x: jnp.log(x)) if eager else jax.jit(lambda x: jnp.log(x - 3).sum())
    with jax.debug_nans(True), record(tmp_path) as rec, pytest.raises(FloatingPointError):
        program(-X)
    path = rec.recording.path(rec.entries[-1])
    assert load(path).header.jax_config["jax_debug_nans"]
    assert self_check(path).status == "exact"


def test_a_script_says_what_its_self_check_found(tmp_path: Path) -> None:
    path = tmp_path / "repro.py"
    saved = recorded().save(path)
    note_self_check(path, self_check(path))
    again = load(path)
    assert again.header == replace(saved.header, self_check="exact")
    assert again.arrays.keys() == saved.arrays.keys()
    assert self_check(path).status == "exact"
    closed, args = trace_repro(again)
    assert emit_flat(closed, args, header=again.header).header.self_check is None


def test_the_difference_to_another_script_of_the_program_is_told(tmp_path: Path) -> None:
    """A call tree whose flat form is not the recorded jaxpr: a library's primitive is expanded in both."""
    flat = recorded().save(tmp_path / "flat.py").path
    tree = edited("lax.sin(", "lax.cos(").save(tmp_path / "tree.py").path
    assert flat is not None
    assert tree is not None
    alone, told = (self_check_many([tree], alike=alike)[0] for alike in (None, {tree: flat}))
    assert (alone.status, told.status) == ("jaxpr-differs", "jaxpr-differs")
    assert "fingerprint" in alone.detail
    assert "\n-" in told.detail
    assert "= sin[" in told.detail
    assert "= cos[" in told.detail


def test_a_program_that_two_scripts_have_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flat form and the call tree of a function, say; not one on other values, nor one that calls Python."""
    asked: list[object] = []
    jit = jax.jit
    monkeypatch.setattr(jax, "jit", lambda fun, *rest, **named: asked.append(fun) or jit(fun, *rest, **named))
    said = {"fingerprint": None, "eager": False, "without_dead_code": False}
    begin = "import jax, numpy as np\nfrom jax import lax, numpy as jnp\n"
    flat = f"{begin}inputs = lambda: [np.ones(3, np.float32)]\nrepro = lambda a: lax.sin(a)\n"
    tree = (
        f"{begin}inputs = lambda: [np.ones(3, np.float32)]\ndef repro(x):\n    y = lax.sin(x)\n    return y\n"
    )
    other = flat.replace("np.ones(", "np.zeros(")
    python = flat.replace("lax.sin(a)", "jax.pure_callback(np.sin, a, a)")
    ran: dict[str, str] = {}

    def runs(name: str, source: str) -> tuple[int, str]:
        script, before = tmp_path / name, len(asked)
        script.write_text(source)
        found = examine(str(script), str(SOURCE_ROOT), said, ran)
        return len(asked) - before, found["outputs_sha256"]

    first, digest = runs("flat.py", flat)
    assert first == 1
    assert runs("tree.py", tree) == (0, digest)
    again, zeros = runs("other.py", other)
    assert (again, zeros != digest) == (1, True)
    assert [runs(f"python{i}.py", python)[0] for i in range(2)] == [1, 1]
