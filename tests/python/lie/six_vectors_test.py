"""Typed six-vectors and inertias.

Reference systems and tolerances are those of the C++ tests; other values by NumPy on matrices.
"""

import copy
import json
import operator
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, Rep

DATA = Path(__file__).parents[2] / "data"
EPS = float(np.finfo(float).eps)
REPS: list[Rep] = ["body", "spatial", "hybrid", "mixed"]
KINDS: list[Any] = [axode.screw.Twist, axode.screw.Acceleration, axode.screw.Wrench, axode.screw.Momentum]
SYSTEMS = [json.loads((DATA / name).read_text()) for name in ("chain7.json", "tree9.json")]
SIX = np.array([1.0, -2, 3, -4, 5, 6])


def near(a: Any, b: Any, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=0, atol=tolerance)


def largest(*values: Any) -> float:
    return max(float(np.abs(np.asarray(v)).max()) for v in values)


def random_pose(seed: int) -> axode.lie.SE3:
    T: axode.lie.SE3 = axode.lie.exp(np.random.default_rng(seed).uniform(-1.5, 1.5, 6))
    return T


def points(seed: int) -> tuple[Array, Array]:
    """A body as a handful of point masses: everything about it is a sum."""
    random = np.random.default_rng(seed)
    return random.uniform(0.1, 2, 5), random.normal(size=(5, 3))


def inertia_of(masses: Array, places: Array) -> axode.screw.Inertia:
    com = masses @ places / masses.sum()
    S = np.einsum("i,ij,ik", masses, places - com, places - com)
    return axode.screw.Inertia(mass=masses.sum(), com=com, about_com=np.trace(S) * np.eye(3) - S)


# Six-vectors


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rep", REPS)
def test_arithmetic_acts_on_each_component(kind: Any, rep: Rep) -> None:
    a, b = kind(SIX, rep=rep), kind(SIX[::-1], rep)
    assert a.rep == rep and a.angular.tolist() == [1, -2, 3] and a.linear.tolist() == [-4, 5, 6]
    near(a + b, SIX + SIX[::-1], 0)
    near(a - b, SIX - SIX[::-1], 0)
    near(-a, -SIX, 0)
    for scaled in (a * 2, 2 * a, np.float64(2) * a, a / 0.5):
        assert type(scaled) is kind and scaled.rep == rep
        near(scaled, 2 * SIX, 0)
    assert a == kind(SIX, rep) != b and a == 2 * a / 2
    near(a.linear_first(), [-4, 5, 6, 1, -2, 3], 0)
    assert kind.from_linear_first(a.linear_first(), rep) == a
    near(a.six(), SIX, 0)
    near(np.diag([1, 2, 3, 4, 5, 6]) @ a, [1, -4, 9, -16, 25, 36], 0)
    near(np.asarray(a), SIX, 0)
    assert repr(a) == f"{kind.__name__}([1, -2, 3, -4, 5, 6], rep='{rep}')"
    assert eval(repr(a), {kind.__name__: kind}) == a
    for same in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a)):
        assert same == a and same.rep == rep and type(same) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_and_representations_do_not_mix(kind: Any) -> None:
    a = kind(SIX, "body")
    for other in KINDS:
        if other is kind:
            continue
        for operation in (operator.add, operator.sub):
            with pytest.raises(
                axode.Error, match=f"{kind.__name__}: does not mix with a {other.__name__}"
            ):
                operation(a, other(SIX, "body"))
        assert a != other(SIX, "body")
    with pytest.raises(
        axode.Error, match="the one is in body, the other in spatial representation; convert"
    ):
        a + kind(SIX, "spatial")
    assert a != kind(SIX, "spatial")
    for bare in (SIX, 1.0, None, "a"):
        with pytest.raises(TypeError):
            a + bare
        with pytest.raises(TypeError):
            bare + a


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s["system"])
def test_conversions_of_reference_systems(system: dict[str, Any]) -> None:
    for state in system["states"]:
        output = state["output"]
        for body, C in enumerate(output["C"]):
            T = axode.lie.pose_from_matrix(C)
            grown = 4 * EPS * (1 + float(np.linalg.norm(T.p)))
            for start in REPS:
                V = axode.screw.Twist(output["twist"][start][body], start)
                A = axode.screw.Acceleration(output["acceleration"][start][body], start)
                v, a = largest(V), largest(A)
                for to in REPS:
                    W = axode.screw.convert_with_pose(T, V, to)
                    assert W.rep == to
                    near(W, output["twist"][to][body], grown * v)
                    B = axode.screw.convert_with_pose_and_twist(T, V, A, to)
                    assert B.rep == to
                    near(B, output["acceleration"][to][body], grown * (a + v * v))


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s["system"])
def test_inertias_momenta_and_energy_of_reference_systems(system: dict[str, Any]) -> None:
    bodies = []
    for body in system["model"]["bodies"]:
        given = body["inertia"]
        I = axode.screw.Inertia(mass=given["mass"], com=given["com"], about_com=given["Theta_com"])
        scale = largest(given["M_body"])
        near(I.matrix, given["M_body"], 2 * EPS * scale)
        near(axode.screw.about_origin(I), given["Theta_origin"], 2 * EPS * scale)
        near(axode.screw.inertia_from_matrix(given["M_body"]).about_com, I.about_com, 4 * EPS * scale)
        assert axode.screw.physical_violation(I) == ""
        axode.screw.check_physical(I)
        bodies.append(I)
    for state in system["states"]:
        output = state["output"]
        for rep in REPS:
            energy = 0.0
            for i, I in enumerate(bodies):
                T = axode.lie.pose_from_matrix(output["C"][i])
                V = axode.screw.Twist(output["twist"][rep][i], rep)
                P = axode.screw.momentum_with_pose(T, I, V)
                assert P.rep == rep
                size = largest(I.matrix) * largest(V) * (1 + float(np.linalg.norm(T.p)))
                spatial = axode.screw.convert_with_pose(T, P, "spatial")
                near(spatial, output["momentum_spatial"][i], 4 * EPS * size)
                assert axode.screw.pairing(P, V) == pytest.approx(
                    2 * axode.screw.kinetic_energy_with_pose(T, I, V)
                )
                energy += axode.screw.kinetic_energy_with_pose(T, I, V)
            assert energy == pytest.approx(output["kinetic_energy"], rel=4 * EPS)


def test_power_does_not_depend_on_the_representation() -> None:
    T, V, W = random_pose(1), axode.screw.Twist(SIX, "hybrid"), axode.screw.Wrench(SIX[::-1], "hybrid")
    for rep in REPS:
        power = axode.screw.pairing(
            axode.screw.convert_with_pose(T, W, rep), axode.screw.convert_with_pose(T.matrix, V, rep)
        )
        assert power == pytest.approx(SIX @ SIX[::-1], rel=1e-14)
    body = axode.screw.convert_with_pose(T, V, "body")
    near(axode.screw.convert_with_pose(T, V, "spatial"), axode.lie.Ad(T, body), 1e-14)


def test_momentum_and_energy_of_a_body_twist() -> None:
    I, V = inertia_of(*points(2)), axode.screw.Twist(SIX, "body")
    near(axode.screw.momentum(I, V), I.matrix @ SIX, 1e-12)
    assert axode.kinetic_energy(I, V) == pytest.approx(SIX @ I.matrix @ SIX / 2, rel=1e-14)


# Inertias


@pytest.mark.parametrize("seed", range(5))
def test_inertia_is_the_sum_over_point_masses(seed: int) -> None:
    masses, places = points(seed)
    I, size = inertia_of(masses, places), float(masses @ (1 + np.linalg.norm(places, axis=1)) ** 2)
    M = np.zeros((6, 6))
    for m, x in zip(masses, places):
        s = axode.lie.skew(x)
        M += m * np.block([[-s @ s, s], [-s, np.eye(3)]])
    near(I.matrix, M, 4 * EPS * size)
    p = axode.screw.parameters(I)
    assert p.mass == I.mass
    near(p.first_moment, masses @ places, 4 * EPS * size)
    near(p.about_origin, M[:3, :3], 4 * EPS * size)
    X = np.column_stack([places, np.ones(5)])
    near(axode.screw.pseudo_inertia(I), np.einsum("i,ij,ik", masses, X, X), 4 * EPS * size)
    d = places - I.com
    near(axode.screw.binet_tensor(I), np.einsum("i,ij,ik", masses, d, d), 4 * EPS * size)
    near(
        axode.screw.rotational_inertia_of_binet(axode.screw.binet_of(I.about_com)), I.about_com, 4 * EPS * size
    )
    for back in (
        axode.screw.inertia_from_matrix(I.matrix),
        axode.screw.inertia_from_parameters(*p),
        axode.screw.inertia_from_pseudo_inertia(axode.screw.pseudo_inertia(I)),
    ):
        assert back.mass == pytest.approx(I.mass, rel=2 * EPS)
        near(back.com, I.com, 4 * EPS * largest(I.com))
        near(back.about_com, I.about_com, 8 * EPS * size)


def test_inertia_moves_and_adds() -> None:
    (m1, x1), (m2, x2), T = points(1), points(2), random_pose(3)
    both = inertia_of(m1, x1) + inertia_of(m2, x2)
    near(both.matrix, inertia_of(np.concatenate([m1, m2]), np.concatenate([x1, x2])).matrix, 1e-13)
    moved = axode.transform(T, both)
    near(
        moved.matrix,
        inertia_of(np.concatenate([m1, m2]), T * np.concatenate([x1, x2])).matrix,
        1e-13,
    )
    Ad = axode.lie.Ad_matrix(T.inverse())
    near(moved.matrix, Ad.T @ both.matrix @ Ad, 1e-13)


def test_inertia_is_a_value() -> None:
    I = inertia_of(*points(1))
    for same in (
        pickle.loads(pickle.dumps(I)),
        copy.copy(I),
        copy.deepcopy(I),
        eval(repr(I), {"Inertia": axode.screw.Inertia}),
    ):
        assert same == I
    assert axode.screw.Inertia() == axode.screw.Inertia(mass=0) != I and (I == 1) is False
    near(axode.screw.Inertia(2, [0, 0, 1], [3, 4, 5]).about_com, np.diag([3, 4, 5]), 0)


def test_impossible_inertias_are_named() -> None:
    assert "triangle inequality" in axode.screw.physical_violation(axode.screw.Inertia(1, about_com=[1, 1, 3]))
    assert "mass must be positive" in axode.screw.physical_violation(axode.screw.Inertia())
    with pytest.raises(axode.Error, match="^arm: the principal moments .* the smallest is -1"):
        axode.screw.check_physical(axode.screw.Inertia(1, about_com=[-1, 1, 1]), "arm")
