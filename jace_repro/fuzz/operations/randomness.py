"""Random numbers: JAX's generators, and what is made of their bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.draw import Draw, dtype_of
from jace_repro.fuzz.operations.registry import operation

_random: Any = jax.random

#: Distributions, and what they take after the key.
DISTRIBUTIONS: dict[str, tuple[Any, ...]] = {
    "uniform": (), "normal": (), "exponential": (), "gumbel": (), "laplace": (), "logistic": (), "cauchy": (),
    "rademacher": (), "bernoulli": (0.3,), "truncated_normal": (-1.0, 2.0), "gamma": (0.7,), "beta": (2.0, 0.5),
    "poisson": (4.0,), "t": (3.0,), "dirichlet": (np.ones(3, np.float32),),
    "categorical": (np.zeros((3, 4), np.float32),),
    "maxwell": (), "pareto": (2.0,), "weibull_min": (1.0, 2.0), "rayleigh": (1.0,), "ball": (3,), "orthogonal": (3,),
    "geometric": (0.4,), "binomial": (9.0, 0.4), "triangular": (0.0, 0.3, 1.0), "wald": (1.0,), "lognormal": (),
    "chisquare": (3.0,), "f": (3.0, 4.0), "loggamma": (0.4,), "double_sided_maxwell": (0.0, 1.0),
}  # fmt: skip
#: They take no shape of their own.
_SHAPED = frozenset({"dirichlet", "categorical", "ball", "orthogonal"})


def _key(d: Draw) -> Callable[..., Any]:
    """Asks for the words of a key, answers what makes a key of them."""
    kind = d.pick("generator", ("threefry2x32", "threefry2x32", "threefry2x32", "rbg", "unsafe_rbg"))
    d.array(shape=(2 if kind == "threefry2x32" else 4,), dtype=dtype_of("uint32"), domain="special")
    return lambda words: _random.wrap_key_data(words, impl=kind)


@operation
def _bits(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    shape = d.shape()
    dtype = dtype_of(d.pick("dtype", ("uint32", "uint8", "uint16", *(("uint64",) * d.x64))))
    return lambda words: _random.bits(key(words), shape, dtype)


@operation
def _distribution(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    name = d.pick("distribution", tuple(DISTRIBUTIONS))
    more = DISTRIBUTIONS[name]
    named = {} if name in _SHAPED else {"shape": d.pick("shape", ((), (3,), (2, 5), (17,)))}
    return lambda words: getattr(_random, name)(key(words), *more, **named)


@operation
def _randint(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    dtype = dtype_of(d.pick("dtype", ("int32", "uint8", "int8", "uint32", "int16")))
    info = np.iinfo(dtype)
    low, high = d.pick("range", ((0, 10), (0, 1), (5, 100), (info.min, info.max), (3, 3), (9, 2)))
    return lambda words: _random.randint(key(words), (2, 7), low, high, dtype)


@operation
def _keys(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    count = d.pick("count", (1, 2, 3, 5))
    return lambda words: (
        _random.key_data(_random.split(key(words), count)),
        _random.key_data(_random.fold_in(key(words), count)),
        _random.key_data(_random.clone(key(words))),
    )


@operation
def _permutation(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    d.array("fi", rank=d.pick("rank", (1, 2)), least=1)
    independent = d.flag("independent")
    return lambda words, x: _random.permutation(key(words), x, independent=independent)


@operation
def _choice(d: Draw) -> Callable[..., Any]:
    key = _key(d)
    replace = d.flag("replace")
    weights = jnp.array([0.1, 0.2, 0.3, 0.4]) if d.flag("weights") else None
    return lambda words: _random.choice(key(words), 4, (3,), replace=replace, p=weights)


@operation
def _rng_bit_generator(d: Draw) -> Callable[..., Any]:
    algorithm = d.pick(
        "algorithm",
        (lax.RandomAlgorithm.RNG_THREE_FRY, lax.RandomAlgorithm.RNG_PHILOX, lax.RandomAlgorithm.RNG_DEFAULT),
    )
    words = d.pick("state", ("uint32", *(("uint64",) * d.x64)))
    d.array(shape=(4,) if words == "uint32" else (2,), dtype=dtype_of(words), domain="special")
    shape = d.shape(large=False)
    dtype = dtype_of(d.pick("dtype", ("uint32", "uint8", "uint16", *(("uint64",) * d.x64))))
    wraps = d.flag("counter wraps")

    def bits(words: Any) -> Any:
        if 0 in shape:
            return _random.key_data(_random.wrap_key_data(words, impl="rbg"))
        key, counter = jnp.split(words, 2)
        words = jnp.concatenate([key, ~(counter & 1)]) if wraps else words
        return lax.rng_bit_generator(words, shape, dtype, algorithm=algorithm)

    return bits


@operation
def _threefry(d: Draw) -> Callable[..., Any]:
    """The primitive itself, on keys and counters of one element each and of many."""
    from jax.extend.random import threefry2x32_p

    shape = d.shape()
    for _ in range(4):
        d.array(shape=shape, dtype=dtype_of("uint32"), domain="special")
    return lambda *arrays: tuple(threefry2x32_p.bind(*arrays))
