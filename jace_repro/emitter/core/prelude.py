"""What a script defines before the program: functions that its text calls, and the arrays beside it.

A script contains those that it uses.
"""

from __future__ import annotations

#: The source of each function, by its name in a script.
FUNCTIONS: dict[str, str] = {
    "J": '''\
def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)
''',
    "groups": '''\
def groups(*counts):
    """How the operands or results of a scan are grouped, from jax 0.11 on: constants, carries, what is stacked."""
    return flattree.pack(tuple(flattree.nones(count) for count in counts))
''',
    "jit": '''\
def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate
''',
    "weak": '''\
def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)
''',
    "no_rule": """\
def no_rule(*args):
    raise NotImplementedError("this script lacks the derivative rule; see the notes in its header")
""",
    "dense": '''\
def dense(value):
    """A tangent or cotangent as an array, should it be a symbolic zero."""
    if isinstance(value, jax.custom_derivatives.SymbolicZero):
        return np.zeros(value.shape, value.dtype)
    return value
''',
    "raw": '''\
def raw(primitive, *args, **params):
    """Stage an equation exactly as given, where bind would simplify it away or rewrite it."""
    trace, source = core.trace_ctx.trace, source_info_util.current()
    known = [x if isinstance(x, core.Tracer) else dtypes.canonicalize_value(x) for x in args]
    operands = [trace.to_jaxpr_tracer(x, source) for x in known]
    if "call_jaxpr" in params:
        body = params["call_jaxpr"]
        avals, effects = [v.aval for v in body.outvars], body.effects
    else:
        avals, effects = primitive.abstract_eval(*[x.aval for x in operands], **params)
    results = trace.emit_eqn(
        operands, avals if primitive.multiple_results else [avals], primitive, params, effects
    )
    return results if primitive.multiple_results else results[0]
''',
    "primitive": '''\
def primitive(fun, *, several=False):
    """A primitive of a library of the program's: what it computes, and in `rules` how it is transformed."""
    made, rules = Primitive(fun.__name__), {}
    made.multiple_results, made.rules, made.is_its_lowering = several, rules, True

    def impl(*args):
        return jax.tree.leaves(fun(*args)) if several else fun(*args)

    def results(*avals):
        types = [jax.ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type) for a in avals]
        found = jax.make_jaxpr(fun)(*types).out_avals
        return found if several else found[0]

    def jvp(primals, tangents):
        return rules["jvp", *(type(t) is ad.Zero for t in tangents)](primals, tangents)

    def transpose(cotangents, *args):
        given = cotangents if several else [cotangents]
        zeros = tuple(type(c) is ad.Zero for c in given)
        return rules["transpose", zeros, *map(ad.is_undefined_primal, args)](cotangents, *args)

    def batch(axis, args, dims):
        if all(d is None for d in dims):  # a loop asks for this while it finds out what is batched
            results = made.bind(*args)
            return results, [None] * len(results) if several else None
        return rules["batch", *dims](axis, args, dims)

    made.def_impl(impl)
    made.def_abstract_eval(results)
    mlir.register_lowering(made, mlir.lower_fun(impl, several))
    ad.primitive_jvps[made], ad.primitive_transposes[made] = jvp, transpose
    batching.fancy_primitive_batchers[made] = batch
    return made
''',
    "key_dtype": """\
def key_dtype(impl):
    return jax.eval_shape(lambda: jax.random.key(0, impl=impl)).dtype
""",
    "nothing": '''\
def nothing(*args, **kwargs):
    """Stands for a callback that only looks at values."""
''',
    "answers": '''\
def answers(what, ordered, *tables):
    """A callback that answers what the recorded one did: each table is (keys of the arguments, results, arguments).

    An ordered callback answers in the order of calls, any other by its arguments: of numbers that have the first half
    of their digits in common with those of recorded calls, what the nearest of these was answered.
    """
    known, turns = {}, {}
    for keys, results, _ in tables:
        for index, key in enumerate(keys.tolist()):
            known.setdefault(key, []).append([result[index] for result in results])

    def apart(recorded, value):
        recorded = recorded.reshape(len(recorded), -1)
        same = (recorded == value.ravel()) | ((recorded != recorded) & (value != value).ravel())
        if not jnp.issubdtype(value.dtype, jnp.inexact):
            return np.where(same.all(1), 0.0, np.inf)
        wide = value.ravel().astype(complex)
        largest = np.max(np.abs(wide), where=np.isfinite(wide), initial=0.0)
        within = float(jnp.finfo(value.dtype).eps) ** 0.5 * largest
        far = np.where(same, 0.0, np.abs(recorded.astype(complex) - wide) / within)
        return np.max(np.where(np.isnan(far), np.inf, far), axis=1, initial=0.0)

    def nearest(values):
        found = [(1.0, None)]
        for keys, _, arguments in tables:
            typed = [(a.dtype, a.shape[1:]) for a in arguments]
            if arguments and typed == [(v.dtype, v.shape) for v in values]:
                with np.errstate(all="ignore"):
                    far = np.max([apart(*pair) for pair in zip(arguments, values)], axis=0)
                found += zip(far.tolist(), keys.tolist())
        return min(found, key=lambda pair: pair[0])[1]

    def callback(*args, **kwargs):
        values = [np.asarray(leaf) for leaf in jax.tree.leaves((args, kwargs))]
        digest = hashlib.sha256()
        for value in values:
            digest.update(f"{value.dtype}{value.shape}".encode() + (b"" if ordered else value.tobytes()))
        key = int.from_bytes(digest.digest()[:8], "little")
        if key not in known:
            key = None if ordered else nearest(values)
        if key is None:
            raise LookupError(f"{what}: it was not called with these arguments when it was recorded: {args}")
        turns[key] = turns.get(key, -1) + 1
        return known[key][turns[key] % len(known[key])]

    callback.recorded = what, ordered, tables
    return callback
''',
    "unknown": '''\
def unknown(what):
    """Stands for something that cannot be written down: a Python callback of the recorded program."""

    def callback(*args, **kwargs):
        raise NotImplementedError(f"{what} of the recorded program is not in this script")

    return callback
''',
}

#: The imports that the source of a function needs.
IMPORTS: dict[str, tuple[str, ...]] = {
    "groups": ("from jax._src import flattree",),
    "weak": ("from jax import lax",),
    "answers": ("import hashlib", "import jax.numpy as jnp"),
    "dense": ("import jax.custom_derivatives",),
    "raw": ("from jax._src import core, dtypes, source_info_util",),
    "primitive": ("from jax.extend.core import Primitive", "from jax.interpreters import ad, batching, mlir"),
}

_READ_SIDECAR = '''\
SIDECAR_SHA256 = ""
{table}

def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{{path}} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))

{more}
ARRAYS = globals().get("ARRAYS") or {read}()  # whoever executes this text may put them there
'''

_READ_LARGE = '''
def read_large(sha256):
    """A large array, mapped from the file beside this script that is named after its content."""
    path = pathlib.Path(__file__).with_name(f"array-{sha256[:16]}.npy")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return np.asarray(np.load(path, mmap_mode="r"))


def read_arrays():
    """All arrays of this script."""
    small = read_sidecar() if SIDECAR_SHA256 else {}
    return small | {name: read_large(sha256) for name, sha256 in LARGE.items()}

'''

#: The source of what reads the arrays beside a script.
READ_SIDECAR = _READ_SIDECAR.format(table="", more="", read="read_sidecar")
#: The same for a script with large arrays, which lie in files of their own.
READ_ARRAYS = _READ_SIDECAR.format(table="LARGE = {}\n", more=_READ_LARGE, read="read_arrays")
