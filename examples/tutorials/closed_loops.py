"""A four-bar in four kinds of coordinates: assemblies, mobility, dead points, reactions, motion."""

import axode
import numpy as np

np.set_printoptions(precision=3, suppress=True, floatmode="fixed")
linkage = axode.Mechanism.from_file("examples/tutorials/four_bar.json")


def head(text: str) -> None:
    print(f"# --- {text}: prints")


# --- 1 four kinds of coordinates: title
head("1 four kinds of coordinates")
# --- 1 four kinds of coordinates: code
Kinds = tuple[axode.typing.MechanismFormulation, ...]
kinds: Kinds = ("relative", "reference_point", "natural", "mixed")
for kind in kinds:
    system = linkage.formulate(kind)
    state = system.assemble(t=0.1)
    poses, twists = system.motion(state.q, state.v)
    print(f"{kind:16}{system.nq:2} unknowns {' '.join(system.coordinate_names)}")
    print(f"{'':16}rocker turns with {twists[3][2]:.6f} rad/s")

# --- 2 the equations: title
head("2 the equations")
# --- 2 the equations: code
system = linkage.formulate("natural")
for equation in system.equations():
    print(f"{equation.origin + ' ' + equation.of:20}{equation.text}")

# --- 3 assemblies: title
head("3 assemblies")
# --- 3 assemblies: code
modes = system.assembly_modes()
for mode in modes.modes:
    print("joint C at", mode.poses[3][:2, :2] @ [0.25, 0] + mode.poses[3][:2, 3], "m")

# --- 4 mobility: title
head("4 mobility")
# --- 4 mobility: code
free = linkage.replace(drivers={"A.angle": None}).formulate("natural")
found = free.mobility()
print(f"mobility {found.mobility}, by Gruebler's count {found.gruebler}")

# --- 5 dead points: title
head("5 dead points")
# --- 5 dead points: code
rocker = linkage.replace(drivers={"A.angle": None, "D.angle": 1.6})
path = rocker.formulate("natural").follow_driver("D.angle", 1.6, 3.0)
print(path.message)

# --- 6 reactions: title
head("6 reactions")
# --- 6 reactions: code
for t in (0.0, 0.25, 0.5):
    forces = system.reactions(t)
    at_D = forces.joints[3].force[:2]
    crank = forces.drivers[0].force
    print(f"t = {t:.2f} s: torque of the crank {crank:.3f} N m, bearing D {at_D} N")

# --- 7 motion: title
head("7 motion")
# --- 7 motion: code
run = free.simulate(duration=2.0, points=["coupler.P"])
energy = run.kinetic + run.potential
print(f"{run.ending}: energy {energy[0]:.6f} J at the start, {energy[-1]:.6f} J at the end")
