"""Guidance: energy goes where something new was reached, and the choices are the same each time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from jace_repro.fuzz import guide as guide_module
from jace_repro.fuzz.guide import WAYS, Guide
from jace_repro.fuzz.mutants import drawn_of
from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
from jace_repro.fuzz.writing import Written

FOLDER = Path("seeds")


def written(number, *reached, name="sin/1"):
    return Written(number, name, reached=frozenset(reached))


def test_what_is_new_is_what_none_has_reached():
    guide = Guide(0)
    assert guide.learn(written(0, "branch a:1>2", "form sin with accuracy=None")) == {
        "branch a:1>2",
        "form sin with accuracy=None",
    }
    assert guide.learn(written(1, "branch a:1>2", "branch a:1>3")) == {"branch a:1>3"}
    assert guide.learn(written(2, "branch a:1>2")) == set()
    assert guide.counts == {"branch": 2, "pass": 0, "pair": 0, "form": 1}
    assert (guide.reached["branch a:1>2"].first, guide.reached["branch a:1>2"].programs) == (0, 3)
    assert guide.programs == 3
    assert guide.curve == [(1, 1, 0, 0, 1), (2, 2, 0, 0, 1)]  # it does not grow with the third


def test_a_campaign_that_counted_no_forms_goes_on():
    earlier = Guide(0).to_json() | {"curve": [[1, 7, 1, 5]]}
    guide = Guide.from_json(earlier)
    guide.learn(written(1, "form sin with accuracy=None"))
    assert guide.curve == [(1, 7, 1, 5, 0), (1, 0, 0, 0, 1)]


def way_of(wanted):
    way = wanted.name.partition("/")[0]
    return way if way in WAYS else "operation"


def test_without_seeds_there_are_no_mutants_and_all_ways_are_tried():
    ways = Counter(way_of(Guide(3).next(number, FOLDER)) for number in range(300))
    assert set(ways) == {"composed", "operation", "related"}
    assert min(ways.values()) > 60


def test_each_operation_is_tried_before_any_is_again():
    guide = Guide(3)
    guide.gains = dict.fromkeys(WAYS, 0.0) | {"operation": 1.0}
    wanted = [guide.next(number, FOLDER) for number in range(2000)]
    names = [one.name.split("/")[0] for one in wanted if way_of(one) == "operation"]
    every = set(OPERATIONS) - set(UNWRITTEN)
    assert set(names[: len(every)]) == every
    assert len({one.name for one in wanted}) == 2000


def with_seeds(seed=3):
    guide = Guide(seed)
    for number, first in enumerate((400, 1, 1, 1, 1, 1, 1, 1)):
        guide.add(f"reached-{number:06d}.py", first, 10)
    return guide


def test_mutants_are_made_of_the_seeds_with_energy():
    guide = with_seeds()
    wanted = [guide.next(number, FOLDER) for number in range(400)]
    mutants = [one for one in wanted if way_of(one) == "mutated"]
    assert 60 < len(mutants) < 140
    assert all(one.name == f"mutated/{3_000_000 + one.number}" for one in mutants)
    drawn = Counter(one.sources[drawn_of(one.name, 6)[0]].name for one in mutants)
    assert drawn["reached-000000.py"] > 3 * max(drawn[f"reached-{k:06d}.py"] for k in range(1, 8))
    for one in mutants:
        assert len(set(one.sources)) == len(one.sources) == 6
    assert {seed.file: seed.drawn for seed in guide.seeds if seed.drawn} == drawn


def test_ways_that_reach_something_new_are_drawn_more_often_and_none_never():
    guide = with_seeds()
    for number in range(300):
        guide.learn(written(number, f"branch a:1>{number}", name=f"mutated/{number}"))
        guide.learn(written(number, name=f"composed/{number}"))
        guide.learn(written(number, name=f"related/{number}"))
        guide.learn(written(number, name=f"sin/{number}"))
    ways = Counter(way_of(guide.next(number, FOLDER)) for number in range(600))
    assert ways["mutated"] > 2 * max(ways[way] for way in ("composed", "related", "operation"))
    assert min(ways.values()) > 10


def test_a_way_is_worth_what_it_reaches_for_its_size():
    guide = with_seeds()
    for number in range(200):
        for name, equations in (("mutated", 5), ("composed", 500)):
            new = Written(
                number, f"{name}/1", equations=equations, reached=frozenset({f"pair {name}{number}"})
            )
            guide.learn(new)
    assert guide.gains["mutated"] == pytest.approx(1 / 15, rel=1e-3)
    assert guide.gains["composed"] == pytest.approx(1 / 510, rel=0.02)


def test_operations_that_find_something_are_drawn_more_often():
    guide = Guide(3)
    for operation in set(OPERATIONS) - set(UNWRITTEN):
        guide.learn(written(0, name=f"{operation}/0"))
    for number in range(200):
        guide.learn(written(number, f"branch a:1>{number}", name=f"sort/{number}"))
        guide.learn(written(number, name=f"sin/{number}"))
    guide.gains = dict.fromkeys(WAYS, 0.0) | {"operation": 1.0}
    drawn = Counter(guide.next(number, FOLDER).name.split("/")[0] for number in range(4000))
    assert drawn["sort"] > 10 * drawn["sin"]


def test_the_choices_are_the_same_each_time_and_after_it_was_kept():
    one, other = with_seeds(), with_seeds()
    for number in range(60):
        assert one.next(number, FOLDER) == other.next(number, FOLDER)
        for guide in (one, other):
            guide.learn(written(number, f"pair {number % 7}"))
        if number == 30:
            other = Guide.from_json(json.loads(json.dumps(other.to_json())))
    assert one == other


def test_seeds_are_no_more_than_so_many(monkeypatch):
    monkeypatch.setattr(guide_module, "MOST_SEEDS", 3)
    guide = Guide(0)
    gone = [guide.add(f"{first}", first, 10) for first in (5, 1, 9, 7, 2)]
    assert gone == [[], [], [], ["1"], ["2"]]
    assert [seed.file for seed in guide.seeds] == ["9", "7", "5"]
    assert guide.add("large", 9, 1000) == ["large"]
