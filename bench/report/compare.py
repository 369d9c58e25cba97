"""Whether two libraries found the same."""

import math

import functions

TOLERANCE = 1e-8  # of the largest number of a result


def difference(ours, theirs):
    """Largest difference of two lists of results (one per state), relative to the largest number of
    each of ours; infinite if a number is missing or not finite."""
    if len(ours) != len(theirs) or not ours:
        return math.inf
    worst = 0.0
    for mine, other in zip(ours, theirs):
        if len(mine) != len(other) or not mine:
            return math.inf
        if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in (*mine, *other)):
            return math.inf
        scale = max(map(abs, mine)) or 1.0
        worst = max(worst, max(abs(x - y) for x, y in zip(mine, other)) / scale)
    return worst


def check(reference, name, answer):
    """(functions of the answer that agree, {function: difference} of those that do not).

    reference: function -> (who found it first, results). Ways of a function (f_way) must find what
    the function does; a function nobody found yet is added. A function without results cannot be
    compared: it has to say so in its note, and agrees.
    """
    agreed, differing = [], {}
    for function, entry in answer["functions"].items():
        found = entry.get("results") or []
        if not any(found) and entry.get("note"):
            agreed.append(function)
            continue
        known = reference.get(function) or reference.get(functions.split(function)[1])
        if known is None:
            # Not to become the reference for others if it is no result at all.
            if difference(found, found) == 0:
                reference[function] = (name, found)
                agreed.append(function)
            else:
                differing[function] = math.inf
            continue
        error = difference(known[1], found)
        if error <= TOLERANCE:
            agreed.append(function)
        else:
            differing[function] = error
    return agreed, differing
