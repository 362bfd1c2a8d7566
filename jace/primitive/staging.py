"""What is computed when: partial evaluation, rematerialisation and dead code of jace_call.

Importing this module registers the rules with JAX.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from jax._src import core, source_info_util
from jax._src.interpreters import partial_eval as _pe
from jax._src.interpreters import remat as _remat_lib
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.primitive.bind import bind, effects, hoist, jace_call_p, keep, without_dead_code
from jace.releases import derivatives

# Untyped, and without __all__: for a type checker these are Any.
pe: Any = _pe
remat_lib: Any = _remat_lib


def _partial_eval(trace: Any, *tracers: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> list[Any]:
    """Split into what known operands decide (bound now) and the rest (staged)."""
    unknown = tuple(not t.pval.is_known() for t in tracers)
    known_jaxpr, staged_jaxpr, unknown_out, residual_avals = pe.partial_eval_jaxpr_nounits(
        jaxpr, unknown, instantiate=False
    )
    known = [t.pval.get_known() for t in tracers if t.pval.is_known()]
    outs = bind(known_jaxpr, known, name=f"{name}_known", **params)
    split = len(outs) - len(residual_avals)
    residuals = [trace.new_instantiated_const(r) for r in outs[split:]]
    # partial_eval_jaxpr_nounits puts the residuals before the unknown inputs.
    staged_in = [trace.instantiate_const(t) for t, u in zip(tracers, unknown, strict=True) if u]
    hoisted, leading = hoist(staged_jaxpr)
    consts = [trace.new_instantiated_const(c) for c in leading]
    staged_out = [pe.JaxprTracer(trace, pe.PartialVal.unknown(a), None) for a in staged_jaxpr.out_avals]
    recipe = pe.new_eqn_recipe(
        trace,
        [*consts, *residuals, *staged_in],
        staged_out,
        jace_call_p,
        {"jaxpr": hoisted, "name": f"{name}_staged", **params},
        effects(staged_jaxpr),
        source_info_util.current(),
    )
    for tracer in staged_out:
        tracer.recipe = recipe
    known_it, staged_it = iter(outs[:split]), iter(staged_out)
    return [next(staged_it) if u else next(known_it) for u in unknown_out]


pe.custom_partial_eval_rules[jace_call_p] = _partial_eval
pe.partial_eval_jaxpr_custom_rules[jace_call_p] = partial(
    pe.closed_call_partial_eval_custom_rule,
    "jaxpr",
    lambda unknown, inst, known_out, inst_out, n_out, n_res, known, staged: (known, staged),
)


def _remat(context: Any, *operands: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    forward, again, forwarded = derivatives.rematerialized(jaxpr, context)
    outs = bind(forward, operands, name=f"{name}_fwd", **params)
    split = len(jaxpr.out_avals)
    computed = iter(outs[split:])
    residuals = [next(computed) if i is None else outs[i] for i in forwarded]

    def rerun(residuals: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
        return bind(again, [*residuals, *operands], name=f"{name}_remat", **params)

    return derivatives.remat_rule(outs[:split], residuals, rerun)


remat_lib.rules[jace_call_p] = _remat


@derivatives.dce_rule
def _dce(used: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    if not any(used) and not eqn.effects:
        return [False] * len(eqn.invars), None
    jaxpr, used_in = without_dead_code(eqn.params["jaxpr"], tuple(used))
    made = core.new_jaxpr_eqn(
        keep(eqn.invars, used_in),
        keep(eqn.outvars, used),
        eqn.primitive,
        {**eqn.params, "jaxpr": jaxpr},
        effects(jaxpr),
        eqn.source_info,
        eqn.ctx,
    )
    return used_in, made


pe.dce_rules[jace_call_p] = _dce
