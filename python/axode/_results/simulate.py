"""Named tuples of simulations and of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from axode.typing import Array, ArrayLike, SignalLike

__all__ = [
    "Ball",
    "BodyForce",
    "Checkpoint",
    "Column",
    "CompliantContact",
    "ContactLaw",
    "EventRecord",
    "ForceDerivatives",
    "ForceTerms",
    "HalfSpace",
    "JointForce",
    "JointFriction",
    "JointSpringDamper",
    "JointStops",
    "PointForce",
    "State",
    "StepStatistics",
    "TrajectoryPoint",
]


class State(NamedTuple):
    """Coordinates q and velocities v, each (n,), or (times, n) at several times."""

    q: Array
    v: Array


class StepStatistics(NamedTuple):
    """What an integration took: counts of steps, of evaluations and of factorizations."""

    steps: int = 0
    rejected: int = 0
    rates: int = 0
    jacobians: int = 0
    factorizations: int = 0
    iterations: int = 0


class EventRecord(NamedTuple):
    """An event that came: its time [s], its name and its number among those given."""

    t: float
    name: str
    event: int = -1
    text: str = ""


class Checkpoint(NamedTuple):
    """What continuing a run to the same bits needs: its time [s] and numbers of the integrator."""

    t: float
    numbers: Array


class Column(NamedTuple):
    """A quantity of a run: values (samples,) or (samples, n), names and units of the n."""

    values: Array
    labels: tuple[str, ...]
    units: tuple[str, ...]


class TrajectoryPoint(NamedTuple):
    """Coordinates (nq,), velocities and accelerations (nv,); at several times a leading axis."""

    q: Array
    v: Array
    a: Array


class ForceTerms(NamedTuple):
    """Joint forces tau (nv,) [N m, N] and wrenches (bodies, 6) in the body frames [N m, N]."""

    tau: Array
    wrenches: Array


class ForceDerivatives(NamedTuple):
    """Derivatives (nv, nv) of the generalized force along the tangent of q, and by v."""

    by_q: Array
    by_v: Array


class JointFriction(NamedTuple):
    """Coulomb friction of the degrees of freedom, smooth within `width` [rad/s, m/s]."""

    on: bool = True
    width: float = 1e-3


class JointStops(NamedTuple):
    """Limits as compliant stops: frequency [Hz], damping ratio, width [rad, m]; stiffness (nv,)."""

    on: bool = True
    frequency: float = 25
    damping_ratio: float = 1
    width: float = 1e-3
    stiffness: Array | None = None


class JointSpringDamper(NamedTuple):
    """tau = -stiffness (q - rest) - damping v of a degree of freedom, by its number in v."""

    velocity: int
    stiffness: float = 0
    rest: float = 0
    damping: float = 0


class JointForce(NamedTuple):
    """A force on a degree of freedom, by its number in v."""

    velocity: int
    force: SignalLike


class BodyForce(NamedTuple):
    """Six signals, torque and force, on a body; in the frame (body, pose on it) that gives the
    origin and that which gives the axes."""

    body: int
    wrench: tuple[SignalLike, ...]
    expressed_in: tuple[int, Array, int, Array]


class PointForce(NamedTuple):
    """Spring, damper and actuator between points of two bodies (-1: the world) [m, N/m, N s/m]."""

    body_a: int
    body_b: int
    point_a: Array
    point_b: Array
    stiffness: float = 0
    damping: float = 0
    free_length: float = 0
    force: SignalLike = 0.0


class ContactLaw(NamedTuple):
    """F = stiffness d^exponent (1 + dissipation d') [N/m^n, s/m], friction within `width` [m/s]."""

    stiffness: float = 1e5
    exponent: float = 1.5
    dissipation: float = 0.5
    friction: float = 0.8
    width: float = 1e-3


class HalfSpace(NamedTuple):
    """Points x with normal . (x - point) < 0 are inside, on a body or in the world (-1)."""

    body: int | str = -1
    point: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 0.0, 1.0)


class Ball(NamedTuple):
    """A ball on a body: centre in the body frame and radius [m]; radius 0 is a point."""

    body: int | str
    centre: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0


class CompliantContact(NamedTuple):
    """Balls that touch one half space, by a law."""

    plane: HalfSpace
    balls: Sequence[Ball]
    law: ContactLaw = ContactLaw()
