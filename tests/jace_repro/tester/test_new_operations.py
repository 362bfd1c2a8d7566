"""What later releases of JAX added: recorded, emitted, run by jace and judged as what was there before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
from jax import lax

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, check_repro

X = np.linspace(0.1, 2.5, 6, dtype=np.float32).reshape(2, 3)
N = np.array([[3, -70000, 2**31 - 1], [-(2**31), 12345, -1]], np.int32)


def of(name: str) -> Any:
    """A function of JAX's by its path; None where this release has none."""
    found: Any = jax
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def bits(impl: str) -> Callable[[Any], Any]:
    return lambda x: x + jax.random.normal(jax.random.fold_in(jax.random.key(3, impl=impl), 7), x.shape)


#: The function that it needs, and the program.
PROGRAMS: dict[str, tuple[str, Callable[[Any], Any], Any]] = {
    "log2": ("lax.log2", lambda x: of("lax.log2")(x), X),
    "mulhi": ("lax.mulhi", lambda n: of("lax.mulhi")(n, n[::-1]), N),
    "unsigned mulhi": ("lax.mulhi", lambda n: of("lax.mulhi")(n, n[::-1]), N.view(np.uint32)),
    "one_minus_square": ("lax.one_minus_square", lambda x: of("lax.one_minus_square")(x), X),
    "its derivative": ("lax.one_minus_square", lambda x: jax.grad(lambda x: of("lax.one_minus_square")(x).sum())(x), X),
    "polynomial": ("lax.polynomial", lambda x: of("lax.polynomial")(x, [1.0, -2.0, 0.5, 3.0]), X),
    "minmax": ("numpy.minmax", lambda x: of("numpy.minmax")(x), X),
    "top_k": ("numpy.top_k", lambda x: of("numpy.top_k")(x, 2), X),
    "boxcox": ("scipy.special.boxcox", lambda x: of("scipy.special.boxcox")(x, 0.5), X),
    "boxcox1p": ("scipy.special.boxcox1p", lambda x: of("scipy.special.boxcox1p")(x, 0.5), X),
    "comb": ("scipy.special.comb", lambda x: of("scipy.special.comb")(x + 4, x), X),
    "dawsn": ("scipy.special.dawsn", lambda x: of("scipy.special.dawsn")(x), X),
    "erfcinv": ("scipy.special.erfcinv", lambda x: of("scipy.special.erfcinv")(x * 0.7), X),
    "wofz": ("scipy.special.wofz", lambda x: of("scipy.special.wofz")(lax.complex(x, x)), X),
    "convolution_matrix": (
        "scipy.linalg.convolution_matrix",
        lambda x: of("scipy.linalg.convolution_matrix")(x[0], 4),
        X,
    ),
    **{
        f"keys of {impl}": (f"_src.random.{impl}", bits(impl), X)
        for impl in ("philox2x32", "philox4x32", "threefry4x32")
    },
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, (needed, *_) in PROGRAMS.items() if of(needed) is not None])
def test_it_is_as_xla_has_it(name: str) -> None:
    _, program, x = PROGRAMS[name]
    repro = emit_flat(jax.make_jaxpr(program)(x), [x], header=Header(name="new"))
    for verdict in check_repro(repro, ["fused", "canonical"], options=Options(ffi_share=1.0)):
        assert verdict.outcome == "ok", (verdict.pipeline, verdict.outcome, verdict.detail)
