import axode
import numpy as np

# Two joints by their axes in the world at q = 0. No joint frames, no body frames.
tree = (
    axode.TreeBuilder("arm")
    .body("upper arm", mass=2, com=[0, 0, 0.55], about_com=np.diag([0.04, 0.04, 0.003]))
    .joint("shoulder", axode.revolute(axis=[0, 1, 0], point=[0, 0, 0.3]))
    .body("forearm", mass=1, com=[0, 0, 1.0], about_com=np.diag([0.02, 0.02, 0.001]))
    .on("upper arm")
    .joint("elbow", axode.revolute(axis=[0, 1, 0], point=[0, 0, 0.8]))
    .frame("hand", on="forearm", at=axode.translation([0, 0, 1.2]))
    .build()
)
q, v = np.array([0.4, 1.1]), np.array([0.5, -0.2])
print(tree)
print("hand at", tree.transform(q, of="hand").p.round(3), "m")
print("and moves with", (axode.jacobian(tree, q, of="hand", rep="hybrid") @ v)[3:].round(3), "m/s")
print("holding it takes", axode.inverse_dynamics(tree, q, 0 * v, 0 * v).round(3), "N m")

# Many states at once: a leading axis.
states = np.linspace([0, 0], [1, 1], 1000)
print("a thousand mass matrices:", axode.mass_matrix(tree, states).shape)

# Let it fall, with a little brake in the elbow, and watch the energy.
run = axode.simulate(tree, q=q, v=v, duration=2, control=lambda t, q, v: np.array([0, -0.1 * v[1]]))
print(
    f"after {run.t[-1]:.0f} s: q = {run.q[-1].round(3)} rad,",
    f"{run.energy[0] - run.energy[-1]:.3f} J lost",
)
