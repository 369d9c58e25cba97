"""Trees on moving bases, equations in any frame, derivatives of screws against tests/data.

Tolerances are those of the C++ tests named in each.
"""

from math import cos, sin
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, Rep
from reference_data import (
    TREES,
    angular_first,
    moving_base_configuration,
    numbers,
    read,
    reference_tree,
    relative,
    states,
)

FORMS = [("body", "body"), ("hybrid", "mixed"), ("spatial", "inertial")]
REPS: tuple[Rep, ...] = ("body", "spatial", "hybrid", "mixed")


def wrenches_on_links(tree: axode.Tree, q: Array, given: Any) -> Array:
    """In the frames of the links: of the file, and of its contacts, which are in world axes."""
    sums = angular_first(given["link_wrench_L"])
    poses = axode.poses(tree, q)
    for contact in given["contacts"]:
        R, arm = poses[contact["link"], :3, :3], numbers(contact["L_H_C"])[:3, 3]
        W = angular_first(contact["f_CA"])
        torque, force = R.T @ W[:3], R.T @ W[3:]
        sums[contact["link"]] += np.concatenate([torque + np.cross(arm, force), force])
    return sums


@pytest.mark.parametrize("velocity, key", FORMS)
def test_moving_base(velocity: Any, key: str) -> None:
    """forward_dynamics_reference_test.cpp, energy_test.cpp, contact_test.cpp of tests/dynamics and
    tests/kinematics/centre_of_mass_test.cpp."""
    tree = reference_tree(read("moving_base"), velocity=velocity)
    zero = np.zeros(tree.nv)
    none: dict[str, Any] = dict(gravity=False, armature=False, damping=False, friction=False)
    for given, output in states("moving_base"):
        q, base = moving_base_configuration(given), output["base"][key]
        v, external = angular_first(base["nu"]), wrenches_on_links(tree, q, given)
        tau = np.array([0.0] * 6 + given["tau_forward"])
        for rep in ("body", "spatial", "hybrid"):
            found = axode.forward_dynamics(tree, q, v, tau, external, rep)
            assert relative(found, angular_first(base["nudot_forward"])) < 1e-11
        force = -axode.inverse_dynamics(tree, q, zero, zero, external, **none)
        assert relative(force, angular_first(base["generalized_external_force"])) < 1e-13

        momentum = angular_first(output["momentum_A"])
        error = np.abs(axode.dynamics.spatial_momentum(tree, q, v) - momentum).max()
        assert error < 1e-13 * np.abs(momentum).max()
        links = axode.dynamics.body_momenta(tree, q, v) - angular_first(output["momentum_A_links"])
        assert np.abs(links).max() <= 1e-13
        carried = axode.total_mass(tree) * axode.kinematics.centre_of_mass_velocity(tree, q, v)
        assert np.abs(carried - momentum[3:]).max() <= 1e-13
        energy = axode.energy(tree, q, v)
        for value, name in ((energy.kinetic, "kinetic"), (energy.potential, "potential")):
            expected = output[f"{name}_energy"]
            assert abs(value - expected) < 1e-13 * max(1.0, abs(expected))


@pytest.mark.parametrize("name", TREES)
def test_newton_and_euler_in_any_frame(name: str) -> None:
    """newton_euler_test.cpp: a body i, seen in the frame of the origin of j and the axes of k."""
    tree, count = reference_tree(read(name)), 0
    names = [body.name for body in tree.bodies]

    def called(body: int) -> str:
        return "world" if body < 0 else names[body]

    for given, expected in states(name):
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        for entry in expected["newton_euler_frames"]:
            i = names[entry["i"]]
            F = axode.Frame(called(entry["j"]), called(entry["k"]))
            T_Fi = axode.transform(tree, q, i, F)
            inertia = axode.transform(T_Fi, tree.bodies[entry["i"]].inertia)
            V = axode.twist(tree, q, v, i, expressed_in=F)
            A = axode.acceleration(tree, q, v, a, i, expressed_in=F)
            V_F = axode.twist(tree, q, v, F, expressed_in=F)
            scale = max(1.0, np.abs(entry["W"]).max())
            for found, key in (
                (V, "V"),
                (A, "Vdot"),
                (axode.dynamics.net_wrench_in_frame(inertia, V, A, V_F), "W"),
                (axode.dynamics.net_wrench_in_frame(inertia, entry["V"], entry["Vdot"], V_F), "W"),
            ):
                assert np.abs(found - entry[key]).max() < 1e-13 * scale, key
            count += 1
    assert count > 0


def test_momentum_rates() -> None:
    """newton_euler_test.cpp."""
    for name in TREES:
        tree = reference_tree(read(name))
        for given, expected in states(name):
            poses = axode.poses(tree, numbers(given["q"]))
            q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
            V = axode.twists(tree, q, v, "spatial")
            A = axode.accelerations(tree, q, v, a, "spatial")
            for b, body in enumerate(tree.bodies):
                found = axode.dynamics.net_wrench(body.inertia, V[b], A[b], "spatial", poses[b])
                assert relative(found, expected["momentum_rate_spatial"][b]) < 1e-13


@pytest.mark.parametrize("form", ["zero_reference", "joint_frames"])
def test_partial_derivatives_of_a_jacobian(form: str) -> None:
    """tests/kinematics/screw_derivatives_test.cpp: products of seven poses, then two brackets."""
    tree = reference_tree(read("chain7"), form)
    last, n = len(tree) - 1, tree.nv
    for given, output in states("chain7"):
        q = numbers(given["q"])
        for rep in REPS:
            first = numbers(output["last_body_jacobian_partial1"][rep])
            second = numbers(output["last_body_jacobian_partial2"][rep])
            for k in range(n):
                pairs = [([k], first[k]), *(([k, x], second[k, x]) for x in range(n))]
                for coordinates, expected in pairs:
                    found = axode.kinematics.jacobian_partial_derivative(tree, q, last, coordinates, rep)
                    size = np.maximum(1, np.abs(expected).max(axis=0))
                    assert (np.abs(found - expected).max(axis=0) / size).max() < 1e-14 * 40


def test_third_body_of_the_remote_centre_in_closed_form() -> None:
    """tests/kinematics/jacobian_test.cpp and tests/screw/remote_centre_test.cpp."""
    data = read("remote_centre")
    tree, d = reference_tree(data), data["model"]["rcm_parameters"]
    reach, offset, d2 = d["d2"] + d["d3"], d["x3"] - d["d3"], d["d2"]
    for given, _ in states("remote_centre"):
        q = numbers(given["q"])
        q1, q12, q123, q3, q23 = q[0], q[0] + q[1], q[:3].sum(), q[2], q[1] + q[2]
        x, y = (-d2 * f(q1) + reach * f(q12) + offset * f(q123) for f in (cos, sin))
        T = axode.poses(tree, q)[2]
        assert np.abs(T[:3, 3] - [x, y, d["z3"]]).max() <= 2e-15
        assert np.abs(T[:3, :3] - axode.lie.exp(np.array([0, 0, q123])).matrix).max() <= 2e-15
        J = axode.jacobian(tree, q, 2, "body")
        second = [0, 0, 1, reach * sin(q3), reach * cos(q3) + offset, 0]
        first = np.array(second) - [0, 0, 0, d2 * sin(q23), d2 * cos(q23), 0]
        columns = np.array([first, second, [0, 0, 1, 0, offset, 0]])
        assert np.abs(J[:, :3].T - columns).max() <= 1e-15
