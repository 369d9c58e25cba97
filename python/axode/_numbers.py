"""Numbers among arguments, and values of numpy and others for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np


def number(value: Any, argument: str) -> float:
    """The value as a float. Raises TypeError with the name of the argument if it is none."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{argument}: is of type {type(value).__name__}; give a number")


def plain(value: Any) -> Any:
    """What json.dumps takes instead of a value it does not know."""
    if isinstance(value, np.floating):  # also numpy.longdouble, whose tolist() is itself
        return float(value)
    if not hasattr(value, "tolist"):
        return str(value)
    numbers = value.tolist()
    return str(value) if isinstance(numbers, np.generic) else numbers
