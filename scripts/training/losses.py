"""What is minimized."""

import jax
import jax.numpy as jnp
import model


@jax.jit
def cross_entropy(logits, labels):
    """The mean over the batch."""
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return -chosen.mean()


@jax.jit
def decay(parameters):
    """Half the sum of squares of all matrices."""
    return 0.5 * sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(parameters) if leaf.ndim > 1)


def total(parameters, sequences, labels, weight):
    """The loss of a batch."""
    return cross_entropy(model.logits(parameters, sequences), labels) + weight * decay(parameters)


value_and_gradient = jax.jit(jax.value_and_grad(total))


@jax.jit
def per_example_norms(parameters, sequences, labels):
    """The norm of each example's gradient (N,)."""

    def one(sequence, label):
        gradient = jax.grad(total)(parameters, sequence[None], label[None], 0.0)
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))

    return jax.vmap(one)(sequences, labels)
