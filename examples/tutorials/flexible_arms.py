"""A boom that bends: its modes, both sets of equations, spinning, and moving without shaking."""

from pathlib import Path

import axode
import numpy as np

np.set_printoptions(precision=3, suppress=True, floatmode="fixed")
boom = axode.FlexibleTree.from_file("examples/tutorials/boom.json")


def head(text: str) -> None:
    print(f"# --- {text}: prints")


# --- 1 modes: title
head("1 modes")
# --- 1 modes: code
print(boom, boom.coordinate_names)
for joints in ("locked", "free", "servo"):
    found = boom.modes(joints=joints)
    print(f"{joints:8}", found.frequency_hz[:4], "Hz")

# --- 2 what modes know: title
head("2 what modes know")
# --- 2 what modes know: code
text = Path("examples/tutorials/boom.json").read_text()
for known in ('"outboard"', "0"):
    for count in (1, 2, 4):
        other = text.replace('"tip_mass": "outboard"', f'"tip_mass": {known}')
        other = other.replace('"bend_y": 2, "bend_z": 2', f'"bend_y": {count}, "bend_z": {count}')
        f = axode.FlexibleTree.from_text(other).modes(gravity=False).frequency_hz[0]
        print(f"tip_mass {known:10} {count} modes: {f:.4f} Hz")

# --- 3 linear and exact: title
head("3 linear and exact")
# --- 3 linear and exact: code
bend = boom.coordinate_names.index("boom.bend_y1")
for turn in (0.5, 1.0, 6.0):  # how far it is to turn
    target = axode.flexible.FlexibleControl(kp=[2000], kd=[600], times=[0], targets=[[turn]])
    runs = [boom.simulate(1.5, control=target, model=m, rtol=1e-9) for m in ("linear", "nonlinear")]
    linear, exact = (run.q[:, bend] for run in runs)
    print(f"{turn} rad: mode 1 goes to {abs(exact).max():.3f} m; linear:", end=" ")
    if runs[0].ending == "finished":
        print(f"{abs(linear - exact).max():.4f} m off")
    else:
        print(runs[0].message.split(": ")[1].split(" (")[0])

# --- 4 spin-up: title
head("4 spin-up")
# --- 4 spin-up: code
spin = Path("examples/flexible/spin_up.json").read_text()
for stiffening in ("true", "false"):
    other = spin.replace('"stiffening": true', f'"stiffening": {stiffening}')
    beam = axode.FlexibleTree.from_text(other)
    run = beam.simulate(model="nonlinear", rtol=1e-8)
    lag = 2 * run.q[:, 1] - 2 * run.q[:, 2] + 2 * run.q[:, 3]  # the shapes are 2, -2, 2 at the tip
    if abs(lag).max() > 2:
        late = run.t[abs(lag) > 2][0]
        print(f"stiffening false: the tip runs away, 2 m behind after {late:.2f} s")
    else:
        print(f"stiffening true: the tip is {-lag.min():.3f} m behind at most, then comes back")

# --- 5 moving without shaking: title
head("5 moving without shaking")
# --- 5 moving without shaking: code
rest = boom.static_deflection(boom.neutral()).q  # gravity bends it down from the start


def shaking(way: float) -> tuple[float, float]:
    """Largest bending while it turns by 1 rad in that time [s], and what is left of it after."""

    def control(t: float, q: axode.typing.Array, v: axode.typing.Array) -> axode.typing.Array:
        s = min(t / way, 1.0)
        wanted = s * s * s * (10 - 15 * s + 6 * s * s)  # a path of minimum jerk
        return np.array([100000 * (wanted - q[0]) - 10000 * v[0]])

    run = boom.simulate(way + 1.0, q=rest, control=control, model="nonlinear", rtol=1e-7)
    bending = 1000 * run.q[:, bend]
    return abs(bending).max(), np.ptp(bending[run.t > way + 0.5]) / 2


for way in (0.25, 0.5, 0.75, 1.0, 1.5):
    most, left = shaking(way)
    print(f"in {way:.2f} s: bends by {most:6.1f} mm, shakes by {left:6.2f} mm after")
