"""Named tuples of flexible trees, by the names of the C++ structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from axode.typing import Array, ComplexArray

if TYPE_CHECKING:
    from axode._axode import Beam, BeamMode, Inertia, ModeBoundary

__all__ = [
    "DualDifferentiation",
    "DualJacobian",
    "DualMotion",
    "DualPose",
    "DualScrew",
    "FlexibleEnergies",
    "FlexibleEquations",
    "FlexibleLink",
    "FlexibleModes",
    "FlexibleState",
    "InvariantNode",
    "ModalInvariants",
    "Orthogonality",
    "PrescribedAccelerations",
    "ShapeValue",
    "StaticDeflection",
    "StationModes",
]


class ShapeValue(NamedTuple):
    """A mode shape at a place, or at places (n,): psi, psi' [1/m], psi'' [1/m^2]."""

    value: float | Array
    slope: float | Array
    curvature: float | Array


class StationModes(NamedTuple):
    """All modes of a beam at x [m]; at places (n,) arrays have a leading axis."""

    x: float | Array
    displacement: Array
    """psi_k, (modes,); 0 for torsion"""
    angle: Array
    """alpha_k, (modes,); 0 for axial modes"""
    shortening: Array
    """integral of psi_j' psi_k' from 0 to x, of modes of one plane, (modes, modes)"""


class InvariantNode(NamedTuple):
    """Modes at a Gauss point of a beam, with the mass [kg] and inertia [kg m^2] of its weight."""

    x: float
    displacement: Array
    angle: Array
    shortening: Array
    mass: float
    inertia: Array


class Orthogonality(NamedTuple):
    """Largest cosine between two modes by mass and by stiffness."""

    mass: float
    stiffness: float


class ModalInvariants(NamedTuple):
    """The integrals over a beam that its equations of motion need.

    psi_k are displacements and alpha_k rotations of modes, mu the mass per length, rho J_c the
    rotary inertia per length, c = (Jp, Iy, Iz). Modes of direction d (torsion, bend_y, bend_z,
    axial) are first[d] .. first[d + 1] - 1.
    """

    modes: int
    first: list[int]
    length: float
    mass: float
    """integral mu"""
    first_moment: float
    """integral mu x"""
    second_moment: float
    """integral mu x^2"""
    mean: Array
    """integral mu psi_k, (modes,)"""
    lever: Array
    """integral mu x psi_k, (modes,)"""
    product: Array
    """integral mu psi_j psi_k, (modes, modes)"""
    rotary: Array
    """integral rho J_c, (3,)"""
    angle: Array
    """integral rho J_c alpha_k, (3, modes)"""
    angle_product: Array
    """integral rho J_c alpha_j alpha_k, (3, modes, modes)"""
    angle_triple: Array
    """integral rho J_c alpha_t alpha_y alpha_z, (3, torsion, bend_y, bend_z)"""
    stiffness: Array
    """K, (modes, modes)"""
    shortening: Array
    """integral mu (shortening at x), (modes, modes)"""
    shortening_lever: Array
    """integral mu x (shortening at x), (modes, modes)"""
    nodes: list[InvariantNode]


class FlexibleLink(NamedTuple):
    """A link of a flexible tree."""

    name: str
    parent: str
    """"world", or a link that stands before it"""
    mount: Array
    """joint frame at q = 0 in the parent's frame or section, (4, 4)"""
    station: float
    """x of that section on an elastic parent [m]"""
    joint: str
    """"fixed", "revolute", "prismatic" or "helical\""""
    axis: Array
    pitch: float
    """of helical joints [m/rad]"""
    coordinate: int
    """of the joint; -1: fixed"""
    inertia: Inertia
    """of what is rigid on it, in its frame"""
    beam: Beam | None
    modes: list[BeamMode]
    first_mode: int
    """coordinate of the first mode"""
    boundary_x: ModeBoundary
    boundary_y: ModeBoundary
    boundary_z: ModeBoundary
    damping_ratio: float
    damping_mass: float
    """Rayleigh's alpha [1/s]"""
    damping_stiffness: float
    """Rayleigh's beta [s]"""


class FlexibleState(NamedTuple):
    """Coordinates q and rates v of all joints and modes, (size,)."""

    q: Array
    v: Array


class FlexibleEquations(NamedTuple):
    """M v' + bias + K q + D v = gravity + tau at a state.

    Mass matrix (size, size), forces of velocities (size,) and of gravity (size,), each
    with a leading axis for a batch; stiffness K and damping D (size, size) are constant.
    """

    mass: Array
    bias: Array
    gravity: Array
    stiffness: Array
    damping: Array


class PrescribedAccelerations(NamedTuple):
    """v' of all coordinates (size,), and forces tau (size,) with what prescribed ones need."""

    rates: Array
    tau: Array


class FlexibleEnergies(NamedTuple):
    """Energies [J] of motion, of gravity and of deformation; arrays (batch,) for a batch."""

    kinetic: float | Array
    gravity: float | Array
    elastic: float | Array


class FlexibleModes(NamedTuple):
    """Vibrations of a flexible tree, by rising frequency; pairs of eigenvalues are one mode."""

    solved: bool
    message: str
    """why not"""
    frequency: Array
    """|eigenvalue| [rad/s], (modes,); 0: motion as a rigid body"""
    damping_ratio: Array
    """-real part / |eigenvalue|, (modes,); 1: not oscillating, negative: it grows"""
    eigenvalue: ComplexArray
    """[1/s], (modes,); of a pair the one with positive imaginary part"""
    shape: Array
    """of all coordinates, the largest 1, (modes, size)"""
    quadrature: Array
    """imaginary part of the shapes, zero where all move in phase, (modes, size)"""
    q: Array
    """the pose, with its static deflection, (size,)"""

    @property
    def frequency_hz(self) -> Array:
        """Frequencies [Hz], (modes,)."""
        hz: Array = self.frequency / (2 * np.pi)
        return hz


class StaticDeflection(NamedTuple):
    """Coordinates at rest under gravity with the joints held, and the forces that hold them."""

    converged: bool
    iterations: int
    q: Array
    joint_forces: Array
    """[N m, N], (joints,)"""


class DualPose(NamedTuple):
    """A pose to first order: rotation (3, 3) and position [m] (3,), each real and dual part."""

    R_real: Array
    R_dual: Array
    p_real: Array
    p_dual: Array


class DualJacobian(NamedTuple):
    """Projection matrices of a point, (12, size) with rows (w_r, w_d, v_r, v_d)."""

    hat: Array
    """P^: the dual twist of the point is P^ v"""
    breve: Array
    """P~: the projecting form, in which modes keep orders 0 and 1"""
    rate: Array
    """dP^/dt"""


class DualMotion(NamedTuple):
    """First-order poses of all links, and twists (links, 12) at their origins, in their axes."""

    poses: list[DualPose]
    twists: Array


class DualScrew(NamedTuple):
    """The screw of a coordinate in the frame of its link: projecting and Jacobian form, (12,)."""

    link: int
    projecting: Array
    jacobian: Array


class DualDifferentiation(NamedTuple):
    """dL/dt = Delta L: angular and linear part, (2, 3) real and dual, and Delta (12, 12)."""

    w: Array
    v: Array
    matrix: Array
