"""Equinox's custom derivatives and primitives: filter_custom_vjp, filter_custom_jvp, error_if, bounded while loop."""

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp


@eqx.filter_custom_vjp
def clipped(vjp_arg, limit):
    return vjp_arg * 1.0


@clipped.def_fwd
def clipped_fwd(perturbed, vjp_arg, limit):
    return vjp_arg * 1.0, None


@clipped.def_bwd
def clipped_bwd(residuals, gradient, perturbed, vjp_arg, limit):
    return jnp.clip(gradient, -limit, limit)


@eqx.filter_custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-6))


@safe_log.def_jvp
def safe_log_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe_log(x), t / jnp.maximum(x, 1e-3)


@eqx.filter_jit
def value_and_gradient(x):
    def total(x):
        x = eqx.error_if(x, jnp.any(x < -100), "x is too small")
        y = safe_log(clipped(x, 0.5) ** 2)

        def body(carry):
            step, z = carry
            return step + 1, z + 0.1 * jnp.sin(z)

        _, z = eqxi.while_loop(lambda c: c[0] < 5, body, (0, y), max_steps=16, kind="checkpointed")
        return jnp.sum(z**2)

    return jax.value_and_grad(total)(x)


x = jnp.linspace(0.1, 2.0, 5)
for _ in range(2):
    value, gradient = value_and_gradient(x)
    x = x - 0.01 * gradient
print(float(value), float(jnp.abs(gradient).max()))
