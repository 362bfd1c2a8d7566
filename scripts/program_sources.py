"""Where benchmarks and campaigns have their programs from: texts made from seeds, traced and written as repros."""

import random

import numpy as np

OPERANDS = ("a", "b", "c")
COMPOSED = (
    "jnp.sin({0}) * {1}",
    "{0} + {1} * 0.5",
    "jnp.cumsum({0}) - {1}",
    "jnp.where({0} > {1}, {0}, {1} * 2)",
    "jnp.dot({0}, {1}) + {0}",
    "jnp.sort({0}) - {1}",
    "jnp.max({0}) * {1}",
    "lax.fori_loop(0, 3, lambda i, v: v * 0.5 + {1}, {0})",
    "lax.scan(lambda c, x: (c + x, c * x), {0}[0], {1})[1]",
    "lax.cond({0}[0] > {1}[0], jnp.exp, jnp.tanh, {0})",
    "jnp.roll({0}, 2) - {1}",
    "{0}.at[1:3].add({1}[:2])",
    "jnp.outer({0}, {1}).sum(axis=1)",
)


def composition(seed):
    """The text of `def program(a, b)`: a chain of two to six small steps."""
    chooser = random.Random(f"composition {seed}")
    lines = ["def program(a, b):", "    c = a - b"]
    for _ in range(chooser.randint(2, 6)):
        step = chooser.choice(COMPOSED).format(chooser.choice(OPERANDS), chooser.choice(OPERANDS))
        lines.append(f"    {chooser.choice(OPERANDS)} = {step}")
    return "\n".join([*lines, "    return a, b, c", ""])


def traced(text, arrays):
    """The repro of a program's text, in 64-bit mode where its arrays are; None when JAX does not take it."""
    import jax

    from jace_repro.emitter import emit_flat
    from jace_repro.repro import Header, current_config

    space = {}
    exec("import jax\nimport jax.numpy as jnp\nfrom jax import lax\n" + text, space)
    try:
        with jax.enable_x64(any(array.dtype.itemsize == 8 for array in arrays)):
            closed = jax.make_jaxpr(space["program"])(*arrays)
            return emit_flat(closed, arrays, header=Header(name="random", jax_config=current_config()))
    except Exception:  # random programs may be ill-typed or leak tracers: their maker does not look
        return None


def normal(size):
    """`seed -> two f32[size]` with elements of a normal distribution."""

    def arrays(seed):
        return [np.random.RandomState(seed + k).randn(size).astype(np.float32) for k in range(2)]

    return arrays


def generated(maker, inputs, seeds):
    """Repros of `maker(seed)` on `inputs(seed)` for these seeds, distinct by fingerprint: (seed, Repro)."""
    seen = set()
    for seed in seeds:
        repro = traced(maker(seed), inputs(seed))
        if repro is not None and repro.header.fingerprint not in seen:
            seen.add(repro.header.fingerprint)
            yield seed, repro
