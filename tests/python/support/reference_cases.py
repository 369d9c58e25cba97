"""Mechanisms with reference trajectories, and runs along them."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import axode
from axode.typing import Array, MechanismFormulation

PLANAR: tuple[MechanismFormulation, ...] = ("relative", "reference_point", "natural")
SPATIAL: tuple[MechanismFormulation, ...] = (*PLANAR, "euler_angles", "quasi_velocities")
METHODS = ("baumgarte", "projection", "augmented_lagrangian", "null_space")


def exp(w: Any) -> Array:
    """Rodrigues' formula."""
    angle = np.linalg.norm(w)
    if angle == 0:
        return np.eye(3)
    x, y, z = np.asarray(w) / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K)


def pose(R: Any, p: Any) -> Array:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def at(x: float, y: float) -> Array:
    return pose(np.eye(3), [x, y, 0])


def turned(a: float, b: float) -> float:
    return float(abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi))


class Moving:
    """A pose and a twist in world axes about the body's origin."""

    def __init__(self, T: Any = None, omega: Any = (0, 0, 0), v: Any = (0, 0, 0)) -> None:
        self.T = np.eye(4) if T is None else np.asarray(T)
        self.omega, self.v = np.asarray(omega, float), np.asarray(v, float)

    @property
    def heading(self) -> float:
        return float(np.arctan2(self.T[1, 0], self.T[0, 0]))

    def hinged(self, frame: Array, angle: float, rate: float) -> "Moving":
        """A frame on a revolute joint about z of a frame of this one."""
        joint = self.T @ frame
        speed = self.v + np.cross(self.omega, joint[:3, 3] - self.T[:3, 3])
        omega = self.omega + joint[:3, 2] * rate
        return Moving(joint @ pose(exp([0, 0, angle]), [0, 0, 0]), omega, speed)


GROUND = Moving()


class Case:
    """A mechanism, the motion of its bodies at the start, and how far a row is from bodies."""

    mechanism: axode.Mechanism

    def __init__(self, space: Literal["planar", "spatial"], gravity: Any) -> None:
        self.builder = axode.MechanismBuilder("case", space).gravity(gravity)
        self.start = [GROUND]
        self.trajectory: list[Any] = []
        self.error: Callable[[Any, list[Moving]], float] = lambda row, bodies: np.inf

    def body(self, name: str, mass: float, com: Any, about_com: Any, moving: Moving) -> None:
        self.builder.body(name, mass=mass, com=com, about_com=about_com).pose(moving.T)
        self.start.append(moving)

    def pin(self, name: str, i: str, j: str, on_i: Any, on_j: Any = (0, 0)) -> None:
        self.builder.joint(name, "revolute", i, j, points=(on_i, on_j))

    def built(self) -> "Case":
        self.mechanism = self.builder.build()
        return self


def rotation(quaternion: Any) -> Array:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def started(c: Case, system: axode.mechanism.MechanismSystem) -> tuple[Array, Array]:
    q = system.from_poses(np.array([b.T for b in c.start]))
    v = system.from_twists(q, np.array([[*b.omega, *b.v] for b in c.start]))
    _, q, v = system.refresh(q, v)
    return q, v


def followed(
    c: Case, formulation: MechanismFormulation, method: Any, until: float = np.inf, **options: Any
) -> tuple[axode.Run, float]:
    """The run over the trajectory, or over its part up to a time, and how far it is from it."""
    system = c.mechanism.formulate(formulation)
    q, v = started(c, system)
    trajectory = [row for row in c.trajectory if row["t"] <= until]
    times = [row["t"] for row in trajectory]
    run = system.simulate(
        q=q,
        v=v,
        method=method,
        duration=times[-1],
        sample_interval=0,
        sample_times=times,
        bodies=True,
        **options,
    )
    assert run.ending == "finished", run.message
    assert np.array_equal(run.t, times)
    worst = 0.0
    for row, poses, twists in zip(trajectory, run.body_poses, run.body_twists):
        bodies = [
            Moving(pose(rotation(p[:4]), p[4:]), w[:3], w[3:])
            for p, w in zip(poses.reshape(-1, 7), twists.reshape(-1, 6))
        ]
        worst = max(worst, c.error(row, bodies))
    return run, worst
