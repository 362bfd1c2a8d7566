"""Environments that differ from this one in the release of one package: made from the registry, kept on disk.

An environment is a venv that holds the pinned package alone and sees the packages of this one behind it, so nothing
else differs and little is downloaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jace.build import cache_dir
from jace_repro.paths import SOURCE_ROOT

#: What may be pinned, and which packages have to have the same release.
TOGETHER = {"jax": ("jax", "jaxlib"), "dace": ("dace",), "numpy": ("numpy",), "scipy": ("scipy",)}
_PIN = re.compile(r"([a-z]+)==([0-9][\w.]*)")
_READY = "ready"


class ReleaseError(Exception):
    """An environment that is not understood, cannot be made, or does not answer."""


@dataclass(frozen=True)
class Release:
    """A pinned package.

    Attributes:
        package: one of `TOGETHER`.
        version: its release.
    """

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package}=={self.version}"

    @property
    def requirements(self) -> tuple[str, ...]:
        """What is installed."""
        return tuple(f"{name}=={self.version}" for name in TOGETHER[self.package])


def parse(text: str) -> tuple[Release, ...]:
    """The releases of "jax==0.10.1,jax==0.10.2", in order. Raises ReleaseError."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        match = _PIN.fullmatch(word)
        if match is None or match[1] not in TOGETHER:
            raise ReleaseError(
                f"'{word}' is no release: write NAME==VERSION, NAME one of {', '.join(TOGETHER)}"
            )
        found.append(Release(match[1], match[2]))
    if not found:
        raise ReleaseError("no release is named")
    return tuple(found)


def interpreter(release: Release) -> Path:
    """The Python of an environment with this release; made when it is asked for first.

    Raises:
        ReleaseError: the registry does not have it, or the environment cannot be made.
    """
    behind = sysconfig.get_paths()["purelib"]
    key = hashlib.sha256(f"{behind} {sys.version} {release}".encode()).hexdigest()[:12]
    root = cache_dir() / "environments" / f"{release.package}-{release.version}-{key}"
    python = root / ("Scripts" if os.name == "nt" else "bin") / "python"
    if (root / _READY).exists():
        return python
    shutil.rmtree(root, ignore_errors=True)  # one that was left half made
    try:
        venv.create(root, with_pip=True, symlinks=os.name != "nt")
        _install(python, release)
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(root, ignore_errors=True)
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise ReleaseError(f"no environment with {release}: {said[-1] if said else error}") from error
    (root / _READY).touch()
    return python


def _install(python: Path, release: Release) -> None:
    """The pinned packages alone, and a line that lets the environment see this one's."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", *release.requirements]
    subprocess.run(command, check=True, capture_output=True, text=True, env=_outside())
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
    done = subprocess.run(asked, check=True, capture_output=True, text=True, env=_outside())
    line = "\n".join(dict.fromkeys(sysconfig.get_paths()[name] for name in ("purelib", "platlib")))
    Path(done.stdout.strip(), "behind.pth").write_text(line + "\n", encoding="utf-8")


def _outside() -> dict[str, str]:
    """The environment without what would put this one's packages first."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def report_of(release: Release, arguments: Sequence[str]) -> dict[str, Any]:
    """The machine report of `jace-repro check ARGUMENTS` with this release.

    Raises:
        ReleaseError: there is no such environment, or no report.
    """
    python = interpreter(release)
    ours = str(SOURCE_ROOT)
    with tempfile.TemporaryDirectory(prefix="jace-repro-") as scratch:
        path = Path(scratch, "report.json")
        command = [str(python), "-m", "jace_repro", "--no-config", "check", "--json", str(path), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**_outside(), "PYTHONPATH": ours}
        )
        if not path.exists():
            said = done.stderr.strip().splitlines()
            raise ReleaseError(f"{release}: {said[-1] if said else f'exit status {done.returncode}'}")
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    have = found.get("versions", {}).get(release.package)
    if have != release.version:
        raise ReleaseError(f"{release}: its environment has {release.package} {have}")
    return found
