"""Contacts: Jacobians against reference vectors, accelerations and impulses against equations."""

from typing import Any

import numpy as np
import pytest
from reference_data import (
    Motion,
    angular_first,
    model,
    moving_base_configuration,
    numbers,
    read,
    reference_tree,
    relative,
    states,
)

import axode


@pytest.mark.parametrize(
    ("velocity", "key"), [("body", "body"), ("hybrid", "mixed"), ("spatial", "inertial")]
)
def test_jacobians_of_a_moving_base(velocity: Any, key: str) -> None:
    data = read("moving_base")
    tree = reference_tree(data, velocity=velocity)
    for given, output in states("moving_base"):
        q = moving_base_configuration(given)
        for contact, J in zip(given["contacts"], output["base"][key]["contact_jacobians"]):
            name = data["model"]["bodies"][contact["link"]]["name"]
            T_WB, T_LC = axode.poses(tree, q)[contact["link"]], numbers(contact["L_H_C"])
            arm = np.eye(4)
            arm[:3, 3] = T_WB[:3, :3] @ T_LC[:3, 3]
            at = axode.dynamics.Contact(axode.Frame(name, "world"), T_FC=arm)
            expected = angular_first(angular_first(J).T).T
            found = axode.dynamics.contact_jacobian(tree, q, at)
            assert relative(found, expected) < 1e-12
            pose = axode.dynamics.contact_pose(tree, q, at)
            assert relative(pose.matrix[:3, 3], (T_WB @ T_LC)[:3, 3]) < 1e-13


def feet(tree: axode.Tree, count: int = 2) -> list[axode.dynamics.Contact]:
    legs = [body.name for body in tree.bodies][-1 : -3 * count : -3]
    return [axode.dynamics.Contact(f"{name}[world]", axode.dynamics.point_contact) for name in legs]


def test_twist_bias_and_work() -> None:
    tree = model("quadruped")
    m = Motion(tree, 3)
    contact = feet(tree)[0]
    J = axode.dynamics.contact_jacobian(tree, m.q, contact)
    assert J.shape == (3, 6, tree.nv)
    twists = axode.dynamics.contact_twist(tree, m.q, m.v, contact)
    assert relative(twists, np.einsum("bij,bj->bi", J, m.v)) < 1e-12
    step = 1e-6
    for i in range(3):
        q, v = m.q[i], m.v[i]
        after = axode.dynamics.contact_twist(tree, axode.model.plus(tree, q, step * v), v, contact)
        before = axode.dynamics.contact_twist(tree, axode.model.plus(tree, q, -step * v), v, contact)
        bias = axode.dynamics.contact_bias(tree, q, v, contact)
        assert relative(bias, (after - before) / (2 * step)) < 1e-6
        wrench = np.arange(1.0, 7.0)
        W = axode.dynamics.add_contact_wrench(tree, q, contact, wrench)
        assert axode.dynamics.power(tree, q, v, 0 * v, W).external == pytest.approx(wrench @ J[i] @ v)
        error = axode.dynamics.contact_error(tree, q, contact, contact.at)
        assert np.max(np.abs(error)) < 1e-12


def test_accelerations_and_wrenches() -> None:
    tree = model("quadruped")
    m = Motion(tree, 3)
    contacts = feet(tree)
    tau = np.random.default_rng(2).normal(size=(3, tree.nv))
    found = axode.dynamics.contact_dynamics(tree, m.q, m.v, tau, contacts)
    assert found.wrenches.shape == (3, 2, 6)
    for i in range(3):
        one = axode.dynamics.contact_dynamics(tree, m.q[i], m.v[i], tau[i], contacts)
        assert relative(found.a[i], one.a) < 1e-12
        assert (one.solution.constraints, one.solution.rank) == (6, 6)
        assert one.solution.consistent and not one.solution.redundant
        J = np.vstack([axode.dynamics.contact_jacobian(tree, m.q[i], c)[3:] for c in contacts])
        bias = np.concatenate([axode.dynamics.contact_bias(tree, m.q[i], m.v[i], c)[3:] for c in contacts])
        assert np.max(np.abs(J @ one.a + bias)) < 1e-9
        f = one.wrenches[:, 3:].ravel()
        free = axode.inverse_dynamics(tree, m.q[i], m.v[i], one.a)
        assert relative(free, tau[i] + J.T @ f) < 1e-10
        assert not one.wrenches[:, :3].any()
        inertia = axode.dynamics.delassus(tree, m.q[i], contacts)
        expected = J @ axode.inverse_mass_matrix(tree, m.q[i]) @ J.T
        assert relative(inertia.matrix, expected) < 1e-10
        assert inertia.rows == [(c, d) for c in (0, 1) for d in (3, 4, 5)]
    twice = axode.dynamics.contact_dynamics(tree, m.q[0], m.v[0], tau[0], [contacts[0]] * 2)
    assert twice.solution.redundant and twice.solution.rank == 3
    assert relative(twice.wrenches[0], twice.wrenches[1]) < 1e-9


def test_impulses() -> None:
    tree = model("quadruped")
    m = Motion(tree, 1)
    q, v = m.q[0], m.v[0]
    contacts = feet(tree)
    found = axode.dynamics.contact_impulse(tree, q, v, contacts)
    for contact, impulse in zip(contacts, found.impulses):
        assert np.max(np.abs(axode.dynamics.contact_twist(tree, q, found.v_after, contact)[3:])) < 1e-10
        assert not impulse[:3].any()
    before, after = (axode.kinetic_energy(tree, q, x) for x in (v, found.v_after))
    assert found.solution.energy_change == pytest.approx(after - before)
    assert found.solution.energy_change < 0
    sliding = [c._replace(directions=axode.dynamics.sliding_point) for c in contacts]
    bounced = axode.dynamics.contact_impulse(tree, q, v, sliding, [1.0, 1.0])
    assert bounced.solution.energy_change == pytest.approx(0, abs=1e-9)
    for contact in sliding:
        normal = axode.dynamics.contact_twist(tree, q, v, contact)[5]
        assert axode.dynamics.contact_twist(tree, q, bounced.v_after, contact)[5] == pytest.approx(-normal)
    with pytest.raises(axode.Error):
        axode.dynamics.contact_impulse(tree, q, v, contacts, [2.0, 0.0])


def test_errors() -> None:
    tree = model("quadruped")
    q, v = tree.random(1), np.zeros(tree.nv)
    foot = feet(tree)[0]
    with pytest.raises(axode.Error, match="'nix'"):
        axode.dynamics.contact_jacobian(tree, q, axode.dynamics.Contact("nix"))
    with pytest.raises(axode.Error):
        axode.dynamics.contact_jacobian(tree, q, foot._replace(directions=axode.dynamics.Directions()))
    with pytest.raises(axode.Error):
        axode.dynamics.contact_jacobian(tree, q, axode.dynamics.Contact("world"))
    with pytest.raises(axode.Error):
        axode.dynamics.contact_jacobian(tree, q, foot._replace(T_FC=2 * np.eye(4)))
    with pytest.raises(axode.Error, match="desired"):
        axode.dynamics.contact_dynamics(tree, q, v, v, [foot], desired=np.zeros(6))
    with pytest.raises(axode.Error):
        axode.dynamics.delassus(tree, q, [foot], rank_tolerance=2.0)
    for wrong in (None, 3, "foot", foot, [None], ["foot"]):
        with pytest.raises(TypeError):
            axode.dynamics.contact_dynamics(tree, q, v, v, wrong)  # type: ignore[arg-type]
