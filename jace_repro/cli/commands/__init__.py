"""The commands: every file here is one, called as its file is; `jace_repro.cli` finds them.

The first line of a file's docstring is the command's help in the list of commands, its `ORDER` its place there, and
its `command` the command itself, a `click.Command`.
"""
