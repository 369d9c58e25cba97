"""What acts on flexible trees, and their simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from axode._private import compiled
from axode import _axode
from axode._results.simulate import Checkpoint, EventRecord, State, StepStatistics
from axode._run import Run
from axode._simulate import Event, _checked, _fail
from axode.typing import Array, ArrayLike, CoordinateNames, FlexibleModel

if TYPE_CHECKING:
    from axode._axode import FlexibleTree

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
ControlFunction = Callable[[float, Array, Array], ArrayLike]
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


def simulate(
    tree: FlexibleTree,
    duration: float | None = None,
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    forces: FlexibleForces | None = None,
    control: FlexibleControl | ControlFunction | None = None,
    start: float = 0.0,
    model: FlexibleModel = "linear",
    method: str = "automatic",
    rtol: float = 1e-6,
    atol: float = 1e-9,
    step: float = 0.0,
    max_step: float = 0.0,
    max_steps: int = 0,
    sample_interval: float = 0.01,
    sample_times: ArrayLike | None = None,
    events: Sequence[Event] = (),
    checkpoint_interval: float = 0.0,
    resume: Checkpoint | None = None,
    exact_coordinates: CoordinateNames = (),
    fall_back: bool = False,
    small_deflection: float = 0.1,
) -> Run:
    """The motion of a flexible tree by the linear or the exact equations.

    Args:
        tree: what moves.
        forces: what acts on it instead of what its file says.
        q, v: coordinates and rates at the start, (size,); by default the initial state of the tree.
        control: instead of the PD control of the forces or of the file, another one, or a function
            f(t, q, v) that returns a force for each joint [N m, N]. Joint forces, loads and
            prescribed joints act besides. It must be smooth between the times at which something
            switches.
        duration: [s]; by default that of the file, else 10 s.
        start: time at the start [s].
        model: "linear" or "nonlinear" (exact).
        method: "automatic" (cvode; adams for tolerances below 1e-7), "mk1" to "mk5", "cf4",
            "semi-implicit", "variational", "cvode", "adams", "arkode", "generalized-alpha", "ida".
        rtol, atol: tolerances.
        step: fixed step, or first step [s]; 0: chosen, where fixed 0.1 ms.
        max_step: [s]; 0: any.
        max_steps: a run that needs more ends ("step limit"); 0: a million per second of duration,
            from ten thousand to one million, more where step or max_step ask for them.
        sample_interval: [s]; 0: every step.
        sample_times: times of samples [s] instead of an interval, rising.
        events: functions of (t, q, v) whose zeros are found, see axode.Event.
        checkpoint_interval: [s] of simulated time; 0: none.
        resume: the checkpoint of a run to go on with, to the same bits, with the same options.
        exact_coordinates: elastic coordinates kept exact in the linear model.
        fall_back: takes the exact equations where the linear mass matrix is not positive definite.
        small_deflection: beyond which fraction of the length, or angle [rad], a warning is given.

    Returns:
        A run with q, v, a (v'), tau (size,), kinetic, potential (gravity), stored (elastic) and
        work [J], and the figures warnings, method, fallbacks, energy_drift, energy_scale and
        cpu_seconds. What went wrong, such as a mass matrix that is no longer definite, tell `ending`
        and `message`. An exception of a function of the user passes through; its attribute `run` is
        the run up to there.
    """
    options = {
        "start": start,
        "duration": duration if duration is not None else (tree.duration or 10.0),
        "model": model,
        "method": method,
        "rtol": rtol,
        "atol": atol,
        "step": step,
        "max_step": max_step,
        "max_steps": max_steps,
        "sample_interval": sample_interval,
        "sample_times": sample_times,
        "checkpoint_interval": checkpoint_interval,
        "exact_coordinates": exact_coordinates,
        "fall_back": fall_back,
        "small_deflection": small_deflection,
    }
    watched = _checked(events)
    made: dict[str, Any] = {}
    try:
        compiled._simulate_flexible(
            tree, forces, control, q, v, {**options, "events": watched, "resume": resume}, made
        )
    except BaseException as error:
        if made:
            _fail(error, _run_of(tree, made, options, watched))
        raise
    return _run_of(tree, made, options, watched)


def _run_of(
    tree: FlexibleTree,
    made: Mapping[str, Any],
    options: Mapping[str, Any],
    watched: Sequence[Event],
) -> Run:
    columns = made["columns"]
    names, units = tree.coordinate_names, tree.coordinate_units
    forces = ["N m" if unit == "rad" else "N" for unit in units]
    figures = ("warnings", "method", "fallbacks", "energy_drift", "energy_scale", "cpu_seconds")
    return Run._from_columns(
        columns["t"],
        {
            "q": (columns["q"], names, units),
            "v": (columns["v"], names, [unit + "/s" for unit in units]),
            "a": (columns["a"], names, [unit + "/s^2" for unit in units]),
            "tau": (columns["tau"], names, forces),
            "kinetic": (columns["kinetic"], [], ["J"]),
            "potential": (columns["potential"], [], ["J"]),
            "stored": (columns["stored"], [], ["J"]),
            "work": (columns["work"], [], ["J"]),
        },
        ending=made["ending"],
        message=made["message"],
        statistics=StepStatistics(*made["statistics"]),
        last=State(made["q"], made["v"]),
        last_t=made["t"],
        events=[EventRecord(t, watched[i].name, i) for t, i in made["events"]],
        checkpoint=Checkpoint(*made["checkpoint"]) if made["checkpoint"] else None,
        tree=tree,
        options=options,
        figures={name: made[name] for name in figures},
    )
