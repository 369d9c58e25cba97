"""Linearized equations of motion of mechanisms."""

from pathlib import Path

import numpy as np
import pytest

import axode

EXAMPLES = Path(__file__).resolve().parents[3] / "examples/mechanisms"


def pendulum(length: float = 0.8, mass: float = 2, inertia: float = 0.1) -> axode.Mechanism:
    text = f"""{{"axode_mechanism": 1, "planar": true, "gravity": [0, -9.81],
      "bodies": [{{"name": "rod", "points": {{"pin": [0, 0]}}, "pose": {{"angle": -1.5707963267948966}},
        "inertia": {{"mass": {mass}, "com": [{length}, 0], "about_com": {inertia}}}}}],
      "joints": [{{"name": "A", "type": "revolute", "bodies": ["world", "rod"], "points": [[0, 0], "pin"]}}]}}"""
    return axode.Mechanism.from_text(text)


def test_pendulum_in_closed_form() -> None:
    l = pendulum().linearize()
    about_pin = 0.1 + 2 * 0.8**2
    assert l.independent == ["A.angle"]
    assert l.M == pytest.approx(np.array([[about_pin]]), rel=1e-12)
    assert l.K == pytest.approx(np.array([[2 * 9.81 * 0.8]]), rel=1e-9)
    assert l.D == pytest.approx(np.zeros((1, 1)), abs=1e-12)
    assert l.A == pytest.approx(np.array([[0, 1], [-2 * 9.81 * 0.8 / about_pin, 0]]), rel=1e-9)
    assert l.B == pytest.approx(np.array([[0], [1 / about_pin]]), rel=1e-12)
    assert l.tau == pytest.approx([0], abs=1e-9)


def test_forces_that_do_not_hold_it_accelerate() -> None:
    l = pendulum().linearize(independent=["A.angle"], tau=[0.5])
    assert l.a == pytest.approx([0.5 / (0.1 + 2 * 0.8**2)], rel=1e-9)
    assert l.tau == pytest.approx([0.5])


@pytest.mark.parametrize("formulation", ["natural", "relative", "reference-point"])
def test_differences_of_a_simulation(formulation: axode.typing.MechanismFormulation) -> None:
    """The free four-bar near a state: small motions are those of A."""
    mechanism = axode.Mechanism.from_file(EXAMPLES / "example_2_1_four_bar.json")
    system = mechanism.formulate(formulation, with_drivers=False)
    start = system.assemble()
    l = system.linearize(0, start.q, np.zeros(system.nv), independent=["A.angle"], tau=[0.0])
    h = 1e-3
    run = system.simulate(q=start.q, v=np.zeros(system.nv), duration=h, rtol=1e-12, atol=1e-14, sample_interval=h)
    angle = run.coordinates[:, 0]
    assert angle[-1] - angle[0] == pytest.approx(l.a[0] * h**2 / 2, rel=1e-4)


def test_nothing_that_moves() -> None:
    with pytest.raises(axode.SingularError, match="no degree of freedom is left"):
        axode.Mechanism.from_file(EXAMPLES / "example_2_1_four_bar.json").linearize()
    with pytest.raises(axode.Error, match="no coordinate 'B.angle'"):
        pendulum().linearize(independent=["B.angle"])
