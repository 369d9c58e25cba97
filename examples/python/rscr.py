"""A spatial RSCR linkage: mobility by rank, its motion along the driver, the torque it takes."""

import axode
import numpy as np

linkage = axode.Mechanism.from_file("examples/mechanisms/example_2_10_rscr.json")
m = linkage.formulate("natural", with_drivers=False).mobility()
print(
    f"{linkage}:\n  {m.coordinates} natural coordinates, {m.equations} equations, rank {m.rank}, "
    f"mobility {m.mobility}"
)

system = linkage.formulate("natural")
rocker = linkage.coordinate_names.index("R2.angle")
for t in np.linspace(0, 2, 5):
    state = system.assemble(t)  # position, velocity and acceleration at t
    angles = system.measure(state.q, state.v, state.a)  # of all joints
    torque = system.reactions(t).drivers[0].force
    angle, rate = np.degrees(np.array(angles[:2]))[:, rocker]
    print(
        f"t {t:.1f} s: rocker at {angle:8.3f} deg, {rate:8.3f} deg/s; "
        f"the crank takes {torque:8.3f} N m"
    )

# The same motion from the equations of motion.
run = system.simulate(duration=2, rtol=1e-9)
balance = run.kinetic + run.potential - run.work
print(
    f"simulated: {run.ending}, energy balance "
    f"{'kept' if np.ptp(balance) < 1e-6 * abs(balance).max() else 'lost'}"
)
