"""Models and runs as pages for the browser, also inline in notebooks, and trees as tables there."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from axode._errors import Error, IoError
from axode._arguments import path_from
from axode._private import compiled
from axode.typing import ArrayLike

if TYPE_CHECKING:
    from axode._axode import FlexibleTree, Mechanism, Tree
    from axode._run import Run


class Page:
    """A page for the browser: one HTML file that needs nothing else, inline in notebooks."""

    html: str
    """The file."""

    def __init__(self, html: str, height: int = 600) -> None:
        self.html = html
        self._height = height

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the file. Raises IoError if it exists, unless `overwrite`."""
        file_path = path_from(path, "path")
        try:
            with file_path.open("w" if overwrite else "x", encoding="utf-8") as file:
                file.write(self.html)
        except OSError as error:
            remedy = "choose another name, or overwrite=True" if file_path.exists() else ""
            raise IoError(error.strerror or str(error), str(file_path), remedy) from error

    def __repr__(self) -> str:
        return f"<axode.Page: {len(self.html) / 1e6:.2f} MB; save(path), or see it in a notebook>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self._height}" '
            'style="border: 0"></iframe>'
        )


def show(
    of: Tree | FlexibleTree | Mechanism | Run, q: ArrayLike | None = None, *, height: int = 600
) -> Page:
    """A model, at the coordinates q if they are given, or a run, as a page for the browser.

    Trees and flexible trees have sliders for their coordinates, runs a clock and plots. In a
    notebook the page is shown inline, `height` pixels high; elsewhere save it and open the file.
    Runs of mechanisms need the poses of their bodies: simulate(..., bodies=True).
    """
    from axode._run import Run

    if isinstance(of, Run):
        scene = _scene_of_run(of)
    else:
        scene = compiled._scene(of, q, [], [], None, [], [])
    return Page(compiled._page([scene]), height)


def _scene_of_run(run: Run) -> str:
    if len(run) == 0:
        raise Error("has no samples", "run", "there is nothing to show")
    series = []
    for name, column in run.columns.items():
        names = list(column.labels) if column.values.ndim > 1 else [name]
        if name in ("body_poses", "body_twists") or len(names) == 0:
            continue
        units = [*column.units, *[""] * len(names)][: len(names)]
        series.append((name, names, units, np.ascontiguousarray(column.values)))
    events = [(event.t, event.name, event.text) for event in run.events]
    messages = [] if run.ending == "finished" else [f"The run ended: {run.message or run.ending}."]
    model, start, poses = run.tree, None, None
    if model is None:
        raise Error("has no model", "run", "show a run that was simulated here, or has its model")
    if hasattr(model, "mechanism"):  # a system: its bodies are told by poses
        if "body_poses" not in run.columns:
            raise Error("has no poses of bodies", "run", "simulate with bodies=True")
        model = model.mechanism
        bodies = len(model.body_names)
        all_poses = run.columns["body_poses"].values.reshape(len(run), -1, 7)
        poses = np.ascontiguousarray(all_poses[:, all_poses.shape[1] - bodies + 1 :])
    else:
        start = run.columns["q"].values[0]
    return str(compiled._scene(model, start, run.t, series, poses, events, messages))


LONGEST = 60
"""Rows of a table; what is beyond is counted."""


def tree_html(tree: Tree) -> str:
    """The bodies of a tree with their joints as a table, what it is above it."""
    columns = ["", "body", "on", "joint", "type", "q", "v", "mass [kg]", "limits [rad, m]"]
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    count = min(len(tree), LONGEST)
    rows = []
    for body in map(tree.body, range(count)) if count < len(tree) else tree.bodies:
        limits = [f"{dof.lower:.4g} to {dof.upper:.4g}" for dof in body.dofs]
        unlimited = all(text == "-inf to inf" for text in limits)
        cells = [
            str(body.number),
            body.name,
            body.parent_name,
            body.joint_name,
            body.joint_type,
            _indices(body.q),
            _indices(body.v),
            f"{body.inertia.mass:.4g}",
            "" if unlimited else ", ".join(limits),
        ]
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    if count < len(tree):
        rows.append(f'<tr><td colspan="{len(columns)}">... {len(tree) - count} more</td></tr>')
    remarks = "".join(f"<li>{escape(str(warning))}</li>" for warning in tree.warnings[:LONGEST])
    return (
        f"<div><p>{escape(repr(tree))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        + (f"<ul>{remarks}</ul>" if remarks else "")
        + "</div>"
    )


def _indices(part: slice) -> str:
    """0, 0-2 or nothing."""
    if part.start == part.stop:
        return ""
    return str(part.start) if part.stop == part.start + 1 else f"{part.start}-{part.stop - 1}"
