"""A heavy top by integrators of different kinds: what each keeps, and what it costs."""

import axode
import numpy as np

tree = (
    axode.TreeBuilder("heavy top")
    .body("top", mass=15.0, com=[0, 1.0, 0], about_com=np.diag([0.234375, 0.46875, 0.234375]))
    .joint("tip", axode.spherical())
    .build()
)
v = np.array([0.0, 150.0, -4.61538])  # [rad/s]: fast spin and slow precession

print("method         steps   |q|-1     energy drift")
for method, step in [("mk4", 1e-3), ("variational", 1e-3), ("mk5", 0.0), ("cvode", 0.0)]:
    run = axode.simulate(tree, tree.neutral(), v, duration=1, method=method, step=step,
                         rtol=1e-8, atol=1e-10)
    length = abs(np.linalg.norm(run.q[:, :4], axis=1) - 1).max()
    drift = abs(run.energy - run.energy[0]).max() / run.kinetic[0]
    print(f"{method:12} {run.statistics.steps:7}   {length:7.0e}   {drift:9.0e}")
