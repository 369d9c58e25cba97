"""Arguments that are numbers or paths, and values for JSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from axode._errors import Error


def number(value: Any, argument: str) -> float:
    """The value as a float. Raises TypeError with the name of the argument if it is none."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{argument}: is of type {type(value).__name__}; give a number")


def path_from(value: str | bytes | os.PathLike[str], argument: str) -> Path:
    """The path; TypeError or Error that names the argument if it is none."""
    try:
        name = os.fsdecode(value)
        os.fsencode(name)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{argument}: {kind} is not a path: give str, bytes or os.PathLike") from None
    except UnicodeEncodeError:
        raise Error("the path holds a lone surrogate", argument, "give its bytes") from None
    return Path(name)


def plain(value: Any) -> Any:
    """What json.dumps takes instead of a value it does not know."""
    if isinstance(value, np.floating):  # also numpy.longdouble, whose tolist() is itself
        return float(value)
    if not hasattr(value, "tolist"):
        return str(value)
    numbers = value.tolist()
    return str(value) if isinstance(numbers, np.generic) else numbers
