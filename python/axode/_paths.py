"""Paths given as arguments."""

from __future__ import annotations

import os
from pathlib import Path

from axode._errors import Error


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
