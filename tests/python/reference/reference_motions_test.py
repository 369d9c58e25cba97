"""Motions of all reference states and modes of mechanisms, in all formulations.

Tolerances are those of tests/mechanism/analysis/motion_analysis_test.cpp and motion_references_test.cpp.
"""

from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array
from reference_mechanisms import (
    PLANAR,
    SPATIAL,
    Maker,
    Solved,
    driven,
    four_bar,
    in_plane,
    read,
    reference_poses,
    rrpr,
    rscr,
    six_bar,
    slider_crank,
    telescopic,
    turned,
)

KEYS = ("pos", "vel", "acc")


def near(found: Array, expected: Any, tolerance: float, grows: bool = True) -> None:
    """Bounds grow with what is expected, or do not."""
    size = 1 + np.linalg.norm(expected) if grows else 1
    assert np.abs(found - expected).max() <= tolerance * size


def near_point(solved: Solved, body: int, local: Any, mode: Any, point: str) -> None:
    bounds = zip(KEYS, (1e-10, 1e-9, 1e-8))
    for found, (key, tolerance) in zip(solved.motion_of(body, local), bounds):
        near(found, in_plane(mode[key][point]), tolerance, grows=key != "pos")


@pytest.mark.parametrize("which", range(len(read("planar_fourbar")["sets"])))
def test_four_bars(which: int) -> None:
    told, count = read("planar_fourbar")["sets"][which], 0
    p = told["params"]
    for state in told["states"]:
        for mode in state["modes"] if state["feasible"] else ():
            made = four_bar(p, state["phi"], mode["mode"])
            mechanism = driven(made, "A.angle", state["phi"], p["omega"], p["alpha"])
            for formulation in PLANAR:
                place, v, a = Solved(mechanism, formulation).motion_of(2, in_plane(p["cp"]))
                near(place, in_plane(mode["pos"]["P"]), 1e-11, grows=False)
                near(v, in_plane(mode["vel"]["P"]), 1e-10, grows=False)
                near(a, in_plane(mode["acc"]["P"]), 1e-9)
                count += 1
    assert count > 0


def test_slider_cranks() -> None:
    for told in read("planar_slidercrank")["sets"]:
        p = told["params"]
        for state in told["states"]:
            mode = state["modes"][0]
            assert mode["mode"] == 1
            made = slider_crank(p, state["phi"])
            mechanism = driven(made, "A.angle", state["phi"], p["omega"], p["alpha"])
            for formulation in PLANAR:
                motion = Solved(mechanism, formulation).motion_of(3, (0, 0, 0))
                for found, key, tolerance in zip(motion, KEYS, (1e-11, 1e-10, 1e-8)):
                    near(found, in_plane(mode[key]["2"]), tolerance, grows=False)


def test_rrpr() -> None:
    count = 0
    for told in read("planar_rrpr_motion")["sets"]:
        p = told["params"]
        for state in told["states"]:
            for mode in state["modes"]:
                headings = tuple(mode["pos"]["ref_psi"][1:3])
                made = rrpr(p, state["phi"], mode["sigma"], headings)
                mechanism = driven(made, "A.angle", state["phi"], p["omega"], p["alpha"])
                for formulation in PLANAR:
                    solved = Solved(mechanism, formulation)
                    near_point(solved, 2, (p["L3"], 0, 0), mode, "2")
                    near_point(solved, 3, (p["L4"], 0, 0), mode, "3")
                    slide, bounds = solved.coordinate("P.distance"), (1e-10, 1e-9, 1e-8)
                    for found, key, tolerance in zip(slide, KEYS, bounds):
                        near(np.array(found), mode[key]["s"], tolerance, grows=key != "pos")
                    count += 1
    assert count > 300


def test_six_bar() -> None:
    told, count = read("planar_sixbar")["sets"][0], 0
    p = told["params"]
    for state in told["states"]:
        for mode in state["modes"]:
            made = six_bar(p, mode["pos"])
            mechanism = driven(made, "O.angle", state["psi1"], p["omega"], p["alpha"])
            for formulation in PLANAR:
                solved = Solved(mechanism, formulation)
                near_point(solved, 1, (p["L2"], 0, 0), mode, "A")
                near_point(solved, 2, (p["L3"], 0, 0), mode, "B")
                near_point(solved, 3, (0, 0, 0), mode, "C")
                near_point(solved, 5, (p["L6"], 0, 0), mode, "D")
                count += 1
    assert count == 26 * 3


def test_telescopic() -> None:
    told, count = read("planar_telescopic")["sets"][0], 0
    p = told["params"]
    for state in told["states"]:
        for mode in state["modes"] if state["feasible"] else ():
            mechanism = telescopic(p, state, mode["pos"])
            for formulation in PLANAR:
                solved = Solved(mechanism, formulation)
                near_point(solved, 2, (p["L12"], 0, 0), mode, "2")
                near_point(solved, 3, (0, 0, 0), mode, "3")
                near_point(solved, 4, (p["L4"], 0, 0), mode, "4")
                near(solved.twists[2, 2], mode["vel"]["th_tel"], 1e-9, grows=False)
                near(solved.rates[2, 2], mode["acc"]["th_tel"], 1e-8)
                count += 1
    assert count == 16 * 2 * 3


@pytest.mark.parametrize("which", range(len(read("spatial_rscr")["sets"])))
def test_rscr_in_all_modes(which: int) -> None:
    told, count = read("spatial_rscr")["sets"][which], 0
    p = told["params"]
    for state in told["states"]:
        for mode in state["modes"]:
            made = rscr(p, state["theta"], mode["pos"]["beta"])
            mechanism = driven(made, "R1.angle", state["theta"], p["omega"], p["alpha"])
            for formulation in SPATIAL:
                solved = Solved(mechanism, formulation)
                for k in (1, 2, 3):
                    near(solved.twists[k, :3], mode["vel"][f"omega{k}"], 1e-9)
                    near(solved.rates[k, :3], mode["acc"][f"omegadot{k}"], 1e-8)
                count += 1
    assert count > 0


def test_stewart_platform() -> None:
    """Legs move as they should: the platform does (forward), and the other way round (inverse)."""
    told = read("spatial_stewart")["sets"][0]
    p = told["params"]
    assert told["states"]
    for state in told["states"]:
        pos, vel, acc = (state[key] for key in KEYS)
        m, place = Maker("stewart", "spatial"), turned((0, 0, 0), pos["r"])
        place[:3, :3] = axode.lie.SO3(axode.lie.Quaternion(pos["p"][0], pos["p"][1:])).matrix
        m.add("platform", place)
        for k in range(6):
            on_platform = ("platform", p["platform_local"][k])
            m.distance(f"leg{k}", ("world", p["base"][k]), on_platform)
            m.drive(f"leg{k}", axode.mechanism.polynomial_in_time(*(x["legs"][k] for x in (pos, vel, acc))))
        mechanism = m.build()
        for formulation in SPATIAL:
            solved = Solved(mechanism, formulation)
            near(solved.poses[1][:3, 3], pos["r"], 1e-10, grows=False)
            near(solved.twists[1], [*vel["omega"], *vel["r"]], 1e-9, grows=False)
            near(solved.rates[1], [*acc["omegadot"], *acc["r"]], 1e-8, grows=False)
        # Twists and their rates are the velocities of this formulation.
        system = mechanism.formulate("quasi_velocities")
        q = system.from_poses(reference_poses(mechanism))
        v = system.from_twists(q, np.array([[0.0] * 6, [*vel["omega"], *vel["r"]]]))
        a = system.from_twists(q, np.array([[0.0] * 6, [*acc["omegadot"], *acc["r"]]]))
        legs = system.measure(q, v, a)
        for found, expected, tolerance in zip(legs, (pos, vel, acc), (1e-13, 1e-13, 1e-12)):
            near(np.asarray(found), expected["legs"], tolerance, grows=False)
