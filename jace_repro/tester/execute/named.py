"""Programs that a worker makes itself: told by name instead of as a script.

What makes them is a function of an importable module. Nothing is emitted, sent or executed as text, so testing
one costs little more than the test. A `Repro` remains the form in which a failure is kept.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace_repro.repro import jax_configuration


@dataclass(frozen=True)
class NamedProgram:
    """A program by its name.

    Attributes:
        maker: "module:function" of a function from `name` to a closed jaxpr and its inputs, one a variable.
        name: of the program.
        jax_config: the JAX configuration it is made and run under, as far as it is not JAX's default.
    """

    maker: str
    name: str
    jax_config: Mapping[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def traced(self) -> tuple[ClosedJaxpr, Sequence[Any]]:
        """The jaxpr and its inputs; to be asked for inside `configured`."""
        module, _, function = self.maker.partition(":")
        return getattr(importlib.import_module(module), function)(self.name)

    @contextlib.contextmanager
    def configured(self) -> Iterator[None]:
        """JAX configured as the program wants it, restored on exit."""
        with jax_configuration(self.jax_config):
            yield
