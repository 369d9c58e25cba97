"""Forces and trajectories made anew from their parts, for pickle."""

from typing import Any

from axode._axode import Forces, Trajectory, Tree, trajectory
from axode.typing import Array


def trajectory_of(tree: Tree, kind: str, times: Array, waypoints: Array) -> Trajectory:
    """The trajectory that __reduce__ took apart: compiled functions have no pickle."""
    return trajectory(tree, kind, times, waypoints)


def rebuilt(tree: Tree, state: tuple[Any, ...]) -> Forces:
    """The forces that __reduce__ took apart."""
    friction, stops, springs, joint_forces, wrenches, points, controllers, contacts, limits = state
    forces = Forces(tree)
    forces.set_friction(*friction)
    forces.set_stops(*stops)
    for joint, stiffness, rest, damping in springs:
        forces.add_spring(joint, stiffness=stiffness, rest=rest, damping=damping)
    for joint_force in joint_forces:
        forces.add_joint_force(*joint_force)
    for wrench in wrenches:
        forces.add_wrench(*wrench)
    for body_a, body_b, point_a, point_b, stiffness, damping, free_length, force in points:
        forces.add_point_force(
            body_a, point_a, body_b, point_b,
            stiffness=stiffness, damping=damping, free_length=free_length, force=force,
        )  # fmt: skip
    for controller in controllers:
        forces.add_controller(controller)
    for contact in contacts:
        forces.add_contact(contact)
    forces.effort_limits = limits
    return forces
