"""Drake, which delivers no headers on PyPI: through its Python bindings. Times hold what these add,
about a microsecond for each array that goes in or out; the JSON says so.
"""

import importlib.metadata

import numpy as np
import python_peer
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    JacobianWrtVariable,
    MultibodyForces,
    PrismaticJoint,
    RevoluteJoint,
    SpatialInertia,
    UnitInertia,
)

NOTE = "called from Python, which is in the times"
ORIGIN = np.zeros(3)
UNSUPPORTED = {"inverse_mass_matrix": "not in the library", "coriolis_matrix": "only the product with v",
               "inverse_derivatives": "only by automatic differentiation",
               "forward_derivatives": "only by automatic differentiation"}


class Peer:
    """The plant, its inputs for each state, and what the calls find."""

    def __init__(self, model):
        self.model, self.plant, self.bodies = model, MultibodyPlant(time_step=0.0), []
        joints = [self.add_body(i, b) for i, b in enumerate(model.bodies)]
        self.plant.mutable_gravity_field().set_gravity_vector(model.gravity)
        self.plant.Finalize()
        self.context = self.plant.CreateDefaultContext()
        self.forces = MultibodyForces(self.plant)
        self.port = self.plant.get_generalized_acceleration_output_port()
        self.push = self.plant.get_applied_generalized_force_input_port().FixValue(
            self.context, np.zeros(model.nv))
        self.q_place, self.v_place = np.zeros(model.nq, int), np.zeros(model.nv, int)
        for b, body, joint in zip(model.bodies, self.bodies, joints):
            if b.joint == "free":  # qw qx qy qz x y z; angular, linear, in the axes of the world
                first, v = body.floating_positions_start(), body.floating_velocities_start_in_v()
                self.q_place[b.q:b.q + 7] = first + np.array([4, 5, 6, 1, 2, 3, 0])
                self.v_place[b.v:b.v + 6] = v + np.array([3, 4, 5, 0, 1, 2])
            else:
                self.q_place[b.q], self.v_place[b.v] = joint.position_start(), joint.velocity_start()
        carrying = {b.parent for b in model.bodies}
        self.ends = [body for i, body in enumerate(self.bodies) if i not in carrying]
        self.inputs = [self.converted(k) for k in range(len(model.q))]
        self.found = None

    def add_body(self, index, b):
        about_origin = b.inertia + b.mass * (b.com @ b.com * np.eye(3) - np.outer(b.com, b.com))
        unit = about_origin / b.mass
        inertia = SpatialInertia(b.mass, b.com, UnitInertia(
            unit[0, 0], unit[1, 1], unit[2, 2], unit[0, 1], unit[0, 2], unit[1, 2]), True)
        body = self.plant.AddRigidBody(f"b{index}", inertia)
        self.bodies.append(body)
        if b.joint == "free":
            return None
        parent = self.bodies[b.parent] if b.parent >= 0 else self.plant.world_body()
        place = RigidTransform(RotationMatrix(b.R), b.p)
        frame = self.plant.AddFrame(FixedOffsetFrame(f"f{index}", parent.body_frame(), place))
        kind = RevoluteJoint if b.joint == "revolute" else PrismaticJoint
        return self.plant.AddJoint(kind(f"j{index}", frame, body.body_frame(), b.axis))

    def converted(self, k):
        model, turn = self.model, self.model.turn(k)
        q, own = np.zeros(model.nq), np.zeros((3, model.nv))
        q[self.q_place] = model.q[k]
        own[:, self.v_place] = [turn @ model.v[k], turn @ (model.a[k] + model.bias(k)), turn @ model.tau[k]]
        return q, np.concatenate([q, own[0]]), own[1], own[2]

    def poses(self, k):
        self.plant.SetPositions(self.context, self.inputs[k][0])
        self.plant.EvalBodyPoseInWorld(self.context, self.bodies[-1])  # finds those of all

    def jacobians(self, k):
        self.plant.SetPositions(self.context, self.inputs[k][0])
        for body in self.ends:
            self.found = self.jacobian(body)

    def jacobian(self, body):
        world = self.plant.world_frame()
        return self.plant.CalcJacobianSpatialVelocity(
            self.context, JacobianWrtVariable.kV, body.body_frame(), ORIGIN, world, world)

    def inverse_dynamics(self, k):
        self.plant.SetPositionsAndVelocities(self.context, self.inputs[k][1])
        self.forces.SetZero()
        self.plant.CalcForceElementsContribution(self.context, self.forces)
        self.found = self.plant.CalcInverseDynamics(self.context, self.inputs[k][2], self.forces)

    def mass_matrix(self, k):
        self.plant.SetPositions(self.context, self.inputs[k][0])
        self.found = self.plant.CalcMassMatrix(self.context)

    def forward_dynamics(self, k):
        self.plant.SetPositionsAndVelocities(self.context, self.inputs[k][1])
        self.push.GetMutableData().get_mutable_value().SetFromVector(self.inputs[k][3])
        self.found = self.port.Eval(self.context)

    # The results, in the coordinates of the flat model.

    def found_poses(self, _):
        poses = [self.plant.EvalBodyPoseInWorld(self.context, body) for body in self.bodies]
        return np.concatenate([np.r_[X.rotation().matrix().ravel(), X.translation()] for X in poses])

    def found_jacobians(self, k):
        picked = [self.bodies[-1], self.bodies[len(self.bodies) // 2]]
        swapped = [self.jacobian(body)[[3, 4, 5, 0, 1, 2]] for body in picked]
        return np.concatenate([(J[:, self.v_place] @ self.model.turn(k)).ravel() for J in swapped])

    def found_forces(self, k):
        return self.model.turn(k).T @ self.found[self.v_place]

    def found_matrix(self, k):
        turn, place = self.model.turn(k), self.v_place
        return (turn.T @ self.found[np.ix_(place, place)] @ turn).ravel()

    def found_accelerations(self, k):
        return self.found_forces(k) - self.model.bias(k)


def functions_of(model):
    peer = Peer(model)
    ends = "; Jacobians of the ends of all branches, which hold the columns of all joints"
    return {
        "poses": python_peer.Function(peer.poses, peer.found_poses, NOTE),
        "jacobians": python_peer.Function(peer.jacobians, peer.found_jacobians, NOTE + ends),
        "inverse_dynamics": python_peer.Function(peer.inverse_dynamics, peer.found_forces, NOTE),
        "mass_matrix": python_peer.Function(peer.mass_matrix, peer.found_matrix, NOTE),
        "forward_dynamics": python_peer.Function(peer.forward_dynamics, peer.found_accelerations, NOTE),
    }


if __name__ == "__main__":
    python_peer.run("drake", importlib.metadata.version("drake"), functions_of, UNSUPPORTED)
