"""Compares dynamics with Pinocchio and MuJoCo on the published robots of example-robot-data.

On random states within the joint limits: joint forces of inverse dynamics without and with the losses
of the joints, velocity and gravity terms, momenta, energies, accelerations of forward dynamics, mass
matrix and its rate, and, with Pinocchio, which has them, analytic derivatives of forces and
accelerations. Joints that follow others (mimic) move with them in forward dynamics. MuJoCo is left out
where it does not take the inertias.

Usage: dynamics_test.py AXODE [PATTERN]
"""

import functools
import sys

import mujoco_dynamics
import numpy as np
import pinocchio as pin
import pinocchio_dynamics
from robots import Robot, compare_all, error

STATES = 100
NUMBERS = 2.5e5  # in one kind of matrix of all states: the largest robots have them at fewer states
TOLERANCE = 1e-9
EPSILON = 2.2e-16
# Has degrees of freedom without inertia: what Axode must say about its accelerations.
NO_FORWARD = {"romeo": "Hand' moves no inertia along its degree of freedom"}  # of either hand
# What a column of the table holds the worst of.
COLUMNS = {
    "tau": ("tau", "lossy", "damped"),
    "bias": ("bias", "gravity", "coriolis"),
    "M": ("mass", "mass_rate", "tau_by_a"),
    "a": ("a",),
    "momentum": ("momentum", "centroidal"),
    "energy": ("kinetic", "potential"),
    "dtau": ("tau_by_q", "tau_by_v"),
    "da": ("a_by_q", "a_by_v", "a_by_tau"),
}
MUJOCO = [column for column in COLUMNS if column not in ("energy", "dtau", "da")]


def make_states(robot):
    """Half of them with forces of a motion of moderate acceleration, half with any."""
    states, order = [robot.state() for _ in range(STATES)], robot.columns()
    for theirs, ours in states[::2]:
        a = robot.random.uniform(-1, 1, robot.model.nv)
        theirs.tau = pin.rnea(robot.model, robot.data, theirs.q, theirs.v, a).copy()
        ours.tau = theirs.tau[order]
    return states


def stacks(answers, keys):
    return {key: np.array([x[key] for x in answers]) for key in keys}


def inverse(robot, states, some):
    """By Axode: what follows from given accelerations. Stacks over the states, of matrices over some;
    potential energies are relative to the first state."""
    ask = functools.partial(robot.ask, "dynamics", "--no-friction", states=states)
    answers = ask("--no-damping", "--gravity", "--energies")
    found = stacks(answers, ("tau", "gravity"))
    found |= stacks([x["energies"] for x in answers], ("kinetic", "potential", "momentum"))
    found |= {"centroidal": np.array([x["energies"]["centroidal_momentum"] for x in answers])}
    found["potential"] -= found["potential"][0]
    found["bias"] = stacks(ask("--no-damping", keys=("q", "v")), ["tau"])["tau"]
    found["damped"] = stacks(ask(), ["tau"])["tau"]
    found["lossy"] = stacks(robot.ask("dynamics", states=states), ["tau"])["tau"]
    of_matrices = ("--mass-matrix", "--derivatives", "--coriolis", "skew")
    answers = ask("--no-damping", *of_matrices, states=some)
    found |= stacks([x["derivatives"] for x in answers], ("tau_by_q", "tau_by_v", "tau_by_a"))
    found["mass"] = np.array([x["mass_matrix"] for x in answers])
    C = np.array([x["coriolis_matrix"] for x in answers])
    found["mass_rate"] = C + C.transpose(0, 2, 1)
    found["coriolis"] = np.array([c @ ours.v for c, (_, ours) in zip(C, some, strict=True)])
    return found


def forward(robot, states, some):
    """By Axode: what follows from given forces. If joints follow others, the derivatives are those of
    independent joints along independent joints."""
    options = {"keys": ("q", "v", "tau")}
    lossless = ("--no-damping", "--no-friction")
    found = stacks(robot.ask("dynamics", *lossless, states=states, **options), ["a"])
    if not robot.mimics:
        answers = robot.ask("dynamics", *lossless, "--derivatives", states=some, **options)
        return found | stacks([x["derivatives"] for x in answers], answers[0]["derivatives"])
    linear = stacks(robot.ask("linearize", *lossless, states=some, **options), ("A", "B"))
    A, B = linear["A"], linear["B"]
    n = B.shape[2]
    return found | {"a_by_q": A[:, n:, :n], "a_by_v": A[:, n:, n:], "a_by_tau": B[:, n:]}


def largest(stack):
    return np.abs(stack).reshape(len(stack), -1).max(axis=1)


def scales(theirs):
    """By kind, what errors of each state are relative to: the largest number of the kind, but at least
    a thousandth of a quantity that it is a part or a derivative of: it may vanish."""
    found = {key: largest(stack) for key, stack in theirs.items()}
    whole = {
        "a": ("a_by_q", "a_by_v"),
        "mass": ("mass_rate",),
        "tau": ("bias", "gravity", "coriolis", "tau_by_q", "tau_by_v"),
        "potential": ("kinetic",),
        "kinetic": ("potential",),
    }
    result = dict(found)
    for of, parts in whole.items():
        for part in (p for p in parts if p in found):
            result[part] = np.maximum(found[part], 1e-3 * found[of][: len(found[part])])
    return result


def allowances(robot, theirs, scale):
    """By kind, the relative errors allowed at each state: TOLERANCE, but rounding of forces and of the
    mass matrix lets accelerations differ by eps |tau| / (its smallest eigenvalue), and the relative
    differences of their derivatives grow with its condition."""
    always = np.full(STATES, TOLERANCE)
    if "a" not in theirs:
        return dict.fromkeys(theirs, always)
    E = robot.coupling()
    eigenvalues = np.linalg.eigvalsh(E.T @ theirs["mass"] @ E)
    least, most = eigenvalues[:, 0], eigenvalues[:, -1]
    force = np.max([scale["tau"], scale["bias"], most * scale["a"]], axis=0)
    found = {"a": EPSILON * force / (least * scale["a"])}
    found |= dict.fromkeys(("a_by_q", "a_by_v", "a_by_tau"), EPSILON * most / least)
    return {key: np.maximum(always, found.get(key, 0)) for key in theirs}


def judge(robot, ours, theirs):
    """Worst errors by column of the table, and the worst relative to what is allowed."""
    scale = scales(theirs)
    allowed = allowances(robot, theirs, scale)
    found, excess = {}, 0
    for column, keys in COLUMNS.items():
        for key in (k for k in keys if k in theirs and k in ours):
            n = min(len(ours[key]), len(theirs[key]))
            x, y, unit, limit = (of[key][:n] for of in (ours, theirs, scale, allowed))
            found[column] = max(found.get(column, 0), error(x, y, unit))
            excess = max(excess, error(x, y, unit * limit))
    return found, excess


def compare(axode, path, free_base):
    robot = Robot(axode, path, free_base)
    nv = robot.model.nv
    if nv == 0:
        return {"ok": True, "note": "nothing moves"}
    states = make_states(robot)
    some = states[: min(STATES, int(NUMBERS / nv**2))]
    ours, notes = inverse(robot, states, some), []
    try:
        ours |= forward(robot, states, some)
    except RuntimeError as problem:
        if path.stem not in NO_FORWARD or NO_FORWARD[path.stem] not in str(problem):
            raise
        notes.append(f"rightly no accelerations: {NO_FORWARD[path.stem]}")
    theirs = pinocchio_dynamics.inverse(robot, states, some)
    theirs |= pinocchio_dynamics.forward(robot, states, some) if "a" in ours else {}
    result = {"links": len(robot.links), "nv": nv, "matrices": len(some)}
    result["pinocchio"], excess = judge(robot, ours, theirs)
    result["mujoco"] = {}
    try:
        model = mujoco_dynamics.load(path, free_base)
        result["mujoco"], more = judge(robot, ours, mujoco_dynamics.dynamics(robot, model, states))
        excess = max(excess, more)
    except ValueError as problem:
        notes.append(f"MuJoCo: {problem}")
    if excess <= 1 < max(result["pinocchio"].values()) / TOLERANCE:
        condition = np.linalg.cond(theirs["mass"]).max()
        notes.append(f"mass matrix of condition {condition:.0e}: accelerations to rounding only")
    return result | {"ok": excess <= 1, "note": "; ".join(notes)}


def row(found, columns):
    return "".join(f"{found[c]:9.0e}" if c in found else f"{'-':>9}" for c in columns)


def line(result):
    if "nv" not in result:
        return result["note"]
    sizes = f"{result['links']:6}{result['nv']:4}{result['matrices']:5}"
    rows = row(result["pinocchio"], COLUMNS), row(result["mujoco"], MUJOCO)
    return f"{sizes}{rows[0]} |{rows[1]}  {result['note']}"


def main():
    axode, pattern = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "")
    heads = ["".join(f"{c:>9}" for c in columns) for columns in (COLUMNS, MUJOCO)]
    print(f"{'worst relative errors':51}{'    Pinocchio':{len(heads[0])}} |    MuJoCo")
    print(f"{'robot':36}{'links':>6}{'v':>4}{'mat':>5}{heads[0]} |{heads[1]}")
    results, crashed, failed = compare_all(functools.partial(compare, axode), pattern, line)
    agree = [r for r in results if r["ok"] and "nv" in r]
    both = sum(bool(r["mujoco"]) for r in agree)
    rounding = sum("to rounding only" in r["note"] for r in agree)
    print(
        f"{len(agree)} models agree with Pinocchio, {both} of them also with MuJoCo, within {TOLERANCE} "
        f"({rounding} in accelerations to rounding only) on {STATES} states (matrices: mat), "
        f"{crashed} not compared, {failed} failed"
    )
    sys.exit(1 if failed or (both < 8 and not pattern) else 0)


if __name__ == "__main__":
    main()
