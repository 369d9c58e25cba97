"""One motion in the four representations of twists, side by side."""

from pathlib import Path

import axode
import numpy as np

tree = axode.Tree.from_file(Path("models/swinging_arm.json"))
q, v = tree.random(seed=1), np.linspace(0.2, 0.8, tree.nv)
tool = tree.body_names[-1]

print(f"twist of {tool}: omega [rad/s], v [m/s]")
reps: tuple[axode.typing.Rep, ...] = ("body", "spatial", "hybrid", "mixed")
for rep in reps:
    V = axode.twists(tree, q, v, rep=rep)[-1]
    J = axode.jacobian(tree, q, of=tool, rep=rep)
    assert np.allclose(J @ v, V, atol=1e-12)
    print(f"  {rep:8}", np.array2string(V, precision=3, sign=" ", floatmode="fixed"))

# The same power in each: wrenches transform so that it is.
T = axode.lie.SE3(axode.poses(tree, q)[-1])
V_body = axode.screw.Twist(axode.twists(tree, q, v, rep="body")[-1], rep="body")
W_body = axode.screw.Wrench([1, 2, 3, 10, 20, 30], rep="body")
for rep in reps:
    W = axode.screw.convert_with_pose(T, W_body, rep)
    power = axode.screw.pairing(W, axode.screw.convert_with_pose(T, V_body, rep))
    print(f"  {rep:8} power {power:.6f} W")
