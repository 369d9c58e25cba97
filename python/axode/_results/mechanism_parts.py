"""What mechanisms consist of, and forces in them: named tuples, named as the C++ structs.

Coordinates, bodies, joints and drivers are told by name. Units: m, rad, kg, N, s.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from axode.typing import Array

if TYPE_CHECKING:
    import axode

__all__ = [
    "BodyLoad",
    "CoordinateForce",
    "CoordinateWrench",
    "DriverForce",
    "EquilibriumResult",
    "JacobianOperations",
    "JointReaction",
    "MechanismAcceleration",
    "MechanismBody",
    "MechanismCoordinate",
    "MechanismCoupling",
    "MechanismDriver",
    "MechanismEquation",
    "MechanismJoint",
    "MechanismProjection",
    "MechanismViolation",
    "PointSpring",
    "ReactionsResult",
    "SpanningTree",
    "SparseMatrix",
    "TimeValue",
    "UnbalancedForce",
    "WrittenEquations",
]


class TimeValue(NamedTuple):
    """A value with its first two derivatives by time, or by a driver: numbers, or arrays."""

    value: float | Array
    rate: float | Array
    acceleration: float | Array


class MechanismBody(NamedTuple):
    """A body: geometry and inertia in its frame; `pose` is the 4x4 one of the reference."""

    name: str
    inertia: "axode.screw.Inertia"
    points: dict[str, Array]
    vectors: dict[str, Array]
    pose: Array
    rod: bool


class MechanismJoint(NamedTuple):
    """A joint between bodies i and j; points, axes and zero directions (2, 3), each in its body."""

    name: str
    type: str
    body: tuple[str, str]
    point: Array
    axis: Array
    zero: Array
    value: float
    pitch: float
    ratio: float
    offset: float
    angle: float


class MechanismCoordinate(NamedTuple):
    """A number that a configuration has: of a joint, or measured between points."""

    name: str
    kind: Literal["joint", "distance", "component", "angle"]
    joint: Optional[str]
    which: int
    body: tuple[str, str]
    point: Array
    axis: Array
    is_angle: bool


class MechanismCoupling(NamedTuple):
    """sum factor coordinate = constant; `parts` has the factors by coordinate."""

    name: str
    parts: list[tuple[str, float]]
    constant: float


class MechanismDriver(NamedTuple):
    """coordinate = motion(t)."""

    name: str
    coordinate: str
    motion: "axode.mechanism.TimeFunction"


class CoordinateForce(NamedTuple):
    """-stiffness (x - rest) - damping x' + force(t) on a coordinate [N m, N]."""

    name: str
    coordinate: str
    stiffness: float
    rest: float
    damping: float
    text: str


class PointSpring(NamedTuple):
    """-stiffness (l - length) - damping l' + force(t) between points (2, 3) of two bodies [N]."""

    name: str
    body: tuple[str, str]
    point: Array
    stiffness: float
    length: float
    damping: float
    text: str


class BodyLoad(NamedTuple):
    """A force at a point of a body and a torque on it, in world axes [N, N m]."""

    name: str
    body: str
    point: Array
    force: Array
    torque: Array
    text: str


class SpanningTree(NamedTuple):
    """Joints that are cut, and for each the joints of the loop that it closes, itself first."""

    cut: list[str]
    loops: list[list[str]]


class SparseMatrix(NamedTuple):
    """Entries of a matrix: value[k] at (row[k], column[k]), by rows; shape of the whole.

    scipy.sparse.coo_array((value, (row, column)), shape) has the same entries.
    """

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: Array
    shape: tuple[int, int]


class MechanismEquation(NamedTuple):
    """A constraint equation: where it comes from, and its text such as "(B.x - A.x)^2 + B.y^2 - 4 = 0"."""

    name: str
    origin: Literal["body", "joint", "coordinate", "coupling", "driver", "normalization"]
    of: str
    text: str


class WrittenEquations(NamedTuple):
    """Constraint equations written out: `rows` are zero where they are met.

    jacobian: derivatives of rows by velocities, (row, velocity): text, where they are not zero; coordinates,
    functions (of time, of drivers): their symbols, in order; lengths: value [m] by symbol; document: all of
    it, as text, LaTeX or a program that makes the SymPy matrices Phi and J.
    """

    rows: list[str]
    jacobian: dict[tuple[int, int], str]
    coordinates: list[str]
    functions: list[str]
    lengths: dict[str, float]
    document: str


class JointReaction(NamedTuple):
    """Torque and force [N m, N] on body j, world axes, about `point` of the joint in the world."""

    joint: str
    point: Array
    torque: Array
    force: Array
    unique: bool


class DriverForce(NamedTuple):
    """Force of a driver on its coordinate [N m, N]."""

    driver: str
    force: float
    unique: bool


class UnbalancedForce(NamedTuple):
    """The largest force that neither reaction nor driver balances, and the coordinate it is on."""

    force: float
    coordinate: str


class ReactionsResult(NamedTuple):
    """Forces that a motion needs: multipliers by equation, of joints, drivers, couplings."""

    lambda_: Array
    joints: list[JointReaction]
    drivers: list[DriverForce]
    couplings: Array
    residual: float
    consistent: bool
    unbalanced: UnbalancedForce
    unique: bool
    message: str


class CoordinateWrench(NamedTuple):
    """What a unit force on a coordinate does to bodies: wrenches (2, 6) about the world."""

    body: tuple[str, str]
    wrench: Array


class JacobianOperations(NamedTuple):
    """Sums and products of one Jacobian, and sines and cosines."""

    operations: int
    trigonometric: int


class EquilibriumResult(NamedTuple):
    """An equilibrium q, its multipliers, stability and frequencies [rad/s] of small oscillations.

    stiffness: eigenvalues of the second derivative of the potential along the degrees of freedom, smallest
    first; frequencies of unstable directions are -sqrt(-omega^2).
    """

    converged: bool
    iterations: int
    q: Array
    lambda_: Array
    residual: float
    potential: float
    stable: bool
    dofs: int
    stiffness: Array
    frequencies: Array
    message: str


class MechanismAcceleration(NamedTuple):
    """Accelerations (nv,) and multipliers (rows,), if determined; else the message says why not."""

    determined: bool
    a: Array
    lambda_: Array
    message: str


class MechanismProjection(NamedTuple):
    """Coordinates and velocities moved onto the equations, if reached."""

    reached: bool
    q: Array
    v: Array
    message: str


class MechanismViolation(NamedTuple):
    """The largest |Phi| and |Phi_q v + Phi_t|, and their rows."""

    position: float
    velocity: float
    position_row: int
    velocity_row: int
