"""Poses, motions and Jacobians against differences and each other; batches, threads, errors."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import numpy as np
import pytest

import axode
from kinematics_trees import BY_DIFFERENCES, panda, slope, state, zoo
from reference_tree import REPS


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
        J_rate = slope(
            lambda t: axode.jacobian(tree, tree.integrate(q, t * v), of, rep)  # noqa: B023
        )
        found = axode.jacobian_rate(tree, q, v, of, rep)
        np.testing.assert_allclose(found, J_rate, atol=BY_DIFFERENCES)
        bias = axode.kinematics.jacobian_rate_times_velocity(tree, q, v, of, rep)
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
    columns, rates = axode.kinematics.spatial_columns(tree, q), axode.kinematics.spatial_column_rates(tree, q, v)
    for body in range(len(tree)):
        J = axode.jacobian(tree, q, body, "spatial")
        on_path = np.abs(J).sum(axis=0) > 0
        np.testing.assert_allclose(J[:, on_path], columns[:, on_path], atol=1e-14)
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

    def acceleration(t: float) -> np.ndarray:
        x = after(t)
        return axode.accelerations(tree, x[0], x[1], x[2], rep)

    def jerk_after(t: float) -> np.ndarray:
        x = after(t)
        return axode.kinematics.jerks(tree, x[0], x[1], x[2], x[3], rep)

    jerk = slope(acceleration)
    np.testing.assert_allclose(axode.kinematics.jerks(tree, q, v, a, j, rep), jerk, atol=1e-7)
    snap = slope(jerk_after)
    np.testing.assert_allclose(axode.kinematics.snaps(tree, q, v, a, j, s, rep), snap, atol=1e-6)
    all_ = axode.kinematics.twist_derivatives(tree, q, np.stack([v, a, j, s]), rep)
    assert all_.shape == (7, 4, 6)
    np.testing.assert_allclose(all_[:, 0], axode.twists(tree, q, v, rep), atol=1e-13)
    np.testing.assert_allclose(all_[:, 2], axode.kinematics.jerks(tree, q, v, a, j, rep), atol=1e-12)


def test_pose_derivatives_and_taylor_polynomials() -> None:
    tree = panda()
    q, v, _ = state(tree)
    constant = np.zeros((9, tree.nv))
    constant[0] = v
    D = axode.kinematics.pose_derivatives(tree, q, constant)
    assert D.shape == (7, 10, 4, 4)
    np.testing.assert_allclose(D[:, 0], axode.poses(tree, q), atol=1e-14)
    np.testing.assert_array_equal(D[:, 1:, 3], np.zeros((7, 9, 4)))
    rate = slope(lambda t: axode.poses(tree, q + t * v))
    np.testing.assert_allclose(D[:, 1], rate, atol=BY_DIFFERENCES)
    dt = 0.1
    exact = axode.poses(tree, q + dt * v)
    errors = [
        np.abs(axode.kinematics.taylor_pose(D[:, : k + 1], 6, dt) - exact[6]).max() for k in (1, 3, 5, 9)
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
            found = axode.kinematics.jacobian_partial_derivative(tree, q, body, [k], rep)
            np.testing.assert_allclose(found, by_k, atol=BY_DIFFERENCES)
            column = axode.kinematics.screw_partial_derivative(tree, q, body, 2, [k], rep)
            np.testing.assert_array_equal(column, found[:, 2])
    second = slope(
        lambda t: axode.kinematics.jacobian_partial_derivative(tree, q + t * unit[1], "link7", [3], rep)
    )
    found = axode.kinematics.jacobian_partial_derivative(tree, q, "link7", [3, 1], rep)
    np.testing.assert_allclose(found, second, atol=BY_DIFFERENCES)
    itself = axode.kinematics.jacobian_partial_derivative(tree, q, "link7", [], rep)
    np.testing.assert_allclose(itself, axode.jacobian(tree, q, "link7", rep), atol=1e-14)
    with pytest.raises(axode.Error, match="there is no"):
        axode.kinematics.screw_partial_derivative(tree, q, "link7", 9, [])


def test_batches_are_single_results() -> None:
    tree = zoo()
    n = 5
    Q = np.stack([tree.random(k) for k in range(n)])
    random = np.random.default_rng(0)
    V, A, J = random.uniform(-1, 1, (3, n, tree.nv))
    functions: list[tuple[Callable[..., np.ndarray], int]] = [
        (axode.twists, 1),
        (axode.accelerations, 2),
        (axode.kinematics.jerks, 3),
        (lambda t, q, v: axode.jacobian_rate(t, q, v, "tool"), 1),
        (lambda t, q, v: axode.kinematics.jacobian_rate_times_velocity(t, q, v, "tool"), 1),
        (axode.kinematics.spatial_columns, 0),
        (axode.kinematics.spatial_column_rates, 1),
        (axode.centre_of_mass, 0),
        (axode.kinematics.centre_of_mass_velocity, 1),
        (axode.kinematics.centre_of_mass_acceleration, 2),
        (axode.centre_of_mass_jacobian, 0),
        (lambda t, q: axode.kinematics.screw_partial_derivative(t, q, "screw", 12, []), 0),
    ]
    for f, derivatives in functions:
        arguments = [Q, V, A, J][: derivatives + 1]
        together = f(tree, *arguments)
        for k in range(n):
            np.testing.assert_array_equal(together[k], f(tree, *(x[k] for x in arguments)))
    # One argument for all states.
    one_by_one = [axode.twists(tree, Q[0], v) for v in V]
    np.testing.assert_array_equal(axode.twists(tree, Q[0], V), one_by_one)
    together = axode.kinematics.twist_derivatives(tree, Q, np.stack([V, A], axis=1))
    np.testing.assert_array_equal(together[2], axode.kinematics.twist_derivatives(tree, Q[2], [V[2], A[2]]))
    # Poses and Jacobians of batches go through vector registers: the same to rounding.
    many = np.stack([tree.random(k) for k in range(2100)])
    P = axode.poses(tree, many)
    assert P.shape == (2100, len(tree), 4, 4)
    for k in (0, 7, 1023, 1024, 2099):
        np.testing.assert_allclose(P[k], axode.poses(tree, many[k]), atol=1e-14)
    for rep in REPS:
        for of in ("tool", "screw", "base"):
            all_J = axode.jacobian(tree, many, of, rep)
            for k in (0, 511, 512, 2099):
                wanted = axode.jacobian(tree, many[k], of, rep)
                np.testing.assert_allclose(all_J[k], wanted, atol=1e-13)
    assert (axode.jacobian(tree, many[:3], "world") == 0).all()
    assert axode.jacobian(tree, many[:0], "tool").shape == (0, 6, tree.nv)
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
        axode.kinematics.twist_derivatives(tree, q, v)
    with pytest.raises(axode.Error, match="57"):
        axode.kinematics.twist_derivatives(tree, q, np.zeros((58, 7)))
    with pytest.raises(axode.Error, match="link"):
        axode.jacobian(tree, q, "lnk7")
    with pytest.raises(axode.Error, match="no body 7"):
        axode.centre_of_mass(tree, q, 7)
    with pytest.raises(axode.Error, match="no body -1"):
        axode.kinematics.pose_by_body_screws(tree, q, -1)
    with pytest.raises(axode.Error, match="taylor|poses"):
        axode.kinematics.taylor_pose(np.eye(4), 0, 0.1)
    with pytest.raises(axode.Error, match="dt"):
        axode.kinematics.taylor_pose(axode.kinematics.pose_derivatives(tree, q, [v]), 0, np.inf)
    bad: Any
    with pytest.raises(axode.Error, match="^state 0: the result is not finite; give smaller"):
        axode.accelerations(tree, [q, q], v * 1e200, a)
    for bad in (None, "q", {}, [None] * 7, [1 + 2j] * 7, np.zeros(7, np.float32)):
        with pytest.raises(TypeError):
            axode.poses(tree, bad)
    with pytest.raises(TypeError):
        axode.poses(None, q)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        axode.kinematics.pose_by_body_screws(tree, q, None)  # type: ignore[arg-type]
