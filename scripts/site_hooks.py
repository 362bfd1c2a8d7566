"""What mkdocs asks while it builds the site: pages that lie outside of docs/, and help texts as Markdown.

Links are written as they are right in the repository; here they are turned to where the site has their targets.
$SITE_FINDINGS names the page of the gallery's findings, which is tested for: `docs/gallery.md` has the commands.
"""

import inspect
import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from jace_repro.cli import cli

ROOT = Path(__file__).resolve().parents[1]
#: Pages outside of docs/, and their place in the site, where docs/ is the top.
PAGES = {
    "README.md": "manual.md",  # the name README.md means the first page, and that is docs/index.md
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "corpus/README.md": "corpus/README.md",
    "jace/PRIMITIVES.md": "jace/PRIMITIVES.md",
}
#: The page of all findings, where there is one, and its place in the site.
FINDINGS, FINDINGS_PLACE = os.environ.get("SITE_FINDINGS"), "findings.html"
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
#: A paragraph of a help text that click prints as it stands.
VERBATIM = re.compile(r"^\x08\n(.+?)(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Verbatim paragraphs of `--help` become listings."""
    context = click.Context(cli)
    for command in (cli, *(cli.get_command(context, name) for name in cli.list_commands(context))):
        if command is not None and command.help:
            command.help = VERBATIM.sub(r"```text\n\1\n```", inspect.cleandoc(command.help))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages outside of docs/ and the scripts of the corpus are part of the site."""
    scripts = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("corpus/**/*.py")}
    for source, place in {**PAGES, **{name: name for name in scripts}}.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    if FINDINGS:
        files.append(File.generated(config, FINDINGS_PLACE, abs_src_path=os.path.abspath(FINDINGS)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links between files of the repository become links of the site."""
    here = PurePosixPath(Path(page.file.abs_src_path or "").relative_to(ROOT).as_posix()).parent

    def site_link(match: re.Match[str]) -> str:
        target = os.path.normpath(here / match[1])
        if not (ROOT / target).is_file():
            return match[0]
        place = PAGES.get(target, target.removeprefix("docs/"))
        return f"]({os.path.relpath(place, os.path.dirname(page.file.src_uri))}{match[2] or ''})"

    if page.file.src_uri == "gallery.md" and FINDINGS:
        markdown += f"\n## All of them, to look at\n\n[One page]({FINDINGS_PLACE}) that needs no network.\n"
    return LINK.sub(site_link, markdown)
