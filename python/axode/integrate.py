"""Integration of any equations, on Lie groups too, and the methods of simulations."""

from axode._axode import LieGroup, all_methods, configuration_group, has_fixed_step, method_for
from axode._integrate import integrate
from axode._results.simulate import StepStatistics

__all__ = [
    "all_methods",
    "configuration_group",
    "has_fixed_step",
    "integrate",
    "LieGroup",
    "method_for",
    "StepStatistics",
]
