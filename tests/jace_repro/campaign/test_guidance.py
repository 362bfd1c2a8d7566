"""A guided campaign: what it keeps, that it goes on where it was ended, and what it is refused with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planted_programs import plant

from jace_repro.campaign.fuzz import guidance
from jace_repro.campaign.fuzz.campaign import Budget, fuzz
from jace_repro.campaign.settings import Settings, SettingsError
from jace_repro.fuzz import reach, writing
from jace_repro.page import reached
from jace_repro.repro import Header, load

SETTINGS = Settings(("fused",))
#: Branches that jace has.
FILE, LINES = next((file, sorted(lines)) for file, lines in reach.all_branches().items() if len(lines) > 4)


def measure(path: Path, pipelines):
    """The second of ten reaches a branch of its own; all reach one, and a pass."""
    assert tuple(pipelines) == ("fused",)
    number = int(path.stem.rpartition("-")[2])
    own = {f"branch {FILE}:{LINES[number // 10 + 1]}>1"} if number % 10 == 2 else set()
    common = {f"branch {FILE}:{LINES[0]}>1", "pass fused: fusion", "pair sin in program under fusion"}
    return frozenset(own | common), number != 12


@pytest.fixture(autouse=True)
def planted(monkeypatch):
    plant(monkeypatch)
    monkeypatch.setattr(writing, "measure", measure)
    monkeypatch.setattr(
        writing.Wanted, "in_folder", lambda self, folder: folder / f"program-{self.number}.py"
    )


def test_what_programs_reach_first_makes_them_seeds(tmp_path):
    result = fuzz(tmp_path, Budget(seed=4, programs=32), SETTINGS, guided=True)
    guide = guidance.read(tmp_path / "reached.json")
    # the first, and those that have a branch of their own, of which one cannot be mutated
    assert sorted(seed.file for seed in guide.seeds) == [f"reached-{number:06d}.py" for number in (0, 2, 22)]
    assert sorted(path.name for path in (tmp_path / "sources").glob("*.py")) == [
        seed.file for seed in sorted(guide.seeds, key=lambda seed: seed.file)
    ]
    kept = load(tmp_path / "sources" / "reached-000002.py")
    assert kept.header == Header(name="program/2", origin="")
    assert guide.programs == 29  # three cannot be made
    ways = sum(sum(lines.values()) for lines in reach.all_branches().values())
    counts = {"branch": 4, "pass": 1, "pair": 1, "form": 0, "branches": ways, "seeds": 3}
    assert result.extra["fuzz"]["reached"] == counts


def test_it_goes_on_with_what_it_knows(tmp_path):
    fuzz(tmp_path, Budget(seed=4, programs=32), SETTINGS, guided=True)
    before = guidance.read(tmp_path / "reached.json")
    fuzz(tmp_path, Budget(programs=48), SETTINGS)
    after = guidance.read(tmp_path / "reached.json")
    assert after.seed == 4
    assert after.programs == 43
    assert before.reached.keys() < after.reached.keys()
    assert after.reached["pass fused: fusion"].first == 0
    numbers = [
        json.loads(line)["number"] for line in (tmp_path / "tested.jsonl").read_text().split("\n") if line
    ]
    assert sorted(numbers) == list(range(48))


def test_what_it_cannot_be_is_said(tmp_path, monkeypatch):
    fuzz(tmp_path / "plain", Budget(programs=1), SETTINGS)
    with pytest.raises(SettingsError, match="a campaign without guidance"):
        fuzz(tmp_path / "plain", Budget(programs=2), SETTINGS, guided=True)
    with pytest.raises(SettingsError, match="--guided and --scheduler do not go together"):
        fuzz(tmp_path / "far", Budget(programs=1), SETTINGS, guided=True, scheduler="tcp://there:1")
    monkeypatch.setattr(reach, "measurable", lambda: False)
    with pytest.raises(SettingsError, match=r"pip install 'jace-repro\[guided\]'"):
        fuzz(tmp_path / "new", Budget(programs=1), SETTINGS, guided=True)
    assert not (tmp_path / "new").exists()
    (tmp_path / "old.json").write_text('{"seed": 1}')
    with pytest.raises(SettingsError, match="was written by another release"):
        guidance.read(tmp_path / "old.json")


def test_the_page_says_what_was_reached_and_what_was_not(tmp_path):
    fuzz(tmp_path, Budget(seed=4, programs=32), SETTINGS, guided=True)
    path = tmp_path / reached.PAGE
    reached.write(guidance.read(tmp_path / "reached.json"), path)
    text = path.read_text()
    assert "4 of " in text
    assert f"<code>{FILE}</code>" in text
    assert "always goes on to 1" in text
    assert "never reached" in text
    assert "<code>sin</code>" in text
    assert "reached-000022.py" in text
    assert "https://" not in text.replace("https://www.w3.org", "").replace("http://www.w3.org", "")
    # a branch that another release of jace has elsewhere is none of this one's
    guide = guidance.read(tmp_path / "reached.json")
    guide.reached["branch gone.py:1>2"] = guide.reached["pass fused: fusion"]
    assert "gone.py" not in reached.render(guide)
