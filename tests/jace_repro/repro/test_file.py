"""Repro files: saved, read back, verified, run by themselves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import (
    Header,
    Repro,
    ReproError,
    current_config,
    jax_configuration,
    load,
    parse_header,
    trace_repro,
)
from jace_repro.repro.finding import excerpt, stating
from jace_repro.repro.rules import Rules

HEADER = Header(
    origin='prog.py:12 (step "x" \\ y)',
    name="step",
    jax_config={"jax_enable_x64": True, "jax_numpy_dtype_promotion": "strict"},
    pipeline="fused",
    outcome="mismatch",
    signature="0123abcd",
    outputs_sha256="ff" * 32,
    notes=("first", "unknown: second"),
)


def program(header: Header = HEADER) -> Repro:
    """A repro with a large and a small operand, in float64."""
    with jax_configuration(header.jax_config):
        args = [np.linspace(0.0, 1.0, 100), np.float64(3.0), jax.random.key(5)]
        closed = jax.make_jaxpr(lambda x, y, k: (x * y, jax.random.bits(k)))(*args)
        return emit_flat(closed, args, header=header)


def test_save_and_load(tmp_path: Path) -> None:
    saved = program().save(tmp_path / "deep" / "step.py")
    loaded = load(tmp_path / "deep" / "step.py")
    assert loaded.header == saved.header
    assert loaded.source == saved.source
    assert loaded.arrays["x0"].tobytes() == np.linspace(0.0, 1.0, 100).tobytes()
    closed, args = trace_repro(loaded)
    assert closed.out_avals[0].str_short() == "float64[100]"
    assert args[0].dtype == np.float64
    assert not jax.config.jax_enable_x64


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    texts, sidecars = set(), set()
    for name in ("one", "two"):
        program().save(tmp_path / f"{name}.py")
        texts.add((tmp_path / f"{name}.py").read_bytes())
        sidecars.add((tmp_path / f"{name}.npz").read_bytes())
    load(tmp_path / "one.py").save(tmp_path / "three.py")
    texts.add((tmp_path / "three.py").read_bytes())
    assert len(texts) == len(sidecars) == 1


def test_a_new_header_is_written_over_the_old_one(tmp_path: Path) -> None:
    first = program().save(tmp_path / "step.py")
    second = replace(first, header=replace(first.header, outcome="ok", signature=None)).save(
        tmp_path / "step.py"
    )
    header, _ = parse_header(second.source)
    assert (header.outcome, header.signature, header.origin) == ("ok", None, HEADER.origin)
    assert second.source.count("# /// jace-repro") == 1


def test_a_sidecar_that_is_not_its_own(tmp_path: Path) -> None:
    program().save(tmp_path / "step.py")
    sidecar = tmp_path / "step.npz"
    sidecar.write_bytes(sidecar.read_bytes()[:-1] + b"!")
    with pytest.raises(ReproError, match=r"step\.npz is not the file it was saved with"):
        load(tmp_path / "step.py")
    sidecar.unlink()
    with pytest.raises(ReproError, match=r"step\.py: its arrays are missing: step\.npz"):
        load(tmp_path / "step.py")


@pytest.mark.parametrize("text", ["print(1)\n", "# /// jace-repro\n# = \n# ///\n"])
def test_not_a_repro(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.py").write_text(text)
    with pytest.raises(ReproError, match=r"x\.py: .*jace-repro"):
        load(tmp_path / "x.py")


def test_no_sidecar_without_arrays(tmp_path: Path) -> None:
    program().save(tmp_path / "step.py")
    closed = jax.make_jaxpr(jnp.sin)(1.0)
    emit_flat(closed, [1.0], header=Header()).save(tmp_path / "step.py")
    assert [p.name for p in tmp_path.iterdir()] == ["step.py"]


def test_the_script_runs_by_itself(tmp_path: Path) -> None:
    program().save(tmp_path / "step.py")
    command = [sys.executable, "-W", "error", "-I", str(tmp_path / "step.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=True)
    assert done.stdout.split()[-2:] == ["3.", "]"] or "3.        ]" in done.stdout
    assert "jace" not in done.stderr
    source = (tmp_path / "step.py").read_text()
    assert "import jace" not in source
    assert source.index("jax.config.update") < source.index("jnp") if "jnp" in source else True
    (tmp_path / "step.npz").write_bytes(b"nonsense")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "is not the file that belongs to this script" in done.stderr


def test_configuration_is_read_and_restored() -> None:
    before = current_config()
    with jax.enable_x64(True), jax.default_matmul_precision("float32"):
        assert current_config() == {
            **before,
            "jax_enable_x64": True,
            "jax_default_matmul_precision": "float32",
        }
    with jax_configuration({"jax_enable_x64": True}):
        assert current_config() == {"jax_enable_x64": True}
    assert current_config() == before


def test_configuration_is_restored_after_a_script_changed_it() -> None:
    repro = program()
    with repro.configured():
        repro.load_function()
        jax.config.update("jax_debug_nans", True)
    assert not jax.config.jax_debug_nans
    assert not jax.config.jax_enable_x64


RULES = "import jace\n"


def with_conditions(tmp_path: Path) -> Repro:
    (tmp_path / "mine.py").write_text(RULES)
    conditions = replace(
        HEADER,
        rules=Rules.of(tmp_path / "mine.py"),
        sanitize=True,
        environment={"XLA_FLAGS": "--xla_a=b"},
        inputs="ties",
        releases={"jax": "0.10.1"},
    )
    return program(conditions).save(tmp_path / "here" / "step.py")


def test_a_repro_takes_its_rules_along(tmp_path: Path) -> None:
    saved = with_conditions(tmp_path)
    loaded = load(tmp_path / "here" / "step.py")
    assert loaded.header == saved.header
    assert loaded.header.rules is not None
    assert loaded.header.rules.origin.endswith("/mine.py")
    loaded.save(tmp_path / "there" / "step.py")
    assert load(tmp_path / "there" / "step.py").header == saved.header
    names = {path.name for path in (tmp_path / "there").iterdir()}
    assert names == {"step.py", "step.npz", loaded.header.rules.file}


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (
            lambda path: path.unlink(),
            r"step.py: its translation rules are missing: rules-\w{8}.py should lie",
        ),
        (lambda path: path.write_text("x"), r"rules-\w{8}.py is not the rules file it was saved with"),
    ],
)
def test_rules_that_are_gone_or_changed_are_an_error(
    harm: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    saved = with_conditions(tmp_path)
    assert saved.header.rules is not None
    harm(tmp_path / "here" / saved.header.rules.file)
    with pytest.raises(ReproError, match=said):
        load(tmp_path / "here" / "step.py")


def test_a_script_states_its_finding_once_and_prints_it(tmp_path: Path) -> None:
    texts = ("expected \\1\n\nand more", 'of """quotes"""')
    source = program().source
    for text in texts:
        source = stating(source, text)
        assert source.count("FINDING = ") == source.count("print(FINDING)") == 1
        replace(program(), source=source).save(tmp_path / "step.py")
        done = subprocess.run(
            [sys.executable, str(tmp_path / "step.py")], capture_output=True, text=True, check=True
        )
        assert done.stdout.endswith(f"{text}\n\n")
    assert stating("x = 1\n", "nothing to print it") == "x = 1\n"


def test_a_script_that_does_not_end_states_its_finding_before_it_runs(tmp_path: Path) -> None:
    source = stating(program().source, "after it")
    source = stating(source, "it ends the process", first=True)
    assert source.count("FINDING = ") == source.count("print(FINDING") == 1
    main = source[source.index("if __name__") :]
    assert main.splitlines()[1] == "    print(FINDING, flush=True)"
    replace(program(), source=source).save(tmp_path / "step.py")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "step.py")], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("it ends the process\n")
    assert stating(source, "after it").endswith("    print(FINDING)\n")


def test_of_a_script_its_program_is_shown() -> None:
    source = program().source
    shown = excerpt(source)
    assert shown.startswith("def repro(")
    assert shown.splitlines()[-1].startswith("    return ")
    assert excerpt(source, 2).splitlines()[1] == f"    ... {len(shown.splitlines()) - 1} more lines"
    assert excerpt("x = 1\n") == ""
