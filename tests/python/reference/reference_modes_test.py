"""All ways to assemble the reference mechanisms, by search and along curves.

Tolerances are those of tests/mechanism/analysis/assembly_modes_test.cpp.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import axode
from axode.typing import Array, MechanismFormulation
from reference_mechanisms import (
    PLANAR,
    SPATIAL,
    driven,
    four_bar,
    in_plane,
    read,
    reference_poses,
    rrpr,
    rscr,
    six_bar,
)


def modes_of(
    mechanism: axode.Mechanism, formulation: MechanismFormulation, **options: Any
) -> axode.mechanism.AssemblyResult:
    system = mechanism.formulate(formulation)
    return system.assembly_modes(0, system.from_poses(reference_poses(mechanism)), **options)


def nearest(modes: list[Any], expected: Any, of: Callable[[Any], Array]) -> float:
    return min((float(np.linalg.norm(of(x) - expected)) for x in modes), default=1.0)


def end_of(body: int, length: float) -> Callable[[Any], Array]:
    """The end of a bar along x."""
    return lambda mode: np.asarray((mode.poses[body] @ [length, 0, 0, 1])[:3])


def test_four_bar_has_two() -> None:
    told = read("planar_fourbar")["sets"][0]
    p, state = told["params"], told["states"][0]
    mechanism = driven(four_bar(p, state["phi"]), "A.angle", state["phi"])
    for formulation in PLANAR:
        found = modes_of(mechanism, formulation)
        assert len(found.modes) == 2 and found.complete and found.unseen < 1e-3, found.message
        for mode in state["modes"]:
            place = in_plane(mode["pos"]["2"])
            assert nearest(found.modes, place, end_of(3, p["L4"])) < 1e-10


def test_rrpr_has_two_for_each_side() -> None:
    count = 0
    for told in read("planar_rrpr")["sets"]:
        p, state = told["params"], told["states"][0]
        for sigma in (1, -1) if "modes" in state else ():
            mechanism = driven(rrpr(p, state["phi"], sigma), "A.angle", state["phi"])
            found = modes_of(mechanism, "reference_point")
            expected = [in_plane(mode["pos"]["3"]) for mode in state["modes"]]
            assert len(found.modes) == sum(mode["sigma"] == sigma for mode in state["modes"])
            for mode in found.modes:
                end = end_of(3, p["L4"])(mode)
                assert min(float(np.linalg.norm(end - x)) for x in expected) < 1e-9
            count += 1
    assert count > 0


def test_six_bar_has_those_of_the_reference() -> None:
    told = read("planar_sixbar")["sets"][0]
    for state in told["states"]:
        if state["n_modes"] == 0:
            continue
        made = six_bar(told["params"], state["modes"][0]["pos"])
        mechanism = driven(made, "O.angle", state["psi1"])
        for formulation in PLANAR:
            found = modes_of(mechanism, formulation)
            assert len(found.modes) == state["n_modes"], (formulation, found.message)
            for mode in state["modes"]:
                assert nearest(found.modes, in_plane(mode["pos"]["C"]), end_of(3, 0)) < 1e-8


def axis_of_two(mode: Any) -> Array:
    return np.asarray(mode.poses[2][:3, 0])


def test_rscr_has_two_or_four() -> None:
    for told in read("spatial_rscr")["sets"]:
        for state in told["states"]:
            if not state.get("modes"):
                continue
            made = rscr(told["params"], state["theta"], state["modes"][0]["pos"]["beta"])
            mechanism = driven(made, "R1.angle", state["theta"])
            found = modes_of(mechanism, "reference_point", starts=600)
            assert len(found.modes) == len(state["modes"]), found.message
            for mode in state["modes"]:
                assert nearest(found.modes, mode["pos"]["u2"], axis_of_two) < 1e-8


def test_curves_of_four_bars() -> None:
    """Cranks that turn fully keep their mode; where the crank turns back, both are on one curve."""
    kinds = set()
    for told in read("planar_fourbar")["sets"]:
        p, state = told["params"], told["states"][0]
        if not state["feasible"]:
            continue
        limits = (told["limit_half_angle_stretched"], told["limit_half_angle_folded"])
        turns = limits == (None, None)
        kinds.add(turns)
        for k, mode in enumerate(state["modes"]):
            mechanism = driven(four_bar(p, state["phi"], mode["mode"]), "A.angle", state["phi"])
            for formulation in PLANAR:
                found = modes_of(mechanism, formulation, method="continuation")
                assert found.closed_curve and not found.complete, found.message
                assert len(found.modes) == (1 if turns else 2)
                assert found.dead_points == (0 if turns else 2)
                assert "not reached" in found.message
                for one, other in zip(found.modes, (mode, state["modes"][1 - k])):
                    place = in_plane(other["pos"]["2"])
                    assert nearest([one], place, end_of(3, p["L4"])) < 1e-9
    assert kinds == {True, False}


def test_curves_in_space() -> None:
    """Modes on curves are among those of the reference; curves of a state cover all of them."""
    told = read("spatial_rscr")["sets"][0]
    state = told["states"][0]
    for formulation in SPATIAL:
        curves = []
        for mode in state["modes"]:
            made = rscr(told["params"], state["theta"], mode["pos"]["beta"])
            mechanism = driven(made, "R1.angle", state["theta"])
            found = modes_of(mechanism, formulation, method="continuation")
            assert found.closed_curve, found.message
            curves.append(len(found.modes))
            for one in found.modes:
                axis = axis_of_two(one)
                errors = [np.linalg.norm(axis - x["pos"]["u2"]) for x in state["modes"]]
                assert min(errors) < 1e-8
        # A curve with n modes is met from each of them.
        assert all(curves.count(n) % n == 0 for n in curves)
