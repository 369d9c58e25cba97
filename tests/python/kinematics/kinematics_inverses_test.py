"""Centre of mass, manipulability, system Jacobian, overall inverse, joint variables, box steps."""

from typing import Any

import numpy as np
import pytest

import axode
from kinematics_trees import BY_DIFFERENCES, panda, planar_arm, slope, state, zoo
from reference_tree import REPS


def test_centre_of_mass() -> None:
    tree = zoo()
    q, v, a = state(tree)
    T = axode.poses(tree, q)
    points = T @ np.array([0.1, -0.2, 0.3, 1.0])
    np.testing.assert_allclose(
        axode.centre_of_mass(tree, q), points[:, :3].mean(axis=0), atol=1e-14
    )
    assert axode.total_mass(tree) == pytest.approx(1.5 * len(tree))
    assert axode.total_mass(tree, "fork") == pytest.approx(3)
    parts = {None: range(8), "fork": [6, 7], "slider": [2, 3], "screw": [7]}
    for body, carried in parts.items():
        c = points[list(carried), :3].mean(axis=0)
        np.testing.assert_allclose(axode.centre_of_mass(tree, q, body), c, atol=1e-14)

        def after(t: float) -> np.ndarray:
            return tree.integrate(q, t * v + t * t / 2 * a)

        velocity = axode.kinematics.centre_of_mass_velocity(tree, q, v, body)
        rate = slope(lambda t: axode.centre_of_mass(tree, after(t), body))  # noqa: B023
        np.testing.assert_allclose(velocity, rate, atol=BY_DIFFERENCES)
        J = axode.centre_of_mass_jacobian(tree, q, body)
        np.testing.assert_allclose(J @ v, velocity, atol=1e-14)
        rate = slope(
            lambda t: axode.kinematics.centre_of_mass_velocity(tree, after(t), v + t * a, body)  # noqa: B023
        )
        acceleration = axode.kinematics.centre_of_mass_acceleration(tree, q, v, a, body)
        np.testing.assert_allclose(acceleration, rate, atol=BY_DIFFERENCES)
    with pytest.raises(axode.Error, match="no mass"):
        axode.centre_of_mass(panda(), np.zeros(7))


def test_manipulability() -> None:
    two = axode.manipulability(planar_arm(), [0.3, 0.8], "tool", rows="translation")
    assert two.index == pytest.approx(0.7 * np.sin(0.8)) and two.rank == 2
    tree = panda()
    q, v, _ = state(tree)
    J = axode.jacobian(tree, q, "tool")
    length = 0.3
    scaled = np.diag([length] * 3 + [1] * 3) @ J
    m = axode.manipulability(tree, q, "tool", length=length)
    U, sigma, V = np.linalg.svd(scaled)
    np.testing.assert_allclose(m.singular_values, sigma, atol=1e-14)
    assert m.condition == pytest.approx(sigma[0] / sigma[-1])
    for i, axis in enumerate(m.axes):
        np.testing.assert_allclose(
            scaled @ m.joint_vectors[i], axis.velocity * axis.axis, atol=1e-13
        )
        assert axis.force == pytest.approx(1 / sigma[i])
    np.testing.assert_allclose(scaled @ m.null_space.T, 0, atol=1e-13)
    assert m.null_space.shape == (1, 7)
    V = np.arange(1.0, 7.0)
    weights = np.diag([length] * 3 + [1] * 3)
    found = axode.kinematics.pseudo_inverse_times(m, V)
    np.testing.assert_allclose(found, np.linalg.pinv(scaled) @ weights @ V, atol=1e-11)
    damped = axode.kinematics.damped_inverse_times(m, V, 0.1)
    wanted = scaled.T @ np.linalg.solve(scaled @ scaled.T + 0.01 * np.eye(6), weights @ V)
    np.testing.assert_allclose(damped, wanted, atol=1e-12)
    same = axode.manipulability(J, length=length)
    np.testing.assert_array_equal(same.singular_values, m.singular_values)
    position = axode.manipulability(J, rows=[False] * 3 + [True] * 3)
    np.testing.assert_allclose(
        position.singular_values, np.linalg.svd(J[3:], compute_uv=False), atol=1e-14
    )
    assert position.rows == (False, False, False, True, True, True)
    for wrong, text in [
        ({"rows": [False] * 6}, "no row counts"),
        ({"length": 0.0}, "length"),
        ({"rank_tolerance": 2.0}, "tolerance"),
        ({"rows": "some"}, "none of 'all'"),
    ]:
        with pytest.raises(axode.Error, match=text):
            axode.manipulability(J, **wrong)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="6, nv"):
        axode.manipulability(np.ones((3, 7)))
    with pytest.raises(axode.Error, match="damping"):
        axode.kinematics.damped_inverse_times(m, V, 0)
    with pytest.raises(TypeError, match="rows"):
        axode.manipulability(J, rows=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="manipulability"):
        axode.kinematics.pseudo_inverse_times((1, 2), V)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="belong together"):
        axode.kinematics.pseudo_inverse_times(m._replace(axes=[]), V)


@pytest.mark.parametrize("factors", ["body_screws", "hybrid_screws", "zero_reference"])
@pytest.mark.parametrize("rep", REPS)
def test_system_jacobian(rep: axode.typing.Rep, factors: Any) -> None:
    tree = zoo()
    q, v, _ = state(tree)
    n = len(tree)
    J = axode.kinematics.SystemJacobian(tree, q, rep, factors)
    A, A_inverse, X = J.dense_A(), J.dense_A_inverse(), J.dense_X()
    stacked = np.concatenate([axode.jacobian(tree, q, b, rep) for b in range(n)])
    np.testing.assert_allclose(A @ X, stacked, atol=1e-13)
    np.testing.assert_allclose(A @ A_inverse, np.eye(6 * n), atol=1e-12)
    np.testing.assert_allclose(J.apply(v), axode.twists(tree, q, v, rep), atol=1e-13)
    y = np.random.default_rng(1).uniform(-1, 1, (n, 6))
    for found, wanted in [
        (J.apply_A(y), A @ y.ravel()),
        (J.solve_A(y), A_inverse @ y.ravel()),
        (J.apply_A_transpose(y), A.T @ y.ravel()),
        (J.solve_A_transpose(y), A_inverse.T @ y.ravel()),
        (J.apply_X(v), X @ v),
        (J.apply_X_transpose(y), X.T @ y.ravel()),
        (J.apply_transpose(y), stacked.T @ y.ravel()),
        (axode.kinematics.apply_A(J, [y, y])[1], A @ y.ravel()),
    ]:
        np.testing.assert_allclose(found.ravel(), wanted, atol=1e-12)
    assert axode.kinematics.dense_X(J).shape == (6 * n, tree.nv)
    assert "8 bodies" in repr(J)


def test_system_jacobian_keeps_its_tree_and_refuses_misuse() -> None:
    q = state(zoo())[0]
    J = axode.kinematics.SystemJacobian(zoo(), q)
    assert np.isfinite(J.apply(np.ones(zoo().nv))).all()
    with pytest.raises(axode.Error, match="x"):
        J.apply_A(np.ones((3, 6)))
    with pytest.raises(axode.Error, match="factors"):
        axode.kinematics.SystemJacobian(zoo(), q, "body", "none")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="one at a time"):
        axode.kinematics.SystemJacobian(zoo(), [q, q])


@pytest.mark.parametrize("rep", REPS)
def test_overall_inverse(rep: axode.typing.Rep) -> None:
    tree = zoo()
    q, v, a = state(tree)
    V, A = axode.twists(tree, q, v, rep), axode.accelerations(tree, q, v, a, rep)
    found = axode.kinematics.joint_velocities(tree, q, V, rep)
    np.testing.assert_allclose(found.v, v, atol=1e-12)
    assert found.residual < 1e-12 and not found.rank_deficient and found.joint == -1
    np.testing.assert_allclose(axode.kinematics.joint_accelerations(tree, q, V, A, v, rep).a, a, atol=1e-12)

    random = np.random.default_rng(2)
    noisy = V + 1e-2 * random.uniform(-1, 1, V.shape)
    weights = random.uniform(0.5, 2, V.shape)
    best = axode.kinematics.least_squares_velocities(tree, q, noisy, weights, rep)
    J = np.concatenate([axode.jacobian(tree, q, b, rep) for b in range(len(tree))])
    root = np.sqrt(weights).ravel()
    wanted, *_ = np.linalg.lstsq(root[:, None] * J, root * noisy.ravel(), rcond=None)
    np.testing.assert_allclose(best.v, wanted, atol=1e-12)
    assert best.residual == pytest.approx(np.linalg.norm(root * (J @ wanted - noisy.ravel())))
    # What is not measured may be NaN.
    weights[3:] = 0
    noisy[3:] = np.nan
    open_ = axode.kinematics.least_squares_velocities(tree, q, noisy, weights, rep)
    assert open_.rank_deficient and open_.undetermined == tree.nv - 10 and open_.joint == 3
    with pytest.raises(axode.Error, match="weight zero"):
        axode.kinematics.least_squares_velocities(tree, q, noisy, rep=rep)
    with pytest.raises(axode.Error, match="not finite"):
        axode.kinematics.joint_velocities(tree, q, noisy, rep)
    with pytest.raises(axode.Error, match="(?i)negative|weight"):
        axode.kinematics.least_squares_velocities(tree, q, V, -np.ones_like(V), rep)
    both = axode.kinematics.joint_velocities(tree, np.stack([q, q]), np.stack([V, 2 * V]), rep)
    np.testing.assert_allclose(both.v, [v, 2 * v], atol=1e-12)
    assert np.shape(both.residual) == (2,) and list(np.ravel(both.joint)) == [-1, -1]


def test_joint_variables() -> None:
    limits = {"limits": {"lower": -1, "upper": 2}}
    tree = planar_arm((1, 1, 1), **limits)
    all_ = axode.kinematics.JointVariables(tree)
    assert len(all_) == 3 and [x.velocity for x in all_.variables] == [0, 1, 2]
    assert all_.variables[0].upper == 2 and all_.variables[0].rotates
    free = axode.kinematics.JointVariables(tree, hold=["joint1"])
    assert [x.velocity for x in free.variables] == [0, 2] and free.variable_of == [0, -1, 1]
    np.testing.assert_array_equal(all_.ratio, [1, 1, 1])
    q = np.array([0.5, -0.2, 1.9])
    lower, upper = axode.kinematics.room(free, q)
    np.testing.assert_allclose(lower, [-1.5, -2.9])
    np.testing.assert_allclose(upper, [1.5, 0.1], atol=1e-15)
    np.testing.assert_allclose(axode.kinematics.move(tree, free, q, [0.1, 1.0]), [0.6, -0.2, 2.0])
    np.testing.assert_array_equal(axode.kinematics.enforce(tree, free, [5, 0, -5]), [2, 0, -1])
    axode.kinematics.check_held(tree, free, q)
    with pytest.raises(axode.Error, match="outside its limits"):
        axode.kinematics.check_held(tree, free, [0, 5, 0])
    start = axode.kinematics.random_start(tree, free, q, 4)
    np.testing.assert_array_equal(start, axode.kinematics.random_start(tree, free, q, seed=4))
    assert start[1] == q[1] and (start >= -1).all() and (start <= 2).all()
    idle = axode.kinematics.JointVariables(tree, moves=[True, False, True])
    assert len(idle) == 2 and [x.velocity for x in idle.idle] == [1]
    with pytest.raises(axode.Error, match="another tree"):
        axode.kinematics.enforce(planar_arm(), free, [0, 0])
    with pytest.raises(axode.Error, match="each of the 3 bodies"):
        axode.kinematics.JointVariables(tree, moves=[True])
    with pytest.raises(axode.Error, match="each of the 2 variables"):
        axode.kinematics.move(tree, free, q, [0.1])
    with pytest.raises(axode.Error, match="elbow"):
        axode.kinematics.JointVariables(tree, hold=["elbow"])
    with pytest.raises(TypeError):
        axode.kinematics.JointVariables(tree, hold="joint1")


def test_box_step() -> None:
    random = np.random.default_rng(8)
    for _ in range(50):
        n = int(random.integers(1, 8))
        root = random.uniform(-1, 1, (n, n))
        H, g = root.T @ root, random.uniform(-1, 1, n)
        H = (H + H.T) / 2
        lower, upper = -random.uniform(0, 1, n), random.uniform(0, 1, n)
        upper[random.uniform(size=n) < 0.3] = np.inf
        d, settled = axode.kinematics.box_step(H, g, 0.1, lower, upper)
        assert settled and (d >= lower).all() and (d <= upper).all()
        gradient = (H + 0.1 * np.eye(n)) @ d + g
        inside = (d > lower) & (d < upper)
        np.testing.assert_allclose(gradient[inside], 0, atol=1e-12)
        assert (gradient[(d == lower) & (d < upper)] > -1e-12).all()
        assert (gradient[(d == upper) & (d > lower)] < 1e-12).all()
    with pytest.raises(axode.Error, match="hold zero"):
        axode.kinematics.box_step(np.eye(2), [0, 0], 1, [1, 1], [2, 2])
    with pytest.raises(axode.Error, match="damping"):
        axode.kinematics.box_step(np.eye(2), [0, 0], 0, [-1, -1], [2, 2])
    with pytest.raises(axode.Error, match="symmetric"):
        axode.kinematics.box_step([[1, 2], [3, 4]], [0, 0], 1, [-1, -1], [2, 2])
