"""The command line: options, exit codes, messages, and the machine report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from places import ROOT

import jace_repro
from jace_repro import api, cli, doctor
from jace_repro.campaign.report import EntryReport, ReducedReport, Report, write
from jace_repro.campaign.settings import PIPELINES, choose_pipelines
from jace_repro.campaign.text import summary_lines
from jace_repro.cli.commands.run import command as run_command
from jace_repro.cli.program import _size, _stop_at_program, output_directory
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, load
from jace_repro.repro.sourcemap import in_user_terms, user_line
from jace_repro.tester import Pool
from jace_repro.tester.verdict.outcomes import OUTCOMES, Verdict
from jace_repro.tracker.recording import JOURNAL, Target

BAD = Verdict("fused", "mismatch", signature="0123456789ab", detail="output 0[3]: got 1, expected 2")
GOOD = Verdict("fused", "ok")


@pytest.fixture(scope="module", autouse=True)
def no_workers_left():
    """Other tests count the processes of this one."""
    yield
    api.close()


def main(*words):
    """Run the command line in this process; the exit code."""
    with pytest.raises(SystemExit) as stop:
        cli.main(list(words))
    return stop.value.code


# ----------------------------------------------------------------------------------- the whole way


def test_run_finds_nothing_wrong_with_a_right_program(jace_repro, program, tmp_path):
    name = program("""
import sys
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def scaled(x, n):
    return jnp.cumsum(x) * n

print("argv", sys.argv[1:], __name__)
print(scaled(np.arange(4.0, dtype=np.float32), 2))
""")
    ran = jace_repro("run", "--pipeline", "fused", name, "--json", "mine", "-v")
    assert ran.code == 0, ran.err
    assert "argv ['--json', 'mine', '-v'] __main__" in ran.out
    (entry,) = [e for e in ran.report["entries"] if e["name"] == "scaled"]
    assert entry["self_check"] == "exact"
    assert entry["source"].endswith("prog.py:5")
    assert entry["primitives"]["cumsum"] == 1
    (verdict,) = entry["verdicts"]
    assert (verdict["pipeline"], verdict["outcome"], verdict["signature"]) == ("fused", "ok", None)
    assert set(verdict["seconds"]) >= {"xla", "translate", "compile", "run"}
    assert ran.report["schema"] == 1
    assert ran.report["command"] == "run"
    assert ran.report["versions"]["jax"]
    assert ran.report["summary"]["findings"] == 0
    assert json.loads((tmp_path / "jace-repro-out/prog/report.json").read_text())["entries"]
    assert "No findings" in ran.out
    assert "\x1b" not in ran.out + ran.err

    checked = jace_repro("check", entry["repro"])
    assert checked.code == 0, checked.out
    assert {v["pipeline"] for v in checked.report["entries"][0]["verdicts"]} == {"fused", "canonical"}


def test_nothing_needs_the_network(jace_repro, program, tmp_path):
    log = tmp_path / "calls.txt"
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(
        "import socket\n"
        "real = socket.socket.connect\n"
        "def connect(self, address):\n"
        "    if self.family != socket.AF_UNIX:\n"
        f"        open({str(log)!r}, 'a').write(repr(address) + chr(10))\n"
        "        raise OSError('no network in this test')\n"
        "    return real(self, address)\n"
        "socket.socket.connect = connect\n"
    )
    name = program("import jax, numpy as np\njax.jit(lambda x: x + 1)(np.ones(3))\n")
    ran = jace_repro("run", "--pipeline", "fused", name, env={"PYTHONPATH": str(tmp_path / "site")})
    assert ran.code == 0, ran.err + ran.out
    assert not log.exists(), log.read_text()


def test_reduce_by_an_external_predicate(jace_repro, program, tmp_path):
    name = program("""
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def chain(x):
    y = jnp.exp(x) * 3.0
    return jnp.tanh(y) - jnp.cos(x)

chain(np.ones(16, np.float32))
""")
    recorded = jace_repro("record", "-o", "out", name)
    assert recorded.code == 0, recorded.out + recorded.err
    (repro,) = [e["repro"] for e in recorded.report["entries"] if e["name"] == "chain"]
    ran = jace_repro("reduce", repro, "-o", "small.py", "--predicate", "grep -q tanh")
    assert ran.code == 1, ran.out + ran.err
    assert ran.report["entries"][0]["reduced"]["equations"] == 1
    text = (tmp_path / "small.py").read_text()
    assert "tanh" in text
    assert "cos" not in text


# -------------------------------------------------------------------------------- usage and errors


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run"], "name a program"),
        (["run", "missing.py"], "there is no program"),
        (["run", "--pipeline", "nonsense", "p.py"], "nonsense"),
        (["check"], "Missing argument"),
        (["localize", "missing.py"], "missing.py"),
        (["nonsense"], "No such command"),
        (["doctor", "--jobs", "0"], "--jobs"),
    ],
)
def test_usage_errors_exit_with_2_and_say_what_is_wrong(words, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(*words) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_is_no_repro_is_an_error_not_a_crash(capsys, tmp_path):
    (tmp_path / "plain.py").write_text("print(1)\n")
    assert main("check", str(tmp_path / "plain.py")) == 2
    assert "not a repro file" in capsys.readouterr().out


def test_a_recording_is_never_overwritten(tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / JOURNAL).write_text("")
    program = tmp_path / "p.py"
    program.write_text("")
    assert main("run", "-o", str(tmp_path / "out"), str(program)) == 2
    assert "holds a recording already" in capsys.readouterr().err


def test_output_directories_are_named_after_the_program_and_new(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = output_directory(None, Target("path", "dir/train.py"))
    first.mkdir(parents=True)
    assert first == Path("jace-repro-out/train")
    assert output_directory(None, Target("path", "dir/train.py")) == Path("jace-repro-out/train-2")
    assert output_directory(None, Target("module", "pkg.mod")) == Path("jace-repro-out/pkg.mod")
    assert output_directory(None, Target("pytest")) == Path("jace-repro-out/pytest")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["-v", "p.py", "-m", "x"], ["-v", "p.py", "-m", "x"]),
        (["--jobs", "2", "-m", "mod", "-v"], ["--jobs", "2", "-m", "mod", "--", "-v"]),
        (["--pytest", "-k", "name"], ["--pytest", "--", "-k", "name"]),
        (["-o", "-m", "p.py"], ["-o", "-m", "p.py"]),
        (["--", "p.py", "-m"], ["--", "p.py", "-m"]),
    ],
)
def test_the_programs_own_options_are_left_alone(given, expected):
    assert _stop_at_program(run_command, given) == expected


def test_help_names_every_command_without_importing_jax():
    code = "import sys; from jace_repro import cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "assert 'jax' not in sys.modules"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in cli.command_table())


@pytest.mark.parametrize("name", list(cli.command_table()))
def test_every_command_has_help_and_the_common_options(name, capsys):
    assert main(name, "--help") == 0
    text = capsys.readouterr().out
    assert all(option in text for option in ("--json", "--jobs", "--timeout", "--verbose"))


def test_pipelines_default_to_what_the_repro_was_made_for():
    assert choose_pipelines((), "canonical/simplify") == ("canonical/simplify",)
    assert choose_pipelines(("fused", "fused"), "canonical") == ("fused",)
    assert choose_pipelines(()) == ("fused", "canonical")


# -------------------------------------------------------------------------------------- the report


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report("run", (EntryReport("f", verdicts=(GOOD,)),)), 0),
        (Report("run", (EntryReport("f", verdicts=(GOOD, BAD)),)), 1),
        (Report("run", (EntryReport("f", verdicts=(GOOD,)),), errors=("no repro",)), 2),
        (Report("run", (EntryReport("f", verdicts=(Verdict("fused", "harness-error"),)),)), 2),
        (Report("run", (EntryReport("f", verdicts=(GOOD,)),), {"exit_code": 1, "error": None}), 3),
        (Report("run", (EntryReport("f", verdicts=(BAD,)),), {"exit_code": 1, "error": "x"}), 1),
        (Report("check", (EntryReport("f", verdicts=(Verdict("fused", "reference-error"),)),)), 3),
        (Report("run", (EntryReport("f", verdicts=(BAD,)),), interrupted=True), 130),
        (Report("run", (EntryReport("f", verdicts=(Verdict("fused", "ill-conditioned"),)),)), 0),
    ],
)
def test_exit_codes(report, code):
    assert report.exit_code == code


def test_the_report_has_relative_paths_and_is_strict_json(tmp_path):
    entry = EntryReport(
        "f",
        repro=tmp_path / "out/entries/f.py",
        verdicts=(replace(BAD, max_abs=float("inf"), max_rel=float("nan"), max_ulp=3.0),),
        localized={"equation": "b = sub a a", "primitive": "sub", "pass": None},
        reduced=ReducedReport(tmp_path / "out/minimal/f.py", 1, 4, 12, 1.5),
    )
    write(Report("run", (entry,)), tmp_path / "out/sub/report.json")
    text = (tmp_path / "out/sub/report.json").read_text()
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    (found,) = data["entries"]
    assert found["repro"] == "../entries/f.py"
    assert found["reduced"]["repro"] == "../minimal/f.py"
    assert found["verdicts"][0]["max_abs"] == "inf"
    assert str(tmp_path) not in text
    assert data["summary"]["signatures"] == ["0123456789ab"]
    assert data["summary"]["outcomes"] == {"mismatch": 1}
    assert data["findings"] == [
        {
            "signature": "0123456789ab",
            "outcome": "mismatch",
            "who": None,
            "entries": ["f"],
            "repro": "../minimal/f.py",
        }
    ]


def test_findings_of_equal_signature_are_one_group():
    other = replace(BAD, signature="ffffffffffff")
    nameless = replace(BAD, outcome="timeout", signature=None)
    entries = (
        EntryReport("a", verdicts=(BAD, replace(BAD, pipeline="canonical"))),
        EntryReport("b", verdicts=(other, nameless)),
        EntryReport("c", verdicts=(BAD, nameless), reduced=ReducedReport(Path("m.py"), 1, 4, 12, 1.5)),
    )
    groups = Report("run", entries).groups
    assert [[entry.name for entry in group.entries] for group in groups] == [["a", "c"], ["b"], ["b"], ["c"]]
    assert groups[0].entry.name == "c"  # it has the minimal repro


def test_the_summary_says_what_where_and_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = EntryReport(
        "step",
        "train.py:12",
        verdicts=(GOOD, BAD),
        localized={
            "equation": "c = sub b a",
            "primitive": "sub",
            "pass": "simplify",
            "source": "train.py:14",
        },
        reduced=ReducedReport(tmp_path / "m.py", 1, 4, 12, 1.5),
    )
    other = EntryReport("step2", verdicts=(BAD,))
    text = "\n".join(line.text for line in summary_lines(Report("run", (entry, other))))
    for part in ("train.py:12", "train.py:14", "sub", "simplify", "m.py", "jace-repro check m.py", "step2"):
        assert part in text
    assert text.count("Finding") == 1
    assert "1 finding in 2 tested entries" in text


# ------------------------------------------------------------------------------- doctor, and places


def test_doctor_names_a_missing_compiler_and_its_remedy(jace_repro, tmp_path):
    ran = jace_repro("doctor", env={"CXX": str(tmp_path / "no-such-compiler")})
    assert ran.code == 2
    assert "FAILED   compiler" in ran.out
    assert "apt-get install g++" in ran.out
    assert any("compiler" in e for e in ran.report["summary"]["errors"])
    checks = {c["name"]: c["status"] for c in ran.report["checks"]}
    assert checks["jax"] == "ok"
    assert checks["hooks"] == "ok"


def test_doctor_is_content_here(jace_repro):
    ran = jace_repro("doctor")
    assert ran.code == 0, ran.out
    assert {c["name"] for c in ran.report["checks"]} == {c.name for c in doctor.CHECKS}


def test_a_miscompiling_jaxlib_is_warned_about(monkeypatch):
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "0.10.2")
    warning = doctor.jaxlib_warning()
    assert warning is not None
    assert "miscompiles" in warning
    assert "0.10.1" in warning
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "0.10.1")
    assert doctor.jaxlib_warning() is None


SCRIPT = """\
import jax

@jax.jit
def uniform(a):
    b = lax.neg(a)  # f32[2]
    return b

@jax.jit
def normal(a):
    b = uniform(a)  # f32[2]
    return b

def repro(a):
    b = lax.abs(a)  # f32[2]  prog.py:20
    c = normal(b)  # f32[2]  prog.py:21
    return c
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("<repro f>:14 (repro)", "prog.py:20"),
        ("<repro f>:5 (uniform)", "prog.py:21"),
        ("x.py:10", "prog.py:21"),
        ("x.py:1", None),
        ("x.py:999", None),
        ("", None),
    ],
)
def test_a_line_of_a_repro_leads_to_the_users_line(place, line):
    assert user_line(SCRIPT, place) == line


def test_places_in_a_message_become_the_users():
    text = "mul at <repro f>:10 (normal), add at <repro f>:14 (repro); <repro f>:1"
    assert in_user_terms(SCRIPT, text) == "mul at prog.py:21, add at prog.py:20; <repro f>:1"


def test_the_outcomes_all_have_advice():
    assert all(o.meaning.endswith(".") and o.advice.endswith(".") for o in OUTCOMES.values())
    assert os.environ["JACE_CACHE_DIR"]


# ------------------------------------------------------------------------------------- the README


def test_the_tables_of_the_readme_are_up_to_date():
    script = ROOT / "scripts" / "update_docs.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check", "README.md"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_ci_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    assert ".venv/bin/pytest -n 2 -q\n" in readme
    assert "\npytest -n 2 -q\n" in ci


def test_the_readme_knows_every_pipeline():
    readme = (ROOT / "README.md").read_text()
    assert all(f"| `{name}` |" in readme for name in PIPELINES)


# ------------------------------------------------------------------------------- for use in a test


def test_check_passes_a_right_function_and_takes_pytrees():
    verdicts = jace_repro.check(lambda x, d: jnp.cumsum(x["a"]) * d, {"a": np.ones(4, np.float32)}, 0.1)
    assert [(v.pipeline, v.outcome) for v in verdicts] == [("fused", "ok")]


def test_check_raises_with_the_outcome_and_what_is_unsupported(tmp_path):
    rules = tmp_path / "without_eig.py"
    rules.write_text('import jace.rules\nfrom jace import registry\n\ndel registry._rules["eig"]\n')
    with pytest.raises(AssertionError, match=r"(?s)unsupported on fused.*eig"):
        jace_repro.check(jnp.linalg.eigvals, np.eye(3, dtype=np.float32), rules=rules)


WRONG_FLOOR = """
import jace

@jace.register_rule("floor", override=True)
def floor(params, in_dtypes, out_dtype, x):
    return f"(({x}) < 0 ? -jace::floor(-({x})) : jace::floor({x}))"
"""


def floored(x, scale):
    return jnp.sum(jnp.floor(x * scale))


@pytest.fixture
def wrong_floor(tmp_path):
    """A rules file that is wrong for negative numbers with a fraction."""
    path = tmp_path / "wrong_floor.py"
    path.write_text(WRONG_FLOOR)
    return path


def test_check_tells_all_and_leaves_a_repro_that_shows_it(wrong_floor, tmp_path):
    x = np.array([-1.0, 2.0, 3.0, 1.0], np.float32)
    with pytest.raises(AssertionError) as caught:
        jace_repro.check(floored, x, 0.5, rules=wrong_floor, out=tmp_path / "out")
    text = str(caught.value)
    for told in (
        "floored does not agree with its DaCe translation",
        "mismatch on fused",
        "guilty    floor at test_cli.py:",
        "jace rule",
        "next      python",
        "out/floored.py  tests it again",
    ):
        assert told in text
    assert caught.value.repro == tmp_path / "out" / "floored.py"
    with Pool(rules=wrong_floor) as pool:
        repro = load(caught.value.repro)
        (again,) = pool.check(repro, [repro.header.pipeline])
    assert (again.outcome, again.signature) == ("mismatch", repro.header.signature)


def test_check_tries_generated_inputs_when_asked(wrong_floor, tmp_path):
    x = np.arange(24, dtype=np.float32)
    (fine,) = jace_repro.check(floored, x, 1.0, rules=wrong_floor)
    assert fine.outcome == "ok"
    with pytest.raises(AssertionError, match="inputs    generated: special") as caught:
        jace_repro.check(floored, x, 1.0, rules=wrong_floor, out=tmp_path, inputs="all")
    assert caught.value.repro.name == "floored.special.py"
    with pytest.raises(AssertionError, match="mismatch on fused"):  # it carries these inputs
        jace_repro.check(load(caught.value.repro).load_function(), *load(caught.value.repro).load_inputs(),
                         rules=wrong_floor, out=tmp_path / "again")  # fmt: skip
    with pytest.raises(ValueError, match="inputs='some'"):
        jace_repro.check(floored, x, 1.0, inputs="some")


def test_check_starts_its_workers_once():
    api.close()
    jace_repro.check(floored, np.ones(3, np.float32), 1.0)
    jace_repro.check(floored, np.ones(4, np.float32), 1.0)
    ((_, pool),) = api._pools
    assert pool.spawned == 1
    api.close()
    assert not api._pools
    jace_repro.check(floored, np.ones(3, np.float32), 1.0)  # and starts them again


def test_check_accepts_what_it_is_told_to(wrong_floor):
    x = np.full(3, -1.0, np.float32)
    (verdict,) = jace_repro.check(floored, x, 0.5, rules=wrong_floor, accept=("ok", "mismatch"))
    assert verdict.outcome == "mismatch"


def test_check_command_on_generated_inputs_with_a_bug_report(jace_repro, wrong_floor, tmp_path):
    args = np.arange(24, dtype=np.float32), np.float32(1)
    for name in ("one", "two"):
        emit_flat(jax.make_jaxpr(floored)(*args), args, header=Header(name=name)).save(
            tmp_path / f"{name}.py"
        )
    words = ("one.py", "two.py", "--pipeline", "fused", "--rules", str(wrong_floor))
    assert jace_repro("check", *words, "--report", "none.md").code == 0
    assert not (tmp_path / "none.md").exists()
    ran = jace_repro("check", *words, "--inputs", "all", "--report", "bug.md")
    assert ran.code == 1
    (found,) = ran.report["findings"]
    assert found["entries"] == ["one", "two"]
    assert (found["outcome"], found["who"], found["repro"]) == ("mismatch", "jace rule", "one.special.py")
    assert f"2 entries: same finding {found['signature']}" in ran.out
    assert "Bug report: bug.md" in ran.out
    assert "one.special.py" in (tmp_path / "bug.md").read_text()
    assert ran.report["entries"][0]["with_inputs"] == {"special": "one.special.py"}
    again = jace_repro("check", "one.special.py", "--pipeline", "fused", "--rules", str(wrong_floor))
    assert again.code == 1
    assert again.report["entries"][0]["verdicts"][0]["inputs"] is None


def test_run_reduces_a_finding_on_generated_inputs(jace_repro, program, wrong_floor, tmp_path):
    name = program("""
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def rounded(x):
    return jnp.floor(x) + 1

rounded(np.arange(24, dtype=np.float32))
""")
    words = ("--pipeline", "fused", "--rules", str(wrong_floor), "-o", "found", "--no-self-check")
    ran = jace_repro("run", "--inputs", "all", *words, "--report", "bug.md", name)
    assert ran.code == 1
    (found,) = ran.report["findings"]
    assert found["entries"] == ["rounded"]
    minimal = load(tmp_path / found["repro"])
    (value,) = np.asarray(minimal.load_inputs()[0]).ravel()  # a recorded one would not show it
    assert value < 0
    (entry,) = (e for e in ran.report["entries"] if e["name"] == "rounded")
    assert entry["localized"]["source"].startswith("prog.py:")
    assert "lax.floor" in (tmp_path / "bug.md").read_text()


@pytest.mark.parametrize("text", ["some", "-1", "1.5"])
def test_inputs_that_are_refused(text, capsys, tmp_path):
    assert main("check", str(tmp_path / "x.py"), "--inputs", text) == 2
    assert "neither a number nor 'all' nor 'recorded'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("1500", 1500), ("2K", 2048), ("1.5M", 3 << 19), ("2 GiB", 2 << 30), ("1tb", 1 << 40)],
)
def test_sizes(text, size):
    assert _size(None, None, text) == size


@pytest.mark.parametrize("text", ["", "M", "1X", "-1", "1e3"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(click.BadParameter, match="is no size"):
        _size(None, None, text)
