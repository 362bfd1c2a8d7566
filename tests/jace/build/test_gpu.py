"""Programs for GPUs: what is generated for them, and what is said where they cannot be built or run."""

from __future__ import annotations

import re
import shutil

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace import pipelines
from jace.build import codegen, gpu
from jace.build.runtime import runtime_text

HAS_NVCC = shutil.which("nvcc") is not None
X = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)


def source(fun, *args, pipeline="canonical/gpu"):
    return codegen.generate(jace.translate_jaxpr(jax.make_jaxpr(fun)(*args), pipeline))


def test_maps_become_kernels_and_one_file_has_both_sides():
    made = source(lambda x: jnp.sin(x) + 1, X)
    assert made.cuda
    assert made.body.count("__global__") >= 1
    assert made.body.count(f"struct {made.name}_state_t {{") == 1
    text = made.text()
    assert text == made.text(stock_headers=True)
    assert "return ::NAME(x)" in text  # CUDA's functions, in the place of libmvec's


def test_a_program_for_the_cpu_is_none_for_a_gpu():
    made = source(lambda x: jnp.sin(x) + 1, X, pipeline="canonical")
    assert not made.cuda
    assert "cudaLaunchKernel" not in made.text(stock_headers=True)


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: jnp.sort(x, axis=0),
        lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(4, dtype=x.dtype)),
        lambda x: jnp.linalg.solve(x + 4 * jnp.eye(4, dtype=x.dtype), x),
        lambda x: jnp.fft.fft(x),
    ],
    ids=["sort", "potrf", "getrf", "fft"],
)
def test_a_routine_of_the_host_works_on_copies(fun):
    body = source(fun, X).body
    routine = re.search(r"(?ms)^inline void \w+_host_\w+\(.*?^\}", body)
    assert routine is not None
    assert "cudaMemcpyDeviceToHost" in routine[0]
    assert "cudaMemcpyHostToDevice" in routine[0]


def test_what_a_routine_works_on_in_place_is_one_copy():
    """Swaps are counted from 0 where they lie: a copy that nobody filled crashed LAPACK on a GPU."""
    body = source(lambda x: lax.linalg.lu(x)[1], X).body
    start = body.index("lapack::permutation(")
    routine = body[body.rindex("inline void permutation", 0, start) : start]
    read, written = (routine.split(f"int* {side}_")[1].split(";")[0].split("= ")[1] for side in "po")
    assert read.strip("&").removesuffix("[0]") == written


def test_a_routine_of_the_host_knows_the_loop_that_it_is_in():
    """nvcc: identifier "l1" is undefined."""

    def fun(keys):
        return lax.map(lambda key: lax.rng_bit_generator(key, (8,), dtype=np.uint32)[1], keys)

    body = source(fun, np.arange(8, dtype=np.uint32).reshape(2, 4)).body
    routine = re.search(r"(?ms)^inline void \w*host\w*\((.*?)\) \{.*?^\}", body)
    assert routine is not None
    loops = set(re.findall(r"\bl\d+\b", routine[0]))
    assert loops
    assert loops == set(re.findall(r"\bl\d+\b", routine[1]))


def test_a_kernel_is_given_the_variables_of_loops_that_its_code_names():
    """nvcc: identifier "l1" is undefined."""
    table = np.array([3, 1, 2, 0], np.int32)

    def fun(x):
        rows = lax.scan(lambda c, i: (c, lax.dynamic_index_in_dim(x, i, 0)), 0, table)[1]
        return x.at[table, table].min(rows[:, 0, 0], mode="drop")

    for pipeline in ("canonical/gpu", "canonical/simplify+gpu"):
        body = source(fun, X, pipeline=pipeline).body
        for kernel in re.findall(r"(?ms)^__global__ void .*?^\}", body):
            head, _, inside = kernel.partition("{")
            named = set(re.findall(r"\bl\d+\b", inside))
            assert named <= set(re.findall(r"\bl\d+\b", head))


def test_tables_of_what_has_no_constants_are_not_static():
    table = np.array([1, 2.5, 3, 7], jnp.bfloat16)
    text = source(lambda x: x.astype(jnp.bfloat16) + table, X).text()
    assert " const jace::bf16 c1[4] = {" in text
    assert "static const jace::bf16" not in text


def test_the_runtime_for_both_sides_has_every_part_of_that_for_one():
    one, both = runtime_text(), runtime_text(cuda=True)
    assert one.count("// jace runtime") == both.count("// jace runtime")
    assert "__asm__(#NAME)" in one
    assert "__asm__(#NAME)" not in both


def test_without_nvcc_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("NVCC", raising=False)
    monkeypatch.delenv("CUDA_HOME", raising=False)
    with pytest.raises(jace.NoGPUError, match=r"nvcc is not on PATH.*CUDA_HOME"):
        gpu.nvcc()


def test_an_nvcc_that_is_named_and_not_there_is_named(monkeypatch):
    monkeypatch.setenv("NVCC", "/nowhere/nvcc")
    with pytest.raises(jace.NoGPUError, match=r"\$NVCC is '/nowhere/nvcc'"):
        gpu.nvcc()


def test_dace_builds_no_program_for_a_gpu_by_itself():
    with pytest.raises(jace.CompileError, match="direct"):
        jace.jit(lambda x: x + 1, pipeline="canonical/gpu", compiler_options={"compiler": "stock"}).lower(
            X
        ).compile()


def test_the_step_is_one_of_a_pipeline():
    found = pipelines.find("canonical/simplify+gpu+xform:MapTiling")
    assert found.dace == ("simplify", "gpu", "xform:MapTiling")
    assert found.name == "canonical/simplify+gpu+xform:MapTiling"


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("canonical/gpu", True),
        ("canonical/simplify+gpu@gpu", True),
        ("canonical/xform:GPUTransformMap", True),
        ("canonical/xform:MapTiling", False),
        ("fused", False),
        ("a backend's own", False),
    ],
)
def test_which_pipelines_are_of_a_gpu(name, there):
    assert pipelines.on_gpu(name) is there


def everything(x):
    """A type and a kind of node each: kernels, atomics, tables, routines."""
    i = x.astype(jnp.int64)
    return (
        jnp.tanh(x) @ x,
        jnp.min(i * 3, axis=0),
        jnp.sum(x.astype(jnp.int8), axis=1, dtype=jnp.int8),
        jnp.sum(lax.complex(x, -x), axis=0),
        jnp.max(x.astype(jnp.bfloat16), axis=0),
        x.astype(jnp.float16) * 2,
        x.astype(jnp.float8_e4m3fn).astype(np.float32),
        jnp.exp(lax.complex(x, x)),
        jnp.einsum("ij,ij->", x, x),
        jnp.sort(x, axis=1),
        jnp.linalg.solve(x + 4 * jnp.eye(4, dtype=x.dtype), x),
        lax.digamma(x + 2),
        lax.bessel_i1e(x),
    )


@pytest.mark.ci
@pytest.mark.skipif(not HAS_NVCC, reason="needs CUDA's compiler (docs/how-to/gpu.md)")
def test_nvcc_takes_it_and_without_a_gpu_that_is_what_is_said():
    with jax.enable_x64(True):
        expected = everything(jnp.asarray(X))
        lowered = jace.jit(everything, pipeline="canonical/gpu").lower(X)
        if not gpu.capability():
            with pytest.raises(jace.NoGPUError, match="nvcc took them"):
                lowered.compile()
            return
        for got, want in zip(lowered.compile()(X), expected, strict=True):
            np.testing.assert_allclose(
                np.asarray(got, np.complex128), np.asarray(want, np.complex128), rtol=1e-2, atol=1e-5
            )
