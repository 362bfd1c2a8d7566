"""``jace-repro``: the command line. It parses, calls `jace_repro.campaign`, shows what comes and exits.

Every file of `jace_repro.cli.commands` is a command. The group knows it by its file alone (the first line of its
docstring, its ``ORDER``) and imports it when it is used, so that ``--help`` stays quick.

In: the words of a command line. Out: text, the files that were asked for, and one of `campaign.exit_codes`.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
import sys
from collections.abc import Collection, Mapping
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from jace_repro.campaign import exit_codes
from jace_repro.cli import config
from jace_repro.repro.selection import did_you_mean
from jace_repro.tracker.switch import SWITCH

_FOLDER = Path(__file__).parent / "commands"


#: How the file of a command begins: its line of help, and somewhere below it its place.
_HEAD = re.compile(r'\A"""(.+?)(?:"""|\n).*?^ORDER = (\d+)$', re.DOTALL | re.MULTILINE)


@functools.cache
def command_table() -> Mapping[str, str]:
    """The commands in the order of ``--help``, with their one line of help; nothing is imported.

    Raises ValueError for a file that does not begin like a command.
    """
    found = []
    for path in _FOLDER.glob("[!_]*.py"):
        head = _HEAD.match(path.read_text(encoding="utf-8"))
        if head is None:
            raise ValueError(f"{path}: a command begins with its line of help and has a line ORDER = N")
        found.append((int(head[2]), path.stem, head[1]))
    return {name: line for _, name, line in sorted(found)}


def _command(name: str) -> click.Command:
    command: click.Command = import_module(f"{__name__}.commands.{name}").command
    return command


def _commands() -> dict[str, click.Command]:
    return {name: _command(name) for name in command_table()}


class LazyGroup(click.Group):
    """A group that knows the names of its commands and imports one when it is asked for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in order."""
        return list(command_table())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None if there is none."""
        if cmd_name not in command_table():
            return None
        return _command(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What a shell completes here: the commands, none of which is imported, and options."""
        named = {name: line for name, line in command_table().items() if name.startswith(incomplete)}
        commands = [CompletionItem(name, help=line) for name, line in named.items()]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, and its words. Raises click.UsageError for one that is not known."""
        name = args[0]
        if name not in command_table() and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name, command_table())
            ctx.fail(f"No such command '{name}'{did_you_mean(near)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(command_table().items()))


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(metadata.version("jace-repro"), prog_name="jace-repro")
@click.option("--no-config", is_flag=True, help="Read no options from jace-repro.toml or pyproject.toml.")
@click.pass_context
def cli(context: click.Context, no_config: bool) -> None:
    """Runs JAX programs through DaCe, finds where they disagree, reduces each disagreement to a script.

    \b
    Start with      jace-repro doctor
    then            jace-repro run PROG.py

    Options may be kept in a file, jace-repro.toml or [tool.jace-repro] in pyproject.toml, by their long names:
    jobs = 2, pipeline = ["fused"], ignore = ["file:plots.py"]; in a table [run] for one command. The nearest one
    counts, upward from here; the command line wins.

    \b
    Exit codes of every command:
      0    nothing found
      1    a finding: DaCe, jace or XLA is wrong, or jace lacks a primitive
      2    usage error, or the harness itself failed
      3    the program itself fails under plain JAX
      130  ended by ctrl-C; what was found until then is on disk
    """
    if not no_config and (found := config.find(Path.cwd())) is not None:
        context.default_map = config.default_map(found, _commands())
        context.meta[config.META] = found.path


def defaults(name: str, options: Collection[str | None]) -> dict[str, Any]:
    """What a file with options says of some options of a command. Raises click.ClickException."""
    found = config.find(Path.cwd())
    known = {} if found is None else config.default_map(found, _commands())[name]
    return {option: value for option, value in known.items() if option in options}


def main(argv: list[str] | None = None) -> Any:
    """The console script. Never returns: exits with the code that `cli` documents."""
    switch = os.environ.pop(SWITCH, None)  # what jace-repro starts is recorded when it says so
    try:
        cli.main(args=argv, prog_name="jace-repro", standalone_mode=False, obj={SWITCH: switch})
    except click.ClickException as error:
        error.show()
        sys.exit(exit_codes.ERROR)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("jace-repro: interrupted", err=True)
        sys.exit(exit_codes.INTERRUPTED)
    sys.exit(exit_codes.NOTHING)


if __name__ == "__main__":
    main()
