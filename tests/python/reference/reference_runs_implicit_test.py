"""Runs of mechanisms by implicit methods against reference trajectories.

Tolerances are those of tests/simulate/mechanism/simulate_mechanism_implicit_test.cpp, and, of IDA at small
tolerances, of tests/simulate/systems/absolute_mechanisms_test.cpp and absolute_spatial_test.cpp.
"""

from collections.abc import Callable
from functools import partial

import pytest

from axode.typing import MechanismFormulation
from reference_cases import PLANAR, SPATIAL, Case, followed
from reference_cases_planar import four_bar, n_four_bar, slider_crank
from reference_cases_spatial import bricard, bricard_rods, rscr
from reference_data import read

CASES: dict[str, tuple[Callable[[], Case], float]] = {
    **{f"four_bar{k}": (partial(four_bar, k), 1e9) for k in range(3)},
    **{f"slider_crank{k}": (partial(slider_crank, k), 1e9) for k in range(2)},
    "one_four_bar": (lambda: n_four_bar(1), 0.7),  # up to the flat position
    "rscr": (lambda: rscr(0), 1e9),
    "bricard": (bricard, 1),
}


@pytest.mark.parametrize("name", CASES)
def test_implicit_methods(name: str) -> None:
    """Steps of the first formulation are the measure of the others: with a wrong tangent
    iterations fail, and IDA takes 100 times as many.

    IDA with smaller tolerances than in C++: at those, of 30 runs of the first four-bar whose
    tolerances differ in the fourth digit, one misses the bound by a seventh; the median of their
    errors is 2.7e-6.
    """
    make, until = CASES[name]
    c = make()
    formulations = PLANAR if c.mechanism.is_planar else SPATIAL
    for method, rtol, atol, bound in (
        ("ida", 1e-10, 5e-12, 1e-5),
        ("generalized_alpha", 1e-7, 1.5e-8, 1e-3),
        ("generalized_alpha_stabilized", 1e-7, 1.5e-8, 1e-3),
    ):
        most = 0.0
        for formulation in sorted(formulations, key=lambda x: x != "reference_point"):
            run, worst = followed(c, formulation, method, until, rtol=rtol, atol=atol)
            assert worst < bound, (formulation, method)
            steps, rejected = run.statistics.steps, run.statistics.rejected
            most = most or steps * 1.5
            assert steps < most and rejected < steps / 10, (formulation, method)


def test_redundant_rows_are_left_out() -> None:
    c = bricard()
    run, worst = followed(c, "reference_point", "generalized_alpha", 1, rtol=1e-7, atol=1e-7)
    assert worst < 1e-3 and run.redundant == 1 and len(run.left_out) == 1
    assert followed(c, "reference_point", "ida", 1, rtol=1e-9, atol=1e-10)[1] < 1e-5


# Systems of trees with loops, which these bounds are of in C++, are not in Python. Mechanisms in
# reference point coordinates have the same equations.


@pytest.mark.parametrize("which", range(len(read("dyn_rscr")["cases"])))
def test_rscr_by_ida(which: int) -> None:
    assert followed(rscr(which), "reference_point", "ida", rtol=1e-11, atol=1e-12)[1] < 1e-7


def test_bricard_by_ida() -> None:
    assert followed(bricard(), "reference_point", "ida", rtol=1e-11, atol=1e-12)[1] < 1e-7


def test_rows_of_four_bars() -> None:
    """At 0.71 s all bars lie on a line, where the constraints have lost a rank: beyond that only
    one, by generalized-alpha, which steps across."""
    for case in read("dyn_n_fourbar")["cases"]:
        n = case["params"]["N"]
        c, before = n_four_bar(n), case["traj"][6]["t"]
        until = 1e9 if n == 1 else before
        options = {"rtol": 1e-7, "atol": 1e-8}
        assert followed(c, "reference_point", "generalized_alpha", until, **options)[1] < 1e-2
        if n != 40:
            ida = followed(c, "reference_point", "ida", before, rtol=1e-11, atol=1e-12)
            assert ida[1] < 1e-7


@pytest.mark.parametrize("formulation", SPATIAL)
def test_rods_of_bricard_for_ten_seconds(formulation: MechanismFormulation) -> None:
    c = bricard_rods()
    for method in ("projection", "ida"):
        if method == "ida" and formulation != "relative":
            continue  # longer
        run, worst = followed(c, formulation, method, rtol=1e-9, atol=1e-10)
        assert worst < 1e-6, run.message
        assert run.redundant == 1
