"""The tracker inside this process: what is an entry, what is kept of it, and that it disturbs nothing."""

from __future__ import annotations

import functools
import json
import operator
import threading
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import checkify

import jace
from jace_repro.repro import digest_outputs
from jace_repro.repro import load as load_repro
from jace_repro.repro.selection import Selection
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker import hooks
from jace_repro.tracker.api import LiveRecording, record
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import RecordedEntry, load


def own(rec: LiveRecording) -> list[RecordedEntry]:
    """The entries that are not JAX's own eager operations."""
    return [e for e in rec.entries if not e.entry.eager]


def test_a_jitted_call_is_one_completed_entry_with_its_inputs(tmp_path: Path) -> None:
    @jax.jit
    def scale(x, factor):
        return {"y": x * factor}

    x = np.arange(3, dtype=np.float32)
    with record(tmp_path) as rec:
        outs = [scale(x, 2.5) for _ in range(5)]
        scale(x + 1, 2.5)
    (entry,) = own(rec)
    assert (entry.entry.name, entry.status, entry.calls) == ("scale", "completed", 6)
    assert entry.entry.equations == sum(entry.entry.primitives.values())
    assert entry.entry.primitives["mul"] == 1
    assert "test_api.py:" in entry.entry.source
    assert "test_api.py:" in entry.entry.call_site
    assert entry.outputs_sha256 == digest_outputs([outs[0]["y"]])
    repro = load_repro(rec.recording.path(entry))
    inputs = repro.load_inputs()
    np.testing.assert_array_equal(inputs[0], x)
    assert type(inputs[1]) is float
    assert repro.header.fingerprint == entry.entry.fingerprint
    assert repro.header.outputs_sha256 == entry.outputs_sha256


def test_a_warm_function_is_seen_in_every_recording_and_fast_again_afterwards(tmp_path: Path) -> None:
    traced = []

    @jax.jit
    def warm(x):
        traced.append(1)
        return x + 1

    x = jnp.ones(2)
    warm(x)
    for index in range(2):
        with record(tmp_path / str(index)) as rec:
            warm(x)
            warm(x)
        assert [(e.entry.name, e.calls) for e in own(rec)] == [("warm", 2)]
    before = len(traced)
    warm(x)
    assert len(traced) == before == 3


def test_eager_operations_are_flagged_and_deduplicated(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        for _ in range(4):
            jnp.sin(jnp.ones(3))
        jnp.linalg.solve(jnp.eye(2), jnp.ones(2))
    assert own(rec) == []
    assert [e.calls for e in rec.entries if e.entry.name == "sin"] == [4]


def checked(x):
    checkify.check(x[0] < 9, "big")
    return jnp.sin(x)


JITTED_FUNCTIONS_OF_JAX = {
    "checked_fun": lambda x: jax.jit(checkify.checkify(checked))(x),
    "relu": lambda x: jax.jit(jax.vmap(jax.grad(jax.nn.relu)))(x),
    "dot": lambda x: jax.jit(jax.vmap(jnp.dot))(x, x),
    "sum": lambda x: jax.jit(jnp.sum)(x),
    "matmul": lambda x: jax.jit(jnp.matmul)(x, x),
    "sin": lambda x: jax.jit(jax.lax.sin)(x),
    "cos": lambda x: jax.tree.map(jax.jit(jnp.cos), [x]),
    "cumsum": lambda x: jax.jit(jnp.cumsum).lower(x).compile()(x),
}


@pytest.mark.parametrize("name", JITTED_FUNCTIONS_OF_JAX)
def test_functions_of_jax_that_the_program_jitted_are_its_own(name: str, tmp_path: Path) -> None:
    x = jnp.arange(3.0)
    with record(tmp_path) as rec:
        JITTED_FUNCTIONS_OF_JAX[name](x)
    assert [e.entry.name for e in own(rec)] == [name]


def test_what_jax_jitted_is_eager_however_it_is_called(tmp_path: Path) -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    with record(tmp_path) as rec:
        jax.nn.softmax(jnp.dot(x, x.T)), jnp.add.reduce(x), jnp.where(x > 0, x, 1), x.at[0].set(3)
        jax.tree.map(jnp.matmul, [x], [x.T]), list(map(jnp.dot, x, x))
        -x, abs(x), ~(x > 0), x % 2, x @ x.T, x**2, divmod(x, 2), operator.neg(x[0]), 2 // x
        jax.vmap(jnp.dot)(x, x), jax.grad(lambda y: jnp.sum(y**2))(x)
        jax.random.permutation(jax.random.key(3), 5), jax.scipy.linalg.cho_factor(jnp.eye(2))
    assert own(rec) == []
    assert len(rec.entries) > 15


def test_control_flow_called_directly_is_the_users(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        jax.lax.scan(lambda c, x: (c + x, c * x), 0.0, jnp.arange(3.0))
        jax.lax.while_loop(lambda c: c < 5, lambda c: c * 2, 1)
        jax.lax.cond(True, lambda x: x + 1, lambda x: x - 1, jnp.ones(2))
        jax.lax.fori_loop(0, 3, lambda i, c: c + i, 0)
    assert [e.entry.name for e in own(rec)] == ["scan", "while", "cond", "scan"]


def test_jit_under_eager_grad_and_vmap_runs_what_those_make_of_it(tmp_path: Path) -> None:
    @jax.jit
    def f(x):
        return jnp.sum(jnp.sin(x) * x)

    x = jnp.arange(4.0)
    with record(tmp_path) as rec:
        gradient = jax.grad(f)(x)
        values = jax.vmap(f)(jnp.stack([x, x]))
    entries = own(rec)
    assert len(entries) == 3  # forward with residuals, backward, batched
    np.testing.assert_allclose(gradient, np.sin(x) + x * np.cos(x), rtol=1e-6)
    batched = load_repro(rec.recording.path(entries[-1])).load_inputs()
    assert batched[0].shape == (2, 4)
    assert entries[-1].outputs_sha256 == digest_outputs([values])


def test_donated_static_keyword_key_and_closed_over_arguments(tmp_path: Path) -> None:
    table = jnp.linspace(0.0, 1.0, 5)

    @functools.partial(jax.jit, static_argnames="n", donate_argnums=0, keep_unused=True)
    def step(x, key, *, n, unused, tree):
        return x * n + jax.random.normal(key, x.shape) + table + tree["a"][0]

    x = jnp.arange(5.0)
    with record(tmp_path) as rec:
        y = step(x, jax.random.key(3), n=2, unused=np.int8(1), tree={"a": (1.5,)})
        assert x.is_deleted()
    (entry,) = own(rec)
    path = rec.recording.path(entry)
    inputs = load_repro(path).load_inputs()
    np.testing.assert_array_equal(inputs[0], np.arange(5.0))
    assert jax.dtypes.issubdtype(inputs[1].dtype, jax.dtypes.prng_key)
    assert [str(np.asarray(i).dtype) for i in inputs[2:]] == [
        "float64",
        "int8",
    ]  # tree before unused; a float
    assert [c.status for c in self_check_many([path])] == ["exact"]
    assert entry.outputs_sha256 == digest_outputs([y])


def test_worker_threads_are_recorded(tmp_path: Path) -> None:
    def work() -> None:
        jax.jit(lambda x: jnp.cos(x) * 3)(jnp.ones(3)).block_until_ready()

    with record(tmp_path) as rec:
        thread = threading.Thread(target=work, name="worker-7")
        thread.start()
        thread.join()
    assert [e.entry.thread for e in own(rec)] == ["worker-7"]


def test_compiled_ahead_of_time(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        shape = jax.ShapeDtypeStruct((3,), np.float32)
        never = jax.jit(lambda x: x * 7).lower(shape).compile()
        called = jax.jit(lambda x, k: x + jax.random.uniform(k)).lower(shape, jax.random.key(0)).compile()
        out = called(np.ones(3, np.float32), jax.random.key(1))
        called(np.zeros(3, np.float32), jax.random.key(1))
    assert never(np.ones(3, np.float32))[0] == 7  # still works after the recording
    first, second = own(rec)
    assert (first.status, first.calls) == ("traced", 0)
    assert first.note is not None
    assert (second.status, second.calls, second.note) == ("completed", 2, None)
    np.testing.assert_array_equal(load_repro(rec.recording.path(second)).load_inputs()[0], np.ones(3))
    assert second.outputs_sha256 == digest_outputs([out])


def test_a_call_that_raises_while_running(tmp_path: Path) -> None:
    def explode(x):
        raise RuntimeError("boom")

    bad = jax.jit(lambda x: jax.pure_callback(explode, jax.ShapeDtypeStruct((), np.float32), x) * 2)
    with record(tmp_path) as rec, pytest.raises(Exception, match="boom"):
        jax.block_until_ready(bad(1.0))
    (entry,) = own(rec)
    assert entry.status == "raised"
    assert entry.repro is not None
    assert entry.error is not None


def test_what_the_tracker_cannot_write_does_not_disturb_the_program(tmp_path: Path) -> None:
    x = jnp.arange(3.0)
    exported = jax.export.export(jax.jit(jnp.sin))(x)
    with record(tmp_path) as rec:

        @jax.jit
        def loaded(x):
            return exported.call(x) + 1

        assert loaded(x).tolist() == (jnp.sin(x) + 1).tolist()
    (entry,) = own(rec)
    assert (entry.entry.name, entry.status, entry.repro) == ("loaded", "completed", None)
    assert entry.note is not None
    assert "call_exported" in entry.note
    assert rec.recording.tracker_errors


def test_mutable_references_are_inputs_and_what_is_written_comes_out(tmp_path: Path) -> None:
    """Given, closed over, only read, without any other argument; and compiled before it is called."""
    kept = jax.new_ref(jnp.zeros(3))

    @jax.jit
    def accumulate(ref, x, scale):
        ref[1:] += x[1:] * scale[...]
        return x + 1

    @jax.jit
    def counted():
        kept[1] += 1.0

    @jax.jit
    def ahead(ref):
        ref[...] = ref[...] * 2

    with record(tmp_path) as rec:
        ref = jax.new_ref(jnp.arange(3.0))
        accumulate(ref, jnp.ones(3), jax.new_ref(jnp.float32(3.0)))
        counted()
        counted()
        ahead.lower(ref).compile()
        assert ref[...].tolist() == [0.0, 4.0, 5.0]
        assert kept[...].tolist() == [0.0, 2.0, 0.0]
    found = {e.entry.name: e for e in own(rec) if not e.entry.eager}
    assert list(found) == ["accumulate", "counted", "ahead"]
    paths = [tmp_path / e.repro for e in found.values()]
    assert [check.status for check in self_check_many(paths, jobs=2)] == ["exact"] * 3
    repros = [load_repro(path) for path in paths]
    outs = [jax.jit(r.load_function())(*r.load_inputs()) for r in repros]
    assert [np.asarray(out).tolist() for out in outs[0]] == [[2.0, 2.0, 2.0], [0.0, 4.0, 5.0]]
    assert outs[1].tolist() == [0.0, 1.0, 0.0]  # the first call, on what it was then
    assert outs[2].tolist() == [0.0, 0.0, 0.0]  # not called: zeros
    assert "x_ref" not in repros[0].source


def test_a_loop_over_a_reference_that_is_called_eagerly(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        ref = jax.new_ref(jnp.zeros(4))

        @jax.jit
        def fill(ref, x):
            def body(i, carry):
                ref[i] = carry
                return carry + x

            return jax.lax.fori_loop(0, 4, body, x)

        fill(ref, 2.0)
        ref[0] = 7.0
        assert ref[...].tolist() == [7.0, 4.0, 6.0, 8.0]
    assert all(entry.repro is not None for entry in rec.entries)
    checks = self_check_many([tmp_path / entry.repro for entry in rec.entries], jobs=2)
    assert {check.status for check in checks} == {"exact"}


def test_the_programs_guards_are_the_programs(tmp_path: Path) -> None:
    f, x = jax.jit(lambda x, k: x + jax.random.normal(k, x.shape)), jnp.ones(3)
    key = jax.random.key(0)
    with record(tmp_path) as rec:
        with jax.transfer_guard("disallow"), jax.checking_leaks():
            f(x, key)
        with jax.disable_jit():
            f(x, key)
        with jax.enable_x64(True), jax.default_matmul_precision("highest"):
            jax.jit(lambda x: x @ x)(np.ones(3))
    assert not rec.recording.tracker_errors
    first, second = own(rec)
    config = load_repro(rec.recording.path(second)).header.jax_config
    assert config == {"jax_enable_x64": True, "jax_default_matmul_precision": "highest"}
    assert [c.status for c in self_check_many([rec.recording.path(e) for e in (first, second)])] == [
        "exact"
    ] * 2


def test_recordings_do_not_overwrite(tmp_path: Path) -> None:
    with record(tmp_path / "a"):
        pass
    with pytest.raises(FileExistsError, match="another directory"), record(tmp_path / "a"):
        pass
    with record() as rec:
        pass
    assert rec.entries == ()


def test_hooks_leave_jax_as_it_was(tmp_path: Path) -> None:
    from jax._src import pjit, stages, traceback_util
    from jax._src.interpreters import pxla

    owners = [(pjit, "_pjit_call_impl_python"), (pjit, "_get_fastpath_data"), (pjit, "_trace_for_jit")]
    owners += [(traceback_util, "filter_traceback"), (stages.Traced, "lower"), (pxla.MeshExecutable, "call")]
    before = [getattr(*o) for o in owners]
    with record(tmp_path):
        assert not set(before) & {getattr(*o) for o in owners}
    assert [getattr(*o) for o in owners] == before


def test_a_changed_jax_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hooks, "_NEEDED", (*hooks._NEEDED, ("jax._src.pjit", "_no_such_thing")))
    assert hooks.probe() == ["jax._src.pjit._no_such_thing"]
    with pytest.raises(hooks.HooksUnavailable, match="_no_such_thing"), record(tmp_path):
        pass


def test_a_failing_tracker_is_journaled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(closed: object) -> str:
        raise RuntimeError("no fingerprint today")

    monkeypatch.setattr("jace.ir.fingerprint", broken)
    with record(tmp_path) as rec:
        assert float(jax.jit(lambda x: x + 1)(1.0)) == 2.0
    assert rec.entries == ()
    assert any("no fingerprint today" in reason for reason in rec.recording.tracker_errors)


def test_a_journal_cut_anywhere_still_loads(tmp_path: Path) -> None:
    with record(tmp_path / "full"):
        jax.jit(lambda x: x * 3)(jnp.ones(2))
    lines = (tmp_path / "full" / JOURNAL).read_bytes()
    cut = tmp_path / "cut"
    cut.mkdir()
    statuses = set()
    for size in range(0, len(lines), 97):
        (cut / JOURNAL).write_bytes(lines[:size])
        statuses |= {e.status for e in load(cut).entries}
    assert statuses == {"tracing", "traced", "dispatched", "completed"}


def test_events_are_in_order(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        jax.jit(lambda x: x - 3)(1.0)
    events = [json.loads(line)["event"] for line in (rec.directory / JOURNAL).read_text().splitlines()]
    assert events == [
        "start",
        "tracing",
        "tracing-done",
        "traced",
        "repro",
        "calltree",
        "dispatched",
        "completed",
        "calls",
    ]


def test_what_is_left_out_is_named_and_not_written(tmp_path: Path) -> None:
    @jax.jit
    def wanted(x):
        return jnp.sin(x)

    @jax.jit
    def other(x):
        return jnp.cos(x)

    @jax.jit
    def broken(x):
        return jnp.reshape(x, (7,))

    x = np.ones(3, np.float32)
    ahead = other.lower(x).compile
    with record(tmp_path, max_inputs=2, selection=Selection(select=("wanted",), eager=False)) as rec:
        ahead()
        for n in range(3):
            wanted(x + np.float32(n))
            other(x + np.float32(n))
        with pytest.raises(TypeError):
            broken(x)
    found = {e.entry.name: e for e in rec.entries if not e.entry.eager}
    assert len(found["wanted"].repros) == 2
    assert [found["wanted"].calls, found["other"].calls, found["broken"].calls] == [3, 3, 1]
    assert [found[name].repros for name in ("other", "broken")] == [(), ()]
    assert found["other"].note == found["broken"].note == "left out: no repro was asked for"
    assert {path.stem.partition("_")[2][:6] for path in (tmp_path / "entries").glob("*.py")} == {"wanted"}


def test_a_recording_of_this_process_leaves_jace_as_it_is(tmp_path: Path) -> None:
    with record(tmp_path) as rec:
        fun = jace.jit(lambda x: x * 3 + 1)
        out = fun(np.float32(2))
    assert "jace_call" in str(jax.make_jaxpr(fun)(np.float32(2)))
    (entry,) = [e for e in rec.recording.entries if not e.entry.eager]
    assert float(out) == 7
    assert [c.status for c in self_check_many([rec.recording.path(entry)])] == ["exact"]
    assert rec.recording.asked[0][:2] == ("pipeline", "fused")
