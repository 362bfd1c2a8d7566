"""scripts/libraries.py: the table of recorded programs counts what there is, and says what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys

import click
import pytest
from places import SCRIPTS
from script_modules import load_script

SCRIPT = SCRIPTS / "libraries.py"

PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return jnp.sin(x) * 2.0


x = jnp.arange(3.0)
for _ in range(2):
    x = step(x)
print(float(x.sum()))
"""


@pytest.fixture(scope="module")
def libraries():
    """The script as a module."""
    return load_script("libraries")


def report(entries=(), exit_code=0, error=None):
    """A machine report of `jace-repro record`, as far as the script reads it."""
    return {"entries": list(entries), "summary": {"program": {"exit_code": exit_code, "error": error}}}


def entry(**fields):
    """One entry of such a report."""
    return {"name": "f", "repro": "e0001_f.py", "self_check": "exact", "eager": False, "error": None} | fields


def done(stdout="", stderr=""):
    return subprocess.CompletedProcess([], 0, stdout, stderr)


def row(libraries, *entries, problems=(), program="jax_program"):
    return libraries.Row(program, tuple(entries), problems, 1.0, 2.0)


@pytest.mark.ci
def test_one_program_from_end_to_end(tmp_path):
    program, out = tmp_path / "jax_tiny.py", tmp_path / "out"
    program.write_text(PROGRAM)
    words = [sys.executable, str(SCRIPT), "--stock", sys.executable, "--json", str(tmp_path / "t.json")]
    ran = subprocess.run(
        [*words, "--out", str(out), str(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = json.loads((tmp_path / "t.json").read_text())
    (tiny,) = found["programs"]
    assert (tiny["program"], tiny["library"], tiny["problems"]) == ("jax_tiny", "jax alone", [])
    functions = [e for e in tiny["entries"] if not e["eager"]]
    assert [e["name"].split()[-1] for e in functions] == ["step"]
    assert any(e["eager"] for e in tiny["entries"])
    assert all(e["flat"]["check"] == "exact" and e["flat"]["stock_error"] is None for e in tiny["entries"])
    assert functions[0]["flat"]["lines"] == len(
        next(out.glob("jax_tiny/entries/*_step.py")).read_text().splitlines()
    )
    assert all(figure["kept"] for figure in found["figures"])
    assert f"| 1 + {len(tiny['entries']) - 1} " in ran.stdout
    assert "Not as it should be" not in ran.stdout


def test_scripts_that_need_more_than_stock_jax_are_found(libraries, tmp_path):
    """Alone and many to a process; one that raises what its header says has run well."""
    texts = {
        "good": "import sys\nassert sys.argv == [__file__]\nprint(1)\n",
        "needs": "import no_such_library\n",
        "leaves": "raise SystemExit(3)\n",
        "wanted": '# /// jace-repro\n# schema = 1\n# expected_error = "builtins.ValueError"\n# ///\nraise ValueError\n',
        "other": '# /// jace-repro\n# schema = 1\n# expected_error = "builtins.ValueError"\n# ///\nraise KeyError\n',
    }
    header = "# /// jace-repro\n# schema = 1\n# ///\n"
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text if text.startswith("# ///") else header + text)
    bad = {"needs": "no_such_library", "leaves": "", "other": "KeyError"}
    for eager in (False, True):
        entries = [
            libraries.Entry(n, eager, not eager, libraries.Form(tmp_path / f"{n}.py", "exact"), None)
            for n in texts
        ]
        errors = {e.name: e.flat.error for e in libraries.run_on_stock(entries, sys.executable, 60)}
        assert {n for n, error in errors.items() if error is not None} == set(bad)
        assert all(text in errors[n] for n, text in bad.items())


def test_a_script_without_end_is_ended(libraries, tmp_path):
    path = tmp_path / "endless.py"
    path.write_text("# /// jace-repro\n# schema = 1\n# ///\nwhile True: pass\n")
    for eager in (False, True):
        entries = [libraries.Entry("endless", eager, not eager, libraries.Form(path, "exact"), None)]
        (ended,) = libraries.run_on_stock(entries, sys.executable, 3)
        assert "no end after 3 s" in ended.flat.error


def test_a_recording_that_is_not_the_program_is_a_problem(libraries):
    good = report([entry()])
    assert libraries.recording_problems(good, "1.0\n", done("1.0\n1 functions\n")) == ()
    by_entry = done("1.0\n", "jace-repro: not recorded: no repro of e0003 (f): EmitError\n")
    assert libraries.recording_problems(good, "1.0\n", by_entry) == ()
    cases = {
        "printed something else": (good, done("2.0\n")),
        "exit code 1, ValueError": (report([entry()], 1, "ValueError"), done("1.0\n")),
        "not recorded: thread 3": (good, done("1.0\n", "jace-repro: not recorded: thread 3\n")),
        "nothing was recorded": (report(), done("1.0\n")),
    }
    for text, (found, recorded) in cases.items():
        (problem,) = libraries.recording_problems(found, "1.0\n", recorded)
        assert text in problem


def test_entries_are_read_with_and_without_scripts(libraries, tmp_path):
    (tmp_path / "e0001_f.py").write_text("a\nb\n")
    (tmp_path / "e0001_f.calltree.py").write_text("a\n")
    tree = {"call_tree": "e0001_f.calltree.py", "call_tree_check": "jaxpr-differs"}
    both, neither = libraries.read_entries(
        report([entry(**tree), entry(repro=None, self_check=None, error="no repro: EmitError")]), tmp_path
    )
    assert (both.flat.check, both.flat.lines) == ("exact", 2)
    assert (both.tree.check, both.tree.lines) == ("jaxpr-differs", 1)
    assert (neither.flat, neither.tree, neither.note) == (None, None, "no repro: EmitError")


def test_promises_count_what_is_missing(libraries, tmp_path):
    path = tmp_path / "script.py"
    path.write_text("a\n")
    exact, failed = libraries.Form(path, "exact"), libraries.Form(path, "failed", "why")
    stuck = libraries.Form(path, "exact", error="ImportError")

    def entry_of(name, eager, *scripts):
        return libraries.Entry(name, eager, not eager, *scripts)

    def broken(*rows):
        return {f.name.strip() for f in libraries.figures(rows) if not f.kept}

    good = [entry_of("f", False, exact, exact), entry_of("sin", True, exact, None)]
    assert broken(row(libraries, *good)) == set()
    assert broken(row(libraries, entry_of("f", False, exact, None))) == set()  # no call trees at all
    assert broken(row(libraries, *good, problems=("it crashed",))) == {"programs recorded"}
    assert broken(row(libraries, entry_of("f", False, None, None, "no repro"))) == {
        "entries with a repro",
        "flat repros exact",
        "of functions",
    }
    assert broken(row(libraries, entry_of("f", False, failed, None))) == {"flat repros exact", "of functions"}
    assert broken(row(libraries, entry_of("f", False, stuck, None))) == {"scripts that run on stock JAX"}
    assert broken(row(libraries, entry_of("f", False, exact, failed))) == {"call-tree scripts exact"}
    one_of_two = (entry_of("f", False, exact, exact), entry_of("g", False, exact, None))
    assert broken(row(libraries, *one_of_two)) == {"call-tree scripts exact"}


def test_every_failure_is_listed_with_its_reason(libraries, tmp_path):
    path = tmp_path / "script.py"
    path.write_text("a\n")
    form = libraries.Form
    wrong = row(
        libraries,
        libraries.Entry(
            "e0001 f", False, True, form(path, "failed", "why"), form(path, "exact", error="ImportError")
        ),
        libraries.Entry("e0002 g", False, True, None, None, "EmitError: what"),
        libraries.Entry("e0003 h", False, True, form(path, "exact"), None),
        problems=("it crashed",),
        program="linen_mlp",
    )
    assert libraries.failures([wrong]) == [
        "linen_mlp: it crashed",
        "linen_mlp: e0001 f: flat: failed: why",
        "linen_mlp: e0001 f: call tree: does not run on stock JAX: ImportError",
        "linen_mlp: e0002 g: no repro: EmitError: what",
    ]
    last = libraries.table([wrong]).splitlines()[-1]
    assert [cell.strip() for cell in last.strip("|").split("|")] == [
        "total", "1 libraries", "3 + 0", "2/3", "1/0/1/1", "1/0/0/2", "2", "1", "1 / 2",
    ]  # fmt: skip


def test_what_raised_while_it_was_traced_has_one_script(libraries, tmp_path):
    """It is a repro that must be exact, and no function that lacks a call tree."""
    path = tmp_path / "script.py"
    path.write_text("a\n")
    report = {
        "entries": [
            {
                "name": "f",
                "repro": "script.py",
                "eager": False,
                "status": status,
                "self_check": "exact",
                "call_tree": tree,
                "call_tree_check": tree and "exact",
                "error": None,
            }
            for status, tree in (("trace-error", None), ("completed", "script.py"))
        ]
    }
    entries = libraries.read_entries(report, tmp_path)
    assert [e.function for e in entries] == [False, True]
    figures = {f.name: (f.good, f.of) for f in libraries.figures([row(libraries, *entries)])}
    assert figures["call-tree scripts exact"] == (1, 1)


def test_names_are_looked_up(libraries, tmp_path):
    (tmp_path / "mine.py").write_text("")
    every = libraries.chosen(())
    assert len(every) >= 45
    assert libraries.chosen(("linen_mlp", str(tmp_path / "mine.py"))) == [
        libraries.PROGRAMS / "linen_mlp.py",
        tmp_path / "mine.py",
    ]
    with pytest.raises(click.UsageError, match="no such program: nothing"):
        libraries.chosen(("nothing",))


def test_every_program_is_one_of_the_user(libraries):
    """None knows of this harness, and each says what it does."""
    for path in libraries.chosen(()):
        text = path.read_text()
        assert "jace" not in text, path.name
        assert text.startswith('"""'), path.name
        assert "\nprint(" in text, path.name
