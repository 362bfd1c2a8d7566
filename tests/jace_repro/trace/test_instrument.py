"""Taking hold of JAX's public functions: nobody can tell while it lasts, and nothing is left afterwards."""

from __future__ import annotations

import ast
import copy
import functools
import gc
import importlib
import inspect
import pickle
import re
import subprocess
import sys
import threading
import traceback
import types
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro import record
from jace_repro.trace import bodies, instrument, stack
from jace_repro.trace import inspect as trace_inspect
from jace_repro.trace.public_api import public_objects
from jace_repro.tracker import hooks

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)


def functions() -> dict[str, types.FunctionType]:
    """JAX's public functions that are written in Python, and the methods of arrays."""
    from jax._src.numpy import array_methods

    found = {p.name: p.value for p in public_objects().values() if isinstance(p.value, types.FunctionType)}
    for table in (array_methods._array_operators, array_methods._array_methods):
        found |= {f"Array.{n}": f for n, f in table.items() if isinstance(f, types.FunctionType)}
    found |= {
        f"at.{n}": f
        for n, f in vars(array_methods._IndexUpdateRef).items()
        if isinstance(f, types.FunctionType)
    }
    return found


def identity(fun: types.FunctionType) -> dict[str, Any]:
    """What a function is: all that a program could keep of it."""
    return {
        "code": fun.__code__,
        "defaults": fun.__defaults__,
        "keyword defaults": fun.__kwdefaults__,
        "attributes": dict(vars(fun)),
        "closure": fun.__closure__,
        "annotations": fun.__annotations__,
    }


def appearance(fun: types.FunctionType) -> dict[str, Any]:
    """What a program sees of a function without running it."""
    code = inspect.unwrap(fun).__code__  # whoever looks for a source does that first
    return {
        "signature": str(inspect.signature(fun)),
        "name": (fun.__name__, fun.__qualname__, fun.__module__, fun.__doc__),
        "place": (code.co_filename, code.co_firstlineno, code.co_name, code.co_qualname),
        "free": fun.__code__.co_freevars,
        "defaults": (repr(fun.__defaults__), repr(fun.__kwdefaults__)),
        "wrapped": getattr(fun, "__wrapped__", None),
    }


def hooked() -> set[str]:
    """What is in the places of JAX that the recorder takes."""
    found = set()
    for module_name, path in instrument.NEEDED:
        value: Any = importlib.import_module(module_name)
        for part in path.split("."):
            value = getattr(value, part)
        found.add(f"{module_name}.{path} {id(value)}")
    return found


def test_public_functions_look_as_before_while_recording(tmp_path: Path) -> None:
    before = {name: appearance(fun) for name, fun in functions().items()}
    codes = {name: fun.__code__ for name, fun in functions().items()}
    seen: list[tuple[dict[str, Any], int]] = []

    def look(x):
        changed = sum(fun.__code__ is not codes[name] for name, fun in functions().items())
        seen.append(({name: appearance(fun) for name, fun in functions().items()}, changed))
        return x

    with record(tmp_path):
        assert {name: appearance(fun) for name, fun in functions().items()} == before
        jax.jit(look)(X)
    (during, changed) = seen[0]
    for looks in (*during.values(), *before.values()):
        del looks["place"]  # the tracker's file: JAX leaves its frames out of tracebacks
    assert during == before
    assert changed > 300  # else this test would see nothing


def test_public_functions_are_as_before_afterwards(tmp_path: Path) -> None:
    before = {name: identity(fun) for name, fun in functions().items()}
    places = hooked()
    seen = []
    with record(tmp_path):
        jax.jit(lambda x: jnp.sin(x) + jax.vmap(lambda v: v * 2)(x))(X)
        jax.jit(lambda x: seen.append(hooked()) or x)(X)
        changed = {place.partition(" ")[0] for place in hooked() ^ places}
        assert changed == {"jax._src.api.VJP.__call__"}  # only traces need more
    assert seen != [places]
    assert {name: identity(fun) for name, fun in functions().items()} == before
    assert hooked() == places


def test_everything_is_as_before_when_the_body_raises(tmp_path: Path) -> None:
    before = {name: identity(fun) for name, fun in functions().items()}
    places = hooked()

    def fails(x):
        return jax.vmap(lambda v: v @ jnp.ones((2, 7)))(x)

    with pytest.raises(ValueError, match="matmul"), record(tmp_path):
        jax.jit(fails)(X)
    assert {name: identity(fun) for name, fun in functions().items()} == before
    assert hooked() == places
    assert not stack.is_open()


def test_recordings_overlap_in_any_order(tmp_path: Path) -> None:
    """The last one to end takes everything away, whichever it is."""
    before = {name: identity(fun) for name, fun in functions().items()}
    one, two = record(tmp_path / "one"), record(tmp_path / "two")
    first = one.__enter__()
    second = two.__enter__()
    jax.jit(lambda x: jnp.sin(x) * 2)(X)
    one.__exit__(None, None, None)
    codes = []
    jax.jit(lambda x: codes.append(jnp.where.__code__) or jnp.cos(x) * 3)(X)
    assert codes[0] is not before["jax.numpy.where"]["code"]
    two.__exit__(None, None, None)
    assert {name: identity(fun) for name, fun in functions().items()} == before
    assert [e.calltree is not None for e in first.entries if not e.entry.eager] == [True]
    assert [e.calltree is not None for e in second.entries if not e.entry.eager] == [True, True]


def test_objects_are_the_same_before_during_and_after(tmp_path: Path) -> None:
    """Whoever imported a function, whenever and under whatever name, has the one that is recorded."""
    from jax.numpy import mean as mine
    from jax.numpy import where as also_mine

    kept = {"mean": jnp.mean, "where": jnp.where, "vmap": jax.vmap, "scan": lax.scan, "relu": jax.nn.relu}
    with record(tmp_path) as rec:
        assert kept["mean"] is jnp.mean is mine
        assert kept["where"] is jnp.where is also_mine
        assert kept["vmap"] is jax.vmap
        assert kept["scan"] is lax.scan
        assert kept["relu"] is jax.nn.relu
        assert pickle.loads(pickle.dumps(jnp.where)) is jnp.where
        assert copy.deepcopy(lax.scan) is lax.scan
        assert hash(jnp.where) == hash(kept["where"])
        jax.jit(lambda x: also_mine(x > 0, mine(x), x))(X)
    assert kept["where"] is jnp.where
    (entry,) = [e for e in rec.entries if not e.entry.eager]
    assert entry.calltree is not None
    assert "jnp.where(x > 0, jnp.mean(x), x)" in (rec.directory / entry.calltree).read_text()


def test_sources_and_documentation_are_found_while_recording(tmp_path: Path) -> None:
    before = [inspect.getsource(f) for f in (jnp.where, jax.vmap, lax.scan, jnp.linalg.norm)]
    with record(tmp_path):
        during = [inspect.getsource(f) for f in (jnp.where, jax.vmap, lax.scan, jnp.linalg.norm)]
        assert "condition" in (inspect.getdoc(jnp.where) or "")
        assert inspect.unwrap(jnp.where) is jnp.where
    assert during == before


def test_a_wrapper_made_while_recording_works_afterwards(tmp_path: Path) -> None:
    with record(tmp_path):
        wrapped = functools.wraps(jnp.where)(lambda *args: jnp.where(*args))
        partial = functools.partial(jnp.where, X > 0)
        mapped = jax.vmap(lambda v: jnp.where(v > 0, v, 0))
        gradient = jax.jit(jax.grad(lambda v: jnp.sum(v**2)))
        inside = np.asarray(gradient(X))
    assert inspect.signature(wrapped) == inspect.signature(jnp.where)
    np.testing.assert_array_equal(partial(X, -X), np.abs(X))
    np.testing.assert_array_equal(mapped(X), np.maximum(X, 0))
    np.testing.assert_array_equal(gradient(X), inside)


def test_calls_outside_a_trace_are_what_they_were(tmp_path: Path) -> None:
    def work() -> list[Any]:
        return [
            jnp.where(X > 0, X, 1.0),
            jnp.linalg.norm(X),
            jax.vmap(lambda v: v * 2)(X),
            jax.grad(lambda v: jnp.sum(v**3))(X),
            lax.scan(lambda c, s: (c + s, c * s), 0.0, X),
            jnp.asarray(X).at[0].set(7.0),
            jnp.asarray(X)[1:] @ jnp.asarray(X)[:-1],
            jax.nn.softmax(X),
            jax.random.normal(jax.random.key(0), (3,)),
            jax.eval_shape(jnp.sin, X).shape,
        ]

    plain = jax.tree.leaves(work())
    with record(tmp_path) as rec:
        recorded = jax.tree.leaves(work())
    assert rec.recording.tracker_errors == ()
    for one, other in zip(plain, recorded, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: jnp.where(),
        lambda x: jnp.where(x, 1, 2, 3, 4),
        lambda x: jnp.stack(x, axis=7),
        lambda x: jax.vmap(3)(x),
        lambda x: jax.vmap(lambda v: v, in_axes=5)(x),
        lambda x: jax.grad(lambda v: v)(x),
        lambda x: lax.scan(lambda c, s: (c, s, 3), 0.0, x),
        lambda x: lax.scan(lambda c, s: (c[0:1], s), x, x),
        lambda x: x.reshape(3, 7),
        lambda x: x @ jnp.ones((3, 3)),
        lambda x: x["name"],
        lambda x: x.at[0].set("text"),
        lambda x: bool(x > 0),
        lambda x: x.no_such_method(),
        lambda x: jnp.no_such_function(x),
        lambda x: jnp.einsum("ij->k", x),
        lambda x: jax.jit(lambda v: v.missing)(x),
        lambda x: lax.cond(x, lambda: 1, lambda: 2),
        lambda x: jax.checkpoint(lambda v: 1 / 0)(x),
        lambda x: jax.vjp(lambda v: v * 2, x)[1](1.0, 2.0),
        lambda x: divmod(x, "a"),
        lambda x: x + object(),
        lambda x: float(x.sum()),
        lambda x: [][x[0]],
        lambda x: jnp.zeros(x),
        lambda x: jax.vmap(lambda v: {}[v])(x),
    ],
)
def test_errors_are_what_they_were(call: Callable[[Any], Any], tmp_path: Path) -> None:
    """Type, text and the user's own frames of what is raised, also of what it came from."""

    def attempt() -> list[Any]:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (whatever JAX says)
            jax.jit(lambda x: call(x))(X)
        return list(_told(caught.value))

    plain = attempt()
    with record(tmp_path) as rec:
        recorded = attempt()
    assert recorded == plain
    assert attempt() == plain
    assert rec.recording.tracker_errors == ()


def _told(error: BaseException | None) -> Iterator[Any]:
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        mine = [(f.name, f.lineno, f.line) for f in frames if f.filename == __file__]
        yield type(error).__name__, _without_addresses(str(error)), mine, len(getattr(error, "__notes__", ()))
        error = error.__cause__


def _without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def test_the_filtered_traceback_has_no_frame_of_ours(tmp_path: Path) -> None:
    def fails(x):
        return jax.vmap(lambda v: jnp.where(v > 0, v, jnp.ones(7)) @ jnp.ones(3))(x)

    def attempt() -> str:
        with pytest.raises(TypeError) as caught:
            jax.jit(fails)(X)
        return "".join(traceback.format_exception(caught.value))

    plain = attempt()
    with record(tmp_path):
        recorded = attempt()
    ours = str(Path(stack.__file__).parent)
    assert ours not in plain
    assert ours not in recorded


def test_every_frame_of_the_stack_can_be_read(tmp_path: Path) -> None:
    """A debugger or a test framework looks at the variables of all frames."""
    seen: list[dict[str, set[str]]] = []

    def walk(v):
        frame = sys._getframe()
        names: dict[str, set[str]] = {}
        while frame is not None:
            names[frame.f_code.co_qualname] = set(frame.f_locals)
            str(frame.f_lineno)
            frame = frame.f_back
        seen.append(names)
        return v * 2

    def program(x):
        y = x + 1
        return jax.vmap(walk)(y) + jax.grad(lambda v: jnp.sum(walk(v)))(x) + lax.map(walk, x)

    with record(tmp_path) as rec:
        jax.jit(program)(X)
    assert len(seen) == 3
    for names in seen:
        mine = next(n for n in names if n.endswith("<locals>.program"))
        assert names[mine] == {"x", "y", "walk"}
    assert rec.recording.tracker_errors == ()


def test_functions_handed_to_jax_stay_the_users(tmp_path: Path) -> None:
    """What a transform says of its function, and what the function says of itself."""

    def mine(v):
        """Mine."""
        return v * 2

    mine.attribute = 1  # type: ignore[attr-defined]
    with record(tmp_path):
        made = [jax.vmap(mine), jax.grad(mine), jax.jit(mine), jax.checkpoint(mine)]
        jax.jit(lambda x: jax.vmap(mine)(x))(X)
        assert [m.__name__ for m in made] == ["mine"] * 4
        assert [inspect.unwrap(m) for m in made] == [mine] * 4
    assert vars(mine) == {"attribute": 1}
    assert (mine.__doc__, mine.__name__, mine.__wrapped__ if hasattr(mine, "__wrapped__") else None) == (
        "Mine.",
        "mine",
        None,
    )


def test_custom_rules_are_the_users_afterwards(tmp_path: Path) -> None:
    @jax.custom_vjp
    def f(x):
        return x * 2

    def forward(x):
        return f(x), None

    def backward(_, g):
        return (g * 3,)

    f.defvjp(forward, backward)
    with record(tmp_path):
        jax.jit(lambda x: jax.grad(lambda v: f(v).sum())(x))(X)
        jax.jit(f)(X)
        assert (f.fwd, f.bwd) == (forward, backward)
    np.testing.assert_array_equal(jax.grad(lambda v: f(v).sum())(X), np.full(4, 3.0))
    assert f.fun.__name__ == "f"


def test_a_thread_that_was_there_before_is_not_disturbed(tmp_path: Path) -> None:
    """A call that is under way when the recording begins, or ends, goes on as it began."""
    inside, go_on = threading.Event(), threading.Event()
    found: list[Any] = []

    def slow(v):
        inside.set()
        assert go_on.wait(60)
        return v * 2

    def work() -> None:
        found.append(jax.jit(lambda x: jax.vmap(slow)(x) + jnp.where(x > 0, x, 0))(X))

    for begins_before in (True, False):
        inside.clear()
        go_on.clear()
        thread = threading.Thread(target=work)
        if begins_before:
            thread.start()
            assert inside.wait(60)
            with record(tmp_path / "before") as rec:
                go_on.set()
                thread.join()
        else:
            with record(tmp_path / "after") as rec:
                thread.start()
                assert inside.wait(60)
            go_on.set()
            thread.join()
        assert rec.recording.tracker_errors == ()
    for out in found:
        np.testing.assert_array_equal(out, X * 2 + np.maximum(X, 0))
    assert len(found) == 2


@pytest.mark.parametrize("trace_ends_first", [True, False])
def test_a_recording_begins_while_a_trace_of_the_last_one_goes_on(
    tmp_path: Path, trace_ends_first: bool
) -> None:
    """Both leave JAX as it was, and the functions say their signatures all the while."""
    before = {name: identity(fun) for name, fun in functions().items()}
    signature, places = str(inspect.signature(jnp.where)), hooked()
    inside, go_on = threading.Event(), threading.Event()
    found: list[Any] = []

    def program(x):
        inside.set()
        assert go_on.wait(60)
        found.append(str(inspect.signature(jnp.where)))
        return jnp.where(x > 0, x, 0)

    thread = threading.Thread(target=lambda: found.append(jax.jit(program)(X)))
    with record(tmp_path / "one"):
        thread.start()
        assert inside.wait(60)
    second = record(tmp_path / "two")
    recording = second.__enter__()
    found.append(str(inspect.signature(jnp.where)))
    if not trace_ends_first:
        second.__exit__(None, None, None)
    go_on.set()
    thread.join()
    if trace_ends_first:
        jax.jit(lambda x: jnp.where(x > 1, x, 0))(X)
        second.__exit__(None, None, None)
        (entry,) = [e for e in recording.entries if not e.entry.eager and e.entry.name == "<lambda>"]
        assert entry.calltree is not None
    assert found[:2] == [signature, signature]
    np.testing.assert_array_equal(found[2], np.maximum(X, 0))
    assert {name: identity(fun) for name, fun in functions().items()} == before
    assert hooked() == places


LEAKS = """
import sys
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jace_repro import record

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)
kept = []

def program(x, leak):
    y = jax.vmap(lambda v: jnp.sin(v) * x.sum())(x)
    z = lax.scan(lambda c, s: (c + s, c), y, jnp.stack([x, y]))[0]
    if leak:
        kept.append(z)
    return jax.grad(lambda v: (v * z).sum())(x)

with jax.checking_leaks(), record(sys.argv[1]) as rec:
    clean = jax.jit(lambda x: program(x, False))(X)
    try:
        jax.jit(lambda x: program(x, True))(X)
        leak = "none"
    except Exception as error:
        leak = str(error)[:6]
kept.clear()
same = np.array_equal(clean, jax.jit(lambda x: program(x, False))(X))
print(leak, same, rec.recording.tracker_errors)
"""


def test_tracer_leaks_are_checked_while_recording(tmp_path: Path) -> None:
    """The check finds what the program leaks, and nothing that the recorder holds.

    In a process of its own: JAX asks for all referrers of a tracer, minutes in one with the objects of a test run.
    """
    done = subprocess.run(
        [sys.executable, "-c", LEAKS, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "Leaked True ()\n"), done.stderr


# ------------------------------------------------------------------------------------------------ the probe


@pytest.mark.parametrize(("module", "path"), instrument.NEEDED)
def test_a_name_that_jax_no_longer_has_is_reported(
    module: str, path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Recording refuses, says what is missing, and changes nothing."""
    owner: Any = importlib.import_module(module)
    *inner, name = path.split(".")
    for part in inner:
        owner = getattr(owner, part)
    assert hooks.probe() == []
    code = jnp.where.__code__
    with monkeypatch.context() as patch:
        patch.delattr(owner, name)
        assert set(hooks.probe()) == {f"{module}.{path}"}
        with pytest.raises(hooks.HooksUnavailable, match=f"{module}.{path}"), record(tmp_path):
            raise AssertionError("not reached")
    assert jnp.where.__code__ is code
    assert hooks.probe() == []


FILES = sorted(Path(instrument.__file__).parent.glob("*.py"))


def _used(tree: ast.Module) -> set[str]:
    """The attributes that a module takes from modules in jax._src, and what it imports of them by name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jax._src"):
            names = {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
            found |= {
                f"{names[use.value.id]}.{use.attr}"
                for use in ast.walk(tree)
                if isinstance(use, ast.Attribute)
                and isinstance(use.value, ast.Name)
                and use.value.id in names
                and use.attr != "__file__"
                and not isinstance(use.value.ctx, ast.Store)
            }
    return found


@pytest.mark.parametrize("file", [Path(hooks.__file__), *FILES], ids=lambda path: path.stem)
def test_no_name_that_is_used_is_missing_from_the_probe(file: Path) -> None:
    """Every attribute that a module takes from jax._src modules is asked for by a probe."""
    asked = {f"{m}.{path}" for m, path in (*instrument.NEEDED, *trace_inspect.NEEDED, *hooks._NEEDED)}
    owners = {name.rpartition(".")[0] for name in asked}
    assert {u for u in _used(ast.parse(file.read_text())) if u not in asked and u not in owners} == set()


def test_the_probe_sees_what_is_used() -> None:
    used = {file.stem: _used(ast.parse(file.read_text())) for file in FILES}
    assert "jax._src.core.Primitive" in used["methods"]
    assert sum(map(len, used.values())) > 20


def test_a_body_is_let_go_with_its_jaxpr(tmp_path: Path) -> None:
    """The tables of bodies are weak: what JAX forgets is forgotten."""
    with record(tmp_path):

        def program(x):
            return jax.vmap(lambda v: v * 2)(x)

        jitted = jax.jit(program)
        jitted(X)
        function = weakref.ref(program)
        gc.collect()
        before = len(bodies._bodies)
        assert before > 0
        del jitted, program
        gc.collect()
        assert function() is None
        assert len(bodies._bodies) == before - 1


def test_what_is_known_of_a_jitted_method_outlives_its_trace(tmp_path: Path) -> None:
    """JAX has the jaxpr in a cache; who called the method first is long gone when the program calls it."""

    class Solver:
        def update(self, x):
            return jnp.sin(x) * 2

    update = jax.jit(Solver().update)
    with record(tmp_path) as rec:
        jax.eval_shape(lambda x: update(x), np.ones(3, np.float32))
        jax.make_jaxpr(lambda x: update(x))(np.ones(3, np.float32))
        gc.collect()
        update(np.ones(3, np.float32))
    (entry,) = [e for e in rec.entries if not e.entry.eager]
    assert (entry.calltree is not None, entry.calltree_note) == (True, None)
