"""Garbage in any argument of the functions of kinematics is an error, not a crash."""

from typing import Any

import numpy as np
import pytest

import axode
from kinematics_trees import panda, state

TREE = panda()
Q, V, A = state(TREE)
SIX = np.ones((7, 6))
TARGET = axode.pose_target("tool", np.eye(4))
VARIABLES = axode.kinematics.JointVariables(TREE)
SYSTEM = axode.kinematics.SystemJacobian(TREE, Q)
GOOD: list[tuple[str, list[Any]]] = [
    ("poses", [TREE, Q]),
    ("twists", [TREE, Q, V, "body"]),
    ("accelerations", [TREE, Q, V, A, "body"]),
    ("jerks", [TREE, Q, V, A, A, "body"]),
    ("snaps", [TREE, Q, V, A, A, A, "body"]),
    ("twist_derivatives", [TREE, Q, [V, A], "body"]),
    ("pose_derivatives", [TREE, Q, [V, A]]),
    ("taylor_pose", [axode.kinematics.pose_derivatives(TREE, Q, [V]), 0, 0.1]),
    ("pose_by_body_screws", [TREE, Q, 3]),
    ("pose_by_zero_reference", [TREE, Q, 3]),
    ("jacobian", [TREE, Q, "tool", "body"]),
    ("jacobian_rate", [TREE, Q, V, "tool", "body"]),
    ("jacobian_rate_times_velocity", [TREE, Q, V, "tool", "body"]),
    ("spatial_columns", [TREE, Q]),
    ("spatial_column_rates", [TREE, Q, V]),
    ("screw_partial_derivative", [TREE, Q, 3, 1, [0], "body"]),
    ("jacobian_partial_derivative", [TREE, Q, 3, [0], "body"]),
    ("transform", [TREE, Q, "tool", "link1"]),
    ("transform_matrix", [TREE, Q, "tool", "link1"]),
    ("twist", [TREE, Q, V, "tool", "body"]),
    ("acceleration", [TREE, Q, V, A, "tool", "body"]),
    ("wrench_transform", [TREE, Q, np.ones(6), "tool", "link1"]),
    ("wrench_matrix", [TREE, Q, "tool", "link1"]),
    ("total_mass", [TREE, 2]),
    ("manipulability", [TREE, Q, "tool"]),
    ("manipulability", [np.ones((6, 7))]),
    ("pseudo_inverse_times", [axode.manipulability(TREE, Q, "tool"), np.ones(6)]),
    ("damped_inverse_times", [axode.manipulability(TREE, Q, "tool"), np.ones(6), 0.1]),
    ("SystemJacobian", [TREE, Q, "body", "body_screws"]),
    ("apply", [SYSTEM, V]),
    ("apply_A", [SYSTEM, SIX]),
    ("apply_transpose", [SYSTEM, SIX]),
    ("apply_X_transpose", [SYSTEM, SIX]),
    ("dense_A", [SYSTEM]),
    ("joint_velocities", [TREE, Q, SIX, "body"]),
    ("joint_accelerations", [TREE, Q, SIX, SIX, V, "body"]),
    ("least_squares_velocities", [TREE, Q, SIX, SIX, "body"]),
    ("Target", ["tool", "world", "pose", np.eye(4), [0, 0, 1], [0, 0, 1], 1.0, 1.0]),
    ("pose_target", ["tool", np.eye(4), "world"]),
    ("position_target", ["tool", [1, 2, 3], "world"]),
    ("orientation_target", ["tool", np.eye(3), "world"]),
    ("direction_target", ["tool", [0, 0, 1], [0, 0, 1], "world"]),
    ("target_residual", [TREE, Q, TARGET]),
    ("linearize_target", [TREE, Q, TARGET]),
    ("target_error", [TREE, Q, TARGET]),
    ("reach", [TREE, "tool", "world"]),
    ("inverse_kinematics", [TREE, Q, TARGET]),
    ("box_step", [np.eye(2), [1, 1], 0.1, [-1, -1], [1, 1]]),
    ("enforce", [TREE, VARIABLES, Q]),
    ("check_held", [TREE, VARIABLES, Q]),
    ("move", [TREE, VARIABLES, Q, V]),
    ("room", [VARIABLES, Q]),
    ("random_start", [TREE, VARIABLES, Q, 1]),
]
GARBAGE: list[Any] = [
    None,
    "",
    "nothing",
    "tool[",
    "\ud800",
    b"tool",
    10**30,
    -(10**30),
    -1,
    3.5,
    float("nan"),
    True,
    [],
    [[]],
    {},
    object(),
    np.zeros(0),
    np.zeros((0, 7)),
    np.zeros((2, 3, 4, 5)),
    np.full(7, np.nan),
    np.full((7, 6), np.inf),
    np.full(7, 1e308),
    np.array(["a"]),
    np.array(1.0),
    [1, [2, 3]],
    TREE,
    TARGET,
    axode.Frame("nobody"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, arguments", GOOD, ids=[name for name, _ in GOOD])
def test_garbage(name: str, arguments: list[Any]) -> None:
    f = getattr(axode.kinematics, name)
    f(*arguments)
    for k in range(len(arguments)):
        for bad in GARBAGE:
            try:
                result = f(*arguments[:k], bad, *arguments[k + 1 :])
            except (TypeError, ValueError, OverflowError):
                continue
            if isinstance(result, np.ndarray):
                assert np.isfinite(result).all(), (name, k, bad)
    with pytest.raises(TypeError):
        f()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["twist", "acceleration", "jacobian"])
@pytest.mark.parametrize("key", ["relative_to", "expressed_in", "kind"])
def test_garbage_by_name(name: str, key: str) -> None:
    if key == "kind" and name != "acceleration":
        return
    f = getattr(axode.kinematics, name)
    arguments: list[Any] = {"twist": [V], "acceleration": [V, A], "jacobian": []}[name]
    for bad in GARBAGE:
        try:
            result = f(TREE, Q, *arguments, "tool", **{key: bad})
        except (TypeError, ValueError, OverflowError):
            continue
        assert np.isfinite(result).all(), (name, key, bad)
