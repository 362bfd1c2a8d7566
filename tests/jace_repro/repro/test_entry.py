"""The record of an entry: what the journal says of it, what the headers of its scripts say, and who may read it."""

from __future__ import annotations

import json
import subprocess
import sys

from jace_repro.repro import CallOptions, Entry, Header

ENTRY = Entry(
    name="step",
    fingerprint="ab" * 32,
    source="prog.py:12",
    call_site="prog.py:20 (main)",
    thread="worker",
    equations=3,
    primitives={"mul": 2, "sin": 1},
    options=CallOptions({"n": "2"}, (0,), ("the call had shardings",)),
)


def test_the_journal_has_all_but_the_options_of_the_call() -> None:
    event = json.loads(json.dumps({"event": "traced", "t": 0.5, "id": "e0001", **ENTRY.event()}))
    read = Entry.of_event(event)
    assert read.options == CallOptions()
    assert read == Entry(**{**vars(ENTRY), "options": CallOptions()})


def test_an_event_lacks_what_its_entry_lacks() -> None:
    assert ENTRY.event().keys() == {
        "name",
        "fingerprint",
        "source",
        "call_site",
        "thread",
        "eager",
        "equations",
        "primitives",
    }
    assert Entry("step").event().keys() == ENTRY.event().keys() - {"fingerprint"}
    assert Entry("step", callbacks="cd").event()["callbacks"] == "cd"


def test_an_older_journal_is_read() -> None:
    older = {"id": "e0001", "name": "f", "source": "p.py:1", "eager": True, "equations": 1, "primitives": {}}
    assert Entry.of_event(older) == Entry("f", source="p.py:1", eager=True, equations=1)


def test_the_header_of_its_scripts() -> None:
    header = Header.of(ENTRY)
    assert header == Header(
        origin="prog.py:12 (step)",
        name="step",
        fingerprint="ab" * 32,
        static={"n": "2"},
        donated=(0,),
        notes=("the call had shardings",),
    )
    assert Header.of(Entry("step")).origin == "step"


def test_reading_a_recording_needs_no_jax() -> None:
    """Pytest loads the plugins, one of which reads recordings, before a conftest file may configure JAX."""
    script = """
import sys
import jace_repro.pytest_plugins.recorder, jace_repro.pytest_plugins.corpus
import jace_repro.tracker.recording, jace_repro.tracker.session
assert not {"jax", "numpy"} & sys.modules.keys()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
