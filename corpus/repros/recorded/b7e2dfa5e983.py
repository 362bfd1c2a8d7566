# /// jace-repro
# schema = 1
# name = "energies"
# origin = "_jit.py:43 (energies)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "b7e2dfa5e983e916b277efc29fe9c79fb9046e833ae10c583ef472d1224a94aa"
# outputs_sha256 = "f8bbf8bfaf0997855c9f9c7ae6bced0373004f22ae2e842dc560a8be4ab926e3"
# self_check = "exact"
#
# [static]
# static = "(((<function energies>,), PyTreeDef(*)), ((None, None), PyTreeDef(CustomNode(Oscillator[(Missing, 10, 'oscillator')], [*, *]))), ((None, None), PyTreeDef((((*, *), None), {}))))"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""energies (_jit.py:43): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def body(a, b, carry, rows):
    c, d = carry
    e = lax.integer_pow(a, 2)  # f32[4]  equinox_custom_module.py:18
    f = lax.neg(e)  # f32[4]  equinox_custom_module.py:18
    g = lax.convert_element_type(c, f32)  # f32[4]  equinox_custom_module.py:18
    h = lax.mul(f, g)  # f32[4]  equinox_custom_module.py:18
    i = lax.mul(b, d)  # f32[4] weak  equinox_custom_module.py:18
    j = lax.convert_element_type(i, f32)  # f32[4]  equinox_custom_module.py:18
    k = lax.sub(h, j)  # f32[4]  equinox_custom_module.py:18
    l = lax.mul(0.1, d)  # f32[4] weak  equinox_custom_module.py:19
    m = lax.add(c, l)  # f32[4] weak  equinox_custom_module.py:19
    n = lax.mul(np.float32(0.1), k)  # f32[4]  equinox_custom_module.py:19
    o = lax.convert_element_type(d, f32)  # f32[4]  equinox_custom_module.py:19
    p = lax.add(o, n)  # f32[4]  equinox_custom_module.py:19
    return (m, p), c


def inputs():
    return [
        np.array([0.5, 1.0, 1.5, 2.0], np.float32),  # a = dynamic_nodonate['first'][0]: f32[4]
        # b = dynamic_nodonate['first'][1]: f32[4] weak
        weak(np.array([0.1, 0.1, 0.1, 0.1], np.float32), f32),
        1.0,  # c = dynamic_nodonate['rest'][0]: f32[] weak
        0.0,  # d = dynamic_nodonate['rest'][1]: f32[] weak
    ]


def repro(a, b, c, d):
    # static: static = (((<function energies>,), PyTreeDef(*)), ((None, None), PyTreeDef(CustomNode(Oscillator[(Missing, 10, 'oscillator')], [*, *]))), ((None, None), PyTreeDef((((*, *), None), {}))))
    e = lax.broadcast_in_dim(c, (4,), ())  # f32[4] weak  equinox_custom_module.py:21
    f = lax.broadcast_in_dim(d, (4,), ())  # f32[4] weak  equinox_custom_module.py:21
    (_, _), g = lax.scan(  # f32[4] weak, f32[4], f32[10,4] weak  equinox_custom_module.py:21
        functools.partial(body, a, b), (e, f), None, length=10
    )
    h = lax.integer_pow(g, 2)  # f32[10,4] weak  equinox_custom_module.py:31
    i = lax.convert_element_type(h, f32)  # f32[10,4]  equinox_custom_module.py:31
    j = lax.reduce_sum(i, axes=(0,))  # f32[4]  equinox_custom_module.py:31
    # result[0], result[1]
    return 0, j


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
