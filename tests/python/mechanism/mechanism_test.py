"""Mechanisms: files, copies, parts and the builder."""

import copy
import json
import pickle

import numpy as np
import pytest
from mechanism_models import FILES, PLANAR, SPATIAL, driven_four_bar, four_bar, load, rocker_angle

import axode


@pytest.mark.parametrize("name", FILES)
def test_every_model_solves_in_every_formulation(name):
    mechanism = load(name)
    mobilities = {}
    for formulation in PLANAR if mechanism.is_planar else SPATIAL:
        system = mechanism.formulate(formulation)
        assert len(system.coordinate_names) == system.nq
        assert len(system.velocity_names) == system.nv
        assert len(system.equations()) == system.rows
        found = system.assemble(0.0)
        assert found.assembled, found.message
        solved = system.solve_position(0.0)
        assert solved.converged and solved.residual < 1e-11, solved.message
        assert abs(system.position(0.0, found.q)).max(initial=0) < 1e-9
        J, c = system.jacobian(0.0, found.q), system.acceleration_right(0.0, found.q, found.v)
        assert J.shape == (system.rows, system.nv)
        assert J @ found.v + system.time_rate(0.0, found.q) == pytest.approx(0, abs=1e-8)
        assert J @ found.a == pytest.approx(c, abs=1e-7 * (1 + abs(c).max(initial=0)))
        moving = system.mobility(0.0, found.q)
        assert moving.mobility == system.nv - np.linalg.matrix_rank(J, 1e-8)
        # Idle spins of rods are degrees of freedom that nothing needs to drive.
        left = system.dofs_left(0.0, found.q).count
        assert moving.mobility - moving.idle_spins == left
        assert system.solve_velocity(0.0, found.q).unique == (left == 0)
        mobilities[formulation] = moving.mobility
    # Rods do not spin in natural coordinates; else all agree.
    assert mobilities["relative"] == mobilities["reference_point"]
    assert mobilities["natural"] <= mobilities["relative"]


@pytest.mark.parametrize("name", ["stewart_legs", "problem_2_08_geared_five_bar", "slider_crank"])
def test_text_pickle_and_copies(name, tmp_path):
    mechanism = load(name)
    file = tmp_path / "copy.json"
    mechanism.save(file)
    with pytest.raises(axode.IoError):
        mechanism.save(file)
    mechanism.save(file, force=True)
    others = [
        axode.Mechanism.from_file(file),
        axode.Mechanism.from_text(mechanism.to_text()),
        pickle.loads(pickle.dumps(mechanism)),
        copy.copy(mechanism),
        copy.deepcopy(mechanism),
    ]
    expected = mechanism.assemble(0.1)
    for other in others:
        assert repr(other) == repr(mechanism)
        assert other.to_text() == mechanism.to_text()
        assert other.assemble(0.1).q == pytest.approx(expected.q, abs=1e-12)


def test_parts():
    mechanism = driven_four_bar()
    same = axode.MechanismBuilder("x").body("b", axode.screw.Inertia(2, (1, 0, 0), (1, 1, 1))).build()
    assert same.bodies[1].inertia == axode.screw.Inertia(2, (1, 0, 0), (1, 1, 1))
    assert repr(mechanism) == "Mechanism('four-bar', planar, 3 bodies, 4 joints, 1 driver)"
    assert mechanism.is_planar and mechanism.name == "four-bar"
    assert mechanism.gravity == pytest.approx([0, -9.81, 0])
    assert mechanism.body_names == ["world", "crank", "coupler", "rocker"]
    assert mechanism.joint_names == ["A", "B", "C", "D"]
    assert mechanism.coordinate_names == ["A.angle", "B.angle", "C.angle", "D.angle"]
    assert mechanism.points == ["coupler.P"]
    coupler = mechanism.bodies[2]
    assert coupler.inertia.mass == 3.5 and coupler.points["P"] == pytest.approx([1.5, 0.8, 0])
    joint = mechanism.joints[2]
    assert joint.type == "revolute" and joint.body == ("coupler", "rocker")
    assert joint.point == pytest.approx(np.array([[3.5, 0, 0], [2.5, 0, 0]]))
    assert mechanism.dofs("A") == 1
    (driver,) = mechanism.drivers
    assert driver.coordinate == "A.angle"
    assert driver.motion(1.0) == axode.mechanism.TimeValue(2.5, 2.0, 0.0)
    assert mechanism.initial == {"A.angle": 0.5, "B.angle": 0.3, "D.angle": 2.0}
    assert mechanism.initial_rate == {}
    tree = mechanism.spanning_tree()
    assert len(tree.cut) == 1 and set(tree.loops[0]) == {"A", "B", "C", "D"}
    assert mechanism.formulate("relative").cut_joints == tree.cut
    assert 1 < mechanism.model_size < 20


def test_time_functions():
    f = axode.mechanism.TimeFunction({"polynomial": [1, 2, 3]})
    assert f(2.0) == axode.mechanism.TimeValue(17, 14, 6)
    assert pickle.loads(pickle.dumps(f))(2.0) == f(2.0)
    assert "polynomial" in repr(f)
    spline = axode.mechanism.TimeFunction({"times": [0, 1, 2], "values": [0, 1, 4]})
    assert spline(1.0).value == 1
    assert axode.mechanism.TimeFunction("sin(2*t)")(0.3).rate == pytest.approx(2 * np.cos(0.6))
    assert axode.mechanism.constant_in_time(3)(9.0) == axode.mechanism.TimeValue(3, 0, 0)
    assert axode.mechanism.TimeFunction(2)(1.0).value == 2
    mine = axode.mechanism.TimeFunction(lambda t: (t**3, 3 * t**2, 6 * t))
    assert mine(2.0) == axode.mechanism.TimeValue(8, 12, 12) and mine.text == ""
    with pytest.raises(axode.Error, match="cannot be pickled"):
        pickle.dumps(mine)
    with pytest.raises(axode.Error, match="return value, rate and acceleration"):
        axode.mechanism.TimeFunction(lambda t: t)(1.0)
    with pytest.raises(ZeroDivisionError):
        axode.mechanism.TimeFunction(lambda t: 1 / 0)(1.0)
    for bad in ("sin(", {"polynomial": []}, {"x": 1}, float("nan")):
        with pytest.raises(axode.Error):
            axode.mechanism.TimeFunction(bad)
    for bad in (None, [1, 2], object()):
        with pytest.raises(TypeError):
            axode.mechanism.TimeFunction(bad)


def test_replace():
    mechanism = driven_four_bar()
    other = mechanism.replace(
        drivers={"A.angle": "0.7 + t"}, initial={"D.angle": None}, initial_rate={"B.angle": 2}
    )
    assert other.drivers[0].motion(1.0).value == pytest.approx(1.7)
    assert "D.angle" not in other.initial and other.initial_rate == {"B.angle": 2.0}
    assert mechanism.drivers[0].motion(1.0).value == 2.5
    assert mechanism.replace(drivers={"A.angle": None}).drivers == []
    assert mechanism.replace(keep_drivers=False).drivers == []
    added = mechanism.replace(keep_drivers=False, drivers={"D.angle": 2.0})
    assert [d.coordinate for d in added.drivers] == ["D.angle"]
    assert mechanism.replace(gravity=(0, 0, 0)).gravity == pytest.approx([0, 0, 0])
    with pytest.raises(axode.Error, match="is not driven"):
        mechanism.replace(drivers={"D.angle": None})
    with pytest.raises(axode.Error, match="there is no coordinate 'E.angle'"):
        mechanism.replace(drivers={"E.angle": 1})
    with pytest.raises(axode.Error, match="not finite"):
        mechanism.replace(initial={"A.angle": float("inf")})


def test_python_functions_cannot_be_written():
    mechanism = four_bar().drive("A.angle", lambda t: (0.5, 0, 0)).build()
    with pytest.raises(axode.Error, match="function of the program"):
        mechanism.to_text()
    with pytest.raises(axode.Error, match="function of the program"):
        pickle.dumps(mechanism)
    assert copy.deepcopy(mechanism).drivers[0].motion(0.0).value == 0.5


def test_urdf_with_loops(tmp_path):
    def joint(name, parent, child, x, yaw):
        return (
            f'<joint name="{name}" type="continuous"><parent link="{parent}"/>'
            f'<child link="{child}"/><origin xyz="{x} 0 0" rpy="0 0 {yaw}"/>'
            '<axis xyz="0 0 1"/></joint>'
        )

    links = "".join(f'<link name="{x}"/>' for x in ("base", "crank", "rocker", "coupler"))
    joints = joint("a", "base", "crank", 0, 0) + joint("c", "crank", "coupler", 1, 0.7)
    joints += joint("b", "base", "rocker", 4, 1.7)
    urdf = tmp_path / "r.urdf"
    urdf.write_text(f'<robot name="r">{links}{joints}</robot>')
    closing = {
        "name": "l",
        "type": "revolute",
        "bodies": ["coupler", "rocker"],
        "points": [[3.5, 0, 0], [2.5, 0, 0]],
        "axes": [[0, 0, 1], [0, 0, 1]],
    }
    drivers = [{"coordinate": "a.angle", "value": "1 + t"}]
    told = {"axode_mechanism": 1, "joints": [closing], "drivers": drivers}
    file = tmp_path / "loops.json"
    file.write_text(json.dumps(told))
    tree = axode.Tree.from_file(urdf)
    made = [
        axode.Mechanism.from_urdf(urdf, file),
        axode.Mechanism.from_urdf(urdf, loops=told),
        axode.Mechanism.from_tree(tree, told),
        axode.Mechanism.from_tree(tree, json.dumps(told)),
        axode.Mechanism.from_tree(tree, [closing]).replace(drivers={"a.angle": "1 + t"}),
    ]
    for mechanism in made:
        b = mechanism.coordinate_names.index("b.angle")
        for formulation in ("natural", "relative", "reference_point"):
            system = mechanism.formulate(formulation)
            x = system.measure(system.assemble().q).value
            assert x[b] == pytest.approx(rocker_angle(1.0) - 1.7, abs=1e-10)
    assert axode.Mechanism.from_tree(tree).mobility().mobility == 3
    with pytest.raises(axode.Error, match="links of the model"):
        axode.Mechanism.from_tree(tree, {"bodies": []})
    with pytest.raises(TypeError):
        axode.Mechanism.from_urdf(urdf, 3)
    with pytest.raises(axode.Error, match="shape"):
        axode.Mechanism.from_tree(tree, q=[1.0])


def test_builder_makes_every_part():
    b = axode.MechanismBuilder("all", "planar").gravity((0, -1))
    assert "0 bodies" in repr(b)
    b.body("wheel", mass=1, about_com=0.5).point("rim", (1, 0)).vector("spoke", (1, 0))
    b.pose(axode.mechanism.planar_pose(0, 0, 0.1)).body("gear").body("rack").pose(axode.mechanism.planar_pose(0, 1, 0))
    b.body("weight", mass=2).pose(axode.mechanism.planar_pose(5, -2, 0)).rod(False)
    b.joint("W", "revolute", "world", "wheel", at=(0, 0))
    b.joint("G", "revolute", "world", "gear", at=(3, 0))
    b.joint("R", "prismatic", "world", "rack", at=(0, 1), axis=(1, 0))
    b.joint("V", "prismatic", "world", "weight", at=(5, -2), axis=(0, 1))
    b.gear("mesh", "W", "G", 2.0).rack_pinion("drive", "W", "R", 1.0)
    b.cable("rope", [("world", (5, 0)), ("weight", (0, 0))])
    b.distance("reach", ("wheel", "rim"), ("rack", (0, 0))).angle("lean", "world", "wheel")
    b.component("height", ("world", (0, 0)), ("wheel", "rim"), (0, 1))
    b.force("W.angle", stiffness=2, damping=0.1, force="sin(t)", name="motor")
    b.spring(("world", (0, 0)), ("rack", (0, 0)), stiffness=3, length=1)
    b.load(("wheel", "rim"), force=(0, 1), torque=(0, 0, 2), name="push")
    b.couple("same", {"W.angle": 1, "lean": -1}).start("W.angle", 0.1, 0.2)
    mechanism = b.build()
    names = mechanism.coordinate_names
    measured = {"reach", "lean", "height"}
    assert {"W.angle", "G.angle", "R.distance", "V.distance"} | measured <= set(names)
    assert len(mechanism.couplings) == 4
    (force,) = mechanism.coordinate_forces
    assert force.name == "motor" and force.stiffness == 2 and "sin" in force.text
    (spring,) = mechanism.springs
    assert spring.body == ("world", "rack") and spring.length == 1
    (push,) = mechanism.loads
    assert push.body == "wheel" and push.torque == pytest.approx([0, 0, 2])
    assert mechanism.initial_rate == {"W.angle": 0.2}
    state = mechanism.assemble()
    assert state.assembled
    system = mechanism.formulate("natural")
    x = dict(zip(names, system.measure(system.assemble().q).value))
    assert x["R.distance"] == pytest.approx(-x["W.angle"])
    assert x["lean"] == pytest.approx(x["W.angle"])
    again = axode.Mechanism.from_text(mechanism.to_text())
    assert again.coordinate_names == names


def test_builder_errors():
    b = axode.MechanismBuilder("bad", "planar")
    with pytest.raises(axode.Error, match="space: 'flat' is none of"):
        axode.MechanismBuilder("x", "flat")
    with pytest.raises(axode.Error):
        b.point("P", (0, 0))  # before any body
    b.body("a")
    with pytest.raises(axode.Error, match="there is no joint 'hinge'"):
        b.joint("J", "hinge", "world", "a")
    with pytest.raises(axode.Error, match="points: are not two"):
        b.joint("J", "revolute", "world", "a", points=((0, 0),))
    with pytest.raises(axode.Error, match="by its parts as well"):
        b.body("b", axode.screw.Inertia(1.0), mass=1)
    with pytest.raises(axode.Error, match="is not symmetric"):
        b.body("b", mass=1, about_com=[[1, 2, 0], [0, 1, 0], [0, 0, 1]])
    with pytest.raises(TypeError):
        b.distance("d", "a", "b")
    with pytest.raises(axode.Error, match="shape"):
        b.gravity((1, 2, 3, 4))
    with pytest.raises(axode.Error):
        axode.MechanismBuilder("x").body("a").body("a").build()
    with pytest.raises(axode.Error, match="unknown|there is no"):
        axode.MechanismBuilder("x").body("a").joint("J", "weld", "a", "b").build()
    with pytest.raises(axode.Error):
        axode.MechanismBuilder("x").body("a", mass=-1).build()
    with pytest.raises(RuntimeError, match="mine"):

        def broken(t):
            raise RuntimeError("mine")

        four_bar().drive("A.angle", broken).build()
