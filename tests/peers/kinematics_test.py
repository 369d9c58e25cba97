"""Compares poses, twists, accelerations and Jacobians with Pinocchio on the published robots of
example-robot-data.

On random states within the joint limits the poses, twists and accelerations of all links and the
Jacobians of some are compared in the three representations Pinocchio has (body, spatial, hybrid), and
in the mixed one, made from them. Fixed base for all robots, a free base for those with legs.

Usage: kinematics_test.py AXODE [PATTERN]
"""

import functools
import sys

import numpy as np
import pinocchio as pin
from robots import SWAP, Robot, compare_all, error

STATES = 100
JACOBIANS = 4  # links per robot
TOLERANCE = 1e-10
REP = {
    "body": pin.ReferenceFrame.LOCAL,
    "spatial": pin.ReferenceFrame.WORLD,
    "hybrid": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
    "mixed": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,  # and then
}


def mixed(R, six):
    """Hybrid to mixed: the angular part in body axes."""
    return np.concatenate([R.T @ six[:3], six[3:]])


def motion(model, data, frame, rep):
    """Twist and acceleration (derivative of its components) by Pinocchio, angular first."""
    V = pin.getFrameVelocity(model, data, frame, REP[rep]).vector[SWAP]
    classical = rep in ("hybrid", "mixed")
    of = pin.getFrameClassicalAcceleration if classical else pin.getFrameAcceleration
    A = of(model, data, frame, REP[rep]).vector[SWAP]
    if rep == "mixed":
        R = data.oMf[frame].rotation
        return mixed(R, V), mixed(R, A)
    return V, A


def jacobian(model, data, frame, rep):
    J = pin.getFrameJacobian(model, data, frame, REP[rep])[SWAP]
    return mixed(data.oMf[frame].rotation, J) if rep == "mixed" else J


def compare(axode, path, free_base):
    robot = Robot(axode, path, free_base)
    model, data = robot.model, robot.data
    states = [robot.state() for _ in range(STATES)]
    frames = {link: model.getFrameId(link, pin.FrameType.BODY) for link in robot.links}
    unknown = [link for link, frame in frames.items() if frame >= model.nframes]
    assert not unknown, f"links unknown to Pinocchio: {unknown}"
    chosen = [robot.links[i] for i in robot.random.permutation(len(robot.links))[: JACOBIANS - 1]]
    chosen = list(dict.fromkeys([*chosen, robot.links[-1]]))
    columns = robot.columns()
    ask = functools.partial(robot.ask, "kinematics", "--matrix", "--rep", states=states)
    moving = {rep: ask(rep) for rep in REP}
    linear = {rep: ask(rep, "--jacobian", *(x for c in chosen for x in ("--frame", c))) for rep in REP}
    worst = {"pose": 0, "twist": 0, "acceleration": 0, "jacobian": 0}

    def note(what, ours, theirs):
        worst[what] = max(worst[what], error(ours, theirs))

    for i, (state, _) in enumerate(states):
        pin.forwardKinematics(model, data, state.q, state.v, state.a)
        pin.computeJointJacobians(model, data, state.q)
        pin.updateFramePlacements(model, data)
        R = [data.oMf[frame].rotation for frame in frames.values()]
        p = [data.oMf[frame].translation for frame in frames.values()]
        for rep in REP:
            ours = [moving[rep][i]["frames"][link] for link in frames]
            note("pose", [x["pose"]["matrix"] for x in ours], R)
            note("pose", [x["pose"]["position"] for x in ours], p)
            V, A = zip(*(motion(model, data, frame, rep) for frame in frames.values()), strict=True)
            note("twist", [x["twist"] for x in ours], V)
            note("acceleration", [x["acceleration"] for x in ours], A)
            ours = [linear[rep][i]["frames"][link]["jacobian"] for link in chosen]
            J = [jacobian(model, data, frames[link], rep)[:, columns] for link in chosen]
            note("jacobian", ours, J)
    return {"links": len(frames), "nv": model.nv, "worst": worst, "ok": max(worst.values()) <= TOLERANCE}


def line(result):
    figures = "  ".join(f"{x:.1e}" for x in result["worst"].values())
    return f"{result['links']:6}{result['nv']:4}  {figures}"


def main():
    axode, pattern = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "")
    print(f"{'robot':36}{'links':>6}{'v':>4}  worst error: pose, twist, acceleration, Jacobian")
    results, crashed, failed = compare_all(functools.partial(compare, axode), pattern, line)
    agree = len(results) - sum(not r["ok"] for r in results)
    print(f"{agree} models agree within {TOLERANCE}, {crashed} not compared, {failed} failed")
    sys.exit(1 if failed or (agree < 8 and not pattern) else 0)


if __name__ == "__main__":
    main()
