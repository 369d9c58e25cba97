"""Python functions as signals: what they may do to the forces, and that nothing of them is left."""

import gc
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from reference_data import ROOT, model

import axode

TREE = model("swinging_arm")
ZERO = np.zeros(TREE.nv)


def test_a_signal_may_add_forces_to_those_being_evaluated() -> None:
    forces = axode.Forces(TREE)

    def force(t: float, q: Any, v: Any) -> float:
        for _ in range(200):
            forces.add_joint_force(0, 1.0)
        return 1.0

    forces.add_joint_force(0, force)
    forces.add_joint_force(1, force)
    tau = axode.forces.add_forces(TREE, forces, 0, ZERO, ZERO).tau
    assert tau == pytest.approx([1, 1, *ZERO[2:]])  # those of the beginning
    assert len(forces.joint_forces) == 402
    axode.forces.stored_energy_rate(TREE, forces, 0, ZERO, ZERO)
    assert axode.forces.add_force_derivatives(TREE, forces, 0, ZERO, ZERO).by_q.shape == (7, 7)


def test_another_thread_may_add_forces() -> None:
    forces = axode.Forces(TREE)
    forces.add_joint_force(0, lambda t, q, v: float(q[0]))
    q = np.zeros((2000, TREE.nv))
    q[:, 0] = np.linspace(0, 1, 2000)
    ended = threading.Event()

    def add() -> None:
        while not ended.is_set():
            forces.add_joint_force(1, 1.0)

    thread = threading.Thread(target=add)
    thread.start()
    try:
        tau = axode.forces.add_forces(TREE, forces, 0, q, 0 * q).tau
    finally:
        ended.set()
        thread.join()
    assert np.array_equal(tau[:, 0], q[:, 0])


def test_forces_and_functions_that_refer_to_each_other_are_freed() -> None:
    class Marker:
        pass

    def use() -> Any:
        forces, marker = axode.Forces(TREE), Marker()
        forces.add_joint_force(0, lambda t, q, v: float(forces.effort_limits and marker is None))
        forces.add_wrench(0, [0, 0, lambda t, q, v: float(id(marker) == id(forces)), 0, 0, 0])
        axode.forces.add_forces(TREE, forces, 0, ZERO, ZERO)
        axode.simulate(TREE, forces=forces, duration=0.01)
        gc.collect()
        assert len(forces.joint_forces) == 1  # alive
        return weakref.ref(marker)

    seen = use()
    gc.collect()
    assert seen() is None


FORCES = """
F = axode.Forces(tree)
F.add_joint_force(0, lambda t, q, v: 1.0)
"""
CYCLE = """
def main():
    F = axode.Forces(tree)
    F.add_joint_force(0, lambda t, q, v: F.effort_limits)
main()
"""
RUN = """
F = axode.Forces(tree)
F.add_joint_force(0, lambda t, q, v: 1 / 0)
try:
    axode.simulate(tree, forces=F, duration=0.1)
except ZeroDivisionError as e:
    error = e
"""
MECHANISM = """
f = axode.mechanism.TimeFunction(lambda t: (f is None, 1, 0))
"""
AT_EXIT = """
import atexit
F = axode.Forces(tree)
F.add_joint_force(0, lambda t, q, v: 1.0)
atexit.register(lambda: F.joint_forces[0].force(0, 0, 0))
"""


@pytest.mark.parametrize("text", [FORCES, CYCLE, RUN, MECHANISM, AT_EXIT])
def test_a_program_with_functions_ends_silently(text: str) -> None:
    path = str(ROOT / "models" / "swinging_arm.json")
    program = f"import axode\ntree = axode.Tree.from_file({path!r})\n" + text
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_errors_of_signals_are_caught_within_a_run() -> None:
    forces = axode.Forces(TREE)
    forces.add_joint_force(0, lambda t, q, v: 1 / 0)
    function = axode.mechanism.TimeFunction(lambda t: [1.0])
    seen = set()

    def control(t: float, q: Any, v: Any) -> Any:
        for call in (lambda: axode.forces.add_forces(TREE, forces, t, q, v), lambda: function(t)):
            try:
                call()
            except (ZeroDivisionError, axode.Error) as error:
                seen.add(type(error))
        return ZERO

    run = axode.simulate(TREE, q=ZERO, v=ZERO, duration=0.02, control=control)
    assert run.ending == "finished" and seen == {ZeroDivisionError, axode.Error}


def test_a_number_that_raises_is_not_the_world() -> None:
    class Broken:
        def __index__(self) -> int:
            raise LookupError("no number")

    forces = axode.Forces(TREE)
    with pytest.raises(LookupError):
        forces.add_point_force(Broken(), [0, 0, 0], 1, [0, 0, 0])  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        forces.add_spring(Broken())  # type: ignore[arg-type]
