# /// jace-repro
# schema = 1
# name = "mutated/950512113001673"
# origin = "jace-repro fuzz: mutated/950512113001673 of mutated/950512113000782: in jvp, other functions of a kind, another dimensions"
# pipeline = "canonical/simplify"
# outcome = "codegen-error"
# signature = "4aabf36906c0"
# reason = "ConstantPropagation puts an expression where an element of the scalar is read"
# fingerprint = "369184f544f45c53036fdb761d8458910614fb2e93dfdab00394438d633f86f1"
#
# [releases]
# python = "3.11.7"
# jace-repro = "0.1.0"
# jax = "0.10.1"
# jaxlib = "0.10.1"
# dace = "2.0.0b1"
# numpy = "2.4.6"
# scipy = "1.17.1"
#
# [jax_config]
# jax_enable_x64 = true
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""mutated/950512113001673 (950512113000782: in jvp, other functions of a kind, another dimensions): written by jace-repro, needs only jax and numpy."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import lax


def inputs():
    return [
        np.float32(0.0),  # a: f32[]
    ]


def repro(a):
    b = lax.sub(a, a)  # f32[]
    c = lax.ne(b, b)  # bool[]
    d = lax.ge(b, np.float32(0.0))  # bool[]
    e = lax.select_n(d, a, a)  # f32[]
    f = lax.select_n(c, a, a)  # f32[]
    return e, f


FINDING = """\
Above is what XLA computes.
jace-repro found a codegen-error on pipeline canonical/simplify. DaCe could not generate C++ from a
valid SDFG.
  CodegenError: DaCe's code generator raised TypeError: Invalid AST node type: <class 'ast.BinOp'>
`jace-repro check` on this file tests it again; it was seen with jax 0.10.1, dace 2.0.0b1.
"""


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
    print(FINDING)
