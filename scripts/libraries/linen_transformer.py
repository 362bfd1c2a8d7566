"""A small causal language model in Flax Linen, with remat, trained a little and then sampled from."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

VOCABULARY, WIDTH, LENGTH = 13, 8, 6


class Block(nn.Module):
    @nn.compact
    def __call__(self, x, mask):
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(nn.LayerNorm()(x), mask=mask)
        return x + nn.Dense(WIDTH)(nn.gelu(nn.Dense(2 * WIDTH)(nn.RMSNorm()(x))))


class Model(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        positions = self.param("positions", nn.initializers.normal(0.02), (LENGTH, WIDTH))
        x = nn.Embed(VOCABULARY, WIDTH)(tokens) + positions
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            x = nn.remat(Block)()(x, mask)
        return nn.Dense(VOCABULARY)(x)


model = Model()
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2))


@jax.jit
def train_step(params, opt_state, tokens):
    def loss_of(params):
        logits = model.apply(params, tokens)[:, :-1]
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    updates, opt_state = optimizer.update(gradients, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def generate(params, key, tokens):
    def body(i, carry):
        tokens, key = carry
        key, sample_key = jax.random.split(key)
        logits = model.apply(params, tokens)[:, i]
        sampled = jax.random.categorical(sample_key, logits).astype(tokens.dtype)
        return tokens.at[:, i + 1].set(sampled), key

    return jax.lax.fori_loop(0, LENGTH - 1, body, (tokens, key))[0]


tokens = jnp.asarray(np.random.default_rng(2).integers(0, VOCABULARY, (4, LENGTH)), jnp.int32)
params = model.init(jax.random.key(0), tokens)
opt_state = optimizer.init(params)
for _ in range(2):
    params, opt_state, loss = train_step(params, opt_state, tokens)
print(float(loss), int(generate(params, jax.random.key(3), tokens[:1]).sum()))
