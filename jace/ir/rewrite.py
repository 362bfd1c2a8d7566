"""Splicing: replacing equations by jaxprs, the one mechanism behind inlining and expansion.

`splice(closed, expand)` walks a closed jaxpr and, wherever `expand(eqn)` answers with a jaxpr, puts that jaxpr's
equations in the place of the equation, recursively; bodies of the equations that stay are treated likewise.
With `physical=True` variables become the plain arrays behind them on the way: typed PRNG keys their uint32 data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.core import Atom, inner_jaxprs, make_closed, map_bodies, open_jaxpr
from jace.jax_internals import (
    AbstractRef,
    DropVar,
    JaxprInputEffect,
    is_plain,
    plain_aval,
    plain_value,
    user_frame,
)
from jace.releases.effects import effects_on
from jace.releases.jaxprs import closed_of


@dataclass(frozen=True)
class Splice:
    """A replacement for an equation: `body` applied to `operands` gives the equation's outputs.

    Attributes:
        from_user: the body's equations carry source lines of the user's program where they have any; otherwise
            (an expansion) they get the line of the equation they replace.
    """

    body: ClosedJaxpr
    operands: Sequence[Atom]
    from_user: bool = False


Expand = Callable[[JaxprEqn], Splice | None]


@dataclass
class _Splicer:
    expand: Expand
    physical: bool
    inside: Callable[[JaxprEqn], Expand]
    eqns: list[JaxprEqn] = field(default_factory=list)
    consts: dict[Var, Any] = field(default_factory=dict)

    def aval(self, aval: Any) -> Any:
        if isinstance(aval, AbstractRef):
            return aval.update()  # JAX tells refs apart by the identity of their types
        return plain_aval(aval) if self.physical else aval

    def fresh(self, var: Var) -> Var:
        return DropVar(self.aval(var.aval)) if isinstance(var, DropVar) else Var(self.aval(var.aval))

    def const(self, value: Any) -> Any:
        return plain_value(value) if self.physical else value

    def literal(self, atom: Literal) -> Literal:
        if not self.physical or is_plain(atom.val):
            return atom
        return Literal(plain_value(atom.val), plain_aval(atom.aval))

    def run(self, jaxpr: Jaxpr, env: dict[Var, Atom], outer: Any = None, keep: bool = True) -> list[Atom]:
        """Append the equations of `jaxpr` under `env`; answer its output atoms.

        `outer` is the source information of the equation that `jaxpr` replaces; it stands in for that of
        equations without a user's line, or (without `keep`) of all.
        """

        def read(atom: Atom) -> Atom:
            return self.literal(atom) if isinstance(atom, Literal) else env[atom]

        for eqn in jaxpr.eqns:
            if outer is not None and not (keep and user_frame(eqn.source_info.traceback)):
                eqn = eqn.replace(source_info=outer)
            replacement = self.expand(_with_literals(eqn, env))
            if replacement is not None:
                body = replacement.body
                inner: dict[Var, Atom] = dict(
                    zip(body.jaxpr.invars, map(read, replacement.operands), strict=True)
                )
                inner.update(self.bind_consts(body))
                outs = self.run(body.jaxpr, inner, eqn.source_info, replacement.from_user)
                env.update(zip(eqn.outvars, outs, strict=True))
                continue
            outvars = [self.fresh(v) for v in eqn.outvars]
            env.update(zip(eqn.outvars, outvars, strict=True))
            invars = [read(v) for v in eqn.invars]
            new = eqn.replace(invars=invars, outvars=outvars, params=self.params(eqn))
            left = effects_on(eqn.effects, eqn.invars, invars) - (_of_bodies(eqn) - _of_bodies(new))
            self.eqns.append(new.replace(effects=left))
        return [read(v) for v in jaxpr.outvars]

    def bind_consts(self, closed: ClosedJaxpr) -> dict[Var, Var]:
        bound: dict[Var, Var] = {}
        for var, value in zip(closed.jaxpr.constvars, closed.consts, strict=True):
            new = self.fresh(var)
            self.consts[new] = self.const(value)
            bound[var] = new
        return bound

    def params(self, eqn: JaxprEqn) -> dict[str, Any]:
        expand = self.inside(eqn)
        closed = {n: closed_of(v) if isinstance(v, Jaxpr) else v for n, v in eqn.params.items()}
        done = map_bodies(
            closed, lambda body: splice(body, expand, physical=self.physical, inside=self.inside)
        )
        for name, value in eqn.params.items():
            if isinstance(value, Jaxpr) and not done[name].consts:
                done[name] = done[name].jaxpr  # as it was: open
        return done


def _of_bodies(eqn: JaxprEqn) -> set[Any]:
    """The effects of an equation's bodies, those on its operands excepted: they are the equation's, too."""
    bodies = [open_jaxpr(body) for body in inner_jaxprs(eqn)]
    return {effect for body in bodies for effect in body.effects if not isinstance(effect, JaxprInputEffect)}


def _with_literals(eqn: JaxprEqn, env: dict[Var, Atom]) -> JaxprEqn:
    """`eqn` with operands that turned out to be literals (the platform's index) as such."""
    known = [v if isinstance(v, Literal) or not isinstance(env[v], Literal) else env[v] for v in eqn.invars]
    return eqn if known == eqn.invars else eqn.replace(invars=known)


def splice(
    closed: ClosedJaxpr,
    expand: Expand,
    *,
    physical: bool = False,
    inside: Callable[[JaxprEqn], Expand] | None = None,
) -> ClosedJaxpr:
    """`closed` with every equation that `expand` answers for replaced, recursively. Invars keep their order.

    Args:
        closed, expand: see above.
        physical: typed keys become their uint32 data.
        inside: what is asked in the bodies of an equation that stays; `expand` where it is not given.
    """
    splicer = _Splicer(expand, physical, inside or (lambda eqn: expand))
    env: dict[Var, Atom] = {v: splicer.fresh(v) for v in closed.jaxpr.invars}
    invars = [env[v] for v in closed.jaxpr.invars]
    env.update(splicer.bind_consts(closed))
    outvars = splicer.run(open_jaxpr(closed), env)
    return make_closed([v for v in invars if isinstance(v, Var)], outvars, splicer.eqns, splicer.consts)
