"""Rows of four-bars pass their flat positions, where the equations lose N ranks.

Tolerances are those of tests/simulate/mechanism/simulate_mechanism_singular_test.cpp.
"""

import pytest

from reference_cases import PLANAR, followed, started
from reference_cases_planar import long_run, n_four_bar


@pytest.mark.parametrize("method", ["projection", "augmented_lagrangian", "null_space"])
def test_two_four_bars_for_ten_seconds(method: str) -> None:
    c = long_run(2)
    for formulation in PLANAR:
        # atol is a part of the size of the model, 3 m.
        assert followed(c, formulation, method, rtol=1e-9, atol=1e-10 / 3)[1] < 5e-6, formulation


def test_what_cannot_pass_says_so_and_where() -> None:
    c = n_four_bar(2)
    system = c.mechanism.formulate("reference_point")
    q, v = started(c, system)
    run = system.simulate(q=q, v=v, method="ida", duration=2, rtol=1e-9, atol=1e-10)
    assert run.ending != "finished" and "singular" in run.message
    assert abs(run.t[-1] - 0.714) < 2e-2  # samples are 0.01 s apart


def test_reference_of_few_seconds() -> None:
    for n in (1, 2, 40):
        c = n_four_bar(n)
        for method in ("projection", "augmented_lagrangian"):
            for formulation in PLANAR if n < 40 else PLANAR[:1]:  # longer
                worst = followed(c, formulation, method, rtol=1e-10, atol=1e-11)[1]
                assert worst < 1e-6, (formulation, method)
