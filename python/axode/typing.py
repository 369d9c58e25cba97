"""Types in the signatures of this package."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Union

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

if TYPE_CHECKING:
    from axode._axode import SE3, Frame
    from axode._results.dynamics import NamedWrench
    from axode._axode import Expression, Samples
    import axode

Array = NDArray[np.float64]
"""An array of float64, C order."""

ComplexArray = NDArray[np.complex128]
"""An array of complex numbers, C order."""

Rep = Literal["body", "spatial", "hybrid", "mixed"]
"""A representation of twists and wrenches: see the page on conventions."""

RepOrAuto = Literal["auto", "body", "spatial", "hybrid", "mixed"]
"""The same, or the one that takes least time for the tree."""

FrameLike = Union[str, "Frame"]
"""A frame: "tool", "tool[world]" for the origin of one with the axes of another, or a Frame."""

PoseLike = Union["SE3", ArrayLike]
"""A pose: an SE3 or a 4x4 homogeneous matrix."""

EulerOrder = Literal[
    "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"
]
"""The axes of Euler angles, each turned by the rotations before it."""

MotionSubgroup = Literal[
    "identity",
    "translation_1",
    "rotation",
    "helical",
    "translation_2",
    "cylindrical",
    "translation_3",
    "spherical",
    "planar",
    "helical_planar",
    "schoenflies",
    "full",
]
"""A motion subgroup of SE(3): revolute joints make 'rotation', prismatic ones 'translation_1'."""

NumberOrArray = Union[float, Array]
"""A number for one state, an array (batch,) for a batch."""

Wrenches = Union[ArrayLike, Mapping[str, ArrayLike], Sequence["NamedWrench"]]
"""Wrenches on bodies: by body, by name each in the frame of that name, or each in a frame said."""

CoriolisChoice = Literal["skew", "uncorrected", "christoffel"]
"""Which of the matrices C(q, v) with the same C v."""

JointType = Literal[
    "fixed",
    "revolute",
    "prismatic",
    "helical",
    "cylindrical",
    "spherical",
    "planar",
    "universal",
    "translation_2",
    "translation_3",
    "helical_planar",
    "schoenflies",
    "free",
    "screws",
]
"""What motion a joint allows."""

Coordinates = Literal["second_kind", "first_kind", "quaternion"]
"""The coordinates of a joint: products of exponentials, exponential of a sum, quaternions."""

FreeVelocity = Literal["body", "spatial", "hybrid"]
"""The form of the velocity of a free joint."""

GeometryForm = Literal["zero_reference", "body_screws", "parent_screws", "joint_frames"]
"""A description of where a body and its joint are."""

ShapeKind = Literal["box", "cylinder", "sphere", "capsule", "mesh"]
"""A shape of a body, for drawing and collision."""

SignalFunction = Callable[[float, Array, Array], float]
"""f(t, q, v) of a state."""

SignalLike = Union[float, str, "Samples", "Expression", SignalFunction]
"""A number, the text of an expression, axode.forces.samples, or a function of the state."""

Method = Literal[
    "automatic",
    "mk1",
    "mk2",
    "mk3",
    "mk4",
    "mk5",
    "cf4",
    "semi-implicit",
    "semi_implicit",
    "momentum-preserving",
    "momentum_preserving",
    "variational",
    "cvode",
    "adams",
    "arkode",
    "generalized-alpha",
    "generalized_alpha",
    "ida",
]
"""A method of integration; "automatic" is mk5, cvode for contacts, generalized-alpha if absolute.
In all names hyphens and underscores are the same."""

MechanismMethod = Literal[
    "automatic",
    "projection",
    "baumgarte",
    "augmented-lagrangian",
    "augmented_lagrangian",
    "null-space",
    "null_space",
    "generalized-alpha",
    "generalized_alpha",
    "generalized-alpha-stabilized",
    "generalized_alpha_stabilized",
    "ida",
]
"""A method of integration of mechanisms; "automatic" is projection."""

AnyMethod = Union[Method, MechanismMethod]
"""A method of integration of any kind of model; those of flexible trees are among those of trees."""

Formulation = Literal["relative", "absolute"]
"""Joint coordinates, or all bodies in SE(3) with joints as constraints."""

MechanismFormulation = Literal[
    "relative", "reference_point", "euler_angles", "quasi_velocities", "natural", "mixed"
]
"""Coordinates of mechanisms: "reference_point" has Euler parameters in space."""

PairType = Literal[
    "weld",
    "revolute",
    "prismatic",
    "helical",
    "cylindrical",
    "spherical",
    "universal",
    "planar",
    "point_on_line",
    "point_on_plane",
    "point_line_distance",
    "rod",
    "rolling",
    "gear",
]
"""Types of joints of mechanisms."""

TimeFunctionLike = Union[
    float,
    str,
    Mapping[str, Sequence[float]],
    "axode.mechanism.TimeFunction",
    Callable[[float], Sequence[float]],
]
"""A function of time: a number, an expression in t, a polynomial or samples as files have them, or
a function that returns value, rate and acceleration."""

ForceFunctionLike = Union[
    float,
    str,
    Mapping[str, Sequence[float]],
    "axode.mechanism.TimeFunction",
    Callable[[float], float],
]
"""A force that depends on time: the same, but functions return a number."""

Spot = Union[str, ArrayLike]
"""A point or direction of a body: by its name there, or by components in the body frame."""

SpotOn = tuple[str, Spot]
"""A point on a body: (body, spot)."""

ModeDirection = Literal["torsion", "bend_y", "bend_z", "axial"]
"""What a mode of a beam moves."""

SectionRotation = Literal["zyx", "xyz", "exp"]
"""The order in which the small rotations of a section are taken."""

FlexibleModel = Literal["linear", "nonlinear"]
"""Equations of a flexible tree: to first order in elastic motion, or exact."""

CoordinateNames = Union[str, int, Sequence[Union[str, int]]]
"""Coordinates by name or number."""
