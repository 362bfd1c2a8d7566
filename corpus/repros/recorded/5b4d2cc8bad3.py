# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jax_nested_jit.py:43 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "5b4d2cc8bad3c2f12013ff2139cbed9c4ac07e2fa7783f40f5340846e1db6eed"
# outputs_sha256 = "51c01e907dda4124d08c977122ab2ad3acedc10a36864393d89ab0b7c2e45bd9"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jax_nested_jit.py:43): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


@jax.jit
def gauss(a):
    b = lax.div(a, np.float32(1.0))  # f32[16]  jax_nested_jit.py:11
    c = lax.integer_pow(b, 2)  # f32[16]  jax_nested_jit.py:11
    d = lax.neg(c)  # f32[16]  jax_nested_jit.py:11
    e = lax.exp(d)  # f32[16]  jax_nested_jit.py:11
    return e


def inputs():
    return [
        # a = u: f32[16]
        np.array(
            [
                0.08536601,
                0.1205399,
                0.19139928,
                0.29900706,
                0.4363035,
                0.5880686,
                0.7280472,
                0.823238,
                0.844328,
                0.7794748,
                0.64498943,
                0.48023528,
                0.32542655,
                0.20433764,
                0.12575935,
                0.086670674,
            ],
            np.float32,
        ),
    ]


def repro(a):
    b = gauss(a)  # f32[16]  jax_nested_jit.py:43
    c = lax.integer_pow(b, 2)  # f32[16]  jax_nested_jit.py:43
    d = lax.reduce_sum(c, axes=(0,))  # f32[]  jax_nested_jit.py:43
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
