"""Inverse dynamics of a seven-joint arm: one state, a payload, all representations, derivatives."""

import axode
import numpy as np

tree = axode.Tree.from_file("models/swinging_arm.json")
q, v, a = tree.random(seed=7), np.full(tree.nv, 0.5), np.full(tree.nv, -1.0)
np.set_printoptions(precision=3, suppress=True, floatmode="fixed", linewidth=100)

tau = axode.inverse_dynamics(tree, q, v, a)
print("joint torques         ", tau, "N m")
print("of which gravity      ", axode.gravity_forces(tree, q).round(6) + 0.0)
hand = tree.body_names[-1]
weight = axode.dynamics.NamedWrench(
    hand, np.array([0, 0, 0, 0, 0, -20.0]), axode.Frame(hand, "world")
)
print("with 20 N at the hand ", axode.inverse_dynamics(tree, q, v, a, wrenches=[weight]))

# The same by the recursion of each representation, by the closed form, and back.
reps: tuple[axode.typing.Rep, ...] = ("body", "spatial", "hybrid", "mixed")
for rep in reps:
    assert np.allclose(axode.inverse_dynamics(tree, q, v, a, rep=rep), tau, atol=1e-10)
M, C = axode.mass_matrix(tree, q), axode.coriolis_matrix(tree, q, v)
losses = tau - (M @ a + C @ v + axode.gravity_forces(tree, q))
print("damping and friction  ", losses)
assert np.allclose(axode.forward_dynamics(tree, q, v, tau), a, atol=1e-9)

by = axode.inverse_dynamics_derivatives(tree, q, v, a)
h = 1e-6
numeric = (
    axode.inverse_dynamics(tree, tree.integrate(q, h * np.eye(tree.nv)[1]), v, a)
    - axode.inverse_dynamics(tree, tree.integrate(q, -h * np.eye(tree.nv)[1]), v, a)
) / (2 * h)
assert np.allclose(by.by_q[:, 1], numeric, atol=1e-7)
print("derivative by q2      ", by.by_q[:, 1], "N m/rad, as by differences")
