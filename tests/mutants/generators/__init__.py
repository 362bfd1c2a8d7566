"""Where programs for mutants can come from: jace's own fuzzer, and others to compare it with.

A generator is a function of a seed that makes programs for ever. What they make is kept as scripts, so that what is
compared is programs, tested alike: the others have no path through DaCe and no judge of their own that is asked.

    own        the programs of `jace-repro fuzz`, in the order of a campaign
    plain      what a user of hypothesis writes in an afternoon: arrays, and functions of jax.numpy
    nnsmith    NNSmith's models: its operators, its solver's shapes and parameters, said in jax.numpy
    xlaxiom    XLAxiom's workloads
"""

from __future__ import annotations

import importlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jax.extend.core import ClosedJaxpr


@dataclass(frozen=True)
class Made:
    """A program that was made: its function, its inputs, and JAX's mode."""

    function: Callable[..., Any]
    arrays: Sequence[Any]
    x64: bool = False


#: The module of each, which has `programs(seed)`; jace's own are written as a campaign writes them.
OTHERS = {name: f"{__name__}.{name}" for name in ("plain", "nnsmith", "xlaxiom")}
OWN = "own"


def write(name: str, seed: int, count: int, folder: Path, jobs: int = 1) -> list[Path]:
    """Write the first programs of a generator as repros, in its order; those that JAX refuses are left out.

    Raises:
        ImportError: the generator is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if name == OWN:
        return _own(seed, count, folder, jobs)
    made = importlib.import_module(OTHERS[name]).programs(seed)
    paths = (
        written(program, folder / f"{name}-{number}.py")
        for number, program in enumerate(itertools.islice(made, count))
    )
    return [path for path in paths if path is not None]


def _own(seed: int, count: int, folder: Path, jobs: int) -> list[Path]:
    from jace_repro.fuzz import writing

    wanted = [writing.wanted_at(seed, number) for number in range(count)]
    with writing.writer(jobs) as processes:
        written = writing.write_all(processes, wanted, folder)()
    return [one.path for one in written if one.path is not None]


def written(program: Made, path: Path) -> Path | None:
    """The repro of a program, written; None where JAX refuses it."""
    import jax

    from jace_repro.emitter import emit_flat
    from jace_repro.repro import Header, current_config, jax_configuration

    with jax_configuration({"jax_enable_x64": True} if program.x64 else {}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            closed = jax.make_jaxpr(program.function)(*program.arrays)
        except Exception:  # JAX refuses what knows nothing of it in as many ways as it has functions
            return None
        header = Header(f"mutants.generators: {path.stem}", path.stem, current_config())
        return emit_flat(closed, list(program.arrays), header=header).save(path).path


def loaded(path: str) -> tuple[ClosedJaxpr, Sequence[Any]]:
    """The jaxpr and the inputs of a program that was written; in a worker."""
    from jace_repro.repro import load, trace_repro

    return trace_repro(load(Path(path)))


def needs_x64(path: Path) -> bool:
    """Whether a program that was written is one of JAX's 64-bit mode."""
    from jace_repro.repro import load

    return bool(load(path).header.jax_config.get("jax_enable_x64"))


def numbered(seed: int) -> Iterator[int]:
    """Seeds of the single programs of one seed."""
    return itertools.count(seed * 1_000_000)
