"""The command line: options, exit codes, messages, and the machine report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from drawn import DOT
from planted_pool import SIGNATURE, open_pool

from jace_repro import cli
from jace_repro.campaign import check as campaign_check
from jace_repro.campaign import localize as campaign_localize
from jace_repro.campaign import reduce as campaign_reduce
from jace_repro.campaign.report import EntryReport, Report, write
from jace_repro.campaign.settings import choose_pipelines
from jace_repro.campaign.stored import read
from jace_repro.cli.commands.run import command as run_command
from jace_repro.cli.output import write_page
from jace_repro.cli.program import _size, _stop_at_program, output_directory
from jace_repro.cli.terminal import Terminal
from jace_repro.emitter import emit_flat
from jace_repro.repro import Entry, Header, load, trace_repro
from jace_repro.tester import Verdict
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import Target


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


@pytest.mark.ci
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
    way = ("--history", "way")
    ran = jace_repro("reduce", repro, "-o", "small.py", "--predicate", "grep -q tanh", *way)
    assert ran.code == 1, ran.out + ran.err
    assert ran.report["entries"][0]["reduced"]["equations"] == 1
    text = (tmp_path / "small.py").read_text()
    assert "tanh" in text
    assert "cos" not in text
    steps = sorted((tmp_path / "way").glob("*.py"))
    assert [path.name[:3] for path in steps] == [f"{number:03}" for number in range(1, len(steps) + 1)]
    assert steps[-1].name.endswith("-1_equations.py")
    assert load(steps[-1]).source == load(tmp_path / "small.py").source
    refused = jace_repro("reduce", "out", *way)
    assert (refused.code, "--history go with one repro" in refused.err) == (2, True)
    assert "Finding 1: interesting\n" in ran.out
    assert "jace-repro check" not in ran.out + text  # the tester has nothing to say of it
    assert "while it is interesting: grep -q tanh: exit status 0." in text
    checked = jace_repro("check", "small.py")
    assert checked.code == 0, checked.out + checked.err
    (tmp_path / "there").mkdir()
    into = jace_repro("reduce", "small.py", "-o", "there", "--predicate", "grep -q tanh")
    assert into.code == 1, into.out + into.err
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["small.min.py"]
    ran = jace_repro("reduce", repro, "-o", "small.py", "--predicate", "grep -q sinh")
    assert ran.code == 2
    assert (
        f"{repro} is not interesting (grep -q sinh: exit status 1), so there is nothing to reduce" in ran.err
    )


def test_a_program_that_jax_cannot_trace_is_reduced_to_the_call_that_raises(jace_repro, program, tmp_path):
    name = program("""
import jax, jax.numpy as jnp, numpy as np
from jax import lax

def body(c, x):
    h = jnp.tanh(c["h"] + x)
    return {"h": h, "n": c["n"].astype(jnp.float16)}, h.sum()

@jax.jit
def train(x):
    y = jnp.exp(x) * 3.0
    return lax.scan(body, {"h": y[0], "n": y[1]}, y)[0]["h"]

train(np.ones((5, 3), np.float32))
""")
    ran = jace_repro("run", "-o", "out", name)
    assert ran.code == 3, ran.out + ran.err
    (repro,) = [e["repro"] for e in ran.report["entries"] if e["name"] == "train"]
    assert "carry input and carry output must have equal types" in ran.out
    assert f"reduce {repro}  makes it small" in ran.out
    ran = jace_repro("reduce", repro, "-o", "small.py")
    assert ran.code == 3, ran.out + ran.err
    assert "  minimal   small.py (" in ran.out
    assert ran.report["entries"][0]["reduced"]["stopped"] == "fixpoint"
    text = (tmp_path / "small.py").read_text()
    assert "return lax.scan(body, " in text
    assert "tanh" not in text
    assert "FINDING" not in text
    with pytest.raises(TypeError, match="carry input and carry output must have equal types"):
        trace_repro(load(tmp_path / "small.py"))
    ran = jace_repro("reduce", "out", "-o", "small")
    assert ran.code == 3, ran.out + ran.err
    (reduced,) = [e["reduced"] for e in ran.report["entries"] if e["reduced"] is not None]
    assert "lax.scan(body, " in (tmp_path / reduced["repro"]).read_text()


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
        (["chek"], "did you mean 'check'?"),
        (["run", "--pipelin", "fused", "p.py"], "Did you mean '--pipeline'?"),
        (["check", "--select", "primitives:scan", "x.py"], "did you mean 'primitive:scan'?"),
        (["check", "--versions", "jax==0.10.1", "-x", "x.py"], "--versions goes neither"),
        (["doctor", "--jobs", "0"], "--jobs"),
        (["report", "missing"], "missing"),
        (["report", "."], "has no report.json: `jace-repro run` makes one"),
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


def test_a_directory_is_reduced_into_a_folder_of_its_own_and_not_twice(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in (campaign_reduce, campaign_localize):
        monkeypatch.setattr(module, "open_pool", open_pool)
    args = np.arange(24, dtype=np.float32), np.float32(1)
    emit_flat(jax.make_jaxpr(floored)(*args), args, header=Header(name="f")).save(tmp_path / "repros/f.py")
    (tmp_path / "repros/helpers.py").write_text("x = 1")
    (tmp_path / "repros/broken.py").write_text("# /// jace-repro")
    for _ in range(2):
        assert main("reduce", "repros", "--json", "report.json") == 1
        (entry,) = json.loads(Path("report.json").read_text())["entries"]
        assert entry["reduced"]["repro"] == f"repros/minimal/f-mismatch-{SIGNATURE[:8]}.py"
        assert "error: repros/broken.py: " in capsys.readouterr().out
    assert main("localize", "repros", "--pipeline", "fused") == 1
    assert "\nrepros/f.py:\nLocalised on fused:" in capsys.readouterr().out
    assert main("reduce", "repros", "--signature", "01") == 2
    assert "go with one repro" in capsys.readouterr().err
    Path("empty").mkdir()
    for command in ("reduce", "localize"):
        assert main(command, "empty") == 2
        assert "empty: no repro file in it, nor below it" in capsys.readouterr().err


def test_the_findings_of_a_report_are_reduced(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in (campaign_check, campaign_reduce):
        monkeypatch.setattr(module, "open_pool", open_pool)
    args = np.arange(24, dtype=np.float32), np.float32(1)
    for name, fun in {"f": floored, "g": floored, "h": lambda x, _: x + 1}.items():
        closed = jax.make_jaxpr(fun)(*args)
        emit_flat(closed, args, header=Header(name=name)).save(tmp_path / f"repros/{name}.py")
    assert main("check", "repros", "--pipeline", "fused", "--json", "reports/r.json") == 1
    assert [(e.repro.name, v.signature) for e, v in read(Path("reports/r.json")).report.findings] == [
        ("f.py", SIGNATURE),
        ("g.py", SIGNATURE),
    ]
    assert main("reduce", "reports/r.json", "--json", "all.json") == 1
    of_all = json.loads(Path("all.json").read_text())["entries"]
    assert [entry["name"] for entry in of_all] == ["f", "g"]  # h has no finding
    assert of_all[0]["reduced"]["repro"] == f"reports/minimal/f-mismatch-{SIGNATURE[:8]}.py"
    capsys.readouterr()
    chosen = "reduce", "reports/r.json", "--signature", SIGNATURE[:6], "--history", "steps", "-o", "m.py"
    assert main(*chosen, "--json", "one.json") == 1
    (entry,) = json.loads(Path("one.json").read_text())["entries"]
    assert entry["reduced"]["repro"] == "m.py"
    assert [verdict["pipeline"] for verdict in entry["verdicts"]] == ["fused"]  # as it was found
    assert main("reduce", "reports/r.json", "--seconds", "9") == 2
    assert "go with one repro, not with several" in capsys.readouterr().err


def test_a_report_without_the_finding_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = Verdict("fused", "mismatch", signature="abc123")
    entries = (EntryReport(Entry("f", source="f.py"), repro=tmp_path / "f.py", verdicts=(wrong,)),)
    write(Report("check", entries), tmp_path / "r.json")
    write(Report("check"), tmp_path / "none.json")
    Path("other.json").write_text('{"entries": 1}')
    Path("broken.json").write_text("{")
    for words, said in {
        ("r.json", "--signature", "ff"): "r.json: no finding ff in it; it has abc123",
        ("none.json",): "none.json: no finding in it",
        ("other.json",): "other.json is no machine report of schema 1 (it has schema None)",
        ("broken.json",): "broken.json is not JSON: ",
        ("gone.json",): "No such file",
    }.items():
        assert main("reduce", *words) == 2
        assert said in capsys.readouterr().err


def test_one_report_for_other_programs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(campaign_check, "open_pool", open_pool)
    args = np.arange(24, dtype=np.float32), np.float32(1)
    header = Header(name="f", origin="src/model.py:21 (f)")
    emit_flat(jax.make_jaxpr(floored)(*args), args, header=header).save(tmp_path / "f.py")
    words = ("--pipeline", "fused", "--junit", "ci/results.xml", "--sarif", "ci/results.sarif", "--github")
    assert main("check", "f.py", *words) == 1
    assert (
        "\n::error file=src/model.py,line=21,title=jace-repro%3A mismatch on fused::f: "
        in capsys.readouterr().out
    )
    assert 'file="src/model.py" line="21"' in Path("ci/results.xml").read_text()
    assert json.loads(Path("ci/results.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "mismatch"
    assert main("check", "f.py", "--junit", "f.py/results.xml") == 2
    assert "cannot write f.py/results.xml" in capsys.readouterr().err


def test_what_failed_last_is_tested_again(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(campaign_check, "open_pool", open_pool)
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))

    def save(name, function):
        args = np.arange(24, dtype=np.float32), np.float32(1)
        made = emit_flat(jax.make_jaxpr(function)(*args), args, header=Header(name=name))
        made.save(tmp_path / f"repros/{name}.py")

    def tested(*words):
        main("check", *words, "--json", "report.json", "--pipeline", "fused")
        return [e["name"] for e in json.loads(Path("report.json").read_text())["entries"]]

    for name in "abc":
        save(name, floored if name < "c" else jnp.add)
    assert main("check", "--last-failed", "repros") == 2
    assert "nothing in repros has been tested yet" in capsys.readouterr().err
    assert main("check", "--last-failed", "repros/a.py") == 2
    assert "goes with directories" in capsys.readouterr().err
    assert tested("repros") == ["a", "b", "c"]
    assert tested("--last-failed", "repros") == ["a", "b"]
    save("a", jnp.add)
    assert tested("--select", "a", "repros") == ["a"]
    assert tested("--last-failed", "repros") == ["b"]
    save("b", jnp.add)
    assert tested("--last-failed", "repros") == ["b"]
    assert tested("--last-failed", "repros") == []
    assert "Nothing of repros failed when it was tested last." in capsys.readouterr().out
    bad = EntryReport(Entry("c"), repro=Path("repros/c.py"), verdicts=(Verdict("fused", "mismatch", "ab"),))
    (tmp_path / "repros" / JOURNAL).touch()
    write(Report("run", (bad,)), tmp_path / "repros/report.json")  # a run has been there since
    assert tested("--last-failed", "repros") == ["c"]


def test_a_recording_is_never_overwritten(tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / JOURNAL).write_text("")
    program = tmp_path / "p.py"
    program.write_text("")
    assert main("run", "-o", str(tmp_path / "out"), str(program)) == 2
    assert "holds a recording already" in capsys.readouterr().err


def test_only_what_was_selected_is_written_and_tested(jace_repro, program, tmp_path):
    name = program("""
import jax, jax.numpy as jnp, numpy as np

step = jax.jit(lambda x: jnp.sin(x))
wave = jax.jit(lambda x: jnp.cos(x) + 1)
print(float(jnp.sum(step(np.ones(3, np.float32)) + wave(np.ones(3, np.float32)))))
""")
    ran = jace_repro(
        "run", "--pipeline", "fused", "--no-eager", "--ignore", "primitive:cos", "-o", "out", name
    )
    assert ran.code == 0, ran.out + ran.err
    (entry,) = ran.report["entries"]
    assert entry["source"] == "prog.py:4"
    left_out = ran.report["summary"]["left_out"]
    assert left_out >= 3
    assert f"{left_out} entries were left out (--select, --ignore, --no-eager)." in ran.out
    assert [path.stem[:5] for path in (tmp_path / "out/entries").glob("*.py")] == ["e0001"]
    ran = jace_repro("record", "--select", "file:prig.py", "-o", "again", name)
    assert ran.code == 2
    assert "--select file:prig.py means none" in ran.err
    assert "did you mean 'file:prog.py'?" in ran.err


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
    command = cli.cli.get_command(None, name)
    inner = list(command.commands) if isinstance(command, click.Group) else []
    for words in ([name, one] for one in inner) if inner else ([name],):
        assert main(*words, "--help") == 0
        text = capsys.readouterr().out
        assert all(option in text for option in ("--json", "--jobs", "--timeout", "--verbose"))


def test_pipelines_default_to_what_the_repro_was_made_for():
    assert choose_pipelines((), "canonical/simplify") == ("canonical/simplify",)
    assert choose_pipelines(("fused", "fused"), "canonical") == ("fused",)
    assert choose_pipelines(()) == ("fused", "canonical")


def floored(x, scale):
    return jnp.sum(jnp.floor(x * scale))


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
    assert (found["outcome"], found["who"], found["repro"]) == ("mismatch", "user rule", "one.special.py")
    assert f"2 entries: same finding {found['signature']}" in ran.out
    assert "Bug report: bug.md" in ran.out
    assert "one.special.py" in (tmp_path / "bug.md").read_text()
    assert ran.report["entries"][0]["with_inputs"] == {"special": "one.special.py"}
    again = jace_repro("check", "one.special.py")  # it has its rules with it
    assert again.code == 1
    assert "as its header expects: mismatch" in again.out
    assert again.report["entries"][0]["verdicts"][0]["inputs"] is None


def test_reduce_begins_with_generated_inputs_where_it_is_to(jace_repro, wrong_floor, tmp_path):
    args = np.arange(24, dtype=np.float32), np.float32(1)
    emit_flat(jax.make_jaxpr(floored)(*args), args, header=Header(name="one")).save(tmp_path / "one.py")
    words = ("one.py", "--pipeline", "fused", "--rules", str(wrong_floor))
    ran = jace_repro("reduce", *words)
    assert (ran.code, ran.report) == (2, None)
    assert "--inputs all looks for inputs that show one" in ran.err
    ran = jace_repro("reduce", *words, "--inputs", "all")
    assert ran.code == 1
    assert "inputs    generated: special" in ran.out
    minimal = load(tmp_path / "one.min.py")
    assert [e.primitive.name for e in trace_repro(minimal)[0].jaxpr.eqns] == ["floor"]
    assert jace_repro("check", "one.min.py").code == 1
    ran = jace_repro("reduce", *words, "--inputs", "all", "--as-written")
    assert ran.code == 2
    assert "--inputs goes with neither" in ran.err


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
    assert "Page: found/report.html" in ran.out.splitlines()[-3:]
    page = (tmp_path / "found/report.html").read_text()
    for told in (
        "Wrong result of floor",
        "expected <small>XLA",
        'class="pane sdfg"',
        'class="tasklet" data-eq="' if DOT else "Graphviz&#39;s dot is not installed",
        'class="pane cpp"',
    ):
        assert told in page
    (kept,) = (tmp_path / "found/views").iterdir()
    before = kept.stat().st_mtime_ns
    again = jace_repro("report", "found", "-o", "other.html")  # without the rules: what was kept is shown
    assert (again.code, again.out) == (0, "Page: other.html\n"), again.err
    assert again.report["command"] == "report"
    assert kept.stat().st_mtime_ns == before
    assert "../found/" not in (tmp_path / "other.html").read_text()
    assert "found/minimal/" in (tmp_path / "other.html").read_text()


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


def test_a_run_stands_without_a_page(tmp_path, capsys):
    (tmp_path / "report.json").write_text("{}")
    write_page(tmp_path, Terminal())
    told = capsys.readouterr()
    assert "no page: StoredError: " in told.err
    assert told.out == ""
