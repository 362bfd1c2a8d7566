"""Points 2, 3 and 4: how long it takes, what is said meanwhile, what may be chosen."""

from __future__ import annotations

import re
import time

from first_hour.place import STEP, WAVE, Place, holds
from first_hour.rows import row

QUICK = ("--pipeline", "fused", "--no-eager", "--no-self-check")
TWO = STEP + "\n@jax.jit\ndef other(x):\n    return jnp.ceil(x) + 1\n\nother(jnp.ones(4))\n"
RULES = """\
import jace

@jace.register_rule("floor", override=True)
@jace.register_rule("ceil", override=True)
def rounded(params, in_dtypes, out_dtype, x):
    return f"({x} + 1)"
"""


#: A pass that is wrong, and longer at it than it takes until progress is told, whatever the machine and its caches.
SLOW = """\
import time

import dace

def slow_and_wrong(sdfg):
    time.sleep(7)
    for node, _ in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.Tasklet):
            node.code.as_string = node.code.as_string.replace(" * ", " + ")
"""


@row(3)
def progress_in_a_pipe(place: Place) -> None:
    """In a pipe: a line now and then with done, total, entry, stage and seconds, and one at each verdict."""
    place.file("step.py", STEP)
    place.file("slow.py", SLOW)
    words = "--no-reduce --no-eager --no-self-check --pipeline slow.py:slow_and_wrong"
    said = place.shell(f"jace-repro run {words} step.py 2>&1 | cat", code=1).out
    told = re.search(
        r"^jace-repro: tested 0 of 1, \d+ s; step \(\d equations\), \w+, \d+ s$", said, re.MULTILINE
    )
    holds(told, f"there is no line of progress: {said[:200]!r}")
    holds(re.search(r"^FAIL step.py:\d+: step", said, re.MULTILINE), "there is no line of a verdict")


@row(3)
def quiet_says_only_what_was_found(place: Place) -> None:
    """`-q`: nothing on standard error but warnings."""
    place.file("step.py", STEP)
    done = place.jace_repro("run", "-q", *QUICK, "step.py")
    holds("tested 0" not in done.err, f"it says {done.err[:80]!r}")
    done.says("No findings in 1 tested entries.")


@row(4)
def did_you_mean(place: Place) -> None:
    """A command and an option with a slip of the finger."""
    place.jace_repro("chekc", code=2).says("did you mean 'check'?")
    place.file("step.py", STEP)
    place.jace_repro("run", "--pipelin", "fused", "step.py", code=2).says("--pipeline")


@row(4)
def options_in_a_file(place: Place) -> None:
    """jace-repro.toml says what the command line does not."""
    place.file("jace-repro.toml", '[run]\npipeline = ["fused"]\neager = false\nself-check = false\n')
    place.file("step.py", STEP)
    place.jace_repro("run", "--json", "r.json", "step.py")
    verdicts = place.report("r.json")["entries"][0]["verdicts"]
    holds([v["pipeline"] for v in verdicts] == ["fused"], f"{verdicts}")


@row(4, slow=True)
def stop_resume_and_last_failed(place: Place) -> None:
    """`-x` stops at the first finding, `--resume` goes on with the same options, `--last-failed` knows which."""
    place.file("two.py", TWO)
    place.file("rules.py", RULES)
    words = ("--no-reduce", "--jobs", "1", "--rules", "rules.py", *QUICK)
    done = place.jace_repro("run", "-x", "-o", "out", *words, "two.py", code=1)
    done.says("Stopped there (--max-findings)", "run --resume out")
    place.jace_repro("run", "--resume", "out", "--max-findings", "9", code=1).says(
        "2 findings in 2 tested entries"
    )
    place.jace_repro("check", "--last-failed", "--json", "c.json", "out", code=1)
    holds(place.report("c.json")["summary"]["tested"] == 2, "--last-failed knows others")


@row(4, slow=True)
def select_and_ignore(place: Place) -> None:
    """By function and by primitive."""
    place.file("two.py", TWO)
    place.jace_repro("record", "--no-self-check", "-o", "out", "two.py")
    for word, pattern, name in (("--ignore", "ste*", "other"), ("--select", "primitive:floor", "step")):
        words = (word, pattern, "--no-eager", "--pipeline", "fused", "--json", "r.json", "out")
        place.jace_repro("check", *words)
        names = [entry["name"] for entry in place.report("r.json")["entries"]]
        holds(names == [name], f"{word} {pattern}: {names}")


@row(4)
def completion_for_each_shell(place: Place) -> None:
    """Scripts for bash, zsh and fish."""
    for shell in ("bash", "zsh", "fish"):
        holds("_JACE_REPRO_COMPLETE" in place.jace_repro("completion", shell).out, f"none for {shell}")


@row(4)
def hook_says_what_there_is(place: Place) -> None:
    """`hook status` changes nothing and says how to go on."""
    place.jace_repro("hook", "status").says("nstalled in")


@row(2, slow=True)
def second_run_is_quick(place: Place) -> None:
    """The README's program once more, with what the first run has left in the cache."""
    place.file("wave_equation.py", WAVE.read_text())
    seconds = []
    for name in ("first", "second"):
        began = time.monotonic()
        place.jace_repro(
            "run", "-o", name, "--pipeline", "canonical/auto-optimize", "wave_equation.py", code=1
        )
        seconds.append(time.monotonic() - began)
    holds(seconds[1] < 60, f"{seconds[0]:.0f} s, then {seconds[1]:.0f} s")
