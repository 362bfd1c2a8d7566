"""Print what completes the words of a jace-repro command line in your shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options

if TYPE_CHECKING:
    from jace_repro.cli.output import Output

ORDER = 80
SHELLS = ("bash", "zsh", "fish")
#: By which a shell asks for completions; click derives it from the program's name.
_VARIABLE = "_JACE_REPRO_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@common_options
def command(shell: str, settings: Settings, output: Output) -> None:
    """Print a script that has your shell complete commands, options and their values at Tab.

    \b
    bash   jace-repro completion bash > ~/.local/share/bash-completion/completions/jace-repro
    zsh    jace-repro completion zsh > DIR/_jace-repro, DIR a directory of $fpath
    fish   jace-repro completion fish > ~/.config/fish/completions/jace-repro.fish

    bash finds the file there if its package bash-completion is installed; else: source it in ~/.bashrc.
    """
    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import finish

    kind = get_completion_class(shell)
    assert kind is not None
    group = click.get_current_context().find_root().command
    click.echo(kind(group, {}, "jace-repro", _VARIABLE).source())
    finish(Report("completion"), output)
