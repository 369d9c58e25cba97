"""Planar mechanisms with reference trajectories, and runs beside these."""

import json
from pathlib import Path

import numpy as np

import axode

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples/mechanisms"
DATA = ROOT / "tests/data"
PLANAR = ("relative", "reference_point", "natural")
SPATIAL = (*PLANAR, "euler_angles", "quasi_velocities")
METHODS = ("baumgarte", "projection", "augmented_lagrangian", "null_space")


def read(name):
    return json.loads((DATA / f"{name}.json").read_text())


def exp(w):
    """Rodrigues' formula."""
    angle = np.linalg.norm(w)
    if angle == 0:
        return np.eye(3)
    x, y, z = np.asarray(w) / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def pose(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def at(x, y):
    return pose(np.eye(3), [x, y, 0])


def turned(a, b):
    return abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi)


class Moving:
    """A pose and a twist in world axes about the body's origin."""

    def __init__(self, T=None, omega=(0, 0, 0), v=(0, 0, 0)):
        self.T = np.eye(4) if T is None else np.asarray(T)
        self.omega, self.v = np.asarray(omega, float), np.asarray(v, float)

    @property
    def heading(self):
        return np.arctan2(self.T[1, 0], self.T[0, 0])

    def hinged(self, frame, angle, rate):
        """A frame on a revolute joint about z of a frame of this one."""
        joint = self.T @ frame
        speed = self.v + np.cross(self.omega, joint[:3, 3] - self.T[:3, 3])
        omega = self.omega + joint[:3, 2] * rate
        return Moving(joint @ pose(exp([0, 0, angle]), [0, 0, 0]), omega, speed)


GROUND = Moving()


class Case:
    """A mechanism, the motion of its bodies at the start, and how far a row is from bodies."""

    def __init__(self, space, gravity):
        self.builder = axode.MechanismBuilder("case", space).gravity(gravity)
        self.start = [GROUND]
        self.trajectory, self.error = [], None

    def body(self, name, mass, com, about_com, moving):
        self.builder.body(name, mass=mass, com=com, about_com=about_com).pose(moving.T)
        self.start.append(moving)

    def pin(self, name, i, j, on_i, on_j=(0, 0)):
        self.builder.joint(name, "revolute", i, j, points=(on_i, on_j))

    def built(self):
        self.mechanism = self.builder.build()
        return self


def four_bar(which):
    data = read("dyn_fourbar")["cases"][which]
    p, row = data["params"], data["traj"][0]
    c = Case("planar", p["g"])
    q, qd, th3, th4 = row["q"], row["qd"], row["th3"], row["th4"]
    crank = GROUND.hinged(at(*p["A"]), q, qd)
    coupler = crank.hinged(at(p["L2"], 0), th3["pos"] - q, th3["vel"] - qd)
    rocker = GROUND.hinged(at(*p["B"]), th4["pos"], th4["vel"])
    for k, (name, body) in enumerate(
        {"crank": crank, "coupler": coupler, "rocker": rocker}.items(), start=2
    ):
        c.body(name, p[f"m{k}"], p[f"c{k}"], p[f"J{k}"], body)
    c.pin("A", "ground", "crank", p["A"])
    c.pin("1", "crank", "coupler", (p["L2"], 0))
    c.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    c.pin("B", "ground", "rocker", p["B"])
    if p["tau"] != 0:
        c.builder.force("A.angle", force=p["tau"], damping=p["cvis"])
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        turned(b[1].heading, r["q"]),
        turned(b[2].heading, r["th3"]["pos"]),
        turned(b[3].heading, r["th4"]["pos"]),
        abs(b[1].omega[2] - r["qd"]),
        abs(b[2].omega[2] - r["th3"]["vel"]),
        abs(b[3].omega[2] - r["th4"]["vel"]),
    )
    return c.built()


def slider_crank(which):
    data = read("dyn_slidercrank")["cases"][which]
    p, row = data["params"], data["traj"][0]
    c = Case("planar", p["g"])
    q, qd, th3 = row["q"], row["qd"], row["th3"]
    crank = GROUND.hinged(at(*p["A"]), q, qd)
    c.body("crank", p["m2"], p["c2"], p["J2"], crank)
    rod = crank.hinged(at(p["L2"], 0), th3["pos"] - q, th3["vel"] - qd)
    c.body("rod", p["m3"], p["c3"], p["J3"], rod)
    slider = Moving(at(*row["2"]["pos"]), v=[*row["2"]["vel"], 0])
    c.body("slider", p["m4"], (0, 0), 1.0, slider)
    c.pin("A", "ground", "crank", p["A"])
    c.pin("1", "crank", "rod", (p["L2"], 0))
    c.pin("2", "rod", "slider", (p["L3"], 0))
    axes = ((1, 0), (1, 0))
    c.builder.joint(
        "guide", "prismatic", "ground", "slider", points=((0, p["h"]), (0, 0)), axes=axes, angle=0
    )
    if p["tau"] != 0:
        c.builder.force("A.angle", force=p["tau"], damping=p["cvis"])
    if p["k"] != 0:
        c.builder.force("guide.distance", stiffness=p["k"], rest=p["x0"])
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        turned(b[1].heading, r["q"]),
        turned(b[2].heading, r["th3"]["pos"]),
        abs(b[3].T[0, 3] - r["2"]["pos"][0]),
        abs(b[1].omega[2] - r["qd"]),
        abs(b[3].v[0] - r["2"]["vel"][0]),
    )
    return c.built()


def andrews():
    """Velocities count by a thousandth."""
    data = read("dyn_andrews")
    p, q = data["params"], data["q0"]
    c = Case("planar", (0, 0))
    A, B, C = (p["xa"], p["ya"]), (p["xb"], p["yb"]), (p["xc"], p["yc"])
    H, G = (p["zt"], 0), (0, -p["u"])
    b1 = GROUND.hinged(np.eye(4), q["beta"], 0)
    b5, b7 = GROUND.hinged(at(*A), q["delta"], 0), GROUND.hinged(at(*A), q["epsilon"], 0)
    bodies = {
        "1": (b1, (p["ra"], 0)),
        "2": (b1.hinged(at(p["rr"], 0), q["theta"], 0), (-p["da"], 0)),
        "3": (GROUND.hinged(at(*B), q["gamma"], 0), (p["sb"], -p["sa"])),
        "4": (b5.hinged(at(*H), q["phi"], 0), (0, p["ea"] - p["e"])),
        "5": (b5, (p["ta"], p["tb"])),
        "6": (b7.hinged(at(*G), q["omega"], 0), (p["zf"] - p["fa"], 0)),
        "7": (b7, (-p["ub"], -p["ua"])),
    }
    for name, (body, com) in bodies.items():
        c.body(name, p[f"m{name}"], com, p[f"i{name}"], body)
    E = (-p["d"], 0)
    c.pin("O", "ground", "1", (0, 0))
    c.pin("F", "1", "2", (p["rr"], 0))
    c.pin("B", "ground", "3", B)
    c.pin("A5", "ground", "5", A)
    c.pin("H", "5", "4", H)
    c.pin("A7", "ground", "7", A)
    c.pin("G", "7", "6", G)
    c.pin("E3", "2", "3", E, (0, -p["ss"]))
    c.pin("E4", "2", "4", E, (0, -p["e"]))
    c.pin("E6", "2", "6", E, (p["zf"], 0))
    c.builder.force("O.angle", force=p["mom"])
    c.builder.spring(
        ("ground", C), ("3", (p["sd"], -p["sc"])), stiffness=p["c0"], length=p["l0"]
    )
    c.trajectory = data["traj"]
    sums = ["beta", "beta theta", "gamma", "phi delta", "delta", "omega epsilon", "epsilon"]

    def error(row, moving):
        worst = 0
        for body, names in zip(moving[1:], sums):
            place = sum(row[n]["pos"] for n in names.split())
            rate = sum(row[n]["vel"] for n in names.split())
            worst = max(worst, turned(body.heading, place), abs(body.omega[2] - rate) / 1000)
        return worst

    c.error = error
    return c.built()


def n_four_bar(n):
    """Rods 0 to n on the ground and bars between them, all of length 1."""
    c = Case("planar", (0, -9.81))
    for i in range(n + 1):
        rod = GROUND.hinged(at(i, 0), np.pi / 2, -1)
        c.body(f"rod{i}", 1, (0.5, 0), 1 / 12, rod)
        c.pin(f"A{i}", "ground", f"rod{i}", (i, 0))
        if i > 0:
            c.pin(f"C{i}", f"bar{i - 1}", f"rod{i}", (1, 0), (1, 0))
        if i < n:
            c.body(f"bar{i}", 1, (0.5, 0), 1 / 12, rod.hinged(at(1, 0), -np.pi / 2, 1))
            c.pin(f"B{i}", f"rod{i}", f"bar{i}", (1, 0))
    c.trajectory = next(x["traj"] for x in read("dyn_n_fourbar")["cases"] if x["params"]["N"] == n)
    c.error = lambda r, b: max(
        max(turned(x.heading, r["phi"]), abs(x.omega[2] - r["phid"])) for x in b[1::2]
    )
    return c.built()


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def followed(c, formulation, method, **options):
    """The run over the trajectory, and how far it is from it."""
    system = c.mechanism.formulate(formulation)
    q = system.from_poses(np.array([b.T for b in c.start]))
    v = system.from_twists(q, np.array([[*b.omega, *b.v] for b in c.start]))
    _, q, v = system.refresh(q, v)
    times = [row["t"] for row in c.trajectory]
    run = system.simulate(
        q,
        v,
        method=method,
        duration=times[-1],
        sample_interval=0,
        sample_times=times,
        bodies=True,
        **options,
    )
    assert run.ending == "finished", run.message
    assert np.array_equal(run.t, times)
    worst = 0
    for row, poses, twists in zip(c.trajectory, run.body_poses, run.body_twists):
        bodies = [
            Moving(pose(rotation(p[:4]), p[4:]), w[:3], w[3:])
            for p, w in zip(poses.reshape(-1, 7), twists.reshape(-1, 6))
        ]
        worst = max(worst, c.error(row, bodies))
    return run, worst
