"""All poses of the Stewart platform on its legs.

Tolerances are those of tests/mechanism/analysis/assembly_modes_test.cpp.
"""

import numpy as np
import pytest

import axode
from axode.typing import MechanismFormulation
from reference_mechanisms import SPATIAL, Maker, read, reference_poses, turned


@pytest.mark.parametrize("formulation", SPATIAL)
def test_stewart_platform_has_all_its_poses(formulation: MechanismFormulation) -> None:
    """All real ones of 40 complex poses, found by continuation."""
    data = read("stewart_modes")
    p = data["params"]
    assert len(data["states"]) == 5
    for state in data["states"]:
        m = Maker("stewart", "spatial")
        m.add("platform", turned((0, 0, 0), state["modes"][0]["r"]))
        for k in range(6):
            points = (p["base"][k], p["platform_local"][k])
            m.joint(f"leg{k}", "rod", "world", "platform", points=points, value=state["legs"][k])
        assert state["complex"] == 40
        mechanism = m.build()
        system = mechanism.formulate(formulation)
        q = system.from_poses(reference_poses(mechanism))
        found = system.assembly_modes(0, q, starts=4000, least_starts=300, hits=3, successes=200)
        assert found.complete and found.unseen < 1e-3, found.message
        assert abs(found.estimated_modes - len(state["modes"])) < 1e-9
        assert len(found.modes) == len(state["modes"])
        for mode in state["modes"]:
            R = axode.lie.SO3(axode.lie.Quaternion(mode["p"][0], mode["p"][1:])).matrix
            errors = [
                np.linalg.norm(x.poses[1][:3, 3] - mode["r"]) + abs(x.poses[1][:3, :3] - R).max()
                for x in found.modes
            ]
            assert min(errors) < 1e-9
