"""Controllers as functions: PD, computed torque; wrong models, weak motors, slow computers."""

from collections.abc import Callable

import axode
import numpy as np

Array = axode.typing.Array
Control = Callable[[float, Array, Array], Array]
tree = axode.Tree.from_file("examples/tutorials/arm.json")
start, goal = np.array([-0.6, 0.8]), np.array([0.7, -0.9])


def head(text: str) -> None:
    print(f"# --- {text}: prints")


# --- 1 where to go: code
path = axode.trajectory(tree, "minimum_jerk", [0.5, 1.5], np.stack([start, goal]))


def errors(control: Control, robot: axode.Tree = tree, interval: float | None = None) -> str:
    """Largest distance from the path, and what is left of it at the end."""
    run = axode.simulate(
        robot, q=start, v=np.zeros(2), duration=3, control=control, control_interval=interval, rtol=1e-8
    )
    off = run.q - path.sample(run.t).q
    most, left = np.degrees(abs(off).max()), np.degrees(abs(off[-1]).max())
    return f"{most:6.2f} deg off at most, {left:6.3f} at the end"


# --- 2 three controllers: code
kp, kd = np.array([400, 150]), np.array([40, 15])


def pd(t: float, q: Array, v: Array) -> Array:
    wanted = path.sample(t)
    return kp * (wanted.q - q) + kd * (wanted.v - v)


def pd_gravity(t: float, q: Array, v: Array) -> Array:
    return pd(t, q, v) + axode.gravity_forces(tree, q)


def computed_torque(t: float, q: Array, v: Array) -> Array:
    wanted = path.sample(t)
    a = wanted.a + 20 * (wanted.v - v) + 100 * (wanted.q - q)
    return axode.inverse_dynamics(tree, q, v, a)


# --- 3 compared: title
head("3 compared")
# --- 3 compared: code
controllers: dict[str, Control] = {
    "PD": pd, "PD and gravity": pd_gravity, "computed torque": computed_torque
}  # fmt: skip
for name, control in controllers.items():
    print(f"{name:16}{errors(control)}")

# --- 4 the model is wrong: title
head("4 the model is wrong")
# --- 4 the model is wrong: code
heavy = axode.Tree.from_text(tree.to_text().replace('"mass": 2', '"mass": 3'))
for name, control in controllers.items():
    print(f"{name:16}{errors(control, heavy)}")

# --- 5 motors have limits: title
head("5 motors have limits")
# --- 5 motors have limits: code


def limited(control: Control, share: float) -> Control:
    most = share * tree.max_effort
    return lambda t, q, v: np.clip(control(t, q, v), -most, most)


for share in (0.5, 0.45, 0.4):
    print(f"{share:.0%} of the torque: {errors(limited(computed_torque, share))}")

# --- 6 computers take their time: title
head("6 computers take their time")
# --- 6 computers take their time: code
for interval in (0.001, 0.01, 0.05, 0.1):
    print(f"every {1000 * interval:3.0f} ms: {errors(computed_torque, interval=interval)}")
