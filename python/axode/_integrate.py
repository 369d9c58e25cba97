"""Differential equations on Lie groups, by the integrators of the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from axode._axode import LieGroup
from axode._arguments import number
from axode._private import compiled
from axode._results.simulate import EventRecord, StepStatistics
from axode._run import Run
from axode._simulate import Event, _checked, _fail
from axode.typing import Array, ArrayLike

FlowMethod = Literal["mk1", "mk2", "mk3", "mk4", "mk5", "cf4", "cvode", "adams", "arkode"]


def integrate(
    f: Callable[[float, Array], ArrayLike],
    x0: ArrayLike,
    t_end: float,
    *,
    group: LieGroup | None = None,
    start: float = 0,
    method: FlowMethod = "mk5",
    rtol: float = 1e-6,
    atol: float = 1e-9,
    step: float = 0,
    fixed_step: bool = False,
    max_step: float = 0,
    max_steps: int = 0,
    sample_interval: float = 0,
    sample_times: ArrayLike | None = None,
    discontinuities: ArrayLike = (),
    jacobian: Callable[[float, Array], ArrayLike] | None = None,
    events: Sequence[Event] = (),
) -> Run:
    """Integrates x' = f(t, x) from x0 at `start` to t_end [s]; `run.x` is (samples, nx).

    x lies on the `group`, by default real numbers: f gives its velocity (nv,), for rotations the
    angular velocity, so that quaternions keep their length. Munthe-Kaas methods mk1 to mk5 and cf4
    have step control, or with `fixed_step` steps of `step`; cvode and arkode are for stiff systems,
    with the `jacobian(t, x)` (nv, nv) of f along the tangent of x, by default by differences.
    Samples after every step, every `sample_interval` or at `sample_times`. At `discontinuities` a
    new step begins. Events as in `simulate`, of (t, x); an action returns the new x. Where one restarts
    the run at ever shorter intervals below 1000 tolerances of its time, the run ends ("events
    accumulate"), as does one that needs more than `max_steps` ("step limit"; 0: ten million, more
    where `step` or `max_step` ask for them).

    `run.ending` and `run.message` tell how it ended. What a function raises, and Ctrl-C, pass
    through; the exception has the run so far as attribute `run`.
    """
    state = np.atleast_1d(np.asarray(x0))
    if group is None:
        group = LieGroup().real(state.size)
    options: dict[str, Any] = {
        "start": number(start, "start"),
        "method": method,
        "rtol": number(rtol, "rtol"),
        "atol": number(atol, "atol"),
        "step": number(step, "step"),
        "fixed_step": bool(fixed_step),
        "max_step": number(max_step, "max_step"),
        "max_steps": max_steps,
        "sample_interval": number(sample_interval, "sample_interval"),
        "sample_times": sample_times,
        "discontinuities": discontinuities,
    }
    watched = _checked(events)
    raw: dict[str, Any] = {}
    try:
        end = number(t_end, "t_end")
        compiled._integrate(f, state, end, group, options, jacobian, watched, raw)
    except BaseException as error:
        if raw:
            _fail(error, _run(raw, options, watched))
        raise
    return _run(raw, options, watched)


_REMEDIES = {
    "not finite": "numbers are no longer finite; take a smaller step or tighter tolerances",
    "step underflow": "the tolerance is not met by the smallest step; is f smooth?",
    "not converged": "the equations of a step were not solved; take another method",
    "step limit": "it needs more steps than max_steps; take a method for stiff systems (cvode), "
    "or raise max_steps",
}


def _run(raw: dict[str, Any], options: dict[str, Any], events: list[Event]) -> Run:
    ending = raw["ending"]
    message = _REMEDIES.get(ending, "")
    if message:
        message = f"at t = {raw['last_t']:.6g} s: {message}"
    elif ending == "events accumulate":
        name = events[raw["event"]].name
        message = (
            f"at t = {raw['last_t']:.6g} s: event '{name}' happens again and again in no time; let its "
            "action bring the system to rest, or make it terminal"
        )
    elif ending == "event":
        last = events[raw["events"][-1][1]].name
        message = f"at t = {raw['last_t']:.6g} s: event '{last}' ended the run"
    n = raw["x"].shape[1]
    return Run._from_columns(
        raw["t"],
        {"x": (raw["x"], [str(i) for i in range(n)], [""] * n)},
        ending=ending,
        message=message,
        statistics=StepStatistics(*raw["statistics"]),
        events=[EventRecord(t, events[i].name, i) for t, i in raw["events"]],
        last_t=raw["last_t"],
        options=options,
    )
