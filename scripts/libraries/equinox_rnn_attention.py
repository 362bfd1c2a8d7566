"""Equinox layers: a GRU cell scanned over time, multi-head attention, embedding, layer norm."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Classifier(eqx.Module):
    embedding: eqx.nn.Embedding
    cell: eqx.nn.GRUCell
    attention: eqx.nn.MultiheadAttention
    norm: eqx.nn.LayerNorm
    head: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 4)
        self.embedding = eqx.nn.Embedding(9, 6, key=keys[0])
        self.cell = eqx.nn.GRUCell(6, 6, key=keys[1])
        self.attention = eqx.nn.MultiheadAttention(2, 6, key=keys[2])
        self.norm = eqx.nn.LayerNorm(6)
        self.head = eqx.nn.Linear(6, "scalar", key=keys[3])

    def __call__(self, tokens):
        x = jax.vmap(self.embedding)(tokens)
        x = jax.vmap(self.norm)(x + self.attention(x, x, x))
        last, _ = jax.lax.scan(lambda h, row: (self.cell(row, h), None), jnp.zeros(6), x)
        return self.head(last)


@eqx.filter_jit(donate="none")
def loss_of(model, tokens, labels):
    logits = jax.vmap(model)(tokens)
    return jnp.mean(jnp.maximum(logits, 0) - logits * labels + jnp.log1p(jnp.exp(-jnp.abs(logits))))


random = np.random.default_rng(3)
tokens = jnp.asarray(random.integers(0, 9, (5, 7)))
labels = jnp.asarray(random.integers(0, 2, 5))
model = Classifier(jax.random.key(0))
gradient = eqx.filter_jit(eqx.filter_grad(loss_of))
for _ in range(2):
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.5 * g, gradient(model, tokens, labels)))
print(float(loss_of(model, tokens, labels)))
