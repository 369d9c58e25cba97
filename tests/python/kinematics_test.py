"""Poses, motions, Jacobians and what follows from them, against differences, NumPy and each other."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import axode
from reference_tree import REPS

MODELS = Path(__file__).resolve().parents[2] / "models"
H = 1e-5  # central differences err by H^2 times third derivatives, and 1e-16 / H of rounding
BY_DIFFERENCES = 2e-8


def pose(x: float, y: float, z: float) -> dict[str, Any]:
    return {"position": [z, x, y], "rpy": [x, y, z]}


def zoo(base_velocity: str = "body") -> axode.Tree:
    """Every kind of joint map, a free base, branches and a named frame."""
    at = {"given_in": "body"}
    first = {"coordinates": "first_kind"}
    inertia = {"mass": 1.5, "com": [0.1, -0.2, 0.3], "about_com": [0.2, 0.3, 0.25]}
    joints: dict[str, dict[str, Any]] = {
        "base": {"type": "free", "velocity": base_velocity, "body_in_parent": pose(0.1, 0.2, 0.3)},
        "ball": {"type": "spherical", "parent": "base", "body_in_parent": pose(-0.4, 0.2, 0.1)},
        "slider": {"type": "prismatic", "parent": "ball", "axis": [1, 2, -1]},
        "wrist": {"type": "spherical", "parent": "slider", **first, "point": [0, 0.2, 0.1]},
        "fixed": {"type": "fixed", "parent": "ball", "body_in_parent": pose(0.5, 0.5, 0.5)},
        "plate": {"type": "planar", "parent": "fixed", "x_axis": [1, 0, 0], "z_axis": [0, 0, 1]},
        "fork": {
            "type": "universal",
            "parent": "base",
            "first_axis": [1, 0, 0],
            "second_axis": [0, 1, 0],
            "body_in_parent": pose(0.7, 0.1, 0),
        },
        "screw": {"type": "helical", "parent": "fork", "axis": [0, 1, 1], "pitch": 0.05},
    }
    model = {
        "axode": 1,
        "name": "zoo",
        "bodies": [
            {"name": n, "joint": {**at, **j}, "inertia": inertia} for n, j in joints.items()
        ],
        "frames": [{"name": "tool", "on": "wrist", "at": pose(0.6, 0.4, -0.2)}],
    }
    return axode.Tree.from_text(json.dumps(model))


def panda() -> axode.Tree:
    return axode.Tree.from_file(MODELS / "panda.json")


def state(tree: axode.Tree, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return tree.random(seed), random.uniform(-1, 1, tree.nv), random.uniform(-1, 1, tree.nv)


def slope(f: Callable[[float], np.ndarray]) -> np.ndarray:
    return (f(H) - f(-H)) / (2 * H)


def unskew(m: np.ndarray) -> np.ndarray:
    return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / 2


def twist_in(rep: str, T: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """By definition, from a pose and its derivative."""
    R, r = T[:3, :3], T[:3, 3]
    body, world = unskew(R.T @ rate[:3, :3]), unskew(rate[:3, :3] @ R.T)
    linear = {
        "body": R.T @ rate[:3, 3],
        "spatial": rate[:3, 3] + np.cross(r, world),
        "hybrid": rate[:3, 3],
        "mixed": rate[:3, 3],
    }
    return np.concatenate([body if rep in ("body", "mixed") else world, linear[rep]])


@pytest.mark.parametrize("base", ["body", "spatial", "hybrid"])
@pytest.mark.parametrize("rep", REPS)
def test_motions_and_jacobians_are_derivatives(rep: axode.typing.Rep, base: str) -> None:
    tree = zoo(base)
    q, v, a = state(tree)

    def after(t: float) -> np.ndarray:
        return tree.integrate(q, t * v + t * t / 2 * a)

    T, rate = axode.poses(tree, q), slope(lambda t: axode.poses(tree, after(t)))
    V = axode.twists(tree, q, v, rep)
    for b in range(len(tree)):
        np.testing.assert_allclose(V[b], twist_in(rep, T[b], rate[b]), atol=BY_DIFFERENCES)
    A = slope(lambda t: axode.twists(tree, after(t), v + t * a, rep))
    np.testing.assert_allclose(axode.accelerations(tree, q, v, a, rep), A, atol=BY_DIFFERENCES)

    for of in ("tool", "plate", "screw", "base"):
        J = axode.jacobian(tree, q, of=of, rep=rep)
        assert J.shape == (6, tree.nv)
        at = tree.transform_matrix(q, of)
        moved = slope(lambda t: tree.transform_matrix(after(t), of))  # noqa: B023
        np.testing.assert_allclose(J @ v, twist_in(rep, at, moved), atol=BY_DIFFERENCES)
        J_rate = slope(lambda t: axode.jacobian(tree, tree.integrate(q, t * v), of, rep))  # noqa: B023
        found = axode.jacobian_rate(tree, q, v, of, rep)
        np.testing.assert_allclose(found, J_rate, atol=BY_DIFFERENCES)
        bias = axode.jacobian_rate_times_velocity(tree, q, v, of, rep)
        np.testing.assert_allclose(bias, found @ v, atol=1e-13)
        if of != "tool":
            b = tree.body_names.index(of)
            np.testing.assert_allclose(J @ v, V[b], atol=1e-13)
            np.testing.assert_allclose(
                J @ a + bias, axode.accelerations(tree, q, v, a, rep)[b], atol=1e-12
            )


def test_spatial_columns() -> None:
    tree = zoo()
    q, v, _ = state(tree)
    columns, rates = axode.spatial_columns(tree, q), axode.spatial_column_rates(tree, q, v)
    for body in range(len(tree)):
        J = axode.jacobian(tree, q, body, "spatial")
        on_path = np.abs(J).sum(axis=0) > 0
        np.testing.assert_array_equal(J[:, on_path], columns[:, on_path])
        rate = axode.jacobian_rate(tree, q, v, body, "spatial")
        np.testing.assert_allclose(rate[:, on_path], rates[:, on_path], atol=1e-14)


@pytest.mark.parametrize("rep", REPS)
def test_higher_derivatives(rep: axode.typing.Rep) -> None:
    tree = panda()
    q, v, a = state(tree)
    j, s = -v, 0.5 * a

    def after(t: float) -> list[np.ndarray]:
        x = [q, v, a, j, s]
        return [
            sum(x[k + n] * t**n / np.prod(np.arange(1.0, n + 1)) for n in range(5 - k))
            for k in range(5)
        ]

    jerk = slope(lambda t: axode.accelerations(tree, *after(t)[:3], rep))
    np.testing.assert_allclose(axode.jerks(tree, q, v, a, j, rep), jerk, atol=1e-7)
    snap = slope(lambda t: axode.jerks(tree, *after(t)[:4], rep))
    np.testing.assert_allclose(axode.snaps(tree, q, v, a, j, s, rep), snap, atol=1e-6)
    all_ = axode.twist_derivatives(tree, q, np.stack([v, a, j, s]), rep)
    assert all_.shape == (7, 4, 6)
    np.testing.assert_allclose(all_[:, 0], axode.twists(tree, q, v, rep), atol=1e-13)
    np.testing.assert_allclose(all_[:, 2], axode.jerks(tree, q, v, a, j, rep), atol=1e-12)


def test_pose_derivatives_and_taylor_polynomials() -> None:
    tree = panda()
    q, v, _ = state(tree)
    constant = np.zeros((9, tree.nv))
    constant[0] = v
    D = axode.pose_derivatives(tree, q, constant)
    assert D.shape == (7, 10, 4, 4)
    np.testing.assert_array_equal(D[:, 0], axode.poses(tree, q))
    np.testing.assert_array_equal(D[:, 1:, 3], np.zeros((7, 9, 4)))
    rate = slope(lambda t: axode.poses(tree, q + t * v))
    np.testing.assert_allclose(D[:, 1], rate, atol=BY_DIFFERENCES)
    dt = 0.1
    exact = axode.poses(tree, q + dt * v)
    errors = [
        np.abs(axode.taylor_pose(D[:, : k + 1], 6, dt) - exact[6]).max() for k in (1, 3, 5, 9)
    ]
    assert errors[0] > 1e2 * errors[1] > 1e3 * errors[2] and errors[3] < 1e-11


@pytest.mark.parametrize("rep", REPS)
def test_partial_derivatives_of_jacobians(rep: axode.typing.Rep) -> None:
    tree = panda()
    q, _, _ = state(tree)
    unit = np.eye(tree.nv)
    for body in (3, "link7"):
        for k in range(tree.nv):
            by_k = slope(lambda t: axode.jacobian(tree, q + t * unit[k], body, rep))  # noqa: B023
            found = axode.jacobian_partial_derivative(tree, q, body, [k], rep)
            np.testing.assert_allclose(found, by_k, atol=BY_DIFFERENCES)
            column = axode.screw_partial_derivative(tree, q, body, 2, [k], rep)
            np.testing.assert_array_equal(column, found[:, 2])
    second = slope(
        lambda t: axode.jacobian_partial_derivative(tree, q + t * unit[1], "link7", [3], rep)
    )
    found = axode.jacobian_partial_derivative(tree, q, "link7", [3, 1], rep)
    np.testing.assert_allclose(found, second, atol=BY_DIFFERENCES)
    itself = axode.jacobian_partial_derivative(tree, q, "link7", [], rep)
    np.testing.assert_allclose(itself, axode.jacobian(tree, q, "link7", rep), atol=1e-14)
    with pytest.raises(axode.Error, match="there is no"):
        axode.screw_partial_derivative(tree, q, "link7", 9, [])


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

        velocity = axode.centre_of_mass_velocity(tree, q, v, body)
        rate = slope(lambda t: axode.centre_of_mass(tree, after(t), body))  # noqa: B023
        np.testing.assert_allclose(velocity, rate, atol=BY_DIFFERENCES)
        J = axode.centre_of_mass_jacobian(tree, q, body)
        np.testing.assert_allclose(J @ v, velocity, atol=1e-14)
        rate = slope(
            lambda t: axode.centre_of_mass_velocity(tree, after(t), v + t * a, body)  # noqa: B023
        )
        acceleration = axode.centre_of_mass_acceleration(tree, q, v, a, body)
        np.testing.assert_allclose(acceleration, rate, atol=BY_DIFFERENCES)
    with pytest.raises(axode.Error, match="no mass"):
        axode.centre_of_mass(panda(), np.zeros(7))


def planar_arm(lengths: tuple[float, ...] = (1.0, 0.7), **joint: Any) -> axode.Tree:
    bodies, x = [], 0.0
    for k, length in enumerate(lengths):
        parent = {"parent": f"link{k - 1}"} if k > 0 else {}
        bodies.append(
            {
                "name": f"link{k}",
                "joint": {
                    "name": f"joint{k}",
                    "type": "revolute",
                    "axis": [0, 0, 1],
                    "point": [x, 0, 0],
                    "body_in_world": {"position": [x, 0, 0]},
                    **parent,
                    **joint,
                },
            }
        )
        x += length
    tool = {"name": "tool", "on": bodies[-1]["name"], "at": {"position": [lengths[-1], 0, 0]}}
    model = {"axode": 1, "name": "planar", "bodies": bodies, "frames": [tool]}
    return axode.Tree.from_text(json.dumps(model))


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
    found = axode.pseudo_inverse_times(m, V)
    np.testing.assert_allclose(found, np.linalg.pinv(scaled) @ weights @ V, atol=1e-11)
    damped = axode.damped_inverse_times(m, V, 0.1)
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
        axode.damped_inverse_times(m, V, 0)
    with pytest.raises(TypeError, match="rows"):
        axode.manipulability(J, rows=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="manipulability"):
        axode.pseudo_inverse_times((1, 2), V)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="belong together"):
        axode.pseudo_inverse_times(m._replace(axes=[]), V)


@pytest.mark.parametrize("factors", ["body_screws", "hybrid_screws", "zero_reference"])
@pytest.mark.parametrize("rep", REPS)
def test_system_jacobian(rep: axode.typing.Rep, factors: Any) -> None:
    tree = zoo()
    q, v, _ = state(tree)
    n = len(tree)
    J = axode.SystemJacobian(tree, q, rep, factors)
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
        (axode.apply_A(J, [y, y])[1], A @ y.ravel()),
    ]:
        np.testing.assert_allclose(found.ravel(), wanted, atol=1e-12)
    assert axode.dense_X(J).shape == (6 * n, tree.nv)
    assert "8 bodies" in repr(J)


def test_system_jacobian_keeps_its_tree_and_refuses_misuse() -> None:
    q = state(zoo())[0]
    J = axode.SystemJacobian(zoo(), q)
    assert np.isfinite(J.apply(np.ones(zoo().nv))).all()
    with pytest.raises(axode.Error, match="x"):
        J.apply_A(np.ones((3, 6)))
    with pytest.raises(axode.Error, match="factors"):
        axode.SystemJacobian(zoo(), q, "body", "none")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="one at a time"):
        axode.SystemJacobian(zoo(), [q, q])


@pytest.mark.parametrize("rep", REPS)
def test_overall_inverse(rep: axode.typing.Rep) -> None:
    tree = zoo()
    q, v, a = state(tree)
    V, A = axode.twists(tree, q, v, rep), axode.accelerations(tree, q, v, a, rep)
    found = axode.joint_velocities(tree, q, V, rep)
    np.testing.assert_allclose(found.v, v, atol=1e-12)
    assert found.residual < 1e-12 and not found.rank_deficient and found.joint == -1
    np.testing.assert_allclose(axode.joint_accelerations(tree, q, V, A, v, rep).a, a, atol=1e-12)

    random = np.random.default_rng(2)
    noisy = V + 1e-2 * random.uniform(-1, 1, V.shape)
    weights = random.uniform(0.5, 2, V.shape)
    best = axode.least_squares_velocities(tree, q, noisy, weights, rep)
    J = np.concatenate([axode.jacobian(tree, q, b, rep) for b in range(len(tree))])
    root = np.sqrt(weights).ravel()
    wanted, *_ = np.linalg.lstsq(root[:, None] * J, root * noisy.ravel(), rcond=None)
    np.testing.assert_allclose(best.v, wanted, atol=1e-12)
    assert best.residual == pytest.approx(np.linalg.norm(root * (J @ wanted - noisy.ravel())))
    # What is not measured may be NaN.
    weights[3:] = 0
    noisy[3:] = np.nan
    open_ = axode.least_squares_velocities(tree, q, noisy, weights, rep)
    assert open_.rank_deficient and open_.undetermined == tree.nv - 10 and open_.joint == 3
    with pytest.raises(axode.Error, match="weight zero"):
        axode.least_squares_velocities(tree, q, noisy, rep=rep)
    with pytest.raises(axode.Error, match="not finite"):
        axode.joint_velocities(tree, q, noisy, rep)
    with pytest.raises(axode.Error, match="(?i)negative|weight"):
        axode.least_squares_velocities(tree, q, V, -np.ones_like(V), rep)
    both = axode.joint_velocities(tree, np.stack([q, q]), np.stack([V, 2 * V]), rep)
    np.testing.assert_allclose(both.v, [v, 2 * v], atol=1e-12)
    assert np.shape(both.residual) == (2,) and list(np.ravel(both.joint)) == [-1, -1]


def test_batches_are_single_results() -> None:
    tree = zoo()
    n = 5
    Q = np.stack([tree.random(k) for k in range(n)])
    random = np.random.default_rng(0)
    V, A, J = random.uniform(-1, 1, (3, n, tree.nv))
    functions: list[tuple[Callable[..., np.ndarray], int]] = [
        (axode.twists, 1),
        (axode.accelerations, 2),
        (axode.jerks, 3),
        (lambda t, q: axode.jacobian(t, q, "tool", "mixed"), 0),
        (lambda t, q, v: axode.jacobian_rate(t, q, v, "tool"), 1),
        (lambda t, q, v: axode.jacobian_rate_times_velocity(t, q, v, "tool"), 1),
        (axode.spatial_columns, 0),
        (axode.spatial_column_rates, 1),
        (axode.centre_of_mass, 0),
        (axode.centre_of_mass_velocity, 1),
        (axode.centre_of_mass_acceleration, 2),
        (axode.centre_of_mass_jacobian, 0),
        (lambda t, q: axode.screw_partial_derivative(t, q, "screw", 12, []), 0),
    ]
    for f, derivatives in functions:
        arguments = [Q, V, A, J][: derivatives + 1]
        together = f(tree, *arguments)
        for k in range(n):
            np.testing.assert_array_equal(together[k], f(tree, *(x[k] for x in arguments)))
    # One argument for all states.
    np.testing.assert_array_equal(axode.twists(tree, Q[0], V), [axode.twists(tree, Q[0], v) for v in V])
    together = axode.twist_derivatives(tree, Q, np.stack([V, A], axis=1))
    np.testing.assert_array_equal(together[2], axode.twist_derivatives(tree, Q[2], [V[2], A[2]]))
    # Poses of batches go through vector registers: the same to rounding.
    many = np.stack([tree.random(k) for k in range(2100)])
    P = axode.poses(tree, many)
    assert P.shape == (2100, len(tree), 4, 4)
    for k in (0, 7, 1023, 1024, 2099):
        np.testing.assert_allclose(P[k], axode.poses(tree, many[k]), atol=1e-14)
    assert axode.poses(tree, many[:0]).shape == (0, len(tree), 4, 4)
    assert axode.twists(tree, many[:0], np.zeros(tree.nv)).shape == (0, len(tree), 6)


def test_a_tree_without_coordinates() -> None:
    weld = {"name": "b", "joint": {"type": "fixed", "body_in_world": {"position": [1, 2, 3]}}}
    tree = axode.Tree.from_text(json.dumps({"axode": 1, "name": "stone", "bodies": [weld]}))
    assert axode.poses(tree, np.zeros((4, 0))).shape == (4, 1, 4, 4)
    np.testing.assert_array_equal(axode.poses(tree, np.zeros((4, 0)))[3, 0, :3, 3], [1, 2, 3])
    np.testing.assert_array_equal(axode.poses(tree, [])[0, :3, 3], [1, 2, 3])
    assert axode.jacobian(tree, [], "b").shape == (6, 0)


def test_threads_share_a_tree() -> None:
    tree = zoo()
    Q = np.stack([tree.random(k) for k in range(50)])
    v = state(tree)[1]
    wanted = [axode.twists(tree, q, v, "mixed") for q in Q]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            found = list(pool.map(lambda q: axode.twists(tree, q, v, "mixed"), Q))
            np.testing.assert_array_equal(found, wanted)
            batches = list(pool.map(lambda _: axode.poses(tree, Q), range(4)))
            np.testing.assert_array_equal(batches[0], batches[3])


def test_joint_variables() -> None:
    limits = {"limits": {"lower": -1, "upper": 2}}
    tree = planar_arm((1, 1, 1), **limits)
    all_ = axode.JointVariables(tree)
    assert len(all_) == 3 and [x.velocity for x in all_.variables] == [0, 1, 2]
    assert all_.variables[0].upper == 2 and all_.variables[0].rotates
    free = axode.JointVariables(tree, hold=["joint1"])
    assert [x.velocity for x in free.variables] == [0, 2] and free.variable_of == [0, -1, 1]
    np.testing.assert_array_equal(all_.ratio, [1, 1, 1])
    q = np.array([0.5, -0.2, 1.9])
    lower, upper = axode.room(free, q)
    np.testing.assert_allclose(lower, [-1.5, -2.9])
    np.testing.assert_allclose(upper, [1.5, 0.1], atol=1e-15)
    np.testing.assert_allclose(axode.move(tree, free, q, [0.1, 1.0]), [0.6, -0.2, 2.0])
    np.testing.assert_array_equal(axode.enforce(tree, free, [5, 0, -5]), [2, 0, -1])
    axode.check_held(tree, free, q)
    with pytest.raises(axode.Error, match="outside its limits"):
        axode.check_held(tree, free, [0, 5, 0])
    start = axode.random_start(tree, free, q, 4)
    np.testing.assert_array_equal(start, axode.random_start(tree, free, q, seed=4))
    assert start[1] == q[1] and (start >= -1).all() and (start <= 2).all()
    idle = axode.JointVariables(tree, moves=[True, False, True])
    assert len(idle) == 2 and [x.velocity for x in idle.idle] == [1]
    with pytest.raises(axode.Error, match="another tree"):
        axode.enforce(planar_arm(), free, [0, 0])
    with pytest.raises(axode.Error, match="each of the 3 bodies"):
        axode.JointVariables(tree, moves=[True])
    with pytest.raises(axode.Error, match="each of the 2 variables"):
        axode.move(tree, free, q, [0.1])
    with pytest.raises(axode.Error, match="elbow"):
        axode.JointVariables(tree, hold=["elbow"])
    with pytest.raises(TypeError):
        axode.JointVariables(tree, hold="joint1")


def test_box_step() -> None:
    random = np.random.default_rng(8)
    for _ in range(50):
        n = int(random.integers(1, 8))
        root = random.uniform(-1, 1, (n, n))
        H, g = root.T @ root, random.uniform(-1, 1, n)
        H = (H + H.T) / 2
        lower, upper = -random.uniform(0, 1, n), random.uniform(0, 1, n)
        upper[random.uniform(size=n) < 0.3] = np.inf
        d, settled = axode.box_step(H, g, 0.1, lower, upper)
        assert settled and (d >= lower).all() and (d <= upper).all()
        gradient = (H + 0.1 * np.eye(n)) @ d + g
        inside = (d > lower) & (d < upper)
        np.testing.assert_allclose(gradient[inside], 0, atol=1e-12)
        assert (gradient[(d == lower) & (d < upper)] > -1e-12).all()
        assert (gradient[(d == upper) & (d > lower)] < 1e-12).all()
    with pytest.raises(axode.Error, match="hold zero"):
        axode.box_step(np.eye(2), [0, 0], 1, [1, 1], [2, 2])
    with pytest.raises(axode.Error, match="damping"):
        axode.box_step(np.eye(2), [0, 0], 0, [-1, -1], [2, 2])
    with pytest.raises(axode.Error, match="symmetric"):
        axode.box_step([[1, 2], [3, 4]], [0, 0], 1, [-1, -1], [2, 2])


def test_errors() -> None:
    tree = panda()
    q, v, a = state(tree)
    with pytest.raises(axode.Error, match=r"q: has shape \(3,\)"):
        axode.poses(tree, q[:3])
    with pytest.raises(axode.Error, match="v: "):
        axode.twists(tree, q, v[:2])
    with pytest.raises(axode.Error, match="finite"):
        axode.twists(tree, q, np.full(7, np.nan))
    with pytest.raises(axode.Error, match="finite"):
        axode.accelerations(tree, q, v, [np.inf] * 7)
    with pytest.raises(axode.Error, match="state 2"):
        axode.poses(tree, [q, q, q * np.nan])
    with pytest.raises(axode.Error, match="'world' is none of 'body'"):
        axode.twists(tree, q, v, "world")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="states"):
        axode.twists(tree, np.stack([q, q]), np.stack([v, v, v]))
    with pytest.raises(axode.Error, match="velocities"):
        axode.twist_derivatives(tree, q, v)
    with pytest.raises(axode.Error, match="57"):
        axode.twist_derivatives(tree, q, np.zeros((58, 7)))
    with pytest.raises(axode.Error, match="link"):
        axode.jacobian(tree, q, "lnk7")
    with pytest.raises(axode.Error, match="no body 7"):
        axode.centre_of_mass(tree, q, 7)
    with pytest.raises(axode.Error, match="no body -1"):
        axode.pose_by_body_screws(tree, q, -1)
    with pytest.raises(axode.Error, match="taylor|poses"):
        axode.taylor_pose(np.eye(4), 0, 0.1)
    with pytest.raises(axode.Error, match="dt"):
        axode.taylor_pose(axode.pose_derivatives(tree, q, [v]), 0, np.inf)
    for bad in (None, "q", {}, [None] * 7, [1 + 2j] * 7, np.zeros(7, np.float32)):
        with pytest.raises(TypeError):
            axode.poses(tree, bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        axode.poses(None, q)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        axode.pose_by_body_screws(tree, q, None)  # type: ignore[arg-type]
