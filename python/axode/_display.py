"""Objects as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axode._axode import Tree

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
