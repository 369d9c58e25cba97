"""A Stewart platform: its legs give its pose, in more than one way."""

import axode
import numpy as np

platform = axode.Mechanism.from_file("examples/mechanisms/stewart.json")
print(platform)
system = platform.formulate("reference_point")
for t in (0.0, 0.5, 1.0):
    state = system.assemble(t)
    legs = np.array([driver.motion(t).value for driver in platform.drivers])
    print(f"legs {legs.round(3)} m: platform at {system.poses(state.q)[1][:3, 3].round(4)} m")

# The same legs, other assemblies.
found = system.assembly_modes(seed=1, seconds=10)
heights = sorted(float(mode.poses[1][2, 3]) for mode in found.modes)
print(f"{len(found.modes)} ways to assemble it, at heights {np.round(heights, 3)} m")

# Where the legs lose hold: the smallest singular value of the Jacobian.
print("rank", system.solve_position().rank, "of", system.rows, "equations")
