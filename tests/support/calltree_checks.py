"""Programs recorded and held against their call-tree scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jace import ir
from jace_repro import record
from jace_repro.repro import Repro, load
from jace_repro.tracker.api import LiveRecording
from jace_repro.tracker.recording import RecordedEntry


def own(rec: LiveRecording) -> list[RecordedEntry]:
    """The entries that are not JAX's own eager operations."""
    return [e for e in rec.entries if not e.entry.eager]


def scripts_of(run: Callable[[], Any], directory: Path) -> tuple[Any, list[Repro]]:
    """(what `run` answered, its call-tree scripts), recorded; every entry must have one."""
    with record(directory) as rec:
        out = run()
    assert rec.recording.tracker_errors == ()
    entries = own(rec)
    assert {e.entry.name: e.calltree_note for e in entries if e.calltree is None} == {}
    return out, [load(directory / e.calltree) for e in entries if e.calltree is not None]


def script_of(fun: Callable[..., Any], *args: Any, directory: Path, **kwargs: Any) -> tuple[Any, Repro]:
    """(what a jitted function answered, its call-tree script)."""
    out, scripts = scripts_of(lambda: fun(*args, **kwargs), directory)
    (script,) = scripts
    return out, script


def same_bits(one: Any, other: Any) -> bool:
    """Whether two outputs agree in type, shape and every bit."""
    if jax.dtypes.issubdtype(one.dtype, jax.dtypes.prng_key):
        return bool(one.dtype == other.dtype) and same_bits(*map(jax.random.key_data, (one, other)))
    a, b = np.asarray(one), np.asarray(other)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def assert_retraces(script: Repro, out: Any) -> None:
    """The script's jaxpr is the recorded one, and so are its outputs."""
    with script.configured():
        repro, inputs = script.load_function(), script.load_inputs()
        traced = jax.jit(repro).trace(*inputs)
        form = ir.live_form if script.header.without_dead_code else ir.normal_form
        closed = form(traced.jaxpr)  # as the flat script writes it
        found = jax.tree.leaves(traced.lower().compile()(*inputs))
    assert ir.fingerprint(closed) == script.header.fingerprint, (
        f"{script.source}\n{ir.canonical_text(closed)}"
    )
    wanted = jax.tree.leaves(out)
    assert len(found) == len(wanted)
    assert all(map(same_bits, found, wanted)), script.source


def check(fun: Callable[..., Any], *args: Any, directory: Path, **kwargs: Any) -> str:
    """Record a jitted function and hold its script against it. Answers the lines of the script's functions."""
    out, script = script_of(fun, *args, directory=directory, **kwargs)
    assert_retraces(script, out)
    return functions_of(script)


def functions_of(script: Repro) -> str:
    """The text of a script between its docstring and its inputs, without what reads the sidecar."""
    text = script.source[script.source.index('"""') :].partition("\ndef inputs():")[0].partition('"""\n')[2]
    text = text.partition("put them there\n")[2] or text
    lines = text.split("\n")
    return "\n".join(line for line in lines if not re.match("import |from ", line)).strip("\n") + "\n"


def without_comments(text: str) -> str:
    """The lines without those that are comments, and without comments."""
    return re.sub(r"^ *# .*\n|  # .*", "", text, flags=re.MULTILINE)
