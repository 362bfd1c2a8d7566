"""What a worker of a Dask cluster does: a part of a campaign, in a process of its own.

The worker imports neither JAX nor DaCe, and keeps nothing: a part that is done twice gives the same twice. The process
ends when its worker does, however that ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

#: In the directory of a part: what is wanted, and what came of it.
REQUEST, RESULT = "request.json", "result.json"
#: Where a part's files go that others are to have.
KEPT = "kept"
#: So much of what a process said before it failed is told.
_LAST_WORDS = 2000


class PartError(RuntimeError):
    """The process of a part failed."""


def run(request: Mapping[str, Any], files: Mapping[str, bytes]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Do a part of a campaign.

    Args:
        request: what `part` is asked for, as JSON.
        files: what it needs, by path in its directory.
    Returns:
        What it answers, as JSON, and the files that belong to it, by path.
    Raises:
        PartError: the process failed.
    """
    with TemporaryDirectory(prefix="jace-repro-part-") as name:
        folder = Path(name)
        for path, data in {REQUEST: json.dumps(request).encode(), **files}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        with (folder / "said").open("wb") as said:
            # it reads its standard input to the end, which is that of this process
            process = subprocess.Popen(
                [sys.executable, "-m", "jace_repro.campaign.fuzz.part", name],
                stdin=subprocess.PIPE, stdout=said, stderr=said, cwd=folder,
            )  # fmt: skip
            try:
                code = process.wait()
            finally:
                process.kill()
        if code:
            words = (folder / "said").read_text(errors="replace")[-_LAST_WORDS:].strip()
            raise PartError(f"exit code {code}\n{words}")
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        kept = folder / KEPT
        return result, {
            path.relative_to(kept).as_posix(): path.read_bytes() for path in kept.rglob("*") if path.is_file()
        }
