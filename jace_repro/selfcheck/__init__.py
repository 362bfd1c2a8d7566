"""Self-check: is an emitted script the program it was written from?

In: paths of scripts. Out: a `SelfCheck` of each, found in a process that imports neither jace nor jace_repro before
the script has run.
"""

from __future__ import annotations

from jace_repro.selfcheck.check import SelfCheck, note_self_check, self_check, self_check_many

__all__ = ["SelfCheck", "note_self_check", "self_check", "self_check_many"]
