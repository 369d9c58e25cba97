"""Results and arguments of dynamics. A batch gives each array a leading axis, each float an array."""

from collections.abc import Sequence
from typing import NamedTuple

from axode.typing import Array, ArrayLike, FrameLike, NumberOrArray, Rep

__all__ = [
    "Energy",
    "ForwardDynamicsDerivatives",
    "HybridDynamics",
    "JointForces",
    "JointSpring",
    "LineSpring",
    "Linearization",
    "NamedWrench",
    "OperationCount",
    "Power",
    "Springs",
]


class NamedWrench(NamedTuple):
    """A wrench (torque [N m], force [N]) on a body, or on a named frame and so on its body.

    `wrench` is (6,) or (batch, 6): the torque about the origin of the frame `expressed_in`, in its
    axes, as the force. "tool[world]" has the origin of the tool and the axes of the world.
    """

    on: str
    wrench: ArrayLike
    expressed_in: FrameLike = "world"


class JointForces(NamedTuple):
    """Joint forces, and what the joints bear beside them."""

    tau: Array
    """Joint forces [N m, N], (nv,)."""
    joint_wrenches: Array
    """Wrench that the joint transmits on the body, from its parent, in the body frame, (bodies, 6)."""
    representation: Rep
    """In which they were computed."""


class OperationCount(NamedTuple):
    """Floating-point operations."""

    multiplications: int
    additions: int


class ForwardDynamicsDerivatives(NamedTuple):
    """Accelerations a (nv,) and their derivatives (nv, nv): entry [j, k] is d a_j / d ..._k."""

    a: Array
    by_q: Array
    by_v: Array
    by_tau: Array
    """The inverse mass matrix."""


class HybridDynamics(NamedTuple):
    """Accelerations and forces of all freedoms, (nv,) each."""

    a: Array
    tau: Array


class Linearization(NamedTuple):
    """x' = A x + B du with x = (dq, dv), and M da + D dv + K dq = du, d/dt dq = dv + G dq.

    dq is a displacement along the tangent. n is the number of independent velocities: nv without
    couplings of joints.
    """

    A: Array
    """(2n, 2n)."""
    B: Array
    """(2n, n), by forces on the independent velocities."""
    M: Array
    """Mass, (n, n)."""
    D: Array
    """Damping, (n, n)."""
    K: Array
    """Stiffness, (n, n)."""
    G: Array
    """Kinematics, (n, n): zero where velocities are rates of coordinates."""
    a: Array
    """Accelerations of the motion itself, (nv,)."""
    tau: Array
    """Joint forces of the motion itself, (nv,)."""


class Energy(NamedTuple):
    """Energies [J]; arrays (batch,) for a batch."""

    kinetic: NumberOrArray
    """Of the bodies."""
    armature: NumberOrArray
    """Of the drives."""
    potential: NumberOrArray
    """Of gravity, zero at the world's origin."""


class Power(NamedTuple):
    """The rate of the energy [W], by what it comes from."""

    joints: NumberOrArray
    """v^T tau."""
    external: NumberOrArray
    """Of the wrenches on the bodies."""
    losses: NumberOrArray
    """Of damping and friction: not above zero."""


class JointSpring(NamedTuple):
    """A spring on one freedom of a joint, by its name or the number of its body.

    The joint must have a coordinate for that freedom: not one with a quaternion.
    """

    joint: str | int
    stiffness: float
    """[N m/rad, N/m]."""
    rest: float = 0.0
    """Coordinate at which it has no force [rad, m]."""
    freedom: int = 0


class LineSpring(NamedTuple):
    """A spring between the origins of two frames, which may be on the world."""

    a: FrameLike
    b: FrameLike
    stiffness: float
    """[N/m]."""
    length: float = 0.0
    """Without force [m]."""


class Springs(NamedTuple):
    """Springs on joints and between points."""

    joints: Sequence[JointSpring] = ()
    lines: Sequence[LineSpring] = ()
