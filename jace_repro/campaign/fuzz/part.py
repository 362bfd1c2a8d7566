"""A part of a campaign in a process of its own: some programs are tested, or a finding is reduced.

    python -m jace_repro.campaign.fuzz.part DIR

In: ``DIR/request.json`` (see `main`), with the files that it names. Out: ``DIR/result.json``, and what belongs to it in
``DIR/kept/``, where it lies as it does in the directory of a campaign.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jace_repro.campaign.fuzz import here
from jace_repro.campaign.fuzz.remote import KEPT, REQUEST, RESULT
from jace_repro.campaign.fuzz.state import MINIMAL, Tested, forget, signatures
from jace_repro.campaign.reduction import reduce_findings
from jace_repro.campaign.report import strict, versions
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.stored import entry_of
from jace_repro.campaign.testing import open_pool
from jace_repro.fuzz.writing import wanted_at
from jace_repro.repro import write_file


def settings_json(settings: Settings) -> dict[str, Any]:
    """Settings as a request has them; a copy of the rules file lies beside the request."""
    data = dataclasses.asdict(dataclasses.replace(settings, jobs=1))
    return {**data, "rules": None if settings.rules is None else settings.rules.as_posix()}


def _settings_of(data: dict[str, Any], folder: Path) -> Settings:
    texts = ("pipelines", "select", "ignore")
    return Settings(
        **{
            **data,
            **{name: tuple(data[name]) for name in texts},
            "environment": tuple((name, value) for name, value in data["environment"]),
            "rules": None if data["rules"] is None else _rules_in(folder, data),
        }
    )


def _rules_in(folder: Path, settings: dict[str, Any]) -> Path:
    """The copy of the user's rules file."""
    return folder / Path(settings["rules"]).name


def main(folder: Path) -> None:
    """Do what the request in a directory says.

    Fields of a request: ``settings``; ``seed`` and ``numbers`` of the programs to test with the ``sources`` that they
    are made of, and the ``needless`` signatures of which no further repro is wanted; or the ``entry`` to reduce, as in
    a report of the directory ``DIR/kept``.
    Fields of the answer: ``versions`` of the packages here; the ``tested`` programs, or the reduced ``entry``.
    """
    request = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    settings, kept = _settings_of(request["settings"], folder), folder / KEPT
    kept.mkdir(exist_ok=True)
    answer: dict[str, Any] = {"versions": versions()}
    with open_pool(settings) as pool:
        if "entry" in request:
            entry = entry_of(request["entry"], kept)
            for _, reduced in reduce_findings([entry], kept / MINIMAL, pool, settings):
                answer["entry"] = reduced.to_json(kept)
        else:
            done: list[Tested] = []
            sources = [folder / name for name in request["sources"]]
            programs = (wanted_at(request["seed"], number, sources) for number in request["numbers"])
            here.run(programs, kept, pool, settings, done.append)
            for one in done:
                if one.entry is not None and signatures(one.entry) <= set(request["needless"]):
                    forget(one.entry)  # it is counted
            answer["tested"] = [tested_json(one, kept) for one in done]
    write_file(folder / RESULT, json.dumps(strict(answer)).encode())
    if settings.rules is not None:
        _name_users_file(settings.rules, request["settings"]["rules"], [folder / RESULT, *kept.rglob("*.py")])


def _name_users_file(copy: Path, users: str, files: Iterable[Path]) -> None:
    """Have these files name the rules file where its user has it."""
    for file in files:
        text = file.read_text(encoding="utf-8")
        if copy.as_posix() in text:
            write_file(file, text.replace(copy.as_posix(), users).encode())


def tested_json(tested: Tested, base: Path) -> dict[str, Any]:
    """A program as an answer has it; `base` is the directory of its files."""
    entry = None if tested.entry is None else tested.entry.to_json(base)
    return {
        "number": tested.number,
        "name": tested.name,
        "outcomes": tested.outcomes,
        "why": tested.why,
        "entry": entry,
    }


def tested_of(data: dict[str, Any], base: Path) -> Tested:
    """The inverse of `tested_json`, with the files in another directory."""
    entry = None if data["entry"] is None else entry_of(data["entry"], base)
    return Tested(data["number"], data["name"], data["outcomes"], data["why"], entry)


def _end_with_parent() -> None:
    """Standard input ends when the process that began this one does, whatever ended it."""
    while os.read(0, 1):  # not by sys.stdin, whose lock would be held when this process ends
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    main(Path(sys.argv[1]))
