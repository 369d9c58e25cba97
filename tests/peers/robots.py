"""The published robots of example-robot-data, loaded by Pinocchio and by Axode, and random states of
them in the coordinates of both. What the comparisons of this folder share."""

import json
import multiprocessing
import os
import subprocess
import sys
import traceback
import xml.etree.ElementTree as ET
from multiprocessing.connection import wait
from pathlib import Path

import numpy as np
import pinocchio as pin

FREE_BASE = (
    *("talos_reduced", "icub", "romeo_small", "g1_29dof_rev_1_0", "simple_humanoid", "centauro"),
    *("anymal", "solo12", "go2", "a1", "laikago", "bolt"),
    *("quadrotor_base", "iris", "hextilt_flying_arm_5"),
)
# Published with a mistake that no reading can mend: what Axode must say about it.
REFUSED = {
    "alex_psyonic_hands": "it follows joint 'index_q1', which is not there",
    "romeo_laas_small": "the inertia tensor is indefinite: a principal moment is -0.02",
    "ur3": "there is no link",
}
SWAP = [3, 4, 5, 0, 1, 2]  # linear first <-> angular first


def run(axode, *arguments, stdin=None):
    """What the command prints as JSON; RuntimeError if it fails."""
    done = subprocess.run([axode, *arguments], input=stdin, capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode()
        raise RuntimeError(f"axode {' '.join(arguments)}: exit {done.returncode}: {said}")
    return json.loads(done.stdout)


def error(ours, theirs, scale=None):
    """Largest difference of two stacks of arrays, each relative to its scale, else to the largest
    magnitude in it, or to 1 if that is less; infinite where one is not a number."""
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    assert ours.shape == theirs.shape, f"shapes {ours.shape} and {theirs.shape}"
    if ours.size == 0:
        return 0.0
    inner = tuple(range(1, ours.ndim))
    if scale is None:
        scale = np.maximum(1, np.abs(theirs).max(axis=inner))
    relative = np.abs(ours - theirs).max(axis=inner) / scale
    return float(relative.max()) if np.isfinite(relative).all() else np.inf


def mimics(path):
    """follower -> (leader, ratio, offset)"""
    found = {}
    for joint in ET.parse(path).getroot().iter("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            ratio, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
            found[joint.get("name")] = (mimic.get("joint"), ratio, offset)
    return found


class State:
    """Coordinates, velocities, accelerations and joint forces in the order of one library."""

    def __init__(self, nq, nv):
        self.q = np.zeros(nq)
        self.v, self.a, self.tau = np.zeros(nv), np.zeros(nv), np.zeros(nv)

    def json(self, *keys):
        """For --states of Axode."""
        fields = {"q": self.q, "v": self.v, "a": self.a, "tau": self.tau}
        return {key: fields[key].tolist() for key in keys}


class Robot:
    """A robot in Pinocchio, with random states and their translation to Axode's coordinates."""

    def __init__(self, axode, path, free_base):
        self.axode, self.path = axode, path
        self.options = ["--free-base"] if free_base else []
        self.info = run(axode, "info", str(path), "--json", *self.options)
        root = (pin.JointModelFreeFlyer(),) if free_base else ()
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.model.createData()
        self.random = np.random.default_rng(1)
        self.mimics = mimics(path)
        self.links = [b["name"] for b in self.info["bodies"]]
        self.joints = {b["joint"]["name"]: b["joint"] for b in self.info["bodies"]}
        self.moving = [self.model.names[i] for i in range(1, self.model.njoints)]

    def ask(self, command, *arguments, states, keys=("q", "v", "a")):
        """Axode's answers for the states."""
        text = json.dumps([ours.json(*keys) for _, ours in states]).encode()
        common = [command, str(self.path), "--json", "--states", "-", *self.options]
        return run(self.axode, *common, *arguments, stdin=text)["states"]

    def axode_joint(self, name):
        if name in self.joints:
            return self.joints[name]
        free = [j for j in self.joints.values() if j["type"] == "free"]
        assert name == "root_joint" and len(free) == 1, f"joint '{name}' is unknown to Axode"
        return free[0]

    def follow(self, name, values, offset=True):
        """The value of a one-degree of freedom joint: its own, or that of the joint it follows."""
        if name not in self.mimics:
            return values[name]
        leader, ratio, shift = self.mimics[name]
        return ratio * self.follow(leader, values, offset) + (shift if offset else 0)

    def random_angle(self, name):
        dof = self.axode_joint(name)["degrees_of_freedom"][0]
        lower, upper = dof["lower"], dof["upper"]
        if lower is None or upper is None or lower >= upper:
            lower, upper = -3, 3
        return self.random.uniform(lower, upper)

    def state(self):
        """A random state within the joint limits for Pinocchio, and the same for Axode."""
        m, r = self.model, self.random
        theirs, ours = State(m.nq, m.nv), State(self.info["nq"], self.info["nv"])
        angles = {name: self.random_angle(name) for name in self.moving}
        speeds, rates = ({name: r.uniform(-1, 1) for name in self.moving} for _ in range(2))
        for name in self.moving:
            joint, mine = m.joints[m.getJointId(name)], self.axode_joint(name)
            if joint.nv == 6:
                self.free_state(joint, mine, theirs, ours)
                continue
            assert joint.nv == 1, f"joint '{name}': no comparison for {joint.shortname()}"
            angle = self.follow(name, angles)
            turning = joint.nq == 2  # cosine and sine of an angle without limits
            theirs.q[joint.idx_q :][: joint.nq] = [np.cos(angle), np.sin(angle)] if turning else angle
            ours.q[mine["q"][0]] = angle
            values = self.follow(name, speeds, False), self.follow(name, rates, False), r.uniform(-1, 1)
            theirs.v[joint.idx_v], theirs.a[joint.idx_v], theirs.tau[joint.idx_v] = values
            k = mine["v"][0]
            ours.v[k], ours.a[k], ours.tau[k] = values
        return theirs, ours

    def free_state(self, joint, mine, theirs, ours):
        quaternion = self.random.normal(size=4)  # x, y, z, w
        quaternion /= np.linalg.norm(quaternion)
        position = self.random.uniform(-1, 1, 3)
        theirs.q[joint.idx_q :][:7] = [*position, *quaternion]
        ours.q[mine["q"][0] :][:7] = [quaternion[3], *quaternion[:3], *position]
        for key in ("v", "a", "tau"):
            six = self.random.uniform(-1, 1, 6)
            getattr(theirs, key)[joint.idx_v :][:6] = six
            getattr(ours, key)[mine["v"][0] :][:6] = six[SWAP]

    def columns(self):
        """For each of Axode's velocities that of Pinocchio."""
        order = np.zeros(self.model.nv, dtype=int)
        for name in self.moving:
            joint, mine = self.model.joints[self.model.getJointId(name)], self.axode_joint(name)
            for k in range(joint.nv):
                order[mine["v"][k]] = joint.idx_v + (SWAP[k] if joint.nv == 6 else k)
        return order

    def coupling(self):
        """E of v = E y in Axode's order, y the velocities that follow no other."""
        E = np.eye(self.model.nv)
        for name in self.mimics:
            leader, ratio = name, 1.0
            while leader in self.mimics:
                leader, factor, _ = self.mimics[leader]
                ratio *= factor
            E[self.joints[name]["v"][0], self.joints[leader]["v"][0]] = ratio
        return np.delete(E, [self.joints[name]["v"][0] for name in self.mimics], axis=1)


def jobs(pattern):
    """(file, whether its base is free), free ones at the end."""
    share = next(Path(sys.prefix).rglob("share/example-robot-data/robots"))
    paths = sorted(p for p in share.rglob("*.urdf") if pattern in str(p))
    return [(p, False) for p in paths] + [(p, True) for p in paths if p.stem in FREE_BASE]


def in_processes(work, items):
    """work(*item) for all items, a process each because Pinocchio crashes on some files; yields
    (item, what it returned or else a str that says why it did not), in order."""
    context = multiprocessing.get_context("fork")  # all is imported already

    def child(item, sender):
        try:
            sender.send(work(*item))
        except Exception as problem:
            known = isinstance(problem, RuntimeError)
            sender.send(str(problem) if known else traceback.format_exc(limit=-2))

    def start(i):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=child, args=(items[i], sender))
        process.start()
        sender.close()
        return receiver, (i, process)

    answers, running, started = {}, {}, 0
    for i, item in enumerate(items):
        while i not in answers:
            while started < len(items) and len(running) < os.cpu_count():
                running.update([start(started)])
                started += 1
            for receiver in wait(running):
                j, process = running.pop(receiver)
                try:
                    answers[j] = receiver.recv()
                except EOFError:
                    process.join()
                    answers[j] = f"signal {-process.exitcode}"
                process.join()
        yield item, answers.pop(i)


def title(path, free_base):
    """Names are not unique: with the folder where there are two."""
    folder = path.parents[1].name.removesuffix("_description").removesuffix("_simple")
    name = folder if folder.startswith(path.stem) else path.stem
    return name + (" (free)" if free_base else "")


def compare_all(work, pattern, line):
    """Prints line(result) for every robot; returns the results, and the number of failures.
    work(path, free_base) -> result; a result has "ok"."""
    results, crashed, failed = [], 0, 0
    for (path, free_base), result in in_processes(work, jobs(pattern)):
        head = f"{title(path, free_base):36}"
        if not isinstance(result, str):
            results.append(result)
            failed += not result["ok"]
            print(head + line(result) + ("" if result["ok"] else "  FAILED"), flush=True)
        elif result.startswith("signal"):
            crashed += 1
            print(f"{head}not compared: Pinocchio ends by {result}")
        elif path.stem in REFUSED and REFUSED[path.stem] in result:
            print(f"{head}refused, rightly: {REFUSED[path.stem]}")
        else:
            failed += 1
            print(f"{head}FAILED: {result}")
    return results, crashed, failed
