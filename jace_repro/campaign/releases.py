"""Environments that differ from this one in releases of packages or of Python: made from the registry, kept on disk.

One of this Python is a venv that holds the pinned packages alone and sees the packages of this one behind it, so
nothing else differs and little is downloaded. One of another Python holds all that jace-repro needs, in the releases
that are installed here where they are not pinned. Either has a copy of `jace` and `jace_repro`: the folder that these
lie in here may have packages in it that are to be others there.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from jace.build import cache_dir
from jace_repro.campaign import interpreters
from jace_repro.paths import SOURCE_ROOT

#: What may be pinned, and which packages have to have the same release. Python is none.
TOGETHER = {
    "jax": ("jax", "jaxlib"),
    "dace": ("dace",),
    "numpy": ("numpy",),
    "scipy": ("scipy",),
    "python": (),
}
_PIN = re.compile(r"([a-z]+)==([0-9][\w.]*)")
_OURS = ("jace", "jace_repro")
_READY, _COPIED = "ready", "copied"
_SITE = "import sysconfig; print(sysconfig.get_paths()['purelib'])"


class ReleaseError(Exception):
    """An environment that is not understood, cannot be made, or does not answer."""


@dataclass(frozen=True)
class Release:
    """A pinned package, or Python.

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

    def is_in(self, versions: dict[str, str]) -> bool:
        """Whether an environment with these versions has it."""
        found = versions.get(self.package, "")
        return interpreters.is_of(found, self.version) if self.package == "python" else found == self.version


@dataclass(frozen=True)
class Environment:
    """The releases in which an environment differs from this one, of different packages."""

    releases: tuple[Release, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.releases))

    @property
    def requirements(self) -> tuple[str, ...]:
        """What is installed."""
        return tuple(text for release in self.releases for text in release.requirements)

    @property
    def python(self) -> str | None:
        """The version of Python; None for this one."""
        return next((r.version for r in self.releases if r.package == "python"), None)


def parse(text: str) -> tuple[Environment, ...]:
    """The environments of "jax==0.10.1,jax==0.12.0+python==3.13", in order. Raises ReleaseError."""
    found = [_environment(word) for word in filter(None, (part.strip() for part in text.split(",")))]
    if not found:
        raise ReleaseError("no release is named")
    return tuple(found)


def _environment(word: str) -> Environment:
    releases = []
    for pin in word.split("+"):
        match = _PIN.fullmatch(pin.strip())
        if match is None or match[1] not in TOGETHER:
            raise ReleaseError(
                f"'{pin}' is no release: write NAME==VERSION, NAME one of {', '.join(TOGETHER)}; those of one "
                "environment with a + between"
            )
        releases.append(Release(match[1], match[2]))
    if len({release.package for release in releases}) < len(releases):
        raise ReleaseError(f"'{word}' names a package twice: environments have a comma between")
    return Environment(tuple(releases))


def interpreter(environment: Environment) -> Path:
    """The Python of an environment with these releases and this jace-repro; made when it is asked for first.

    Raises:
        ReleaseError: the registry does not have them, there is no such Python here, or the environment cannot be made.
    """
    behind = sysconfig.get_paths()["purelib"]
    key = hashlib.sha256(f"{behind} {sys.version} {environment}".encode()).hexdigest()[:12]
    root = cache_dir() / "environments" / f"{str(environment).replace('==', '-')}-{key}"
    python = root / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = _site_of(root)
    if site is None:
        shutil.rmtree(root, ignore_errors=True)  # one that was left half made
        try:
            site = _make(environment, root, python)
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(root, ignore_errors=True)
            said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
            version = environment.python or platform.python_version()
            raise ReleaseError(
                f"no environment with {environment} (Python {version}): {said[-1] if said else error}"
            ) from error
    _copy_ours(site)
    return python


def _site_of(root: Path) -> Path | None:
    """Where an environment has its packages; None for one that is not whole, or of an earlier version of this."""
    ready = root / _READY
    site = Path(ready.read_text(encoding="utf-8")) if ready.exists() else root
    return site if site != root and site.is_relative_to(root) else None


def _make(environment: Environment, root: Path, python: Path) -> Path:
    """Make an environment; where it has its packages."""
    _run([str(_base(environment)), "-m", "venv", str(root)])
    site = Path(_run([str(python), "-c", _SITE]).strip())
    if environment.python is None:
        line = "\n".join(dict.fromkeys(sysconfig.get_paths()[name] for name in ("purelib", "platlib")))
        (site / "behind.pth").write_text(line + "\n", encoding="utf-8")
        _install(python, ["--no-deps", *environment.requirements])
    else:
        pinned = {text.partition("==")[0] for text in environment.requirements}
        here = {_normal(found.name): found.version for found in metadata.distributions()}
        constraints = root / "constraints.txt"
        lines = [f"{name}=={version}" for name, version in here.items() if name not in pinned]
        constraints.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _install(python, ["-c", str(constraints), *_needed(), *environment.requirements])
        info = site / f"jace_repro-{here['jace-repro']}.dist-info"
        info.mkdir()
        text = metadata.distribution("jace-repro").read_text("METADATA") or ""
        (info / "METADATA").write_text(text, encoding="utf-8")
    (root / _READY).write_text(str(site), encoding="utf-8")
    return site


def _base(environment: Environment) -> Path:
    """The Python that an environment is made with."""
    if environment.python is None:
        return Path(sys.executable)
    found = interpreters.find(environment.python)
    if found is None:
        raise ReleaseError(
            f"no environment with {environment}: there is no Python {environment.python} here, neither on the PATH nor "
            "among pyenv's and uv's"
        )
    return found


def _needed() -> list[str]:
    """What jace-repro requires, without its extras."""
    try:
        asked = metadata.requires("jace-repro") or []
    except metadata.PackageNotFoundError as error:
        raise ReleaseError(
            "what jace-repro needs on another Python is not known: install it, as it is not"
        ) from error
    return [text for text in asked if "extra ==" not in text]


def _normal(name: str) -> str:
    """A distribution's name as the registry writes it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _install(python: Path, words: Sequence[str]) -> None:
    _run([str(python), "-m", "pip", "install", "--quiet", *words])


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=_outside()).stdout


def _copy_ours(site: Path) -> None:
    """Our packages as they are now; what Python has compiled of them stays where nothing has changed."""
    sources = sorted(
        p for name in _OURS for p in (SOURCE_ROOT / name).rglob("*") if "__pycache__" not in p.parts
    )
    stamps = [f"{p} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in sources if p.is_file()]
    digest = hashlib.sha256("\n".join(stamps).encode()).hexdigest()
    copied = site / _COPIED
    if copied.exists() and copied.read_text(encoding="utf-8") == digest:
        return
    for name in _OURS:
        shutil.rmtree(site / name, ignore_errors=True)
        shutil.copytree(SOURCE_ROOT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    copied.write_text(digest, encoding="utf-8")


def _outside() -> dict[str, str]:
    """The environment without what would put this one's packages first."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def report_of(environment: Environment, arguments: Sequence[str]) -> dict[str, Any]:
    """The machine report of `jace-repro check ARGUMENTS` in an environment.

    Raises:
        ReleaseError: there is no such environment, or no report.
    """
    python = interpreter(environment)
    with tempfile.TemporaryDirectory(prefix="jace-repro-") as scratch:
        path = Path(scratch, "report.json")
        command = [str(python), "-m", "jace_repro", "--no-config", "check", "--json", str(path), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=_outside())
        if not path.exists():
            said = done.stderr.strip().splitlines()
            raise ReleaseError(f"{environment}: {said[-1] if said else f'exit status {done.returncode}'}")
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    versions = found.get("versions", {})
    for release in environment.releases:
        if not release.is_in(versions):
            raise ReleaseError(
                f"{environment}: its environment has {release.package} {versions.get(release.package)}"
            )
    return found
