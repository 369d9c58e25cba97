"""A surgical robot's remote-centre mechanism from joint screws alone, without any frames."""

import axode
import numpy as np

# Five axes in the world at q = 0 [m]: a point and a direction each, of any length.
axes: dict[str, tuple[list[float], list[float]]] = {
    "q1": ([0, 0, 0], [0, 0, 1]),
    "q2": ([-0.35, 0, 0], [0, 0, 1]),
    "q3": ([0.42, 0, 0], [0, 0, 1]),
    "q4": ([0.95, 0, 0.30], [-1, 0, 1]),
    "q5": ([0.78, 0, 0], [0, 0, 1]),
}
builder = axode.TreeBuilder("remote centre")
parent = "world"
for name, (point, axis) in axes.items():
    body = f"body of {name}"
    builder.body(body).on(parent).joint(name, axode.revolute(axis=axis, point=point))
    parent = body
centre = np.array([0.78, 0, 0.47])  # axes 4 and 5 meet here
builder.frame("remote centre", on=parent, at=axode.translation(centre))
tree = builder.build()
print(tree)

# Joints 4 and 5 turn the instrument about the point of incision and leave that where it is.
T = tree.transform(np.radians([0, 0, 0, 30, -15]), of="remote centre")
moved = axode.screw.chasles(T * axode.lie.inverse(axode.translation(centre)))
print(
    f"joints 4 and 5 turn it by {np.degrees(moved.displacement):.1f} deg "
    f"and move it by {1e9 * np.linalg.norm(T.p - centre):.3f} nm"
)

# The whole displacement is one screw motion (Chasles).
T = tree.transform(np.radians([20, 35, -50, 30, -15]), of="remote centre")
whole = axode.screw.chasles(T * axode.lie.inverse(axode.translation(centre)))
print(
    f"a general position: {np.degrees(whole.displacement):.1f} deg about an axis along "
    f"{np.round(whole.screw.axis, 3)}, pitch {whole.screw.pitch:.3f} m/rad"
)
