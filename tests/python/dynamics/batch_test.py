"""Batches give what single states give; arrays to write to; errors that name the state."""

from typing import Any

import numpy as np
import pytest
from reference_data import Motion, model, relative

import axode

COUNT = 37  # no multiple of the lanes


@pytest.fixture(scope="module", params=["swinging_arm", "quadruped", "scara", "puma560"])
def motion(request: Any) -> Motion:
    return Motion(model(request.param), COUNT)


def compare(batch: Any, single: Any, tolerance: float) -> None:
    """All parts of a batch of results with those of its states."""
    if isinstance(batch, tuple):
        for k in range(len(batch)):
            compare(batch[k], [one[k] for one in single], tolerance)
    elif batch is not None:
        single = np.array(single)
        assert batch.shape == single.shape
        assert relative(batch, single) < tolerance


def test_batches_are_their_states(motion: Motion) -> None:
    tree, q, v, a, W = motion.tree, motion.q, motion.v, motion.a, motion.wrenches
    name = tree.bodies[-1].name
    functions: list[tuple[Any, tuple[Any, ...]]] = [
        (axode.inverse_dynamics, (q, v, a)),
        (axode.inverse_dynamics, (q, v, a, W)),
        (lambda t, q, v, a: axode.inverse_dynamics(t, q, v, a, rep="spatial"), (q, v, a)),
        (lambda t, q, v, a: axode.inverse_dynamics(t, q, v, a, friction=False), (q, v, a)),
        (lambda t, q, v, a, w: axode.inverse_dynamics(t, q, v, a, {name: w}), (q, v, a, W[:, 0])),
        (axode.forward_dynamics, (q, v, a)),
        (axode.forward_dynamics, (q, v, a, W)),
        (lambda t, q, v, a: axode.forward_dynamics(t, q, v, a, rep="hybrid"), (q, v, a)),
        (axode.mass_matrix, (q,)),
        (axode.inverse_mass_matrix, (q,)),
        (axode.coriolis_matrix, (q, v)),
        (axode.dynamics.christoffel_symbols, (q,)),
        (axode.gravity_forces, (q,)),
        (axode.energy, (q, v)),
        (axode.kinetic_energy, (q, v)),
        (axode.potential_energy, (q,)),
        (axode.dynamics.power, (q, v, a, W)),
        (axode.inverse_dynamics_derivatives, (q, v, a, W)),
        (axode.forward_dynamics_derivatives, (q, v, a, W)),
        (axode.dynamics.inverse_dynamics_second_derivatives, (q, v, a)),
        (axode.dynamics.inverse_dynamics_rates, (q, v, a, v, a)),
        (axode.joint_forces, (q, v, a)),
        (axode.dynamics.regressor, (q, v, a)),
        (axode.linearize, (q, v, a)),
        (axode.dynamics.centroidal_momentum_matrix, (q,)),
        (axode.dynamics.momentum_form, (q, v, a)),
        (axode.dynamics.closed_form_matrices, (q, v)),
        (axode.dynamics.composite_motion, (q, v, a)),
    ]
    for function, arguments in functions:
        batch = function(tree, *arguments)
        single = [function(tree, *(x[i] for x in arguments)) for i in range(COUNT)]
        if function is axode.joint_forces:
            batch, single = batch[:2], [one[:2] for one in single]
        if function is axode.linearize:  # the last are names
            assert batch.independent == single[0].independent
            batch, single = batch[:-1], [one[:-1] for one in single]
        compare(batch, single, 1e-10)


def test_one_state_stands_for_all(motion: Motion) -> None:
    tree, q, v, a = motion.tree, motion.q, motion.v, motion.a
    expected = axode.inverse_dynamics(tree, q, np.tile(v[0], (COUNT, 1)), np.zeros_like(v))
    assert np.array_equal(axode.inverse_dynamics(tree, q, v[0], np.zeros(tree.nv)), expected)
    expected = axode.forward_dynamics(tree, np.tile(q[0], (COUNT, 1)), v, a)
    assert np.array_equal(axode.forward_dynamics(tree, q[0], v, a), expected)
    W = motion.wrenches[0]
    expected = axode.inverse_dynamics(tree, q, v, a, np.tile(W, (COUNT, 1, 1)))
    assert np.array_equal(axode.inverse_dynamics(tree, q, v, a, W), expected)


def test_results_do_not_depend_on_threads(motion: Motion) -> None:
    tree = motion.tree
    try:
        results = []
        for threads in (1, 2, 3):
            axode.set_threads(threads)
            assert axode.threads() == threads
            results.append(axode.inverse_dynamics(tree, motion.q, motion.v, motion.a))
    finally:
        axode.set_threads(0)
    assert np.array_equal(results[0], results[1]) and np.array_equal(results[0], results[2])


def test_layouts(motion: Motion) -> None:
    tree, q, v, a = motion.tree, motion.q, motion.v, motion.a
    expected = axode.inverse_dynamics(tree, q, v, a)
    fortran = np.asfortranarray(q)
    strided = np.repeat(v, 2, axis=0)[::2]
    read_only = a.copy()
    read_only.flags.writeable = False
    assert np.array_equal(axode.inverse_dynamics(tree, fortran, strided, read_only), expected)
    assert np.array_equal(axode.inverse_dynamics(tree, q.tolist(), v.tolist(), a), expected)
    with pytest.raises(TypeError, match="q: numbers of type float32"):
        axode.inverse_dynamics(tree, q.astype(np.float32), v, a)
    swapped = q.astype(">f8")
    with pytest.raises(TypeError):
        axode.inverse_dynamics(tree, swapped, v, a)


def test_empty_batches(motion: Motion) -> None:
    tree, n = motion.tree, motion.tree.nv
    q, v = np.zeros((0, tree.nq)), np.zeros((0, n))
    assert axode.inverse_dynamics(tree, q, v, v).shape == (0, n)
    assert axode.forward_dynamics(tree, q, v, v).shape == (0, n)
    assert axode.mass_matrix(tree, q).shape == (0, n, n)
    assert axode.inverse_dynamics_derivatives(tree, q, v, v).by_q.shape == (0, n, n)
    assert axode.energy(tree, q, v).kinetic.shape == (0,)  # type: ignore[union-attr]
    assert axode.coriolis_matrix(tree, q, v).shape == (0, n, n)


def test_out(motion: Motion) -> None:
    tree, q, v, a = motion.tree, motion.q, motion.v, motion.a
    out = np.full_like(a, np.nan)
    for function in (axode.inverse_dynamics, axode.forward_dynamics):
        assert function(tree, q, v, a, out=out) is out
        assert np.array_equal(out, function(tree, q, v, a))
        assert function(tree, q[0], v[0], a[0], out=out[3]).base is not None
        assert np.array_equal(out[3], function(tree, q[0], v[0], a[0]))
    M = np.empty((COUNT, tree.nv, tree.nv))
    assert axode.mass_matrix(tree, q, out=M) is M
    assert np.array_equal(M, axode.mass_matrix(tree, q))
    read_only = out.copy()
    read_only.flags.writeable = False
    cases: Any = (
        (np.empty((COUNT, tree.nv + 1)), "out: has shape"),
        (np.empty(tree.nv), "out: has shape"),
        (np.empty((tree.nv, COUNT)).T, "out: .*C order"),
        (read_only, "out: .*writable"),
        (3.0, "out: .*writable"),
        (v, "out: has memory of an argument"),
        (a, "out: has memory of an argument"),
    )
    for wrong, text in cases:
        with pytest.raises(axode.Error, match=text):
            axode.inverse_dynamics(tree, q, v, a, out=wrong)
    integers: Any = np.empty((COUNT, tree.nv), dtype=int)
    with pytest.raises(TypeError, match="out: give an array of float64"):
        axode.inverse_dynamics(tree, q, v, a, out=integers)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_name_argument_state_and_joint(bad: float) -> None:
    tree = model("swinging_arm")
    m = Motion(tree, COUNT)
    joint = tree.bodies[3].joint_name
    functions: list[tuple[Any, str]] = [
        (axode.inverse_dynamics, "a"),
        (axode.forward_dynamics, "tau"),
        (axode.inverse_dynamics_derivatives, "a"),
        (axode.forward_dynamics_derivatives, "tau"),
        (lambda t, q, v, a: axode.inverse_dynamics(t, q, v, a, rep="hybrid"), "a"),
    ]
    for function, third in functions:
        for k, name in enumerate(("q", "v", third)):
            arguments = [m.q.copy(), m.v.copy(), m.a.copy()]
            arguments[k][17, 3] = bad
            with pytest.raises(axode.Error, match=f"^{name}, state 17: .*'{joint}', is not finite"):
                function(tree, *arguments)
    q, W = m.q.copy(), m.wrenches.copy()
    q[5, 3] = bad
    with pytest.raises(axode.Error, match=f"^q, state 5: .*'{joint}', is not finite"):
        axode.mass_matrix(tree, q)
    W[11, 4, 2] = bad
    name = tree.bodies[4].name
    with pytest.raises(axode.Error, match=f"^wrenches, state 11: .*'{name}' is not finite"):
        axode.inverse_dynamics(tree, m.q, m.v, m.a, W)


def test_results_that_overflow_are_errors() -> None:
    tree = model("swinging_arm")
    m = Motion(tree, COUNT)
    m.v[8] = 1e200
    with pytest.raises(axode.Error, match="state 8: the result is not finite"):
        axode.inverse_dynamics(tree, m.q, m.v, m.a)


def test_quaternions_are_checked() -> None:
    tree = model("quadruped")
    m = Motion(tree, COUNT)
    nearly = m.q.copy()
    nearly[9, :4] *= 1 + 5e-7
    axode.inverse_dynamics(tree, nearly, m.v, m.a)
    m.q[9, :4] *= 1.01
    for call in (
        lambda: axode.inverse_dynamics(tree, m.q, m.v, m.a),
        lambda: axode.forward_dynamics(tree, m.q, m.v, m.a),
        lambda: axode.mass_matrix(tree, m.q),
        lambda: axode.inverse_dynamics_derivatives(tree, m.q, m.v, m.a),
        lambda: axode.gravity_forces(tree, m.q),
    ):
        with pytest.raises(axode.Error, match="^q, state 9: the quaternion of"):
            call()


def test_singular_states_are_named() -> None:
    tree = model("panda")
    q = np.zeros((5, 7))
    for call in (
        lambda: axode.forward_dynamics(tree, q, q, q),
        lambda: axode.forward_dynamics_derivatives(tree, q, q, q),
        lambda: axode.inverse_mass_matrix(tree, q),
    ):
        with pytest.raises(axode.SingularError, match="state 0: joint 'joint7' moves no inertia"):
            call()


def test_batches_of_different_sizes_are_refused(motion: Motion) -> None:
    tree, q, v, a = motion.tree, motion.q, motion.v, motion.a
    with pytest.raises(axode.Error, match="v: has 3 states, q has 37"):
        axode.inverse_dynamics(tree, q, v[:3], a)
    with pytest.raises(axode.Error, match="wrenches: has 3 states"):
        axode.inverse_dynamics(tree, q, v, a, motion.wrenches[:3])
    with pytest.raises(axode.Error, match="q: has shape"):
        axode.inverse_dynamics(tree, q[None], v, a)
