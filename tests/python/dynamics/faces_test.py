"""The same question has the same bits in Python and in the command. In C++ the calls on a tree are the Engine to the
last bit, on which both stand: tests/engine/calls_test.cpp, kinematics_calls_test.cpp; one state beside many:
same_bits_test.py."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[3]
COMMAND = ROOT / "build/release/axode"
MODELS = [
    "models/swinging_arm.json",
    "models/quadruped.json",  # free base
    "models/scara.json",
    "models/arm.urdf",
    "tests/data/models/gripper_arm.urdf",  # mimic joints, losses
    "tests/data/models/feeder.urdf",
    "tests/data/models/walker.urdf",
]
STATES = 21


class Moving:
    """A model and random states of it, whose followers follow."""

    def __init__(self, model):
        self.model = model
        self.tree = tree = axode.Tree.from_file(ROOT / model)
        rng = np.random.default_rng(5)
        E = axode.dynamics.expansion(tree)
        self.q = tree.random(1, count=STATES)
        self.v, self.a = rng.uniform(-2, 2, (2, STATES, E.shape[1])) @ E.T
        self.tau = rng.uniform(-3, 3, self.v.shape)

    def one(self):
        return self.q[0], self.v[0], self.a[0], self.tau[0]

    def ask(self, verb, *arguments, **options):
        """What the command answers, one object for each state."""
        run = subprocess.run([COMMAND, verb, ROOT / self.model, "--json", *arguments],
                             capture_output=True, text=True, check=True, **options)
        answer = json.loads(run.stdout)
        return answer.get("states", [answer])

    def ask_one(self, verb, *arguments, **numbers):
        given = [f"--{name}=" + ",".join(repr(float(x)) for x in values) for name, values in numbers.items()]
        return self.ask(verb, *given, *arguments)[0]

    def ask_many(self, verb, *arguments, **numbers):
        lines = "\n".join(json.dumps(dict(zip(numbers, map(list, row))))
                          for row in zip(*numbers.values()))
        return self.ask(verb, "--states", "-", *arguments, input=lines)


@pytest.fixture(params=MODELS)
def moving(request):
    return Moving(request.param)


def same(answer, expected):
    return np.array_equal(np.asarray(answer, float), np.asarray(expected, float))


def test_joint_forces_and_what_they_consist_of(moving):
    tree, (q, v, a, _) = moving.tree, moving.one()
    said = moving.ask_one("dynamics", "--gravity", "--mass-matrix", "--derivatives", "--energies", q=q, v=v, a=a)
    assert same(said["tau"], axode.inverse_dynamics(tree, q, v, a))
    assert same(said["gravity"], axode.gravity_forces(tree, q))
    assert same(said["mass_matrix"], axode.mass_matrix(tree, q))
    by = axode.inverse_dynamics_derivatives(tree, q, v, a)
    assert same(said["derivatives"]["tau_by_q"], by.by_q)
    assert same(said["derivatives"]["tau_by_v"], by.by_v)
    assert same(said["derivatives"]["tau_by_a"], by.by_a)
    energy = axode.energy(tree, q, v)
    power = axode.dynamics.power(tree, q, v, axode.inverse_dynamics(tree, q, v, a))
    said = said["energies"]
    assert same(said["kinetic"], energy.kinetic)
    assert same(said["kinetic"], axode.kinetic_energy(tree, q, v))
    assert same(said["armature"], energy.armature)
    assert same(said["potential"], energy.potential)
    assert same(said["potential"], axode.potential_energy(tree, q))
    assert same([said["joint_power"], said["external_power"], said["losses"]], power)
    assert same(said["momentum"], axode.dynamics.spatial_momentum(tree, q, v))
    assert same(said["centroidal_momentum"], axode.centroidal_momentum(tree, q, v))


@pytest.mark.parametrize("choice", ["skew", "christoffel", "uncorrected"])
def test_coriolis_matrices(moving, choice):
    q, v, _, _ = moving.one()
    said = moving.ask_one("dynamics", "--coriolis", choice, q=q, v=v)
    assert same(said["coriolis_matrix"], axode.coriolis_matrix(moving.tree, q, v, choice))


@pytest.mark.parametrize("rep", ["body", "spatial", "hybrid", "mixed"])
def test_recursions_in_a_representation(moving, rep):
    tree, (q, v, a, _) = moving.tree, moving.one()
    said = moving.ask_one("dynamics", "--rep", rep, "--reactions", q=q, v=v, a=a)
    assert same(said["tau"], axode.inverse_dynamics(tree, q, v, a, rep=rep))
    if rep == "body":
        wrenches = axode.dynamics.joint_forces(tree, q, v, a).joint_wrenches
        assert same([said["reactions"][name] for name in tree.body_names], wrenches)


def test_wrenches_on_bodies(moving):
    tree, (q, v, a, _), body = moving.tree, moving.one(), moving.tree.body_names[-1]
    said = moving.ask_one("dynamics", "--energies", "--external", f"{body}@world=1,2,3,4,5,6", q=q, v=v, a=a)
    pushed = [axode.dynamics.NamedWrench(body, [1, 2, 3, 4, 5, 6], "world")]
    tau = axode.inverse_dynamics(tree, q, v, a, pushed)
    assert same(said["tau"], tau)
    assert same(said["energies"]["external_power"], axode.dynamics.power(tree, q, v, tau, pushed).external)


def test_accelerations(moving):
    tree, (q, v, _, tau) = moving.tree, moving.one()
    said = moving.ask_one("dynamics", "--derivatives", q=q, v=v, tau=tau)
    by = axode.forward_dynamics_derivatives(tree, q, v, tau)
    assert same(said["a"], axode.forward_dynamics(tree, q, v, tau))
    assert same(said["derivatives"]["a_by_q"], by.by_q)
    assert same(said["derivatives"]["a_by_v"], by.by_v)
    assert same(said["derivatives"]["a_by_tau"], by.by_tau)


@pytest.mark.parametrize("given", ["tau", "a"])
def test_linearized_equations(moving, given):
    tree, (q, v, a, tau) = moving.tree, moving.one()
    third = {"a": a, "tau": tau}[given]
    said = moving.ask_one("linearize", q=q, v=v, **{given: third})
    function = axode.linearize if given == "tau" else axode.dynamics.linearize_motion
    found = function(tree, q, v, third)
    for name in "ABMDK":
        assert same(said[name], getattr(found, name)), name
    other = "a" if given == "tau" else "tau"
    assert same(said[other], getattr(found, other))


@pytest.mark.parametrize("rep", ["body", "spatial", "hybrid", "mixed"])
def test_kinematics_of_frames(moving, rep):
    tree, (q, v, a, _), body = moving.tree, moving.one(), moving.tree.body_names[-1]
    said = moving.ask_one("kinematics", "--jacobian", "--matrix", "--rep", rep, "--frame", body, q=q, v=v, a=a)
    frame = said["frames"][body]
    T = tree.transform_matrix(q, body)
    assert same(frame["pose"]["position"], T[:3, 3])
    assert same(frame["pose"]["matrix"], T[:3, :3])
    assert same(frame["twist"], axode.twist(tree, q, v, body, rep))
    assert same(frame["acceleration"], axode.acceleration(tree, q, v, a, body, rep))
    assert same(frame["jacobian"], axode.jacobian(tree, q, body, rep))
    centre = said["centre_of_mass"]
    assert same(centre["position"], axode.centre_of_mass(tree, q))
    assert same(centre["velocity"], axode.kinematics.centre_of_mass_velocity(tree, q, v))
    assert same(centre["acceleration"], axode.kinematics.centre_of_mass_acceleration(tree, q, v, a))


def test_frames_relative_to_others(moving):
    tree, (q, v, a, _) = moving.tree, moving.one()
    of, to = tree.body_names[-1], tree.body_names[0]
    said = moving.ask_one("kinematics", "--jacobian", "--frame", of, "--relative-to", to, q=q, v=v, a=a)
    frame = said["frames"][of]
    assert same(frame["pose"]["position"], tree.transform_matrix(q, of, to)[:3, 3])
    assert same(frame["twist"], axode.twist(tree, q, v, of, relative_to=to))
    assert same(frame["acceleration"], axode.acceleration(tree, q, v, a, of, relative_to=to))
    assert same(frame["jacobian"], axode.jacobian(tree, q, of, relative_to=to))


def test_many_states_of_inverse_dynamics(moving):
    tree, q, v, a = moving.tree, moving.q, moving.v, moving.a
    tau = axode.inverse_dynamics(tree, q, v, a)
    by = axode.inverse_dynamics_derivatives(tree, q, v, a)
    assert same([s["tau"] for s in moving.ask_many("dynamics", q=q, v=v, a=a)], tau)
    said = moving.ask_many("dynamics", "--mass-matrix", "--gravity", "--derivatives", q=q, v=v, a=a)
    assert same([s["tau"] for s in said], tau)
    assert same([s["mass_matrix"] for s in said], axode.mass_matrix(tree, q))
    assert same([s["gravity"] for s in said], axode.gravity_forces(tree, q))
    assert same([s["derivatives"]["tau_by_q"] for s in said], by.by_q)
    assert same([s["derivatives"]["tau_by_v"] for s in said], by.by_v)


def test_many_states_of_forward_dynamics(moving):
    tree, q, v, tau = moving.tree, moving.q, moving.v, moving.tau
    a = axode.forward_dynamics(tree, q, v, tau)
    assert same([s["a"] for s in moving.ask_many("dynamics", q=q, v=v, tau=tau)], a)
    said = moving.ask_many("dynamics", "--derivatives", q=q, v=v, tau=tau)
    assert same([s["a"] for s in said], a)
    by = axode.forward_dynamics_derivatives(tree, q, v, tau)
    assert same([s["derivatives"]["a_by_q"] for s in said], by.by_q)


def test_many_states_of_kinematics(moving):
    tree, q, v, body = moving.tree, moving.q, moving.v, moving.tree.body_names[-1]
    said = moving.ask_many("kinematics", "--jacobian", "--frame", body, q=q, v=v)
    assert same([s["frames"][body]["twist"] for s in said], axode.twist(tree, q, v, body))
    assert same([s["frames"][body]["jacobian"] for s in said], axode.jacobian(tree, q, body))
    assert same([s["centre_of_mass"]["position"] for s in said], axode.centre_of_mass(tree, q))
