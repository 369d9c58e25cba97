"""Forces in the reference mechanisms: equilibria of four-bars, reactions in the RSCR mechanism.

Tolerances are those of tests/mechanism/analysis/statics_test.cpp and reactions_test.cpp.
"""

from math import pi, remainder
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import MechanismFormulation
from reference_mechanisms import PLANAR, SPATIAL, Maker, four_bar, read, reference_poses, rscr

CASES = read("fourbar_statics_invdyn")["cases"]


def loaded_four_bar(p: dict[str, Any], phi: float) -> axode.Mechanism:
    """With masses and gravity."""
    m = Maker("four_bar", "planar")
    for k, body in enumerate(four_bar(p, phi, p.get("mode", 1)).bodies[1:], start=2):
        inertia = {"mass": p[f"m{k}"], "com": p[f"c{k}"], "about_com": p[f"J{k}"]}
        m.add(body.name, body.pose, **inertia)
    m.pin("A", "world", "crank", p["A"])
    m.pin("1", "crank", "coupler", (p["L2"], 0))
    m.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    m.pin("B", "world", "rocker", p["B"])
    return m.gravity(p["g"]).build()


@pytest.mark.parametrize("which", range(len(CASES)))
def test_equilibria_of_four_bars(which: int) -> None:
    case = CASES[which]
    assert case["equilibria"]
    for expected in case["equilibria"]:
        mechanism = loaded_four_bar(case["params"], expected["q"] + 0.1)
        for formulation in PLANAR:
            system = mechanism.formulate(formulation)
            start, stable = system.from_poses(reference_poses(mechanism)), expected["stable"]
            found = system.equilibrium(0, start, kind="stable" if stable else "nearest")
            assert found.converged, (formulation, found.message)
            angle = np.asarray(system.measure(found.q).value)[0]
            assert abs(remainder(angle - expected["q"], 2 * pi)) <= 1e-9
            assert found.stable == stable
            assert abs(found.potential - expected["V"]) <= 1e-8
            assert len(found.frequencies) == 1
            if stable:
                assert abs(found.frequencies[0] - expected["small_oscillation_omega"]) <= 1e-7
            else:
                assert found.frequencies[0] < 0


def test_walks_down_from_anywhere() -> None:
    for phi in (0.3, 1.3345185437619573, 2.5, 5.8):
        mechanism = loaded_four_bar(CASES[0]["params"], phi)
        for formulation in PLANAR:
            system = mechanism.formulate(formulation)
            found = system.equilibrium(0, system.from_poses(reference_poses(mechanism)))
            assert found.converged and found.stable, (formulation, phi, found.message)
            assert abs(found.potential - CASES[0]["equilibria"][1]["V"]) <= 1e-8


def heavy_rscr(p: dict[str, Any], theta: float, beta: float) -> axode.Mechanism:
    """Bodies of some inertia, of which no axis is a principal one; driven."""
    light, m = rscr(p, theta, beta), Maker("rscr")
    for x, body in enumerate(light.bodies[1:], start=1):
        about = [[0.4 + x, 0.05, -0.1], [0.05, 0.7, 0.02 * x], [-0.1, 0.02 * x, 0.9]]
        com = (0.1 * x, -0.2, 0.3 / x)
        m.add(body.name, body.pose, mass=1 + 0.5 * x, com=com, about_com=about)
    for joint in light.joints:
        i, j = joint.body
        axes = None if joint.type == "spherical" else tuple(joint.axis)
        pair: Any = joint.type
        m.joint(joint.name, pair, i, j, points=tuple(joint.point), axes=axes)
    m.drive("R1.angle", axode.mechanism.polynomial_in_time(theta, 1.5, -0.7))
    return m.gravity((1, -2, -9)).build()


@pytest.mark.parametrize("formulation", SPATIAL)
def test_rscr_obeys_newton_and_euler(formulation: MechanismFormulation) -> None:
    """What joints pass on, weights and the drive make the motion of every body; joints let free
    what they should; and the drive's power is that of the motion."""
    told = read("spatial_rscr")["sets"][0]
    for state in told["states"]:
        for mode in state["modes"]:
            mechanism = heavy_rscr(told["params"], state["theta"], mode["pos"]["beta"])
            check_forces(mechanism, mechanism.formulate(formulation))


def check_forces(mechanism: axode.Mechanism, system: axode.mechanism.MechanismSystem) -> None:
    q = system.solve_position(0, system.from_poses(reference_poses(mechanism))).q
    v = system.solve_velocity(0, q).x
    a = system.solve_acceleration(0, q, v).x
    poses, twists = system.motion(q, v)
    rates = system.accelerations(q, v, a)
    found = system.reactions(0, q, v, a)
    assert found.consistent and found.unique, found.message
    drive, u1 = found.drivers[0].force, mechanism.joints[0].axis[0]
    scale = max([1.0, *(float(np.linalg.norm(joint.force)) for joint in found.joints)])
    power = 0.0
    for b, body in enumerate(mechanism.bodies[1:], start=1):
        R, w, dw = poses[b][:3, :3], twists[b, :3], rates[b, :3]
        arm = R @ body.inertia.com
        com, velocity = poses[b][:3, 3] + arm, twists[b, 3:] + np.cross(w, arm)
        force = mechanism.gravity * body.inertia.mass
        power -= float(force @ velocity)
        torque = u1 * drive if b == 1 else np.zeros(3)
        for joint, reaction in zip(mechanism.joints, found.joints):
            if body.name in joint.body:
                sign = 1 if joint.body[1] == body.name else -1
                force = force + sign * reaction.force
                moment = np.cross(reaction.point - com, reaction.force)
                torque = torque + sign * (reaction.torque + moment)
        acceleration = rates[b, 3:] + np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
        mass_force, J = body.inertia.mass * acceleration, R @ body.inertia.about_com @ R.T
        couple = J @ dw + np.cross(w, J @ w)
        assert np.abs(force - mass_force).max() <= 1e-9 * scale
        assert np.abs(torque - couple).max() <= 1e-9 * scale
        power += float(mass_force @ velocity + couple @ w)
    assert abs(drive * 1.5 - power) <= 1e-8 * (1 + abs(power))
    R1, S, C, R3 = found.joints
    u2 = poses[3][:3, :3] @ mechanism.joints[2].axis[1]
    for free in (R1.torque @ u1, *S.torque, C.torque @ u2, C.force @ u2):
        assert abs(free) <= 1e-10 * scale
    assert abs(R3.torque @ mechanism.joints[3].axis[0]) <= 1e-10 * scale
