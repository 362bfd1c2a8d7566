"""The rules file that a repro's finding needs: a copy of it lies beside the script, under a name that its content has.

`--rules FILE` registers a user's own translation rules. A finding that was made with them shows only with them, so
its repro carries them along.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


class RulesError(Exception):
    """A rules file that is not where a repro says, or that was changed."""


@dataclass(frozen=True)
class Rules:
    """A rules file.

    Attributes:
        file: name of the copy that lies beside the script.
        sha256: of its text.
        origin: where the user has it, as the user called it.
        text: the file; None when only the header that names it was read.
    """

    file: str
    sha256: str
    origin: str
    text: str | None = None

    @classmethod
    def of(cls, path: Path) -> Rules:
        """A rules file of the user's. Raises OSError."""
        text = path.read_text(encoding="utf-8")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        return cls(f"rules-{sha256[:8]}.py", sha256, path.as_posix(), text)

    def read(self, script: Path) -> Rules:
        """With the text of the copy that lies beside a script.

        Raises:
            RulesError: it is missing, or is not the one that the script was saved with.
        """
        path = script.parent / self.file
        if not path.exists():
            raise RulesError(f"its translation rules are missing: {self.file} should lie beside it")
        text = path.read_text(encoding="utf-8")
        if hashlib.sha256(text.encode()).hexdigest() != self.sha256:
            raise RulesError(f"{self.file} is not the rules file it was saved with (sha256 differs)")
        return replace(self, text=text)

    @classmethod
    def said(cls, said: Mapping[str, Any]) -> Rules:
        """What a header says of it."""
        return cls(str(said["file"]), str(said["sha256"]), str(said.get("origin", "")))

    def header(self) -> dict[str, str]:
        """What a header says of it."""
        return {"file": self.file, "sha256": self.sha256, "origin": self.origin}
