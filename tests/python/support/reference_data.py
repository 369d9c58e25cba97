"""Trees and states of the reference vectors in tests/data, and comparison with them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

import axode

ROOT = Path(__file__).resolve().parents[3]
TREES = ["remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"]
INERTIA_ONLY: dict[str, Any] = dict(gravity=False, armature=False, damping=False, friction=False)
GRAVITY_ONLY: dict[str, Any] = dict(armature=False, damping=False, friction=False)
REPS = ["auto", "body", "spatial", "hybrid", "mixed"]


def read(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ROOT / "tests" / "data" / f"{name}.json").read_text())
    return data


def model(name: str) -> axode.Tree:
    return axode.Tree.from_file(ROOT / "models" / f"{name}.json")


def numbers(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)


def placed_joint(body: dict[str, Any], form: str, velocity: Any) -> tuple[Any, Any]:
    kind = body["coordinate_kind"]
    if kind == "free":
        return axode.free_joint(velocity=velocity), None
    if form == "zero_reference":
        screws = body["zero_reference"]["Y"]
        place = axode.model.zero_reference(numbers(body["zero_reference"]["A"]))
    else:
        frames = body["joint_frames"]
        screws = frames["Z"]
        place = axode.model.joint_frames(numbers(frames["S_parent"]), numbers(frames["S_body"]))
    coordinates: Any = "first_kind" if kind == "first" else "second_kind"
    return axode.model.screws_joint(numbers(screws), coordinates=coordinates), place


def reference_tree(
    data: dict[str, Any], form: str = "zero_reference", velocity: Any = "body"
) -> axode.Tree:
    """The tree of a file of reference vectors."""
    described = data["model"]
    builder = axode.TreeBuilder(described["name"]).gravity(numbers(described["gravity"]))
    for body in described["bodies"]:
        inertia = body["inertia"]
        builder.body(
            body["name"],
            mass=inertia["mass"],
            com=numbers(inertia["com"]),
            about_com=numbers(inertia["Theta_com"]),
        )
        if body["parent"] >= 0:
            builder.on(described["bodies"][body["parent"]]["name"])
        joint, place = placed_joint(body, form, velocity)
        if place is None:
            builder.joint("joint of " + body["name"], joint)
        else:
            builder.joint("joint of " + body["name"], joint, place)
    return builder.build()


def states(name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Inputs and outputs of all states of a file."""
    return [(state["input"], state["output"]) for state in read(name)["states"]]


def relative(found: Any, expected: Any) -> float:
    """Largest difference, relative to the largest number expected, or to one if that is less."""
    expected = numbers(expected)
    found = np.asarray(found)
    assert found.shape == expected.shape
    return float(np.max(np.abs(found - expected)) / max(1.0, np.max(np.abs(expected))))


def angular_first(values: Any) -> np.ndarray:
    """Six-vectors, or velocities that begin with one, whose files have the linear part first."""
    given = numbers(values)
    order = [3, 4, 5, 0, 1, 2, *range(6, given.shape[-1])]
    return given[..., order]


def matrix_angular_first(values: Any) -> np.ndarray:
    return angular_first(angular_first(values).T).T


def moving_base_configuration(given: dict[str, Any]) -> np.ndarray:
    T = numbers(given["A_H_B"])
    R, p = T[:3, :3], T[:3, 3]
    w = np.sqrt(max(0.0, 1 + np.trace(R))) / 2
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w)
    quaternion = np.array([w, *v])
    return np.concatenate([quaternion / np.linalg.norm(quaternion), p, numbers(given["s"])])


class Motion:
    """A tree with random states."""

    def __init__(self, tree: axode.Tree, count: int, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.tree = tree
        self.q = np.array([tree.random(seed + i) for i in range(count)])
        self.v, self.a = random.normal(size=(2, count, tree.nv))
        self.wrenches = random.normal(size=(count, len(tree), 6))
