"""Programs made of others: what is changed, that it stays what it was where it should, and the same for a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import mutants, mutators
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.mutators import ALIKE, MUTATORS, SAME, Subject, mutated, spliced
from jace_repro.repro import Header, Repro
from jace_repro.tester.numerics import native

X = np.linspace(0.25, 2.0, 12, dtype=np.float32).reshape(3, 4)


def step(x: Any) -> list[Any]:
    """Elementwise, a sum, a loop with a body of its own."""
    moved = jnp.sin(x) + x.sum(axis=0)
    return [moved, lax.fori_loop(0, 3, lambda _, y: jnp.cumsum(y, axis=1) * 0.5, x)]


def subject(function: Any = step, *arrays: Any) -> Subject:
    given = arrays or (X,)
    return Subject(ir.inline_calls(jax.make_jaxpr(function)(*given)), given)


def results(found: Subject) -> list[Any]:
    return native.evaluate(found.closed, found.arrays)


def drawn(name: str, of: Subject, seeds: range = range(30)) -> list[Subject]:
    """What a mutator makes of a program with several seeds, as far as it is not refused."""
    found = []
    for seed in seeds:
        try:
            found.append(MUTATORS[name](Draw(f"{name} {seed}"), of))
        except mutators.REFUSED:
            continue
    return found


@pytest.mark.parametrize("name", SAME)
def test_what_gives_back_its_array_does(name):
    for array in (X, X[0], X[:1], np.arange(24, dtype=np.int32).reshape(2, 3, 4), X > 1):
        again = SAME[name](jnp.asarray(array))
        np.testing.assert_array_equal(again, array, strict=True)


def test_bait_changes_the_program_and_no_result():
    before = results(subject())
    made = drawn("bait", subject())
    assert len({one.says for one in made}) > 8
    for one in made:
        for new, old in zip(results(one), before, strict=True):
            np.testing.assert_array_equal(new, old, strict=True)
    longer = [one for one in made if ir.count_equations(one.closed) > ir.count_equations(subject().closed)]
    assert len(longer) == len(made)
    # the bodies of loops, too
    of_loops = [
        ir.count_equations(eqn.params["jaxpr"])
        for one in made
        for eqn in one.closed.jaxpr.eqns
        if "jaxpr" in eqn.params
    ]
    assert len(set(of_loops)) > 1


def test_a_size_changes_wherever_it_occurs():
    shapes = {tuple(one.arrays[0].shape) for one in drawn("resize", subject())}
    assert len(shapes) > 4
    assert any(shape[0] > 3 or shape[1] > 4 for shape in shapes), "none was made larger"
    assert any(shape[0] < 3 or shape[1] < 4 for shape in shapes)


def test_sizes_stay_where_an_index_is_trusted():
    def gather(x: Any) -> Any:
        return x.at[jnp.array([1, 3])].get(mode="promise_in_bounds")

    assert drawn("resize", subject(gather, X[:, 0].copy())) == []


def test_a_type_changes_wherever_it_occurs():
    made = drawn("retype", subject())
    assert {one.arrays[0].dtype.name for one in made} == {"float16", "bfloat16"}
    for one in made:
        dtypes = {str(v.aval.dtype) for _, e in ir.walk(one.closed) for v in e.outvars}
        assert "float32" not in dtypes


def test_a_type_that_has_no_other_in_its_mode_stays():
    found = drawn("retype", subject(lambda x, z: [x * 2, z * 2], X, X.astype(np.complex64)))
    assert {one.arrays[0].dtype.name for one in found} == {"float16", "bfloat16"}
    assert {one.arrays[1].dtype.name for one in found} == {"complex64"}
    with pytest.raises(ValueError, match="no type can change"):
        MUTATORS["retype"](Draw("x", x64=False), subject(lambda z: [z * 2], X.astype(np.complex64)))


def test_an_equation_becomes_another_of_its_kind():
    before = ir.primitives(subject().closed)
    for one in drawn("exchange", subject()):
        after = ir.primitives(one.closed)
        gone = [name for name in before if before[name] > after.get(name, 0)]
        assert gone
        for name in gone:
            assert any(after.get(other, 0) > before.get(other, 0) for other in ALIKE[name][0])


def test_axes_and_directions_are_others():
    assert {one.says for one in drawn("flip", subject())} == {
        ("another axis",),
        ("another reverse",),
        ("another axes",),
    }


def test_one_program_is_put_behind_another():
    joined = spliced(Draw("1"), subject(), subject(lambda x, y: [x * y], X, X))
    assert len(joined.arrays) == 1
    sine, loop = results(subject())
    assert any(
        np.array_equal(results(joined)[-1], product) for product in (sine * sine, sine * loop, loop * loop)
    )
    with pytest.raises(ValueError, match="nothing of one program fits"):
        spliced(Draw("1"), subject(), subject(jnp.sin, np.ones(99, np.float32)))


def test_a_seed_is_a_mutant():
    one, other = (mutated(Draw("7"), subject(), subject()) for _ in range(2))
    assert (str(one.closed), one.says) == (str(other.closed), other.says)
    assert len({mutated(Draw(str(k)), subject(), subject()).says for k in range(20)}) > 10


def repro(function: Any, *arrays: Any, **about: Any) -> Repro:
    return emit_flat(
        jax.make_jaxpr(function)(*arrays), list(arrays), header=Header(**{"name": "it", **about})
    )


def saved(folder: Path, **repros: Repro) -> list[Path]:
    for name, one in repros.items():
        one.save(folder / f"{name}.py")
    return [folder / f"{name}.py" for name in repros]


def test_repros_that_cannot_be_mutated_are_left_out(tmp_path):
    def callback(x: Any) -> Any:
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1

    paths = saved(
        tmp_path,
        good=repro(step, X),
        one_equation=repro(jnp.sin, X),
        large=repro(lambda x: jnp.sin(jnp.cos(x)), np.ones(50_000, np.float32)),
        no_inputs=repro(lambda: jnp.cumsum(jnp.arange(3.0)) * 2),
        callback=repro(callback, X),
    )
    (tmp_path / "torn.py").write_text("# /// jace-repro\n# no toml\n# ///\n")
    found = list(mutants.usable([*paths, tmp_path / "torn.py"]))
    assert [one.path for one in found] == [tmp_path / "good.py"]


def test_mutants_are_those_of_their_names_and_say_of_what_they_are(tmp_path):
    paths = saved(tmp_path, a=repro(step, X, name="a"), b=repro(lambda x: [jnp.cos(x) * 2], X, name="b"))
    one, other = (mutants.mutant("mutated/3", paths) for _ in range(2))
    assert (str(one.closed), one.says) == (str(other.closed), other.says)
    of = {mutants.mutant(f"mutated/{k}", paths).says.partition(":")[0] for k in range(12)}
    assert of == {"a", "b"}
    for k in range(12):
        made = mutants.mutant(f"mutated/{k}", paths)
        outputs = native.evaluate(made.closed, made.arrays)
        assert any(mutants.says_something(out) for out in outputs)


def test_a_mutant_keeps_the_mode_of_what_it_is_made_of(tmp_path):
    with jax.enable_x64(True):
        wide = repro(lambda x: [jnp.cumsum(x) * 3], np.arange(5.0), jax_config={"jax_enable_x64": True})
    (path,) = saved(tmp_path, wide=wide)
    made = mutants.mutant("mutated/1", [path])
    assert made.jax_config == {"jax_enable_x64": True}


def test_a_program_of_which_nothing_can_be_made_is_told(tmp_path, monkeypatch):
    (path,) = saved(tmp_path, a=repro(step, X, name="a"))
    monkeypatch.setattr(mutants, "says_something", lambda out: False)
    with pytest.raises(
        ValueError, match="no mutant of 1 programs, not of a: ValueError: its results say nothing"
    ):
        mutants.mutant("mutated/1", [path])


def test_a_loop_that_a_mutation_makes_endless_is_no_mutant(tmp_path, monkeypatch):
    def counted(x: Any) -> Any:
        return lax.while_loop(lambda state: state[0] < 3, lambda state: (state[0] + 1, state[1] * 2), (0, x))[
            1
        ]

    def endless(x: Any) -> Any:
        return lax.while_loop(lambda state: state[0] < 3, lambda state: (state[0] * 1, state[1] * 2), (0, x))[
            1
        ]

    (path,) = saved(tmp_path, loop=repro(counted, X))
    monkeypatch.setattr(mutants, "mutated", lambda draw, subject_, partner: subject(endless))
    with pytest.raises(ValueError, match="it takes too long"):
        mutants.mutant("mutated/1", [path])


def test_types_that_do_not_go_together_are_no_mutant(tmp_path, monkeypatch):
    """The index of a branch that is no int32: JAX says so where it lowers the program, and no sooner."""

    def branching(x: Any) -> Any:
        return lax.cond(x[0, 0] > 0, lambda x: x * 2, lambda x: x + 1, x)

    (path,) = saved(tmp_path, a=repro(branching, X))
    whole = subject(branching)
    index = next(eqn for eqn in whole.closed.jaxpr.eqns if eqn.primitive.name == "convert_element_type")

    def retyped(*xs: Any) -> Any:
        def equation(eqn: Any, operands: Any) -> Any:
            if eqn is index:
                eqn = eqn.replace(params={**eqn.params, "new_dtype": np.dtype(np.uint8)})
            return ir.eval_equation(eqn, operands)

        return ir.evaluate(whole.closed, xs, equation)

    made = Subject(ir.inline_calls(jax.make_jaxpr(retyped)(X)), (X,))
    monkeypatch.setattr(mutants, "mutated", lambda *_: made)
    with pytest.raises(ValueError, match="JAX does not lower it"):
        mutants.mutant("mutated/1", [path])
