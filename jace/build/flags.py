"""The C++ compiler, its flags, and the user's `compiler_options`.

Flags keep IEEE semantics: no -ffast-math and none of its parts that change a value. Contraction to FMA
stays on, as in XLA. `-fno-math-errno` and `-fno-trapping-math` change no result and are what lets loops
vectorise.
"""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jace.errors import CompileError

#: Buffers below this many elements do not repay the time that -O3 takes over -O1.
SMALL_ELEMENTS = 4096
#: Characters of generated code from which -O3 takes ten times as long as -O2 (40 s for 367 maps in one function).
LONG_SOURCE = 200_000

_FAITHFUL = ("-march=native", "-fno-math-errno", "-fno-trapping-math")
#: GCC 12 loses elements of loops that it vectorizes under AVX-512's masks and then unrolls; GCC 11 does not. Later
#: releases were not tried. See corpus/gcc/mask_of_an_unrolled_loop.cc.
_MASKS_GUARD = "-fno-tree-vrp"
#: GCC 12 mixes up the lanes of numbers that it reads as one vector in straight-line code. Later ones were not tried;
#: no program was found to be slower without the pass. See corpus/gcc/lanes_of_a_pair.cc.
_LANES_GUARD = "-fno-tree-slp-vectorize"
#: GCC 12, the first that knows these instructions, writes stores under a mask that its assembler refuses. Later ones
#: were not tried. Generated code computes in f32 and rounds, so that nothing else is lost. See
#: corpus/gcc/store_under_a_mask.cc.
_STORES_GUARD = "-mno-avx512fp16"
#: What makes a sanitized build. Of undefined behaviour not what is asked of each access to memory: a bad one
#: AddressSanitizer reports as well, and they are a third of the compiler's time.
SANITIZERS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize=alignment,null,object-size,pointer-overflow,vptr",
    "-fno-sanitize-recover=undefined",
)
_DRIVERS = ("direct", "stock")
_KNOWN = ("compiler", "opt", "extra_flags", "sanitize", "first_flags")


@dataclass(frozen=True)
class CompilerOptions:
    """How to compile.

    Attributes:
        compiler: "direct" (one compiler run on our own small header) or "stock" (DaCe's own
            `sdfg.compile()`).
        opt: optimisation level 0..3, or None to choose by the size of the program.
        extra_flags: appended to the compiler's command line.
        sanitize: build with AddressSanitizer and UndefinedBehaviorSanitizer (the process must preload
            libasan).
        first_flags: build with only so many of `deciding_flags`, for a search of the guilty one; None for all.
    """

    compiler: str = "direct"
    opt: int | None = None
    extra_flags: tuple[str, ...] = ()
    sanitize: bool = False
    first_flags: int | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any] | CompilerOptions | None) -> CompilerOptions:
        """From the `compiler_options` of the public API.

        Raises:
            ValueError: for an unknown option or a value it does not take.
        """
        if options is None:
            return cls()
        if isinstance(options, CompilerOptions):
            return options
        if unknown := sorted(set(options) - set(_KNOWN)):
            whose = " (XLA's own mean nothing to a C++ compiler)" if unknown[0].startswith("xla_") else ""
            raise ValueError(f"unknown compiler_options {unknown}{whose}; known are {list(_KNOWN)}")
        made = cls(
            compiler=str(options.get("compiler", "direct")),
            opt=options.get("opt"),
            extra_flags=tuple(str(flag) for flag in options.get("extra_flags", ())),
            sanitize=bool(options.get("sanitize", False)),
            first_flags=options.get("first_flags"),
        )
        if made.compiler not in _DRIVERS:
            raise ValueError(f"compiler_options['compiler'] must be one of {_DRIVERS}, not {made.compiler!r}")
        if made.opt not in (None, 0, 1, 2, 3):
            raise ValueError(f"compiler_options['opt'] must be 0, 1, 2 or 3, not {made.opt!r}")
        return made


@dataclass(frozen=True)
class Toolchain:
    """A C++ compiler: its path, what `--version` says, and whether it is GCC or Clang."""

    path: str
    version: str
    is_clang: bool

    @property
    def major(self) -> int:
        """The first number of its release; 0 where `--version` has none."""
        found = re.search(r"(\d+)\.\d+(?:\.\d+)?$", self.version)
        return int(found[1]) if found else 0

    @property
    def identity(self) -> str:
        """What a cache key needs to know of the compiler and of the machine that -march=native means."""
        return f"{self.version}|{_cpu()}"


def toolchain() -> Toolchain:
    """The compiler named by $CXX, else g++, else clang++.

    Raises:
        CompileError: if there is none.
    """
    return _toolchain(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


@functools.lru_cache(maxsize=8)
def _toolchain(cxx: str, path: str) -> Toolchain:
    names = [cxx] if cxx else ["g++", "clang++", "c++"]
    found = next((p for name in names if (p := shutil.which(name, path=path or None))), None)
    if found is None:
        where = (
            f"$CXX is {cxx!r}, which is not an executable" if cxx else "neither g++ nor clang++ is on PATH"
        )
        raise CompileError(f"no C++ compiler: {where}. Install GCC 11 or newer (or Clang), or set $CXX.")
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompileError(
            f"the C++ compiler {found} does not run", command=f"{found} --version", stderr=done.stderr
        )
    version = done.stdout.splitlines()[0] if done.stdout else "unknown"
    return Toolchain(found, version, "clang" in done.stdout.lower())


@functools.cache
def _cpu() -> str:
    """Model and instruction sets of this machine, for keys of code built with -march=native."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    wanted = ("vendor_id", "cpu family", "model", "model name", "flags", "Features")
    lines = [line for line in text.split("\n\n")[0].splitlines() if line.split(":")[0].strip() in wanted]
    return "\n".join(lines)


def _has_avx512() -> bool:
    return " avx512f" in _cpu()


def _has_avx512_fp16() -> bool:
    return " avx512_fp16" in _cpu()


def opt_level(options: CompilerOptions, elements: int, has_loops: bool, characters: int) -> int:
    """The -O level for a program.

    The user's, if given; else 0 for a sanitized build (above it an instruction may belong to two lines), 1 if no
    buffer has SMALL_ELEMENTS elements and nothing loops, 2 if the source is
    LONG_SOURCE characters long, and 3 otherwise.
    """
    if options.opt is not None:
        return options.opt
    if options.sanitize:
        return 0
    if elements < SMALL_ELEMENTS and not has_loops:
        return 1
    return 2 if characters >= LONG_SOURCE else 3


def faithful_flags(tools: Toolchain) -> tuple[str, ...]:
    """The flags that decide what the code computes, without the optimisation level."""
    guards = () if tools.is_clang else (_LANES_GUARD,)
    if not _has_avx512():
        return (*_FAITHFUL, *guards)
    if not tools.is_clang:
        guards = (*guards, _MASKS_GUARD)
        if _has_avx512_fp16() and tools.major >= 12:
            guards = (*guards, _STORES_GUARD)
    return (*_FAITHFUL, "-mprefer-vector-width=512", *guards)


def deciding_flags(tools: Toolchain, options: CompilerOptions, level: int) -> tuple[str, ...]:
    """The flags of the direct driver that may change what the code computes.

    In the order of a search for a guilty one: each level of optimisation, then the others. With none of them the
    compiler optimises nothing.
    """
    levels = tuple(f"-O{n}" for n in range(1, level + 1))  # the last one holds
    return (*levels, *faithful_flags(tools), "-fopenmp-simd", *options.extra_flags)


def compile_flags(tools: Toolchain, options: CompilerOptions, level: int) -> tuple[str, ...]:
    """All flags of the direct driver, source and output files excepted."""
    flags = ["-std=c++20", "-fPIC", "-w", "-fvisibility=hidden"]
    if not tools.is_clang:
        flags.append("-fno-gnu-unique")
    if options.sanitize:
        flags += ["-g", "-fno-omit-frame-pointer", *SANITIZERS]
    # With -fopenmp in any case: a race is the SDFG's fault, and no flag's.
    return (*flags, "-fopenmp", "-O0", *deciding_flags(tools, options, level)[: options.first_flags])


def link_flags(tools: Toolchain, options: CompilerOptions) -> tuple[str, ...]:
    """Libraries that generated code may call, the vector math library where glibc has one among them.

    libstdc++ is left out on Linux with GCC: reading its symbols is half of the link's time, and the shim,
    which is loaded first and globally, brings it.
    """
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "aarch64"):
        return ("-lm",)
    if tools.is_clang or options.sanitize:
        return ("-Wl,--as-needed", "-lmvec", "-lm")
    return ("-nodefaultlibs", "-Wl,--as-needed", "-lmvec", "-lm", "-lgomp", "-lgcc_s", "-lc")
