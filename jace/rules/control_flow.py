"""Control flow: scan, while, cond as regions of the SDFG, and calls that are kept as nested SDFGs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.ir.control import Scan, While, taken_branch
from jace.ir.core import Atom
from jace.plan import Emitter, Nested, Planner, Ref, Span, plan
from jace.plan.dead_stores import touched
from jace.plan.emit import Index
from jace.plan.index import constant, symbol
from jace.plan.kernel import Store
from jace.registry import register_region
from jace.rules.nodes.accumulating import reduce_into


def _carry(planner: Planner, initial: Atom, out: Var) -> Ref:
    """The buffer of a loop-carried value, holding its initial value: where the final value must end up."""
    return planner.copy(initial, planner.output(out))


@register_region("scan")
def _scan(planner: Planner, eqn: JaxprEqn) -> None:
    scan = Scan.of(eqn.params)
    jaxpr = scan.body.jaxpr
    consts, initial, stacked_in = scan.split(eqn.invars)
    const_vars, carry_vars, row_vars = scan.split(jaxpr.invars)
    carries_out, stacked_out = scan.split_results(eqn.outvars)
    refs = [_carry(planner, atom, out) for atom, out in zip(initial, carries_out, strict=True)]
    stacked = [planner.output(v) for v in stacked_out]
    if scan.length == 0:
        return
    xs = [planner.stored(v) for v in stacked_in]
    name = planner.loop_symbol(scan.length)
    step = constant(scan.length - 1) - symbol(name) if scan.reverse else symbol(name)
    planner.bind_consts(scan.body)
    for var, atom in zip(const_vars, consts, strict=True):
        planner.bind(var, atom)
    with planner.nested() as body:
        for var, ref in zip(carry_vars, refs, strict=True):
            planner.bind(var, replace(ref, writable=True))
        for var, ref in zip(row_vars, xs, strict=True):
            planner.bind(var, Ref(ref.buffer, (*ref.prefix, step)))
        targets = [*refs, *(Ref(r.buffer, (*r.prefix, step)) for r in stacked)]
        planner.body(jaxpr, targets, dict(enumerate(carry_vars)))
    planner.add_loop("scan", body, symbol=name, extent=scan.length)


@register_region("while")
def _while(planner: Planner, eqn: JaxprEqn) -> None:
    loop = While.of(eqn.params)
    cond, body, split = loop.condition, loop.body, loop.condition_consts
    condition_consts, body_consts, initial = loop.split(eqn.invars)
    refs = [_carry(planner, atom, out) for atom, out in zip(initial, eqn.outvars, strict=True)]
    predicate = cond.jaxpr.outvars[0].aval
    test = planner.temp((), np.bool_)
    lanes = planner.temp(predicate.shape, np.bool_) if predicate.shape else test

    def evaluate() -> None:
        planner.bind_consts(cond)
        for var, atom in zip(cond.jaxpr.invars[:split], condition_consts, strict=True):
            planner.bind(var, atom)
        for var, ref in zip(cond.jaxpr.invars[split:], refs, strict=True):
            planner.bind(var, replace(ref, writable=False))
        with planner.nested() as ops:
            planner.body(cond.jaxpr, [lanes])
        planner.extend(ops)
        if predicate.shape:
            _any(planner, lanes, test)

    evaluate()
    with planner.nested() as ops:
        planner.bind_consts(body)
        for var, atom in zip(body.jaxpr.invars[: loop.body_consts], body_consts, strict=True):
            planner.bind(var, atom)
        carry_vars = body.jaxpr.invars[loop.body_consts :]
        with planner.nested() as step:
            if predicate.shape:
                held = [planner.temp(r.shape, r.dtype) for r in refs]
                for var, ref in zip(carry_vars, refs, strict=True):
                    planner.bind(var, replace(ref, writable=False))
                planner.body(body.jaxpr, held)
            else:
                for var, ref in zip(carry_vars, refs, strict=True):
                    planner.bind(var, replace(ref, writable=True))
                planner.body(body.jaxpr, refs, dict(enumerate(carry_vars)))
        planner.extend(step)
        if predicate.shape:
            for old, new in zip(refs, held, strict=True):
                _advance(planner, lanes, old, new)
        evaluate()
    planner.add_loop("while_loop", ops, condition=test.buffer)


def _any(planner: Planner, lanes: Ref, test: Ref) -> None:
    """`test = any(lanes)`: a batched while runs until every lane is done."""
    if planner.exact:
        reduce_into(planner, "or", lanes, tuple(range(len(lanes.shape))), test, np.False_)
        return

    def build(em: Any, index: Any) -> None:
        em.line(f"w_{test.buffer.name}[0] = false;")
        size = lanes.buffer.size
        with em.block(f"for (jace::i64 n = 0; n < {size}; ++n)"):
            em.line(f"w_{test.buffer.name}[0] = w_{test.buffer.name}[0] || {em.pointer(lanes.buffer)}[n];")

    planner.kernel("any", (), build, writes=[test])


def _advance(planner: Planner, lanes: Ref, old: Ref, new: Ref) -> None:
    """`old = new` in the lanes that still run."""
    if planner.exact:

        def select(em: Emitter, index: Index) -> Sequence[Store]:
            lane = em.load(lanes, index[: len(lanes.shape)])
            return [Store(old, em.let(old.dtype, f"{lane} ? {em.load(new, index)} : {em.load(old, index)}"))]

        planner.exact_kernel("advance", old.shape, select)
        return

    def build(em: Any, index: Any) -> None:
        lane = lanes.address(index[: len(lanes.shape)])
        with em.block(f"if ({em.pointer(lanes.buffer)}[{lane}])"):
            em.line(f"w_{old.buffer.name}[{old.address(index)}] = {em.load(new, index)};")

    planner.kernel("advance", old.shape, build, writes=[old], reads=[old], independent=True)


@register_region("cond")
def _cond(planner: Planner, eqn: JaxprEqn) -> None:
    branches: tuple[ClosedJaxpr, ...] = eqn.params["branches"]
    which, *operands = eqn.invars
    if isinstance(which, Literal) or len(branches) == 1:
        chosen = branches[taken_branch(len(branches), which.val if isinstance(which, Literal) else 0)]
        outs = [planner.output(v) for v in eqn.outvars]
        planner.extend(_branch(planner, chosen, operands, outs))
        return
    source = planner.stored(which)
    last = len(branches) - 1

    def chosen_branch(em: Emitter) -> str:
        x = em.load(source, ())
        if source.dtype == np.bool_:
            return f"{x} ? 1 : 0"
        return f"{x} < 0 ? 0 : (jace::u64){x} > {last} ? {last} : (jace::i32){x}"

    index = planner.scalar("branch_index", np.int32, chosen_branch)
    outs = [planner.output(v) for v in eqn.outvars]
    planner.add_branch("cond", index, [_branch(planner, b, operands, outs) for b in branches])


def _branch(planner: Planner, closed: ClosedJaxpr, operands: list[Atom], outs: list[Ref]) -> Any:
    planner.bind_consts(closed)
    for var, atom in zip(closed.jaxpr.invars, operands, strict=True):
        planner.bind(var, atom)
    with planner.nested() as ops:
        planner.body(closed.jaxpr, outs)
    return ops


@register_region("kept_call")
def _kept_call(planner: Planner, eqn: JaxprEqn) -> None:
    """The plan of the body, by itself; operands that it does not read are not given to it."""
    reads = [planner.stored(v) for v in eqn.invars]
    writes = [planner.output(v, part=True) for v in eqn.outvars]
    inner = Planner(planner.fuse, planner.exact, planner.met, depth=planner.depth, numbers=planner.numbers)
    made = plan(eqn.params["call_jaxpr"], inner)
    read, _ = touched(made.ops)
    given = [(buffer, ref) for buffer, ref in zip(made.inputs, reads, strict=True) if buffer.name in read]
    made = replace(made, inputs=tuple(buffer for buffer, _ in given))
    ins = tuple(Span(buffer.name, ref) for buffer, ref in given)
    outs = tuple(Span(buffer.name, ref) for buffer, ref in zip(made.outputs, writes, strict=True))
    label = "".join(c if c.isalnum() else "_" for c in eqn.params["name"])
    planner.extend([Nested(f"call_{label}", made, ins, outs, planner.sources)])
