"""One verb and one result for all kinds of model."""

from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[3]
MODELS = {
    "tree": axode.load_tree(ROOT / "models/scara.json"),
    "mechanism": axode.Mechanism.from_file(ROOT / "examples/mechanisms/example_2_1_four_bar.json"),
    "flexible tree": axode.FlexibleTree.from_file(ROOT / "examples/flexible/pendulum.json"),
}
MODELS["formulated"] = MODELS["mechanism"].formulate(with_drivers=False)  # type: ignore[union-attr]
del MODELS["mechanism"]  # driven: nothing is free


@pytest.mark.parametrize("kind", MODELS)
def test_matrices_mean_the_same(kind: str) -> None:
    l = axode.linearize(MODELS[kind])  # type: ignore[arg-type]
    assert isinstance(l, axode.dynamics.Linearization)
    n = len(l.independent)
    assert l.M.shape == l.D.shape == l.K.shape == l.G.shape == (n, n) and l.B.shape == (2 * n, n)
    inverse = np.linalg.inv(l.M)
    zero, one = np.zeros((n, n)), np.eye(n)
    scale = np.abs(l.A).max()
    assert np.allclose(l.A, np.block([[l.G, one], [-inverse @ l.K, -inverse @ l.D]]), rtol=1e-9, atol=1e-9 * scale)
    assert np.allclose(l.B, np.vstack([zero, inverse]), rtol=1e-9)
    assert np.abs(l.a).max() < 1e-6, "without tau nothing accelerates"
    found = axode.dynamics.oscillations(l)
    assert np.array_equal(axode.dynamics.oscillations(l.A).eigenvalue, found.eigenvalue)
    assert (np.diff(found.frequency) >= 0).all() and len(found.frequency) == 2 * n


def test_states_are_given_alike() -> None:
    for kind, model in MODELS.items():
        at = axode.linearize(model)  # type: ignore[arg-type]
        if kind == "formulated":
            state = model.assemble()  # type: ignore[union-attr]
            again = axode.linearize(model, state.q, state.v, at.tau, independent=at.independent)  # type: ignore[call-overload]
        else:
            again = axode.linearize(model, at.q, at.v, at.tau)  # type: ignore[arg-type]
        assert np.allclose(again.A, at.A, rtol=1e-6, atol=1e-6 * np.abs(at.A).max())


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="tree: str is no model"):
        axode.linearize("arm")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="wrenches: only for trees"):
        axode.linearize(MODELS["flexible tree"], wrenches=np.zeros((1, 6)))  # type: ignore[call-overload]
    with pytest.raises(axode.Error, match="no square matrix A"):
        axode.dynamics.oscillations(np.zeros((2, 3)))


def test_coupled_joints_have_independent_velocities() -> None:
    tree = axode.load_tree(ROOT / "models/all_joints.json")
    l = axode.linearize(tree)
    assert tree.couplings and len(l.independent) == len(l.M) < tree.nv
    followers = {tree.joint_names[c.follower] for c in tree.couplings}
    assert set(l.independent) == set(tree.velocity_names) - followers
