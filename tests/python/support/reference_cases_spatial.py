"""Spatial mechanisms of the trajectories tests/data/dyn_*.json."""

from typing import Any

import numpy as np

from axode.typing import Array
from reference_cases import GROUND, Case, Moving, exp, pose
from reference_data import read


def unit(v: Any) -> Array:
    return np.asarray(np.asarray(v) / np.linalg.norm(v))


def rscr(which: int) -> Case:
    """Bodies 1 and 3 on revolutes, 2 on 3 by a cylindrical joint, closed by a ball of 1 in 2."""
    data = read("dyn_rscr")["cases"][which]
    p, g, row = data["params"], data["geometry"], data["traj"][0]
    c = Case("spatial", p["g"])

    def now(name: str, what: str) -> Array:
        return np.array(row[name][what])

    r1, r5, r54 = np.array(g["r1"]), np.array(g["r5"]), np.array(g["r54_at_beta0"])
    u1, u3, axis = unit(g["u1_dir"]), unit(g["u3_dir"]), unit(g["u2_dir_at_beta0"])
    rho, c4 = g["rho"], g["c4"]
    u, du = now("u2", "pos"), now("u2", "vel")
    y = (now("r2", "pos") - now("r3", "pos") + u * c4) / rho
    dy = (now("r2", "vel") - now("r3", "vel") + du * c4) / rho
    z, dz = np.cross(u, y), np.cross(du, y) + np.cross(u, dy)
    omega = (np.cross(u, du) + np.cross(y, dy) + np.cross(z, dz)) / 2
    beta = row["beta"]
    moving = [
        Moving(pose(exp(u1 * p["q0"]), r1), u1 * p["qd0"]),
        Moving(pose(np.column_stack([u, y, z]), now("r2", "pos")), omega, now("r2", "vel")),
        Moving(pose(exp(u3 * beta["pos"]), r5), u3 * beta["vel"]),
    ]
    for k in range(3):
        I = np.array(p["I"][k])
        c.body(str(k + 1), p["m"][k], g["cg_local"][k], (I + I.T) / 2, moving[k])
    zero = (0, 0, 0)
    joint = c.builder.joint
    joint("R1", "revolute", "world", "1", points=(r1, zero), axes=(u1, u1))
    joint("S", "spherical", "1", "2", points=(g["r12_at_theta0"], zero))
    joint("C", "cylindrical", "3", "2", points=(r54, (0, -rho, 0)), axes=(axis, (1, 0, 0)))
    joint("R3", "revolute", "world", "3", points=(r5, zero), axes=(u3, u3))
    if p["tau"] != 0:
        c.builder.force("R1.angle", force=p["tau"])
    c.trajectory = data["traj"]

    def off(body: Moving, about: Array, angle: float, rate: float) -> float:
        turn, spin = body.T[:3, :3] - exp(about * angle), body.omega - about * rate
        return float(max(abs(turn).max(), abs(spin).max()))

    c.error = lambda r, b: max(
        off(b[1], u1, r["q"], r["qd"]),
        off(b[3], u3, r["beta"]["pos"], r["beta"]["vel"]),
        abs(b[2].T[:3, 3] - r["r2"]["pos"]).max(),
        abs(b[2].v - r["r2"]["vel"]).max(),
    )
    return c.built()


def bricard() -> Case:
    data = read("dyn_bricard")["cases"][0]
    p = data["params"]
    a, mass = p["a"], p["m"]
    J = mass * a * a / 12
    c = Case("spatial", p["g"])

    def link(i: int) -> Array:
        return pose(exp([np.pi / 2 * (1 if i % 2 == 0 else -1), 0, 0]), [a, 0, 0])

    def angle(row: Any, i: int, what: str) -> float:
        return float(row["theta_odd" if i % 2 == 0 else "theta_even"][what])

    def chain(row: Any) -> list[Moving]:
        moving, before = [], GROUND
        for i in range(5):
            frame = link(i - 1) if i > 0 else np.eye(4)
            before = before.hinged(frame, angle(row, i, "pos"), angle(row, i, "vel"))
            moving.append(before)
        return moving

    for i, body in enumerate(chain(data["traj"][0])):
        c.body(f"rod{i}", mass, (a / 2, 0, 0), (0, J, J), body)
    names = ["world", *(f"rod{i}" for i in range(5)), "world"]
    for i in range(6):
        on = link(i - 1) if i > 0 else np.eye(4)
        end = np.eye(4) if i < 5 else np.linalg.inv(link(5))
        c.builder.joint(
            f"j{i}",
            "revolute",
            names[i],
            names[i + 1],
            points=(on[:3, 3], end[:3, 3]),
            axes=(on[:3, 2], end[:3, 2]),
        )
    c.trajectory = data["traj"]

    def error(row: Any, bodies: list[Moving]) -> float:
        pairs = zip(bodies[1:], chain(row))
        return max(float(max(abs(x.T - y.T).max(), abs(x.omega - y.omega).max())) for x, y in pairs)

    c.error = error
    return c.built()


def heavy_top() -> Case:
    data = read("dyn_heavy_top")["cases"][0]
    p, row = data["params"], data["traj"][0]
    A = p["A"] - p["m"] * p["l"] ** 2
    c = Case("spatial", (0, 0, -p["g"]))
    moving = Moving(pose(row["R"], (0, 0, 0)), row["omega_space"])
    c.body("top", p["m"], (0, 0, p["l"]), (A, A, p["C"]), moving)
    c.builder.joint("tip", "spherical", "world", "top", points=((0, 0, 0), (0, 0, 0)))
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        abs(b[1].T[:3, :3] - r["R"]).max(), abs(b[1].omega - r["omega_space"]).max()
    )
    return c.built()


def bricard_rods() -> Case:
    """Five square rods of 1 kg and 1 m, 0.1 m wide, on the edges of a cube, at rest."""
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1.0]])
    x, y, z = np.eye(3)
    spin, swing = 0.02 / 12, 1.01 / 12
    c = Case("spatial", (0, -9.81, 0))
    names = ["world", *(f"rod{i}" for i in range(5)), "world"]
    for i, axis in enumerate((y, z, x, y, z, x)):
        before = P[i - 1] if i > 0 else np.zeros(3)
        if i < 5:
            d = P[i + 1] - P[i]
            J = swing + (spin - swing) * d**2
            c.body(names[i + 1], 1, d / 2, J, Moving(pose(np.eye(3), P[i])))
        points = (P[i] - before, np.zeros(3) if i < 5 else P[i])
        c.builder.joint(
            f"j{i}", "revolute", names[i], names[i + 1], points=points, axes=(axis, axis)
        )
    c.trajectory = [{"t": row[0], "row": row} for row in read("mechanisms/bricard_rods")["rows"]]
    # The rods begin at the joints.
    c.error = lambda r, b: max(
        float(np.linalg.norm(b[3 + k].T[:3, 3] - r["row"][3 * k + 1 : 3 * k + 4])) for k in range(3)
    )
    return c.built()
