"""Trees that tests of simulations use."""

import json
from typing import Any

import axode


def tree_of(bodies: list[dict[str, Any]], gravity: list[float]) -> axode.Tree:
    text = json.dumps({"axode": 1, "gravity": gravity, "bodies": bodies})
    return axode.parse_scene(text, "test").tree


def pendulum() -> axode.Tree:
    """A point mass on a bar, hanging along -y at q = 0, turning about z."""
    return tree_of(
        [
            {
                "name": "bob",
                "inertia": {"mass": 1, "com": [0, -1, 0], "about_com": [0, 0, 0]},
                "joint": {"name": "pivot", "type": "revolute", "axis": [0, 0, 1]},
            }
        ],
        [0, -9.81, 0],
    )
