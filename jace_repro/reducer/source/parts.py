"""A script taken apart: what is the program's own, which passes edit, and what is put around it again.

The program's own are its constants, functions and classes and `repro`; a statement is one line there, with the place in
the user's program behind it. Imports, what a script defines before the program, the inputs and what runs it are written
anew around what is left: a script has nothing that its program does not use.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax

from jace_repro.emitter.core import assembly, operands, prelude
from jace_repro.emitter.core.joining import joined
from jace_repro.emitter.core.script import Script
from jace_repro.reducer.source.code import Code, free_name, names_in
from jace_repro.repro import Repro

#: What every script has around its program.
_AROUND = frozenset(
    {
        *prelude.FUNCTIONS,
        "S",
        "inputs",
        "read_sidecar",
        "read_large",
        "read_arrays",
        "ARRAYS",
        "SIDECAR_SHA256",
        "LARGE",
        "FINDING",
    }
)


#: What stands between two definitions.
_APART = "\n\n\n"


@dataclass(frozen=True)
class Parts:
    """A script, taken apart.

    Attributes:
        text: the program's own: definitions, and `repro` as the last of them.
        repro: the script that this was taken from, whose header and arrays it has.
        imports: its import lines.
        dtypes: the source of its constants that are dtypes, by name.
        prelude: what it defines before the program.
    """

    text: str
    repro: Repro
    imports: frozenset[str]
    dtypes: Mapping[str, str]
    prelude: frozenset[str]

    def script(self, args: Sequence[Any]) -> Repro:
        """The script of this program on these inputs, of which it holds those that `repro` takes, in its order.

        JAX is configured as the script says. Raises EmitError where an input has no source.
        """
        header = self.repro.header
        script = Script.configured(header.jax_config)
        code = Code(self.text)
        program = code.tree.body[-1]
        assert isinstance(program, ast.FunctionDef)
        words = names_in(code.tree)
        script.imports |= self.imports
        script.dtypes = {name: text for name, text in self.dtypes.items() if name in words}
        script.prelude |= words & self.prelude
        for name in script.prelude:
            script.imports.update(prelude.IMPORTS.get(name, ()))
        script.arrays = {name: a for name, a in self.repro.arrays.items() if f'"{name}"' in self.text}
        *definitions, _ = self.text.rstrip("\n").split(_APART)
        script.definitions = [f"{text}\n" for text in definitions]
        names = [a.arg for a in program.args.args]
        types = [jax.typeof(value) for value in args]
        leaves = [
            (
                operands.leaf(script, value, aval, free_name(f"x{i}", set(script.arrays))),
                f"{name}: {aval.str_short(short_dtypes=True)}",
            )
            for i, (name, value, aval) in enumerate(zip(names, args, types, strict=True))
        ]
        first, end = code.rows(program)
        lines = [line[4:] for line in code.lines[first + 1 : end]]  # its head is one line
        written = replace(header, fingerprint=None, outputs_sha256=None, donated=(), notes=())
        return assembly.assemble(script, written, leaves, names, lines)


def taken_apart(repro: Repro) -> Parts:
    """The parts of a script."""
    code = Code(repro.source)
    text = ""
    imports: set[str] = set()
    dtypes: dict[str, str] = {}
    before: set[str] = set()
    last = -1  # the line after the last statement of the program's own
    for node in code.tree.body:
        match node:
            case ast.Import() | ast.ImportFrom():
                imports.add(code.of(node))
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]) if name in _AROUND:
                before.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if code.of(value).startswith(
                "np.dtype("
            ):
                dtypes[name] = code.of(value)
            case ast.If() | ast.Expr(value=ast.Constant()):  # what runs it; the docstring
                pass
            case ast.Expr(value=value) if code.of(value).startswith("jax.config.update("):
                pass
            case _:
                first, end = code.rows(node)
                gap = "" if not text else "\n" * (first - last) if last >= 0 and first - last < 2 else "\n\n"
                text += f"{gap}{joined(f'{code.statement(node)}{chr(10)}')}"
                last = end
                continue
        last = -1
    return Parts(text, repro, frozenset(imports), dtypes, frozenset(before))
