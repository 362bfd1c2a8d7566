"""scripts/first_hour.py: a row that holds, one that does not, and what the table says of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from places import SCRIPTS
from script_modules import load_script

from jace_repro.paths import SOURCE_ROOT


@pytest.fixture
def first_hour(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The package of the rows, with what it knows."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import first_hour
    import first_hour.place
    import first_hour.rows

    yield first_hour
    for name in [name for name in sys.modules if name.partition(".")[0] == "first_hour"]:
        del sys.modules[name]


def _typed(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / "first_hour.py"), *words]
    return subprocess.run(command, cwd=SOURCE_ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_a_row_that_holds() -> None:
    done = _typed("--only", "a-program-that-is-not-there")
    assert done.returncode == 0, done.stdout + done.stderr
    _, row, sum_ = done.stdout.splitlines()
    assert row.split()[:5] == ["6", "a-program-that-is-not-there", "jace-repro", "run", "none.py"]
    assert row.endswith("yes")
    assert sum_ == "1 rows, 0 do not hold"


def test_a_name_that_no_row_has() -> None:
    done = _typed("--only", "nothing")
    assert done.returncode == 2
    assert "no row nothing; there are" in done.stderr


def test_a_row_that_does_not_hold(first_hour, tmp_path) -> None:
    """Exit code, text and tracebacks are looked at: a check that cannot fail would be none."""
    place = first_hour.place.Place(tmp_path, first_hour.place.shared_run)
    place.file("ends.py", "print('it ends')\nraise SystemExit(4)\n")
    assert place.python("ends.py", code=4).says("it ends").code == 4
    with pytest.raises(first_hour.place.NotSo, match="exit code 4, not 0: it ends"):
        place.python("ends.py")
    with pytest.raises(first_hour.place.NotSo, match="it does not say 'nothing'"):
        place.python("ends.py", code=4).says("nothing")
    assert place.typed == "python ends.py"


def test_the_table_counts_what_does_not_hold(first_hour, capsys, monkeypatch) -> None:
    script = load_script("first_hour")
    monkeypatch.setenv("FIRST_HOUR_DIR", "")
    monkeypatch.setenv("JACE_CACHE_DIR", "")

    def wrong(place) -> None:
        first_hour.place.holds(1 + 1 == 3, "one and one are two")

    def broken(place) -> None:
        raise FileNotFoundError("nothing there")

    rows = [first_hour.rows.Row(f.__name__, 6, "Promised.", f) for f in (wrong, broken)]
    assert script.table(rows) == 2
    out = capsys.readouterr().out
    assert "Promised.\n        -> one and one are two\n" in out
    assert "-> FileNotFoundError: nothing there\n" in out
    assert out.endswith("2 rows, 2 do not hold\n")
    names = [row.name for row in first_hour.rows.ROWS]
    assert len(set(names)) == len(names)
    assert {row.point for row in first_hour.rows.ROWS} == set(range(1, 10))
