"""Every readable form retraces to the equation it stands for; nothing else gets one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.extend.core.primitives
import jax.numpy as jnp
import numpy as np
import pytest
from emitted import written
from jax import lax

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.emitter.flat import lax_calls
from jace_repro.emitter.flat.writer import WRITERS
from jace_repro.repro import Header, trace_repro

F = np.linspace(0.1, 0.9, 6, dtype=np.float32).reshape(2, 3)
F16 = np.dtype("float16")
N = np.arange(6, dtype=np.int32).reshape(2, 3)
B = N % 2 == 0
C = (F + 1j * F).astype(np.complex64)
OPERANDS = [(F,), (N,), (B,), (C,), (F, F), (N, N), (B, B), (F, N), (B, F, F), (F, F, F)]
SCALARS = {2: [(F, np.float32(0.5)), (N, np.int32(3)), (B, np.bool_(True)), (np.float32(0.5), F)]}
STRUCTURED: dict[str, Callable[[Any], Any]] = {
    "convert_element_type": lambda x: lax.convert_element_type(x, jnp.bfloat16),
    "dot_general": lambda x: (x @ x.T, jnp.dot(x, x[0], precision=("highest", "default"))),
    "conj": lambda x: lax.conj(lax.complex(x, x)),
    "broadcast_in_dim": lambda x: lax.broadcast_in_dim(x, (4, 2, 3), (1, 2)),
    "reshape": lambda x: lax.reshape(x, (3, 2)),
    "transpose": lambda x: lax.transpose(x, (1, 0)),
    "squeeze": lambda x: lax.squeeze(x[None], (0,)),
    "slice": lambda x: lax.slice(x, (0, 1), (2, 3), (1, 2)),
    "pad": lambda x: lax.pad(x, np.float32(0), ((1, -1, 0), (0, 2, 1))),
    "concatenate": lambda x: lax.concatenate([x, x], 1),
    "iota": lambda x: (x, lax.broadcasted_iota(np.int16, (2, 5), 1)),
    "rev": lambda x: lax.rev(x, (0, 1)),
    "integer_pow": lambda x: lax.integer_pow(x, -3),
    "argmax": lambda x: lax.argmax(x, 1, np.int32),
    "argmin": lambda x: lax.argmin(x, 0, np.uint8),
    **{
        f"reduce_{n}": lambda x, n=n: getattr(lax, f"reduce_{n}")(x, (1,))
        for n in ("max", "min", "prod", "sum")
    },
    **{
        f"reduce_{n}": lambda x, n=n: getattr(lax, f"reduce_{n}")(x > 0, (0, 1)) for n in ("and", "or", "xor")
    },
    **{
        n: lambda x, n=n: getattr(lax, n)(x, 1, reverse=True)
        for n in ("cumsum", "cumprod", "cummax", "cummin")
    },
    "cumlogsumexp": lambda x: lax.cumlogsumexp(x, 0),
}
DOT = {
    "dimension_numbers": (((1,), (1,)), ((), ())),
    "precision": None,
    "preferred_element_type": None,
    "out_sharding": None,
}
ELEMENTWISE = sorted(
    {name for name, write in WRITERS.items() if write.__module__ == lax_calls.__name__} - set(STRUCTURED)
)
#: Calls that must stay a bind, since the readable form would give another equation.
BINDS: dict[str, Callable[[Any], Any]] = {
    "accuracy": lambda x: lax.exp(x, accuracy=lax.AccuracyMode.HIGHEST),
    "out_dtype": lambda x: lax.mul_p.bind(x, x),
    "weak": lambda x: lax.convert_element_type_p.bind(x, new_dtype=F16, weak_type=True, sharding=None),
    "same shape": lambda x: lax.reshape_p.bind(x, new_sizes=(2, 3), dimensions=None, sharding=None),
    "order": lambda x: lax.reshape_p.bind(x, new_sizes=(6,), dimensions=(1, 0), sharding=None),
    "dot algorithm": lambda x: lax.dot(x, x.T, precision=lax.DotAlgorithmPreset.F32_F32_F32),
    "identity": lambda x: lax.transpose_p.bind(x, permutation=(0, 1)),
    "no axes": lambda x: lax.reduce_sum_p.bind(x, axes=(), out_sharding=None),
    "one operand": lambda x: lax.concatenate_p.bind(x, dimension=0),
    "nothing squeezed": lambda x: lax.squeeze_p.bind(x, dimensions=()),
}  # fmt: skip


def primitive(name: str) -> Any:
    found = getattr(jax.extend.core.primitives, f"{name}_p", None) or getattr(lax, f"{name}_p", None)
    return found or getattr(lax, f"{name}_p")


@pytest.mark.parametrize("name", [name for name in ELEMENTWISE if name != "log2" or hasattr(lax, "log2")])
def test_elementwise(name: str) -> None:
    prim = primitive(name)
    params = lax_calls.defaults(name)
    seen = 0
    for args in [*OPERANDS, *SCALARS[2]]:
        literal = len(args) == 2 and (np.ndim(args[0]), np.ndim(args[1])) != (2, 2)
        given = tuple(a for a in args if np.ndim(a)) if literal else args
        try:
            jax.make_jaxpr(lambda *xs: prim.bind(*xs, **params))(*args)
        except (TypeError, ValueError, AssertionError):
            continue  # not operands of this primitive

        def call(*xs: Any, args: tuple[Any, ...] = args) -> Any:
            values = iter(xs)
            return prim.bind(*[next(values) if np.ndim(a) else a for a in args], **params)

        repro = written(call, given)
        assert "lax." in repro.source.split("def repro")[1]
        assert ".bind(" not in repro.source
        seen += 1
    assert seen


@pytest.mark.parametrize("name", STRUCTURED)
def test_structured(name: str) -> None:
    assert ".bind(" not in written(STRUCTURED[name], (F,)).source


@pytest.mark.parametrize("name", BINDS)
def test_what_stays_a_bind(name: str) -> None:
    assert ".bind(" in written(BINDS[name], (F,)).source


def test_dots_under_a_default_precision() -> None:
    with jax.default_matmul_precision("highest"):
        closed = jax.make_jaxpr(lambda x: lax.dot_general_p.bind(x, x, **DOT))(F)
    header = Header(jax_config={"jax_default_matmul_precision": "highest"})
    repro = emit_flat(closed, (F,), header=header)
    again, _ = trace_repro(repro)
    assert ir.fingerprint(again) == repro.header.fingerprint
    assert ".bind(" in repro.source
