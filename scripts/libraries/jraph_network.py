"""Jraph: a full graph network on a batch of two graphs, padded, trained by gradient descent."""

import jax
import jax.numpy as jnp
import jraph
import numpy as np

random = np.random.default_rng(0)


def make_graph(nodes, edges):
    return jraph.GraphsTuple(
        nodes=random.normal(size=(nodes, 3)).astype(np.float32),
        edges=random.normal(size=(edges, 2)).astype(np.float32),
        senders=random.integers(0, nodes, edges),
        receivers=random.integers(0, nodes, edges),
        n_node=np.array([nodes]),
        n_edge=np.array([edges]),
        globals=random.normal(size=(1, 2)).astype(np.float32),
    )


graph = jraph.pad_with_graphs(jraph.batch_np([make_graph(4, 5), make_graph(3, 6)]), 10, 16, 3)
params = {
    "edge": jnp.asarray(random.normal(size=(2 + 3 + 3 + 2, 4)), jnp.float32) / 3,
    "node": jnp.asarray(random.normal(size=(3 + 4 + 4 + 2, 3)), jnp.float32) / 3,
    "global": jnp.asarray(random.normal(size=(3 + 4 + 2, 1)), jnp.float32) / 3,
}


def apply(params, graph):
    network = jraph.GraphNetwork(
        update_edge_fn=jraph.concatenated_args(lambda x: jax.nn.relu(x @ params["edge"])),
        update_node_fn=jraph.concatenated_args(lambda x: jax.nn.relu(x @ params["node"])),
        update_global_fn=jraph.concatenated_args(lambda x: x @ params["global"]),
    )
    return network(graph)


@jax.jit
def step(params, graph):
    def loss_of(params):
        mask = jraph.get_graph_padding_mask(graph)
        return jnp.sum(jnp.where(mask[:, None], (apply(params, graph).globals - 1.0) ** 2, 0.0))

    loss, gradients = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, gradients), loss


for _ in range(3):
    params, loss = step(params, graph)
print(float(loss))
