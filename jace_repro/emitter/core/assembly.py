"""A script put together: its head, the prelude, constants and functions, `inputs`, `repro` and what runs them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import jax
import jaxlib.version
import numpy as np

from jace_repro.emitter.core import layout, literals, prelude, syntax
from jace_repro.emitter.core.script import Script
from jace_repro.repro import Header, Repro, large

_VERSIONS = {"jax": jax.__version__, "jaxlib": jaxlib.version.__version__, "numpy": np.__version__}


def assemble(
    script: Script,
    header: Header,
    inputs: Sequence[tuple[str, str]],
    parameters: Sequence[str],
    body: Sequence[str],
) -> Repro:
    """The repro with this script.

    Args:
        script: what its functions need.
        header: what is known of the program; the notes of the script are added to it.
        inputs: the values of `inputs()`, each with what a comment says of it.
        parameters: those of `repro()`, one for each input.
        body: the lines of `repro()`.
    """
    donated = f", donate_argnums={tuple(header.donated)}" if header.donated else ""
    items = [line for leaf, said in inputs for line in layout.listed(leaf, f"  # {said}", 8)]
    values = ["return [", *syntax.indented(items), "]"] if inputs else ["return []"]
    functions = [
        syntax.function("inputs", "", values),
        syntax.function("repro", ", ".join(parameters), body),
        [
            'if __name__ == "__main__":',
            f"    for output in jax.tree.leaves(jax.jit(repro{donated})(*inputs())):",
            "        print(output)",
        ],
    ]
    rest = "\n\n".join("\n".join(part) + "\n" for part in functions)
    source = layout.fitted(_text(script, header, rest))
    notes = (*header.notes, *dict.fromkeys(script.notes))
    return Repro(source=source, arrays=script.arrays, header=replace(header, notes=notes, self_check=None))


def _text(script: Script, header: Header, rest: str) -> str:
    """The script, of which `rest` are the last functions."""
    if script.arrays:
        script.imports |= {"import hashlib", "import io", "import pathlib"}
    parts = [text for name, text in prelude.FUNCTIONS.items() if name in script.prelude]
    if script.arrays:
        big = any(large.is_large(array) for array in script.arrays.values())
        parts.append(prelude.READ_ARRAYS if big else prelude.READ_SIDECAR)
    if script.const_lines:
        parts.append("\n".join(script.const_lines) + "\n")
    parts += script.definitions
    words = set(re.findall(r"\w+", "\n".join([*parts, rest, *script.dtypes.values()])))
    used = {line for line in script.imports if line.split()[-1].partition(".")[0] in words}
    return "\n\n".join([_head(script, header, used - {"import jax"}), *parts, rest])


def _head(script: Script, header: Header, imports: set[str]) -> str:
    """What stands above the first definition; `imports` are those beside jax itself."""
    standard = {line for line in imports if line.split()[1].split(".")[0] in sys.stdlib_module_names}
    others = sorted(imports - standard, key=lambda line: (line.startswith("from"), line))
    wanted = ", ".join(f'"{name}=={version}"' for name, version in _VERSIONS.items())
    lines = [
        "# /// script",
        '# requires-python = ">=3.11"',
        f"# dependencies = [{wanted}]",
        "# ///",
        _title(header),
        "",
        *sorted(standard),
        "",
        "import jax",
        *_configuration(header.jax_config),
        *others,
    ]
    dtypes = [f"{name} = {text}" for name, text in sorted(script.dtypes.items())]
    if "S" in script.prelude:
        dtypes.insert(0, "S = jax.ShapeDtypeStruct")
    if dtypes:
        lines += ["", *dtypes]
    return re.sub(r"\n\n\n+", "\n\n", "\n".join(lines)) + "\n"


def _configuration(config: Mapping[str, Any]) -> list[str]:
    if not config:
        return []
    lines = []
    for name, value in sorted(config.items()):
        text = literals.string(value) if isinstance(value, str) else repr(value)
        lines.append(f"jax.config.update({literals.string(name)}, {text})")
    return ["", *lines, ""]


def _title(header: Header) -> str:
    """The script's docstring."""
    where = PurePath(header.origin.partition(" (")[0]).name
    text = f"{header.name}{f' ({where})' if where else ''}: written by jace-repro, needs only jax and numpy."
    text = text.replace("\\", "/").replace('"""', "'''")
    return f'"""{text}"""'
