"""Equations of mechanisms against the primitives of mechanisms/constraint_primitives.json.

In C++ each primitive is written by itself (tests/mechanism/equations/system_terms_test.cpp, with the same
tolerance). Python has equations of whole mechanisms: here those of the book's primitives that such
mechanisms have as they are, at the configurations of the file, which assemble nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import PairType
from reference_mechanisms import read

ENTRIES = read("constraint_primitives")["entries"]
Case = tuple[axode.mechanism.MechanismSystem, str, list[str]]


def xyz(name: str, size: int) -> list[str]:
    return [f"{name}.{axis}" for axis in "xyz"[:size]]


def distance(size: int, length: float, mixed: bool) -> Case:
    """Points i and j of one body, or of two with a measured distance between them."""
    builder = axode.MechanismBuilder("bar", "planar" if size == 2 else "spatial")
    pair: PairType = "revolute" if size == 2 else "spherical"
    i, j = np.zeros(size), length * np.eye(size)[0]
    for name in ("bar", "end", "one", "two"):
        builder.body(name)
    builder.joint("i", pair, "bar", "one", at=i)
    builder.joint("j", pair, "end" if mixed else "bar", "two", at=j)
    columns = xyz("i", size) + xyz("j", size)
    if not mixed:
        return builder.build().formulate("natural"), "bar: |i-j|^2", columns
    mechanism = builder.distance("s", ("bar", i), ("end", j)).build()
    return mechanism.formulate("natural", add=["s"]), "s: distance", [*columns, "s"]


def unit_vector() -> Case:
    """The first one of a body on a ball."""
    builder = axode.MechanismBuilder("body").body("a").body("b")
    system = builder.joint("i", "spherical", "a", "b", at=(0, 0, 0)).build().formulate("natural")
    return system, "b: |b.u1|^2", xyz("b.u1", 3)


def gear(offset: float, ratio: float) -> Case:
    builder = axode.MechanismBuilder("gears", "planar").body("a").body("b")
    builder.joint("A", "revolute", "world", "a", at=(0, 0))
    builder.joint("B", "revolute", "world", "b", at=(1, 0))
    system = builder.gear("gear", "A", "B", ratio, offset).build().formulate("relative")
    return system, system.equations()[0].name, ["A.angle", "B.angle"]


MAKE: dict[str, Callable[..., Case]] = {
    "dist2": lambda L: distance(2, L, False),
    "dist3": lambda L: distance(3, L, False),
    "dist2_mixed": lambda: distance(2, 1, True),
    "dist3_mixed": lambda: distance(3, 1, True),
    "unit3": unit_vector,
    "gear": gear,
}


def near(found: Any, expected: Any) -> None:
    assert np.abs(found - np.array(expected)).max() <= 1e-13 * max(1, np.abs(expected).max())


@pytest.mark.parametrize("type_", list(MAKE))
def test_primitives(type_: str) -> None:
    entries = [entry for entry in ENTRIES if entry["type"] == type_]
    assert entries
    for entry in entries:
        system, name, columns = MAKE[type_](*entry["params"])
        row = [equation.name for equation in system.equations()].index(name)
        places = [system.coordinate_names.index(column) for column in columns]
        q, v = np.ones(system.nq), np.ones(system.nv)
        q[places], v[places] = entry["q"], entry["qd"]
        J = system.jacobian(0, q)[row]
        near(system.position(0, q)[row], entry["phi"][0])
        near(system.velocity(0, q, v)[row], entry["phidot"][0])
        near(-system.acceleration_right(0, q, v)[row], entry["Jdot_qd"][0])
        near(J[places], entry["jac"][0])
        assert not np.delete(J, places).any()  # no other coordinates
