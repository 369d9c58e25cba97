"""Runs of mechanisms against reference trajectories of minimal coordinates, 28 digits.

Tolerances are those of tests/simulate/mechanism/simulate_mechanism_test.cpp and
simulate_mechanism_spatial_test.cpp.
"""

from collections.abc import Callable
from functools import partial

import pytest

from reference_cases import METHODS, PLANAR, SPATIAL, Case, followed
from reference_cases_planar import andrews, double_pendulum, four_bar, slider_crank
from reference_cases_spatial import bricard, heavy_top, rscr

PLANAR_CASES: dict[str, Callable[[], Case]] = {
    "double_pendulum": double_pendulum,
    **{f"four_bar{k}": partial(four_bar, k) for k in range(3)},
    **{f"slider_crank{k}": partial(slider_crank, k) for k in range(2)},
}


@pytest.mark.parametrize("name", PLANAR_CASES)
def test_planar_mechanisms(name: str) -> None:
    c = PLANAR_CASES[name]()
    for formulation in PLANAR:
        for method in METHODS:
            run, worst = followed(c, formulation, method, rtol=1e-10, atol=1e-11)
            assert worst < 1e-7, (formulation, method)
            assert run.energy_drift < 2e-9 * run.energy_scale
            assert run.position_error < 1e-9


@pytest.mark.parametrize("method", METHODS[1:])
def test_andrews_squeezer(method: str) -> None:
    """1e-8 in angles at 0.03 s, in velocities relative to 1000 rad/s."""
    c = andrews()
    for formulation in PLANAR:
        assert followed(c, formulation, method, rtol=1e-11, atol=1e-12)[1] < 1e-8, formulation


@pytest.mark.parametrize(
    "make, bound, until",
    [
        (heavy_top, 1e-6, 1e9),
        (lambda: rscr(0), 2e-7, 1e9),
        (bricard, 1e-6, 1),
    ],
    ids=["heavy_top", "rscr", "bricard"],
)
def test_spatial_mechanisms(make: Callable[[], Case], bound: float, until: float) -> None:
    """One equation of Bricard's mechanism follows from the others."""
    c = make()
    for formulation in SPATIAL:
        for method in METHODS:
            run, worst = followed(c, formulation, method, until, rtol=1e-9, atol=1e-10)
            assert worst < bound, (formulation, method)
            assert run.energy_drift < 4e-8 * run.energy_scale
