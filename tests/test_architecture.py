"""The house stands as docs/architecture.md says: directions of imports, circles, doors, JAX's internals, sizes.

The table of directions is in pyproject.toml (`[tool.importlinter]`); what it cannot say is checked here.
"""

from __future__ import annotations

import ast
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

PACKAGES = ("jace", "jace_repro")
#: What of jace the harness may name. Everything else is jace's own business.
DOORS = frozenset(
    {
        "jace",
        "jace.build",
        "jace.debug",
        "jace.errors",
        "jace.ir",
        "jace.pipelines",
        "jace.registry",
        "jace.releases",
        "jace.user_passes",
    }
)
#: Where `jax._src` may be named: each place is probed when it is imported, or before a recording begins.
KNOWS_JAX = (
    "jace/jax_internals.py",
    "jace/primitive/",
    "jace_repro/trace/",
    "jace_repro/tracker/hooks.py",
    "jace_repro/survey/harnesses.py",  # the harnesses are JAX's own tests
)
#: The words of Python that load a module by its name.
LOADERS = frozenset({"import_module", "_module"})
MOST_LINES = 500
MEDIAN_LINES = 200
MOST_NAMES = 20


def modules(root: Path = ROOT) -> list[Path]:
    return sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file names in an import, or loads by name, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or "", node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in LOADERS:
            names = (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))
            yield from ((name, node.lineno) for name in names)


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def is_module(name: str, root: Path = ROOT) -> bool:
    path = root.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def linted(root: Path) -> subprocess.CompletedProcess[str]:
    """What the table says of the packages below `root`."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_imports_go_one_way_and_in_no_circle() -> None:
    done = linted(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("jace/ir/core.py", "import jace_repro.paths", "jace.ir.core -> jace_repro.paths"),
        (
            "jace_repro/repro/file.py",
            "import jace_repro.tester",
            "jace_repro.repro.file -> jace_repro.tester",
        ),
        (
            "jace_repro/tester/numerics/noise.py",
            "import jace_repro.tester.locate.localize",
            ".numerics -> .locate",
        ),
        ("jace_repro/newcomer.py", "", "newcomer"),
    ],
)
def test_who_breaks_the_table_is_told_where(tmp_path: Path, file: str, line: str, said: str) -> None:
    for name in (*PACKAGES, "pyproject.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    with (tmp_path / file).open("a") as text:
        text.write(f"\n{line}\n")
    done = linted(tmp_path)
    assert done.returncode != 0
    assert said in done.stdout


def test_the_harness_enters_jace_through_its_doors() -> None:
    through_walls = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules()
        if path.is_relative_to(ROOT / "jace_repro")
        for name, line in imports(path)
        if name.partition(".")[0] == "jace" and is_module(name) and name not in DOORS
    ]
    assert not through_walls


def test_jaxs_internals_are_named_where_they_are_probed() -> None:
    elsewhere = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules()
        if not str(path.relative_to(ROOT)).startswith(KNOWS_JAX)
        for name, line in imports(path)
        if name.startswith("jax._src")
    ]
    assert not elsewhere


def test_modules_are_rooms_and_not_halls() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert not {str(p.relative_to(ROOT)): n for p, n in lines.items() if n > MOST_LINES}
    for package in PACKAGES:
        of_package = [n for p, n in lines.items() if p.is_relative_to(ROOT / package)]
        assert statistics.median(of_package) < MEDIAN_LINES


def test_the_top_of_the_harness_is_seen_at_a_glance() -> None:
    names = [p.name for p in (ROOT / "jace_repro").iterdir() if p.name != "__pycache__"]
    assert len(names) <= MOST_NAMES, sorted(names)


def test_every_folder_says_what_comes_in_and_what_goes_out() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent
