"""Every primitive that the installed JAX defines, found by importing all of JAX and looking for them."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from jax.extend.core import Primitive

#: Modules that are programs or tests, or need TensorFlow; none defines a primitive that a jaxpr of JAX's contains.
_LEFT_OUT = ("jax.collect_profile", "jax.experimental.jax2tf", "jax.tools", "internal_test_util", "test_util")

#: Part of the defining module -> why its primitives never reach a CPU.
_OTHER_DEVICES: Mapping[str, str] = MappingProxyType(
    {
        "pallas": "Pallas: the language inside of a TPU or GPU kernel",
        "mosaic": "Mosaic: the language inside of a TPU or GPU kernel",
        "tpu_custom_call": "a compiled TPU kernel",
        "cudnn": "cuDNN: a GPU library",
        "rnn": "cuDNN's recurrent networks: a GPU library",
        "thunky": "thunky: what XLA runs on a GPU, bound one by one",
    }
)
_ASYNCHRONOUS = "an asynchronous collective: XLA has it for TPU and GPU only"


@dataclass(frozen=True)
class Found:
    """A primitive by name.

    Attributes:
        module: a module that has it, a public one if there is any.
        primitive: the object.
        elsewhere: why no CPU program contains it, or None when one may.
    """

    name: str
    module: str
    primitive: Any
    elsewhere: str | None = None

    @property
    def shown_module(self) -> str:
        """The module without the prefix that says that it is private."""
        return self.module.removeprefix("jax._src.")


def _modules() -> Iterator[str]:
    """Names of JAX's modules; those that are packages are imported on the way."""
    jax = importlib.import_module("jax")

    def skip(name: str) -> None:
        """A package that does not import (something optional is missing) has no primitives here."""

    for module in pkgutil.walk_packages(jax.__path__, "jax.", onerror=skip):
        if not any(part in module.name for part in _LEFT_OUT):
            yield module.name


def _import_all() -> None:
    for name in list(_modules()):
        try:
            importlib.import_module(name)
        except Exception:  # an optional dependency is missing: any exception, and then nothing is defined
            continue


def _elsewhere(name: str, module: str) -> str | None:
    parts = module.split(".")
    for part, why in _OTHER_DEVICES.items():
        if part in parts:
            return why
    if name == "with_memory_space_constraint":  # of Pallas, wherever a release defines it
        return _OTHER_DEVICES["pallas"]
    if (module.endswith("parallel") and name.endswith(("_start", "_done"))) or name in ("psend", "precv"):
        return _ASYNCHRONOUS
    return None


def _home(names: list[str]) -> str:
    """The module to name for a primitive: lax or random if they have it, else the private one that defines it.

    Languages of other devices come last: they have lax's own primitives, too.
    """

    def rank(name: str) -> tuple[bool, int, int, str]:
        kind = 0 if name.startswith(("jax.lax", "jax.random")) else 1 if name.startswith("jax._src.") else 2
        return not _OTHER_DEVICES.keys().isdisjoint(name.split(".")), kind, len(name), name

    return min(names, key=rank)


def _order(found: Found) -> tuple[bool, str]:
    return found.elsewhere is not None, found.module


@functools.cache
def all_primitives() -> Mapping[str, Found]:
    """Every primitive of this JAX, by name, sorted. Imports all of JAX (4 seconds, once).

    Names that a device-specific language shares with lax (gather, swap) stand for lax's primitive.
    """
    _import_all()
    homes: dict[int, list[str]] = {}
    objects: dict[int, Any] = {}
    for module_name in sorted(name for name in sys.modules if name.partition(".")[0] == "jax"):
        for value in list(vars(sys.modules[module_name]).values()):
            if isinstance(value, Primitive):
                homes.setdefault(id(value), []).append(module_name)
                objects[id(value)] = value
    found: dict[str, Found] = {}
    for key, primitive in objects.items():
        module = _home(homes[key])
        entry = Found(primitive.name, module, primitive, _elsewhere(primitive.name, module))
        other = found.get(primitive.name)
        if other is None or _order(entry) < _order(other):
            found[primitive.name] = entry
    return MappingProxyType(dict(sorted(found.items())))
