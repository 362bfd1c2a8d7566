"""Which programs are asked about a change of jace, and in which order."""

from __future__ import annotations

from dataclasses import replace

from mutants.mechanical import child, python, reach, scope, sources
from mutants.mechanical.edits import Mutation


def test_lines_without_code_of_their_own_are_reached_by_their_function() -> None:
    """Python has code of the statement's line, or of none when it computes the constant beforehand."""
    text = "def f(x):\n    if x:\n        return (\n            1,\n            2,\n        )\n    return 0\n"
    assert 4 not in reach.code_lines(text)
    (one,) = (Mutation("a.py", text, e) for e in python.edits(text) if e.after == "3")
    trace = reach.Trace(sources.Subject("m:f", "p"), "", *[frozenset()] * 5, 0.1, {"a.py": frozenset({2, 7})})
    assert one.lines == (5, 3)
    assert reach.Record({"p": trace}, {}).asked(one) == [trace]
    other = replace(one, edit=next(e for e in python.edits(text) if e.after == "True"))
    passed = replace(trace, lines={"a.py": frozenset({9})})
    assert reach.Record({"p": passed}, {}).asked(other) == []


def test_a_decorator_is_reached_by_what_it_decorates() -> None:
    text = "@table(cost_of(1), lazy=(0, 2))\ndef rule(x):\n    return x\n"
    (one,) = (Mutation("a.py", text, e) for e in python.edits(text) if e.after == "3")
    user = reach.Trace(sources.Subject("m:f", "p"), "", *[frozenset()] * 5, 0.1, {"a.py": frozenset({3})})
    other = replace(user, lines={"a.py": frozenset({7})})
    record = reach.Record({"user": user, "other": other}, {"a.py": frozenset({1, 2})})
    assert record.asked(one) == [user]


def test_programs_that_a_key_must_tell_apart_follow_one_another() -> None:
    def trace(name: str, *primitives: str) -> reach.Trace:
        used = frozenset(primitives)
        return reach.Trace(
            sources.Subject("m:f", name), "", frozenset(), used, *[frozenset()] * 2, used, 0.1, {}
        )

    some = [trace("a", "add"), trace("b", "mul", "neg"), trace("c", "sub"), trace("d", "neg", "mul")]
    key = next(m for m in scope.mutations("build/compiler.py") if m.edit.operator == "part of a key dropped")
    asked = reach.Record({t.subject.key: t for t in some}, {}).asked(key)
    assert [t.subject.name for t in asked] == ["b", "d", "a", "c"]


def test_a_key_is_asked_first_about_the_programs_that_run_through_its_line() -> None:
    def trace(name: str, *lines: int) -> reach.Trace:
        there = {key.file: frozenset(lines)}
        return reach.Trace(sources.Subject("m:f", name), "", *[frozenset({name})] * 5, 0.1, there)

    key = next(m for m in scope.mutations("ir/canonical.py") if m.edit.inside)
    some = [trace("a"), trace("b", *key.lines), trace("c")]
    asked = reach.Record({t.subject.key: t for t in some}, {}).asked(key)
    assert [t.subject.name for t in asked] == ["b", "a", "c"]


def test_further_programs_are_of_the_operations_that_reach_something() -> None:
    def trace(operation: str) -> reach.Trace:
        return reach.Trace(
            sources.Subject(sources.PROGRAMS, f"{operation}/3"), "text", *[frozenset()] * 5, 0.1, {}
        )

    found = reach.further([trace("clz"), trace("fft")], x64=True)
    assert {t.subject.name for t in found[:2]} == {"clz/1000/x64", "fft/1000/x64"}
    assert all(t.subject.x64 and not t.source for t in found)
    assert {t.subject.name for t in found[2:4]} == {"clz/1001/x64", "fft/1001/x64"}


def test_programs_that_reach_a_line_are_asked_by_the_forms_of_what_it_is_about() -> None:
    def trace(name: str, seconds: float, primitives: set[str], *forms: str) -> reach.Trace:
        empty: frozenset[str] = frozenset()
        subject = sources.Subject("m:f", name)
        return reach.Trace(
            subject, "", empty, frozenset(primitives), frozenset(forms), empty, empty, seconds, {}
        )

    backward = trace("a", 0.1, {"rev", "add"}, "rev with dimensions=(1)", "add with x=1")
    both = trace("b", 0.3, {"rev"}, "rev with dimensions=(2 of 0 1)")
    again = trace("c", 0.2, {"rev", "add"}, "rev with dimensions=(1)", "add with x=2", "add with x=3")
    others = [trace(f"other {k}", 0.1, {"add"}) for k in range(6)]
    reached = [backward, both, again]
    record = reach.Record({t.subject.key: t for t in [*reached, *others]}, {})
    about = record._about(reached)
    assert about == {"rev"}
    assert [t.subject.name for t in reach.diverse(reached, "rules/x.py", about)] == ["a", "b", "c"]
    assert [t.subject.name for t in reach.diverse(reached, "rules/x.py")] == ["a", "c", "b"]


def test_programs_for_what_a_call_does_are_asked_by_what_a_call_has_to_do_with() -> None:
    def trace(name: str, seconds: float, typed: int, *calls: str) -> reach.Trace:
        sets = [frozenset[str]()] * 3, frozenset(calls), frozenset(f"add f{k}" for k in range(typed))
        return reach.Trace(sources.Subject("m:f", name), "text", *sets[0], *sets[1:], seconds, {})

    traces = [
        trace("a", 0.2, 9, "1 inputs"),
        trace("b", 0.1, 1, "1 inputs"),
        trace("c", 0.3, 1, "taken apart"),
    ]
    assert [t.subject.name for t in reach.diverse(traces, "stages/compiled.py")] == ["b", "c", "a"]
    assert next(t.subject.name for t in reach.diverse(traces, "rules/shape.py")) == "a"


def test_what_a_call_has_to_do_with_is_told() -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    def f(x: object, y: object) -> object:
        jax.debug.callback(lambda v: None, x)
        return x, jnp.zeros(()), x, 3.0

    closed = jax.make_jaxpr(f)(np.ones((2, 0), np.float32), np.int8(1))
    said = set(child._call(closed, taken_apart=True))
    assert said >= {
        *(
            "2 inputs",
            "4 outputs",
            "input of int8",
            "input of rank 2",
            "input of no elements",
            "an output twice",
        ),
        *("an output is a number", "an output is an input", "an input nobody reads", "weak output"),
        *("effect DebugEffect", "taken apart"),
    }
