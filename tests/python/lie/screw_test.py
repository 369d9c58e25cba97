"""Screws, displacements, central axes of wrenches, motion subgroups."""

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import MotionSubgroup

SIX = np.array([1.0, -2, 3, -4, 5, 6])


def near(a: Any, b: Any, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=0, atol=tolerance)


def random_pose(seed: int) -> axode.lie.SE3:
    T: axode.lie.SE3 = axode.lie.exp(np.random.default_rng(seed).uniform(-1.5, 1.5, 6))
    return T


# Screws


def test_screw_coordinates_follow_the_definition() -> None:
    s = axode.screw.Screw([0, 0, 5], [3, 0, 0], pitch=2)
    assert s.axis.tolist() == [0, 0, 1] and s.pitch == 2 and s.point.tolist() == [3, 0, 0]
    near(axode.screw.coordinates(s), [0, 0, 1, 0, -3, 2], 0)
    assert axode.screw.make_screw([0, 0, 1], [3, 0, 0], 2) == s
    slide = axode.screw.make_translation_screw([0, 3, 4])
    near(axode.screw.coordinates(slide), [0, 0, 0, 0, 0.6, 0.8], 1.2e-16)
    assert slide.pitch == axode.screw.infinite_pitch == math.inf
    assert slide == axode.screw.Screw([0, 3, 4], pitch=math.inf) != s
    for value in (s, slide):
        names = {"Screw": axode.screw.Screw, "inf": math.inf}
        for same in (pickle.loads(pickle.dumps(value)), copy.copy(value)):
            assert same == value
        near(axode.screw.coordinates(eval(repr(value), names)), axode.screw.coordinates(value), 1.2e-16)
    line = axode.screw.screw_from_pluecker([0, 0, 2], [0, -6, 0])
    near(line.point, [3, 0, 0], 0)
    assert line.pitch == 0


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e-12, 1.0, 1e100])
def test_screws_of_twists(scale: float) -> None:
    found = axode.screw.screw_from_coordinates(scale * SIX)
    near(found.magnitude * axode.screw.coordinates(found.screw), scale * SIX, 4e-15 * scale)
    assert found.screw.pitch == pytest.approx((SIX[:3] @ SIX[3:]) / 14)
    assert found.magnitude == pytest.approx(scale * math.sqrt(14))
    still = axode.screw.screw_from_coordinates(np.zeros(6))
    assert still.magnitude == 0


def test_reciprocal_product_is_invariant() -> None:
    T, a, b = random_pose(1), SIX, np.roll(SIX, 1)
    wanted = a[:3] @ b[3:] + a[3:] @ b[:3]
    assert axode.screw.reciprocal_product(a, b) == wanted
    assert axode.screw.reciprocal_product(axode.lie.Ad(T, a), axode.lie.Ad(T, b)) == pytest.approx(wanted)


@pytest.mark.parametrize("angle", [1e-12, 1e-6, 0.3, 2.0, math.pi])
def test_chasles_there_and_back(angle: float) -> None:
    s = axode.screw.Screw([2, -3, 6], np.cross([2, -3, 6], [1.0, 2, 3]) / 7, 0.25)
    T = axode.screw.displacement(axode.screw.ScrewDisplacement("screw", s, angle))
    near(T * s.point, s.point + angle * 0.25 * s.axis, 1e-14)
    near(T, axode.lie.exp(angle * axode.screw.coordinates(s)), 1e-14)
    found = axode.screw.chasles(T)
    assert found.kind == "screw"
    near(axode.screw.displacement(found), T, 1e-14)
    if angle > 1e-3:
        sign = np.sign(found.screw.axis @ s.axis)
        near(sign * found.screw.axis, s.axis, 1e-14)
        near(found.screw.point, s.point, 1e-13)
        near(found.displacement, angle, 1e-14)


def test_chasles_of_translations_and_nothing() -> None:
    kind, screw, length = axode.screw.chasles(axode.translation([0, 3, 4]))
    assert kind == "translation" and length == 5 and screw.pitch == math.inf
    near(axode.screw.displacement(axode.screw.chasles(axode.translation([0, 3, 4]))).p, [0, 3, 4], 1e-15)
    assert axode.screw.chasles(np.eye(4)).kind == "identity"
    assert axode.screw.displacement(axode.screw.chasles(np.eye(4))) == axode.lie.SE3()
    small = axode.lie.exp([0, 0, 1e-9, 1, 0, 0])
    assert axode.screw.chasles(small, 1e-8).kind == "translation"


def test_poinsot() -> None:
    kind, screw, force = axode.screw.central_axis(SIX)
    assert kind == "force" and force == pytest.approx(math.sqrt(77))
    about_axis = SIX[:3] - np.cross(screw.point, SIX[3:])
    near(about_axis, screw.pitch * SIX[3:], 1e-14)
    near(axode.screw.wrench(axode.screw.central_axis(SIX)), SIX, 2e-15)
    near(axode.screw.wrench(axode.screw.central_axis(axode.screw.Wrench(SIX, "spatial"))), SIX, 2e-15)
    couple = axode.screw.central_axis([0, 0, 2, 0, 0, 0])
    assert couple.kind == "couple" and couple.intensity == 2 and couple.screw.pitch == math.inf
    near(axode.screw.wrench(couple), [0, 0, 2, 0, 0, 0], 0)
    assert axode.screw.central_axis(np.zeros(6)).kind == "zero"


# Subgroups

SUBGROUPS: dict[MotionSubgroup, tuple[int, str]] = {
    "identity": (0, ""), "translation_1": (1, ""), "rotation": (1, ""), "helical": (1, ""),
    "translation_2": (2, ""), "cylindrical": (2, "SO(2) x R"), "translation_3": (3, ""),
    "spherical": (3, ""), "planar": (3, ""), "helical_planar": (3, ""), "schoenflies": (4, ""),
    "full": (6, ""),
}  # fmt: skip


@pytest.mark.parametrize("group", SUBGROUPS)
def test_a_subgroup_is_known_by_its_screws(group: MotionSubgroup) -> None:
    dimension, symbol = SUBGROUPS[group]
    assert axode.screw.dimension(group) == dimension and axode.screw.symbol(group).startswith(symbol)
    pitch = 0.25 if "helical" in group else 0.0
    screws = axode.screw.subgroup_screws(group, random_pose(4), pitch)
    assert screws.shape == (dimension, 6)
    rank = np.linalg.matrix_rank(screws) if dimension else 0
    assert rank == dimension
    for X in screws:  # closed under the screw product
        assert (
            np.linalg.matrix_rank(np.vstack([screws, axode.lie.ad(X, screws)]), tol=1e-10) == dimension
        )
    found = axode.screw.generated_subgroup(screws)
    assert found.group == group and found.basis.shape == (dimension, 6)
    assert found.pitch == pytest.approx(pitch, abs=1e-12)


def test_two_revolute_joints() -> None:
    z = [0, 0, 1, 0, 0, 0]
    assert axode.screw.generated_subgroup([z, [0, 0, 1, 0, -1, 0]]).group == "planar"
    assert axode.screw.generated_subgroup([z, [1, 0, 0, 0, 0, 0]]).group == "spherical"
    assert axode.screw.generated_subgroup([z, [1, 0, 0, 0, 0, 1]]).group == "full"
    assert axode.screw.generated_subgroup(z).group == "rotation"


def test_no_screws_generate_the_identity() -> None:
    assert axode.screw.generated_subgroup(np.empty((0, 6))).group == "identity"
