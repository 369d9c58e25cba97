"""One four-bar linkage in four families of coordinates: other numbers, the same motion."""

import axode
import numpy as np

linkage = axode.Mechanism.from_file("examples/mechanisms/example_2_1_four_bar.json")
print(linkage)

families: tuple[axode.typing.MechanismFormulation, ...] = (
    "relative",
    "reference_point",
    "natural",
    "mixed",
)
poses = {}
for family in families:
    system = linkage.formulate(family)
    state = system.assemble(t=0.2)  # at t = 0 from the reference, then along the driver
    poses[family] = system.poses(state.q)
    dofs = linkage.formulate(family, with_drivers=False).mobility().mobility
    print(f"{family:16} {system.nq} coordinates, {system.rows} equations, mobility {dofs}")

# All put the bodies at the same place.
for family in families:
    assert np.allclose(poses[family], poses["relative"], atol=1e-10)
coupler = linkage.body_names.index("coupler")
print("coupler's origin at", poses["natural"][coupler, :2, 3].round(4), "m in all of them")
