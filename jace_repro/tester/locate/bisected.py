"""What a bisection names: a pass, its application, a flag, with the SDFG before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from jace_repro.tester.verdict.culprit import Culprit

#: The fields of a culprit that a bisection names, by what the worker's messages call them.
_NAMES = {
    "pass_name": "pass_",
    "application": "application",
    "transformation": "transformation",
    "match": "match",
    "flag": "flag",
}


@dataclass(frozen=True)
class Bisected:
    """What makes a result wrong.

    Attributes:
        culprit: the first pass after which it is wrong, with its first guilty application, and the first guilty flag
            of the C++ compiler when the same SDFG is right without optimisation. No pass is named when it is wrong
            without any pass that can be left out.
        before, after: the SDFG there, as DaCe's JSON; "" when there is none.
        diff: what changed, as numbered lines.
        scripts: the finding without JAX, to be tried in order (`dace_script`).
        good: the pipeline cut before the culprit, where the result is right.
        stop: the pipeline cut after it, where the result is wrong.
        compilations: how many it took, by what was searched: "pass", "application", "flags", "recheck".
        notes: what else is to be said.
    """

    culprit: Culprit
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    diff: tuple[str, ...] = field(default=(), repr=False)
    scripts: tuple[str, ...] = field(default=(), repr=False)
    good: str = ""
    stop: str = ""
    compilations: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def innocent(self) -> bool:
        """Whether neither a pass nor a flag is guilty: a rule of jace's is, or its plan."""
        return self.culprit.pass_ is None and self.culprit.flag is None

    def to_json(self) -> dict[str, Any]:
        """As a JSON object, for the worker's messages."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "culprit"}
        return {**{name: getattr(self.culprit, field) for name, field in _NAMES.items()}, **own}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Bisected:
        """The inverse of `to_json`."""
        culprit = Culprit(**{field: data[name] for name, field in _NAMES.items()})
        own = {name: value for name, value in data.items() if name not in _NAMES}
        lists = {name: tuple(data[name]) for name in ("diff", "scripts", "notes")}
        return cls(culprit, **{**own, **lists})

    def save(self, folder: Path) -> dict[str, Path]:
        """Write before.sdfg, after.sdfg and diff.txt to `folder`; answers the paths of those that there are."""
        folder.mkdir(parents=True, exist_ok=True)
        texts = {"before.sdfg": self.before, "after.sdfg": self.after, "diff.txt": "\n".join(self.diff)}
        paths = {name.partition(".")[0]: folder / name for name, text in texts.items() if text}
        for path in paths.values():
            path.write_text(texts[path.name] + "\n", encoding="utf-8")
        return paths
