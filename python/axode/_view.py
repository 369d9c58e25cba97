"""Models and runs as pages for the browser, also inline in notebooks."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from axode._errors import Error, IoError
from axode._paths import path_from
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
