"""Dynamics on a free base, its velocity in each form, against reference vectors."""

from typing import Any

import numpy as np
import pytest
from reference_data import (
    GRAVITY_ONLY,
    INERTIA_ONLY,
    REPS,
    angular_first,
    matrix_angular_first,
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
@pytest.mark.parametrize("rep", REPS)
def test_moving_base(velocity: Any, key: str, rep: Any) -> None:
    data = read("moving_base")
    tree = reference_tree(data, velocity=velocity)
    names = [body["name"] for body in data["model"]["bodies"]]
    zero = np.zeros(tree.nv)
    for given, output in states("moving_base"):
        q = moving_base_configuration(given)
        base = {k: angular_first(x) for k, x in output["base"][key].items() if k != "M"}
        v, a = base["nu"], base["nudot"]
        wrenches = [
            axode.dynamics.NamedWrench(name, angular_first(W), name)
            for name, W in zip(names, given["link_wrench_L"])
        ]
        for effects, arguments, expected in (
            (GRAVITY_ONLY, (zero, zero), base["G"]),
            (INERTIA_ONLY, (v, zero), base["C_nu"]),
            (GRAVITY_ONLY, (v, a), base["generalized_inertial_force"]),
        ):
            tau = axode.inverse_dynamics(tree, q, arguments[0], arguments[1], None, rep, **effects)
            assert relative(tau, expected) < 1e-12
        body_wrenches = axode.inverse_dynamics(tree, q, v, a, wrenches, rep)
        for contact in given["contacts"]:  # forces in world axes at a point of the link
            T_LC, link = numbers(contact["L_H_C"]), contact["link"]
            at = axode.dynamics.Contact(f"{names[link]}[world]", T_FC=None)
            R = axode.poses(tree, q)[link, :3, :3]
            arm = np.eye(4)
            arm[:3, 3] = R @ T_LC[:3, 3]
            at = at._replace(T_FC=arm)
            added = axode.dynamics.add_contact_wrench(tree, q, at, angular_first(contact["f_CA"]))
            body_wrenches += axode.inverse_dynamics(tree, q, zero, zero, added, rep, **INERTIA_ONLY)
        assert relative(body_wrenches, base["residual"]) < 1e-12
        M = axode.mass_matrix(tree, q)
        assert relative(M, matrix_angular_first(output["base"][key]["M"])) < 1e-14


@pytest.mark.parametrize("own", ["body", "hybrid", "spatial"])
@pytest.mark.parametrize(
    ("form", "key"), [("body", "body"), ("hybrid", "mixed"), ("spatial", "inertial")]
)
def test_terms_of_a_moving_base(own: Any, form: Any, key: str) -> None:
    tree = reference_tree(read("moving_base"), velocity=own)
    own_key = {"body": "body", "hybrid": "mixed", "spatial": "inertial"}[own]
    assert axode.dynamics.has_free_base(tree)
    for given, output in states("moving_base"):
        q = moving_base_configuration(given)
        v, expected = angular_first(output["base"][own_key]["nu"]), output["base"][key]
        found = axode.dynamics.moving_base_dynamics(tree, q, v, form)
        assert relative(found.nu, angular_first(expected["nu"])) < 1e-12
        assert relative(found.M, matrix_angular_first(expected["M"])) < 1e-12
        assert relative(found.gravity, angular_first(expected["G"])) < 1e-12
        assert relative(found.coriolis, angular_first(expected["C_nu"])) < 1e-12
        change = axode.dynamics.base_change(tree, q, v, form)
        assert relative(change.Y @ change.Y_inverse, np.eye(6)) < 1e-13
        assert relative(axode.dynamics.change_velocity(change, v), found.nu) < 1e-13
        assert relative(axode.dynamics.change_velocity(change.inverse(), found.nu), v) < 1e-13
        own_a = angular_first(output["base"][own_key]["nudot"])
        nudot = axode.dynamics.change_acceleration(change, found.nu, own_a)
        assert relative(nudot, angular_first(expected["nudot"])) < 1e-12
        own_M, C = axode.mass_matrix(tree, q), axode.coriolis_matrix(tree, q, v)
        assert relative(axode.dynamics.change_mass_matrix(change, own_M), found.M) < 1e-12
        changed_C = axode.dynamics.change_coriolis_matrix(change, own_M, C)
        assert relative(changed_C @ found.nu, found.coriolis) < 1e-12
        g = axode.dynamics.change_force(change, axode.gravity_forces(tree, q))
        assert relative(g, found.gravity) < 1e-12
        J = np.eye(6, tree.nv)
        assert relative(axode.dynamics.change_jacobian(change, J)[:, :6], change.Y) < 1e-14
    assert np.array_equal(axode.dynamics.force_of_joints([1.0, 2.0]), [0] * 6 + [1, 2])
    with pytest.raises(axode.Error, match="free"):
        axode.dynamics.moving_base_dynamics(model("panda"), np.zeros(7), np.zeros(7), form)
