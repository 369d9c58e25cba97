"""Planar mechanisms of the trajectories tests/data/dyn_*.json."""

from typing import Any

import numpy as np

from reference_cases import GROUND, Case, Moving, at, turned
from reference_data import read


def four_bar(which: int) -> Case:
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
    c.pin("A", "world", "crank", p["A"])
    c.pin("1", "crank", "coupler", (p["L2"], 0))
    c.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    c.pin("B", "world", "rocker", p["B"])
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


def slider_crank(which: int) -> Case:
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
    c.pin("A", "world", "crank", p["A"])
    c.pin("1", "crank", "rod", (p["L2"], 0))
    c.pin("2", "rod", "slider", (p["L3"], 0))
    axes = ((1, 0), (1, 0))
    c.builder.joint(
        "guide", "prismatic", "world", "slider", points=((0, p["h"]), (0, 0)), axes=axes, angle=0
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


def andrews() -> Case:
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
    c.pin("O", "world", "1", (0, 0))
    c.pin("F", "1", "2", (p["rr"], 0))
    c.pin("B", "world", "3", B)
    c.pin("A5", "world", "5", A)
    c.pin("H", "5", "4", H)
    c.pin("A7", "world", "7", A)
    c.pin("G", "7", "6", G)
    c.pin("E3", "2", "3", E, (0, -p["ss"]))
    c.pin("E4", "2", "4", E, (0, -p["e"]))
    c.pin("E6", "2", "6", E, (p["zf"], 0))
    c.builder.force("O.angle", force=p["mom"])
    c.builder.spring(("world", C), ("3", (p["sd"], -p["sc"])), stiffness=p["c0"], length=p["l0"])
    c.trajectory = data["traj"]
    sums = ["beta", "beta theta", "gamma", "phi delta", "delta", "omega epsilon", "epsilon"]

    def error(row: Any, moving: list[Moving]) -> float:
        worst = 0.0
        for body, names in zip(moving[1:], sums):
            place = sum(row[n]["pos"] for n in names.split())
            rate = sum(row[n]["vel"] for n in names.split())
            worst = max(worst, turned(body.heading, place), abs(body.omega[2] - rate) / 1000)
        return worst

    c.error = error
    return c.built()


def n_four_bar(n: int) -> Case:
    """Rods 0 to n on the ground and bars between them, all of length 1."""
    c = Case("planar", (0, -9.81))
    for i in range(n + 1):
        rod = GROUND.hinged(at(i, 0), np.pi / 2, -1)
        c.body(f"rod{i}", 1, (0.5, 0), 1 / 12, rod)
        c.pin(f"A{i}", "world", f"rod{i}", (i, 0))
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


def long_run(n: int) -> Case:
    """The row of four-bars with the states of the reduced equation at some later times."""
    c = n_four_bar(n)
    c.trajectory = [
        {"t": t, "phi": np.arctan2(y, x), "phid": x * dy - y * dx}
        for t, x, y, dx, dy in read("mechanisms/n_fourbar_long")[f"N{n}"]
    ]
    return c


def double_pendulum() -> Case:
    data = read("dyn_double_pendulum")["cases"][0]
    p, (first, second) = data["params"], data["traj"][0]["rel_angles"]
    c = Case("planar", (0, -p["g"]))
    one = GROUND.hinged(np.eye(4), first, 0)
    c.body("1", p["m1"], (p["c1"], 0), p["I1"], one)
    c.body("2", p["m2"], (p["c2"], 0), p["I2"], one.hinged(at(p["L1"], 0), second, 0))
    c.pin("A", "world", "1", (0, 0))
    c.pin("B", "1", "2", (p["L1"], 0))
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        turned(b[1].heading, r["rel_angles"][0]),
        turned(b[2].heading, sum(r["rel_angles"])),
        abs(b[1].omega[2] - r["abs_rates"][0]),
        abs(b[2].omega[2] - r["abs_rates"][1]),
    )
    return c.built()
