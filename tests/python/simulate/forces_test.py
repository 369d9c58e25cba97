"""axode.Forces: springs, signals, wrenches, controllers, contacts."""

import math
import pickle
from pathlib import Path
from typing import Any

import axode
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


def pendulum() -> axode.Tree:
    """A point mass on a bar, hanging along -y at q = 0, turning about z."""
    text = """{"axode": 1, "gravity": [0, -9.81, 0], "bodies": [
      {"name": "bob", "inertia": {"mass": 1, "com": [0, -1, 0], "about_com": [0, 0, 0]},
       "joint": {"name": "pivot", "type": "revolute", "axis": [0, 0, 1]}}]}"""
    return axode.parse_scene(text, "pendulum").tree


def slider() -> axode.Tree:
    text = """{"axode": 1, "gravity": [0, 0, 0], "bodies": [
      {"name": "mass", "inertia": {"mass": 2, "com": [0, 0, 0], "about_com": [1, 1, 1]},
       "joint": {"name": "rail", "type": "prismatic", "axis": [1, 0, 0]}}]}"""
    return axode.parse_scene(text, "slider").tree


def test_spring_and_damper_of_a_joint() -> None:
    tree = slider()
    forces = axode.Forces(tree)
    forces.add_spring("rail", stiffness=8.0, rest=0.5, damping=0.4)
    run = axode.simulate(tree, q=[1.5], duration=3, forces=forces, rtol=1e-10, atol=1e-12)
    decay, w = 0.1, math.sqrt(4 - 0.01)
    exact = 0.5 + np.exp(-decay * run.t) * (np.cos(w * run.t) + decay / w * np.sin(w * run.t))
    assert abs(run.q[:, 0] - exact).max() < 1e-8
    assert run.stored[0] == pytest.approx(4.0)
    assert abs(run.energy[0] - run.energy[-1]) > 1  # lost in the damper
    assert "1 springs" in repr(forces)


@pytest.mark.parametrize("form", ["text", "samples", "function", "number"])
def test_signals_of_all_forms(form: str) -> None:
    tree = pendulum()
    forces = axode.Forces(tree)
    signal: Any = {
        "text": "3*step(t - 0.25)",
        "samples": axode.forces.samples([0, 0.25], [0, 3], "hold"),
        "function": lambda t, q, v: 3.0 * (t >= 0.25),
        "number": 3,
    }[form]
    forces.add_joint_force("pivot", signal)
    run = axode.simulate(tree, duration=0.5, forces=forces, sample_interval=0.05)
    early = 3 if form == "number" else 0
    assert run.tau[0, 0] == early and run.tau[-1, 0] == 3
    assert run.ending == "finished"
    inf = float("inf")
    wanted = 0.25 if form in ("text", "samples") else inf
    assert axode.forces.next_discontinuity(forces, 0.1) == wanted


def test_wrench_and_point_force_agree_with_joint_forces() -> None:
    tree = pendulum()
    forces = axode.Forces(tree)
    forces.add_wrench("bob", [0, 0, 2.0, 0, 0, 0], "bob")
    forces.add_wrench(0, [0, 0, 0, 3.0, "t", 0])
    terms = axode.forces.add_forces(tree, forces, 2.0, [0.3], [0.1])
    assert terms.tau == pytest.approx([0])
    # A force in the world at its origin, where the pivot is, turns nothing.
    assert terms.wrenches[0, :3] == pytest.approx([0, 0, 2])
    c, s = math.cos(0.3), math.sin(0.3)
    assert terms.wrenches[0, 3:] == pytest.approx([3 * c + 2 * s, -3 * s + 2 * c, 0])
    spring = axode.Forces(tree)
    spring.add_point_force(None, [0, -2, 0], "bob", [0, -1, 0], stiffness=5, free_length=0.5)
    assert axode.forces.stored_energy(tree, spring, 0, [0.0]) == pytest.approx(0.5 * 5 * 0.25)
    q = np.array([[0.1], [0.2]])
    energies = axode.forces.stored_energy(tree, spring, 0, q)
    assert isinstance(energies, np.ndarray) and energies.shape == (2,)
    rate = axode.forces.stored_energy_rate(tree, spring, 0, [0.2], [1.0])
    h = 1e-6
    ends = axode.forces.stored_energy(tree, spring, 0, [[0.2 - h], [0.2 + h]])
    assert rate == pytest.approx(np.diff(np.asarray(ends))[0] / (2 * h), abs=1e-8)


def test_derivatives_of_forces_are_those_of_differences() -> None:
    scene = axode.load_scene(ROOT / "models" / "swinging_arm.json")
    tree, forces = scene.tree, axode.Forces(scene.tree)
    forces.add_spring("joint2", stiffness=30, damping=2)
    forces.add_joint_force("joint3", "q[joint2]*v[joint1]")
    forces.add_joint_force("joint4", lambda t, q, v: q[0] ** 2 + math.sin(v[1]))
    q, v = scene.initial.q, np.linspace(-1, 1, tree.nv)
    found = axode.forces.add_force_derivatives(tree, forces, 0, q, v)
    h, n = 1e-6, tree.nv
    for k in range(n):
        e = np.eye(n)[k] * h
        by_q = axode.forces.add_forces(tree, forces, 0, [q + e, q - e], v).tau
        by_v = axode.forces.add_forces(tree, forces, 0, q, [v + e, v - e]).tau
        assert found.by_q[:, k] == pytest.approx((by_q[0] - by_q[1]) / (2 * h), abs=1e-6)
        assert found.by_v[:, k] == pytest.approx((by_v[0] - by_v[1]) / (2 * h), abs=1e-6)


def test_controllers_reach_their_reference() -> None:
    scene = axode.load_scene(ROOT / "models" / "swinging_arm.json")
    tree = scene.tree
    goal = scene.initial.q + 0.2
    motion = axode.trajectory(tree, "minimum_jerk", [0, 1], [scene.initial.q, goal])
    point = motion.sample([0.0, 0.5, 1.0])
    assert point.q[2] == pytest.approx(goal)
    assert motion.sample(0.5).q.shape == (7,)
    assert axode.forces.next_switch(motion, 0.5) == 1
    assert point.v[1] == pytest.approx(np.full(7, 0.2 * 1.875))
    forces = axode.Forces(tree)
    forces.effort_limits = False
    forces.add_controller(axode.computed_torque_controller(tree, 10, 1, motion))
    run = axode.simulate(tree, q=scene.initial.q, forces=forces, duration=1.5, rtol=1e-9)
    assert abs(run.q[-1] - goal).max() < 1e-6
    held = axode.Forces(tree)
    held.add_controller(axode.pd_controller(tree, 500, 50, goal))
    assert held.controllers[0].kind == "pd"
    own = axode.forces.Controller(tree, "pd", 500, np.full(7, 50.0), goal, gravity_compensation=True)
    held = axode.Forces(tree)
    held.add_controller(own)
    run = axode.simulate(tree, q=goal, forces=held, duration=0.5)
    assert abs(run.q[-1] - goal).max() < 1e-9


def test_ground_contact_takes_the_stiff_method() -> None:
    scene = axode.load_scene(ROOT / "models" / "quadruped.json")
    assert scene.forces.contacts
    run = scene.simulate(duration=0.3)
    assert run.ending == "finished" and run.options["method"] == "cvode"
    again = axode.Forces(scene.tree)
    for contact in scene.forces.contacts:
        again.add_contact(contact)
    assert again.contacts[0].law == scene.forces.contacts[0].law


def test_forces_are_pickled_with_all_parts() -> None:
    scene = axode.load_scene(ROOT / "models" / "swinging_arm.json")
    tree, forces = scene.tree, axode.Forces(scene.tree)
    forces.set_friction(False, 2e-3)
    forces.set_stops(True, 30, 0.5)
    forces.add_spring("joint1", stiffness=2)
    forces.add_joint_force("joint2", "sin(t)")
    forces.add_joint_force("joint2", axode.forces.samples([0, 1], [2, 3], "cubic"))
    forces.add_wrench("link7", [1, 2, 3, 4, 5, 6.5], "tool[world]")
    forces.add_point_force("world", [0, 0, 1], "link3", [0, 0, 0], stiffness=3, damping=1)
    forces.add_controller(axode.pd_controller(tree, 5, 1, scene.initial.q))
    forces.add_contact(axode.forces.CompliantContact(axode.forces.HalfSpace(), [axode.forces.Ball("link7")]))
    copy = pickle.loads(pickle.dumps(forces))
    q, v = scene.initial.q, np.ones(tree.nv)
    for t in (0.0, 0.7):
        wanted = axode.forces.add_forces(tree, forces, t, q, v)
        found = axode.forces.add_forces(copy.tree, copy, t, q, v)
        assert np.array_equal(wanted.tau, found.tau)
        assert np.array_equal(wanted.wrenches, found.wrenches)
    assert copy.friction == forces.friction and copy.stops == forces.stops


def test_expressions() -> None:
    tree = pendulum()
    e = axode.forces.compile_expression(tree, "2*q[pivot] + v[pivot]^2 - t")
    assert e(1.0, [0.5], [3.0]) == 9
    assert np.array_equal(np.asarray(e(0, [[0.5], [1.0]], [0.0])), [1, 2])
    assert axode.forces.dof_index(tree, "pivot") == 0
    with pytest.raises(axode.Error, match="column"):
        axode.forces.compile_expression(tree, "2*q[elbow]")


def test_bad_forces_are_refused() -> None:
    forces = axode.Forces(pendulum())
    with pytest.raises(axode.Error):
        forces.add_spring("elbow", stiffness=1)
    with pytest.raises(axode.Error, match="degree of freedom"):
        forces.add_spring(7, stiffness=1)
    with pytest.raises(axode.Error, match="stiffness"):
        forces.add_spring(0, stiffness=-1)
    with pytest.raises(axode.Error, match="6"):
        forces.add_wrench("bob", [1, 2])
    with pytest.raises(TypeError):
        forces.add_joint_force(0, None)  # type: ignore[arg-type]
    with pytest.raises(axode.Error):
        forces.add_wrench("bob", [1, 2, 3, 4, 5, 6], "nowhere")
    with pytest.raises((TypeError, AttributeError)):
        forces.add_contact(3)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="between"):
        axode.forces.samples([0], [1], "spline")
    assert forces.springs == [] and forces.wrenches == []


def test_objects_never_initialised_are_refused() -> None:
    tree = pendulum()
    for make in (axode.Forces, axode.forces.Controller, axode.forces.Trajectory, axode.forces.Samples):
        raw = make.__new__(make)
        with pytest.raises((TypeError, axode.Error)):
            axode.simulate(tree, forces=raw)  # type: ignore[arg-type]
        with pytest.raises((TypeError, axode.Error)):
            axode.Forces(tree).add_joint_force(0, raw)  # type: ignore[arg-type]
        with pytest.raises((TypeError, axode.Error)):
            axode.forces.Controller(tree, "pd", 1, 1, raw)  # type: ignore[arg-type]
