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

methods: list[tuple[axode.typing.Method, float]] = [
    ("mk4", 1e-3),
    ("variational", 1e-3),
    ("mk5", 0),
    ("cvode", 0),
]
print("method        energy drift below   length of the quaternion")
for method, step in methods:
    run = axode.simulate(
        tree, q=tree.neutral(), v=v, duration=1, method=method, step=step, rtol=1e-8, atol=1e-10
    )
    drift = abs(run.energy - run.energy[0]).max() / run.kinetic[0]
    length = abs(np.linalg.norm(run.q[:, :4], axis=1) - 1).max()
    print(
        f"{method:12} {10 ** np.ceil(np.log10(drift)):14.0e}         "
        f"{'1 to rounding' if length < 1e-14 else 'drifts'}"
    )
