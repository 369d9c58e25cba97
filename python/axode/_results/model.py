"""What a tree says of its parts, by the names of the C++ structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from axode.typing import Array, Coordinates, GeometryForm, JointType, Rep

if TYPE_CHECKING:
    from axode._axode import SE3, Inertia, Shape

__all__ = [
    "Body",
    "BodyScrews",
    "Coupling",
    "CouplingError",
    "Dof",
    "FrameChoice",
    "JointFrames",
    "ModelWarning",
    "NamedFrame",
    "ZeroReference",
]


class Body(NamedTuple):
    """A body of a tree with the joint it is on.

    Its coordinates are q[body.q] and its velocities v[body.v] of a state, in a batch q[:, body.q].
    """

    number: int
    """Its index in lists of bodies; parents come before children."""
    name: str
    parent: int
    """The number of the body it is on; -1: the world."""
    parent_name: str
    children: tuple[int, ...]
    inertia: Inertia
    """In the body frame."""
    inertia_given: bool
    """False: nobody gave one, it is taken as zero."""
    joint_name: str
    joint_type: JointType
    coordinates: Coordinates
    velocity: Rep
    """Of a free joint: the form of its velocity."""
    q: slice
    v: slice
    dofs: tuple[Dof, ...]
    """By degree of freedom of the joint."""
    form: GeometryForm
    """In which its geometry was given."""
    B: SE3
    """T_PB, its pose in the parent at q = 0."""
    T_BJ: SE3
    """The joint frame on the body."""
    shapes: tuple[Shape, ...]


class Dof(NamedTuple):
    """What belongs to one degree of freedom of a joint beside its screw: rad or m, N m or N."""

    lower: float
    upper: float
    max_velocity: float
    max_effort: float
    damping: float
    """Viscous [N m s/rad, N s/m]."""
    friction: float
    """Coulomb [N m, N]."""
    armature: float
    """Reflected inertia of the drive [kg m^2, kg]."""


class NamedFrame(NamedTuple):
    """A frame fixed on a body (-1: the world), at the pose T_BF in the body frame."""

    name: str
    body: int
    T_BF: SE3


class FrameChoice(NamedTuple):
    """A frame with the origin of one frame and the axes of another; often they are the same."""

    origin: NamedFrame
    axes: NamedFrame


class Coupling(NamedTuple):
    """The joint of body `follower` has q = ratio * q_leader + offset; the leader follows none.

    Where the joint named by the user follows others itself, `named_...` is what the user said.
    """

    follower: int
    leader: int
    ratio: float
    offset: float
    named_leader: str
    named_ratio: float
    named_offset: float


class CouplingError(NamedTuple):
    """The largest violation of the couplings [rad or m], and the body of its follower (-1: none).

    Of a batch arrays (batch,).
    """

    error: float | Array
    body: int | NDArray[np.int64]


class ModelWarning(NamedTuple):
    """A remark on a model that loads all the same."""

    text: str
    """With file and line if there is one, and the name."""
    impossible: bool
    """No physical body or mechanism is like this."""

    def __str__(self) -> str:
        return self.text


class ZeroReference(NamedTuple):
    """The pose A = T_WB of a body and its joint screws Y (degrees of freedom, 6), in the world at q = 0."""

    A: SE3
    Y: Array


class BodyScrews(NamedTuple):
    """The pose B = T_PB at q = 0, and the joint screws (degrees of freedom, 6) in both frames."""

    B: SE3
    X: Array
    """In the body frame."""
    X_parent: Array
    """In the parent's frame."""


class JointFrames(NamedTuple):
    """The joint frames S_parent = T_PJ and S_body = T_BJ, and the screws Z (degrees of freedom, 6) in them."""

    S_parent: SE3
    S_body: SE3
    Z: Array
