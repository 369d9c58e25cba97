"""Trees and states for the tests of kinematics, and central differences."""

import json
from pathlib import Path
from typing import Any, Callable

import numpy as np

import axode

MODELS = Path(__file__).resolve().parents[3] / "models"
H = 1e-5  # central differences err by H^2 times third derivatives, and 1e-16 / H of rounding
BY_DIFFERENCES = 2e-8


def pose(x: float, y: float, z: float) -> dict[str, Any]:
    return {"position": [z, x, y], "rpy": [x, y, z]}


def zoo(base_velocity: str = "body") -> axode.Tree:
    """Every kind of joint map, a free base, branches and a named frame."""
    at = {"given_in": "body"}
    first = {"coordinates": "first_kind"}
    inertia = {"mass": 1.5, "com": [0.1, -0.2, 0.3], "about_com": [0.2, 0.3, 0.25]}
    joints: dict[str, dict[str, Any]] = {
        "base": {"type": "free", "velocity": base_velocity, "body_in_parent": pose(0.1, 0.2, 0.3)},
        "ball": {"type": "spherical", "parent": "base", "body_in_parent": pose(-0.4, 0.2, 0.1)},
        "slider": {"type": "prismatic", "parent": "ball", "axis": [1, 2, -1]},
        "wrist": {"type": "spherical", "parent": "slider", **first, "point": [0, 0.2, 0.1]},
        "fixed": {"type": "fixed", "parent": "ball", "body_in_parent": pose(0.5, 0.5, 0.5)},
        "plate": {"type": "planar", "parent": "fixed", "x_axis": [1, 0, 0], "z_axis": [0, 0, 1]},
        "fork": {
            "type": "universal",
            "parent": "base",
            "first_axis": [1, 0, 0],
            "second_axis": [0, 1, 0],
            "body_in_parent": pose(0.7, 0.1, 0),
        },
        "screw": {"type": "helical", "parent": "fork", "axis": [0, 1, 1], "pitch": 0.05},
    }
    model = {
        "axode": 1,
        "name": "zoo",
        "bodies": [
            {"name": n, "joint": {**at, **j}, "inertia": inertia} for n, j in joints.items()
        ],
        "frames": [{"name": "tool", "on": "wrist", "at": pose(0.6, 0.4, -0.2)}],
    }
    return axode.Tree.from_text(json.dumps(model))


def panda() -> axode.Tree:
    return axode.Tree.from_file(MODELS / "panda.json")


def state(tree: axode.Tree, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return tree.random(seed), random.uniform(-1, 1, tree.nv), random.uniform(-1, 1, tree.nv)


def slope(f: Callable[[float], np.ndarray]) -> np.ndarray:
    rate: np.ndarray = (f(H) - f(-H)) / (2 * H)
    return rate


def planar_arm(lengths: tuple[float, ...] = (1.0, 0.7), **joint: Any) -> axode.Tree:
    bodies: list[dict[str, Any]] = []
    x = 0.0
    for k, length in enumerate(lengths):
        parent = {"parent": f"link{k - 1}"} if k > 0 else {}
        bodies.append(
            {
                "name": f"link{k}",
                "joint": {
                    "name": f"joint{k}",
                    "type": "revolute",
                    "axis": [0, 0, 1],
                    "point": [x, 0, 0],
                    "body_in_world": {"position": [x, 0, 0]},
                    **parent,
                    **joint,
                },
            }
        )
        x += length
    tool = {"name": "tool", "on": bodies[-1]["name"], "at": {"position": [lengths[-1], 0, 0]}}
    model = {"axode": 1, "name": "planar", "bodies": bodies, "frames": [tool]}
    return axode.Tree.from_text(json.dumps(model))
