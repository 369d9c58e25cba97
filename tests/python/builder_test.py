"""axode.TreeBuilder: joints, geometry forms, properties, and what is refused."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, Coordinates

DATA = Path(__file__).resolve().parents[1] / "data"
FORMS = ["zero_reference", "body_screws", "parent_screws", "joint_frames"]
SOLID = axode.Inertia(mass=2, com=[0, 0, 0.1], about_com=[0.02, 0.03, 0.04])
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


def placed(body: dict[str, Any], form: str) -> tuple[Any, axode.Placement]:
    """The screws of a body of the reference vectors and its place, in this form."""
    if form == "zero_reference":
        given = body["zero_reference"]
        return given["Y"], axode.zero_reference(given["A"])
    if form == "joint_frames":
        given = body["joint_frames"]
        return given["Z"], axode.joint_frames(given["S_parent"], given["S_body"])
    given = body["body_screws"]
    if form == "body_screws":
        return given["X"], axode.body_screws(given["B"])
    return given["X_parent"], axode.parent_screws(given["B"])


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
        ).joint(f"joint{i}", axode.screws_joint(screws, kind), placement)
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
        a, b = axode.zero_reference(tree, i), axode.body_screws(tree, body["name"])
        np.testing.assert_allclose(a.A.matrix, body["zero_reference"]["A"], atol=1e-14)
        np.testing.assert_allclose(a.Y, body["zero_reference"]["Y"], atol=1e-14)
        np.testing.assert_allclose(b.B.matrix, body["body_screws"]["B"], atol=1e-14)
        np.testing.assert_allclose(b.X, body["body_screws"]["X"], atol=1e-14)
        np.testing.assert_allclose(b.X_parent, body["body_screws"]["X_parent"], atol=1e-14)
        np.testing.assert_allclose(tree.screws[i], b.X[0], atol=0)
        c = axode.joint_frames(tree, i)
        np.testing.assert_allclose(
            c.S_parent.matrix @ np.linalg.inv(c.S_body.matrix), b.B.matrix, atol=1e-14
        )
        if form == "joint_frames":
            np.testing.assert_allclose(c.S_body.matrix, body["joint_frames"]["S_body"], atol=1e-14)
            np.testing.assert_allclose(c.Z, body["joint_frames"]["Z"], atol=1e-14)
        assert tree.bodies[i].form == form
    for i, one in enumerate(axode.zero_references(tree)):
        np.testing.assert_allclose(
            one.A.matrix, axode.zero_reference(tree, i).A.matrix, atol=1e-14
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
            (axode.classic_dh(**row), about_z @ about_x),
            (axode.modified_dh(**row), about_x @ about_z),
        ]:
            tree = axode.TreeBuilder().body("b").joint("j", placed_joint).build()
            np.testing.assert_allclose(axode.poses(tree, [q])[0], T, atol=1e-14)
    with pytest.raises(axode.Error, match="'spherical' is none of 'revolute', 'prismatic'"):
        axode.classic_dh(type="spherical")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="classic_dh: a Denavit-Hartenberg parameter is not"):
        axode.classic_dh(theta=math.nan)


def one_joint(joint: axode.Joint) -> axode.Tree:
    return axode.TreeBuilder().body("b", SOLID).joint("j", joint).build()


def test_every_joint_moves_as_it_says() -> None:
    def pose(joint: axode.Joint, q: list[float]) -> Array:
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
        (axode.subgroup_joint("schoenflies"), [1, 0, 2, 0.3], translation(0, 0, 2) @ turned),
        (axode.subgroup_joint("helical", translation(1, 0, 0), 0.1), [0.3], advanced),
        (axode.screws_joint([[0, 0, 1, 0, -1, 0]]), [0.3], about_z),
        (axode.screws_joint([0, 0, 0, 1, 0, 0]), [0.3], translation(0.3, 0, 0)),
        (axode.one_screw(axode.Screw(Z, X, 0.1)), [0.3], advanced),
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
    placement = axode.joint_frames(translation(1, 0, 0))
    assert placement.form == "joint_frames" and placement.pose.p[0] == 1
    assert axode.modified_dh(a=1).placement.form == "body_screws"
    assert axode.classic_dh(type="prismatic").joint.type == "prismatic"


def test_a_tree_keeps_what_was_said() -> None:
    tree = (
        axode.TreeBuilder("arm")
        .gravity([0, 0, -1.62])
        .body("a", SOLID)
        .joint("j", axode.cylindrical())
        .limits(-1, 2, 1)
        .max_velocity(3)
        .max_effort(4)
        .damping(0.1)
        .friction(0.2, k=1)
        .armature(0.3)
        .shape(axode.Shape("sphere", 0.1, rgba=[1, 0, 0, 1]))
        .shape(axode.Shape("cylinder", [0.1, 2], pose=translation(0, 0, 1), collision=True))
        .shape(axode.Shape("mesh", mesh="a.stl", scale=[2, 2, 2], name="skin", material="steel"))
        .body("b", mass=1, com=[1, 0, 0], about_com=np.diag([1, 2, 2.5]))
        .on("a")
        .joint("k", axode.spherical())
        .frame("tool", on="a", at=axode.SE3(translation(0, 0, 1)))
        .frame("camera")
        .build()
    )
    assert (tree.name, tree.source, tree.nq, tree.nv, len(tree)) == ("arm", "", 6, 5, 2)
    assert tree.gravity[2] == -1.62
    assert tree.body_names == ["a", "b"] and tree.joint_names == ["j", "k"]
    assert tree.frame_names == ["tool", "camera"]
    inf = math.inf
    np.testing.assert_array_equal(tree.lower, [-inf, -1, -inf, -inf, -inf])
    np.testing.assert_array_equal(tree.upper[:2], [inf, 2])
    assert (tree.max_velocity[0], tree.max_effort[0], tree.damping[0]) == (3, 4, 0.1)
    assert (tree.friction[1], tree.armature[0]) == (0.2, 0.3)
    assert tree.dofs[1] == axode.Dof(-1, 2, inf, inf, 0, 0.2, 0)
    a, b = tree.bodies
    assert a.inertia == SOLID and a.inertia_given and a.children == (1,) and a.parent == -1
    assert (b.number, b.parent, b.parent_name, b.children) == (1, 0, "a", ())
    assert (b.joint_type, b.coordinates) == ("spherical", "quaternion")
    assert b.q == slice(2, 6) and b.v == slice(2, 5)
    np.testing.assert_array_equal(b.inertia.about_com, np.diag([1, 2, 2.5]))
    assert tree.body("b").name == tree.body(1).name == tree.body(np.int64(1)).name == "b"
    ball, pin, skin = a.shapes
    assert (ball.kind, ball.collision) == ("sphere", False)
    np.testing.assert_array_equal(ball.size, [0.1, 0, 0])
    assert pin.collision and pin.pose.p[2] == 1 and pin.rgba is None
    np.testing.assert_array_equal(ball.rgba, [1, 0, 0, 1])
    assert (skin.mesh, skin.mesh_path, skin.name, skin.material) == ("a.stl", "", "skin", "steel")
    assert tree.frames[0].body == 0 and tree.frames[0].T_BF.p[2] == 1 and tree.frames[1].body == -1
    assert (tree.body_index("b"), tree.joint_index("k"), tree.frame_index("camera")) == (1, 1, 1)
    assert axode.body_index(tree, "b") == 1
    choice = axode.frame(tree, "tool[camera]")
    assert (choice.origin.body, choice.axes.body, choice.origin.T_BF.p[2]) == (0, -1, 1)
    assert axode.frame(tree, axode.origin_of("tool").axes_of("camera")).axes.name == "camera"


def test_parents_come_first_whatever_the_order() -> None:
    tree = (
        axode.TreeBuilder()
        .body("hand", SOLID)
        .on("arm")
        .joint("wrist", axode.prismatic())
        .body("arm", SOLID)
        .joint("shoulder", axode.revolute())
        .build()
    )
    assert tree.body_names == ["arm", "hand"]


def test_fixed_joints_merge() -> None:
    builder = (
        axode.TreeBuilder()
        .body("arm", SOLID)
        .joint("shoulder", axode.revolute(Y))
        .body("plate", SOLID)
        .on("arm")
        .joint("screws", axode.fixed(), axode.body_screws(translation(0, 0, 1)))
    )
    whole, merged = builder.build(), builder.build(merge_fixed_joints=True)
    assert (len(whole), len(merged), merged.frame_names) == (2, 1, ["plate"])
    assert merged.bodies[0].inertia.mass == 4
    again = axode.merge_fixed_joints(whole)
    assert again.body_names == ["arm"]
    q, v, a = [0.3], [0.4], [0.5]
    np.testing.assert_allclose(
        axode.inverse_dynamics(merged, q, v, a), axode.inverse_dynamics(whole, q, v, a), atol=1e-14
    )


def test_a_builder_goes_on_after_build_and_copies() -> None:
    builder = axode.TreeBuilder("x").body("a", SOLID).joint("j", axode.revolute())
    first, other = builder.build(), copy.copy(builder)
    assert builder.body("b", SOLID) is builder
    builder.joint("k", axode.revolute())
    assert len(first) == 1 and len(builder.build()) == 2 and len(other.build()) == 1
    assert repr(builder) == "TreeBuilder 'x': 2 bodies" and len(copy.deepcopy(builder).build()) == 2


def arm() -> axode.TreeBuilder:
    return axode.TreeBuilder("arm").body("upper", SOLID).joint("shoulder", axode.revolute())


REFUSED = [
    (lambda: axode.TreeBuilder().on("a"), "before any body"),
    (lambda: arm().joint("again", axode.fixed()), "body 'upper' already has joint 'shoulder'"),
    (lambda: arm().limits(0, 1, k=1), "joint 'shoulder' has no freedom number 1"),
    (lambda: arm().limits(0, 1, k=-1), "no freedom number -1"),
    (lambda: arm().body("lower").build(), "body 'lower': it has no joint"),
    (lambda: arm().limits(2, 1).build(), "joint 'shoulder'.*lower limit"),
    (lambda: arm().limits(math.nan, 1).build(), "joint 'shoulder'"),
    (lambda: arm().damping(-1).build(), "joint 'shoulder'.*damping"),
    (lambda: arm().mimic("shoulder").build(), "shoulder"),
    (lambda: arm().mimic("elbow").build(), "'elbow'"),
    (lambda: arm().on("lower").build(), "'lower'"),
    (lambda: arm().on("upper").build(), "upper"),
    (lambda: arm().body("upper").joint("k", axode.fixed()).build(), "'upper'"),
    (lambda: arm().body("lower").joint("shoulder", axode.fixed()).build(), "'shoulder'"),
    (lambda: arm().frame("tool", on="tol").build(), "'tol'"),
    (lambda: arm().frame("upper").build(), "upper"),
    (lambda: arm().frame("tool", at=np.zeros((4, 4))), "at: .*last row"),
    (lambda: arm().frame("tool", at=np.diag([2.0, 1, 1, 1])).build(), "not orthonormal|orthogonal"),
    (
        lambda: arm().frame("tool", at=np.full((4, 4), np.nan)),
        "at: has a number that is not finite",
    ),
    (lambda: arm().gravity([0, 0]), r"g: has shape \(2,\) where \(3,\) is wanted"),
    (lambda: arm().body("b", mass=-1).joint("k", axode.fixed()).build(), "body 'b'.*mass"),
    (lambda: arm().body("b", mass=math.nan), "mass"),
    (
        lambda: arm().body("b", about_com=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]),
        "about_com: .*symmetric",
    ),
    (lambda: arm().body("b", SOLID, mass=1), "inertia: is given beside mass"),
    (
        lambda: axode.TreeBuilder().body("", SOLID).joint("j", axode.fixed()).build(),
        "name is empty",
    ),
    (lambda: axode.TreeBuilder().body("world").joint("j", axode.fixed()).build(), "inertial frame"),
    (
        lambda: axode.TreeBuilder().body("a\nb").joint("j", axode.fixed()).build(),
        "control character",
    ),
    (
        lambda: axode.TreeBuilder().body("a\0b").joint("j", axode.fixed()).build(),
        "control character",
    ),
    (
        lambda: axode.TreeBuilder().body("x" * 2000).joint("j", axode.fixed()).build(),
        "2000 characters",
    ),
    (lambda: axode.revolute(axis=[0, 0, 0]), "revolute joint: the axis is zero"),
    (lambda: axode.revolute(axis=[0, 0, np.inf]), "axis: has a number that is not finite"),
    (lambda: axode.helical(pitch=math.inf), "helical joint: the pitch is not finite"),
    (lambda: axode.planar(x=Z), "axes x and z are parallel"),
    (lambda: axode.planar(coordinates="quaternion"), "a quaternion is no coordinate"),
    (lambda: axode.universal(X, X), "two axes are parallel"),
    (
        lambda: axode.spherical(coordinates="euler"),  # type: ignore[arg-type]
        "coordinates: 'euler' is none of 'second_kind'",
    ),
    (
        lambda: axode.free_joint("mixed"),  # type: ignore[arg-type]
        "velocity: 'mixed' is none of 'body', 'spatial', 'hybrid'",
    ),
    (
        lambda: axode.subgroup_joint("so3"),  # type: ignore[arg-type]
        "group: 'so3' is none of 'identity'",
    ),
    (lambda: axode.screws_joint(np.zeros((0, 6))), "it has 0 screws"),
    (lambda: axode.screws_joint(np.tile([0.0, 0, 1, 0, 0, 0], (9, 1))), "screws"),
    (lambda: axode.screws_joint([[0, 0, 2, 0, 0, 0]]), "screw 1 has length 2"),
    (lambda: axode.screws_joint([[0, 0, math.nan, 0, 0, 0]]), "a screw is not finite"),
    (lambda: axode.Shape("cone", 1), "kind: 'cone' is none of 'box'"),  # type: ignore[arg-type]
    (lambda: axode.Shape("box", [1, 2]), "size: a box has 3 lengths"),
    (lambda: axode.Shape("sphere"), "size: is missing for a sphere"),
    (lambda: axode.Shape("sphere", 1, mesh="a.stl"), "mesh: a shape of kind 'mesh'"),
    (lambda: axode.Shape("mesh"), "mesh: a shape of kind 'mesh'"),
    (lambda: axode.Shape("box", [1, 1, 1], rgba=[1, 1, 1, 2]), "rgba: has a number outside"),
    (lambda: arm().shape(axode.Shape("sphere", -1)).build(), "'upper'.*negative"),
    (lambda: axode.body_screws(arm().build(), 1), "body: is not from 0 to 0"),
    (lambda: axode.body_screws(arm().build(), -1), "body: is not from 0 to 0"),
    (lambda: axode.body_screws(arm().build(), "uper"), "did you mean 'upper'"),
    (lambda: axode.body_screws(arm().build(), 10**30), "body: is not from 0 to 0"),
]


@pytest.mark.parametrize("call, message", REFUSED, ids=range(len(REFUSED)))
def test_what_is_wrong_is_said(call: Any, message: str) -> None:
    with pytest.raises(axode.Error, match=message):
        call()


WRONG_TYPES = [
    lambda: axode.TreeBuilder(None),  # type: ignore[arg-type]
    lambda: arm().body(3),  # type: ignore[arg-type]
    lambda: arm().body("b", 2.0),  # type: ignore[arg-type]
    lambda: arm().body("b", mass="heavy"),  # type: ignore[arg-type]
    lambda: arm().body("\ud800"),
    lambda: axode.TreeBuilder().body("b").joint("j", "revolute"),  # type: ignore[call-overload]
    lambda: axode.TreeBuilder().body("b").joint("j", None),  # type: ignore[call-overload]
    lambda: axode.TreeBuilder().body("b").joint("j", axode.fixed(), X),  # type: ignore[call-overload]
    lambda: arm().limits(None, 1),  # type: ignore[arg-type]
    lambda: arm().limits(0, 1, k=10**30),
    lambda: arm().shape("box"),  # type: ignore[arg-type]
    lambda: arm().gravity(None),  # type: ignore[arg-type]
    lambda: axode.revolute("z"),
    lambda: axode.revolute([1j, 0, 0]),
    lambda: axode.revolute([[0, 0, 1], [0]]),
    lambda: axode.body_screws(None),  # type: ignore[call-overload]
    lambda: axode.body_screws(arm().build(), None),  # type: ignore[call-overload]
    lambda: axode.body_screws(arm().build(), 0.5),  # type: ignore[call-overload]
    lambda: axode.Placement(),
    lambda: axode.Tree(),
]


@pytest.mark.parametrize("call", WRONG_TYPES, ids=range(len(WRONG_TYPES)))
def test_wrong_types_are_type_errors(call: Any) -> None:
    with pytest.raises((TypeError, UnicodeError)):
        call()


def test_a_tree_may_be_empty() -> None:
    tree = axode.TreeBuilder("nothing").build()
    assert (len(tree), tree.nq, tree.bodies) == (0, 0, ())
    assert repr(tree) == "Tree 'nothing': 0 bodies, nq 0, nv 0"
    assert tree.neutral().shape == (0,) and tree.random(0, count=3).shape == (3, 0)
    assert bool(tree)
    with pytest.raises(axode.Error, match="no bodies"):
        tree.body(0)
