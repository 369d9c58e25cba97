"""Flexible trees that several tests use."""

from pathlib import Path

import axode

EXAMPLES = Path(__file__).parents[3] / "examples" / "flexible"
ALUMINIUM = axode.flexible.Material(70e9, 26e9, 2700)


def two_tubes() -> axode.FlexibleTree:
    """The arm of the page on elastic links."""
    upper = axode.flexible.Beam(4, ALUMINIUM, axode.flexible.hollow_circle(0.16, 0.14))
    fore = axode.flexible.Beam(
        3, ALUMINIUM, axode.flexible.hollow_circle(0.12, 0.10), axode.flexible.hollow_circle(0.08, 0.06)
    )
    modes = axode.flexible.ModeRequest(outboard_mass=True, outboard_inertia=True)
    return (
        axode.FlexibleBuilder("arm")
        .beam("upper", "world", None, upper, modes)
        .revolute((0, -1, 0))
        .damping(0.005)
        .beam("fore", "upper", None, fore, modes)
        .revolute((0, -1, 0))
        .damping(0.005)
        .payload("fore", axode.screw.Inertia(20, about_com=(0.3, 0.3, 0.3)))
        .reference("fore", -1)
        .build()
    )
