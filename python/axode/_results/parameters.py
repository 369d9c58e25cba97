"""Inertial and geometric parameters of a tree: results and arguments."""

from typing import NamedTuple

from axode.typing import Array, ArrayLike, PoseLike

__all__ = [
    "BaseParameters",
    "CalibrationResult",
    "GeometricSensitivity",
    "GeometricVariation",
    "PoseMeasurement",
]


class BaseParameters(NamedTuple):
    """The fewest combinations of inertial parameters that the joint forces depend on."""

    rank: int
    columns: list[int]
    """Of the regressor, ascending: 10 body + parameter; independent of each other."""
    combinations: Array
    """(rank, 10 bodies): b = combinations p."""
    smallest_pivot: float
    """Of those that count, relative to the largest."""
    largest_no_pivot: float
    """Of those that do not."""


class GeometricVariation(NamedTuple):
    """A geometric parameter pi: the pose B of a body on its parent becomes B exp(U pi)."""

    body: int | str
    U: ArrayLike
    """A screw, (6,), in the frame that the body has at zero of its joint."""


class GeometricSensitivity(NamedTuple):
    """Derivatives by one geometric parameter, (bodies, 6) each."""

    displacements: Array
    """eta: dT_WB = T_WB hat(eta)."""
    twists: Array
    """Of the components of the body twists."""
    accelerations: Array
    """Of the components of the body accelerations."""


class PoseMeasurement(NamedTuple):
    """Where a frame was found in the world at the coordinates q."""

    q: ArrayLike
    T_WF: PoseLike


class CalibrationResult(NamedTuple):
    """Geometric parameters from measured poses, and how well they are known."""

    parameters: Array
    """The shortest of all that fit as well."""
    standard_deviations: Array
    """That the residuals suggest; infinite for parameters that are not identifiable."""
    ambiguities: Array
    """How much of each is left open: 0 if the measurements fix it, 1 if it has no effect."""
    not_identifiable: list[int]
    """Parameters with an ambiguity above 0.01."""
    null_space: Array
    """Orthonormal rows: changes of the parameters without effect."""
    rank: int
    condition: float
    rotation_residual: float
    """Root of the mean square [rad]."""
    translation_residual: float
    """Root of the mean square [m]."""
    iterations: int
    converged: bool
