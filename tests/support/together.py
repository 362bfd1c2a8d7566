"""Small programs of a file's tests, built together: one program of XLA's and one run of the C++ compiler for many.

Most of what it costs to build a small program is what any costs: to start the compilers, to read the runtime, to link.
Before the first test of those marked `@together`, it and the next ones are run up to where they ask for `results`; what
they ask about is built at once, each as a program of its own, and kept until they are run in earnest. What cannot be
built with others is built when its test is run, which then says what is wrong with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import jax
import numpy as np
import pytest
from jax.extend.core import jaxpr_as_fun

import jace
from jace.build import codegen, flags
from jace.build.cache import default_cache
from jace.build.codegen import Source
from jace.build.compiler import compile_text
from jace.build.externals import externals_in
from jace.build.flags import CompilerOptions
from jace.build.load import Signature
from jace.primitive.bind import hoist
from jace.settings import Settings
from jace.translate.unit import Unit, unit_of

#: Questions that are answered at once.
AT_ONCE = 24
Array = np.ndarray[Any, Any]


class Later(Exception):
    """In a test that is run up to its questions: the answer is not there yet."""


@dataclass(eq=False)
class Question:
    """What XLA and jace make of a program.

    Attributes:
        same: equal for questions that XLA is asked once.
        leaves: the flat arguments.
        closed, shape: the program as it was traced, and the tree of its results.
        oracle: the program that XLA is given.
        options: XLA's compiler options.
        x64: whether it was traced with 64 bits.
        expected: what XLA says, if it was asked.
    """

    same: tuple[Any, ...]
    pipelines: Sequence[str]
    options: Mapping[str, Any]
    leaves: list[Any]
    closed: Any
    shape: Any
    oracle: Any
    x64: bool
    expected: list[Any] | None = None


def together(test: Any) -> Any:
    """Marks a test whose parameters are all that it is given, and which may be run up to its questions.

    Examples of hypothesis have to be the same each time (`derandomize`).
    """
    test.is_built_with_others = True
    return test


class _Asked:
    """Which test is run, how many questions it has asked, and what is known of those to come."""

    item: pytest.Item | None = None
    questions = 0
    collected: list[Question] | None = None  # while a test is run up to its questions
    known: ClassVar[dict[tuple[str, int], Question]] = {}
    seen: ClassVar[set[str]] = set()


def begin(item: pytest.Item) -> None:
    """A test is about to be run, its fixtures are there."""
    if _may_wait(item):
        _answer([*_next_questions(item)])
    _Asked.item, _Asked.questions = item, 0


def forget() -> None:
    """The tests of a file have been run."""
    _Asked.known.clear()


def results(
    fun: Callable[..., Any],
    args: tuple[Any, ...],
    pipelines: Sequence[str],
    *,
    reference: Callable[..., Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[list[Any], list[list[Array]], Any]:
    """What jax.jit gives for `fun` (or `reference`), what each pipeline gives, and the tree of the results.

    Raises:
        Later: the test is only asked what it will ask.
    """
    asked = _question(fun, args, pipelines, reference, options or {})
    if asked.expected is None:
        asked.expected = jax.tree.leaves(by_xla(reference or fun, args, asked.options))
    flat = [plain(x) for x in asked.leaves]
    ours = [jace.compile_jaxpr(asked.closed, name).call_direct(*flat) for name in pipelines]
    return [plain(x) for x in asked.expected], ours, jax.tree.structure(asked.shape)


def by_xla(fun: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """What jax.jit gives, without the options where XLA fails with them."""
    try:
        return jax.jit(fun, compiler_options=dict(options))(*args)
    except jax.errors.JaxRuntimeError:
        if not options:
            raise
    return jax.jit(fun)(*args)


def in_earnest() -> None:
    """Do not go on in a test that is only run up to its questions.

    Raises:
        Later: it is one.
    """
    if _Asked.collected is not None:
        raise Later


def plain(value: Any) -> Array:
    """An array; typed keys as their data."""
    if jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return np.asarray(value)


def _question(
    fun: Any, args: Any, pipelines: Sequence[str], reference: Any, options: Mapping[str, Any]
) -> Question:
    """The question, with its answer if it is known."""
    item, number = _Asked.item, _Asked.questions
    _Asked.questions += 1
    if item is not None and _Asked.collected is None and (item.nodeid, number) in _Asked.known:
        return _Asked.known.pop((item.nodeid, number))
    closed, shape = jax.make_jaxpr(fun, return_shape=True)(*args)
    oracle = closed if reference is None else jax.make_jaxpr(reference)(*args)
    leaves, x64 = jax.tree.leaves(args), jax.config.jax_enable_x64
    same = (reference or fun, *map(id, leaves))
    asked = Question(same, pipelines, options, leaves, closed, shape, oracle, x64)
    if _Asked.collected is not None:
        _Asked.collected.append(asked)
        raise Later
    return asked


def _may_wait(item: Any) -> bool:
    given = getattr(item, "callspec", None)
    names = () if given is None else given.params
    marked = getattr(getattr(item, "function", None), "is_built_with_others", False)
    return marked and item.nodeid not in _Asked.seen and set(item._fixtureinfo.argnames) <= set(names)


def _next_questions(item: Any) -> Iterator[Question]:
    """What the test and the next ones of the same file will ask."""
    items = item.session.items
    count = 0
    for other in items[items.index(item) :]:
        if other.path != item.path or count >= AT_ONCE:
            return
        if _may_wait(other):
            _Asked.seen.add(other.nodeid)
            for number, asked in enumerate(_asked_by(other)):
                _Asked.known[other.nodeid, number] = asked
                count += 1
                yield asked


def _asked_by(item: Any) -> list[Question]:
    collected: list[Question] = []
    _Asked.questions, _Asked.collected = 0, collected
    try:
        item.function(**(item.callspec.params if hasattr(item, "callspec") else {}))
    except Exception:  # Later, or what the test will raise again when it is run
        pass
    finally:
        _Asked.collected = None
    return collected


def _answer(questions: list[Question]) -> None:
    _compile([_unit(q, name) for q in questions for name in q.pipelines])
    for asked in _groups(questions):
        first, group = asked[0], [*{q.same: q for q in asked}.values()]
        every = [jaxpr_as_fun(q.oracle) for q in group]

        def all_of_them(given: Any, every: Any = every) -> Any:
            return [fun(*leaves) for fun, leaves in zip(every, given, strict=True)]

        try:
            with jax.enable_x64(first.x64):
                answers = by_xla(all_of_them, [[q.leaves for q in group]], first.options)
        except Exception:  # one of them fails: each is asked on its own, by its test
            continue
        known = {q.same: list(answer) for q, answer in zip(group, answers, strict=True)}
        for question in asked:
            question.expected = known[question.same]


def _groups(questions: list[Question]) -> list[list[Question]]:
    """Those that one program of XLA's can answer."""
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(f"{question.x64} {sorted(question.options.items())}", []).append(question)
    return list(found.values())


def _unit(question: Question, pipeline: str) -> Unit:
    return unit_of(hoist(question.closed)[0], Settings.of(pipeline).in_force())


def _compile(units: list[Unit]) -> None:
    """Put what the units compile to into the cache, where they find it: a run of the compiler for each -O level."""
    options, levels = CompilerOptions(), dict[int, dict[str, tuple[Unit, Source]]]()
    for unit in units:
        try:
            source = codegen.generate(unit.program)
        except Exception:  # its test says what is wrong
            continue
        level = flags.opt_level(options, _largest(unit), False, len(source.body))
        if not source.includes:
            levels.setdefault(level, {})[source.name] = unit, source
    for level, sources in levels.items():
        _compile_as_one([*sources.values()], level)


def _largest(unit: Unit) -> int:
    """Elements of the largest operand or result, which decide the -O level here.

    Loops that go around a few times over small arrays, and workspaces of LAPACK, are no reason for -O3 in a test of
    what they compute: tests/test_programs.py and the harnesses build them as a user does.
    """
    return max((math.prod(b.shape) for b in (*unit.program.inputs, *unit.program.outputs)), default=0)


def _compile_as_one(sources: list[tuple[Unit, Source]], level: int) -> None:
    cache, tools, options = default_cache(), flags.toolchain(), CompilerOptions()
    bodies = [f"namespace of_{source.name} {{\n{source.body}\n}}" for _, source in sources]
    text = Source("", "\n".join(bodies), (), 0, False).text()
    ours, libraries = flags.compile_flags(tools, options, level), flags.link_flags(tools, options)
    if cache is None or len(sources) < 2:
        return
    try:
        built = compile_text(text, ours, libraries, tools, cache)
    except jace.JaceError:  # each is compiled on its own, for its test
        return
    for unit, source in sources:
        record = {
            "object": built.key,
            "signature": Signature.of(unit.program).to_json(),
            "externals": list(externals_in(source.body)),
        }
        cache.remember(unit.key, record)
