"""Programs of the table: well typed, the same for the same name, and about what their choices say."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jace.ir import primitives
from jace.registry import supported_primitives
from jace_repro.fuzz.contexts import CONTEXTS
from jace_repro.fuzz.draw import CLASSES, WIDE, Draw, Operand, dtype_of
from jace_repro.fuzz.operations import OPERATIONS
from jace_repro.fuzz.operations.registry import add
from jace_repro.fuzz.programs import name_of, program
from jace_repro.fuzz.values import DOMAINS, values_of
from jace_repro.repro import jax_configuration

#: Primitives that no operation contains: they are made by jace or in JAX's own rules only, or need a name of JAX's.
ELSEWHERE = frozenset(
    {
        *(
            "copy_p",
            "kept_call",  # of pipelines with calls:nested
            "log2",  # of jax 0.11 and later
            "create_linear",
            "device_put",
            "empty",
            "empty2",
            "eq_to",
            "le_to",
            "lt_to",
            "expand_dims",
        ),
        *("geqp3", "geqrf", "iota_2x32_shape", "mulhi", "name", "ormqr", "rng_uniform", "select_and_scatter"),
        *("zeros_like", "tile", "unstack"),
    }
)


@pytest.fixture(scope="module")
def drawn():
    """Two programs of each operation."""
    return [program(name_of(operation, seed, x64=False)) for operation in OPERATIONS for seed in range(2)]


def test_every_operation_makes_programs_and_jax_refuses_few(drawn) -> None:
    assert {one.name.partition("/")[0] for one in drawn} == set(OPERATIONS)
    assert sum(one.refused for one in drawn) < len(drawn) / 20


def test_every_primitive_with_a_rule_is_in_some_program(drawn) -> None:
    found = {name for one in drawn for name in primitives(one.closed)}
    for operation in OPERATIONS:  # what two programs of each do not happen to contain
        if missing := set(supported_primitives()) - found - ELSEWHERE:
            found |= {
                n for s in range(2, 8) for n in primitives(program(name_of(operation, s, x64=False)).closed)
            }
            assert missing
    assert sorted(set(supported_primitives()) - found - ELSEWHERE) == []


@pytest.mark.parametrize("name", ["reduce_sum/3", "fft/4", "cond/5", "distribution/1"])
def test_the_same_name_is_the_same_program(name) -> None:
    one, other = program(name), program(name)
    assert str(one.closed) == str(other.closed)
    assert one.choices == other.choices
    assert all(
        np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
        for a, b in zip(one.arrays, other.arrays, strict=True)
    )


def test_in_64_bit_mode_there_are_wide_dtypes() -> None:
    with jax_configuration({"jax_enable_x64": True}):
        seen = {a.dtype.name for seed in range(20) for a in program(name_of("add", seed, x64=True)).arrays}
    assert seen & WIDE
    assert (
        not {a.dtype.name for seed in range(20) for a in program(name_of("add", seed, x64=False)).arrays}
        & WIDE
    )


def test_every_context_is_drawn() -> None:
    seen = {
        value for seed in range(150) for name, value in program(f"tanh/{seed}").choices if name == "context"
    }
    assert seen == set(CONTEXTS)


def test_what_jax_refuses_always_is_said(monkeypatch) -> None:
    monkeypatch.setitem(OPERATIONS, "impossible", lambda d: lambda: jax.lax.add(1.0, np.ones(3, bool)))
    with pytest.raises(ValueError, match="JAX refuses impossible of seed 0: TypeError"):
        program("impossible/0")


def test_two_operations_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two operations are called add"):
        add("add", OPERATIONS["add"])


@given(st.integers(0, 10**6))
def test_shapes_and_axes_fit(seed: int) -> None:
    draw = Draw(str(seed))
    operand = draw.array("fciubs")
    assert operand.size == int(np.prod(operand.shape))
    assert all(0 <= a < operand.rank for a in draw.axes(operand))
    assert sorted(draw.permutation(operand.rank)) == list(range(operand.rank))
    assert operand.dtype.name not in WIDE


@pytest.mark.parametrize("domain", sorted(DOMAINS))
@pytest.mark.parametrize("name", [names[0] for names in CLASSES.values()] + ["bfloat16", "int4"])
def test_values_have_the_shape_and_dtype_of_their_operand(domain: str, name: str) -> None:
    for shape in ((), (0, 3), (2, 3, 3)):
        about = "pow" if domain in ("joint", "grid") else "exp"
        operand = Operand(shape, dtype_of(name), domain, about, (0, 5))
        if (domain.endswith(("conditioned", "finite", "triangular", "definite", "singular"))) and (
            len(shape) < 2 or np.dtype(name if name in ("float32", "complex64") else "int8").kind not in "fc"
        ):
            continue  # they are matrices of floats
        if domain.startswith("indices") and "int" not in name:
            continue
        if domain == "patterns" and name not in CLASSES["s"]:
            continue
        if domain == "special complex" and name not in CLASSES["c"]:
            continue
        found = values_of(operand, "seed")
        assert (found.shape, found.dtype) == (shape, operand.dtype)


def test_matrices_are_what_they_are_called() -> None:
    def of(domain: str, dtype: str) -> np.ndarray:
        return values_of(Operand((4, 5, 5), dtype_of(dtype), domain), "seed").astype(np.complex128)

    for dtype in ("float32", "complex64"):
        definite, indefinite = (np.linalg.eigvalsh(of(d, dtype)) for d in ("positive definite", "indefinite"))
        assert definite.min() > 0 > indefinite.min()
        assert np.linalg.cond(of("well conditioned", dtype)).max() < 100
        assert np.abs(np.linalg.det(of("singular", dtype))).max() < 1e-5


def test_indices_lie_beyond_their_bounds_only_where_that_is_asked_for() -> None:
    def of(domain: str) -> np.ndarray:
        return values_of(Operand((500,), np.dtype(np.int32), domain, bounds=(2, 7)), "seed")

    assert (of("indices").min(), of("indices").max()) == (2, 7)
    assert {1, 8, -1, np.iinfo(np.int32).min, np.iinfo(np.int32).max} <= set(of("indices beyond").tolist())
