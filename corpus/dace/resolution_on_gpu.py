"""DaCe 2.0.0b1: write-conflict resolution on a GPU does not compile for most types.

    for i, j in a map on the GPU: y[i] (+)= x[i, j]

The runtime (`dace/reduction.h`) calls CUDA's atomicAdd, atomicMin, atomicMax, atomicCAS with the type as it is, and
these are overloaded for few: not for `long`, which is int64 on Linux, nor for integers of 8 and 16 bits, complex
numbers and bfloat16:

    reduction.h(268): error: no instance of overloaded function "atomicMin" matches the argument list

    python corpus/dace/resolution_on_gpu.py        compiles one program a type with CUDA's nvcc, which needs no GPU;
                                                   exit status 1: bug present, 2: nvcc is not here

Found by `canonical/gpu` on `jnp.min` of int64, `jnp.sum` of int8 and of complex64. jace's work-around: programs for
GPUs are compiled with a resolution of its own (`jace/build/dace_atomics.h`), for every type.
"""

import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import dace
from dace.codegen import codegen

CASES = {
    "sum of float64": (dace.float64, "lambda a, b: a + b"),
    "sum of int32": (dace.int32, "lambda a, b: a + b"),
    "minimum of int64": (dace.int64, "lambda a, b: min(a, b)"),
    "sum of int8": (dace.int8, "lambda a, b: a + b"),
    "sum of complex64": (dace.complex64, "lambda a, b: a + b"),
}


def kernels(dtype, wcr):
    """DaCe's code for the GPU: y[i] = x[i, 0] combined with x[i, 1], ..."""
    sdfg = dace.SDFG("combined")
    sdfg.add_array("x", [4, 8], dtype)
    sdfg.add_array("y", [4], dtype)
    state = sdfg.add_state()
    state.add_mapped_tasklet(
        "combine",
        {"i": "0:4", "j": "0:8"},
        {"a": dace.Memlet("x[i, j]")},
        "b = a",
        {"b": dace.Memlet("y[i]", wcr=wcr)},
        external_edges=True,
    )
    sdfg.apply_gpu_transformations()
    (code,) = (made.clean_code for made in codegen.generate_code(sdfg) if made.language == "cu")
    return code


def compiled(nvcc, code):
    """What nvcc says first; "" when it takes the code."""
    include = Path(dace.__file__).parent / "runtime" / "include"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "program.cu"
        source.write_text(code)
        command = [nvcc, "-std=c++17", "-w", "-cubin", "-arch=sm_90", f"-I{include}", str(source)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return "" if done.returncode == 0 else errors[0].rpartition("/")[2]


def main():
    warnings.simplefilter("ignore")  # of the size of blocks, which nobody chose
    print("dace", dace.__version__)
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        print("nvcc is not here")
        return 2
    said = {name: compiled(nvcc, kernels(dtype, wcr)) for name, (dtype, wcr) in CASES.items()}
    for name, text in said.items():
        print(f"{name}: {text or 'compiles'}")
    bug = any(said.values()) and not said["sum of float64"]
    print("bug present" if bug else "bug not shown")
    return int(bug)


if __name__ == "__main__":
    sys.exit(main())
