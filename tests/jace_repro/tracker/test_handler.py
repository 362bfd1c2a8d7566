"""Who is told what: handlers side by side, and one that has nothing to say."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jace_repro.tracker import hooks
from jace_repro.tracker.handler import Broadcast, Collector, Handler


class Listener(Handler):
    """Is interested in calls of one name, and remembers what it is told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: list[Any] = []

    def executing(self, closed: Any, args: Any, name: str) -> str | None:
        return f"token of {name}" if name == self.name else None

    def compiled(self, token: Any) -> None:
        self.told.append(("compiled", token))

    def executed(self, token: Any, outputs: Any) -> None:
        self.told.append(("executed", token))

    def failed(self, token: Any, error: BaseException) -> None:
        self.told.append(("failed", token))


def test_each_handler_gets_its_own_token() -> None:
    first, second, third = Listener("f"), Listener("g"), Handler()
    everyone = Broadcast()
    everyone.handlers = (first, second, third)
    token = everyone.executing(None, (), "f")
    assert token is not None
    everyone.compiled(token)
    everyone.executed(token, ())
    everyone.failed(token, ValueError())
    assert first.told == [(kind, "token of f") for kind in ("compiled", "executed", "failed")]
    assert second.told == [("failed", None)]  # an error may pass through a call of no interest
    assert everyone.executing(None, (), "h") is None
    everyone.failed(None, ValueError())
    assert second.told == [("failed", None)] * 2


def test_what_jax_runs_is_collected() -> None:
    collector = Collector()
    x = jnp.arange(3.0)
    with hooks.installed(collector), hooks.installed(Handler()):
        jax.jit(lambda x: jnp.sin(x) * 2)(x)
        jnp.cos(x)
    jnp.exp(x)
    names = [[eqn.primitive.name for eqn in closed.jaxpr.eqns] for closed in collector.programs]
    assert names == [["sin", "mul"], ["cos"]]
