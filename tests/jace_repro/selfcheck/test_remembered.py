"""Scripts that have been found exact are not run again, unless anything of them is another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.campaign import entries as campaign
from jace_repro.campaign.report import EntryReport
from jace_repro.campaign.settings import Settings
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, large
from jace_repro.repro.entry import Entry
from jace_repro.selfcheck import SelfCheck, remembered, self_check_many

X = np.linspace(0.0, 1.0, 40, dtype=np.float32)


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "sine.py"
    emit_flat(jax.make_jaxpr(jnp.sin)(X), [X], header=Header(name="sine")).save(path)
    return path


def test_a_script_is_remembered_with_its_data(script: Path) -> None:
    file = remembered.file_of(script)
    assert file is not None
    assert not file.exists()
    remembered.remember(file)
    assert file.exists()
    data = script.with_suffix(".npz")
    data.write_bytes(data.read_bytes() + b" ")
    assert remembered.file_of(script) not in (None, file)


def test_another_script_and_other_flags_are_others(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = remembered.file_of(script)
    script.write_text(script.read_text() + "# another\n")
    other = remembered.file_of(script)
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_max_isa=AVX2")
    assert len({file, other, remembered.file_of(script), None}) == 4


def test_nothing_is_remembered_without_a_cache_of_what_is_gone_or_large(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remembered.file_of(script.with_name("gone.py")) is None
    monkeypatch.setattr(large, "takes", lambda source: True)
    assert remembered.file_of(script) is None
    monkeypatch.undo()
    monkeypatch.setenv("JACE_CACHE", "0")
    assert remembered.file_of(script) is None


def test_only_what_is_new_is_run(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[Path]] = []

    def counting(paths: Sequence[Path], **how: Any) -> list[SelfCheck]:
        asked.append(list(paths))
        return self_check_many(paths, **how)

    monkeypatch.setattr(campaign, "self_check_many", counting)
    text = script.read_text()
    for expected in ([script], [], [script]):
        entry = EntryReport(Entry("sine"), script, repros=(script,))
        (checked,) = campaign.self_checked([entry], Settings())
        assert checked.self_check == "exact"
        assert 'self_check = "exact"' in script.read_text()
        assert asked.pop() == expected
        script.write_text(text if expected else text + "# another\n")
