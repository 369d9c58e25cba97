"""Mechanisms: files, builder, formulations, solving, paths, forces, errors."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples/mechanisms"
FILES = sorted(path.stem for path in MODELS.glob("*.json"))
PLANAR = ("relative", "reference_point", "natural", "mixed")
SPATIAL = (*PLANAR, "euler_angles", "quasi_velocities")


def load(name):
    return axode.Mechanism.from_file(MODELS / f"{name}.json")


def four_bar(builder=None):
    """Crank 1, coupler 3.5, rocker 2.5, ground 4 m."""
    b = builder or axode.MechanismBuilder("four-bar", "planar")
    b.body("crank", mass=1, com=(0.5, 0), about_com=0.1).body("coupler", mass=3.5, com=(1.75, 0.1))
    b.point("P", (1.5, 0.8)).body("rocker", mass=2.5, com=(1.25, 0), about_com=1.0)
    b.joint("A", "revolute", "ground", "crank", points=((0, 0), (0, 0)))
    b.joint("B", "revolute", "crank", "coupler", points=((1, 0), (0, 0)))
    b.joint("C", "revolute", "coupler", "rocker", points=((3.5, 0), (2.5, 0)))
    b.joint("D", "revolute", "ground", "rocker", points=((4, 0), (0, 0)))
    b.start("A.angle", 0.5).start("B.angle", 0.3).start("D.angle", 2)
    return b


def driven_four_bar(motion=(0.5, 2.0, 0.0)):
    return four_bar().drive("A.angle", axode.polynomial_in_time(*motion)).build()


def rocker_angle(phi):
    """The upper branch of the four-bar, by circles about the ends of crank and ground."""
    d = np.array([4, 0]) - [np.cos(phi), np.sin(phi)]
    r = np.linalg.norm(d)
    at_rocker = np.arccos((r * r + 2.5**2 - 3.5**2) / (2 * r * 2.5))
    return np.pi + np.arctan2(d[1], d[0]) - at_rocker


# --- files, copies, parts ------------------------------------------------------------------------


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
        assert moving.mobility == system.freedoms_left(0.0, found.q).count
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
    same = axode.MechanismBuilder("x").body("b", axode.Inertia(2, (1, 0, 0), (1, 1, 1))).build()
    assert same.bodies[1].inertia == axode.Inertia(2, (1, 0, 0), (1, 1, 1))
    assert repr(mechanism) == "Mechanism('four-bar', planar, 3 bodies, 4 joints, 1 driver)"
    assert mechanism.is_planar and mechanism.name == "four-bar"
    assert mechanism.gravity == pytest.approx([0, -9.80665, 0])
    assert mechanism.body_names == ["ground", "crank", "coupler", "rocker"]
    assert mechanism.joint_names == ["A", "B", "C", "D"]
    assert mechanism.coordinate_names == ["A.angle", "B.angle", "C.angle", "D.angle"]
    assert mechanism.points == ["coupler.P"]
    coupler = mechanism.bodies[2]
    assert coupler.inertia.mass == 3.5 and coupler.points["P"] == pytest.approx([1.5, 0.8, 0])
    joint = mechanism.joints[2]
    assert joint.type == "revolute" and joint.body == ("coupler", "rocker")
    assert joint.point == pytest.approx(np.array([[3.5, 0, 0], [2.5, 0, 0]]))
    assert mechanism.freedoms("A") == 1
    (driver,) = mechanism.drivers
    assert driver.coordinate == "A.angle"
    assert driver.motion(1.0) == axode.TimeValue(2.5, 2.0, 0.0)
    assert mechanism.initial == {"A.angle": 0.5, "B.angle": 0.3, "D.angle": 2.0}
    assert mechanism.initial_rate == {}
    tree = mechanism.spanning_tree()
    assert len(tree.cut) == 1 and set(tree.loops[0]) == {"A", "B", "C", "D"}
    assert mechanism.formulate("relative").cut_joints == tree.cut
    assert 1 < mechanism.model_size < 20


def test_time_functions():
    f = axode.TimeFunction({"polynomial": [1, 2, 3]})
    assert f(2.0) == axode.TimeValue(17, 14, 6)
    assert pickle.loads(pickle.dumps(f))(2.0) == f(2.0)
    assert "polynomial" in repr(f)
    spline = axode.TimeFunction({"times": [0, 1, 2], "values": [0, 1, 4]})
    assert spline(1.0).value == 1
    assert axode.TimeFunction("sin(2*t)")(0.3).rate == pytest.approx(2 * np.cos(0.6))
    assert axode.constant_in_time(3)(9.0) == axode.TimeValue(3, 0, 0)
    assert axode.TimeFunction(2)(1.0).value == 2
    mine = axode.TimeFunction(lambda t: (t**3, 3 * t**2, 6 * t))
    assert mine(2.0) == axode.TimeValue(8, 12, 12) and mine.text == ""
    with pytest.raises(axode.Error, match="cannot be pickled"):
        pickle.dumps(mine)
    with pytest.raises(axode.Error, match="return value, rate and acceleration"):
        axode.TimeFunction(lambda t: t)(1.0)
    with pytest.raises(ZeroDivisionError):
        axode.TimeFunction(lambda t: 1 / 0)(1.0)
    for bad in ("sin(", {"polynomial": []}, {"x": 1}, float("nan")):
        with pytest.raises(axode.Error):
            axode.TimeFunction(bad)
    for bad in (None, [1, 2], object()):
        with pytest.raises(TypeError):
            axode.TimeFunction(bad)


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


# --- builder -------------------------------------------------------------------------------------


def test_builder_makes_every_part():
    b = axode.MechanismBuilder("all", "planar").gravity((0, -1))
    assert "0 bodies" in repr(b)
    b.body("wheel", mass=1, about_com=0.5).point("rim", (1, 0)).vector("spoke", (1, 0))
    b.pose(axode.planar_pose(0, 0, 0.1)).body("gear").body("rack").pose(axode.planar_pose(0, 1, 0))
    b.body("weight", mass=2).pose(axode.planar_pose(5, -2, 0)).rod(False)
    b.joint("W", "revolute", "ground", "wheel", at=(0, 0))
    b.joint("G", "revolute", "ground", "gear", at=(3, 0))
    b.joint("R", "prismatic", "ground", "rack", at=(0, 1), axis=(1, 0))
    b.joint("V", "prismatic", "ground", "weight", at=(5, -2), axis=(0, 1))
    b.gear("mesh", "W", "G", 2.0).rack_pinion("drive", "W", "R", 1.0)
    b.cable("rope", [("ground", (5, 0)), ("weight", (0, 0))])
    b.distance("reach", ("wheel", "rim"), ("rack", (0, 0))).angle("lean", "ground", "wheel")
    b.component("height", ("ground", (0, 0)), ("wheel", "rim"), (0, 1))
    b.force("W.angle", stiffness=2, damping=0.1, force="sin(t)", name="motor")
    b.spring(("ground", (0, 0)), ("rack", (0, 0)), stiffness=3, length=1)
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
    assert spring.body == ("ground", "rack") and spring.length == 1
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
        b.joint("J", "hinge", "ground", "a")
    with pytest.raises(axode.Error, match="points: are not two"):
        b.joint("J", "revolute", "ground", "a", points=((0, 0),))
    with pytest.raises(axode.Error, match="by its parts as well"):
        b.body("b", axode.Inertia(1.0), mass=1)
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


# --- solving -------------------------------------------------------------------------------------


def test_motion_of_the_four_bar():
    mechanism, h = driven_four_bar(), 1e-5
    D = mechanism.coordinate_names.index("D.angle")
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        for t in (0.0, 0.4, -0.7, 3.0):
            s = system.assemble(t)
            assert s.assembled and s.message == ""
            x = system.measure(s.q, s.v, s.a)
            phi = 0.5 + 2 * t
            f = [rocker_angle(phi + k * 2 * h) for k in (-1, 0, 1)]
            assert x.value[D] == pytest.approx(f[1], abs=1e-12)
            assert x.rate[D] == pytest.approx((f[2] - f[0]) / (2 * h), abs=1e-7)
            assert x.acceleration[D] == pytest.approx((f[2] - 2 * f[1] + f[0]) / h**2, abs=1e-3)


def test_solve_methods_and_results():
    system = driven_four_bar().formulate("natural")
    near = system.assemble().q + 0.05
    for method in ("automatic", "newton", "levenberg_marquardt", "minimum_norm"):
        r = system.solve_position(0, near, method=method)
        assert r.converged and r.residual < 1e-12 and r.iterations > 0 and r.rank == system.nv
        assert r.q == pytest.approx(system.assemble().q, abs=1e-9)
    v = system.solve_velocity(0, r.q)
    assert v.consistent and v.unique and v.residual < 1e-12
    a = system.solve_acceleration(0, r.q)
    assert a.x == pytest.approx(system.assemble().a, abs=1e-9)
    short = system.solve_position(0, near, iterations=1)
    assert not short.converged and short.message


def test_velocities_nearest_to_those_wished():
    system = four_bar().build().formulate("reference_point")
    q = system.assemble().q
    wish = np.arange(1.0, 10.0)
    v = system.solve_velocity(0, q, wish)
    assert v.consistent and not v.unique
    J = system.jacobian(0, q)
    expected = wish - np.linalg.pinv(J) @ (J @ wish)
    assert v.x == pytest.approx(expected, abs=1e-9)


def test_methods_of_mechanisms_take_the_formulation():
    mechanism = driven_four_bar()
    assert mechanism.mobility().mobility == 0
    assert mechanism.mobility(formulation="natural").coordinates == 5
    assert mechanism.solve_position(0.1, formulation="natural").q.shape == (5,)
    q = mechanism.solve_position(0.1).q
    assert mechanism.solve_velocity(0.1, q).consistent
    with pytest.raises(axode.Error, match="formulation: 'polar' is none of"):
        mechanism.mobility(formulation="polar")
    with pytest.raises(TypeError):
        mechanism.mobility(unknown=1)


def test_batches():
    system = driven_four_bar().formulate("reference_point")
    times = np.array([0.0, 0.1, 0.2])
    states = [system.assemble(t) for t in times]
    q, v, a = (np.array([getattr(s, k) for s in states]) for k in "qva")
    for name, arguments in {
        "position": (times, q),
        "jacobian": (times, q),
        "time_rate": (times, q),
        "velocity": (times, q, v),
        "acceleration_right": (times, q, v),
        "forces": (times, q, v),
        "mass": (q,),
        "poses": (q,),
        "accelerations": (q, v, a),
        "kinetic_energy": (q, v),
        "potential_energy": (times, q),
    }.items():
        evaluate = getattr(system, name)
        each = [evaluate(*(x[i] for x in arguments)) for i in range(3)]
        assert np.array_equal(evaluate(*arguments), np.array(each)), name
    assert isinstance(system.kinetic_energy(q[0], v[0]), float)
    moving = system.motion(q, v)
    assert moving.poses.shape == (3, 4, 4, 4) and moving.twists.shape == (3, 4, 6)
    assert system.measure(q, v, a).rate.shape == (3, 4)
    assert system.position(times, q[0]).shape == (3, system.rows)
    with pytest.raises(axode.Error, match="2 times for 3 states"):
        system.position(times[:2], q)
    with pytest.raises(axode.Error, match="shape"):
        system.position(0, q[:, :3])


def test_jacobian_is_the_derivative_and_sparse_the_same():
    for name in ("example_2_10_rscr", "example_2_4_six_bar"):
        mechanism = load(name)
        for formulation in ("relative", "reference_point", "natural", "euler_angles"):
            system = mechanism.formulate(formulation)
            q, J = system.assemble().q, None
            J = system.jacobian(0, q)
            h = 1e-6
            for k in range(system.nq):
                e = np.eye(system.nq)[k] * h
                slope = (system.position(0, q + e) - system.position(0, q - e)) / (2 * h)
                assert J[:, k] == pytest.approx(slope, abs=1e-6)
            entries = system.jacobian_sparse(0, q)
            dense = np.zeros(entries.shape)
            np.add.at(dense, (entries.row, entries.column), entries.value)
            assert np.array_equal(dense, J)
            M = system.mass_sparse(q)
            dense = np.zeros(M.shape)
            np.add.at(dense, (M.row, M.column), M.value)
            assert np.array_equal(dense, system.mass(q)) and dense == pytest.approx(dense.T)


def test_kinetic_energy_is_that_of_the_mass_matrix():
    mechanism = load("stewart_legs")
    energies = []
    for formulation in SPATIAL:
        system = mechanism.formulate(formulation)
        s = system.assemble(0.2)
        energy = system.kinetic_energy(s.q, s.v)
        assert energy == pytest.approx(s.v @ system.mass(s.q) @ s.v / 2, rel=1e-9)
        energies.append(energy)
    assert energies == pytest.approx([energies[0]] * len(energies), rel=1e-8)


def test_from_poses_and_twists_go_back():
    mechanism = load("example_2_10_rscr")
    for formulation in SPATIAL:
        system = mechanism.formulate(formulation)
        s = system.assemble(0.3)
        poses, twists = system.motion(s.q, s.v)
        q = system.from_poses(poses)
        assert system.poses(q) == pytest.approx(poses, abs=1e-12)
        assert system.motion(q, system.from_twists(q, twists)).twists == pytest.approx(
            twists, abs=1e-10
        )
        assert not system.mirrored(0.3, s.q).found


def test_seats_of_euler_angles():
    system = load("problem_2_20_gyroscope").formulate("euler_angles")
    seats = system.seats()
    assert seats.shape == (4, 3, 3) or seats.shape[1:] == (3, 3)
    s = system.assemble(0.1)
    poses, seats = system.poses(s.q), system.seats()
    system.assemble(2.0)
    system.seat(seats)
    assert system.poses(s.q) == pytest.approx(poses, abs=1e-12)
    with pytest.raises(axode.Error, match="are not those of this system"):
        system.seat(np.eye(3))
    changed, q, v = system.refresh(s.q, s.v)
    assert system.poses(q) == pytest.approx(poses, abs=1e-12) and v.shape == s.v.shape
    assert isinstance(changed, bool)


def test_rank_null_space_and_dependences():
    free = load("bricard").replace(keep_drivers=False)
    system = free.formulate("reference_point")
    q = system.assemble().q
    J = system.jacobian(0, q)
    rank = system.matrix_rank(0, q)
    assert rank.rank == system.nv - 1 and len(rank.redundant) == rank.rows - rank.rank
    (motion,) = system.null_space(0, q)
    assert np.linalg.norm(motion) == pytest.approx(1) and J @ motion == pytest.approx(0, abs=1e-10)
    values = system.singular_values(0, q)
    assert values == pytest.approx(np.linalg.svd(J, compute_uv=False), abs=1e-12)
    for d in system.row_dependences(0, q):
        assert sum(f * J[row] for row, f in d.parts) == pytest.approx(J[d.row], abs=1e-7)


def test_diagnosis():
    mechanism = driven_four_bar()
    good = mechanism.diagnose_assembly(0.1)
    assert good.kind == "assembled" and good.message == ""
    over = mechanism.replace(drivers={"D.angle": 2.4}).diagnose_assembly()
    assert over.kind == "over_driven" and over.dependent and over.message
    assert "D.angle" in mechanism.replace(drivers={"D.angle": rocker_angle(0.5)}).over_driven()
    dead = mechanism.replace(keep_drivers=False, drivers={"D.angle": 0.2}).diagnose_assembly()
    assert dead.kind == "dead_point" and dead.driver == "D.angle" and dead.reached > 0.2
    state = mechanism.replace(keep_drivers=False, drivers={"D.angle": 0.2}).assemble()
    assert not state.assembled and "D.angle" in state.message
    free = four_bar().build().freedoms_left()
    assert free.count == 1 and len(free.to_drive) == 1
    with pytest.raises(axode.Error, match="cannot be assembled"):
        mechanism.replace(keep_drivers=False, drivers={"D.angle": 0.2}).mobility()


def test_singularities():
    mechanism = driven_four_bar()
    regular = mechanism.singularity(0.1, outputs=["D.angle"])
    assert regular.type == 0 and regular.mobility == 1
    # The rocker turns back where crank and coupler are in line.
    phi = np.arccos((4.5**2 + 16 - 2.5**2) / (2 * 4.5 * 4))
    dead = mechanism.replace(drivers={"A.angle": phi}).singularity(outputs=["D.angle"])
    assert dead.serial and not dead.parallel and dead.type == 1 and dead.serial_measure < 1e-8


# --- paths ---------------------------------------------------------------------------------------


def test_following_a_driver():
    mechanism = driven_four_bar()
    D = mechanism.coordinate_names.index("D.angle")
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        path = system.follow_driver("A.angle", 0.5, 0.5 + 2 * np.pi, step=0.1)
        assert path.complete and path.events == [] and path.steps > 10
        assert path.driver[0] == 0.5 and path.driver[-1] == pytest.approx(0.5 + 2 * np.pi)
        expected = [rocker_angle(phi) for phi in path.driver]
        assert path.coordinates.value[:, D] == pytest.approx(np.array(expected), abs=1e-10)
        assert path.poses.shape == (len(path.driver), 4, 4, 4)
        assert path.q.shape[0] == len(path.driver)


def test_dead_points_are_events():
    mechanism = four_bar().drive("D.angle", rocker_angle(0.5)).build()
    path = mechanism.follow_driver("D.angle", rocker_angle(0.5), 0.2)
    assert not path.complete and path.message
    (event,) = [e for e in path.events if e.kind == "dead_point"]
    # Crank and coupler in one line, 4.5 or 2.5 m from the ground's pin to the rocker's end.
    x = [(4**2 + 2.5**2 - r**2) / (2 * 4 * 2.5) for r in (4.5, 2.5)]
    limits = [np.pi - np.arccos(c) for c in x]
    assert min(abs(event.driver - y) for y in limits) < 1e-6
    turned = mechanism.arclength_past("D.angle", direction=-1.0)
    assert turned.kind in ("turned", "passed")
    curve = mechanism.arclength_curve("D.angle")
    assert curve.closed and curve.turns == 2 and len(curve.crossings) == 2
    modes = mechanism.assembly_modes(method="continuation", driver="D.angle")
    assert len(modes.modes) == 2 and modes.closed_curve and modes.dead_points == 2


def test_workspace():
    mechanism = load("example_2_7_telescopic")
    drivers = [d.coordinate for d in mechanism.drivers]
    values = [d.motion(0.0).value for d in mechanism.drivers]
    r = mechanism.sweep_workspace(
        drivers, (values[0] - 0.5, values[0] + 0.5), (values[1] - 0.2, values[1] + 0.2), (5, 4)
    )
    assert r.reachable.shape == (5, 4) and r.reachable.dtype == bool
    assert r.count == r.reachable.sum() > 0
    assert r.first == pytest.approx(values[0] + np.linspace(-0.5, 0.5, 5))


def test_path_errors():
    mechanism = driven_four_bar()
    with pytest.raises(axode.Error, match="there is no driver 'X'"):
        mechanism.follow_driver("X", 0, 1)
    with pytest.raises(axode.Error, match="range is empty"):
        mechanism.follow_driver(0, 1, 1)
    with pytest.raises(axode.Error, match="no driver of this number"):
        mechanism.follow_driver(10**30, 0, 1)
    with pytest.raises(axode.Error, match="are the same"):
        mechanism.sweep_workspace((0, 0), (0, 1), (0, 1), (2, 2))
    with pytest.raises(axode.LimitError):
        mechanism.follow_driver(0, 0, 1, step=1e-300)


# --- forces --------------------------------------------------------------------------------------


def test_reactions_balance_weight_and_inertia():
    mechanism = driven_four_bar((0.5, 2.0, 3.0))
    found = []
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        s = system.assemble(0.2)
        r = system.reactions(0.2, s.q, s.v, s.a)
        assert r.consistent and r.unique and r.message == ""
        # Newton's law of the whole: joints on the ground carry weight and inertia.
        ground = sum(j.force for j in r.joints if j.joint in "AD")
        weight = system.applied_wrenches(0.2, s.q, s.v).sum(axis=0)[3:]
        momentum = system.inertia_wrenches(s.q, s.v, s.a).sum(axis=0)[3:]
        assert ground + weight == pytest.approx(momentum, abs=1e-9)
        # The driver's power is that of inertia and weight.
        power = system.power(0.2, s.q, s.v, r.lambda_)
        assert power == pytest.approx(r.drivers[0].force * 2.6, rel=1e-9)
        found.append(r.drivers[0].force)
    assert found == pytest.approx([found[0]] * 4, rel=1e-9)


def test_redundant_reactions_are_flagged():
    b = axode.MechanismBuilder("plank", "planar").gravity((0, -10))
    b.body("plank", mass=2, com=(1, 0), about_com=1)
    b.joint("left", "revolute", "ground", "plank", points=((0, 0), (0, 0)))
    b.joint("right", "revolute", "ground", "plank", points=((2, 0), (2, 0)))
    r = b.build().reactions(formulation="reference_point")
    assert r.consistent and not r.unique
    for joint in r.joints:
        assert joint.force == pytest.approx([0, 10, 0], abs=1e-9) and not joint.unique
    free = four_bar().build()
    q = free.solve_position().q
    moved = free.reactions(0.0, q)
    assert not moved.consistent and moved.unbalanced.force > 1 and moved.unbalanced.coordinate


def test_equilibrium():
    b = axode.MechanismBuilder("pendulum", "planar").gravity((0, -9.81))
    b.body("rod", mass=3, com=(0.5, 0), about_com=0.25)
    b.joint("A", "revolute", "ground", "rod", points=((0, 0), (0, 0))).start("A.angle", 0.4)
    mechanism = b.build()
    for formulation in PLANAR:
        r = mechanism.equilibrium(formulation=formulation)
        assert r.converged and r.stable and r.freedoms == 1
        assert r.frequencies == pytest.approx([np.sqrt(3 * 9.81 * 0.5 / (0.25 + 3 * 0.25))])
        system = mechanism.formulate(formulation)
        again = system.small_oscillations(0.0, r.q, r.lambda_)
        assert again.frequencies == pytest.approx(r.frequencies) and again.stable
        up = mechanism.replace(initial={"A.angle": 1.5}).equilibrium(
            kind="nearest", formulation=formulation
        )
        assert up.converged and not up.stable and up.frequencies[0] < 0


def test_accelerations_and_projections():
    mechanism = four_bar().build()
    driven = driven_four_bar().formulate()
    poses = driven.poses(driven.assemble().q)
    found = []
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        q, v = system.from_poses(poses), np.zeros(system.nv)
        r = system.accelerate(0.0, q)
        assert r.determined and r.message == ""
        J, M = system.jacobian(0, q), system.mass(q)
        assert M @ r.a + J.T @ r.lambda_ == pytest.approx(system.forces(0, q, v), abs=1e-6)
        assert J @ r.a == pytest.approx(0, abs=1e-9)
        found.append(system.measure(q, v, r.a).acceleration)
        assert system.has_inertia(0.0, q) == (True, "")
        off = system.violation(0.0, q + 1e-3)
        assert 1e-4 < off.position < 1e-1 and off.velocity == 0
        back = system.project(0.0, q + 1e-3, v + 1e-3)
        assert back.reached
        left = system.violation(0.0, back.q, back.v)
        assert left.position < 1e-9 and left.velocity < 1e-9
    for x in found:
        assert x == pytest.approx(found[0], rel=1e-8)


def test_velocity_transformation():
    mechanism = four_bar().build()
    relative = mechanism.formulate("relative")
    z = relative.assemble().q
    rates = relative.null_space(0.0, z)[0]
    for formulation in ("natural", "reference_point"):
        other = mechanism.formulate(formulation)
        both = axode.VelocityTransformation(relative, other)
        with pytest.raises(axode.Error, match="call move_to"):
            both.matrix()
        both.move_to(z, rates)
        assert both.matrix() @ rates == pytest.approx(both.velocity, abs=1e-12)
        assert other.jacobian(0, both.q) @ both.velocity == pytest.approx(0, abs=1e-10)
        r = both.accelerate(0.0, z, rates)
        assert r.determined
        assert r.a == pytest.approx(relative.accelerate(0.0, z, rates).a, rel=1e-7)
        q2 = both.transformed(r.a)
        assert q2 == pytest.approx(both.matrix() @ r.a + both.bias(), abs=1e-9)
    with pytest.raises(axode.Error):
        axode.VelocityTransformation(other, relative)


def test_wrenches_of_coordinates_and_joints():
    mechanism = driven_four_bar()
    system = mechanism.formulate("relative")
    s = system.assemble(0.3)
    _, twists = system.motion(s.q, s.v)
    poses = system.poses(s.q)
    names = mechanism.body_names
    rates = system.measure(s.q, s.v).rate
    for c, name in enumerate(mechanism.coordinate_names):
        bodies, wrench = system.coordinate_wrench(name, s.q)
        power = 0
        for body, w in zip(bodies, wrench):
            b = names.index(body)
            omega, v = twists[b, :3], twists[b, 3:]
            at_origin = v - np.cross(omega, poses[b, :3, 3])
            power += w[:3] @ omega + w[3:] @ at_origin
        assert power == pytest.approx(rates[c], abs=1e-10)
    assert system.joint_wrenches("A", s.q).shape == (2, 6)


# --- misuse --------------------------------------------------------------------------------------


def test_wrong_arguments_are_refused():
    mechanism = driven_four_bar()
    system = mechanism.formulate()
    n = system.nq
    for q, error in (
        (None, (TypeError, axode.Error)),
        ("abc", TypeError),
        ([], axode.Error),
        (np.zeros(n + 1), axode.Error),
        (np.full(n, np.nan), axode.Error),
        (np.zeros(n, dtype=complex), TypeError),
        (np.zeros((1, 1, n)), axode.Error),
        ([[1], [1, 2]], TypeError),
    ):
        with pytest.raises(error):
            system.position(0.0, q)
        if q is not None:
            with pytest.raises(error):
                system.solve_position(0.0, q)
            with pytest.raises(error):
                system.simulate(q)
    for t in (np.nan, np.inf):
        with pytest.raises(axode.Error):
            system.solve_position(t)
        with pytest.raises(axode.Error):
            system.position(t, np.zeros(n))
    for bad in ("x", None, [0.0]):
        with pytest.raises(TypeError):
            system.mobility(bad)
    with pytest.raises(axode.Error, match="poses"):
        system.from_poses(np.eye(4)[None])
    with pytest.raises(axode.IoError):
        axode.Mechanism.from_file("/nowhere/at/all.json")
    with pytest.raises(axode.Error, match="text:1"):
        axode.Mechanism.from_text("{")
    with pytest.raises(axode.Error):
        mechanism.formulate("natural", add=["nothing"])
    with pytest.raises(axode.Error):
        mechanism.formulate("relative", cut=["nothing"])
    with pytest.raises(TypeError):
        axode.MechanismSystem()
    with pytest.raises(axode.Error, match="iterations"):
        system.solve_position(iterations=0)


def test_unit_quaternions_are_wanted():
    system = load("example_2_10_rscr").formulate("quasi_velocities")
    with pytest.raises(axode.Error, match="not of unit length"):
        system.poses(np.zeros(system.nq))


def test_formulation_options():
    mechanism = driven_four_bar()
    assert axode.Formulation is axode.MechanismSystem
    system = mechanism.formulate("natural", add=["C.angle"])
    assert "C.angle" in system.coordinate_names
    assert mechanism.formulate("relative", cut=["B"]).cut_joints == ["B"]
    whole = mechanism.formulate("relative", close_whole=True)
    assert whole.nq > mechanism.formulate("relative").nq
    free = mechanism.formulate("reference_point", with_drivers=False)
    assert free.rows == 8 and free.mobility().mobility == 1
    assert free.formulation == "reference_point" and "9 coordinates" in repr(free)
    assert free.mechanism.name == mechanism.name
    origins = {e.origin for e in mechanism.formulate("reference_point").equations()}
    assert origins == {"joint", "driver"}
    texts = [e.text for e in mechanism.formulate("natural").equations()]
    assert all("= 0" in text for text in texts)


def test_the_command_agrees(tmp_path):
    command = Path(sys.prefix) / "bin/axode"
    for prefix in (command, ROOT / "build/release/axode", ROOT / "build/python/prefix/bin/axode"):
        if prefix.exists():
            break
    else:
        pytest.skip("the command is not installed")
    file = MODELS / "example_2_10_rscr.json"
    text = subprocess.run(
        [prefix, "mechanism", file, "solve", "--at", "0.2", "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = json.loads(text)["coordinates"]
    mechanism = axode.Mechanism.from_file(file)
    system = mechanism.formulate("natural")
    s = system.assemble(0.2)
    x = system.measure(s.q, s.v, s.a)
    for c, name in enumerate(mechanism.coordinate_names):
        assert [y[c] for y in x] == pytest.approx(told[name], abs=1e-8)
