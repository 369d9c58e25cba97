"""Types in the signatures of this package."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""An array of float64, C order."""

Rep = Literal["body", "spatial", "hybrid", "mixed"]
"""A representation of twists and wrenches: see the page on conventions."""

RepOrAuto = Literal["auto", "body", "spatial", "hybrid", "mixed"]
"""The same, or the one that takes least time for the tree."""
