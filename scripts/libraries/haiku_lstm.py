"""dm-haiku: an LSTM by dynamic_unroll, hk.scan inside a module, and hk.remat."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


class Smoother(hk.Module):
    def __call__(self, x):
        decay = hk.get_parameter("decay", x.shape[-1:], init=jnp.zeros)

        def body(carry, row):
            carry = jax.nn.sigmoid(decay) * carry + (1 - jax.nn.sigmoid(decay)) * row
            return carry, carry

        return hk.scan(body, jnp.zeros_like(x[0]), x)[1]


def network(x):
    core = hk.LSTM(6)
    x, _ = hk.dynamic_unroll(core, x, core.initial_state(x.shape[1]))
    x = hk.remat(Smoother())(x)
    return hk.Linear(1)(x[-1])


model = hk.without_apply_rng(hk.transform(network))
x = jnp.asarray(np.random.default_rng(2).normal(size=(5, 2, 4)), jnp.float32)
params = model.init(jax.random.key(0), x)
gradient = jax.jit(jax.value_and_grad(lambda params, x: jnp.mean((model.apply(params, x) - 1.0) ** 2)))
for _ in range(3):
    loss, gradients = gradient(params, x)
    params = jax.tree.map(lambda p, g: p - 0.3 * g, params, gradients)
print(float(loss))
