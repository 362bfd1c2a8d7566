"""Pipelines of single transformations of DaCe's, and of passes that a user writes."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from dace.libraries.blas.environments import OpenBLAS
from dace.transformation import pass_pipeline
from dace.transformation.interstate import StateFusion
from places import ROOT
from script_modules import load_script

import jace
from jace import pipelines, user_passes
from jace.debug import Watch
from jace.settings import Settings
from jace.translate import transform

X = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)


def program(x: Any) -> Any:
    return jnp.sin(x) * 2, x.sum(0) + 1


def maps(pipeline: str) -> list[list[str]]:
    """The parameters of every map of the program, outermost first."""
    sdfg = jace.jit(program, pipeline=pipeline).lower(X).as_sdfg()
    return [list(n.map.params) for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.MapEntry)]


def right(pipeline: str) -> None:
    for got, wanted in zip(jace.jit(program, pipeline=pipeline)(X), program(X), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tests register is gone after them."""
    monkeypatch.setattr(user_passes, "_registered", {})
    monkeypatch.setattr(user_passes, "_given", None)


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "own.py"
        path.write_text(
            "import dace\nfrom dace.transformation.dataflow import MapTiling, MapExpansion\n" + text
        )
        return path

    return write


#: Takes every sine for a cosine.
COSINE = """
def cosine(sdfg):
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.Tasklet):
            node.code.as_string = node.code.as_string.replace("sin", "cos")
"""


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "full", "steps", "shorter"),
    [
        ("canonical/xform:MapTiling", None, ("xform:MapTiling",), ("canonical/none",)),
        ("xform:MapTiling~3", "canonical/xform:MapTiling~3", ("xform:MapTiling~3",), ("canonical/none",)),
        (
            "canonical/simplify+xform:MapTiling+a/own.py:f",
            None,
            ("simplify", "xform:MapTiling", "a/own.py:f"),
            ("canonical/none", "canonical/simplify", "canonical/simplify+xform:MapTiling"),
        ),
        (
            "auto-optimize+xform:MapTiling",
            "canonical/auto-optimize+xform:MapTiling",
            ("simplify", "auto-optimize", "xform:MapTiling"),
            ("canonical/none", "canonical/simplify", "canonical/auto-optimize"),
        ),
        ("canonical//tmp/own.py:f", None, ("/tmp/own.py:f",), ("canonical/none",)),
        (
            "canonical/none+xform:MapTiling",
            "canonical/xform:MapTiling",
            ("xform:MapTiling",),
            ("canonical/none",),
        ),
    ],
)
def test_a_pipeline_is_spelled_by_its_steps(
    name: str, full: str | None, steps: tuple[str, ...], shorter: tuple[str, ...]
) -> None:
    found = pipelines.find(name)
    assert (found.name, found.dace, found.shorter) == (full or name, steps, shorter)
    assert not found.fused
    assert pipelines.find(found.name) == found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("canonical/xform:MapTilin", "DaCe has no transformation 'MapTilin' .did you mean MapTiling"),
        ("canonical/simplify+", "unknown pipeline"),
        ("fused+xform:MapTiling", "unknown pipeline"),
        ("canonical/own", "FILE.py:NAME"),
        ("canonical/own.py:1f", "unknown pipeline"),
    ],
)
def test_what_is_no_step_is_refused(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pipelines.find(name)


@pytest.mark.parametrize("step", ["xform:MapTiling~3", "dir/own.py:MapTiling", "MapTiling", "MapTiling:pure"])
def test_a_step_is_called_by_its_last_name(step: str) -> None:
    assert pipelines.label(step) == "MapTiling"


# --- DaCe's transformations -------------------------------------------------------------------------------------------


def test_a_transformation_is_applied_once_at_every_match() -> None:
    assert [len(params) for params in maps("canonical")] == [2, 2, 1]
    tiled = maps("canonical/xform:MapTiling")
    assert sorted(params[0].startswith("tile_") for params in tiled) == [False] * 3 + [True] * 3
    right("canonical/xform:MapTiling")


def test_a_seed_draws_one_match() -> None:
    tiled = {seed: maps(f"canonical/xform:MapTiling~{seed}") for seed in range(4)}
    assert {len(params) for params in tiled.values()} == {4}
    assert len({str(params) for params in tiled.values()}) > 1
    assert maps("canonical/xform:MapTiling~2") == tiled[2]


def test_what_matches_nothing_is_known_without_trying() -> None:
    sdfg = jace.jit(program, pipeline="canonical").lower(X).as_sdfg()
    found = {
        name: transform.matches(name, sdfg)
        for name in ("MapTiling", "LoopUnroll", "StateFusion", "FuseStates")
    }
    assert found == {"MapTiling": True, "LoopUnroll": False, "StateFusion": True, "FuseStates": True}


def test_what_grows_by_itself_comes_to_an_end() -> None:
    """Each application makes two new matches."""
    assert len(maps("canonical/xform:StripMining")) == 6


def test_states_passes_and_subgraphs_are_transformed_alike() -> None:
    for name in ("StateFusion", "FuseStates", "SubgraphFusion"):
        right(f"canonical/simplify+xform:{name}")
    fused, plain = (
        list(jace.jit(program, pipeline=name).lower(X).as_sdfg().states())
        for name in ("canonical/xform:StateFusion", "canonical")
    )
    assert len(fused) < len(plain)


def test_steps_run_in_order_and_can_be_cut() -> None:
    pipeline = "canonical/simplify+xform:MapTiling+xform:MapCollapse"
    watch = Watch(compare=True)
    closed = jace.jit(program).trace(X).jaxpr
    jace.translate_jaxpr(closed, pipeline, watch=watch)
    changed = [run.label for run in watch.runs if run.changed and run.label.startswith("Map")]
    assert (
        changed == ["MapTiling/MapTiling", "MapTiling/MapTiling.2", "MapTiling/MapTiling.3"][: len(changed)]
    )
    assert changed
    assert (
        maps(f"{pipeline}@MapTiling/MapTiling") != maps(f"{pipeline}@simplify") == maps("canonical/simplify")
    )


@pytest.mark.ci
def test_the_catalogue_is_of_the_dace_that_is_installed() -> None:
    script = load_script("transformations")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shipped = script.ships()
    kept = json.loads((ROOT / "jace" / "transformations.json").read_text(encoding="utf-8"))
    assert kept["dace"] == dace.__version__
    assert {
        name: {k: v for k, v in row.items() if k != "seen"} for name, row in kept["transformations"].items()
    } == shipped


def test_library_nodes_are_expanded_as_the_pipeline_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def products(x: Any) -> Any:
        return (
            (x @ x.T).sum(0),
            jnp.einsum("ijk,ilk->ijl", jnp.stack([x, x]), jnp.stack([x, -x])),
            jnp.sort(x),
        )

    def kinds(pipeline: str) -> set[str]:
        sdfg = jace.jit(products, pipeline=pipeline).lower(X).as_sdfg()
        return {
            type(n).__name__ for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.LibraryNode)
        }

    assert kinds("canonical") == {"MatMul", "Einsum", "Reduce", "Routine", "Transpose"}
    assert kinds("canonical/expand:pure") == {"Routine"}, "ours has no implementation of that name"
    assert "Reduce" not in kinds("canonical/simplify+expand:OpenMP")
    for pipeline in ("canonical/expand:pure", "canonical/expand:pure+simplify"):
        for got, wanted in zip(jace.jit(products, pipeline=pipeline)(X), products(X), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-5)
    monkeypatch.setattr(OpenBLAS, "is_installed", lambda: False)
    with pytest.raises(jace.PassError, match=r"OpenBLAS comes with libopenblas-dev .*expand:pure") as caught:
        jace.jit(products, pipeline="canonical/expand:OpenBLAS")(X)
    assert caught.value.pass_name == "expand"
    with pytest.raises(jace.PassError, match=r"needs what is not here: cuBLAS"):
        jace.jit(products, pipeline="canonical/expand:cuBLAS")(X)


@pytest.mark.skipif(not OpenBLAS.is_installed(), reason="needs libopenblas-dev and liblapacke-dev")
@pytest.mark.parametrize("dtype", ["float32", "complex64", "int32"])
def test_an_installed_blas_is_linked(dtype: str) -> None:
    """Of the numbers that it has; the others are DaCe's."""
    x = jnp.asarray(X, dtype)

    def products(x: Any) -> Any:
        stacked = jnp.einsum("ijk,ikl->ijl", jnp.stack([x, x]), jnp.stack([x.T, -x.T]))
        return x @ x.T, x.T, stacked, jnp.einsum("ij,kj->ik", x, x)

    for pipeline in ("canonical/expand:OpenBLAS", "canonical/expand:OpenBLAS+auto-optimize"):
        lowered = jace.jit(products, pipeline=pipeline).lower(x)
        assert ("cblas_" in lowered.as_text("cpp")) == (x.dtype.kind in "fc")
        for got, wanted in zip(lowered.compile()(x), products(x), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-5)
    assert "cblas_" not in jace.jit(products, pipeline="canonical/auto-optimize").lower(x).as_text("cpp")


@pytest.mark.skipif(not OpenBLAS.is_installed(), reason="needs libopenblas-dev and liblapacke-dev")
def test_an_installed_lapack_is_linked() -> None:
    """With what JAX means around it: a matrix without a factor has NaN."""
    definite = jnp.stack([jnp.eye(3) * 4 + 1, -jnp.eye(3)])

    def factors(x: Any) -> Any:
        return jax.lax.linalg.cholesky(x, symmetrize_input=False), jax.lax.linalg.lu(x)

    lowered = jace.jit(factors, pipeline="canonical/expand:OpenBLAS").lower(definite)
    assert {"LAPACKE_spotrf", "LAPACKE_sgetrf"} <= set(re.findall(r"LAPACKE_\w+", lowered.as_text("cpp")))
    for got, wanted in zip(
        jax.tree.leaves(lowered.compile()(definite)), jax.tree.leaves(factors(definite)), strict=True
    ):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert "LAPACKE_" not in jace.jit(factors, pipeline="canonical").lower(definite).as_text("cpp")


# --- passes of a user's own -------------------------------------------------------------------------------------------


def test_a_function_in_a_file_is_a_pass(own: Callable[[str], Path]) -> None:
    before = Settings.of("canonical").in_force().rules
    path = own(COSINE)
    got = jace.jit(jnp.sin, pipeline=f"{path}:cosine")(X)
    np.testing.assert_allclose(got, np.cos(X), rtol=1e-6)
    path.write_text(path.read_text().replace('"cos"', '"sinh"'))
    again = jace.jit(jnp.sin, pipeline=f"{path}:cosine")(X)
    np.testing.assert_allclose(again, np.sinh(X), rtol=1e-6)
    assert Settings.of("canonical").in_force().rules == before, "other programs are what they were"
    assert Settings.of(f"{path}:cosine").in_force().rules != before


def test_classes_and_lists_are_passes(own: Callable[[str], Path]) -> None:
    path = own("tiling = MapTiling()\ntiling.tile_sizes = (2,)\ntiles = [MapExpansion, tiling]\n")
    assert any(params[0].startswith("tile_") for params in maps(f"canonical/{path}:tiles"))
    right(f"canonical/{path}:tiles")
    assert maps(f"canonical/{path}:MapTiling") == maps("canonical/xform:MapTiling")


class Counts(pass_pipeline.Pass):
    """Looks, and changes nothing."""

    def __init__(self) -> None:
        self.states = 0

    def modifies(self) -> Any:
        return pass_pipeline.Modifies.Nothing

    def should_reapply(self, modified: Any) -> bool:
        return False

    def apply_pass(self, sdfg: Any, results: Any) -> None:
        self.states = len(list(sdfg.states()))


def test_passes_are_registered_by_name() -> None:
    counts = Counts()
    jace.register_pipeline("count", counts, StateFusion)
    right("canonical/simplify+count")
    assert counts.states > 0
    with pytest.raises(ValueError, match="no name for a pass"):
        jace.register_pipeline("a+b", StateFusion)
    with pytest.raises(ValueError, match="no pass is given"):
        jace.register_pipeline("nothing")
    with pytest.raises(ValueError, match="a pass of DaCe's"):
        jace.register_pipeline("simplify", StateFusion)


def test_what_is_registered_anew_counts_for_functions_that_were_compiled() -> None:
    def says(word: str) -> Callable[[Any], None]:
        def change(sdfg: Any) -> None:
            for node, _ in sdfg.all_nodes_recursive():
                if isinstance(node, dace.nodes.Tasklet):
                    node.code.as_string = node.code.as_string.replace("sin", word)

        return change

    jace.register_pipeline("word", says("cos"))
    compiled = jace.jit(jnp.sin, pipeline="canonical/word")
    np.testing.assert_allclose(compiled(X), np.cos(X), rtol=1e-6)
    jace.register_pipeline("word", says("sinh"))
    np.testing.assert_allclose(compiled(X), np.sinh(X), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("nowhere.py:f", ValueError, "cannot be read from"),
        ("own.py:cosin", ValueError, "defines no 'cosin'; did you mean cosine"),
    ],
)
def test_a_file_without_the_pass_is_told_at_once(
    own: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, name: str, error: type[Exception], said: str
) -> None:
    monkeypatch.chdir(own(COSINE).parent)
    with pytest.raises(error, match=said):
        jace.jit(jnp.sin, pipeline=name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("f = 7", "TypeError: 7 is no pass: it should be a function of an SDFG"),
        ("def f(sdfg): raise KeyError('here')", r"KeyError: 'here' \(line 3, in f\)"),
        ("def g(sdfg): sdfg.no_such()\ndef f(sdfg): g(sdfg)", r"'no_such' \(line 3, in g\)"),
        ("def f(sdfg): raise SystemExit(3)", r"SystemExit: 3 \(line 3, in f\)"),
        ("def f(sdfg): sdfg.start_state.add_access('nothing')", "InvalidSDFG"),
    ],
)
def test_a_pass_that_fails_is_named(
    own: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    path = own(text)
    monkeypatch.chdir(path.parent)
    with pytest.raises(jace.PassError, match=said) as caught:
        jace.jit(jnp.sin, pipeline=f"{path}:f")(X)
    assert caught.value.pass_name == "f"
    assert "saved for inspection" not in str(caught.value), "what DaCe has saved is taken away again"
    assert not (path.parent / "_dacegraphs").exists()


def test_a_pass_that_has_nothing_to_do_is_known(own: Callable[[str], Path]) -> None:
    path = own(COSINE + "\ndef looks(sdfg):\n    return list(sdfg.states())\n")
    steps = f"{path}:cosine+{path}:looks"

    def idle(function: Callable[[Any], Any], pipeline: str) -> tuple[str, ...]:
        return jace.compile_jaxpr(jax.make_jaxpr(function)(X), pipeline=pipeline).idle_passes

    assert idle(jnp.sin, f"canonical/{steps}") == ("looks",)
    assert idle(jnp.square, f"canonical/{steps}") == ("cosine", "looks")
    assert idle(jnp.sin, "canonical/simplify") == (), "of DaCe's own nothing is said"


def test_what_a_function_does_itself_is_told_from_what_daces_passes_do(own: Callable[[str], Path]) -> None:
    path = own(COSINE + "\ndef both(sdfg):\n    sdfg.apply_transformations(MapTiling)\n    cosine(sdfg)\n")
    watch = Watch(compare=True)
    closed = jace.jit(jnp.sin).trace(X).jaxpr
    jace.translate_jaxpr(closed, f"canonical/{path}:both", watch=watch)
    assert [run.label for run in watch.runs if run.changed] == ["both/MapTiling", "both/own-code.2"]
    for place, word in (("both/own-code.2:0", "sin"), ("both/MapTiling", "sin"), ("both/own-code.2", "cos")):
        sdfg = jace.translate_jaxpr(closed, f"canonical/{path}:both@{place}").sdfg
        code = "".join(
            n.code.as_string for n, _ in sdfg.all_nodes_recursive() if isinstance(n, dace.nodes.Tasklet)
        )
        assert word in code
        assert any(
            n.map.params[0].startswith("tile_") for n, _ in sdfg.all_nodes_recursive() if hasattr(n, "map")
        )
    plain = jace.translate_jaxpr(closed, f"canonical/{path}:both@both/own-code:0").sdfg
    assert not any(
        n.map.params[0].startswith("tile_") for n, _ in plain.all_nodes_recursive() if hasattr(n, "map")
    )
