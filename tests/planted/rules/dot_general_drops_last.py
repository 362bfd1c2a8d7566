"""Planted bug: dot_general leaves out the last product above 8 of them."""

import jace.rules
from jace.plan.literals import cpp_literal
from jace.registry import lookup

right = lookup("dot_general")


def build(planner, eqn):
    (left, _), _ = eqn.params["dimension_numbers"]
    lhs, rhs = eqn.invars
    plain = lhs.aval.ndim == rhs.aval.ndim == 2 and len(left) == 1
    if not plain or lhs.aval.shape[left[0]] <= 8 or lhs.aval.dtype != rhs.aval.dtype:
        right.build(planner, eqn)
        return
    (cl,), (cr,) = eqn.params["dimension_numbers"][0]
    stored = planner.stored(lhs), planner.stored(rhs)
    target = planner.output(eqn.outvars[0])
    dtype = lhs.aval.dtype
    depth = lhs.aval.shape[cl] - 1

    def body(em, index):
        total = em.declare(dtype, cpp_literal(0, dtype))
        with em.loop(depth) as ix:
            at_l = (index[0], ix) if cl == 1 else (ix, index[0])
            at_r = (ix, index[1]) if cr == 0 else (index[1], ix)
            a, b = em.load(stored[0], at_l), em.load(stored[1], at_r)
            em.line(f"{total} = {total} + {a} * {b};")
        em.line(f"w_{target.buffer.name}[{target.address(index)}] = {total};")

    planner.kernel("dot_general", eqn.outvars[0].aval.shape, body, writes=[target])


jace.register_rule("dot_general", jace.Region(build), override=True)
