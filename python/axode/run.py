"""Simulations and what they record."""

from axode._axode import run_quantities
from axode._results.simulate import Checkpoint, Column, EventRecord
from axode._run import Run
from axode._scene import simulate_file
from axode._simulate import Event, simulate

__all__ = [
    "Checkpoint",
    "Column",
    "Event",
    "EventRecord",
    "Run",
    "run_quantities",
    "simulate",
    "simulate_file",
]
