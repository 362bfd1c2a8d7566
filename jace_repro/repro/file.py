"""The Repro file: one Python script that runs on stock JAX and NumPy, with a header that says what it shows.

`Repro` is the file in memory: the script's text, its arrays, and the header. `Repro.save` writes `NAME.py` and, when
there are arrays, `NAME.npz`, large ones to files of their own (`repro.large`); `load` reads and verifies them.
All files are the same byte for byte for the same contents.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import linecache
import os
import re
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
import tomli_w

from jace_repro.repro import large
from jace_repro.repro.entry import Entry
from jace_repro.repro.rules import Rules, RulesError

SCHEMA = 1

#: JAX configuration that changes what a program traces to or computes, with JAX's defaults.
CONFIG_DEFAULTS: dict[str, Any] = {
    "jax_enable_x64": False,
    "jax_default_matmul_precision": None,
    "jax_numpy_dtype_promotion": "standard",
    "jax_numpy_rank_promotion": "allow",
    "jax_default_prng_impl": "threefry2x32",
    "jax_enable_custom_prng": False,
    "jax_threefry_partitionable": True,
    "jax_random_seed_offset": 0,
    "jax_softmax_custom_jvp": False,
    "jax_high_dynamic_range_gumbel": False,
    "jax_allow_f16_reductions": True,
    "jax_use_direct_linearize": True,
    "jax_disable_most_optimizations": False,
    "jax_compiler_enable_remat_pass": True,
    "jax_debug_nans": False,
    "jax_debug_infs": False,
}

#: What every repro file has in it, and no other.
_MARK = b"# /// jace-repro"
_BLOCK = re.compile(r"^# /// jace-repro\n((?:#(?: .*)?\n)*?)# ///\n", re.MULTILINE)
_SHA_LINE = re.compile(r'^SIDECAR_SHA256 = "[0-9a-f]*"', re.MULTILINE)


class ReproError(Exception):
    """A repro file that cannot be read: no header, or a sidecar that is missing or not its own."""


@dataclass(frozen=True)
class Header:
    """What a repro shows and where it comes from.

    `jax_config` holds only what differs from JAX's defaults. `pipeline`, `outcome` and `signature` are what a
    check of it is expected to find, `cpu` the instruction set (by LLVM's name) without which it does not show ("-NAME":
    with which it does not);
    `fingerprint` is `jace.ir.fingerprint` of the recorded jaxpr and
    `outputs_sha256` the `digest_outputs` of the recorded outputs. `notes` say what the script could not keep.
    `expected_error` is the exception type the script ends with, when it reproduces a failing trace. `static` are
    the static arguments of the recorded call by name, as text; `donated` are the inputs that it donated.
    `self_check` is what the last self-check of the script found. `eager`: the program was called outside of jit, and
    the recorded jaxpr is one of those that JAX ran for it. `without_dead_code`: the fingerprint is that of what the
    outputs need (`jace.ir.live_form`), for primitives of other libraries are replaced by what they compute, which may
    not need all that they were given.

    The rest is what a finding needs to show again: the user's own `rules`, whether it was found under sanitizers
    (`sanitize`), the variables of the `environment` that decide what is compiled. `inputs` names the generated inputs
    that it was found on, `releases` says what it was seen with.

    `relation`: the first half of the outputs is to be the second half, as far as rounding allows, and why ("vmap = a
    loop").

    In a corpus `state` is what has been made of it (`jace_repro.corpus.states`; None for accepted) and `reason` why.
    """

    origin: str = ""
    name: str = "repro"
    jax_config: Mapping[str, Any] = field(default_factory=dict)
    pipeline: str | None = None
    outcome: str | None = None
    signature: str | None = None
    cpu: str | None = None
    fingerprint: str | None = None
    outputs_sha256: str | None = None
    notes: tuple[str, ...] = ()
    expected_error: str | None = None
    static: Mapping[str, str] = field(default_factory=dict)
    donated: tuple[int, ...] = ()
    self_check: str | None = None
    eager: bool = False
    without_dead_code: bool = False
    rules: Rules | None = None
    sanitize: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    inputs: str | None = None
    releases: Mapping[str, str] = field(default_factory=dict)
    relation: str | None = None
    state: str | None = None
    reason: str | None = None

    @classmethod
    def of(cls, entry: Entry) -> Header:
        """What is known of an entry, traced with JAX configured as it is now."""
        return cls(
            origin=entry.origin,
            name=entry.name,
            jax_config=current_config(),
            fingerprint=entry.fingerprint,
            static=entry.options.static,
            donated=entry.options.donated,
            notes=entry.options.notes,
        )

    @property
    def unknown(self) -> str | None:
        """The first note about something that running the script may need and that it does not have."""
        return next((note for note in self.notes if note.startswith("unknown:")), None)


@dataclass(frozen=True, eq=False)
class Repro:
    """A repro in memory. `arrays` have only NumPy's own dtypes: the script views them as what they are.

    `saved` are the arrays that were last written or read, and the checksum of their sidecar, if they have one.
    """

    source: str
    arrays: Mapping[str, np.ndarray]
    header: Header
    path: Path | None = None
    saved: tuple[Mapping[str, np.ndarray], str | None] | None = field(default=None, repr=False)
    _namespace: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def release(self) -> str | None:
        """The release of jax that the script asks for."""
        found = re.search(r'"jax==([\w.]+)"', self.source)
        return None if found is None else found[1]

    def text(self) -> str:
        """The script as `save` writes it: the source with the present header and the checksums of its arrays."""
        if self.saved is not None and self.saved[0] is self.arrays:
            return with_header(self.source, self.header, self.saved[1])
        small, big = self._divided()
        source = large.saying(self.source, {name: large.checksum(array) for name, array in big.items()})
        return with_header(source, self.header, _sha256(sidecar_bytes(small)) if small else None)

    def _divided(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """The arrays of the sidecar, and those that have files of their own."""
        takes = large.takes(self.source)
        big = {name: array for name, array in self.arrays.items() if takes and large.is_large(array)}
        return {name: array for name, array in self.arrays.items() if name not in big}, big

    def save(self, path: Path) -> Repro:
        """Write `path` (a .py), its arrays beside it and its rules; a stale sidecar is removed. Answer the saved repro.

        Raises OSError.
        """
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        small, big = self._divided()
        checksums = {name: large.checksum(array) for name, array in big.items()}
        for name, array in big.items():
            large.put(array, path.parent, checksums[name])
        data = sidecar_bytes(small) if small else None
        if data is None:
            path.with_suffix(".npz").unlink(missing_ok=True)
        else:
            write_file(path.with_suffix(".npz"), data)
        sha256 = None if data is None else _sha256(data)
        if (rules := self.header.rules) is not None and rules.text is not None:
            write_file(path.with_name(rules.file), rules.text.encode())
        text = with_header(large.saying(self.source, checksums), self.header, sha256)
        write_file(path, text.encode())
        return replace(self, source=text, path=path, saved=(self.arrays, sha256) if self.arrays else None)

    def namespace(self) -> dict[str, Any]:
        """The script's globals, executed once per Repro object.

        The script sets its JAX configuration globally, as it does when run by itself: use `configured` around
        this to have it undone.
        """
        if not self._namespace:
            # two scripts of one name are two files: a line of one is not looked up in the other
            unsaved = f"<repro {self.header.name} {_sha256(self.source.encode())[:8]}>"
            filename = str(self.path) if self.path else unsaved
            linecache.cache[filename] = (len(self.source), None, self.source.splitlines(True), filename)
            space = {"__name__": "jace_repro_script", "__file__": filename, "ARRAYS": dict(self.arrays)}
            exec(compile(self.source, filename, "exec"), space)
            self._namespace.update(space)
        return self._namespace

    def load_function(self) -> Callable[..., Any]:
        """The script's `repro`, which takes the flat inputs."""
        return self.namespace()["repro"]

    def load_inputs(self) -> list[Any]:
        """The script's inputs: flat leaves (NumPy arrays and scalars, Python scalars, typed keys)."""
        return list(self.namespace()["inputs"]())

    @contextlib.contextmanager
    def configured(self) -> Iterator[None]:
        """JAX configured as the header says (everything else at JAX's defaults), restored on exit."""
        with jax_configuration(self.header.jax_config):
            yield


def current_config() -> dict[str, Any]:
    """The present JAX configuration as far as it matters to a program and differs from the defaults."""
    found = _config_values(CONFIG_DEFAULTS)
    return {name: value for name, value in found.items() if value != CONFIG_DEFAULTS[name]}


def _config_values(names: Iterable[str]) -> dict[str, Any]:
    """Present values, context managers of this thread included; enumerations by their text."""
    values = jax.config.values
    return {name: getattr(values[name], "value", values[name]) for name in names if name in values}


@contextlib.contextmanager
def jax_configuration(config: Mapping[str, Any]) -> Iterator[None]:
    """JAX configured as `config` says, everything else that matters at the defaults; restored on exit."""
    wanted = {**CONFIG_DEFAULTS, **config}
    before = _config_values(wanted)
    update: Callable[[str, Any], None] = jax.config.update
    try:
        for name, value in wanted.items():
            if before.get(name) != value:
                update(name, value)
        yield
    finally:
        after = _config_values(wanted)
        for name, value in before.items():
            if after[name] != value:
                update(name, value)


def write_file(path: Path, data: bytes) -> None:
    """Replace a file in one step. Raises OSError and leaves no part of it.

    Never in place: a recording links equal sidecars to one another.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def sidecar_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """An .npz archive with fixed time stamps: the same bytes for the same arrays; compressed where it pays."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            array = np.asarray(arrays[name], order="C")
            if _compresses(array):
                entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
    return buffer.getvalue()


def _compresses(array: np.ndarray) -> bool:
    """Whether an array is worth compressing, by samples from its beginning, middle and end."""
    if array.nbytes < _SAMPLE:
        return False
    data = array.reshape(-1).view(np.uint8)
    starts = (0, (data.size - _SAMPLE) // 2, data.size - _SAMPLE)
    sample = b"".join(data[start : start + _SAMPLE].tobytes() for start in starts)
    return len(zlib.compress(sample, 1)) < _WORTH * len(sample)


_SAMPLE = 4096
_WORTH = 0.75


def header_block(header: Header, sidecar_sha256: str | None) -> str:
    """The `# /// jace-repro` block: TOML in comments."""
    fields: dict[str, Any] = {
        "schema": SCHEMA,
        "name": header.name,
        "origin": header.origin,
        "pipeline": header.pipeline,
        "outcome": header.outcome,
        "signature": header.signature,
        "state": header.state,
        "reason": header.reason,
        "cpu": header.cpu,
        "fingerprint": header.fingerprint,
        "outputs_sha256": header.outputs_sha256,
        "sidecar_sha256": sidecar_sha256,
        "expected_error": header.expected_error,
        "self_check": header.self_check,
        "eager": header.eager or None,
        "without_dead_code": header.without_dead_code or None,
        "donated": list(header.donated) or None,
        "notes": list(header.notes) or None,
        "sanitize": header.sanitize or None,
        "inputs": header.inputs,
        "relation": header.relation,
        "static": dict(header.static) or None,
        "rules": header.rules.header() if header.rules is not None else None,
        "environment": dict(header.environment) or None,
        "releases": dict(header.releases) or None,
        "jax_config": {k: v for k, v in sorted(header.jax_config.items()) if v is not None} or None,
    }
    toml = tomli_w.dumps({k: v for k, v in fields.items() if v is not None})
    lines = [f"# {line}" if line else "#" for line in toml.splitlines()]
    return "\n".join(["# /// jace-repro", *lines, "# ///", ""])


def parse_header(source: str) -> tuple[Header, str | None]:
    """The header of a script and the checksum of its sidecar. Raises ReproError when there is none."""
    match = _BLOCK.search(source)
    if match is None:
        raise ReproError("no `# /// jace-repro` block: not a repro file")
    toml = "".join(line[2:] if line.startswith("# ") else line[1:] for line in match[1].splitlines(True))
    try:
        data = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise ReproError(f"the `# /// jace-repro` block is not TOML: {error}") from error
    if (schema := data.get("schema", SCHEMA)) != SCHEMA:
        raise ReproError(f"it has schema {schema}; this jace-repro reads schema {SCHEMA}")
    names = ("origin", "name", "pipeline", "outcome", "signature", "cpu", "fingerprint", "outputs_sha256")
    others = ("expected_error", "jax_config", "static", "self_check", "eager", "without_dead_code")
    conditions = ("sanitize", "environment", "inputs", "releases", "relation", "state", "reason")
    known = {name: data[name] for name in (*names, *others, *conditions) if name in data}
    if "rules" in data:
        known["rules"] = Rules.said(data["rules"])
    header = Header(notes=tuple(data.get("notes", ())), donated=tuple(data.get("donated", ())), **known)
    return header, data.get("sidecar_sha256")


def marked(path: Path) -> bool:
    """Whether a file means to be a repro. One that cannot be read may be one: who loads it says why it cannot."""
    try:
        return _MARK in path.read_bytes()
    except OSError:
        return True


def load(path: Path) -> Repro:
    """Read a repro file and its sidecar.

    Raises:
        ReproError: there is no header, or the arrays or the rules are missing or not those the script was saved with.
    """
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
        header, sha256 = parse_header(source)
        arrays = _read_sidecar(path.with_suffix(".npz"), sha256) if sha256 else {}
        arrays |= large.read(source, path)
        if header.rules is not None:
            header = replace(header, rules=header.rules.read(path))
    except UnicodeDecodeError as error:
        raise ReproError(f"{path.name}: not a text file ({error.reason} at byte {error.start})") from None
    except (ReproError, RulesError, LookupError) as error:
        raise ReproError(f"{path.name}: {error}") from None
    saved = (arrays, sha256) if arrays else None
    return Repro(source=source, arrays=arrays, header=header, path=path, saved=saved)


def _read_sidecar(path: Path, sha256: str) -> dict[str, np.ndarray]:
    if not path.exists():
        raise ReproError(f"its arrays are missing: {path.name} should lie beside it")
    data = path.read_bytes()
    if _sha256(data) != sha256:
        raise ReproError(f"{path.name} is not the file it was saved with (sha256 differs)")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def with_header(source: str, header: Header, sha256: str | None) -> str:
    """A script with this header, and the checksum of its sidecar."""
    block = header_block(header, sha256)
    source = _BLOCK.sub(lambda _: block, source, count=1) if _BLOCK.search(source) else block + source
    return _SHA_LINE.sub(f'SIDECAR_SHA256 = "{sha256 or ""}"', source, count=1)
