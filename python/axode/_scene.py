"""Models with what acts on them, from one file, and their simulation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from axode._axode import Forces, Tree
from axode._arguments import path_from
from axode._private import compiled
from axode._results.simulate import State
from axode._run import Run
from axode._simulate import simulate
from axode.typing import Rep


class Scene(NamedTuple):
    """A tree, the forces that act on it and its state at the start, from one model file."""

    tree: Tree
    forces: Forces
    initial: State

    @staticmethod
    def from_file(path: str | os.PathLike[str], **options: Any) -> Scene:
        """The same as load_scene."""
        return load_scene(path, **options)

    def simulate(self, **options: Any) -> Run:
        """Simulates it; options as of axode.simulate."""
        return simulate(self.tree, q=self.initial.q, v=self.initial.v, forces=self.forces, **options)


def load_scene(
    path: str | os.PathLike[str],
    *,
    mesh_roots: Sequence[str | os.PathLike[str]] = (),
    free_base: bool = False,
    base_velocity: Rep = "body",
    merge_fixed_joints: bool = False,
) -> Scene:
    """Reads a model file with its forces and initial state. URDF has the tree alone, with friction
    and limits of its joints; of that `free_base` puts the root on a free joint."""
    roots = [path_from(root, "mesh_roots") for root in mesh_roots]
    tree, forces, q, v = compiled._load_scene(
        path_from(path, "path"), roots, free_base, base_velocity, merge_fixed_joints
    )
    return Scene(tree, forces, State(q, v))


def parse_scene(text: str, source: str = "text") -> Scene:
    """The same from text in Axode's format; `source` names it in errors."""
    tree, forces, q, v = compiled._parse_scene(text, source)
    return Scene(tree, forces, State(q, v))


def simulate_file(path: str | os.PathLike[str], **options: Any) -> Run:
    """Simulates the scene of a model file; options as of axode.simulate, with q and v instead of
    those of the file if given."""
    scene = load_scene(path)
    of_file = {"q": scene.initial.q, "v": scene.initial.v, "forces": scene.forces}
    return simulate(scene.tree, **{**of_file, **options})
