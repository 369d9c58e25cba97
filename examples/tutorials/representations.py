"""The same motion in four tables: the twist of a tool in all representations."""

import axode
import numpy as np

np.set_printoptions(precision=3, suppress=True, floatmode="fixed", sign=" ")
reps: tuple[axode.typing.Rep, ...] = ("body", "spatial", "hybrid", "mixed")
robot = axode.Tree.from_file("models/swinging_arm.json")
tool = robot.body_names[-1]


def head(text: str) -> None:
    print(f"# --- {text}: prints")


# --- 1 four tables: title
head("1 four tables")
# --- 1 four tables: code
q0 = np.array([0.5, 0.9, 0.0, -1.2, 0.0, 0.6, 0.0])
v = np.array([0.8, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0])
for rep in reps:
    print(f"{rep}:   omega [rad/s]          v [m/s]")
    for t in (0.0, 0.5, 1.0):
        V = axode.twists(robot, q0 + t * v, v, rep=rep)[-1]
        print(f"  t = {t:.1f}  {V[:3]}  {V[3:]}")

# --- 2 there and back: title
head("2 there and back")
# --- 2 there and back: code
T = axode.lie.SE3(axode.poses(robot, q0)[-1])
body = axode.screw.Twist(axode.twists(robot, q0, v, rep="body")[-1], rep="body")
R, p, V = T.R, T.p, body.six()
print("spatial", axode.screw.convert_with_pose(T, body, "spatial").six())
print("Ad_T V ", np.r_[R @ V[:3], R @ V[3:] + np.cross(p, R @ V[:3])])
print("hybrid ", axode.screw.convert_with_pose(T, body, "hybrid").six())
print("R, R   ", np.r_[R @ V[:3], R @ V[3:]])
print("mixed  ", axode.screw.convert_with_pose(T, body, "mixed").six())
print("1, R   ", np.r_[V[:3], R @ V[3:]])

# --- 3 the spatial one is no velocity of the tool: title
head("3 the spatial one is no velocity of the tool")
# --- 3 the spatial one is no velocity of the tool: code
spatial = axode.twists(robot, q0, v, rep="spatial")[-1]
hybrid = axode.twists(robot, q0, v, rep="hybrid")[-1]
h = 1e-6
moved = axode.poses(robot, np.stack([q0 - h * v, q0 + h * v]))[:, -1, :3, 3]
print("by differences", (moved[1] - moved[0]) / (2 * h))
print("hybrid        ", hybrid[3:])
print("spatial       ", spatial[3:], "of the point of the tool at the world's origin")

# --- 4 the same power: title
head("4 the same power")
# --- 4 the same power: code
push = axode.screw.Wrench([1, 2, 3, 10, 20, 30], rep="body")
for rep in reps:
    W = axode.screw.convert_with_pose(T, push, rep)
    power = axode.screw.pairing(W, axode.screw.convert_with_pose(T, body, rep))
    print(f"{rep:8}{W.six()}  {power:.6f} W")

# --- 5 accelerations differ by more than axes: title
head("5 accelerations differ by more than axes")
# --- 5 accelerations differ by more than axes: code
a = np.zeros(robot.nv)
for rep in reps:
    print(f"{rep:8}", axode.accelerations(robot, q0, v, a, rep=rep)[-1])
