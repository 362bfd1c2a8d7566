"""The gallery page: each bug of the corpus with what is wrong, how it shows, and the few lines that show it."""

import ast
import re
from pathlib import Path

from jace_repro.corpus import store
from jace_repro.corpus.store import CorpusEntry

#: Functions that a repro brings along.
PRELUDE = ("J", "read_sidecar")
CORPUS = Path(__file__).resolve().parents[1] / "corpus"
HEAD = """\
# Gallery

Findings of jace-repro that are real bugs, written from the corpus by `python scripts/update_docs.py`: do not edit.
`jace-repro check` shows each again; the tests replay them all, and say when one is fixed. The
[corpus page](../corpus/README.md) has the evidence and the work-arounds. To look at them, with what is expected and
what comes, the jaxpr beside the SDFG and the C++, and the guilty pass, in one page:

```sh
jace-repro check --json findings.json corpus/repros/dace corpus/repros/xla
jace-repro report findings.json -o findings.html
```

| what is wrong | outcome | pipeline | signature |
|---|---|---|---|
"""
SCRIPTS = """
## Without jace

These show a bug of DaCe's or of XLA's by themselves, with exit status 1 while it is there.

| what is wrong | script |
|---|---|
"""


def known_bugs() -> dict[str, str]:
    """What corpus/README.md says of each script, by its path below the corpus."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| ", (CORPUS / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    return {
        path: bug
        for bug, evidence in rows
        for path in re.findall(r"`((?:repros|dace|xla)/\S+\.py)`", evidence)
    }


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    return re.split(r"(?<=[\w`)])\. (?=[A-Z`])", text)[0].rstrip(".")


def functions(entry: CorpusEntry) -> str:
    """The functions of a repro that say what it computes on what."""
    source = entry.repro.source
    found = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return "\n\n".join(ast.get_source_segment(source, f) or "" for f in found if f.name not in PRELUDE)


def link(path: Path, text: str = "") -> str:
    """A link to a script; its path is what is to be read when nothing else is."""
    name = path.relative_to(CORPUS).as_posix()
    return f"[{text or name}](../corpus/{name})"


def title(path: Path) -> str:
    """The first line of a script's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")


def page(_: str) -> str:
    bugs = known_bugs()
    rows, sections = [], []
    for entry in (one for one in store.entries(CORPUS) if not one.was_right):
        bug = bugs[entry.path.relative_to(CORPUS).as_posix()]
        header = entry.header
        cells = (first_sentence(bug), f"`{header.outcome}`", f"`{header.pipeline}`")
        rows.append(f"| {' | '.join(cells)} | {link(entry.path, entry.signature)} |\n")
        code = f"```python\n{functions(entry)}\n```"
        sections.append(f"\n## {header.name}\n\n{bug.rstrip('.')}.\n\n{code}\n\n{link(entry.path)}\n")
    scripts = [f"| {title(path)} | {link(path)} |\n" for path in store.scripts(CORPUS)]
    return "".join([HEAD, *rows, *sections, SCRIPTS, *scripts])
