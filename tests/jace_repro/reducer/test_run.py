"""Reductions end to end, with oracles in this process: an interpreter of jaxprs with a bug planted in it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from reducing import minimize

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.reducer import PREDICATE, PredicateError, TrivialProgramError, predicate_check, reduce_repro
from jace_repro.reducer.asking import at_once
from jace_repro.reducer.loop import Minimized, Pass, Progress
from jace_repro.reducer.passes import standard_passes
from jace_repro.reducer.problem import Problem, normalise
from jace_repro.repro import Header, Repro, load, trace_repro
from jace_repro.tester.verdict.verdict import Verdict

#: primitive -> (equation, operands) -> wrong results, or None where the bug does not show
Bugs = Mapping[str, Callable[[ir.JaxprEqn, Sequence[Any]], list[Any] | None]]


def interpret(closed: ir.ClosedJaxpr, args: Sequence[Any], bugs: Bugs) -> list[Any]:
    """Evaluate a jaxpr in Python, loops included, with the planted bugs."""
    return ir.evaluate(closed, args, lambda eqn, invals: _step(eqn, invals, bugs))


def _step(eqn: ir.JaxprEqn, invals: list[Any], bugs: Bugs) -> list[Any]:
    entered = itertools.count()

    def body(closed: ir.ClosedJaxpr, args: list[Any]) -> list[Any]:
        assert next(entered) < 2000, "a candidate that does not end"
        return interpret(closed, args, bugs)

    params = eqn.params
    match eqn.primitive.name:
        case name if name in bugs:
            wrong = bugs[name](eqn, invals)
            return ir.eval_equation(eqn, invals) if wrong is None else wrong
        case name if name in ir.CONTROL:
            return ir.run_control(eqn, invals, body)
        case "jit":
            return interpret(params["jaxpr"], invals, bugs)
        case _:
            return ir.eval_equation(eqn, invals)


def differs(problem: Problem, bugs: Bugs) -> bool:
    """Whether the planted bug shows in an output."""
    right, wrong = interpret(problem.closed, problem.args, {}), interpret(problem.closed, problem.args, bugs)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(right, wrong, strict=True))


def minimized(fun: Callable[..., Any], args: Sequence[Any], bugs: Bugs, max_calls: int = 59) -> Minimized:
    problem = normalise(jax.make_jaxpr(fun)(*args), args)
    assert differs(problem, bugs)
    return minimize(problem, at_once(lambda p: differs(p, bugs)), standard_passes(), max_calls=max_calls)


def names(problem: Problem) -> list[str]:
    return sorted(ir.primitives(problem.closed))


def vector(n: int, *, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=n).astype(np.float32)


def big(x: jax.Array, w: jax.Array) -> Any:
    """About 300 equations: nested jit, scan, cond; a reverse cumsum in the cond in the scan."""

    def body(c: jax.Array, a: jax.Array) -> tuple[jax.Array, jax.Array]:
        for k in range(20):
            c = jnp.sin(c) * a + k
        c = jax.lax.cond(c[0] > 1e9, lambda c: c * 2, lambda c: jax.lax.cumsum(c, reverse=True) + a, c)
        return c * 0.5, c.sum()

    for _ in range(30):
        x = jnp.tanh(x) * w + jnp.cos(x)
    c, ys = jax.lax.scan(body, x, jnp.stack([w] * 3) * x)
    g = jax.jit(lambda z: jnp.exp(-z * z) + 1)
    for _ in range(30):
        c = g(c) * w
    return c, ys, jnp.max(c), jnp.dot(c, w)


def test_finds_the_reverse_cumsum_among_three_hundred_equations() -> None:
    args = vector(37), vector(37, seed=1)
    problem = normalise(jax.make_jaxpr(big)(*args), args)
    assert problem.key.equations > 300

    def shows(candidate: Problem) -> bool:
        return any(e.primitive.name == "cumsum" and e.params["reverse"] for _, e in ir.walk(candidate.closed))

    result = minimize(problem, at_once(shows), standard_passes(), max_calls=200)
    assert result.stopped == "fixpoint"
    assert result.calls < 40
    assert result.problem.key.equations == 1
    assert result.problem.args[0].shape == (1,)


def _cumsum_loses_last(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> list[Any] | None:
    x = np.array(invals[0])
    if x.shape[eqn.params["axis"]] <= 100:
        return None
    [right] = ir.eval_equation(eqn, invals)
    return [jnp.asarray(right).at[-1].set(right[-2])]


def test_a_bug_above_a_size_ends_just_above_that_size() -> None:
    def fun(x: jax.Array) -> jax.Array:
        y = jnp.sin(x) * 2
        return jnp.log(jnp.cumsum(y * y)[::2]).sum()

    result = minimized(fun, [vector(777)], {"cumsum": _cumsum_loses_last})
    assert names(result.problem) == ["cumsum"]
    assert result.problem.args[0].shape == (101,)
    assert result.calls < 36  # sizes are searched twice: plainer values might let them shrink further


def _rank(eqn: ir.JaxprEqn) -> int:
    aval: Any = eqn.outvars[0].aval
    return len(aval.shape)


def test_rank_is_kept_where_the_bug_needs_it() -> None:
    def fun(x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.tanh((x[:, None, None] * y - jnp.cos(y)).sum(axis=0) - 1)

    bug = {"sub": lambda eqn, vals: [vals[1] - vals[0]] if _rank(eqn) > 2 else None}
    args = [vector(6), vector(6 * 5 * 4).reshape(6, 5, 4)]
    result = minimized(fun, args, bug)
    assert names(result.problem) == ["sub"]
    assert [np.shape(a) for a in result.problem.args] == [(1, 1, 1)] * 2
    assert result.problem.key.complexity <= 2


def test_a_loop_that_runs_once_too_often_stays_a_loop() -> None:
    def once_more(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> list[Any] | None:
        right = ir.eval_equation(eqn, invals)
        loop = ir.While.of(eqn.params)
        return interpret(loop.body, [*loop.split(invals)[1], *right], {})

    def fun(x: jax.Array) -> jax.Array:
        def body(state: Any) -> Any:
            i, y, z = state
            return i + 1, jnp.sin(y) * z + 0.5, z * 1.5

        return jax.lax.while_loop(lambda s: s[0] < 7, body, (0, jnp.cos(x), x + 1))[1].sum()

    result = minimized(fun, [vector(20)], {"while": once_more})
    assert "while" in names(result.problem)
    assert result.problem.key.equations <= 3
    assert result.problem.key.elements <= 12


def test_a_bug_in_a_body_is_unwrapped_from_nested_control_flow() -> None:
    def fun(x: jax.Array, flag: jax.Array) -> jax.Array:
        def body(c: jax.Array, a: jax.Array) -> tuple[jax.Array, None]:
            return jax.lax.cond(flag, lambda c: jnp.where(c > a, c, a), lambda c: c + a, c) * 0.5, None

        return jax.lax.scan(body, jnp.zeros(4), jnp.stack([x, x * 2, x - 1]))[0]

    bug = {"select_n": lambda eqn, vals: [jnp.where(vals[0], vals[1], vals[2])]}
    result = minimized(fun, [vector(4), np.bool_(True)], bug)
    assert names(result.problem) == ["select_n"]
    assert result.problem.key.elements <= 5


def test_a_scan_whose_order_is_wrong_stays_a_short_scan() -> None:
    def backwards(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> list[Any] | None:
        return _step(
            eqn.replace(params={**eqn.params, "reverse": not eqn.params["reverse"]}), list(invals), {}
        )

    def fun(x: jax.Array, w: jax.Array) -> Any:
        def step(h: Any, a: jax.Array) -> Any:
            c, d = h
            return (jnp.tanh(c @ w + a), d + a.sum()), jnp.exp(d)

        (c, d), ys = jax.lax.scan(step, (jnp.ones(5), jnp.float32(0)), x)
        return c.sum(), d, ys

    args = [vector(45).reshape(9, 5), vector(25, seed=3).reshape(5, 5)]
    result = minimized(fun, args, {"scan": backwards})
    assert "scan" in names(result.problem)
    assert result.problem.key.equations <= 3
    assert result.problem.key.trips <= 5


def _check_for(name: str) -> Callable[[Repro], Verdict]:
    def check(repro: Repro) -> Verdict:
        closed, _ = trace_repro(repro)
        shows = name in ir.primitives(closed)
        return Verdict("fused", "mismatch" if shows else "ok", "abc" if shows else None)

    return check


def _repro(fun: Callable[..., Any], *args: Any) -> Repro:
    header = Header(origin="prog.py:3", name="prog", pipeline="fused", outcome="mismatch", signature="abc")
    return emit_flat(jax.make_jaxpr(fun)(*args), args, header=header)


def _program(x: jax.Array) -> Any:
    return jnp.sort(jnp.sin(x) * 2) + jnp.cumsum(x), x.max()


def test_a_repro_goes_in_and_a_smaller_repro_comes_out(tmp_path: Path) -> None:
    steps: list[Progress] = []
    best, kept = tmp_path / "best.py", []
    reduced = reduce_repro(
        _repro(_program, vector(50)),
        _check_for("sort"),
        signature="abc",
        on_progress=steps.append,
        keep=lambda better, equations: kept.append((better.save(best), equations)),
    )
    assert reduced.equations == 1
    assert reduced.stopped == "fixpoint"
    assert reduced.oracle_calls == len(steps)
    way = [(step.test, step.equations, step.elements, step.pass_name) for step in reduced.steps]
    taken = [(s.calls, s.equations, s.elements, s.pass_name) for s in steps if s.taken]
    assert way[1:] == taken
    assert way[0][0] == 0
    assert way[0][1] > way[-1][1] == reduced.equations
    header = reduced.repro.header
    assert (header.origin, header.pipeline, header.outcome) == ("prog.py:3", "fused", "mismatch")
    assert header.signature == "abc"
    assert kept[-1][1] == reduced.equations
    assert all(one >= other for (_, one), (_, other) in itertools.pairwise(kept))
    closed, args = trace_repro(load(best))
    assert ir.fingerprint(closed) == header.fingerprint
    assert args[0].shape == (1,)


def test_the_localizer_saves_calls() -> None:
    def localize(repro: Repro) -> Any:
        closed, args = trace_repro(repro)
        for _, eqn, invals, _ in ir.eval_each(ir.inline_calls(closed), args):
            if eqn.primitive.name == "sort":
                alone = ir.make_closed(
                    eqn.invars,
                    eqn.outvars,
                    [eqn.replace(invars=list(eqn.invars))],  # type: ignore[arg-type]
                )

                class Found:
                    repro = emit_flat(alone, invals, header=Header())

                return Found()
        return None

    start = _repro(_program, vector(50))
    without = reduce_repro(start, _check_for("sort"), signature="abc")
    with_it = reduce_repro(start, _check_for("sort"), signature="abc", localize=localize)
    assert with_it.equations == 1
    assert with_it.oracle_calls < without.oracle_calls


def test_the_budget_ends_the_search() -> None:
    start = _repro(_program, vector(50))
    reduced = reduce_repro(start, _check_for("sort"), signature="abc", max_calls=2)
    assert reduced.stopped == "budget"
    assert reduced.oracle_calls == 2


def test_ctrl_c_gives_the_best_so_far() -> None:
    check, enough = _check_for("sort"), False

    def impatient(repro: Repro) -> Verdict:
        if enough:
            raise KeyboardInterrupt
        return check(repro)

    def told(progress: Progress) -> None:  # of what is taken: tests run ahead of their turn
        nonlocal enough
        enough = progress.equations < 6

    start = _repro(_program, vector(50))
    reduced = reduce_repro(start, impatient, signature="abc", on_progress=told)
    assert reduced.stopped == "interrupt"
    assert reduced.equations < 6


def test_a_program_without_equations_is_refused() -> None:
    with pytest.raises(TrivialProgramError, match="prog"):
        reduce_repro(_repro(lambda x: x, vector(3)), _check_for("sort"), signature="abc")


@pytest.mark.parametrize(
    ("shows", "left"),
    [
        # an input that is given back, wrongly
        (lambda jaxpr: any(v in jaxpr.invars for v in jaxpr.outvars), "an input"),
        (lambda jaxpr: len(set(jaxpr.outvars)) < len(jaxpr.outvars), "one twice"),
        (lambda jaxpr: "exp" in {eqn.primitive.name for eqn in jaxpr.eqns}, "neither"),
    ],
)
def test_an_output_that_no_equation_computes_stays_where_it_is_wrong(shows: Any, left: str) -> None:
    def fun(x: Any, y: Any) -> Any:
        z = jnp.exp(jnp.sin(x) + jnp.cos(y))
        return jnp.tanh(z), y, z * x, z, z

    args = (np.arange(4, dtype=np.float32), np.ones(4, np.float32))
    repro = emit_flat(jax.make_jaxpr(fun)(*args), args, header=Header(name="given"))

    def check(candidate: Repro) -> Verdict:
        seen = shows(trace_repro(candidate)[0].jaxpr)
        return Verdict("fused", "mismatch", "ab") if seen else Verdict("fused", "ok")

    found = reduce_repro(repro, check, signature="ab")
    jaxpr = trace_repro(found.repro)[0].jaxpr
    assert shows(jaxpr)
    assert len(jaxpr.eqns) == 1
    assert len(jaxpr.outvars) == (1 if left == "neither" else 2)


def test_another_failure_is_not_followed() -> None:
    """A candidate that fails with another signature is as uninteresting as one that passes."""

    def check(repro: Repro) -> Verdict:
        closed, _ = trace_repro(repro)
        present = ir.primitives(closed)
        both = "sort" in present and "sin" in present
        return Verdict("fused", "mismatch", "abc" if both else "other")

    reduced = reduce_repro(_repro(_program, vector(50)), check, signature="abc")
    assert {"sort", "sin"} <= set(ir.primitives(trace_repro(reduced.repro)[0]))
    assert reduced.equations <= 3


def test_a_problem_is_never_judged_twice() -> None:
    asked: list[str] = []

    def oracle(candidate: Problem) -> bool:
        asked.append(candidate.fingerprint)
        return "sort" in ir.primitives(candidate.closed)

    args = [vector(50)]
    minimize(
        normalise(jax.make_jaxpr(_program)(*args), args), at_once(oracle), standard_passes(), max_calls=99
    )
    assert len(asked) == len(set(asked))


def test_candidates_that_are_not_smaller_are_not_judged() -> None:
    def same(problem: Problem) -> Any:
        assert not (yield problem)

    args = [vector(5)]
    problem = normalise(jax.make_jaxpr(_program)(*args), args)
    result = minimize(problem, at_once(lambda _: True), [Pass("same", same)], max_calls=9)
    assert result.calls == 0


def test_an_external_command_as_predicate(tmp_path: Path) -> None:
    script = tmp_path / "still_wrong.py"
    script.write_text("import sys; sys.exit(0 if 'lax.sort' in open(sys.argv[1]).read() else 1)")
    check = predicate_check(f"{sys.executable} {script} {{}}", timeout=30)
    reduced = reduce_repro(_repro(_program, vector(8)), check, signature=PREDICATE, max_calls=25)
    assert reduced.equations == 1
    assert "lax.sort" in reduced.repro.source


def test_a_predicate_that_hangs_or_is_missing() -> None:
    start = _repro(_program, vector(8))
    hangs = predicate_check(f"{sys.executable} -c 'import time; time.sleep(60)'", timeout=0.5)
    assert hangs(start).signature is None
    with pytest.raises(PredicateError, match="no-such-command"):
        predicate_check("no-such-command", timeout=1)(start)


def test_plainer_values_let_shapes_shrink_further() -> None:
    """Four elements are needed as long as they are what they are; of zeros one will do."""

    def few_or_zero(eqn: ir.JaxprEqn, invals: Sequence[Any]) -> list[Any] | None:
        x = np.asarray(invals[0])
        return [invals[0] + 1] if x.size > 3 or not x.any() else None

    result = minimized(lambda x: jnp.cumsum(x * 2) - 1, [vector(50)], {"cumsum": few_or_zero})
    assert names(result.problem) == ["cumsum"]
    assert [np.shape(a) for a in result.problem.args] == [(1,)]


def test_shrunk_shapes_let_equations_go() -> None:
    """An equation that is needed among many elements and not among few."""

    def fails(problem: Problem) -> bool:
        used = ir.primitives(problem.closed)
        size = max(np.size(a) for a in problem.args)
        return "sort" in used and ("sin" in used or size < 3)

    problem = normalise(jax.make_jaxpr(lambda x: jnp.sort(jnp.sin(x)))(vector(40)), [vector(40)])
    result = minimize(problem, at_once(fails), standard_passes(), max_calls=100)
    assert list(ir.primitives(result.problem.closed)) == ["sort"]
