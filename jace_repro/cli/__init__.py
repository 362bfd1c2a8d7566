"""``jace-repro``: the command line. Every command lives in a module of :mod:`jace_repro.cli`."""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from typing import Any

import click

from jace_repro.campaign import exit_codes

#: name -> (module, one line of help); modules are imported when their command is used: `--help` stays quick.
COMMANDS = {
    "run": "Record a program, test every traced function through DaCe, reduce what fails.",
    "record": "Record a program and write a repro of every traced function.",
    "check": "Test repro files.",
    "localize": "Name what makes a repro fail: equation, pass and transformation, compiler flag.",
    "reduce": "Reduce a failing repro to a minimal one.",
    "doctor": "Say what works on this machine: versions, compiler, hooks, cache.",
}


class LazyGroup(click.Group):
    """A group that knows the names of its commands and imports one when it is asked for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"jace_repro.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(metadata.version("jace-repro"), prog_name="jace-repro")
def cli() -> None:
    """Runs JAX programs through DaCe, finds where they disagree, reduces each disagreement to a script.

    \b
    Start with      jace-repro doctor
    then            jace-repro run PROG.py

    \b
    Exit codes of every command:
      0    nothing found
      1    a finding: DaCe, jace or XLA is wrong, or jace lacks a primitive
      2    usage error, or the harness itself failed
      3    the program itself fails under plain JAX
      130  ended by ctrl-C; what was found until then is on disk
    """


def main(argv: list[str] | None = None) -> Any:
    """The console script. Never returns: exits with the code that `cli` documents."""
    try:
        cli.main(args=argv, prog_name="jace-repro", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(exit_codes.ERROR)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("jace-repro: interrupted", err=True)
        sys.exit(exit_codes.INTERRUPTED)
    sys.exit(exit_codes.NOTHING)


if __name__ == "__main__":
    main()
