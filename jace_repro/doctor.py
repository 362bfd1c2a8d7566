"""What works on this machine: one check after the other, each with its remedy.

Every check is a plain function that returns what it found or raises `CheckError`; `CHECKS` lists them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata

#: jaxlib releases that compute wrong results on CPU, and where that is written down.
MISCOMPILING_JAXLIB = {"0.10.2": "jax issue 39103"}
PINNED_JAX = "0.10.1"
#: The releases that the tests were run on; of a series the last one.
TESTED_JAX = (PINNED_JAX, "0.10.2", "0.11.2", "0.12.0.1")

_COMPILER_REMEDY = (
    "Install GCC 11 or newer (Debian: apt-get install g++), or set CXX to a compiler that works."
)


class CheckError(Exception):
    """Something is missing or broken. `remedy` says what to do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.remedy = remedy


@dataclass(frozen=True)
class Check:
    """A named check. Without a `needed` one, `jace-repro` still works in part."""

    name: str
    run: Callable[[], str]
    needed: bool = True


@dataclass(frozen=True)
class Finding:
    """The result of one check: `status` is "ok", "warning" or "failed"."""

    name: str
    status: str
    detail: str
    remedy: str | None = None


def diagnose() -> list[Finding]:
    """Run every check, in order. A check that fails in an unforeseen way counts as failed with its error."""
    findings = []
    for check in CHECKS:
        bad = "failed" if check.needed else "warning"
        try:
            findings.append(Finding(check.name, "ok", check.run()))
        except CheckError as error:
            findings.append(Finding(check.name, bad, str(error), error.remedy))
        except Exception as error:  # any failure of a check is its result
            remedy = "This failure was not foreseen; please report it with this line."
            findings.append(Finding(check.name, bad, f"{type(error).__name__}: {error}", remedy))
    return findings


def jaxlib_warning() -> str | None:
    """One sentence when the installed jaxlib is known to miscompile on CPU."""
    try:
        version = metadata.version("jaxlib")
    except metadata.PackageNotFoundError:
        return None
    issue = MISCOMPILING_JAXLIB.get(version)
    if issue is None:
        return None
    return (
        f"jaxlib {version} miscompiles on CPU ({issue}), so XLA's answers may be the wrong ones; "
        f"use jax and jaxlib {PINNED_JAX}: pip install jax=={PINNED_JAX} jaxlib=={PINNED_JAX}"
    )


def _python() -> str:
    return f"Python {sys.version.split()[0]} at {sys.executable}"


def _jax() -> str:
    import jax

    jaxlib = metadata.version("jaxlib")
    text = f"jax {jax.__version__}, jaxlib {jaxlib}"
    if jax.__version__ != jaxlib:
        raise CheckError(f"{text} do not match", f"pip install jax=={PINNED_JAX} jaxlib=={PINNED_JAX}")
    if jax.__version__ not in TESTED_JAX:
        tested = ", ".join(TESTED_JAX)
        raise CheckError(
            f"{text} is untested (tested: {tested})", f"pip install jax=={PINNED_JAX} jaxlib=={PINNED_JAX}"
        )
    return text


def _reference() -> str:
    warning = jaxlib_warning()
    if warning is not None:
        raise CheckError(warning.partition("; ")[0], warning.partition("; ")[2])
    version = metadata.version("jaxlib")
    if version == PINNED_JAX:
        return "this jaxlib is the pinned reference"
    return f"no miscompilation is known of jaxlib {version} that the reference, {PINNED_JAX}, has not"


def _dace() -> str:
    try:
        import dace  # noqa: F401
    except Exception as error:  # an import may fail in any way: missing, or broken by another package
        raise CheckError(f"import dace: {error}", "pip install dace==2.0.0b1") from error
    return f"dace {metadata.version('dace')}"


def _compiler() -> str:
    from jace.build import toolchain
    from jace.errors import CompileError

    try:
        tools = toolchain()
    except CompileError as error:
        raise CheckError(str(error).rpartition(". Install")[0] or str(error), _COMPILER_REMEDY) from error
    return f"{tools.path}: {tools.version}"


def _gpu() -> str:
    """Nobody needs one, but for the step `gpu` of a pipeline."""
    from jace.build import capability, nvcc
    from jace.errors import NoGPUError

    try:
        tools = nvcc()
    except NoGPUError:
        return "no nvcc: programs of canonical/gpu are not compiled here"
    there = capability()
    if not there:
        return f"{tools.path}, no GPU: programs of canonical/gpu are compiled here, and not run"
    return f"{tools.path}, and a GPU of compute capability {there[:-1]}.{there[-1]}"


def _program() -> str:
    """Compile and run a small program the way every test does, with no cache."""
    code = (
        "import jax.numpy as jnp, jace, numpy as np\n"
        "out = jace.jit(lambda x: jnp.sum(x * x + 1.0))(np.arange(4, dtype=np.float32))\n"
        "assert float(out) == 18.0, out\n"
    )
    with tempfile.TemporaryDirectory(prefix="jace-doctor-") as cache:
        environment = {**os.environ, "JACE_CACHE_DIR": cache, "JAX_PLATFORMS": "cpu"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise CheckError(
            f"a two-operation program does not run: {lines[-1]}",
            "The line above names what failed; the compiler must know C++20 and OpenMP. " + _COMPILER_REMEDY,
        )
    return "a small program was translated, compiled and run"


def _hooks() -> str:
    from jace_repro.tracker import hooks

    missing = hooks.probe()
    if missing:
        raise CheckError(
            f"this jax has no {', '.join(missing)}",
            f"Recording needs them: use jax {PINNED_JAX}. `check` and `reduce` work without.",
        )
    return "every JAX function that recording hooks into is there"


def cache_warning() -> str | None:
    """One sentence when the cache cannot be written: everything works, and is built again each time."""
    from jace.build import default_cache

    try:
        _cache()
    except CheckError as error:
        if default_cache() is not None:
            return f"going on without the cache: {error}. {error.remedy}"
    return None


def _cache() -> str:
    from jace.build import cache_dir

    directory = cache_dir()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=directory) as file:
            file.write(bytes(_A_LIBRARY))
    except OSError as error:
        raise CheckError(
            f"{directory} cannot be written: {error.strerror}", "Set JACE_CACHE_DIR to a directory that can."
        ) from error
    return f"{directory} can be written"


#: About as many bytes as a small compiled program has.
_A_LIBRARY = 1 << 15

CHECKS: Sequence[Check] = (
    Check("python", _python),
    Check("jax", _jax),
    Check("reference", _reference, needed=False),
    Check("dace", _dace),
    Check("compiler", _compiler),
    Check("gpu", _gpu, needed=False),
    Check("program", _program),
    Check("hooks", _hooks),
    Check("cache", _cache, needed=False),
)
