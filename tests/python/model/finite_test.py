"""Numbers that are not finite, in arguments and results; which state of a batch has them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference_data import Motion, model

import axode

COUNT = 5


def no_gravity(function: Any) -> Callable[..., Any]:
    return lambda *arguments: function(*arguments, gravity=False)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_arguments_that_no_result_depends_on(bad: float) -> None:
    """The angle about the first axis, which is vertical, changes neither M nor forces."""
    tree = model("swinging_arm")
    m = Motion(tree, COUNT)
    m.q[3, 0] = bad
    functions: list[tuple[Callable[..., Any], int]] = [
        (axode.mass_matrix, 1),
        (axode.inverse_mass_matrix, 1),
        (axode.gravity_forces, 1),
        (axode.kinetic_energy, 2),
        (no_gravity(axode.inverse_dynamics), 3),
        (no_gravity(axode.forward_dynamics), 3),
        (no_gravity(axode.inverse_dynamics_derivatives), 3),
        (no_gravity(axode.forward_dynamics_derivatives), 3),
    ]
    for function, count in functions:
        with pytest.raises(axode.Error, match="^q, state 3: .* is not finite"):
            function(tree, *(m.q, m.v, m.a)[:count])
        with pytest.raises(axode.Error, match="^q: .* is not finite"):
            function(tree, *(m.q[3], m.v[3], m.a[3])[:count])


def test_one_bad_state_of_many() -> None:
    """So many that threads share them, and that they are taken in parts."""
    tree = model("swinging_arm")
    q = np.zeros((50_000, tree.nq))
    for state in (0, 4096, 33_333, 49_999):
        q[state, 0] = np.nan
        with pytest.raises(axode.Error, match=f"^q, state {state}: "):
            axode.mass_matrix(tree, q)
        with pytest.raises(axode.Error, match=f"^q, state {state}: "):
            axode.inverse_dynamics(tree, q, np.zeros(tree.nv), np.zeros(tree.nv), gravity=False)
        q[state, 0] = 0
    assert np.isfinite(axode.mass_matrix(tree, q)).all()


def test_acceleration_of_a_joint_that_moves_no_inertia() -> None:
    tree = model("panda")
    zero = np.zeros((COUNT, tree.nv))
    for k in range(tree.nv):
        a = zero.copy()
        a[2, k] = np.inf
        with pytest.raises(axode.Error, match=f"^a, state 2: .*'joint{k + 1}', is not finite"):
            axode.inverse_dynamics(tree, zero, zero, a, armature=False)


def test_wrench_on_a_body_that_no_joint_moves() -> None:
    tree = (
        axode.TreeBuilder("stand")
        .body("base", mass=1)
        .joint("mount", axode.fixed())
        .body("arm", mass=1, com=[0.1, 0, 0])
        .on("base")
        .joint("turn", axode.revolute())
        .build()
    )
    x = np.zeros((2, tree.nv))
    for function in (
        axode.inverse_dynamics,
        axode.forward_dynamics,
        axode.inverse_dynamics_derivatives,
        axode.forward_dynamics_derivatives,
    ):
        W = np.zeros((2, len(tree), 6))
        W[1, 0, 2] = np.nan
        with pytest.raises(axode.Error, match="^wrenches, state 1: .*'base' is not finite"):
            function(tree, x, x, x, W)
        with pytest.raises(axode.Error, match="^wrenches: .*'base' is not finite"):
            function(tree, x[0], x[0], x[0], W[1])


def test_results_that_overflow() -> None:
    tree = model("swinging_arm")
    q, a = np.zeros(tree.nq), np.zeros(tree.nv)
    v = np.full(tree.nv, 1e200)
    functions: list[Callable[..., Any]] = [
        axode.inverse_dynamics,
        axode.forward_dynamics,
        axode.joint_forces,
        axode.inverse_dynamics_derivatives,
        axode.forward_dynamics_derivatives,
        lambda t, q, v, a: axode.inverse_dynamics(t, q, v, a, rep="hybrid"),
        lambda t, q, v, a: axode.kinetic_energy(t, q, v),
        lambda t, q, v, a: axode.energy(t, q, v),
        lambda t, q, v, a: axode.accelerations(t, q, v, a),
    ]
    for function in functions:
        with pytest.raises(axode.Error, match="^the result is not finite"):
            function(tree, q, v, a)
        with pytest.raises(axode.Error, match="^state 2: the result is not finite"):
            function(tree, q, np.array([a, a, v]), a)


def test_the_state_is_named_alike_everywhere() -> None:
    tree = model("swinging_arm")
    q = np.zeros((3, tree.nq))
    q[1, 2] = np.nan
    body = tree.bodies[-1].name
    functions: list[Callable[[], Any]] = [
        lambda: axode.model.plus(tree, q, q),
        lambda: axode.gravity_forces(tree, q),
        lambda: axode.mass_matrix(tree, q),
        lambda: axode.poses(tree, q),
        lambda: axode.twists(tree, q, np.zeros(tree.nv)),
        lambda: axode.jacobian(tree, q, body),
        lambda: axode.potential_energy(tree, q),
    ]
    for function in functions:
        with pytest.raises(axode.Error, match="^q, state 1: .* is not finite"):
            function()


def test_types_of_errors_are_kept() -> None:
    tree = model("panda")
    q = np.zeros((2, tree.nq))
    with pytest.raises(axode.SingularError, match="state 0: "):
        axode.inverse_mass_matrix(tree, q)
    with pytest.raises(axode.SingularError, match="state 0: "):
        axode.forward_dynamics(tree, q, q, q, rep="spatial")


def test_empty_batches_are_checked() -> None:
    tree = model("swinging_arm")
    none, x = np.zeros((0, tree.nv)), np.zeros(tree.nv)
    nonsense: Any = "nonsense"
    for function in (axode.inverse_dynamics, axode.forward_dynamics, axode.joint_forces):
        with pytest.raises(axode.Error, match="^rep: 'nonsense' is none of"):
            function(tree, none, x, x, rep=nonsense)
    assert axode.inverse_dynamics(tree, none, x, x).shape == (0, tree.nv)


def unaligned(numbers: Any) -> Any:
    """The numbers in memory that starts one byte late."""
    copy = np.frombuffer(bytearray(numbers.nbytes + 1), np.uint8)[1:].view(np.float64)
    copy = copy.reshape(numbers.shape)
    copy[...] = numbers
    assert not copy.flags.aligned
    return copy


def test_unaligned_memory() -> None:
    tree = model("swinging_arm")
    m = Motion(tree, COUNT)
    late = [unaligned(x) for x in (m.q, m.v, m.a)]
    views: list[Any] = [memoryview(x) for x in late]
    expected = axode.inverse_dynamics(tree, m.q, m.v, m.a)
    np.testing.assert_array_equal(axode.inverse_dynamics(tree, *late), expected)
    np.testing.assert_array_equal(axode.inverse_dynamics(tree, *views), expected)
    with pytest.raises(axode.Error, match="^out: starts within a number"):
        axode.inverse_dynamics(tree, m.q, m.v, m.a, out=unaligned(m.v))
