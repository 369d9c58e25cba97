"""Mechanisms of tests/data/mechanisms/natural, as tests/mechanism/natural_cases.hpp builds them.

Bodies have no mass, and their frames are the world's where they are built.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import axode
from axode.typing import Array
from reference_mechanisms import read, reference_poses

Params = dict[str, Any]
Make = Callable[[Params, Params], axode.Mechanism]


def data(name: str) -> dict[str, Any]:
    return read(f"natural/{name}")


def chain(name: str, bodies: str, *pins: tuple[str, str, str, Any]) -> axode.MechanismBuilder:
    builder = axode.MechanismBuilder(name, "planar")
    for body in bodies.split():
        builder.body(body)
    for joint, i, j, place in pins:
        builder.joint(joint, "revolute", i, j, at=place)
    return builder


def four_bar(p: Params, pos: Params) -> axode.Mechanism:
    builder = axode.MechanismBuilder("four_bar", "planar")
    builder.body("crank").body("coupler").point("P", pos["P"]).body("rocker")
    ends = ("world", "crank", "coupler", "rocker", "world")
    for k, (name, place) in enumerate(
        {"A": p["A"], "1": pos["1"], "2": pos["2"], "B": p["B"]}.items()
    ):
        builder.joint(name, "revolute", ends[k], ends[k + 1], at=place)
    return builder.build()


def rrpr(p: Params, pos: Params) -> axode.Mechanism:
    one, two, three = (np.array(pos[k]) for k in "123")
    builder = axode.MechanismBuilder("rrpr", "planar")
    builder.body("crank").body("rod").point("2", two).body("bar")
    builder.joint("A", "revolute", "world", "crank", at=p["A"])
    builder.joint("1", "revolute", "crank", "rod", at=one)
    builder.joint("3", "prismatic", "rod", "bar", points=(one, three), axis=two - one)
    builder.joint("B", "revolute", "bar", "world", at=p["B"])
    return builder.distance("s", ("rod", one), ("bar", three)).build()


def six_bar(p: Params, pos: Params) -> axode.Mechanism:
    at = {**p, **pos}
    bodies = ("world OA", "OA AB", "AB BCD", "BCD CE", "BCD DF", "CE world", "DF world")
    pins = [(k, *b.split(), at[k]) for k, b in zip("OABCDEF", bodies)]
    return chain("six_bar", "OA AB BCD CE DF", *pins).build()


def telescopic(p: Params, pos: Params) -> axode.Mechanism:
    one, two = np.array(pos["1"]), np.array(pos["2"])
    builder = chain("telescopic", "crank tube rod rocker", ("A", "world", "crank", p["A"]))
    builder.joint("1", "revolute", "crank", "tube", at=one)
    builder.joint("S", "prismatic", "tube", "rod", points=(two, pos["3"]), axis=two - one)
    builder.joint("4", "revolute", "rod", "rocker", at=pos["4"])
    return builder.joint("B", "revolute", "rocker", "world", at=p["B"]).build()


def rscr(p: Params, pos: Params) -> axode.Mechanism:
    builder = axode.MechanismBuilder("rscr").body("one").body("two").body("three")
    builder.joint("1", "revolute", "world", "one", at=p["r1"], axis=p["u1_dir"])
    builder.joint("r2", "spherical", "one", "two", at=pos["r2"])
    points = (pos["r3"], pos["r4"])
    builder.joint("u2", "cylindrical", "two", "three", points=points, axis=pos["u2"])
    return builder.joint("5", "revolute", "three", "world", at=p["r5"], axis=p["u3_dir"]).build()


def robot(p: Params, pos: Params) -> axode.Mechanism:
    builder = axode.MechanismBuilder("robot")
    for body in "abcdef":
        builder.body(body)
    builder.point("5", pos["5"])
    rows = (
        ("0", p["r1"], (0, 0, 1)),
        ("1", p["r1"], pos["u1"]),
        ("2", pos["2"], pos["u1"]),
        ("3", pos["3"], pos["u1"]),
        ("4", pos["4"], pos["u2"]),
        ("4'", pos["4"], pos["u3"]),
    )
    bodies = ("world", *"abcdef")
    for k, (name, place, axis) in enumerate(rows):
        builder.joint(name, "revolute", bodies[k], bodies[k + 1], at=place, axis=axis)
    return builder.build()


def revolute_loop(pos: Params, n: int) -> axode.Mechanism:
    """The last link is the ground."""
    names = ["world", *(f"link{k}" for k in range(1, n)), "world"]
    builder = axode.MechanismBuilder("loop")
    for name in names[1:n]:
        builder.body(name)
    for k in range(1, n + 1):
        place, axis = pos[f"P{k}"], pos[f"u{k}"]
        builder.joint(f"P{k}", "revolute", names[k - 1], names[k], at=place, axis=axis)
    return builder.build()


# What the reference calls our coordinates, without .x, .y, .z.
NAMES: dict[str, tuple[Make, dict[str, str]]] = {
    "planar_fourbar": (four_bar, {"1": "1", "2": "2"}),
    "planar_rrpr": (rrpr, {"1": "1", "rod.2": "2", "3@bar": "3"}),
    "planar_sixbar": (six_bar, {k: k for k in "ABCD"}),
    "planar_telescopic": (telescopic, {"1": "1", "4": "4", "S@tube": "2", "S@rod": "3"}),
    "spatial_rscr": (rscr, {"r2": "r2", "u2@two": "r3", "u2.axis": "u2", "u2@three": "r4"}),
    "problem_2_21_manipulator": (
        robot,
        {"2": "2", "3": "3", "4": "4", "f.5": "5", "1.axis": "u1", "4.axis": "u2", "4'.axis": "u3"},
    ),
}


def numbers(system: axode.mechanism.MechanismSystem, values: Params, file: str) -> Array:
    """The coordinates of the system by what the reference calls them; NaN where it has none."""
    q, names = [], NAMES[file][1]
    for coordinate in system.coordinate_names:
        name, axis = coordinate.rsplit(".", 1)
        q.append(values[names[name]]["xyz".index(axis)] if name in names else np.nan)
    return np.array(q)


def modes(file: str) -> list[list[tuple[Params, Params]]]:
    """Parameters and modes, by set."""
    found = []
    for told in data(file)["sets"]:
        all_modes = [
            mode
            for state in told["states"]
            if state.get("feasible", True)
            for mode in state.get("modes", [state])
        ]
        found.append([(told["params"], mode) for mode in all_modes])
    return found


def home(system: axode.mechanism.MechanismSystem) -> Array:
    return system.from_poses(reference_poses(system.mechanism))
