"""Dynamics by MuJoCo, in the order and the form of Axode's velocities: stacks over the states.

MuJoCo reads the same URDF file, less shapes and the <inertial> of links that have no inertia or are at
rest, which it might refuse. Its free joint has the velocity of the origin in world axes, then the
angular velocity in body axes: v_mujoco = T v with T = [0 R; 1 0].
"""

import re
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
from pinocchio_dynamics import coupled_accelerations, moved, stacks

OFF = mujoco.mjtDisableBit
WITHOUT = OFF.mjDSBL_CONSTRAINT | OFF.mjDSBL_SPRING | OFF.mjDSBL_ACTUATION
INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
mujoco.set_mju_user_warning(lambda text: None)  # else it writes a log file


def resting(robot, free_base):
    """The links that do not move. URDF has no other root than the one that is no child."""
    fixed = [j for j in robot.iter("joint") if j.get("type") == "fixed"]
    children = {j.find("child").get("link") for j in robot.findall("joint")}
    found = {link.get("name") for link in robot.findall("link")} - children
    size = 0
    while not free_base and size < len(found):
        size = len(found)
        found |= {j.find("child").get("link") for j in fixed if j.find("parent").get("link") in found}
    return set() if free_base else found


def inertia_of(inertial):
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    tensor = [float(inertia.get(key, 0)) for key in INERTIA] if inertia is not None else [0]
    return float(mass.get("value", 0)) if mass is not None else 0, any(tensor)


def load(path, free_base):
    """ValueError says why MuJoCo refuses it."""
    robot = ET.parse(path).getroot()
    at_rest = resting(robot, free_base)
    for link in robot.findall("link"):
        for part in [*link]:
            mass, tensor = inertia_of(part) if part.tag == "inertial" else (0, False)
            if part.tag != "inertial" or link.get("name") in at_rest or not (mass or tensor):
                link.remove(part)
            elif not mass:
                raise ValueError(f"drops the inertia of '{link.get('name')}', which has no mass")
    for extension in robot.findall("mujoco"):
        robot.remove(extension)
    ET.SubElement(ET.SubElement(robot, "mujoco"), "compiler", fusestatic="true", balanceinertia="false")
    try:
        spec = mujoco.MjSpec.from_string(ET.tostring(robot, encoding="unicode"))
        if free_base:
            spec.worldbody.first_body().add_freejoint(name="root_joint")
        return spec.compile()
    except ValueError as problem:
        said = re.sub(r"Error: |error |'| in fullinertia|;.*", "", str(problem)).splitlines()
        where = re.search(r"Element name ('.*?')", str(problem))
        raise ValueError(f"{said[0]}{f' ({where[1]})' if where else ''}") from None


class Joints:
    """Where the joints of the robot are in MuJoCo's and in Axode's coordinates."""

    def __init__(self, robot, model):
        self.angles, self.order, self.free = [], np.full(model.nv, -1), None
        for name in robot.moving:
            mine, theirs = robot.axode_joint(name), model.joint(name)
            q, v = theirs.qposadr[0], theirs.dofadr[0]
            if len(mine["v"]) == 6:
                self.free = mine["q"][0], mine["v"][0], q, v
                continue
            self.angles.append((mine["q"][0], q))
            self.order[v] = mine["v"][0]

    def position(self, q, nq):
        found = np.zeros(nq)
        for ours, theirs in self.angles:
            found[theirs] = q[ours]
        if self.free:
            ours, _, theirs, _ = self.free
            found[theirs:][:7] = [*q[ours + 4 : ours + 7], *q[ours : ours + 4]]
        return found

    def velocity_map(self, state):
        """T and T' v: v_mujoco = T v, a_mujoco = T a + T' v."""
        T = np.zeros((len(self.order), len(state.v)))
        rest = np.zeros(len(self.order))
        for theirs, ours in enumerate(self.order):
            if ours >= 0:
                T[theirs, ours] = 1
        if self.free:
            q, v, _, theirs = self.free
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, state.q[q : q + 4])
            R = R.reshape(3, 3)
            T[theirs : theirs + 3, v + 3 : v + 6] = R
            T[theirs + 3 : theirs + 6, v : v + 3] = np.eye(3)
            rest[theirs : theirs + 3] = R @ np.cross(state.v[v : v + 3], state.v[v + 3 : v + 6])
        return T, rest


def momentum(model, data):
    """About the origin of the world."""
    mujoco.mj_subtreeVel(model, data)
    linear = model.body_subtreemass[0] * data.subtree_linvel[0]
    return moved(np.concatenate([data.subtree_angmom[0], linear]), -data.subtree_com[0])


def inverse(model, data, a, damping):
    model.opt.disableflags = WITHOUT | (0 if damping else OFF.mjDSBL_DAMPER)
    data.qacc = a
    mujoco.mj_inverse(model, data)
    return data.qfrc_inverse


def dynamics(robot, model, states):
    """Stacks over the states."""
    assert model.nv == robot.model.nv, f"MuJoCo has {model.nv} degrees of freedom, Pinocchio {robot.model.nv}"
    data, joints = mujoco.MjData(model), Joints(robot, model)
    full, found = np.zeros((model.nv, model.nv)), []
    for _, s in states:
        T, rest = joints.velocity_map(s)
        model.opt.disableflags = WITHOUT | OFF.mjDSBL_DAMPER
        data.qpos, data.qvel = joints.position(s.q, model.nq), T @ s.v
        data.qfrc_applied = np.linalg.solve(T.T, s.tau)
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, full)
        x = {"mass": T.T @ full @ T, "bias": T.T @ (data.qfrc_bias + full @ rest)}
        x["a"] = np.linalg.solve(T, data.qacc - rest)
        if robot.mimics:  # MuJoCo's couplings are soft
            x["a"] = coupled_accelerations(robot, x["mass"], x["bias"], s.tau)
        x["momentum"] = momentum(model, data)
        for key, damping in (("tau", False), ("damped", True)):
            x[key] = T.T @ inverse(model, data, T @ s.a + rest, damping)
        data.qvel = 0
        mujoco.mj_forward(model, data)
        x["gravity"] = T.T @ data.qfrc_bias
        found.append(x)
    return stacks(found)
