"""A jace.jit function can be pickled where its function can; stages cannot, and say what can."""

from __future__ import annotations

import copy
import functools
import pickle
import types
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import serialize_executable

import jace

X = np.arange(4, dtype=np.float32)


@jace.jit
def decorated(x: Any) -> Any:
    return jnp.sin(x)


def plain(x: Any, power: int) -> Any:
    return x**power


class Model:
    scale = 3.0

    @jace.jit(static_argnums=0)
    def apply(self, x: Any) -> Any:
        return x * self.scale


powers = jace.jit(plain, static_argnames="power", pipeline="canonical", compiler_options={"opt": 1})


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_what_its_name_finds_comes_back_as_it_is() -> None:
    assert again(decorated) is decorated
    assert again(Model.apply) is Model.apply


def test_other_functions_come_back_with_their_options() -> None:
    found = again(powers)
    assert found is not powers
    assert found.__wrapped__ is plain
    np.testing.assert_array_equal(found(X, power=3), X**3)
    assert (
        found.lower(X, power=3)._binding.params["settings"]
        == powers.lower(X, power=3)._binding.params["settings"]
    )


def test_callables_that_pickle_knows_itself() -> None:
    found = again(jace.jit(functools.partial(plain, power=2)))
    np.testing.assert_array_equal(found(X), X**2)


def test_a_function_without_a_name_that_finds_it_is_refused() -> None:
    def local(x: Any) -> Any:
        return x

    for fun in (jace.jit(local), jace.jit(lambda x: x)):
        with pytest.raises(
            pickle.PicklingError, match=r"does not find this one.*top of a module, or use cloudpickle"
        ):
            pickle.dumps(fun)


def test_cloudpickle_is_given_the_function_itself() -> None:
    ask: Any = types.FunctionType(
        (lambda value: value.__reduce_ex__(4)).__code__, {"__name__": "cloudpickle.cloudpickle"}
    )
    wrapped = jace.jit(lambda x: x + 1)
    for fun in (wrapped, decorated):
        remake, (inner,) = ask(fun)
        assert inner is fun.__wrapped__
        assert isinstance(remake(inner), jace.Wrapped)


def test_copies() -> None:
    assert copy.copy(decorated) is decorated
    np.testing.assert_array_equal(copy.deepcopy(powers)(X, power=2), X**2)


def test_stages_say_what_to_pickle_instead() -> None:
    traced = decorated.trace(X)
    lowered = traced.lower()
    compiled = lowered.compile()
    for stage in (traced, lowered, compiled):
        with pytest.raises(
            TypeError, match=rf"a {type(stage).__name__} cannot be pickled.*Pickle the jace.jit fun"
        ):
            pickle.dumps(stage)
    with pytest.raises(TypeError, match="cannot be pickled"):
        serialize_executable.serialize(compiled)
    with pytest.raises(Exception, match="pickle"):  # JAX's: the same, in words of pickle
        pickle.dumps(jax.jit(plain, static_argnums=1).lower(X, 2).compile())
