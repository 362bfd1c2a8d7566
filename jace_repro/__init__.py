"""Finds where a JAX program and its DaCe translation disagree, and reduces each disagreement to a script.

The command line is ``jace-repro`` (see :mod:`jace_repro.cli`). For use inside Python:

* :func:`record` — a context manager that journals every entry JAX traces in its body;
* :func:`check` — compares one function on one set of arguments through XLA and DaCe, for use in a test.

PYTEST_DONT_REWRITE: a recorded pytest finds this package imported already, and would warn that it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.tester import Verdict as Verdict
    from jace_repro.tracker import record as record

__all__ = ["check", "record"]


def __getattr__(name: str) -> Any:
    # Imported on first use: the tracker must be importable before JAX is, and `--help` needs neither.
    if name == "record":
        from jace_repro.tracker import record

        return record
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check(
    fun: Any,
    *args: Any,
    pipelines: Sequence[str] = ("fused",),
    timeout: float = 60.0,
    rules: Path | None = None,
) -> list[Verdict]:
    """Compare `fun` on `args` under XLA and through DaCe, each pipeline in a worker process.

    Args:
        fun: what jax.jit accepts.
        args: its arguments, pytrees of arrays and scalars.
        pipelines: ways through DaCe; see `jace.jit`.
        timeout: seconds for one test.
        rules: a Python file that the worker runs first, to register rules of your own.
    Returns:
        The verdicts, all of them "ok".
    Raises:
        AssertionError: an outcome is not "ok"; the message names it and where the two differ.
    """
    import jax

    from jace_repro.emitter import Header, emit_flat
    from jace_repro.repro import current_config
    from jace_repro.tester import Pool

    leaves, structure = jax.tree.flatten(args)

    def repro(*flat: Any) -> list[Any]:
        return jax.tree.leaves(fun(*jax.tree.unflatten(structure, flat)))

    name = getattr(fun, "__name__", "function")
    closed = jax.make_jaxpr(repro)(*leaves)
    script = emit_flat(closed, leaves, header=Header(origin=name, name=name, jax_config=current_config()))
    with Pool(jobs=1, timeout=timeout, rules=rules) as pool:
        verdicts: list[Verdict] = pool.check(script, pipelines)
    bad = [v for v in verdicts if v.outcome != "ok"]
    if bad:
        told = "\n".join(f"{v.outcome} on {v.pipeline}: {v.detail}" for v in bad)
        raise AssertionError(f"{name} does not agree with its DaCe translation\n{told}")
    return verdicts
