"""Linearized equations of motion: one verb and one result for all kinds of model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from axode import _axode
from axode._axode import FlexibleTree, Mechanism, MechanismSystem, Tree, independent_velocity
from axode.typing import ArrayLike, CoordinateNames, FlexibleModel, Wrenches

if TYPE_CHECKING:
    from axode._results.dynamics import Linearization


@overload
def linearize(
    tree: Tree,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: Wrenches | None = None,
    *,
    gravity: bool = True,
    armature: bool = True,
    damping: bool = True,
    friction: bool = True,
) -> Linearization: ...
@overload
def linearize(
    tree: Mechanism | MechanismSystem,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    t: float = 0.0,
    independent: Sequence[str | int] = (),
) -> Linearization: ...
@overload
def linearize(
    tree: FlexibleTree,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    model: FlexibleModel = "nonlinear",
    exact_coordinates: CoordinateNames = (),
    kp: ArrayLike | None = None,
    kd: ArrayLike | None = None,
) -> Linearization: ...
def linearize(
    tree: Tree | Mechanism | MechanismSystem | FlexibleTree,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: Wrenches | None = None,
    **options: Any,
) -> Linearization:
    """Equations of motion of any kind of model, linearized about the motion that tau causes at (q, v).

    Without tau about the motion without accelerations, which needs the forces `tau` of the result; without
    v at rest; without q about the neutral state of a tree, the assembled state of a mechanism (then v too)
    and the initial state of a flexible tree. Trees take states with a leading batch axis, wrenches and
    effects as inverse_dynamics does. What else mechanisms and flexible trees have is described at their
    methods `linearize`, which this calls. Raises SingularError if the mass matrix is singular.
    """
    if isinstance(tree, Tree):
        q = tree.neutral() if q is None else q
        v = np.zeros(tree.nv) if v is None else v
        if tau is None:
            return linearize_motion(tree, q, v, np.zeros(tree.nv), wrenches, **options)
        return _with_state(_axode.linearize(tree, q, v, tau, wrenches, **options), tree, q, v)
    if not isinstance(tree, (Mechanism, MechanismSystem, FlexibleTree)):
        raise TypeError(f"tree: {type(tree).__name__} is no model; give a Tree, Mechanism or FlexibleTree")
    if wrenches is not None:
        raise TypeError("wrenches: only for trees; loads are parts of other models")
    return tree.linearize(q=q, v=v, tau=tau, **options)


def linearize_motion(
    tree: Tree,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    wrenches: Wrenches | None = None,
    *,
    gravity: bool = True,
    armature: bool = True,
    damping: bool = True,
    friction: bool = True,
) -> Linearization:
    """Equations of motion of a tree linearized about the motion with accelerations a at (q, v)."""
    found = _axode.linearize_motion(
        tree, q, v, a, wrenches, gravity=gravity, armature=armature, damping=damping, friction=friction
    )
    return _with_state(found, tree, q, v)


def _with_state(found: Linearization, tree: Tree, q: ArrayLike, v: ArrayLike) -> Linearization:
    """With what the compiled function leaves open."""
    numbers = independent_velocity(tree, np.arange(tree.nv, dtype=float)).astype(int)
    names = [tree.velocity_names[k] for k in numbers]
    shape = found.a.shape[:-1]
    return found._replace(
        q=np.broadcast_to(np.asarray(q, float), (*shape, tree.nq)).copy(),
        v=np.broadcast_to(np.asarray(v, float), (*shape, tree.nv)).copy(),
        independent=names,
    )
