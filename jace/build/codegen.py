"""C++ source of a program: DaCe's generated frame, our headers before it, a trampoline after it.

The trampoline gives every program the same three symbols, whatever its arguments:

    void *__jace_init_NAME()                             a handle (DaCe's state struct: persistent transients)
    void __jace_call_NAME(void *handle, void *const *buffers)     buffers = inputs, then outputs
    void __jace_exit_NAME(void *handle)
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dace
import numpy as np
from dace.codegen import codegen as dace_codegen

from jace.build import dace_errors, gpu
from jace.build.config import configure, control_flow_as_it_is, without_history
from jace.build.parts import in_parts
from jace.build.program import ProgramLike
from jace.build.runtime import runtime_text
from jace.debug.notes import is_noted, place_note
from jace.errors import CodegenError

_HERE = Path(__file__).parent
#: Where <dace/dace.h> is.
DACE_INCLUDE_DIR = Path(dace.__file__).parent / "runtime" / "include"

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"].*\n', re.MULTILINE)
_MARKERS = re.compile(r"[ \t]*////__(?:DACE:|CODEGEN;)[^\n]*")
#: An edge between states sets a symbol: DaCe marks no node there.
_ASSIGNMENT = re.compile(r"^[ \t]*(?P<symbol>\w+) = \w+\[0\];$", re.MULTILINE)
_NODE_MARKER = re.compile(r"////__DACE:(\d+):(\d+):(\d+)")
#: The generated function: asking the SDFG for its arguments would go through all of it once more.
_FUNCTION = r"DACE_EXPORTED void __program_{name}\({name}_state_t \*\s*__state(.*?)\)\s*\{{"
_INIT = r"DACE_EXPORTED {name}_state_t \*__dace_init_{name}\((.*?)\)"
_STATE = r"(?ms)^struct {name}_state_t \{{\n.*?^\}};\n"
_PARAMETER = re.compile(r"(\w+)\s*(?:,|$)")
_OWN_INCLUDES = ("dace/dace.h", "hash.h", "cuda_runtime.h")

# After DaCe's headers its complex and 16-bit types become ours, so that generated code calls our functions
# with our types on both paths. Our own types have the same layout.
_STOCK_TYPES = """
namespace dace { using jace_c64 = jace::c64; using jace_c128 = jace::c128;
using jace_f16 = jace::f16; using jace_bf16 = jace::bf16; }
#define complex64 jace_c64
#define complex128 jace_c128
#define float16 jace_f16
#define bfloat16 jace_bf16
"""
_CUDA_TYPES = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <thrust/complex.h>
#include <dace/types.h>
"""
#: A table of what has no constant expressions: a GPU's functions cannot have it static.
_TABLE = re.compile(r"\bstatic const(?= jace::(?:f16|bf16|[iu][24]|f[48]_\w+) \w+\[)")
_CUDA_GUARDS = "#define __DACE_REDUCTION_H\n"
_OWN_TYPES = """
namespace dace { using complex64 = jace::c64; using complex128 = jace::c128;
using float16 = jace::f16; using bfloat16 = jace::bf16; using half = jace::f16; }
"""

_TRAMPOLINE = """
// {signature}
namespace {{
struct __jace_arg {{
  void *p;
  template <typename T> operator T *() const {{ return static_cast<T *>(p); }}
  template <typename T> operator T() const {{ return *static_cast<T *>(p); }}
}};
}}
#define __JACE_EXPORT extern "C" __attribute__((visibility("default")))
__JACE_EXPORT void *__jace_init_{name}() {{ return (void *)__dace_init_{name}({sizes}); }}
__JACE_EXPORT void __jace_exit_{name}(void *h) {{ __dace_exit_{name}(({name}_state_t *)h); }}
__JACE_EXPORT void __jace_call_{name}(void *h, void *const *b) {{
  (void)b;
  jace::ftz_scope ftz;
  __program_{name}(({name}_state_t *)h{arguments});
{check}}}
"""
#: DaCe prints an error of the GPU where it happens, and goes on.
_CHECK = """  if (((%s_state_t *)h)->gpu_context->lasterror) throw "the GPU failed";
"""


@dataclass(frozen=True)
class Source:
    """C++ of one program.

    Attributes:
        name: suffix of the three entry points.
        body: DaCe's frame code without includes, and the trampoline.
        includes: headers that the frame asked for beyond DaCe's own; non-empty rules out the header-free
            build.
        elements: number of elements of the largest array, which decides the optimisation level.
        has_loops: whether the SDFG has loop regions or interstate cycles.
        environments: names of the environments of DaCe's that it is built with.
        cuda: it has kernels for a GPU.
    """

    name: str
    body: str
    includes: tuple[str, ...]
    elements: int
    has_loops: bool
    environments: tuple[str, ...] = ()
    cuda: bool = False

    def text(self, *, stock_headers: bool = False) -> str:
        """The whole translation unit; without `stock_headers` it includes nothing, unless it is for a GPU."""
        if self.cuda:
            return self._cuda_text()
        if stock_headers:
            extra = "".join(f"#include <{name}>\n" for name in self.includes)
            head = f"#include <dace/dace.h>\n{extra}{runtime_text(self.body)}{_STOCK_TYPES}"
        else:
            head = f"{preamble(self.body)}{runtime_text(self.body)}{_OWN_TYPES}{_resolutions(self.body)}"
        return f"{head}\n{self.body}"

    def _cuda_text(self) -> str:
        """DaCe's headers, but for how it resolves conflicts among threads."""
        extra = "".join(f"#include <{name}>\n" for name in self.includes)
        ours = f"{runtime_text(self.body, cuda=True)}{_header('dace_atomics.h')}{_header('dace_wcr.h')}"
        before, after = gpu.FOR_BOTH_SIDES
        return (
            f"{_CUDA_TYPES}{before}{ours}{after}{_CUDA_GUARDS}#include <dace/dace.h>\n{extra}{_STOCK_TYPES}\n"
            f"{_TABLE.sub('const', self.body)}"
        )


def preamble(body: str) -> str:
    """Our replacement of <dace/dace.h>, as far as the generated code `body` needs it."""
    parts = {"dace_copies.h": "CopyND", "dace_powers.h": "ipow("}
    return _header("dace_preamble.h") + "".join(_header(name) for name, word in parts.items() if word in body)


def _resolutions(body: str) -> str:
    """What DaCe's write-conflict resolution needs, by our arithmetic."""
    return _header("dace_wcr.h") if "dace::wcr_" in body else ""


@functools.cache
def _header(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def generate(program: ProgramLike, *, annotate: bool = False) -> Source:
    """Generate the C++ of a program.

    Args:
        annotate: end each line with the SDFG's state, map and node that it is for (`jace.debug.notes`).
    Raises:
        CodegenError: when DaCe's code generator raises, or the SDFG asks for arguments the program does not
            list.
    """
    configure()
    sdfg = _to_expand(program.sdfg)
    elements = max((_size(desc, program.sizes) for _, _, desc in sdfg.arrays_recursive()), default=0)
    loops = _has_loops(sdfg)
    try:
        sdfg.fill_scope_connectors()
        with without_history(), control_flow_as_it_is() if _is_structured(sdfg) else nullcontext():
            objects = dace_codegen.generate_code(sdfg, validate=False)
    except Exception as error:
        dace_errors.forget_dump(error)
        text = dace_errors.said(error)
        raise CodegenError(f"DaCe's code generator raised {type(error).__name__}: {text}") from error
    linkable = [o for o in objects if o.linkable and o.language == "cpp"]
    kernels = [o for o in objects if o.linkable and o.language == "cu"]
    if len(linkable) != 1 or len(kernels) > 1:
        targets = [o.target.target_name for o in (*linkable, *kernels)]
        raise CodegenError(
            f"DaCe generated {len(targets)} source files ({targets}); jace links one, and a GPU's"
        )
    code = _annotated(linkable[0].code, sdfg, program.notes) if annotate else linkable[0].clean_code
    if kernels:
        code = _with_kernels(code, kernels[0].clean_code, sdfg.name)
    found = re.search(_FUNCTION.format(name=sdfg.name), code)
    if found is None:
        raise CodegenError(f"DaCe generated no function __program_{sdfg.name}")
    start = re.search(_INIT.format(name=sdfg.name), code)
    trampoline = _trampoline(program, found[1], start[1] if start is not None else "", cuda=bool(kernels))
    asked = [m.group(1) for m in _INCLUDE.finditer(code)]
    extra = tuple(dict.fromkeys(i for i in asked if not i.endswith(_OWN_INCLUDES)))
    environments = tuple(sorted({name for made in objects for name in made.environments}))
    whole = _INCLUDE.sub("", code) + trampoline
    body = whole if kernels else in_parts(whole, sdfg.name)
    return Source(sdfg.name, body, extra, elements, loops, environments, bool(kernels))


def _with_kernels(code: str, kernels: str, name: str) -> str:
    """The host's code after that of the kernels, which has the state struct, too."""
    return kernels + re.sub(_STATE.format(name=name), "", code, count=1)


def _to_expand(sdfg: dace.SDFG) -> dace.SDFG:
    """The SDFG, or a copy of it where code generation would put maps and tasklets in place of what it has."""
    is_expanded = any(_is_expanded(node, state) for node, state in sdfg.all_nodes_recursive())
    return copy.deepcopy(sdfg) if is_expanded else sdfg


def _is_expanded(node: Any, state: Any) -> bool:
    """Whether it is a library node, or copied from."""
    access = dace.nodes.AccessNode
    if isinstance(node, access):
        return any(isinstance(edge.dst, access) for edge in state.out_edges(node))
    return isinstance(node, dace.nodes.LibraryNode)


def _annotated(code: str, sdfg: dace.SDFG, notes: Mapping[str, str]) -> str:
    """DaCe's code with its markers (`////__DACE:REGION:STATE:NODE`) spelled out."""

    def spelled(match: re.Match[str]) -> str:
        found = _NODE_MARKER.findall(match[0])
        if not found:
            return ""
        # Of several, the last is the node that the line is for; the ones before it are its edges.
        region, block, node = map(int, found[-1])
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
        note = "" if is_noted(line) else _note(sdfg, notes, region, block, node)
        return note + _place(sdfg, region, block, node)

    def assigned(match: re.Match[str]) -> str:
        note = notes.get(match["symbol"], "")
        return f"{match[0]}{note}{place_note(match['symbol'], '', '')}" if note else match[0]

    return _ASSIGNMENT.sub(assigned, _MARKERS.sub(spelled, code))


def _note(sdfg: dace.SDFG, notes: Mapping[str, str], region: int, block: int, node: int) -> str:
    """On the equation of a tasklet, of its state, or of the one that it was expanded in."""
    try:
        state = sdfg.cfg_list[region].node(block)
        label = getattr(state.node(node), "label", "")
    except (IndexError, KeyError, AttributeError):  # code generation has changed a copy of the graph
        return ""
    if label in notes:
        return notes[label]
    while state is not None and state.label not in notes:
        state = state.sdfg.parent
    return "" if state is None else notes[state.label]


def _place(sdfg: dace.SDFG, region: int, block: int, node: int) -> str:
    try:
        state = sdfg.cfg_list[region].node(block)
        found = state.node(node)
        entry = found if isinstance(found, dace.nodes.MapEntry) else state.entry_node(found)
    except (IndexError, KeyError, AttributeError):  # code generation has changed a copy of the graph
        return ""
    label = entry.map.label if isinstance(entry, dace.nodes.MapEntry) else ""
    return place_note(state.label, label, getattr(found, "label", ""))


def _trampoline(program: ProgramLike, parameters: str, of_init: str, *, cuda: bool = False) -> str:
    # The signature makes programs differ that differ only in inputs they do not read.
    signature = "; ".join(
        " ".join(f"{np.dtype(b.dtype).name}{list(b.shape)}" for b in side)
        for side in (program.inputs, program.outputs)
    )
    return _TRAMPOLINE.format(
        name=program.sdfg.name,
        arguments="".join(f", {argument}" for argument in _arguments(program, parameters)),
        sizes=", ".join(_arguments(program, of_init)),
        check=_CHECK % program.sdfg.name if cuda else "",
        signature=signature.replace("\n", " "),
    )


def _arguments(program: ProgramLike, parameters: str) -> list[str]:
    """The call's arguments in the order of DaCe's `parameters`: of the buffer list, or the value of a size."""
    buffers = [b.name for b in (*program.inputs, *program.outputs)]
    given = {name: f"__jace_arg{{b[{i}]}}" for i, name in enumerate(buffers)}
    given |= {name: str(value) for name, value in program.sizes.items()}
    wanted = _PARAMETER.findall(parameters)
    if missing := [name for name in wanted if name not in given]:
        raise CodegenError(f"the SDFG has arguments that are neither inputs nor outputs: {missing}")
    return [given[name] for name in wanted]


def stock_trampoline(program: ProgramLike) -> str:
    """The trampoline with the prototypes it needs, to stand before DaCe's own code in a stock build."""
    name = program.sdfg.name
    signature = program.sdfg.signature(with_types=True)
    of_init = program.sdfg.init_signature()
    comma = ", " if signature else ""
    prototypes = (
        f"struct {name}_state_t;\n"
        f"DACE_EXPORTED void __program_{name}({name}_state_t *{comma}{signature});\n"
        f"DACE_EXPORTED {name}_state_t *__dace_init_{name}({of_init});\n"
        f"DACE_EXPORTED int __dace_exit_{name}({name}_state_t *);\n"
    )
    return prototypes + _trampoline(program, signature, of_init)


def standing_alone(program: ProgramLike) -> dace.SDFG:
    """A copy of the program's SDFG that DaCe compiles by itself: what its tasklets call of ours is in its own code.

    Raises:
        CodegenError: as for `generate`.
    """
    body = generate(program).body
    sdfg = copy.deepcopy(program.sdfg)
    sdfg.append_global_code(f"{runtime_text(body)}\n{_STOCK_TYPES}")
    return sdfg


def stock_header() -> str:
    """What a stock build includes before all else (DaCe's state struct stands before its global code).

    CMake's compiler checks and DaCe's stub library include it too, without the include paths or in an older
    C++: it is empty for them.
    """
    text = f"#include <dace/dace.h>\n{runtime_text()}\n{_STOCK_TYPES}"
    return f"#if __cplusplus >= 202002L && __has_include(<dace/dace.h>)\n{text}\n#endif\n"


def _size(desc: dace.data.Data, sizes: Mapping[str, int]) -> int:
    """Number of elements; a size that nobody knows counts as large."""
    try:
        return int(dace.symbolic.evaluate(desc.total_size, sizes))
    except TypeError:
        return 1 << 30


def _is_structured(sdfg: dace.SDFG) -> bool:
    """Whether loops and branches are regions: no block is followed by more than one."""
    regions = sdfg.all_control_flow_regions(recursive=True)
    return all(len(region.out_edges(block)) <= 1 for region in regions for block in region.nodes())


def _has_loops(sdfg: dace.SDFG) -> bool:
    return any(
        isinstance(r, dace.sdfg.state.LoopRegion) for r in sdfg.all_control_flow_regions(recursive=True)
    )
