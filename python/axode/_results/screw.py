"""What the functions of screws and inertias return."""

from typing import Literal, NamedTuple

from axode._axode import Screw
from axode.typing import Array, MotionSubgroup

__all__ = [
    "CentralAxis",
    "GeneratedSubgroup",
    "InertiaParameters",
    "ScrewDisplacement",
    "ScrewWithMagnitude",
]


class InertiaParameters(NamedTuple):
    """The ten numbers the equations of motion are linear in.

    mass [kg], first_moment m c [kg m] (3,), about_origin [kg m^2] (3, 3).
    """

    mass: float
    first_moment: Array
    about_origin: Array


class ScrewWithMagnitude(NamedTuple):
    """A screw, its point nearest to the origin, and its intensity.

    magnitude [rad/s] of a twist, of a translation [m/s]: magnitude * coordinates(screw) are the
    coordinates it came from.
    """

    screw: Screw
    magnitude: float


class ScrewDisplacement(NamedTuple):
    """A rotation about a line and a translation along it.

    displacement is the angle in [0, pi] rad; of a translation (infinite pitch) the length [m]. The
    screw's point is the one of the axis nearest to the origin.
    """

    kind: Literal["identity", "translation", "screw"]
    screw: Screw
    displacement: float


class CentralAxis(NamedTuple):
    """A force along a line and a couple about it.

    intensity is the force [N]; of a couple (infinite pitch) the torque [N m]. The pitch [m] is couple
    by force, the screw's point the one of the axis nearest to the origin.
    """

    kind: Literal["zero", "couple", "force"]
    screw: Screw
    intensity: float


class GeneratedSubgroup(NamedTuple):
    """What a set of screws generates.

    basis (dimension, 6) of its algebra, in the frame of the given screws: unit translations, then
    screws with unit axes; pitch [m/rad] of 'helical' and 'helical_planar', else 0.
    """

    group: MotionSubgroup
    basis: Array
    pitch: float
