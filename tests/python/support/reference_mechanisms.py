"""Mechanisms of tests/data/mechanisms, as tests/mechanism/mechanisms.hpp builds them, and their
motion solved for at t = 0."""

from math import atan2, cos, pi, sin
from typing import Any

import numpy as np

import axode
from axode.typing import Array, MechanismFormulation
from reference_data import read as read_data

PLANAR: tuple[MechanismFormulation, ...] = ("reference_point", "natural", "relative")
SPATIAL: tuple[MechanismFormulation, ...] = (*PLANAR, "quasi_velocities", "euler_angles")


def read(name: str) -> dict[str, Any]:
    return read_data(f"mechanisms/{name}")


def in_plane(p: Any) -> Array:
    return np.array([p[0], p[1], 0.0])


def unit(v: Any) -> Array:
    return np.asarray(np.asarray(v, float) / np.linalg.norm(v))


def turned(w: Any, p: Any = (0, 0, 0)) -> Array:
    """The pose at p turned by a rotation vector."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = axode.lie.exp(np.asarray(w, float)).matrix, p
    return T


def place(p: Any, angle: float) -> Array:
    return axode.mechanism.planar_pose(p[0], p[1], angle)


def along(start: Any, end: Any) -> Array:
    return place(start, atan2(end[1] - start[1], end[0] - start[0]))


def driven(
    mechanism: axode.Mechanism,
    coordinate: str,
    value: float,
    rate: float = 0,
    acceleration: float = 0,
) -> axode.Mechanism:
    motion = axode.mechanism.polynomial_in_time(value, rate, acceleration)
    return mechanism.replace(drivers={coordinate: motion})


class Maker(axode.MechanismBuilder):
    """Bodies of 1 kg and 1 kg m^2, joints by points and axes in the bodies."""

    def add(self, name: str, pose: Array, **inertia: Any) -> None:
        self.body(name, **(inertia or {"mass": 1, "about_com": (1, 1, 1)})).pose(pose)

    def pin(self, name: str, i: str, j: str, on_i: Any, on_j: Any = (0, 0)) -> None:
        self.joint(name, "revolute", i, j, points=(on_i, on_j))


def four_bar(p: dict[str, Any], phi: float, mode: int = 1) -> axode.Mechanism:
    """Bodies crank (A; A->1), coupler (1; 1->2), rocker (B; B->2)."""
    m = Maker("four_bar", "planar")
    A, B = np.array(p["A"]), np.array(p["B"])
    one = A + p["L2"] * np.array([cos(phi), sin(phi)])
    d = B - one
    far = np.hypot(*d)
    ahead = (far**2 + p["L3"] ** 2 - p["L4"] ** 2) / (2 * far)
    up = mode * np.sqrt(max(0.0, p["L3"] ** 2 - ahead**2))
    two = one + (ahead * d + up * np.array([-d[1], d[0]])) / far
    m.add("crank", place(A, phi))
    m.add("coupler", along(one, two))
    m.add("rocker", along(B, two))
    m.pin("A", "world", "crank", A)
    m.pin("1", "crank", "coupler", (p["L2"], 0))
    m.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    m.pin("B", "world", "rocker", B)
    return m.build()


def n_four_bar(loops: int, phi: float) -> axode.Mechanism:
    """Parallelograms in a row: rods from (k, 0) to couplers, all of unit length."""
    m = Maker("n_four_bar", "planar")
    bar = {"mass": 1, "com": (0.5, 0), "about_com": 1 / 12}
    for k in range(loops + 1):
        m.add(f"rod{k}", place((k, 0), phi), **bar)
        m.pin(f"A{k}", "world", f"rod{k}", (k, 0))
        if k > 0:
            m.add(f"coupler{k}", place((k - 1 + cos(phi), sin(phi)), 0), **bar)
            m.pin(f"B{k}", f"rod{k - 1}", f"coupler{k}", (1, 0))
            m.pin(f"C{k}", f"coupler{k}", f"rod{k}", (1, 0), (1, 0))
    return m.build()


def slider_crank(p: dict[str, Any], phi: float) -> axode.Mechanism:
    """Crank A-1, rod 1-2, slider on y = h."""
    m, A = Maker("slider_crank", "planar"), np.array(p["A"])
    one = A + p["L2"] * np.array([cos(phi), sin(phi)])
    th = np.arcsin((p["h"] - one[1]) / p["L3"])
    m.add("crank", place(A, phi))
    m.add("rod", place(one, th))
    m.add("slider", place((one[0] + p["L3"] * cos(th), p["h"]), 0))
    m.pin("A", "world", "crank", A)
    m.pin("1", "crank", "rod", (p["L2"], 0))
    m.pin("2", "rod", "slider", (p["L3"], 0))
    points, axes = ((0, p["h"]), (0, 0)), ((1, 0), (1, 0))
    m.joint("S", "prismatic", "world", "slider", points=points, axes=axes, angle=0)
    return m.build()


def rrpr(
    p: dict[str, Any], phi: float, sigma: int, headings: tuple[float, float] | None = None
) -> axode.Mechanism:
    """Crank (A; A->1), rod (1; 1->2), bar (B; B->3); a slider at the bar's tip on the rod keeps the
    angle from rod to bar: sigma phi. Headings are those of rod and bar."""
    m, A, B = Maker("rrpr", "planar"), np.array(p["A"]), np.array(p["B"])
    keep = sigma * p["phi_deg"] * pi / 180
    one = A + p["L2"] * np.array([cos(phi), sin(phi)])
    if headings is None:
        th = atan2(B[1] - one[1], B[0] - one[0])
        headings = (th, th + keep)
    m.add("crank", place(A, phi))
    m.add("rod", place(one, headings[0]))
    m.add("bar", place(B, headings[1]))
    m.pin("A", "world", "crank", A)
    m.pin("1", "crank", "rod", (p["L2"], 0))
    points, axes = ((0, 0), (p["L4"], 0)), ((1, 0), (cos(-keep), sin(-keep)))
    m.joint("P", "prismatic", "rod", "bar", points=points, axes=axes, angle=keep)
    m.pin("B", "world", "bar", B)
    return m.build()


def six_bar(p: dict[str, Any], pos: dict[str, Any]) -> axode.Mechanism:
    """crank (O; O->A), link (A; A->B), plate (C; C->B), bars (E; E->C) and (F; F->D)."""
    m = Maker("six_bar", "planar")
    m.add("crank", along(p["O"], pos["A"]))
    m.add("link", along(pos["A"], pos["B"]))
    m.add("plate", along(pos["C"], pos["B"]))
    m.add("left", along(p["E"], pos["C"]))
    m.add("right", along(p["F"], pos["D"]))
    D = p["CD"] * np.array([cos(p["alphaC"]), sin(p["alphaC"])])
    m.pin("O", "world", "crank", p["O"])
    m.pin("A", "crank", "link", (p["L2"], 0))
    m.pin("B", "link", "plate", (p["L3"], 0), (p["CB"], 0))
    m.pin("C", "left", "plate", (p["L5"], 0))
    m.pin("D", "right", "plate", (p["L6"], 0), D)
    m.pin("E", "world", "left", p["E"])
    m.pin("F", "world", "right", p["F"])
    return m.build()


def telescopic(p: dict[str, Any], state: Any, pos: dict[str, Any]) -> axode.Mechanism:
    """Crank (A; A->1), tube (1; 1->2), rod (3; 3->4), rocker (B; B->4), crank and tube driven."""
    m, given = Maker("telescopic", "planar"), state["input"]
    m.add("crank", place(p["A"], given["phi"][0]))
    m.add("tube", place(pos["1"], pos["th_tel"]))
    m.add("rod", place(pos["3"], pos["th_tel"]))
    m.add("rocker", place(p["B"], pos["th4"]))
    m.pin("A", "world", "crank", p["A"])
    m.pin("1", "crank", "tube", (p["L2"], 0))
    points, axes = ((0, 0), (p["L34"], 0)), ((1, 0), (1, 0))
    m.joint("T", "prismatic", "tube", "rod", points=points, axes=axes, angle=0)
    m.pin("4", "rod", "rocker", (p["L34"], 0), (p["L4"], 0))
    m.pin("B", "world", "rocker", p["B"])
    m.drive("A.angle", axode.mechanism.polynomial_in_time(*given["phi"]))
    m.drive("T.distance", axode.mechanism.polynomial_in_time(*given["s"]))
    return m.build()


def rscr(p: dict[str, Any], theta: float, beta: float) -> axode.Mechanism:
    """Bodies one (turned by theta about u1, at r1), two (x along the cylinder, at r2), three
    (turned by beta about u3, at r5)."""
    m = Maker("rscr", "spatial")
    u1, u2, u3 = (unit(p[k]) for k in ("u1_dir", "u2_dir_at_beta0", "u3_dir"))
    r12, r54 = np.array(p["r12_at_theta0"]), np.array(p["r54_at_beta0"])
    one, three = turned(u1 * theta, p["r1"]), turned(u3 * beta, p["r5"])
    x, r2 = three[:3, :3] @ u2, one[:3, :3] @ r12 + one[:3, 3]
    off = r2 - (three[:3, :3] @ r54 + three[:3, 3])
    y, two = unit(off - x * (x @ off)), np.eye(4)
    two[:3] = np.column_stack([x, y, np.cross(x, y), r2])
    for name, pose in (("one", one), ("two", two), ("three", three)):
        m.add(name, pose)
    zero = (0, 0, 0)
    on_two = (p["c4"], -p["rho"], 0)
    m.joint("R1", "revolute", "world", "one", points=(p["r1"], zero), axes=(u1, u1))
    m.joint("S", "spherical", "one", "two", points=(r12, zero))
    m.joint("C", "cylindrical", "two", "three", points=(on_two, r54), axes=((1, 0, 0), u2))
    m.joint("R3", "revolute", "world", "three", points=(p["r5"], zero), axes=(u3, u3))
    return m.build()


def revolute_loop(a: Any, alpha: Any, theta: Any) -> axode.Mechanism:
    """A closed loop by rows RotZ(theta) TransX(a) RotX(alpha); the last link is the ground."""
    m, T, n = Maker("loop", "spatial"), np.eye(4), len(a)
    links = [turned((alpha[k], 0, 0), (a[k], 0, 0)) for k in range(n)]
    for k in range(n - 1):
        T = T @ turned((0, 0, theta[k]))
        m.add(f"link{k + 1}", T)
        T = T @ links[k]
    names = ["world", *(f"link{k}" for k in range(1, n)), "world"]
    for k in range(n):
        # On body i the frame of the joint, on j that turned by theta.
        i = np.eye(4) if k == 0 else links[k - 1]
        j = np.linalg.inv(links[k]) if k + 1 == n else np.eye(4)
        m.joint(
            f"J{k + 1}",
            "revolute",
            names[k],
            names[k + 1],
            points=(i[:3, 3], j[:3, 3]),
            axes=(i[:3, 2], j[:3, 2]),
            zero=(i[:3, 0], j[:3, 0]),
        )
    return m.build()


def reference_poses(mechanism: axode.Mechanism) -> Array:
    return np.array([body.pose for body in mechanism.bodies])


class Solved:
    """Solved at t = 0 from the reference poses."""

    def __init__(self, mechanism: axode.Mechanism, formulation: MechanismFormulation) -> None:
        self.mechanism = mechanism
        system = mechanism.formulate(formulation)
        found = system.solve_position(0, system.from_poses(reference_poses(mechanism)))
        assert found.converged, (formulation, found.message)
        velocity = system.solve_velocity(0, found.q)
        acceleration = system.solve_acceleration(0, found.q, velocity.x)
        for motion in (velocity, acceleration):
            assert motion.consistent and motion.unique, (formulation, motion.message)
            assert motion.residual < 1e-9
        self.poses, self.twists = system.motion(found.q, velocity.x)
        self.rates = system.accelerations(found.q, velocity.x, acceleration.x)
        self.measured = system.measure(found.q, velocity.x, acceleration.x)

    def motion_of(self, body: int, local: Any) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a point of a body."""
        T, w, rate = self.poses[body], self.twists[body, :3], self.rates[body]
        arm = T[:3, :3] @ np.asarray(local, float)
        velocity = self.twists[body, 3:] + np.cross(w, arm)
        bias = np.cross(w, np.cross(w, arm))
        return T[:3, 3] + arm, velocity, rate[3:] + np.cross(rate[:3], arm) + bias

    def coordinate(self, name: str) -> list[float]:
        k = self.mechanism.coordinate_names.index(name)
        return [float(np.asarray(x)[k]) for x in self.measured]
