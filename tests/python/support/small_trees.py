"""Trees that several tests look at."""

import axode


def geared() -> axode.Tree:
    """Four bodies: a follows c, d follows a."""
    return (
        axode.TreeBuilder("geared")
        .body("a", mass=1)
        .joint("ja", axode.revolute())
        .mimic("jc", 2, 0.5)
        .body("b", mass=1)
        .joint("jb", axode.spherical())
        .body("c", mass=1)
        .joint("jc", axode.revolute())
        .body("d", mass=1)
        .joint("jd", axode.revolute())
        .mimic("ja", 3)
        .build()
    )
