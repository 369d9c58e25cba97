"""Inverse kinematics against closed forms, and what it says when targets are not met."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode

MODELS = Path(__file__).resolve().parents[3] / "models"


def arm(lengths: list[float], base: str = "fixed", **joint: Any) -> axode.Tree:
    """A planar arm; its base is fixed, or moves freely."""
    bodies: list[dict[str, Any]] = [{"name": "base", "joint": {"name": "base", "type": base}}]
    x = 0.0
    for k, length in enumerate(lengths):
        made = {
            "name": f"joint{k}",
            "type": "revolute",
            "axis": [0, 0, 1],
            "point": [x, 0, 0],
            "body_in_world": {"position": [x, 0, 0]},
            "parent": bodies[-1]["name"],
        }
        bodies.append({"name": f"link{k}", "joint": {**made, **joint}})
        x += length
    tool = {"name": "tool", "on": bodies[-1]["name"], "at": {"position": [lengths[-1], 0, 0]}}
    model = {"axode": 1, "name": "arm", "bodies": bodies, "frames": [tool]}
    return axode.Tree.from_text(json.dumps(model))


def panda() -> axode.Tree:
    return axode.Tree.from_file(MODELS / "panda.json")


def test_two_planar_joints() -> None:
    l1, l2 = 1.0, 0.7
    tree = arm([l1, l2])
    random = np.random.default_rng(1)
    for _ in range(50):
        r, phi = random.uniform(l1 - l2 + 0.01, l1 + l2 - 0.01), random.uniform(-3, 3)
        target = axode.position_target("tool", [r * np.cos(phi), r * np.sin(phi), 0])
        found = axode.inverse_kinematics(tree, random.uniform(-3, 3, 2), target)
        assert found.success and found.converged and found.reason == "converged"
        bend = np.arccos((r * r - l1 * l1 - l2 * l2) / (2 * l1 * l2))
        distances = []
        for q2 in (bend, -bend):
            q1 = phi - np.arctan2(l2 * np.sin(q2), l1 + l2 * np.cos(q2))
            off = np.angle(np.exp(1j * (found.q - [q1, q2])))
            distances.append(np.abs(off).max())
        assert min(distances) < 2e-8 / found.smallest_singular_value


def test_reachable_poses_are_found() -> None:
    tree = panda()
    for seed in range(40):
        T = tree.transform(tree.random(seed), of="tool")
        found = axode.inverse_kinematics(tree, tree.neutral(), axode.pose_target("tool", T))
        assert found.success, found.message
        reached = tree.transform_matrix(found.q, of="tool")
        np.testing.assert_allclose(reached, T.matrix, atol=3e-8)
        (error,) = found.residuals
        assert error.rotation <= 1e-8 and error.translation <= 1e-8
        assert error == pytest.approx(
            axode.kinematics.target_error(tree, found.q, axode.pose_target("tool", T)), abs=1e-15
        )
        J = axode.jacobian(tree, found.q, "tool", "body")
        sigma = np.linalg.svd(J, compute_uv=False)
        assert found.condition == pytest.approx(sigma[0] / sigma[-1], rel=1e-5)


def test_out_of_reach() -> None:
    tree = arm([1, 0.7])
    assert axode.kinematics.reach(tree, "tool") == pytest.approx(1.7)
    found = axode.inverse_kinematics(tree, [0.1, 0.2], axode.position_target("tool", [3, 0, 0]))
    assert not found.success and found.reason == "out_of_reach"
    assert found.residuals[0].translation == pytest.approx(1.3, abs=1e-6)
    assert "out of reach" in found.message or "farther" in found.message


def test_limits_in_the_way_are_named() -> None:
    tree = arm([1, 0.7], limits={"lower": -0.5, "upper": 0.5})
    found = axode.inverse_kinematics(tree, [0, 0], axode.position_target("tool", [0, 1.2, 0]))
    assert not found.success and found.reason == "joint_limits"
    assert axode.kinematics.LimitReached(0, True) in found.at_limits
    assert "upper limit of 'joint0'" in found.message
    assert (np.abs(found.q) <= 0.5).all()


def test_several_targets() -> None:
    tree = axode.Tree.from_file(MODELS / "quadruped.json")
    wanted = tree.random(3)
    feet = [n for n in tree.body_names if n != tree.body_names[0]][2::3]
    targets = [
        axode.position_target(foot, tree.transform(wanted, of=foot).p, rotation_weight=2.0)
        for foot in feet
    ]
    base = tree.body_names[0]
    targets.append(axode.orientation_target(base, tree.transform(wanted, of=base).R))
    found = axode.inverse_kinematics(tree, tree.neutral(), targets)
    assert found.success, found.message
    assert len(found.residuals) == len(targets)
    for foot in feet:
        np.testing.assert_allclose(
            tree.transform(found.q, of=foot).p, tree.transform(wanted, of=foot).p, atol=1e-8
        )


def test_directions_and_moving_references() -> None:
    tree = panda()
    target = axode.direction_target("tool", [0, 0, 1], [0, 0, -2])
    found = axode.inverse_kinematics(tree, tree.random(2), target)
    assert found.success
    np.testing.assert_allclose(tree.transform(found.q, of="tool").R[:, 2], [0, 0, -1], atol=1e-7)

    q = tree.random(5)
    T = tree.transform(q, of="tool", relative_to="link3")
    target = axode.pose_target("tool", T, axode.Frame("link3"))
    found = axode.inverse_kinematics(tree, tree.neutral(), target)
    assert found.success, found.message
    reached = tree.transform_matrix(found.q, of="tool", relative_to="link3")
    np.testing.assert_allclose(reached, T.matrix, atol=3e-8)
    assert (found.q[:3] == tree.neutral()[:3]).all()  # joints that do not matter stay


def test_held_joints() -> None:
    tree = panda()
    q = tree.random(9)
    T = tree.transform(q, of="tool")
    start = q + [0.0, 0.2, 0.1, -0.2, 0.1, 0.2, 0.3]
    found = axode.inverse_kinematics(tree, start, axode.pose_target("tool", T), hold=["joint1"])
    assert found.success and found.q[0] == start[0]

    floating = arm([1, 1, 1], "free")
    q = floating.neutral()
    target = axode.position_target("tool", [0.5, 1.5, 0])
    found = axode.inverse_kinematics(floating, q, target, hold_base=True)
    assert found.success and (found.q[:7] == q[:7]).all()
    moved = axode.inverse_kinematics(floating, q, target)
    assert moved.success and (moved.q[:7] != q[:7]).any()


def test_options_and_repeatability() -> None:
    tree = panda()
    target = axode.pose_target("tool", tree.transform(tree.random(1), of="tool"))
    one = axode.inverse_kinematics(tree, tree.neutral(), target, iterations=2, starts=1)
    assert not one.success and one.reason == "iteration_limit" and one.starts == 1
    assert one.iterations <= 4  # the best found is refined once more
    rough = axode.inverse_kinematics(
        tree, tree.neutral(), target, rotation_tolerance=1e-2, translation_tolerance=1e-2
    )
    fine = axode.inverse_kinematics(tree, tree.neutral(), target)
    assert rough.success and rough.iterations < fine.iterations
    again = axode.inverse_kinematics(tree, tree.neutral(), target)
    assert (again.q == fine.q).all()
    same = pickle.loads(pickle.dumps(fine))
    assert same.message == fine.message and (same.q == fine.q).all()


def test_residuals_and_their_derivative() -> None:
    tree = panda()
    q, v = tree.random(1), np.random.default_rng(1).uniform(-1, 1, 7)
    T = tree.transform(tree.random(2), of="tool")
    h = 1e-6
    for target in (
        axode.pose_target("tool", T, rotation_weight=0.5, translation_weight=3),
        axode.position_target("tool", T.p),
        axode.orientation_target("tool", T.R),
        axode.direction_target("tool", [1, 2, 0], [0, 1, 1], "link2"),
    ):
        lin = axode.kinematics.linearize_target(tree, q, target)
        np.testing.assert_array_equal(lin.residual, axode.kinematics.target_residual(tree, q, target))
        V = tree.twist(q, v, of="tool", relative_to=target.relative_to, expressed_in="tool")
        ahead, back = axode.kinematics.target_residual(tree, [q + h * v, q - h * v], target)
        np.testing.assert_allclose(lin.slope @ V, (ahead - back) / (2 * h), atol=1e-8)


def test_targets_are_values() -> None:
    T = axode.lie.SE3(p=[1, 2, 3])
    target = axode.kinematics.Target(axode.Frame("tool", "world"), "base", "position", T, rotation_weight=2)
    assert target.frame == "tool[world]" and target.relative_to == "base"
    assert target.kind == "position" and target.pose == T and target.rotation_weight == 2
    np.testing.assert_array_equal(target.axis, [0, 0, 1])
    assert "position" in repr(target) and "tool[world]" in repr(target)
    for same in (pickle.loads(pickle.dumps(target)), copy.copy(target), copy.deepcopy(target)):
        assert repr(same) == repr(target)
    assert axode.orientation_target("tool", np.eye(3)).kind == "orientation"
    assert "axis" in repr(axode.direction_target("tool", [1, 0, 0], [0, 1, 0]))


def test_errors() -> None:
    tree = panda()
    q = tree.neutral()
    good = axode.pose_target("tool", np.eye(4))
    place: Any = "place"
    for call, text in [
        (lambda: axode.inverse_kinematics(tree, q, []), "target"),
        (lambda: axode.inverse_kinematics(tree, q[:2], good), "q: has shape"),
        (lambda: axode.inverse_kinematics(tree, [q, q], good), "one at a time"),
        (lambda: axode.inverse_kinematics(tree, q, good, starts=0), "starts"),
        (lambda: axode.inverse_kinematics(tree, q, good, rotation_tolerance=0), "tolerance"),
        (lambda: axode.inverse_kinematics(tree, q, good, hold=["elbow"]), "elbow"),
        (lambda: axode.inverse_kinematics(tree, q, axode.pose_target("hand", np.eye(4))), "hand"),
        (
            lambda: axode.inverse_kinematics(
                tree, q, axode.pose_target("tool", np.eye(4), "link7")
            ),
            "same body",
        ),
        (lambda: axode.pose_target("tool", np.ones((4, 4))), "T_RF"),
        (lambda: axode.pose_target("tool", np.eye(4), rotation_weight=0), "rotation_weight"),
        (lambda: axode.position_target("tool", [1, 2]), "p_RF"),
        (lambda: axode.position_target("tool", [1, 2, np.nan]), "p_RF"),
        (lambda: axode.orientation_target("tool", np.ones((3, 3))), "R_RF"),
        (
            lambda: axode.inverse_kinematics(
                tree, q, axode.direction_target("tool", [0, 0, 0], [0, 0, 1])
            ),
            "axis",
        ),
        (lambda: axode.kinematics.Target("tool", kind=place), "'place' is none of"),
    ]:
        with pytest.raises(axode.Error, match=text):
            call()  # type: ignore[no-untyped-call]
    for bad in (None, "tool", 3, [good, "tool"], {"a": good}):
        with pytest.raises(TypeError):
            axode.inverse_kinematics(tree, q, bad)  # type: ignore[arg-type]
    for options in ({"seed": -1}, {"starts": 10**30}, {"hold": "joint1"}, {"hold": [3]}):
        with pytest.raises(TypeError):
            axode.inverse_kinematics(tree, q, good, **options)
