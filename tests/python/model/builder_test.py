"""axode.TreeBuilder: what a tree keeps, and what is refused."""

import copy
import math
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array

SOLID = axode.screw.Inertia(mass=2, com=[0, 0, 0.1], about_com=[0.02, 0.03, 0.04])
X, Y, Z = np.eye(3)


def translation(x: float, y: float, z: float) -> Array:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


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
        .shape(axode.model.Shape("sphere", 0.1, rgba=[1, 0, 0, 1]))
        .shape(axode.model.Shape("cylinder", [0.1, 2], pose=translation(0, 0, 1), collision=True))
        .shape(axode.model.Shape("mesh", mesh="a.stl", scale=[2, 2, 2], name="skin", material="steel"))
        .body("b", mass=1, com=[1, 0, 0], about_com=np.diag([1, 2, 2.5]))
        .on("a")
        .joint("k", axode.spherical())
        .frame("tool", on="a", at=axode.lie.SE3(translation(0, 0, 1)))
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
    assert tree.dofs[1] == axode.model.Dof(-1, 2, inf, inf, 0, 0.2, 0)
    assert tree.bodies[0].dofs == tree.dofs[:2] and tree.bodies[1].dofs == tree.dofs[2:]
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
    assert axode.model.body_index(tree, "b") == 1
    choice = axode.model.frame(tree, "tool[camera]")
    assert (choice.origin.body, choice.axes.body, choice.origin.T_BF.p[2]) == (0, -1, 1)
    assert axode.model.frame(tree, axode.origin_of("tool").axes_of("camera")).axes.name == "camera"


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
        .joint("screws", axode.fixed(), axode.model.body_screws(translation(0, 0, 1)))
    )
    whole, merged = builder.build(), builder.build(merge_fixed_joints=True)
    assert (len(whole), len(merged), merged.frame_names) == (2, 1, ["plate"])
    assert merged.bodies[0].inertia.mass == 4
    again = axode.model.merge_fixed_joints(whole)
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
    (lambda: arm().limits(0, 1, k=1), "joint 'shoulder' has no degree of freedom number 1"),
    (lambda: arm().limits(0, 1, k=-1), "no degree of freedom number -1"),
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
    (lambda: axode.planar(coordinates="quaternion"), "a quaternion is not a coordinate"),
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
        lambda: axode.model.subgroup_joint("so3"),  # type: ignore[arg-type]
        "group: 'so3' is none of 'identity'",
    ),
    (lambda: axode.model.screws_joint(np.zeros((0, 6))), "it has 0 screws"),
    (lambda: axode.model.screws_joint(np.tile([0.0, 0, 1, 0, 0, 0], (9, 1))), "screws"),
    (lambda: axode.model.screws_joint([[0, 0, 2, 0, 0, 0]]), "screw 1 has length 2"),
    (lambda: axode.model.screws_joint([[0, 0, math.nan, 0, 0, 0]]), "a screw is not finite"),
    (lambda: axode.model.Shape("cone", 1), "kind: 'cone' is none of 'box'"),  # type: ignore[arg-type]
    (lambda: axode.model.Shape("box", [1, 2]), "size: a box has 3 lengths"),
    (lambda: axode.model.Shape("sphere"), "size: is missing for a sphere"),
    (lambda: axode.model.Shape("sphere", 1, mesh="a.stl"), "mesh: a shape of kind 'mesh'"),
    (lambda: axode.model.Shape("mesh"), "mesh: a shape of kind 'mesh'"),
    (lambda: axode.model.Shape("box", [1, 1, 1], rgba=[1, 1, 1, 2]), "rgba: has a number outside"),
    (lambda: arm().shape(axode.model.Shape("sphere", -1)).build(), "'upper'.*negative"),
    (lambda: axode.model.body_screws(arm().build(), 1), "body: is not from 0 to 0"),
    (lambda: axode.model.body_screws(arm().build(), -1), "body: is not from 0 to 0"),
    (lambda: axode.model.body_screws(arm().build(), "uper"), "did you mean 'upper'"),
    (lambda: axode.model.body_screws(arm().build(), 10**30), "body: is not from 0 to 0"),
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
    lambda: arm().body("b").joint("j", axode.fixed(), X),  # type: ignore[call-overload]
    lambda: arm().limits(None, 1),  # type: ignore[arg-type]
    lambda: arm().limits(0, 1, k=10**30),
    lambda: arm().shape("box"),  # type: ignore[arg-type]
    lambda: arm().gravity(None),  # type: ignore[arg-type]
    lambda: axode.revolute("z"),
    lambda: axode.revolute([1j, 0, 0]),
    lambda: axode.revolute([[0, 0, 1], [0]]),
    lambda: axode.model.body_screws(None),  # type: ignore[call-overload]
    lambda: axode.model.body_screws(arm().build(), None),  # type: ignore[call-overload]
    lambda: axode.model.body_screws(arm().build(), 0.5),  # type: ignore[call-overload]
    lambda: axode.model.Placement(),
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
