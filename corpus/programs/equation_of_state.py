"""Equation of state of seawater: the derivative of dynamic enthalpy by temperature (pyhpc benchmark 1).

The 48-term rational expression of TEOS-10 (IOC et al., 2010) writes the specific volume as

    v(p) = (a0 + a1 p + a2 p^2 + a3 p^3) / (b0 + 2 b1 p + b2 p^2)

with coefficients that are polynomials of Absolute Salinity SA, its square root, and Conservative Temperature
CT. Its integral over pressure has a closed form; this program carries every term of it as a (value,
derivative by CT) pair and returns the derivative.

Two things differ from the benchmark, for the sake of digits: the logarithms are log1p, and the temperatures
are those of liquid water (the benchmark draws from -12 deg C up, where b2 comes so near zero that the
expression loses ten digits whoever evaluates it).

    python equation_of_state.py [SIZE]        SIZE: number of grid cells, default 2^14
"""

import math
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

# Published coefficients v01..v48, grouped by the polynomial they belong to; rows are powers of CT, ascending.
B0_CT = (9.998420897506056e2, 2.839940833161907e0, -3.147759265588511e-2, 1.181805545074306e-3)
B0_SA = (-6.698001071123802e0, -2.986498947203215e-2, 2.327859407479162e-4)
B0_SA15 = (-3.988822378968490e-2, 5.095422573880500e-4, -1.426984671633621e-5, 1.645039373682922e-7)
B1_CT = (-2.233269627352527e-2, -3.436090079851880e-4, 3.726050720345733e-6)
B1_SA = (-1.806789763745328e-4, 6.876837219536232e-7)
B2_CT = (-3.087032500374211e-7, -1.988366587925593e-8, -1.061519070296458e-11)
B2_SA = 1.550932729220080e-10
A0_CT = (1.0, 2.775927747785646e-3, -2.349607444135925e-5, 1.119513357486743e-6, 6.743689325042773e-10)
A0_SA = (
    -7.521448093615448e-3,
    -2.764306979894411e-5,
    1.262937315098546e-7,
    9.527875081696435e-10,
    -1.811147201949891e-11,
)
A0_SA15 = (
    -3.303308871386421e-5,
    3.801564588876298e-7,
    -7.672876869259043e-9,
    -4.634182341116144e-11,
    2.681097235569143e-12,
)
A0_SA2 = 5.419326551148740e-6
A1_CT = (-2.742185394906099e-5, -3.212746477974189e-7, 3.191413910561627e-9, -1.931012931541776e-12)
A1_SA = (-1.105097577149576e-7, 6.211426728363857e-10)
A2_CT = (-1.119011592875110e-10, -1.941660213148725e-11, -1.864826425365600e-14)
A2_SA_CT = 1.119522344879478e-14
A3_CT = (-1.200507748551599e-15, 6.057902487546866e-17)


def polynomial(x, coefficients):
    """Horner's rule for a polynomial and its derivative at once."""
    value, slope = coefficients[-1], 0.0
    for coefficient in coefficients[-2::-1]:
        slope = slope * x + value
        value = value * x + coefficient
    return value, slope


def times(f, g):
    return f[0] * g[0], f[1] * g[0] + f[0] * g[1]


def plus(*terms):
    return sum(t[0] for t in terms), sum(t[1] for t in terms)


def scaled(factor, f):
    return factor * f[0], factor * f[1]


def inverse(f):
    value = 1.0 / f[0]
    return value, -f[1] * value * value


def root(f):
    value = jnp.sqrt(f[0])
    return value, 0.5 * f[1] / value


def logarithm_of_one_plus(f):
    return jnp.log1p(f[0]), f[1] / (1.0 + f[0])


@jax.jit
def enthalpy_and_slope(sa, ct, p):
    """Dynamic enthalpy and its derivative by CT; sa [g/kg], ct [deg C] and p [dbar] broadcast."""
    root_sa = jnp.sqrt(sa)
    b0 = plus(
        polynomial(ct, B0_CT),
        scaled(sa, plus(polynomial(ct, B0_SA), scaled(root_sa, polynomial(ct, B0_SA15)))),
    )
    b1 = scaled(0.5, plus(polynomial(ct, B1_CT), scaled(sa, polynomial(ct, B1_SA))))
    b2 = plus(polynomial(ct, B2_CT), (B2_SA * sa, 0.0))
    a0 = plus(
        polynomial(ct, A0_CT),
        scaled(sa, plus(polynomial(ct, A0_SA), scaled(root_sa, polynomial(ct, A0_SA15)), (A0_SA2 * sa, 0.0))),
    )
    a1 = plus(polynomial(ct, A1_CT), scaled(sa, polynomial(ct, A1_SA)))
    a2 = plus(polynomial(ct, A2_CT), (A2_SA_CT * sa * ct, A2_SA_CT * sa))
    a3 = polynomial(ct, A3_CT)

    per_b2 = inverse(b2)
    ratio = times(b1, per_b2)
    # Partial fractions of v(p): a linear part, a part in log(quadratic), and a remainder.
    linear = plus(a2, scaled(-2.0, times(a3, ratio)), scaled(0.5 * p, a3))
    log_part = plus(
        a1,
        times(
            per_b2,
            plus(
                scaled(4.0, times(times(a3, b1), ratio)),
                scaled(-1.0, times(a3, b0)),
                scaled(-2.0, times(a2, b1)),
            ),
        ),
    )
    constant = plus(
        a0,
        times(per_b2, plus(scaled(2.0, times(times(a3, b0), ratio)), scaled(-1.0, times(a2, b0)))),
    )
    remainder = plus(times(constant, b2), scaled(-1.0, times(log_part, b1)))

    b2_p = scaled(p, b2)
    quadratic = scaled(p, times(plus(scaled(2.0, b1), b2_p), inverse(b0)))
    log_quadratic = logarithm_of_one_plus(quadratic)

    r = root(plus(times(b1, b1), scaled(-1.0, times(b0, b2))))
    poles = times(plus(b1, scaled(-1.0, r)), plus(b1, r, b2_p))
    log_poles = logarithm_of_one_plus(times(scaled(2.0, times(b2_p, r)), inverse(poles)))

    enthalpy = times(
        per_b2,
        plus(
            scaled(1e4 * p, linear),
            scaled(0.5e4, times(log_part, log_quadratic)),
            scaled(0.5e4, times(remainder, times(log_poles, inverse(r)))),
        ),
    )
    return enthalpy


@jax.jit
def enthalpy_slope(sa, ct, p):
    """The derivative alone, what the benchmark computes: (X, Y, Z), (X, Y, Z), (1, 1, Z) -> (X, Y, Z)."""
    return enthalpy_and_slope(sa, ct, p)[1]


def inputs(size):
    """Arrays of about `size` cells: salinity, temperature and pressure, f64."""
    random = np.random.RandomState(17)
    edge = size ** (1 / 3)
    shape = (math.ceil(math.sqrt(2) * edge), math.ceil(math.sqrt(2) * edge), math.ceil(0.5 * edge))
    return (
        random.uniform(1e-2, 10, size=shape),
        random.uniform(-2, 20, size=shape),
        random.uniform(0, 1000, size=(1, 1, shape[2])),
    )


KERNEL = enthalpy_slope


def main(size=2**14):
    out = np.asarray(KERNEL(*inputs(size)))
    print(f"equation_of_state: {out.shape}, mean {out.mean():.9e}, extremes {out.min():.6e} {out.max():.6e}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
