"""Flax NNX: a GRU over time, attention, nnx.scan over stacked layers made by nnx.vmap."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


class Layer(nnx.Module):
    def __init__(self, rngs):
        self.attention = nnx.MultiHeadAttention(2, 8, decode=False, rngs=rngs)
        self.norm = nnx.RMSNorm(8, rngs=rngs)

    def __call__(self, x):
        return x + self.attention(self.norm(x))


class Stack(nnx.Module):
    def __init__(self, layers, rngs):
        self.embed = nnx.Embed(11, 8, rngs=rngs)

        @nnx.split_rngs(splits=layers)
        @nnx.vmap(in_axes=(0,), out_axes=0)
        def make(rngs):
            return Layer(rngs)

        self.layers = make(rngs)
        self.rnn = nnx.RNN(nnx.GRUCell(8, 4, rngs=rngs))

    def __call__(self, tokens):
        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
        def forward(x, layer):
            return layer(x)

        return self.rnn(forward(self.embed(tokens), self.layers))


@nnx.jit
def loss_and_gradient(model, tokens):
    return nnx.value_and_grad(lambda model: jnp.mean(model(tokens) ** 2))(model)


tokens = jnp.asarray(np.random.default_rng(2).integers(0, 11, (3, 5)))
model = Stack(2, nnx.Rngs(0))
for _ in range(2):
    loss, gradients = loss_and_gradient(model, tokens)
    params = nnx.state(model, nnx.Param)
    nnx.update(model, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients))
print(float(loss))
