"""A crane of two aluminium tubes: its vibrations, a motion by both models, its deformed shape."""

import axode
import numpy as np

aluminium = axode.flexible.Material(E=70e9, G=26e9, density=2700)
upper = axode.flexible.Beam(4, aluminium, axode.flexible.hollow_circle(0.16, 0.14))
thick, thin = axode.flexible.hollow_circle(0.12, 0.10), axode.flexible.hollow_circle(0.08, 0.06)
fore = axode.flexible.Beam(3, aluminium, thick, thin)
modes = axode.flexible.ModeRequest(outboard_mass=True, outboard_inertia=True)
arm = (
    axode.FlexibleBuilder("arm")
    .beam("upper", "world", None, upper, modes)
    .revolute((0, -1, 0))
    .damping(0.005)
    .beam("fore", "upper", None, fore, modes)
    .revolute((0, -1, 0))
    .damping(0.005)
    .payload("fore", axode.screw.Inertia(20, about_com=(0.3, 0.3, 0.3)))
    .reference("fore", -1)
    .build()
)
print(arm)

# Vibrations at a pose, deflected by gravity, with the joints locked.
q = arm.neutral()
q[:2] = 1, -1
found = arm.modes(q)
for hertz, ratio in zip(found.frequency_hz[:3], found.damping_ratio[:3]):
    print(f"{hertz:.3f} Hz, damping {ratio:.4f}")

# The arm at rest, then moved to another pose by a function of ours, by both models.
rest = arm.static_deflection(q)
kp, kd = np.array([40000, 20000]), np.array([8000, 3000])
target = np.array([0.8, -1.2])


def control(t: float, q: axode.typing.Array, v: axode.typing.Array) -> axode.typing.Array:
    way = min(t / 0.5, 1)
    smooth = way * way * (3 - 2 * way)
    wanted = (1 - smooth) * np.array([1, -1]) + smooth * target
    return rest.joint_forces + kp * (wanted - q[:2]) - kd * v[:2]


for model in ("linear", "nonlinear"):
    run = arm.simulate(1, q=rest.q, control=control, model=model, rtol=1e-8)
    tip = arm.section_pose(run.q[-1], "fore", model=model)[:3, 3]
    print(f"{model:9} {run.ending}: tip at x {tip[0]:.3f} m, z {tip[2]:.3f} m")

# How far the axis of the forearm is from a straight line, at each time of the run.
points = arm.deformed_shape(run.q, "fore", 11)
straight = points[:, :1] + np.linspace(0, 1, 11)[:, None] * (points[:, -1:] - points[:, :1])
bow = np.linalg.norm(points - straight, axis=2).max()
print(f"largest bow of the forearm {1000 * bow:.1f} mm")
