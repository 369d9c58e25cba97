"""Kinematics and dynamics of multibody systems by screw theory and Lie groups.

The names are those of the C++ library. Those of daily work are here; every name is in the module of its
room, such as axode.lie, axode.dynamics or axode.io. Angles in rad, lengths in m, SI throughout; six-vectors
have the angular part first. Arrays are float64 in C order. Where an argument is a state of shape (n,), one
of shape (batch, n) gives a result with a leading batch axis.
"""

from typing import TYPE_CHECKING

from axode import typing as typing
from axode._axode import (
    FlexibleBuilder,
    FlexibleTree,
    Forces,
    Frame,
    Mechanism,
    MechanismBuilder,
    Tree,
    TreeBuilder,
    acceleration,
    accelerations,
    centre_of_mass,
    centre_of_mass_jacobian,
    centroidal_momentum,
    computed_torque_controller,
    coriolis_matrix,
    cylindrical,
    direction_target,
    energy,
    fixed,
    forward_dynamics,
    forward_dynamics_derivatives,
    free_joint,
    gravity_forces,
    ground_contact,
    helical,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    inverse_kinematics,
    inverse_mass_matrix,
    jacobian,
    jacobian_rate,
    joint_forces,
    kinetic_energy,
    load_tree,
    manipulability,
    mass_matrix,
    orientation_target,
    origin_of,
    pd_controller,
    planar,
    pose_target,
    poses,
    position_target,
    potential_energy,
    prescribed_dynamics,
    prismatic,
    revolute,
    rotation_about,
    save_tree,
    set_threads,
    spherical,
    threads,
    total_mass,
    trajectory,
    transform,
    translation,
    twist,
    twists,
    universal,
)
from axode._errors import Error, IoError, LimitError, SingularError
from axode._linearize import linearize
from axode._names import permutation
from axode._results.simulate import State
from axode._run import Run
from axode._scene import Scene, load_scene, parse_scene, simulate_file
from axode._simulate import Event, simulate
from axode._view import Page, show
from axode._axode import version as __version__

__all__ = [
    "acceleration",
    "accelerations",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "centroidal_momentum",
    "computed_torque_controller",
    "coriolis_matrix",
    "cylindrical",
    "direction_target",
    "energy",
    "Error",
    "Event",
    "fixed",
    "FlexibleBuilder",
    "FlexibleTree",
    "Forces",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "Frame",
    "free_joint",
    "gravity_forces",
    "ground_contact",
    "helical",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_kinematics",
    "inverse_mass_matrix",
    "IoError",
    "jacobian",
    "jacobian_rate",
    "joint_forces",
    "kinetic_energy",
    "LimitError",
    "linearize",
    "load_scene",
    "load_tree",
    "manipulability",
    "mass_matrix",
    "Mechanism",
    "MechanismBuilder",
    "orientation_target",
    "origin_of",
    "Page",
    "parse_scene",
    "pd_controller",
    "permutation",
    "planar",
    "pose_target",
    "poses",
    "position_target",
    "potential_energy",
    "prescribed_dynamics",
    "prismatic",
    "revolute",
    "rotation_about",
    "Run",
    "save_tree",
    "Scene",
    "set_threads",
    "show",
    "simulate",
    "simulate_file",
    "SingularError",
    "spherical",
    "State",
    "threads",
    "total_mass",
    "trajectory",
    "transform",
    "translation",
    "Tree",
    "TreeBuilder",
    "twist",
    "twists",
    "universal",
]

if TYPE_CHECKING:
    from axode import _results as _results
    from axode import core as core
    from axode import dynamics as dynamics
    from axode import flexible as flexible
    from axode import forces as forces
    from axode import integrate as integrate
    from axode import io as io
    from axode import kinematics as kinematics
    from axode import lie as lie
    from axode import mechanism as mechanism
    from axode import model as model
    from axode import run as run
    from axode import screw as screw
    from axode import view as view
else:
    from axode import _names

    def __getattr__(name: str):  # rooms are loaded on first use
        if name.startswith("_"):
            raise AttributeError(f"module 'axode' has no attribute '{name}'")
        return _names.room_or_hint(name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *_names.ROOMS})
