"""Programs for NVIDIA's GPUs: what CUDA's compiler is given, which compiler that is, whether there is a GPU.

DaCe generates two files for such a program, a host's and the kernels'. They are compiled as one. The runtime's
functions are made for both sides by what `inline` means while it is read.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from jace.build.flags import Toolchain
from jace.errors import NoGPUError

#: What stands before and after the runtime.
FOR_BOTH_SIDES = ("#define inline __host__ __device__ inline\n", "\n#undef inline\n")
#: f32 subnormals are zero to XLA; sums of products are contracted as on CPUs; GCC's pragmas mean nothing to nvcc.
_FLAGS = ("-std=c++20", "-w", "-ftz=true", "-fmad=true", "-prec-div=true", "-prec-sqrt=true")
#: What it is compiled for where no GPU is: the oldest that CUDA 13 knows. Newer ones compile what they find (PTX).
_OLDEST = "75"


def nvcc() -> Toolchain:
    """CUDA's compiler: $NVCC, or nvcc of $CUDA_HOME or of the PATH.

    Raises:
        NoGPUError: there is none.
    """
    return _nvcc(os.environ.get("NVCC", ""), os.environ.get("CUDA_HOME", ""), os.environ.get("PATH", ""))


@functools.lru_cache(maxsize=8)
def _nvcc(named: str, home: str, path: str) -> Toolchain:
    candidates = [named] if named else [*([os.path.join(home, "bin", "nvcc")] if home else []), "nvcc"]
    found = next((p for name in candidates if (p := shutil.which(name, path=path or None))), None)
    if found is None:
        where = f"$NVCC is {named!r}, which is no program" if named else "nvcc is not on PATH"
        raise NoGPUError(
            f"no compiler for GPUs: {where}. Install NVIDIA's CUDA toolkit, or set $CUDA_HOME or $NVCC."
        )
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    release = re.search(r"release [\d.]+, V([\d.]+)", said.stdout)
    if said.returncode != 0 or release is None:
        raise NoGPUError(
            f"the compiler for GPUs, {found}, does not run: {said.stderr.strip() or said.stdout}"
        )
    return Toolchain(found, f"nvcc {release[1]} {_architecture()}", False)


@functools.cache
def capability() -> str:
    """The compute capability of the first GPU, without its point ("90"); "" where there is none."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    said = subprocess.run(
        [tool, "--query-gpu=compute_cap", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.match(r"(\d+)\.(\d+)$", said.stdout.splitlines()[0].strip()) if said.stdout.strip() else None
    return f"{found[1]}{found[2]}" if said.returncode == 0 and found is not None else ""


def _architecture() -> str:
    """What programs are compiled for here."""
    return f"sm_{capability() or _OLDEST}"


def check_there_is_one() -> None:
    """Where no GPU is, say so.

    Raises:
        NoGPUError: a program that was compiled cannot be run.
    """
    if not capability():
        raise NoGPUError(
            "the program was compiled for a GPU (DaCe generated its kernels and nvcc took them), and cannot be run: "
            "nvidia-smi finds none here"
        )


def flags(host: Toolchain, host_flags: Sequence[str]) -> tuple[str, ...]:
    """Flags of nvcc, for a host compiler and its flags."""
    own = [f for f in host_flags if not f.startswith("-std=") and f != "-w"]
    return (
        *_FLAGS,
        f"-arch={_architecture()}",
        "-ccbin",
        host.path,
        *(f"-Xcompiler={flag}" for flag in own),
    )


def link_flags() -> tuple[str, ...]:
    """Libraries of the host's code."""
    return ("-lm", "-lgomp")
