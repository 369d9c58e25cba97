"""axode.simulate: events, endings, continuing, options that are refused."""

from pathlib import Path
from typing import Any

import axode
import numpy as np
import pytest
from simulate_trees import pendulum, tree_of

ROOT = Path(__file__).resolve().parents[3]


def test_a_ball_that_bounces() -> None:
    ball = {
        "name": "ball",
        "inertia": {"mass": 1, "com": [0, 0, 0], "about_com": [1, 1, 1]},
        "joint": {"name": "fall", "type": "prismatic", "axis": [0, 0, 1]},
    }
    tree = tree_of([ball], [0, 0, -10])

    def bounce(t: float, q: axode.typing.Array, v: axode.typing.Array) -> None:
        v[0] = -0.5 * v[0]

    events = [
        axode.Event("floor", lambda t, q, v: q[0], direction=-1, action=bounce),
        axode.Event("apex", lambda t, q, v: v[0], direction=-1),
    ]
    run = axode.simulate(tree, q=[5.0], duration=2.4, events=events, rtol=1e-10, atol=1e-12)
    assert [e.name for e in run.events] == ["floor", "apex", "floor", "apex"]
    assert [e.t for e in run.events] == pytest.approx([1, 1.5, 2, 2.25], abs=1e-8)
    ended = axode.simulate(
        tree, q=[5.0], events=[axode.Event("floor", lambda t, q, v: q[0], terminal=True)]
    )
    assert ended.ending == "event" and "floor" in ended.message
    assert ended.t[-1] == ended.last_t == pytest.approx(1, abs=1e-6)

    def stop(t: float, q: axode.typing.Array, v: axode.typing.Array) -> Any:
        return q, np.zeros(1)

    still = axode.simulate(
        tree, q=[5.0], duration=1.05, events=[axode.Event("floor", lambda t, q, v: q[0], action=stop)]
    )
    assert still.v[-1, 0] == pytest.approx(-0.5, abs=1e-6)


def test_a_tree_without_inertia_is_told() -> None:
    body = {"name": "b", "joint": {"name": "j", "type": "revolute", "axis": [0, 0, 1]}}
    run = axode.simulate(tree_of([body], [0, 0, -10]), duration=1)
    assert run.ending == "singular" and "'j'" in run.message


def test_continuing_gives_the_same_bits() -> None:
    tree = pendulum()
    options: dict[str, Any] = dict(checkpoint_interval=1, sample_interval=0.1, rtol=1e-9)
    whole = axode.simulate(tree, q=[1.0], duration=2, **options)
    half = axode.simulate(tree, q=[1.0], duration=1, **options)
    assert half.checkpoint is not None and half.checkpoint.t >= 1
    rest = axode.simulate(tree, q=[1.0], duration=2, resume=half.checkpoint, **options)
    assert rest.t[0] > half.t[-1] - 1e-12
    again = axode.simulate(tree, q=[1.0], duration=2, resume=whole.checkpoint, **options)
    assert np.array_equal(again.last.q, whole.last.q)  # type: ignore[union-attr]
    assert abs(rest.q[-1] - whole.q[-1]) < 1e-7
    with pytest.raises(axode.Error, match="another method"):
        axode.simulate(tree, q=[1.0], duration=2, method="mk4", resume=half.checkpoint, **options)


@pytest.mark.parametrize(
    "options, problem",
    [
        (dict(duration=-1), "duration"),
        (dict(duration=float("nan")), "duration"),
        (dict(rtol=-1), "tolerances"),
        (dict(method="euler"), "mk5"),
        (dict(method="ida"), "absolute|relative"),
        (dict(sample_times=[1, 0.5]), "increase"),
        (dict(sample_interval=1e-12, duration=10), "1e12"),
        (dict(start=1e30), "rounding"),
        (dict(start=1e18, sample_interval=0, step=1e-3, method="cf4"), "step: .* rounding"),
        (dict(q=[0.0, 1.0]), "q"),
        (dict(q=[float("nan")]), "finite"),
        (dict(v=[float("inf")]), "finite"),
        (dict(control_interval=0.1), "control"),
        (dict(control_interval=-1, control=lambda t, q, v: v), "control_interval"),
        (dict(control_interval=1e-12, control=lambda t, q, v: v), "1e7"),
        (dict(events=[axode.Event("e", lambda t, q, v: 1.0, direction=3)]), "direction"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(axode.Error, match=problem):
        axode.simulate(pendulum(), **options)


@pytest.mark.parametrize(
    "options",
    [
        dict(control=3),
        dict(events=[3]),
        dict(forces="none"),
        dict(duration="long"),
        dict(q="up"),
        dict(method=3),
        dict(resume=3),
        dict(events=[axode.Event("e", 3)]),  # type: ignore[arg-type]
    ],
)
def test_other_types_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        axode.simulate(pendulum(), **options)
    with pytest.raises(TypeError):
        axode.simulate(None)  # type: ignore[arg-type]


def test_scenes_are_simulated_from_files() -> None:
    path = ROOT / "models" / "swinging_arm.json"
    run = axode.simulate_file(path, duration=0.2)
    other = axode.Scene.from_file(path).simulate(duration=0.2)
    assert np.array_equal(run.q, other.q)
    moved = axode.simulate_file(path, duration=0, q=np.zeros(7))
    assert np.array_equal(moved.q, np.zeros((1, 7)))
    with pytest.raises(axode.IoError):
        axode.load_scene("no_such_file.json")
