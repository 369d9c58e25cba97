"""What the programs of this folder share: a comparison that says how well it came out."""

import numpy as np


def agree(what, ours, theirs, tolerance):
    """Prints the largest difference; AssertionError if it exceeds the tolerance."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape, f"{what}: shapes {ours.shape} and {theirs.shape}"
    difference = np.abs(ours - theirs).max()
    print(f"{what:40} {difference:8.1e}  (at most {tolerance:.0e})")
    assert difference <= tolerance, f"{what}: {ours} and {theirs} differ"  # also if not a number
