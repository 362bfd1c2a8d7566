"""Families of programs that are nearly the same, and whether one cache keeps them apart.

`relatives(closed)` makes them mechanically: one literal, constant, parameter, operand or result changed. `members(...)`
adds what is around a program: a dtype, a weak type, 64-bit mode, a pipeline, an option, a rule, another compiler or
release.

    python tests/support/relatives.py FILE     builds the families with the cache of this process's environment, says
                                               what is wrong; FILE has what `alone` found, for another process
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, jaxpr_as_fun

import jace
from jace.build import flags, load
from jace.errors import JaceError
from jace.jax_internals import DropVar
from jace.stages import compile_jaxpr
from jace.translate import unit
from jace_repro.tester.execute.traced import from_jaxpr
from jace_repro.tester.numerics import native

# --- one thing changed in a jaxpr -----------------------------------------------------------------------------


def relatives(closed: ClosedJaxpr) -> Iterator[tuple[str, ClosedJaxpr]]:
    """Programs of as many inputs that differ from this one in a literal, constant, parameter, operand or result."""
    for what, changed in _changed(closed):
        try:
            traced = jax.make_jaxpr(jaxpr_as_fun(changed))(*changed.in_avals)
            with jax.enable_checks(True):
                jax.make_jaxpr(jaxpr_as_fun(traced))(*traced.in_avals)
        except Exception:  # no program: an axis that is not there, shapes that do not fit
            continue
        yield what, traced


def _changed(closed: ClosedJaxpr) -> Iterator[tuple[str, ClosedJaxpr]]:
    jaxpr = closed.jaxpr
    for i, const in enumerate(closed.consts):
        for what, other in _near(const):
            consts = [other if k == i else c for k, c in enumerate(closed.consts)]
            yield f"constant {i}{what}", ClosedJaxpr(jaxpr, consts)
    known: list[Var] = [*jaxpr.constvars, *jaxpr.invars]
    for i, eqn in enumerate(jaxpr.eqns):
        for what, other in _equations(eqn, known):
            eqns = [*jaxpr.eqns[:i], other, *jaxpr.eqns[i + 1 :]]
            yield f"{i} {eqn.primitive.name}: {what}", ClosedJaxpr(jaxpr.replace(eqns=eqns), closed.consts)
        known += eqn.outvars
    for k, atom in enumerate(jaxpr.outvars):
        for one in _others(atom, known):
            outvars = [*jaxpr.outvars[:k], one, *jaxpr.outvars[k + 1 :]]
            yield f"result {k}", ClosedJaxpr(jaxpr.replace(outvars=outvars), closed.consts)


def _equations(eqn: JaxprEqn, known: Sequence[Var]) -> Iterator[tuple[str, JaxprEqn]]:
    for k, atom in enumerate(eqn.invars):
        others = (
            [Literal(_another(atom.val), atom.aval)] if isinstance(atom, Literal) else _others(atom, known)
        )
        for other in others:
            yield f"operand {k}", eqn.replace(invars=[*eqn.invars[:k], other, *eqn.invars[k + 1 :]])
    for name, value in eqn.params.items():
        for what, changed in _values(value):
            yield f"{name}{what}", eqn.replace(params={**eqn.params, name: changed})


def _others(atom: Any, known: Sequence[Var]) -> list[Var]:
    """The last value of this type that was known before, if there is another one."""
    return [v for v in known if v is not atom and v.aval == atom.aval and not isinstance(v, DropVar)][-1:]


def _another(value: Any, place: int = 0) -> Any:
    """Another number: one more, in one place of an array."""
    array = np.array(value)
    flat = array.reshape(-1)
    one = flat[place : place + 1]
    one[:] = ~one if array.dtype == bool else one + np.asarray(1, array.dtype)
    return array if array.ndim or not np.isscalar(value) else array[()]


def _near(const: Any) -> Iterator[tuple[str, Any]]:
    """Constants near a constant: another number in the first or last place, of floats the next one in the middle."""
    yield "", _another(const)
    array = np.array(const)
    if array.size > 1:
        yield " in its last place", _another(const, array.size - 1)
    if array.dtype.kind == "f":
        middle = array.reshape(-1)[array.size // 2 :][:1]
        middle[:] = np.nextafter(middle, array.dtype.type(np.inf))
        yield " in its last digit", array


def _values(value: Any) -> Iterator[tuple[str, Any]]:
    """Values near the value of a parameter."""
    if isinstance(value, bool):
        yield "", not value
    elif isinstance(value, int):
        yield "", value + 1
    elif isinstance(value, enum.Enum):
        members = [m for m in type(value) if m is not lax.GatherScatterMode.ONE_HOT]  # JAX itself refuses it
        yield "", members[(members.index(value) + 1) % len(members)]
    elif isinstance(value, ClosedJaxpr):
        yield from ((f" > {what}", changed) for what, changed in _changed(value))
    elif isinstance(value, Jaxpr):
        yield from ((f" > {what}", changed.jaxpr) for what, changed in _changed(ClosedJaxpr(value, ())))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            for what, changed in _values(getattr(value, one.name)):
                yield f".{one.name}{what}", dataclasses.replace(value, **{one.name: changed})
    elif isinstance(value, tuple) and value:
        make = value._make if hasattr(value, "_make") else type(value)  # type: ignore[attr-defined]
        for i, item in enumerate(value):
            for what, changed in _values(item):
                yield f"[{i}]{what}", make([*value[:i], changed, *value[i + 1 :]])
        if value[::-1] != value:
            yield " reversed", make(value[::-1])


# --- what is around a program ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """A program, and how it is compiled.

    Attributes:
        name: unique in its family.
        closed, args: the program.
        x64: whether it is one of 64-bit mode.
        how: further arguments of `compile_jaxpr`.
        around: what is entered when it is compiled.
        elsewhere: keys that it must not share with another member, though the code may be the same.
    """

    name: str
    closed: ClosedJaxpr
    args: Sequence[Any]
    x64: bool = False
    how: Mapping[str, Any] = field(default_factory=dict)
    around: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext
    elsewhere: tuple[str, ...] = ()


def _updates(x: Any, i: Any) -> Any:
    y = lax.dynamic_update_slice(x, x[:2, :2] * 3, (i[1], 1))
    return jnp.cumsum(y, 0), y[i, 0] + jnp.array([1.0, 2.0, 4.0, 8.0, 16.0], y.dtype)


def _loop(x: Any) -> Any:
    return lax.scan(lambda c, r: (c * 2 + r, c - 1), x[0], x, reverse=True)


def _windows(x: Any) -> Any:
    return lax.pad(x, jnp.asarray(7, x.dtype), ((1, 2, 0), (0, 1, 1))), jnp.argmax(x, 1), x.sum(0)


def _table(x: Any) -> Any:
    return x * _TABLE + 1


_TABLE = np.linspace(-2, 3, 30, dtype=np.float32).reshape(5, 6)
_X = (np.arange(30).reshape(5, 6) % 7 - 2).astype(np.float32)
FAMILIES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "table": (_table, (_X,)),
    "updates": (_updates, (_X, np.array([4, 1, 2, 2, 0], np.int32))),
    "loop": (_loop, (_X,)),
    "windows": (_windows, (_X,)),
}


def _doubled(params: Any, ins: Any, out: Any, a: str, b: str) -> str:
    return f"(2 * (({a}) + ({b})))"


#: Members of the family x + y * 3, by what is around them.
_AROUND: dict[str, dict[str, Any]] = {
    "plain": {},
    "canonical/none": {"how": {"pipeline": "canonical/none"}},
    "canonical/simplify": {"how": {"pipeline": "canonical/simplify"}},
    "-O0": {"how": {"compiler_options": {"opt": 0}}},
    "a flag": {"how": {"compiler_options": {"extra_flags": ("-O0", "-fno-inline")}}},
    "few flags": {"how": {"compiler_options": {"first_flags": 0}}},
    "a rule": {"around": lambda: jace.use_rules({"add": jace.Elementwise(_doubled)})},
    "another release": {
        "around": lambda: mock.patch.object(unit, "_versions", return_value="0"),
        "elsewhere": ("key",),
    },
    "other sources": {
        "around": lambda: mock.patch.object(unit, "_sources", return_value="0"),
        "elsewhere": ("key",),
    },
    "another machine": {
        # of the same instructions, so that the flags are no part of the difference
        "around": lambda: mock.patch(
            "jace.build.flags._cpu", return_value=f"{flags._cpu()}\nmodel : another"
        ),
        "elsewhere": ("key", "object"),
    },
}


def _arithmetic(x: Any, y: Any) -> Any:
    return x + y * 3


def members(names: Sequence[str] = ()) -> list[Member]:
    """Families of programs: `FAMILIES`, or those of the names; and one program in many surroundings."""
    found = [] if names else [*_around(), *_typed()]
    for name in names or FAMILIES:
        args = FAMILIES[name][1]
        found += [Member(member, closed, args) for member, closed in _family(name).items()]
    return found


@functools.cache
def _family(name: str) -> dict[str, ClosedJaxpr]:
    """A program of `FAMILIES` and its relatives, by name."""
    fun, args = FAMILIES[name]
    closed = jax.make_jaxpr(fun)(*args)
    return {name: closed, **{f"{name}: {what}": other for what, other in relatives(closed)}}


def programs() -> list[str]:
    """The names of what `make` makes: the members of the families that differ in the program alone."""
    return [member for name in FAMILIES for member in _family(name)]


def make(name: str) -> tuple[ClosedJaxpr, Sequence[Any]]:
    """The jaxpr and the inputs of a member by its name."""
    family = name.partition(":")[0]
    return _family(family)[name], FAMILIES[family][1]


def _around() -> Iterator[Member]:
    one = jax.make_jaxpr(_arithmetic)(_X, _X)
    for what, more in _AROUND.items():
        # a unit is that of a jaxpr object, which another machine or release cannot share
        closed = jax.make_jaxpr(lambda x, y: _arithmetic(x, y))(_X, _X) if "elsewhere" in more else one
        yield Member(what, closed, (_X, _X), **more)


def _typed() -> Iterator[Member]:
    for dtype in (np.int32, np.uint32, np.float16, jnp.bfloat16, np.int8):
        args = (_X.astype(dtype), _X.astype(dtype))
        yield Member(np.dtype(dtype).name, jax.make_jaxpr(_arithmetic)(*args), args)
    yield Member("weak", jax.make_jaxpr(_arithmetic)(_X, 2.0), (_X, np.float32(2)))
    yield Member("not weak", jax.make_jaxpr(_arithmetic)(_X, np.float32(2)), (_X, np.float32(2)))
    whole = _X.astype(np.int32)
    for mode in (False, True):
        with jax.enable_x64(mode):
            yield Member(
                f"x64: {mode}", jax.make_jaxpr(lambda x: jnp.argmax(x, 1))(whole), (whole,), x64=mode
            )


# --- building and comparing -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Built:
    """What a member was compiled to.

    Attributes:
        sha256: of its library.
        key: of the program in the index.
        object: of the library among the objects.
        wrong: how its outputs differ from plain evaluation; "" where they do not.
    """

    sha256: str
    key: str
    object: str
    wrong: str


def built(member: Member) -> Built:
    """Compile a member with the caches as they are, and call it directly and from XLA."""
    with jax.enable_x64(member.x64), member.around():
        compiled = compile_jaxpr(member.closed, **member.how)
        one = compiled._binding.unit
        prog = from_jaxpr(member.closed, member.args)
        ruled = bool(one.settings.rules)
        got = [compiled.call_direct(*prog.flat), [np.asarray(o) for o in compiled(*prog.args)]]
        expected = native.evaluate(prog.plain, prog.flat)
        wrong = "" if ruled or all(_same(expected, outs) for outs in got) else f"{got} instead of {expected}"
        return Built(compiled.loaded[0].sha256, one.key, one.library.key, wrong)


def _same(expected: Sequence[Any], got: Sequence[Any]) -> bool:
    return all(
        (a.shape, a.dtype) == (b.shape, b.dtype)
        and np.allclose(a.astype(np.float64), b.astype(np.float64), rtol=1e-2, equal_nan=True)
        for a, b in zip(expected, got, strict=True)
    )


def forget() -> None:
    """As a new process would: nothing that was compiled is in memory."""
    unit.clear_caches()
    load._loaded.clear()


def alone(family: Sequence[Member]) -> dict[str, str]:
    """The hash of each member's library when there is no cache at all."""
    with mock.patch.dict("os.environ", {"JACE_CACHE": "0"}):
        found = {}
        for member in family:
            with jax.enable_x64(member.x64), member.around():
                found[member.name] = compile_jaxpr(member.closed, **member.how).loaded[0].sha256
            forget()
    forget()
    return found


def faults(family: Sequence[Member], libraries: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with members that share the caches as they are, each in a sentence.

    Args:
        libraries: what `alone` says.
    """
    seen: dict[tuple[str, str], Member] = {}
    for member in family:
        try:
            now = built(member)
        except (TypeError, LookupError, JaceError) as error:  # code of other arguments, or by another name
            yield f"{member.name} fails: {error}"
            continue
        if now.wrong:
            yield f"{member.name} gives {now.wrong}"
        if now.sha256 != libraries[member.name]:
            yield f"{member.name} runs the code of another program"
        for part in ("key", "object"):
            other = seen.setdefault((part, getattr(now, part)), member)
            if other.name != member.name and part in {*member.elsewhere, *other.elsewhere}:
                yield f"{member.name} and {other.name} have one {part}"


def main() -> None:
    libraries = json.loads(Path(sys.argv[1]).read_text())
    family = [member for member in members() if member.name in libraries]
    json.dump({"faults": list(faults(family, libraries)), "members": len(family)}, sys.stdout)


if __name__ == "__main__":
    main()
