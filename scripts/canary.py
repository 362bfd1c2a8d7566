"""What the newest JAX and DaCe break: installs them into a throw-away environment and asks everything that tells.

    python scripts/canary.py [--python VERSION] [--with REQUIREMENT]... [--index URL]... [--final] [--quick]
                             [--keep DIR] [--json FILE]

Pre-releases included, unless --final: the newest jax, jaxlib and dace of the registry (and of --index, as that of
JAX's nightly builds), or what --with names ("jax==0.12.0", "dace==2.0.0b1"), on the newest Python that is here or on
--python. Printed are, of what is other than in this environment:

* the releases; what `jace-repro doctor` finds, with each function of JAX that a hook needs and does not find;
* primitives: new ones, those that are gone, those that are not translated any more;
* JAX's own harnesses, a part of each group, by what became of them;
* entries of the corpus that are fixed, or fail in another way; tests that meet JAX's own structures and fail.

--quick leaves out what the last two lines say. Exit status 0: nothing is broken (what is new or fixed is said all the
same). 1: something is. 2: no such environment could be made.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from releases import QUICK, ROOT, in_environment

from jace_repro.campaign.interpreters import find
from jace_repro.survey.results import one_line

NEWEST = ("3.14", "3.13", "3.12", "3.11")
WATCHED = ("jax", "jaxlib", "dace")
#: Outcomes of a harness that break nothing.
FINE = frozenset({"ok", "ill-conditioned", "unsupported"})
FRACTION = "0.05"
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - (.*))?$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """Something that is other than here: what it is about, what became of it, and whether that breaks anything."""

    about: str
    name: str
    what: str
    broken: bool

    def __str__(self) -> str:
        return f"{'BROKEN' if self.broken else '':7} {self.about:10} {self.name}: {self.what}"


def newest(folder: Path, options: argparse.Namespace) -> Path:
    """The Python of an environment with what is to be tried; the limits that we set ourselves do not count.

    Raises:
        LookupError: there is no such Python.
        CalledProcessError: it cannot be made.
    """
    wanted = [options.python] if options.python else NEWEST
    python = next(filter(None, map(find, wanted)), None)
    if python is None:
        raise LookupError(f"there is no Python {', '.join(wanted)} here")
    subprocess.run([str(python), "-m", "venv", str(folder)], check=True)
    made = folder / "bin" / "python"
    pip = [str(made), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-e", f"{ROOT}[test]"], check=True)
    named = {re.split(r"[=<>!~]", text)[0] for text in options.given}
    both = [text.replace("jax", "jaxlib", 1) for text in options.given if re.match(r"jax\b", text)]
    rest = [name for name in WATCHED if name not in named and not (name == "jaxlib" and both)]
    pre = [] if options.final else ["--pre"]
    indexes = [word for url in options.index for word in ("--extra-index-url", url)]
    subprocess.run([*pip, *pre, *indexes, "--upgrade", *rest, *options.given, *both], check=True)
    return made


def report(python: Path, *words: str) -> Mapping[str, Any]:
    """The machine report of a command of jace-repro there; empty where there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "report.json")
        done = in_environment(python, ["-m", "jace_repro", *words, "--json", str(path)], capture=True)
        if not path.exists():
            print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
            return {}
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found


def versions(here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[Row]:
    """The releases."""
    for name, version in there.get("versions", {}).items():
        known = here["versions"].get(name)
        if known != version:
            yield Row("release", name, f"{version} (here {known})", broken=False)


def checks(there: Mapping[str, Any]) -> Iterator[Row]:
    """What `doctor` finds. That a release was not tried yet is no news."""
    if not there:
        yield Row("doctor", "jace-repro", "does not start", broken=True)
    for check in there.get("checks", ()):
        if check["status"] != "ok":
            broken = check["status"] == "failed" and check["name"] != "jax"
            yield Row("doctor", check["name"], check["detail"], broken)


def primitives(here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[Row]:
    """Primitives that are new, gone, or not translated any more."""
    if not there:
        yield Row("primitives", "all", "the list could not be made", broken=True)
        return
    before, after = ({row["primitive"]: row for row in found["primitives"]} for found in (here, there))
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None:
            yield Row("primitive", name, "gone", broken=False)
        elif old is None:
            what = (
                "new, translated"
                if new["translated"]
                else f"new, not translated: {new['note'] or 'no reason is known'}"
            )
            yield Row("primitive", name, what, broken=not (new["translated"] or new["note"]))
        elif old["translated"] and not new["translated"]:
            what = f"not translated any more: {new['note'] or 'no reason is known'}"
            yield Row("primitive", name, what, broken=True)
        elif lost := sorted({*old["dtypes"]} - {*new["dtypes"]}):
            ours = sorted({*lost} & {*new["refused_dtypes"]})
            what = (
                f"not translated any more for {', '.join(ours)}"
                if ours
                else f"JAX refuses {', '.join(lost)} now"
            )
            yield Row("primitive", name, what, broken=bool(ours))


def harnesses(python: Path, folder: Path) -> Iterator[Row]:
    """A part of JAX's own harnesses of that release."""
    command = ["scripts/harness.py", "--fraction", FRACTION, "--jobs", "2", "--quiet", "--out", str(folder)]
    in_environment(python, command)
    path = folder / "results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    if not lines:
        yield Row("harness", "all", "did not run", broken=True)
    for line in map(json.loads, lines):
        for pipeline, (outcome, reason, _) in line["results"].items():
            if outcome not in FINE:
                # XLA's own fault breaks nothing of ours, and somebody wants to know
                broken = outcome != "reference-mismatch"
                name = f"{line['harness']['name']} on {pipeline}"
                yield Row("harness", name, f"{outcome}: {one_line(reason)}", broken)


def failures(python: Path, tests: Sequence[str], about: str) -> Iterator[Row]:
    """Tests that fail; an entry of the corpus that is ok now is good news."""
    command = ["-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider", "--tb=line", *tests]
    done = in_environment(python, command, capture=True)
    print(done.stdout[-2000:])
    found = list(_FAILED.findall(done.stdout))
    if done.returncode not in (0, 1) or (done.returncode == 1 and not found):
        yield Row(about, "all", f"pytest ended with status {done.returncode}", broken=True)
    for name, reason in found:
        fixed = about == "corpus" and "XPASS(strict)" in reason
        yield Row(about, name.removeprefix("tests/"), reason or "failed", broken=not fixed)


def rows(python: Path, folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """All that is other there."""
    here = Path(sys.executable)
    doctor = report(python, "doctor")
    ours = report(here, "doctor", "--primitives")
    yield from versions(ours, doctor)
    yield from checks(doctor)
    yield from primitives(ours, report(python, "doctor", "--primitives"))
    yield from harnesses(python, folder / "harness")
    if not options.quick:
        yield from failures(python, ["corpus", "tests/test_corpus.py"], "corpus")
        yield from failures(python, QUICK, "test")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", metavar="VERSION", help=f"default: the first there is of {', '.join(NEWEST)}"
    )
    parser.add_argument("--with", dest="given", action="append", default=[], metavar="REQUIREMENT")
    parser.add_argument("--index", action="append", default=[], metavar="URL", help="a further registry")
    parser.add_argument("--final", action="store_true", help="no pre-releases")
    parser.add_argument("--quick", action="store_true", help="neither the corpus nor the tests")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="a new folder to make the environment in, kept"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="canary-") as scratch:
        folder = options.keep or Path(scratch)
        try:
            python = newest(folder / "environment", options)
        except (LookupError, subprocess.CalledProcessError) as error:
            print(f"no environment: {error}", file=sys.stderr)
            return 2
        found = []
        for row in rows(python, folder, options):
            found.append(row)
            print(row, flush=True)
    broken = [row for row in found if row.broken]
    print(f"{len(broken)} broken, {len(found) - len(broken)} other than here")
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n", encoding="utf-8")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
