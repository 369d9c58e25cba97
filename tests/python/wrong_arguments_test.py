"""Wrong arguments: TypeError or axode.Error that names the argument, never another exception."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode

ROOT = Path(__file__).parents[2]
SURROGATE = "\ud800"


def ball_on_ground() -> axode.Tree:
    return axode.load_tree(ROOT / "models" / "quadruped.json")


@pytest.mark.parametrize("wrong", [3, "x", (1, 2), [1, 2, 3, 4, 5], {"stiffness": 1}, object()])
def test_contacts_of_other_types(wrong: Any) -> None:
    tree = ball_on_ground()
    forces = axode.Forces(tree)
    with pytest.raises(TypeError, match="law"):
        axode.ground_contact(tree, [], wrong)
    with pytest.raises(TypeError, match="law"):
        forces.add_ground_contact([], wrong)
    with pytest.raises(TypeError, match="contact"):
        forces.add_contact(wrong)
    good = axode.ground_contact(tree, [])
    for part in good._fields:
        with pytest.raises((TypeError, axode.Error), match=part.rstrip("s")):
            forces.add_contact(good._replace(**{part: wrong}))
    with pytest.raises(TypeError, match="law: its stiffness"):
        axode.ground_contact(tree, [], axode.forces.ContactLaw()._replace(stiffness="hard"))


def test_contacts_without_a_law_have_the_usual_one() -> None:
    tree = ball_on_ground()
    assert axode.ground_contact(tree, []).law == axode.ground_contact(tree, [], None).law


def test_lone_surrogates() -> None:
    tree = ball_on_ground()
    forces = axode.Forces(tree)
    for call, argument in (
        (lambda: forces.add_spring(SURROGATE), "joint"),
        (lambda: forces.add_wrench(SURROGATE, [0] * 6), "body"),
        (lambda: forces.add_joint_force(0, SURROGATE), "force"),
        (lambda: axode.load_scene(SURROGATE), "path"),
        (lambda: axode.Run.from_file(SURROGATE), "path"),
        (lambda: axode.simulate(tree, duration=0, out=SURROGATE), "out"),
        (lambda: axode.ground_contact(tree, [SURROGATE]), "bodies"),
        (lambda: axode.load_tree(SURROGATE), "path"),
    ):
        with pytest.raises((TypeError, axode.Error), match=argument):
            call()


def test_names_of_files_need_not_be_utf8() -> None:
    with pytest.raises(axode.IoError, match="\udc80x"):
        axode.load_tree("\udc80x.json")


def test_paths_may_be_bytes(tmp_path: Path) -> None:
    scene = axode.load_scene(bytes(ROOT / "models" / "scara.json"))
    out = tmp_path / "run.mcap"
    scene.simulate(duration=0.01, out=bytes(out))
    assert len(axode.Run.from_file(bytes(out))) == 2
    for call in (axode.load_scene, axode.Run.from_file):
        with pytest.raises(TypeError, match="path: int is not a path"):
            call(3)  # type: ignore[arg-type]


def test_numbers_of_numpy() -> None:
    tree = axode.load_tree(ROOT / "models" / "scara.json")
    for kind in (np.longdouble, np.float32, np.float64, np.int64):
        run = axode.simulate(tree, duration=kind(1), sample_interval=kind(1))
        assert run.last_t == 1
        assert run.options["duration"] == 1
    for wrong in ("1", [1], 1j):
        with pytest.raises(TypeError, match="duration"):
            axode.simulate(tree, duration=wrong)  # type: ignore[arg-type]


def test_mechanisms_without_pose() -> None:
    """Points that coincide, as at q = 0 in natural coordinates, give a body no attitude."""
    builder = axode.MechanismBuilder("pendulum", "planar")
    builder.body("arm").joint("A", "revolute", "world", "arm", at=[0, 0, 0])
    system = builder.build().formulate("natural")
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    for call in (
        lambda: system.poses(q),
        lambda: system.motion(q, v),
        lambda: system.accelerations(q, v, v),
        lambda: system.applied_wrenches(0, q, v),
        lambda: system.inertia_wrenches(q, v, v),
        lambda: system.coordinate_wrench(0, q),
        lambda: system.joint_wrenches("A", q),
    ):
        with pytest.raises(axode.SingularError, match="body 'arm'"):
            call()
