"""Isoneutral diffusion tensor of an ocean model (pyhpc benchmark 2), after Griffies et al. (1998).

Slopes of the neutral surfaces are formed on the triads around each face of a tracer cell, tapered where they
are steep (Danabasoglu and McWilliams), and gathered into the diagonal of the diffusion tensor.

    python isoneutral_mixing.py [SIZE]        SIZE: number of grid cells, default 2^14
"""

import math
import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

RHO_0 = 1024.0
GRAVITY = 9.81
THETA_0 = 283.0 - 273.15
BETA_T, BETA_TS, BETA_S, GAMMA_S = 1.67e-4, 1e-5, 0.78e-3, 1.1e-8
SLOPE_MAX, SLOPE_WIDTH = 1e-3, 1e-3
K_STEEP = 50.0
TINY = 1e-20
NOW = 0

INNER = slice(2, -2)
LOW = slice(None, -1)
HIGH = slice(1, None)


class Gradient(NamedTuple):
    """Differences of temperature and salinity across one kind of face."""

    temperature: jax.Array
    salinity: jax.Array


def density_by_temperature(temperature, pressure):
    compression = 1.0 - GAMMA_S * GRAVITY * -pressure * RHO_0
    return -RHO_0 * (BETA_TS * (temperature - THETA_0) + BETA_T * compression)


def density_by_salinity(temperature):
    return BETA_S * RHO_0 * jnp.ones_like(temperature)


def taper(slope):
    return 0.5 * (1.0 + jnp.tanh((SLOPE_MAX - jnp.abs(slope)) / SLOPE_WIDTH))


def neutral_slope(rho_t, rho_s, horizontal, vertical):
    """Slope of the neutral surface from the density gradients of one triad, and its taper."""
    along = rho_t * horizontal.temperature + rho_s * horizontal.salinity
    down = rho_t * vertical.temperature + rho_s * vertical.salinity
    slope = -along / (jnp.minimum(0.0, down) - TINY)
    return slope, taper(slope)


def at(pair, *index):
    return Gradient(pair.temperature[index], pair.salinity[index])


def face_gradient(tracers, mask, spacing, axis):
    """(upper - lower) / spacing on the faces along `axis`; the last face is zero."""
    lower = tuple(LOW if i == axis else slice(None) for i in range(3))
    upper = tuple(HIGH if i == axis else slice(None) for i in range(3))

    def one(tracer):
        return jnp.zeros_like(mask).at[lower].set(mask[lower] * (tracer[upper] - tracer[lower]) / spacing)

    return Gradient(*(one(t) for t in tracers))


def window(offset, stop):
    """The slice [offset, size + stop + offset), where an end of 0 means the whole rest."""
    return slice(offset, (stop + offset) or None)


def side_face(rho, side, vertical, k_iso, mask, tensor, slopes, dzt, dzw, axis):
    """K_11 with axis 0 (eastern faces), K_22 with axis 1 (northern faces), and their slopes."""
    near = tuple(slice(1, -2) if i == axis else INNER for i in range(2))
    far = tuple(slice(2, -1) if i == axis else INNER for i in range(2))

    k_face = jnp.zeros_like(tensor)
    k_face = k_face.at[(*near, HIGH)].set(
        0.25 * (k_iso[(*near, HIGH)] + k_iso[(*near, LOW)] + k_iso[(*far, HIGH)] + k_iso[(*far, LOW)])
    )
    k_face = k_face.at[(*near, 0)].set(0.5 * (k_iso[(*near, 0)] + k_iso[(*far, 0)]))

    total = jnp.zeros_like(tensor)[near]
    for above in range(2):
        here = slice(1 - above, None)
        up = slice(None, (above - 1) or None)
        for shift in range(2):
            corner = tuple(window(1 + shift, -3) if i == axis else INNER for i in range(2))
            slope, weight = neutral_slope(
                rho[0][(*corner, here)],
                rho[1][(*corner, here)],
                at(side, *near, here),
                at(vertical, *corner, up),
            )
            water = mask[(*near, here)]
            total = total.at[:, :, here].add(
                dzw[up] * water * jnp.maximum(K_STEEP, k_face[(*near, here)] * weight)
            )
            slopes = slopes.at[(*near, here, shift, above)].set(weight * slope * water)

    return tensor.at[near].set(total / (4.0 * dzt)), slopes


def top_face(rho, side, vertical, k_iso, mask, slopes, factor, axis):
    """The contribution of the slopes along `axis` to K_33 on the top faces, and those slopes."""
    inside = (INNER, INNER, LOW)
    total = jnp.zeros_like(mask)[inside]
    for above in range(2):
        here = (INNER, INNER, window(above, -1))
        for shift in range(2):
            neighbour = tuple(window(1 + shift, -4) if i == axis else INNER for i in range(2))
            slope, weight = neutral_slope(
                rho[0][here],
                rho[1][here],
                at(side, *neighbour, here[2]),
                at(vertical, *inside),
            )
            width = factor[(neighbour[axis], None, None) if axis == 0 else (None, neighbour[axis], None)]
            total += width * k_iso[inside] * weight * slope**2 * mask[inside]
            slopes = slopes.at[(*inside, shift, above)].set(weight * slope * mask[inside])
    return total, slopes


@jax.jit
def isoneutral_diffusion(
    mask_t, mask_u, mask_v, mask_w, dxt, dxu, dyt, dyu, dzt, dzw, cost, cosu, salt, temp, zt,
    k_iso, k_11, k_22, k_33, ai_ez, ai_nz, ai_bx, ai_by,
):  # fmt: skip
    """Masks and tensors are (X, Y, Z), tracers (X, Y, Z, 3), slopes ai_* (X, Y, Z, 2, 2), all f64."""
    temperature, salinity = temp[..., NOW], salt[..., NOW]
    rho = (
        mask_t * density_by_temperature(temperature, jnp.abs(zt)),
        mask_t * density_by_salinity(temperature),
    )
    tracers = (temperature, salinity)
    by_z = face_gradient(tracers, mask_w, dzw[:-1], 2)
    by_x = face_gradient(tracers, mask_u, dxu[:-1, None, None] * cost[None, :, None], 0)
    by_y = face_gradient(tracers, mask_v, dyu[None, :-1, None], 1)

    k_11, ai_ez = side_face(rho, by_x, by_z, k_iso, mask_u, k_11, ai_ez, dzt, dzw, axis=0)
    k_22, ai_nz = side_face(rho, by_y, by_z, k_iso, mask_v, k_22, ai_nz, dzt, dzw, axis=1)

    sum_x, ai_bx = top_face(rho, by_x, by_z, k_iso, mask_w, ai_bx, dxu, axis=0)
    sum_y, ai_by = top_face(rho, by_y, by_z, k_iso, mask_w, ai_by, cosu * dyu, axis=1)
    k_33 = k_33.at[INNER, INNER, :-1].set(
        sum_x / (4 * dxt[INNER, None, None]) + sum_y / (4 * (dyt * cost)[None, INNER, None])
    )
    k_33 = k_33.at[INNER, INNER, -1].set(0.0)
    return k_11, k_22, k_33, ai_ez, ai_nz, ai_bx, ai_by


def inputs(size):
    """The arguments of isoneutral_diffusion on a grid of about `size` cells, f64."""
    random = np.random.RandomState(17)
    edge = size ** (1 / 3)
    nx = ny = math.ceil(2 * edge)
    nz = math.ceil(0.25 * edge)
    shape = (nx, ny, nz)
    masks = [(random.rand(*shape) < 0.8).astype(np.float64) for _ in range(4)]
    spacings = [random.randn(n) for n in (nx, nx, ny, ny, nz, nz)]
    zt = random.randn(nz)
    metric = [random.randn(ny) for _ in range(2)]
    tensors = [random.randn(*shape) for _ in range(4)]
    tracers = [random.randn(*shape, 3) for _ in range(2)]
    slopes = [np.zeros((*shape, 2, 2)) for _ in range(4)]
    return (*masks, *spacings, *metric, *tracers, zt, *tensors, *slopes)


KERNEL = isoneutral_diffusion


def main(size=2**14):
    outputs = KERNEL(*inputs(size))
    print("isoneutral_mixing: " + " ".join(f"{float(np.abs(o).sum()):.9e}" for o in outputs))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
