"""A producer thread and a consumer: jitted preprocessing in a worker, training in the main thread."""

import queue
import threading

import jax
import jax.numpy as jnp
import numpy as np

batches = queue.Queue(maxsize=2)


@jax.jit
def preprocess(raw):
    centred = raw - raw.mean(axis=0)
    return jnp.concatenate([centred, centred**2], axis=-1)


def produce():
    random = np.random.default_rng(9)
    for _ in range(3):
        raw = random.normal(size=(6, 2)).astype(np.float32)
        batches.put((preprocess(raw), raw.sum(axis=1)))
    batches.put(None)


@jax.jit
def step(weights, features, targets):
    loss, gradient = jax.value_and_grad(lambda w: jnp.mean((features @ w - targets) ** 2))(weights)
    return weights - 0.1 * gradient, loss


producer = threading.Thread(target=produce)
producer.start()
weights = jnp.zeros(4)
while (batch := batches.get()) is not None:
    weights, loss = step(weights, *batch)
producer.join()
print(float(loss), float(weights.sum()))
