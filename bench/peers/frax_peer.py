"""frax, which is written in Python for JAX: functions compiled for this processor by jax.jit, in double
precision and one thread, as its authors advise. Times hold what a call from Python adds.
"""

import importlib.metadata
import os
import tempfile

os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu", OPENBLAS_NUM_THREADS="1",
                  XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import frax  # noqa: E402
import jax  # noqa: E402
import numpy as np  # noqa: E402
import python_peer  # noqa: E402

NOTE = "called from Python, which is in the times"
LARGEST = 60  # degrees of freedom; above them JAX compiles for a minute and more
FUNCTIONS = ["poses", "inverse_dynamics", "mass_matrix", "forward_dynamics", "inverse_mass_matrix",
             "inverse_derivatives"]
UNSUPPORTED = {"jacobians": "not of all bodies", "coriolis_matrix": "only the product with v",
               "forward_derivatives": "only by automatic differentiation"}


def angles(R):
    """Roll, pitch and yaw of URDF."""
    return (np.arctan2(R[2, 1], R[2, 2]), np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])),
            np.arctan2(R[1, 0], R[0, 0]))


def text(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def urdf(model):
    """The model as a URDF file, all of whose numbers have all digits."""
    parts = ['<robot name="flat">']
    if not model.free:  # frax wants an inertia of the fixed base, too
        parts.append('<link name="world"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                     'iyy="1" iyz="0" izz="1"/></inertial></link>')
    for i, b in enumerate(model.bodies):
        entries = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), b.inertia[np.triu_indices(3)])
        moments = " ".join(f'{name}="{float(x)!r}"' for name, x in entries)
        parts.append(f'<link name="b{i}"><inertial><origin xyz="{text(b.com)}"/><mass value="'
                     f'{float(b.mass)!r}"/><inertia {moments}/></inertial></link>')
        if b.joint == "free":
            continue
        parent = f"b{b.parent}" if b.parent >= 0 else "world"
        parts.append(f'<joint name="j{i}" type="{b.joint}"><origin xyz="{text(b.p)}" '
                     f'rpy="{text(angles(b.R))}"/><parent link="{parent}"/><child link="b{i}"/>'
                     f'<axis xyz="{text(b.axis)}"/>'
                     '<limit lower="-1e3" upper="1e3" effort="1e6" velocity="1e6"/></joint>')
    return "\n".join([*parts, "</robot>"])


class Peer:
    """The robot, its inputs for each state, its compiled functions, and what the calls find."""

    def __init__(self, model):
        self.model = model
        names = [f"j{i}" for i, b in enumerate(model.bodies) if b.joint != "free"]
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write(urdf(model))
            file.flush()
            robot = frax.Robot(file.name, joint_ordering=names,
                               floating_base="quaternion" if model.free else None)
        up = np.array([0, 0, 9.81, 0, 0, 0])
        self.compiled = {
            "poses": jax.jit(robot.joint_to_world_transforms),
            "inverse_dynamics": jax.jit(lambda q, v, a: robot.rnea(q, v, a, up, None)),
            "mass_matrix": jax.jit(robot.mass_matrix),
            "forward_dynamics": jax.jit(lambda q, v, tau: robot.forward_dynamics(q, v, tau, None)),
            "inverse_mass_matrix": jax.jit(lambda q: robot.mass_matrix_inverse(robot.mass_matrix(q))),
        }
        if not model.free:
            torque = lambda q, v, a: robot.rnea(q, v, a, up, None)  # noqa: E731
            self.compiled["inverse_derivatives"] = jax.jit(jax.jacfwd(torque, argnums=(0, 1, 2)))
        self.inputs = [self.converted(k) for k in range(len(model.q))]
        self.found = None

    def converted(self, k):
        """x y z qw qx qy qz; linear in the axes of the world, angular in those of the body."""
        model, turn = self.model, self.model.turn(k, angular=False)
        q = model.q[k].copy()
        if model.free:
            q[3:7] = q[[6, 3, 4, 5]]
        return q, turn @ model.v[k], turn @ (model.a[k] + model.bias(k)), turn @ model.tau[k]

    def call(self, name, *inputs):
        function = self.compiled[name]

        def evaluate(k):
            state = self.inputs[k]
            self.found = jax.block_until_ready(function(*[state[i] for i in inputs]))

        return evaluate

    # The results, in the coordinates of the flat model.

    def found_poses(self, _):
        T = np.asarray(self.found)[5 if self.model.free else 0:]  # six of a free base
        return np.concatenate([np.r_[X[:3, :3].ravel(), X[:3, 3]] for X in T])

    def found_forces(self, k):
        return self.model.turn(k, angular=False).T @ np.asarray(self.found)

    def found_accelerations(self, k):
        return self.found_forces(k) - self.model.bias(k)

    def found_matrix(self, k):
        turn = self.model.turn(k, angular=False)
        return (turn.T @ np.asarray(self.found) @ turn).ravel()

    def found_matrices(self, _):
        return np.concatenate([np.asarray(m).ravel() for m in self.found])


def functions_of(model):
    if model.nv > LARGEST:
        UNSUPPORTED.update(dict.fromkeys(FUNCTIONS, "models of this size take too long to compile"))
        return {}
    if list(model.gravity) != [0, 0, -9.81]:
        UNSUPPORTED.update(dict.fromkeys(FUNCTIONS, "its gravity is 9.81 m/s2 along -z"))
        return {}
    peer = Peer(model)
    q, v, a, tau = range(4)
    functions = {
        "poses": (peer.call("poses", q), peer.found_poses),
        "inverse_dynamics": (peer.call("inverse_dynamics", q, v, a), peer.found_forces),
        "mass_matrix": (peer.call("mass_matrix", q), peer.found_matrix),
        "forward_dynamics": (peer.call("forward_dynamics", q, v, tau), peer.found_accelerations),
        "inverse_mass_matrix": (peer.call("inverse_mass_matrix", q), peer.found_matrix),
    }
    if model.free:
        UNSUPPORTED["inverse_derivatives"] = "only by automatic differentiation in its own coordinates"
    else:
        functions["inverse_derivatives"] = (peer.call("inverse_derivatives", q, v, a), peer.found_matrices)
    return {name: python_peer.Function(*both, NOTE) for name, both in functions.items()}


if __name__ == "__main__":
    python_peer.run("frax", importlib.metadata.version("frax"), functions_of, UNSUPPORTED)
