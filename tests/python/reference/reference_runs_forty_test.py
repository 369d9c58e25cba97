"""Forty four-bars in a row pass their flat positions, where the equations lose forty ranks.

Tolerances are those of tests/simulate/mechanism/simulate_mechanism_singular_test.cpp.
"""

import pytest

from axode.typing import MechanismFormulation
from reference_cases import followed
from reference_cases_planar import long_run


@pytest.mark.parametrize(
    "formulation, method, rtol, atol, bound, drift",
    [
        ("reference_point", "projection", 1e-8, 1e-9, 1e-5, 1e-7),
        # Lengths are parts of the whole row of 41 m, angles are not.
        ("natural", "projection", 1e-9, 1e-10 / 41, 1e-5, 1e-7),
        ("natural", "augmented_lagrangian", 1e-9, 1e-10 / 41, 1e-5, 1e-7),
        ("relative", "null_space", 1e-9, 1e-10, 1e-5, 1e-7),
        # Rows of angles vanish in the flat position: at short steps too they let go there.
        ("relative", "projection", 1e-9, 1e-10, 1e-5, 4e-8),
        ("relative", "projection", 1e-10, 1e-11, 1e-6, 4e-9),
        ("relative", "augmented_lagrangian", 1e-9, 1e-10, 1e-5, 4e-8),
        ("relative", "augmented_lagrangian", 1e-10, 1e-11, 1e-6, 4e-9),
    ],
)
def test_forty_four_bars_for_twenty_seconds(
    formulation: MechanismFormulation, method: str, rtol: float, atol: float, bound: float, drift: float
) -> None:
    run, worst = followed(long_run(40), formulation, method, rtol=rtol, atol=atol)
    assert worst < bound
    assert run.energy_drift < drift * run.energy_scale
