"""Screws in ten steps; docs/tutorials/screws.md shows each with its picture."""

import axode
import numpy as np

np.set_printoptions(precision=3, suppress=True, floatmode="fixed")


def head(text: str) -> None:
    print(f"# --- {text}: prints")


def short(x: axode.typing.ArrayLike) -> axode.typing.Array:
    """Three digits, and no negative zero."""
    return np.round(np.asarray(x, float), 3) + 0.0


# --- 1 what a screw is: title
head("1 what a screw is")
# --- 1 what a screw is: code
thread = axode.screw.make_screw(axis=[0, 0, 1], point=[0.2, 0, 0], pitch=0.03)
print("coordinates", short(axode.screw.coordinates(thread)))
back = axode.screw.screw_from_coordinates(axode.screw.coordinates(thread)).screw
print(f"back: point {short(back.point)}, pitch {back.pitch:.3f} m/rad")

# --- 2 its pitch: title
head("2 its pitch")
# --- 2 its pitch: code
for pitch in (0.0, 0.08, 0.16):
    bolt = axode.screw.make_screw([0, 0, 1], [0, 0, 0], pitch)
    T = axode.lie.exp(2 * np.pi * axode.screw.coordinates(bolt))
    print(f"pitch {pitch:.2f}: a turn lifts by {T.p[2]:.3f} m")
slide = axode.screw.coordinates(axode.screw.make_translation_screw([0, 0, 1]))
print("infinite pitch:", slide)

# --- 3 the twist of a body: title
head("3 the twist of a body")
# --- 3 the twist of a body: code
lead = axode.screw.make_screw([0, 0, 1], [0, 0, 0], 0.12)
V = 2.0 * axode.screw.coordinates(lead)  # 2 rad/s about it
omega, v = V[:3], V[3:]
for r in ([0.0, 0, 0], [0.25, 0, 0], [0.5, 0, 0]):
    print("point", np.array(r), "moves with", short(v + np.cross(omega, r)), "m/s")

# --- 4 a wrench: title
head("4 a wrench")
# --- 4 a wrench: code
W = np.array([0, 4.5, 3.2, 0, 0, 8])  # moment about the origin, force
found = axode.screw.central_axis(W)
print(f"{found.intensity:.1f} N along {short(found.screw.axis)} through {short(found.screw.point)}")
print(f"and {found.intensity * found.screw.pitch:.1f} N m about it")

# --- 5 product of exponentials: title
head("5 product of exponentials")
# --- 5 product of exponentials: code
robot = axode.Tree.from_file("examples/tutorials/robot.json")
q = np.array([0.5, 0.7, 0.2, 0.4, 0.9, 0.5])
A = robot.transform(robot.neutral(), of="tool")  # the tool in the drawing
T = axode.lie.SE3()
for joint, angle in zip(robot.screws, q):  # the axes of the drawing, never moved
    T = T * axode.lie.exp(angle * joint)
print("tool at", short((T * A).p), "m")
print("library", short(robot.transform(q, of="tool").p), "m")

# --- 6 instantaneous screw axis: title
head("6 instantaneous screw axis")
# --- 6 instantaneous screw axis: code
v = np.array([0.4, -0.3, 0.5, 0.0, 0.6, 0.2])
V = axode.twist(robot, q, v, of="tool", rep="spatial")
now = axode.screw.screw_from_coordinates(V)
print(f"the gripper turns with {now.magnitude:.3f} rad/s about {short(now.screw.axis)}")
print(f"through {short(now.screw.point)}, pitch {now.screw.pitch:.3f} m/rad")

# --- 7 axodes: title
head("7 axodes")
# --- 7 axodes: code
linkage = axode.Mechanism.from_file("examples/tutorials/four_bar.json").formulate("natural")
for t in (0.0, 0.05, 0.4):
    state = linkage.assemble(t)
    poses, twists = linkage.motion(state.q, state.v)
    omega_z, at_B, v_B = twists[2][2], poses[2][:2, 3], twists[2][3:5]
    pole = at_B + np.array([-v_B[1], v_B[0]]) / omega_z
    print(f"t = {t:.2f} s: the coupler turns about {short(pole)} m")

# --- 8 columns of the Jacobian: title
head("8 columns of the Jacobian")
# --- 8 columns of the Jacobian: code
J = axode.jacobian(robot, q, of="tool", rep="spatial")
for name, column in zip(["turn", "shoulder", "elbow", "roll", "bend", "screw"], J.T):
    axis = axode.screw.screw_from_coordinates(column).screw
    assert abs(axis.pitch) < 1e-12
    print(f"{name:9}about {short(axis.axis)} through {short(axis.point)}")

# --- 9 reciprocity: title
head("9 reciprocity")
# --- 9 reciprocity: code
hinge = axode.screw.coordinates(axode.screw.make_screw([0, 0, 1], [0, 0, 0]))
# A force is a screw, too.
meets = axode.screw.coordinates(axode.screw.make_screw([1, 0, 0], [0.75, 0, 0.85]))
passes = axode.screw.coordinates(axode.screw.make_screw([0, 1, 0], [0.9, 0, 0.3]))
print(f"a force that meets the hinge: {axode.screw.reciprocal_product(hinge, meets):.2f} W")
print(f"one that passes it at 0.9 m:  {axode.screw.reciprocal_product(hinge, passes):.2f} W")

# --- 10 manipulability: title
head("10 manipulability")
# --- 10 manipulability: code
stretched = np.array([0.5, 0.7, -1.436, 0, 0, 0])
for name, state_q in (("bent", q), ("stretched", stretched)):
    found_m = axode.manipulability(robot, state_q, "tool", rows="translation")
    print(f"{name:10}the tool moves with {found_m.singular_values} m/s per rad/s")
