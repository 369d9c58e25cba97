"""Ten tasks by Pinocchio and by Axode, with the same results. docs/coming_from_pinocchio.md shows
the sections; scripts/test_coming_from runs them. From the root of the repository.
"""

import numpy as np
from agree import agree

# --- 1 load a robot: theirs
import pinocchio as pin

model = pin.buildModelFromUrdf("models/arm.urdf")
data = model.createData()
print(model.nq, model.nv, list(model.names))
# --- 1 load a robot: ours
import axode

tree = axode.Tree.from_urdf("models/arm.urdf")
print(tree.nq, tree.nv, tree.joint_names)
# --- 1 load a robot: check
assert (tree.nq, tree.nv) == (model.nq, model.nv)
assert [name for name in tree.joint_names if name in model.names] == list(model.names)[1:]
pin.seed(1)
# --- 2 configurations: theirs
q0 = pin.neutral(model)
q = pin.randomConfiguration(model)
d = pin.difference(model, q0, q)
q_half = pin.integrate(model, q0, 0.5 * d)
# --- 2 configurations: kept
kept = q0, d, q_half
# --- 2 configurations: ours
q0 = tree.neutral()
q = tree.random(seed=1)
d = tree.difference(q0, q)
q_half = tree.integrate(q0, 0.5 * d)
# --- 2 configurations: check
agree("2 neutral", q0, kept[0], 0)
agree("2 difference", d, pin.difference(model, q0, q), 1e-15)
agree("2 integrate", q_half, pin.integrate(model, q0, 0.5 * d), 1e-15)
assert all(model.lowerPositionLimit <= q) and all(q <= model.upperPositionLimit)
random = np.random.default_rng(1)
v, a, tau = random.uniform(-1, 1, (3, tree.nv))
# --- 3 pose of a tool: theirs
pin.framesForwardKinematics(model, data, q)
T = data.oMf[model.getFrameId("tool")]
print(T.rotation, T.translation)
# --- 3 pose of a tool: kept
kept = T.homogeneous.copy()
# --- 3 pose of a tool: ours
T = tree.transform(q, of="tool")
print(T.R, T.p)
# --- 3 pose of a tool: check
agree("3 pose", T.matrix, kept, 1e-14)
# --- 4 Jacobian and velocity: theirs
tool = model.getFrameId("tool")
J = pin.computeFrameJacobian(model, data, q, tool, pin.LOCAL_WORLD_ALIGNED)
pin.forwardKinematics(model, data, q, v)
V = pin.getFrameVelocity(model, data, tool, pin.LOCAL_WORLD_ALIGNED)
linear, angular = V.linear, V.angular
# --- 4 Jacobian and velocity: kept
kept = J, np.concatenate([angular, linear])
others = {"body": pin.LOCAL, "spatial": pin.WORLD}
others = {rep: pin.computeFrameJacobian(model, data, q, tool, x) for rep, x in others.items()}
# --- 4 Jacobian and velocity: ours
J = axode.jacobian(tree, q, of="tool", rep="hybrid")
V = J @ v
angular, linear = V[:3], V[3:]
J_linear_first = J[[3, 4, 5, 0, 1, 2]]  # as in Pinocchio
# --- 4 Jacobian and velocity: check
agree("4 Jacobian", J_linear_first, kept[0], 1e-14)
agree("4 velocity", V, kept[1], 1e-14)
twists = axode.twists(tree, q, v, rep="hybrid")
agree("4 twist", twists[tree.body_names.index("tool")], kept[1], 1e-14)
for rep, theirs in others.items():
    ours = axode.jacobian(tree, q, of="tool", rep=rep)[[3, 4, 5, 0, 1, 2]]
    agree(f"4 Jacobian, {rep}", ours, theirs, 1e-14)
# --- 5 inverse dynamics: theirs
tau = pin.rnea(model, data, q, v, a)
tau_with_losses = tau + model.damping * v
# --- 5 inverse dynamics: kept
kept = tau, tau_with_losses
# --- 5 inverse dynamics: ours
tau = axode.inverse_dynamics(tree, q, v, a, damping=False, friction=False)
tau_with_losses = axode.inverse_dynamics(tree, q, v, a)
# --- 5 inverse dynamics: check
agree("5 inverse dynamics", tau, kept[0], 1e-12)
agree("5 with losses", tau_with_losses, kept[1], 1e-12)
# --- 6 forward dynamics: theirs
a = pin.aba(model, data, q, v, tau - model.damping * v)
# --- 6 forward dynamics: kept
kept = a.copy()
# --- 6 forward dynamics: ours
a = axode.forward_dynamics(tree, q, v, tau)
# --- 6 forward dynamics: check
agree("6 forward dynamics", a, kept, 1e-10)
# --- 7 mass, Coriolis and gravity terms: theirs
M = pin.crba(model, data, q)
C = pin.computeCoriolisMatrix(model, data, q, v)
g = pin.computeGeneralizedGravity(model, data, q)
# --- 7 mass, Coriolis and gravity terms: kept
kept = M.copy(), C.copy(), g.copy()
# --- 7 mass, Coriolis and gravity terms: ours
M = axode.mass_matrix(tree, q)
C = axode.coriolis_matrix(tree, q, v)
g = axode.gravity_forces(tree, q)
# --- 7 mass, Coriolis and gravity terms: check
agree("7 mass matrix", M, kept[0], 1e-13)
agree("7 Coriolis forces C v", C @ v, kept[1] @ v, 1e-13)
agree("7 rate of the mass matrix C + C^T", C + C.T, kept[1] + kept[1].T, 1e-13)
agree("7 gravity", g, kept[2], 1e-13)
# --- 8 derivatives of the dynamics: theirs
by_q, by_v, by_a = (x.copy() for x in pin.computeRNEADerivatives(model, data, q, v, a))
a_by_q, a_by_v, a_by_tau = pin.computeABADerivatives(model, data, q, v, tau)
# --- 8 derivatives of the dynamics: kept
kept = by_q, by_v, by_a, a_by_q.copy(), a_by_v.copy(), a_by_tau.copy()
# --- 8 derivatives of the dynamics: ours
inverse = axode.inverse_dynamics_derivatives(tree, q, v, a, damping=False)
by_q, by_v, by_a = inverse.by_q, inverse.by_v, inverse.by_a
forward = axode.forward_dynamics_derivatives(tree, q, v, tau, damping=False)
a_by_q, a_by_v, a_by_tau = forward.by_q, forward.by_v, forward.by_tau
# --- 8 derivatives of the dynamics: check
for what, ours, theirs in zip(("tau by q", "tau by v", "tau by a"), (by_q, by_v, by_a), kept[:3]):
    agree(f"8 {what}", ours, theirs, 1e-11)
names = ("a by q", "a by v", "a by tau")
for what, ours, theirs in zip(names, (a_by_q, a_by_v, a_by_tau), kept[3:]):
    agree(f"8 {what}, relative", ours / abs(theirs).max(), theirs / abs(theirs).max(), 1e-10)
goal = np.array([0.5, 0.3, -0.4, 0.6, 0.5, -0.8])
T_goal = tree.transform(goal, of="tool")
# --- 9 inverse kinematics: theirs
M_goal = pin.SE3(T_goal.matrix)
q_ik = pin.neutral(model)
for _ in range(1000):
    pin.framesForwardKinematics(model, data, q_ik)
    error = pin.log6(data.oMf[tool].actInv(M_goal)).vector
    if np.linalg.norm(error) < 1e-8:
        break
    J = pin.computeFrameJacobian(model, data, q_ik, tool)
    step = J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(6), error)
    q_ik = pin.integrate(model, q_ik, 0.5 * step)
# --- 9 inverse kinematics: kept
agree("9 pose reached by theirs", tree.transform(q_ik, of="tool").matrix, T_goal.matrix, 1e-7)
# --- 9 inverse kinematics: ours
found = axode.inverse_kinematics(tree, tree.neutral(), axode.pose_target("tool", T_goal))
print(found.success, found.reason, found.q)
# --- 9 inverse kinematics: check
assert found.success
agree("9 pose reached", tree.transform(found.q, of="tool").matrix, T_goal.matrix, 1e-7)
assert all(model.lowerPositionLimit <= found.q) and all(found.q <= model.upperPositionLimit)
# --- 10 simulate with a controller: theirs
gains = np.array([60, 60, 40, 5, 5, 1])
q_t, v_t, dt = pin.neutral(model), np.zeros(model.nv), 1e-4
for _ in range(10000):
    tau = gains * (goal - q_t) - 0.1 * gains * v_t - model.damping * v_t
    v_t = v_t + dt * pin.aba(model, data, q_t, v_t, tau)
    q_t = pin.integrate(model, q_t, dt * v_t)
# --- 10 simulate with a controller: ours
def control(t, q, v):
    return gains * (goal - q) - 0.1 * gains * v

run = axode.simulate(tree, q=tree.neutral(), v=np.zeros(tree.nv), duration=1, control=control)
print(run.t[-1], run.q[-1], run.v[-1])
# --- 10 simulate with a controller: check
agree("10 coordinates after 1 s", run.q[-1], q_t, 1e-3)
# --- 11 a free base: theirs
free_model = pin.buildModelFromUrdf("models/arm.urdf", pin.JointModelFreeFlyer())
q = pin.randomConfiguration(free_model, np.full(13, -1), np.full(13, 1))
v = a = np.arange(free_model.nv) / 10
tau = pin.rnea(free_model, free_model.createData(), q, v, a)
# --- 11 a free base: ours
free_tree = axode.Tree.from_urdf("models/arm.urdf", free_base=True)
q_ours = np.concatenate([q[6:7], q[3:6], q[:3], q[7:]])  # (w, x, y, z), position, joints
v_ours = a_ours = np.concatenate([v[3:6], v[:3], v[6:]])  # angular, linear, joints
tau_ours = axode.inverse_dynamics(free_tree, q_ours, v_ours, a_ours, damping=False)
# --- 11 a free base: check
agree("11 inverse dynamics, free base", tau_ours[[3, 4, 5, 0, 1, 2, *range(6, 12)]], tau, 1e-12)
# Two arms on one base; the file names the right one first.
def one_arm(side):
    return "".join(
        f'''<link name="{side} {link}"><inertial><mass value="{mass}"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="{joint}" type="continuous"><axis xyz="0 1 0"/><origin xyz="0 {y} -0.3"/>
        <parent link="{parent}"/><child link="{side} {link}"/></joint>'''
        for link, parent, joint, mass, y in (
            ("upper", "base", f"{side}_shoulder", 2, 0.2 if side == "left" else -0.2),
            ("lower", f"{side} upper", f"{side}_elbow", 1, 0),
        )
    )
urdf = f'<robot name="arms"><link name="base"/>{one_arm("right")}{one_arm("left")}</robot>'
# --- 12 the order of joints: theirs
arms = pin.buildModelFromXML(urdf)
names = list(arms.names)[1:]  # without "universe"
v = np.array([1.0, 2.0, 3.0, 4.0])
M = pin.crba(arms, arms.createData(), pin.neutral(arms))
# --- 12 the order of joints: ours
our_arms = axode.Tree.from_urdf_text(urdf)
p = axode.permutation(our_arms.velocity_names, names)
v_ours = np.empty(4)
v_ours[p] = v  # theirs to ours
M_theirs = axode.mass_matrix(our_arms, our_arms.neutral())[np.ix_(p, p)]  # ours to theirs
# --- 12 the order of joints: check
assert names != our_arms.velocity_names and v_ours[0] == 3 and (v_ours[p] == v).all()
agree("12 mass matrix in the other order", M_theirs, M, 1e-13)
