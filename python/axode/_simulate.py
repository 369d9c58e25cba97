"""Simulations of any kind of model: events and the call that runs them."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from axode._axode import FlexibleTree, Forces, Mechanism, MechanismSystem, Tree
from axode._errors import Error
from axode._arguments import number, path_from, plain
from axode._private import compiled
from axode._results.simulate import Checkpoint, EventRecord, State, StepStatistics
from axode._run import Run
from axode.typing import AnyMethod, Array, ArrayLike, CoordinateNames, FlexibleModel

if TYPE_CHECKING:
    from axode._flexible import FlexibleControl, FlexibleForces

ControlFunction = Callable[[float, Array, Array], ArrayLike]


class Event(NamedTuple):
    """A function of the state whose zeros are wanted.

    `value(t, q, v)` gives a number (in `integrate`: `value(t, x)`); its changes of sign are located
    within `tolerance` [s], only rising ones with direction 1, only falling ones with -1. A
    `terminal` event ends the run. `action(t, q, v)` may change the state, such as an impact does: it changes
    the arrays it is given, or returns (q, v) (in `integrate` it returns the new x).
    """

    name: str
    value: Callable[..., float]
    direction: int = 0
    terminal: bool = False
    tolerance: float = 1e-10
    action: Callable[..., Any] | None = None


def _checked(events: Iterable[Event]) -> list[Event]:
    result = []
    for event in events:
        if not isinstance(event, Event):
            raise TypeError(f"events: {type(event).__name__} is not an axode.Event")
        if event.direction not in (-1, 0, 1):
            where = f"event '{event.name}'"
            raise Error(f"direction {event.direction!r}", where, "give -1, 0 or 1")
        if not isinstance(event.name, str):
            raise TypeError("events: the name is not a text")
        tolerance = number(event.tolerance, "tolerance")
        if not 0 < tolerance < float("inf"):
            raise Error(f"tolerance {tolerance}", f"event '{event.name}'", "give seconds above 0")
        result.append(
            event._replace(
                direction=int(event.direction), terminal=bool(event.terminal), tolerance=tolerance
            )
        )
    return result


def _fail(error: BaseException, run: Run) -> None:
    """Hands the run so far over with what ended it."""
    run.ending = "interrupted" if isinstance(error, KeyboardInterrupt) else "exception"
    run.message = f"{type(error).__name__}: {error}"
    try:
        error.run = run  # type: ignore[attr-defined]
    except AttributeError:
        pass  # an exception with slots


_OF_MECHANISMS = (
    "controlled",
    "points",
    "bodies",
    "exact_start",
    "start_tolerance",
    "baumgarte_alpha",
    "baumgarte_beta",
    "penalty",
    "omega",
    "mu",
    "max_iterations",
    "iteration_tolerance",
    "project",
    "spectral_radius",
)
_OF_FLEXIBLE_TREES = ("model", "exact_coordinates", "fall_back", "small_deflection")
_REFUSED: dict[str, dict[str, str]] = {
    "trees": {
        **{name: "it is an option of mechanisms" for name in _OF_MECHANISMS},
        **{name: "it is an option of flexible trees" for name in _OF_FLEXIBLE_TREES},
    },
    "mechanisms": {
        "forces": "forces on coordinates, springs and loads are parts of the mechanism",
        "wrenches": "loads are parts of the mechanism, also as functions of time",
        **{name: "it is an option of flexible trees" for name in _OF_FLEXIBLE_TREES},
    },
    "flexible trees": {
        "wrenches": "loads are part of its forces",
        "formulation": "give model='linear' or 'nonlinear'",
        **{name: "it is an option of mechanisms" for name in _OF_MECHANISMS},
    },
}


def _kind_of(system: Any) -> str:
    if isinstance(system, Tree):
        return "trees"
    if isinstance(system, (Mechanism, MechanismSystem)):
        return "mechanisms"
    if isinstance(system, FlexibleTree):
        return "flexible trees"
    raise TypeError(
        f"{type(system).__name__} is not an axode.Tree, Mechanism, MechanismSystem or FlexibleTree"
    )


def simulate(
    system: Tree | Mechanism | MechanismSystem | FlexibleTree,
    /,
    duration: float | None = None,
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    forces: Forces | FlexibleForces | None = None,
    control: FlexibleControl | ControlFunction | None = None,
    control_interval: float | None = None,
    controlled: Sequence[str | int] = (),
    wrenches: ControlFunction | None = None,
    events: Sequence[Event] = (),
    start: float = 0,
    method: AnyMethod = "automatic",
    formulation: str | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    step: float = 0,
    max_step: float = 0,
    max_steps: int = 0,
    sample_interval: float = 0.01,
    sample_times: ArrayLike | None = None,
    checkpoint_interval: float | None = None,
    resume: Checkpoint | bool | None = None,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    binary: bool = False,
    points: Iterable[str] | None = None,
    bodies: bool = False,
    exact_start: bool = False,
    start_tolerance: float = 1e-8,
    baumgarte_alpha: float = 20.0,
    baumgarte_beta: float = 20.0,
    penalty: float = 0.0,
    omega: float = 10.0,
    mu: float = 1.0,
    max_iterations: int = 30,
    iteration_tolerance: float = 1e-12,
    project: bool = True,
    spectral_radius: float = 0.8,
    model: FlexibleModel = "linear",
    exact_coordinates: CoordinateNames = (),
    fall_back: bool = False,
    small_deflection: float = 0.1,
) -> Run:
    """Simulates a tree, a mechanism or a flexible tree for `duration` [s], by default that of its file or 10 s.

    It starts at (q, v), by default at rest in the neutral configuration (tree), at the starting values
    (mechanism) or in the state of the file (flexible tree). Options that a kind of model does not have raise
    TypeError.

    Args:
        q, v: coordinates and velocities; of a mechanism those of its system.
        forces: what acts besides gravity and damping, an axode.Forces or axode.flexible.FlexibleForces; those of
            a mechanism are part of it.
        control: f(t, q, v) that returns forces [N m, N], instead of the controllers of the model or of
            `forces`: of a tree for all velocities, of a flexible tree for all joints. Of a mechanism q, v and
            the forces are those of the coordinates `controlled`, by default those that the mechanism has forces
            on, which it replaces. Called where the integrator needs it, so it must be a smooth function of
            (t, q, v) alone; derivatives are central differences. Not cut at effort limits. Of a flexible tree
            also an axode.flexible.FlexibleControl.
        control_interval: [s]: control is called at start, start + interval, ... in order, once each, and its
            force is held in between: such a controller may have a memory.
        controlled: names or numbers of the coordinates of a mechanism that control acts on.
        wrenches: of trees, f(t, q, v) that returns wrenches (bodies, 6) in the body frames, angular part first.
        events: functions of (t, q, v) whose zeros are found, see axode.Event.
        start: time at the start [s].
        method: of integration, see docs/simulation.md.
        formulation: of trees "relative" or "absolute"; of a mechanism its coordinates, by default "natural".
        rtol, atol: tolerances.
        step: the fixed step of methods that have one, else the first; 0: chosen, where fixed 1 ms, of
            flexible trees 0.1 ms, as their links vibrate fast.
        max_step: [s]; 0: any.
        max_steps: a run that needs more, those before `resume` counted, ends with the ending "step limit"; 0: a
            million per second of `duration`, from ten thousand to ten million, more where `step`, `max_step`
            or `control_interval` ask for them.
        sample_interval: [s]; 0: every step.
        sample_times: times of samples [s] instead of an interval, increasing.
        checkpoint_interval: [s] of simulated time; by default 0 (none), or 1 with `out`.
        resume: continues after a checkpoint, such as `run.checkpoint`, to the same bits, with the same model
            and options; the run has the samples after it. True: continues the interrupted run in the file
            `out`, or starts it, and returns it as a whole, as the file has it.
        out: a run file (.mcap), written along the way; an existing one only with `overwrite`.
        binary: states in the run file as rows of float64.
        points, bodies: of mechanisms: points ("body.point") to follow; whether the run has body_poses
            (quaternion w, x, y, z and position) and body_twists (world axes, about the body's origin).
        exact_start, start_tolerance: of mechanisms: refuses a start that misses the equations by more.
        baumgarte_alpha, baumgarte_beta, penalty, omega, mu, max_iterations, iteration_tolerance, project,
            spectral_radius: of the methods of mechanisms, see docs/simulation.md.
        model: of flexible trees "linear" or "nonlinear" (the exact equations).
        exact_coordinates: elastic coordinates that the linear equations keep exact.
        fall_back: takes the exact equations where the linear mass matrix is not positive definite.
        small_deflection: beyond which fraction of the length, or angle [rad], a warning is given.

    Returns:
        A run with q, v, a, tau, kinetic, potential, stored and work; of a mechanism also lambda_, coordinates
        and coordinate_rates (angles go on over full turns), and its tau are the forces of drivers and control, by
        coordinate. What can happen to a correct user does not raise: see `run.ending` and `run.message`. What a
        function raises, and Ctrl-C, pass through; the exception has the run so far as attribute `run`.
    """
    given = {name: value for name, value in locals().items() if name != "system"}
    kind = _kind_of(system)
    for name, remedy in _REFUSED[kind].items():
        if given[name] is not _DEFAULTS[name]:
            raise TypeError(f"{name}: not for {kind}; {remedy}")
    return _run(system, kind, given)


_DEFAULTS = {
    name: parameter.default for name, parameter in inspect.signature(simulate).parameters.items()
}


def _run(system: Any, kind: str, given: dict[str, Any]) -> Run:
    _check_control(given, kind)
    resume = given["resume"] = None if given["resume"] is False else given["resume"]
    if resume is True and given["out"] is None:
        raise Error("there is no run file to go on with", "resume", "name it by out")
    if resume not in (None, True) and not isinstance(resume, Checkpoint):
        raise TypeError("resume: neither an axode.run.Checkpoint nor True")
    if given["duration"] is None:
        given["duration"] = getattr(system, "duration", None) or 10.0
    if given["checkpoint_interval"] is None:
        given["checkpoint_interval"] = 0.0 if given["out"] is None else 1.0
    if given["out"] is not None:
        given["out"] = path_from(given["out"], "out")
    given["events"] = _checked(given["events"])
    raw: dict[str, Any] = {}
    try:
        system = _start(system, kind, given, raw)
    except BaseException as error:
        if raw:
            _fail(error, _made(raw, system, given))
        raise
    run = _made(raw, system, given)
    if resume is True:
        whole = Run.from_file(given["out"])
        run.t, run.columns, run.events = whole.t, whole.columns, whole.events
    return run


def _check_control(given: dict[str, Any], kind: str) -> None:
    control, interval = given["control"], given["control_interval"]
    if control is not None and not callable(control) and kind != "flexible trees":
        raise TypeError("control: cannot be called")
    if interval is None:
        return
    if not callable(control):
        raise Error("there is no control to sample", "control_interval", "give control, too")
    given["control_interval"] = interval = number(interval, "control_interval")
    if not 0 < interval < float("inf"):
        raise Error("is not a length of time", "control_interval", "give seconds above 0, or None")


def _start(system: Any, kind: str, given: dict[str, Any], raw: dict[str, Any]) -> Any:
    """Runs it; returns what has run: of a mechanism its system."""
    q, v = given["q"], given["v"]
    if kind == "trees":
        given["formulation"] = given["formulation"] or "relative"
        q = system.neutral() if q is None else q
        v = np.zeros(system.nv) if v is None else v
        compiled._simulate(system, given["forces"], given["wrenches"], q, v, given, raw)
    elif kind == "flexible trees":
        compiled._simulate_flexible(system, given["forces"], q, v, given, raw)
    else:
        if isinstance(system, Mechanism):
            system = system.formulate(
                given["formulation"] or "natural", controlled=given["controlled"]
            )
        elif given["formulation"] is not None:
            raise TypeError("formulation: the system is formulated; give its mechanism")
        compiled._simulate_mechanism(system, q, v, given, raw)
    return system


def _made(raw: dict[str, Any], system: Any, given: dict[str, Any]) -> Run:
    events = given["events"]
    common: dict[str, Any] = {
        "events": [EventRecord(t, events[i].name, i) for t, i in raw["events"]],
        "tree": system,
        "options": json.loads(raw["options"]),
        "checkpoint": Checkpoint(*raw["checkpoint"]) if raw["checkpoint"] else None,
    }
    if raw["known"]:
        common |= {
            "ending": raw["ending"],
            "message": raw["message"],
            "statistics": StepStatistics(*raw["statistics"]),
            "last": State(*raw["last"]),
            "last_t": raw["last_t"],
            "figures": raw["figures"],
        }
        if "start_message" in raw:
            common["figures"]["start_message"] = raw["start_message"]
    return Run._from_columns(raw["t"], raw["columns"], **common)
