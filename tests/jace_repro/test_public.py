"""The public names of jace_repro."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import jace_repro


def test_every_public_name_can_be_imported():
    for name in jace_repro.__all__:
        assert getattr(jace_repro, name).__doc__
        assert name in dir(jace_repro)
    assert list(jace_repro.__all__) == list(jace_repro._HOME) == sorted(jace_repro.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        jace_repro.nonsense  # noqa: B018


def test_type_checkers_are_told_of_the_same_names():
    tree = ast.parse(Path(jace_repro.__file__).read_text())
    told = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == jace_repro._HOME
    assert resources.files(jace_repro).joinpath("py.typed").is_file()


def test_importing_it_imports_no_jax():
    code = "import sys, jace_repro; dir(jace_repro); assert not {'jax', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
