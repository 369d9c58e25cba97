"""Jacobians, ranks and mass matrices of natural coordinates against references.

Tolerances are those of natural_test.cpp and natural_placing_test.cpp of
tests/mechanism.
"""

from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array, PairType
from reference_natural import data, home, modes, numbers, revolute_loop, rscr, six_bar


def test_jacobians_of_rscr() -> None:
    """Rows of the reference, each found once in ours up to a sign."""
    blocks = {"r2": 0, "u2@two": 3, "u2.axis": 6, "u2@three": 9}
    for told in data("spatial_rscr")["sets"]:
        for state in told["jacobians"]:
            r = np.array(state["q_nat"])
            pos = {"r2": r[0:3], "r3": r[3:6], "u2": r[6:9], "r4": r[9:12]}
            system = rscr(told["params"], pos).formulate("natural")
            q = numbers(system, pos, "spatial_rscr")
            _, q, _ = system.refresh(q, np.zeros(12))
            J = system.jacobian(0, q)
            assert J.shape == (11, 12) and len(system.jacobian_sparse(0, q).value) == 51
            assert system.matrix_rank(0, q).rank == state["rank_11x12"]
            names = [name.rsplit(".", 1) for name in system.coordinate_names]
            reordered = np.zeros_like(J)
            reordered[:, [blocks[name] + "xyz".index(axis) for name, axis in names]] = J
            reference, used = np.array(state["J_nat_12x12"]), []
            for row in reordered:
                same = [
                    k
                    for k, other in enumerate(reference)
                    if k not in used
                    and min(abs(row - other).max(), abs(row + other).max()) <= 1e-13
                ]
                assert same, row
                used.append(same[0])
            # Of the cross product the row along the largest component is left out, reluctantly.
            left_out = [abs(r[6 + k]) for k in range(3) if 5 + k not in used]
            dropped = abs(r[6 + state["nat_dropped_cross_row"]])
            assert left_out and left_out[-1] * 1.5 >= dropped


def test_ranks_of_over_constrained_loops() -> None:
    for told in data("overconstrained")["mechanisms"]:
        for state in told["states"]:
            ranks = state["ranks"]
            system = revolute_loop(state["pos"], ranks["n_joints"]).formulate("natural")
            assert system.nq == ranks["natural_n_vars"]
            assert system.rows == ranks["natural_n_constraints"]
            assert system.matrix_rank(0, home(system)).rank == ranks["natural_rank"]


def test_distances_only_admit_the_mirrored_triangle() -> None:
    p, mode = modes("planar_sixbar")[0][0]
    pos = mode["pos"]
    mechanism = six_bar(p, pos)
    linear = mechanism.formulate("natural")
    distances = mechanism.formulate("natural", distances_only=True)
    assert (distances.nq, distances.rows) == (linear.nq, linear.rows)
    for system in (linear, distances):
        assert system.matrix_rank(0, home(system)).rank == 7
    # D on the other side of BC: only distances are met.
    B, C, D = (np.array(pos[k]) for k in "BCD")
    u = (C - B) / np.linalg.norm(C - B)
    other = {**pos, "D": B + u * (2 * (u @ (D - B))) - (D - B)}
    assert distances.mirrored(0, numbers(distances, other, "planar_sixbar")).found
    assert not distances.mirrored(0, home(distances)).found


# --- mass matrices ------------------------------------------------------------------------------


def mass_matrix(inertia: axode.screw.Inertia, points: list[Any], vectors: list[Any], space: Any) -> Array:
    """Of a body with joints at these points, the first ones with the vectors as axes: points and
    vectors, in this order, are coordinates. What it is joined to has no mass."""
    builder = axode.MechanismBuilder("element", space).body("body", inertia)
    for k, place in enumerate(points):
        builder.body(f"other{k}")
        axis = vectors[k] if k < len(vectors) else None
        pair: PairType = "spherical" if axis is None and space == "spatial" else "revolute"
        builder.joint(f"p{k}", pair, "body", f"other{k}", at=place, axis=axis)
    system = builder.build().formulate("natural")
    names = [f"p{k}" for k in range(len(points))] + [f"p{k}.axis" for k in range(len(vectors))]
    axes = "xy" if space == "planar" else "xyz"
    rows = [system.coordinate_names.index(f"{name}.{axis}") for name in names for axis in axes]
    M = system.mass(home(system))
    others = np.setdiff1d(np.arange(len(M)), rows)
    assert np.abs(M[others]).max() == 0
    return M[np.ix_(rows, rows)]


def test_planar_mass_matrices() -> None:
    cases = data("mass_matrices")["planar_2point"]
    assert cases
    for case in cases:
        m, com = case["m"], np.array([case["xG"], case["yG"], 0])
        inertia = axode.screw.Inertia(m, com, np.diag([0, 0, case["I_about_i"] - m * (com @ com)]))
        M = mass_matrix(inertia, [(0, 0), (case["L"], 0)], [], "planar")
        assert np.abs(M - case["M"]).max() < 1e-12 * m


@pytest.mark.parametrize("kind", ["spatial_2p2v", "spatial_4points", "spatial_3p1v"])
def test_spatial_mass_matrices(kind: str) -> None:
    cases = data("mass_matrices")[kind]
    assert cases
    for case in cases:
        m, com = case["m"], np.array(case["rG_local"])
        moved = m * (com @ com * np.eye(3) - np.outer(com, com))
        inertia = axode.screw.Inertia(m, com, np.array(case["inertia_tensor_about_i"]) - moved)
        points = [case[k] for k in ("rij_local", "rik_local", "ril_local") if k in case]
        vectors = [case[k] for k in ("u_local", "v_local") if k in case]
        M = mass_matrix(inertia, [(0, 0, 0), *points], vectors, "spatial")
        assert np.abs(M - np.kron(case["K4x4"], np.eye(3))).max() < 1e-12 * m
