"""Calls leave no memory behind, successful or not."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference_data import model

import axode

CALLS = 10_000  # of each function, after a tenth to settle


def resident() -> int:
    """Resident memory [kB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


tree = model("swinging_arm")
q, v = tree.random(1), np.ones(tree.nv)
W = np.ones((len(tree), 6))
tip = tree.bodies[-1].name
many_q, many_v = np.tile(q, (50, 1)), np.tile(v, (50, 1))
bad = np.full(tree.nv, np.nan)

GOOD: list[Callable[[], Any]] = [
    lambda: axode.inverse_dynamics(tree, q, v, v, W),
    lambda: axode.inverse_dynamics(tree, q, v, v, {tip: W[0]}),
    lambda: axode.forward_dynamics(tree, q, v, v),
    lambda: axode.mass_matrix(tree, many_q),
    lambda: axode.coriolis_matrix(tree, q, v),
    lambda: axode.gravity_forces(tree, q.tolist()),
    lambda: axode.energy(tree, q, v),
    lambda: axode.inverse_dynamics_derivatives(tree, q, v, v),
    lambda: axode.forward_dynamics_derivatives(tree, q, v, v),
    lambda: axode.dynamics.contact_jacobian(tree, q, axode.dynamics.Contact(tip)),
]
FAILING: list[Callable[[], Any]] = [
    lambda: axode.inverse_dynamics(tree, q, bad, v),
    lambda: axode.inverse_dynamics(tree, many_q, bad, many_v),
    lambda: axode.inverse_dynamics(tree, q[:2], v, v),
    lambda: axode.inverse_dynamics(tree, q, v, v, {"nix": W[0]}),
    lambda: axode.inverse_dynamics(tree, q, v, "text"),
    lambda: axode.inverse_dynamics(tree, q, v, v, out=v),
    lambda: axode.mass_matrix(tree, None),  # type: ignore[arg-type]
    lambda: axode.coriolis_matrix(tree, q, v, "nix"),  # type: ignore[arg-type]
    lambda: axode.dynamics.contact_jacobian(tree, q, None),  # type: ignore[arg-type]
    lambda: axode.inverse_dynamics(tree, q.astype(np.float32), v, v),
]


def call_all(functions: list[Callable[[], Any]], times: int, fail: bool) -> None:
    for function in functions:
        for _ in range(times):
            try:
                function()
            except (axode.Error, TypeError):
                assert fail
            else:
                assert not fail


@pytest.mark.parametrize(
    ("functions", "fail", "times"), [(GOOD, False, CALLS), (FAILING, True, CALLS // 4)]
)
def test_memory_does_not_grow(functions: Any, fail: bool, times: int) -> None:
    call_all(functions, times // 10, fail)
    before = resident()
    call_all(functions, times, fail)
    assert resident() - before < 1024  # kB: less than a number of 16 bytes left by each call


def test_trees_are_freed() -> None:
    def use() -> None:
        short_lived = model("swinging_arm")
        axode.inverse_dynamics(short_lived, q, v, v)
        axode.mass_matrix(short_lived, many_q)

    for _ in range(50):
        use()
    before = resident()
    for _ in range(200):
        use()
    assert resident() - before < 2048
