"""axode.integrate.integrate: equations on Lie groups by Python functions."""

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import axode
import numpy as np
import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
METHODS = ["mk1", "mk2", "mk3", "mk4", "mk5", "cf4", "cvode", "adams", "arkode"]


def rotation(q: Any) -> Any:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.parametrize("method", METHODS)
def test_oscillator(method: Any) -> None:
    run = axode.integrate.integrate(
        lambda t, x: [x[1], -4 * x[0]], [1.0, 0.0], 2, method=method,
        rtol=1e-4 if method == "mk1" else 1e-8, atol=1e-6 if method == "mk1" else 1e-10,
        sample_interval=0.1,
    )  # fmt: skip
    assert run.ending == "finished" and run.x.shape == (21, 2)
    exact = np.column_stack([np.cos(2 * run.t), -2 * np.sin(2 * run.t)])
    assert abs(run.x - exact).max() < {"mk1": 0.05, "arkode": 5e-5}.get(method, 1e-5)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_orders_with_fixed_steps(order: int) -> None:
    errors = []
    for step in (0.05, 0.025):
        run = axode.integrate.integrate(
            lambda t, x: -x * np.cos(t), [1.0], 1.0, method=f"mk{order}",  # type: ignore[arg-type]
            step=step, fixed_step=True,
        )  # fmt: skip
        assert len(run) == round(1 / step) + 1
        errors.append(abs(run.x[-1, 0] - math.exp(-math.sin(1))))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.4)


def heavy_top(J: Any, com: Any, weight: Any) -> Any:
    J, com, weight = np.array(J), np.array(com), np.array(weight)

    def rate(t: float, x: Any) -> Any:
        w = x[4:]
        torque = np.cross(com, rotation(x[:4]).T @ weight)
        return np.concatenate([w, (torque + np.cross(J * w, w)) / J])

    return rate


def test_heavy_top_on_so3() -> None:
    data = json.loads((DATA / "heavy_top.json").read_text())
    exact = data["our_recheck_DOP853_3e-14"]
    f = heavy_top([15.234375, 0.46875, 15.234375], [0, 1, 0], [0, 0, -15 * 9.81])
    run = axode.integrate.integrate(
        f, [1, 0, 0, 0, 0, 150, -4.61538], 0.2, group=axode.integrate.LieGroup().so3().real(3),
        rtol=1e-12, atol=1e-12, sample_times=[0.01, 0.2],
    )  # fmt: skip
    w = rotation(run.x[0, :4]) @ run.x[0, 4:]
    assert w[1] == pytest.approx(data["external"]["omega_global_y"]["t=0.01"], abs=1e-9)
    for i, key in [(1, "0.2")]:
        wanted = np.array(exact["euler_parameters"][key])
        sign = math.copysign(1, run.x[i, 0] * wanted[0])
        assert abs(sign * run.x[i, :4] - wanted).max() < 1e-9
    assert abs(np.linalg.norm(run.x[:, :4], axis=1) - 1).max() < 1e-14


@pytest.mark.parametrize("method", ["mk5", "cf4", "cvode"])
def test_nutating_top(method: Any) -> None:
    case = json.loads((DATA / "dyn_heavy_top.json").read_text())["cases"][0]
    p, traj = case["params"], case["traj"][:11]
    f = heavy_top([p["A"], p["A"], p["C"]], [0, 0, p["l"]], [0, 0, -p["m"] * p["g"]])
    R = np.array(traj[0]["R"])
    w0 = math.sqrt(1 + np.trace(R)) / 2
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w0)
    x0 = np.concatenate([[w0], axis, R.T @ traj[0]["omega_space"]])
    tolerance = 1e-9 if method == "cvode" else 1e-12
    run = axode.integrate.integrate(
        f, x0, traj[-1]["t"], group=axode.integrate.LieGroup().so3().real(3), method=method,
        rtol=tolerance, atol=tolerance, sample_times=[point["t"] for point in traj],
    )  # fmt: skip
    for x, point in zip(run.x, traj):
        assert abs(rotation(x[:4]) - point["R"]).max() < 1e3 * tolerance
        assert abs(rotation(x[:4]) @ x[4:] - point["omega_space"]).max() < 1e4 * tolerance


@pytest.mark.parametrize("kind", ["se3", "se3_left"])
def test_a_constant_twist_is_a_screw_motion(kind: str) -> None:
    group = getattr(axode.integrate.LieGroup(), kind)()
    assert (group.nx, group.nv) == (7, 6)
    V = np.array([0.1, -0.4, 0.7, 1.0, 2.0, -0.5])
    x0 = group.plus([1, 0, 0, 0, 0, 0, 0], [0.3, 0.1, -0.2, 1, 2, 3])
    run = axode.integrate.integrate(lambda t, x: V, x0, 1.5, group=group)
    assert abs(run.x[-1] - group.plus(x0, 1.5 * V)).max() < 1e-12
    assert group.difference(x0, run.x[-1]) == pytest.approx(1.5 * V, abs=1e-12)


def test_groups() -> None:
    group = axode.integrate.LieGroup().real(2).so3().se3_left()
    assert group.factors == [("real", 2), ("so3", 1), ("se3_left", 1)]
    assert repr(group) == "<axode.integrate.LieGroup: real(2) x so3 x se3_left>"
    for other in (pickle.loads(pickle.dumps(group)), copy.deepcopy(group)):
        assert other.factors == group.factors and other.nx == group.nx == 13
    twice = axode.integrate.LieGroup().times(group).times(group)
    assert twice.nv == 22
    x = np.zeros((3, 13))
    x[:, 2] = x[:, 6] = 1
    moved = group.plus(x, np.linspace(0, 1, 11))
    assert moved.shape == (3, 13)
    v = np.linspace(-1, 1, 11)
    assert group.inverse_dexp(np.zeros(11), v) == pytest.approx(v)
    with pytest.raises(axode.Error):
        axode.integrate.LieGroup().real(-1)
    with pytest.raises(axode.Error, match="shape"):
        group.plus([1, 2], [3])


def test_groups_do_not_outgrow_their_numbers() -> None:
    group = axode.integrate.LieGroup().real(65536)
    with pytest.raises(axode.LimitError, match="1e6 numbers"):
        for _ in range(16):
            group.times(group)
    assert group.nx == group.nv == 524288
    with pytest.raises(axode.LimitError):
        group.real(2**31 - 1)
    group.real(1_000_000 - group.nx)
    for add in (group.so3, group.so3_left, group.se3, group.se3_left):
        with pytest.raises(axode.LimitError):
            add()
    assert group.factors == [("real", 1_000_000)]


def test_points_of_groups_are_checked() -> None:
    group = axode.integrate.LieGroup().so3().real(1)
    unit, nan = [1.0, 0, 0, 0, 3], float("nan")
    for wrong, problem in (([nan] * 5, "finite"), ([2.0, 0, 0, 0, 1], "quaternion at number 0")):
        with pytest.raises(axode.Error, match="x: .*" + problem):
            group.plus([unit, wrong], np.zeros(4))
        with pytest.raises(axode.Error, match="start: .*" + problem):
            group.difference(wrong, unit)
        with pytest.raises(axode.Error, match="end: .*" + problem):
            group.difference(unit, wrong)
    for name in ("inverse_dexp", "dexp_transpose", "coadjoint"):
        for arguments in ((np.full(4, nan), np.zeros(4)), (np.zeros(4), np.full(4, nan))):
            with pytest.raises(axode.Error, match="finite"):
                getattr(group, name)(*arguments)
    with pytest.raises(axode.Error, match="d: .*finite"):
        group.plus(unit, [0, 0, 0, float("inf")])
    with pytest.raises(axode.Error, match="result: .*finite"):
        axode.integrate.LieGroup().real(1).plus([1e308], [1e308])


def test_an_action_may_extend_the_group() -> None:
    group = axode.integrate.LieGroup().so3()

    def action(t: float, x: Any) -> Any:
        for _ in range(1000):
            group.so3()
        return x

    run = axode.integrate.integrate(
        lambda t, x: [0, 0, 1], [1, 0, 0, 0], 1, group=group,
        events=[axode.Event("e", lambda t, x: t - 0.5, action=action)],
    )  # fmt: skip
    assert run.ending == "finished" and group.nx == 4004
    assert run.x[-1] == pytest.approx([math.cos(0.5), 0, 0, math.sin(0.5)], abs=1e-9)


def test_stiff_systems_with_and_without_jacobian() -> None:
    calls = [0]

    def f(t: float, x: Any) -> Any:
        return [-1e4 * (x[0] - math.cos(t))]

    def jacobian(t: float, x: Any) -> Any:
        calls[0] += 1
        return [[-1e4]]

    for method in ("cvode", "arkode"):
        for given in (None, jacobian):
            run = axode.integrate.integrate(f, [0.0], 1, method=method, jacobian=given)
            assert run.x[-1, 0] == pytest.approx(math.cos(1), abs=2e-4)
            assert run.statistics.steps < 1000
    assert calls[0] > 0


def test_events_and_discontinuities() -> None:
    run = axode.integrate.integrate(
        lambda t, x: [x[1], -10.0], [5.0, 0.0], 1.8, rtol=1e-10,
        events=[axode.Event("floor", lambda t, x: x[0], direction=-1,
                            action=lambda t, x: [x[0], -0.5 * x[1]])],
    )  # fmt: skip
    assert run.events[0].t == pytest.approx(1, abs=1e-9)
    assert run.x[-1, 1] == pytest.approx(5 - 8, abs=1e-8)
    ended = axode.integrate.integrate(
        lambda t, x: [1.0], [0.0], 5, events=[axode.Event("two", lambda t, x: x[0] - 2, 0, True)]
    )
    assert ended.ending == "event" and "'two'" in ended.message
    assert ended.t[-1] == pytest.approx(2, abs=1e-9)
    switched = axode.integrate.integrate(lambda t, x: [float(t >= 0.5)], [0.0], 1, discontinuities=[0.5])
    assert switched.x[-1, 0] == pytest.approx(0.5, abs=1e-14)


def test_endings() -> None:
    run = axode.integrate.integrate(lambda t, x: x**2, [1.0], 2)
    assert run.ending in ("not finite", "step underflow") and run.message
    assert run.last_t == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("start", [0, 100])
@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_events_that_accumulate_end_the_run(start: float, restitution: float) -> None:
    run = axode.integrate.integrate(
        lambda t, x: [x[1], -9.81], [1.0, 0.0], start + 100, start=start,
        events=[axode.Event("floor", lambda t, x: x[0], direction=-1,
                            action=lambda t, x: [0.0, -restitution * x[1]])],
    )  # fmt: skip
    assert run.ending == "events accumulate" and "'floor'" in run.message
    fall = math.sqrt(2 / 9.81)
    expected = start + fall * (1 + 2 * restitution / (1 - restitution))
    assert run.last_t == pytest.approx(expected, abs=1e-3)
    assert len(run.events) < 1000 and abs(run.x[-1, 0]) < 1e-6


def test_what_is_no_number_is_named() -> None:
    def f(t: float, x: axode.typing.Array) -> list[float]:
        return [1.0]

    for name in ("t_end", "start", "rtol", "atol", "step", "max_step", "sample_interval"):
        for wrong in ("a", "1", None, [1, 2]):
            arguments: dict[str, Any] = {"t_end": 1.0, name: wrong}
            with pytest.raises(TypeError, match=f"^{name}: is of type .*; give a number"):
                axode.integrate.integrate(f, [0.0], **arguments)
    event = axode.Event("e", lambda t, x: 1.0, tolerance="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^tolerance: is of type str"):
        axode.integrate.integrate(f, [0.0], 1.0, events=[event])


def test_limit_of_steps() -> None:
    def fast(t: float, x: Any) -> Any:
        return [-1e6 * x[0]]

    run = axode.integrate.integrate(fast, [1.0], 1, max_steps=50)
    assert run.ending == "step limit" and "max_steps" in run.message
    assert run.statistics.steps == 50 and run.last_t < 1
    with pytest.raises(axode.Error, match="max_steps"):
        axode.integrate.integrate(fast, [1.0], 1, max_steps=-1)
    with pytest.raises(TypeError, match="max_steps"):
        axode.integrate.integrate(fast, [1.0], 1, max_steps="many")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["mk5", "cf4", "cvode", "adams", "arkode"])
def test_states_without_numbers(method: Any) -> None:
    step = {"step": 0.1, "fixed_step": True} if method == "cf4" else {}
    run = axode.integrate.integrate(lambda t, x: [], [], 2, method=method, sample_interval=0.5, **step)
    assert run.ending == "finished" and list(run.t) == [0, 0.5, 1, 1.5, 2]


@pytest.mark.parametrize("method", ["mk5", "cf4", "cvode", "arkode"])
def test_exceptions_come_through(method: Any) -> None:
    def f(t: float, x: Any) -> Any:
        if t > 0.5:
            raise LookupError("gone")
        return -x

    with pytest.raises(LookupError, match="gone") as caught:
        axode.integrate.integrate(f, [1.0], 1, method=method, max_step=0.01)
    run: axode.Run = caught.value.run  # type: ignore[attr-defined]
    assert run.ending == "exception" and 0.4 < run.t[-1] <= 0.5


def test_bad_input() -> None:
    def f(t: float, x: Any) -> Any:
        return -x

    with pytest.raises(axode.Error, match=r"f at t = 0 s.*\(3,\)"):
        axode.integrate.integrate(lambda t, x: [1, 2, 3], [1.0], 1)
    with pytest.raises(axode.Error, match="not finite"):
        axode.integrate.integrate(lambda t, x: [float("inf")], [1.0], 1)
    with pytest.raises(axode.Error, match="quaternion"):
        axode.integrate.integrate(f, [1, 1, 0, 0], 1, group=axode.integrate.LieGroup().so3())
    with pytest.raises(axode.Error, match="group has 4"):
        axode.integrate.integrate(f, [1.0], 1, group=axode.integrate.LieGroup().so3())
    with pytest.raises(axode.Error, match="t_end"):
        axode.integrate.integrate(f, [1.0], -1)
    with pytest.raises(axode.Error, match="method"):
        axode.integrate.integrate(f, [1.0], 1, method="rk4")  # type: ignore[arg-type]
    with pytest.raises(axode.Error):
        axode.integrate.integrate(f, [1.0], 1, fixed_step=True)
    with pytest.raises(axode.Error, match="finite"):
        axode.integrate.integrate(f, [float("nan")], 1)
    with pytest.raises(axode.Error):
        axode.integrate.integrate(f, [1.0], 1, sample_times=[0.5, 0.2])
    with pytest.raises(TypeError):
        axode.integrate.integrate(3, [1.0], 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        axode.integrate.integrate(f, [1j], 1)


def test_what_is_no_group_is_refused() -> None:
    for misuse in (
        lambda: axode.integrate.LieGroup.se3(3),  # type: ignore[arg-type]
        lambda: axode.integrate.LieGroup.real(3, 3),  # type: ignore[arg-type]
        lambda: axode.integrate.LieGroup.__new__(axode.integrate.LieGroup).__setstate__(()),  # type: ignore[attr-defined]
        lambda: axode.forces.Samples.__new__(axode.forces.Samples).__setstate__(()),  # type: ignore[attr-defined]
        lambda: axode.mechanism.MechanismSystem.simulate(3),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            misuse()
