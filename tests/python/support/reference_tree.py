"""Trees of the reference vectors in tests/data, as text of the model format."""

import json
from pathlib import Path
from typing import Any

import axode

DATA = Path(__file__).resolve().parents[2] / "data"
SYSTEMS = ["remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"]
FORMS = ["world", "body", "parent", "joint_frames"]
REPS: tuple[axode.typing.Rep, ...] = ("body", "spatial", "hybrid", "mixed")


def read(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text())


def joint(body: Any, form: str, base_velocity: str) -> dict[str, Any]:
    """The joint of a body in one of the geometry forms."""
    if body["coordinate_kind"] == "free":
        return {"type": "free", "velocity": base_velocity, "given_in": "body"}
    screws, frames = body["body_screws"], body["joint_frames"]
    geometry: dict[str, dict[str, Any]] = {
        "world": {
            "screws": body["zero_reference"]["Y"],
            "body_in_world": {"matrix": body["zero_reference"]["A"]},
        },
        "body": {"screws": screws["X"], "body_in_parent": {"matrix": screws["B"]}},
        "parent": {"screws": screws["X_parent"], "body_in_parent": {"matrix": screws["B"]}},
        "joint_frames": {
            "screws": frames["Z"],
            "frame_in_parent": {"matrix": frames["S_parent"]},
            "frame_in_body": {"matrix": frames["S_body"]},
        },
    }
    one = len(screws["X"]) == 1 and body["joint_type"] in ("revolute", "prismatic", "helical")
    return {
        "type": body["joint_type"] if one else "screws",
        "given_in": form,
        "coordinates": body["coordinate_kind"] + "_kind",
        **geometry[form],
    }


def tree_from_reference(
    model: Any, form: str = "world", base_velocity: str = "body", frames: list[Any] | None = None
) -> axode.Tree:
    bodies = []
    for body in model["bodies"]:
        made = joint(body, form, base_velocity)
        if body["parent"] >= 0:
            made["parent"] = model["bodies"][body["parent"]]["name"]
        inertia = body["inertia"]
        bodies.append(
            {
                "name": body["name"],
                "joint": made,
                "inertia": {
                    "mass": inertia["mass"],
                    "com": inertia["com"],
                    "about_com": inertia["Theta_com"],
                },
            }
        )
    text = {"axode": 1, "name": model["name"], "gravity": model["gravity"], "bodies": bodies}
    return axode.Tree.from_text(json.dumps({**text, "frames": frames or []}))
