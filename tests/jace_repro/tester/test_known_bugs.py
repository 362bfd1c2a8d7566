"""Each bug of DaCe's that `canonical` goes round is still there: a program shows it when it is not gone round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from dace.libraries.blas.environments import OpenBLAS
from jax import lax

import jace
import jace_repro
from jace import pipelines
from jace.build import generate, gpu
from jace.build.environments import missing
from jace.known_bugs import GONE_ROUND

ROOT = Path(__file__).resolve().parents[3]
A = np.arange(24, dtype=np.float32).reshape(4, 6) + 1
SQUARE = A[:, :4]

#: bug -> (the pipeline that meets it, a program, who is to blame; None: it writes out of bounds, and may well crash).
PROGRAMS: dict[str, tuple[str, Callable[[], Any], str | None]] = {
    "a_slice_by_pointer": (
        "canonical/simplify",
        lambda: (lambda a: jnp.sort(lax.slice(a, (1, 1), (3, 3)), axis=0), -SQUARE),
        "DaCe pass",
    ),
    "argmax_of_infinite": (
        "canonical",
        lambda: (lambda a: jnp.argmax(a, axis=1), np.full((2, 3), -np.inf, np.float32)),
        "DaCe code generation",
    ),
    "compared_truth": (
        "canonical/simplify",
        lambda: (lambda a, b: a % b, np.int32(7), np.int32(-3)),
        "DaCe pass",
    ),
    "dead_pointer": (
        "canonical/simplify",
        lambda: (lambda a: jnp.linalg.cholesky(a * a), A[:1, :1]),
        "DaCe pass",
    ),
    "einsum_by_blas": (
        "canonical/expand:OpenBLAS",
        lambda: (lambda a: jnp.einsum("ij,kj->ik", a, a), A),
        "DaCe pass",
    ),
    "einsum_of_a_part": (
        "canonical/simplify",
        lambda: (lambda a: jnp.einsum("bi,bf->if", a[:, :1], a), A),
        "DaCe pass",
    ),
    "einsum_on_gpu": (
        "canonical/gpu",
        lambda: (lambda a: jnp.einsum("ij,ij->", a, a), A),
        "DaCe pass",
    ),
    "einsum_order": (
        "canonical",
        lambda: (lambda a: jnp.einsum("ij,ji->", a, a), SQUARE),
        "DaCe code generation",
    ),
    "ifft_of_single": (
        "canonical/expand:pure",
        lambda: (jnp.fft.ifft, np.arange(4).astype(np.complex64)),
        "DaCe pass",
    ),
    "inlined_temporaries": (
        "canonical/auto-optimize",
        lambda: (
            lambda a: lax.map(lax.linalg.lu, a)[0],
            np.sin(np.arange(60, dtype=np.float32)).reshape(3, 4, 5),
        ),
        "DaCe pass",
    ),
    "loop_to_map_reads_resolution": (
        "canonical/auto-optimize",
        lambda: (lambda a: jnp.cumsum(a, axis=1), np.ones((2, 4000), np.int32)),
        "DaCe pass",
    ),
    "scalar_by_pointer": (
        "canonical/simplify",
        lambda: (lambda a: jnp.stack([np.bool_(False), a != 0]), np.int32(0)),
        None,
    ),
    "shadowed_map_parameters": (
        "canonical/auto-optimize",
        lambda: (lambda a: (a.T * 2, lax.pad(a, np.float32(0), ((1, -1, 0), (0, 0, 0)))), A),
        None,
    ),
    "move_loop_of_a_view": (
        "canonical/auto-optimize",
        lambda: (
            lambda a: lax.scan(lambda c, _: (jnp.tanh(a.reshape(3, 8)), None), a.reshape(3, 8), None, 2)[0],
            A,
        ),
        "DaCe pass",
    ),
    "reshaped_twice": (
        "canonical/simplify",
        lambda: (lambda a: a.reshape(4, 1).reshape(2, 1, 2), A[:2, None, :2]),
        "DaCe pass",
    ),
    "squeezed_copy": (
        "canonical/simplify",
        lambda: (lambda a: a[0] + a[1, :, None, 0], A.reshape(2, 3, 4)),
        "DaCe pass",
    ),
    "tensor_transpose_of_a_part": (
        "canonical/simplify",
        lambda: (lambda a: jnp.concatenate([(a * 2).transpose(2, 0, 1), a[:1]]), A.reshape(2, 2, 6)[..., :2]),
        "DaCe pass",
    ),
    "view_without_strides": (
        "canonical/simplify",
        lambda: (lambda a: jnp.concatenate([a.sum(1), a[:, 0, :1]], 1), A.reshape(2, 2, 6)),
        "DaCe pass",
    ),
}


def here(bug: str) -> str:
    """The pipeline that meets the bug, which must be one that runs on this machine."""
    pipeline = PROGRAMS[bug][0]
    if pipeline.endswith("OpenBLAS") and (lacking := missing([OpenBLAS])):
        pytest.skip(f"{pipeline} needs {lacking}")
    return pipeline


def met(pipeline: str, bug: str) -> str:
    return f"{pipeline}{'+' if '/' in pipeline else '/'}bug:{bug}"


def test_each_has_a_program_and_evidence_and_is_gone_round_in_one_place() -> None:
    assert set(PROGRAMS) == set(GONE_ROUND)
    code = [p.read_text(encoding="utf-8") for p in (ROOT / "jace").rglob("*.py") if p.stem != "known_bugs"]
    for bug in GONE_ROUND:
        assert (ROOT / "corpus" / "dace" / f"{bug}.py").is_file()
        assert sum(text.count(f'"{bug}"') for text in code) == 1, bug


@pytest.mark.parametrize("bug", GONE_ROUND)
def test_it_is_gone_round(bug: str) -> None:
    pipeline, (fun, *args) = here(bug), PROGRAMS[bug][1]()
    if pipeline.endswith("gpu") and not gpu.capability():  # what there is of it without one
        generate(jace.translate_jaxpr(jax.make_jaxpr(fun)(*args), pipeline))
        return
    jace_repro.check(fun, *args, pipelines=pipeline)


def test_a_part_with_an_axis_of_one_element_is_no_view_without_strides(tmp_path: Path) -> None:
    """Found by a campaign: a loop stacks what is concatenated on an axis of one element."""

    def fun(a: Any) -> Any:
        step = lambda _, __: (None, jnp.concatenate([a, a, jnp.zeros_like(a)], 3))
        return lax.scan(step, None, None, length=2)[1]

    a = np.arange(8, dtype=np.int32).reshape(2, 2, 2, 1)
    jace_repro.check(fun, a, pipelines="canonical/simplify")
    with pytest.raises(jace_repro.DisagreementError):
        jace_repro.check(fun, a, pipelines=met("canonical/simplify", "view_without_strides"), out=tmp_path)


@pytest.mark.parametrize("bug", GONE_ROUND)
def test_it_is_there_when_it_is_met(bug: str, tmp_path: Path) -> None:
    """Fixed in a newer DaCe? Then the guard that names it can go, with its row in `jace.known_bugs`."""
    _, program, who = PROGRAMS[bug]
    with pytest.raises(jace_repro.DisagreementError) as caught:
        jace_repro.check(*program(), pipelines=met(here(bug), bug), out=tmp_path)
    (verdict,) = caught.value.verdicts
    assert who in (None, verdict.who)


def test_names() -> None:
    simplified = pipelines.find("canonical/bug:einsum_order+simplify+bug:dead_pointer")
    assert simplified.name == "canonical/simplify+bug:dead_pointer+bug:einsum_order"
    assert (simplified.met, simplified.dace) == (("dead_pointer", "einsum_order"), ("simplify",))
    assert simplified.shorter == ("canonical/bug:dead_pointer+bug:einsum_order",)
    assert simplified.careful == "canonical/simplify"
    nested = pipelines.find("canonical/calls:nested+simplify+bug:dead_pointer")
    assert nested.name == "canonical/simplify+calls:nested+bug:dead_pointer"
    assert (nested.shorter, nested.careful) == (
        ("canonical/calls:nested+bug:dead_pointer",),
        "canonical/simplify+calls:nested",
    )
    with pytest.raises(ValueError, match=r"no bug 'einsum_ordre' \(did you mean einsum_order\?\)"):
        pipelines.find("canonical/bug:einsum_ordre")
