"""Probes of what is more than a function of arrays: calls, control flow, refs, keys, sparse matrices, meshes."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify, compute_on, fused, hijax, multihost_utils, scheduling_groups, sparse
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.layout import Layout, with_layout_constraint
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jace_repro.survey.primitives import all_primitives
from jace_repro.survey.probes import Probe, bind, defined_with, matrix, spec, vector

# Parts of these are not annotated.
_jax: Any = jax
_sparse: Any = sparse
_groups: Any = scheduling_groups
_fused: Any = fused
_hijax: Any = hijax
# Names that jax 0.11 changed.
_HiPrimitive: Any = getattr(_hijax, "HiPrim", None) or _hijax.VJPHiPrimitive
_compute_on: Any = getattr(compute_on, "compute_on2", None) or compute_on.compute_on
_F32, _I32, _U32 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.uint32)
_WHOLE = PartitionSpec()


def _mesh() -> Mesh:
    """A mesh of one device, its axis called "i"."""
    return Mesh(np.array(jax.devices("cpu")[:1]), ("i",))


def _explicit_mesh() -> Mesh:
    """The same, with shardings that are types."""
    return jax.make_mesh((1,), ("i",), axis_types=(_jax.sharding.AxisType.Explicit,))


def _jvp_of_square() -> Callable[..., Any]:
    square: Any = jax.custom_jvp(lambda x: x * x)
    square.defjvp(lambda primals, tangents: (primals[0] * primals[0], tangents[0] + tangents[0]))
    return square


def _vjp_of_square(optimize_remat: bool = False) -> Callable[..., Any]:
    square: Any = jax.custom_vjp(lambda x: x * x)
    square.defvjp(lambda x: (x * x, x), lambda residual, g: (g * residual,), optimize_remat=optimize_remat)
    return square


def _vmapped_square() -> Callable[..., Any]:
    square: Any = _jax.custom_batching.custom_vmap(lambda x: x * x)
    square.def_vmap(lambda size, batched, x: (x * x, batched[0]))
    return square


def _solve(a: Any, b: Any) -> Any:
    return lax.custom_linear_solve(lambda x: a * x, b, lambda matvec, y: y / a, symmetric=True)


def _composite(x: Any) -> Any:
    return lax.composite(lambda y: y * y, name="jace.square")(x)


def _partitioned() -> Callable[..., Any]:
    fun: Any = custom_partitioning(lambda x: x * x)
    fun.def_partition(
        partition=lambda mesh, args, out: None,
        infer_sharding_from_operands=lambda *a: None,
        sharding_rule="i -> i",
    )
    return fun


def _core_call(closed: Any) -> Callable[..., Any]:
    call = all_primitives()["call"].primitive
    return lambda x: call.bind(x, **call.get_bind_params({"call_jaxpr": closed.jaxpr}))[0]


def _closed_square(dtype: Any) -> Any:
    return jax.make_jaxpr(lambda x: x + x)(spec(dtype, 4))


_CALLS: dict[str, Probe] = {
    "jit": vector(lambda x: jax.jit(lambda y: y + y)(x)),
    "call": lambda d: (_core_call(_closed_square(d)), (spec(d, 4),)),
    "closed_call": lambda d: (bind("eval_jaxpr", jaxpr=_closed_square(d)), (spec(d, 4),)),
    "custom_jvp_call": vector(lambda x: _jvp_of_square()(x)),
    "custom_vjp_call": vector(lambda x: _vjp_of_square()(x)),
    "remat_opt": vector(lambda x: jax.vjp(_vjp_of_square(True), x)[0]),
    "custom_vmap_call": vector(lambda x: _vmapped_square()(x)),
    "remat2": vector(lambda x: jax.checkpoint(lambda y: y + y)(x)),
    "linear_call": vector(
        lambda x, y: _jax.custom_derivatives.linear_call(lambda r, v: r * v, lambda r, g: r * g, x, y), 2
    ),
    "custom_linear_solve": vector(_solve, 2),
    "composite": vector(_composite),
    "compute_on": vector(lambda x: _compute_on(lambda y: y + y, compute_type="device_host",
                                                             out_memory_spaces=_jax.memory.Space.Device)(x)),
    "custom_partitioning": vector(lambda x: _partitioned()(x)),
    "cond": lambda d: (
        lambda i, x: lax.switch(i, [lambda y: y + y, lambda y: y, lambda y: y * y], x),
        (spec(_I32), spec(d, 4)),
    ),
    "scan": vector(lambda x: lax.scan(lambda c, y: (c + y, c), x[0], x)),
    "while": vector(lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + c[1]), (0, x))),
    "platform_index": vector(
        lambda x: lax.platform_dependent(x, cpu=lambda y: y + y, default=lambda y: y * y)
    ),
    "tie": vector(bind("tie"), 2),
    "dce_sink": vector(lambda x: (lax.dce_sink(x), x)[1]),
    "unreachable": lambda d: (
        lambda x: bind("unreachable", out_avals=(jax.typeof(x),), exc_type=ValueError, message="never")(x),
        (spec(d),),
    ),
    "xla_metadata_value": vector(bind("xla_metadata_value", xla_metadata_kvs=(("a", "b"),))),
    "shard_alike": vector(bind("shard_alike"), 2),
    "sharding_constraint": vector(lambda x: lax.with_sharding_constraint(x, NamedSharding(_mesh(), _WHOLE))),
    "layout_constraint": vector(
        lambda x: with_layout_constraint(
            x, Layout(major_to_minor=(0,))
        )
    ),
    "reshard": vector(lambda x: _jax.sharding.reshard(x, NamedSharding(_explicit_mesh(), _WHOLE))),
    "device_put": vector(lambda x: jax.device_put(x, jax.devices("cpu")[0])),
    "create_token": lambda d: (lambda x: (lax.create_token(x), x)[1], (spec(d),)),
    "after_all": lambda d: (lambda x: (lax.after_all(lax.create_token(x)), x)[1], (spec(d),)),
}  # fmt: skip


def _in_ref(use: Callable[[Any], Any]) -> Probe:
    return vector(lambda x: use(_jax.new_ref(x)))


def _run_state(x: Any) -> Any:
    from jax.experimental.pallas import run_state

    def body(ref: Any) -> None:
        ref[...] = ref[...] + ref[...]

    return run_state(body)(x)


def _stored(ref: Any) -> Any:
    ref[1:3] = ref[0:2]
    return ref[...]


def _accumulated(ref: Any) -> Any:
    _jax.ref.addupdate(ref, slice(0, 2), ref[2:4])
    return ref[...]


def _filled(dtype: Any) -> Callable[..., Any]:
    def fun(x: Any) -> Any:
        ref = _jax.empty_ref(jax.typeof(x))
        ref[...] = x
        return _jax.freeze(ref)

    return fun


def _freed(ref: Any) -> Any:
    value = ref[...]
    _jax.ref.free_ref(ref)
    return value


_REFS: dict[str, Probe] = {
    "new_ref": _in_ref(lambda ref: ref[...]),
    "get": _in_ref(lambda ref: ref[...]),
    "swap": _in_ref(_stored),
    "addupdate": _in_ref(_accumulated),
    "freeze": _in_ref(lambda ref: _jax.freeze(ref)),
    "free_ref": _in_ref(_freed),
    "empty_ref": vector(lambda x: _filled(x.dtype)(x)),
    "run_state": vector(_run_state),
    "accum_grad_in_ref": vector(bind("accum_grad_in_ref")),
    "create_linear": lambda d: (
        lambda: defined_with("pin").unpin(defined_with("pin").create_linear(jax.core.ShapedArray((3,), d))),
        (),
    ),
    "pin": vector(lambda x: defined_with("pin").unpin(defined_with("pin").pin(x))),
    "unpin": vector(lambda x: defined_with("pin").unpin(defined_with("pin").pin(x))),
}


def _boxed(x: Any) -> Any:
    box = defined_with("new_box").Box(x)
    box.set(box.get() + box.get())
    return box.get()


def _logged(x: Any) -> Any:
    log = defined_with("new_log").Log()
    log.extend({"x": [x]})
    return x


class _Square(_HiPrimitive):
    """A primitive as a user may define it."""

    def __init__(self, aval: Any) -> None:
        self.in_avals = (aval,)
        self.out_aval = aval
        self.params: dict[str, Any] = {}
        super().__init__()

    def expand(self, x: Any) -> Any:
        return x * x


def _square(x: Any) -> Any:
    return _Square(jax.typeof(x))(x)


#: Values of types that users define, lowered to arrays before translation.
_HIJAX: dict[str, Probe] = {
    "new_box": vector(_boxed),
    "box_get": vector(_boxed),
    "box_set": vector(_boxed),
    "new_log": vector(_logged),
    "log_extend": vector(_logged),
    "call_hi_primitive": vector(_square),
}

_HOST: dict[str, Probe] = {
    "pure_callback": vector(lambda x: jax.pure_callback(lambda y: y, x, x)),
    "io_callback": vector(lambda x: _jax.experimental.io_callback(lambda y: y, x, x)),
    "debug_callback": vector(lambda x: (jax.debug.callback(lambda y: None, x), x)[1]),
    "debug_print": vector(lambda x: (jax.debug.print("{}", x), x)[1]),
    "buffer_callback": vector(
        lambda x: _jax.experimental.buffer_callback.buffer_callback(lambda *a: None, x)(x)
    ),
    "ffi_call": vector(lambda x: jax.ffi.ffi_call("jace_probe", x)(x)),
    "inspect_sharding": vector(lambda x: (jax.debug.inspect_array_sharding(x, callback=print), x)[1]),
    "check": lambda d: (lambda x: (checkify.check(x > 0, "positive"), x)[1], (spec(d),)),
}


def _key(name: str) -> Any:
    """A key's type; `name` is one of KEYS."""
    with jax.ensure_compile_time_eval():
        return spec(jax.random.key(0, impl=IMPLEMENTATIONS[name]).dtype)


KEYS = ("fry", "rbg", "urbg")
IMPLEMENTATIONS = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}


def _keyed(fun: Callable[..., Any]) -> Probe:
    return lambda name: (fun, (_key(name),))


def _words(name: str) -> int:
    return int(jax.random.key_data(jax.random.key(0, impl=IMPLEMENTATIONS[name])).size)


#: Probes of keys: their "dtypes" are KEYS.
KEYED: Mapping[str, Probe] = {
    "random_seed": lambda n: (lambda s: jax.random.key(s, impl=IMPLEMENTATIONS[n]), (spec(_I32),)),
    "random_wrap": lambda n: (
        lambda u: jax.random.wrap_key_data(u, impl=IMPLEMENTATIONS[n]),
        (spec(_U32, _words(n)),),
    ),
    "random_unwrap": _keyed(jax.random.key_data),
    "random_clone": _keyed(jax.random.clone),
    "random_split": _keyed(jax.random.split),
    "random_fold_in": _keyed(lambda key: jax.random.fold_in(key, 3)),
    "random_bits": _keyed(lambda key: jax.random.bits(key, (5,))),
    "consume": _keyed(bind("consume")),
    "assert_consumed_value": _keyed(bind("assert_consumed_value", value=False)),
}

_RANDOM: dict[str, Probe] = {
    "random_gamma": lambda d: (jax.random.gamma, (_key("fry"), spec(d, 3))),
    "threefry2x32": vector(bind("threefry2x32"), 4),
    "threefry4x32": lambda d: (bind("threefry4x32"), (spec(d, 4),) * 8),
    "philox2x32": lambda d: (bind("philox2x32"), (spec(d, 4),) * 3),
    "philox4x32": lambda d: (bind("philox4x32"), (spec(d, 4),) * 6),
    "iota_2x32_shape": lambda d: (bind("iota_2x32_shape", shape=(2, 3)), ()),
    "rng_bit_generator": lambda d: (lambda k: lax.rng_bit_generator(k, (3,), d), (spec(_U32, 4),)),
    "rng_uniform": lambda d: (lambda a, b: lax.rng_uniform(a, b, (3,)), (spec(d), spec(d))),
}


def _bcoo(x: Any) -> Any:
    return sparse.BCOO.fromdense(x, nse=4)


def _bcsr(x: Any) -> Any:
    return _sparse.BCSR.fromdense(x, nse=4)


def _coo(x: Any) -> Any:
    return sparse.COO.fromdense(x, nse=4)


def _csr(x: Any) -> Any:
    return _sparse.CSR.fromdense(x, nse=4)


_SPARSE: dict[str, Probe] = {
    "bcoo_fromdense": matrix(lambda x: _bcoo(x).data),
    "bcoo_todense": matrix(lambda x: _bcoo(x).todense()),
    "bcoo_transpose": matrix(lambda x: _bcoo(x).T.data),
    "bcoo_extract": matrix(lambda x: sparse.bcoo_extract(_bcoo(x), x).data),
    "bcoo_sort_indices": matrix(lambda x: _bcoo(x).sort_indices().data),
    "bcoo_sum_duplicates": matrix(lambda x: _bcoo(x).sum_duplicates(nse=4).data),
    "bcoo_dot_general": matrix(lambda x, y: _bcoo(x) @ y, 2),
    "bcoo_dot_general_sampled": matrix(
        lambda x, y: sparse.bcoo_dot_general_sampled(
            x, y, _bcoo(x).indices, dimension_numbers=(((1,), (0,)), ((), ()))
        ),
        2,
    ),
    "bcoo_spdot_general": matrix(lambda x, y: (_bcoo(x) @ _bcoo(y)).todense(), 2),
    "bcsr_fromdense": matrix(lambda x: _bcsr(x).data),
    "bcsr_todense": matrix(lambda x: _bcsr(x).todense()),
    "bcsr_extract": matrix(lambda x: sparse.bcsr_extract(_bcsr(x).indices, _bcsr(x).indptr, x)),
    "bcsr_dot_general": matrix(lambda x, y: _bcsr(x) @ y, 2),
    "coo_fromdense": matrix(lambda x: _coo(x).data),
    "coo_todense": matrix(lambda x: _coo(x).todense()),
    "coo_matvec": matrix(lambda x: _coo(x) @ x[0]),
    "coo_matmat": matrix(lambda x: _coo(x) @ x),
    "csr_fromdense": matrix(lambda x: _csr(x).data),
    "csr_todense": matrix(lambda x: _csr(x).todense()),
    "csr_matvec": matrix(lambda x: _csr(x) @ x[0]),
    "csr_matmat": matrix(lambda x: _csr(x) @ x),
    "todense": matrix(lambda x: sparse.todense(_bcoo(x))),
    "spsolve": matrix(
        lambda x: _sparse.linalg.spsolve(_bcsr(x).data, _bcsr(x).indices, _bcsr(x).indptr, x[0])
    ),
}


def _on_mesh(body: Callable[..., Any], check_vma: bool = False) -> Probe:
    """`body` on the only shard of a mesh of one device."""
    fun = lambda *xs: _jax.shard_map(
        body, mesh=_mesh(), in_specs=_WHOLE, out_specs=_WHOLE, check_vma=check_vma
    )(*xs)
    return vector(fun)


def _varying(x: Any) -> Any:
    return lax.pcast(x, "i", to="varying")


def _reduced_gather(x: Any) -> Any:
    return lax.psum(lax.pcast(lax.all_gather(_varying(x), "i", to="reduced"), "i", to="varying"), "i")


_MESHES: dict[str, Probe] = {
    "shard_map": _on_mesh(lambda x: x + x),
    "psum": _on_mesh(lambda x: lax.psum(x, "i")),
    "pmax": _on_mesh(lambda x: lax.pmax(x, "i")),
    "pmin": _on_mesh(lambda x: lax.pmin(x, "i")),
    "ppermute": _on_mesh(lambda x: lax.ppermute(x, "i", [(0, 0)])),
    "pbroadcast": _on_mesh(lambda x: lax.pbroadcast(x, "i", 0)),
    "pbroadcast_dynamic": _on_mesh(lambda x: lax.pbroadcast(x, "i", jnp.int32(0))),
    "all_gather": _on_mesh(lambda x: lax.all_gather(x, "i")),
    "all_to_all": _on_mesh(lambda x: lax.all_to_all(x, "i", 0, 0, tiled=True)),
    "axis_index": _on_mesh(lambda x: lax.axis_index("i")),
    "reduce_scatter": _on_mesh(lambda x: lax.psum_scatter(x, "i", tiled=True)),
    "ragged_all_to_all": _on_mesh(
        lambda x: lax.ragged_all_to_all(
            x, x, *(jnp.array([n], np.int32) for n in (0, 2, 0, 2)), axis_name="i"
        )
    ),
    "pvary": _on_mesh(lambda x: lax.psum(_varying(x), "i"), True),
    "psum_invariant": _on_mesh(lambda x: lax.psum(_varying(x), "i"), True),
    "all_gather_invariant": _on_mesh(lambda x: lax.all_gather(_varying(x), "i", to="invarying"), True),
    "all_gather_reduced": _on_mesh(_reduced_gather, True),
    **dict.fromkeys(("reduced_vary_cast_p", "reduced_vary_cast"), _on_mesh(_reduced_gather, True)),
    "preduced": _on_mesh(
        lambda x: lax.psum(lax.pcast(lax.pcast(x, "i", to="reduced"), "i", to="varying"), "i"), True
    ),
    **dict.fromkeys(
        ("vary_unreduced_cast_p", "vary_unreduced_cast", "unreduced_psum"),
        _on_mesh(lambda x: lax.psum(lax.pcast(_varying(x), "i", to="unreduced"), "i"), True),
    ),
    "unreduced_reduce_scatter": _on_mesh(
        lambda x: lax.psum(
            lax.psum_scatter(lax.pcast(_varying(x), "i", to="unreduced"), "i", tiled=True), "i"
        ),
        True,
    ),
    "global_array_to_host_local_array": vector(
        lambda x: multihost_utils.global_array_to_host_local_array(x, _mesh(), _WHOLE)
    ),
    "host_local_array_to_global_array": vector(
        lambda x: multihost_utils.host_local_array_to_global_array(x, _mesh(), _WHOLE)
    ),
    "xla_metadata_call": vector(_groups.xla_metadata_call(lambda x: x + x, a="b")),
    "program_order": vector(
        lambda x: importlib.import_module("jax.experimental.overlap").program_order(
            lambda y: y + y, enforce=False
        )(x)
    ),
    "fused_call": vector(lambda x: _fused.fused(out_spaces=(_jax.memory.Space.Device,))(lambda y: y + y)(x)),
}

#: Everything here but KEYED.
REST: Mapping[str, Probe] = {**_CALLS, **_REFS, **_HIJAX, **_HOST, **_RANDOM, **_SPARSE, **_MESHES}
