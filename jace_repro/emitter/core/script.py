"""The script under construction: imports, prelude, constants, arrays, definitions.

Emitters ask it for names (`primitive`, `dtype`, `constant`, `define`) and it remembers what the text needs, so
that a script contains only the functions and imports it uses. :mod:`jace_repro.emitter.core.assembly` puts the parts
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jace.ir import is_key_dtype
from jace_repro.emitter.core import jax_names, literals, prelude, syntax
from jace_repro.emitter.core.names import SHORT_DTYPES, identifier, plain_identifier, rule_names


class Script:
    """The parts of one script.

    Attributes:
        x64: whether the script's JAX configuration has 64-bit types.
        matmul_precision: the default precision of matrix products that it sets, if any.
        imports: import lines, of which the text has those that it uses.
        prelude: names of the functions of :mod:`jace_repro.emitter.core.prelude` that it calls.
        dtypes: source of the dtype constants, by name.
        const_lines: assignments of module-level constants.
        arrays: those in the sidecar, by name.
        definitions: source of the functions and classes, in order.
        consts: module-level arrays: (array, name) by the array's identity.
        parameters: names of parameters, which no function has, by what they are called where that is free.
        notes: what its header is going to say of it.
    """

    def __init__(self, *, x64: bool, matmul_precision: str | None = None) -> None:
        self.x64 = x64
        self.matmul_precision = matmul_precision
        self.imports: set[str] = {"import jax", "import numpy as np"}
        self.prelude: set[str] = set()
        self.dtypes: dict[str, str] = {}
        self.const_lines: list[str] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.definitions: list[str] = []
        self.consts: dict[int, tuple[Any, str]] = {}
        self.parameters: dict[str, str] = {}
        self.notes: list[str] = []
        self._written: dict[Any, str] = {}
        self._names: set[str] = {"inputs", "repro", "read_sidecar", "read_large", "read_arrays"}

    @classmethod
    def configured(cls, config: Mapping[str, Any]) -> Script:
        """A script under this JAX configuration (what differs from the defaults)."""
        return cls(
            x64=bool(config.get("jax_enable_x64", False)),
            matmul_precision=config.get("jax_default_matmul_precision"),
        )

    # -- names the text refers to

    def use(self, name: str) -> str:
        """The name of a function of the prelude, which the script will contain."""
        self.prelude.add(name)
        self.imports.update(prelude.IMPORTS.get(name, ()))
        return name

    def import_(self, line: str, name: str) -> str:
        """`name`, after an import line that the script will contain."""
        self.imports.add(line)
        return name

    def lax(self, name: str) -> str:
        """An expression for a function of jax.lax."""
        return self.import_("from jax import lax", f"lax.{name}")

    def public(self, name: str) -> str:
        """An expression for a public function, by its importable name."""
        return self._named(jax_names.function_name(name))

    def primitive(self, primitive: Any) -> str:
        """An expression for a primitive object. Raises EmitError for one that is not JAX's own."""
        return self._named(jax_names.primitive_name(primitive))

    def attribute(self, value: Any) -> str:
        """An expression for a class or function of JAX. Raises EmitError where no module has it under its name."""
        return self._named(jax_names.attribute_name(value))

    def _named(self, found: jax_names.Name) -> str:
        line, name = found
        return name if line is None else self.import_(line, name)

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

    def with_imports(self, text: str) -> str:
        """`text`, an expression of `np`, `jnp` and `jax`, after adding the imports that it needs."""
        if "jnp." in text:
            self.imports.add("import jax.numpy as jnp")
        return text

    # -- definitions

    def constant(self, hint: str, text: str, *, once: bool = False) -> str:
        """The name of a module-level value that is neither an array nor a function.

        `once`: the same text is the same value.
        """
        key = ("constant", text)
        if once and key in self._written:
            return self._written[key]
        name = self._written[key] = self.reserve(hint)
        self.const_lines.append(f"{name} = {text}")
        return name

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
        body: Sequence[str],
        avoid: Iterable[str] | None = None,
        again: bool = False,
    ) -> str:
        """The name of a function with decorators `head`: the one with the same text, where there is one already.

        `again`: another one in any case, for what is said of it later differs.

        It is never a name that `variable_names` has, unless `avoid` says which names are taken where the function is
        called.
        """
        key = (hint, head, parameters, tuple(body))
        if key in self._written and not again:
            return self._written[key]
        name = self._written[key] = self.reserve(hint, avoid)
        self.definitions.append("\n".join(syntax.function(name, parameters, body, head)) + "\n")
        return name

    def reserve(self, hint: str, avoid: Iterable[str] | None = None) -> str:
        """A name that nothing else of the script has; nor has anything those of its derivative rules.

        It is never one that `variable_names` has, unless `avoid` says which names are taken where it is used: then
        nothing is set aside for its rules.
        """
        base = name = identifier(hint) if avoid is None else plain_identifier(hint)
        count = 2

        def mine() -> list[str]:
            return [name, *rule_names(name)] if avoid is None else [name]

        while not self._names.isdisjoint(mine()) or (avoid is not None and name in avoid):
            name = f"{base.rstrip('_')}_{count}"
            count += 1
        self._names.update(mine())
        return name

    def parameter(self, name: str) -> str:
        """`name` for a parameter, or another where a function has it: no function that is defined later will."""
        if name not in self.parameters:
            self.parameters[name] = self.reserve(name)
        return self.parameters[name]

    def add(self, names: Iterable[str], lines: Sequence[str]) -> str:
        """Add the definition of a reserved name (the first of `names`; those of what else it defines follow).

        Returns:
            The name, or that of an equal definition that there is already.
        """
        names = list(names)
        text = "\n".join(lines) + "\n"
        places = {name: f"{{{i}}}" for i, name in enumerate(names)}
        key = re.sub(r"[A-Za-z_]\w*", lambda word: _placed(word[0], places), text)
        if key in self._written:
            self._names.difference_update(word for name in names for word in (name, *rule_names(name)))
            return self._written[key]
        self._written[key] = names[0]
        self.definitions.append(text)
        return names[0]

    # -- going back

    def snapshot(self) -> dict[str, Any]:
        """What has been collected so far, for `restore`."""
        return {k: v.copy() if isinstance(v, set | dict | list) else v for k, v in vars(self).items()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Forget what was collected since the snapshot."""
        vars(self).update(snapshot)


def _placed(word: str, places: Mapping[str, str]) -> str:
    """A word of a definition, with its reserved names and what is named after them by number."""
    for name, place in places.items():
        if word == name or word in rule_names(name):
            return place + word[len(name) :]
    return word
