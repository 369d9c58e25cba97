"""Inverse and forward dynamics, matrices, energies and momenta against reference vectors."""

from typing import Any

import numpy as np
import pytest
from reference_data import (
    GRAVITY_ONLY,
    INERTIA_ONLY,
    REPS,
    TREES,
    Motion,
    model,
    numbers,
    read,
    reference_tree,
    relative,
    states,
)

import axode


@pytest.fixture(scope="module", params=TREES)
def reference(request: Any) -> Any:
    data = read(request.param)
    return reference_tree(data), states(request.param), data


@pytest.mark.parametrize("form", ["zero_reference", "joint_frames"])
@pytest.mark.parametrize("rep", REPS)
def test_joint_forces(reference: Any, form: str, rep: Any) -> None:
    _, all_states, data = reference
    tree = reference_tree(data, form)
    zero = np.zeros(tree.nv)
    for given, expected in all_states:
        q, v, a, W = (numbers(given[key]) for key in ("q", "qd", "qdd", "Wapp_body"))

        def tau(v: Any, a: Any, W: Any = None, **effects: Any) -> Any:
            return axode.inverse_dynamics(tree, q, v, a, W, rep, **effects)

        assert relative(tau(zero, zero, **GRAVITY_ONLY), expected["gravity_vector"]) < 1e-13
        assert relative(tau(v, zero, **INERTIA_ONLY), expected["coriolis_vector"]) < 1e-12
        assert relative(tau(v, a), expected["Q"]) < 1e-12
        assert relative(tau(v, a, W), expected["Q_total"]) < 1e-12
        assert relative(tau(zero, zero, -W, **INERTIA_ONLY), expected["Q_app"]) < 1e-12


def test_joint_wrenches(reference: Any) -> None:
    tree, all_states, _ = reference
    for given, expected in all_states:
        q, v, a, W = (numbers(given[key]) for key in ("q", "qd", "qdd", "Wapp_body"))
        T_WB = axode.poses(tree, q)
        for wrenches, key in ((None, ""), (W, "_with_app")):
            found = axode.joint_forces(tree, q, v, a, wrenches)
            assert found.representation == "body"
            for body, transmitted in enumerate(found.joint_wrenches):
                R, p = T_WB[body, :3, :3], T_WB[body, :3, 3]
                force = R @ transmitted[3:]
                spatial = np.concatenate([R @ transmitted[:3] + np.cross(p, force), force])
                assert relative(spatial, expected["joint_wrench_spatial" + key][body]) < 1e-12


@pytest.mark.parametrize("rep", ["auto", "body", "spatial", "hybrid"])
def test_accelerations(reference: Any, rep: Any) -> None:
    tree, all_states, _ = reference
    for given, output in all_states:
        expected = output["forward_dynamics"]
        q, v, W, tau = *(numbers(given[k]) for k in ("q", "qd", "Wapp_body")), expected["Q_in"]
        a = axode.forward_dynamics(tree, q, v, tau, rep=rep)
        assert relative(a, expected["qdd_no_wrench"]) < 1e-11
        a = axode.forward_dynamics(tree, q, v, tau, W, rep)
        assert relative(a, expected["qdd_with_wrench"]) < 1e-11


def test_matrices(reference: Any) -> None:
    tree, all_states, _ = reference
    for given, expected in all_states:
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        M = axode.mass_matrix(tree, q)
        assert np.array_equal(M, M.T)
        assert relative(M, expected["M"]) < 1e-14
        inverse = axode.inverse_mass_matrix(tree, q)
        assert relative(inverse, expected["forward_dynamics"]["Minv"]) < 1e-12
        assert relative(axode.gravity_forces(tree, q), expected["gravity_vector"]) < 1e-13
        assert relative(axode.dynamics.christoffel_symbols(tree, q), expected["christoffel"]) < 1e-12
        by_q = np.moveaxis(numbers(expected["dM_dq"]), 0, -1)
        assert relative(axode.dynamics.mass_matrix_derivatives(tree, q), by_q) < 1e-12
        choices: Any = ("skew", "uncorrected", "christoffel")
        for choice in choices:
            C = axode.coriolis_matrix(tree, q, v, choice)
            assert relative(C @ v, expected["coriolis_vector"]) < 1e-13
        by_symbols = np.einsum("ijk,k->ij", expected["christoffel"], v)
        assert relative(C, by_symbols) < 1e-12
        assert relative(axode.dynamics.multiply_mass_matrix(tree, q, a), M @ a) < 1e-12
        found = axode.dynamics.multiply_coriolis_matrix(tree, q, v, v)
        assert relative(found, expected["coriolis_vector"]) < 1e-12
        found = axode.dynamics.inverse_dynamics_by_projection(tree, q, v, a, given["Wapp_body"])
        assert relative(found, expected["Q_total"]) < 1e-12
        closed = axode.dynamics.closed_form_matrices(tree, q, v)
        assert relative(closed.J, closed.A @ closed.X) < 1e-13
        assert relative(closed.M, expected["M"]) < 1e-12
        assert relative(closed.J.T @ closed.inertia @ closed.J, closed.M) < 1e-12
        assert relative(closed.C_83, closed.C_84) < 1e-12


def test_energies_and_momenta(reference: Any) -> None:
    tree, all_states, _ = reference
    for given, expected in all_states:
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        kinetic, potential = expected["kinetic_energy"], expected["potential_energy"]
        assert axode.kinetic_energy(tree, q, v) == pytest.approx(kinetic, rel=1e-13)
        assert axode.potential_energy(tree, q) == pytest.approx(potential, rel=1e-13)
        assert axode.energy(tree, q, v) == pytest.approx((kinetic, 0, potential), rel=1e-12)
        momenta = axode.dynamics.body_momenta(tree, q, v)
        assert relative(momenta, expected["momentum_spatial"]) < 1e-13
        total = axode.dynamics.spatial_momentum(tree, q, v)
        assert relative(total, expected["momentum_spatial_total"]) < 1e-13
        A_G = axode.dynamics.centroidal_momentum_matrix(tree, q)
        assert relative(A_G @ v, axode.centroidal_momentum(tree, q, v)) < 1e-12
        assert relative(A_G @ a, axode.dynamics.centroidal_momentum_rate(tree, q, 0 * v, a)) < 1e-12
        p = axode.dynamics.generalized_momenta(tree, q, v)
        assert relative(p, numbers(expected["M"]) @ v) < 1e-12
        assert relative(axode.dynamics.velocities_from_momenta(tree, q, p), v) < 1e-11
        assert axode.dynamics.hamiltonian(tree, q, p, v) == pytest.approx(kinetic + potential, rel=1e-12)
        locked = axode.dynamics.locked_inertia(tree, q)
        V_G = axode.dynamics.average_velocity(tree, q, v)
        h_G = axode.centroidal_momentum(tree, q, v)
        assert relative(h_G[3:], locked.mass * V_G[3:]) < 1e-12
        assert relative(h_G[:3], locked.about_com @ V_G[:3]) < 1e-12
        both = axode.dynamics.momentum_form(tree, q, p, numbers(expected["Q"]))
        assert relative(both.v, v) < 1e-11
        step = 1e-6  # rates of p = M v along the motion, by central differences
        p_after = axode.dynamics.generalized_momenta(tree, q + step * v, v + step * a)
        p_before = axode.dynamics.generalized_momenta(tree, q - step * v, v - step * a)
        assert relative(both.momentum_rates, (p_after - p_before) / (2 * step)) < 1e-7
        found = axode.dynamics.momentum_rates(tree, q, v, numbers(expected["Q"]))
        assert relative(found, both.momentum_rates) < 1e-10


def test_composite_bodies(reference: Any) -> None:
    tree, all_states, _ = reference
    for given, expected in all_states:
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        composite = axode.dynamics.composite_motion(tree, q, v, a)
        alone = axode.dynamics.composite_inertias(tree, q)
        assert alone.momenta is None and np.array_equal(alone.inertias, composite.inertias)
        last = len(tree) - 1
        twists, momenta = composite.twists, composite.momenta
        assert twists is not None and momenta is not None
        assert relative(composite.inertias[last] @ twists[last], momenta[last]) < 1e-12
        again = axode.dynamics.composite_momenta(tree, q, v).momenta
        assert again is not None and np.array_equal(momenta, again)


def test_wrenches_by_name_mean_the_same_in_all_frames() -> None:
    tree = model("quadruped")
    m = Motion(tree, 3)
    names = [body.name for body in tree.bodies]
    foot, other = names[-1], names[3]
    wrench = np.array([0.1, -0.2, 0.3, 4, 5, -6])
    by_body = np.zeros((3, len(tree), 6))
    by_body[:, -1] = wrench
    expected = axode.inverse_dynamics(tree, m.q, m.v, m.a, by_body)
    own = axode.inverse_dynamics(tree, m.q, m.v, m.a, {foot: wrench})
    assert np.allclose(own, expected, rtol=0, atol=1e-12)
    for i in range(3):
        T = axode.poses(tree, m.q[i])
        R, p = T[-1, :3, :3], T[-1, :3, 3]
        in_world_axes = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        at_origin = in_world_axes.copy()
        at_origin[:3] += np.cross(p, in_world_axes[3:])
        for given, frame in ((in_world_axes, f"{foot}[world]"), (at_origin, "world")):
            named = [axode.dynamics.NamedWrench(foot, given, frame), axode.dynamics.NamedWrench(other, np.zeros(6))]
            found = axode.inverse_dynamics(tree, m.q[i], m.v[i], m.a[i], named)
            assert np.allclose(found, expected[i], rtol=0, atol=1e-11)
        frame_object = axode.Frame(foot, "world")
        named = [axode.dynamics.NamedWrench(foot, in_world_axes, frame_object)]
        found = axode.inverse_dynamics(tree, m.q[i], m.v[i], m.a[i], named)
        assert np.allclose(found, expected[i], rtol=0, atol=1e-11)
    none = axode.inverse_dynamics(tree, m.q, m.v, m.a)
    nothing: Any = ([], {}, ())
    for empty in nothing:
        assert np.array_equal(axode.inverse_dynamics(tree, m.q, m.v, m.a, empty), none)


def test_springs() -> None:
    tree = model("swinging_arm")
    q = tree.random(1)
    joint = [body.joint_name for body in tree.bodies if body.joint_name][0]
    springs = axode.dynamics.Springs(
        joints=[axode.dynamics.JointSpring(joint, 30.0, 0.1)],
        lines=[axode.dynamics.LineSpring("world", tree.bodies[-1].name, 200.0, 0.3)],
    )
    forces = axode.dynamics.spring_forces(tree, q, springs)
    step = 1e-6
    for k in range(tree.nv):
        e = np.eye(tree.nv)[k] * step
        after = axode.potential_energy(tree, q + e, springs) - axode.potential_energy(tree, q + e)
        before = axode.potential_energy(tree, q - e, springs) - axode.potential_energy(tree, q - e)
        assert forces[k] == pytest.approx(-(after - before) / (2 * step), rel=1e-6, abs=1e-6)
    with pytest.raises(axode.Error):
        axode.dynamics.spring_forces(tree, q, axode.dynamics.Springs(joints=[axode.dynamics.JointSpring("nix", 1.0)]))


def test_errors_name_argument_and_joint() -> None:
    tree = model("swinging_arm")
    q, v = np.zeros(tree.nq), np.zeros(tree.nv)
    bad = v.copy()
    bad[2] = np.nan
    joint = tree.bodies[2].joint_name
    for call in (
        lambda: axode.inverse_dynamics(tree, q, bad, v),
        lambda: axode.forward_dynamics(tree, q, bad, v),
        lambda: axode.coriolis_matrix(tree, q, bad),
        lambda: axode.energy(tree, q, bad),
    ):
        with pytest.raises(axode.Error, match=f"^v: .*'{joint}', is not finite"):
            call()
    with pytest.raises(axode.Error, match="^q: has shape"):
        axode.mass_matrix(tree, q[:3])
    with pytest.raises(axode.Error, match="'x' is none of 'body'"):
        axode.inverse_dynamics(tree, q, v, v, rep="x")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="mixed"):
        axode.forward_dynamics(tree, q, v, v, rep="mixed")
    for wrong in ({"\ud800": [0] * 6}, {"\udc80 tool": [0] * 6}):  # halves of a character
        with pytest.raises(UnicodeEncodeError):
            axode.inverse_dynamics(tree, q, v, v, wrenches=wrong)
    with pytest.raises(axode.Error, match="wrenches"):
        axode.inverse_dynamics(tree, q, v, v, np.zeros((2, 6)))
    with pytest.raises(axode.Error, match="'nix'"):
        axode.inverse_dynamics(tree, q, v, v, {"nix": np.zeros(6)})
    with pytest.raises(axode.Error, match="world"):
        axode.inverse_dynamics(tree, q, v, v, {"world": np.zeros(6)})
    with pytest.raises(axode.Error, match="not finite"):
        axode.inverse_dynamics(tree, q, v, v, {tree.bodies[1].name: [np.inf] * 6})
    with pytest.raises(TypeError):
        axode.inverse_dynamics(tree, q, v, v, {3: np.zeros(6)})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        axode.inverse_dynamics(tree, q, v, "text")
    with pytest.raises(axode.SingularError, match="'joint7' moves no inertia"):
        axode.forward_dynamics(model("panda"), np.zeros(7), np.zeros(7), np.zeros(7))
