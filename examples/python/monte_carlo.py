"""A hundred thousand random states in one call: which torques does a workspace of motions need?"""

import axode
import numpy as np

tree = axode.Tree.from_file("models/swinging_arm.json")
random = np.random.default_rng(2)
count = 100_000
q = tree.random(seed=3, count=count)
v = random.normal(0, 1, (count, tree.nv))
a = random.normal(0, 3, (count, tree.nv))

tau = axode.inverse_dynamics(tree, q, v, a)  # on all lanes and threads
for name, column in zip(tree.joint_names, tau.T):
    low, middle, high = np.percentile(abs(column), [50, 95, 99.9])
    print(
        f"{name}: |tau| median {low:6.2f}, 95 % below {middle:6.2f}, 99.9 % below {high:6.2f} N m"
    )

# One of them for itself gives the same.
k = int(abs(tau[:, 1]).argmax())
assert np.allclose(axode.inverse_dynamics(tree, q[k], v[k], a[k]), tau[k], rtol=1e-10, atol=1e-10)
