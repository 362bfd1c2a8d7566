"""The coverage page: what it says of each primitive, that it is current, and the command that prints it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import jax
import pytest
from jax.extend.core import Primitive
from places import ROOT

import jace
from jace_repro import cli, survey
from jace_repro.doctor import PINNED_JAX
from jace_repro.survey import ELSEWHERE, LEFT, REASONS, UNPROBED, UNSUPPORTED, Found
from jace_repro.survey.classify import classify, trace
from jace_repro.survey.page import short_dtypes
from jace_repro.survey.probes import ARRAYS, DTYPES
from jace_repro.survey.programs import KEYED, KEYS, REST

PAGE = ROOT / "jace" / "PRIMITIVES.md"
#: What only one of the two releases of JAX has.
LATER = {
    *("mulhi", "philox2x32", "philox4x32", "threefry4x32", "pbroadcast_dynamic", "reduced_vary_cast"),
    *("vary_unreduced_cast", "relayout", "unreduced_pmax", "unreduced_pmin", "log2", "one_minus_square"),
    *("polynomial", "program_order"),
}

#: Probes and reasons are of the primitives that jax 0.10 has.
of_jax_0_10 = pytest.mark.skipif(
    not jax.__version__.startswith("0.10."), reason="the tables are of the primitives of the pinned release"
)


def row_of(name):
    (row,) = survey.coverage([name])
    return row


def main(*words):
    with pytest.raises(SystemExit) as stop:
        cli.main(["doctor", "--primitives", *words])
    return stop.value.code


# ---------------------------------------------------------------------------------- the table and the page


@pytest.mark.ci
def test_the_page_is_current_and_every_primitive_translated_or_explained():
    rows = list(survey.coverage())
    assert not [row.name for row in rows if row.note is None]
    assert len([row for row in rows if row.kind != ELSEWHERE]) >= 285
    text = PAGE.read_text(encoding="utf-8")
    if jax.__version__ != PINNED_JAX:  # the page is of the pinned release
        assert f"from jax {PINNED_JAX}:" in text
        return
    stale = set(survey.page(rows, survey.load_harness()).splitlines()) ^ set(text.splitlines())
    assert not stale, "run python scripts/update_docs.py:\n" + "\n".join(sorted(stale)[:20])


@of_jax_0_10
def test_no_reason_outlives_what_it_is_about():
    assert {row.name: row.kind for row in survey.coverage(REASONS)} == dict.fromkeys(REASONS, UNSUPPORTED)
    here = UNPROBED.keys() & survey.all_primitives().keys()
    assert UNPROBED.keys() - here <= LATER
    assert all(not row.tried and row.translated for row in survey.coverage(here))


@of_jax_0_10
def test_every_probe_has_its_primitive_in_its_jaxpr():
    def reached(name):
        return any(trace(name, d) is not None for d in (KEYS if name in KEYED else reversed(DTYPES)))

    known = survey.all_primitives()
    probed = {*ARRAYS, *REST, *KEYED}
    assert probed - set(known) <= LATER
    assert not [name for name in probed & set(known) if not reached(name)]
    assert trace("fft", DTYPES[0]) is None, "JAX has no FFT of booleans"


@pytest.mark.parametrize(
    ("name", "kind"),
    {
        "sin": "elementwise rule",
        "broadcast_in_dim": "index map rule",
        "scan": "region rule",
        "jit": "call inlined",
        "sharding_constraint": "dropped annotation",
        "psum": "collective on one device",
        "random_bits": "expansion: keys as arrays",
        "igamma_grad_a": "expansion: JAX's lowering",
        "get": "discharged state",
        "platform_index": "decided for CPU",
        "pure_callback": LEFT,
        "pallas_call": ELSEWHERE,
        "dim_as_value": UNSUPPORTED,
    }.items(),
)
def test_the_kind_of_a_primitive(name, kind):
    assert_kind(name, kind)


@of_jax_0_10
def test_the_kind_of_a_box():
    assert_kind("box_get", "lowered user-defined type")


def assert_kind(name, kind):
    row = row_of(name)
    assert row.kind == kind
    assert row.translated == (kind not in (LEFT, ELSEWHERE, UNSUPPORTED))
    assert bool(row.dtypes) == row.translated
    assert bool(row.note) != row.translated


@pytest.mark.ci
def test_the_first_primitive_asked_of_finds_the_rules_loaded():
    """What a process asks first may not depend on what it imported before."""
    ask = "from jace_repro import survey; print(*(row.kind for row in survey.coverage(['abs'])))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("elementwise rule", 0), done.stderr


def test_dtypes_are_those_that_translate():
    row = row_of("bitcast_convert_type")
    assert {"int32", "float32", "float64"} <= set(row.dtypes)
    with jace.use_rules({"sin": jace.Elementwise(lambda params, ins, out, x: {"float32": x}[out.name])}):
        row = row_of("sin")
    assert row.dtypes == ("float32",)
    assert {"float64", "complex64"} <= set(row.refused)
    assert "f32; not " in survey.cells(row, {"primitives": {}})[3]


def test_a_new_primitive_shows_without_a_reason_until_it_has_a_rule():
    made_up = Found("made_up", "jax._src.lax.lax", Primitive("made_up"))
    row = classify(made_up)
    assert (row.kind, row.note, row.translated) == (UNSUPPORTED, None, False)
    assert "no reason given" in survey.markdown_table([row], {"primitives": {}})
    assert "1 of them without a reason" in survey.summary([row])
    with jace.use_rules({"made_up": jace.Elementwise(lambda params, ins, out, x: x)}):
        row = classify(made_up)
    assert (row.kind, row.tried) == ("elementwise rule", False)
    assert row.note is None, "a rule without a probe is not explained either"


def test_harness_figures_come_before_what_merely_translates():
    row = row_of("sin")
    harness = {"primitives": {"sin": {"fused": {"total": 12, "ok": 11}}}}
    assert survey.cells(row, harness)[4:6] == ("11/12", "translates")


def test_dtypes_are_written_in_few_letters():
    assert short_dtypes(["bool", "int8", "int16", "int32", "int64", "float32"]) == "bool int f32"
    assert short_dtypes(["uint4", "bfloat16", "float16", "complex64", "fry"]) == "u4 bf16 f16 c64 fry"
    assert short_dtypes([]) == ""


def test_the_readme_leads_to_the_page():
    assert "jace/PRIMITIVES.md" in (ROOT / "README.md").read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------------- the command


def test_the_command_prints_markdown_into_a_pipe_and_writes_json(capsys, tmp_path):
    assert main("s[iq]n", "scatter*", "pallas_call", "--json", str(tmp_path / "out.json")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| primitive | kind | where | dtypes | fused | canonical | note |")
    assert len([line for line in lines if line.startswith("| `scatter")]) == 6
    assert lines[-1].startswith("7 of 8 primitives may be in a program for one CPU: 7 are translated")
    assert "1 other devices" in lines[-2]
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["totals"] == {"region rule": 6, "elementwise rule": 1, "other devices": 1}
    (sin,) = [p for p in report["primitives"] if p["primitive"] == "sin"]
    assert sin["module"] == "jax.lax"
    assert "float32" in sin["dtypes"]
    assert sin["pipelines"] == ["fused", "canonical"]
    assert set(sin) == {
        *("primitive", "kind", "where", "module", "dtypes", "refused_dtypes", "pipelines"),
        *("translated", "tried", "note", "harness"),
    }


def test_missing_shows_only_what_is_not_translated(capsys):
    assert main("sin", "dim_as_value", "pure_callback", "--missing", "--markdown") == 0
    shown = re.findall(r"^\| `(\w+)`", capsys.readouterr().out, re.MULTILINE)
    assert shown == ["dim_as_value", "pure_callback"]


def test_a_person_gets_a_table(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    assert main("sin") == 0
    out = capsys.readouterr().out
    assert "rules.elementwise" in out
    assert "| --- |" not in out
    assert main("sin", "--markdown") == 0
    assert "| --- |" in capsys.readouterr().out


def test_wrong_use_is_told(capsys):
    assert main("sinn") == 2
    assert "no primitive 'sinn'; do you mean sin or" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        cli.main(["doctor", "sin"])
    assert stop.value.code == 2
    assert "need --primitives" in capsys.readouterr().err
