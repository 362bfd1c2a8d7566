"""The script under construction: imports, helper functions, constants, arrays, definitions.

Emitters ask it for names (`primitive`, `dtype`, `const`, `define`) and it remembers what the text needs, so
that a script contains only the helpers and imports it uses.
"""

from __future__ import annotations

import importlib
import keyword
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.extend.core.primitives
import jaxlib.version
import numpy as np

from jace.jax_internals import is_key_dtype
from jace_repro.emitter.core import literals, meshes
from jace_repro.emitter.core.errors import EmitError

#: Helpers a script may need, by the name it calls them with.
HELPERS: dict[str, str] = {
    "J": '''\
def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)
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
    """A callback that answers what the recorded one did: each table is (keys of the arguments, results).

    An ordered callback answers in the order of calls, any other by its arguments.
    """
    known, turns = {}, {}
    for keys, results in tables:
        for index, key in enumerate(keys.tolist()):
            known.setdefault(key, []).append([result[index] for result in results])

    def callback(*args, **kwargs):
        digest = hashlib.sha256()
        for value in map(np.asarray, jax.tree.leaves((args, kwargs))):
            digest.update(f"{value.dtype}{value.shape}".encode() + (b"" if ordered else value.tobytes()))
        key = int.from_bytes(digest.digest()[:8], "little")
        if key not in known:
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

#: What the text of a helper itself needs.
_HELPER_NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "weak": ((), ("from jax import lax",)),
    "answers": ((), ("import hashlib",)),
    "dense": ((), ("import jax.custom_derivatives",)),
    "raw": ((), ("from jax._src import core, dtypes, source_info_util",)),
    "primitive": (
        (),
        ("from jax.extend.core import Primitive", "from jax.interpreters import ad, batching, mlir"),
    ),
}

_SIDECAR = '''\
SIDECAR_SHA256 = ""


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there
'''

SHORT_DTYPES = {
    "bool": "bool_",
    "bfloat16": "bf16",
    **{f"int{n}": f"i{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": f"u{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    **{f"complex{n}": f"c{n}" for n in (64, 128)},
}

_RESERVED = frozenset(
    [
        *keyword.kwlist,
        *keyword.softkwlist,
        "np",
        "jax",
        "lax",
        "jnp",
        "io",
        "S",
        "J",
        "P",
        "int",
        "set",
        "len",
        "jit",
        "raw",
    ]
)


def _parts(name: str) -> list[str]:
    """The names of the derivative rules of a function."""
    return [f"{name}_jvp", f"{name}_fwd", f"{name}_bwd"]


def _placed(word: str, places: Mapping[str, str]) -> str:
    """A word of a definition, with its reserved names and what is named after them by number."""
    for name, place in places.items():
        if word == name or word in _parts(name):
            return place + word[len(name) :]
    return word


_PRIMITIVE_PATHS: dict[int, tuple[Any, str | None, str]] = {}


def variable_names(taken: Iterable[str] = ()) -> Iterator[str]:
    """a, b, ..., z, aa, ab, ... without keywords and the names in use."""
    avoid = _RESERVED | set(taken)
    letters = "abcdefghijklmnopqrstuvwxyz"
    prefixes = [""]
    while True:
        names = [prefix + letter for prefix in prefixes for letter in letters]
        yield from (name for name in names if name not in avoid)
        prefixes = names


def identifier(name: str, fallback: str = "fun") -> str:
    """A readable Python identifier for a function's name, never one that a variable could have."""
    text = re.sub(r"\W+", "_", name).strip("_") or fallback
    if text == "lambda":
        text = "lambda_"
    if text[0].isdigit():
        text = f"{fallback}_{text}"
    return f"{text}_fn" if len(text) <= 3 or text in _RESERVED or text in HELPERS else text


def plain_identifier(name: str) -> str:
    """A Python identifier for a function's name: the name itself where it is one and nothing of ours."""
    own = name.isidentifier() and name not in _RESERVED and name not in HELPERS
    return name if own else identifier(name)


def find_primitive(primitive: Any) -> tuple[str | None, str] | None:
    """(import line, expression) for a primitive that JAX itself defines, None for anybody else's."""
    if not _PRIMITIVE_PATHS:
        public = (
            (jax.extend.core.primitives, "from jax.extend.core import primitives"),
            (jax.lax, "from jax import lax"),
        )
        for module, line in public:
            alias = line.rpartition(" ")[2]
            for name, value in vars(module).items():
                if name.endswith("_p") and isinstance(value, jax.extend.core.Primitive):
                    _PRIMITIVE_PATHS[id(value)] = (value, line, f"{alias}.{name}")
    found = _PRIMITIVE_PATHS.get(id(primitive))
    if found is None:
        found = _search_modules(primitive)
        if found is None:
            return None
        _PRIMITIVE_PATHS[id(primitive)] = found
    return found[1], found[2]


def _search_modules(primitive: Any) -> tuple[Any, str | None, str] | None:
    for module_name in sorted(name for name in sys.modules if name.startswith(("jax._src.", "jax."))):
        for name, value in list(vars(sys.modules[module_name]).items()):
            if value is primitive:
                return primitive, f"from {module_name} import {name}", name
    return None


class Script:
    """Collects the parts of one script; `text` puts them together.

    `x64` and `matmul_precision` are what the script's JAX configuration says of them.
    """

    def __init__(self, *, x64: bool, matmul_precision: str | None = None) -> None:
        self.x64 = x64
        self.matmul_precision = matmul_precision
        self.imports: set[str] = {"import jax", "import numpy as np"}
        self.helpers: set[str] = set()
        self.dtypes: dict[str, str] = {}
        self.const_lines: list[str] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.definitions: list[str] = []
        self.notes: list[str] = []
        self._consts: dict[int, tuple[Any, str]] = {}
        self._functions: dict[Any, str] = {}
        self._names: set[str] = {"inputs", "repro", "read_sidecar"}

    @classmethod
    def configured(cls, config: Mapping[str, Any]) -> Script:
        """A script under this JAX configuration (what differs from the defaults)."""
        return cls(
            x64=bool(config.get("jax_enable_x64", False)),
            matmul_precision=config.get("jax_default_matmul_precision"),
        )

    # -- names the text refers to

    def use(self, helper: str) -> str:
        """The name of a helper, which the script will contain."""
        if helper not in self.helpers:
            self.helpers.add(helper)
            needs, imports = _HELPER_NEEDS.get(helper, ((), ()))
            self.imports.update(imports)
            for name in needs:
                self.use(name)
        return helper

    def import_(self, line: str, name: str) -> str:
        """`name`, after an import line that the script will contain."""
        self.imports.add(line)
        return name

    def lax(self, name: str) -> str:
        return self.import_("from jax import lax", f"lax.{name}")

    def primitive(self, primitive: Any) -> str:
        """An expression for a primitive object. Raises EmitError for one that is not JAX's own."""
        found = find_primitive(primitive)
        if found is None:
            raise EmitError(f"primitive {primitive.name} is not part of JAX")
        line, name = found
        return self.import_(line, name) if line else name

    def attribute(self, value: Any, name: str | None = None) -> str:
        """An expression for a class or function that some jax module defines under its own name."""
        name = name or value.__qualname__
        for public in ("jax.lax", "jax", "jax.numpy", "jax.sharding", "jax.core", "jax.extend.core"):
            if getattr(importlib.import_module(public), name, None) is value:
                return self._public(public, name)
        owner = value.__module__ or ""  # a function that was made by exec may have none
        reachable = "." not in name and getattr(sys.modules.get(owner), name, None) is value
        if not reachable or owner.partition(".")[0] not in ("jax", "jaxlib"):
            raise EmitError(f"{owner}.{name} is not reachable from JAX")
        return self.import_(f"from {owner} import {name}", name)

    def _public(self, module: str, name: str) -> str:
        if module == "jax":
            return f"jax.{name}"
        alias = {"jax.lax": ("from jax import lax", "lax"), "jax.numpy": ("import jax.numpy as jnp", "jnp")}
        if module in alias:
            line, short = alias[module]
            return self.import_(line, f"{short}.{name}")
        return self.import_(f"from {module} import {name}", name)

    def dtype(self, dtype: Any) -> str:
        """The name of a np.dtype (or key dtype) constant of the script."""
        if is_key_dtype(dtype):
            return f"{self.use('key_dtype')}({literals.string(literals.key_impl(dtype))})"
        dtype = np.dtype(dtype)
        if dtype == jax.dtypes.float0:
            return "jax.dtypes.float0"
        short = SHORT_DTYPES.get(dtype.name, dtype.name)
        if literals.is_numpy_native(dtype):
            self.dtypes[short] = f'np.dtype("{dtype.name}")'
        else:
            self.imports.add("import jax.numpy as jnp")
            self.dtypes[short] = f"np.dtype(jnp.{dtype.name})"
        return short

    def aval(self, aval: Any) -> str:
        """S(shape, dtype): an operand's type. Raises EmitError for what is not an array."""
        if type(aval).__name__ != "ShapedArray":
            raise EmitError(f"a value of type {aval}")
        weak = ", weak_type=True" if aval.weak_type else ""
        self.helpers.add("S")
        return f"S({tuple(aval.shape)}, {self.dtype(aval.dtype)}{weak}{meshes.placement(self, aval)})"

    def default_dtype(self, dtype: Any) -> bool:
        """Whether a Python scalar has this dtype by itself, under the script's configuration."""
        width = 8 if self.x64 else 4
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return True
        return dtype.kind in "ifc" and dtype.itemsize == (2 * width if dtype.kind == "c" else width)

    # -- values

    def source_of(self, text: str) -> str:
        """`text`, after adding the import that it needs."""
        if "jnp." in text:
            self.imports.add("import jax.numpy as jnp")
        return text

    def literal(self, value: Any, aval: Any) -> str:
        """A scalar operand: a Python scalar where the type is weak, else a NumPy scalar."""
        plain = isinstance(value, bool | int | float | complex)
        if plain and self.default_dtype(aval.dtype):
            return literals.python_scalar(value)
        array = np.asarray(value)
        if aval.weak_type:
            return f"{self.use('weak')}({literals.python_scalar(array[()])}, {self.dtype(aval.dtype)})"
        return self.source_of(literals.numpy_scalar(array.astype(aval.dtype, copy=False)))

    def array(self, value: Any, name: str) -> str:
        """An array of any size; `name` is its name in the sidecar, should it go there."""
        if literals.is_key(value):
            data = self.array(np.asarray(jax.random.key_data(value)), name)
            return f"jax.random.wrap_key_data({data}, impl={literals.string(literals.key_impl(value.dtype))})"
        array = np.asarray(value)
        if array.size <= literals.SHORT or array.dtype == jax.dtypes.float0:
            text = literals.numpy_array(array) if array.ndim else literals.numpy_scalar(array)
            return self.source_of(text)
        filled = literals.constant_fill(array)
        if filled is not None:
            return self.source_of(filled)
        if literals.is_numpy_native(array.dtype):
            self.arrays[name] = array
            return f'ARRAYS["{name}"]'
        self.arrays[name] = literals.raw_view(array)
        return self.source_of(f'ARRAYS["{name}"].view({literals.scalar_type(array.dtype)})')

    def leaf(self, value: Any, aval: Any, name: str) -> str:
        """One input of the program, of exactly the type `aval`. Raises EmitError: it is on several devices."""
        return meshes.placed(self, self._leaf(value, aval, name), aval)

    def _leaf(self, value: Any, aval: Any, name: str) -> str:
        if literals.is_key(value):
            return self.array(value, name)
        array = np.asarray(value)
        if array.dtype != aval.dtype:
            array = array.astype(aval.dtype)
        if not getattr(aval, "weak_type", False):
            return self.array(array, name)
        if array.ndim == 0 and array.dtype.kind != "b" and self.default_dtype(aval.dtype):
            text = literals.element(array[()], array.dtype)
            if text is not None:
                return text
        return f"{self.use('weak')}({self.array(array, name)}, {self.dtype(aval.dtype)})"

    def const(self, value: Any) -> str:
        """The name of a module-level constant with this value; the same object is the same constant."""
        if id(value) not in self._consts:
            name = f"C{len(self._consts)}"
            text = self.array(value, f"c{len(self._consts)}")
            weak = getattr(value, "weak_type", False)
            if weak and value.ndim == 0 and value.dtype.kind != "b" and self.default_dtype(value.dtype):
                text = f"jnp.asarray({literals.python_scalar(np.asarray(value)[()])})"
                self.imports.add("import jax.numpy as jnp")
            elif isinstance(value, jax.Array) and not literals.is_key(value):
                text = f"jnp.asarray({text})"
                self.imports.add("import jax.numpy as jnp")
                if weak:
                    text = f"{self.use('weak')}({text}, {self.dtype(value.dtype)})"
            self._consts[id(value)] = (value, name)
            self.const_lines.append(f"{name} = {text}")
        return self._consts[id(value)][1]

    def constant(self, hint: str, text: str, *, once: bool = False) -> str:
        """The name of a module-level value that is neither an array nor a function; `once`: the same text is the
        same value."""
        key = ("constant", text)
        if once and key in self._functions:
            return self._functions[key]
        name = self._functions[key] = self.reserve(hint)
        self.const_lines.append(f"{name} = {text}")
        return name

    # -- definitions

    def assign(self, hint: str, text: str, avoid: Iterable[str]) -> str:
        """The name of a module-level variable with this value; `{name}` in `text` is its name.

        `avoid`: see `reserve`.
        """
        name = self.reserve(hint, avoid)
        self.definitions.append(f"{name} = {text.replace('{name}', name)}\n")
        return name

    def define(
        self,
        hint: str,
        head: str,
        parameters: str,
        body: list[str],
        tail: str = "",
        avoid: Iterable[str] | None = None,
        again: bool = False,
    ) -> str:
        """Add a function (decorators `head`, what follows it `tail`), or answer the one with the same text.

        `again`: add it in any case, for what is said of it later differs.

        `{name}` in `head` and `tail` is the function's name. It is never one that `variable_names` has, unless
        `avoid` says which names are taken where the function is called.
        """
        key = (hint, head, parameters, tuple(body), tail)
        if key in self._functions and not again:
            return self._functions[key]
        name = self._functions[key] = self.reserve(hint, avoid)
        lines = [head.replace("{name}", name)] if head else []
        lines += [f"def {name}({parameters}):", *("    " + line if line else "" for line in body)]
        if tail:
            lines += ["", "", tail.replace("{name}", name)]
        self.definitions.append("\n".join(lines) + "\n")
        return name

    def reserve(self, hint: str, avoid: Iterable[str] | None = None) -> str:
        """A name that nothing else of the script has; so are `_parts` of it.

        It is never one that `variable_names` has, unless `avoid` says which names are taken where it is used: then
        nothing is set aside for its parts.
        """
        base = name = identifier(hint) if avoid is None else plain_identifier(hint)
        count = 2

        def mine() -> list[str]:
            return [name, *_parts(name)] if avoid is None else [name]

        while not self._names.isdisjoint(mine()) or (avoid is not None and name in avoid):
            name = f"{base.rstrip('_')}_{count}"
            count += 1
        self._names.update(mine())
        return name

    def add(self, names: Iterable[str], lines: Sequence[str]) -> str:
        """Add the definition of a reserved name (the first of `names`, what else it defines follows), or answer the
        name of an equal one."""
        names = list(names)
        text = "\n".join(lines) + "\n"
        places = {name: f"{{{i}}}" for i, name in enumerate(names)}
        key = re.sub(r"[A-Za-z_]\w*", lambda word: _placed(word[0], places), text)
        if key in self._functions:
            self._names.difference_update(word for name in names for word in (name, *_parts(name)))
            return self._functions[key]
        self._functions[key] = names[0]
        self.definitions.append(text)
        return names[0]

    def snapshot(self) -> dict[str, Any]:
        """What has been collected so far, for `restore`."""
        return {k: v.copy() if isinstance(v, set | dict | list) else v for k, v in vars(self).items()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Forget what was collected since the snapshot."""
        vars(self).update(snapshot)

    def text(self, title: str, config: Mapping[str, Any], rest: str) -> str:
        """The script up to `rest`, which its imports serve too; without the jace-repro header."""
        if self.arrays:
            self.imports |= {"import hashlib", "import io", "import pathlib"}
        parts = [HELPERS[name] for name in HELPERS if name in self.helpers]
        if self.arrays:
            parts.append(_SIDECAR)
        if self.const_lines:
            parts.append("\n".join(self.const_lines) + "\n")
        parts += self.definitions
        text = "\n\n".join(parts)
        words = set(re.findall(r"\w+", "\n".join([text, rest, *self.dtypes.values()])))
        used = {line for line in self.imports if line.split()[-1].partition(".")[0] in words}
        return "\n\n".join([self._head(title, config, used | {"import jax"}), *parts])

    def _head(self, title: str, config: Mapping[str, Any], imports: set[str]) -> str:
        versions = (
            ("jax", jax.__version__),
            ("jaxlib", jaxlib.version.__version__),
            ("numpy", np.__version__),
        )
        wanted = ", ".join(f'"{name}=={version}"' for name, version in versions)
        lines = [
            "# /// script",
            '# requires-python = ">=3.11"',
            f"# dependencies = [{wanted}]",
            "# ///",
            title,
            "",
        ]
        standard = sorted(
            line for line in imports if line.split()[1].split(".")[0] in sys.stdlib_module_names
        )
        others = imports.difference(standard)
        lines += [*standard, "", "import jax"] if standard else ["import jax"]
        lines += [""] if config else []
        for name, value in sorted(config.items()):
            text = literals.string(value) if isinstance(value, str) else repr(value)
            lines.append(f"jax.config.update({literals.string(name)}, {text})")
        rest = sorted(others - {"import jax"}, key=lambda line: (line.startswith("from"), line))
        lines += ["", *rest] if config else rest
        short = [f"{name} = {text}" for name, text in sorted(self.dtypes.items())]
        if "S" in self.helpers:
            short.insert(0, "S = jax.ShapeDtypeStruct")
        if short:
            lines += ["", *short]
        return re.sub(r"\n\n\n+", "\n\n", "\n".join(lines)) + "\n"
