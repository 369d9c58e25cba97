"""Runs: what a simulation of any kind gives, and what can be done with it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axode import _run_views
from axode._errors import Error
from axode._arguments import plain
from axode._results.simulate import Checkpoint, Column, EventRecord, State, StepStatistics
from axode.typing import Array, ArrayLike

if TYPE_CHECKING:
    from axode._view import Page
    import matplotlib.figure
    import pandas

_ENERGIES = ("kinetic", "potential", "stored")


class Run:
    """The samples of a simulation with its events, its ending and its figures.

    Quantities are arrays with one row for each time: `run.q` is (samples, nq), `run.kinetic` is
    (samples,). Which ones there are, with names and units, says `run.columns`; the usual ones are
    q, v, a (coordinates, velocities, accelerations), tau (joint forces), kinetic, potential, stored
    and work [J]. `run[100:200]` and `run[::10]` are runs of some of the samples.
    """

    t: Array
    """Times of the samples [s], (samples,)."""
    columns: dict[str, Column]
    """Quantities by name: values, labels, units."""
    ending: str
    """How it ended: "finished", "stopped", "event", or what went wrong, such as "not finite"."""
    message: str
    """What went wrong, when and where; empty if nothing did."""
    statistics: StepStatistics
    events: tuple[EventRecord, ...]
    """Events in the order of time."""
    last: State | None
    """The last good state, which may be later than the last sample."""
    last_t: float
    """Its time [s]."""
    tree: Any
    """What was simulated: a Tree, or the system of another kind; None where it is not known."""
    options: dict[str, Any]
    """The options of the simulation."""
    checkpoint: Checkpoint | None
    """The last checkpoint, from which the run can be continued."""
    figures: dict[str, Any]
    """Further figures of the result by the names of the C++ struct, such as energy_drift [J]."""
    _model: dict[str, str]
    """The model as the file has it from which the run was read; empty: it is that of `tree`."""

    @classmethod
    def _from_columns(
        cls,
        t: ArrayLike,
        columns: Mapping[str, tuple[ArrayLike, Sequence[str], Sequence[str]]],
        *,
        ending: str = "finished",
        message: str = "",
        statistics: StepStatistics | None = None,
        events: Iterable[EventRecord] = (),
        last: State | None = None,
        last_t: float | None = None,
        tree: Any = None,
        options: Mapping[str, Any] | None = None,
        checkpoint: Checkpoint | None = None,
        figures: Mapping[str, Any] | None = None,
    ) -> Run:
        """A run of quantities {name: (values, labels, units)}; of one number a sample: (n,) values,
        no labels and one unit."""
        run = cls.__new__(cls)
        run.t = np.asarray(t, dtype=float)
        run.columns = {
            name: Column(np.asarray(values, dtype=float), tuple(labels), tuple(units))
            for name, (values, labels, units) in columns.items()
        }
        for name, column in run.columns.items():
            if column.values.shape[:1] != run.t.shape:
                raise Error(f"has {column.values.shape[:1]} rows, t has {run.t.shape}", name)
        run.ending, run.message = ending, message
        run.statistics = statistics or StepStatistics()
        run.events = tuple(events)
        run.last = last
        run.last_t = last_t if last_t is not None else (run.t[-1] if len(run.t) else float("nan"))
        run.tree = tree
        run.options = dict(options or {})
        run.checkpoint = checkpoint
        run.figures = dict(figures or {})
        run._model = {}
        return run

    def __init__(self) -> None:
        raise TypeError("a Run comes from a simulation, or from Run.from_file")

    # --- quantities -------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("columns", {})
        if name in columns:
            return columns[name].values
        figures = self.__dict__.get("figures", {})
        if name in figures:
            return figures[name]
        known = ", ".join([*columns, *figures])
        raise AttributeError(f"this run has no '{name}'; it has t, {known}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.columns, *self.figures})

    def _values(self, name: str) -> Array:
        if name not in self.columns:
            raise AttributeError(name)  # told in full by __getattr__
        return self.columns[name].values

    @property
    def q(self) -> Array:
        """Coordinates, (samples, nq)."""
        return self._values("q")

    @property
    def v(self) -> Array:
        """Velocities, (samples, nv)."""
        return self._values("v")

    @property
    def a(self) -> Array:
        """Accelerations, (samples, nv)."""
        return self._values("a")

    @property
    def tau(self) -> Array:
        """Joint forces [N m, N], (samples, nv)."""
        return self._values("tau")

    @property
    def kinetic(self) -> Array:
        """Kinetic energy [J], (samples,)."""
        return self._values("kinetic")

    @property
    def potential(self) -> Array:
        """Energy of gravity [J], (samples,)."""
        return self._values("potential")

    @property
    def stored(self) -> Array:
        """Energy in springs, stops and contacts [J], (samples,)."""
        return self._values("stored")

    @property
    def work(self) -> Array:
        """Work since the start of all that acts beside gravity [J], (samples,)."""
        return self._values("work")

    @property
    def energy(self) -> Array:
        """Kinetic, potential and stored energy together [J], (samples,)."""
        present = [self.columns[name].values for name in _ENERGIES if name in self.columns]
        if not present:
            raise AttributeError("energy")
        total: Array = np.sum(present, axis=0)
        return total

    @property
    def table(self) -> np.ndarray[Any, Any]:
        """All numbers as a structured array: fields "t", "q:elbow", ..., "kinetic", ..."""
        fields = [("t", self.t), *_run_views.flat_columns(self)]
        result = np.empty(len(self), dtype=[(name, float) for name, _ in fields])
        for name, values in fields:
            result[name] = values
        return result

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, which: slice) -> Run:
        if not isinstance(which, slice):
            raise TypeError("a run is cut by slices such as run[10:20]; single states: run.at(t)")
        part = object.__new__(type(self))
        part.__dict__.update(self.__dict__)
        part.t = self.t[which]
        part.columns = {n: c._replace(values=c.values[which]) for n, c in self.columns.items()}
        return part

    def interpolate(self, name: str, t: float | ArrayLike) -> Array:
        """A quantity at a time, (n,), or at times, (times, n), within those of the samples.

        Coordinates by the cubic of Hermite with the velocities (on the group of the tree, where
        there is one), velocities by that with the accelerations, others linear. The error is that
        of the samples' distance, not of the integrator: sample closely, or at the times wanted.
        """
        return _run_views.interpolate(self, name, t)

    def at(self, t: float | ArrayLike) -> State:
        """The state at a time, or states at times: see interpolate."""
        return State(self.interpolate("q", t), self.interpolate("v", t))

    # --- files ------------------------------------------------------------------------------------

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, binary: bool = False
    ) -> None:
        """Writes a run file (.mcap) with q, v, a, tau, energies, events and the last checkpoint.

        Throws IoError if the file exists, unless `overwrite`. With `binary` states are rows of
        float64 instead of JSON.
        """
        from axode import _run_files

        _run_files.save(self, path, overwrite=overwrite, binary=binary)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, salvage: bool = False) -> Run:
        """Reads a run file (.mcap), as far as it was written; `complete` tells if it is whole.

        With `salvage` damage is taken for the end of the file.
        """
        from axode import _run_files

        return _run_files.load(path, salvage=salvage)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        quantities: Sequence[str] = (),
        overwrite: bool = False,
    ) -> None:
        """Writes .csv, .npz, .h5 or .hdf5 with q, v, a, tau and energies, or what is named."""
        from axode import _run_files

        _run_files.export(self, path, quantities=quantities, overwrite=overwrite)

    # --- views ------------------------------------------------------------------------------------

    def to_pandas(self) -> pandas.DataFrame:
        """All numbers as a DataFrame with the times as index; needs pandas."""
        return _run_views.to_pandas(self)

    def plot(self, *what: str, ax: Any = None) -> matplotlib.figure.Figure:
        """Draws quantities over time, by default q and v, and returns the figure; needs matplotlib.

        `what` names quantities ("q", "tau", "energy"), or single ones ("q:elbow"). Each has axes of
        its own; with `ax` (one or several axes) these are used.
        """
        return _run_views.plot(self, what or tuple(n for n in "qv" if n in self.columns), ax)

    def show(self, *, height: int = 600) -> Page:
        """The run as a page for the browser; in a notebook it is shown inline (axode.show)."""
        from axode._view import show

        return show(self, height=height)

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} ... {self.t[-1]:g} s" if len(self) else "no samples"
        names = ", ".join(
            f"{n} {c.values.shape[1]}" if c.values.ndim > 1 else n for n, c in self.columns.items()
        )
        text = f"<axode.Run: {self.ending}, {len(self)} samples, {span}; {names}"
        return text + (f"; {len(self.events)} events>" if self.events else ">")

    def _repr_html_(self) -> str:
        return _run_views.html(self)

    def summary(self) -> dict[str, Any]:
        """Ending, statistics and figures, as JSON could hold them."""
        result: dict[str, Any] = {"ending": self.ending, "message": self.message, "t": self.last_t}
        result.update(self.statistics._asdict())
        result["samples"] = len(self)
        result.update(self.figures)
        return json.loads(json.dumps(result, default=plain))  # type: ignore[no-any-return]
