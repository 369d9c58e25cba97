"""Runs from and to files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from axode import _axode
from axode._errors import Error
from axode._arguments import path_from, plain
from axode._private import compiled
from axode._results.simulate import Checkpoint, EventRecord, State, StepStatistics
from axode._run import Run

_ENERGIES = ("kinetic", "potential", "stored", "work")
_FIGURES = ("energy_drift", "energy_scale")


def columns_of(raw: dict[str, Any]) -> dict[str, tuple[Any, list[str], list[str]]]:
    """The quantities of what the compiled module gives of a run."""
    result = {"q": (raw["q"], raw["q_names"], raw["q_units"])}
    for name in ("v", "a", "tau"):
        result[name] = (raw[name], raw["v_names"], raw[name + "_units"])
    result.update({name: (raw[name], [], ["J"]) for name in _ENERGIES})
    result.update({name: (values, names, units) for name, names, units, values in raw["extras"]})
    return result


def _model_of(tree: Any) -> dict[str, str]:
    """Name, text and file of the model; empty where it has no text."""
    if not isinstance(tree, (_axode.Tree, _axode.FlexibleTree)):
        return {}
    raw: dict[str, str] = compiled._run_metadata(tree)
    return {key: text for key, text in raw.items() if key.startswith("model_")}


def _raw(run: Run) -> dict[str, Any]:
    """The reverse: quantities that the run does not have are NaN."""
    if "q" not in run.columns or "v" not in run.columns:
        raise Error("has no q and v", "run", "files are for runs of mechanical systems")
    n, nv = len(run), run.v.shape[1]
    missing = (np.full((n, nv), np.nan), (), ("",) * nv)
    raw: dict[str, Any] = {
        "axode_version": _axode.version,
        "command_line": "axode in Python",
        "model_name": "",
        "model_file": "",
        "model_text": "",
        "model_file_crc32": "",
        "t": run.t,
        "q": run.q,
        "v": run.v,
        "q_names": list(run.columns["q"].labels),
        "v_names": list(run.columns["v"].labels),
        "q_units": list(run.columns["q"].units),
        "v_units": list(run.columns["v"].units),
    }
    for name in ("a", "tau"):
        column = run.columns.get(name)  # that of a mechanism is by another set of coordinates
        raw[name], _, units = missing if column is None or column.values.shape != (n, nv) else column
        raw[name + "_units"] = list(units)
    for name in _ENERGIES:
        column = run.columns.get(name)
        raw[name] = np.full(n, np.nan) if column is None else column.values
    raw["extras"] = [
        (name, list(column.labels), list(column.units), column.values)
        for name, column in run.columns.items()
        if name not in raw and column.values.ndim == 2
    ]
    raw.update(run._model or _model_of(run.tree))
    raw["options"] = json.dumps(run.options, default=plain)
    raw["events"] = [(event.t, event.name, event.text) for event in run.events]
    checkpoint = run.checkpoint
    raw["checkpoint"] = None if checkpoint is None else (checkpoint.t, checkpoint.numbers)
    summary = run.summary()
    summary["evaluations"] = summary.pop("rates")
    raw["summary"] = json.dumps(summary)
    return raw


def save(run: Run, path: str | os.PathLike[str], *, overwrite: bool, binary: bool) -> None:
    compiled._save_run(path_from(path, "path"), _raw(run), overwrite, binary)


def export(
    run: Run, path: str | os.PathLike[str], *, quantities: Sequence[str], overwrite: bool
) -> None:
    if isinstance(quantities, str):
        quantities = [quantities]
    compiled._export_run(_raw(run), path_from(path, "path"), list(quantities), overwrite)


def _object(text: str) -> dict[str, Any]:
    """The object in JSON of a file, which may be cut or of another program."""
    try:
        value = json.loads(text) if text else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _tree(raw: dict[str, Any], options: dict[str, Any]) -> Any:
    """The tree of the model in the file; None if it has none that fits the states."""
    if not raw["model_text"]:
        return None
    try:
        tree = compiled._tree_of_text(
            raw["model_text"],
            raw["model_file"] or "run",
            raw["model_file_crc32"],
            options.get("merge_fixed") is True,
            options.get("free_base") is True,
            str(options.get("base_velocity", "body")),
        )
    except Error:
        return None
    fits = (tree.nq, tree.nv) == (len(raw["q_names"]), len(raw["v_names"]))
    return tree if fits else None


def load(path: str | os.PathLike[str], *, salvage: bool) -> Run:
    raw = compiled._load_run(path_from(path, "path"), salvage)
    options, summary = _object(raw["options"]), _object(raw["summary"])
    counts = {
        field: int(summary[key])
        for field in StepStatistics._fields
        for key in ["evaluations" if field == "rates" else field]
        if isinstance(summary.get(key), int)
    }
    figures = {name: summary[name] for name in _FIGURES if name in summary}
    figures["complete"] = raw["complete"]
    t = raw["t"]
    run = Run._from_columns(
        t,
        columns_of(raw),
        ending=str(summary.get("ending", "cut")),
        message=str(summary.get("message", "")),
        statistics=StepStatistics(**counts),
        events=[EventRecord(when, name, -1, text) for when, name, text in raw["events"]],
        last=State(raw["q"][-1], raw["v"][-1]) if len(t) else None,
        tree=_tree(raw, options),
        options=options,
        checkpoint=Checkpoint(*raw["checkpoint"]) if raw["checkpoint"] else None,
        figures=figures,
    )
    run._model = {key: text for key, text in raw.items() if key.startswith("model_")}
    return run
