"""Parametrisations of rotations, dual numbers and groups, and all of them as values of Python."""

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode

DUAL = json.loads((Path(__file__).parents[2] / "data" / "dual_groups.json").read_text())
ORDERS: list[axode.typing.EulerOrder] = [
    "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
]  # fmt: skip


def near(a: Any, b: Any, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=0, atol=tolerance)


# Parametrisations


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_there_and_back(order: axode.typing.EulerOrder) -> None:
    proper = order[0] == order[2]
    angles = np.array([0.4, 1.1 if proper else -0.7, -2.0])
    R = axode.lie.rotation_from_euler_angles(order, angles)
    product = np.eye(3)
    for axis, angle in zip(order, angles):
        product = product @ axode.rotation_about("xyz".index(axis), angle).matrix
    near(R, product, 1e-15)
    found = axode.lie.to_euler_angles(R, order)
    near(found.angles, angles, 1e-14)
    assert not found.singular
    locked = axode.lie.rotation_from_euler_angles(order, [0.4, 0 if proper else math.pi / 2, 0.2])
    at = axode.lie.to_euler_angles(locked, order)
    assert at.singular and at.angles[2] == 0
    near(axode.lie.rotation_from_euler_angles(order, at.angles), locked, 1e-15)


def test_axis_angle_quaternion_and_roll_pitch_yaw() -> None:
    R = axode.lie.rotation_from_axis_angle([0, 0, 7], 0.5)
    near(R.matrix[0], [math.cos(0.5), -math.sin(0.5), 0], 1.2e-16)
    axis, angle = axode.lie.to_axis_angle(R)
    near(axis, [0, 0, 1], 1e-16)
    assert angle == pytest.approx(0.5, abs=1e-15)
    assert axode.lie.to_axis_angle(axode.lie.SO3()).axis.tolist() == [0, 0, 1]
    q = axode.lie.to_quaternion(R)
    near(q, [math.cos(0.25), 0, 0, math.sin(0.25)], 2e-16)
    near(axode.lie.rotation_from_quaternion([2 * q.w, *(2 * q.v)]), R, 3e-16)
    near(axode.lie.rotation_from_euler_parameters(axode.lie.to_euler_parameters(R)), R, 3e-16)
    near(q * axode.lie.conjugate(q), [1, 0, 0, 0], 2e-16)
    near(q * q, axode.lie.to_quaternion(R * R), 2e-16)
    assert axode.lie.squared_norm(axode.lie.Quaternion(3, [0, 4, 0])) == 25
    near(axode.lie.normalized(axode.lie.Quaternion(3e200, [0, 4e200, 0])), [0.6, 0, 0.8, 0], 1.2e-16)
    near(-q, -np.asarray(q), 0)
    rpy = [0.1, -0.2, 0.3]
    S = axode.lie.rotation_from_roll_pitch_yaw(*rpy)
    near(S, axode.lie.rotation_from_euler_angles("zyx", rpy[::-1]), 0)
    near(axode.lie.to_roll_pitch_yaw(S), rpy, 1e-15)


# Dual numbers and groups


@pytest.mark.parametrize("state", DUAL)
def test_dual_group_reference_vectors(state: dict[str, Any]) -> None:
    w, t = state["omega_hat"], state["omega_hat"] + state["v0_hat"]
    X, Y = axode.lie.exp_g1(w), axode.lie.exp_g2(t)
    near(X.matrix, state["expG1"], 2e-15)
    near(axode.lie.left_jacobian(w), state["left_jacobian_G1"], 2e-15)
    near(axode.lie.log(X), w, 4e-15)
    near(Y.matrix, state["expG2"], 4e-15)
    near(axode.lie.Ad_matrix(Y), state["AdG2"], 1e-14)
    near(axode.lie.log(Y), t, 1e-14)


def test_dual_numbers_differentiate() -> None:
    x = axode.lie.Dual(0.7, 1)

    def f(y: Any) -> Any:
        return np.sin(y * y) / (2 + np.cos(y)) + np.sqrt(3 - y) * np.arctan2(y, 1 + y) - 1 / y

    h = 1e-6
    value = f(np.array([x], dtype=object))[0]
    assert value.real == pytest.approx(f(0.7), abs=1e-15)
    assert value.dual == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), abs=1e-9)
    many = np.array([x, axode.lie.Dual(2, -1)])
    assert [y.dual for y in np.sin(many)] == [math.cos(0.7), -math.cos(2)]
    product = many @ many
    assert (product.real, product.dual) == pytest.approx((4.49, 1.4 - 4))
    assert abs(axode.lie.Dual(-2, 3)).dual == -3 and (-x).dual == -1 and (+x).dual == 1


def test_dual_numbers_compare_by_their_real_part() -> None:
    assert axode.lie.Dual(1, 5) == axode.lie.Dual(1, 7) and axode.lie.Dual(1) < 2 <= axode.lie.Dual(2)
    assert axode.lie.Dual(3) > axode.lie.Dual(2) and axode.lie.Dual(1) != 2 and axode.lie.Dual(2) >= 2
    assert axode.lie.Dual(1) != "1"


def test_dual_groups_are_their_matrices() -> None:
    random = np.random.default_rng(4)
    s, t, v = random.normal(size=(3, 12))
    X, Y = axode.lie.exp_g1(s[:6]), axode.lie.exp_g1(t[:6])
    near((X * Y).matrix, X.matrix @ Y.matrix, 1e-14)
    near(X * v[:6], X.matrix @ v[:6], 1e-14)
    near(axode.lie.inverse(X).matrix, np.linalg.inv(X.matrix), 1e-14)
    A, B = axode.lie.exp_g2(s), axode.lie.exp_g2(t)
    near((A * B).matrix, A.matrix @ B.matrix, 2e-14)
    near(axode.lie.inverse(A).matrix @ A.matrix, np.eye(7), 2e-14)
    near(axode.lie.Ad(A, v), axode.lie.Ad_matrix(A) @ v, 2e-14)
    assert axode.lie.G1(X.A, X.theta) == X and axode.lie.G2(A.X, A.v) == A != B
    assert axode.lie.G2() == axode.lie.G2.identity() and axode.lie.G1() == axode.lie.G1.identity()
    # Ad_{exp t} v = v + [t, v] + ... to first order in t
    h = 1e-7
    near((axode.lie.Ad(axode.lie.exp_g2(h * t), v) - v) / h, axode.lie.ad_matrix(t) @ v, 1e-5)


# Values of Python


VALUES = [
    axode.lie.exp([0.1, 0.2, 0.3, 1, 2, 3]),
    axode.lie.exp([0.1, 0.2, 0.3]),
    axode.lie.Quaternion(0.5, [0.5, -0.5, 0.5]),
    axode.lie.Dual(1, 2),
    axode.lie.exp_g1(np.arange(6) / 7),
    axode.lie.exp_g2(np.arange(12) / 7),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_values_pickle_copy_compare_and_show(value: Any) -> None:
    for same in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert same == value and type(same) is type(value) and repr(same) == repr(value)
    assert (value == "other") is False and value != None  # noqa: E711
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)
    names = {k: getattr(axode.lie, k) for k in ("SE3", "SO3", "Quaternion", "Dual", "G1", "G2")}
    assert type(eval(repr(value), names)) is type(value)


@pytest.mark.parametrize(
    "kind", [axode.lie.SE3, axode.lie.SO3, axode.lie.Quaternion, axode.lie.Dual, axode.lie.G1, axode.lie.G2]
)
def test_broken_pickles_do_not_crash(kind: Any) -> None:
    for state in ([], [1.0], None, "abc", ["a"] * 12):
        with pytest.raises((TypeError, ValueError)):
            kind.__new__(kind).__setstate__(state)
