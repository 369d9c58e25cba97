"""Runs of mechanisms against reference trajectories."""

import pytest
from mechanism_cases import (
    METHODS,
    PLANAR,
    SPATIAL,
    andrews,
    followed,
    four_bar,
    n_four_bar,
    slider_crank,
)
from mechanism_spatial_cases import bricard, rscr


@pytest.mark.parametrize(
    "make, which", [*((four_bar, k) for k in range(3)), *((slider_crank, k) for k in range(2))]
)
def test_planar_references(make, which):
    c = make(which)
    for formulation in PLANAR:
        for method in METHODS:
            run, worst = followed(c, formulation, method, rtol=1e-10, atol=1e-11)
            assert worst < 1e-7, (formulation, method)
            assert run.energy_drift < 2e-9 * run.energy_scale
            assert run.position_error < 1e-9


@pytest.mark.parametrize("method", METHODS[1:])
def test_andrews_squeezer(method):
    c = andrews()
    for formulation in PLANAR:
        assert followed(c, formulation, method, rtol=1e-11, atol=1e-12)[1] < 1e-8, formulation


@pytest.mark.parametrize("make", [lambda: rscr(0), bricard], ids=["rscr", "bricard"])
def test_spatial_references(make):
    c = make()
    limit = 2e-7 if make is not bricard else 1e-6
    for formulation in SPATIAL:
        for method in METHODS:
            run, worst = followed(c, formulation, method, rtol=1e-9, atol=1e-10)
            assert worst < limit, (formulation, method)
            assert run.energy_drift < 4e-8 * run.energy_scale


def test_rows_of_four_bars_pass_their_singular_positions():
    c = n_four_bar(2)
    for method in ("projection", "augmented_lagrangian"):
        for formulation in PLANAR:
            assert followed(c, formulation, method, rtol=1e-10, atol=1e-11)[1] < 1e-6


def test_implicit_methods():
    c = bricard()
    run, worst = followed(c, "reference_point", "generalized_alpha", rtol=1e-7, atol=1e-7)
    assert worst < 1e-3 and run.redundant == 1 and len(run.left_out) == 1
    assert followed(c, "reference_point", "ida", rtol=1e-9, atol=1e-10)[1] < 1e-5
