"""jax.example_libraries: a stax convnet with dropout, trained by example_libraries' momentum."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.example_libraries import optimizers, stax

init_random_params, predict = stax.serial(
    stax.Conv(4, (3, 3), padding="SAME"),
    stax.BatchNorm(),
    stax.Relu,
    stax.MaxPool((2, 2), strides=(2, 2)),
    stax.FanOut(2),
    stax.parallel(stax.Identity, stax.Conv(4, (1, 1))),
    stax.FanInSum,
    stax.Flatten,
    stax.Dropout(0.9),
    stax.Dense(5),
    stax.LogSoftmax,
)
opt_init, opt_update, get_params = optimizers.momentum(optimizers.inverse_time_decay(0.1, 2, 0.5), mass=0.9)


def loss_of(params, batch, key):
    inputs, targets = batch
    return -jnp.mean(jnp.sum(predict(params, inputs, rng=key) * targets, axis=1))


@jax.jit
def update(i, opt_state, batch, key):
    return opt_update(i, jax.grad(loss_of)(get_params(opt_state), batch, key), opt_state)


random = np.random.default_rng(0)
batch = (
    random.normal(size=(4, 8, 8, 1)).astype(np.float32),
    np.eye(5, dtype=np.float32)[random.integers(0, 5, 4)],
)
_, params = init_random_params(jax.random.PRNGKey(0), (-1, 8, 8, 1))
opt_state = opt_init(params)
for i in range(3):
    opt_state = update(i, opt_state, batch, jax.random.PRNGKey(i))
print(float(loss_of(get_params(opt_state), batch, jax.random.PRNGKey(9))))
