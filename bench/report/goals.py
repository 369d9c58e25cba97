"""The speed wanted of Axode, and whether it was reached.

A report (see report.py) has report["functions"][function][model][library]["median"] in ns per state.
A ratio is the time of the other library / the time of Axode: above 1 Axode is faster.
"""

import re
from statistics import median

from functions import LINEAR, split, title

# Arms of 6 and 7 joints, a quadruped, a humanoid: the first model that was measured stands for each.
# The last one of each is made of what is in this repository, if the published robots cannot be had.
ROLES = (("ur5", "puma560"), ("panda", "panda7"), ("anymal", "solo12", "legs12"), ("talos", "g1"))
PINOCCHIO, TUNED, OTHERS = "Pinocchio, same flags", "Pinocchio, tuned", "other libraries"

# Axode's function, that of the others, ratio wanted to the fastest build of Pinocchio (with the flags of
# all, and of tuned ones) and to the fastest of all other libraries: median over the robots, each with the
# one that is fastest on it.
RATIOS = (
    ("poses", "poses", 2.0, 2.5),
    ("jacobians", "jacobians", 1.8, 2.5),
    ("inverse_dynamics", "inverse_dynamics", 2.5, 3),
    ("mass_matrix", "mass_matrix", 1.8, 2.5),
    ("forward_dynamics", "forward_dynamics", 2.2, 2),
    ("inverse_mass_matrix", "inverse_mass_matrix", 2, 3),
    ("coriolis_matrix", "coriolis_matrix", 2, 3),
    ("inverse_derivatives", "inverse_derivatives", 2, 3),
    ("forward_derivatives", "forward_derivatives", 2, 3),
    ("batch_inverse_dynamics", "inverse_dynamics", 12, 12),
    ("batch_forward_dynamics", "forward_dynamics", 8, 8),
    ("batch_mass_matrix", "mass_matrix", 8, 8),
    ("batch_inverse_derivatives", "inverse_derivatives", 5, 5),
    ("batch_forward_derivatives", "forward_derivatives", 5, 5),
)
TWO_THREADS = 1.9  # at least: time of one / time of two
GROWTH = 1.3  # at most: time per body of the slowest size / the fastest, 100 to 10,000 bodies
MEMORY = 40e6  # less than: bytes of a tree of 10,000 bodies with all work space


def robots(report):
    found = (next((n for n in names if n in report["models"]), None) for names in ROLES)
    return [name for name in found if name]


def family(library):
    return library.split("_")[0]


def ours(report):
    """The library that all others are compared with: Axode, for this processor if it was built so."""
    names = [n for n in report["libraries"] if family(n) == "axode"]
    return next((n for n in names if n.endswith("_native")), names[0] if names else None)


def time_of(report, function, model, library, what="median"):
    """In ns, None if it was not measured."""
    entry = report["functions"].get(function, {}).get(model, {}).get(library)
    return entry.get(what) if entry else None


def fastest(report, function, model, libraries, what="median"):
    """(ns, library, name) of the fastest library and way of the function; None if there is none."""
    ways = [f for f in report["functions"] if split(f)[:2] == (0, function)]
    entries = [(time_of(report, f, model, n, what), n, f) for f in ways for n in libraries]
    return min((e for e in entries if e[0] is not None), default=None)


def peers(report, group):
    def group_of(name):
        return OTHERS if family(name) != "pinocchio" else TUNED if "_tuned" in name else PINOCCHIO

    return [n for n in report["libraries"] if family(n) != "axode" and group_of(n) == group]


def ratio(report, mine, theirs, group, what="median"):
    """{robot: ratio} of a group of libraries to Axode."""
    found, names = {}, peers(report, group)
    for model in robots(report):
        time = time_of(report, mine, model, ours(report), what)
        other = fastest(report, theirs, model, names, what)
        if time and other:
            found[model] = other[0] / time
    return found


def verdict(measured, met):
    return "not measured" if measured is None else "met" if met else "not met"


def ratios(report):
    """One row per function: title, and per group wanted, measured, range and verdict."""
    rows = []
    for mine, theirs, pinocchio, others in RATIOS:
        row = {"title": title(mine), "function": mine}
        for group, least in ((PINOCCHIO, pinocchio), (TUNED, pinocchio), (OTHERS, others)):
            found = ratio(report, mine, theirs, group)
            middle = median(found.values()) if found else None
            quiet = ratio(report, mine, theirs, group, "least")
            row[group] = {"wanted": least, "measured": middle, "robots": found,
                          "by_least": median(quiet.values()) if quiet else None,
                          "verdict": verdict(middle, middle is not None and middle >= least)}
        rows.append(row)
    return rows


def own(report):
    """Rows about Axode alone: title, wanted (text), measured (text), verdict."""
    rows = [*threads(report), *growth(report), memory(report)]
    return [dict(zip(("title", "wanted", "measured", "verdict"), row)) for row in rows]


def threads(report):
    for name in report["functions"]:
        number, function, _ = split(name)
        if number < 2:
            continue
        one, mine, found = name.replace(f"batch{number}_", "batch_", 1), ours(report), []
        for model in robots(report):
            times = [time_of(report, f, model, mine) for f in (one, name)]
            if all(times):
                found.append(times[0] / times[1])
        if found:
            text, wanted = f"{number} threads over one, batch, {title(function)}", TWO_THREADS
            met = median(found) >= wanted * number / 2
            yield text, f">= {wanted * number / 2:.2g}", f"{median(found):.2f}", verdict(found, met)


def growth(report):
    """Time per body over sizes, for chains and trees that were measured at more than one."""
    families = {}
    for model, facts in report["models"].items():
        match = re.match(r"(chain|tree)\d+$", model)
        if match and 100 <= facts["bodies"] <= 10000:
            families.setdefault(match[1], []).append(model)
    for kind, models in sorted(families.items()):
        for function in LINEAR:
            per_body = {}
            for model in models:
                time = time_of(report, function, model, ours(report))
                if time:
                    bodies = report["models"][model]["bodies"]
                    per_body[bodies] = time / bodies
            if len(per_body) > 1:
                worst = max(per_body.values()) / min(per_body.values())
                sizes = f"{min(per_body):,} to {max(per_body):,} bodies"
                yield (f"time per body, {kind} of {sizes}, {title(function)}", f"<= {GROWTH}",
                       f"{worst:.2f}", verdict(worst, worst <= GROWTH))


def memory(report):
    sizes = [facts["bytes"] for facts in report["models"].values()
             if facts["bodies"] == 10000 and facts.get("bytes")]
    most = max(sizes, default=None)
    measured = "-" if most is None else f"{most / 1e6:.1f} MB"
    return ("memory of a tree of 10,000 bodies with work space", f"< {MEMORY / 1e6:.0f} MB", measured,
            verdict(most, most is not None and most < MEMORY))
