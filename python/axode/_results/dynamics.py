"""Results and arguments of dynamics. A batch gives arrays a leading axis, floats become arrays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from axode._axode import BaseChange
from axode.typing import Array, ArrayLike, ComplexArray, FrameLike, NumberOrArray, Rep

__all__ = [
    "ClosedFormMatrices",
    "Composite",
    "Energy",
    "ForwardDynamicsDerivatives",
    "HamiltonRates",
    "PrescribedDynamics",
    "InverseDynamicsDerivatives",
    "InverseDynamicsSecondDerivatives",
    "JointForceRates",
    "JointForces",
    "JointSpring",
    "LineSpring",
    "Linearization",
    "MovingBaseDynamics",
    "NamedWrench",
    "OperationCount",
    "Oscillations",
    "Power",
    "Springs",
]


_NONE = np.zeros(0)


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
    """Wrench that the joint transmits on the body, from its parent, in its frame, (bodies, 6)."""
    representation: Rep
    """In which they were computed."""


class OperationCount(NamedTuple):
    """Floating-point operations."""

    multiplications: int
    additions: int


class InverseDynamicsDerivatives(NamedTuple):
    """Joint forces tau (nv,) and their derivatives (nv, nv): entry [j, k] is d tau_j / d ..._k."""

    tau: Array
    by_q: Array
    by_v: Array
    by_a: Array
    """The mass matrix."""


class InverseDynamicsSecondDerivatives(NamedTuple):
    """Second derivatives of the joint forces, (nv, nv, nv) each, and the first."""

    by_qq: Array
    """[j, k, m]: derivative along q_m of d tau_j / dq_k."""
    by_qv: Array
    """[j, k, m]: d^2 tau_j / dq_k dv_m."""
    by_vv: Array
    """[j, k, m]: d^2 tau_j / dv_k dv_m, twice the Christoffel symbols."""
    by_aq: Array
    """[j, k, m]: d^2 tau_j / da_k dq_m, the derivative of the mass matrix."""
    first: InverseDynamicsDerivatives
    """Joint forces and their first derivatives."""


class ForwardDynamicsDerivatives(NamedTuple):
    """Accelerations a (nv,) and their derivatives (nv, nv): entry [j, k] is d a_j / d ..._k."""

    a: Array
    by_q: Array
    by_v: Array
    by_tau: Array
    """The inverse mass matrix."""


class PrescribedDynamics(NamedTuple):
    """Accelerations and forces of all degrees of freedom, (nv,) each."""

    a: Array
    tau: Array


class Linearization(NamedTuple):
    """x' = A x + B dtau with x = (dq, dv), and M da + D dv + K dq = dtau, d/dt dq = dv + G dq.

    n is the number of independent velocities. Of a tree: nv without couplings of joints, dq is a displacement
    along the tangent, and q, v, a, tau are those of all coordinates. Of a mechanism: the degrees of freedom, and
    all is in the independent coordinates. Of a flexible tree: all coordinates.
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
    """Accelerations of the motion itself."""
    tau: Array
    """Forces of the motion itself [N m, N]."""
    q: Array = _NONE
    """Coordinates of the motion itself [rad, m]."""
    v: Array = _NONE
    """Velocities of the motion itself."""
    independent: list[str] = []
    """Names of the independent velocities of a tree, of the coordinates of other models."""


class Oscillations(NamedTuple):
    """All eigenvalues of x' = A x by rising magnitude, of a pair the one with positive imaginary part first."""

    eigenvalue: ComplexArray
    """[1/s], (n,)."""
    frequency: Array
    """|eigenvalue| [rad/s], the natural frequencies."""
    damping_ratio: Array
    """-real part / |eigenvalue|: 1 does not oscillate, negative grows."""


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
    """A spring on one degree of freedom of a joint, by its name or the number of its body.

    The joint must have a coordinate for that degree of freedom: not one with a quaternion.
    """

    joint: str | int
    stiffness: float
    """[N m/rad, N/m]."""
    rest: float = 0.0
    """Coordinate at which it has no force [rad, m]."""
    dof: int = 0


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


class JointForceRates(NamedTuple):
    """Joint forces and their time derivatives [N m/s^k, N/s^k], (nv,) each."""

    tau: Array
    first: Array
    second: Array | None
    """None without snap."""


class HamiltonRates(NamedTuple):
    """Velocities, and rates of the momenta [N m, N], (nv,) each."""

    v: Array
    momentum_rates: Array


class Composite(NamedTuple):
    """A tree at one state in world axes about one point: sums over each body and all it carries.

    What a function does not find is None.
    """

    point: Array
    """In the world, (3,)."""
    screws: Array
    """Joint screws by velocity, (nv, 6)."""
    inertias: Array
    """Of each body and all it carries, (bodies, 6, 6)."""
    twists: Array | None
    """Of each body, (bodies, 6)."""
    momenta: Array | None
    """Of each body and all it carries, (bodies, 6)."""
    accelerations: Array | None
    """Of each body, gravity in them as -g of the world, (bodies, 6)."""
    wrenches: Array | None
    """That the joints transmit, (bodies, 6)."""
    coriolis: Array | None
    """B X is what a change X of all twists does to the wrenches, (bodies, 6, 6)."""


class ClosedFormMatrices(NamedTuple):
    """Factors of the equations of motion in body representation, of n bodies, without armatures."""

    A: Array
    """(6n, 6n): propagates twists outwards."""
    X: Array
    """(6n, nv): joint screws."""
    X_rate: Array
    """(6n, nv)."""
    a: Array
    """(6n, 6n): diag(ad(S_i v_i))."""
    b: Array
    """(6n, 6n): diag(ad(V_i))."""
    inertia: Array
    """(6n, 6n): diag(M_i)."""
    J: Array
    """(6n, nv): A X."""
    J_rate: Array
    """(6n, nv)."""
    M: Array
    """(nv, nv)."""
    C_83: Array
    """(nv, nv)."""
    C_84: Array
    """(nv, nv), the same matrix in another form."""


class MovingBaseDynamics(NamedTuple):
    """Terms of M nu' + C nu + G = S tau with the velocity of the base in the form asked for."""

    change: BaseChange
    """From the tree's own velocities to nu; a list for a batch."""
    nu: Array
    """The velocity, (nv,)."""
    M: Array
    """With armatures unless left out, (nv, nv)."""
    coriolis: Array
    """C nu, and damping and friction unless left out, (nv,)."""
    gravity: Array
    """G, (nv,)."""
