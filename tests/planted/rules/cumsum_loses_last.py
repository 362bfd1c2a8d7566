"""Planted bug: cumsum leaves out the last element above 100 elements."""

import jace.rules
from jace.plan.literals import cpp_literal
from jace.registry import lookup

right = lookup("cumsum")


def build(planner, eqn):
    operand, axis = eqn.invars[0], eqn.params["axis"]
    extent = operand.aval.shape[axis]
    if extent <= 100 or eqn.params["reverse"]:
        right.build(planner, eqn)
        return
    target = planner.output(eqn.outvars[0])
    dtype = operand.aval.dtype

    def body(em, index):
        total = em.declare(dtype, cpp_literal(0, dtype))
        with em.loop(extent) as step:
            at = (*index[:axis], step, *index[axis:])
            em.line(f"if ({step} < {extent - 1}) {total} = jace::add({total}, {em.value(operand, at)});")
            em.line(f"w_{target.buffer.name}[{target.address(at)}] = {total};")

    others = (*operand.aval.shape[:axis], *operand.aval.shape[axis + 1 :])
    planner.kernel("cumsum", others, body, writes=[target])


jace.register_rule("cumsum", jace.Region(build, lazy=(0,)), override=True)
