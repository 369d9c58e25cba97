"""Simulations: scenes, events and the call that runs them."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from axode._axode import FlexibleTree, Forces, Mechanism, MechanismSystem, Tree
from axode._errors import Error
from axode._numbers import number, plain
from axode._paths import path_from
from axode._private import compiled
from axode._results.simulate import Checkpoint, EventRecord, State, StepStatistics
from axode._run import Run
from axode._run_files import columns_of
from axode.typing import Array, ArrayLike, Formulation, Method, Rep

ControlFunction = Callable[[float, Array, Array], ArrayLike]
_FIGURES = ("joint", "energy_drift", "energy_scale", "cpu_seconds")


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


_IN_FILES = {name: "save the run: run.save(path)" for name in ("out", "overwrite", "binary")}
_NOT_OF_MECHANISMS = {
    **{
        name: "forces on coordinates, springs and loads are parts of the mechanism, also as functions of time"
        for name in ("forces", "control", "control_interval", "wrenches")
    },
    "formulation": "formulate the mechanism: mechanism.formulate(...).simulate()",
    **_IN_FILES,
}
_NOT_OF_FLEXIBLE_TREES = {
    "wrenches": "loads are part of its forces",
    "control_interval": "control is called where the integrator needs it",
    "formulation": "give model='linear' or 'nonlinear'",
    **_IN_FILES,
}


def simulate(
    tree: Tree | Mechanism | MechanismSystem | FlexibleTree,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    *,
    forces: Forces | None = None,
    control: ControlFunction | None = None,
    control_interval: float | None = None,
    wrenches: ControlFunction | None = None,
    events: Sequence[Event] = (),
    start: float = 0,
    duration: float = 10,
    method: Method = "automatic",
    formulation: Formulation = "relative",
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
    **special: Any,
) -> Run:
    """Simulates a model from the state (q, v), by default the one its file gives, or at rest.

    `tree` may be a tree, a mechanism or a flexible tree. Times, tolerances, steps, samples, events,
    checkpoints and `resume` are the same for all of them; what else mechanisms and flexible trees
    have is listed at their methods `simulate`, which this calls. What follows is about trees.

    `forces` act beside gravity and the damping of the freedoms. `control(t, q, v)` gives joint
    forces (nv,) [N m, N], instead of the controllers of `forces`, and `wrenches(t, q, v)` wrenches
    (bodies, 6) in the body frames, angular part first [N m, N]. Both are called where the integrator needs them, so they must be functions
    of (t, q, v) alone. With `control_interval` [s] control is called at start, start + interval,
    ... in order, once each, and its force is held in between: such a controller may have a memory.
    q and v are read-only arrays that may be kept. What control gives is not cut at effort limits.
    Stiff methods find derivatives of functions by central differences.

    Sampled every `sample_interval` [s] (0: every step), or at `sample_times`. `step` is the fixed
    step of methods that have one (0: 1 ms), else the first one; times at which forces switch are
    met. `out` names a run file (.mcap), written along the way. `resume` continues after a
    checkpoint, such as `run.checkpoint` of a run with a `checkpoint_interval` [s] (by default 0, or
    1 with `out`), to the same bits, with the same tree, forces and options; the run has the samples
    after it. With `resume=True` the run in the file `out`, which was interrupted, goes on, or is
    started where there is no checkpoint in it, and is returned as a whole.

    A run that needs more than `max_steps` steps, those before `resume` counted, ends with the ending
    "step limit", far too slow ones soon. 0: a million per second of `duration`, from ten thousand to
    ten million, more where `step`, `max_step` or `control_interval` ask for them.

    What can happen to a correct user does not raise: `run.ending` and `run.message` tell. What a
    function raises, and Ctrl-C, pass through; the exception has the run so far as attribute `run`.
    """
    if isinstance(tree, (Mechanism, MechanismSystem, FlexibleTree)):
        given = {
            name: value
            for name, value in locals().items()
            if name in _DEFAULTS and value is not _DEFAULTS[name]
        }
        kind, refused = (
            ("flexible trees", _NOT_OF_FLEXIBLE_TREES)
            if isinstance(tree, FlexibleTree)
            else ("mechanisms", _NOT_OF_MECHANISMS)
        )
        for name, remedy in refused.items():
            if name in given:
                raise TypeError(f"{name}: not for {kind}; {remedy}")
        run: Run = tree.simulate(**given, **special)
        return run
    if not isinstance(tree, Tree):
        raise TypeError(f"tree: {type(tree).__name__} is not an axode.Tree")
    for name in special:
        raise TypeError(f"simulate() got an unexpected keyword argument '{name}'")
    if control_interval is not None:
        if control is None:
            raise Error("there is no control to sample", "control_interval", "give control, too")
        control_interval = number(control_interval, "control_interval")
    if resume is False:
        resume = None
    if resume is True and out is None:
        raise Error("there is no run file to go on with", "resume", "name it by out")
    if resume not in (None, True) and not isinstance(resume, Checkpoint):
        raise TypeError("resume: neither an axode.run.Checkpoint nor True")
    watched = _checked(events)
    if checkpoint_interval is None:
        checkpoint_interval = 0.0 if out is None else 1.0
    options: dict[str, Any] = {
        "start": start,
        "duration": duration,
        "method": method.replace("_", "-") if isinstance(method, str) else method,  # as in files
        "formulation": formulation,
        "rtol": rtol,
        "atol": atol,
        "step": step,
        "max_step": max_step,
        "max_steps": max_steps,
        "sample_interval": sample_interval,
        "sample_times": sample_times,
        "checkpoint_interval": checkpoint_interval,
    }
    known = {**options, "control_interval": control_interval}
    raw: dict[str, Any] = {}
    try:
        compiled._simulate(
            tree,
            forces,
            tree.neutral() if q is None else q,
            np.zeros(tree.nv) if v is None else v,
            options,
            control,
            control_interval,
            wrenches,
            watched,
            resume,
            None if out is None else path_from(out, "out"),
            bool(overwrite),
            bool(binary),
            json.dumps(known, default=plain),
            raw,
        )
    except BaseException as error:
        if raw:
            _fail(error, _run(raw, tree, known, watched))
        raise
    run = _run(raw, tree, known, watched)
    if resume is True:
        whole = Run.from_file(out)  # type: ignore[arg-type]
        run.t, run.columns, run.events = whole.t, whole.columns, whole.events
    return run


_DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(simulate).parameters.items()
    if name not in ("tree", "special")
}


def _run(raw: dict[str, Any], tree: Tree, options: dict[str, Any], events: list[Event]) -> Run:
    options["method"] = raw["method"]
    common: dict[str, Any] = {
        "events": [EventRecord(t, events[i].name, i) for t, i in raw["events"]],
        "tree": tree,
        "options": options,
        "checkpoint": Checkpoint(*raw["checkpoint"]) if raw["checkpoint"] else None,
    }
    if raw["known"]:
        common |= {
            "ending": raw["ending"],
            "message": raw["message"],
            "statistics": StepStatistics(*raw["statistics"]),
            "last": State(*raw["last"]),
            "last_t": raw["last_t"],
            "figures": {name: raw[name] for name in _FIGURES},
        }
    return Run._from_columns(raw["t"], columns_of(raw), **common)


class Scene(NamedTuple):
    """A tree, the forces that act on it and its state at the start, from one model file."""

    tree: Tree
    forces: Forces
    initial: State

    @staticmethod
    def from_file(path: str | os.PathLike[str], **options: Any) -> Scene:
        """The same as load_scene."""
        return load_scene(path, **options)

    def simulate(self, **options: Any) -> Run:
        """Simulates it; options as of axode.simulate."""
        return simulate(self.tree, *self.initial, forces=self.forces, **options)


def load_scene(
    path: str | os.PathLike[str],
    *,
    mesh_roots: Sequence[str | os.PathLike[str]] = (),
    free_base: bool = False,
    base_velocity: Rep = "body",
    merge_fixed_joints: bool = False,
) -> Scene:
    """Reads a model file with its forces and initial state. URDF has the tree alone, with friction
    and limits of its joints; of that `free_base` puts the root on a free joint."""
    roots = [path_from(root, "mesh_roots") for root in mesh_roots]
    tree, forces, q, v = compiled._load_scene(
        path_from(path, "path"), roots, free_base, base_velocity, merge_fixed_joints
    )
    return Scene(tree, forces, State(q, v))


def parse_scene(text: str, source: str = "text") -> Scene:
    """The same from text in Axode's format; `source` names it in errors."""
    tree, forces, q, v = compiled._parse_scene(text, source)
    return Scene(tree, forces, State(q, v))


def simulate_file(path: str | os.PathLike[str], **options: Any) -> Run:
    """Simulates the scene of a model file; options as of axode.simulate, with q and v instead of
    those of the file if given."""
    scene = load_scene(path)
    q, v = options.pop("q", scene.initial.q), options.pop("v", scene.initial.v)
    return simulate(scene.tree, q, v, **{"forces": scene.forces, **options})
