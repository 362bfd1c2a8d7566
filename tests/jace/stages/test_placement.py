"""Options of jax.jit that say where a function runs: taken where they say one CPU device, else refused with the reason.

JAX has one device here; several are stood in for.
"""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout
from jax.sharding import NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

import jace
from jace.stages import placement

X = np.arange(6, dtype=np.float32).reshape(2, 3)
DEVICE = jax.devices("cpu")[0]
ONE = SingleDeviceSharding(DEVICE)
UNSPECIFIED = inspect.signature(jax.jit).parameters["in_shardings"].default


def mesh() -> Any:
    return jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=[DEVICE])


@pytest.mark.parametrize("option", ["in_shardings", "out_shardings"])
@pytest.mark.parametrize(
    "sharding",
    [
        None,
        UNSPECIFIED,
        ONE,
        (ONE,),
        NamedSharding(mesh(), P("x")),
        Format(Layout((1, 0)), ONE),
    ],
    ids=["none", "unspecified", "device", "tuple", "mesh", "layout"],
)
def test_one_cpu_device_is_taken(option: str, sharding: Any) -> None:
    if isinstance(sharding, tuple) and option == "out_shardings":
        sharding = sharding[0]
    got, want = (jit(lambda x: x * 2, **{option: sharding})(X) for jit in (jace.jit, jax.jit))
    np.testing.assert_array_equal(got, want)
    assert (got.sharding, got.format) == (want.sharding, want.format)


@pytest.mark.parametrize("place", [{"backend": "cpu"}, {"device": DEVICE}])
def test_the_cpu_by_name_is_taken_with_jaxs_warning(place: dict[str, Any]) -> None:
    for jit in (jace.jit, jax.jit):
        with pytest.warns(DeprecationWarning, match="backend and device argument on jit is deprecated"):
            np.testing.assert_array_equal(jit(lambda x: x * 2, **place)(X), X * 2)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"backend": "tpu"}, r"backend='tpu': jace.jit compiles for the CPU, not for tpu; use jax.jit there"),
        ({"device": SimpleNamespace(platform="gpu")}, r"device=.*compiles for the CPU, not for gpu"),
        ({"in_shardings": P("x")}, r"in_shardings: .*axes of a mesh.*one CPU device.*jax.shard_map"),
    ],
)
def test_other_places_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        jace.jit(lambda x: x, **options)


def test_several_devices_are_refused() -> None:
    two = [SimpleNamespace(platform="cpu", id=k) for k in range(2)]
    with pytest.raises(
        ValueError, match=r"out_shardings: .*one CPU device, not spread over 2; use jax.jit there"
    ):
        placement.check_devices("out_shardings", two)


def test_what_is_no_sharding_is_refused_by_jax() -> None:
    for jit in (jace.jit, jax.jit):
        with pytest.raises(
            TypeError, match="in_shardings leaf specifications are expected to be PartitionSpec"
        ):
            jit(lambda x: x, in_shardings="x")


def test_stages_take_the_device_that_there_is() -> None:
    lowered = jace.jit(lambda x: x * 2).lower(X)
    np.testing.assert_array_equal(lowered.compile(device_assignment=(DEVICE,))(X), X * 2)
    with pytest.raises(ValueError, match=r"device_assignment: .*not spread over 2"):
        lowered.compile(device_assignment=(DEVICE, DEVICE))


def test_options_of_the_compiler_are_given_to_jit() -> None:
    with pytest.raises(
        ValueError, match=r"unknown compiler_options \['xla_cpu_x'\] \(XLA's own mean nothing"
    ):
        jace.jit(lambda x: x, compiler_options={"xla_cpu_x": True})
    with pytest.raises(ValueError, match=r"compiler_options=\{'opt': 3\}.*give them to jace.jit"):
        jace.jit(lambda x: x).lower(X).compile(compiler_options={"opt": 3})
