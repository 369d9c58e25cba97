"""A robot as a CAD program tells it: the table of what was measured, at q = 0, is the model."""

import axode
import numpy as np

np.set_printoptions(precision=3, suppress=True, floatmode="fixed")

# body: mass, centre of mass, moments about it; joint: axis, a point of the axis, damping
drawing = {
    ("column", "turn"): (6, (0.02, 0, 0.28), (0.05, 0.05, 0.03), (0, 0, 1), (0, 0, 0), 0.5),
    ("upper arm", "shoulder"): (
        5, (0.05, 0, 0.55), (0.1, 0.095, 0.012), (0, 1, 0), (0.05, 0, 0.35), 0.5),
    ("forearm", "elbow"): (
        3.5, (0.12, 0, 0.79), (0.01, 0.022, 0.02), (0, 1, 0), (0.05, 0, 0.75), 0.3),
    ("wrist", "roll"): (
        1.8, (0.32, 0, 0.8), (0.003, 0.012, 0.012), (1, 0, 0), (0, 0, 0.8), 0.1),
    ("hand", "bend"): (
        0.9, (0.44, 0, 0.8), (0.0012, 0.0012, 0.001), (0, 1, 0), (0.42, 0, 0.8), 0.1),
    ("gripper", "screw"): (
        0.3, (0.51, 0, 0.8), (0.0003, 0.0002, 0.0002), (1, 0, 0), (0, 0, 0.8), 0.05),
}  # fmt: skip
builder = axode.TreeBuilder("robot")
builder = builder.body("base", mass=9, com=(0, 0, 0.05), about_com=np.diag((0.04, 0.04, 0.06)))
builder = builder.joint("floor", axode.fixed())
before = "base"
for (body, joint), (mass, com, moments, axis, point, damping) in drawing.items():
    builder = builder.body(body, mass=mass, com=com, about_com=np.diag(moments)).on(before)
    builder = builder.joint(joint, axode.revolute(axis=axis, point=point)).damping(damping)
    before = body
robot = builder.frame("tool", on="gripper", at=axode.translation((0.56, 0, 0.8))).build()
print(robot)

q, v, a = np.array([0.5, 0.7, 0.2, 0.4, 0.9, 0.5]), np.full(6, 0.5), np.full(6, -1.0)
print("tool at", robot.transform(q, of="tool").p, "m")
print("torques", axode.inverse_dynamics(robot, q, v, a), "N m")

# The same robot from the file, and in the form most other programs want: frames at the joints.
file = axode.Tree.from_file("examples/tutorials/robot.json")
assert np.allclose(axode.mass_matrix(robot, q), axode.mass_matrix(file, q), atol=1e-14)
for body in ("forearm", "wrist"):
    frames = axode.model.joint_frames(robot, body)
    print(f"{body}: joint frame in its parent at {np.round(frames.S_parent.p, 3) + 0.0}")

# Where must the axes be for a given point of the tool? Ask the robot.
found = axode.inverse_kinematics(file, q, axode.position_target("tool", (0.4, 0.2, 0.5)))
print("reached" if found.converged else found.reason, found.q)
