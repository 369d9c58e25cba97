"""Python functions in the loop of the integrator."""

import math
import os
import signal
import threading
import time
from typing import Any

import axode
import numpy as np
import pytest

TEXT = """{"axode": 1, "gravity": [0, -9.81, 0], "bodies": [
  {"name": "first", "inertia": {"mass": 1, "com": [0.5, 0, 0], "about_com": [0.1, 0.1, 0.1]},
   "joint": {"name": "a", "type": "revolute", "axis": [0, 0, 1]}},
  {"name": "second", "inertia": {"mass": 1.3, "com": [0.4, 0, 0], "about_com": [0.1, 0.1, 0.1]},
   "joint": {"name": "b", "parent": "first", "type": "revolute", "axis": [0, 0, 1],
             "point": [1, 0, 0], "body_in_world": {"position": [1, 0, 0]}}}]}"""
TREE = axode.parse_scene(TEXT, "test").tree
START = np.array([0.3, -0.5])
METHODS = ["mk5", "cf4", "semi-implicit", "momentum-preserving", "variational", "cvode", "adams", "arkode"]


def pd(t: float, q: Any, v: Any) -> Any:
    return -20 * q - 3 * v + math.sin(5 * t)


def as_forces() -> axode.Forces:
    forces = axode.Forces(TREE)
    for joint in "ab":
        forces.add_joint_force(joint, f"-20*q[{joint}] - 3*v[{joint}] + sin(5*t)")
    return forces


@pytest.mark.parametrize("method", METHODS)
def test_control_is_the_same_as_expressions(method: Any) -> None:
    options: dict[str, Any] = dict(duration=0.5, method=method, rtol=1e-9, atol=1e-11)
    wanted = axode.simulate(TREE, q=START, forces=as_forces(), **options)
    found = axode.simulate(TREE, q=START, control=pd, **options)
    assert found.ending == "finished"
    assert abs(found.q - wanted.q).max() < 1e-7
    assert abs(found.tau - wanted.tau).max() < 1e-5
    assert abs(found.work - wanted.work).max() < 1e-6


@pytest.mark.parametrize("interval", [None, 0.01])
def test_control_stands_instead_of_the_controllers_of_the_forces(interval: Any) -> None:
    file = TEXT[:-1] + """, "controllers": [
        {"type": "pd", "kp": 90, "kd": 9, "reference": {"q": {"a": 1, "b": 1}}}]}"""
    scene = axode.parse_scene(file, "test")
    options: dict[str, Any] = dict(
        duration=0.5, control=lambda t, q, v: 0 * q, rtol=1e-10, atol=1e-12
    )
    found = scene.simulate(**options, control_interval=interval)
    wanted = axode.simulate(scene.tree, q=scene.initial.q, v=scene.initial.v, **options)
    assert abs(found.q - wanted.q).max() < 1e-6
    assert abs(found.tau).max() == 0
    assert abs(scene.simulate(duration=0.5).q - wanted.q).max() > 0.1


@pytest.mark.parametrize("method", ["generalized-alpha", "ida"])
def test_control_in_absolute_coordinates(method: Any) -> None:
    options: dict[str, Any] = dict(duration=0.3, method=method, formulation="absolute", rtol=1e-7)
    wanted = axode.simulate(TREE, q=START, forces=as_forces(), **options)
    found = axode.simulate(TREE, q=START, control=pd, **options)
    assert abs(found.q - wanted.q).max() < 1e-6


def test_control_is_called_once_for_each_state() -> None:
    calls = []

    def control(t: float, q: Any, v: Any) -> Any:
        calls.append((t, q, v))
        return -v

    run = axode.simulate(TREE, q=START, duration=0.5, control=control, sample_interval=0.1)
    # Once for each rate, and for samples whose states were not evaluated before.
    assert run.statistics.rates <= len(calls) <= run.statistics.rates + len(run)
    # Arrays may be kept: they are of the state for good, and cannot be changed.
    times = [t for t, _, _ in calls]
    at = times.index(0)
    assert np.array_equal(calls[at][1], START)
    with pytest.raises(ValueError):
        calls[0][1][0] = 3
    assert len({id(q) for _, q, _ in calls}) == len(calls)


@pytest.mark.parametrize("method", ["mk5", "cvode", "variational"])
def test_wrenches_in_body_frames(method: Any) -> None:
    forces = axode.Forces(TREE)
    forces.add_wrench("second", [0, 0, "2*t", 1, "-3*v[a]", 0], "second")
    options: dict[str, Any] = dict(duration=0.5, method=method, rtol=1e-9, atol=1e-11)
    wanted = axode.simulate(TREE, q=START, forces=forces, **options)

    def wrenches(t: float, q: Any, v: Any) -> Any:
        W = np.zeros((2, 6))
        W[1] = [0, 0, 2 * t, 1, -3 * v[0], 0]
        return W

    found = axode.simulate(TREE, q=START, wrenches=wrenches, **options)
    assert abs(found.q - wanted.q).max() < 1e-7


# --- sampled controllers --------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_sampled_control_is_held_and_times_are_met(method: Any) -> None:
    calls: list[tuple[float, Any, Any]] = []

    def control(t: float, q: Any, v: Any) -> Any:
        calls.append((t, q, v))
        return -20 * q - 3 * v

    run = axode.simulate(
        TREE, q=START, duration=0.1, control=control, control_interval=0.01, method=method,
        rtol=1e-9, atol=1e-11, sample_interval=0.005,
    )  # fmt: skip
    assert run.ending == "finished"
    assert [c[0] for c in calls] == pytest.approx([0.01 * k for k in range(10)], abs=1e-15)
    # Samples between have the force of the state at the beginning of the interval.
    for k in range(10):
        assert run.tau[2 * k + 1] == pytest.approx(-20 * calls[k][1] - 3 * calls[k][2], abs=1e-12)
        assert run.q[2 * k] == pytest.approx(calls[k][1], abs=1e-9)


def test_sampled_control_against_runs_one_after_the_other() -> None:
    run = axode.simulate(
        TREE, q=START, duration=0.1, control=pd, control_interval=0.02, rtol=1e-11, atol=1e-13
    )
    q, v = START, np.zeros(2)
    for k in range(5):
        tau = pd(0.02 * k, q, v)
        forces = axode.Forces(TREE)
        for joint in range(2):
            forces.add_joint_force(joint, float(tau[joint]))
        last = axode.simulate(TREE, q=q, v=v, duration=0.02, forces=forces, rtol=1e-11, atol=1e-13).last
        assert last is not None
        q, v = last
    assert run.last is not None
    assert run.last.q == pytest.approx(q, abs=1e-10)


def test_sampled_control_with_memory_and_events() -> None:
    times = []

    def control(t: float, q: Any, v: Any) -> Any:
        times.append(t)
        return np.zeros(2)

    def kick(t: float, q: Any, v: Any) -> None:
        v[0] = 1.0

    events = [axode.Event("kick", lambda t, q, v: t - 0.035, action=kick)]
    run = axode.simulate(
        TREE, q=START, duration=0.1, control=control, control_interval=0.01, events=events
    )
    assert times == pytest.approx([0.01 * k for k in range(10)], abs=1e-15)
    assert [e.name for e in run.events] == ["kick"]


def test_sampled_control_is_continued_within_an_interval() -> None:
    options: dict[str, Any] = dict(
        duration=0.5, control=pd, control_interval=0.2, checkpoint_interval=0.05, rtol=1e-9
    )
    stopped = axode.simulate(
        TREE, q=START, events=[axode.Event("now", lambda t, q, v: t - 0.31, terminal=True)], **options
    )
    assert stopped.checkpoint is not None
    whole = axode.simulate(TREE, q=START, **options)
    rest = axode.simulate(TREE, q=START, resume=stopped.checkpoint, **options)
    assert whole.last is not None and rest.last is not None
    assert np.array_equal(rest.last.q, whole.last.q)


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [*METHODS, "generalized-alpha", "ida"])
def test_an_exception_comes_through_with_the_data_so_far(method: Any) -> None:
    class Broken(Exception):
        pass

    def control(t: float, q: Any, v: Any) -> Any:
        if t > 0.2:
            raise Broken("out of order")
        return -v

    absolute = method in ("generalized-alpha", "ida")
    with pytest.raises(Broken, match="out of order") as caught:
        axode.simulate(
            TREE, q=START, duration=1, control=control, method=method, max_step=0.005,
            formulation="absolute" if absolute else "relative",
        )  # fmt: skip
    run: axode.Run = caught.value.run  # type: ignore[attr-defined]
    assert run.ending == "exception" and "out of order" in run.message
    assert 0.18 < run.t[-1] <= 0.2 and np.isfinite(run.table["a:a"]).all()
    # The traceback leads into the function.
    assert caught.traceback[-1].name == "control"


@pytest.mark.parametrize(
    "value, problem",
    [
        (np.zeros(3), r"control at t = 0.*\(3,\) where \(2,\)"),
        (np.zeros((2, 1)), r"\(2, 1\)"),
        ([0, float("nan")], "control at t = .* not finite"),
        (None, "control at t = 0 s: returned None"),
        (0.0, r"where \(2,\) is wanted"),
    ],
)
def test_wrong_values_are_told_with_the_time(value: Any, problem: str) -> None:
    with pytest.raises(axode.Error, match=problem):
        axode.simulate(TREE, q=START, duration=1, control=lambda t, q, v: value)
    with pytest.raises(axode.Error, match=problem):
        axode.simulate(
            TREE, q=START, duration=1, control=lambda t, q, v: value, control_interval=0.1
        )


@pytest.mark.parametrize("value", ["text", {}, object(), [1j, 0], np.zeros(2, dtype=np.float32)])
def test_wrong_types_are_told(value: Any) -> None:
    with pytest.raises(TypeError, match="control at t = 0"):
        axode.simulate(TREE, q=START, duration=1, control=lambda t, q, v: value)


def test_wrong_values_of_wrenches_events_and_signals() -> None:
    with pytest.raises(axode.Error, match=r"wrenches at t = 0.*\(2, 6\) is wanted"):
        axode.simulate(TREE, q=START, duration=1, wrenches=lambda t, q, v: np.zeros(6))
    for value in (None, "a", float("nan")):
        wrong: Any = lambda t, q, v: value
        event = axode.Event("e", wrong)
        with pytest.raises(axode.Error, match="event 'e' at t = 0"):
            axode.simulate(TREE, q=START, duration=1, events=[event])
    forces = axode.Forces(TREE)
    much: Any = lambda t, q, v: "much"
    forces.add_joint_force("a", much)
    with pytest.raises(axode.Error, match="force at t = 0 s: returned str"):
        axode.simulate(TREE, q=START, duration=1, forces=forces)
    with pytest.raises(axode.Error, match="force at"):
        axode.forces.add_forces(TREE, forces, 0, START, [0, 0])


def test_errors_in_actions() -> None:
    def event(action: Any) -> list[axode.Event]:
        return [axode.Event("e", lambda t, q, v: t - 0.2, action=action)]

    def fail(t: float, q: Any, v: Any) -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError) as caught:
        axode.simulate(TREE, q=START, duration=1, events=event(fail))
    assert caught.value.run.t[-1] <= 0.2  # type: ignore[attr-defined]
    with pytest.raises(axode.Error, match="action of event 'e'"):
        axode.simulate(TREE, q=START, duration=1, events=event(lambda t, q, v: 3))
    with pytest.raises(axode.Error, match="after an event"):
        axode.simulate(TREE, q=START, duration=1, events=event(lambda t, q, v: (q * np.nan, v)))


def test_ctrl_c_stops_promptly_with_the_data() -> None:
    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    for control in (None, lambda t, q, v: -1e-3 * v):
        thread = threading.Thread(target=interrupt)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt) as caught:
            thread.start()
            axode.simulate(TREE, q=START, duration=1e6, sample_interval=10, control=control)
        thread.join()
        assert time.monotonic() - began < 3
        run: axode.Run = caught.value.run  # type: ignore[attr-defined]
        assert run.ending == "interrupted" and len(run) > 0


def test_runs_in_threads_do_not_disturb_each_other() -> None:
    results: dict[int, Any] = {}

    def work(i: int) -> None:
        def control(t: float, q: Any, v: Any) -> Any:
            if i == 1 and t > 0.1:
                raise RuntimeError("one")
            return -v

        try:
            results[i] = axode.simulate(TREE, q=START, duration=0.5, control=control)
        except RuntimeError as error:
            results[i] = error

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert isinstance(results[1], RuntimeError)
    assert np.array_equal(results[0].q, results[2].q) and np.array_equal(results[0].q, results[3].q)


def test_a_simulation_within_a_callback() -> None:
    def control(t: float, q: Any, v: Any) -> Any:
        inner = axode.simulate(TREE, q=q, v=v, duration=0.01, sample_interval=0.01)
        return -inner.v[-1]

    run = axode.simulate(TREE, q=START, duration=0.05, control=control)
    assert run.ending == "finished"
