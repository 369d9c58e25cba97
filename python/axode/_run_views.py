"""What a Run shows: interpolated values, tables, plots, HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from axode._private import compiled
from axode._errors import Error
from axode._results.simulate import Column
from axode.typing import Array, ArrayLike

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas

    from axode._run import Run

_TITLES = {
    "q": "coordinates",
    "v": "velocities",
    "a": "accelerations",
    "tau": "joint forces",
    "kinetic": "kinetic energy",
    "potential": "potential energy",
    "stored": "stored energy",
    "work": "work",
    "energy": "energy",
}


def flat_columns(run: Run) -> list[tuple[str, Array]]:
    """Each number of a sample with its name: "q:elbow", "kinetic"."""
    result = []
    for name, column in run.columns.items():
        if column.values.ndim == 1:
            result.append((name, column.values))
        else:
            result += [(f"{name}:{n}", column.values[:, i]) for i, n in enumerate(_labels(column))]
    return result


def _labels(column: Column) -> tuple[str, ...]:
    wanted = column.values.shape[1]
    given = column.labels[:wanted]
    return given + tuple(str(i) for i in range(len(given), wanted))


def interpolate(run: Run, name: str, t: float | ArrayLike) -> Array:
    times = np.asarray(t, dtype=float)
    flat = np.atleast_1d(times)
    if name not in run.columns and name != "energy":
        raise Error(f"there is no '{name}'", "run", f"choose among {', '.join(run.columns)}")
    if flat.ndim != 1:
        raise Error("times have shape (n,)", "t")
    if len(run) == 0:
        raise Error("the run has no samples", "run")
    bad = flat[~((flat >= run.t[0]) & (flat <= run.t[-1]))]
    if bad.size:
        raise Error(f"{bad[0]:g} s is outside the samples, {run.t[0]:g} to {run.t[-1]:g} s", "t")
    # Where two samples have one time (before and after an impact) the later one is taken.
    left = np.clip(np.searchsorted(run.t, flat, side="right") - 1, 0, max(len(run) - 2, 0))
    right = np.minimum(left + 1, len(run) - 1)
    h = run.t[right] - run.t[left]
    s = np.divide(flat - run.t[left], h, out=np.zeros_like(flat), where=h > 0)
    values = run.energy if name == "energy" else run.columns[name].values
    slope = run.columns.get({"q": "v", "v": "a"}.get(name, ""))
    if name == "q" and _has_group(run):
        rates = run.columns["v"].values
        result: Array = compiled._interpolate(
            run.tree, values[left], values[right], rates[left], rates[right], h, s
        )
    elif slope is not None and slope.values.shape == values.shape:
        x0, x1, r0, r1 = values[left], values[right], slope.values[left], slope.values[right]
        result = compiled._interpolate_numbers(x0, x1, r0, r1, h, s)
    else:
        u = s if values.ndim == 1 else s[:, None]
        result = (1 - u) * values[left] + u * values[right]
    return cast(Array, result[0]) if times.ndim == 0 else result


def _has_group(run: Run) -> bool:
    from axode import _axode

    tree = run.tree
    return (
        isinstance(tree, _axode.Tree)
        and run.q.shape[1:] == (tree.nq,)
        and run.v.shape[1:] == (tree.nv,)
    )


def to_pandas(run: Run) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "a DataFrame needs pandas; install it with: pip install 'axode[pandas]'"
        ) from error
    index = pandas.Index(run.t, name="t")
    return pandas.DataFrame(dict(flat_columns(run)), index=index)


def _lines(run: Run, what: str) -> tuple[str, list[tuple[str, str, Array]]]:
    """Title, and label, unit and values of each line of a quantity."""
    name, _, label = what.partition(":")
    if name == "t":
        raise Error("the time is the axis of the plot", "plot", "name another quantity")
    if name == "energy" and not label:
        parts = [n for n in ("kinetic", "potential", "stored") if n in run.columns]
        energies = [(str(n), "J", run.columns[n].values) for n in parts]
        return _TITLES["energy"], [*energies, ("sum", "J", run.energy)]
    column = run.columns.get(name)
    if column is None:
        known = ", ".join([*run.columns, "energy"])
        raise Error(f"there is no '{what}' to draw", "plot", f"choose among {known}")
    title = _TITLES.get(name, name)
    if column.values.ndim == 1:
        return title, [(name, column.units[0] if column.units else "", column.values)]
    labels = _labels(column)
    units = column.units + ("",) * len(labels)
    lines = [(n, units[i], column.values[:, i]) for i, n in enumerate(labels)]
    if label:
        lines = [line for line in lines if line[0] == label]
        if not lines:
            raise Error(f"there is no '{what}' to draw", "plot", f"{name} has {', '.join(labels)}")
    return title, lines


def plot(run: Run, what: tuple[str, ...], ax: Any) -> matplotlib.figure.Figure:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "a plot needs matplotlib; install it with: pip install 'axode[plot]'"
        ) from error
    content = [_lines(run, w) for w in what]
    if ax is None:
        figure, axes = plt.subplots(
            len(content), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.5 * len(content))
        )
        all_axes = list(axes[:, 0])
    else:
        all_axes = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(all_axes) != len(content):
            raise Error(f"{len(content)} quantities on {len(all_axes)} axes", "ax", "give as many")
        figure = all_axes[0].figure
    for axes_, (title, lines) in zip(all_axes, content):
        for label, unit, values in lines:
            axes_.plot(run.t, values, label=f"{label} [{unit}]" if unit else label)
        units = sorted({unit for _, unit, _ in lines if unit})
        axes_.set_title(title)
        axes_.set_ylabel(f"[{', '.join(units)}]" if units else title)
        axes_.grid(True, alpha=0.3)
        if 0 < len(lines) <= 20:
            axes_.legend(loc="best", fontsize="small")
    all_axes[-1].set_xlabel("time [s]")
    if ax is None:
        figure.tight_layout()
    return figure


def html(run: Run) -> str:
    rows = [("ending", run.ending + (f": {run.message}" if run.message else ""))]
    if len(run):
        rows.append(("samples", f"{len(run)}, t = {run.t[0]:g} ... {run.t[-1]:g} s"))
    else:
        rows.append(("samples", "none"))
    for name, column in run.columns.items():
        if column.values.ndim > 1:
            labels = _labels(column)
            shown = ", ".join(labels[:8]) + (", ..." if len(labels) > 8 else "")
            rows.append((f"{name} ({len(labels)})", shown))
        elif len(run):
            unit = f" {column.units[0]}" if column.units else ""
            text = f"{np.min(column.values):.6g} ... {np.max(column.values):.6g}{unit}"
            rows.append((name, text))
    for event in run.events[:8]:
        rows.append(("event", f"{event.name} at {event.t:g} s"))
    if len(run.events) > 8:
        rows.append(("events", f"{len(run.events)} in all"))
    counts = {n: c for n, c in run.statistics._asdict().items() if c}
    rows.append(("statistics", ", ".join(f"{c} {n}" for n, c in counts.items()) or "none"))
    for name, value in run.figures.items():
        if isinstance(value, float):
            rows.append((name, f"{value:.3g}"))
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(a)}</th>'
        f'<td style="text-align:left">{escape(b)}</td></tr>'
        for a, b in rows
    )
    return f"<table><caption>axode.Run</caption>{cells}</table>"
