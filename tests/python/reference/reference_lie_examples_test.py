"""Rotations, poses and screws of the worked examples of tests/data/modern_robotics.json.

Tolerances are those of tests/lie and tests/screw.
"""

import math
from typing import Any

import numpy as np
import pytest

import axode
from reference_data import numbers, read

EXAMPLES = read("modern_robotics")["functions"]


def example(name: str, what: str) -> tuple[Any, Any]:
    found = EXAMPLES[name]
    return numbers(found["inputs"][what]), found["output_of_reference_implementation"]


def near(found: Any, expected: Any, tolerance: float) -> None:
    found = np.asarray(getattr(found, "matrix", found))
    assert found.shape == numbers(expected).shape
    assert np.abs(found - numbers(expected)).max() <= tolerance


def test_rotations() -> None:
    given, expected = example("MatrixExp3", "so3mat")
    near(axode.lie.exp(axode.lie.unskew(given)), expected, 1e-15)
    given, expected = example("MatrixLog3", "R")
    near(axode.lie.skew(axode.lie.log(axode.lie.SO3(given))), expected, 1e-15)
    given, expected = example("RotInv", "R")
    near(axode.lie.inverse(axode.lie.SO3(given)), expected, 0)
    given, expected = example("VecToso3", "omg")
    near(axode.lie.skew(given), expected, 0)
    given, expected = example("so3ToVec", "so3mat")
    near(axode.lie.unskew(given), expected, 0)


def test_matrices_that_are_nearly_rotations() -> None:
    given, expected = example("ProjectToSO3", "mat")
    near(axode.lie.nearest_rotation(given).rotation, expected, 1e-15)
    given, expected = example("DistanceToSO3", "mat")
    assert abs(np.linalg.norm(given.T @ given - np.eye(3)) - expected) <= 1e-15
    with pytest.raises(axode.Error):
        axode.lie.rotation_from_matrix(example("TestIfSO3", "mat")[0])
    # Axis and angle of a rotation vector: the angle there is not brought below pi.
    given, expected = example("AxisAng3", "expc3")
    axis, angle = axode.lie.to_axis_angle(axode.lie.exp(given))
    near(-axis, expected[0], 1e-15)
    assert abs(2 * math.pi - angle - expected[1]) <= 2e-15


def test_poses() -> None:
    given, expected = example("TransInv", "T")
    near(axode.lie.inverse(axode.lie.SE3(given)), expected, 0)
    given, expected = example("MatrixExp6", "se3mat")
    # The printed input is rounded to 8 digits: compared with the implementation's own output.
    near(axode.lie.exp(axode.lie.vee(given)), expected, 2e-15)
    given, expected = example("MatrixLog6", "T")
    near(axode.lie.hat(axode.lie.log(given)), expected, 2e-15)
    given, expected = example("Adjoint", "T")
    near(axode.lie.Ad_matrix(given), expected, 0)
    given, expected = example("VecTose3", "V")
    near(axode.lie.hat(given), expected, 0)
    given, expected = example("se3ToVec", "se3mat")
    near(axode.lie.vee(given), expected, 0)
    given = example("ad", "V")[0]
    near(axode.lie.ad_matrix(given), EXAMPLES["ad"]["documented_output"], 0)


@pytest.mark.parametrize("name, screws", [("FKinBody", "Blist"), ("FKinSpace", "Slist")])
def test_products_of_exponentials(name: str, screws: str) -> None:
    given, expected = example(name, screws)
    M = example(name, "M")[0]
    T = M if name == "FKinBody" else np.eye(4)
    for screw, angle in zip(given.T, example(name, "thetalist")[0]):
        T = T @ axode.lie.exp(screw * angle).matrix
    near(T if name == "FKinBody" else T @ M, expected, 4e-15)


def test_screw_trajectory() -> None:
    start, expected = example("ScrewTrajectory", "Xstart")
    end = axode.lie.SE3(example("ScrewTrajectory", "Xend")[0])
    t = np.linspace(0, 1, len(expected))
    found = axode.lie.interpolate(axode.lie.SE3(start), end, 3 * t**2 - 2 * t**3)
    near(found, expected, 4e-15)


def test_screw_of_a_line_and_a_pitch() -> None:
    given = EXAMPLES["ScrewToAxis"]["inputs"]
    screw = axode.screw.Screw(given["s"], given["q"], given["h"])
    near(axode.screw.coordinates(screw), EXAMPLES["ScrewToAxis"]["documented_output"], 0)
