"""Ten tasks by Drake and by Axode, with the same results. docs/coming_from_drake.md shows the
sections; scripts/test_coming_from runs them. From the root of the repository.
"""

import numpy as np
from agree import agree

# --- 1 load a robot: theirs
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

plant = MultibodyPlant(time_step=0)
Parser(plant).AddModels("models/arm.urdf")
plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
plant.Finalize()
context = plant.CreateDefaultContext()
print(plant.num_positions(), plant.num_velocities())
# --- 1 load a robot: ours
import axode

tree = axode.Tree.from_urdf("models/arm.urdf")
print(tree.nq, tree.nv, tree.joint_names)
# --- 1 load a robot: check
assert (tree.nq, tree.nv) == (plant.num_positions(), plant.num_velocities())
names = [plant.get_joint(i).name() for i in plant.GetJointIndices()]
assert [name for name in tree.joint_names if name in names[:6]] == names[:6]
random = np.random.default_rng(1)
# --- 2 configurations: theirs
q0 = plant.GetDefaultPositions()
q = np.random.default_rng(1).uniform(plant.GetPositionLowerLimits(), plant.GetPositionUpperLimits())
plant.SetPositions(context, q0)
d = plant.MapQDotToVelocity(context, q - q0)
q_half = q0 + plant.MapVelocityToQDot(context, 0.5 * d)
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
lower, upper = plant.GetPositionLowerLimits(), plant.GetPositionUpperLimits()
assert all(lower <= q) and all(q <= upper)
v, a = random.uniform(-1, 1, (2, tree.nv))
# --- 3 pose of a tool: theirs
plant.SetPositions(context, q)
tool = plant.GetFrameByName("tool")
T = tool.CalcPoseInWorld(context)
print(T.rotation().matrix(), T.translation())
# --- 3 pose of a tool: kept
kept = T.GetAsMatrix4()
# --- 3 pose of a tool: ours
T = tree.transform(q, of="tool")
print(T.R, T.p)
# --- 3 pose of a tool: check
agree("3 pose", T.matrix, kept, 1e-14)
# --- 4 Jacobian and velocity: theirs
from pydrake.multibody.tree import JacobianWrtVariable

plant.SetVelocities(context, v)
world = plant.world_frame()
J = plant.CalcJacobianSpatialVelocity(
    context, JacobianWrtVariable.kV, tool, [0, 0, 0], world, world)
V = tool.CalcSpatialVelocityInWorld(context)
angular, linear = V.rotational(), V.translational()
# --- 4 Jacobian and velocity: kept
kept = J, np.concatenate([angular, linear])
# --- 4 Jacobian and velocity: ours
J = axode.jacobian(tree, q, of="tool", rep="hybrid")
V = J @ v
angular, linear = V[:3], V[3:]
# --- 4 Jacobian and velocity: check
agree("4 Jacobian", J, kept[0], 1e-14)
agree("4 velocity", V, kept[1], 1e-14)
in_tool = plant.CalcJacobianSpatialVelocity(
    context, JacobianWrtVariable.kV, tool, [0, 0, 0], world, tool)
agree("4 Jacobian, body", axode.jacobian(tree, q, of="tool", rep="body"), in_tool, 1e-14)
# --- 5 inverse dynamics: theirs
from pydrake.multibody.tree import MultibodyForces

forces = MultibodyForces(plant)
plant.CalcForceElementsContribution(context, forces)  # gravity, damping
tau = plant.CalcInverseDynamics(context, a, forces)
# --- 5 inverse dynamics: kept
kept = tau
# --- 5 inverse dynamics: ours
tau = axode.inverse_dynamics(tree, q, v, a)
# --- 5 inverse dynamics: check
agree("5 inverse dynamics", tau, kept, 1e-12)
# --- 6 forward dynamics: theirs
port = plant.get_applied_generalized_force_input_port()
port.FixValue(context, tau)
a = plant.EvalTimeDerivatives(context).get_generalized_velocity().CopyToVector()
# --- 6 forward dynamics: kept
kept = a
# --- 6 forward dynamics: ours
a = axode.forward_dynamics(tree, q, v, tau)
# --- 6 forward dynamics: check
agree("6 forward dynamics", a, kept, 1e-10)
# --- 7 mass, Coriolis and gravity terms: theirs
M = plant.CalcMassMatrix(context)
Cv = plant.CalcBiasTerm(context)
g = -plant.CalcGravityGeneralizedForces(context)
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
from pydrake.systems.framework import OutputPortSelection
from pydrake.systems.primitives import FirstOrderTaylorApproximation

linear = FirstOrderTaylorApproximation(
    plant, context, port.get_index(), OutputPortSelection.kNoOutput)
A, B = linear.A(), linear.B()
# --- 8 derivatives of the dynamics: kept
kept = A, B
# --- 8 derivatives of the dynamics: ours
linear = axode.linearize(tree, q, v, tau)
A, B = linear.A, linear.B
# --- 8 derivatives of the dynamics: check
for what, ours, theirs in zip("AB", (A, B), kept):
    agree(f"8 {what}, relative", ours / abs(theirs).max(), theirs / abs(theirs).max(), 1e-12)
goal = np.array([0.5, 0.3, -0.4, 0.6, 0.5, -0.8])
T_goal = tree.transform(goal, of="tool")
# --- 9 inverse kinematics: theirs
from pydrake.math import RotationMatrix
from pydrake.multibody.inverse_kinematics import InverseKinematics
from pydrake.solvers import Solve

ik = InverseKinematics(plant, with_joint_limits=True)
ik.AddPositionConstraint(tool, [0, 0, 0], world, T_goal.p, T_goal.p)
R_goal = RotationMatrix(T_goal.R)
ik.AddOrientationConstraint(world, R_goal, tool, RotationMatrix(), theta_bound=0)
ik.prog().SetInitialGuess(ik.q(), np.full(6, 0.1))
solution = Solve(ik.prog())
print(solution.is_success(), solution.GetSolution(ik.q()))
# --- 9 inverse kinematics: kept
q_ik = solution.GetSolution(ik.q())
theirs = tree.transform(q_ik, of="tool").matrix
# --- 9 inverse kinematics: ours
found = axode.inverse_kinematics(tree, tree.neutral(), axode.pose_target("tool", T_goal))
print(found.success, found.reason, found.q)
# --- 9 inverse kinematics: check
assert found.success and solution.is_success()
agree("9 pose reached by theirs", theirs, T_goal.matrix, 1e-2)
agree("9 pose reached", tree.transform(found.q, of="tool").matrix, T_goal.matrix, 1e-7)
assert all(lower <= found.q) and all(found.q <= upper)
# --- 10 simulate with a controller: theirs
from pydrake.systems.analysis import Simulator
from pydrake.systems.controllers import PidController
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource

gains = np.array([60, 60, 40, 5, 5, 1])
builder = DiagramBuilder()
arm = builder.AddSystem(plant.Clone())
pid = builder.AddSystem(PidController(gains, np.zeros(6), 0.1 * gains))
wanted = builder.AddSystem(ConstantVectorSource(np.concatenate([goal, np.zeros(6)])))
builder.Connect(arm.get_state_output_port(), pid.get_input_port_estimated_state())
builder.Connect(wanted.get_output_port(), pid.get_input_port_desired_state())
builder.Connect(pid.get_output_port(), arm.get_applied_generalized_force_input_port())
simulator = Simulator(builder.Build())
simulator.get_mutable_integrator().set_target_accuracy(1e-8)
simulator.AdvanceTo(1)
q_end = arm.GetPositions(arm.GetMyContextFromRoot(simulator.get_context()))
# --- 10 simulate with a controller: ours
def control(t, q, v):
    return gains * (goal - q) - 0.1 * gains * v

run = axode.simulate(tree, q=tree.neutral(), v=np.zeros(6), duration=1, control=control)
print(run.t[-1], run.q[-1], run.v[-1])
# --- 10 simulate with a controller: check
agree("10 coordinates after 1 s", run.q[-1], q_end, 1e-5)
# --- 11 a free base: theirs
free_plant = MultibodyPlant(time_step=0)
Parser(free_plant).AddModels("models/arm.urdf")  # not welded
free_plant.Finalize()
q = np.array([0.1, 0.7, -0.1, 0.7, 1, 2, 3, *goal])  # (w, x, y, z), position, joints
v = a = np.arange(free_plant.num_velocities()) / 10  # angular, linear, joints
free_context = free_plant.CreateDefaultContext()
free_plant.SetPositionsAndVelocities(free_context, np.concatenate([q, v]))
forces = MultibodyForces(free_plant)
free_plant.CalcForceElementsContribution(free_context, forces)
tau = free_plant.CalcInverseDynamics(free_context, a, forces)
# --- 11 a free base: ours
free_tree = axode.Tree.from_urdf("models/arm.urdf", free_base=True, base_velocity="hybrid")
tau_ours = axode.inverse_dynamics(free_tree, q, v, a)
# --- 11 a free base: check
agree("11 inverse dynamics, free base", tau_ours, tau, 1e-12)
