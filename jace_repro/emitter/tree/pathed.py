"""A function of which nothing but its jaxpr is known, on containers: those that JAX's names of its arguments tell.

A jaxpr has a name for each argument and each result (c['h'], result[0][1]); how they lie in tuples and dicts can be
read from them. Containers of other classes cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from jace_repro.emitter.core import literals, syntax
from jace_repro.emitter.flat.writer import JaxprWriter, Names

#: A leaf, or what lies under each index of a tuple or key of a dict.
Tree: TypeAlias = "str | dict[int | str, Tree]"

_PATH = re.compile(r"(?P<base>\w*)(?P<steps>(?:\[\d+\]|\['[^'\\]*'\])*)")
_STEP = re.compile(r"\[(?:(\d+)|'([^']*)')\]")


def on_containers(flat: JaxprWriter, jaxpr: Any, hint: str) -> str | None:
    """The name of a function with this closed jaxpr, whose arguments and results lie in containers.

    None where none does, or where the names do not tell.
    """
    debug = jaxpr.jaxpr.debug_info
    arguments = _paths(debug.arg_names, len(jaxpr.jaxpr.invars))
    results = _paths(debug.result_paths, len(jaxpr.jaxpr.outvars))
    if arguments is None or results is None or not any(steps for _, steps in (*arguments, *results)):
        return None

    def ending(_: Names, outs: list[str]) -> list[str]:
        tree = _tree(zip((steps for _, steps in results), outs, strict=True))
        return [f"return {_text(tree)}"]

    lines, names = flat.body(jaxpr.jaxpr, jaxpr.consts, ending)
    own = [names[v] for v in jaxpr.jaxpr.invars]
    bases = list(dict.fromkeys(base for base, _ in arguments))
    whole = {base: name for (base, steps), name in zip(arguments, own, strict=True) if not steps}
    parameters = {base: whole.get(base, f"arg{number}") for number, base in enumerate(bases)}
    parts = [
        (name, parameters[base] + "".join(f"[{_key(step)}]" for step in steps))
        for (base, steps), name in zip(arguments, own, strict=True)
        if steps
    ]
    taken = [f"{syntax.targets([name for name, _ in parts])} = {', '.join(part for _, part in parts)}"]
    if len(parts) == 1:
        taken = [f"{parts[0][0]} = {parts[0][1]}"]
    return flat.script.define(hint, "", ", ".join(parameters.values()), [*(taken if parts else []), *lines])


def _paths(names: Iterable[str] | None, count: int) -> list[tuple[str, tuple[int | str, ...]]] | None:
    """The base and the steps of each name; None where one is of another form."""
    found = [_PATH.fullmatch(name) for name in names or ()]
    if len(found) != count or not all(found):
        return None
    return [
        (match["base"], tuple(int(i) if i else key for i, key in _STEP.findall(match["steps"])))
        for match in found
        if match is not None
    ]


def _tree(leaves: Iterable[tuple[tuple[int | str, ...], str]]) -> Tree:
    """The containers of leaves by their paths."""
    root: dict[int | str, Tree] = {}
    for path, leaf in leaves:
        if not path:
            return leaf
        inner: Any = root
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = leaf
    return root


def _text(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    if all(isinstance(key, int) for key in tree):
        return syntax.tuple_of(_text(tree[key]) for key in sorted(tree))
    return _dict({str(key): _text(value) for key, value in tree.items()})


def _dict(items: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{literals.string(key)}: {text}' for key, text in items.items())}}}"


def _key(step: int | str) -> str:
    return str(step) if isinstance(step, int) else literals.string(step)
