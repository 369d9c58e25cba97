"""What the functions of kinematics return."""

from typing import Literal, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

from axode.typing import Array

__all__ = [
    "BoxStep",
    "InverseKinematicsResult",
    "JointAccelerations",
    "JointVariable",
    "JointVelocities",
    "LimitReached",
    "Manipulability",
    "PrincipalAxis",
    "TargetError",
    "TargetLinearization",
]


class PrincipalAxis(NamedTuple):
    """A principal axis of the ellipsoids of velocities and of wrenches.

    axis: unit vector (6,) in the scaled rows, zero in those that do not count; velocity: its radius
    at joint velocities of norm 1, the singular value; force: its radius at joint forces of norm 1,
    the inverse, infinite in directions that cannot move.
    """

    axis: Array
    velocity: float
    force: float


class Manipulability(NamedTuple):
    """How well a mechanism can move and push: the singular values of a scaled Jacobian.

    singular_values: (min(rows, nv),), descending; axes: one per row that counts, by descending
    velocity; joint_vectors: rows of nv numbers, orthonormal, [i] moves along axes[i] with speed
    singular_values[i]; null_space: (nv - rank, nv), orthonormal joint velocities that leave the frame
    at rest; index: Yoshikawa's, the product of the singular values; condition: largest over smallest
    singular value, infinite if that is zero; rank; rows, length [m], rank_tolerance: as asked for.
    """

    singular_values: Array
    axes: list[PrincipalAxis]
    joint_vectors: Array
    null_space: Array
    index: float  # type: ignore[assignment]
    condition: float
    rank: int
    rows: tuple[bool, ...]
    length: float
    rank_tolerance: float


class JointVelocities(NamedTuple):
    """Joint velocities v (nv,) of the twists of all bodies.

    residual: how far the twists are from any motion; undetermined: how many velocities are open,
    which are then zero; joint: the first joint with such a velocity, by its body, or -1.
    """

    v: Array
    residual: Union[float, Array]
    undetermined: Union[int, NDArray[np.int64]]
    joint: Union[int, NDArray[np.int64]]

    @property
    def rank_deficient(self) -> bool:
        """Whether velocities are undetermined, at any of the states."""
        return bool(np.any(np.asarray(self.undetermined) > 0))


class JointAccelerations(NamedTuple):
    """Derivatives a (nv,) of the joint velocities; the rest as in JointVelocities."""

    a: Array
    residual: Union[float, Array]
    undetermined: Union[int, NDArray[np.int64]]
    joint: Union[int, NDArray[np.int64]]

    @property
    def rank_deficient(self) -> bool:
        """Whether accelerations are undetermined, at any of the states."""
        return bool(np.any(np.asarray(self.undetermined) > 0))


class TargetError(NamedTuple):
    """How far a frame is from its target, zero where that asks for nothing [rad, m]."""

    rotation: float
    translation: float


class TargetLinearization(NamedTuple):
    """The weighted residual (6,) of a target and its slope (6, 6): d residual/dt = slope V."""

    residual: Array
    slope: Array


class LimitReached(NamedTuple):
    """A limit that holds frames back: the number of the velocity, and whether it is the upper one."""

    velocity: int
    upper: bool


class InverseKinematicsResult(NamedTuple):
    """What inverse kinematics found.

    success: all targets are met within the tolerances; reason: why the search ended; q: the best
    found (nq,), within the limits; residuals: by target; iterations: of all starts together; starts:
    how many were made; at_limits: limits in the way, none on success; smallest_singular_value and
    condition: of the weighted Jacobian of the targets at q; message: the reason in words.
    """

    success: bool
    reason: Literal[
        "converged", "local_minimum", "joint_limits", "iteration_limit", "out_of_reach"
    ]
    q: Array
    residuals: list[TargetError]
    iterations: int
    starts: int
    at_limits: list[LimitReached]
    smallest_singular_value: float
    condition: float
    message: str

    @property
    def converged(self) -> bool:
        """The same as success."""
        return self.success


class BoxStep(NamedTuple):
    """A step d (n,) within bounds; settled: whether it is the minimum, else one of descent."""

    d: Array
    settled: bool


class JointVariable(NamedTuple):
    """One free velocity.

    velocity: its number among those of the tree; coordinate: its number in q, -1 for joints with
    quaternions; lower, upper [rad or m]; lower_of, upper_of: the velocity whose limit that is, its own
    or of a follower; rotates: rad, else m.
    """

    velocity: int
    coordinate: int
    lower: float
    upper: float
    lower_of: int
    upper_of: int
    rotates: bool
