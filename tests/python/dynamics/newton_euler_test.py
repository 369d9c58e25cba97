"""Newton-Euler equations of single bodies against reference vectors and each other."""

from typing import Any

import numpy as np
import pytest
from reference_data import TREES, numbers, read, reference_tree, relative, states

import axode


@pytest.mark.parametrize("name", TREES)
def test_net_wrenches_are_rates_of_momentum(name: str) -> None:
    tree = reference_tree(read(name))
    reps: Any = ("body", "spatial", "hybrid", "mixed")
    for given, expected in states(name):
        poses = axode.poses(tree, numbers(given["q"]))
        for b, body in enumerate(tree.bodies):
            R, p = poses[b, :3, :3], poses[b, :3, 3]
            spatial = numbers(expected["momentum_rate_spatial"][b])  # about the world's origin
            at_body = np.concatenate([spatial[:3] - np.cross(p, spatial[3:]), spatial[3:]])
            turned = np.concatenate([R.T @ at_body[:3], R.T @ at_body[3:]])
            wanted = {
                "body": turned,
                "spatial": spatial,
                "hybrid": at_body,
                "mixed": np.concatenate([turned[:3], at_body[3:]]),
            }
            for rep in reps:
                V, A = expected["twist"][rep][b], expected["acceleration"][rep][b]
                found = axode.dynamics.net_wrench(body.inertia, V, A, rep, poses[b])
                assert relative(found, wanted[rep]) < 1e-12
            V, A = (numbers(expected[key]["body"][b]) for key in ("twist", "acceleration"))
            in_frame = axode.dynamics.net_wrench_in_frame(body.inertia, V, A, V)
            assert relative(in_frame, turned) < 1e-12
            M = body.inertia.matrix
            by_momentum = axode.dynamics.net_wrench_of_momentum(V, M @ V, M @ A, "body")
            assert relative(by_momentum, turned) < 1e-12


def test_the_pose_is_asked_for() -> None:
    six = np.ones(6)
    with pytest.raises(axode.Error, match="^T_WB: is not given"):
        axode.dynamics.net_wrench(axode.screw.Inertia(1.0), six, six, "hybrid")
    with pytest.raises(axode.Error, match="'mixed' is none of"):
        axode.dynamics.net_wrench_of_momentum(six, six, six, "mixed")  # type: ignore[arg-type]
