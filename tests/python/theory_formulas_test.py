"""Formulas of docs/theory that the library does not compute as they stand, against what it does.

Sums over paths and recursions of columns of [MuellerKin] and [MuellerDyn], on a tree of revolute,
sliding and screw joints with a branch. Everything is of order one, so that tolerances are absolute.
"""

import json
from typing import Any

import numpy as np
import pytest

import axode
from kinematics_trees import BY_DIFFERENCES, pose, slope

TOLERANCE = 1e-12  # some hundred products and sums of numbers below 10
Vector = np.ndarray


def ad(X: Vector) -> Vector:
    return np.asarray(axode.lie.ad_matrix(X))


def bracket(X: Vector, Y: Vector) -> Vector:
    return np.asarray(ad(X) @ Y)


def ad_w(w: Vector) -> Vector:
    return ad(np.concatenate([w, np.zeros(3)]))


def ad_v(v: Vector) -> Vector:
    return ad(np.concatenate([np.zeros(3), v]))


def Ad_r(r: Vector) -> Vector:
    return np.asarray(axode.lie.Ad_matrix(axode.translation(r)))


def blocks(A: Vector, B: Vector, lower_left: Vector | None = None) -> Vector:
    lower = np.zeros((3, 3)) if lower_left is None else lower_left
    return np.block([[A, np.zeros((3, 3))], [lower, B]])


class Motion:
    """All quantities of one state of a tree, by the library."""

    def __init__(self) -> None:
        joints: list[dict[str, Any]] = [
            {"type": "revolute", "axis": [1, 2, 3], "point": [0.1, 0, 0.2]},
            {"type": "helical", "axis": [0, 1, 1], "pitch": 0.3, "parent": "b0"},
            {"type": "prismatic", "axis": [1, -1, 2], "parent": "b1"},
            {"type": "revolute", "axis": [3, 0, 1], "point": [0, 0.3, 0.1], "parent": "b2"},
            {"type": "revolute", "axis": [0, 0, 1], "parent": "b1"},
        ]
        place = {"given_in": "body", "body_in_parent": pose(0.3, -0.5, 0.4)}
        inertia = {"mass": 1, "about_com": [1, 1, 1]}
        bodies = [
            {"name": f"b{i}", "joint": place | j, "inertia": inertia} for i, j in enumerate(joints)
        ]
        self.tree = axode.Tree.from_text(json.dumps({"axode": 1, "name": "t", "bodies": bodies}))
        self.n = len(bodies)
        self.parent = [self.tree.bodies[i].parent for i in range(self.n)]
        random = np.random.default_rng(7)
        self.q, self.v, self.a, self.j = random.uniform(-1, 1, (4, self.n))
        T = axode.poses(self.tree, self.q)
        self.R, self.r = T[:, :3, :3], T[:, :3, 3]
        self.X = [axode.model.joint_screws(self.tree, i, self.q)[0] for i in range(self.n)]
        self.X0 = [blocks(R, R) @ X for R, X in zip(self.R, self.X)]  # in world axes
        self.J_s = [axode.kinematics.spatial_columns(self.tree, self.q)[:, j] for j in range(self.n)]

    def path(self, i: int) -> list[int]:
        return [*self.path(self.parent[i]), i] if i >= 0 else []

    def columns(self, i: int, rep: axode.typing.Rep) -> Vector:
        return np.asarray(axode.jacobian(self.tree, self.q, i, rep).T)

    def twists(self, rep: axode.typing.Rep) -> Vector:
        return np.asarray(axode.twists(self.tree, self.q, self.v, rep))

    def accelerations(self, rep: axode.typing.Rep) -> Vector:
        return np.asarray(axode.accelerations(self.tree, self.q, self.v, self.a, rep))

    def jerks(self, rep: axode.typing.Rep) -> Vector:
        return np.asarray(axode.kinematics.jerks(self.tree, self.q, self.v, self.a, self.j, rep))


@pytest.fixture(scope="module")
def m() -> Motion:
    return Motion()


def equal(found: Vector, expected: Vector) -> None:
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


def test_columns_from_those_of_the_parent(m: Motion) -> None:
    """[MuellerKin (19), (41), (51) corrected]"""
    for i in range(1, m.n):
        p = m.parent[i]
        R_ip, r_ip = m.R[i].T @ m.R[p], m.r[p] - m.r[i]
        T_ip = axode.lie.SE3(R=R_ip, p=m.R[i].T @ r_ip)
        steps: dict[axode.typing.Rep, tuple[Vector, Vector]] = {
            "body": (np.asarray(axode.lie.Ad_matrix(T_ip)), m.X[i]),
            "hybrid": (Ad_r(r_ip), m.X0[i]),
            "mixed": (
                blocks(R_ip, np.eye(3), axode.lie.skew(r_ip) @ m.R[p]),
                blocks(m.R[i].T, np.eye(3)) @ m.X0[i],
            ),
        }
        for rep, (step, own) in steps.items():
            J, J_p = m.columns(i, rep), m.columns(p, rep)
            equal(J[i], own)
            for j in m.path(p):
                equal(J[j], step @ J_p[j])


def test_body_accelerations_and_jerks_as_sums(m: Motion) -> None:
    """[MuellerDyn (6), (13) corrected]"""
    A, jerk, v, a = m.accelerations("body"), m.jerks("body"), m.v, m.a
    for i in range(m.n):
        J, path = m.columns(i, "body"), m.path(i)
        sum_A, sum_jerk = m.a @ J, m.j @ J
        for j, k in ((j, k) for j in path for k in path if j < k):
            jk = bracket(J[j], J[k])
            sum_A = sum_A + jk * v[j] * v[k]
            sum_jerk = sum_jerk + jk * (2 * a[j] * v[k] + v[j] * a[k])
            sum_jerk = sum_jerk + bracket(jk, J[k]) * v[j] * v[k] ** 2
            for r in (r for r in path if r > k):
                sum_jerk = sum_jerk + 2 * bracket(jk, J[r]) * v[j] * v[k] * v[r]
        equal(sum_A, A[i])
        equal(sum_jerk, jerk[i])


def test_spatial_accelerations_and_jerks_as_sums(m: Motion) -> None:
    """[MuellerDyn (17), (21), (22)]"""
    V, A, jerk = m.twists("spatial"), m.accelerations("spatial"), m.jerks("spatial")
    J, v, a = m.J_s, m.v, m.a
    for i in range(m.n):
        sum_A, sum_21, sum_22 = np.zeros((3, 6))
        for j in m.path(i):
            V_p = V[m.parent[j]] if m.parent[j] >= 0 else np.zeros(6)
            VJ = bracket(V[j], J[j])
            along = sum(J[k] * a[k] for k in m.path(j))
            common = J[j] * m.j[j] + 2 * VJ * a[j]
            sum_A = sum_A + J[j] * a[j] + VJ * v[j]
            sum_21 = sum_21 + common
            sum_21 = sum_21 + (bracket(along, J[j]) + bracket(V_p + V[j] - V[i], VJ)) * v[j]
            sum_22 = sum_22 + common + bracket(VJ, V[i] - 2 * V[j]) * v[j]
            sum_22 = sum_22 + bracket(along + VJ * v[j], J[j]) * v[j]
        equal(sum_A, A[i])
        equal(sum_21, jerk[i])
        equal(sum_22, jerk[i])


def test_hybrid_accelerations_by_other_recursions(m: Motion) -> None:
    """[MuellerDyn (73), (74)]"""
    V, A = m.twists("hybrid"), m.accelerations("hybrid")
    for i in range(1, m.n):
        p, X = m.parent[i], m.X0[i]
        start = Ad_r(m.r[p] - m.r[i]) @ A[p] + X * m.a[i]
        apart = ad_v(V[p, 3:] - V[i, 3:])
        equal(start + ad_v(V[p, 3:]) @ V[p] - ad_v(V[i, 3:]) @ V[i] + ad(V[i]) @ X * m.v[i], A[i])
        equal(start + apart @ V[i] + (ad_w(V[i, :3]) - apart) @ X * m.v[i], A[i])


def test_hybrid_accelerations_and_jerks_as_sums(m: Motion) -> None:
    """[MuellerDyn (29), (30), (31)-(32)]; the second derivative of J by differences."""
    V, A, jerk = m.twists("hybrid"), m.accelerations("hybrid"), m.jerks("hybrid")

    def rates(i: int, t: float) -> Vector:
        q, v = m.q + t * m.v + t * t / 2 * m.a, m.v + t * m.a
        return np.asarray(axode.jacobian_rate(m.tree, q, v, i, "hybrid").T)

    for i in range(m.n):
        sum_A, sum_jerk = np.zeros((2, 6))
        J_dd = slope(lambda t: rates(i, t))  # noqa: B023
        for j in m.path(i):
            r, dr, ddr = m.r[j] - m.r[i], V[j, 3:] - V[i, 3:], A[j, 3:] - A[i, 3:]
            w, dw, X = ad_w(V[j, :3]), ad_w(A[j, :3]), m.X0[j]
            J = Ad_r(r) @ X
            J_d = (ad_v(dr) + Ad_r(r) @ w) @ X
            second = (ad_v(ddr) + 2 * ad_v(dr) @ w + Ad_r(r) @ (dw + w @ w)) @ X
            np.testing.assert_allclose(second, J_dd[j], atol=BY_DIFFERENCES)
            sum_A = sum_A + J * m.a[j] + J_d * m.v[j]
            sum_jerk = sum_jerk + J * m.j[j] + 2 * J_d * m.a[j] + second * m.v[j]
        equal(sum_A, A[i])
        equal(sum_jerk, jerk[i])
