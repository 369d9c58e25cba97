"""Mechanisms: paths, reactions, equilibria and accelerations."""

import numpy as np
import pytest
from mechanism_models import PLANAR, driven_four_bar, four_bar, load, rocker_angle

import axode


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
    b.joint("left", "revolute", "world", "plank", points=((0, 0), (0, 0)))
    b.joint("right", "revolute", "world", "plank", points=((2, 0), (2, 0)))
    r = b.build().reactions(formulation="reference_point")
    assert r.consistent and not r.unique
    for joint in r.joints:
        assert joint.force == pytest.approx([0, 10, 0], abs=1e-9) and not joint.unique
    free = four_bar().build()
    q = free.solve_position().q
    moved = free.reactions(0.0, q)
    assert not moved.consistent and abs(moved.unbalanced.force) > 1 and moved.unbalanced.coordinate


def test_equilibrium():
    b = axode.MechanismBuilder("pendulum", "planar").gravity((0, -9.81))
    b.body("rod", mass=3, com=(0.5, 0), about_com=0.25)
    b.joint("A", "revolute", "world", "rod", points=((0, 0), (0, 0))).start("A.angle", 0.4)
    mechanism = b.build()
    for formulation in PLANAR:
        r = mechanism.equilibrium(formulation=formulation)
        assert r.converged and r.stable and r.dofs == 1
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
        both = axode.mechanism.VelocityTransformation(relative, other)
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
        axode.mechanism.VelocityTransformation(other, relative)


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
