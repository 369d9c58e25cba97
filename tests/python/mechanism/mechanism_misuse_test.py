"""Mechanisms: wrong arguments, options of formulations, and the command."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mechanism_models import MODELS, ROOT, driven_four_bar, load

import axode


def test_wrong_arguments_are_refused():
    mechanism = driven_four_bar()
    system = mechanism.formulate()
    n = system.nq
    for q, error in (
        (None, (TypeError, axode.Error)),
        ("abc", TypeError),
        ([], axode.Error),
        (np.zeros(n + 1), axode.Error),
        (np.full(n, np.nan), axode.Error),
        (np.zeros(n, dtype=complex), TypeError),
        (np.zeros((1, 1, n)), axode.Error),
        ([[1], [1, 2]], TypeError),
    ):
        with pytest.raises(error):
            system.position(0.0, q)
        if q is not None:
            with pytest.raises(error):
                system.solve_position(0.0, q)
            with pytest.raises(error):
                system.simulate(q=q)
    for t in (np.nan, np.inf):
        with pytest.raises(axode.Error):
            system.solve_position(t)
        with pytest.raises(axode.Error):
            system.position(t, np.zeros(n))
    for bad in ("x", None, [0.0]):
        with pytest.raises(TypeError):
            system.mobility(bad)
    with pytest.raises(axode.Error, match="poses"):
        system.from_poses(np.eye(4)[None])
    with pytest.raises(axode.IoError):
        axode.Mechanism.from_file("/nowhere/at/all.json")
    with pytest.raises(axode.Error, match="text:1"):
        axode.Mechanism.from_text("{")
    with pytest.raises(axode.Error):
        mechanism.formulate("natural", add=["nothing"])
    with pytest.raises(axode.Error):
        mechanism.formulate("relative", cut=["nothing"])
    with pytest.raises(TypeError):
        axode.mechanism.MechanismSystem()
    with pytest.raises(axode.Error, match="iterations"):
        system.solve_position(iterations=0)


def test_unit_quaternions_are_wanted():
    system = load("example_2_10_rscr").formulate("quasi_velocities")
    with pytest.raises(axode.Error, match="has length .*; give unit quaternions"):
        system.poses(np.zeros(system.nq))


def test_formulation_options():
    mechanism = driven_four_bar()
    assert axode.mechanism.Formulation is axode.mechanism.MechanismSystem
    system = mechanism.formulate("natural", add=["C.angle"])
    assert "C.angle" in system.coordinate_names
    assert mechanism.formulate("relative", cut=["B"]).cut_joints == ["B"]
    whole = mechanism.formulate("relative", close_whole=True)
    assert whole.nq > mechanism.formulate("relative").nq
    free = mechanism.formulate("reference_point", with_drivers=False)
    assert free.rows == 8 and free.mobility().mobility == 1
    assert free.mobility().gruebler == 1 and not free.mechanism.drivers
    assert mechanism.formulate().formulation == "natural"  # as in C++ and of the command
    assert len(mechanism.assemble().q) == mechanism.formulate("natural").nq
    assert free.formulation == "reference_point" and "9 coordinates" in repr(free)
    assert free.mechanism.name == mechanism.name
    origins = {e.origin for e in mechanism.formulate("reference_point").equations()}
    assert origins == {"joint", "driver"}
    texts = [e.text for e in mechanism.formulate("natural").equations()]
    assert all("= 0" in text for text in texts)


def test_the_command_agrees(tmp_path):
    command = ROOT / "build/release/axode"  # scripts/build_python makes it along
    file = MODELS / "example_2_10_rscr.json"
    text = subprocess.run(
        [command, "mechanism", "solve", file, "--at", "0.2", "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = json.loads(text)["coordinates"]
    mechanism = axode.Mechanism.from_file(file)
    system = mechanism.formulate("natural")
    s = system.assemble(0.2)
    x = system.measure(s.q, s.v, s.a)
    for c, name in enumerate(mechanism.coordinate_names):
        assert [y[c] for y in x] == pytest.approx(told[name], abs=1e-8)
