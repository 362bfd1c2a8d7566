"""Optax's losses and projections: cross entropies, CTC, Huber, contrastive; gradients of each."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

random = np.random.default_rng(2)
logits = jnp.asarray(random.normal(size=(6, 5)), jnp.float32)
labels = jnp.asarray(random.integers(0, 5, 6))


@jax.jit
def losses(logits):
    one_hot = optax.smooth_labels(jax.nn.one_hot(labels, 5), 0.1)
    return {
        "cross_entropy": optax.softmax_cross_entropy(logits, one_hot).mean(),
        "focal": optax.sigmoid_focal_loss(logits, one_hot, gamma=2.0).mean(),
        "huber": optax.huber_loss(logits, delta=0.5).mean(),
        "hinge": optax.hinge_loss(logits[:, 0], 2.0 * (labels > 2) - 1).mean(),
        "kl": optax.kl_divergence(jax.nn.log_softmax(logits), jax.nn.softmax(logits[::-1])).mean(),
        "cosine": optax.cosine_distance(logits, logits[::-1]).mean(),
        "ctc": optax.ctc_loss(
            logits[None], jnp.zeros((1, 6)), labels[None, :3] % 4 + 1, jnp.zeros((1, 3))
        ).mean(),
    }


gradients = jax.jit(jax.jacrev(losses))(logits)
on_simplex = optax.projections.projection_simplex(logits[0])
total = sum(float(jnp.abs(g).sum()) for g in gradients.values())
print(total, float(sum(losses(logits).values())), float(on_simplex.max()))
