"""What goes wrong while a function is traced is told as jax.jit tells it: type, words, lines, arguments.

The cases are those of JAX's page of errors (docs.jax.dev/en/latest/errors.html), and what a call may get wrong.
"""

from __future__ import annotations

import functools
import re
import traceback
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace

Jit = Callable[..., Any]
X = np.arange(4, dtype=np.float32)
CASES: dict[str, Callable[[Jit], Any]] = {}


def case(fun: Callable[[Jit], Any]) -> Callable[[Jit], Any]:
    CASES[fun.__name__] = fun
    return fun


def branch(x: Any, *, limit: Any) -> Any:
    total = x.sum()
    if total > limit:
        return x
    return -x


def identity(x: Any) -> Any:
    return x


# --- the page of errors


@case
def concretization(jit: Jit) -> Any:
    def fun(x: Any, axis: Any) -> Any:
        return x.min(axis=axis)

    return jit(fun)(X, 0)


@case
def length_of_a_range(jit: Jit) -> Any:
    return jit(lambda n: jnp.arange(n))(3)


@case
def a_python_number(jit: Jit) -> Any:
    return jit(lambda x: jnp.zeros(3) * float(x))(2.0)


@case
def static_shape(jit: Jit) -> Any:
    return jit(lambda x, n: jnp.reshape(x, (n, 2)))(X, 2)


@case
def boolean_index(jit: Jit) -> Any:
    return jit(lambda x: x[x > 1])(X)


@case
def nonzero(jit: Jit) -> Any:
    return jit(lambda x: jnp.nonzero(x))(X)


@case
def numpy_function(jit: Jit) -> Any:
    return jit(lambda x: np.sin(x))(X)


@case
def numpy_index(jit: Jit) -> Any:
    return jit(lambda i: np.arange(3)[i])(0)


@case
def control_flow(jit: Jit) -> Any:
    return jit(branch)(X, limit=1.0)


@case
def integer_conversion(jit: Jit) -> Any:
    return jit(lambda i: [1, 2, 3][i])(0)


@case
def range_of_a_tracer(jit: Jit) -> Any:
    return jit(lambda n: [jnp.ones(()) for _ in range(n)])(3)


@case
def leaked_tracer(jit: Jit) -> Any:
    kept: list[Any] = []

    def fun(x: Any) -> Any:
        kept.append(jnp.sin(x))
        return x

    jit(fun)(X)
    return jit(lambda x: x + kept[0])(X)


@case
def leak_checked(jit: Jit) -> Any:
    kept: list[Any] = []

    def fun(x: Any) -> Any:
        kept.append(x + 1)
        return x

    with jax.checking_leaks():
        return jit(fun)(X)


@case
def key_reuse(jit: Jit) -> Any:
    def fun(key: Any) -> Any:
        return jax.random.normal(key) + jax.random.uniform(key)

    with jax.debug_key_reuse(True):
        return jit(fun)(jax.random.key(0))


# --- calls that are wrong


@case
def no_array(jit: Jit) -> Any:
    return jit(identity)("four")


@case
def no_array_within(jit: Jit) -> Any:
    return jit(identity)({"a": [1.0, object()]})


@case
def no_array_answered(jit: Jit) -> Any:
    return jit(lambda x: {"y": (x, "text")})(X)


@case
def too_many_arguments(jit: Jit) -> Any:
    return jit(identity)(X, X)


@case
def unknown_keyword(jit: Jit) -> Any:
    return jit(identity)(X, y=1)


@case
def too_large_an_integer(jit: Jit) -> Any:
    return jit(identity)(2**70)


@case
def unhashable_static_argument(jit: Jit) -> Any:
    return jit(lambda x, n: x, static_argnums=1)(X, [1])


@case
def unhashable_static_keyword(jit: Jit) -> Any:
    return jit(lambda x, n: x, static_argnames="n")(X, n=[1])


@case
def static_argnums_out_of_range(jit: Jit) -> Any:
    return jit(identity, static_argnums=3)


@case
def static_argnums_no_integer(jit: Jit) -> Any:
    return jit(identity, static_argnums="x")


@case
def static_argnames_unknown(jit: Jit) -> Any:
    return jit(identity, static_argnames="y")


@case
def static_and_donated(jit: Jit) -> Any:
    return jit(identity, static_argnums=0, donate_argnums=0)


@case
def no_function(jit: Jit) -> Any:
    return jit(3)


@case
def no_function_at_all(jit: Jit) -> Any:
    return jit(None)


@case
def unknown_option(jit: Jit) -> Any:
    return jit(identity, abstracted_axes=None)


@case
def unhashable_callable(jit: Jit) -> Any:
    class Model:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, x: Any) -> Any:
            return x

    return jit(Model())(X)


@case
def error_of_the_user(jit: Jit) -> Any:
    def fun(x: Any) -> Any:
        raise ZeroDivisionError(f"of shape {x.shape}")

    return jit(fun)(X)


# --- from elsewhere


@case
def tracing(jit: Jit) -> Any:
    return jit(branch).trace(X, limit=1.0)


@case
def lowering(jit: Jit) -> Any:
    return jit(branch).lower(X, limit=1.0)


@case
def asking_for_the_shape(jit: Jit) -> Any:
    return jit(branch).eval_shape(X, limit=1.0)


@case
def under_grad(jit: Jit) -> Any:
    return jax.grad(lambda x: jit(branch)(x, limit=1.0).sum())(X)


@case
def under_vmap_and_jit(jit: Jit) -> Any:
    return jax.jit(jax.vmap(lambda x: jit(identity)(x) if jit(branch)(x, limit=1.0) else x))(X)


@case
def as_a_decorator(jit: Jit) -> Any:
    @jit(static_argnames="wrong")
    def fun(x: Any) -> Any:
        return x

    return fun


@case
def compiled_for_another_shape(jit: Jit) -> Any:
    return jit(identity).lower(X).compile()(X[:2])


@case
def compiled_for_another_tree(jit: Jit) -> Any:
    return jit(identity).lower(X).compile()([X])


@case
def compiled_under_grad(jit: Jit) -> Any:
    return jax.grad(lambda x: jit(identity).lower(X).compile()(x).sum())(X)


#: Where JAX forgets to hide its own frames, and jace has none to show.
FEWER_FRAMES = ("as_a_decorator", "compiled_for_another_shape", "compiled_for_another_tree")
#: What of `jax.errors` tracing never raises: of running programs, of symbolic shapes, of hand-made jaxprs.
NOT_OF_TRACING = {
    jax.errors.JaxRuntimeError,
    jax.errors.InconclusiveDimensionOperation,
    jax.errors.JaxprTypeError,
}


@functools.cache
def told(name: str, jit: Jit) -> tuple[Any, list[tuple[str, int | None, str]], list[str]]:
    """Type and words of the error, the frames that its user sees from the case on, and notes."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  # which one it is is what is compared
        CASES[name](jit)
    error = caught.value
    frames = traceback.extract_tb(error.__traceback__)[1:]
    words = re.sub(r"0x[0-9a-f]+|\d{9,}", "ADDRESS", str(error)).partition(" is referred to by")[0]
    seen = [(f.filename, f.lineno, f.name) for f in frames]
    return (type(error), words), seen, getattr(error, "__notes__", [])


@pytest.mark.parametrize("name", CASES)
def test_errors_are_jax_jits(name: str) -> None:
    (error, frames, notes), (expected, all_frames, all_notes) = (
        told(name, jit) for jit in (jace.jit, jax.jit)
    )
    assert error == expected
    if name in FEWER_FRAMES:
        assert frames == [f for f in all_frames if f[0] == __file__] != all_frames
    else:
        assert (frames, notes) == (all_frames, all_notes)


def test_the_cases_are_of_all_kinds() -> None:
    types = {told(name, jax.jit)[0][0] for name in CASES}
    documented = {
        e for e in vars(jax.errors).values() if isinstance(e, type) and e.__module__ == "jax.errors"
    }
    assert [e for e in documented - NOT_OF_TRACING if not any(issubclass(t, e) for t in types)] == []


def test_what_leaks_nothing_passes_the_check() -> None:
    with jax.checking_leaks():
        np.testing.assert_allclose(jace.jit(lambda x: jnp.sin(x) + 1)(X), np.sin(X) + 1, rtol=1e-6)


def test_jaces_own_errors_show_the_users_frames_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from jace import registry

    jace.supported_primitives()
    monkeypatch.delitem(registry._rules, "eig")
    with pytest.raises(jace.UnsupportedPrimitiveError) as caught:
        jace.jit(lambda x: jnp.linalg.eigvals(x))(np.eye(2, dtype=np.float32))
    assert {f.filename for f in traceback.extract_tb(caught.value.__traceback__)} == {__file__}
    assert caught.value.__context__ is None
    assert "JAX_TRACEBACK_FILTERING" in caught.value.__notes__[0]
