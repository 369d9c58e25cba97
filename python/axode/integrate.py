"""Integration of any equations, on Lie groups too, and the methods of simulations."""

from axode._axode import LieGroup, configuration_group, has_fixed_step, method_for, methods_of
from axode._integrate import integrate
from axode._results.simulate import StepStatistics

__all__ = [
    "configuration_group",
    "has_fixed_step",
    "integrate",
    "LieGroup",
    "method_for",
    "methods_of",
    "StepStatistics",
]
