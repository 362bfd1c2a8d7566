"""Random bits: rng_bit_generator, rng_uniform, threefry2x32.

rng_bit_generator is bit for bit what XLA CPU makes of it: xla/hlo/transforms/expanders/rng_bit_generator_expander.cc
(which words of the state are key and counter) and xla/hlo/builder/lib/prng.cc (which element gets which counter and
word). Its default algorithm on CPU is Philox. Keys of typed PRNGs are expanded to these primitives before
(`jace.ir.expand`).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import numpy as np
from jax.extend.core import JaxprEqn
from jax.lax import RandomAlgorithm

from jace.dtypes import accumulation, ctype
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix, constant, linear
from jace.registry import register_index_map, register_region
from jace.rules.combining import convert


@register_index_map("threefry2x32", cost=64)
def _threefry2x32(em: Emitter, eqn: JaxprEqn, index: Index, k: int) -> str:
    shape = eqn.outvars[k].aval.shape
    words = [em.value(v, em.broadcast(index, shape, v.aval.shape)) for v in eqn.invars]
    both = em.let(np.uint64, f"jace::random::threefry2x32({', '.join(words)})")
    return em.let(np.uint32, f"jace::random::{('lower', 'upper')[k]}({both})")


def _state(em: Emitter, state: Ref) -> list[str]:
    """Names of the two 64-bit words of a u64[2] or u32[4] state."""
    words = [em.load(state, (constant(i),)) for i in range(state.shape[0])]
    if state.dtype == np.uint32:
        words = [
            em.let(np.uint64, f"jace::random::join({a}, {b})")
            for a, b in zip(*[iter(words)] * 2, strict=True)
        ]
    return words


def _advance(planner: Planner, old: Ref, new: Ref, by: int) -> None:
    """`new` = `old` with the second 64-bit word, the counter, advanced."""

    def body(em: Emitter, index: Index) -> None:
        key, counter = _state(em, old)
        pointer = f"w_{new.buffer.name}"
        words = [key, em.let(np.uint64, f"{counter} + {by}UL")]
        if new.dtype == np.uint32:
            words = [f"jace::random::{half}({w})" for w in words for half in ("lower", "upper")]
        for i, word in enumerate(words):
            em.line(f"{pointer}[{new.address((constant(i),))}] = {word};")

    planner.kernel("rng_state", (), body, writes=[new])


def _put(em: Emitter, out: Ref, position: Ix, value: str) -> None:
    """Store a value as the element at a position of the flat array."""
    base = out.address((ZERO,) * len(out.shape))
    em.line(f"w_{out.buffer.name}[{base + position}] = ({ctype(out.dtype)}){value};")


def _philox(planner: Planner, state: Ref, out: Ref) -> int:
    """Write the bits, the four words of each counter in order; answer how many counters that took."""
    size = math.prod(out.shape)
    each = 2 if out.dtype == np.uint64 else 4
    counters = -(-size // each)

    def body(em: Emitter, index: Index) -> None:
        key, counter = _state(em, state)
        (n,) = index
        block = em.fresh()
        em.line(f"const auto {block} = jace::random::philox4x32({key}, {counter}, {key}, {n});")
        words = [f"{block}.word[{i}]" for i in range(4)]
        if each == 2:
            words = [
                f"jace::random::join({words[0]}, {words[1]})",
                f"jace::random::join({words[2]}, {words[3]})",
            ]
        for i, word in enumerate(words):
            at = n * each + i
            if size % each <= i and size % each:
                with em.block(f"if ({at} < {size})"):
                    _put(em, out, at, word)
            else:
                _put(em, out, at, word)

    planner.kernel("philox", (counters,), body, writes=[out], independent=True)
    return counters


def _threefry(planner: Planner, state: Ref, out: Ref) -> int:
    """Write the bits; answer how many counters that took.

    A counter makes one 64-bit element or two neighbours along the first even dimension (the longest if none is).
    """
    shape = out.shape or (1,)
    wide = out.dtype == np.uint64
    split = next((d for d, n in enumerate(shape) if n % 2 == 0), shape.index(max(shape)))
    halves = shape if wide else (*shape[:split], -(-shape[split] // 2), *shape[split + 1 :])

    def body(em: Emitter, index: Index) -> None:
        key, counter = _state(em, state)
        n = em.let(np.uint64, f"{counter} + ({linear(index, halves)})")
        words = [f"jace::random::{half}({name})" for name in (key, n) for half in ("lower", "upper")]
        both = em.let(np.uint64, f"jace::random::threefry2x32({', '.join(words)})")
        if wide:
            _put(em, out, linear(index, shape), both)
            return
        for word, half in enumerate(("lower", "upper")):
            at = (*index[:split], index[split] * 2 + word, *index[split + 1 :])
            value = f"jace::random::{half}({both})"
            if word and shape[split] % 2:
                with em.block(f"if ({at[split]} < {shape[split]})"):
                    _put(em, out, linear(at, shape), value)
            else:
                _put(em, out, linear(at, shape), value)

    planner.kernel("threefry", halves, body, writes=[out], independent=True)
    return math.prod(halves)


_ALGORITHMS: dict[RandomAlgorithm, Callable[[Planner, Ref, Ref], int]] = {
    RandomAlgorithm.RNG_DEFAULT: _philox,
    RandomAlgorithm.RNG_PHILOX: _philox,
    RandomAlgorithm.RNG_THREE_FRY: _threefry,
}


@register_region("rng_bit_generator")
def _rng_bit_generator(planner: Planner, eqn: JaxprEqn) -> None:
    """Key u64[2] or u32[4]; bits uint8, uint16 (the lower parts of 32-bit words), uint32 or uint64."""
    state = planner.stored(eqn.invars[0])
    new, bits = (planner.output(v) for v in eqn.outvars)
    counters = _ALGORITHMS[eqn.params["algorithm"]](planner, state, bits)
    _advance(planner, state, new, counters)


@register_region("rng_uniform", lazy=(0, 1))
def _rng_uniform(planner: Planner, eqn: JaxprEqn) -> None:
    """Numbers in [a, b) by XLA's formula; other ones at each call.

    Which numbers is up to the implementation: XLA derives its Philox key from its numbering of instructions. Here
    the key is a hash of the result's type and the counters belong to the compiled program.
    """
    out = planner.output(eqn.outvars[0])
    dtype = out.dtype
    wide = accumulation(dtype)
    word = np.dtype(np.uint64 if wide.itemsize == 8 else np.uint32)
    bits, first = planner.temp(out.shape, word), planner.temp((2,), np.uint64)
    size = math.prod(out.shape)
    key = zlib.crc32(f"{dtype}{out.shape}".encode())

    def counters(em: Emitter, index: Index) -> None:
        pointer = f"w_{first.buffer.name}"
        em.line(f"{pointer}[0] = {key}UL; {pointer}[1] = jace::random::fresh_counters({size});")

    def scale(em: Emitter, index: Index) -> None:
        low, high = (convert(dtype, wide, em.value(v, ())) for v in eqn.invars)
        random = em.load(bits, index)
        number = em.let(wide, f"jace::random::uniform({random}, {low}, {high})")
        em.line(f"w_{out.buffer.name}[{out.address(index)}] = {convert(wide, dtype, number)};")

    planner.kernel("rng_counters", (), counters, writes=[first])
    _philox(planner, first, bits)
    planner.kernel("rng_uniform", out.shape, scale, writes=[out], independent=True)
