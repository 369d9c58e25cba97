"""Names of functions: what is compared, ways of one function, batches."""

import re

TITLES = {
    "poses": "poses",
    "jacobians": "poses and all Jacobians",
    "inverse_dynamics": "inverse dynamics",
    "mass_matrix": "mass matrix",
    "forward_dynamics": "forward dynamics",
    "inverse_mass_matrix": "inverse mass matrix",
    "coriolis_matrix": "Coriolis matrix",
    "inverse_derivatives": "derivatives of inverse dynamics",
    "forward_derivatives": "derivatives of forward dynamics",
}
LINEAR = ("poses", "inverse_dynamics", "forward_dynamics")  # time in proportion to bodies


def split(name):
    """(threads of the batch or 0, function, way): "batch2_mass_matrix" -> (2, "mass_matrix", ""),
    "forward_dynamics_crba" -> (0, "forward_dynamics", "crba")."""
    match = re.match(r"batch(\d*)_(.+)$", name)
    threads, plain = (int(match[1] or 1), match[2]) if match else (0, name)
    known = [f for f in TITLES if plain == f or plain.startswith(f + "_")]
    function = max(known, key=len, default=plain)
    return threads, function, plain[len(function) + 1 :]


def title(name):
    threads, function, way = split(name)
    text = TITLES.get(function, function.replace("_", " "))
    if way:
        text += ", " + way.replace("_", " ")
    if threads:
        text += ", batch" + (f", {threads} threads" if threads > 1 else "")
    return text


def order(name):
    """Sorts functions: those compared in the order of TITLES, each followed by its ways."""
    threads, function, way = split(name)
    place = list(TITLES).index(function) if function in TITLES else len(TITLES)
    return threads, place, function, way
