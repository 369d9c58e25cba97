"""Joints and the forms of geometry: reference vectors, rows of Denavit and Hartenberg."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, Coordinates

DATA = Path(__file__).resolve().parents[2] / "data"
FORMS = ["zero_reference", "body_screws", "parent_screws", "joint_frames"]
X, Y, Z = np.eye(3)


def translation(x: float, y: float, z: float) -> Array:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def rotation(axis: int, angle: float) -> Array:
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i] = T[j, j] = math.cos(angle)
    T[j, i] = math.sin(angle)
    T[i, j] = -T[j, i]
    return T


def reference(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    return data


def placed(body: dict[str, Any], form: str) -> tuple[Any, axode.model.Placement]:
    """The screws of a body of the reference vectors and its place, in this form."""
    if form == "zero_reference":
        given = body["zero_reference"]
        return given["Y"], axode.model.zero_reference(given["A"])
    if form == "joint_frames":
        given = body["joint_frames"]
        return given["Z"], axode.model.joint_frames(given["S_parent"], given["S_body"])
    given = body["body_screws"]
    if form == "body_screws":
        return given["X"], axode.model.body_screws(given["B"])
    return given["X_parent"], axode.model.parent_screws(given["B"])


def reference_tree(model: dict[str, Any], forms: list[str]) -> axode.Tree:
    """Body i in the form forms[i % len(forms)]."""
    builder = axode.TreeBuilder(model["name"]).gravity(model["gravity"])
    for i, body in enumerate(model["bodies"]):
        inertia = body["inertia"]
        screws, placement = placed(body, forms[i % len(forms)])
        kind: Coordinates = "first_kind" if body["coordinate_kind"] == "first" else "second_kind"
        builder.body(
            body["name"],
            mass=inertia["mass"],
            com=inertia["com"],
            about_com=inertia["Theta_com"],
        ).joint(f"joint{i}", axode.model.screws_joint(screws, kind), placement)
        if body["parent"] >= 0:
            builder.on(model["bodies"][body["parent"]]["name"])
    return builder.build()


@pytest.mark.parametrize(
    "name", ["remote_centre", "chain7", "tree9", "multidof_second", "multidof_first"]
)
@pytest.mark.parametrize("forms", [*([form] for form in FORMS), FORMS])
def test_all_geometry_forms_give_the_poses_of_the_reference(name: str, forms: list[str]) -> None:
    data = reference(name)
    tree = reference_tree(data["model"], forms)
    q = np.array([state["input"]["q"] for state in data["states"]])
    C = np.array([state["output"]["C"] for state in data["states"]])
    np.testing.assert_allclose(axode.poses(tree, q), C, atol=1e-13)


@pytest.mark.parametrize("form", FORMS)
def test_geometry_reads_back_in_every_form(form: str) -> None:
    data = reference("tree9")
    tree = reference_tree(data["model"], [form])
    for i, body in enumerate(data["model"]["bodies"]):
        a, b = axode.model.zero_reference(tree, i), axode.model.body_screws(tree, body["name"])
        np.testing.assert_allclose(a.A.matrix, body["zero_reference"]["A"], atol=1e-14)
        np.testing.assert_allclose(a.Y, body["zero_reference"]["Y"], atol=1e-14)
        np.testing.assert_allclose(b.B.matrix, body["body_screws"]["B"], atol=1e-14)
        np.testing.assert_allclose(b.X, body["body_screws"]["X"], atol=1e-14)
        np.testing.assert_allclose(b.X_parent, body["body_screws"]["X_parent"], atol=1e-14)
        np.testing.assert_allclose(tree.screws[i], b.X[0], atol=0)
        c = axode.model.joint_frames(tree, i)
        np.testing.assert_allclose(
            c.S_parent.matrix @ np.linalg.inv(c.S_body.matrix), b.B.matrix, atol=1e-14
        )
        if form == "joint_frames":
            np.testing.assert_allclose(c.S_body.matrix, body["joint_frames"]["S_body"], atol=1e-14)
            np.testing.assert_allclose(c.Z, body["joint_frames"]["Z"], atol=1e-14)
        assert tree.bodies[i].form == form
    for i, one in enumerate(axode.model.zero_references(tree)):
        np.testing.assert_allclose(
            one.A.matrix, axode.model.zero_reference(tree, i).A.matrix, atol=1e-14
        )


@pytest.mark.parametrize("type", ["revolute", "prismatic"])
def test_denavit_hartenberg_rows_are_the_products_they_stand_for(type: Any) -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        theta, d, a, alpha, q = random.uniform(-2, 2, 5)
        row = {"theta": theta, "d": d, "a": a, "alpha": alpha, "type": type}
        moved = (theta + q, d) if type == "revolute" else (theta, d + q)
        about_z = rotation(2, moved[0]) @ translation(0, 0, moved[1])
        about_x = rotation(0, alpha) @ translation(a, 0, 0)
        for placed_joint, T in [
            (axode.model.classic_dh(**row), about_z @ about_x),
            (axode.model.modified_dh(**row), about_x @ about_z),
        ]:
            tree = axode.TreeBuilder().body("b").joint("j", placed_joint).build()
            np.testing.assert_allclose(axode.poses(tree, [q])[0], T, atol=1e-14)
    with pytest.raises(axode.Error, match="'spherical' is none of 'revolute', 'prismatic'"):
        axode.model.classic_dh(type="spherical")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="classic_dh: a Denavit-Hartenberg parameter is not"):
        axode.model.classic_dh(theta=math.nan)


def one_joint(joint: axode.model.Joint) -> axode.Tree:
    return axode.TreeBuilder().body("b", mass=1).joint("j", joint).build()


def test_every_joint_moves_as_it_says() -> None:
    def pose(joint: axode.model.Joint, q: list[float]) -> Array:
        T: Array = axode.poses(one_joint(joint), q)[0]
        return T

    about_z = translation(1, 0, 0) @ rotation(2, 0.3) @ translation(-1, 0, 0)
    advanced = translation(0, 0, 0.03) @ about_z
    turned = translation(1, 0, 0) @ rotation(2, 0.3)
    quarter = rotation(2, math.pi / 2)[:3, :3]
    half = [math.cos(0.15), 0, 0, math.sin(0.15)]
    cases = [
        (axode.fixed(), [], np.eye(4)),
        (axode.revolute([0, 0, 5], [1, 0, 0]), [0.3], about_z),
        (axode.revolute(), [0.3], rotation(2, 0.3)),
        (axode.prismatic([3, 0, 0]), [0.3], translation(0.3, 0, 0)),
        (axode.helical(Z, [1, 0, 0], 0.1), [0.3], advanced),
        (axode.cylindrical(Z, [1, 0, 0]), [0.2, 0.3], translation(0, 0, 0.2) @ about_z),
        (axode.spherical([1, 0, 0]), half, about_z),
        (axode.spherical([1, 0, 0], "second_kind"), [0, 0, 0.3], about_z),
        (axode.spherical(coordinates="first_kind"), [0.3, 0, 0], rotation(0, 0.3)),
        (axode.spherical(None, "first_kind", quarter), [0.3, 0, 0], rotation(1, 0.3)),
        (axode.planar(), [0.1, 0.2, 0.3], translation(0.1, 0.2, 0) @ rotation(2, 0.3)),
        (axode.planar(x=Y, z=X), [0.1, 0.2, 0.3], translation(0, 0.1, 0.2) @ rotation(0, 0.3)),
        (axode.universal(Z, X), [0.3, 0.4], rotation(2, 0.3) @ rotation(0, 0.4)),
        (axode.free_joint(), [*half, 1, 2, 3], translation(1, 2, 3) @ rotation(2, 0.3)),
        (axode.free_joint("hybrid", at=translation(1, 0, 0)), [*half, 0, 0, 0], about_z),
        (axode.model.subgroup_joint("schoenflies"), [1, 0, 2, 0.3], translation(0, 0, 2) @ turned),
        (axode.model.subgroup_joint("helical", translation(1, 0, 0), 0.1), [0.3], advanced),
        (axode.model.screws_joint([[0, 0, 1, 0, -1, 0]]), [0.3], about_z),
        (axode.model.screws_joint([0, 0, 0, 1, 0, 0]), [0.3], translation(0.3, 0, 0)),
        (axode.model.one_screw(axode.screw.Screw(Z, X, 0.1)), [0.3], advanced),
    ]
    for joint, q, expected in cases:
        np.testing.assert_allclose(pose(joint, q), expected, atol=1e-15, err_msg=repr(joint))
    types = {joint.type for joint, _, _ in cases}
    assert len(types) == 11


def test_joints_say_what_they_are() -> None:
    joint = axode.revolute(axis=[0, 2, 0], point=[0, 0, 1])
    assert (joint.type, joint.coordinates, joint.dof) == ("revolute", "second_kind", 1)
    np.testing.assert_array_equal(joint.screws, [[0, 1, 0, -1, 0, 0]])
    assert repr(joint) == "Joint('revolute', 'second_kind', screws=[[0, 1, 0, -1, 0, 0]])"
    assert axode.free_joint("spatial").velocity == "spatial"
    assert axode.fixed().screws.shape == (0, 6)
    placement = axode.model.joint_frames(translation(1, 0, 0))
    assert placement.form == "joint_frames" and placement.pose.p[0] == 1
    assert axode.model.modified_dh(a=1).placement.form == "body_screws"
    assert axode.model.classic_dh(type="prismatic").joint.type == "prismatic"


def test_joint_maps_make_poses_and_twists() -> None:
    tree = axode.Tree.from_file(DATA.parents[1] / "models/all_joints.json")
    q, v = tree.random(4), np.random.default_rng(4).uniform(-1, 1, tree.nv)
    T, V = axode.poses(tree, q), axode.twists(tree, q, v, rep="body")
    h = 1e-6
    ahead, behind = tree.integrate(q, h * v), tree.integrate(q, -h * v)
    for body in tree.bodies:
        T_P = T[body.parent] if body.parent >= 0 else np.eye(4)
        D = axode.model.joint_displacement(tree, body.name, q)
        S = axode.model.joint_screws(tree, body.number, q)
        np.testing.assert_allclose(T_P @ body.B.matrix @ D, T[body.number], atol=1e-13)
        V_P = V[body.parent] if body.parent >= 0 else np.zeros(6)
        T_BP = np.linalg.inv(body.B.matrix @ D)
        R, p = T_BP[:3, :3], T_BP[:3, 3]
        carried = np.r_[R @ V_P[:3], np.cross(p, R @ V_P[:3]) + R @ V_P[3:]]
        np.testing.assert_allclose(carried + v[body.v] @ S, V[body.number], atol=1e-12)
        rates = axode.model.joint_screw_derivatives(tree, body.name, q, v)
        np.testing.assert_allclose(rates[0], S, atol=1e-15)
        slope = axode.model.joint_screws(tree, body.name, [ahead, behind])
        np.testing.assert_allclose(rates[1], (slope[0] - slope[1]) / (2 * h), atol=1e-7)
        if axode.model.has_constant_screws(tree, body.name):
            assert not rates[1].any()
    constant = {b.joint_type: axode.model.has_constant_screws(tree, b.number) for b in tree.bodies}
    assert constant["revolute"] and not constant["universal"]
    jerk = axode.model.joint_screw_derivatives(tree, 0, q, np.ones((3, tree.nv)))
    assert jerk.shape == (4, *axode.model.joint_screws(tree, 0, q).shape)
    with pytest.raises(axode.Error, match=r"v: has shape \(2,\)"):
        axode.model.joint_screw_derivatives(tree, 0, q, [1, 2])
    with pytest.raises(axode.LimitError, match="v: has 101 rows"):
        axode.model.joint_screw_derivatives(tree, 0, q, np.ones((101, tree.nv)))
    with pytest.raises(axode.Error, match="not finite"):
        axode.model.joint_screws(tree, 0, np.full(tree.nq, np.nan))
