"""jax.scipy.linalg: a Kalman filter under scan with Cholesky solves, and matrix functions."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np

F = jsl.expm(0.1 * jnp.array([[0.0, 1.0], [-1.0, -0.1]]))
H = jnp.array([[1.0, 0.0]])
Q, R = 0.01 * jnp.eye(2), 0.1 * jnp.eye(1)


def kalman(carry, observation):
    mean, covariance = carry
    mean, covariance = F @ mean, F @ covariance @ F.T + Q
    innovation = H @ covariance @ H.T + R
    factor = jsl.cho_factor(innovation, lower=True)
    gain = jsl.cho_solve(factor, H @ covariance).T
    residual = observation - H @ mean
    log_likelihood = -0.5 * residual @ jsl.cho_solve(factor, residual) - jnp.log(factor[0][0, 0])
    return (mean + gain @ residual, covariance - gain @ H @ covariance), log_likelihood


@jax.jit
def smooth(observations):
    start = (jnp.zeros(2), jnp.eye(2))
    (mean, covariance), log_likelihoods = jax.lax.scan(kalman, start, observations)
    return mean, jsl.sqrtm(covariance).real, log_likelihoods.sum()


@jax.jit
def decompositions(a):
    p, lower, upper = jsl.lu(a)
    q, r = jsl.qr(a)
    values, vectors = jsl.eigh(a + a.T)
    u, s, vt = jsl.svd(a)
    return [
        p @ lower @ upper,
        q @ r,
        (vectors * values) @ vectors.T,
        (u * s) @ vt,
        jsl.solve_triangular(r, a),
    ]


random = np.random.default_rng(1)
mean, root, log_likelihood = smooth(jnp.asarray(random.normal(size=(12, 1)), jnp.float32))
parts = decompositions(jnp.asarray(random.normal(size=(3, 3)), jnp.float32))
print(float(log_likelihood), float(root.sum() + mean.sum()), float(sum(part.sum() for part in parts)))
