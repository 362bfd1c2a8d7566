"""Messages between the pool and its workers: length-prefixed JSON, with an optional block of arrays.

A frame is `<json length: u32> <arrays length: u64> <json> <npz>`, little endian. Repros travel as their
source text and the arrays of their sidecar, of which large ones stay in their files (`repro.large`); nothing is
pickled.
"""

from __future__ import annotations

import dataclasses
import io
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from jace_repro.repro import Header, Repro, large, sidecar_bytes
from jace_repro.tester.execute.named import NamedProgram

_HEAD = struct.Struct("<IQ")


class ClosedError(EOFError):
    """The other side is gone."""


def send(
    stream: BinaryIO, message: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]] | None = None
) -> None:
    """Write one frame and flush. Raises OSError when the pipe is broken."""
    arrays = arrays or {}
    files = {name: str(file) for name, array in arrays.items() if (file := large.file_of(array)) is not None}
    sent = {name: array for name, array in arrays.items() if name not in files}
    mapped = {"mapped": files} if files else {}
    text = json.dumps({**message, **mapped}, allow_nan=False).encode()
    data = sidecar_bytes(sent) if sent else b""
    stream.write(_HEAD.pack(len(text), len(data)))
    stream.write(text)
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Read one frame. Raises ClosedError at the end of the stream."""
    json_size, data_size = _HEAD.unpack(_exactly(stream, _HEAD.size))
    message = json.loads(_exactly(stream, json_size))
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    if data_size:
        with np.load(io.BytesIO(_exactly(stream, data_size)), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    return message, arrays | {
        name: large.mapped(Path(file)) for name, file in message.pop("mapped", {}).items()
    }


def _exactly(stream: BinaryIO, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = stream.read(size)
        if not part:
            raise ClosedError("the other side closed the pipe")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def pack_subject(
    subject: Repro | NamedProgram,
) -> tuple[dict[str, Any], Mapping[str, np.ndarray[Any, Any]]]:
    """What is to be tested as the fields of a request, and arrays."""
    if isinstance(subject, NamedProgram):
        return {"named": dataclasses.asdict(subject)}, {}
    packed, arrays = pack_repro(subject)
    return {"repro": packed}, arrays


def unpack_subject(
    message: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]
) -> Repro | NamedProgram:
    """The inverse of `pack_subject`."""
    if "named" in message:
        return NamedProgram(**message["named"])
    return unpack_repro(message["repro"], arrays)


def pack_repro(repro: Repro) -> tuple[dict[str, Any], Mapping[str, np.ndarray[Any, Any]]]:
    """A repro as a JSON value and arrays."""
    header = dataclasses.replace(repro.header, rules=None)  # the worker has run them
    return {"source": repro.source, "header": dataclasses.asdict(header)}, repro.arrays


def unpack_repro(message: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> Repro:
    """The inverse of `pack_repro`."""
    header = dict(message["header"])
    header["notes"] = tuple(header.get("notes", ()))
    return Repro(source=message["source"], arrays=arrays, header=Header(**header))
