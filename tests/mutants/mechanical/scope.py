"""Which text of jace may be changed, what of it is left out, and why."""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from mutants.mechanical import cpp, python
from mutants.mechanical.edits import Edit, Mutation

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "jace"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")

#: Files that decide what is computed.
FILES = (
    "rules/**/*.py", "plan/*.py", "sdfg/*.py", "translate/*.py", "build/*.py", "ir/*.py", "primitive/*.py",
    "stages/compiled.py", "stages/jaxprs.py", "stages/stage.py", "stages/wrapped.py", "stages/ahead.py",
    "dtypes.py", "registry.py", "settings.py",
    "build/runtime/*.h", "build/*.h", "build/*.cc",
)  # fmt: skip
#: Of these, files whose strings are C++.
CPP_IN_STRINGS = ("rules/*.py", "plan/*.py", "sdfg/*.py")
#: What works on compiled code and on calls: the generated source is the same whatever it does.
AFTER_GENERATION = (
    "primitive/*.py", "stages/*.py", "settings.py", "translate/unit.py", "translate/partition.py", "build/*.cc",
    "build/cache.py", "build/compiler.py", "build/drivers.py", "build/externals.py", "build/flags.py",
    "build/load.py", "ir/canonical.py", "build/program.py", "build/shim.py", "build/config.py", "build/__init__.py",
)  # fmt: skip
#: What decides which compiled code is found again: asked with a cache that a process before has filled, too.
KEYS = (
    "build/cache.py",
    "build/compiler.py",
    "translate/unit.py",
    "build/load.py",
    "ir/canonical.py",
)


@dataclass(frozen=True)
class Excluded:
    """What is not changed: functions or top-level names of files, or all of a file, with the reason."""

    file: str
    names: tuple[str, ...]
    reason: str


_TEXT = "is read by people, and computes nothing"
_SPEED = "decides how fast an answer comes, and both answers are right"
_HARNESS = "asked by the harness alone: no translation goes through it"
_STOCK = "the stock build is asked by hand: the tester's workers build directly"
_ASSERTS = "asserts what holds: lengths that are equal, values that nobody changes"
_GPU = "for GPUs: nvcc takes seconds a program, and what it makes runs where a GPU is"
_TOOLS = "says which compiler and which machine this is; there is one of each here"
EXCLUDED = (
    Excluded("*", ("*.__repr__", "*.__str__", "*.__reduce__", "__all__", "_log", "_TRAMPOLINE"), _TEXT),
    Excluded("*/__init__.py", ("*",), "names that a door hands on"),
    Excluded("sdfg/text.py", ("*",), _TEXT),
    Excluded("build/runtime/complex.h", ("log2_",), "a primitive of later releases; jnp.log2 is made of others here"),
    Excluded("plan/fusions.py", ("*",), "leaves decisions out where a bisection asks; " + _SPEED),
    Excluded("plan/emit.py", ("Emitter._note",), _TEXT),
    Excluded("sdfg/builder.py", ("_debug_info",), _TEXT),
    Excluded("ir/failures.py", ("*",), _TEXT),
    Excluded("ir/expand.py", ("why_not_expanded",), _TEXT),
    Excluded("ir/core.py", ("source_of", "describe", "count_equations", "primitives", "CALL_PRIMITIVES"), _TEXT),
    Excluded("ir/iterations.py", ("*",), _HARNESS),
    Excluded("ir/trimming.py", ("*",), _HARNESS),
    Excluded("ir/sparse.py", ("*",), "XLA has no code for it on CPU: a test of jace's own tells what is right"),
    Excluded("ir/normal.py", ("*",), _HARNESS),
    Excluded("ir/evaluation.py", ("*",), _HARNESS),
    Excluded("ir/control.py", ("with_body", "_pad_inputs", "flows", "slots", "*.params"), _HARNESS),
    Excluded("ir/dead.py", ("slice_to",), _HARNESS),
    Excluded("ir/control.py", ("advanced", "stack", "control_steps", "run_control"), _HARNESS),
    Excluded("ir/trace.py", ("_REMEMBERED",), _SPEED),
    Excluded("ir/fold.py", ("MAX_ELEMENTS",), _SPEED),
    Excluded("translate/support.py", ("refuse", "check", "unsupported_equations"), _TEXT),
    Excluded(
        "translate/passes.py",
        ("_watched", "_content", "_fusions", "_expand_alike_everywhere"),
        "notes what a pass did, for who looks on; no answer depends on it",
    ),
    Excluded(
        "translate/unit.py",
        ("_timed", "_version", "_versions", "_sources"),
        "time taken, versions and sources: one of each here",
    ),
    Excluded("plan/analysis.py", ("RECOMPUTE_BUDGET", "EXPENSIVE", "_costs"), _SPEED),
    Excluded("plan/kernel.py", ("BLOCK", "PARALLEL_WORK"), _SPEED),
    Excluded("plan/planner.py", ("MAX_STATEMENTS",), _SPEED),
    Excluded("rules/loops/reductions.py", ("LANES", "PARTS"), _SPEED),
    Excluded("rules/loops/rows.py", ("ROW_BLOCK", "PARALLEL_VALUES"), _SPEED),
    Excluded("rules/loops/gemm.py", ("MIN_WORK", "ONE_THREAD_WORK", "PARALLEL_WORK", "MIN_SIDE"), _SPEED),
    Excluded("rules/loops/windows.py", ("UNROLLED",), _SPEED),
    Excluded("rules/loops/convolutions.py", ("PATCH_ELEMENTS",), _SPEED),
    Excluded("rules/ordering.py", ("INSERTION_LIMIT",), _SPEED),
    Excluded("rules/lapack.py", ("_LARGEST",), "matrices of two thousand million rows"),
    Excluded("primitive/bind.py", ("_SMALL_CONSTANT",), _SPEED),
    Excluded("build/disk.py", ("*",), "tells a full disk from a failure; there is room here"),
    Excluded("build/environments.py", ("*",), "libraries for those who have them and ask for them"),
    Excluded("known_bugs.py", ("GONE_ROUND",), _TEXT),
    Excluded("translate/transform.py", ("to_gpu", "_read_symbols"), _GPU),
    Excluded("sdfg/library.py", ("_around_host",), _GPU),
    Excluded("build/gpu.py", ("*",), _GPU),
    Excluded("build/dace_atomics.h", ("*",), _GPU),
    Excluded("build/runtime/libm_cuda.h", ("*",), _GPU),
    Excluded("build/codegen.py", ("Source._cuda_text", "_with_kernels", "_CUDA_*", "_CHECK", "_STATE", "_TABLE"), _GPU),
    Excluded("build/dace_errors.py", ("*",), _TEXT),
    Excluded("build/config.py", ("_SETTINGS", "set_stock_flags"), "what DaCe prints and where it keeps its files"),
    Excluded("build/pocketfft.py", ("*",), "a probe of NumPy that believes nothing it has not tried"),
    Excluded("build/compiler.py", ("failure", "_KILLED", "_SIGNALS", "_KILLED_STATUS"), _TEXT),
    Excluded(
        "build/cache.py",
        (
            "Cache.prune", "Cache._entries", "Cache._drop_abandoned", "Cache._maybe_prune", "Cache._touch",
            "limit_bytes", "cache_dir", "_warn_once", "_DEFAULT_MB", "_PRUNE_EVERY",
            "_ABANDONED_SECONDS", "_FORMAT",
        ),
        "where the cache is and how large it grows; " + _SPEED,
    ),
    Excluded("build/scratch.py", ("*",), "where programs are built"),
    Excluded("build/codegen.py", ("_annotated", "_place"), "notes for sanitized builds"),
    Excluded("build/codegen.py", ("_size", "_has_loops"), _SPEED),
    Excluded("build/codegen.py", ("stock_*", "_STOCK_TYPES"), _STOCK),
    Excluded("build/drivers.py", ("_stock", "_stock_header", "_find_library", "_with_stock_headers"), _STOCK),
    Excluded("build/drivers.py", ("flags_of",), "asked by bisections only"),
    Excluded("build/flags.py", ("opt_level", "SMALL_ELEMENTS", "LONG_SOURCE"), _SPEED),
    Excluded("build/flags.py", ("Toolchain.*", "toolchain", "_toolchain", "_cpu", "_has_avx512", "link_flags"), _TOOLS),
    Excluded("build/flags.py", ("CompilerOptions.of", "_KNOWN", "_DRIVERS"), "the user's options; a test has none"),
    Excluded("build/load.py", ("placing",), _HARNESS),
    Excluded("build/load.py", ("_patient_openmp", "_exactly_empty", "has_sanitizer", "_ALIGNMENT"), _SPEED),
    Excluded("build/shim.py", ("trim",), _SPEED),
    Excluded(
        "stages/compiled.py",
        (
            "Compiled.call", "Compiled._executable", "Compiled.*_analysis", "Compiled.seconds", "Compiled.as_text",
            "Compiled.deciding_flags", "Compiled.runtime_executable",
        ),
        _TEXT,
    ),
    Excluded("stages/ahead.py", ("*.as_text", "*.compiler_ir", "*.cost_analysis", "*.left_to_xla"), _TEXT),
    Excluded("stages/jaxprs.py", ("_name_of",), _TEXT),
)  # fmt: skip
#: Arguments by name, wherever they stand.
EXCLUDED_ARGUMENTS = {
    "materialize": _SPEED, "simd": _SPEED, "strict": _ASSERTS, "frozen": _ASSERTS, "slots": _SPEED,
    "cost": _SPEED, "maxsize": _SPEED, "label": _TEXT, "stacklevel": _TEXT, "doc": _TEXT, "debuginfo": _TEXT,
}  # fmt: skip
#: Calls that only say something.
EXCLUDED_CALLS = ("warn", "_warn_once", "debug", "info", "unsupported", "translate_error")


def files() -> list[str]:
    """The files that may be changed, relative to the package."""
    found = {p.relative_to(PACKAGE).as_posix() for pattern in FILES for p in PACKAGE.glob(pattern)}
    return sorted(f for f in found if not _excluded(f, ""))


def matches(file: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns names a file."""
    return any(fnmatch(file, pattern) for pattern in patterns)


def is_for_gpus(file: str, name: str) -> bool:
    """Whether a function of a file serves GPUs alone, by its qualified name."""
    return _excluded(file, name, _GPU)


def mutations(file: str) -> list[Mutation]:
    """All changes of a file but those that are excluded or known to be equivalent."""
    text = (PACKAGE / file).read_text(encoding="utf-8")
    known = {key for key in equivalents() if key[0] == file}
    made = (Mutation(file, text, edit) for edit in _edits(file, text))
    return [m for m in made if not known or m.key not in known]


@functools.cache
def equivalents() -> dict[tuple[str, str, str], str]:
    """Why a change changes nothing, by `Mutation.key`: what somebody has argued in equivalent.toml."""
    rows = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", [])
    return {(row["file"], row["before"].strip(), row["after"].strip()): row["reason"] for row in rows}


def _edits(file: str, text: str) -> Iterator[Edit]:
    if file.endswith(".py"):
        yield from python.edits(
            text, lambda node, inside: _skipped(file, node, inside), matches(file, CPP_IN_STRINGS)
        )
    else:
        yield from (edit for edit in cpp.edits(text) if not _excluded(file, edit.inside))


def _excluded(file: str, name: str, reason: str = "") -> bool:
    """Whether a function or a top-level name of a file is left out, for this reason if one is given."""
    rows = (row for row in EXCLUDED if fnmatch(file, row.file) and reason in ("", row.reason))
    return any(fnmatch(name, n) for row in rows for n in row.names)


def _skipped(file: str, node: ast.AST, inside: str) -> bool:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return _excluded(file, f"{inside}.{node.name}".lstrip("."))
    if isinstance(node, ast.keyword):
        return node.arg in EXCLUDED_ARGUMENTS
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in EXCLUDED_CALLS
    if isinstance(node, ast.Assign | ast.AnnAssign) and not inside:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(t, ast.Name) and _excluded(file, t.id) for t in targets)
    return False
