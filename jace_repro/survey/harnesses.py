"""JAX's own primitive harnesses as programs to test: which there are, and each one's jaxpr and inputs.

`jax._src.internal_test_util.test_harnesses` defines its harnesses when it is imported, and which ones depends
on `jax_enable_x64` at that moment. So a process knows those of one mode; `catalogue` asks a process of each.
A harness that exists in both modes counts once and is run without x64.

Run as a program this module does what needs a process of one mode:

    python -m jace_repro.survey.harnesses list                    prints the harnesses of this mode as JSON
    python -m jace_repro.survey.harnesses repro DIR NAME...       a repro of each, for jace-repro check and reduce
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.ir import CALL_PRIMITIVES, is_key_dtype, walk
from jace_repro.emitter import EmitError, emit_flat
from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import Header, current_config
from jace_repro.tester.execute.named import NamedProgram

#: Harnesses of each group in the sample that the default tests run.
SAMPLE = 2
#: Arguments with more elements together are not chosen for the sample while there are smaller ones.
SAMPLE_ELEMENTS = 4096
#: Characters of a harness's name that are the name of its repro.
_LONGEST = 150


@dataclass(frozen=True, order=True)
class Harness:
    """One harness.

    Attributes:
        group: what JAX files it under: mostly the primitive.
        name: JAX's full name, unique.
        x64: whether it needs jax_enable_x64.
        dtype: it is about.
        elements: how many numbers its arguments have.
        outputs: how many numbers its results have; 0 for one that tests nothing but shapes.
        uses: (primitive, dtype of its first operand, or result if it has none) in its jaxpr, bodies included.
    """

    group: str
    name: str
    x64: bool
    dtype: str
    elements: int
    outputs: int
    uses: tuple[tuple[str, str], ...]

    @property
    def primitives(self) -> tuple[str, ...]:
        """Their names, sorted."""
        return tuple(sorted({name for name, _ in self.uses}))

    @property
    def named(self) -> NamedProgram:
        """What to give to a `Pool`."""
        return named(self.name, self.x64)


def named(name: str, x64: bool) -> NamedProgram:
    """The harness called `name` as a program to be tested."""
    maker = f"{__name__}:{make_x64.__name__ if x64 else make_x32.__name__}"
    return NamedProgram(maker, name, {"jax_enable_x64": True} if x64 else {})


def make_x32(name: str) -> tuple[ClosedJaxpr, list[Any]]:
    """Jaxpr and flat inputs of a harness without x64."""
    return _make(name, x64=False)


def make_x64(name: str) -> tuple[ClosedJaxpr, list[Any]]:
    """Jaxpr and flat inputs of a harness with x64."""
    return _make(name, x64=True)


def _make(name: str, *, x64: bool) -> tuple[ClosedJaxpr, list[Any]]:
    harness = _defined(x64)[name]
    # The seed that JAX's own tests of the harnesses use.
    args = harness.dyn_args_maker(np.random.RandomState(zlib.adler32(name.encode())))
    return jax.make_jaxpr(harness.dyn_fun)(*args), jax.tree.leaves(args)


def _defined(x64: bool) -> dict[str, Any]:
    """The harnesses of this process by name.

    Raises:
        RuntimeError: if the process has imported them in the other mode.
    """
    mode, found = _imported()
    if mode != x64:
        raise RuntimeError(f"this process knows the harnesses with jax_enable_x64={mode}, not {x64}")
    return found


@functools.cache
def _imported() -> tuple[bool, dict[str, Any]]:
    mode = bool(jax.config.jax_enable_x64)
    from jax._src.internal_test_util import test_harnesses

    usable = [h for h in test_harnesses.all_harnesses if h.filter("cpu")]
    return mode, {h.fullname: h for h in sorted(usable, key=lambda h: h.fullname)}


def listing() -> list[Harness]:
    """The harnesses of this process's mode, sorted by name; one that cannot be traced uses nothing."""
    mode, found = _imported()
    return [_described(name, harness, mode) for name, harness in found.items()]


def _described(name: str, harness: Any, mode: bool) -> Harness:
    try:
        closed, args = _make(name, x64=mode)
    except Exception:  # its test will say why
        closed, args = None, []
    return Harness(
        group=harness.group_name,
        name=name,
        x64=mode,
        dtype=str(np.dtype(harness.dtype)) if harness.dtype is not None else "",
        elements=sum(int(np.size(a)) for a in args if not is_key_dtype(getattr(a, "dtype", None))),
        outputs=sum(int(np.prod(aval.shape)) for aval in closed.out_avals) if closed is not None else 0,
        uses=tuple(sorted(set(_uses(closed)))) if closed is not None else (),
    )


def _uses(closed: ClosedJaxpr) -> Iterator[tuple[str, str]]:
    for _, eqn in walk(closed):
        if eqn.primitive.name not in CALL_PRIMITIVES:
            first = [*eqn.invars, *eqn.outvars][0].aval
            yield eqn.primitive.name, str(getattr(first, "dtype", ""))


def catalogue(cache: Path | None = None) -> list[Harness]:
    """All harnesses for CPU: those without x64, then those that exist only with it, each sorted by name.

    Args:
        cache: a file that keeps the answer for the next call with this jax.
    """
    if cache is not None and cache.exists():
        kept = json.loads(cache.read_text())
        if kept["jax"] == jax.__version__:
            return [_harness(h) for h in kept["harnesses"]]
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        x32, x64 = threads.map(_listed, (False, True))
    known = {h.name for h in x32}
    found = [*x32, *(h for h in x64 if h.name not in known)]
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps({"jax": jax.__version__, "harnesses": [asdict(h) for h in found]}))
    return found


def _listed(x64: bool) -> list[Harness]:
    return [_harness(h) for h in json.loads(_in_mode(x64, "list"))]


def write_repros(harnesses: Iterable[Harness], directory: Path) -> list[Path]:
    """Write each harness as a repro file named after it; answer the paths of those that can be written."""
    told = []
    for x64 in (False, True):
        names = [h.name for h in harnesses if h.x64 == x64]
        if names:
            told += _in_mode(x64, "repro", str(directory.resolve()), *names).splitlines()
    return [Path(line) for line in told]


def stem_of(name: str) -> str:
    """What the file of a harness is called: its name, cut and told apart by a hash where that is too long."""
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _write_repro(name: str, directory: Path) -> Path | None:
    mode, _ = _imported()
    closed, args = _make(name, x64=mode)
    header = Header(name=name[:60], origin=f"jax harness {name}", jax_config=current_config())
    try:
        return emit_flat(closed, args, header=header).save(directory / f"{stem_of(name)}.py").path
    except EmitError as error:
        print(f"{name}: no repro: {error}", file=sys.stderr)
        return None


def _in_mode(x64: bool, *words: str) -> str:
    """What a process of that mode prints."""
    env = {**os.environ, "JAX_ENABLE_X64": "1" if x64 else "0", "JAX_PLATFORMS": "cpu"}
    env["PYTHONPATH"] = os.pathsep.join(p for p in (str(SOURCE_ROOT), env.get("PYTHONPATH", "")) if p)
    command = [sys.executable, "-m", "jace_repro.survey.harnesses", *words]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True, text=True).stdout


def _harness(fields: dict[str, Any]) -> Harness:
    return Harness(**{**fields, "uses": tuple((name, dtype) for name, dtype in fields["uses"])})


def sample(harnesses: Iterable[Harness], each: int = SAMPLE) -> list[Harness]:
    """Up to `each` harnesses of a group, always the same: small ones that compute something, of different dtypes."""
    groups: dict[str, list[Harness]] = {}
    for harness in harnesses:
        groups.setdefault(harness.group, []).append(harness)
    return sorted(h for members in groups.values() for h in _chosen(members, each))


def _chosen(members: Sequence[Harness], each: int) -> list[Harness]:
    def rank(harness: Harness) -> tuple[bool, bool, int, str]:
        large = harness.elements > SAMPLE_ELEMENTS
        return not harness.outputs, large, zlib.adler32(harness.name.encode()), harness.name

    chosen: list[Harness] = []
    rest = sorted(members, key=rank)
    while rest and len(chosen) < each:
        dtypes = {h.dtype for h in chosen}
        chosen.append(next((h for h in rest if h.dtype not in dtypes), rest[0]))
        rest.remove(chosen[-1])
    return chosen


def stratified(harnesses: Sequence[Harness], fraction: float) -> list[Harness]:
    """About `fraction` of every group, at least one, always the same."""
    groups: dict[str, list[Harness]] = {}
    for harness in harnesses:
        groups.setdefault(harness.group, []).append(harness)
    chosen: set[Harness] = set()
    for members in groups.values():
        mixed = sorted(members, key=lambda h: (zlib.adler32(h.name.encode()), h.name))
        chosen.update(mixed[: max(1, round(fraction * len(members)))])
    return [h for h in harnesses if h in chosen]


def main(words: Sequence[str]) -> None:
    """The program; see the module's docstring."""
    if words[0] == "list":
        json.dump([asdict(h) for h in listing()], sys.stdout)
        return
    for name in words[2:]:
        path = _write_repro(name, Path(words[1]))
        if path is not None:
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
