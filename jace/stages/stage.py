"""What the stages have in common."""

from __future__ import annotations

from typing import Any

from jace.primitive.binding import CallBinding


class Stage:
    """What JAX knows of the traced function; and that a stage stays in its process."""

    _traced: Any

    args_info = property(
        lambda self: self._traced.args_info, doc="Shape, dtype and donation of the arguments."
    )
    donate_argnums = property(
        lambda self: self._traced.donate_argnums, doc="Flat positions of donated arguments."
    )
    in_avals = property(lambda self: self._traced.in_avals, doc="Types of the arguments, as a tree.")
    in_tree = property(lambda self: self._traced.in_tree, doc="Tree structure of (args, kwargs).")
    out_info = property(
        lambda self: self._traced.out_info, doc="Shapes and dtypes of the results, as a tree."
    )
    out_tree = property(lambda self: self._traced.out_tree, doc="Tree structure of the results.")

    def __reduce__(self) -> Any:
        """Refused.

        Raises:
            TypeError: always; the message says what to pickle instead.
        """
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled: it holds what JAX traced and DaCe compiled in this process. "
            "Pickle the jace.jit function and lower it again where it is needed: on one machine its code comes from "
            "jace's cache"
        )


class Translated(Stage):
    """What a translated function and a compiled one have in common."""

    _binding: CallBinding

    def as_sdfg(self) -> Any:
        """The `dace.SDFG`.

        Raises:
            JaceError: equations are left to XLA, so that there are several.
        """
        return self._binding.unit.program.sdfg

    def as_sdfgs(self) -> list[Any]:
        """The `dace.SDFG`s: one, or one a region between the equations left to XLA."""
        return [unit.program.sdfg for unit in self._binding.units]
