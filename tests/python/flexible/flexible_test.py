"""Flexible trees, their files, equations and vibrations."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flexible_models import ALUMINIUM, EXAMPLES, two_tubes

import axode


def test_example_of_the_page() -> None:
    arm = two_tubes()
    assert (arm.joints, arm.size) == (2, 14)
    q = arm.neutral()
    q[:2] = 1, -1
    found = arm.modes(q)
    assert found.frequency_hz[:3] == pytest.approx([2.532, 2.650, 8.545], abs=6e-4)
    assert found.damping_ratio[:3] == pytest.approx([0.0028, 0.0036, 0.0071], abs=6e-5)
    assert np.array_equal(axode.flexible.flexible_modes(arm, q).frequency, found.frequency)
    assert found.solved and found.shape.shape == (12, 14) and np.all(found.shape[:, :2] == 0)
    assert np.abs(np.abs(found.eigenvalue) - found.frequency).max() < 1e-9 * found.frequency[-1]


def test_tree_from_a_file_and_its_copies(tmp_path: Path) -> None:
    for file in sorted(EXAMPLES.glob("*.json")):
        tree = axode.FlexibleTree.from_file(file)
        again = axode.FlexibleTree.from_text(tree.text(), "again")
        pickled = pickle.loads(pickle.dumps(tree))
        tree.save(tmp_path / file.name)
        saved = axode.FlexibleTree.from_file(tmp_path / file.name)
        assert copy.copy(tree) is tree and copy.deepcopy(tree) is tree
        rng = np.random.default_rng(1)
        q, v = 0.01 * rng.normal(size=(2, tree.size))
        expected = tree.linearized(q, v)
        for other in (again, pickled, saved):
            assert other.coordinate_names == tree.coordinate_names
            assert other.duration == tree.duration
            assert np.array_equal(other.initial.q, tree.initial.q)
            assert np.allclose(other.linearized(q, v).mass, expected.mass, rtol=1e-13, atol=1e-15)
    with pytest.raises(axode.IoError, match="exists"):
        tree.save(tmp_path / file.name)
    tree.save(tmp_path / file.name, overwrite=True)
    with pytest.raises(axode.IoError):
        axode.FlexibleTree.from_file(tmp_path / "none.json")
    with pytest.raises(axode.Error, match="text:1"):
        axode.FlexibleTree.from_text("{}")


def test_names_and_links_of_a_tree() -> None:
    tree = axode.FlexibleTree.from_file(EXAMPLES / "arm4.json")
    assert repr(tree) == "<axode.FlexibleTree 'arm4': 4 links, 4 joints, 12 modes>"
    assert tree.joint_names == ["column", "upper", "fore", "hand"] == tree.link_names
    assert tree.coordinate_names[:6:5] == ["column", "upper.torsion2"]
    assert tree.coordinate_units[4:7] == ["rad", "rad", "m"]
    assert len(tree) == 4 and axode.flexible.link_named(tree, "fore") == 2
    assert tree.control is not None and np.shape(tree.control.targets) == (3, 4)
    upper = tree.link("upper")
    assert upper.beam is not None and upper.beam.length == 4
    assert upper.parent == "column" and upper.joint == "revolute" and upper.first_mode == 4
    outboard = axode.flexible.outboard_inertia(tree, "upper", tree.initial.q)
    assert outboard.mass > 0
    exp = tree.replace(rotation="exp", stiffening=True, gravity=(0, 0, 0))
    assert (exp.rotation, exp.stiffening) == ("exp", True) and not exp.gravity.any()
    assert tree.stiffening is False and tree.gravity[2] == -9.81
    with pytest.raises(axode.Error, match="there is no link 'x'"):
        tree.link("x")
    with pytest.raises(axode.Error, match="links are 0 to 3"):
        tree.link(4)


def test_builder_refuses_what_cannot_be() -> None:
    beam = axode.flexible.Beam(1, ALUMINIUM, axode.flexible.solid_circle(0.05))
    with pytest.raises(axode.Error, match="there is no parent 'x'"):
        axode.FlexibleBuilder("a").rigid("b", "x").build()
    with pytest.raises(axode.Error, match="no link yet"):
        axode.FlexibleBuilder("a").revolute((0, 0, 1))
    with pytest.raises(axode.Error, match="station 2 m is not on 'b'"):
        axode.FlexibleBuilder("a").beam("b", "world", None, beam).payload("b", 1, 2).build()
    with pytest.raises(TypeError, match="inertia: give an Inertia"):
        axode.FlexibleBuilder("a").rigid("b", inertia="heavy")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="no links"):
        axode.FlexibleBuilder("a").build()
    with pytest.raises(axode.Error, match="axis"):
        axode.FlexibleBuilder("a").rigid("b").prismatic((1, 0))
    given = [axode.flexible.BeamMode("bend_y", axode.flexible.polynomial_shape(1, [1, 1]))]
    with pytest.raises(axode.Error, match="link 'b'"):
        request = axode.flexible.ModeRequest(0, 0, 0, given=given)
        axode.FlexibleBuilder("a").beam("b", "world", None, beam, request).build()


def test_shapes_of_the_program_have_no_text() -> None:
    beam = axode.flexible.Beam(1, ALUMINIUM, axode.flexible.solid_circle(0.05))
    request = axode.flexible.ModeRequest(0, 0, 0, given=axode.flexible.beam_modes(beam, "bend_y", 1))
    tree = axode.FlexibleBuilder("a").beam("b", "world", None, beam, request).build()
    with pytest.raises(axode.Error, match="no file can say"):
        pickle.dumps(tree)
    assert copy.deepcopy(tree) is tree


def test_batches_are_single_states() -> None:
    tree = axode.FlexibleTree.from_file(EXAMPLES / "branched.json")
    rng = np.random.default_rng(2)
    q, v, tau = 0.002 * rng.normal(size=(3, 5, tree.size))
    for model in ("linear", "nonlinear"):
        for algorithm in ("dense", "recursive"):
            many = tree.accelerations(q, v, tau, model=model, algorithm=algorithm)
            assert many.shape == (5, tree.size)
            for k in range(5):
                one = tree.accelerations(q[k], v[k], tau[k], model=model, algorithm=algorithm)
                assert np.array_equal(one, many[k])
        e = tree.linearized(q[0], v[0]) if model == "linear" else tree.nonlinear(q[0], v[0])
        right = tau[0] + e.gravity - e.bias - e.stiffness @ q[0] - e.damping @ v[0]
        found = tree.accelerations(q[0], v[0], tau[0], model=model)
        assert np.abs(e.mass @ found - right).max() < 1e-9 * np.abs(right).max()
    energies = tree.energies(q, v)
    assert np.shape(energies.kinetic) == (5,)
    assert tree.energies(q[3], v[3]).kinetic == np.asarray(energies.kinetic)[3]
    assert tree.link_poses(q).shape == (5, len(tree), 4, 4)
    assert tree.linearized(q, v[0]).bias.shape == (5, tree.size)
    empty = np.zeros((0, tree.size))
    assert tree.accelerations(empty).shape == (0, tree.size)
    assert tree.nonlinear(empty).mass.shape == (0, tree.size, tree.size)


def test_prescribed_accelerations_need_their_forces() -> None:
    tree = two_tubes()
    rng = np.random.default_rng(3)
    q, v, rates = 0.01 * rng.normal(size=(3, tree.size))
    found = tree.accelerations_with("upper", q, v, None, rates, model="nonlinear")
    assert found.rates[0] == rates[0] and np.all(found.tau[1:] == 0)
    free = tree.accelerations(q, v, found.tau, model="nonlinear")
    assert np.abs(free - found.rates).max() < 1e-8 * np.abs(free).max()


def test_loss_of_definiteness_is_told() -> None:
    tree = two_tubes().replace(rotation="xyz")
    q = tree.neutral()
    q[tree.coordinate_names.index("upper.bend_z1")] = 3
    q[tree.coordinate_names.index("fore.bend_z1")] = -3
    with pytest.raises(axode.SingularError, match="smallest eigenvalue is -"):
        tree.accelerations(q)
    with pytest.raises(axode.SingularError, match="state 1"):
        tree.accelerations(np.array([tree.neutral(), q]))
    with pytest.raises(axode.SingularError, match="link"):
        tree.accelerations(q, algorithm="recursive")
    with pytest.raises(axode.SingularError, match="positive definite"):
        tree.linearize(q, tau=np.zeros(tree.size), model="linear")
    exact = tree.accelerations(q, model="nonlinear")
    assert np.array_equal(tree.accelerations(q, fall_back=True), exact)
    elastic = tree.coordinate_names[tree.joints :]
    kept = tree.accelerations(q, exact_coordinates=elastic)
    assert np.abs(kept - exact).max() < 1e-9 * np.abs(exact).max()
    with pytest.raises(axode.Error, match="not an elastic one"):
        tree.linearized(q, exact_coordinates=["upper"])


def test_deformed_shapes_and_loads() -> None:
    tree = two_tubes()
    q = tree.neutral()
    q[0], q[tree.coordinate_names.index("upper.bend_y1")] = 0.3, 0.01
    points = tree.deformed_shape(q, "upper")
    assert points.shape == (21, 3) and np.all(points[0] == 0)
    assert np.array_equal(points[-1], tree.section_pose(q, "upper")[:3, 3])
    shape = tree.link("upper").modes[2].shape
    assert points[:, 1] == pytest.approx(
        0.01 * np.asarray(axode.flexible.shape_at(shape, np.linspace(0, 4, 21)).value), abs=1e-12
    )
    poses = tree.section_poses(q, "fore", [0, 1.5, 3])
    assert poses.shape == (3, 4, 4)
    assert np.allclose(poses[0][:3, 3], points[-1])

    load = axode.flexible.FlexibleLoad("fore", force=(1, 2, 3), torque=(0.1, 0, 0), station=1.5)
    tau = tree.load_forces(q, [load])
    h = 1e-6
    for k in range(tree.size):  # the power of the force is tau v
        more, less = q.copy(), q.copy()
        more[k], less[k] = q[k] + h, q[k] - h
        T, a, b = (tree.section_pose(x, "fore", 1.5) for x in (q, less, more))
        velocity = (b - a) / (2 * h)
        spin = (velocity[:3, :3] @ T[:3, :3].T)[[2, 0, 1], [1, 2, 0]]
        assert tau[k] == pytest.approx(velocity[:3, 3] @ (1, 2, 3) + spin @ (0.1, 0, 0), abs=1e-7)
    assert tree.load_forces(np.array([q, q]), [load, load])[1] == pytest.approx(2 * tau)
    with pytest.raises(axode.Error, match="no section at 5"):
        tree.deformed_shape(q, "upper", [5.0])
    with pytest.raises(axode.Error, match="2 to 1000000"):
        tree.deformed_shape(q, "upper", 1)


def test_static_deflection_and_linear_systems() -> None:
    tree = two_tubes()
    q = tree.neutral()
    q[:2] = 0.4, -0.7
    rest = tree.static_deflection(q)
    assert rest.converged
    tau = np.zeros(tree.size)
    tau[:2] = rest.joint_forces
    assert np.abs(tree.accelerations(rest.q, None, tau, model="nonlinear")).max() < 1e-6
    system = tree.linearize(q)
    n = tree.size
    assert np.array_equal(system.q, rest.q) and np.array_equal(system.tau, tau)
    assert np.array_equal(system.A[:n], np.hstack([np.zeros((n, n)), np.eye(n)]))
    assert np.allclose(system.A[n:], -np.linalg.solve(system.M, np.hstack([system.K, system.D])), rtol=1e-9, atol=1e-6)
    h = 1e-6
    for k in range(n):
        step = h * np.eye(n)[k]
        ahead = tree.accelerations(rest.q + step, None, tau, model="nonlinear")
        behind = tree.accelerations(rest.q - step, None, tau, model="nonlinear")
        difference = (ahead - behind) / (2 * h)
        scale = np.abs(system.A).max()
        assert np.abs(system.A[n:, k] - difference).max() < 1e-7 * scale
    assert np.allclose(system.B[n:], np.linalg.inv(tree.nonlinear(rest.q).mass), rtol=1e-9)
    found = axode.dynamics.oscillations(system)
    assert np.allclose(found.frequency, np.abs(found.eigenvalue), rtol=1e-14)
    expected = np.linalg.eigvals(system.A)
    for value in found.eigenvalue:
        assert np.abs(expected - value).min() < 1e-4 + 1e-9 * abs(value)
    failing = tree.find_modes(q, joints="free")
    assert isinstance(failing.solved, bool)
    with pytest.raises(axode.Error, match="servos have no gains"):
        tree.modes(q, joints="servo")
    with pytest.raises(axode.Error, match="1 gains"):
        tree.modes(q, joints="servo", kp=[1], kd=[1])


def test_dual_screws_are_consistent() -> None:
    tree = axode.FlexibleTree.from_file(EXAMPLES / "branched.json")
    rng = np.random.default_rng(4)
    q, v = 0.02 * rng.normal(size=(2, tree.size))
    link = tree.link_names[-1]
    P = tree.dual_jacobian(link, q, v, station=0, point=(0, 0, 0))
    motion = tree.dual_motion(q, v)
    assert np.abs(P.hat @ v - motion.twists[-1]).max() < 1e-13
    for coordinate in range(tree.size):
        screw = tree.dual_screw(coordinate, link, q)
        assert screw.projecting.shape == (12,)
    Y = tree.screw_transformation(link, 0, q)
    assert np.abs(Y.R_real @ Y.R_real.T - np.eye(3)).max() < 1e-14
    delta = tree.dual_differentiation(link, 0, q, v)
    assert delta.matrix.shape == (12, 12)
    with pytest.raises(axode.Error, match="there is no 'x'"):
        tree.dual_screw("x", link, q)


@pytest.mark.parametrize(
    "bad",
    [None, "text", [], [1.0], np.zeros((2, 2, 2)), np.full(14, np.nan), [object()], 10**400],
)
def test_bad_states_are_refused(bad: Any) -> None:
    tree = two_tubes()
    for f in (tree.linearized, tree.nonlinear, tree.accelerations, tree.energies, tree.link_poses):
        with pytest.raises((axode.Error, TypeError, OverflowError)):
            f(bad)
    for g in (tree.modes, tree.linearize, tree.static_deflection):
        if bad is not None:
            with pytest.raises((axode.Error, TypeError, OverflowError)):
                g(bad)
    never_made = axode.FlexibleTree.__new__(axode.FlexibleTree)
    with pytest.raises(TypeError), pytest.warns(RuntimeWarning, match="uninitialized"):
        never_made.neutral()
    with pytest.raises((axode.Error, TypeError, OverflowError)):
        tree.dual_jacobian(bad, tree.neutral())
    with pytest.raises((axode.Error, TypeError, OverflowError)):
        tree.deformed_shape(tree.neutral(), bad)
