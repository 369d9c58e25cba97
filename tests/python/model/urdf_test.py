"""URDF files: read, refused with file and line, written."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import FreeVelocity

MODELS = Path(__file__).resolve().parents[2] / "data/models"
ARM_FILE = MODELS / "gripper_arm.urdf"

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="2"/><origin xyz="0 0 .2"/>
    <inertia ixx=".02" ixy="0" ixz="0" iyy=".02" iyz="0" izz=".01"/></inertial>
    <visual name="skin">
      <geometry><mesh filename="package://arm/upper.stl" scale="2 2 2"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
    <collision><origin xyz="0 0 .1"/>
      <geometry><cylinder radius=".1" length=".4"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 .5" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping=".1" friction=".2"/>
  </joint>
</robot>
"""


def test_links_and_joints_become_bodies() -> None:
    tree = axode.Tree.from_urdf_text(ARM, source="arm.urdf")
    assert (tree.name, tree.source, tree.body_names) == ("arm", "arm.urdf", ["base", "upper"])
    upper = tree.body("upper")
    assert (upper.joint_name, upper.joint_type) == ("shoulder", "revolute")
    assert upper.parent_name == "base"
    assert upper.inertia.mass == 2 and upper.inertia.com[2] == 0.2
    assert (tree.lower[0], tree.upper[0]) == (-1, 2)
    assert (tree.max_effort[0], tree.max_velocity[0]) == (30, 4)
    assert (tree.damping[0], tree.friction[0]) == (0.1, 0.2)
    skin, hull = upper.shapes
    assert (skin.kind, skin.name, skin.material) == ("mesh", "skin", "red")
    assert skin.mesh == "package://arm/upper.stl" and skin.scale[0] == 2
    assert (hull.kind, hull.collision, hull.pose.p[2]) == ("cylinder", True, 0.1)
    np.testing.assert_array_equal(hull.size, [0.1, 0.4, 0])
    T = axode.poses(tree, [np.pi / 2])[1]
    np.testing.assert_allclose(T[:3, 3], [0, 0, 0.5], atol=1e-15)
    np.testing.assert_allclose(T[:3, 2], [1, 0, 0], atol=1e-15)
    [massless] = tree.warnings
    assert str(massless) == "arm.urdf:2: body 'base': has no inertia; taken as massless"
    assert not tree.body("base").inertia_given and not massless.impossible


def test_meshes_are_found_in_the_roots(tmp_path: Path) -> None:
    (tmp_path / "arm").mkdir()
    mesh = tmp_path / "arm/upper.stl"
    mesh.write_text("solid")
    for roots in ([tmp_path], (str(tmp_path),)):
        tree = axode.Tree.from_urdf_text(ARM, mesh_roots=roots)
        assert tree.body("upper").shapes[0].mesh_path == str(mesh)
    lost = axode.Tree.from_urdf_text(ARM, mesh_roots=[tmp_path / "other"])
    assert lost.body("upper").shapes[0].mesh_path == ""
    assert any('"package://arm/upper.stl" was not found' in str(w) for w in lost.warnings)
    found = axode.Tree.from_urdf_text(ARM, mesh_roots=[tmp_path])
    assert pickle.loads(pickle.dumps(found)).body("upper").shapes[0].mesh_path == str(mesh)
    with pytest.raises(TypeError):
        axode.Tree.from_urdf_text(ARM, mesh_roots=3)  # type: ignore[arg-type]


def test_the_base_may_be_free() -> None:
    fixed = axode.Tree.from_urdf(ARM_FILE)
    velocities: list[FreeVelocity] = ["body", "spatial", "hybrid"]
    for velocity in velocities:
        free = axode.Tree.from_urdf(ARM_FILE, free_base=True, base_velocity=velocity)
        assert (free.nq, free.nv) == (fixed.nq + 7, fixed.nv + 6)
        assert (free.bodies[0].joint_type, free.bodies[0].velocity) == ("free", velocity)
        same = axode.load_tree(ARM_FILE, free_base=True, base_velocity=velocity)
        assert same.nq == free.nq
    with pytest.raises(axode.Error, match="base_velocity: 'mixed' is none of 'body'"):
        axode.Tree.from_urdf(ARM_FILE, base_velocity="mixed")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["feeder", "gripper_arm", "walker"])
def test_files_are_read_and_written(name: str, tmp_path: Path) -> None:
    path = MODELS / f"{name}.urdf"
    tree = axode.Tree.from_urdf(path)
    merged = axode.Tree.from_urdf(path, merge_fixed_joints=True)
    assert merged.nq == tree.nq and len(merged) <= len(tree)
    copy = tmp_path / "copy.urdf"
    tree.save(copy)
    assert axode.io.model_format(copy) == "urdf" and copy.read_text() == tree.to_urdf()
    again = axode.Tree.from_urdf(copy)
    assert axode.io.urdf_text(tree) == tree.to_urdf()
    q = tree.random(1, count=10)
    numbers = [again.body_index(body) for body in tree.body_names]
    np.testing.assert_allclose(axode.poses(again, q)[:, numbers], axode.poses(tree, q), atol=1e-12)


def test_what_urdf_cannot_say_is_refused() -> None:
    tree = axode.TreeBuilder().body("b", mass=1).joint("ball", axode.spherical()).build()
    with pytest.raises(axode.Error, match="ball"):
        tree.to_urdf()


def test_any_ending_will_do(tmp_path: Path) -> None:
    path = tmp_path / "arm.robot"
    path.write_text(ARM)
    assert axode.Tree.from_urdf(path).body_names == axode.Tree.from_file(path).body_names


BAD = [
    ("<robot", r"arm\.urdf:1: "),
    ("", r"arm\.urdf"),
    (ARM.replace('child link="upper"', 'child link="uper"'), r"arm\.urdf:\d+: .*uper"),
    (ARM.replace('"revolute"', '"hinge"'), r"arm\.urdf:11: .*hinge"),
    (ARM.replace('mass value="2"', 'mass value="-2"'), r"arm\.urdf:\d+: .*upper.*mass"),
    (ARM.replace('mass value="2"', 'mass value="two"'), r"arm\.urdf:3: .*two"),
    (ARM.replace('lower="-1"', 'lower="nan"'), r"arm\.urdf:13: "),
    (ARM.replace('lower="-1"', 'lower="3"'), r"arm\.urdf:11: .*shoulder"),
    (ARM.replace('xyz="0 1 0"', 'xyz="0 0 0"'), r"arm\.urdf:12: .*axis"),
    (ARM.replace('name="upper"', 'name="base"', 1), r"arm\.urdf:\d+: .*base"),
    ("\0", r"arm\.urdf"),
]


@pytest.mark.parametrize("text, message", BAD, ids=range(len(BAD)))
def test_errors_name_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    with pytest.raises(axode.Error, match=message) as caught:
        axode.Tree.from_urdf(path)
    assert caught.value.problem and caught.value.where.startswith(str(path))
    with pytest.raises(axode.Error, match="^" + message):
        axode.Tree.from_urdf_text(text, source="arm.urdf")


@pytest.mark.parametrize("bad", [None, 3, b"<robot/>", ["a"]])
def test_wrong_types_are_type_errors(bad: Any) -> None:
    with pytest.raises(TypeError):
        axode.Tree.from_urdf_text(bad)
    with pytest.raises((TypeError, axode.IoError)):
        axode.Tree.from_urdf(bad)
