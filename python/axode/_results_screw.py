"""What the functions of screws and inertias return."""

from typing import NamedTuple

from axode.typing import Array

__all__ = ["InertiaParameters"]


class InertiaParameters(NamedTuple):
    """The ten numbers the equations of motion are linear in.

    mass [kg], first_moment m c [kg m] (3,), about_origin [kg m^2] (3, 3).
    """

    mass: float
    first_moment: Array
    about_origin: Array
