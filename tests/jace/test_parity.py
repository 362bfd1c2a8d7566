"""docs/parity.md is so: a check for each of its rows, beside jax.jit, and a row for each public name of JAX's."""

from __future__ import annotations

import inspect
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.experimental import serialize_executable
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun
from jax.sharding import NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P
from places import ROOT

import jace

Jit = Callable[..., Any]
Check = Callable[[], None]

X = np.linspace(0.1, 1, 6, dtype=np.float32).reshape(2, 3)
LARGE = np.arange(99, dtype=np.float32)
ARGS: Any = {"x": X, "n": 3}
DEVICE = jax.devices("cpu")[0]

CHECKS: dict[tuple[str, str], Check] = {}


def row(section: str, *names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The check of these rows; it is called with the row's name if it takes one."""

    def register(check: Callable[..., None]) -> Callable[..., None]:
        for name in names:
            takes = bool(inspect.signature(check).parameters)
            CHECKS[section, name] = (lambda check=check, name=name: check(name)) if takes else check
        return check

    return register


def fun(tree: Any, *, scale: Any = 2.0) -> Any:
    """A dict to a dict."""
    return {"y": tree["x"] * scale + LARGE[:3], "n": tree["n"] + 1, "large": LARGE * scale}


@cache
def stage(name: str, jit: Jit) -> Any:
    traced = jit(fun).trace(ARGS, scale=3.0)
    if name == "Traced":
        return traced
    return traced.lower() if name == "Lowered" else stage("Lowered", jit).compile()


def same_values(read: Callable[[Jit], Any]) -> None:
    """`read` answers equal arrays of both."""
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), read(jace.jit), read(jax.jit))


def same(read: Callable[[Jit], Any]) -> None:
    """`read` answers the same of both."""
    assert read(jace.jit) == read(jax.jit)


def refused(call: Callable[[], Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        call()


# --- Arguments of jax.jit


@row("Arguments of jax.jit", "fun")
def argument_fun() -> None:
    same_values(lambda jit: jit(fun)(ARGS))
    same_values(lambda jit: jit()(fun)(ARGS))
    kinds = {inspect.signature(jit).parameters["fun"].kind for jit in (jace.jit, jax.jit)}
    assert kinds == {inspect.Parameter.POSITIONAL_ONLY}


@row("Arguments of jax.jit", "in_shardings", "out_shardings")
def argument_shardings(name: str) -> None:
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=[DEVICE])
    for sharding in (None, SingleDeviceSharding(DEVICE), NamedSharding(mesh, P("x"))):
        same(lambda jit, s=sharding: jit(lambda x: x * 2, **{name: s})(X).sharding)
        same_values(lambda jit, s=sharding: jit(lambda x: x * 2, **{name: s})(X))
    refused(lambda: jace.jit(fun, **{name: P("x")}), ValueError, f"{name}: .*one CPU device")


@row("Arguments of jax.jit", "static_argnums", "static_argnames")
def argument_static(name: str) -> None:
    which = {"static_argnums": 1, "static_argnames": "shape"}[name]
    same_values(lambda jit: jit(lambda x, shape: x.reshape(shape), **{name: which})(X, (3, 2)))


@row("Arguments of jax.jit", "donate_argnums", "donate_argnames")
def argument_donate(name: str) -> None:
    which = {"donate_argnums": 0, "donate_argnames": "x"}[name]

    def donated(jit: Jit) -> tuple[bool, bool]:
        x = jnp.ones(64)
        buffer = x.unsafe_buffer_pointer()
        found = jit(lambda x: x + 1, **{name: which})(x)
        return x.is_deleted(), found.unsafe_buffer_pointer() == buffer

    same(donated)
    assert donated(jace.jit) == (True, True)
    compiled = jace.jit(lambda x: x + 1, **{name: which}).lower(jnp.ones(64)).compile()
    assert compiled.memory_analysis().temp_size_in_bytes == 64 * 4  # XLA's copy


@row("Arguments of jax.jit", "keep_unused")
def argument_keep_unused() -> None:
    def size(jit: Jit, keep: bool) -> int:
        compiled = jit(lambda x, unused: x + 1, keep_unused=keep).lower(X, LARGE).compile()
        return int(compiled.memory_analysis().argument_size_in_bytes)

    same(lambda jit: [size(jit, keep) for keep in (False, True)])
    assert size(jace.jit, True) == size(jace.jit, False) + LARGE.nbytes


@row("Arguments of jax.jit", "device", "backend")
def argument_place(name: str) -> None:
    which = {"device": DEVICE, "backend": "cpu"}[name]
    with pytest.warns(DeprecationWarning, match="backend and device argument on jit is deprecated"):
        same_values(lambda jit: jit(fun, **{name: which})(ARGS))
    if name == "backend":
        refused(lambda: jace.jit(fun, backend="tpu"), ValueError, "backend='tpu': .*use jax.jit there")


@row("Arguments of jax.jit", "inline")
def argument_inline() -> None:
    def outer(jit: Jit, inline: bool) -> list[str]:
        jaxpr = jax.make_jaxpr(lambda x: jit(lambda x: x + 1, inline=inline)(x))(X)
        return [eqn.primitive.name for eqn in jaxpr.eqns]

    assert outer(jax.jit, False) == outer(jace.jit, False) == ["jit"]
    inlined = outer(jax.jit, True)
    assert inlined in (["add"], ["jit"])  # from jax 0.11 on JAX inlines later than it traces
    assert outer(jace.jit, True) == (["jace_call"] if inlined == ["add"] else ["jit"])


@row("Arguments of jax.jit", "compiler_options")
def argument_compiler_options() -> None:
    np.testing.assert_array_equal(jace.jit(lambda x: x + 1, compiler_options={"opt": 1})(X), X + 1)
    refused(lambda: jace.jit(fun, compiler_options={"xla_x": 1}), ValueError, "XLA's own mean nothing")


# --- The function that jit answers


@row("The function that jit answers", "__call__")
def function_call() -> None:
    same_values(lambda jit: jit(fun)(ARGS, scale=3.0))
    same_values(lambda jit: jax.grad(lambda x: jax.jit(jit(fun))({"x": x, "n": 0.0})["y"].sum())(X))
    same_values(lambda jit: jax.vmap(jit(lambda x: x.sum()))(X))


@row("The function that jit answers", "trace", "lower")
def function_stages(name: str) -> None:
    kind = {"trace": jace.Traced, "lower": jace.Lowered}[name]
    assert isinstance(getattr(jace.jit(fun), name)(ARGS), kind)


@row("The function that jit answers", "eval_shape")
def function_eval_shape() -> None:
    same(lambda jit: jit(fun).eval_shape(ARGS))


@row("The function that jit answers", "clear_cache")
def function_clear_cache() -> None:
    def traces(jit: Jit) -> int:
        seen: list[Any] = []

        def noting(x: Any) -> Any:
            seen.append(x)
            return x + 1

        wrapped = jit(noting)
        wrapped(X), wrapped(X)
        wrapped.clear_cache()
        wrapped(X), wrapped(X)
        return len(seen)

    same(traces)
    assert traces(jace.jit) == 2


@row("The function that jit answers", "__wrapped__", "__name__")
def function_names(name: str) -> None:
    for each in (name, "__qualname__", "__module__", "__doc__", "__annotations__"):
        same(lambda jit, each=each: getattr(jit(fun), each))
    same(lambda jit: inspect.signature(jit(fun)))


@row("The function that jit answers", "_cache_size")
def function_cache_size() -> None:
    def sizes(jit: Jit) -> list[int]:
        wrapped = jit(lambda x: x + 1)
        found = [wrapped._cache_size()]
        for size in (1, 2, 1):
            wrapped(np.ones(size))
            found.append(wrapped._cache_size())
        return found

    same(sizes)
    assert not {"_fun", "_jit_info"} & set(dir(jace.jit(fun)))


@row("jax.stages.Wrapped", "trace", "lower")
def wrapped_protocol() -> None:
    same(lambda jit: isinstance(jit(fun), jax.stages.Wrapped))


# --- jax.stages.Traced, Lowered, Compiled


def of_each_stage(name: str) -> Callable[[str], None]:
    return lambda attribute: same(lambda jit: getattr(stage(name, jit), attribute))


for _name in ("Traced", "Lowered", "Compiled"):
    _tree = ("args_info", "in_avals", "in_tree", "out_info", "out_tree", "donate_argnums")
    row(f"jax.stages.{_name}", *_tree)(of_each_stage(_name))
row("jax.stages.Traced", "fun_name", "out_avals")(of_each_stage("Traced"))
_placed = ("input_shardings", "input_formats", "output_shardings", "output_formats")
row("jax.stages.Compiled", *_placed)(of_each_stage("Compiled"))


@row("jax.stages.Traced", "jaxpr")
def traced_jaxpr() -> None:
    def run(jit: Jit) -> Any:
        closed = stage("Traced", jit).jaxpr
        assert isinstance(closed, ClosedJaxpr)
        assert [aval.shape for aval in closed.in_avals] == [(), (2, 3), ()]  # what it closes over is no input
        return jaxpr_as_fun(closed)(3, X, 3.0)

    same_values(run)


@row("jax.stages.Traced", "lojax")
def traced_lojax() -> None:
    same(lambda jit: stage("Traced", jit).lojax.fun_name)


#: What the installed JAX may lack: the page says from which release on it is there.
LATER = {"effects", "closure_convert", "with_consts_as_arg", "physicalize"}


def from_jax_0_11(check: Check) -> Check:
    def checked() -> None:
        if not hasattr(jax.stages.Traced, "closure_convert"):
            pytest.skip("this JAX has it not")
        check()

    return checked


@row("jax.stages.Traced", "effects")
@from_jax_0_11
def traced_effects() -> None:
    same(lambda jit: stage("Traced", jit).effects)


@row("jax.stages.Traced", "closure_convert")
@from_jax_0_11
def traced_closure_convert() -> None:
    def run(jit: Jit) -> Any:
        consts, converted = stage("Traced", jit).closure_convert()
        return converted(consts, ARGS, scale=3.0)

    same_values(run)


@row("jax.stages.Traced", "with_consts_as_arg")
@from_jax_0_11
def traced_with_consts_as_arg() -> None:
    def run(jit: Jit) -> Any:
        consts, traced = stage("Traced", jit).with_consts_as_arg()
        return traced.lower().compile()(consts, ARGS, scale=3.0)

    same_values(run)


@row("jax.stages.Traced", "physicalize")
@from_jax_0_11
def traced_physicalize() -> None:
    refused(lambda: stage("Traced", jace.jit).physicalize(None), NotImplementedError, "Pallas")


@row("jax.stages.Traced", "__call__")
def traced_call() -> None:
    same_values(lambda jit: stage("Traced", jit)(ARGS, scale=3.0))


@row("jax.stages.Traced", "lower")
def traced_lower() -> None:
    traced = stage("Traced", jace.jit)
    assert isinstance(traced.lower(lowering_platforms=("cpu",)), jace.Lowered)
    refused(lambda: traced.lower(lowering_platforms=("cuda",)), ValueError, "not for cuda; use jax.jit there")


@row("jax.stages.Lowered", "as_text")
def lowered_as_text() -> None:
    lowered = stage("Lowered", jace.jit)
    for dialect, word in {
        None: "  state ",
        "sdfg": "  tasklet ",
        "json": '"type": "SDFG"',
        "cpp": "DACE_EXPORTED void __program_",
        "jaxpr": "lambda ",
        "partition": "lambda ",
        "stablehlo": "stablehlo.custom_call @jace_call",
        "hlo": "HloModule",
    }.items():
        assert word in lowered.as_text(dialect)
    for dialect in ("sdfg", "jaxpr", "stablehlo"):
        assert __file__ in lowered.as_text(dialect, debug_info=True)
        assert __file__ not in lowered.as_text(dialect)
    refused(lambda: lowered.as_text("ptx"), ValueError, "'ptx'; choose one of 'sdfg', 'json', 'cpp', 'jaxpr'")


@row("jax.stages.Lowered", "compiler_ir")
def lowered_compiler_ir() -> None:
    lowered = stage("Lowered", jace.jit)
    assert isinstance(lowered.compiler_ir(), dace.SDFG)
    assert isinstance(lowered.compiler_ir("jaxpr"), ClosedJaxpr)
    for dialect in ("stablehlo", "hlo"):
        same(lambda jit, dialect=dialect: type(stage("Lowered", jit).compiler_ir(dialect)))
    refused(lambda: lowered.compiler_ir("ptx"), ValueError, "unknown dialect 'ptx'; choose one of")


@row("jax.stages.Lowered", "cost_analysis")
def lowered_cost_analysis() -> None:
    got, want = (stage("Lowered", jit).cost_analysis() for jit in (jace.jit, jax.jit))
    assert got == {key: want.get(key, 0.0) for key in ("flops", "transcendentals", "bytes accessed")}


@row("jax.stages.Lowered", "compile")
def lowered_compile() -> None:
    same_values(lambda jit: stage("Lowered", jit).compile(device_assignment=(DEVICE,))(ARGS, scale=3.0))
    refused(lambda: stage("Lowered", jace.jit).compile({"opt": 1}), ValueError, "give them to jace.jit")


@row("jax.stages.Compiled", "__call__")
def compiled_call() -> None:
    same_values(lambda jit: stage("Compiled", jit)(ARGS, scale=3.0))


@row("jax.stages.Compiled", "as_text")
def compiled_as_text() -> None:
    assert "DACE_EXPORTED void __program_" in stage("Compiled", jace.jit).as_text()


@row("jax.stages.Compiled", "cost_analysis")
def compiled_cost_analysis() -> None:
    got, want = (stage("Compiled", jit).cost_analysis() for jit in (jace.jit, jax.jit))
    assert set(got) == {"flops", "transcendentals", "bytes accessed", "kernels", "equations"}
    assert got["flops"] == want["flops"]


@row("jax.stages.Compiled", "memory_analysis")
def compiled_memory_analysis() -> None:
    got, want = (stage("Compiled", jit).memory_analysis() for jit in (jace.jit, jax.jit))
    assert set(vars(got)) == {name for name in dir(want) if name.endswith("_in_bytes")}
    assert got.argument_size_in_bytes == want.argument_size_in_bytes


@row("jax.stages.Compiled", "runtime_executable")
def compiled_runtime_executable() -> None:
    same(lambda jit: type(stage("Compiled", jit).runtime_executable()))


@row("jax.stages.Compiled", "call")
def compiled_static_call() -> None:
    refused(lambda: stage("Compiled", jace.jit).call, AttributeError, "private parameters.*call the Compiled")


# --- Around them


@row("Around them", "errors of tracing")
def errors_of_tracing() -> None:
    def words(jit: Jit) -> str:
        with pytest.raises(jax.errors.TracerBoolConversionError) as caught:
            jit(lambda x: x if x > 0 else -x)(1.0)
        return str(caught.value)

    same(words)


@row("Around them", "jax.export")
def exporting() -> None:
    with pytest.warns(UserWarning, match="XLA compiles and runs it, not DaCe"):
        found = export.export(jace.jit(fun))(ARGS)
    same_values(lambda jit: found.call(ARGS) if jit is jace.jit else jit(fun)(ARGS))


@row("Around them", "pickle")
def pickling() -> None:
    same_values(lambda jit: (pickle.loads(pickle.dumps(jit(fun))) if jit is jace.jit else jit(fun))(ARGS))
    refused(lambda: pickle.dumps(jax.jit(fun)), Exception, "pickle|local object")
    refused(lambda: pickle.dumps(jace.jit(lambda x: x)), pickle.PicklingError, "use cloudpickle")
    refused(lambda: pickle.dumps(stage("Lowered", jace.jit)), TypeError, "Pickle the jace.jit function")


@row("Around them", "serialize_executable")
def serializing() -> None:
    refused(
        lambda: serialize_executable.serialize(stage("Compiled", jace.jit)), TypeError, "cannot be pickled"
    )


SHARDED = """
import jax, jax.numpy as jnp, numpy as np, jace
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
halves = NamedSharding(mesh, P("i"))
f, x = jace.jit(jnp.sin), jnp.arange(4.0)
for found, sharding in ((f(jax.device_put(x, halves)), NamedSharding(mesh, P())),
                        (jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x), halves)):
    np.testing.assert_allclose(found, np.sin(x), rtol=1e-6)
    assert found.sharding == sharding, found.sharding
try:
    jace.jit(jnp.sin, in_shardings=halves)
except ValueError as error:
    print(error)
"""


@row("Around them", "sharded arguments")
def sharded_arguments() -> None:
    env = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = subprocess.run(
        [sys.executable, "-c", SHARDED], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "in_shardings: jace.jit runs a function on one CPU device, not spread over 2;"
    )


@row("Around them", "jax.disable_jit")
def disable_jit() -> None:
    def kind(jit: Jit) -> str:
        with jax.disable_jit():
            return str(jit(lambda x: [type(x).__name__])(X))

    same(kind)


# --- the page


def page() -> dict[str, dict[str, str]]:
    """Section -> name -> "same", "own" or "refused"."""
    sections = re.split(
        r"^## ", (ROOT / "docs" / "parity.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )[1:]
    rows = re.compile(r"^\| `?([^`|]+?)`? \| (\w+) \| ", re.MULTILINE)
    return {
        section.partition("\n")[0]: {name: kind for name, kind in rows.findall(section) if name != "name"}
        for section in sections
    }


ROWS = [(section, name) for section, names in page().items() for name in names]


def of(value: Any) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


#: What JAX has, by section; a release with more of it fails here until the page says what jace does.
THEIRS: dict[str, set[str]] = {
    "Arguments of jax.jit": set(inspect.signature(jax.jit).parameters),
    "The function that jit answers": of(jax.jit(fun)) | {"__call__", "__wrapped__", "__name__"},
    "jax.stages.Wrapped": of(jax.stages.Wrapped),
    **{f"jax.stages.{name}": of(stage(name, jax.jit)) for name in ("Traced", "Lowered", "Compiled")},
}


@pytest.mark.parametrize(("section", "name"), ROWS, ids=[f"{s.split('.')[-1]}-{n}" for s, n in ROWS])
def test_the_row_is_so(section: str, name: str) -> None:
    CHECKS[section, name]()


@pytest.mark.parametrize("section", THEIRS)
def test_every_public_name_of_jax_has_a_row(section: str) -> None:
    assert THEIRS[section] - set(page()[section]) == set()
    assert set(page()[section]) - THEIRS[section] <= {"__call__", "_cache_size"} | LATER


def test_rows_and_checks_are_the_same() -> None:
    assert list(CHECKS.keys() - set(ROWS)) == []
    assert {kind for names in page().values() for kind in names.values()} == {"same", "own", "refused"}


def test_what_jace_adds_is_named_on_the_page() -> None:
    text = (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")
    kinds = {
        "Traced": jace.Traced,
        "Lowered": jace.Lowered,
        "Compiled": jace.Compiled,
        "Wrapped": jace.Wrapped,
    }
    for section, names in THEIRS.items():
        kind = kinds.get(section.rpartition(".")[2])
        added = of(kind) - names if kind else set(inspect.signature(jace.jit).parameters) - names
        assert [name for name in added - {"of"} if f"`{name}`" not in text] == []
