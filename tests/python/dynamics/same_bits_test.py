"""The same question has the same bits: one state, the same state in a batch, alone in a batch.

Kinematics of frames, terms and matrices that are evaluated state by state: a row of a batch is the single call,
bit for bit. So it is with poses of all bodies, but for joints with quaternions or several degrees of freedom, which are
placed by code that is compiled apart for batches. Recursions of forces have another order of sums in registers
of several states: a single call may differ from a row by rounding, but a row does not depend on the batch it
stands in.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import axode

MODELS = Path(__file__).resolve().parents[3] / "models"
STATES = 37  # no multiple of a number of lanes
SIMPLE = {"fixed", "revolute", "prismatic", "helical"}


class Moving(NamedTuple):
    """A model and random states of it; its followers follow."""

    tree: axode.Tree
    q: axode.typing.Array
    v: axode.typing.Array
    a: axode.typing.Array
    tau: axode.typing.Array


def moving(name: str) -> Moving:
    tree = axode.load_tree(MODELS / name)
    random = np.random.default_rng(1)
    E = axode.dynamics.expansion(tree)
    v, a = random.normal(size=(2, STATES, E.shape[1])) @ E.T
    return Moving(tree, tree.random(1, count=STATES), v, a, random.normal(size=v.shape))


Function = Callable[[Moving, Any, Any, Any, Any], Any]
# In registers of several states, by the operations of one state.
OF_POSES: dict[str, Function] = {
    "poses": lambda m, q, v, a, tau: axode.poses(m.tree, q),
}
# Evaluated state by state also in batches.
ONE_BY_ONE: dict[str, Function] = {
    "pose": lambda m, q, v, a, tau: m.tree.transform_matrix(q, m.tree.body_names[-1]),
    "jacobian": lambda m, q, v, a, tau: axode.jacobian(m.tree, q, m.tree.body_names[-1]),
    "body jacobian": lambda m, q, v, a, tau: axode.jacobian(
        m.tree, q, m.tree.body_names[-1], rep="body"
    ),
    "twist": lambda m, q, v, a, tau: m.tree.twist(q, v, m.tree.body_names[-1]),
    "acceleration": lambda m, q, v, a, tau: m.tree.acceleration(q, v, a, m.tree.body_names[-1]),
    "twists": lambda m, q, v, a, tau: axode.twists(m.tree, q, v),
    "gravity": lambda m, q, v, a, tau: axode.gravity_forces(m.tree, q),
    "coriolis": lambda m, q, v, a, tau: axode.coriolis_matrix(m.tree, q, v),
    "kinetic energy": lambda m, q, v, a, tau: axode.kinetic_energy(m.tree, q, v),
}
# Recursions of forces: in batches by registers of several states.
IN_LANES: dict[str, Function] = {
    "inverse dynamics": lambda m, q, v, a, tau: axode.inverse_dynamics(m.tree, q, v, a),
    "mass matrix": lambda m, q, v, a, tau: axode.mass_matrix(m.tree, q),
    "forward dynamics": lambda m, q, v, a, tau: axode.forward_dynamics(m.tree, q, v, tau),
    "tau by q": lambda m, q, v, a, tau: (
        axode.inverse_dynamics_derivatives(m.tree, q, v, a).by_q
    ),
}
NAMES = sorted(path.name for path in MODELS.iterdir() if path.suffix in (".json", ".urdf"))
ALL = OF_POSES | ONE_BY_ONE | IN_LANES


def singles(function: Function, m: Moving) -> Any:
    return np.array([function(m, *state) for state in zip(*m[1:], strict=True)])


def has_inertia(tree: axode.Tree) -> bool:
    return all(body.inertia_given for body in tree.bodies)


@pytest.mark.parametrize("name", NAMES)
def test_a_single_call_is_the_row_of_a_batch(name: str) -> None:
    m = moving(name)
    simple = {body.joint_type for body in m.tree.bodies} <= SIMPLE
    for what, function in (ONE_BY_ONE | (OF_POSES if simple else {})).items():
        assert np.array_equal(singles(function, m), function(m, *m[1:])), what


@pytest.mark.parametrize("name", NAMES)
def test_a_single_call_is_the_row_of_a_batch_but_for_rounding(name: str) -> None:
    m = moving(name)
    for what, function in (OF_POSES | IN_LANES).items():
        if what == "forward dynamics" and not has_inertia(m.tree):
            continue
        one, many = singles(function, m), function(m, *m[1:])
        scale = np.maximum(1, np.abs(many).max())
        assert np.abs(one - many).max() < 1e-12 * scale, what


@pytest.mark.parametrize("name", [name for name in NAMES if name != "all_joints.json"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_does_not_depend_on_its_batch(name: str, threads: int) -> None:
    m = moving(name)
    axode.set_threads(threads)
    try:
        for what, function in ALL.items():
            if what == "forward dynamics" and not has_inertia(m.tree):
                continue
            many = function(m, *m[1:])
            alone = [function(m, *(x[i : i + 1] for x in m[1:])) for i in range(STATES)]
            assert np.array_equal(np.concatenate(alone), many), what
            some = slice(5, 5 + 11)
            assert np.array_equal(function(m, *(x[some] for x in m[1:])), many[some]), what
    finally:
        axode.set_threads(0)
