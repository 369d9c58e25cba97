"""Named tuples of simulations and of runs."""

from typing import NamedTuple

from axode.typing import Array

__all__ = ["Checkpoint", "Column", "EventRecord", "State", "StepStatistics"]


class State(NamedTuple):
    """Coordinates q and velocities v, each (n,), or (times, n) at several times."""

    q: Array
    v: Array


class StepStatistics(NamedTuple):
    """What an integration took: counts of steps, of evaluations and of factorizations."""

    steps: int = 0
    rejected: int = 0
    rates: int = 0
    jacobians: int = 0
    factorizations: int = 0
    iterations: int = 0


class EventRecord(NamedTuple):
    """An event that came: its time [s], its name and its number among those given."""

    t: float
    name: str
    event: int = -1
    text: str = ""


class Checkpoint(NamedTuple):
    """What continuing a run to the same bits needs: its time [s] and numbers of the integrator.

    `held` is the force of a sampled controller at that time, else None.
    """

    t: float
    numbers: Array
    held: Array | None = None


class Column(NamedTuple):
    """A quantity of a run: values (samples,) or (samples, n), names and units of the n."""

    values: Array
    labels: tuple[str, ...]
    units: tuple[str, ...]
