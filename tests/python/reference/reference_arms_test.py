"""Dynamics of two arms of the literature, printed and computed numbers: PUMA 560, Modern Robotics.

Tolerances are those of tests/dynamics/inverse/inverse_dynamics_reference_test.cpp.
"""

import math
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array
from reference_data import numbers, read

PRINTED = 5.1e-5  # half a unit in the last place of the numbers printed
ZERO = np.zeros(3)


def largest(found: Array, expected: Any) -> float:
    wanted = numbers(expected)
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max())


# --- PUMA 560 -----------------------------------------------------------------------------------

PUMA = read("puma560")


@pytest.fixture(scope="module")
def puma() -> axode.Tree:
    builder = axode.TreeBuilder("puma560").gravity([0, 0, -9.81])
    for i in range(6):
        xx, yy, zz, xy, yz, xz = PUMA["I"][i]
        gear = abs(PUMA["G"][i])
        about_com = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        builder.body(f"l{i + 1}", mass=PUMA["m"][i], com=PUMA["r"][i], about_com=about_com)
        if i > 0:
            builder.on(f"l{i}")
        row = axode.model.classic_dh(d=PUMA["d"][i], a=PUMA["a"][i], alpha=PUMA["alpha"][i])
        builder.joint(f"j{i + 1}", row)
        builder.armature(gear**2 * PUMA["Jm"][i]).damping(gear**2 * PUMA["B"][i])
        builder.friction(gear * PUMA["Tc"][i][0])  # all turn forwards below
    return builder.build()


@pytest.mark.parametrize(
    "key, v, a, gravity",
    [
        ("rne_qn_0_0", 0, 0, True),
        ("rne_qn_0_1", 0, 1, True),
        ("rne_qn_1_0", 1, 0, True),
        ("rne_qn_1_1", 1, 1, True),
        ("rne_qn_1_1_no_gravity", 1, 1, False),
        ("itorque_qn_123123", 0, (1, 2, 3, 1, 2, 3), False),
    ],
)
def test_puma_forces(puma: axode.Tree, key: str, v: Any, a: Any, gravity: bool) -> None:
    v, a = (np.broadcast_to(numbers(x), 6) for x in (v, a))
    found = axode.inverse_dynamics(puma, PUMA["qn"], v, a, gravity=gravity)
    assert largest(found, PUMA[key]) < PRINTED


def test_puma_pushes_with_its_tool(puma: axode.Tree) -> None:
    zero, push = np.zeros(6), -numbers([1, 2, 3, 1, 2, 3])
    expected = PUMA["rne_qn_0_0_fext_123123"]
    for wrenches in ({"l6": push}, [axode.dynamics.NamedWrench("l6", push, "l6")]):
        found = axode.inverse_dynamics(puma, PUMA["qn"], zero, zero, wrenches)
        assert largest(found, expected) < PRINTED


def test_puma_mass_matrix_and_coriolis_forces(puma: axode.Tree) -> None:
    q, zero, several = PUMA["qn"], np.zeros((6, 6)), numbers([1, 2, 3, 1, 2, 3])
    columns = axode.inverse_dynamics(puma, np.tile(q, (6, 1)), zero, np.eye(6), gravity=False)
    assert largest(columns, PUMA["inertia_qn"]) < PRINTED
    assert largest(axode.mass_matrix(puma, q), PUMA["inertia_qn"]) < PRINTED
    found = axode.inverse_dynamics(
        puma, q, several, zero[0], gravity=False, armature=False, damping=False, friction=False
    )
    assert largest(found, numbers(PUMA["coriolis_qn_123123"]) @ several) < 5e-5 * 12


def test_puma_accelerations_and_weight(puma: axode.Tree) -> None:
    v, tau = [0.1, 0.2, 0.8, 0.2, 0.5, 1], [1, 3.2, 1.8, 0.1, 0.7, 4.6]
    assert largest(axode.forward_dynamics(puma, PUMA["qn"], v, tau), PUMA["accel_qn"]) < PRINTED
    zero = np.zeros(6)
    assert largest(axode.inverse_dynamics(puma, zero, zero, zero), PUMA["gravload_qz"]) < 5.1e-7


# --- Modern Robotics ------------------------------------------------------------------------------

EXAMPLES = read("modern_robotics")["functions"]


def example(name: str) -> tuple[dict[str, Any], Any]:
    found = EXAMPLES[name]
    return found["inputs"], found.get("output_of_reference_implementation")


class Arm:
    """The arm of the examples. Its first axis has length sqrt 2 there: see `scale`."""

    def __init__(self, given: dict[str, Any]) -> None:
        builder = axode.TreeBuilder("modern_robotics")
        if "g" in given:
            builder.gravity(given["g"])
        screws, A = numbers(given["Slist"]), np.eye(4)
        self.scale = np.linalg.norm(screws[:3], axis=0)
        for i in range(3):
            A = A @ numbers(given["Mlist"][i])
            G = numbers(given["Glist"][i])
            builder.body(f"l{i + 1}", mass=G[3, 3], com=ZERO, about_com=G[:3, :3])
            if i > 0:
                builder.on(f"l{i}")
            joint = axode.model.screws_joint([screws[:, i] / self.scale[i]])
            builder.joint(f"j{i + 1}", joint, axode.model.zero_reference(A))
        self.tree = builder.frame("tip", on="l3", at=numbers(given["Mlist"][3])).build()

    def forces(self, q: Any, v: Any, a: Any, tip: Any, gravity: bool = True) -> Array:
        q, v, a = (numbers(x) * self.scale for x in (q, v, a))
        wrenches = {"tip": -numbers(tip)}
        tau = axode.inverse_dynamics(self.tree, q, v, a, wrenches, gravity=gravity)
        return np.asarray(tau * self.scale)

    def accelerations(self, q: Any, v: Any, tau: Any, tip: Any) -> Array:
        q, v = (numbers(x) * self.scale for x in (q, v))
        tau, wrenches = numbers(tau) / self.scale, {"tip": -numbers(tip)}
        return np.asarray(axode.forward_dynamics(self.tree, q, v, tau, wrenches) / self.scale)


@pytest.mark.parametrize(
    "name, v, a, tip, gravity",
    [
        ("InverseDynamics", "dthetalist", "ddthetalist", "Ftip", True),
        ("VelQuadraticForces", "dthetalist", None, None, False),
        ("GravityForces", None, None, None, True),
        ("EndEffectorForces", None, None, "Ftip", False),
    ],
)
def test_forces(name: str, v: str | None, a: str | None, tip: str | None, gravity: bool) -> None:
    given, expected = example(name)
    rate, acceleration = (given[key] if key else ZERO for key in (v, a))
    wrench = given[tip] if tip else np.zeros(6)
    found = Arm(given).forces(given["thetalist"], rate, acceleration, wrench, gravity)
    assert largest(found, expected) < 1e-13 * 75


def test_forces_along_a_trajectory() -> None:
    """A quintic motion of three seconds, differences for velocities and accelerations."""
    given, rows = EXAMPLES["InverseDynamicsTrajectory"]["inputs"], 1000
    arm, dt = Arm(given), 3 / (rows - 1)

    def angle(i: int) -> float:
        s = i / (rows - 1)
        return math.pi / 2 * (10 * s**3 - 15 * s**4 + 6 * s**5)

    def velocity(i: int) -> float:
        return 0 if i < 1 else (angle(i) - angle(i - 1)) / dt

    expected = EXAMPLES["InverseDynamicsTrajectory"]["output_of_reference_implementation_rows"]
    for row, forces in expected.items():
        i = int(row)
        if i == 1:
            continue  # the reference takes its angles of 2e-8 for zero
        acceleration = 0 if i < 1 else (velocity(i) - velocity(i - 1)) / dt
        q, v, a = (np.full(3, x) for x in (angle(i), velocity(i), acceleration))
        # Rounding of the angles, divided by dt twice, times the inertia.
        assert largest(arm.forces(q, v, a, np.ones(6)), forces) < 3e-9


def test_mass_matrix() -> None:
    given, expected = example("MassMatrix")
    arm = Arm(given)
    M = axode.mass_matrix(arm.tree, numbers(given["thetalist"]) * arm.scale)
    assert largest(M * np.outer(arm.scale, arm.scale), expected) < 1e-13 * 23


def test_accelerations() -> None:
    given, expected = example("ForwardDynamics")
    state = [given[key] for key in ("thetalist", "dthetalist", "taulist", "Ftip")]
    assert largest(Arm(given).accelerations(*state), expected) < 1e-12 * 33


def test_motion_by_steps_of_euler() -> None:
    given, expected = example("ForwardDynamicsTrajectory")
    arm, steps = Arm(given), given["intRes"]
    q, v, dt = numbers(given["thetalist"]), numbers(given["dthetalist"]), given["dt"] / steps
    for row in range(len(expected[0]) - 1):
        for _ in range(steps):
            a = arm.accelerations(q, v, given["taumat"][row], given["Ftipmat"][row])
            q, v = q + v * dt, v + a * dt
        assert largest(q, expected[0][row + 1]) < 1e-10
        assert largest(v, expected[1][row + 1]) < 1e-9


def test_computed_torque() -> None:
    """M (Kp e + Ki (sum of e) + Kd e') + forces of the desired acceleration."""
    given, expected = example("ComputedTorque")
    keys = ("thetalist", "dthetalist", "eint", "thetalistd", "dthetalistd", "ddthetalistd")
    q, v, sum_of_errors, wanted_q, wanted_v, a = (numbers(given[key]) for key in keys)
    e = wanted_q - q
    a = a + given["Kp"] * e + given["Ki"] * (sum_of_errors + e) + given["Kd"] * (wanted_v - v)
    assert largest(Arm(given).forces(q, v, a, np.zeros(6)), expected) < 1e-13 * 133
