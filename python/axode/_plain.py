"""Values of numpy and others for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """What json.dumps takes instead of a value it does not know."""
    if isinstance(value, np.floating):  # also numpy.longdouble, whose tolist() is itself
        return float(value)
    if not hasattr(value, "tolist"):
        return str(value)
    numbers = value.tolist()
    return str(value) if isinstance(numbers, np.generic) else numbers
