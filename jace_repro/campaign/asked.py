"""What a recorded program asks jace for itself, and so is tested: the pipelines of its `jace.jit` functions.

Its own rules are in its process alone; that they were not tested is said.
"""

from __future__ import annotations

from jace import pipelines
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.trace.frames import shown
from jace_repro.tracker.recording import Recording


def pipelines_of(recorded: Recording, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a program is tested on, and what a person should know of that: the user's word, else the program's, too."""
    chosen = choose_pipelines(settings.pipelines)
    if settings.pipelines:
        return chosen, ()
    notes = []
    for what, name, place in recorded.asked:
        if what != "pipeline":
            continue
        try:
            found = pipelines.parse(name)
            known = any(pipelines.parse(one) == found for one in chosen)
        except ValueError:  # a pass that the program has registered
            notes.append(
                f"{shown(place)} asks jace.jit for {name!r}, which was not tested: it is known to the program alone; "
                "give a pass of a file as --pipeline FILE.py:NAME"
            )
            continue
        if not known:
            chosen = (*chosen, name)
            notes.append(f"{shown(place)} asks jace.jit for {name!r}: tested on that, too")
    return chosen, tuple(notes)


def untested_rules(recorded: Recording, settings: Settings) -> tuple[str, ...]:
    """A line, where the program has rules of its own that nobody has given to the workers."""
    if settings.rules is not None:
        return ()
    places: dict[str, list[str]] = {}
    for what, name, place in recorded.asked:
        if what == "rule":
            places.setdefault(shown(place).partition(":")[0], []).append(name)
    return tuple(
        f"the rules that {file} registers ({', '.join(dict.fromkeys(names))}) were not tested: put them into a file of "
        "their own and give it as --rules FILE"
        for file, names in places.items()
    )
