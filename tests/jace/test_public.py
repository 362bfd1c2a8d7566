"""The public face: names that can be imported, and what importing them brings along."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from places import ROOT

import jace
from jace import pipelines
from jace.settings import Settings

DOORS = ("jace", "jace.errors", "jace.ir", "jace.build", "jace.debug", "jace.pipelines", "jace.registry")


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_can_be_imported_and_is_documented(door: str) -> None:
    module = importlib.import_module(door)
    assert module.__doc__
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), name
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = module.no_such_name


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import jace", "jax dace"),
        ("import jace.pipelines as p; p.find('canonical')", "jax dace numpy"),
        ("import jace.build; jace.build.toolchain()", "jax dace"),
        ("import jace; jace.jit, jace.ir.walk, jace.compile_jaxpr, jace.debug.Stop", "dace"),
    ],
)
def test_what_is_not_used_is_not_imported(code: str, absent: str) -> None:
    code += f"; import sys; sys.exit(' '.join(n for n in {absent.split()} if n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_names_and_aliases_find_their_pipeline() -> None:
    assert pipelines.find("canonical") is pipelines.find("canonical/none")
    assert pipelines.find(pipelines.DEFAULT).fused
    found, stop = pipelines.parse("canonical/simplify@simplify:2")
    assert (found.dace, str(stop)) == (("simplify",), "simplify:2")
    for wrong in ("", "fast", "canonical/typo"):
        with pytest.raises(ValueError, match=r"choose one of fused, canonical, canonical/none"):
            pipelines.find(wrong)


def test_the_readme_lists_the_pipelines() -> None:
    rows = [f"| `{p.short_name}` | {p.does} |" for p in pipelines.PIPELINES.values()]
    assert "\n".join(rows) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_settings_take_the_rules_and_the_stop_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.of("canonical/simplify", {"opt": 1}, "xla")
    assert (settings.options.opt, settings.leave_unsupported, settings.rules) == (1, True, "")
    assert settings.in_force() == settings
    monkeypatch.setenv("JACE_STOP_AFTER", "simplify:1")
    with jace.use_rules({"sin": jace.rule_of("cos")}):
        now = settings.in_force()
    assert now.pipeline == "canonical/simplify@simplify:1"
    assert now.rules != ""
    assert Settings.of("fused@fuse:3").in_force().pipeline == "fused@fuse:3"
