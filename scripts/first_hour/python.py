"""Points 4, 6 and 7 in Python: the pytest plugin, notebooks, jace.jit beside jax.jit; point 9."""

from __future__ import annotations

from first_hour.place import ROOT, Place, holds
from first_hour.rows import row


@row(4)
def pytest_plugin(place: Place) -> None:
    """`pytest --jace-repro` leaves a repro of what a failing test gave JAX."""
    place.file(
        "test_it.py",
        "import jax, numpy as np\n\ndef test_it():\n    assert jax.jit(lambda x: x + 1)(np.ones(3))[0] == 3\n",
    )
    words = ("-q", "-p", "no:cacheprovider", "--jace-repro", "--jace-repro-dir", "kept", "test_it.py")
    place.python("-m", "pytest", *words, code=1).says("kept")
    (repro,) = (place.folder / "kept").rglob("entries/*lambda*.py")
    place.python(repro.relative_to(place.folder)).says("[2. 2. 2.]")


@row(4)
def notebook(place: Place) -> None:
    """`%load_ext jace_repro`, `%%jace_repro` at the top of a cell."""
    place.file(
        "session.py",
        """\
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("%load_ext jace_repro", store_history=True)
shell.run_cell('''%%jace_repro --pipeline fused --no-eager --no-self-check
import jax, numpy as np
seen = jax.jit(lambda x: x + 1)(np.ones(3))
''', store_history=True)
shell.run_cell("print('and then', seen.shape)", store_history=True)
""",
    )
    done = place.python("session.py", IPYTHONDIR=str(place.folder / "ipython"))
    done.says("No findings in 1 tested entries.", "and then (3,)")


@row(7)
def errors_of_jace_jit(place: Place) -> None:
    """The last line and the frames of a tracing error are those of jax.jit: the user's function and line."""
    told = []
    for jit in ("jax.jit", "jace.jit"):
        done = place.script(
            f"import jax, jace\n\n@{jit}\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n\nf(1.0)\n",
            code=1,
        )
        done.says("TracerBoolConversionError", "line 5, in f", "function f at", "argument x")
        told.append([line for line in done.err.splitlines() if "File" in line])
    holds(told[0] == told[1], f"the frames differ: {told}")


@row(7)
def what_a_lowered_says(place: Place) -> None:
    """as_text for a person, cpp, cost and memory analysis."""
    place.script(
        """\
import jace, numpy as np
lowered = jace.jit(lambda x: (x * 2 + 1).sum()).lower(np.ones(100, np.float32))
assert "tasklet" in lowered.as_text() and "input x" in lowered.as_text()
assert "for (" in lowered.as_text("cpp")
compiled = lowered.compile()
assert lowered.cost_analysis()["flops"] > 0 and compiled.cost_analysis()["bytes accessed"] > 0
assert compiled.memory_analysis().argument_size_in_bytes == 400
print("all of it")
"""
    ).says("all of it")


@row(7)
def pickle_and_export(place: Place) -> None:
    """A jace.jit function is pickled by its name, and exported."""
    place.file("mine.py", "import jace\n\n@jace.jit\ndef f(x):\n    return x + 1\n")
    place.script(
        """\
import pickle, jax, numpy as np, mine
assert pickle.loads(pickle.dumps(mine.f))(1.0) == 2.0
text = jax.export.export(mine.f)(np.ones(3, np.float32)).mlir_module()
assert "stablehlo" in text
print("both")
"""
    ).says("both")


@row(7)
def options_that_mean_nothing_here(place: Place) -> None:
    """`backend="cpu"` is taken, `backend="tpu"` refused with a reason."""
    place.script("import jace\nassert jace.jit(lambda x: x, backend='cpu')(1.0) == 1.0\n")
    place.script("import jace\njace.jit(lambda x: x, backend='tpu')(1.0)\n", code=1).says("tpu")


@row(9, slow=True)
def documentation_builds(place: Place) -> None:
    """`mkdocs build --strict`: a dead link or an unknown name is an error."""
    config = ("-f", ROOT / "mkdocs.yml", "--site-dir", place.folder / "site")
    place.python("-m", "mkdocs", "build", "-q", "--strict", *config)
    holds((place.folder / "site/index.html").exists(), "there is no site")
