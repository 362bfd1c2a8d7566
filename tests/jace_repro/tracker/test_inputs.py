"""Which inputs of an entry are kept, and how: further inputs, buffers that change, sidecars, interruptions."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.repro import digest_outputs, sidecar_bytes
from jace_repro.repro import load as load_repro
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker.api import LiveRecording, record
from jace_repro.tracker.journal import JOURNAL
from jace_repro.tracker.recording import RecordedEntry, load


def own(rec: LiveRecording) -> list[RecordedEntry]:
    """The entries that are not JAX's own eager operations."""
    return [e for e in rec.entries if not e.entry.eager]


def values(rec: LiveRecording, entry: RecordedEntry) -> list[list[object]]:
    """The inputs of each repro of an entry."""
    return [
        [np.asarray(v).tolist() for v in load_repro(rec.directory / path).load_inputs()]
        for path in entry.repros
    ]


def test_further_inputs_where_they_differ(tmp_path: Path) -> None:
    f = jax.jit(lambda x: x * 3)
    with record(tmp_path, max_inputs=3) as rec:
        outputs = [f(np.float32(v)) for v in (1, 1, 2, 1, 3, 4, 5)]
    (entry,) = own(rec)
    assert (entry.status, entry.calls) == ("completed", 7)
    assert values(rec, entry) == [[1], [2], [3]]
    assert [path.name for path in entry.repros] == [
        "e0001_lambda.py",
        "e0001_lambda.2.py",
        "e0001_lambda.3.py",
    ]
    assert entry.repro == entry.repros[0]
    paths = [rec.directory / path for path in entry.repros]
    assert [c.status for c in self_check_many(paths)] == ["exact"] * 3
    digests = [load_repro(path).header.outputs_sha256 for path in paths]
    assert digests == [digest_outputs([outputs[i]]) for i in (0, 2, 4)]
    assert entry.outputs_sha256 == digests[0]


def test_by_default_the_first_inputs_alone(tmp_path: Path) -> None:
    f = jax.jit(lambda x: x * 3)
    with record(tmp_path) as rec:
        for v in range(4):
            f(np.float32(v))
    (entry,) = own(rec)
    assert values(rec, entry) == [[0]]


def test_a_function_that_is_traced_anew_is_still_the_same_entry(tmp_path: Path) -> None:
    with record(tmp_path, max_inputs=2) as rec:
        for v in (1, 1, 2, 3):
            jax.jit(lambda x: x * 3)(np.float32(v))
    (entry,) = own(rec)
    assert entry.calls == 4
    assert values(rec, entry) == [[1], [2]]


def test_the_status_is_that_of_the_latest_call_that_was_recorded(tmp_path: Path) -> None:
    """A later call that dies is seen as dying: its repro is there, and it is not said to have completed."""
    f = jax.jit(lambda x: x * 3)
    with record(tmp_path / "full", max_inputs=2):
        f(np.float32(1))
        f(np.float32(2))
    lines = (tmp_path / "full" / JOURNAL).read_text().splitlines(keepends=True)
    events = [json.loads(line) for line in lines]
    reached = []
    for end in range(1, len(lines) + 1):
        (tmp_path / JOURNAL).write_text("".join(lines[:end]))
        (*_, status) = [e.status for e in load(tmp_path).entries] or [""]
        if events[end - 1]["event"] in ("repro", "dispatched", "completed"):
            reached.append((events[end - 1].get("input", 1), status))
    assert reached == [(n, status) for n in (1, 2) for status in ("traced", "dispatched", "completed")]


def test_a_donated_buffer(tmp_path: Path) -> None:
    f = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.arange(4.0)
    with record(tmp_path, max_inputs=2) as rec:
        y = f(x)
        assert x.is_deleted()
        z = f(y)
        assert y.is_deleted()
    (entry,) = own(rec)
    assert values(rec, entry) == [[[0, 1, 2, 3]], [[1, 2, 3, 4]]]
    assert entry.status == "completed"
    assert z.tolist() == [2, 3, 4, 5]


def test_a_numpy_buffer_that_is_written_to_afterwards(tmp_path: Path) -> None:
    buffer = np.zeros(6, np.float32)
    view = buffer[::2]
    f = jax.jit(lambda x, y: x + y[:3])
    with record(tmp_path, max_inputs=2) as rec:
        for step in range(3):
            f(view, buffer)
            buffer += step + 1
    (entry,) = own(rec)
    assert values(rec, entry) == [[[0] * 3, [0] * 6], [[1] * 3, [1] * 6]]


def test_equal_sidecars_are_one_file_on_disk(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random(5000).astype(np.float32)
    with record(tmp_path) as rec:
        for factor in (2.0, 3.0, 4.0):
            jax.jit(lambda x, factor=factor: x * factor)(x)
        jax.jit(lambda x: x * 5)(x + 1)
    paths = [(rec.directory / e.repros[0]).with_suffix(".npz") for e in own(rec)]
    inodes = [path.stat().st_ino for path in paths]
    assert inodes[0] == inodes[1] == inodes[2] != inodes[3]
    np.testing.assert_array_equal(load_repro(paths[1].with_suffix(".py")).load_inputs()[0], x)
    # writing one of them anew leaves the others as they are
    other = load_repro(paths[3].with_suffix(".py"))
    other.save(paths[0].with_suffix(".py"))
    np.testing.assert_array_equal(load_repro(paths[1].with_suffix(".py")).load_inputs()[0], x)


def test_sidecars_are_compressed_where_it_pays() -> None:
    noise = np.random.default_rng(0).random(50_000)
    plain, flat = sidecar_bytes({"a": noise}), sidecar_bytes({"a": np.zeros(50_000)})
    assert len(plain) > noise.nbytes
    assert len(flat) < noise.nbytes / 100
    assert sidecar_bytes({"a": np.zeros(50_000)}) == flat
    mixed = sidecar_bytes({"a": noise, "b": np.arange(50_000)})
    assert noise.nbytes < len(mixed) < 1.6 * noise.nbytes


def test_an_interrupted_recording_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a repro is written, in a program that goes on: the next call writes it."""
    from jace_repro.repro import Repro

    save = Repro.save

    def interrupted(self: Repro, path: Path) -> Repro:
        path.parent.mkdir()
        path.write_text("half")
        monkeypatch.setattr(Repro, "save", save)
        raise KeyboardInterrupt

    f = jax.jit(lambda x: x * 3)
    with record(tmp_path) as rec:
        monkeypatch.setattr(Repro, "save", interrupted)
        with pytest.raises(KeyboardInterrupt):
            f(1.0)
        (entry,) = own(rec)
        assert (entry.status, entry.repro) == ("traced", None)
        assert list((tmp_path / "entries").iterdir()) == []
        f(2.0)
        f(3.0)
    (entry,) = own(rec)
    assert (entry.status, entry.calls) == ("completed", 3)
    assert values(rec, entry) == [[2.0]]


def test_no_inputs_is_no_choice(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="max_inputs is 0"), record(tmp_path, max_inputs=0):
        pass


def test_every_input_is_tested(jace_repro, program, tmp_path: Path) -> None:
    """The first inputs are harmless; the rule is wrong for the second."""
    rules = program(
        'import jace\n\n@jace.register_rule("sin", override=True)\n'
        "def sine(params, in_dtypes, out_dtype, x):\n"
        '    return f"({x} > 2.0f ? 0.0f : jace::sin_({x}))"\n',
        "rules.py",
    )
    text = """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def wave(x):
    return jnp.sin(x) + 1.0

for v in (1.0, 3.0, 1.5):
    wave(np.full(3, v, np.float32))
"""
    ran = jace_repro(
        "run",
        "-o",
        "out",
        "--max-inputs",
        "2",
        "--rules",
        rules,
        "--pipeline",
        "fused",
        "--no-reduce",
        program(text),
    )
    assert ran.code == 1
    (entry,) = [e for e in ran.report["entries"] if e["name"] == "wave"]
    assert [Path(p).name for p in entry["repros"]] == ["e0001_wave.py", "e0001_wave.2.py"]
    assert Path(entry["repro"]).name == "e0001_wave.2.py"
    assert [v["outcome"] for v in entry["verdicts"]] == ["mismatch"]
    assert ran.out.count("FAIL") == 1


def test_many_eager_operations_are_few_entries_and_few_lines(jace_repro, program, tmp_path: Path) -> None:
    text = """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def step(x):
    return x * 0.5 + 1

x = jnp.ones(4)
for i in range(600):
    x = step(jnp.sin(x) * i + 2.0)
    y = x[i % 4]
"""
    ran = jace_repro("record", "-o", "out", "--no-self-check", program(text))
    steps = [e for e in ran.report["entries"] if not e["eager"]]
    assert [(e["name"], e["calls"]) for e in steps] == [("step", 600)]
    assert len(ran.report["entries"]) < 15
    assert sum(e["calls"] for e in ran.report["entries"]) >= 5 * 600
    assert len(ran.out.splitlines()) == 2
    assert len((tmp_path / "out" / JOURNAL).read_text().splitlines()) < 300
    assert sum(p.stat().st_size for p in (tmp_path / "out").rglob("*")) < 200_000


def test_entries_are_not_kept_alive(tmp_path: Path) -> None:
    """What a program drops, the recorder drops: the function, its jaxpr, its inputs."""
    import gc
    import weakref

    class Buffer(np.ndarray):
        """Takes weak references."""

    x = np.zeros(4, np.float32).view(Buffer)

    def f(x):
        return x + 1

    kept = [weakref.ref(x), weakref.ref(f)]
    with record(tmp_path, max_inputs=2):
        jitted = jax.jit(f)
        jitted(x)
        jitted(np.ones(4, np.float32))
        del f, jitted, x
        jax.clear_caches()
        gc.collect()
        assert [reference() for reference in kept] == [None, None]
