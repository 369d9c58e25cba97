"""What six-vectors, inertias and screws refuse, and how they say so."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import axode
from axode import Error

ax: Any = axode  # without types, as some calls are not for type checkers
SIX = np.array([1.0, -2, 3, -4, 5, 6])
V = ax.screw.Twist(SIX, "body")
I0 = ax.screw.Inertia(1)
T0 = ax.lie.SE3()
BAD: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ax.screw.Twist(SIX, "bodily"), Error, "rep: 'bodily' is none of 'body', 'spatial'"),
    (lambda: ax.screw.Twist(SIX[:5], "body"), Error, r"six: has shape \(5,\)"),
    (lambda: ax.screw.Twist(SIX), TypeError, "incompatible"),
    (lambda: ax.screw.Wrench([math.nan] * 6, "body"), Error, "not finite"),
    (lambda: ax.screw.Wrench("abcdef", "body"), TypeError, "numbers of type"),
    (lambda: V / 0, Error, "Twist: has a number that is not finite"),
    (lambda: V * math.inf, Error, "not finite"),
    (lambda: V * "a", TypeError, "multiply|unsupported"),
    (
        lambda: ax.screw.pairing(ax.screw.Wrench(SIX, "spatial"), V),
        Error,
        "V: is in body representation where spatial",
    ),
    (lambda: ax.screw.pairing(V, V), TypeError, "incompatible"),
    (lambda: ax.screw.momentum(I0, ax.screw.Twist(SIX, "mixed")), Error, "V: is in mixed representation"),
    (lambda: ax.kinetic_energy(I0, ax.screw.Twist(SIX, "mixed")), Error, "V: is in mixed"),
    (lambda: ax.screw.convert_with_pose(T0, V, "world"), Error, "'world' is none of"),
    (lambda: ax.screw.convert_with_pose(np.ones((4, 4)), V, "body"), Error, "T_WB: is not a pose"),
    (
        lambda: ax.screw.convert_with_pose(T0, ax.screw.Acceleration(SIX, "body"), "body"),
        TypeError,
        "incompatible",
    ),
    (
        lambda: ax.screw.convert_with_pose_and_twist(T0, V, ax.screw.Acceleration(SIX, "hybrid"), "body"),
        Error,
        "V: is in body",
    ),
    (lambda: ax.screw.Twist.__new__(ax.screw.Twist).__setstate__(("body", [1.0])), Error, "state"),
    (lambda: ax.screw.Twist.__new__(ax.screw.Twist).__setstate__((1, 2, 3)), Error, "state"),
    (lambda: ax.screw.Inertia(math.nan), Error, "mass: is not finite"),
    (lambda: ax.screw.Inertia("heavy"), TypeError, "incompatible"),
    (
        lambda: ax.screw.Inertia(1, about_com=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]),
        Error,
        "not symmetric: entries differ by 2",
    ),
    (lambda: ax.screw.Inertia(1, about_com=np.ones(6)), Error, r"about_com: has shape \(6,\)"),
    (lambda: I0 + 1, TypeError, "unsupported"),
    (lambda: ax.screw.inertia_from_matrix(np.ones((6, 6))), Error, "not the inertia of a rigid body"),
    (lambda: ax.screw.inertia_from_parameters(0, [1, 0, 0], np.eye(3)), Error, "first moment"),
    (lambda: ax.screw.inertia_from_pseudo_inertia(np.triu(np.ones((4, 4)))), Error, "not symmetric"),
    (lambda: ax.transform(np.eye(3), I0), Error, "T_AB: has shape"),
    (lambda: ax.screw.Screw([0, 0, 0]), Error, "the axis is zero"),
    (lambda: ax.screw.Screw([0, 0, 1], pitch=math.nan), Error, "pitch is not a number"),
    (lambda: ax.screw.screw_from_pluecker([0, 0, 1], [0, 1, 1]), Error, "not perpendicular"),
    (lambda: ax.screw.screw_from_coordinates([math.inf] * 6), Error, "not finite"),
    (lambda: ax.screw.coordinates(None), TypeError, "incompatible"),
    (lambda: ax.screw.displacement(ax.screw.central_axis(SIX)), TypeError, "motion: wanted is a tuple"),
    (
        lambda: ax.screw.displacement(
            ax.screw.ScrewDisplacement("screw", ax.screw.Screw([0, 0, 1], pitch=math.inf), 1)
        ),
        Error,
        "motion: is not finite",
    ),
    (
        lambda: ax.screw.wrench(ax.screw.CentralAxis("torque", ax.screw.Screw([0, 0, 1]), 1)),
        Error,
        "'torque' is none of",
    ),
    (lambda: ax.screw.wrench(3), TypeError, "axis: wanted is a tuple"),
    (lambda: ax.screw.chasles(np.full((4, 4), math.nan)), Error, "not finite"),
    (lambda: ax.screw.dimension("cylinder"), Error, "'cylinder' is none of 'identity'"),
    (lambda: ax.screw.subgroup_screws("planar", T0, 1.0), Error, "pitch"),
    (lambda: ax.screw.subgroup_screws("helical", T0, math.nan), Error, "pitch"),
    (lambda: ax.screw.generated_subgroup(np.ones((2, 5))), Error, r"shape \(2, 5\)"),
    (lambda: ax.screw.generated_subgroup([[math.nan] * 6]), Error, "finite"),
    (lambda: ax.screw.generated_subgroup(np.eye(6), length=0), Error, "length"),
    (lambda: ax.screw.generated_subgroup(np.eye(6), tolerance=-1), Error, "tolerance"),
]


@pytest.mark.parametrize("call, error, text", BAD)
def test_errors_say_what_is_wrong(
    call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call()
