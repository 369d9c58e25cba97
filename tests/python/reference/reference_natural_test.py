"""Natural coordinates against reference kinematics: counts, equations, Jacobians, ranks, motions.

Tolerances are those of natural_test.cpp and natural_driven_test.cpp of tests/mechanism.
"""

import numpy as np
import pytest

import axode
from reference_natural import NAMES, data, four_bar, home, modes, numbers, rrpr


def book(mechanism: str, which: str = "natural") -> list[int]:
    (row,) = (r for r in data("counts")["rows"] if r["mechanism"].startswith(mechanism))
    return list(row[which])


BOOK_NAMES = ("four-bar", "RRPR", "six-bar", "telescopic", "RSCR", "6R robot")


@pytest.mark.parametrize("file, name", list(zip(NAMES, BOOK_NAMES)))
def test_counts_are_those_of_the_book(file: str, name: str) -> None:
    p, mode = modes(file)[0][0]
    system = NAMES[file][0](p, mode["pos"]).formulate("natural")
    assert [system.nq, system.rows] == book(name)


def test_mixed_coordinates_add_one_equation_each() -> None:
    p, mode = modes("planar_rrpr")[0][0]
    system = rrpr(p, mode["pos"]).formulate("natural", add=["1.angle", "s"])
    assert [system.nq, system.rows] == book("RRPR", "mixed")
    assert np.abs(system.position(0, home(system))).max() < 1e-13


@pytest.mark.parametrize("file", list(NAMES))
def test_reference_motion_meets_the_equations(file: str) -> None:
    """A mechanism built at one state meets its equations, and their derivatives, at all others."""
    for told in modes(file):
        p, built = told[0]
        system = NAMES[file][0](p, built["pos"]).formulate("natural")
        same = [mode for _, mode in told if mode.get("sigma") == built.get("sigma")]
        assert len(same) > 1
        for mode in same:
            q, v, a = (numbers(system, mode[key], file) for key in ("pos", "vel", "acc"))
            _, q, v = system.refresh(q, v)
            assert np.abs(system.position(0, q)).max() < 1e-12
            assert np.abs(system.velocity(0, q, v)).max() < 1e-11
            missed = system.jacobian(0, q) @ a - system.acceleration_right(0, q, v)
            assert np.abs(missed).max() < (1e-10 if file.startswith("problem") else 1e-9)
            assert not system.mirrored(0, q).found
            if file.startswith("problem"):
                assert len(q) == 21 and system.matrix_rank(0, q).rank == 15


@pytest.mark.parametrize("file", ["planar_fourbar", "planar_rrpr", "planar_sixbar", "spatial_rscr"])
def test_driven_motions(file: str) -> None:
    """A joint turns with the rate and acceleration of the reference, from where it is."""
    given = {"planar_sixbar": "O.angle", "spatial_rscr": "1.angle"}.get(file, "A.angle")
    for p, mode in (x for told in modes(file) for x in told):
        if mode.get("sigma", 1) != 1:
            continue
        motion = axode.mechanism.polynomial_in_time(0, p["omega"], p["alpha"])
        mechanism = NAMES[file][0](p, mode["pos"]).replace(drivers={given: motion})
        system = mechanism.formulate("natural")
        found = system.solve_position(0, home(system))
        assert found.converged
        velocity = system.solve_velocity(0, found.q)
        assert velocity.consistent and velocity.unique, velocity.message
        acceleration = system.solve_acceleration(0, found.q, velocity.x)
        assert acceleration.consistent
        size = max(1.0, np.abs(acceleration.x).max())
        bounds = ((found.q, "pos", 1e-11), (velocity.x, "vel", 1e-10 * size))
        for x, key, bound in (*bounds, (acceleration.x, "acc", 1e-10 * size)):
            assert np.nanmax(np.abs(x - numbers(system, mode[key], file))) < bound


def test_whole_turn_of_the_four_bar() -> None:
    """The angle is followed past all its quarters, where sine and cosine take turns."""
    told = data("planar_fourbar")["sets"][0]
    first, t, seen = told["states"][0], 0.0, 0
    mechanism = four_bar(told["params"], first["modes"][0]["pos"])
    mechanism = mechanism.replace(drivers={"A.angle": axode.mechanism.polynomial_in_time(0, 1)})
    system = mechanism.formulate("natural")
    q, P = home(system), mechanism.bodies[2].points["P"]
    for state in told["states"]:
        while t < state["phi"] - first["phi"]:
            t = min(state["phi"] - first["phi"], t + 0.1)
            found = system.solve_position(t, q)
            assert found.converged
            q = found.q
        for mode in (x for x in state["modes"] if x["mode"] == 1):
            assert np.nanmax(np.abs(q - numbers(system, mode["pos"], "planar_fourbar"))) < 1e-11
            place = (system.poses(q)[2] @ [*P, 1])[:2]
            assert np.linalg.norm(place - mode["pos"]["P"]) < 1e-11
            seen += 1
    assert seen > 3
