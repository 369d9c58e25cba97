"""Numbers in the order of another library."""

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from axode._errors import Error


def permutation(names: Sequence[str], other: Sequence[str]) -> NDArray[np.int64]:
    """Where the names of another order stand in this one: [names[i] for i in permutation] is other.

    With p = permutation(tree.velocity_names, other) numbers in the order of the tree are v[p] in the
    other one; v[p] = v_other puts them back. `other` may name some only. Raises Error on a name that
    is not there or stands twice.
    """
    place = {name: i for i, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise Error(f"'{twice}' stands twice", "names", "give each name once")
    seen: set[str] = set()
    for name in other:
        if name not in place:
            similar = get_close_matches(name, place, n=1)
            remedy = f"did you mean '{similar[0]}'?" if similar else "give names of the first order"
            raise Error(f"there is no '{name}' in the first order", "other", remedy)
        if name in seen:
            raise Error(f"'{name}' stands twice", "other", "give each name once")
        seen.add(name)
    return np.array([place[name] for name in other], dtype=np.int64)
