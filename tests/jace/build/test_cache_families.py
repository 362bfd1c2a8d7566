"""Programs that are nearly the same share one cache: each gets its own code; a key without a part of it is found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import relatives

from jace.build import cache, compiler, load
from jace.ir import canonical
from jace.primitive import regions
from jace.translate import unit

pytestmark = pytest.mark.ci


@pytest.fixture(scope="module")
def family() -> list[relatives.Member]:
    return relatives.members()


@pytest.fixture(scope="module")
def libraries(family: list[relatives.Member]) -> dict[str, str]:
    return relatives.alone(family)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test leaves what it has compiled."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, and nothing in memory before and after."""
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("JACE_CACHE", "1")
    relatives.forget()
    yield cache.cache_dir()
    relatives.forget()


def test_a_family_has_relatives_of_every_kind(family: list[relatives.Member]) -> None:
    names = [member.name for member in family]
    assert len(names) == len(set(names)) > 50
    kinds = (
        "constant 0",
        "operand 3",
        "axis",
        "reverse",
        "padding_config",
        "mode",
        "jaxpr > 2 sub: operand 1",
    )
    assert all(any(name.endswith(k) or k in name for name in names) for k in kinds), names


def test_each_of_a_family_gets_its_own_code_in_this_process_and_in_another(
    family: list[relatives.Member], libraries: dict[str, str], empty: Path, kept: Path
) -> None:
    assert list(relatives.faults(family, libraries)) == []  # what is built
    assert list(relatives.faults(family, libraries)) == []  # what is in memory
    (kept / "libraries.json").write_text(json.dumps(libraries))
    command = [sys.executable, relatives.__file__, str(kept / "libraries.json")]
    shutil.copytree(empty / "objects", kept / "objects")
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert told == {"faults": [], "members": len(family)}
    more = {path.name for path in (empty / "objects").glob("*.cpp")} - {
        path.name for path in kept.rglob("*.cpp")
    }
    # the other process has compiled nothing but what XLA calls, which this one had
    assert all("jace_ffi_call" in (empty / "objects" / name).read_text() for name in more)


# --- planted --------------------------------------------------------------------------------------------------


def _without(module: Any, part: int, parts: int) -> Callable[[pytest.MonkeyPatch], None]:
    """The key that a module makes of so many parts lacks one."""

    def digest(*given: str) -> str:
        kept = [p for i, p in enumerate(given) if i != part or len(given) != parts]
        return cache.digest(*kept)

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, "digest", digest)

    return plant


def _no_values(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(canonical, "_value", lambda value: "a value")


def _no_parameters(kind: type) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = canonical._param
        patch.setattr(canonical, "_param", lambda v, indent: "" if type(v) is kind else right(v, indent))

    return plant


def _no_dtypes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(canonical, "_aval", lambda aval: str(getattr(aval, "shape", ())))


def _no_options(patch: pytest.MonkeyPatch) -> None:
    """One unit for a jaxpr, however it is compiled."""
    known: dict[int, Any] = {}
    patch.setattr(
        regions, "unit_of", lambda closed, how: known.setdefault(id(closed), unit.Unit(closed, how))
    )


class _Short(dict[Any, Any]):
    """Finds a library by the shapes and dtypes that it is called with only."""

    def get(self, key: Any, default: Any = None) -> Any:
        return next((v for k, v in self.items() if k[1].inputs == key[1].inputs), default)


def _by_signature(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(load, "_loaded", _Short())


PLANTED = {
    "the jaxpr": _without(unit, 0, 7),
    "the pipeline": _without(unit, 1, 7),
    "the options": _without(unit, 2, 7),
    "the rules": _without(unit, 3, 7),
    "the versions": _without(unit, 4, 7),
    "the sources": _without(unit, 5, 7),
    "the compiler and the machine": _without(unit, 6, 7),
    "the source of an object": _without(compiler, 1, 5),
    "the flags of an object": _without(compiler, 2, 5),
    "the compiler of an object": _without(compiler, 4, 5),
    "values": _no_values,
    "whole numbers": _no_parameters(int),
    "truths": _no_parameters(bool),
    "tuples": _no_parameters(tuple),
    "dtypes": _no_dtypes,
    "how a jaxpr is compiled": _no_options,
    "the key of what is loaded": _by_signature,
}


@pytest.mark.parametrize("part", PLANTED)
def test_a_key_without_one_of_its_parts_is_found(
    part: str,
    family: list[relatives.Member],
    libraries: dict[str, str],
    empty: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not part.endswith("of an object") and (kept / "objects").exists():
        shutil.copytree(kept / "objects", empty / "objects")
    PLANTED[part](monkeypatch)
    assert any(relatives.faults(family, libraries)) or any(relatives.faults(family, libraries))
