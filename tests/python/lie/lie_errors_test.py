"""What rotations, poses and dual numbers refuse, and how they say so."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import axode
from axode import Error

ax: Any = axode  # without types, as some calls are not for type checkers
T = ax.lie.SE3()
BAD: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ax.lie.SE3(np.ones((4, 4))), Error, "last row is not 0 0 0 1"),
    (lambda: ax.lie.SE3(np.eye(3)), Error, r"shape \(3, 3\) where \(4, 4\) is wanted"),
    (lambda: ax.lie.SE3([[np.nan] * 4] * 4), Error, "not finite"),
    (lambda: ax.lie.SE3(T, p=[1, 2, 3]), Error, "beside R or p"),
    (lambda: ax.lie.SE3(p=[1, 2]), Error, r"p: has shape \(2,\)"),
    (lambda: ax.lie.SE3("pose"), TypeError, "numbers of type"),
    (lambda: ax.lie.SE3([[1, 2], [3]]), TypeError, "rows differ in length"),
    (lambda: ax.lie.SE3(np.eye(4, dtype=complex)), TypeError, "complex128"),
    (lambda: ax.lie.SE3(np.eye(4, dtype=np.float32)), TypeError, "float32"),
    (lambda: T * None, TypeError, "unsupported"),
    (lambda: T * [1, 2], Error, r"where \(\.\.\., 3\) is wanted"),
    (lambda: T * [1, 2, np.inf], Error, "not finite"),
    (lambda: T * "abc", TypeError, "numbers of type"),
    (lambda: np.ones(3) * T, TypeError, "unsupported"),
    (lambda: ax.translation([1e308, 0, 0]) * ax.translation([1e308, 0, 0]), Error, "too large"),
    (lambda: ax.lie.exp([1e200, 0, 0]), Error, "too large"),
    (lambda: ax.lie.exp([1, 2]), Error, "neither rotation vectors"),
    (lambda: ax.lie.exp(1.0), Error, "neither rotation vectors"),
    (lambda: ax.lie.exp([np.nan] * 6), Error, "not finite"),
    (lambda: ax.lie.exp(None), TypeError, "incompatible"),
    (lambda: ax.lie.log(np.eye(5)), Error, "is wanted"),
    (lambda: ax.lie.log(ax.lie.Quaternion(0)), Error, "zero"),
    (lambda: ax.lie.left_jacobian_inverse([0, 0, 7, 0, 0, 0]), Error, "7 rad, not below 2 pi"),
    (lambda: ax.lie.right_jacobian_inverse([0, 2 * math.pi, 0]), Error, "not below 2 pi"),
    (lambda: ax.rotation_about(3, 1), Error, "none of 0, 1, 2"),
    (lambda: ax.rotation_about(10**40, 1), TypeError, "incompatible"),
    (lambda: ax.lie.rotation_from_axis_angle([0, 0, 0], 1), Error, "axis: is zero"),
    (lambda: ax.lie.rotation_from_euler_angles("zzx", [0, 0, 0]), Error, '"zzx" is not'),
    (lambda: ax.lie.to_euler_angles(np.eye(3), ""), Error, "is not an order"),
    (lambda: ax.lie.rotation_from_quaternion([0, 0, 0, 0]), Error, "zero"),
    (lambda: ax.lie.normalized(ax.lie.Quaternion(0)), Error, "zero"),
    (lambda: ax.lie.Quaternion(math.nan), Error, "w: is not finite"),
    (lambda: ax.lie.interpolate(T, T, math.nan), Error, "t: is not finite"),
    (lambda: ax.lie.interpolate(T, ax.lie.SO3(), 0.5), TypeError, "incompatible"),
    (lambda: ax.lie.distance(T, T), TypeError, "incompatible"),
    (lambda: ax.lie.Dual(1) / 0, Error, "divisor is zero"),
    (lambda: ax.lie.Dual(-1).sqrt(), Error, "above zero"),
    (lambda: ax.lie.Dual(0).arctan2(ax.lie.Dual(0)), Error, "real part zero"),
    (lambda: ax.lie.Dual(math.inf), Error, "real: is not finite"),
    (lambda: ax.lie.exp_g1(np.ones(5)), Error, r"\(6,\) is wanted"),
    (lambda: ax.lie.exp_g2(np.ones(6)), Error, r"\(12,\) is wanted"),
    (lambda: ax.lie.nearest_rotation(np.full((3, 3), np.nan)), Error, "not finite"),
]


@pytest.mark.parametrize("call, error, text", BAD)
def test_errors_name_the_argument(
    call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call()


def test_arrays_are_not_given_without_a_copy() -> None:
    with pytest.raises(ValueError, match="without a copy"):
        T.__array__(copy=False)
