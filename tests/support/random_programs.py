"""Programs of nested functions, closures and transforms, made at random from few names.

Every value is a float32[4]; a program is the text of ``def program(x, y)``. Few names make many collisions: a name
is a value here, a function there, and both are captured by a function in between.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

VALUES = ("x", "y", "z", "out", "f", "scale")
FUNCTIONS = ("f", "g", "body", "x", "loss", "out")
PARAMETERS = ("x", "v", "c", "f", "y")

#: How a function of {n} arguments is used, by n: {f} it, {a} and {b} values, {s} two values on top of one another.
USES = {
    1: (
        "{f}({a})",
        "jax.vmap({f})({s})[1]",
        "jax.grad(lambda v: {f}(v).sum())({a})",
        "jax.jvp({f}, ({a},), ({b},))[1]",
        "jax.vjp({f}, {a})[1]({b})[0]",
        "jax.linearize({f}, {a})[1]({b})",
        "jax.jit({f})({a})",
        "jax.checkpoint({f})({a})",
        "lax.map({f}, {s})[0]",
        "lax.cond({a}[0] > 0, {f}, jnp.sin, {b})",
        "lax.switch(1, [jnp.cos, {f}, lambda v: v * {b}], {a})",
        "lax.fori_loop(0, 2, lambda i, v: {f}(v) * 0.5 + i, {a})",
        "lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, {f}(c[1])), (0, {a}))[1]",
        "jax.grad(lambda v: jax.checkpoint({f})(v * {b}).sum())({a})",
        "jax.jit(jax.grad(lambda u: jnp.sum({f}(u) * {b})))({a})",
        "jax.jacfwd({f})({a})[0]",
        "jax.vmap(jax.grad(lambda v: {f}(v)[0]))({s})[0]",
    ),
    2: (
        "{f}({a}, {b})",
        "{f}({b}, {p}={a})",
        "jax.vmap({f}, in_axes=(0, None))({s}, {a})[0]",
        "jax.grad(lambda u, w: {f}(u, w).sum(), argnums=1)({a}, {b})",
        "sum(jax.grad(lambda u, w: {f}(u, w).sum(), argnums=(0, 1))({a}, {b}))",
        "lax.scan(lambda c, s: ({f}(c, s), c), {a}, {s})[0]",
        "lax.scan(lambda c, s: (c, {f}(s, {b})), {a}, {s})[1][0]",
        "jax.value_and_grad(lambda u: {f}(u, {b}).sum())({a})[1]",
        "jax.jit({f})({a}, {p}={b})",
        "jax.vjp({f}, {a}, {b})[1]({a})[1]",
        "lax.cond({b}[1] > {a}[2], {f}, jnp.multiply, {a}, {b})",
        "lax.associative_scan(lambda a, b: a + b, {s})[1] + {f}({a}, {a})",
    ),
}
DECORATORS = ("", "", "", "", "@jax.jit\n", "@jax.checkpoint\n", "@jax.custom_jvp\n")
TERMS = (
    "{a} + {b}",
    "{a} - {b} * 0.5",
    "jnp.sin({a})",
    "jnp.tanh({a} * {b})",
    "jnp.maximum({a}, -{b})",
    "({a} - ({b} - {a})) / 2",
    "{a}[::-1]",
    "{a}.at[1].set({b}[0])",
    "jnp.where({a} > {b}, {a}, 0.1)",
    "-({a} ** 2) * {b}",
)


@dataclass
class _Scope:
    """Values and functions that may be used: names of values, and (name, number of arguments, last parameter)."""

    values: list[str]
    functions: list[tuple[str, int, str]] = field(default_factory=list)


def random_program(seed: int) -> str:
    """The text of a program; the same for the same seed."""
    chooser = random.Random(seed)
    lines = _function(chooser, "program", ["x", "y"], _Scope([]), depth=0)
    return "\n".join(lines) + "\n"


def _function(
    chooser: random.Random, name: str, parameters: list[str], outer: _Scope, depth: int
) -> list[str]:
    mine = set(chooser.sample(sorted({*VALUES, *FUNCTIONS}), 5)) | set(parameters)
    scope = _Scope(
        [*parameters, *(v for v in outer.values if v not in mine)],
        [f for f in outer.functions if f[0] not in mine],
    )
    lines = []
    for _ in range(chooser.randint(1, 4 if depth else 6)):
        if depth < 3 and chooser.random() < 0.5 and (free := sorted(mine & set(FUNCTIONS) - set(parameters))):
            lines += _definition(chooser, chooser.choice(free), scope, depth)
        elif names := sorted(mine & set(VALUES)):
            target = chooser.choice(names)
            lines.append(f"{target} = {_expression(chooser, scope)}")
            scope.functions = [f for f in scope.functions if f[0] != target]
            scope.values = [*(v for v in scope.values if v != target), target]
    lines.append(f"return {_expression(chooser, scope)}")
    return [f"def {name}({', '.join(parameters)}):", *(f"    {line}" for line in lines)]


def _definition(chooser: random.Random, name: str, scope: _Scope, depth: int) -> list[str]:
    if scope.values == [name]:
        return []
    scope.values = [v for v in scope.values if v != name]
    scope.functions = [f for f in scope.functions if f[0] != name]
    parameters = chooser.sample(PARAMETERS, chooser.randint(1, 2))
    decorator = chooser.choice(DECORATORS)
    lines = [*decorator.splitlines(), *_function(chooser, name, parameters, scope, depth + 1)]
    if "custom_jvp" in decorator:
        rule = ", ".join(f"p[{i}]" for i in range(len(parameters)))
        lines.append(
            f"{name}.defjvp(lambda p, t: ({name}({rule}), t[0] * {chooser.choice(scope.values)} + t[-1]))"
        )
    scope.functions.append((name, len(parameters), parameters[-1]))
    return lines


def _expression(chooser: random.Random, scope: _Scope) -> str:
    a, b = chooser.choice(scope.values), chooser.choice(scope.values)
    stack = f"jnp.stack([{a}, {b}])"
    if scope.functions and chooser.random() < 0.7:
        name, count, last = chooser.choice(scope.functions)
        return chooser.choice(USES[count]).format(f=name, a=a, b=b, s=stack, p=last)
    return chooser.choice(TERMS).format(a=a, b=b)
