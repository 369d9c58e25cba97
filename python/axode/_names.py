"""Rooms of the package on first use, where a name is that is not at the top level, and orders of names."""

import importlib
from collections.abc import Sequence
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from axode._errors import Error
from axode._private import compiled

ROOMS = (
    "core",
    "dynamics",
    "flexible",
    "forces",
    "integrate",
    "io",
    "kinematics",
    "lie",
    "mechanism",
    "model",
    "run",
    "screw",
    "view",
)

# Words of Pinocchio, Drake, MuJoCo, the Robotics Toolbox, Modern Robotics and others, and ours.
ELSEWHERE = {
    "ABA": "axode.forward_dynamics",
    "AddModelFromFile": "axode.load_tree",
    "BuildModelFromURDF": "axode.load_tree",
    "BuildModelFromUrdf": "axode.load_tree",
    "CRBA": "axode.mass_matrix",
    "CalcBiasTerm": "axode.dynamics.multiply_coriolis_matrix",
    "CalcCenterOfMassPositionInWorld": "axode.centre_of_mass",
    "CalcFrameJacobian": "axode.jacobian",
    "CalcGravityGeneralizedForces": "axode.gravity_forces",
    "CalcInverseDynamics": "axode.inverse_dynamics",
    "CalcJacobianSpatialVelocity": "axode.jacobian",
    "CalcMassMatrix": "axode.mass_matrix",
    "CalcRelativeTransform": "axode.transform",
    "CoM": "axode.centre_of_mass",
    "ContactModel": "axode.dynamics.Contact",
    "Contacts": "axode.ground_contact",
    "DHRobot": "axode.model.classic_dh",
    "Data": "axode.Tree, which needs no Data",
    "ERobot": "axode.Tree",
    "FKinBody": "axode.transform",
    "FKinSpace": "axode.transform",
    "ForwardDynamics": "axode.forward_dynamics",
    "FrameJacobian": "axode.jacobian",
    "GravityForces": "axode.gravity_forces",
    "IKinBody": "axode.inverse_kinematics",
    "IKinSpace": "axode.inverse_kinematics",
    "InverseDynamics": "axode.inverse_dynamics",
    "JacobianBody": "axode.jacobian",
    "JacobianSpace": "axode.jacobian",
    "Link": "axode.TreeBuilder.body",
    "MassMatrix": "axode.mass_matrix",
    "MatrixExp3": "axode.lie.exp",
    "MatrixExp6": "axode.lie.exp",
    "MatrixLog3": "axode.lie.log",
    "MatrixLog6": "axode.lie.log",
    "MjData": "axode.State",
    "MjModel": "axode.Tree",
    "Model": "axode.Tree",
    "Motion": "axode.screw.Twist",
    "MultibodyPlant": "axode.Tree",
    "Force": "axode.screw.Wrench",
    "Parser": "axode.load_tree",
    "Pose": "axode.lie.SE3",
    "PrismaticJoint": "axode.prismatic",
    "RevoluteJoint": "axode.revolute",
    "RigidBodyTree": "axode.Tree",
    "RigidTransform": "axode.lie.SE3",
    "Robot": "axode.Tree",
    "RotationMatrix": "axode.lie.SO3",
    "SE3_log": "axode.lie.log",
    "ScrewAxis": "axode.screw.Screw",
    "Simulator": "axode.simulate",
    "SpatialAcceleration": "axode.screw.Acceleration",
    "SpatialForce": "axode.screw.Wrench",
    "SpatialInertia": "axode.screw.Inertia",
    "SpatialMomentum": "axode.screw.Momentum",
    "SpatialVelocity": "axode.screw.Twist",
    "URDF": "axode.load_tree",
    "VelQuadraticForces": "axode.dynamics.multiply_coriolis_matrix",
    "World": "axode.Tree",
    "aba": "axode.forward_dynamics",
    "accel": "axode.forward_dynamics",
    "adjoint": "axode.lie.Ad_matrix",
    "buildModelFromUrdf": "axode.load_tree",
    "ccrba": "axode.dynamics.centroidal_momentum_matrix",
    "center_of_mass": "axode.centre_of_mass",
    "centerOfMass": "axode.centre_of_mass",
    "christoffel": "axode.dynamics.christoffel_symbols",
    "com": "axode.centre_of_mass",
    "computeABADerivatives": "axode.forward_dynamics_derivatives",
    "computeAllTerms": "axode.dynamics.closed_form_matrices",
    "computeCentroidalMap": "axode.dynamics.centroidal_momentum_matrix",
    "computeCentroidalMomentum": "axode.centroidal_momentum",
    "computeCoriolisMatrix": "axode.coriolis_matrix",
    "computeFrameJacobian": "axode.jacobian",
    "computeGeneralizedGravity": "axode.gravity_forces",
    "computeJointJacobian": "axode.jacobian",
    "computeJointJacobians": "axode.kinematics.spatial_columns",
    "computeJointTorqueRegressor": "axode.dynamics.regressor",
    "computeKineticEnergy": "axode.kinetic_energy",
    "computeMinverse": "axode.inverse_mass_matrix",
    "computePotentialEnergy": "axode.potential_energy",
    "computeRNEADerivatives": "axode.inverse_dynamics_derivatives",
    "computeTotalMass": "axode.total_mass",
    "coriolis": "axode.coriolis_matrix",
    "crba": "axode.mass_matrix",
    "dccrba": "axode.dynamics.centroidal_momentum_rate",
    "exp3": "axode.lie.exp",
    "exp6": "axode.lie.exp",
    "fdyn": "axode.simulate",
    "fkine": "axode.transform",
    "forwardKinematics": "axode.poses",
    "forward_kinematics": "axode.poses",
    "framesForwardKinematics": "axode.poses",
    "from_urdf": "axode.load_tree",
    "getFrameAcceleration": "axode.acceleration",
    "getFrameJacobian": "axode.jacobian",
    "getFrameVelocity": "axode.twist",
    "gravity": "axode.gravity_forces",
    "gravload": "axode.gravity_forces",
    "ikine": "axode.inverse_kinematics",
    "ikine_LM": "axode.inverse_kinematics",
    "impulseDynamics": "axode.dynamics.contact_impulse",
    "inertia": "axode.mass_matrix",
    "inverseKinematics": "axode.inverse_kinematics",
    "itorque": "axode.inverse_dynamics",
    "jacob0": "axode.jacobian",
    "jacobe": "axode.jacobian, with rep='body'",
    "jacobianCenterOfMass": "axode.centre_of_mass_jacobian",
    "jacobian_derivative": "axode.jacobian_rate",
    "load": "axode.load_tree",
    "load_flexible": "axode.FlexibleTree.from_file",
    "load_mechanism": "axode.Mechanism.from_file",
    "load_model": "axode.load_tree",
    "load_urdf": "axode.load_tree",
    "log3": "axode.lie.log",
    "log6": "axode.lie.log",
    "loadURDF": "axode.load_tree",
    "maniplty": "axode.manipulability",
    "mj_Euler": "axode.simulate",
    "mj_forward": "axode.forward_dynamics",
    "mj_fullM": "axode.mass_matrix",
    "mj_inverse": "axode.inverse_dynamics",
    "mj_jac": "axode.jacobian",
    "mj_jacBody": "axode.jacobian",
    "mj_jacSite": "axode.jacobian",
    "mj_kinematics": "axode.poses",
    "mj_step": "axode.simulate",
    "mjd_transitionFD": "axode.linearize",
    "nle": "axode.inverse_dynamics, with a = 0",
    "nonLinearEffects": "axode.inverse_dynamics, with a = 0",
    "pose": "axode.transform",
    "random": "axode.Tree.random",
    "randomConfiguration": "axode.Tree.random",
    "rne": "axode.inverse_dynamics",
    "rnea": "axode.inverse_dynamics",
    "roboticstoolbox": "axode.Tree",
    "stepSimulation": "axode.simulate",
    "torque": "axode.inverse_dynamics",
    "updateFramePlacement": "axode.transform",
    "velocity": "axode.twist",
}


def home_of(name: str) -> str | None:
    """The room that lists a name."""
    rooms = (room for room in ROOMS if name in importlib.import_module(f"axode.{room}").__all__)
    return next(rooms, None)


def hint(name: str) -> str:
    """Where what a name stands for is, or names similar to it."""
    if (room := home_of(name)) is not None:
        return f"; it is axode.{room}.{name}"
    if name in ELSEWHERE:
        return f"; here it is {ELSEWHERE[name]}"
    names = {
        one: f"axode.{room}.{one}"
        for room in ROOMS
        for one in importlib.import_module(f"axode.{room}").__all__
    } | {one: f"axode.{one}" for one in importlib.import_module("axode").__all__}
    similar = compiled._similar_name(name, [*names, *ROOMS])
    return f"; did you mean {names.get(similar, 'axode.' + similar)}?" if similar else ""


def room_or_hint(name: str) -> ModuleType:
    """The room of that name. Raises AttributeError saying where anything else is."""
    if name in ROOMS:
        return importlib.import_module(f"axode.{name}")
    raise AttributeError(f"module 'axode' has no attribute '{name}'{hint(name)}")


def permutation(names: Sequence[str], other: Sequence[str]) -> NDArray[np.int64]:
    """Where the names of another order stand in this one: [names[i] for i in permutation] is other.

    With p = permutation(tree.velocity_names, other) numbers in the order of the tree are v[p] in the
    other one; v[p] = v_other puts them back. `other` may name some only. Raises Error on a name that
    is not there or stands twice.
    """
    place = {name: i for i, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise Error(f"'{twice}' stands twice", "names", "give each name once")
    seen: set[str] = set()
    for name in other:
        if name not in place:
            similar = compiled._similar_name(name, list(place))
            remedy = f"did you mean '{similar}'?" if similar else "give names of the first order"
            raise Error(f"there is no '{name}' in the first order", "other", remedy)
        if name in seen:
            raise Error(f"'{name}' stands twice", "other", "give each name once")
        seen.add(name)
    return np.array([place[name] for name in other], dtype=np.int64)
