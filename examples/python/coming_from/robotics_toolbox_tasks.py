"""Ten tasks by the Robotics Toolbox and by Axode, with the same results.
docs/coming_from_robotics_toolbox.md shows the sections; scripts/test_coming_from runs them.
From the root of the repository.
"""

import numpy as np
from agree import agree

# --- 1 load a robot: theirs
from pathlib import Path

from roboticstoolbox.models.URDF.URDFRobot import URDFRobot

robot = URDFRobot(Path("models/arm.urdf").absolute())
print(robot.n, [link.name for link in robot.links])
# --- 1 load a robot: ours
import axode

tree = axode.Tree.from_urdf("models/arm.urdf")
print(tree.nq, tree.nv, tree.body_names)
# --- 1 load a robot: check
assert tree.nq == tree.nv == robot.n
names = [link.name for link in robot.links]
assert [name for name in tree.body_names if name != "base"] == names[1:]
random = np.random.default_rng(1)
np.random.seed(1)  # of random_q
# --- 2 configurations: theirs
q0 = np.zeros(robot.n)
q = robot.random_q()
d = q - q0
q_half = q0 + 0.5 * d
# --- 2 configurations: kept
kept = q0, q, d, q_half
# --- 2 configurations: ours
q0 = tree.neutral()
q = tree.random(seed=1)
d = tree.difference(q0, q)
q_half = tree.integrate(q0, 0.5 * d)
# --- 2 configurations: check
agree("2 neutral", q0, kept[0], 0)
agree("2 difference", tree.difference(q0, kept[1]), kept[2], 1e-15)
agree("2 integrate", tree.integrate(q0, 0.5 * kept[2]), kept[3], 1e-15)
lower, upper = robot.qlim
assert all(lower <= q) and all(q <= upper)
v, a = random.uniform(-1, 1, (2, tree.nv))
# --- 3 pose of a tool: theirs
T = robot.fkine(q, end="tool")
print(T.R, T.t)
# --- 3 pose of a tool: kept
kept = T.A
# --- 3 pose of a tool: ours
T = tree.transform(q, of="tool")
print(T.R, T.p)
# --- 3 pose of a tool: check
agree("3 pose", T.matrix, kept, 1e-14)
# --- 4 Jacobian and velocity: theirs
J = robot.jacob0(q, end="tool")
V = J @ v
linear, angular = V[:3], V[3:]
J_in_tool = robot.jacobe(q, end="tool")
# --- 4 Jacobian and velocity: kept
kept = J, np.concatenate([angular, linear]), J_in_tool
# --- 4 Jacobian and velocity: ours
J = axode.jacobian(tree, q, of="tool", rep="hybrid")
V = J @ v
angular, linear = V[:3], V[3:]
J_in_tool = axode.jacobian(tree, q, of="tool", rep="body")
# --- 4 Jacobian and velocity: check
linear_first = [3, 4, 5, 0, 1, 2]
agree("4 Jacobian", J[linear_first], kept[0], 1e-14)
agree("4 velocity", V, kept[1], 1e-14)
agree("4 Jacobian, body", J_in_tool[linear_first], kept[2], 1e-14)
# --- 5 inverse dynamics: theirs
tau = robot.rne(q, v, a)
# --- 5 inverse dynamics: kept
kept = tau
# --- 5 inverse dynamics: ours
tau = axode.inverse_dynamics(tree, q, v, a, damping=False)
# --- 5 inverse dynamics: check
agree("5 inverse dynamics", tau, kept, 1e-12)
# --- 6 forward dynamics: theirs
a = robot.accel(q, v, tau)
# --- 6 forward dynamics: kept
kept = a
# --- 6 forward dynamics: ours
a = axode.forward_dynamics(tree, q, v, tau, damping=False)
# --- 6 forward dynamics: check
agree("6 forward dynamics", a, kept, 1e-10)
# --- 7 mass, Coriolis and gravity terms: theirs
M = robot.inertia(q)
Cv = robot.rne(q, v, np.zeros(6), gravity=[0, 0, 0])
g = robot.gravload(q)
# --- 7 mass, Coriolis and gravity terms: kept
kept = M, Cv, g
# --- 7 mass, Coriolis and gravity terms: ours
M = axode.mass_matrix(tree, q)
C = axode.coriolis_matrix(tree, q, v)
g = axode.gravity_forces(tree, q)
# --- 7 mass, Coriolis and gravity terms: check
agree("7 mass matrix", M, kept[0], 1e-13)
agree("7 Coriolis forces C v", C @ v, kept[1], 1e-13)
agree("7 gravity", g, kept[2], 1e-13)
# --- 8 derivatives of the dynamics: theirs
h = 1e-6
steps = h * np.eye(6)
by_q = np.array([robot.rne(q + d, v, a) - robot.rne(q - d, v, a) for d in steps]).T / (2 * h)
by_v = np.array([robot.rne(q, v + d, a) - robot.rne(q, v - d, a) for d in steps]).T / (2 * h)
# --- 8 derivatives of the dynamics: kept
kept = by_q, by_v
# --- 8 derivatives of the dynamics: ours
derivatives = axode.inverse_dynamics_derivatives(tree, q, v, a, damping=False)
by_q, by_v = derivatives.by_q, derivatives.by_v
# --- 8 derivatives of the dynamics: check
agree("8 tau by q", by_q, kept[0], 1e-6)
agree("8 tau by v", by_v, kept[1], 1e-6)
goal = np.array([0.5, 0.3, -0.4, 0.6, 0.5, -0.8])
T_goal = tree.transform(goal, of="tool")
# --- 9 inverse kinematics: theirs
solution = robot.ikine_LM(T_goal.matrix, end="tool", q0=np.zeros(6))
print(solution.success, solution.reason, solution.q)
# --- 9 inverse kinematics: kept
theirs = tree.transform(solution.q, of="tool").matrix
assert solution.success
# --- 9 inverse kinematics: ours
found = axode.inverse_kinematics(tree, tree.neutral(), axode.pose_target("tool", T_goal))
print(found.success, found.reason, found.q)
# --- 9 inverse kinematics: check
assert found.success
agree("9 pose reached by theirs", theirs, T_goal.matrix, 1e-2)
agree("9 pose reached", tree.transform(found.q, of="tool").matrix, T_goal.matrix, 1e-7)
assert all(lower <= found.q) and all(found.q <= upper)
# --- 10 simulate with a controller: theirs
gains = np.array([60, 60, 40, 5, 5, 1])
damping = np.array([0.5, 0.5, 0.3, 0.1, 0.1, 0.05])

def torque(robot, t, q, qd):
    return gains * (goal - q) - 0.1 * gains * qd - damping * qd

tolerances = {"rtol": 1e-6, "atol": 1e-9}
path = robot.fdyn(0.1, np.zeros(6), torque, solver_args=tolerances)
print(path.t[-1], path.q[-1], path.qd[-1])
# --- 10 simulate with a controller: ours
def control(t, q, v):
    return gains * (goal - q) - 0.1 * gains * v

run = axode.simulate(tree, q=tree.neutral(), v=np.zeros(6), duration=0.1, control=control)
print(run.t[-1], run.q[-1], run.v[-1])
# --- 10 simulate with a controller: check
agree("10 coordinates after 0.1 s", run.q[-1], path.q[-1], 1e-5)
# --- 11 a robot by its DH table: theirs
import roboticstoolbox as rtb

puma = rtb.models.DH.Puma560().nofriction(coulomb=True, viscous=True)
tau = puma.rne(q, v, a)
C = puma.coriolis(q, v)
# --- 11 a robot by its DH table: ours
builder = axode.TreeBuilder("puma")
for k, link in enumerate(puma.links):
    builder.body(f"link{k}", mass=link.m, com=link.r, about_com=link.I)
    if k > 0:
        builder.on(f"link{k - 1}")
    row = axode.model.classic_dh(d=link.d, a=link.a, alpha=link.alpha, theta=link.offset)
    builder.joint(f"joint{k}", row).armature(link.G**2 * link.Jm)
puma_tree = builder.build()
tau_ours = axode.inverse_dynamics(puma_tree, q, v, a)
C_ours = axode.coriolis_matrix(puma_tree, q, v)
# --- 11 a robot by its DH table: check
agree("11 pose", axode.poses(puma_tree, q)[-1], puma.fkine(q).A, 1e-14)
agree("11 inverse dynamics", tau_ours, tau, 1e-11)
agree("11 Coriolis forces C v", C_ours @ v, C @ v, 1e-11)
