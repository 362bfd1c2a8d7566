"""Errors raised while tracing: the calls that were open, as data, and the entry in the journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.trace.failure import TraceFailure, kind_and_name
from jace_repro.trace.frames import file_of
from jace_repro.trace.model import Applied, Body, Function, Step, Traced, Tracing
from jace_repro.tracker import hooks
from jace_repro.tracker.api import record
from jace_repro.tracker.handler import Handler
from jace_repro.tracker.postmortem import examine

# A warning of ours would be one more line on the user's screen.
pytestmark = pytest.mark.filterwarnings("error")


class Examiner(Handler):
    """Keeps the first failure and ignores everything else."""

    def __init__(self) -> None:
        self.failure: TraceFailure | None = None

    def trace_failed(self, error: BaseException, frames: Any) -> None:
        with hooks.suspended():
            self.failure = self.failure or examine(error, frames)


def failure_of(run: Callable[[], Any]) -> TraceFailure:
    """What the post-mortem says of the error that ``run`` raises."""
    handler = Examiner()
    with hooks.installed(handler), pytest.raises(Exception):  # noqa: B017, PT011 - the failure says which
        run()
    assert handler.failure is not None
    return handler.failure


def traced(step: Step) -> tuple[str, Body]:
    """What an open call had traced, by what, and as far as it got."""
    assert isinstance(step.operation, Tracing)
    assert step.operation.body is not None
    return step.operation.api, step.operation.body


def primitives(body: Body | None) -> list[str]:
    """The equations of a run of which the jaxpr is known."""
    assert body is not None
    return [eqn.primitive.name for eqn in body.jaxpr.jaxpr.eqns]


def concatenate_in_a_scan() -> Any:
    @jax.jit
    def f(x, y):
        def body(carry, a):
            total = carry + a * y
            return jnp.concatenate([total, y], axis=1), a

        return jax.lax.scan(body, jnp.sin(x), jnp.ones((3, 4)))

    return f(jnp.arange(4.0), np.float32(2) * np.ones(4, np.float32))


def test_the_path_to_the_failing_call() -> None:
    failure = failure_of(concatenate_in_a_scan)
    assert (failure.exception, failure.message) == (
        "ValueError",
        "axis 1 is out of bounds for array of dimension 1",
    )
    np.testing.assert_array_equal(failure.inputs[0], np.arange(4.0))
    (jit, outer), (scan, body) = map(traced, failure.open)
    assert (jit, outer.function.name) == ("jit", "f")
    assert outer is failure.body
    assert primitives(outer) == ["sin", "broadcast_in_dim"]
    assert (scan, body.function.name) == ("scan", "body")
    assert primitives(body) == ["mul", "add"]
    # the value captured from the outer trace is a parameter like the others
    assert outer.args[1] in body.args
    (call,) = failure.candidates
    assert kind_and_name(call) == ("api", "jax.numpy.concatenate")
    assert dict(call.kwargs) == {"axis": 1}
    ((total, y),) = call.args
    assert y == outer.args[1]
    assert body.result == (total, y)
    assert total.aval.str_short() == "float32[4]"
    assert body.jaxpr.jaxpr.outvars[0] is body.jaxpr.jaxpr.eqns[1].outvars[0]
    assert "test_postmortem.py:" in call.line


@pytest.mark.parametrize(
    ("run", "first", "last"),
    [
        (lambda: jax.jit(lambda x: jnp.sin(x) + np.ones(3))(jnp.ones(4)), "jax.numpy.add", "add"),
        (lambda: jax.jit(lambda x: x.reshape(5))(jnp.ones(3)), "reshape", "reshape"),
        (lambda: jax.jit(lambda x: 1 if x > 0 else 2)(1.0), "__bool__", "__bool__"),
        (lambda: jax.jit(lambda x: np.sin(x))(jnp.ones(2)), "__array__", "__array__"),
        (lambda: jnp.ones((3, 4)) @ jnp.ones((3, 4)), "jax.numpy.matmul", "dot_general"),
        (
            lambda: jax.vmap(jax.jit(lambda x, y: x @ y))(jnp.ones((3, 4)), jnp.ones((3, 5))),
            "jax.numpy.matmul",
            "dot_general",
        ),
        (lambda: jax.jit(lambda x: jax.lax.add(x, x[:2]))(jnp.ones(3)), "jax.lax.add", "add"),
        (lambda: jax.jit(lambda x, n: x[:n])(jnp.ones(3), 2), "__getitem__", "__getitem__"),
        (lambda: jax.jit(lambda x: x.at[1, 2].set(0.0))(jnp.ones(3)), "__getitem__", "__getitem__"),
        (lambda: jax.jit(lambda x: x.at[0].apply(3))(jnp.ones(3)), "__getitem__", "jax.lax.scatter_apply"),
        (
            lambda: jax.jit(lambda x: jnp.einsum("ij,j", x, x))(jnp.ones((3, 2))),
            "jax.numpy.einsum",
            "jax.numpy.einsum",
        ),
        (lambda: jax.jit(jax.grad(lambda x: x * 2))(jnp.ones(3)), "jax.value_and_grad", "jax.value_and_grad"),
        (lambda: jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(4)), "jax.vmap", "jax.vmap"),
        (
            lambda: jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c[None], x))(1.0),
            "jax.lax.scan",
            "jax.lax.scan",
        ),
        (
            lambda: jax.lax.scan(lambda c, a: (c.astype(int), a), 1.0, jnp.arange(3)),
            "jax.lax.scan",
            "jax.lax.scan",
        ),
    ],
)
def test_the_call_to_blame(run: Callable[[], Any], first: str, last: str) -> None:
    failure = failure_of(run)
    assert not failure.outside
    assert kind_and_name(failure.candidates[0])[1] == first
    assert kind_and_name(failure.candidates[-1])[1] == last


def test_a_function_handed_to_the_failing_call_comes_with_its_jaxpr() -> None:
    run = lambda: jax.jit(lambda x: jax.lax.scan(lambda c, a: (c > a, a), x, jnp.ones(3)))(1.0)
    (call,) = failure_of(run).candidates
    (function, *_) = call.args
    assert isinstance(function, Function)
    assert primitives(function.body) == ["gt"]


def test_an_eager_call_fails_on_its_inputs() -> None:
    failure = failure_of(lambda: jnp.matmul(jnp.ones((3, 4)), np.full((3, 4), 2.0, np.float32)))
    assert failure.body is not None
    assert failure.candidates[0].args == failure.body.args
    assert [float(i.flat[0]) for i in failure.inputs] == [1.0, 2.0]
    assert "test_postmortem.py:" in failure.source


def test_jax_is_known_where_it_lies_below_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything lies below /: files are shown relative to it, but whose they are is told of what Python calls them."""
    monkeypatch.chdir("/")
    failure = failure_of(lambda: jnp.matmul(jnp.ones((3, 4)), jnp.ones((3, 4))))
    assert file_of(failure.source) == file_of(failure.candidates[0].line) == __file__
    with record(tmp_path) as rec, pytest.raises(TypeError):
        jnp.matmul(jnp.ones((3, 4)), jnp.ones((3, 4)))
    (entry,) = (e for e in rec.entries if e.status == "trace-error")
    assert entry.entry.eager
    assert entry.repro is not None
    here = __file__.removeprefix("/")
    assert (file_of(entry.entry.source), file_of(entry.entry.call_site)) == (here, here)
    assert f"origin = '{entry.entry.source} ({entry.entry.name})'" in (
        tmp_path / entry.repro
    ).read_text().replace('"', "'")


def test_branches_on_one_line_keep_their_order() -> None:
    run = lambda: jax.jit(lambda x: jax.lax.cond(x > 0, lambda v: v + 1, lambda v: v > 1, x))(1.0)
    (call,) = failure_of(run).candidates
    assert kind_and_name(call) == ("api", "jax.lax.cond")
    branches = [primitives(f.body) for f in call.args[1:3]]
    assert branches == [["add"], ["gt"]]


def test_a_transform_is_applied_to_what_the_program_applied_it_to() -> None:
    (call,) = failure_of(lambda: jax.jit(jax.grad(lambda x, y: x * y))(jnp.ones(3), 2.0)).candidates
    assert isinstance(call.operation, Applied)
    assert [type(a) for a in call.args] == [Traced, Traced]
    (function,) = call.operation.made.args
    assert [r.aval.str_short() for r in function.body.result] == ["float32[3]"]


def test_arguments_that_were_left_at_their_defaults_are_left_out() -> None:
    (call, *_) = failure_of(lambda: jax.jit(lambda x: jnp.stack([x, x[:1]], 0))(jnp.ones(2))).candidates
    assert kind_and_name(call) == ("api", "jax.numpy.stack")
    assert set(call.kwargs) <= {"axis"}


def test_an_error_of_the_programs_own_is_outside() -> None:
    def f(x):
        raise KeyError("mine")

    failure = failure_of(lambda: jax.jit(f)(1.0))
    assert (failure.outside, failure.candidates, failure.exception) == (True, (), "KeyError")


def test_the_journal_has_the_failure_once_and_the_program_its_error(tmp_path: Path) -> None:
    f = jax.jit(lambda x: jnp.dot(x, x[1:]))
    with record(tmp_path) as rec:
        for _ in range(3):
            with pytest.raises(TypeError, match="same shape") as raised:
                f(np.ones(3))
    (entry,) = [e for e in rec.entries if not e.entry.eager]
    assert (entry.status, entry.calls) == ("trace-error", 3)
    assert entry.error == f"TypeError: {raised.value}".partition("\n")[0].strip()
    assert "test_postmortem.py:" in entry.entry.source
    # the traceback is what it is without us: JAX's frames and ours are not in it
    frames = [t.frame.code.raw.co_filename for t in raised.traceback]
    assert not [name for name in frames if name == hooks.__file__]
