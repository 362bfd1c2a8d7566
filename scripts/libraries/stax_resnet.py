"""jax.example_libraries: a residual network of stax layers of one's own, adam with clipped gradients."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.example_libraries import optimizers, stax


def residual(width):
    main = stax.serial(stax.Dense(width), stax.Gelu, stax.Dense(width))
    return stax.serial(stax.FanOut(2), stax.parallel(main, stax.Identity), stax.FanInSum, stax.Tanh)


init, apply = stax.serial(stax.Dense(6), residual(6), residual(6), stax.Dense(1))
opt = optimizers.adam(optimizers.polynomial_decay(1e-2, 10, 1e-3))


@jax.jit
def step(i, state, x, y):
    loss, gradients = jax.value_and_grad(lambda p: jnp.mean((apply(p, x) - y) ** 2))(opt.params_fn(state))
    return opt.update_fn(i, optimizers.clip_grads(gradients, 1.0), state), loss


random = np.random.default_rng(1)
x = random.normal(size=(8, 3)).astype(np.float32)
y = np.sin(x[:, :1])
shape, params = init(jax.random.key(0), (-1, 3))
state = opt.init_fn(params)
for i in range(3):
    state, loss = step(i, state, x, y)
unpacked = optimizers.unpack_optimizer_state(state)
print(float(loss), shape, float(optimizers.l2_norm(opt.params_fn(optimizers.pack_optimizer_state(unpacked)))))
