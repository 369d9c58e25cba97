"""One call of each common function from Python, beside Pinocchio's on the same robot and state.

Usage: single_calls.py [PATTERN...]: only functions whose name holds one of them. Needs pinocchio and
example-robot-data beside axode. Pinocchio has its Data made and its frame's number looked up; Axode is
called in the ordinary way, by name and with new arrays. Both take turns in blocks of calls; a figure is
the median of the blocks.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axode
import numpy as np
import pinocchio as pin

# Those of example-robot-data, beside pinocchio.
ROBOT_DATA = next(Path(pin.__file__).parents[4].glob("share/example-robot-data/robots"))
# Robot: file, a frame far from the base, whether the base is free.
ROBOTS = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", "tool0", False),
    "Panda": ("panda_description/urdf/panda.urdf", "panda_hand_tcp", False),
    "ANYmal": ("anymal_b_simple_description/robots/anymal.urdf", "LF_FOOT", True),
    "Talos": ("talos_data/robots/talos_reduced.urdf", "gripper_left_fingertip_3_link", True),
}
BLOCKS, SECONDS = 61, 1e-3  # of each function, of a block

Call = Callable[[], Any]


class Robot:
    """A robot in both libraries, in the same state."""

    def __init__(self, file: str, frame: str, free: bool) -> None:
        urdf = str(ROBOT_DATA / file)
        base = [pin.JointModelFreeFlyer()] if free else []
        self.model = pin.buildModelFromUrdf(urdf, *base)
        self.data = self.model.createData()
        self.tree = axode.Tree.from_urdf(urdf, free_base=free)
        self.frame = frame
        self.id = self.model.getFrameId(frame)
        random = np.random.default_rng(1)
        n = self.model.nv
        self.q = pin.integrate(self.model, pin.neutral(self.model), 0.5 * random.normal(size=n))
        self.v, self.a = random.normal(size=(2, n))
        self.tau = pin.rnea(self.model, self.data, self.q, self.v, self.a)
        # In Axode a state of the same kind, whose joints follow others where the file says so.
        independent = axode.model.independent_nv(self.tree)
        expand = axode.dynamics.expansion(self.tree)
        self.y, self.b = (expand @ random.normal(size=(independent, 2))).T.copy()
        self.x = self.tree.integrate(self.tree.neutral(), 0.5 * self.y)


def calls(r: Robot) -> dict[str, tuple[Call, Call]]:
    """By quantity: Axode's call and Pinocchio's."""
    m, d, tree, frame = r.model, r.data, r.tree, r.frame
    q, v, a, tau = r.q, r.v, r.a, r.tau
    x, y, b = r.x, r.y, r.b  # Axode's q, v, a
    no_v = np.zeros(tree.nv)
    world = pin.LOCAL_WORLD_ALIGNED

    def frame_pose() -> Any:
        pin.forwardKinematics(m, d, q)
        return pin.updateFramePlacement(m, d, r.id)

    def frame_twist() -> Any:
        pin.forwardKinematics(m, d, q, v)
        return pin.getFrameVelocity(m, d, r.id, world)

    def frame_acceleration() -> Any:
        pin.forwardKinematics(m, d, q, v, a)
        return pin.getFrameAcceleration(m, d, r.id, world)

    return {
        "poses of all bodies": (
            lambda: axode.poses(tree, x),
            lambda: pin.framesForwardKinematics(m, d, q),
        ),
        "pose of a frame": (lambda: tree.transform(x, frame), frame_pose),
        "Jacobian of a frame": (
            lambda: axode.jacobian(tree, x, frame),
            lambda: pin.computeFrameJacobian(m, d, q, r.id, world),
        ),
        "twist of a frame": (lambda: tree.twist(x, y, frame), frame_twist),
        "acceleration of a frame": (lambda: tree.acceleration(x, y, b, frame), frame_acceleration),
        "inverse dynamics": (
            lambda: axode.inverse_dynamics(tree, x, y, b),
            lambda: pin.rnea(m, d, q, v, a),
        ),
        "forward dynamics": (
            lambda: axode.forward_dynamics(tree, x, y, tau),
            lambda: pin.aba(m, d, q, v, tau),
        ),
        "mass matrix": (lambda: axode.mass_matrix(tree, x), lambda: pin.crba(m, d, q)),
        "velocity and gravity terms": (
            lambda: axode.inverse_dynamics(tree, x, y, no_v),
            lambda: pin.nonLinearEffects(m, d, q, v),
        ),
        "gravity terms": (
            lambda: axode.gravity_forces(tree, x),
            lambda: pin.computeGeneralizedGravity(m, d, q),
        ),
        "Coriolis matrix": (
            lambda: axode.coriolis_matrix(tree, x, y),
            lambda: pin.computeCoriolisMatrix(m, d, q, v),
        ),
        "centre of mass": (
            lambda: axode.centre_of_mass(tree, x),
            lambda: pin.centerOfMass(m, d, q, False),
        ),
        "Jacobian of the centre of mass": (
            lambda: axode.centre_of_mass_jacobian(tree, x),
            lambda: pin.jacobianCenterOfMass(m, d, q, False),
        ),
        "derivatives of inverse dynamics": (
            lambda: axode.inverse_dynamics_derivatives(tree, x, y, b),
            lambda: pin.computeRNEADerivatives(m, d, q, v, a),
        ),
        "derivatives of forward dynamics": (
            lambda: axode.forward_dynamics_derivatives(tree, x, y, tau),
            lambda: pin.computeABADerivatives(m, d, q, v, tau),
        ),
    }


def block(call: Call, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def medians(ours: Call, theirs: Call) -> tuple[float, float]:
    """Seconds of a call of each, less those of an empty one."""
    pair = (ours, theirs, lambda: None)
    counts = [max(1, int(SECONDS / block(call, 20))) for call in pair]
    times = [[block(call, n) for call, n in zip(pair, counts)] for _ in range(BLOCKS)]
    a, b, empty = (statistics.median(column) for column in zip(*times))
    return a - empty, b - empty


def main(patterns: list[str]) -> None:
    robots = {name: calls(Robot(*about)) for name, about in ROBOTS.items()}
    instructions = axode.core.best_instruction_set()
    print(f"Pinocchio {pin.__version__}, {instructions}; us: Axode / Pinocchio")
    print("| one call | " + " | ".join(robots) + " |")
    print("| :-- |" + " --: |" * len(robots))
    for quantity in next(iter(robots.values())):
        if patterns and not any(pattern in quantity for pattern in patterns):
            continue
        cells = []
        for functions in robots.values():
            ours, theirs = medians(*functions[quantity])
            mark = "!" if ours > theirs else ""
            cells.append(f"{ours * 1e6:.2f} / {theirs * 1e6:.2f}{mark}")
        print(f"| {quantity} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
