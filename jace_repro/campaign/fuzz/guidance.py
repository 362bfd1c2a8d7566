"""A guided campaign: what its programs reach says what the next ones are made of.

``DIR/reached.json`` has what was reached so far, and the seeds with their energy; the seeds' repros are among the
campaign's ``sources``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jace_repro.campaign.fuzz.state import files_of, save_source
from jace_repro.campaign.settings import SettingsError
from jace_repro.fuzz import reach
from jace_repro.fuzz.guide import Guide
from jace_repro.fuzz.writing import Wanted, Written
from jace_repro.repro import load, write_file

REACHED = "reached.json"
#: What a repro that the user gives to be mutated counts for: it reached so much first, with so many equations.
_GIVEN = 40, 20


def require_measurable() -> None:
    """Raises SettingsError where nothing can be found out about what programs reach."""
    if not reach.measurable():
        raise SettingsError("--guided needs the package coverage: pip install 'jace-repro[guided]'")


@dataclass(frozen=True)
class Guidance:
    """The guide of a campaign, with its files.

    Attributes:
        guide: decides.
        path: where it is kept.
        seeds: the folder of the seeds.
    """

    guide: Guide
    path: Path
    seeds: Path

    def programs(self, numbers: Iterator[int]) -> Iterator[Wanted]:
        """The programs of these numbers; each is decided on when it is asked for."""
        return (self.guide.next(number, self.seeds) for number in numbers)

    def learn(self, batch: Sequence[Written]) -> None:
        """Note what programs reach, and keep those that reach something first. Raises OSError."""
        for written in batch:
            if written.path is None:  # it could not be made
                continue
            new = self.guide.learn(written)
            if new and written.mutable:
                self._keep(written.path, written, len(new))
        self.save()

    def counts(self) -> dict[str, int]:
        """How much was reached of each kind, and how many branches there are."""
        ways = sum(sum(lines.values()) for lines in reach.all_branches().values())
        return {**self.guide.counts, "branches": ways, "seeds": len(self.guide.seeds)}

    def _keep(self, path: Path, written: Written, first: int) -> None:
        seed = save_source(load(path), self.seeds / f"reached-{written.number:06d}.py")
        for gone in self.guide.add(seed.name, first, written.equations):
            for one in files_of(self.seeds / gone):
                one.unlink()

    def save(self) -> None:
        """Write what is known. Raises OSError."""
        write_file(self.path, json.dumps(self.guide.to_json()).encode())


def begun(out: Path, seed: int, sources: Sequence[Path], folder: Path) -> Guidance:
    """The guidance of a campaign, which is begun where there is none.

    Args:
        out: the directory of the campaign.
        seed: of the campaign.
        sources: the repros that the user gave to be mutated.
        folder: where they lie, and the seeds are to lie.
    Raises:
        SettingsError: what programs reach cannot be measured here, or was written by another release.
        OSError: it cannot be read.
    """
    require_measurable()
    path = out / REACHED
    if not path.exists():
        guide = Guide(seed)
        for source in sources:
            guide.add(source.name, *_GIVEN)
        folder.mkdir(parents=True, exist_ok=True)
        found = Guidance(guide, path, folder)
        found.save()
        return found
    return Guidance(read(path), path, folder)


def read(path: Path) -> Guide:
    """What was reached. Raises SettingsError where another release wrote it, and OSError."""
    try:
        return Guide.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingsError(f"{path} was written by another release: {error}") from error
