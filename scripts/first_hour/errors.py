"""Point 6: errors that help."""

from __future__ import annotations

import json

from first_hour.place import RULES, STEP, Place, holds
from first_hour.rows import row

QUICK = ("--pipeline", "fused", "--no-eager", "--no-self-check")
BIG = """\
import jax, numpy as np
x = np.random.default_rng(0).random({size}, np.float32)
for factor in range(3):
    jax.jit(lambda x, factor=factor: x[:1000] * factor)(x).block_until_ready()
"""


@row(6, run="ruled")
def broken_rules_file(place: Place) -> None:
    """Its own traceback, before anything is tested."""
    folder = place.copy("ruled")
    place.file("broken.py", "import jace\n\nundefined\n")
    done = place.jace_repro("check", "--rules", "broken.py", folder / "minimal", code=2)
    done.says("the rules file broken.py fails:", 'broken.py", line 3', "NameError")
    holds("jace_repro/" not in done.err, "frames of ours are shown")


@row(6)
def no_compiler(place: Place) -> None:
    """Told before the program runs."""
    place.file("step.py", STEP)
    done = place.jace_repro("run", "step.py", code=2, CXX="no-such-compiler")
    done.says("no C++ compiler: $CXX is 'no-such-compiler'", "doctor checks it")
    holds("the program says" not in done.out, "the program was run")


@row(6, run="ruled")
def files_that_are_no_repros(place: Place) -> None:
    """Random bytes, a truncated file, an unknown schema, no file at all: named, the good one is tested."""
    folder = place.copy("ruled")
    (good,) = (folder / "minimal").glob("*-mismatch-*.py")
    text = good.read_text()
    place.file("bytes.py", b"\x8b\x00\xff\x13")
    place.file("cut.py", text[: len(text) // 4])
    place.file("newer.py", text.replace("# schema = 1", "# schema = 99"))
    names = ("bytes.py", "cut.py", "newer.py", "none.py")
    done = place.jace_repro("check", *names, good.relative_to(place.folder), code=1)
    done.says("1 finding in 1 tested entries", *(f"error: {name}: " for name in names), "schema 99")


@row(6)
def a_program_that_is_not_there(place: Place) -> None:
    """One sentence."""
    place.jace_repro("run", "none.py", code=2).says("there is no program 'none.py'")


@row(6)
def json_alone_on_standard_output(place: Place) -> None:
    """`--json -` in a pipe, although the program prints."""
    place.file("step.py", STEP)
    done = place.shell(f"jace-repro run {' '.join(QUICK)} --json - step.py | python -m json.tool")
    holds(json.loads(done.out)["summary"]["tested"] == 1, "it is not the report")
    holds("the program says" in done.err, "the program is silenced")


@row(6)
def full_disk(place: Place) -> None:
    """No file may have more than 8 KB: what was lost is said, exit code 2, never a finding, never ok."""
    place.file("step.py", STEP)
    words = f"JACE_CACHE_DIR=cache jace-repro run -o out {' '.join(QUICK)} step.py"
    done = place.shell(f"ulimit -f 8; {words}", code=2)
    done.says("going on without the cache", "the disk is full", "could not be tested")
    holds("\nok  " not in done.out and "No findings" not in done.out, "it says that all is well")


@row(6)
def full_cache(place: Place) -> None:
    """A cache that takes nothing: one warning, and everything else as ever."""
    place.file("step.py", STEP)
    place.file("cache", "no folder")
    done = place.jace_repro("run", *QUICK, "step.py", JACE_CACHE_DIR="cache")
    done.says("No findings in 1 tested entries.")
    holds(done.err.count("going on without the cache") == 1, "it is not said once")


@row(6, slow=True)
def big_argument_is_stored_once(place: Place) -> None:
    """Three functions that take one array of 40 MB: one file of that size; a limit names its option."""
    place.file("big.py", BIG.format(size=10_000_000))
    place.jace_repro("record", "--no-eager", "-o", "out", "big.py")
    files = {
        file.stat().st_ino: file.stat().st_size
        for file in (place.folder / "out").rglob("*")
        if file.is_file()
    }
    holds(40_000_000 < sum(files.values()) < 41_000_000, f"{sum(files.values())} bytes")
    done = place.jace_repro("record", "--no-eager", "--max-disk", "1M", "-o", "less", "big.py")
    done.says("exceed --max-disk 1048576; a larger one keeps them")


@row(6, slow=True)
def argument_of_a_gigabyte(place: Place) -> None:
    """Recorded with no copy of it in memory: less than half of it above the program's own."""
    place.file("huge.py", BIG.format(size=250_000_000) + _PEAK)
    plain = place.python("huge.py")
    own = int(plain.out.split()[-1])
    recorded = place.jace_repro("record", "--no-self-check", "--no-eager", "-o", "out", "huge.py")
    peak = int(recorded.out.split("peak ")[1].split()[0])
    holds(peak < own + 500_000, f"{peak >> 10} MB, the program's own are {own >> 10} MB")


_PEAK = """
import resource
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@row(6)
def check_in_python(place: Place) -> None:
    """`jace_repro.check`: strings and paths, keyword arguments, accept=, and no frame of ours in pytest."""
    place.file("rules.py", RULES)
    place.file(
        "test_step.py",
        """\
import jax.numpy as jnp, numpy as np
import jace_repro

def step(x, *, scale):
    return jnp.floor(x) * scale

def test_right():
    jace_repro.check(step, np.linspace(-2, 2, 9), pipelines="fused", scale=2.0)

def test_wrong():
    jace_repro.check(step, np.linspace(-2, 2, 9), pipelines="fused", rules="rules.py", out="found", scale=2.0)
""",
    )
    done = place.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_step.py", code=1)
    done.says("1 failed, 1 passed", "step does not agree with its DaCe translation", "found/step.py")
    holds("jace_repro/api.py" not in done.out, "frames of ours are shown")
