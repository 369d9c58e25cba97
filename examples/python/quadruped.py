"""A robot on four legs: it falls a centimetre and stands; the torques that standing takes."""

import axode
import numpy as np

scene = axode.load_scene("models/quadruped.json")
tree = scene.tree
run = axode.simulate(tree, q=scene.initial.q, v=scene.initial.v, forces=scene.forces, duration=2)
q = run.q[-1]
print(
    f"{run.ending}: trunk at {q[6]:.3f} m, {'at rest' if abs(run.v[-1]).max() < 1e-2 else 'moving'}"
)

# What each foot carries, from inverse dynamics with the feet's forces as unknowns.
feet = [
    axode.dynamics.Contact(axode.Frame(foot, "world"), axode.dynamics.point_contact)
    for foot in tree.frame_names
]
J = np.vstack([axode.jacobian(tree, q, of=foot, rep="hybrid")[3:] for foot in tree.frame_names])
weight = axode.gravity_forces(tree, q)
forces = np.linalg.lstsq(J[:, :6].T, weight[:6], rcond=None)[0].reshape(4, 3)
print(f"{axode.total_mass(tree):.1f} kg; each foot carries", forces[:, 2].round(1), "N")
torques = weight - J.T @ forces.ravel()
print("knees hold", torques[8::3].round(2), "N m")

# With these torques, and feet that cannot move, nothing moves.
held = axode.dynamics.contact_dynamics(tree, q, np.zeros(tree.nv), torques, feet)
assert abs(held.a).max() < 1e-8
print(f"{held.solution.constraints} directions held, {held.solution.rank} independent: it stands")
