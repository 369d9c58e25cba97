"""Contacts, and what functions of contacts return. A batch gives each array a leading axis."""

from typing import NamedTuple

from axode.typing import Array, ArrayLike, FrameLike, PoseLike

__all__ = [
    "Contact",
    "ContactDynamics",
    "ContactImpulse",
    "ContactSolution",
    "Delassus",
    "Directions",
    "ImpulseSolution",
    "full_contact",
    "line_contact",
    "plane_contact",
    "point_contact",
    "sliding_line",
    "sliding_point",
]


class Directions(NamedTuple):
    """Which velocities of the link relative to the other body are held at zero, in its frame C.

    z is the normal of the surfaces, x lies along the line of a line contact.
    """

    wx: bool = False
    wy: bool = False
    wz: bool = False
    vx: bool = False
    vy: bool = False
    vz: bool = False


point_contact = Directions(vx=True, vy=True, vz=True)
"""A point with friction that holds: as a ball joint."""
line_contact = Directions(wy=True, wz=True, vx=True, vy=True, vz=True)
"""An edge with friction that can only tilt, about x."""
full_contact = Directions(True, True, True, True, True, True)
"""A face that cannot move at all."""
sliding_point = Directions(vz=True)
"""A point that slides on a plane."""
sliding_line = Directions(wy=True, vz=True)
"""An edge that slides on a plane."""
plane_contact = Directions(wx=True, wy=True, vz=True)
"""A face that slides on a plane."""


class Contact(NamedTuple):
    """A closed, two-sided contact of a body with the world or another body, by names.

    The contact frame C is at T_FC in the frame F = `at`, and moves in it with the twist V_FC.
    """

    at: FrameLike
    directions: Directions = full_contact
    link: str = ""
    """Body the wrench acts on; "": the one that carries the origin of `at`."""
    against: str = "world"
    """Body it comes from, where the opposite acts."""
    T_FC: PoseLike | None = None
    """None: C is F."""
    V_FC: ArrayLike | None = None
    """In C [rad/s, m/s]; None: C does not move in F."""


class ContactSolution(NamedTuple):
    """What was found beside the numbers asked for."""

    constraints: int
    """Directions held by contacts."""
    rank: int
    """How many of them are independent, of each other and of couplings."""
    redundant: bool
    """rank < constraints: other wrenches would do as well."""
    consistent: bool
    """The residual is no more than rounding."""
    residual: float
    """What is left of the conditions [rad/s^2 and m/s^2]."""


class ImpulseSolution(NamedTuple):
    """As ContactSolution, residual in rad/s and m/s."""

    constraints: int
    rank: int
    redundant: bool
    consistent: bool
    residual: float
    energy_change: float
    """Of the kinetic energy [J]."""


class ContactDynamics(NamedTuple):
    """Accelerations and contact wrenches."""

    solution: ContactSolution
    """A list for a batch."""
    a: Array
    """(nv,)."""
    wrenches: Array
    """On the links, in the contact frames [N m, N], (contacts, 6)."""


class ContactImpulse(NamedTuple):
    """Velocities after an impact, and impulses."""

    solution: ImpulseSolution
    """A list for a batch."""
    v_after: Array
    """(nv,)."""
    impulses: Array
    """On the links, in the contact frames [N m s, N s], (contacts, 6)."""


class Delassus(NamedTuple):
    """The inertia behind contacts: J M^-1 J^T of the directions they hold."""

    matrix: Array
    """(constraints, constraints) [1/(kg m^2), 1/(kg m), 1/kg]."""
    constraints: int
    rank: int
    redundant: bool
    rows: list[tuple[int, int]]
    """Contact and direction, 0 to 5, of each row."""
