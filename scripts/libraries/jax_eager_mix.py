"""Eager array code between jitted calls: indexing, at-updates, boolean masks, NumPy interoperability, reductions."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def relax(grid):
    neighbours = jnp.roll(grid, 1, 0) + jnp.roll(grid, -1, 0) + jnp.roll(grid, 1, 1) + jnp.roll(grid, -1, 1)
    return 0.25 * neighbours


grid = jnp.zeros((8, 8)).at[2:4, 3].set(1.0).at[5, 5].add(2.0)
residuals = []
for _ in range(3):
    new = relax(grid)
    new = jnp.where(grid > 0.9, grid, new)
    residuals.append(float(jnp.abs(new - grid).max()))
    grid = new
hot = grid[grid > 0.2]
rows, columns = jnp.nonzero(grid > 0.2)
profile = np.array(grid.mean(axis=0))
profile[0] += 1.0
order = jnp.argsort(-jnp.asarray(profile))
table = jnp.concatenate([jnp.asarray(profile)[None], grid[order[0]][None], jnp.flip(grid[0])[None]])
histogram, _ = jnp.histogram(grid, bins=4)
unique = jnp.unique(jnp.round(grid, 1))
table = table * 2 + jnp.linspace(0, 1, 8, dtype=jnp.float16).astype(jnp.float32) ** 2
mean, deviation = table.mean(), jnp.std(table, ddof=1)
print(
    residuals[-1],
    int(rows[0] + columns[-1]),
    hot.shape,
    float(mean + deviation),
    int(histogram[0]),
    unique.size,
)
