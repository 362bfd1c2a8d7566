"""The scripts of a recording's entries: flat, as a call tree, of a failed trace; what they take on the disk.

The recorder decides what is written and when, and journals it: here are only the files.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from jace_repro.repro import large
from jace_repro.repro.entry import Entry
from jace_repro.repro.file import Header, write_file
from jace_repro.trace.callback_log import Log
from jace_repro.trace.failure import TraceFailure
from jace_repro.trace.model import Body
from jace_repro.tracker.budget import DiskBudget, share_sidecar
from jace_repro.tracker.journal import CALLTREES, CHILDREN, ENTRIES


@dataclass(frozen=True)
class Script:
    """A script on disk. `emit` writes it anew with the answers of the call's Python callbacks."""

    repro: Any
    path: Path
    emit: Callable[[Log], Any]

    @property
    def unknown(self) -> bool:
        """Whether the script lacks answers that the call is going to give."""
        return self.repro.header.unknown is not None


class EntryFiles:
    """The scripts in the directory of one recording, whose processes share a limit.

    What writes raises OSError, and EmitError where there is no source for something; no script is half written then.
    """

    def __init__(self, directory: Path, root: Path, budget: DiskBudget) -> None:
        self.directory = directory
        self._root = root
        self._budget = budget
        self._sidecars: dict[str, Path] = {}

    def require_room(self, closed: Any) -> None:
        """Raises NoRoomError where there is no room for the inputs of a program, but for large ones: see `kept`."""
        self._budget.require(sum(size for size in map(_size, _avals(closed)) if size < large.LARGE))

    def kept(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """An array as it is now: a copy, or a file that a large one has; what is written already is not copied again.

        Raises OSError and NoRoomError.
        """
        from jace_repro.emitter.core import literals

        plain = array if literals.is_numpy_native(array.dtype) else literals.raw_view(array)
        if not large.is_large(plain) or literals.is_constant(plain.reshape(-1)):
            return array.copy()
        sha256 = large.checksum(plain)
        folder = self.directory / ENTRIES
        path = folder / large.file_name(sha256)
        written = sorted(self._root.glob(f"{CHILDREN}/*/{ENTRIES}/{path.name}"))
        others = [self._root / ENTRIES / path.name, *written]
        if not any(other.exists() for other in (path, *others)):
            self._budget.require(plain.nbytes)
        if large.put(plain, folder, sha256, others):
            self._budget.spent(path)
        return large.mapped(path).view(array.dtype)

    def shown(self, path: Path) -> str:
        """The path of a script as the journal has it."""
        return path.relative_to(self.directory).as_posix()

    def flat(
        self, stem: str, closed: Any, inputs: Sequence[Any], entry: Entry, *, keep_jaxpr: bool
    ) -> Script:
        """Write the flat form; `keep_jaxpr`: and the text of the jaxpr, where the script has that one exactly."""
        from jace_repro.emitter import emit_flat
        from jace_repro.repro import save_jaxpr

        emit = functools.partial(emit_flat, closed, inputs, header=Header.of(entry))
        script = self._script(self.directory / ENTRIES / f"{stem}.py", emit)
        if keep_jaxpr and script.repro.header.fingerprint == entry.fingerprint:
            save_jaxpr(script.path, closed)
            self._budget.spent(script.path.with_suffix(".jaxpr.gz"))
        return script

    def call_tree(
        self, flat: Script, body: Body, inputs: Sequence[Any], entry: Entry, *, outside_jit: bool = False
    ) -> Script:
        """Write the program as its user wrote it, beside the flat form.

        `outside_jit`: what its user wrote is a call outside of jit, for which JAX ran the program.
        """
        from jace_repro.emitter import emit_calltree

        shown = flat.repro.header
        header = replace(
            Header.of(entry),
            fingerprint=shown.fingerprint,
            without_dead_code=shown.without_dead_code,
            eager=outside_jit,
        )
        emit = functools.partial(emit_calltree, body, inputs, header=header)
        return self._script(self.directory / CALLTREES / flat.path.name, emit)

    def failure(self, stem: str, failure: TraceFailure, entry: Entry) -> Path:
        """Write the script that dies as a trace did."""
        from jace_repro.emitter import emit_failure

        header = replace(Header.of(entry), expected_error=failure.exception)
        path = self.directory / ENTRIES / f"{stem}.py"
        self._save(emit_failure(failure, header=header), path)
        return path

    def complete(self, script: Script, outputs_sha256: str, answers: Log | None) -> None:
        """Write into a script what its call has come to: the digest of its outputs, and what callbacks answered."""
        repro = script.repro if answers is None else self._save(script.emit(answers), script.path)
        header = replace(repro.header, outputs_sha256=outputs_sha256)
        write_file(script.path, replace(repro, header=header).text().encode())

    def _script(self, path: Path, emit: Callable[..., Any]) -> Script:
        return Script(self._save(emit(), path), path, lambda log: emit(callback_log=log))

    def _save(self, repro: Any, path: Path) -> Any:
        """Write a repro; the same sidecar, written before, is shared."""
        sidecar = path.with_suffix(".npz")
        try:
            saved = repro.save(path)
        except BaseException:
            path.unlink(missing_ok=True)
            sidecar.unlink(missing_ok=True)
            raise
        sha256 = None if saved.saved is None else saved.saved[1]
        if sha256 is not None and not share_sidecar(sidecar, sha256, self._sidecars):
            self._budget.spent(sidecar)
        self._budget.spent(path)
        return saved


def _avals(closed: Any) -> list[Any]:
    """The types of what a program is written with: inputs and constants."""
    return [*closed.in_avals, *(v.aval for v in closed.jaxpr.constvars)]


def _size(aval: Any) -> int:
    return int(getattr(aval, "size", 1)) * int(getattr(getattr(aval, "dtype", None), "itemsize", 8))


def stem_of(entry: str, name: str, number: int = 1) -> str:
    """The name of the files of an entry, without the suffix, for its `number`-th inputs."""
    slug = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")[:40] or "entry"
    return f"{entry}_{slug}{f'.{number}' if number > 1 else ''}"
