"""The kernel emitter: pulls the value of an array element out of a lazy program as C++ text.

`value(atom, index)` answers the C++ name of one element. For a variable in memory that is a load; for a lazy
variable its rule is asked, which asks for the operands' elements in turn. Names are memoized by (variable, index)
and scope, so that a shared subexpression is computed once in a kernel.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn, Literal, Var
from jax.extend.core.primitives import copy_p

from jace.debug.notes import equation_note
from jace.dtypes import ctype, is_struct
from jace.errors import JaceError
from jace.ir.core import Atom, source_of
from jace.ir.failures import rule_failure, translate_error
from jace.jax_internals import new_jaxpr_eqn
from jace.plan.index import ZERO, Ix, Range, bounds, symbol
from jace.plan.literals import cpp_literal
from jace.plan.ops import Access, Buffer, Ref
from jace.registry import Elementwise, IndexMap, lookup

Index = tuple[Ix, ...]


class Hazard(Exception):
    """The value cannot be computed in this kernel: it needs elements that other iterations write."""


@dataclass(frozen=True)
class Constant:
    """A constant array known when the program is translated."""

    value: np.ndarray[Any, Any]


@dataclass(frozen=True)
class Lazy:
    """Output `k` of an equation that is recomputed wherever it is read."""

    eqn: JaxprEqn
    k: int
    rule: Elementwise | IndexMap


Source = Ref | Constant | Lazy


SourceOf = Callable[[Var], Source]


def copy_of(atom: Var, out: Var, reason: JaxprEqn | None) -> Lazy:
    """A copy, on the user's line of the equation that needs it."""
    info = reason.source_info if reason is not None else None
    eqn: JaxprEqn = new_jaxpr_eqn([atom], [out], copy_p, {}, set(), info)
    return Lazy(eqn, 0, Elementwise(_identity))


def _identity(params: Any, in_dtypes: Any, out_dtype: Any, operand: str) -> str:
    del params, in_dtypes, out_dtype
    return operand


def known_integer(source: Source, index: Index) -> int | None:
    """The value of an integer element that is known when the program is translated."""
    if isinstance(source, Constant) and not any(ix.terms for ix in index):
        return int(source.value[tuple(ix.const for ix in index)])
    return None


@dataclass
class _Scope:
    memo: dict[tuple[Var, Index], str] = field(default_factory=dict)
    indices: dict[str, Ix] = field(default_factory=dict)


class Emitter:
    """Text, connectors and memo of one kernel body.

    Args:
        source_of_var: where a variable's value comes from.
        ranges: ranges of the symbols in scope (map parameters, loop variables).
        exact: use one connector an element for affine reads outside of branches and loops (canonical pipeline),
            instead of whole arrays by pointer.
    """

    def __init__(self, source_of_var: SourceOf, ranges: Mapping[str, Range], *, exact: bool = False) -> None:
        self._source = source_of_var
        self.ranges: dict[str, Range] = dict(ranges)
        self.exact = exact
        self.lines: list[str] = []
        self.statics: list[str] = []
        self.reads: dict[Any, Access] = {}
        self.sources: dict[str, None] = {}
        self.has_loops = False
        #: values of struct types (complex, bfloat16, int4, ...) occur
        self.has_aggregates = False
        self.statements = 0
        #: statements times the iterations of the loops they are in
        self.work = 0
        self._iterations = 1
        self._scopes = [_Scope()]
        self._journal: list[tuple[_Scope, tuple[Var, Index]]] = []
        self._names = 0
        self._inlined: dict[Var, Lazy] = {}
        #: what ends a line: says which equation it computes, in annotated builds
        self.note = ""
        #: variables computed by this kernel: readable at the kernel's own index only (through the memo)
        self.members: set[Var] = set()

    # -- names and text -------------------------------------------------------------------------------------

    def fresh(self, prefix: str = "v") -> str:
        """A new C++ name."""
        self._names += 1
        return f"{prefix}{self._names}"

    def line(self, text: str) -> None:
        """Append one line of C++."""
        self.lines.append("  " * (len(self._scopes) - 1) + text + self.note)
        self.statements += 1
        self.work += self._iterations

    def semicolon(self) -> None:
        """End the last line with a semicolon (a block that is a lambda's)."""
        self.lines[-1] = f"{self.lines[-1].removesuffix(self.note)};{self.note}"

    def let(self, dtype: Any, expression: str) -> str:
        """Declare a constant of the dtype; answer its name."""
        name = self.fresh()
        self._note(dtype)
        self.line(f"const {ctype(dtype)} {name} = {expression};")
        return name

    def _note(self, dtype: Any) -> None:
        self.has_aggregates |= is_struct(dtype)

    def declare(self, dtype: Any, expression: str) -> str:
        """Declare a mutable variable; answer its name."""
        name = self.fresh("m")
        self._note(dtype)
        self.line(f"{ctype(dtype)} {name} = {expression};")
        return name

    # -- indices --------------------------------------------------------------------------------------------

    def opaque(self, expression: str, limits: Range | None = None) -> Ix:
        """An index computed at run time, as a symbol; `limits` is its half-open range if known."""
        for scope in self._scopes:
            if expression in scope.indices:
                return scope.indices[expression]
        name = self.fresh("k")
        self.line(f"const jace::i64 {name} = {expression};")
        if limits is not None:
            self.ranges[name] = limits
        self._scopes[-1].indices[expression] = symbol(name)
        return symbol(name)

    def known_integer(self, atom: Atom, index: Index) -> int | None:
        """The value of an integer element that is known when the program is translated."""
        if isinstance(atom, Literal):
            return int(atom.val)
        return known_integer(self._source(atom), index)

    def bounds(self, ix: Ix) -> Range | None:
        """Half-open range of an index, if known."""
        return bounds(ix, self.ranges)

    # -- scopes ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def block(self, opening: str) -> Iterator[None]:
        """`opening {` ... `}`; names declared inside are not visible after."""
        self.line(opening + " {")
        self._scopes.append(_Scope())
        try:
            yield
        finally:
            self._scopes.pop()
            self.line("}")

    @contextlib.contextmanager
    def loop(self, extent: int, *, pragma: str = "", stop: str = "") -> Iterator[Ix]:
        """A sequential loop over range(extent), or up to `stop`, a C++ expression of less; yields its index."""
        if extent == 1 and not stop:
            yield ZERO
            return
        name = self.fresh("j")
        self.ranges[name] = (0, extent)
        self.has_loops = True
        if pragma:
            self.line(pragma)
        outside, self._iterations = self._iterations, self._iterations * extent
        try:
            with self.block(f"for (jace::i64 {name} = 0; {name} < {stop or extent}; ++{name})"):
                yield symbol(name)
        finally:
            self._iterations = outside

    def select(
        self, condition: str, dtype: Any, then: Callable[[], str], otherwise: Callable[[], str]
    ) -> str:
        """The value of `then()` or `otherwise()`, each emitted in its own branch."""
        name = self.fresh("m")
        self.line(f"{ctype(dtype)} {name};")
        with self.block(f"if ({condition})"):
            self.line(f"{name} = {then()};")
        with self.block("else"):
            self.line(f"{name} = {otherwise()};")
        return name

    def inline(self, jaxpr: Jaxpr, operands: Sequence[str]) -> list[str]:
        """Emit a scalar jaxpr (a combiner) on C++ names, in the current scope; answer the names of its outputs.

        Call it once a scope: names are memoized by the jaxpr's variables.
        """
        memo = self._scopes[-1].memo
        for var, name in zip(jaxpr.invars, operands, strict=True):
            memo[var, ()] = name
        for eqn in jaxpr.eqns:
            rule = lookup(eqn.primitive.name)
            if not isinstance(rule, Elementwise | IndexMap):
                raise translate_error(eqn, f"a combiner may not contain '{eqn.primitive.name}'")
            for k, var in enumerate(eqn.outvars):
                self._inlined[var] = Lazy(eqn, k, rule)
        return [self.value(v, ()) for v in jaxpr.outvars]

    # -- values ---------------------------------------------------------------------------------------------

    def value(self, atom: Atom, index: Index) -> str:
        """C++ name (or literal) of the element of `atom` at `index`."""
        if isinstance(atom, Literal):
            return cpp_literal(atom.val, atom.aval.dtype)
        key = (atom, index)
        for scope in reversed(self._scopes):
            if key in scope.memo:
                return scope.memo[key]
        if atom in self.members:
            raise Hazard(atom)
        scope = self._scopes[-1]
        name = self._compute(atom, index)
        scope.memo[key] = name
        self._journal.append((scope, key))
        return name

    def _compute(self, var: Var, index: Index) -> str:
        source = self._inlined.get(var) or self._source(var)
        if isinstance(source, Ref):
            return self.load(source, index)
        if isinstance(source, Constant):
            return self._constant(source.value, index)
        self.sources[source_of(source.eqn)] = None
        outer, self.note = self.note, equation_note(source.eqn)
        try:
            return self._apply(source, index)
        except (Hazard, JaceError):
            raise
        except Exception as error:  # the rule's own failure: name its equation, not the one that reads it
            raise rule_failure(source.eqn, error) from error
        finally:
            self.note = outer

    def _apply(self, source: Lazy, index: Index) -> str:
        eqn, rule = source.eqn, source.rule
        if isinstance(rule, IndexMap):
            return rule.value(self, eqn, index, source.k)
        shape = eqn.outvars[source.k].aval.shape
        operands = [self.value(v, self.broadcast(index, shape, v.aval.shape)) for v in eqn.invars]
        in_dtypes = tuple(v.aval.dtype for v in eqn.invars)
        out_dtype = eqn.outvars[source.k].aval.dtype
        return self.let(out_dtype, rule.expression(eqn.params, in_dtypes, out_dtype, *operands))

    def broadcast(self, index: Index, result: tuple[int, ...], operand: tuple[int, ...]) -> Index:
        """`index` of a result as index of an operand with size-1 dimensions, or of rank 0.

        Equal shapes keep the index as it is: in a flat kernel its last entry runs over the whole array.
        """
        if result == operand:
            return index
        if not operand:
            return ()
        return tuple(Ix() if extent == 1 else ix for ix, extent in zip(index, operand, strict=True))

    def _constant(self, value: np.ndarray[Any, Any], index: Index) -> str:
        flat = value.reshape(-1)
        if not flat.size:  # never executed: the other side of a branch, as where nothing is padded
            return cpp_literal(0, value.dtype)
        if flat.size == 1 or flat.tobytes() == flat[:1].tobytes() * flat.size:
            return cpp_literal(flat[0], value.dtype)
        offset = Ix()
        step = 1
        for ix, extent in zip(reversed(index), reversed(value.shape), strict=True):
            offset = offset + ix * step
            step *= extent
        if not offset.terms:
            return cpp_literal(flat[offset.const], value.dtype)
        name = self.fresh("c")
        items = ", ".join(cpp_literal(v, value.dtype) for v in flat)
        self.statics.append(f"static const {ctype(value.dtype)} {name}[{flat.size}] = {{{items}}};")
        return self.let(value.dtype, f"{name}[{offset}]")

    def load(self, ref: Ref, index: Index) -> str:
        """Load an element of a buffer."""
        if ref.buffer.size == 0:  # never executed: inside of a loop over nothing
            return cpp_literal(0, ref.dtype)
        subset = (*ref.prefix, *index)
        known = {s for s, limits in self.ranges.items() if s[0] in "il" and limits is not None}
        affine = len(self._scopes) == 1 and all(set(ix.symbols) <= known for ix in subset)
        if self.exact and affine:
            return self.let(ref.dtype, f"jace::load<{ctype(ref.dtype)}>({self.connector(ref, index)})")
        element = f"{self.pointer(ref.buffer)}[{ref.address(index)}]"
        if ref.dtype == np.bool_:
            element = f"jace::load<bool>({element})"  # GCC 12 does not vectorize a plain load of bool
        return self.let(ref.dtype, element)

    def connector(self, ref: Ref, index: Index) -> str:
        """Name of the connector that an exact memlet brings one element of a buffer to."""
        subset = (*ref.prefix, *index)
        key = (ref.buffer.name, subset)
        access = self.reads.get(key)
        if access is None:
            access = self.reads[key] = Access(f"e{len(self.reads)}_{ref.buffer.name}", ref.buffer, subset)
        return access.connector

    def array(self, ref: Ref) -> str:
        """Name of the connector of a whole array, of which Python reads an element by its index."""
        access = Access(f"a_{ref.buffer.name}", ref.buffer, indirect=True)
        self.reads["indirect", ref.buffer.name] = access
        return access.connector

    def pointer(self, buffer: Buffer) -> str:
        """C++ name of a read pointer to the whole buffer."""
        access = self.reads.get(buffer.name)
        if access is None:
            access = self.reads[buffer.name] = Access(f"p_{buffer.name}", buffer)
        return f"q_{buffer.name}"

    # -- trial and rollback ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def trial(self) -> Iterator[None]:
        """Undo everything emitted inside when it raises `Hazard`."""
        saved = (len(self.lines), len(self.statics), dict(self.reads), dict(self.sources), self.has_loops)
        mark, depth, statements = len(self._journal), len(self._scopes), self.statements
        indices = dict(self._scopes[-1].indices)
        try:
            yield
        except Hazard:
            del self.lines[saved[0] :]
            del self.statics[saved[1] :]
            self.reads, self.sources, self.has_loops = saved[2], saved[3], saved[4]
            self.statements = statements
            del self._scopes[depth:]
            self._scopes[-1].indices = indices
            for scope, key in self._journal[mark:]:
                scope.memo.pop(key, None)
            del self._journal[mark:]
            raise
