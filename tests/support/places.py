"""Where things of this repository lie, for tests."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
CORPUS = ROOT / "corpus"
PROGRAMS = CORPUS / "programs"
REPROS = CORPUS / "repros"
#: Rules files: each replaces the rule of one primitive by a subtly wrong one.
PLANTED_RULES = ROOT / "tests" / "planted" / "rules"
#: Rules files that break a pass of DaCe's or a flag of the compiler.
PLANTED_PASSES = ROOT / "tests" / "planted" / "passes"
#: Stand-ins for jace, for `backend="FILE:NAME"`.
BACKENDS = ROOT / "tests" / "support" / "tester_backends.py"
