"""What of JAX's options of placement a program can follow that runs on one CPU device.

Accepted where they say just that, refused with the reason where they say something else.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import jax
from jax.experimental.layout import Format
from jax.sharding import AbstractMesh, PartitionSpec, Sharding

#: What jax.jit takes for a sharding that nobody gave.
_UNSPECIFIED: Any = inspect.signature(jax.jit).parameters["in_shardings"].default


def placed(in_shardings: Any, out_shardings: Any, device: Any, backend: str | None) -> dict[str, Any]:
    """Those of jax.jit's options of placement that were given, for jax.jit.

    Raises:
        ValueError: one of them asks for more than the one CPU device; the message says what and why.
    """
    _check_shardings("in_shardings", in_shardings)
    _check_shardings("out_shardings", out_shardings)
    if backend not in (None, "cpu"):
        raise ValueError(f"backend={backend!r}: {_elsewhere(backend)}")
    check_devices("device", [] if device is None else [device])
    given = {
        "in_shardings": in_shardings,
        "out_shardings": out_shardings,
        "device": device,
        "backend": backend,
    }
    return {name: value for name, value in given.items() if value is not None and value is not _UNSPECIFIED}


def check_devices(option: str, devices: Sequence[Any]) -> None:
    """Refuse devices that are not one CPU device.

    Raises:
        ValueError: with the option's name and the reason.
    """
    if other := sorted({d.platform for d in devices} - {"cpu"}):
        raise ValueError(f"{option}={devices}: {_elsewhere(', '.join(other))}")
    if len(devices) > 1:
        raise ValueError(f"{option}: {_spread(len(devices))}")


def check_platforms(option: str, platforms: Iterable[str]) -> None:
    """Refuse platforms other than the CPU.

    Raises:
        ValueError: with the option's name and the reason.
    """
    if other := [p for p in platforms if p != "cpu"]:
        raise ValueError(f"{option}: {_elsewhere(', '.join(other))}")


def _check_shardings(option: str, tree: Any) -> None:
    for leaf in jax.tree.leaves(tree):
        sharding = leaf.sharding if isinstance(leaf, Format) else leaf
        if isinstance(sharding, PartitionSpec) and any(axis is not None for axis in sharding):
            raise ValueError(
                f"{option}: {sharding} spreads an array over the axes of a mesh, and jace.jit runs a function on "
                f"one CPU device. Say None, or a NamedSharding on a mesh of one CPU device; {_OTHERWISE}"
            )
        if isinstance(sharding, Sharding) and not isinstance(getattr(sharding, "mesh", None), AbstractMesh):
            check_devices(option, sorted(sharding.device_set, key=lambda d: int(d.id)))


_OTHERWISE = (
    "use jax.jit there, or call the function inside of jax.shard_map, which gives it one shard at a time"
)


def _elsewhere(platform: str) -> str:
    return f"jace.jit compiles for the CPU, not for {platform}; use jax.jit there"


def _spread(count: int) -> str:
    return f"jace.jit runs a function on one CPU device, not spread over {count}; {_OTHERWISE}"
