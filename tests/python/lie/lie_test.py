"""Rotations and poses: products, exponentials and logarithms, adjoints.

Reference vectors and tolerances are those of the C++ tests; other values by NumPy on matrices.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array

DATA = Path(__file__).parents[2] / "data"
LIE = json.loads((DATA / "lie_se3.json").read_text())["states"]
BOOK = json.loads((DATA / "modern_robotics.json").read_text())["functions"]


def near(a: Any, b: Any, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=0, atol=tolerance)


def random_twists(count: int, seed: int = 1) -> Array:
    twists: Array = np.random.default_rng(seed).uniform(-1.5, 1.5, (count, 6))
    return twists


def random_poses(count: int, seed: int = 2) -> list[axode.lie.SE3]:
    return [axode.lie.exp(X) for X in random_twists(count, seed)]


# Reference vectors


@pytest.mark.parametrize("state", LIE, ids=lambda s: s["label"])
def test_se3_reference_vectors(state: dict[str, Any]) -> None:
    X, T = state["X"], axode.lie.exp(state["X"])
    near(T, state["exp"], 2e-15)
    near(axode.lie.log(T), state["log"], 4e-15)
    near(axode.lie.log(np.array(T)), state["log"], 4e-15)
    near(axode.lie.Ad_matrix(T), state["Ad"], 4e-15)
    near(axode.lie.ad_matrix(X), state["ad_X"], 0)
    near(axode.lie.ad(X, state["Y"]), state["bracket_XY"], 1e-15)
    near(axode.lie.left_jacobian(X), state["dexp"], 1e-13)
    near(axode.lie.right_jacobian(X), state["dexp_minus"], 1e-13)
    near(axode.lie.left_jacobian_inverse(X), state["dexp_inv"], 1e-13)
    near(axode.lie.left_jacobian(X) @ state["Y"], state["dexp_Y"], 1e-13)


def test_book_examples() -> None:
    def example(name: str) -> tuple[dict[str, Any], Any]:
        return BOOK[name]["inputs"], BOOK[name]["documented_output"]

    given, wanted = example("MatrixLog6")
    near(axode.lie.hat(axode.lie.log(given["T"])), wanted, 5e-9)
    given, wanted = example("Adjoint")
    near(axode.lie.Ad_matrix(given["T"]), wanted, 0)
    given, wanted = example("VecTose3")
    near(axode.lie.hat(given["V"]), wanted, 0)
    near(axode.lie.vee(wanted), given["V"], 0)
    given, wanted = example("VecToso3")
    near(axode.lie.skew(given["omg"]), wanted, 0)
    near(axode.lie.unskew(wanted), given["omg"], 0)
    given, wanted = example("TransInv")
    near(axode.lie.SE3(given["T"]).inverse(), wanted, 0)
    given, wanted = example("ad")
    near(axode.lie.ad_matrix(given["V"]), wanted, 0)


# Poses and rotations


def test_a_pose_is_made_from_a_matrix_or_its_parts() -> None:
    R = axode.rotation_about(2, math.pi / 2)
    T = axode.lie.SE3(R=R, p=[1, 2, 3])
    near(T.matrix, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], 2.3e-16)
    assert axode.lie.SE3(T.matrix) == T == axode.lie.SE3(T) == axode.lie.pose_from_matrix(T)
    assert axode.lie.SE3(R=T.R, p=T.p) == T
    near(axode.lie.SE3(R=axode.lie.to_quaternion(R), p=T.p), T, 3e-16)
    assert axode.lie.SE3() == axode.lie.SE3.identity() == axode.lie.SE3(np.eye(4))
    assert axode.lie.SE3(p=T.p) == axode.translation([1, 2, 3]) != T
    assert axode.lie.SO3(T.R) == R == axode.lie.SO3(R.matrix) and axode.lie.SO3() == axode.lie.SO3.identity()


def test_products_are_those_of_the_matrices() -> None:
    for A, B in zip(random_poses(20), random_poses(20, 3)):
        near(A * B, A.matrix @ B.matrix, 1e-15)
        assert A @ B == A * B
        near(A * A.inverse(), np.eye(4), 2e-15)
        assert axode.lie.inverse(A) == A.inverse()
        near(axode.lie.inverse_times(A, B), np.linalg.inv(A.matrix) @ B.matrix, 4e-15)
        R, S = axode.lie.SO3(A.R), axode.lie.SO3(B.R)
        near(R * S, A.R @ B.R, 1e-15)
        assert R @ S == R * S
        near(R * R.inverse(), np.eye(3), 1e-15)
        near(axode.lie.inverse_times(R, S), A.R.T @ B.R, 1e-15)


def test_points_in_any_number() -> None:
    T = random_poses(1)[0]
    points = np.random.default_rng(0).normal(size=(4, 5, 3))
    near(T * points, points @ T.R.T + T.p, 1e-15)
    near(T @ points, T * points, 0)
    near(T * points[1, 2], T.R @ points[1, 2] + T.p, 1e-15)
    near(T * [1, 2, 3], T.R @ [1, 2, 3] + T.p, 1e-15)
    near(axode.lie.SO3(T.R) * points, points @ T.R.T, 1e-15)
    assert (T * np.empty((0, 3))).shape == (0, 3)
    near(T * points[:, ::-1], (T * points)[:, ::-1], 0)  # another layout


def test_poses_in_any_number() -> None:
    T, others = random_poses(1)[0], np.array(random_poses(6, 3)).reshape(2, 3, 4, 4)
    near(T * others, T.matrix @ others, 1e-15)


def test_numpy_takes_them() -> None:
    T = random_poses(1)[0]
    assert np.array_equal(np.asarray(T), T.matrix) and np.allclose(T, T.matrix)
    assert np.array(T, dtype=np.float32).dtype == np.float32
    assert np.asarray([T, T]).shape == (2, 4, 4)
    near(np.linalg.inv(T), T.inverse(), 4e-15)
    near(axode.lie.to_quaternion(T.R), np.asarray(axode.lie.to_quaternion(np.array(T.R))), 0)


def test_inexact_rotations_are_mended_and_others_refused() -> None:
    R = axode.lie.exp([0.3, -0.2, 0.5]).matrix
    rounded = np.round(R, 7)
    assert axode.lie.orthogonality_error(rounded) > 1e-9
    mended = axode.lie.SO3(rounded)
    assert axode.lie.orthogonality_error(mended) < 1e-15
    near(mended, R, 1e-7)
    near(axode.lie.SE3(R=rounded).R, mended, 0)
    with pytest.raises(axode.Error, match=r"differs from the identity by .* \(allowed: 2.22e-10\)"):
        axode.lie.rotation_from_matrix(rounded)
    assert axode.lie.rotation_from_matrix(rounded, 1e-6).matrix.tolist() == rounded.tolist()
    with pytest.raises(axode.Error, match=r"^R: a rotation matrix is not orthonormal: .* = 0.21;"):
        axode.lie.SE3(R=np.diag([1.1, 1, 1]))
    with pytest.raises(axode.Error, match="^matrix: a rotation matrix"):
        axode.lie.SE3(np.diag([1, 1, -1, 1]))
    with pytest.raises(axode.Error, match="^T: a rotation matrix"):
        axode.lie.Ad(np.diag([1, 2, 1, 1]), np.ones(6))
    with pytest.raises(axode.Error, match="reflection"):
        axode.lie.rotation_from_matrix(np.diag([1, 1, -1]))


def test_nearest_rotation() -> None:
    M = np.random.default_rng(3).normal(size=(3, 3))
    U, _, V = np.linalg.svd(M)
    wanted = U @ np.diag([1, 1, np.linalg.det(U @ V)]) @ V
    found = axode.lie.nearest_rotation(M)
    near(found.rotation, wanted, 1e-14)
    assert found.unique and found.distance == pytest.approx(np.linalg.norm(M - wanted))
    assert not axode.lie.nearest_rotation(np.zeros((3, 3))).unique


# Exponential and logarithm


def test_stacks_are_each_item_by_itself() -> None:
    X = random_twists(12).reshape(3, 4, 6)
    T = axode.lie.exp(X)
    assert T.shape == (3, 4, 4, 4)
    near(T[1, 2], axode.lie.exp(X[1, 2]), 0)
    near(axode.lie.log(T), X, 1e-14)
    R = axode.lie.exp(X[..., :3])
    near(R, T[..., :3, :3], 1e-15)
    near(axode.lie.log(R), X[..., :3], 1e-14)
    for jacobian in (
        axode.lie.left_jacobian,
        axode.lie.right_jacobian,
        axode.lie.left_jacobian_inverse,
        axode.lie.right_jacobian_inverse,
    ):
        J = jacobian(X)
        assert J.shape == (3, 4, 6, 6)
        near(J[2, 1], jacobian(X[2, 1]), 0)
        near(J[..., :3, :3], jacobian(X[..., :3]), 1e-15)
    near(
        axode.lie.left_jacobian(X) @ axode.lie.left_jacobian_inverse(X),
        np.broadcast_to(np.eye(6), (3, 4, 6, 6)),
        6e-15,
    )
    near(axode.lie.right_jacobian(X), axode.lie.left_jacobian(-X), 0)
    assert axode.lie.exp(np.empty((0, 6))).shape == (0, 4, 4)


def test_one_item_is_an_object() -> None:
    assert isinstance(axode.lie.exp(np.zeros(6)), axode.lie.SE3)
    assert isinstance(axode.lie.exp(np.zeros(3)), axode.lie.SO3)
    assert axode.lie.exp([0, 0, 0]) == axode.lie.SO3()


@pytest.mark.parametrize(
    "angle", [0, 5e-324, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 1e-2, 1, 3, math.pi - 1e-9]
)
def test_small_and_large_angles(angle: float) -> None:
    e = np.array([2.0, -3.0, 6.0]) / 7
    X = np.concatenate([angle * e, [0.5, -0.25, 2]])
    back = axode.lie.log(axode.lie.exp(X))
    near(back, X, 4e-15 * max(1.0, angle))
    near(back[:3], X[:3], 4e-15 * angle + 5e-324)
    near(axode.lie.log(axode.lie.exp(X[:3])), X[:3], 4e-15 * angle + 5e-324)
    q = axode.lie.quaternion_exp(X[:3])
    near(axode.lie.log(q), X[:3], 4e-15 * angle + 5e-324)
    near(axode.lie.SO3(q), axode.lie.exp(X[:3]), 1e-15)


def test_half_turns_have_the_largest_component_positive() -> None:
    near(axode.lie.log(np.diag([-1, 1, -1])), [0, math.pi, 0], 0)
    near(axode.lie.log(axode.lie.exp([0, 0, -math.pi])), [0, 0, math.pi], 2e-15)


def test_jacobians_are_derivatives_of_exp() -> None:
    d = 1e-6
    for X in random_twists(5):
        for k in range(6):
            step = d * np.eye(6)[k]
            plus, minus, T = axode.lie.exp(X + step), axode.lie.exp(X - step), axode.lie.exp(X)
            rate = axode.lie.vee((plus.matrix - minus.matrix) / (2 * d) @ T.inverse().matrix)
            near(rate, axode.lie.left_jacobian(X)[:, k], 2e-9)


def test_interpolation_and_distance() -> None:
    a, b = random_poses(2)
    t = np.linspace(0, 1, 5)
    between = axode.lie.interpolate(a, b, t)
    near(between[0], a, 1e-15)
    near(between[-1], b, 1e-14)
    for i, s in enumerate(t):
        m = axode.lie.interpolate(a, b, float(s))
        near(m, between[i], 0)
        assert axode.lie.distance(a, m, 0.5) == pytest.approx(s * axode.lie.distance(a, b, 0.5), abs=1e-13)
    R, S = axode.lie.SO3(a.R), axode.lie.SO3(b.R)
    near(axode.lie.interpolate(R, S, t)[2], axode.lie.interpolate(R, S, 0.5), 0)
    assert axode.lie.distance(R, S) == pytest.approx(np.linalg.norm(axode.lie.log(R.inverse() * S)))
    T = axode.lie.exp([0, 0, 0.3, 0, 0, 1.2])
    assert axode.lie.distance(axode.lie.SE3(), T, 3) == pytest.approx(1.5, abs=1e-15)


# Adjoints


def test_adjoint_maps_are_their_matrices() -> None:
    T, (X, Y) = random_poses(1)[0], random_twists(2)
    many = random_twists(6, 5).reshape(2, 3, 6)
    Ad, ad = axode.lie.Ad_matrix(T), axode.lie.ad_matrix(X)
    maps: list[tuple[Callable[..., Array], Any]] = [
        (axode.lie.Ad, Ad),
        (axode.lie.Ad_inverse, np.linalg.inv(Ad)),
        (axode.lie.Ad_transpose, Ad.T),
        (axode.lie.Ad_inverse_transpose, np.linalg.inv(Ad).T),
    ]
    for function, M in maps:
        near(function(T, Y), M @ Y, 1e-14)
        near(function(T.matrix, many), many @ M.T, 1e-14)
    near(axode.lie.ad(X, many), many @ ad.T, 1e-14)
    near(axode.lie.ad_transpose(X, many), many @ ad, 1e-14)
    assert axode.lie.ad_transpose(X, Y) @ X == pytest.approx(Y @ axode.lie.ad(X, X), abs=1e-14)


def test_the_instruction_set_is_one_known() -> None:
    assert axode.core.best_instruction_set() in ("baseline", "avx2", "avx512")
