"""Python callbacks: a script returns what they returned, prints what they printed, and says what it lacks."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental import io_callback

from jace import ir
from jace_repro.campaign.entries import entry_reports
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro, load, trace_repro
from jace_repro.selfcheck import SelfCheck, self_check_many
from jace_repro.tester import check_repro
from jace_repro.trace import callback_log
from jace_repro.tracker.api import record

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ROW = X[1]
S = jax.ShapeDtypeStruct
VECTOR = S((3,), np.float32)
SCALAR = S((), np.float32)


class Tagged:
    """A pytree node that no script knows."""

    def __init__(self, value: Any) -> None:
        self.value = value


jax.tree_util.register_pytree_node(Tagged, lambda t: ((t.value,), None), lambda _, c: Tagged(*c))


def double(value: Any) -> Any:
    return np.asarray(value) * 2


def draw(value: Any) -> Any:
    return {"noise": np.random.default_rng().random(3, np.float32), "one": np.int8(1)}


def counter() -> Callable[..., Any]:
    calls = []
    return lambda *args: calls.append(args) or np.float32(len(calls))


def steps(count: int) -> Callable[[Any], Any]:
    """A loop in which every step asks for the next number."""
    number = counter()

    def step(carry: Any, _: Any) -> Any:
        carry = carry + io_callback(number, SCALAR, ordered=True)
        io_callback(lambda value: None, None, carry, ordered=True)
        return carry, carry

    return lambda x: lax.scan(step, x[0], None, length=count)[1]


PROGRAMS: dict[str, tuple[Callable[..., Any], Any]] = {
    "pure": (
        lambda x: jax.pure_callback(double, VECTOR, x) - jax.pure_callback(double, VECTOR, x + 1),
        ROW,
    ),
    "two functions": (
        lambda x: jax.pure_callback(double, VECTOR, x) + jax.pure_callback(np.negative, VECTOR, x),
        ROW,
    ),
    "keywords": (
        lambda x: jax.pure_callback(lambda a, *, b: a + b["q"], VECTOR, x, b={"q": x}),
        ROW,
    ),
    "two shapes": (
        lambda x: jax.pure_callback(double, VECTOR, x) + jax.pure_callback(double, SCALAR, x[0]),
        ROW,
    ),
    "bfloat16": (
        lambda x: jax.pure_callback(double, S((3,), jnp.bfloat16), x.astype(jnp.bfloat16)),
        ROW,
    ),
    "python result": (lambda x: jax.pure_callback(lambda v: 0.1, SCALAR, x), ROW),
    "not called": (
        lambda x: lax.cond(x[0] > 9, lambda: jax.pure_callback(double, VECTOR, x), lambda: x),
        ROW,
    ),
    "large": (
        lambda x: jax.pure_callback(double, S((200,), np.float32), x),
        np.arange(200, dtype=np.float32),
    ),
    "vmap": (
        jax.vmap(lambda row: jax.pure_callback(np.sum, SCALAR, row, vmap_method="sequential")),
        X,
    ),
    "unordered": (lambda x: io_callback(draw, {"noise": VECTOR, "one": S((), np.int8)}, x)["noise"], ROW),
    "ordered": (steps(5), ROW),
    "ordered, many": (steps(40), ROW),
    "no results": (lambda x: (io_callback(lambda v: None, None, x), x * 2)[1], ROW),
    "print": (lambda x: (jax.debug.print("x = {x} {}", 3, x=x), x)[1], ROW),
    "look": (lambda x: (jax.debug.callback(lambda v: None, x), x)[1], ROW),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Repro, SelfCheck, bytes]]:
    """Repro, self-check and bytes of the outputs of each program, from one recording."""
    outputs, scripts = {}, {}
    with record(tmp_path_factory.mktemp("recording")) as rec:
        for name, (fun, arg) in PROGRAMS.items():
            jitted = jax.jit(fun)
            outputs[name] = b"".join(np.asarray(v).tobytes() for v in jax.tree.leaves(jitted(arg)))
            scripts[name] = rec.recording.path([e for e in rec.entries if not e.entry.eager][-1])
            jitted(arg)
    checks = self_check_many(list(scripts.values()), jobs=2)
    return {
        name: (load(path), check, outputs[name])
        for (name, path), check in zip(scripts.items(), checks, strict=True)
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_script_returns_what_the_callback_returned(recorded: Any, name: str) -> None:
    repro, check, outputs = recorded[name]
    assert check.status == "exact", check.detail
    assert not [note for note in repro.header.notes if "unknown" in note]
    jitted = jax.jit(repro.load_function())
    for _ in range(2):  # its log begins anew after the last call
        leaves = jax.tree.leaves(jitted(*repro.load_inputs()))
        assert b"".join(np.asarray(v).tobytes() for v in leaves) == outputs


@pytest.mark.parametrize("name", ["pure", "keywords", "ordered, many", "large", "unordered"])
def test_a_script_of_a_script_has_the_log(recorded: Any, name: str) -> None:
    repro, _, outputs = recorded[name]
    closed, args = trace_repro(repro)
    again = emit_flat(closed, args, header=repro.header)
    assert again.header.notes == repro.header.notes
    leaves = jax.tree.leaves(jax.jit(again.load_function())(*again.load_inputs()))
    assert b"".join(np.asarray(v).tobytes() for v in leaves) == outputs
    assert again.source.count("answers(\n") == repro.source.count("answers(\n")


def test_large_tables_are_in_the_sidecar(recorded: Any) -> None:
    assert sorted(recorded["ordered, many"][0].arrays) == ["answers0"]
    assert recorded["large"][0].arrays["answers0"].nbytes == 800
    assert "double = answers(" in recorded["large"][0].source
    assert not recorded["ordered"][0].arrays


def test_arguments_that_were_not_recorded_are_an_error_that_names_the_callback(recorded: Any) -> None:
    repro = recorded["pure"][0]
    with pytest.raises(Exception, match=r"pure_callback double \(test_callbacks.py:\d+\): it was not c"):
        jax.block_until_ready(jax.jit(repro.load_function())(ROW + 10))


def test_without_a_recording_they_are_stubs_that_say_so() -> None:
    for call in (
        lambda x: jax.pure_callback(double, VECTOR, x),
        lambda x: io_callback(double, VECTOR, x),
    ):
        closed = jax.make_jaxpr(call)(ROW)
        repro = emit_flat(closed, [ROW], header=Header())
        assert ir.fingerprint(trace_repro(repro)[0]) == ir.fingerprint(closed)
        (note,) = repro.header.notes
        assert note.startswith("unknown: the answers of")
        assert "double (test_callbacks.py:" in note


def test_a_call_that_raises_leaves_a_stub(tmp_path: Path) -> None:
    def explode(value: Any) -> Any:
        raise ValueError("no")

    with record(tmp_path) as rec, pytest.raises(Exception, match="no"):
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(explode, VECTOR, x))(ROW))
    (entry,) = rec.entries
    assert load(rec.recording.path(entry)).header.notes[0].startswith("unknown: the answers of")


def test_too_long_a_log_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callback_log, "LIMIT", 20)
    with record(tmp_path) as rec:
        jax.jit(PROGRAMS["pure"][0])(ROW)
    (entry,) = rec.entries
    assert load(rec.recording.path(entry)).header.notes[0].startswith("unknown: the answers of")


def test_other_calls_are_not_confused(tmp_path: Path) -> None:
    """A callback that runs a compiled function with a callback of its own."""
    inner = jax.jit(lambda x: jax.pure_callback(double, VECTOR, x) * 2)
    outer = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(inner(np.asarray(v))) + 1, VECTOR, x))
    with record(tmp_path) as rec:
        inner(ROW)
        outer(ROW)
    paths = [rec.recording.path(e) for e in rec.entries if not e.entry.eager]
    assert [check.status for check in self_check_many(paths)] == ["exact"] * 2


def test_arguments_in_structures_of_the_program() -> None:
    closed = jax.make_jaxpr(lambda x: jax.pure_callback(lambda t: t.value, VECTOR, Tagged(x)))(ROW)
    log = callback_log.Log()
    log.note(closed.eqns[0].params["callback"], [ROW], [ROW * 3], pure=True, ordered=False)
    repro = emit_flat(closed, [ROW], header=Header(), callback_log=log)
    assert np.array_equal(jax.jit(repro.load_function())(ROW), ROW * 3)


def test_callbacks_that_only_look_do_nothing() -> None:
    def program(x: Any) -> Any:
        jax.debug.callback(lambda v: 1 / 0, x)
        return x + 1

    repro = emit_flat(jax.make_jaxpr(program)(X), [X], header=Header())
    assert np.array_equal(jax.jit(repro.load_function())(X), X + 1)
    assert repro.header.notes == ("the Python callback of a debug_callback does nothing in the script",)


class Odd:
    def __str__(self) -> str:
        return "odd"


@pytest.mark.parametrize(
    ("show", "printed", "notes"),
    [
        (lambda x: jax.debug.print("x = {x} {}", 3, x=x), "x = [3. 4. 5.] 3\n", 0),
        (
            lambda x: jax.debug.print("{x} {s} {t:.2f}", x=x[0], s="text", t=2.5, ordered=True),
            "3.0 text 2.50\n",
            0,
        ),
        (lambda x: jax.debug.print("{}", {"a": (x[0], None)}), None, 0),
        (lambda x: jax.debug.print("{} {}", x[0], Odd()), "3.0 odd\n", 1),
    ],
)
def test_printing_stays(capsys: pytest.CaptureFixture[str], show: Any, printed: Any, notes: int) -> None:
    def program(x: Any) -> Any:
        show(x)
        return x

    closed = jax.make_jaxpr(program)(ROW)
    repro = emit_flat(closed, [ROW], header=Header())
    assert len(repro.header.notes) == notes
    texts = []
    for fun in (program, repro.load_function()):
        jax.block_until_ready(jax.jit(fun)(ROW))
        jax.effects_barrier()
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == (printed or texts[0]) != ""


def test_the_key_of_a_script_is_that_of_the_log() -> None:
    """Written twice, because a script has no imports: types and bytes both count."""
    closed = jax.make_jaxpr(lambda x: jax.pure_callback(double, VECTOR, x))(ROW)
    log = callback_log.Log()
    log.note(closed.eqns[0].params["callback"], [ROW], [ROW], pure=True, ordered=False)
    space = emit_flat(closed, [ROW], header=Header(), callback_log=log).namespace()
    written = space["double"]
    assert np.array_equal(written(ROW)[0], ROW)
    for other in (ROW.astype(np.float64), ROW[None], -ROW):
        with pytest.raises(LookupError, match=textwrap.shorten("was not called with these arguments", 80)):
            written(other)


def logged(*rows: Any, result: Any = ROW, callback: Callable[..., Any] = double) -> Callable[..., Any]:
    """A callback in a script, which has answered each of these arguments with `result` times its number from 1."""
    closed = jax.make_jaxpr(lambda *args: jax.pure_callback(callback, VECTOR, *args))(*rows[0])
    log = callback_log.Log()
    for number, row in enumerate(rows, 1):
        log.note(closed.eqns[0].params["callback"], row, [result * number], pure=True, ordered=False)
    repro = emit_flat(closed, rows[0], header=Header(), callback_log=log)
    again = emit_flat(trace_repro(repro)[0], rows[0], header=Header())  # a script of a script
    return again.namespace()[callback.__name__]


def test_what_rounding_moves_is_answered_as_the_nearest_that_was_recorded() -> None:
    """Another compiler rounds otherwise, and is not to find that nothing was recorded for what it computes."""
    written = logged([ROW], [ROW * np.float32(1.0001)], [-ROW])
    for number, near in (
        (1, ROW * 1.00001),
        (2, ROW * 1.00008),
        (3, ROW * -1.0003),
        (1, ROW + np.float32([1e-6, 0, 0])),
    ):
        assert np.array_equal(written(near.astype(np.float32))[0], ROW * number)
    for far in (ROW * 1.001, ROW + np.float32([0.01, 0, 0]), ROW * np.nan, ROW * np.inf, ROW * 0):
        with pytest.raises(LookupError, match="was not called with these arguments"):
            written(far.astype(np.float32))


def test_what_a_script_of_an_earlier_release_was_answered_stays() -> None:
    """Its tables have no arguments: it answers for the same ones, and for no others."""

    def double(*args: Any) -> Any:
        raise AssertionError("its answers are asked")

    key = callback_log.arguments_key([ROW], types_only=False)
    double.recorded = "pure_callback double (old.py:1)", False, ((np.uint64([key]), [ROW[None] * 7]),)
    closed = jax.make_jaxpr(lambda x: jax.pure_callback(double, VECTOR, x))(ROW)
    written = emit_flat(closed, [ROW], header=Header()).namespace()["double"]
    assert np.array_equal(written(ROW)[0], ROW * 7)
    with pytest.raises(LookupError, match="was not called with these arguments"):
        written(ROW * np.float32(1.00001))


def test_infinities_and_nan_are_near_themselves_alone() -> None:
    special = np.float32([np.inf, np.nan, 1.0])
    written = logged([special])
    assert np.array_equal(written(np.float32([np.inf, np.nan, 1.00001]))[0], ROW)
    for other in ([np.inf, np.nan, 2], [-np.inf, np.nan, 1.00001], [np.inf, 0, 1], [1e30, np.nan, 1]):
        with pytest.raises(LookupError, match="was not called with these arguments"):
            written(np.float32(other))


def test_integers_beside_numbers_are_the_same_or_not() -> None:
    half = ROW.astype(jnp.bfloat16)
    written = logged([half, np.int32([7])], [half, np.int32([8])])
    near = (ROW * 1.03).astype(jnp.bfloat16)
    assert not np.array_equal(near, half)
    assert np.array_equal(written(near, np.int32([8]))[0], ROW * 2)
    with pytest.raises(LookupError, match="was not called with these arguments"):
        written(near, np.int32([9]))


def test_the_arguments_of_a_log_count_as_its_results_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callback_log, "LIMIT", 20)
    log = callback_log.Log()
    log.note(double, [ROW], [np.float32(1)], pure=True, ordered=False)
    assert log.complete
    log.note(double, [ROW + 1], [np.float32(1)], pure=True, ordered=False)
    assert not log.complete


def settled(x: Any) -> Any:
    """What a callback is given after some sums, of which rounding moves the last digits."""
    return x * jax.pure_callback(np.tanh, SCALAR, jnp.sum(jnp.exp(x) * jnp.sin(x)) / 1000)


def chaotic(x: Any) -> Any:
    """What a callback is given after a recurrence in which rounding grows to all digits."""
    step = lambda c, _: (3.97 * c * (1 - c) + jnp.sin(c) * 1e-3 - jnp.cos(c) * 1e-3, None)
    return jax.pure_callback(np.tanh, VECTOR, lax.scan(step, x, None, length=200)[0])


@pytest.mark.parametrize(
    ("program", "arg", "outcomes"),
    [
        (settled, np.linspace(0, 3, 5003, dtype=np.float32), {"ok"}),
        (chaotic, np.float32([0.1, 0.4, 0.8]), {"ok", "ill-conditioned"}),
    ],
)
def test_nobody_is_accused_where_rounding_moves_what_a_callback_is_given(
    tmp_path: Path, program: Any, arg: Any, outcomes: set[str]
) -> None:
    with record(tmp_path) as rec:
        jax.jit(program)(arg)
    (entry,) = (e for e in rec.entries if not e.entry.eager)
    verdicts = check_repro(load(rec.recording.path(entry)), ["fused", "canonical"])
    assert {verdict.outcome for verdict in verdicts} <= outcomes, [verdict.detail for verdict in verdicts]


class Adder:
    def __init__(self, amount: float) -> None:
        self.amount = amount

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return x + np.float32(self.amount)

    def add(self, x: np.ndarray) -> np.ndarray:
        return self(x)


CALLBACKS: dict[str, Callable[..., Any]] = {
    "def": double,
    "lambda": lambda x: x + np.float32(3),
    "other constant": lambda x: x + np.float32(4),
    "partial": functools.partial(np.add, np.float32(1)),
    "method": Adder(5).add,
    "object": Adder(6),
}


@pytest.mark.parametrize("kind", [jax.pure_callback, io_callback])
def test_programs_that_differ_in_their_callback_are_entries_of_their_own(tmp_path: Path, kind: Any) -> None:
    with record(tmp_path / "out") as rec:
        results = [jax.jit(lambda x, f=f: kind(f, VECTOR, x))(ROW) for f in CALLBACKS.values()]
    entries = [e for e in rec.entries if not e.entry.eager]
    assert len(entries) == len(CALLBACKS)
    assert len({e.entry.fingerprint for e in entries}) == 1
    assert len(entry_reports(rec.recording, max_inputs=1)) == len(rec.entries)
    for entry, result in zip(entries, results, strict=True):
        repro = load(rec.recording.path(entry))
        np.testing.assert_array_equal(jax.jit(repro.load_function())(ROW), result)


def test_callbacks_that_only_look_tell_programs_apart_too(tmp_path: Path) -> None:
    with record(tmp_path / "out") as rec:
        for look in (lambda x: None, lambda x: str(x)):
            for _ in range(2):  # made and traced anew: the same code, the same entry
                jax.jit(lambda x, look=look: (jax.debug.callback(lambda v: look(v), x), x + 1)[1])(ROW)
            jax.jit(lambda x, look=look: (jax.debug.callback(look, x), x + 1)[1])(ROW)
    assert sorted(e.calls for e in rec.entries if not e.entry.eager) == [1, 1, 4]
