"""`jace_repro.check` and `jace_repro.reduce`, for use inside Python."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace_repro
from jace_repro import api
from jace_repro.campaign.settings import DEFAULT_PIPELINES
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, load
from jace_repro.tester import Pool

X = np.array([-0.5, 2.0, 3.0, 1.0], np.float32)


@pytest.fixture(scope="module", autouse=True)
def no_workers_left():
    """Other tests count the processes of this one."""
    yield
    api.close()


def test_check_passes_a_right_function_and_takes_pytrees():
    verdicts = jace_repro.check(lambda x, d: jnp.cumsum(x["a"]) * d, {"a": np.ones(4, np.float32)}, d=0.1)
    assert [(v.pipeline, v.outcome) for v in verdicts] == [(p, "ok") for p in DEFAULT_PIPELINES]


def test_what_rounding_explains_passes_unless_the_user_is_stricter(monkeypatch):
    vague = jace_repro.Verdict("fused", "ill-conditioned", detail="a near tie")
    monkeypatch.setattr(Pool, "check", lambda *_, **__: [vague])
    assert jace_repro.check(jnp.floor, X) == [vague]
    with pytest.raises(AssertionError) as caught:
        jace_repro.check(jnp.floor, X, accept=["ok"])
    assert "ill-conditioned on fused: a near tie" in str(caught.value)
    assert "say accept=('ok', 'ill-conditioned')" in str(caught.value)


def test_check_raises_with_the_outcome_and_what_is_unsupported(tmp_path):
    rules = tmp_path / "without_eig.py"
    rules.write_text('import jace.rules\nfrom jace import registry\n\ndel registry._rules["eig"]\n')
    with pytest.raises(AssertionError, match=r"(?s)unsupported on fused.*eig"):
        jace_repro.check(jnp.linalg.eigvals, np.eye(3, dtype=np.float32), rules=rules, pipelines="fused")


def floored(x, scale):
    return jnp.sum(jnp.floor(x * scale))


def test_check_tells_all_and_leaves_a_repro_that_shows_it(wrong_floor, tmp_path):
    x = np.array([-1.0, 2.0, 3.0, 1.0], np.float32)
    with pytest.raises(AssertionError) as caught:
        jace_repro.check(floored, x, 0.5, pipelines="fused", rules=wrong_floor, out=tmp_path / "out")
    text = str(caught.value)
    for told in (
        "floored does not agree with its DaCe translation",
        "mismatch on fused",
        "guilty    floor at test_api.py:",
        "rule      " + str(wrong_floor),
        "to blame  user rule",
        "runs it under plain JAX",
        "out/floored.py   tests it again",
        "out/floored.py  makes it small",
    ):
        assert told in text
    assert caught.value.repro == tmp_path / "out" / "floored.py"
    repro = load(caught.value.repro)
    with Pool(rules=caught.value.repro.with_name(repro.header.rules.file)) as pool:
        (again,) = pool.check(repro, [repro.header.pipeline])
    assert (again.outcome, again.signature) == ("mismatch", repro.header.signature)


def test_check_tries_generated_inputs_when_asked(wrong_floor, tmp_path):
    x = np.arange(24, dtype=np.float32)
    (fine,) = jace_repro.check(floored, x, 1.0, pipelines="fused", rules=wrong_floor)
    assert fine.outcome == "ok"
    with pytest.raises(AssertionError, match="inputs    generated: special") as caught:
        jace_repro.check(floored, x, 1.0, pipelines="fused", rules=wrong_floor, out=tmp_path, inputs="all")
    assert caught.value.repro.name == "floored.special.py"
    with pytest.raises(AssertionError, match="mismatch on fused"):  # it carries these inputs
        jace_repro.check(load(caught.value.repro).load_function(), *load(caught.value.repro).load_inputs(),
                         pipelines="fused", rules=wrong_floor, out=tmp_path / "again")  # fmt: skip
    with pytest.raises(ValueError, match="inputs='some'"):
        jace_repro.check(floored, x, 1.0, inputs="some")


def test_check_starts_its_workers_once():
    api.close()
    jace_repro.check(floored, np.ones(3, np.float32), 1.0, pipelines="fused")
    jace_repro.check(floored, np.ones(4, np.float32), 1.0, pipelines="fused")
    ((_, pool),) = api._pools
    assert pool.spawned == 1
    api.close()
    assert not api._pools
    jace_repro.check(floored, np.ones(3, np.float32), 1.0, pipelines="fused")  # and starts them again


def test_check_accepts_what_it_is_told_to(wrong_floor):
    x = np.full(3, -1.0, np.float32)
    (verdict,) = jace_repro.check(
        floored, x, 0.5, pipelines="fused", rules=wrong_floor, accept=("ok", "mismatch")
    )
    assert verdict.outcome == "mismatch"


def test_a_failure_of_check_is_shown_at_the_line_of_the_test(wrong_floor, tmp_path):
    with pytest.raises(jace_repro.DisagreementError) as caught:
        jace_repro.check(jnp.floor, X, pipelines="fused", rules=str(wrong_floor), out=str(tmp_path / "out"))
    assert isinstance(caught.value.findings, jace_repro.Report)
    assert [type(v) for v in caught.value.verdicts] == [jace_repro.Verdict]
    assert caught.value.repro == tmp_path / "out" / "floor.py"
    assert [entry.name for entry in caught.traceback.filter(caught)] == [
        "test_a_failure_of_check_is_shown_at_the_line_of_the_test"
    ]


def test_reduce_makes_a_minimal_repro(wrong_floor, tmp_path):
    def fun(x):
        return jnp.cos(jnp.floor(jnp.abs(x) - 3.5)) * 2.0

    emit_flat(jax.make_jaxpr(fun)(X), (X,), header=Header(name="fun")).save(tmp_path / "fun.py")
    reduced = jace_repro.reduce(
        str(tmp_path / "fun.py"), pipelines="fused", rules=wrong_floor, out=tmp_path / "min.py", max_calls=20
    )
    assert reduced.equations == 1
    saved = jace_repro.load(tmp_path / "min.py")
    assert saved.header == reduced.repro.header
    assert (saved.header.pipeline, saved.header.outcome) == ("fused", "mismatch")
    # it has its rules with it; nowhere is named: nothing is written
    again = jace_repro.reduce(saved, max_calls=1)
    assert again.repro.header.signature == saved.header.signature
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fun.py", "min.py", saved.header.rules.file]


def test_reduce_takes_no_longer_than_it_may(wrong_floor, tmp_path, monkeypatch):
    def fun(x):
        return jnp.cos(jnp.floor(jnp.abs(x) - 3.5)) * 2.0

    repro = emit_flat(jax.make_jaxpr(fun)(X), (X,), header=Header(name="fun"))
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    way = {"pipelines": "fused", "rules": wrong_floor}
    early = jace_repro.reduce(repro, **way, seconds=1e-3)
    assert (early.stopped, early.refused) == ("seconds", None)
    late = jace_repro.reduce(repro, **way, seconds=600)
    assert (late.stopped, late.equations, late.earlier) == ("fixpoint", 1, False)
    assert late.oracle_calls > early.oracle_calls


def test_the_best_so_far_is_a_finding_that_goes_on(wrong_floor, tmp_path, monkeypatch):
    """After a kill: it has the pipeline and the rules with it."""

    def fun(x):
        y = jnp.floor(jnp.abs(x) - 3.5)
        return jnp.cos(y) * 2.0, jnp.sort(y)

    repro = emit_flat(jax.make_jaxpr(fun)(X), (X,), header=Header(name="fun"))
    killed = tmp_path / "killed.py"
    real = api.reduce_one

    class KilledError(Exception):
        pass

    def reduce_one(*args, **named):
        def ends(*_, **__):
            raise KilledError

        with monkeypatch.context() as patched:
            patched.setattr("jace_repro.campaign.reduction.looked_into", ends)
            return real(*args, **named)

    monkeypatch.setattr(api, "reduce_one", reduce_one)
    monkeypatch.setenv("JACE_CACHE", "0")  # a reduction that was remembered is looked into at once
    with pytest.raises(KilledError):
        jace_repro.reduce(repro, pipelines="fused", rules=wrong_floor, out=killed, max_calls=4)
    monkeypatch.setattr(api, "reduce_one", real)
    saved = jace_repro.load(killed)
    assert (saved.header.pipeline, saved.header.outcome) == ("fused", "mismatch")
    assert "jace-repro found a mismatch on pipeline fused" in saved.source
    assert jace_repro.reduce(killed).equations == 1


def test_reduce_keeps_what_the_author_wrote(wrong_floor, tmp_path):
    def row(x):
        return jnp.floor(jnp.abs(x) - 3.5) * 2

    @jax.jit
    def table(x):
        y = jax.vmap(row)(x.reshape(2, -1))
        return jnp.cos(y).sum(axis=0)

    with jace_repro.record(tmp_path / "rec"):
        table(X)
    (tree,) = (tmp_path / "rec" / "calltrees").glob("*table.py")
    found = jace_repro.reduce(tree, pipelines="fused", rules=wrong_floor, as_written=True)
    program = found.repro.source.partition("def repro(")[2].partition("FINDING")[0]
    assert "jnp.floor(" in program
    assert "lax." not in program
    assert "vmap" not in program
    assert found.stopped == "fixpoint"


def gated(params, batch):
    hidden = jnp.tanh(batch @ params["w"])
    return {"mean": jnp.sort(hidden).mean(), "rest": jnp.cos(hidden)}


def test_reduce_asks_a_function_of_the_users(monkeypatch):
    monkeypatch.setattr(Pool, "check", lambda *_, **__: pytest.fail("nobody asked for a test through DaCe"))
    asked = []

    def orders(fun, args):
        """Whether it gives ascending numbers that were not."""
        asked.append(len(args))
        (*_, last) = jax.tree.leaves(jax.jit(fun)(*args))
        return (
            last.size > 1 and bool(jnp.all(jnp.diff(last) >= 0)) and "sort" in str(jax.make_jaxpr(fun)(*args))
        )

    x = np.arange(12, dtype=np.float32).reshape(4, 3) % 5
    reduced = jace_repro.reduce(
        lambda params, batch: {
            "a": gated(params, batch)["rest"],
            "b": jnp.sort(batch @ params["w"], 0).ravel()[::2],
        },
        ({"w": np.ones((3, 2), np.float32)}, x),
        orders,
    )
    assert reduced.equations == 1
    assert reduced.stopped == "fixpoint"
    assert "lax.sort(" in reduced.repro.source
    assert len(asked) > 1
    header = reduced.repro.header
    assert (header.pipeline, header.outcome, header.signature) == (None, None, None)
    assert "while it is interesting: orders(fun, args): true." in reduced.repro.source

    with pytest.raises(
        jace_repro.NothingToReduceError, match=r"is not interesting \(orders\(fun, args\): false\)"
    ):
        jace_repro.reduce(lambda x: x * 2, [x], orders)

    def raises(fun, args):
        raise ValueError("never")

    with pytest.raises(jace_repro.NothingToReduceError, match=r"interesting \(raises: ValueError: never\)"):
        jace_repro.reduce(lambda x: x * 2, [x], raises)


def test_reduce_takes_a_function_with_its_arguments(wrong_floor):
    reduced = jace_repro.reduce(floored, (X, 0.5), pipelines="fused", rules=wrong_floor, max_calls=20)
    assert reduced.equations == 1
    assert reduced.repro.header.name == "floored"
    with pytest.raises(TypeError, match="with which arguments"):
        jace_repro.reduce(floored)
    with pytest.raises(TypeError, match="`args` are those of a function"):
        jace_repro.reduce(reduced.repro, (X,))


def test_what_does_not_fail_is_not_reduced(tmp_path):
    repro = emit_flat(jax.make_jaxpr(jnp.floor)(X), (X,), header=Header(name="right"))
    with pytest.raises(jace_repro.NothingToReduceError, match="right does not show a failure") as caught:
        jace_repro.reduce(repro, pipelines=["fused"])
    assert [v.outcome for v in caught.value.verdicts] == ["ok"]
    api.close()
