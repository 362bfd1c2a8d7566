"""What a shell completes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from jace_repro import cli
from jace_repro.cli.commands.completion import SHELLS


def completed(line: str) -> list[str]:
    """The completions of the last word, as click answers bash."""
    words = line.split(" ")
    environment = {
        "_JACE_REPRO_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    answer = CliRunner().invoke(cli.cli, [], prog_name="jace-repro", env=environment)
    return [text.partition(",")[2] for text in answer.output.splitlines()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jace-repro ru", ["run"]),
        ("jace-repro re", ["record", "reduce", "report"]),
        ("jace-repro --no-c", ["--no-config"]),
        ("jace-repro run --sele", ["--select"]),
        ("jace-repro check --pipeline canonical/", ["canonical/simplify", "canonical/auto-optimize"]),
        (
            "jace-repro fuzz --pipeline canonical/xform:MapTil",
            ["canonical/xform:MapTiling", "canonical/xform:MapTilingWithOverlap"],
        ),
        ("jace-repro completion z", ["zsh"]),
    ],
)
def test_words_are_completed(line, expected):
    assert completed(line) == expected


def test_completing_needs_no_jax():
    """It is done at every press of a key."""
    environment = {
        "_JACE_REPRO_COMPLETE": "bash_complete",
        "COMP_WORDS": "jace-repro run --sel",
        "COMP_CWORD": "2",
    }
    code = (
        "import atexit, sys; from jace_repro import cli; sys.argv = ['jace-repro']\n"
        "atexit.register(lambda: print(sorted({'jax', 'numpy', 'dace'} & set(sys.modules))))\n"
        "cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "plain,--self-check\nplain,--select\n[]\n"


def test_the_modules_of_commands_need_no_jax():
    code = (
        "import sys, importlib; from jace_repro import cli\n"
        "for name in cli.command_table(): importlib.import_module('jace_repro.cli.commands.' + name)\n"
        "assert not {'jax', 'numpy', 'dace'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell(shell):
    answer = CliRunner().invoke(cli.cli, ["completion", shell], prog_name="jace-repro")
    assert answer.exit_code == 0
    assert f"_JACE_REPRO_COMPLETE={shell}_complete" in answer.output
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=answer.output, text=True, check=True)


def test_bash_completes_with_it(tmp_path):
    script = CliRunner().invoke(cli.cli, ["completion", "bash"], prog_name="jace-repro").output
    (tmp_path / "jace-repro").write_text(f"#!{sys.executable}\nfrom jace_repro import cli\ncli.main()\n")
    (tmp_path / "jace-repro").chmod(0o755)
    ask = (
        'COMP_WORDS=(jace-repro ru); COMP_CWORD=1; _jace_repro_completion jace-repro; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script + ask],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "run\n", done.stderr
