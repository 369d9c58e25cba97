"""Derivatives by coordinates, velocities, forces, time and parameters."""

from typing import Any

import numpy as np
import pytest
from reference_data import TREES, Motion, model, numbers, read, reference_tree, relative, states

import axode


@pytest.fixture(scope="module", params=TREES)
def reference(request: Any) -> Any:
    return reference_tree(read(request.param)), states(request.param)


def test_first_derivatives(reference: Any) -> None:
    tree, all_states = reference
    for given, expected in all_states:
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        d = axode.inverse_dynamics_derivatives(tree, q, v, a)
        assert relative(d.by_q, expected["dQ_dq"]) < 1e-12
        assert relative(d.by_v, expected["dQ_dqd"]) < 1e-12
        assert relative(d.by_a, expected["M"]) < 1e-12
        assert relative(d.tau, expected["Q"]) < 1e-12
        f = axode.forward_dynamics_derivatives(tree, q, v, d.tau)
        M = numbers(expected["M"])
        assert relative(f.a, a) < 1e-11
        assert relative(M @ f.by_q, -d.by_q) < 1e-11
        assert relative(M @ f.by_v, -d.by_v) < 1e-11
        assert relative(M @ f.by_tau, np.eye(tree.nv)) < 1e-11


def test_time_derivatives(reference: Any) -> None:
    tree, all_states = reference
    for given, expected in all_states:
        keys = ("q", "qd", "qdd", "qddd", "qdddd")
        q, v, a, jerk, snap = (numbers(given[key]) for key in keys)
        loaded_rate = numbers(expected["dQ_dt"]) - numbers(expected["dQapp_dt_const_body_wrench"])
        reps: Any = ("body", "hybrid")
        for rep in reps:
            rates = axode.dynamics.inverse_dynamics_rates(tree, q, v, a, jerk, snap, rep=rep)
            assert relative(rates.tau, expected["Q"]) < 1e-12
            assert relative(rates.first, expected["dQ_dt"]) < 1e-12
            assert relative(rates.second, expected["d2Q_dt2"]) < 1e-12
            loaded = axode.dynamics.inverse_dynamics_rates(
                tree, q, v, a, jerk, snap, given["Wapp_body"], rep=rep
            )
            assert relative(loaded.tau, expected["Q_total"]) < 1e-12
            assert relative(loaded.first, loaded_rate) < 1e-12
        first = axode.dynamics.inverse_dynamics_rates(tree, q, v, a, jerk)
        assert first.second is None and relative(first.first, expected["dQ_dt"]) < 1e-12
        series = axode.dynamics.inverse_dynamics_rates(tree, q, [v, a, jerk, snap])
        for found, key in zip(series, ("Q", "dQ_dt", "d2Q_dt2")):
            assert relative(found, expected[key]) < 1e-11
    with pytest.raises(axode.Error):
        axode.dynamics.inverse_dynamics_rates(tree, q, np.zeros((1, tree.nv)))


def test_sensitivities() -> None:
    tree = reference_tree(read("chain7"))
    for given, expected in states("chain7"):
        q, v, a = (numbers(given[key]) for key in ("q", "qd", "qdd"))
        cases = expected["geometric_sensitivity"]
        variations = [axode.dynamics.GeometricVariation(c["body"], numbers(c["U"])) for c in cases]
        found = axode.dynamics.force_sensitivities(tree, q, v, a, variations)
        for row, variation, case in zip(found, variations, cases):
            assert relative(row, case["dQ_dpi"]) < 1e-12
            last = len(tree) - 1
            eta = axode.dynamics.pose_sensitivity(tree, q, variation)[last]
            hat = np.zeros((4, 4))
            hat[:3, :3] = [[0, -eta[2], eta[1]], [eta[2], 0, -eta[0]], [-eta[1], eta[0], 0]]
            hat[:3, 3] = eta[3:]
            assert relative(axode.poses(tree, q)[last] @ hat, case["dC_last_dpi"]) < 1e-12
            motion = axode.dynamics.motion_sensitivity(tree, q, v, a, variation)
            assert np.array_equal(motion.displacements[last], eta)


def by_differences(f: Any, x: np.ndarray, step: float = 1e-5) -> np.ndarray:
    columns = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))]
    return np.moveaxis(np.array(columns), 0, -1)


def test_tensors_against_differences_of_first_derivatives() -> None:
    tree = reference_tree(read("multidof_second"))
    given, _ = states("multidof_second")[0]
    q, v, a, W = (numbers(given[key]) for key in ("q", "qd", "qdd", "Wapp_body"))
    d = axode.dynamics.inverse_dynamics_second_derivatives(tree, q, v, a, W)

    def first(q: Any, v: Any) -> Any:
        return axode.inverse_dynamics_derivatives(tree, q, v, a, W)

    assert relative(d.by_qq, by_differences(lambda x: first(x, v).by_q, q)) < 1e-7
    assert relative(d.by_qv, by_differences(lambda x: first(q, x).by_q, v)) < 1e-7
    assert relative(d.by_vv, by_differences(lambda x: first(q, x).by_v, v)) < 1e-7
    assert relative(d.by_aq, axode.dynamics.mass_matrix_derivatives(tree, q)) < 1e-12
    assert relative(d.first.by_q, first(q, v).by_q) < 1e-12
    assert relative(d.by_vv, 2 * axode.dynamics.christoffel_symbols(tree, q)) < 1e-11
    inverse = axode.dynamics.inverse_mass_matrix_derivatives(tree, q)
    numerical = by_differences(lambda x: axode.inverse_mass_matrix(tree, x), q)
    assert relative(inverse, numerical) < 1e-7
    choices: Any = ("skew", "uncorrected", "christoffel")
    for choice in choices:
        dC = axode.dynamics.coriolis_derivatives(tree, q, v, choice)
        numerical = by_differences(
            lambda x: axode.coriolis_matrix(tree, x, v, choice), q
        )
        assert relative(dC, numerical) < 1e-7
        one = axode.dynamics.coriolis_derivative(tree, q, v, 3, choice)
        assert relative(one, dC[:, :, 3]) < 1e-13
    assert relative(axode.dynamics.mass_matrix_derivative(tree, q, 2), d.by_aq[:, :, 2]) < 1e-13
    assert axode.dynamics.christoffel_symbol(tree, q, 1, 2, 3) == pytest.approx(d.by_vv[1, 2, 3] / 2)
    with pytest.raises(axode.Error, match="m: is 10"):
        axode.dynamics.mass_matrix_derivative(tree, q, 10)


def test_derivatives_along_quaternions() -> None:
    tree = model("quadruped")
    m = Motion(tree, 1)
    q, v, a, W = m.q[0], m.v[0], m.a[0], m.wrenches[0]
    d = axode.inverse_dynamics_derivatives(tree, q, v, a, W)
    step = 1e-6
    for k, e in enumerate(np.eye(tree.nv)):
        after = axode.inverse_dynamics(tree, axode.model.plus(tree, q, step * e), v, a, W)
        before = axode.inverse_dynamics(tree, axode.model.plus(tree, q, -step * e), v, a, W)
        assert relative(d.by_q[:, k], (after - before) / (2 * step)) < 1e-6


def test_linearization_about_an_equilibrium() -> None:
    tree = model("swinging_arm")
    q, v = tree.random(4), np.zeros(tree.nv)
    tau = axode.gravity_forces(tree, q)
    n = tree.nv
    found = axode.linearize(tree, q, v, tau)
    assert np.max(np.abs(found.a)) < 1e-9
    d = axode.forward_dynamics_derivatives(tree, q, v, tau)
    assert relative(found.A[n:, :n], d.by_q) < 1e-10
    assert relative(found.A[n:, n:], d.by_v) < 1e-10
    assert relative(found.B[n:], d.by_tau) < 1e-10
    assert relative(found.M, axode.mass_matrix(tree, q)) < 1e-12
    assert not found.G.any()
    assert np.array_equal(found.q, q) and found.independent == tree.velocity_names
    held = axode.linearize(tree, q)  # at rest, by the forces that this needs
    assert relative(held.tau, tau) < 1e-9 and relative(held.K, found.K) < 1e-9
    motion = axode.dynamics.linearize_motion(tree, q, v, found.a)
    assert relative(motion.K, found.K) < 1e-9 and relative(motion.tau, tau) < 1e-9


def test_regressor_and_base_parameters() -> None:
    tree = model("swinging_arm")
    m = Motion(tree, 4)
    p = axode.dynamics.inertia_parameter_list(tree)
    assert np.array_equal(axode.dynamics.inertia_parameters(tree).ravel(), p)
    Y = axode.dynamics.regressor(tree, m.q, m.v, m.a)
    tau = axode.inverse_dynamics(
        tree, m.q, m.v, m.a, armature=False, damping=False, friction=False
    )
    assert relative(Y @ p, tau) < 1e-12
    base = axode.dynamics.base_parameters(tree)
    assert 0 < base.rank < len(p) and base.smallest_pivot > 1e3 * base.largest_no_pivot
    assert base.combinations.shape == (base.rank, len(p))
    b = axode.dynamics.base_values(base, p)
    for i in range(4):
        assert relative(axode.dynamics.base_regressor(base, Y[i]) @ b, tau[i]) < 1e-9
    assert tree.bodies[0].name in axode.dynamics.parameter_name(tree, 1)
    with pytest.raises(axode.Error, match="column"):
        axode.dynamics.parameter_name(tree, 10_000)
    with pytest.raises(axode.Error, match="^p: has 3"):
        axode.dynamics.base_values(base, [1.0, 2, 3])


def test_calibration_finds_displaced_bodies() -> None:
    tree = model("panda")
    tip = tree.bodies[-1].name
    variations = axode.dynamics.minimal_variations(tree, tip)
    assert len(variations) <= len(axode.dynamics.all_variations(tree, tip)) == 6 * len(tree)
    errors = np.random.default_rng(1).normal(size=len(variations)) * 1e-3
    displaced = axode.dynamics.apply_variations(tree, variations, errors)
    measurements = [
        axode.dynamics.PoseMeasurement(q, axode.poses(displaced, q)[-1])
        for q in (tree.random(i) for i in range(30))
    ]
    found = axode.dynamics.calibrate(tree, tip, variations, measurements)
    assert found.converged and not found.not_identifiable
    assert np.allclose(found.parameters, errors, rtol=0, atol=1e-9)
    assert found.translation_residual < 1e-10
    at = axode.dynamics.variations_at(tree, variations, np.zeros(len(variations)))
    assert relative(at[0].U, variations[0].U) < 1e-14
    assert [v.body for v in axode.dynamics.six_variations(2)] == [2] * 6
    with pytest.raises(axode.Error):
        axode.dynamics.calibrate(tree, tip, variations, [])
    with pytest.raises(axode.Error, match="no body 99"):
        axode.dynamics.pose_sensitivity(tree, tree.random(1), axode.dynamics.GeometricVariation(99, np.zeros(6)))


def test_prescribed_dynamics() -> None:
    tree = model("swinging_arm")
    m = Motion(tree, 3)
    tau = axode.inverse_dynamics(tree, m.q, m.v, m.a)
    prescribed = [tree.bodies[1].joint_name, tree.bodies[4].joint_name]
    fixed = np.zeros(tree.nv, dtype=bool)
    fixed[[1, 4]] = True
    found = axode.prescribed_dynamics(
        tree, m.q, m.v, prescribed, np.where(fixed, m.a, 0.0), np.where(fixed, 0.0, tau)
    )
    assert relative(found.a, m.a) < 1e-9 and relative(found.tau, tau) < 1e-9
    with pytest.raises(axode.Error, match="'nix'"):
        axode.prescribed_dynamics(tree, m.q, m.v, ["nix"], m.a, tau)
    with pytest.raises(TypeError):
        axode.prescribed_dynamics(tree, m.q, m.v, "joint", m.a, tau)


def test_coupled_joints() -> None:
    builder = axode.TreeBuilder("gripper")
    for name, parent in (("a", ""), ("b", "a"), ("c", "b")):
        builder.body(name, mass=1.0, com=[0.1, 0, 0.2], about_com=[0.1, 0.2, 0.3])
        if parent:
            builder.on(parent)
        builder.joint("j" + name, axode.revolute(axis=[0, 1, 0], point=[0, 0, 0.3]))
        if name == "c":
            builder.mimic("jb", -0.5)
    tree = builder.build()
    E = axode.dynamics.expansion(tree)
    assert E.tolist() == [[1, 0], [0, 1], [0, -0.5]]
    y, w, tau = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])
    q, v = E @ y, E @ w
    a = axode.forward_dynamics(tree, q, v, tau)
    M, c = axode.mass_matrix(tree, q), axode.inverse_dynamics(tree, q, v, np.zeros(3))
    independent = np.linalg.solve(E.T @ M @ E, E.T @ (tau - c))
    assert relative(a, E @ independent) < 1e-12
    assert relative(axode.dynamics.solve_coupled_mass(tree, q, tau - c), a) < 1e-12
    batch = axode.forward_dynamics(tree, np.tile(q, (4, 1)), v, tau)
    assert relative(batch, np.tile(a, (4, 1))) < 1e-13
    with pytest.raises(axode.Error, match="'jc' does not follow"):
        axode.forward_dynamics(tree, q + [0, 0, 0.1], v, tau)
    with pytest.raises(axode.Error, match="state 1"):
        axode.forward_dynamics(tree, [q, q + [0, 0, 0.1]], v, tau)
    d = axode.forward_dynamics_derivatives(tree, q, v, tau)
    assert relative(d.a, a) < 1e-14
    assert relative(d.by_tau, E @ np.linalg.inv(E.T @ M @ E) @ E.T) < 1e-12
    h = 1e-6
    slopes = [(axode.forward_dynamics(tree, E @ (y + h * e), v, tau)
               - axode.forward_dynamics(tree, E @ (y - h * e), v, tau)) / (2 * h) for e in np.eye(2)]
    assert relative(d.by_q @ E, np.transpose(slopes)) < 1e-8
    many = axode.forward_dynamics_derivatives(tree, np.tile(q, (4, 1)), v, tau)
    assert relative(many.by_v[3], d.by_v) < 1e-12
    with pytest.raises(axode.Error, match="state 1"):
        axode.forward_dynamics_derivatives(tree, [q, q + [0, 0, 0.1]], v, tau)
