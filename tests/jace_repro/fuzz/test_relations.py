"""Pairs of forms of one program: they are the same, and where JAX makes them differ that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.emitter import emit_flat
from jace_repro.fuzz import relations
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.programs import RELATED, program
from jace_repro.fuzz.relations import RELATIONS
from jace_repro.repro import Header
from jace_repro.tester.check import check_repro
from jace_repro.tester.numerics import native

X = np.linspace(0.25, 2.0, 6, dtype=np.float32).reshape(2, 3)
INDEX = np.array([1, 0, 1], np.int32)


def function(x: Any, index: Any) -> list[Any]:
    """Of a float array of two rows and of row numbers: a product, a sum, a gather, a count."""
    return [jnp.sin(x) * x[0], jnp.cumsum(x, axis=1).sum(), x[index], jnp.sum(index)]


def halves(outputs: list[Any]) -> tuple[list[Any], list[Any]]:
    return outputs[: len(outputs) // 2], outputs[len(outputs) // 2 :]


@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.parametrize("seed", range(4))
def test_both_forms_are_the_same(name, seed):
    pair = RELATIONS[name](Draw(f"{name} {seed}"), function, [X, INDEX])
    closed = jax.make_jaxpr(pair.both)(*pair.arrays)
    left, right = halves(native.evaluate(closed, pair.arrays))
    assert len(left) == len(right) > 0
    for one, other in zip(left, right, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(one, other, rtol=1e-5)
    moved = [out for out in left if out.size > 1 and np.ptp(out.astype(np.float64)) > 0]
    assert moved or name == "jvp and vjp", "a wrong element would not be seen"


@pytest.mark.parametrize("name", RELATIONS)
def test_forms_are_traced_to_different_programs(name):
    pair = RELATIONS[name](Draw("1"), function, [X, INDEX])
    left, right = (str(jax.make_jaxpr(form)(*pair.arrays)) for form in (pair.left, pair.right))
    assert left != right


def test_what_cannot_be_differentiated_or_batched_is_refused():
    for name in ("jvp and vjp", "checkpoint", "linearize", "batched derivative"):
        with pytest.raises(TypeError, match="nothing to differentiate"):
            RELATIONS[name](Draw("1"), lambda index: [index + 1], [INDEX])
    for name in ("vmap", "map", "unrolled", "counted"):
        with pytest.raises(ValueError, match="nothing to"):
            RELATIONS[name](Draw("1"), lambda: [jnp.ones(3)], [])


def test_programs_are_those_of_their_names():
    one, other = program(f"{RELATED}/5"), program(f"{RELATED}/5")
    assert str(one.closed) == str(other.closed)
    assert one.relation
    assert program("sin/5").relation is None


def checked(made: Callable[..., list[Any]], relation: str) -> Any:
    """The verdict on the two forms of a function of X, compiled by nobody but XLA: DaCe is not asked."""
    closed = jax.make_jaxpr(made)(X)
    repro = emit_flat(closed, [X], header=Header(name="pair", relation=relation))

    def refuse(*_: Any) -> Any:
        raise NotImplementedError("DaCe is not asked here")

    (verdict,) = check_repro(repro, ["fused"], backend=refuse)
    return verdict


def test_a_transformation_that_is_wrong_is_found():
    @jax.custom_batching.custom_vmap
    def total(x: Any) -> Any:
        return jnp.cumsum(x)

    @total.def_vmap
    def rule(size: int, batched: Any, x: Any) -> Any:
        return lax.cumsum(x, axis=1, reverse=True), True

    def both(x: Any) -> list[Any]:
        return [jax.vmap(total)(x), jnp.stack([total(row) for row in x])]

    verdict = checked(both, "vmap = a loop")
    assert (verdict.outcome, verdict.who, verdict.stage) == ("relation-mismatch", "JAX", "reference")
    assert verdict.is_finding
    assert verdict.detail.startswith("vmap = a loop, but under plain JAX the first form gives output 0")
    assert "traced to programs that differ" in verdict.detail
    ((element, *_),) = [output.elements for output in verdict.differing]
    assert (float(element.expected), np.float32(element.actual)) == (X[0, 0], np.cumsum(X[0])[-1])


def test_xla_is_to_blame_where_the_programs_are_the_same(monkeypatch):
    from jace_repro.tester.check import relation
    from jace_repro.tester.execute import xla

    def miscompiled(prog: Any) -> list[Any]:
        outputs = xla_runs(prog)
        cosines = any(eqn.primitive.name == "cos" for eqn in prog.closed.jaxpr.eqns)
        return [out + np.float32(0.5) for out in outputs] if cosines else outputs

    xla_runs = xla.run_reference
    monkeypatch.setattr(relation.xla, "run_reference", miscompiled)
    verdict = checked(lambda x: [jnp.sin(x), jnp.cos(x - np.float32(np.pi / 2))], "sin = cos, moved")
    assert (verdict.outcome, verdict.who) == ("relation-mismatch", "XLA")


def test_what_xla_has_wrong_by_itself_is_told_as_that():
    """A slice of a slice in a loop: the corpus knows it by its equation (corpus/repros/xla/d741d4d9a609.py)."""

    def part(x: Any, start: Any, again: Any) -> Any:
        rows = lax.dynamic_slice(x, (start, 0), (2, 1))
        return lax.dynamic_slice(rows, (again, 0), (1, 1))

    def both(x: Any, start: Any, again: Any) -> list[Any]:
        looped = lax.scan(lambda c, _: (c, part(x, start, again)), None, None, length=2)[1]
        return [looped, jnp.stack([x[1:2], x[1:2]])]

    args = [np.array([[1], [2], [3]], np.int32), np.int32(2), np.int32(0)]
    header = Header(name="pair", relation="lax.map = a loop")
    (verdict,) = check_repro(emit_flat(jax.make_jaxpr(both)(*args), args, header=header), ["fused"])
    there = jax.jit(both)(*args)[0].ravel()[0] != 2  # in the XLA that is here
    assert (verdict.outcome, verdict.signature) == (
        ("reference-mismatch", "d741d4d9a609") if there else ("ok", None)
    )


def test_rounding_breaks_no_relation():
    def both(x: Any) -> list[Any]:
        return [jnp.sum(jnp.sin(x * 1000)), jnp.sum(jnp.sin(x * 1000)[::-1, ::-1])]

    assert checked(both, "a sum = a sum backwards").outcome != "relation-mismatch"


def test_forms_of_other_shapes_are_no_forms_of_one_program():
    verdict = checked(lambda x: [jnp.sum(x, 0), jnp.sum(x, 1)], "rows = columns")
    assert (verdict.outcome, verdict.difference) == ("relation-mismatch", "shape")


def test_what_jax_says_is_not_the_same_in_a_batch_is_not_asked():
    from jace import ir

    names = [f"{RELATED}/{seed}" for seed in range(60)]
    for name in names:
        primitives = ir.primitives(program(name).closed)
        assert not relations.NOT_BATCHED.keys() & primitives
