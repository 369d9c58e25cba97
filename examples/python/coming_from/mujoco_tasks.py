"""Ten tasks by MuJoCo and by Axode, with the same results. docs/coming_from_mujoco.md shows the
sections; scripts/test_coming_from runs them. From the root of the repository.
"""

import numpy as np
from agree import agree

# --- 1 load a robot: theirs
import mujoco

spec = mujoco.MjSpec.from_file("models/arm.urdf")
spec.compiler.fusestatic = False  # keeps the tool, a link on a fixed joint
model = spec.compile()
data = mujoco.MjData(model)
print(model.nq, model.nv, [model.joint(i).name for i in range(model.njnt)])
# --- 1 load a robot: ours
import axode

tree = axode.Tree.from_urdf("models/arm.urdf")
print(tree.nq, tree.nv, tree.joint_names)
# --- 1 load a robot: check
assert (tree.nq, tree.nv) == (model.nq, model.nv)
names = [model.joint(i).name for i in range(model.njnt)]
assert [name for name in tree.joint_names if name in names] == names
random = np.random.default_rng(1)
# --- 2 configurations: theirs
q0 = model.qpos0
q = np.random.default_rng(1).uniform(*model.jnt_range.T)
d = np.zeros(model.nv)
mujoco.mj_differentiatePos(model, d, 1, q0, q)
q_half = q0.copy()
mujoco.mj_integratePos(model, q_half, d, 0.5)
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
lower, upper = model.jnt_range.T
assert all(lower <= q) and all(q <= upper)
v, a = random.uniform(-1, 1, (2, tree.nv))
# --- 3 pose of a tool: theirs
data.qpos = q
mujoco.mj_kinematics(model, data)
R, p = data.body("tool").xmat.reshape(3, 3), data.body("tool").xpos
# --- 3 pose of a tool: kept
kept = R.copy(), p.copy()
# --- 3 pose of a tool: ours
T = tree.transform(q, of="tool")
R, p = T.R, T.p
# --- 3 pose of a tool: check
agree("3 rotation", R, kept[0], 1e-14)
agree("3 position", p, kept[1], 1e-14)
# --- 4 Jacobian and velocity: theirs
data.qvel = v
mujoco.mj_forward(model, data)
tool = model.body("tool").id
J_linear, J_angular, V = np.zeros((3, model.nv)), np.zeros((3, model.nv)), np.zeros(6)
mujoco.mj_jacBody(model, data, J_linear, J_angular, tool)
mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, tool, V, 0)
angular, linear = V[:3], V[3:]
# --- 4 Jacobian and velocity: kept
kept = np.vstack([J_angular, J_linear]), V
# --- 4 Jacobian and velocity: ours
J = axode.jacobian(tree, q, of="tool", rep="hybrid")
J_angular, J_linear = J[:3], J[3:]
V = J @ v
angular, linear = V[:3], V[3:]
# --- 4 Jacobian and velocity: check
agree("4 Jacobian", J, kept[0], 1e-14)
agree("4 velocity", V, kept[1], 1e-14)
in_tool = np.zeros(6)
mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, tool, in_tool, 1)
agree("4 velocity, body", axode.jacobian(tree, q, of="tool", rep="body") @ v, in_tool, 1e-14)
# --- 5 inverse dynamics: theirs
data.qpos, data.qvel, data.qacc = q, v, a
mujoco.mj_inverse(model, data)
tau = data.qfrc_inverse
# --- 5 inverse dynamics: kept
kept = tau.copy()
# --- 5 inverse dynamics: ours
tau = axode.inverse_dynamics(tree, q, v, a)
# --- 5 inverse dynamics: check
agree("5 inverse dynamics", tau, kept, 1e-12)
# --- 6 forward dynamics: theirs
data.qpos, data.qvel, data.qfrc_applied = q, v, tau
mujoco.mj_forward(model, data)
a = data.qacc
# --- 6 forward dynamics: kept
kept = a.copy()
# --- 6 forward dynamics: ours
a = axode.forward_dynamics(tree, q, v, tau)
# --- 6 forward dynamics: check
agree("6 forward dynamics", a, kept, 1e-10)
# --- 7 mass, Coriolis and gravity terms: theirs
M = np.zeros((model.nv, model.nv))
mujoco.mj_fullM(model, data, M)
bias = data.qfrc_bias  # Coriolis and gravity
# --- 7 mass, Coriolis and gravity terms: kept
kept = M, bias.copy()
# --- 7 mass, Coriolis and gravity terms: ours
M = axode.mass_matrix(tree, q)
C = axode.coriolis_matrix(tree, q, v)
g = axode.gravity_forces(tree, q)
bias = C @ v + g
# --- 7 mass, Coriolis and gravity terms: check
agree("7 mass matrix", M, kept[0], 1e-13)
agree("7 bias", bias, kept[1], 1e-13)
# --- 8 derivatives of the dynamics: theirs
data.qpos, data.qvel, data.qacc = q, v, a
by_q, by_v, by_a = np.zeros((3, model.nv, model.nv))
mujoco.mjd_inverseFD(model, data, 1e-6, False, by_q, by_v, by_a, None, None, None, None)
by_q, by_v, by_a = by_q.T, by_v.T, by_a.T
# --- 8 derivatives of the dynamics: kept
kept = by_q, by_v, by_a
# --- 8 derivatives of the dynamics: ours
derivatives = axode.inverse_dynamics_derivatives(tree, q, v, a)
by_q, by_v, by_a = derivatives.by_q, derivatives.by_v, derivatives.by_a
# --- 8 derivatives of the dynamics: check
for what, ours, theirs in zip(("tau by q", "tau by v", "tau by a"), (by_q, by_v, by_a), kept):
    agree(f"8 {what}", ours, theirs, 1e-3)
goal = np.array([0.5, 0.3, -0.4, 0.6, 0.5, -0.8])
T_goal = tree.transform(goal, of="tool")
# --- 9 inverse kinematics: theirs
from mujoco import minimize

def residual(columns):
    result = []
    for data.qpos in columns.T:
        mujoco.mj_kinematics(model, data)
        R, p = data.body("tool").xmat.reshape(3, 3), data.body("tool").xpos
        turn, error = np.zeros(4), np.zeros(3)
        mujoco.mju_mat2Quat(turn, (R.T @ T_goal.R).ravel())
        mujoco.mju_quat2Vel(error, turn, 1)
        result.append(np.concatenate([error, T_goal.p - p]))
    return np.array(result).T

q_ik, _ = minimize.least_squares(model.qpos0, residual, model.jnt_range.T, verbose=0)
# --- 9 inverse kinematics: kept
theirs = tree.transform(q_ik, of="tool").matrix
# --- 9 inverse kinematics: ours
found = axode.inverse_kinematics(tree, tree.neutral(), axode.pose_target("tool", T_goal))
print(found.success, found.reason, found.q)
# --- 9 inverse kinematics: check
assert found.success
agree("9 pose reached by theirs", theirs, T_goal.matrix, 1e-4)
agree("9 pose reached", tree.transform(found.q, of="tool").matrix, T_goal.matrix, 1e-7)
assert all(lower <= found.q) and all(found.q <= upper)
# --- 10 simulate with a controller: theirs
gains = np.array([60, 60, 40, 5, 5, 1])
mujoco.mj_resetData(model, data)
model.opt.timestep = 1e-4
while data.time < 1:
    data.qfrc_applied = gains * (goal - data.qpos) - 0.1 * gains * data.qvel
    mujoco.mj_step(model, data)
# --- 10 simulate with a controller: ours
def control(t, q, v):
    return gains * (goal - q) - 0.1 * gains * v

run = axode.simulate(tree, q=tree.neutral(), v=np.zeros(6), duration=1, control=control)
print(run.t[-1], run.q[-1], run.v[-1])
# --- 10 simulate with a controller: check
agree("10 coordinates after 1 s", run.q[-1], data.qpos, 1e-3)
# --- 11 a free base: theirs
spec.worldbody.first_body().add_freejoint()
free_model = spec.compile()
free_data = mujoco.MjData(free_model)
free_data.qpos = [1, 2, 3, 0.1, 0.7, -0.1, 0.7, *goal]  # position, (w, x, y, z), joints
free_data.qvel = free_data.qacc = np.arange(free_model.nv) / 10  # linear, angular, joints
mujoco.mj_inverse(free_model, free_data)
tau = free_data.qfrc_inverse
# --- 11 a free base: ours
free_tree = axode.Tree.from_urdf("models/arm.urdf", free_base=True)
q, v, a = free_data.qpos, free_data.qvel.copy(), free_data.qacc.copy()
q_ours = np.concatenate([q[3:7], q[:3], q[7:]])
R = free_tree.transform(q_ours, of="base").R
v_ours = np.concatenate([v[3:6], R.T @ v[:3], v[6:]])  # all in axes of the base
a_ours = np.concatenate([a[3:6], R.T @ a[:3] - np.cross(v_ours[:3], v_ours[3:6]), a[6:]])
tau_ours = axode.inverse_dynamics(free_tree, q_ours, v_ours, a_ours)
# --- 11 a free base: check
in_their_order = np.concatenate([R @ tau_ours[3:6], tau_ours[:3], tau_ours[6:]])
agree("11 inverse dynamics, free base", in_their_order, tau, 1e-12)
