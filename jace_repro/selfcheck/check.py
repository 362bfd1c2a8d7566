"""Self-check: is an emitted script the program it was written from?

The script is executed in a fresh process on stock JAX (see `driver`), traced and run; the fingerprint of
its jaxpr and the digest of its outputs are compared with what its header says of the recorded program.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import Header, ReproError, parse_header, saved_jaxpr, with_header, write_file

Status = Literal["exact", "jaxpr-differs", "failed"]

#: Lines of a difference that are told, and how much of each.
_LONGEST, _WIDEST = 60, 300

#: Environment variables that would configure the child's JAX differently from what the script says.
_KEEP = frozenset({"JAX_PLATFORMS", "JAX_PLATFORM_NAME"})


@dataclass(frozen=True)
class SelfCheck:
    """`exact`: the same jaxpr and the same bits. Else `detail` says what is different or what failed."""

    status: Status
    detail: str = ""


def _nothing() -> None:
    """Nobody listens."""


def self_check(path: Path, *, timeout: float = 120.0, expected: str | None = None) -> SelfCheck:
    """Check one script; see `self_check_many`."""
    return self_check_many([path], timeout=timeout, expected={Path(path): expected} if expected else None)[0]


def self_check_many(
    paths: Sequence[Path],
    *,
    jobs: int = 1,
    timeout: float = 120.0,
    expected: Mapping[Path, str] | None = None,
    alike: Mapping[Path, Path] | None = None,
    on_result: Callable[[], None] = _nothing,
) -> list[SelfCheck]:
    """Check scripts in `jobs` fresh processes at a time; JAX is imported once for all.

    Those that configure JAX alike share a process. None is found wrong for that: it is asked again in one of its own.

    Args:
        paths: saved repro files.
        jobs: how many scripts run at once.
        timeout: seconds for one script.
        expected: canonical text of the recorded jaxpr by path, for a diff when it differs; where it is not given
            it is read from what `save_jaxpr` wrote beside the script, if it did.
        on_result: called when a script has been checked.
        alike: other scripts of the same programs, by path: where there is neither, the difference to what these are.

    Returns:
        One result for each path, in order.
    """
    results: dict[Path, SelfCheck] = {}
    headers: dict[Path, Header] = {}
    for path in map(Path, paths):
        try:
            headers[path], _ = parse_header(path.read_text(encoding="utf-8"))
        except (OSError, ReproError) as error:
            results[path] = SelfCheck("failed", str(error))
            continue
        unknown = headers[path].unknown
        if unknown is not None:
            results[path] = SelfCheck("failed", unknown)
    scripts = [path for path in headers if path not in results]
    expected = {Path(k): v for k, v in (expected or {}).items()}
    if scripts:
        reports = _run({path: headers[path] for path in scripts}, jobs, timeout, on_result)
        texts = {path: expected.get(path) or saved_jaxpr(path) for path in scripts}
        lacking = [path for path in scripts if "text" in reports[str(path)] and texts[path] is None]
        others = {path: alike[path] for path in lacking if path in alike} if alike else {}
        texts |= _texts_of(others, jobs, timeout)
        for path in scripts:
            results[path] = _verdict(headers[path], reports[str(path)], texts[path])
    return [results[Path(path)] for path in paths]


def _texts_of(alike: Mapping[Path, Path], jobs: int, timeout: float) -> dict[Path, str | None]:
    """What the programs of the scripts `alike` are, by the scripts that should be the same."""
    if not alike:
        return {}
    headers = {path: parse_header(path.read_text(encoding="utf-8"))[0] for path in alike.values()}
    # a script says what its program is when that has not the fingerprint it is asked for
    asked = {path: replace(header, fingerprint="none") for path, header in headers.items()}
    reports = _run(asked, jobs, timeout)
    return {path: reports[str(other)].get("text") for path, other in alike.items()}


def note_self_check(path: Path, check: SelfCheck) -> None:
    """Write the status of a self-check into the script's own header. Raises OSError, ReproError."""
    text = path.read_text(encoding="utf-8")
    header, sha256 = parse_header(text)
    marked = with_header(text, replace(header, self_check=check.status), sha256)
    write_file(path, marked.encode())


def _run(
    scripts: Mapping[Path, Header], jobs: int, timeout: float, on_result: Callable[[], None] = _nothing
) -> dict[str, dict[str, Any]]:
    request = {
        "root": str(SOURCE_ROOT),
        "scripts": {
            str(path): {
                "fingerprint": header.fingerprint,
                "outputs_sha256": header.outputs_sha256,
                "eager": header.eager,
                "without_dead_code": header.without_dead_code,
                "config": dict(header.jax_config),
                "alone": header.expected_error is not None,
            }
            for path, header in scripts.items()
        },
        "jobs": max(jobs, 1),
        "timeout": timeout,
    }
    env = {k: v for k, v in os.environ.items() if not k.startswith("JAX_") or k in _KEEP}
    command = [sys.executable, "-P", str(Path(__file__).with_name("driver.py"))]
    reports: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryFile("w+") as said:
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True, env=env
        ) as driver:
            assert driver.stdin is not None
            assert driver.stdout is not None
            try:
                with contextlib.suppress(BrokenPipeError), driver.stdin:
                    json.dump(request, driver.stdin)
                for line in driver.stdout:  # the driver ends a script that takes too long
                    report = json.loads(line)
                    reports[report["path"]] = report
                    on_result()
            except BaseException:
                driver.kill()
                raise
        said.seek(0)
        problem = said.read()[-400:] or f"exit code {driver.returncode}"
    missing = {"error": f"the checking process ended early: {problem}", "type": "driver"}
    return {str(path): reports.get(str(path), missing) for path in scripts}


def _verdict(header: Header, report: dict[str, Any], expected: str | None) -> SelfCheck:
    wanted = (header.expected_error or "").rpartition(".")[2]
    if wanted:
        found = report.get("type")
        if found == wanted and report.get("marked"):
            return SelfCheck("exact")
        if found == wanted:
            return SelfCheck("failed", f"raises {wanted}, but not at the call that should: {report['error']}")
        return SelfCheck("failed", f"should raise {wanted}: {report.get('error', 'raised nothing')}")
    if "error" in report:
        return SelfCheck("failed", "\n".join(filter(None, (report["error"], report.get("trace")))))
    if header.fingerprint and header.fingerprint != report["fingerprint"]:
        return SelfCheck("jaxpr-differs", _difference(header, report, expected))
    if header.outputs_sha256 and header.outputs_sha256 != report["outputs_sha256"]:
        return SelfCheck("failed", "the jaxpr is the same, but the outputs differ from the recorded ones")
    return SelfCheck("exact")


def _difference(header: Header, report: dict[str, Any], expected: str | None) -> str:
    parts = list(header.notes)
    if expected is not None:
        old, new = expected.splitlines(), report["text"].splitlines()
        diff = difflib.unified_diff(old, new, "recorded", "script", lineterm="", n=1)
        lines = [line if len(line) <= _WIDEST else f"{line[:_WIDEST]}..." for line in diff]
        parts += lines[:_LONGEST]
        if len(lines) > _LONGEST:
            parts.append(f"... and {len(lines) - _LONGEST} more lines")
    elif not parts:
        parts.append(f"fingerprint {report['fingerprint'][:12]} instead of {str(header.fingerprint)[:12]}")
    return "\n".join(parts)
