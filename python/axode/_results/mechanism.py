"""What the functions on mechanisms return: named tuples, by the names of the C++ structs.

Coordinates, bodies, joints and drivers are told by name; numbers of equations are rows of the
Jacobian. Units: m, rad, kg, N, s.
"""

from typing import Literal, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from axode._results.mechanism_parts import TimeValue
from axode.typing import Array

__all__ = [
    "ArclengthResult",
    "AssemblyDiagnosis",
    "AssemblyMode",
    "AssemblyResult",
    "BodyMotion",
    "CurveCrossing",
    "CurveResult",
    "FollowEvent",
    "FollowResult",
    "DofsLeft",
    "MechanismState",
    "Mirror",
    "MobilityResult",
    "MotionResult",
    "PositionResult",
    "RankResult",
    "RedundantEquation",
    "RedundantJoint",
    "RefreshResult",
    "RowDependence",
    "SingularityResult",
    "WorkspaceResult",
]


class MechanismState(NamedTuple):
    """An assembled configuration with velocities and accelerations, or why there is none.

    message: a warning, such as another branch, or why it is not assembled; outcome 'no_motion': q is
    assembled, but no velocities meet the equations.
    """

    assembled: bool
    t: float
    q: Array
    v: Array
    a: Array
    message: str
    outcome: Literal[
        "assembled", "bad_driver", "geometry", "over_driven", "dead_point", "no_motion"
    ]


class PositionResult(NamedTuple):
    """A configuration q (nq,) that meets all equations, if converged.

    residual: largest |Phi| left, by the size of the model; rank: of the Jacobian, -1 where not
    counted; worst: the equation with the largest residual, -1: none; conflict: where it cannot be
    assembled, equations it is in conflict with, worst first.
    """

    q: Array
    converged: bool
    mirrored: bool
    iterations: int
    residual: float
    rank: int
    worst: int
    conflict: list[int]
    message: str


class MotionResult(NamedTuple):
    """Velocities or accelerations x (nv,) nearest to those wished that the equations allow.

    consistent: such a motion exists; unique: it is the only one; residual: the largest one left.
    """

    x: Array
    consistent: bool
    unique: bool
    residual: float
    rank: int
    message: str


class RedundantEquation(NamedTuple):
    """An equation that follows from others, by rows."""

    equation: int
    name: str
    joint: str
    with_: list[int]


class RedundantJoint(NamedTuple):
    """A joint with redundant equations, how many it has and how many follow from others."""

    name: str
    equations: int
    redundant: int


class MobilityResult(NamedTuple):
    """mobility = coordinates - rank, drivers held; Gruebler's count; what is redundant, by name.

    idle_spins: of the mobility, spins of slender bodies about their lines, which change no result;
    instantaneous: neighbours move less, with finite_mobility (0: none is reached).
    """

    coordinates: int
    equations: int
    rank: int
    mobility: int
    idle_spins: int
    gruebler: int
    redundant: int
    smallest_kept: float
    largest_dropped: float
    instantaneous: bool
    finite_mobility: int
    redundant_equations: list[RedundantEquation]
    joints: list[RedundantJoint]
    message: str


class RankResult(NamedTuple):
    """Rank of the Jacobian; redundant: rows that depend on earlier ones."""

    rows: int
    columns: int
    rank: int
    smallest_kept: float
    largest_dropped: float
    redundant: list[int]


class RowDependence(NamedTuple):
    """Row of the Jacobian as sum of others: parts are (row, factor)."""

    row: int
    parts: list[tuple[int, float]]


class SingularityResult(NamedTuple):
    """Singularities of a driven mechanism: type 0 regular, 1 serial, 2 parallel, 3 both."""

    serial: bool
    parallel: bool
    constraint: bool
    type: int
    serial_measure: float
    parallel_measure: float
    mobility: int
    finite_mobility: int
    message: str


class AssemblyDiagnosis(NamedTuple):
    """Why a mechanism cannot be assembled with its drivers.

    dofs: without drivers, near the reference; dependent: drivers that others do the work of;
    driver, reached, wanted: the one that stops at a dead point; q: where assembled.
    """

    kind: Literal["assembled", "geometry", "over_driven", "dead_point"]
    dofs: int
    dependent: list[str]
    driver: Optional[str]
    reached: float
    wanted: float
    q: Array
    message: str
    remedy: str


class DofsLeft(NamedTuple):
    """What moves with drivers held; to_drive: coordinates that, driven too, leave nothing free."""

    count: int  # type: ignore[assignment]  # the name it has in C++
    to_drive: list[str]
    message: str


class FollowEvent(NamedTuple):
    """What happened on a path, at a value of the driver."""

    kind: Literal["dead_point", "branch", "lost"]
    driver: float
    q: Array
    message: str


class FollowResult(NamedTuple):
    """A path over the range of a driver s: q, v = dq/ds and a = d2q/ds2 by point, (points, n).

    coordinates: of the mechanism with derivatives by s, each (points, coordinates), angles going on
    over full turns; poses (points, bodies, 4, 4).
    """

    complete: bool
    driver: Array
    q: Array
    v: Array
    a: Array
    coordinates: TimeValue
    poses: Array
    events: list[FollowEvent]
    message: str
    steps: int
    refused: int


class WorkspaceResult(NamedTuple):
    """Which pairs of values of two drivers can be reached: reachable[i, j] of values i, j."""

    first: Array
    second: Array
    reachable: NDArray[np.bool_]
    count: int  # type: ignore[assignment]  # the name it has in C++


class AssemblyMode(NamedTuple):
    """One way to assemble a mechanism; poses (bodies, 4, 4); coordinates of the mechanism."""

    q: Array
    poses: Array
    coordinates: Array
    hits: int
    singular: bool


class AssemblyResult(NamedTuple):
    """Assembly modes in the order found, and how sure it is that these are all.

    unseen: estimated chance that the next success is a new mode; missed: chance that a mode met by
    a thousandth of successes was missed.
    """

    modes: list[AssemblyMode]
    starts: int
    successes: int
    mirrored: int
    unseen: float
    estimated_modes: float
    missed: float
    complete: bool
    closed_curve: bool
    dead_points: int
    isolated: bool
    message: str


class ArclengthResult(NamedTuple):
    """Where a path followed by arclength turned (a dead point), passed on, or was lost."""

    kind: Literal["turned", "passed", "lost"]
    s: float
    q: Array


class CurveCrossing(NamedTuple):
    """Where a curve of configurations meets the value of the driver it began with."""

    s: float
    slope: float
    poses: Array
    q: Array


class CurveResult(NamedTuple):
    """A curve of configurations; turns: dead points passed."""

    crossings: list[CurveCrossing]
    closed: bool
    turns: int
    steps: int


class BodyMotion(NamedTuple):
    """Poses (bodies, 4, 4) and twists (bodies, 6) in world axes about the bodies' origins."""

    poses: Array
    twists: Array


class Mirror(NamedTuple):
    """Whether equations are met by what the model does not mean, and what it is."""

    found: bool
    what: str


class RefreshResult(NamedTuple):
    """Coordinates and velocities after equations and Euler angles were chosen anew."""

    changed: bool
    q: Array
    v: Array
