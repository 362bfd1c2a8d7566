"""Turbulent kinetic energy of an ocean model (pyhpc benchmark 3), after Gaspar et al. (1990).

One time step: implicit vertical mixing and dissipation (a tridiagonal system per water column, solved by two
scans), lateral diffusion, superbee-limited advection on the W grid, and Adams-Bashforth extrapolation.

    python turbulent_kinetic_energy.py [SIZE]        SIZE: number of grid cells, default 2^14
"""

import math
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

NOW, NEXT, BEFORE = 0, 1, 2
DT = 1.0
AB_EPS = 0.1
ALPHA = 1.0
C_EPS = 0.7
K_LATERAL = 2000.0
TINY = 1e-20

INNER = slice(2, -2)


@jax.jit
def thomas(lower, diagonal, upper, right):
    """Solves tridiagonal systems along the last axis; every argument is (X, Y, Z)."""

    def forward(carry, row):
        upper_before, right_before = carry
        a, b, c, d = row
        pivot = b - a * upper_before
        step = (c / pivot, (d - a * right_before) / pivot)
        return step, step

    def backward(solution_after, row):
        c, d = row
        solution = d - c * solution_after
        return solution, solution

    rows = tuple(jnp.moveaxis(x, 2, 0) for x in (lower, diagonal, upper, right))
    zeros = jnp.zeros_like(rows[0][0])
    _, eliminated = jax.lax.scan(forward, (zeros, zeros), rows)
    _, solution = jax.lax.scan(backward, zeros, eliminated, reverse=True)
    return jnp.moveaxis(solution, 0, 2)


def solve_columns(bottom, lower, diagonal, upper, right, bottom_diagonal):
    """Solves in the water above level `bottom` of each column; rock keeps the identity."""
    level = jnp.arange(lower.shape[2])
    column = bottom[:, :, None]
    is_land_point = column >= 0
    at_bottom = is_land_point & (level == column)
    water = is_land_point & (level >= column)
    diagonal = jnp.where(at_bottom, bottom_diagonal, jnp.where(water, diagonal, 1.0))
    return thomas(water * lower * ~at_bottom, diagonal, water * upper, water * right), water


def superbee(ratio):
    return jnp.maximum(0.0, jnp.maximum(jnp.minimum(1.0, 2.0 * ratio), jnp.minimum(2.0, ratio)))


def advective_flux(velocity, field, mask, width, factor, axis):
    """Second-order flux with a superbee limiter through the faces along `axis`, on the interior."""
    if axis == 2:
        velocity, field, mask = (jnp.pad(x, ((0, 0), (0, 0), (1, 1))) for x in (velocity, field, mask))

    def shifted(array, n):
        along = slice(1 + n, (n - 2) or None)
        across = slice(None) if axis != 2 else INNER
        index = [INNER, INNER, across]
        index[axis] = along
        return array[tuple(index)]

    speed = factor * shifted(velocity, 0)
    courant = jnp.abs(speed * DT / width)
    ahead = (shifted(field, 2) - shifted(field, 1)) * shifted(mask, 1)
    here = (shifted(field, 1) - shifted(field, 0)) * shifted(mask, 0)
    behind = (shifted(field, 0) - shifted(field, -1)) * shifted(mask, -1)
    upwind = jnp.where(shifted(velocity, 0) > 0.0, behind, ahead)
    limit = superbee(upwind / jnp.where(jnp.abs(here) < TINY, TINY, here))
    centred = speed * (shifted(field, 1) + shifted(field, 0)) * 0.5
    return centred - jnp.abs(speed) * ((1.0 - limit) + courant * limit) * here * 0.5


@jax.jit
def advect(field, u, v, w, mask_w, dxt, dyt, dzw, cost, cosu):
    """Fluxes of `field` (X, Y, Z) through the eastern, northern and top faces of the W grid."""
    east = jnp.zeros_like(mask_w).at[:-1].set(mask_w[1:] * mask_w[:-1])
    north = jnp.zeros_like(mask_w).at[:, :-1].set(mask_w[:, 1:] * mask_w[:, :-1])
    top = jnp.zeros_like(mask_w).at[:, :, :-1].set(mask_w[:, :, 1:] * mask_w[:, :, :-1])

    width = cost[None, INNER, None] * dxt[1:-2, None, None]
    flux_east = jnp.zeros_like(mask_w).at[1:-2, INNER].set(advective_flux(u, field, east, width, 1.0, 0))
    width = (cost * dyt)[None, 1:-2, None]
    cosine = cosu[None, 1:-2, None]
    flux_north = jnp.zeros_like(mask_w).at[INNER, 1:-2].set(advective_flux(v, field, north, width, cosine, 1))
    flux_top = jnp.zeros_like(mask_w)
    flux_top = flux_top.at[INNER, INNER, :-1].set(advective_flux(w, field, top, dzw[:-1], 1.0, 2))
    return flux_east, flux_north, flux_top


def divergence(flux_east, flux_north, dxt, dyt, cost):
    """Horizontal divergence on the interior."""
    cosine = cost[None, INNER, None]
    from_east = (flux_east[2:-2, INNER] - flux_east[1:-3, INNER]) / (cosine * dxt[INNER, None, None])
    from_north = (flux_north[INNER, 2:-2] - flux_north[INNER, 1:-3]) / (cosine * dyt[None, INNER, None])
    return from_east + from_north


def vertical_system(energy, kappa, mixing_length, forcing, surface_forcing, dzt, dzw):
    """The tridiagonal system of implicit mixing and dissipation on the interior columns."""
    dissipation = DT * C_EPS * jnp.sqrt(jnp.maximum(0.0, energy)) / mixing_length
    half_top = 0.5 * dzw[-1]
    delta = (
        jnp.zeros_like(energy)
        .at[:, :, :-1]
        .set(DT * ALPHA * 0.5 * (kappa[:, :, :-1] + kappa[:, :, 1:]) / dzt[1:])
    )

    lower = jnp.zeros_like(energy).at[:, :, 1:-1].set(-delta[:, :, :-2] / dzw[1:-1])
    lower = lower.at[:, :, -1].set(-delta[:, :, -2] / half_top)
    diagonal = jnp.zeros_like(energy)
    diagonal = diagonal.at[:, :, 1:-1].set(
        1.0 + (delta[:, :, 1:-1] + delta[:, :, :-2]) / dzw[1:-1] + dissipation[:, :, 1:-1]
    )
    diagonal = diagonal.at[:, :, -1].set(1.0 + delta[:, :, -2] / half_top + dissipation[:, :, -1])
    bottom_diagonal = 1.0 + delta / dzw + dissipation
    upper = jnp.zeros_like(energy).at[:, :, :-1].set(-delta[:, :, :-1] / dzw[:-1])
    right = (energy + DT * forcing).at[:, :, -1].add(DT * surface_forcing / half_top)
    return lower, diagonal, upper, right, bottom_diagonal


@jax.jit
def integrate_tke(
    u, v, w, mask_u, mask_v, mask_w, dxt, dxu, dyt, dyu, dzt, dzw, cost, cosu, kbot, kappa, mixing_length,
    forcing, surface_forcing, tke, dtke,
):  # fmt: skip
    """One step: returns tke and dtke (X, Y, Z, 3) and the surface correction (X, Y), all f64."""
    inner = (INNER, INNER)
    energy = tke[..., NOW]

    system = vertical_system(
        energy[inner], kappa[inner], mixing_length[inner], forcing[inner], surface_forcing[inner], dzt, dzw
    )
    solution, water = solve_columns(kbot[inner] - 1, *system)
    tke = tke.at[(*inner, slice(None), NEXT)].set(
        jnp.where(water, solution, tke[(*inner, slice(None), NEXT)])
    )

    # A density flux that drains more than there is would leave negative energy in the uppermost box.
    surface = tke[(*inner, -1, NEXT)]
    correction = jnp.where(surface < 0.0, -surface * 0.5 * dzw[-1] / DT, 0.0)
    correction = jnp.zeros_like(mask_u[..., -1]).at[inner].set(correction)
    tke = tke.at[(*inner, -1, NEXT)].set(jnp.maximum(0.0, surface))

    slope_east = (energy[1:] - energy[:-1]) / (cost[None, :, None] * dxu[:-1, None, None])
    flux_east = jnp.zeros_like(mask_u).at[:-1].set(K_LATERAL * slope_east * mask_u[:-1])
    slope_north = (energy[:, 1:] - energy[:, :-1]) / dyu[None, :-1, None]
    flux_north = jnp.zeros_like(mask_u)
    flux_north = flux_north.at[:, :-1].set(K_LATERAL * slope_north * mask_v[:, :-1] * cosu[None, :-1, None])
    tke = tke.at[(*inner, slice(None), NEXT)].add(
        DT * mask_w[inner] * divergence(flux_east, flux_north, dxt, dyt, cost)
    )

    flux_east, flux_north, flux_top = advect(
        energy, u[..., NOW], v[..., NOW], w[..., NOW], mask_w, dxt, dyt, dzw, cost, cosu
    )
    dtke = dtke.at[(*inner, slice(None), NOW)].set(
        -mask_w[inner] * divergence(flux_east, flux_north, dxt, dyt, cost)
    )
    dtke = dtke.at[:, :, 0, NOW].add(-flux_top[:, :, 0] / dzw[0])
    dtke = dtke.at[:, :, 1:-1, NOW].add(-(flux_top[:, :, 1:-1] - flux_top[:, :, :-2]) / dzw[1:-1])
    dtke = dtke.at[:, :, -1, NOW].add(-(flux_top[:, :, -1] - flux_top[:, :, -2]) / (0.5 * dzw[-1]))

    tke = tke.at[..., NEXT].add(DT * ((1.5 + AB_EPS) * dtke[..., NOW] - (0.5 + AB_EPS) * dtke[..., BEFORE]))
    return tke, dtke, correction


def inputs(size):
    """The arguments of integrate_tke on a grid of about `size` cells, f64; kbot is i64."""
    random = np.random.RandomState(17)
    edge = size ** (1 / 3)
    nx = ny = math.ceil(2 * edge)
    nz = math.ceil(0.25 * edge)
    shape = (nx, ny, nz)
    masks = [(random.rand(*shape) < 0.8).astype(np.float64) for _ in range(3)]
    spacings = [random.randn(n) for n in (nx, nx, ny, ny, nz, nz)]
    metric = [random.randn(ny) for _ in range(2)]
    kbot = random.randint(0, nz, size=(nx, ny))
    surface_forcing = random.randn(nx, ny)
    kappa, mixing_length, forcing = (random.randn(*shape) for _ in range(3))
    u, v, w, tke, dtke = (random.randn(*shape, 3) for _ in range(5))
    return (
        u,
        v,
        w,
        *masks,
        *spacings,
        *metric,
        kbot,
        kappa,
        mixing_length,
        forcing,
        surface_forcing,
        tke,
        dtke,
    )


KERNEL = integrate_tke


def main(size=2**14):
    outputs = KERNEL(*inputs(size))
    print("turbulent_kinetic_energy: " + " ".join(f"{float(np.abs(o).sum()):.9e}" for o in outputs))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
