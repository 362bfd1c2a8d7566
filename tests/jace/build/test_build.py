"""The build part on hand-made SDFGs: code generation, drivers, loading."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace.build import CompilerOptions, Library, codegen, drivers, shim
from jace.build.drivers import build_library
from jace.build.flags import Toolchain, compile_flags, deciding_flags, faithful_flags, opt_level, toolchain
from jace.errors import CodegenError, CompileError, CompilerKilledError

F64 = np.dtype(np.float64)


@dataclass(frozen=True)
class Buffer:
    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Program:
    name: str
    sdfg: dace.SDFG
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)


def axpy(n: int = 8, code: str = "o = 2 * x + y;", name: str = "axpy", dtype: np.dtype[Any] = F64) -> Program:
    """r = f(a, b), through a persistent temporary; b has rank 0; a third input is never read."""
    sdfg = dace.SDFG(name)
    element = dace.typeclass(dtype.type)
    for array, size in (("a0000", n), ("a0001", 1), ("r0000", n)):
        sdfg.add_array(array, [size], element)
    sdfg.add_array("t", [n], element, transient=True, lifetime=dace.AllocationLifetime.Persistent)
    state = sdfg.add_state("s")
    temp = state.add_access("t")
    for source, target, body in (
        (state.add_read("a0000"), temp, code),
        (temp, state.add_write("r0000"), "o = x;"),
    ):
        entry, leave = state.add_map("m", {"i": f"0:{n}"}, schedule=dace.ScheduleType.Sequential)
        tasklet = state.add_tasklet("k", {"x": None, "y": None}, {"o": None}, body, dace.Language.CPP)
        scalar = state.add_read("a0001")
        for node, connector, subset in ((source, "x", "i"), (scalar, "y", "0")):
            memlet = dace.Memlet(f"{node.data}[{subset}]")
            state.add_memlet_path(node, entry, tasklet, dst_conn=connector, memlet=memlet)
        memlet = dace.Memlet(f"{target.data}[i]")
        state.add_memlet_path(tasklet, leave, target, src_conn="o", memlet=memlet)
    inputs = (Buffer("a0000", (n,), dtype), Buffer("a0001", (), dtype), Buffer("a0002", (3,), dtype))
    return Program(name, sdfg, inputs, (Buffer("r0000", (n,), dtype),))


def arguments(n: int = 8) -> list[np.ndarray[Any, Any]]:
    return [np.arange(float(n)), np.array(3.0), np.zeros(3)]


@pytest.mark.parametrize("options", [{}, {"opt": 0}, {"compiler": "stock"}], ids=str)
def test_both_drivers_give_the_same_callable(options: dict[str, Any]) -> None:
    library = build_library(axpy(), CompilerOptions.of(options))
    (out,) = library.call_direct(arguments())
    np.testing.assert_array_equal(out, 2 * np.arange(8.0) + 3)


def test_outputs_are_fresh_and_aligned() -> None:
    library = build_library(axpy(), CompilerOptions())
    first, second = (library.call_direct(arguments())[0] for _ in range(2))
    assert first.ctypes.data % 64 == 0
    assert not np.shares_memory(first, second)


def test_code_that_only_stock_headers_know_falls_back_to_them() -> None:
    program = axpy(code="o = std::fma(x, 2.0, std::max(y, y));", name="needs_std")
    library = build_library(program, CompilerOptions())
    assert "#include <dace/dace.h>" in (library.source or "")
    np.testing.assert_array_equal(library.call_direct(arguments())[0], 2 * np.arange(8.0) + 3)


def test_the_same_content_is_loaded_once() -> None:
    assert build_library(axpy(), CompilerOptions()) is build_library(axpy(), CompilerOptions())


@pytest.mark.parametrize("code", ["o = 3 * x + y;", "o = std::fma(x, 3.0, std::max(y, y));"])
def test_without_a_cache_nothing_is_left_behind(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    library = build_library(axpy(code=code, name=f"gone_{len(code)}"), CompilerOptions())
    np.testing.assert_array_equal(library.call_direct(arguments())[0], 3 * np.arange(8.0) + 3)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_code_is_generated_of_a_copy_of_what_has_library_nodes() -> None:
    closed = jax.make_jaxpr(lambda x: jnp.cumsum(x[::2]) @ x[1::2] + x.sum())(jnp.ones(8))
    program = jace.translate_jaxpr(closed, pipeline="canonical")

    def nodes() -> list[str]:
        return sorted(type(node).__name__ for node, _ in program.sdfg.all_nodes_recursive())

    before = nodes()
    assert any(isinstance(node, dace.nodes.LibraryNode) for node, _ in program.sdfg.all_nodes_recursive())
    codegen.generate(program)
    assert nodes() == before


def test_header_free_source_includes_nothing() -> None:
    lines = codegen.generate(axpy()).text().splitlines()
    assert not [line for line in lines if line.lstrip().startswith("#include")]


@pytest.mark.parametrize("compiler", ["direct", "stock"])
def test_code_that_no_header_saves_is_a_compile_error(compiler: str) -> None:
    program = axpy(code="o = no_such_function(x);", name=f"broken_{compiler}")
    with pytest.raises(CompileError, match="no_such_function"):
        build_library(program, CompilerOptions(compiler=compiler))


def test_arguments_that_nobody_passes_are_a_codegen_error() -> None:
    program = axpy()
    with pytest.raises(CodegenError, match="a0001"):
        build_library(
            Program(program.name, program.sdfg, program.inputs[:1], program.outputs), CompilerOptions()
        )


def failing_compiler(tmp_path: Path, how: str) -> Path:
    """A compiler that says its version, and ends so on whatever it compiles, after a line in `tmp_path`/calls."""
    path = tmp_path / "g++"
    says = f'[ "$1" = --version ] && echo "g++ 12" && exit 0\necho x >> {tmp_path}/calls\n{how}\n'
    path.write_text(f"#!/bin/sh\n{says}")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    "how",
    [
        "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1",
        "echo 'collect2: fatal error: ld terminated with signal 9 [Killed]' >&2; exit 1",
        "echo 'cc1plus: out of memory allocating 65536 bytes after a total of 3 bytes' >&2; exit 1",
        "exit 137",
        "kill -9 $$",
    ],
)
def test_a_compiler_that_is_killed_says_nothing_about_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    monkeypatch.setenv("CXX", str(failing_compiler(tmp_path, how)))
    program = axpy(code="o = x + y + y;", name="killed")
    with pytest.raises(CompilerKilledError, match="most likely for lack of memory"):
        build_library(program, CompilerOptions())
    assert (tmp_path / "calls").read_text().count("x") == 1  # DaCe's headers would take more memory


@pytest.mark.parametrize("how", ["exit 1", "kill -SEGV $$", "echo 'killed.cc:1: error: Killed' >&2; exit 1"])
def test_a_compiler_that_fails_otherwise_was_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    monkeypatch.setenv("CXX", str(failing_compiler(tmp_path, how)))
    with pytest.raises(CompileError) as caught:
        build_library(axpy(code="o = x - y - y;", name="rejected"), CompilerOptions())
    assert not isinstance(caught.value, CompilerKilledError)


def test_missing_compiler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(CompileError, match=r"no C\+\+ compiler.*no-such-compiler"):
        build_library(axpy(), CompilerOptions())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a[:2], "takes 3 arrays, not 2"),
        (lambda a: [a[0][:4], *a[1:]], r"argument 0 .* float64\[8\], not float64\[4\]"),
        (lambda a: [a[0].astype(np.float32), *a[1:]], r"not float32\[8\]"),
    ],
)
def test_call_direct_checks_its_arguments(change: Any, message: str) -> None:
    library = build_library(axpy(), CompilerOptions())
    with pytest.raises(TypeError, match=message):
        library.call_direct(change(arguments()))


def test_call_direct_takes_strided_arrays() -> None:
    library = build_library(axpy(), CompilerOptions())
    out = library.call_direct([np.arange(16.0)[::2], *arguments()[1:]])[0]
    np.testing.assert_array_equal(out, 4 * np.arange(8.0) + 3)


def test_unread_inputs_make_programs_differ() -> None:
    """Equal code with another number of inputs must not share a registration."""
    program = axpy(name="unread")
    fewer = Program("unread", axpy(name="unread").sdfg, program.inputs[:2], program.outputs)
    libraries = [build_library(p, CompilerOptions()) for p in (program, fewer)]
    assert libraries[0].call_key != libraries[1].call_key


def test_concurrent_calls_do_not_share_temporaries() -> None:
    n = 20_000
    library = build_library(axpy(n, name="threads"), CompilerOptions())
    wrong: list[int] = []

    def work(k: int) -> None:
        a = np.full(n, float(k))
        for _ in range(30):
            if not (library.call_direct([a, np.array(1.0), np.zeros(3)])[0] == 2 * k + 1).all():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert 1 <= shim.trim(library.call_key) <= 4


def test_cxx_exception_is_an_error_not_an_abort() -> None:
    program = axpy(code="if (x > 100) throw 1; o = x;", name="throws")
    library = build_library(program, CompilerOptions())
    library.call_direct(arguments())
    with pytest.raises(Exception, match="exception"):
        library.call_direct([np.full(8, 200.0), *arguments()[1:]])
    np.testing.assert_array_equal(library.call_direct(arguments())[0], np.arange(8.0))


def test_subnormals_are_flushed_as_in_xla() -> None:
    library = build_library(axpy(code="o = x * y;", name="flush"), CompilerOptions())
    out = library.call_direct([np.full(8, 1e-308), np.array(0.01), np.zeros(3)])[0]
    assert (out == 0).all()


def test_flags_change_no_value() -> None:
    flags = compile_flags(toolchain(), CompilerOptions(), 3)
    forbidden = {"-ffast-math", "-Ofast", "-freciprocal-math", "-fno-signed-zeros", "-ffinite-math-only"}
    assert not forbidden & set(flags)
    assert set(faithful_flags(toolchain())) <= set(flags)


def test_the_first_flags_are_those_that_a_search_adds_one_by_one() -> None:
    tools = toolchain()
    everything = deciding_flags(tools, CompilerOptions(extra_flags=("-DX",)), 2)
    assert everything[:2] == ("-O1", "-O2")
    assert everything[-1] == "-DX"
    for count in range(len(everything) + 1):
        flags = compile_flags(tools, CompilerOptions(extra_flags=("-DX",), first_flags=count), 2)
        assert [flag for flag in flags if flag in everything] == list(everything[:count])
        levels = [flag for flag in flags if flag.startswith("-O")]
        assert levels[-1] == f"-O{min(count, 2)}", "the compiler takes the last"
    whole = compile_flags(tools, CompilerOptions(extra_flags=("-DX",)), 2)
    assert whole == compile_flags(
        tools, CompilerOptions(extra_flags=("-DX",), first_flags=len(everything)), 2
    )


def test_small_programs_compile_at_a_lower_level() -> None:
    default, short = CompilerOptions(), 10_000
    small = opt_level(default, 100, has_loops=False, characters=short)
    assert small < opt_level(default, 100_000, has_loops=False, characters=short)
    assert opt_level(default, 100, has_loops=True, characters=short) == 3
    assert opt_level(CompilerOptions(opt=2), 100, has_loops=True, characters=short) == 2


def test_long_programs_compile_at_a_lower_level() -> None:
    default, long = CompilerOptions(), 500_000
    assert opt_level(default, 100_000, has_loops=True, characters=long) == 2
    assert opt_level(CompilerOptions(opt=3), 100_000, has_loops=True, characters=long) == 3


@pytest.mark.parametrize("options", [{"compiler": "msvc"}, {"opt": 4}, {"fast": True}])
def test_bad_compiler_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"compiler_options|msvc"):
        CompilerOptions.of(options)


def test_extra_flags_reach_the_compiler() -> None:
    program = axpy(code="o = FACTOR * x;", name="extra_flag")
    library = build_library(program, CompilerOptions.of({"extra_flags": ["-DFACTOR=5"]}))
    np.testing.assert_array_equal(library.call_direct(arguments())[0], 5 * np.arange(8.0))


def test_damaged_library_is_a_compile_error(tmp_path: Any) -> None:
    path = tmp_path / "bad.so"
    path.write_bytes(b"not a library")
    signature = build_library(axpy(), CompilerOptions()).signature
    with pytest.raises(CompileError, match="cannot be loaded"):
        Library.load(path, "0" * 64, signature, None)


def test_stock_build_leaves_the_sdfg_as_it_was() -> None:
    program = axpy(name="stock_clean")
    drivers.build_library(program, CompilerOptions(compiler="stock"))
    assert "jace" not in program.sdfg.global_code["frame"].code


def test_a_stock_build_is_known_by_all_its_flags(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Asked:
        """A cache that has all, and keeps what it is asked for."""

        keys: ClassVar[set[str]] = set()

        def library(self, key: str) -> Path:
            self.keys.add(key)
            return tmp_path

    options = CompilerOptions(compiler="stock", sanitize=True)
    drivers._stock(axpy(), options, Asked())
    monkeypatch.setattr(drivers, "SANITIZERS", ("-fsanitize=address",))
    drivers._stock(axpy(), options, Asked())
    monkeypatch.setattr(drivers, "link_flags", lambda *_: ("-lm",))
    drivers._stock(axpy(), options, Asked())
    assert len(Asked.keys) == 3


@pytest.mark.parametrize("dtype", ["float16", "complex64"])
@pytest.mark.parametrize("compiler", ["direct", "stock"])
def test_our_types_stand_for_daces(dtype: str, compiler: str) -> None:
    """Temporaries of these types sit in DaCe's state struct, under DaCe's names."""
    program = axpy(code="o = x;", name=f"types_{dtype}", dtype=np.dtype(dtype))
    library = build_library(program, CompilerOptions(compiler=compiler))
    values = [np.asarray(a, dtype) for a in arguments()]
    np.testing.assert_array_equal(library.call_direct(values)[0], values[0])


def test_halves_are_stored_under_a_mask() -> None:
    """GCC 12 on a CPU with AVX512-FP16 writes what its assembler refuses: corpus/gcc/store_under_a_mask.cc."""

    def program(a: jax.Array, x: jax.Array, y: jax.Array) -> Any:
        def step(carry: None, _: None) -> Any:
            return carry, (a, jnp.where(x < 0, jnp.float16(0), y))

        return lax.scan(step, None, None, length=3)[1]

    args = np.zeros((3, 1), np.float16), np.array([[-1, 1]], np.float16), np.array([[2, 3]], np.float16)
    _, got = jace.compile_jaxpr(jax.make_jaxpr(program)(*args)).call_direct(*args)
    np.testing.assert_array_equal(got, np.array([[[0, 3]]] * 3, np.float16), strict=True)


def test_lanes_of_a_pair_are_not_mixed_up() -> None:
    """GCC 12 adds the wrong ones, where it is asked for speed: corpus/gcc/lanes_of_a_pair.cc."""

    def program(a: jax.Array, key: jax.Array) -> Any:
        _, scales = lax.linalg.hessenberg(a)
        return scales, jax.random.bits(jax.random.wrap_key_data(key)[1], (3,), jnp.uint32)

    args = np.zeros((2, 2), np.float32), np.array([[1, 2], [539416131, 1474868572]], np.uint32)
    _, got = jace.jit(program, pipeline="canonical")(*args)
    np.testing.assert_array_equal(got, [1931118953, 824593705, 3202814814])


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint32])
@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
def test_a_square_in_a_loop_is_no_product_of_many(dtype: Any, pipeline: str) -> None:
    """GCC 12 takes it for one: corpus/gcc/square_in_a_loop.cc; found by a campaign of `jace-repro fuzz`."""
    with jax.enable_x64(dtype is np.int64):
        x = np.full((2, 2), 2, dtype)
        for square in (lax.square, lambda x: x * x, lambda x: lax.integer_pow(x, 2)):
            program = lambda x, square=square: lax.scan(lambda c, _: (square(c), None), x, None, length=2)[0]
            np.testing.assert_array_equal(jace.jit(program, pipeline=pipeline)(x), np.full((2, 2), 16, dtype))
        cubed = lambda x: lax.scan(lambda c, _: (lax.integer_pow(c, 3), None), x, None, length=2)[0]
        expected = np.full((2, 2), 512).astype(dtype)  # of int8 it wraps
        np.testing.assert_array_equal(jace.jit(cubed, pipeline=pipeline)(x), expected)


@pytest.mark.parametrize(
    ("version", "major"), [("g++ (Debian 12.2.0-14) 12.2.0", 12), ("clang version 19.1.7", 19), ("none", 0)]
)
def test_the_release_of_a_compiler(version: str, major: int) -> None:
    assert Toolchain("g++", version, is_clang=False).major == major


def test_no_element_is_lost_of_a_concatenation_in_a_loop() -> None:
    """GCC 12 with AVX-512 loses some: corpus/gcc/mask_of_an_unrolled_loop.cc."""

    def program(rows: jax.Array, kept: jax.Array) -> jax.Array:
        def step(carry: jax.Array, row: jax.Array) -> Any:
            both = jnp.concatenate([kept * row, kept * row + 1.0])
            return (jnp.ones((24, 24), row.dtype) @ both)[:12], None

        return lax.scan(step, kept, rows, reverse=True)[0]

    args = np.zeros((2, 12), np.float32), np.zeros(12, np.float32)
    (got,) = jace.compile_jaxpr(jax.make_jaxpr(program)(*args)).call_direct(*args)
    np.testing.assert_array_equal(got, np.full(12, 12, np.float32))
