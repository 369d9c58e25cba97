"""States of a tree: made, moved, checked, one or many; joints that follow others."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_trees import geared

import axode

ROOT = Path(__file__).resolve().parents[3]


def test_neutral_and_random(all_joints: axode.Tree) -> None:
    q = all_joints.neutral()
    assert q.shape == (35,) and np.array_equal(axode.model.neutral(all_joints), q)
    quadruped = axode.Tree.from_file(ROOT / "models/quadruped.json")
    A = [zero.A.matrix for zero in axode.model.zero_references(quadruped)]
    np.testing.assert_allclose(axode.poses(quadruped, quadruped.neutral()), A, atol=1e-15)
    many = all_joints.random(7, count=1000)
    assert many.shape == (1000, 35)
    assert np.array_equal(many[0], all_joints.random(7))
    assert np.array_equal(axode.model.random_configuration(all_joints, 7, 1000), many)
    assert not np.array_equal(many[0], all_joints.random(8))
    axode.model.check_configuration(all_joints, many)
    scalar = [b for b in all_joints.bodies if b.coordinates != "quaternion"]
    for body in scalar:
        assert np.all(many[:, body.q] >= all_joints.lower[body.v])
        assert np.all(many[:, body.q] <= all_joints.upper[body.v])
    error = axode.model.coupling_error(all_joints, many)
    assert np.all(error.error < 1e-15) and error.error.shape == (1000,)  # type: ignore[union-attr]
    assert all_joints.random(2**64 - 1).shape == (35,)
    assert all_joints.random(np.uint32(3), count=0).shape == (0, 35)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_seeds_are_whole_numbers(seed: int) -> None:
    with pytest.raises(axode.Error, match="seed: is not from 0 to 18446744073709551615"):
        geared().random(seed)


def test_other_seeds_and_counts_are_refused() -> None:
    for bad in (None, 1.5, "1", [1], np.array([1.0])):
        with pytest.raises(TypeError):
            geared().random(bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="count: not a whole number"):
        geared().random(1, count=2.0)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="count: is not from 0"):
        geared().random(1, count=-1)
    with pytest.raises((MemoryError, ValueError)):
        geared().random(1, count=2**60)


def test_integrate_and_difference_are_inverse(all_joints: axode.Tree) -> None:
    random = np.random.default_rng(5)
    q = all_joints.random(1, count=50)
    d = random.uniform(-1, 1, (50, all_joints.nv))
    moved = all_joints.integrate(q, d)
    np.testing.assert_allclose(all_joints.difference(q, moved), d, atol=1e-13)
    assert np.array_equal(axode.model.plus(all_joints, q, d), moved)
    assert np.array_equal(axode.model.difference(all_joints, q, moved), all_joints.difference(q, moved))
    # One of a batch is what it is alone; one state stands for all.
    assert np.array_equal(all_joints.integrate(q[3], d[3]), moved[3])
    assert np.array_equal(all_joints.integrate(q, d[3])[3], moved[3])
    # Two half steps are one step along a constant velocity.
    twice = all_joints.integrate(all_joints.integrate(q, d / 2), d / 2)
    np.testing.assert_allclose(twice, moved, atol=1e-13)
    h = 1e-6
    rate = (all_joints.integrate(q, h * d) - all_joints.integrate(q, -h * d)) / (2 * h)
    np.testing.assert_allclose(all_joints.coordinate_rate(q, d), rate, atol=1e-8)
    np.testing.assert_array_equal(
        axode.model.coordinate_rate(all_joints, q[0], d[0]), all_joints.coordinate_rate(q[0], d[0])
    )


def test_free_joints_move_in_the_form_of_their_velocity() -> None:
    def moved(velocity: Any) -> Any:
        tree = axode.TreeBuilder().body("b", mass=1).joint("j", axode.free_joint(velocity)).build()
        turned = [math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4), 1, 0, 0]
        return tree.integrate(turned, [[0.0, 0, 0, 1, 0, 0], [0.0, 0, math.pi / 2, 0, 0, 0]])[:, 4:]

    np.testing.assert_allclose(moved("body"), [[1, 1, 0], [1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(moved("hybrid"), [[2, 0, 0], [1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(moved("spatial"), [[2, 0, 0], [0, 1, 0]], atol=1e-15)


def test_couplings() -> None:
    tree = geared()
    assert tree.couplings[0] == axode.model.Coupling(0, 2, 2, 0.5, "jc", 2, 0.5)
    assert tree.couplings[1] == axode.model.Coupling(3, 2, 6, 1.5, "ja", 3, 0)
    assert (axode.model.independent_nq(tree), axode.model.independent_nv(tree)) == (5, 4)
    q = axode.model.expand_configuration(tree, [1, 0, 0, 0, 0.25])
    np.testing.assert_array_equal(q, [1, 1, 0, 0, 0, 0.25, 3])
    v = axode.model.expand_velocity(tree, [[1, 2, 3, 4], [0, 0, 0, 1]])
    np.testing.assert_array_equal(v, [[8, 1, 2, 3, 4, 24], [2, 0, 0, 0, 1, 6]])
    np.testing.assert_array_equal(axode.model.independent_configuration(tree, q), [1, 0, 0, 0, 0.25])
    np.testing.assert_array_equal(axode.model.independent_velocity(tree, v), [[1, 2, 3, 4], [0, 0, 0, 1]])
    force = [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(axode.model.reduce_force(tree, force), [2, 3, 4, 5 + 2 + 36])
    assert axode.model.reduce_force(tree, force) @ [1, 2, 3, 4] == np.dot(force, v[0])
    assert axode.model.coupling_error(tree, q) == (0, -1)
    q[0] += 0.5
    assert axode.model.coupling_error(tree, q) == axode.model.CouplingError(0.5, 0)
    worst = axode.model.coupling_error(tree, [q, tree.neutral()])
    np.testing.assert_array_equal(worst.error, [0.5, 0])
    np.testing.assert_array_equal(worst.body, [0, -1])
    np.testing.assert_array_equal(tree.neutral(), [0.5, 1, 0, 0, 0, 0, 1.5])


def test_states_are_checked() -> None:
    tree = geared()
    q, v = tree.neutral(), np.zeros(6)
    axode.model.check_configuration(tree, q)
    axode.model.check_velocity(tree, v)
    long = q.copy()
    long[1] = 2
    lost = q.copy()
    lost[6] = math.nan
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: axode.model.check_configuration(tree, long), "q: the quaternion of joint 'jb'"),
        (lambda: axode.model.check_configuration(tree, [q, long]), r"^q, state 1: the quaternion"),
        (lambda: axode.model.check_configuration(tree, lost), "of joint 'jd', is not finite"),
        (lambda: axode.model.check_velocity(tree, [*v[:5], math.inf]), "v: number 5, of joint 'jd'"),
        (lambda: axode.model.check_configuration(tree, q[:3]), r"q: has shape \(3,\) where \(7,\) or"),
        (lambda: axode.model.check_configuration(tree, np.zeros((2, 2, 7))), r"q: has shape \(2, 2, 7\)"),
        (lambda: axode.model.check_configuration(tree, 3.0), "q: has shape"),
        (lambda: tree.integrate(lost, v), "not finite"),
        (lambda: tree.integrate(q, [*v[:5], math.nan]), "d: number 5"),
        (lambda: tree.integrate(q, np.full(6, 1e308) * 1.7 + 0), "not finite|length"),
        (lambda: tree.difference(q, lost), "q1: .*not finite"),
        (lambda: tree.difference([q, q], [q, q, q]), "q1: has 3 states, q0 has 2"),
        (lambda: tree.coordinate_rate(long, v), "quaternion"),
        (lambda: axode.model.expand_configuration(tree, [2, 0, 0, 0, 0]), "quaternion of joint 'jb'"),
        (lambda: axode.model.expand_configuration(tree, q), r"independent: has shape \(7,\)"),
        (lambda: axode.model.expand_velocity(tree, [0, 0, 0, math.nan]), "not finite"),
        (lambda: axode.model.reduce_force(tree, [math.nan] * 6), "force: "),
        (lambda: axode.model.coupling_error(tree, lost), "not finite"),
    ]
    for call, message in cases:
        with pytest.raises(axode.Error, match=message):
            call()
    single = np.zeros(7, np.float32)
    for bad in (None, "q", [1, "x"], [1j] * 7, single, np.zeros(7, bool), [[0] * 7, [0]]):
        with pytest.raises(TypeError):
            axode.model.check_configuration(tree, bad)  # type: ignore[arg-type]
    assert tree.integrate(np.zeros((0, 7)), v).shape == (0, 7)


def test_threads_share_a_tree(all_joints: axode.Tree) -> None:
    q = all_joints.random(1, count=200)
    d = np.full(all_joints.nv, 0.1)
    expected = all_joints.integrate(q, d)
    results: list[Any] = []
    work = lambda: results.append(all_joints.integrate(q, d))  # noqa: E731
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(np.array_equal(r, expected) for r in results)


def test_numbers_have_names(all_joints: axode.Tree) -> None:
    tree = all_joints
    assert len(tree.coordinate_names) == tree.nq and len(tree.velocity_names) == tree.nv
    for body in tree.bodies:
        n = len(tree.coordinate_names[body.q])
        expected = [body.joint_name] if n == 1 else [f"{body.joint_name}[{k}]" for k in range(n)]
        assert tree.coordinate_names[body.q] == expected
        assert all(name.split("[")[0] == body.joint_name for name in tree.velocity_names[body.v])


def test_configurations_by_name(all_joints: axode.Tree) -> None:
    tree = all_joints
    q = tree.configuration({"slide and turn": [0.1, 0.2, 0.3]}, spindle=0.4)
    expected = tree.neutral()
    for name, value in (("slide and turn[0]", 0.1), ("slide and turn[1]", 0.2)):
        expected[tree.coordinate_names.index(name)] = value
    expected[tree.coordinate_names.index("slide and turn[2]")] = 0.3
    expected[tree.coordinate_names.index("spindle")] = 0.4
    axode.model.check_configuration(tree, q)
    independent = axode.model.independent_configuration
    assert np.array_equal(independent(tree, q), independent(tree, expected))
    assert axode.model.coupling_error(tree, q).error < 1e-15
    assert np.array_equal(tree.configuration(), tree.neutral())
    v = tree.velocity(spindle=2)
    assert v[tree.velocity_names.index("spindle")] == 2 and v.shape == (tree.nv,)
    assert not tree.velocity().any()


def test_configurations_by_wrong_names() -> None:
    tree = geared()
    follower = tree.joint_names[tree.couplings[0].follower]
    leader = tree.joint_names[tree.couplings[0].leader]
    with pytest.raises(axode.Error, match="no joint 'jx'; did you mean 'ja'"):
        tree.configuration(jx=1)
    with pytest.raises(axode.Error, match=f"'{follower}': follows joint '{leader}'"):
        tree.velocity({follower: 1})
    with pytest.raises(axode.Error, match="has 1 numbers, not 2"):
        tree.configuration({leader: [1, 2]})
    with pytest.raises(axode.Error, match="not finite"):
        tree.configuration({leader: math.nan})
    with pytest.raises(TypeError):
        tree.configuration({1: 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="one mapping"):
        tree.configuration({}, {})  # type: ignore[call-arg]


def test_permutation_to_another_order() -> None:
    ours, theirs = ["hip", "knee", "ankle"], ["ankle", "hip"]
    p = axode.permutation(ours, theirs)
    assert np.array_equal(p, [2, 0])
    v = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(v[p], [3.0, 1.0])
    v[p] = [30.0, 10.0]
    assert np.array_equal(v, [10.0, 2.0, 30.0])
    with pytest.raises(axode.Error, match="did you mean 'knee'"):
        axode.permutation(ours, ["kne"])
    with pytest.raises(axode.Error, match="stands twice"):
        axode.permutation(ours, ["hip", "hip"])
    with pytest.raises(axode.Error, match="stands twice"):
        axode.permutation(["hip", "hip"], ["hip"])
