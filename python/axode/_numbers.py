"""Numbers among arguments."""

from __future__ import annotations

from typing import Any


def number(value: Any, argument: str) -> float:
    """The value as a float. Raises TypeError with the name of the argument if it is none."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{argument}: is of type {type(value).__name__}; give a number")
