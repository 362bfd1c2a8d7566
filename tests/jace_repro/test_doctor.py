"""What `doctor` says of a machine."""

from __future__ import annotations

from jace_repro import doctor


def test_doctor_names_a_missing_compiler_and_its_remedy(jace_repro, tmp_path):
    ran = jace_repro("doctor", env={"CXX": str(tmp_path / "no-such-compiler")})
    assert ran.code == 2
    assert "FAILED   compiler" in ran.out
    assert "apt-get install g++" in ran.out
    assert any("compiler" in e for e in ran.report["summary"]["errors"])
    checks = {c["name"]: c["status"] for c in ran.report["checks"]}
    assert checks["jax"] == "ok"
    assert checks["hooks"] == "ok"


def test_doctor_is_content_here(jace_repro):
    ran = jace_repro("doctor")
    assert ran.code == 0, ran.out
    assert {c["name"] for c in ran.report["checks"]} == {c.name for c in doctor.CHECKS}


def test_a_miscompiling_jaxlib_is_warned_about(monkeypatch):
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "0.10.2")
    warning = doctor.jaxlib_warning()
    assert warning is not None
    assert "miscompiles" in warning
    assert "0.10.1" in warning
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "0.10.1")
    assert doctor.jaxlib_warning() is None
