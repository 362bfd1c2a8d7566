"""The library nodes of our SDFGs: those of DaCe's that a plan may name, and one of ours for what DaCe has none for.

DaCe's transforms have an implementation of ours beside its own, which needs N times N steps; its factorisations have
one beside those that need OpenBLAS or MKL.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import dace
import numpy as np
from dace import library
from dace.properties import DictProperty, Property
from dace.transformation.transformation import ExpandTransformation

from jace.dtypes import ctype, dace_name


@library.node
class Routine(dace.nodes.LibraryNode):
    """An operation that DaCe has no node for: a sort, a factorisation, random bits.

    Its arrays are contiguous; `code` is the body of the C++ tasklet that it becomes, and `sizes` says how many elements
    of which C++ type there are behind each connector that it writes: DaCe takes those away that nobody reads, and then
    the tasklet has memory of its own.
    """

    implementations: ClassVar[dict[str, Any]] = {}
    default_implementation = "tasklet"
    code = Property(dtype=str, default="", desc="C++ of its connectors")
    sizes = DictProperty(
        key_type=str, value_type=list, default={}, desc="C++ type and elements of what it writes"
    )


@library.register_expansion(Routine, "tasklet")
class ExpandRoutine(ExpandTransformation):
    """A routine becomes a tasklet."""

    environments: ClassVar[list[type]] = []

    @staticmethod
    def expansion(node: Any, state: Any, sdfg: Any, **options: Any) -> Any:
        """The tasklet."""
        memory = [
            f"jace::scratch<{kind}> scratch_{name}({size}); {kind}* {name} = scratch_{name}.data;"
            for name, (kind, size) in node.sizes.items()
            if name not in node.out_connectors
        ]
        code = "\n".join([*memory, node.code])
        return _called(node, state, sdfg, code)


def _called(node: Any, state: Any, sdfg: dace.SDFG, code: str) -> Any:
    """The tasklet of a node that runs on the host; where its arrays are a GPU's, with copies of them around it."""
    tasklet = dace.nodes.Tasklet(
        node.label, node.in_connectors, node.out_connectors, code, language=dace.Language.CPP
    )
    return _around_host(node, state, sdfg, tasklet) if node.schedule in dace.dtypes.GPU_SCHEDULES else tasklet


def _around_host(node: Any, state: Any, sdfg: dace.SDFG, tasklet: Any) -> dace.SDFG:
    """What stands in the place of a node on a GPU: its arrays are copied to the host, worked on there, copied back."""
    inner = dace.SDFG(f"{node.label}_host")
    for name, kind in state.symbols_defined_at(node).items():
        if re.search(rf"\b{name}\b", tasklet.code.as_string):
            inner.add_symbol(name, kind)
    body = inner.add_state("host")
    body.add_node(tasklet)
    mirrored: dict[tuple[str, str], str] = {}  # what is worked on in place is one array there, too
    for edge in (*state.in_edges(node), *state.out_edges(node)):
        is_read = edge.dst is node
        name = edge.dst_conn if is_read else edge.src_conn
        desc, size = sdfg.arrays[edge.data.data], edge.data.subset.num_elements()
        there = f"{name}_gpu"
        here = mirrored.setdefault((edge.data.data, str(edge.data.subset)), f"{name}_host")
        inner.add_array(there, [size], desc.dtype, storage=desc.storage)
        if here not in inner.arrays:
            inner.add_transient(here, [size], desc.dtype, dace.StorageType.CPU_Heap)
        on_gpu, on_host = body.add_access(there), body.add_access(here)
        if is_read:
            edge.dst_conn = there
            body.add_nedge(on_gpu, on_host, dace.Memlet(f"{there}[0:{size}]"))
            body.add_edge(on_host, None, tasklet, name, dace.Memlet(f"{here}[0:{size}]"))
        else:
            edge.src_conn = there
            body.add_edge(tasklet, name, on_host, None, dace.Memlet(f"{here}[0:{size}]"))
            body.add_nedge(on_host, on_gpu, dace.Memlet(f"{there}[0:{size}]"))
    node.in_connectors = {f"{name}_gpu": kind for name, kind in node.in_connectors.items()}
    node.out_connectors = {f"{name}_gpu": kind for name, kind in node.out_connectors.items()}
    return inner


def routine(
    label: str,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    code: str,
    sizes: Mapping[str, tuple[str, int]],
) -> Any:
    """A `Routine` with typed connectors."""
    node = Routine(label, inputs=inputs, outputs=outputs)
    node.code = code
    node.sizes = {name: list(size) for name, size in sizes.items()}
    return node


def _reduce(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.standard import Reduce

    node = Reduce(label, properties["wcr"], list(properties["axes"]), properties["identity"])
    # its maps would be parallel, and each step atomic
    node.schedule = dace.ScheduleType.Sequential
    return node


def _extreme(label: str, properties: Mapping[str, Any], name: str) -> Any:
    from dace.libraries import standard

    # the axis counts from 1, as in Fortran
    return getattr(standard, name)(label, one_based=False, dim=properties["axis"] + 1)


def _matmul(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.blas.nodes.matmul import MatMul

    return MatMul(label)


def _einsum(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.blas.nodes.einsum import Einsum

    node = Einsum(label)
    node.einsum_str = properties["einsum_str"]
    return node


def _transpose(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.linalg import Transpose

    return Transpose(label, dtype=getattr(dace, dace_name(properties["dtype"])))


def _tensor_transpose(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.linalg import TensorTranspose

    return TensorTranspose(label, axes=list(properties["axes"]))


class ExpandPocketFFT(ExpandTransformation):
    """DaCe's FFT or IFFT of a contiguous vector becomes a tasklet that calls NumPy's pocketfft."""

    environments: ClassVar[list[type]] = []

    @staticmethod
    def expansion(node: Any, state: Any, sdfg: Any, **options: Any) -> Any:
        """The tasklet."""
        (edge,) = state.in_edges(node)
        array = sdfg.arrays[edge.data.data]
        part = "f32" if array.dtype == dace.complex64 else "f64"
        length = edge.data.subset.num_elements()
        loop = f"pocketfft/{type(node).__name__.lower()}_{part}"
        code = (
            f'jace::fft::along(jace_external("{loop}"), jace_external("{loop}.data"), _inp, _out, '
            f"jace::{part}({float(node.factor)!r}), 1, {length}, {length}, 1);"
        )
        pointer = dace.pointer(array.dtype)
        node.in_connectors, node.out_connectors = {"_inp": pointer}, {"_out": pointer}
        return _called(node, state, sdfg, code)


def _transform(label: str, properties: Mapping[str, Any], name: str) -> Any:
    from dace.libraries import fft

    node = _node(getattr(fft, name), label, "pocketfft", ExpandPocketFFT)
    node.factor = properties["factor"]
    return node


def _node(cls: Any, label: str, implementation: str, expansion: type) -> Any:
    """A node of DaCe's with an implementation of ours, which it is given when it is first asked for."""
    if implementation not in cls.implementations:
        library.register_expansion(cls, implementation)(type(f"Expand{cls.__name__}", (expansion,), {}))
    node = cls(label)
    node.implementation = implementation
    return node


class ExpandLapack(ExpandTransformation):
    """DaCe's Potrf or Getrf becomes a tasklet that calls SciPy's LAPACK, as LAPACKE calls LAPACK by rows."""

    environments: ClassVar[list[type]] = []

    @staticmethod
    def expansion(node: Any, state: Any, sdfg: Any, **options: Any) -> Any:
        """The tasklet."""
        from dace.libraries.blas.blas_helpers import to_blastype

        (edge,) = state.in_edges(node)
        routine, dtype = type(node).__name__.lower(), sdfg.arrays[edge.data.data].dtype
        kind = ctype(np.dtype(dtype.type))
        matrices = ", ".join(f"reinterpret_cast<{kind}*>({name})" for name in ("_xin", "_xout"))
        subset = copy.deepcopy(edge.data.subset)
        subset.squeeze()
        sizes = [*map(str, subset.size())]
        arguments = [matrices, sizes[0]] if routine == "potrf" else [matrices, *sizes, "_ipiv"]
        name = f"lapack/{to_blastype(dtype.type).lower()}{routine}"
        code = f'_res = jace::lapack::{routine}(jace_external("{name}"), {", ".join(arguments)});'
        # on a GPU DaCe takes all of them for pointers
        matrix, kinds = dace.pointer(dtype), {"_res": dace.int32, "_ipiv": dace.pointer(dace.int32)}
        node.in_connectors = dict.fromkeys(node.in_connectors, matrix)
        node.out_connectors = {name: kinds.get(name, matrix) for name in node.out_connectors}
        return _called(node, state, sdfg, code)


def _factorisation(label: str, properties: Mapping[str, Any], name: str) -> Any:
    from dace.libraries import lapack

    return _node(getattr(lapack, name), label, "SciPy", ExpandLapack)


#: name -> fn(label, properties) -> the node.
NODES: dict[str, Callable[[str, Mapping[str, Any]], Any]] = {
    "ArgMax": functools.partial(_extreme, name="ArgMax"),
    "ArgMin": functools.partial(_extreme, name="ArgMin"),
    "Einsum": _einsum,
    "Getrf": functools.partial(_factorisation, name="Getrf"),
    "FFT": functools.partial(_transform, name="FFT"),
    "IFFT": functools.partial(_transform, name="IFFT"),
    "MatMul": _matmul,
    "Potrf": functools.partial(_factorisation, name="Potrf"),
    "Reduce": _reduce,
    "TensorTranspose": _tensor_transpose,
    "Transpose": _transpose,
}
