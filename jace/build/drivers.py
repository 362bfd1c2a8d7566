"""Compiler drivers: from a program to a loaded library.

`direct` runs the C++ compiler once on header-free source; `stock` is DaCe's own `sdfg.compile()` with our
flags. A source that the header-free build rejects is compiled again against DaCe's headers before anybody
is blamed.
"""

from __future__ import annotations

import atexit
import functools
import logging
import shutil
from collections.abc import Sequence
from pathlib import Path

from jace.build import codegen, config, environments, gpu
from jace.build.cache import Cache, default_cache, digest
from jace.build.compiler import Built, compile_text, failure
from jace.build.externals import externals_in
from jace.build.flags import (
    SANITIZERS,
    CompilerOptions,
    Toolchain,
    compile_flags,
    deciding_flags,
    faithful_flags,
    link_flags,
    opt_level,
    toolchain,
)
from jace.build.load import Library, Signature
from jace.build.program import ProgramLike
from jace.build.scratch import scratch_dir
from jace.errors import CompileError, CompilerKilledError, JaceError

_log = logging.getLogger(__name__)


def build_library(program: ProgramLike, options: CompilerOptions) -> Library:
    """Compile (or find in the cache) and load a program.

    Raises:
        CodegenError: if DaCe cannot generate code.
        CompilerKilledError: if the compiler is killed or gets no memory.
        CompileError: if there is no compiler, or it rejects the code, or the result cannot be loaded.
        NoGPUError: if it is for a GPU, and there is none, or no compiler for it.
    """
    driver = {"direct": _direct, "stock": _stock}[options.compiler]
    cache = default_cache()
    built = driver(program, options, cache)
    signature = Signature.of(program)
    try:
        return Library.load(built.path, built.key, signature, built.source, externals_in(built.source))
    finally:
        if built.scratch is not None:  # the loaded library stays mapped
            shutil.rmtree(built.scratch, ignore_errors=True)


def flags_of(program: ProgramLike, options: CompilerOptions) -> tuple[str, ...]:
    """The flags that decide what the code of a program computes, with the direct driver.

    Raises:
        CodegenError, CompileError: as for `build_library`.
    """
    source = codegen.generate(program)
    level = opt_level(options, source.elements, source.has_loops, len(source.body))
    return deciding_flags(toolchain(), options, level)


def _direct(program: ProgramLike, options: CompilerOptions, cache: Cache | None) -> Built:
    tools = toolchain()
    source = codegen.generate(program, annotate=options.sanitize)
    level = opt_level(options, source.elements, source.has_loops, len(source.body))
    flags, libraries = compile_flags(tools, options, level), link_flags(tools, options)
    if source.cuda:
        # where no GPU is, compiling is all that can be done
        built = _with_stock_headers(source, gpu.flags(tools, flags), gpu.link_flags(), gpu.nvcc(), cache)
        gpu.check_there_is_one()
        return built
    if source.includes:
        return _with_stock_headers(source, flags, libraries, tools, cache)
    try:
        return compile_text(source.text(), flags, libraries, tools, cache)
    except CompilerKilledError:
        raise  # DaCe's headers take more memory, not less
    except CompileError as lean:
        if lean.source_file is not None:
            shutil.rmtree(Path(lean.source_file).parent, ignore_errors=True)
        try:
            built = _with_stock_headers(source, flags, libraries, tools, cache)
        except CompileError as full:
            # Both fail: the code is wrong, not our preamble. The stock message is the one that blames fairly.
            raise full from None
        _log.info("program '%s' needs DaCe's headers: %s", source.name, lean.stderr[:2000])
        return built


def _with_stock_headers(
    source: codegen.Source,
    flags: Sequence[str],
    libraries: Sequence[str],
    tools: Toolchain,
    cache: Cache | None,
) -> Built:
    text = source.text(stock_headers=True)
    needed = environments.needed(source.environments)
    full = [*_with_default_libraries(libraries), *needed.libraries]
    includes = [str(codegen.DACE_INCLUDE_DIR), *needed.includes]
    suffix = ".cu" if source.cuda else ".cc"
    return compile_text(text, flags, full, tools, cache, includes=includes, suffix=suffix)


def _stock(program: ProgramLike, options: CompilerOptions, cache: Cache | None) -> Built:
    tools = toolchain()
    source = codegen.generate(program)
    if source.cuda:
        raise CompileError(
            'programs for GPUs are built with compiler_options={"compiler": "direct"}, the default'
        )
    flags = [*faithful_flags(tools), "-w", *options.extra_flags, *(SANITIZERS if options.sanitize else ())]
    links = _with_default_libraries(link_flags(tools, options))
    text = source.text(stock_headers=True)
    key = digest("stock", text, " ".join([*flags, *links]), repr(options), tools.identity)
    if cache is not None and (found := cache.library(key)) is not None:
        return Built(key, found, text, None)
    scratch = scratch_dir()
    out = scratch / "program.so"
    sdfg = program.sdfg
    before = sdfg.global_code["frame"].code if "frame" in sdfg.global_code else ""
    with config.lock:
        config.set_stock_flags(
            tools.path,
            " ".join([*flags, "-include", str(_stock_header())]),
            " ".join(links),
        )
        sdfg.append_global_code(codegen.stock_trampoline(program))
        sdfg.build_folder = str(scratch / "build")
        try:
            sdfg.compile(output_file=str(out), validate=False, return_program_handle=False)
        except JaceError:
            raise
        except Exception as error:
            raise failure(
                f"DaCe's own build failed: {type(error).__name__}", str(error), source_file=str(scratch)
            ) from error
        finally:
            sdfg.global_code["frame"].code = before
    produced = out if out.is_file() else _find_library(scratch)
    if cache is None:
        return Built(key, produced, text, scratch)
    path = cache.store(key, produced, text)
    if path == produced:
        return Built(key, path, text, scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    return Built(key, path, text, None)


def _with_default_libraries(flags: Sequence[str]) -> list[str]:
    """The linker's flags for what includes DaCe's headers, which use the C++ library in earnest."""
    return [flag for flag in flags if flag != "-nodefaultlibs"]


@functools.cache
def _stock_header() -> Path:
    """The forced include of stock builds, at one path a process: DaCe replays builds with equal flags."""
    folder = scratch_dir()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "jace_stock.h"
    path.write_text(codegen.stock_header(), encoding="utf-8")
    return path


def _find_library(scratch: Path) -> Path:
    found = [p for p in sorted(scratch.rglob("*.so")) if "stub" not in p.name]
    if not found:
        raise CompileError("DaCe's own build made no library", source_file=str(scratch))
    return found[0]
