"""A pole on a cart held upright: linearize, solve Riccati's equation, simulate the real thing."""

import axode
import numpy as np

tree = (
    axode.TreeBuilder("cart and pole")
    .body("cart", mass=1.0)
    .joint("slide", axode.prismatic(axis=[1, 0, 0]))
    .body("pole", mass=0.3, com=[0, 0, 0.5], about_com=np.diag([0.025, 0.025, 0.001]))
    .on("cart")
    .joint("hinge", axode.revolute(axis=[0, 1, 0]))
    .build()
)
upright = tree.neutral()
linear = axode.linearize(tree, upright, np.zeros(2), np.zeros(2))
A, B = linear.A, linear.B[:, :1]  # the motor is on the slide alone
print("open loop: poles", np.sort(np.linalg.eigvals(A).real).round(3) + 0.0)

# Continuous-time linear-quadratic regulator from the stable eigenvectors of the Hamiltonian matrix.
Q, R = np.diag([10.0, 100.0, 1.0, 10.0]), np.array([[0.1]])
H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
values, vectors = np.linalg.eig(H)
stable = vectors[:, values.real < 0]
P = np.real(stable[4:] @ np.linalg.inv(stable[:4]))
K = np.linalg.solve(R, B.T @ P)
print("gain", K.round(2)[0])
print("closed loop: slowest pole", np.linalg.eigvals(A - B @ K).real.max().round(3))


def control(t: float, q: axode.typing.Array, v: axode.typing.Array) -> axode.typing.Array:
    return np.array([-(K @ np.concatenate([q, v]))[0], 0.0])


start = np.array([0.0, 0.6])  # the pole leans by 34 degrees
run = axode.simulate(tree, q=start, v=np.zeros(2), duration=8, control=control, rtol=1e-8)
print(
    f"{run.ending}: cart went as far as {abs(run.q[:, 0]).max():.2f} m, "
    f"pole now upright within {1e3 * abs(run.q[-1, 1]):.1f} mrad"
)
