"""Positions, mobility and paths of the reference mechanisms.

Tolerances are those of position_test.cpp, mobility_test.cpp and follow_test.cpp of tests/mechanism.
"""

from math import pi
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import MechanismFormulation
from reference_mechanisms import (
    PLANAR,
    SPATIAL,
    driven,
    four_bar,
    in_plane,
    n_four_bar,
    read,
    reference_poses,
    revolute_loop,
)

FOUR_BARS = read("planar_fourbar")["sets"]
BENNETT, BRICARD = read("overconstrained")["mechanisms"][:2]


def end_of(pose: Any, length: float) -> Any:
    return (pose @ [length, 0, 0, 1])[:3]


def test_four_bars_in_both_modes() -> None:
    for told in FOUR_BARS:
        p = told["params"]
        for state in told["states"]:
            for mode in state["modes"] if state["feasible"] else ():
                begin = four_bar(p, state["phi"] - 0.1, mode["mode"])
                mechanism = driven(begin, "A.angle", state["phi"])
                for formulation in PLANAR:
                    system = mechanism.formulate(formulation)
                    found = system.solve_position(0, system.from_poses(reference_poses(mechanism)))
                    assert found.converged and found.rank == system.nv, found.message
                    poses = system.poses(found.q)
                    one, two = (in_plane(mode["pos"][k]) for k in ("1", "2"))
                    assert abs(poses[2][:3, 3] - one).max() < 1e-11
                    assert abs(end_of(poses[3], p["L4"]) - two).max() < 1e-11


def test_impossible_input_is_said_so() -> None:
    limited = [told for told in FOUR_BARS if told["limit_half_angle_stretched"] is not None]
    assert limited
    for told in limited:
        mechanism = driven(four_bar(told["params"], 1), "A.angle", 2.6)
        for formulation in PLANAR:
            system = mechanism.formulate(formulation)
            found = system.solve_position(0, system.from_poses(reference_poses(mechanism)))
            assert not found.converged and found.residual > 1e-3
            assert "cannot be assembled" in found.message


def bennett(theta: Any) -> axode.Mechanism:
    p, b = BENNETT["params"], BENNETT["b"]
    twists = (p["alpha"], p["beta"], p["alpha"], p["beta"])
    return revolute_loop((p["a"], b, p["a"], b), twists, theta)


def bricard(theta: Any) -> axode.Mechanism:
    return revolute_loop([BRICARD["params"]["a"]] * 6, [pi / 2, -pi / 2] * 3, theta)


@pytest.mark.parametrize("formulation", SPATIAL)
def test_spatial_loop_with_redundant_equations(formulation: MechanismFormulation) -> None:
    for state in BENNETT["states"]:
        theta = np.array(state["pos"]["theta"])
        mechanism = driven(bennett(theta + [0, 0.2, -0.1, 0]), "J1.angle", theta[0])
        system = mechanism.formulate(formulation)
        found = system.solve_position(0, system.from_poses(reference_poses(mechanism)))
        assert found.converged, found.message
        poses = system.poses(found.q)
        for k in (1, 2, 3):
            assert abs(poses[k][:3, 3] - state["pos"][f"P{k}"]).max() < 1e-8
            assert abs(poses[k][:3, 2] - state["pos"][f"u{k}"]).max() < 1e-8


# --- mobility -----------------------------------------------------------------------------------


def mobility(mechanism: axode.Mechanism, formulation: MechanismFormulation) -> axode.mechanism.MobilityResult:
    system = mechanism.formulate(formulation)
    return system.mobility(0, system.from_poses(reference_poses(mechanism)))


def check_names(mechanism: axode.Mechanism, found: axode.mechanism.MobilityResult) -> None:
    """Redundant equations have names, belong to joints and follow from equations of others."""
    assert len(found.redundant_equations) == found.redundant
    for redundant in found.redundant_equations:
        assert redundant.name and redundant.with_ and redundant.equation not in redundant.with_
        assert redundant.joint in ("", *mechanism.joint_names)
    assert all(joint.redundant <= joint.equations for joint in found.joints)
    of_joints = sum(redundant.joint != "" for redundant in found.redundant_equations)
    assert of_joints == sum(joint.redundant for joint in found.joints)
    assert "over-constrained" in found.message


def test_parallelograms_lie_flat() -> None:
    (rows,) = (
        item for item in read("overconstrained")["mechanisms"] if item["name"] == "N_four_bar_rank"
    )
    assert rows["cases"]
    for case in rows["cases"]:
        flat = case["label"] == "horizontal_singular"
        mechanism = n_four_bar(case["N"], case["phi"])
        for formulation in PLANAR:
            found = mobility(mechanism, formulation)
            assert found.mobility == case["mobility"] and found.instantaneous == flat
            # Of 2^40 branches that meet in the flat position, natural coordinates reach none.
            if case["N"] < 40 or formulation != "natural":
                assert found.finite_mobility == 1
            assert not flat or found.mobility == case["N"] + 1


@pytest.mark.parametrize("formulation", SPATIAL)
def test_over_constrained_loops(formulation: MechanismFormulation) -> None:
    assert BRICARD["name"] == "bricard_6R_threefold_trihedral"
    for make, item, redundant in ((bennett, BENNETT, 3), (bricard, BRICARD, 1)):
        for state in item["states"]:
            mechanism = make(state["pos"]["theta"])
            found = mobility(mechanism, formulation)
            assert found.mobility == 1 and found.gruebler == 1 - redundant
            assert not found.instantaneous, found.message
            check_names(mechanism, found)
            if formulation != "natural" and formulation != "relative":
                assert found.redundant == redundant and found.joints


# --- paths over a driver ------------------------------------------------------------------------


def test_crank_turns_fully_on_its_branch() -> None:
    told = FOUR_BARS[0]
    p, mode, end = told["params"], told["states"][0]["modes"][0], 0.1 + 4 * pi
    mechanism = driven(four_bar(p, 0.1), "A.angle", 0.1)
    A, B = (mechanism.coordinate_names.index(f"{name}.angle") for name in "AB")
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        q = system.from_poses(reference_poses(mechanism))
        path = system.follow_driver(0, 0.1, end, 0, q)
        assert path.complete and len(path.driver) == 101 and not path.events, path.message
        curve = (path.poses[:, 2] @ [*p["cp"], 0, 1])[:, :3]
        assert abs(curve[-1] - in_plane(mode["pos"]["P"])).max() < 1e-9
        assert abs(curve[50] - curve[100]).max() < 1e-10
        # Velocity and acceleration by the driver, against the reference with its rate.
        value, rate, acceleration = (np.asarray(x) for x in path.coordinates)
        assert abs(value[-1, A] - end) < 1e-9
        assert abs(rate[-1, A] - 1) < 1e-10 and abs(acceleration[-1, A]) < 1e-10
        omega, alpha = p["omega"], p["alpha"]
        assert abs(rate[0, B] * omega - mode["vel"]["ref_psi"][2]) < 1e-10
        expected = mode["acc"]["ref_psi"][2]
        found = acceleration[0, B] * omega**2 + rate[0, B] * alpha
        assert abs(found - expected) < 1e-9 * (1 + abs(expected))


def test_dead_points_are_where_they_should_be() -> None:
    for told in FOUR_BARS:
        if told["limit_half_angle_stretched"] is None:
            continue
        mechanism = driven(four_bar(told["params"], 0.5), "A.angle", 0.5)
        for formulation in PLANAR:
            system = mechanism.formulate(formulation)
            q = system.from_poses(reference_poses(mechanism))
            path = system.follow_driver("A.angle", 0.5, 3, 0, q)
            assert not path.complete and path.events[-1].kind == "dead_point"
            assert abs(path.events[-1].driver - told["limit_half_angle_stretched"]) < 1e-9
            assert "dead point at 'A.angle'" in path.message
