"""What a script says of the call it was recorded from: names of inputs and results, static arguments, donation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jace_repro.emitter import emit_flat
from jace_repro.repro import CallOptions, Header, Repro, load, trace_repro
from jace_repro.selfcheck import self_check_many
from jace_repro.tracker.api import record
from jace_repro.tracker.call_options import describe, placement_notes, shown


def layer(params: Any, x: Any, count: int, *, mode: str = "a", key: Any) -> Any:
    return {
        "y": params["w"][0] * x * count * params["b"],
        "noise": jax.random.normal(key),
        "pair": (x, mode == "b"),
    }


STATIC: dict[str, Any] = {"static_argnums": 2, "static_argnames": "mode", "donate_argnums": 1}
KEYS = {
    "raw": jax.random.PRNGKey(3),
    **{name: jax.random.key(3, impl=name) for name in ("threefry2x32", "rbg", "unsafe_rbg")},
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Repro]:
    """One repro for each kind of key, and one whose Python scalar is a NumPy one; all replay exactly."""
    jitted = jax.jit(layer, **STATIC)
    with record(tmp_path_factory.mktemp("recording")) as rec:
        for key in KEYS.values():
            jitted({"w": [jnp.ones(3)], "b": 2.5}, jnp.arange(3.0), 4, mode="b", key=key)
        jitted({"w": [jnp.ones(3)], "b": np.float32(2.5)}, jnp.arange(3.0), 4, mode="b", key=key)
    paths = [rec.recording.path(e) for e in rec.entries if e.entry.name == "layer"]
    assert [check.status for check in self_check_many(paths, jobs=2)] == ["exact"] * 5
    return [load(path) for path in paths]


def test_inputs_and_results_have_their_names(recorded: list[Repro]) -> None:
    lines = [line.strip() for line in recorded[1].source.splitlines()]
    assert "2.5,  # a = params['b']: f32[] weak" in lines
    assert "np.array([1.0, 1.0, 1.0], np.float32),  # b = params['w'][0]: f32[3]" in lines
    assert [line for line in lines if line.endswith("# d = key: key<fry>[]")]
    assert "# result['noise'], result['pair'][0], result['pair'][1], result['y']" in lines


def test_static_arguments_are_told(recorded: list[Repro]) -> None:
    for repro in recorded:
        assert repro.header.static == {"count": "4", "mode": "'b'"}
        assert "    # static: count = 4\n" in repro.source


def test_donation_is_kept(recorded: list[Repro]) -> None:
    for repro in recorded:
        assert repro.header.donated == (2,)
        assert "jax.jit(repro, donate_argnums=(2,))(*inputs())" in repro.source


def test_inputs_have_their_types(recorded: list[Repro]) -> None:
    for repro, key in zip(recorded, KEYS.values(), strict=False):
        scalar, *_, leaf = repro.load_inputs()
        assert type(scalar) is float
        if jnp.issubdtype(key.dtype, jax.dtypes.prng_key):
            assert leaf.dtype == key.dtype
            leaf, key = jax.random.key_data(leaf), jax.random.key_data(key)
        assert np.array_equal(leaf, key)
    assert type(recorded[4].load_inputs()[0]) is np.float32


def test_what_becomes_of_a_script_forgets_the_call(recorded: list[Repro]) -> None:
    """The reducer's programs have other inputs: no fingerprint, no donation, no names."""
    closed, args = trace_repro(recorded[0])
    header = Header(static={"n": "1"}, donated=(2,))
    again = emit_flat(closed, args, header=header)
    assert (again.header.static, again.header.donated) == ({}, ())
    assert "donate" not in again.source
    assert "params" not in again.source
    assert "result" not in again.source


def test_many_results_are_told_on_several_lines() -> None:
    closed = jax.make_jaxpr(lambda x: {f"the_result_of_number_{i}": x * i for i in range(9)})(1.0)
    source = emit_flat(closed, [1.0], header=Header()).source
    told = [line for line in source.splitlines() if "# result['the_result" in line]
    assert len(told) > 2
    assert max(map(len, told)) <= 110


class Rude:
    def __repr__(self) -> str:
        raise RuntimeError


def test_the_text_of_static_arguments() -> None:
    assert shown(jnp.sin) == "jax.numpy.sin"
    assert shown("a\nb") == r"'a\nb'"
    assert shown(object()) == "<object object>"
    assert shown("x" * 900) == "'" + "x" * 199 + "..."
    assert shown(Rude()) == "Rude, whose repr raises RuntimeError"


def test_shardings_are_noted(tmp_path: Path) -> None:
    one = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    with record(tmp_path) as rec:
        jax.jit(lambda x: x + 1, in_shardings=one)(np.ones(2))
    (entry,) = [e for e in rec.entries if not e.entry.eager]
    (note,) = load(rec.recording.path(entry)).header.notes
    assert note.startswith("the call had shardings, which the script does not have: SingleDeviceSharding")


def test_arrays_on_several_devices_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    array = jnp.ones(2)
    assert placement_notes([array, 1.0]) == ()
    monkeypatch.setattr(jax, "devices", lambda: ["another device"])
    assert "on one device in the script" in placement_notes([array, 1.0])[0]


def test_positions_of_static_arguments_beyond_the_signature() -> None:
    class Info:
        static_argnums = (0, 1, 7)
        static_argnames = ("missing",)

    params = {"in_shardings": (), "out_shardings": (), "donated_invars": (False, True)}
    found = describe(lambda x, *rest: x, Info, (1, 2), {}, params)
    assert found == CallOptions({"x": "1", "argument 1": "2"}, (1,), ())
