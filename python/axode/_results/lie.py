"""What the functions of rotations and poses return."""

from typing import NamedTuple

from axode._axode import SO3
from axode.typing import Array

__all__ = ["AxisAngle", "EulerAngles", "NearestRotation"]


class AxisAngle(NamedTuple):
    """A unit axis (3,) and an angle in [0, pi] rad."""

    axis: Array
    angle: float


class EulerAngles(NamedTuple):
    """Angles (3,) [rad]; singular: in gimbal lock.

    There only the sum or difference of the outer angles is determined, and the third is 0.
    """

    angles: Array
    singular: bool


class NearestRotation(NamedTuple):
    """The rotation nearest to a matrix, and the Frobenius norm of the change.

    unique is false for matrices as near to a second rotation, such as zero or a reflection.
    """

    rotation: SO3
    distance: float
    unique: bool
