"""Simulation of flexible trees: methods, models, functions of the user, exceptions in them."""

import _thread
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array

EXAMPLES = Path(__file__).parents[3] / "examples" / "flexible"


def pendulum() -> axode.FlexibleTree:
    return axode.FlexibleTree.from_file(EXAMPLES / "pendulum.json")


def test_runs_of_all_example_files() -> None:
    for file in sorted(EXAMPLES.glob("*.json")):
        tree = axode.FlexibleTree.from_file(file)
        run = tree.simulate(0.05)
        assert run.ending == "finished", run.message
        assert run.t[0] == 0 and run.t[-1] == 0.05 and len(run) == 6
        assert run.q.shape == run.v.shape == run.a.shape == run.tau.shape == (6, tree.size)
        assert run.columns["q"].labels == tuple(tree.coordinate_names)
        assert np.array_equal(run.q[0], tree.initial.q) or file.stem == "spin_up"
        assert run.last is not None and np.array_equal(run.last.q, run.q[-1])
        assert run.tree is tree and run.statistics.steps > 0 and run.method == "cvode"


def test_energy_and_the_two_models() -> None:
    tree = pendulum()
    exact = tree.simulate(1, model="nonlinear", rtol=1e-9, atol=1e-11)
    assert exact.method == "adams"
    assert np.abs(exact.energy - exact.energy[0] - exact.work).max() < 1e-7 * exact.energy_scale
    linear = tree.simulate(1, rtol=1e-9, atol=1e-11)
    assert 1e-12 < np.abs(linear.q - exact.q).max() < 1e-3
    assert tree.simulate(sample_interval=0.5).t[-1] == 2  # duration of the file


@pytest.mark.parametrize(
    "method",
    ["mk2", "mk3", "mk4", "mk5", "cf4", "semi-implicit", "variational", "cvode", "adams", "arkode"]
    + ["generalized-alpha", "ida"],
)
def test_methods_agree(method: str) -> None:
    tree = pendulum()
    expected = tree.simulate(0.05, model="nonlinear", method="adams", rtol=1e-10, atol=1e-12)
    fixed = method in ("cf4", "semi-implicit", "variational")
    run = tree.simulate(
        0.05,
        model="nonlinear",
        method=method,
        rtol=1e-7,
        atol=1e-10,
        step=1e-5 if fixed else 0,
    )
    assert run.ending == "finished", run.message
    assert run.method == method
    bound = 1e-4 if method == "semi-implicit" else 2e-6
    assert np.abs(run.q[-1] - expected.q[-1]).max() < bound


def test_control_by_a_function_is_that_of_the_library() -> None:
    tree = axode.FlexibleTree.from_file(EXAMPLES / "arm4.json")
    assert tree.control is not None
    kp, kd = np.array(tree.control.kp), np.array(tree.control.kd)
    target = np.array(tree.control.targets)[0]
    n, calls = tree.joints, 0

    def control(t: float, q: Array, v: Array) -> Array:
        nonlocal calls
        calls += 1
        assert q.shape == v.shape == (tree.size,) and 0 <= t <= 0.3
        tau: Array = kp * (target - q[:n]) - kd * v[:n]
        return tau

    forces = axode.flexible.FlexibleForces()
    pd = axode.flexible.FlexibleControl(kp, kd, target)
    expected = tree.simulate(0.3, forces=forces, control=pd, rtol=1e-9, atol=1e-11)
    found = tree.simulate(0.3, forces=forces, control=control, rtol=1e-9, atol=1e-11)
    assert calls > 100
    assert np.abs(found.q - expected.q).max() < 1e-7
    assert np.abs(found.tau - expected.tau).max() < 1e-2
    free = tree.simulate(0.3, forces=forces)
    assert np.abs(free.tau).max() == 0
    assert np.abs(free.q - expected.q).max() > 1e-3


def test_control_stands_instead_of_that_of_the_file_or_the_forces() -> None:
    for name in ("arm4.json", "two_link.json", "branched.json"):
        tree = axode.FlexibleTree.from_file(EXAMPLES / name)
        none = np.zeros(tree.joints)
        gains = np.full(tree.joints, 50.0)
        servo = axode.flexible.FlexibleControl(gains, gains, none + 0.3)
        for forces in (None, axode.flexible.FlexibleForces(control=servo)):
            runs = [
                tree.simulate(0.2, forces=forces, control=control)
                for control in (lambda t, q, v: none, axode.flexible.FlexibleControl(none, none, none))
            ]
            for run in runs:
                assert np.array_equal(run.t, runs[0].t)
                assert np.abs(run.q - runs[0].q).max() < 1e-5
            if forces is not None:  # nothing else acts on the joints
                assert np.abs(runs[0].tau[:, : tree.joints]).max() == 0
        if tree.control is not None:
            assert np.abs(tree.simulate(0.2).q - runs[0].q).max() > 1e-3


def test_joint_forces_and_loads() -> None:
    tree = axode.FlexibleTree.from_file(EXAMPLES / "two_link.json")
    text = "t < 0.5 ? 0.1*sin(4*pi*t) : 0"
    expected = tree.simulate(0.4, rtol=1e-9, atol=1e-11)
    forms = (
        text,
        lambda t, q, v: 0.1 * np.sin(4 * np.pi * t),
    )
    for form in forms:
        forces = axode.flexible.FlexibleForces(joint_forces={"first": form})
        run = tree.simulate(0.4, forces=forces, rtol=1e-9, atol=1e-11)
        assert np.abs(run.q - expected.q).max() < 1e-8
    constant = axode.flexible.FlexibleForces(joint_forces={0: 0.1, "second": {"polynomial": [0, 0.1]}})
    run = tree.simulate(0.4, forces=constant)
    assert run.tau[:, 0] == pytest.approx(0.1) and run.tau[:, 1] == pytest.approx(0.1 * run.t)

    load = axode.flexible.FlexibleLoad("second", force=(0, 1, 0), factor="t")
    run = tree.simulate(0.4, forces=axode.flexible.FlexibleForces(loads=[load]), model="nonlinear")
    wanted = run.t[-1] * tree.load_forces(run.q[-1], [load])
    assert run.tau[-1] == pytest.approx(wanted, abs=1e-9)
    by_function = axode.flexible.FlexibleLoad("second", force=(0, 1, 0), factor=lambda t, q, v: t)
    other = tree.simulate(0.4, forces=axode.flexible.FlexibleForces(loads=[by_function]), model="nonlinear")
    assert np.abs(other.q - run.q).max() < 1e-5


def test_prescribed_joints_follow_their_functions() -> None:
    tree = pendulum()

    def motion(t: float) -> tuple[float, float, float]:
        return 0.3 * np.sin(5 * t), 1.5 * np.cos(5 * t), -7.5 * np.sin(5 * t)

    for form in (motion, "0.3*sin(5*t)"):
        prescribed = axode.flexible.PrescribedJoint("rod", form)
        forces = axode.flexible.FlexibleForces(prescribed=[prescribed])
        run = tree.simulate(0.5, forces=forces, model="nonlinear", method="mk5", rtol=1e-8)
        assert run.ending == "finished", run.message
        assert np.abs(run.q[:, 0] - 0.3 * np.sin(5 * run.t)).max() < 1e-14
        assert np.abs(run.tau[:, 0]).max() > 1
    with pytest.raises(axode.Error, match="prescribed twice"):
        forces = axode.flexible.FlexibleForces(prescribed=[axode.flexible.PrescribedJoint(0, 0.0)] * 2)
        tree.simulate(0.1, forces=forces)


def test_loss_of_definiteness_ends_a_run_or_falls_back() -> None:
    text = (EXAMPLES / "arm4.json").read_text()
    tree = axode.FlexibleTree.from_text(text).replace(rotation="xyz")
    q, v = tree.initial
    q[tree.coordinate_names.index("upper.bend_z1")] = 0.8
    q[tree.coordinate_names.index("fore.bend_z1")] = -0.9
    lost = tree.simulate(0.05, q=q)
    assert lost.ending == "singular"
    assert "positive definite at link" in lost.message
    back = tree.simulate(0.05, q=q, fall_back=True)
    assert back.ending == "finished" and back.fallbacks > 0
    assert any("took the exact equations" in warning for warning in back.warnings)
    assert any("no longer small" in warning for warning in back.warnings)
    short = tree.simulate(0.05, q=q, fall_back=True, max_steps=1)  # the equations change after it
    assert short.ending == "step limit" and short.statistics.steps == 1
    exact = tree.simulate(0.05, q=q, exact_coordinates=tree.coordinate_names[tree.joints :])
    assert exact.ending == "finished"
    nonlinear = tree.simulate(0.05, q=q, model="nonlinear")
    assert np.abs(exact.q - nonlinear.q).max() < 1e-3


@pytest.mark.parametrize("method", ["cvode", "mk5", "arkode", "generalized-alpha", "variational"])
def test_exceptions_of_functions_come_through_with_the_run_so_far(method: str) -> None:
    tree = pendulum()

    def control(t: float, q: Array, v: Array) -> Array:
        if t > 0.1:
            raise KeyError("out of order")
        return np.zeros(1)

    with pytest.raises(KeyError, match="out of order") as caught:
        tree.simulate(0.5, control=control, method=method)
    run: axode.Run = getattr(caught.value, "run")
    assert run.ending == "exception" and "out of order" in run.message
    assert 5 <= len(run) <= 12 and np.all(np.isfinite(run.q)) and np.all(np.isfinite(run.tau))


def test_wrong_results_of_functions_are_told() -> None:
    tree = pendulum()
    with pytest.raises(axode.Error, match=r"control at t = 0 s: returned an array of shape \(2,\)"):
        tree.simulate(0.1, control=lambda t, q, v: np.zeros(2))
    with pytest.raises(axode.Error, match="not finite"):
        tree.simulate(0.1, control=lambda t, q, v: np.array([np.nan]))
    with pytest.raises(TypeError):
        tree.simulate(0.1, control=lambda t, q, v: "strong")
    with pytest.raises(axode.Error, match="value, rate, acceleration"):
        wrong = axode.flexible.PrescribedJoint("rod", lambda t: 1.0)
        tree.simulate(0.1, forces=axode.flexible.FlexibleForces(prescribed=[wrong]))
    with pytest.raises(axode.Error, match="joint_forces"):
        text = axode.flexible.FlexibleForces(joint_forces={"rod": "sin(x"})
        tree.simulate(0.1, forces=text)
    with pytest.raises(axode.Error, match="there is no 'elbow'"):
        tree.simulate(0.1, forces=axode.flexible.FlexibleForces(joint_forces={"elbow": 1.0}))


def test_refuses_what_cannot_be() -> None:
    tree = pendulum()
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"duration": -1}, "duration"),
        ({"rtol": -1}, "tolerances"),
        ({"sample_times": [20]}, "outside"),
        ({"sample_times": [np.nan]}, "outside"),
        ({"start": 1e17}, "sample_interval: .* rounding"),
        ({"start": 1e17, "sample_interval": 0, "step": 1e-3}, "step: .* rounding"),
        ({"method": "euler"}, "euler"),
        ({"method": "momentum-preserving"}, "momentum-preserving"),
        ({"model": "cubic"}, "'cubic' is none of 'linear'"),
        ({"q": [0]}, "shape"),
        ({"q": [np.nan, 0, 0]}, "not finite"),
        ({"exact_coordinates": ["rod"]}, "not an elastic one"),
        ({"small_deflection": 0}, "deflections"),
    )
    for options, message in cases:
        with pytest.raises(axode.Error, match=message):
            tree.simulate(**options)
    wrong: tuple[dict[str, Any], ...]
    wrong = (
        {"control": 3},
        {"forces": 3},
        {"forces": axode.flexible.FlexibleForces(loads=[3])},  # type: ignore[list-item]
        {"forces": axode.flexible.FlexibleForces(prescribed=[3])},  # type: ignore[list-item]
        {"forces": axode.flexible.FlexibleForces(joint_forces=[3])},  # type: ignore[arg-type]
        {"rtol": "fine"},
        {"method": None},
    )
    for bad in wrong:
        with pytest.raises(TypeError):
            tree.simulate(**bad)
    with pytest.raises(TypeError):
        tree.simulate(unknown=3)  # type: ignore[call-arg]


def test_ctrl_c_ends_a_run() -> None:
    tree = pendulum()
    threading.Timer(0.3, _thread.interrupt_main).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        tree.simulate(1e5, model="nonlinear", max_steps=10**12)
    assert time.monotonic() - started < 5
    run: axode.Run = getattr(caught.value, "run")
    assert run.ending == "interrupted" and len(run) > 10


def test_other_threads_run_meanwhile() -> None:
    tree = pendulum()
    runs: list[axode.Run] = []

    def work() -> None:
        runs.append(tree.simulate(0.5, control=lambda t, q, v: 0.0))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 3
    assert all(np.array_equal(run.q, runs[0].q) for run in runs)


def test_runs_are_saved_and_looked_at(tmp_path: Path) -> None:
    tree = pendulum()
    run = tree.simulate(0.2)
    run.save(tmp_path / "run.mcap")
    again = axode.Run.from_file(tmp_path / "run.mcap")
    assert np.array_equal(again.q, run.q) and np.array_equal(again.tau, run.tau)
    assert np.array_equal(again.stored, run.stored)
    exact = tree.simulate(0.2, sample_times=[0.105])
    assert np.abs(run.at(0.105).q - exact.q[0]).max() < 1e-4
    assert run.to_pandas().shape == (21, 4 * tree.size + 4)
    assert len(tree.deformed_shape(run.q, "rod", 5)) == len(run)


def test_axode_simulate_is_the_same_for_flexible_trees() -> None:
    tree = pendulum()
    run = axode.simulate(tree, duration=0.1, rtol=1e-7, model="nonlinear")
    own = tree.simulate(0.1, rtol=1e-7, model="nonlinear")
    assert np.array_equal(run.q, own.q) and run.method == own.method
    with pytest.raises(TypeError):
        axode.simulate(tree, unknown=3)


@pytest.mark.parametrize("method", ["cvode", "mk5", "generalized-alpha"])
def test_events_and_checkpoints(method: str) -> None:
    tree = pendulum()
    options: dict[str, Any] = {"model": "nonlinear", "method": method, "rtol": 1e-7, "atol": 1e-9}
    plain = tree.simulate(0.2, **options)
    there = float(plain.q[10, 0])
    event = axode.Event("half way", lambda t, q, v: q[0] - there, terminal=True)
    ended = tree.simulate(0.2, events=[event], **options)
    assert ended.ending == "event" and ended.last_t == pytest.approx(plain.t[10], abs=1e-4)
    assert [e.name for e in ended.events] == ["half way"]

    def turn_back(t: float, q: Array, v: Array) -> None:
        v *= -1

    event = event._replace(terminal=False, action=turn_back)
    options |= {"events": [event], "checkpoint_interval": 0.03}
    back = tree.simulate(2 * ended.last_t, **options)
    assert back.last is not None and back.checkpoint is not None
    assert back.last.q[0] == pytest.approx(back.q[0, 0], abs=1e-3)
    rest = tree.simulate(2 * ended.last_t, resume=back.checkpoint, **options)
    assert 0 < len(rest) < len(back) and rest.t[0] > back.checkpoint.t
    for name in ("q", "v", "a", "tau", "kinetic", "stored", "work"):
        assert np.array_equal(getattr(rest, name), getattr(back, name)[-len(rest) :]), name
    assert rest.statistics.steps == back.statistics.steps
