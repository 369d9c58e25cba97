"""What acts on flexible trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from axode import _axode
from axode.typing import Array, ArrayLike

__all__ = [
    "FlexibleControl",
    "FlexibleForces",
    "FlexibleLoad",
    "PrescribedJoint",
    "dual_differentiation",
    "dual_jacobian",
    "dual_motion",
    "dual_screw",
    "dual_section_pose",
    "find_flexible_modes",
    "flexible_modes",
    "link_poses",
    "screw_transformation",
    "section_pose",
    "static_deflection",
]

# The methods of FlexibleTree by the names of the C++ functions: the tree is the first argument.
dual_differentiation = _axode.FlexibleTree.dual_differentiation
dual_jacobian = _axode.FlexibleTree.dual_jacobian
dual_motion = _axode.FlexibleTree.dual_motion
dual_screw = _axode.FlexibleTree.dual_screw
dual_section_pose = _axode.FlexibleTree.dual_section_pose
find_flexible_modes = _axode.FlexibleTree.find_modes
flexible_modes = _axode.FlexibleTree.modes
link_poses = _axode.FlexibleTree.link_poses
screw_transformation = _axode.FlexibleTree.screw_transformation
section_pose = _axode.FlexibleTree.section_pose
static_deflection = _axode.FlexibleTree.static_deflection

TimeText = float | str | Mapping[str, Any]
"""A function of time as files say it: a number, "an expression in t", {"polynomial": [...]} or
{"times": [...], "values": [...]}."""
StateFunction = Callable[[float, Array, Array], float]
MotionFunction = Callable[[float], ArrayLike]


@dataclass(frozen=True, eq=False)
class FlexibleControl:
    """PD control of joints: tau = kp (target - q) - kd v.

    Gains by joint [N m/rad, N/m; N m s/rad, N s/m]; targets [rad, m] are (joints,), or (times,
    joints): targets[k] holds from times[k] [s] on, the first also before.
    """

    kp: ArrayLike
    kd: ArrayLike
    targets: ArrayLike
    times: ArrayLike = (0.0,)


@dataclass(frozen=True, eq=False)
class FlexibleLoad:
    """A force [N] and torque [N m] on a section of a link, at `station` [m], its tip if not told.

    In the axes of the world, or of the section if it `follows`. In a simulation both are
    multiplied by `factor`: a function of time as files say it, or a function f(t, q, v).
    """

    link: str | int
    force: ArrayLike = (0.0, 0.0, 0.0)
    torque: ArrayLike = (0.0, 0.0, 0.0)
    station: float | None = None
    follows: bool = False
    factor: TimeText | StateFunction = 1.0


@dataclass(frozen=True, eq=False)
class PrescribedJoint:
    """A joint that follows a function of time, whatever force it takes.

    `motion` is a function of time as files say it, or a function f(t) that returns value, rate and
    acceleration; `switches` are the times [s] at which the acceleration jumps.
    """

    joint: str | int
    motion: TimeText | MotionFunction
    switches: Sequence[float] = ()


@dataclass(frozen=True, eq=False)
class FlexibleForces:
    """All that acts on a flexible tree beside gravity, elasticity and damping.

    `joint_forces` are by name or number of the joint [N m, N]: functions of time as files say it,
    or functions f(t, q, v). Those of prescribed joints do nothing.
    """

    control: FlexibleControl | None = None
    joint_forces: Mapping[str | int, TimeText | StateFunction] = field(default_factory=dict)
    loads: Sequence[FlexibleLoad] = ()
    prescribed: Sequence[PrescribedJoint] = ()
