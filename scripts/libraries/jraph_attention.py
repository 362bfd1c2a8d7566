"""Jraph: graph convolution and graph attention on one ring, and segment operations."""

import jax
import jax.numpy as jnp
import jraph
import numpy as np

random = np.random.default_rng(1)
NODES = 6
senders = jnp.concatenate([jnp.arange(NODES), jnp.array([0, 3])])
receivers = jnp.concatenate([jnp.roll(jnp.arange(NODES), -1), jnp.array([2, 5])])
weights = jnp.asarray(random.normal(size=(4, 4)), jnp.float32)
attention = jnp.asarray(random.normal(size=(8, 1)), jnp.float32)


@jax.jit
def forward(weights, attention, nodes):
    graph = jraph.GraphsTuple(
        nodes,
        None,
        senders=senders,
        receivers=receivers,
        n_node=jnp.array([NODES]),
        n_edge=jnp.array([8]),
        globals=None,
    )
    convolve = jraph.GraphConvolution(
        lambda x: x @ weights, symmetric_normalization=True, add_self_edges=True
    )
    attend = jraph.GAT(
        lambda x: x @ weights,
        lambda sent, received, _: jnp.concatenate([sent, received], axis=-1) @ attention,
        jax.nn.elu,
    )
    return attend(convolve(graph)).nodes


@jax.jit
def statistics(nodes):
    softmax = jraph.segment_softmax(nodes[senders, 0], receivers, NODES)
    variance = jraph.segment_variance(nodes[senders], receivers, NODES)
    return softmax.sum(), jraph.segment_max_or_constant(
        nodes[senders], receivers, NODES
    ).sum() + variance.sum()


nodes = jnp.asarray(random.normal(size=(NODES, 4)), jnp.float32)
gradient = jax.jit(jax.grad(lambda w: jnp.sum(forward(w, attention, nodes) ** 2)))
for _ in range(2):
    weights = weights - 0.01 * gradient(weights)
total, spread = statistics(forward(weights, attention, nodes))
print(float(total), float(spread))
