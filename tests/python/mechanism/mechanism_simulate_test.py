"""Runs of mechanisms: starts, endings, columns, functions of Python."""

import json
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from reference_cases import METHODS, PLANAR
from reference_cases_planar import four_bar

import axode

MODELS = Path(__file__).resolve().parents[3] / "examples/mechanisms"


def pendulum(**load):
    builder = axode.MechanismBuilder("pendulum", "planar")
    builder.body("rod", mass=2, com=(0.5, 0), about_com=1 / 6).point("tip", (1, 0))
    builder.joint("A", "revolute", "world", "rod", points=((0, 0), (0, 0)))
    if load:
        builder.force("A.angle", **load)
    return builder.start("A.angle", 0.3, 0.5).build()


def test_starting_values_and_columns():
    mechanism = pendulum()
    run = mechanism.simulate(
        duration=0.5, sample_interval=0.1, points=["rod.tip"], rtol=1e-8, atol=1e-10
    )
    assert isinstance(run, axode.Run)
    assert run.t == pytest.approx(np.arange(6) * 0.1)
    assert run.coordinates[0] == pytest.approx([0.3])
    assert run.coordinate_rates[0] == pytest.approx([0.5])
    angle = run.coordinates[:, 0]
    assert run.points == pytest.approx(
        np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]), abs=1e-12
    )
    energy = run.kinetic + run.potential
    assert energy == pytest.approx(np.full(6, energy[0]), rel=1e-6)
    assert run.columns["coordinates"].labels == ("A.angle",)
    assert run.columns["coordinates"].units == ("rad",)


def test_starts_at_another_time_and_without_drivers():
    driven = pendulum().replace(drivers={"A.angle": "0.3 + 4*t"})
    for formulation in PLANAR:
        run = driven.simulate(start=1.0, duration=0.1, formulation=formulation)
        assert np.cos(run.coordinates[0] - 4.3) == pytest.approx(1) and run.t[0] == 1
        assert run.coordinate_rates[0] == pytest.approx([4])
        free = driven.formulate(formulation, with_drivers=False)
        assert free.simulate(duration=0.1).coordinate_rates[0] == pytest.approx([0.5])


def test_angles_go_on_over_full_turns():
    mechanism = pendulum().replace(gravity=(0, 0, 0), initial_rate={"A.angle": 10.0})
    for formulation in PLANAR:
        run = mechanism.simulate(
            duration=2.0, sample_interval=0.25, formulation=formulation, rtol=1e-8, atol=1e-10
        )
        assert run.coordinates[:, 0] == pytest.approx(0.3 + 10 * run.t, rel=1e-8)


def test_turns_between_samples_are_counted():
    mechanism = pendulum().replace(gravity=(0, 0, 0), initial_rate={"A.angle": 50.0})
    assert mechanism.simulate(duration=3.0, sample_interval=0).figures["sure_of_turns"]
    for formulation in PLANAR:
        run = mechanism.simulate(duration=9.0, sample_interval=3.0, formulation=formulation)
        assert run.coordinates[:, 0] == pytest.approx(0.3 + 50 * run.t, abs=0.01)


def test_assembled_states_have_the_rates_of_the_start():
    mechanism = pendulum()
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        state = system.assemble()
        assert state.assembled and not state.message
        assert system.measure(state.q, state.v).rate == pytest.approx([0.5])
        run = system.simulate(duration=0)
        assert run.v[0] == pytest.approx(state.v, abs=1e-12)


def test_forces_by_python_functions():
    accurate = {"rtol": 1e-8, "atol": 1e-10}
    text = pendulum(force="2*cos(3*t)").simulate(duration=0.5, **accurate)
    for function in (lambda t: 2 * np.cos(3 * t), axode.mechanism.TimeFunction("2*cos(3*t)")):
        run = pendulum(force=function).simulate(duration=0.5, **accurate)
        assert run.coordinates == pytest.approx(text.coordinates, abs=1e-12)
    drift = text.kinetic + text.potential - text.work
    assert drift == pytest.approx(np.full(len(text.t), drift[0]), abs=1e-6)


def test_loads_by_python_functions():
    def load(t):
        return [0, 0, 0, 0, 2 * 9.81, 0]

    builder = axode.MechanismBuilder("held", "planar")
    builder.body("rod", mass=2, com=(0.5, 0), about_com=1 / 6)
    builder.joint("A", "revolute", "world", "rod", points=((0, 0), (0, 0)))
    builder.load(("rod", (0.5, 0)), varying=load).start("A.angle", 0.3)
    run = builder.build().simulate(duration=0.3)
    assert run.coordinates == pytest.approx(np.full((31, 1), 0.3), abs=1e-12)


@pytest.mark.parametrize(
    "method", [*METHODS, "generalized_alpha", "generalized_alpha_stabilized", "ida"]
)
def test_exceptions_of_functions_come_through_with_the_samples(method):
    def force(t):
        if t > 0.2:
            raise KeyError("broken")
        return 0.0

    for formulation in ("relative", "natural"):
        with pytest.raises(KeyError, match="broken") as caught:
            pendulum(force=force).simulate(duration=1.0, method=method, formulation=formulation)
        run = caught.value.run
        assert run.ending == "exception" and 0.1 < run.t[-1] <= 0.25
        assert np.isfinite(run.q).all()


def test_functions_that_return_nonsense():
    for bad, error in (
        (lambda t: "x", TypeError),
        (lambda t: (1, 2), axode.Error),
        (lambda t: float("nan"), axode.Error),
        (lambda: 1, TypeError),
    ):
        with pytest.raises(error):
            pendulum(force=bad).simulate(duration=0.1)


@pytest.mark.parametrize("bad", [float("nan"), (1, 2)])
def test_samples_so_far_come_with_wrong_values_too(bad):
    with pytest.raises(axode.Error, match="A.angle.* at t = 0.[12].*: returned") as caught:
        pendulum(force=lambda t: bad if t > 0.1 else 0.0).simulate(duration=1)
    run = caught.value.run
    assert run.ending == "exception" and "returned" in run.message
    assert 0.05 < run.t[-1] <= 0.15 and np.isfinite(run.q).all()


def test_a_function_must_not_use_the_system_that_calls_it():
    systems = []

    def force(t):
        systems[0].mobility()
        return 0.0

    systems.append(pendulum(force=force).formulate())
    with pytest.raises(axode.Error, match="uses the system that calls it"):
        systems[0].simulate(duration=0.1)
    systems.clear()


def test_keyboard_interrupt():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum().simulate(duration=1e6, sample_interval=0.01, max_steps=10**12)
        time.sleep(5)  # where the run was quicker
    assert time.monotonic() - begin < 3
    assert len(caught.value.run.t) > 10
    timer.join()


@pytest.mark.parametrize("load", [{}, {"force": lambda t: 0.0}], ids=["none", "function"])
def test_keyboard_interrupt_without_samples(load):
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    mechanism = pendulum(**load)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        mechanism.simulate(duration=1e6, sample_interval=1e6, max_steps=10**12)
    assert time.monotonic() - begin < 3
    assert caught.value.run.ending == "interrupted" and caught.value.run.t[0] == 0
    timer.join()


def test_endings_are_no_exceptions():
    c = four_bar(0)
    system = c.mechanism.formulate("reference_point")
    q = system.from_poses(np.array([b.T for b in c.start]))
    v = system.from_twists(q, np.array([[*b.omega, *b.v] for b in c.start]))
    off = q + np.eye(len(q))[0] * 1e-3
    run = system.simulate(q=off, v=v, duration=0.1, exact_start=True)
    assert run.ending == "not assembled" and "equation 'A" in run.message
    assert system.simulate(q=off, v=v, duration=0.1).position_error < 1e-13
    fast = system.simulate(q=q, v=v + np.eye(len(v))[2], duration=0.1, exact_start=True)
    assert fast.ending == "inconsistent velocity" and "equation '" in fast.message


def test_a_mechanism_that_cannot_be_assembled():
    mechanism = axode.Mechanism.from_file(MODELS / "example_2_1_four_bar.json")
    text = mechanism.to_text()
    model = json.loads(text)
    far = next(j for j in model["joints"] if j["name"] == "B")
    far["points"][0] = [40, 0]
    run = axode.Mechanism.from_text(json.dumps(model)).simulate(duration=0.1)
    assert run.ending == "not assembled" and run.message and len(run.t) == 0


def test_misuse():
    mechanism = pendulum()
    with pytest.raises(axode.Error, match="there is no method 'euler'"):
        mechanism.simulate(method="euler")
    with pytest.raises(axode.Error):
        mechanism.simulate(duration=-1)
    with pytest.raises(axode.Error):
        mechanism.simulate(rtol=-1)
    with pytest.raises(axode.Error, match="there is no point 'rod.top'"):
        mechanism.simulate(points=["rod.top"])
    with pytest.raises(axode.Error, match="given without q"):
        mechanism.simulate(v=[1.0])
    with pytest.raises(axode.LimitError):
        mechanism.simulate(duration=1e12)
    for name in ("sample_interval", "step", "max_step"):
        options = {"sample_interval": 0, name: 0.01}
        with pytest.raises(axode.Error, match=f"{name}: .* rounding"):
            mechanism.simulate(start=1e17, **options)
    for times in ([float("nan")], [0.1, float("inf")]):
        with pytest.raises(axode.Error, match="sample_times: .*finite"):
            mechanism.simulate(sample_times=times)


def test_driven_runs_keep_their_drivers_and_tell_the_work():
    mechanism = axode.Mechanism.from_file(MODELS / "example_2_1_four_bar.json")
    mechanism = mechanism.replace(drivers={"A.angle": lambda t: (0.1 + 2 * t, 2.0, 0.0)})
    for formulation in ("relative", "natural"):
        run = mechanism.simulate(duration=0.5, formulation=formulation)
        A = mechanism.coordinate_names.index("A.angle")
        assert run.coordinates[:, A] == pytest.approx(0.1 + 2 * run.t, abs=1e-9)


def test_threads_run_side_by_side():
    system = pendulum(force=lambda t: 0.1).formulate()
    expected = system.simulate(duration=0.5).coordinates
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(system.simulate(duration=0.5).coordinates))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for coordinates in found:
        assert np.array_equal(coordinates, expected)


@pytest.mark.parametrize(
    "method",
    ["null_space", "augmented_lagrangian", "generalized_alpha", "generalized_alpha_stabilized"],
)
def test_methods_and_coordinates_have_two_spellings(method):
    mechanism = pendulum()
    runs = [
        mechanism.simulate(duration=0.05, method=m, formulation=f)
        for m, f in ((method, "reference_point"), (method.replace("_", "-"), "reference-point"))
    ]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert runs[0].options["method"] == runs[1].options["method"] == method.replace("_", "-")


def half_way(there, **more):
    return axode.Event("half way", lambda t, q, v: q[0] - there, **more)


def test_axode_simulate_is_the_same_for_mechanisms():
    mechanism = pendulum()
    for model in (mechanism, mechanism.formulate("relative")):
        run = axode.simulate(model, duration=0.3, method="null-space", rtol=1e-7)
        own = model.simulate(duration=0.3, method="null_space", rtol=1e-7)
        assert np.array_equal(run.q, own.q) and run.options["method"] == "null-space"
    with pytest.raises(TypeError):
        axode.simulate(mechanism, forces=None, controls=3)


@pytest.mark.parametrize("method", ["projection", "null-space", "generalized-alpha", "ida"])
def test_events_and_checkpoints(method):
    system = pendulum().formulate("relative")
    options = {"duration": 0.6, "method": method}
    plain = system.simulate(**options)
    there = plain.q[30, 0]
    ended = system.simulate(**options, events=[half_way(there, terminal=True)])
    assert ended.ending == "event" and ended.last_t == pytest.approx(plain.t[30], abs=2e-3)
    assert [e.name for e in ended.events] == ["half way"] and ended.events[0].event == 0

    def turn_back(t, q, v):
        v *= -1

    options |= {"events": [half_way(there, action=turn_back)], "checkpoint_interval": 0.11}
    options["duration"] = 2 * ended.last_t
    back = system.simulate(**options)
    assert back.last.q == pytest.approx(back.q[0], abs=2e-3)
    assert back.last.v == pytest.approx(-back.v[0], abs=2e-2)
    rest = system.simulate(**options, resume=back.checkpoint)
    assert 0 < len(rest) < len(back) and rest.t[0] > back.checkpoint.t
    for name in ("q", "v", "a", "coordinates", "kinetic", "work"):
        assert np.array_equal(getattr(rest, name), getattr(back, name)[-len(rest) :]), name
    assert rest.statistics.steps == back.statistics.steps
    with pytest.raises(axode.Error, match="another method"):
        system.simulate(duration=0.6, method="baumgarte", resume=back.checkpoint)
    with pytest.raises(TypeError, match="resume"):
        system.simulate(resume=3)
    with pytest.raises(KeyError, match="broken"):
        system.simulate(events=[axode.Event("bad", lambda t, q, v: {}["broken"])])


def test_control_acts_as_the_spring_and_damper_it_describes():
    accurate = {"duration": 0.5, "step": 1e-3, "rtol": 1e-9}
    sprung = pendulum(stiffness=30, rest=1, damping=2)
    for formulation in PLANAR:
        wanted = sprung.simulate(formulation=formulation, **accurate)
        found = pendulum().simulate(
            control=lambda t, q, v: 30 * (1 - q) - 2 * v, controlled=["A.angle"], formulation=formulation, **accurate
        )
        assert found.coordinates == pytest.approx(wanted.coordinates, abs=1e-12)
        angle, rate = found.coordinates, found.coordinate_rates
        assert found.tau == pytest.approx(30 * (1 - angle) - 2 * rate, abs=1e-9)
        energy = found.kinetic + found.potential - found.work
        assert energy == pytest.approx(np.full(len(energy), energy[0]), abs=1e-6)
        replaced = sprung.simulate(control=lambda t, q, v: 0 * q, formulation=formulation, **accurate)
        free = pendulum().simulate(formulation=formulation, **accurate)
        assert replaced.coordinates == pytest.approx(free.coordinates, abs=1e-12)


def test_sampled_control_is_called_in_order_and_held():
    times = []

    def control(t, q, v):
        times.append(t)
        return [len(times)]

    run = pendulum().simulate(
        0.5, control=control, control_interval=0.1, controlled=["A.angle"], sample_interval=0.05
    )
    assert times == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert run.tau[:10, 0] == pytest.approx([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])


def test_control_of_mechanisms_misused():
    with pytest.raises(axode.Error, match="acts on no coordinate"):
        pendulum().simulate(control=lambda t, q, v: 0)
    with pytest.raises(axode.Error, match="there is no coordinate 'B'|B"):
        pendulum().simulate(control=lambda t, q, v: 0, controlled=["B"])
    with pytest.raises(axode.Error, match="do not have the coordinate 'A.angle'"):
        pendulum().formulate().simulate(control=lambda t, q, v: 0, controlled=["A.angle"])
    with pytest.raises(ValueError, match="mine"):
        pendulum().simulate(control=fail_at_once, controlled=["A.angle"])


def fail_at_once(t, q, v):
    raise ValueError("mine")
