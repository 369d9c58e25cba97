"""A robot whose geometry is a little off, mended from what a camera sees of its hand."""

import axode
import numpy as np

model = axode.Tree.from_file("models/puma560.json")
random = np.random.default_rng(4)
everything = axode.dynamics.all_variations(model, "hand")
errors = 1e-3 * random.uniform(-1, 1, len(everything))
robot = axode.dynamics.apply_variations(model, everything, errors)


def seen(count: int, noise: float) -> list[axode.dynamics.PoseMeasurement]:
    """Poses of the hand as a camera sees them [rad, m]."""
    measured = []
    for q in random.uniform(-2.5, 2.5, (count, model.nq)):
        T = robot.transform(q, of="hand")
        T_measured = T * axode.lie.exp(noise * random.normal(size=6))
        measured.append(axode.dynamics.PoseMeasurement(q, T_measured))
    return measured


def worst(guess: axode.Tree) -> float:
    """Largest error of the hand's position where nobody measured [mm]."""
    q = random.uniform(-2.5, 2.5, (1000, model.nq))
    hand = guess.body_names.index("hand")
    difference = axode.poses(guess, q)[:, hand, :3, 3] - axode.poses(robot, q)[:, hand, :3, 3]
    return 1e3 * float(np.linalg.norm(difference, axis=1).max())


some = axode.dynamics.minimal_variations(model, "hand")
fit = axode.dynamics.calibrate(model, "hand", some, seen(40, 1e-4))
print(
    f"{len(some)} parameters, rank {fit.rank}, {'converged' if fit.converged else 'not converged'}"
)
mended = axode.dynamics.apply_variations(model, some, fit.parameters)
print(f"largest error elsewhere: {worst(model):.2f} mm before, {worst(mended):.2f} mm after")
