"""Mechanisms: formulations, position, velocity and acceleration problems."""

import numpy as np
import pytest
from mechanism_models import PLANAR, SPATIAL, driven_four_bar, four_bar, load, rocker_angle

import axode


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


def test_assembled_with_values_held_or_from_a_guess():
    mechanism = four_bar().build()
    names = mechanism.coordinate_names
    for formulation in PLANAR:
        system = mechanism.formulate(formulation)
        s = system.assemble(values={"A.angle": 0.9}, rates={"A.angle": 2})
        assert s.assembled and s.outcome == "assembled"
        x = system.measure(s.q, s.v)
        assert x.value[names.index("A.angle")] == pytest.approx(0.9, abs=1e-10)
        assert x.rate[names.index("A.angle")] == pytest.approx(2, abs=1e-9)
        assert x.value[names.index("D.angle")] == pytest.approx(rocker_angle(0.9), abs=1e-9)
        driven = driven_four_bar((0.8, 0, 0)).formulate(formulation)
        below = mechanism.replace(initial={"A.angle": 0.8, "B.angle": -1.5, "D.angle": -1.6})
        s = driven.assemble(q=driven.from_poses(below.start_poses()))
        assert s.assembled
        other = 2 * np.arctan2(-np.sin(0.8), 4 - np.cos(0.8)) - rocker_angle(0.8)
        found = driven.measure(s.q).value[names.index("D.angle")]
        assert np.cos(found - other) == pytest.approx(1, abs=1e-12)  # mirrored about the line B-D
    with pytest.raises(axode.Error, match="value of 'A.angle': the coordinate has a driver"):
        driven_four_bar().assemble(values={"A.angle": 1})
    with pytest.raises(axode.Error, match="there is no coordinate 'E.angle'"):
        mechanism.assemble(values={"E.angle": 1})


def test_outcomes_of_assembling():
    mechanism = driven_four_bar()
    early = mechanism.replace(drivers={"A.angle": "sqrt(1 - t)"})
    s = early.assemble(2.0)
    assert not s.assembled and s.outcome == "bad_driver" and "at t = 2 s" in s.message
    assert early.assemble(0.5).outcome == "assembled"
    held = {"D.angle": {"polynomial": [rocker_angle(0.5), 9]}}
    s = mechanism.replace(drivers=held).assemble()
    assert not s.assembled and s.outcome == "no_motion" and "the rates disagree" in s.message


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
    free = four_bar().build().dofs_left()
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
