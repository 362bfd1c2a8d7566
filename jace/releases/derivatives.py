"""What JAX asks of a primitive that is differentiated, rematerialised or freed of dead code.

jax 0.11 tells residuals apart (those with a structure come back as they were given) and hands the whole trace to a rule
of rematerialisation, jax 0.12 hands its residuals back to it and says which refs are read later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from jace.jax_internals import ad, remat

_RESIDUALS_ARE_HANDED_BACK = "res" in remat.RematTrace.process_primitive.__code__.co_varnames


@dataclass(frozen=True)
class Linearized:
    """A jaxpr, linearized.

    Attributes:
        forward: from its inputs to its results, and then the residuals that are computed.
        forwarded: of each residual the position among (constants, inputs) where it is one of these; else None.
        structured: makes the last of the results of `forward` a tree again; None where JAX knows no such residuals.
        structured_count: how many these are.
        nonzeros: of each result whether it has a tangent.
        linear: from residuals, tangents and structured residuals to tangents.
    """

    forward: Any
    forwarded: Sequence[int | None]
    structured: Callable[[Sequence[Any]], Any] | None
    structured_count: int
    nonzeros: Sequence[bool]
    linear: Any

    def rule(
        self, outs: Sequence[Any], results: int, residuals: Sequence[Any], apply: Callable[..., Any]
    ) -> Any:
        """What JAX wants of a rule of linearization.

        Args:
            outs: what `forward` gave: the `results` of the jaxpr first, structured residuals last.
            residuals: those without a structure.
            apply: from (residuals, tangents, structured residuals) to tangents.
        """
        if self.structured is None:
            return (
                outs[:results],
                self.nonzeros,
                residuals,
                lambda given, *tangents: apply(given, tangents, ()),
            )
        tree = self.structured(outs[len(outs) - self.structured_count :])

        def linear(given: Sequence[Any], structure: Any, *tangents: Any) -> Any:
            return apply(given, tangents, jax.tree.leaves(structure))

        return outs[:results], self.nonzeros, residuals, tree, linear


def linearize(jaxpr: Any, nonzeros: Sequence[bool], is_vjp: bool) -> Linearized:
    """A jaxpr linearized in the inputs that have tangents."""
    forward, types, has_tangent, forwarded, linear = ad.linearize_jaxpr(jaxpr, nonzeros, is_vjp=is_vjp)
    if isinstance(types, int):
        return Linearized(forward, forwarded, None, 0, has_tangent, linear)
    *_, structured = types.unpack()

    def tree(leaves: Sequence[Any]) -> Any:
        return structured.update(leaves).unflatten()

    return Linearized(forward, forwarded, tree, len(structured), has_tangent, linear)


def backward(rule: Any, args: Sequence[Any]) -> Sequence[Any]:
    """The cotangents that the `bwd` of a custom_vjp_call gives; from jax 0.11 on there are logs beside them."""
    found = rule.call_wrapped(*args)
    return found[0] if isinstance(found, tuple) else found


def rematerialized(jaxpr: Any, context: Any) -> tuple[Any, Any, Sequence[int | None]]:
    """(inputs to results and residuals, residuals and inputs to results, of each residual which result it is).

    Args:
        context: what JAX gives a rule first: its policy, or from 0.11 on its trace.
    """
    if not hasattr(context, "custom_vjp_rules"):
        forward, again, count = remat.remat_jaxpr(jaxpr, context)
        return forward, again, [None] * count
    found: Any = remat.remat_jaxpr(jaxpr, context.policy, context.custom_vjp_rules, allow_fwds=True)
    return found


def remat_rule(outs: Sequence[Any], residuals: Sequence[Any], rerun: Callable[..., Any]) -> Any:
    """What JAX wants of a rule of rematerialisation. `rerun(residuals, operands)` computes the results again."""
    if _RESIDUALS_ARE_HANDED_BACK:
        return outs, residuals, lambda given, *operands: rerun(given, operands)
    return outs, lambda *operands: rerun(residuals, operands)


def dce_rule(rule: Callable[[list[bool], Any], Any]) -> Callable[..., Any]:
    """A rule of dead code that is told what is used, and the equation; not which refs are read later (jax 0.12)."""
    return lambda used, *rest: rule(used, rest[-1])
