"""Runs of mechanisms against reference trajectories, and how runs end."""

import json
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples/mechanisms"
DATA = ROOT / "tests/data"
PLANAR = ("relative", "reference_point", "natural")
SPATIAL = (*PLANAR, "euler_angles", "quasi_velocities")
METHODS = ("baumgarte", "projection", "augmented_lagrangian", "null_space")


def read(name):
    return json.loads((DATA / f"{name}.json").read_text())


def exp(w):
    """Rodrigues' formula."""
    angle = np.linalg.norm(w)
    if angle == 0:
        return np.eye(3)
    x, y, z = np.asarray(w) / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def pose(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def at(x, y):
    return pose(np.eye(3), [x, y, 0])


def turned(a, b):
    return abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi)


class Moving:
    """A pose and a twist in world axes about the body's origin."""

    def __init__(self, T=None, omega=(0, 0, 0), v=(0, 0, 0)):
        self.T = np.eye(4) if T is None else np.asarray(T)
        self.omega, self.v = np.asarray(omega, float), np.asarray(v, float)

    @property
    def heading(self):
        return np.arctan2(self.T[1, 0], self.T[0, 0])

    def hinged(self, frame, angle, rate):
        """A frame on a revolute joint about z of a frame of this one."""
        joint = self.T @ frame
        speed = self.v + np.cross(self.omega, joint[:3, 3] - self.T[:3, 3])
        omega = self.omega + joint[:3, 2] * rate
        return Moving(joint @ pose(exp([0, 0, angle]), [0, 0, 0]), omega, speed)


GROUND = Moving()


class Case:
    """A mechanism, the motion of its bodies at the start, and how far a row is from bodies."""

    def __init__(self, space, gravity):
        self.builder = axode.MechanismBuilder("case", space).gravity(gravity)
        self.start = [GROUND]
        self.trajectory, self.error = [], None

    def body(self, name, mass, com, about_com, moving):
        self.builder.body(name, mass=mass, com=com, about_com=about_com).pose(moving.T)
        self.start.append(moving)

    def pin(self, name, i, j, on_i, on_j=(0, 0)):
        self.builder.joint(name, "revolute", i, j, points=(on_i, on_j))

    def built(self):
        self.mechanism = self.builder.build()
        return self


def four_bar(which):
    data = read("dyn_fourbar")["cases"][which]
    p, row = data["params"], data["traj"][0]
    c = Case("planar", p["g"])
    q, qd, th3, th4 = row["q"], row["qd"], row["th3"], row["th4"]
    crank = GROUND.hinged(at(*p["A"]), q, qd)
    coupler = crank.hinged(at(p["L2"], 0), th3["pos"] - q, th3["vel"] - qd)
    rocker = GROUND.hinged(at(*p["B"]), th4["pos"], th4["vel"])
    for k, (name, body) in enumerate(
        {"crank": crank, "coupler": coupler, "rocker": rocker}.items(), start=2
    ):
        c.body(name, p[f"m{k}"], p[f"c{k}"], p[f"J{k}"], body)
    c.pin("A", "ground", "crank", p["A"])
    c.pin("1", "crank", "coupler", (p["L2"], 0))
    c.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    c.pin("B", "ground", "rocker", p["B"])
    if p["tau"] != 0:
        c.builder.force("A.angle", force=p["tau"], damping=p["cvis"])
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        turned(b[1].heading, r["q"]),
        turned(b[2].heading, r["th3"]["pos"]),
        turned(b[3].heading, r["th4"]["pos"]),
        abs(b[1].omega[2] - r["qd"]),
        abs(b[2].omega[2] - r["th3"]["vel"]),
        abs(b[3].omega[2] - r["th4"]["vel"]),
    )
    return c.built()


def slider_crank(which):
    data = read("dyn_slidercrank")["cases"][which]
    p, row = data["params"], data["traj"][0]
    c = Case("planar", p["g"])
    q, qd, th3 = row["q"], row["qd"], row["th3"]
    crank = GROUND.hinged(at(*p["A"]), q, qd)
    c.body("crank", p["m2"], p["c2"], p["J2"], crank)
    rod = crank.hinged(at(p["L2"], 0), th3["pos"] - q, th3["vel"] - qd)
    c.body("rod", p["m3"], p["c3"], p["J3"], rod)
    slider = Moving(at(*row["2"]["pos"]), v=[*row["2"]["vel"], 0])
    c.body("slider", p["m4"], (0, 0), 1.0, slider)
    c.pin("A", "ground", "crank", p["A"])
    c.pin("1", "crank", "rod", (p["L2"], 0))
    c.pin("2", "rod", "slider", (p["L3"], 0))
    axes = ((1, 0), (1, 0))
    c.builder.joint(
        "guide", "prismatic", "ground", "slider", points=((0, p["h"]), (0, 0)), axes=axes, angle=0
    )
    if p["tau"] != 0:
        c.builder.force("A.angle", force=p["tau"], damping=p["cvis"])
    if p["k"] != 0:
        c.builder.force("guide.distance", stiffness=p["k"], rest=p["x0"])
    c.trajectory = data["traj"]
    c.error = lambda r, b: max(
        turned(b[1].heading, r["q"]),
        turned(b[2].heading, r["th3"]["pos"]),
        abs(b[3].T[0, 3] - r["2"]["pos"][0]),
        abs(b[1].omega[2] - r["qd"]),
        abs(b[3].v[0] - r["2"]["vel"][0]),
    )
    return c.built()


def andrews():
    """Velocities count by a thousandth."""
    data = read("dyn_andrews")
    p, q = data["params"], data["q0"]
    c = Case("planar", (0, 0))
    A, B, C = (p["xa"], p["ya"]), (p["xb"], p["yb"]), (p["xc"], p["yc"])
    H, G = (p["zt"], 0), (0, -p["u"])
    b1 = GROUND.hinged(np.eye(4), q["beta"], 0)
    b5, b7 = GROUND.hinged(at(*A), q["delta"], 0), GROUND.hinged(at(*A), q["epsilon"], 0)
    bodies = {
        "1": (b1, (p["ra"], 0)),
        "2": (b1.hinged(at(p["rr"], 0), q["theta"], 0), (-p["da"], 0)),
        "3": (GROUND.hinged(at(*B), q["gamma"], 0), (p["sb"], -p["sa"])),
        "4": (b5.hinged(at(*H), q["phi"], 0), (0, p["ea"] - p["e"])),
        "5": (b5, (p["ta"], p["tb"])),
        "6": (b7.hinged(at(*G), q["omega"], 0), (p["zf"] - p["fa"], 0)),
        "7": (b7, (-p["ub"], -p["ua"])),
    }
    for name, (body, com) in bodies.items():
        c.body(name, p[f"m{name}"], com, p[f"i{name}"], body)
    E = (-p["d"], 0)
    c.pin("O", "ground", "1", (0, 0))
    c.pin("F", "1", "2", (p["rr"], 0))
    c.pin("B", "ground", "3", B)
    c.pin("A5", "ground", "5", A)
    c.pin("H", "5", "4", H)
    c.pin("A7", "ground", "7", A)
    c.pin("G", "7", "6", G)
    c.pin("E3", "2", "3", E, (0, -p["ss"]))
    c.pin("E4", "2", "4", E, (0, -p["e"]))
    c.pin("E6", "2", "6", E, (p["zf"], 0))
    c.builder.force("O.angle", force=p["mom"])
    c.builder.spring(
        ("ground", C), ("3", (p["sd"], -p["sc"])), stiffness=p["c0"], length=p["l0"]
    )
    c.trajectory = data["traj"]
    sums = ["beta", "beta theta", "gamma", "phi delta", "delta", "omega epsilon", "epsilon"]

    def error(row, moving):
        worst = 0
        for body, names in zip(moving[1:], sums):
            place = sum(row[n]["pos"] for n in names.split())
            rate = sum(row[n]["vel"] for n in names.split())
            worst = max(worst, turned(body.heading, place), abs(body.omega[2] - rate) / 1000)
        return worst

    c.error = error
    return c.built()


def n_four_bar(n):
    """Rods 0 to n on the ground and bars between them, all of length 1."""
    c = Case("planar", (0, -9.81))
    for i in range(n + 1):
        rod = GROUND.hinged(at(i, 0), np.pi / 2, -1)
        c.body(f"rod{i}", 1, (0.5, 0), 1 / 12, rod)
        c.pin(f"A{i}", "ground", f"rod{i}", (i, 0))
        if i > 0:
            c.pin(f"C{i}", f"bar{i - 1}", f"rod{i}", (1, 0), (1, 0))
        if i < n:
            c.body(f"bar{i}", 1, (0.5, 0), 1 / 12, rod.hinged(at(1, 0), -np.pi / 2, 1))
            c.pin(f"B{i}", f"rod{i}", f"bar{i}", (1, 0))
    c.trajectory = next(x["traj"] for x in read("dyn_n_fourbar")["cases"] if x["params"]["N"] == n)
    c.error = lambda r, b: max(
        max(turned(x.heading, r["phi"]), abs(x.omega[2] - r["phid"])) for x in b[1::2]
    )
    return c.built()


def rscr(which):
    """Bodies 1 and 3 on revolutes, 2 on 3 by a cylindrical joint, closed by a ball of 1 in 2."""
    data = read("dyn_rscr")["cases"][which]
    p, g, row = data["params"], data["geometry"], data["traj"][0]
    c = Case("spatial", p["g"])

    def unit(v):
        return np.asarray(v) / np.linalg.norm(v)

    def now(name, what):
        return np.array(row[name][what])

    r1, r5, r54 = np.array(g["r1"]), np.array(g["r5"]), np.array(g["r54_at_beta0"])
    u1, u3, axis = unit(g["u1_dir"]), unit(g["u3_dir"]), unit(g["u2_dir_at_beta0"])
    rho, c4 = g["rho"], g["c4"]
    u, du = now("u2", "pos"), now("u2", "vel")
    y = (now("r2", "pos") - now("r3", "pos") + u * c4) / rho
    dy = (now("r2", "vel") - now("r3", "vel") + du * c4) / rho
    z, dz = np.cross(u, y), np.cross(du, y) + np.cross(u, dy)
    omega = (np.cross(u, du) + np.cross(y, dy) + np.cross(z, dz)) / 2
    beta = row["beta"]
    moving = [
        Moving(pose(exp(u1 * p["q0"]), r1), u1 * p["qd0"]),
        Moving(pose(np.column_stack([u, y, z]), now("r2", "pos")), omega, now("r2", "vel")),
        Moving(pose(exp(u3 * beta["pos"]), r5), u3 * beta["vel"]),
    ]
    for k in range(3):
        I = np.array(p["I"][k])
        c.body(str(k + 1), p["m"][k], g["cg_local"][k], (I + I.T) / 2, moving[k])
    zero = (0, 0, 0)
    joint = c.builder.joint
    joint("R1", "revolute", "ground", "1", points=(r1, zero), axes=(u1, u1))
    joint("S", "spherical", "1", "2", points=(g["r12_at_theta0"], zero))
    joint("C", "cylindrical", "3", "2", points=(r54, (0, -rho, 0)), axes=(axis, (1, 0, 0)))
    joint("R3", "revolute", "ground", "3", points=(r5, zero), axes=(u3, u3))
    if p["tau"] != 0:
        c.builder.force("R1.angle", force=p["tau"])
    c.trajectory = data["traj"]

    def off(body, about, angle, rate):
        return max(
            abs(body.T[:3, :3] - exp(about * angle)).max(), abs(body.omega - about * rate).max()
        )

    c.error = lambda r, b: max(
        off(b[1], u1, r["q"], r["qd"]),
        off(b[3], u3, r["beta"]["pos"], r["beta"]["vel"]),
        abs(b[2].T[:3, 3] - r["r2"]["pos"]).max(),
        abs(b[2].v - r["r2"]["vel"]).max(),
    )
    return c.built()


def bricard():
    data = read("dyn_bricard")["cases"][0]
    p = data["params"]
    a, mass = p["a"], p["m"]
    J = mass * a * a / 12
    c = Case("spatial", p["g"])

    def link(i):
        return pose(exp([np.pi / 2 * (1 if i % 2 == 0 else -1), 0, 0]), [a, 0, 0])

    def angle(row, i, what):
        return row["theta_odd" if i % 2 == 0 else "theta_even"][what]

    def chain(row):
        moving, before = [], GROUND
        for i in range(5):
            frame = link(i - 1) if i > 0 else np.eye(4)
            before = before.hinged(frame, angle(row, i, "pos"), angle(row, i, "vel"))
            moving.append(before)
        return moving

    for i, body in enumerate(chain(data["traj"][0])):
        c.body(f"rod{i}", mass, (a / 2, 0, 0), (0, J, J), body)
    names = ["ground", *(f"rod{i}" for i in range(5)), "ground"]
    for i in range(6):
        on = link(i - 1) if i > 0 else np.eye(4)
        end = np.eye(4) if i < 5 else np.linalg.inv(link(5))
        c.builder.joint(
            f"j{i}",
            "revolute",
            names[i],
            names[i + 1],
            points=(on[:3, 3], end[:3, 3]),
            axes=(on[:3, 2], end[:3, 2]),
        )
    c.trajectory = [row for row in data["traj"] if row["t"] <= 1]

    def error(row, bodies):
        return max(
            max(abs(x.T - y.T).max(), abs(x.omega - y.omega).max())
            for x, y in zip(bodies[1:], chain(row))
        )

    c.error = error
    return c.built()


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def followed(c, formulation, method, **options):
    """The run over the trajectory, and how far it is from it."""
    system = c.mechanism.formulate(formulation)
    q = system.from_poses(np.array([b.T for b in c.start]))
    v = system.from_twists(q, np.array([[*b.omega, *b.v] for b in c.start]))
    _, q, v = system.refresh(q, v)
    times = [row["t"] for row in c.trajectory]
    run = system.simulate(
        q,
        v,
        method=method,
        duration=times[-1],
        sample_interval=0,
        sample_times=times,
        bodies=True,
        **options,
    )
    assert run.ending == "finished", run.message
    assert np.array_equal(run.t, times)
    worst = 0
    for row, poses, twists in zip(c.trajectory, run.body_poses, run.body_twists):
        bodies = [
            Moving(pose(rotation(p[:4]), p[4:]), w[:3], w[3:])
            for p, w in zip(poses.reshape(-1, 7), twists.reshape(-1, 6))
        ]
        worst = max(worst, c.error(row, bodies))
    return run, worst


@pytest.mark.parametrize(
    "make, which", [*((four_bar, k) for k in range(3)), *((slider_crank, k) for k in range(2))]
)
def test_planar_references(make, which):
    c = make(which)
    for formulation in PLANAR:
        for method in METHODS:
            run, worst = followed(c, formulation, method, rtol=1e-10, atol=1e-11)
            assert worst < 1e-7, (formulation, method)
            assert run.energy_drift < 2e-9 * run.energy_scale
            assert run.position_error < 1e-9


@pytest.mark.parametrize("method", METHODS[1:])
def test_andrews_squeezer(method):
    c = andrews()
    for formulation in PLANAR:
        assert followed(c, formulation, method, rtol=1e-11, atol=1e-12)[1] < 1e-8, formulation


@pytest.mark.parametrize("make", [lambda: rscr(0), bricard], ids=["rscr", "bricard"])
def test_spatial_references(make):
    c = make()
    limit = 2e-7 if make is not bricard else 1e-6
    for formulation in SPATIAL:
        for method in METHODS:
            run, worst = followed(c, formulation, method, rtol=1e-9, atol=1e-10)
            assert worst < limit, (formulation, method)
            assert run.energy_drift < 4e-8 * run.energy_scale


def test_rows_of_four_bars_pass_their_singular_positions():
    c = n_four_bar(2)
    for method in ("projection", "augmented_lagrangian"):
        for formulation in PLANAR:
            assert followed(c, formulation, method, rtol=1e-10, atol=1e-11)[1] < 1e-6


def test_implicit_methods():
    c = bricard()
    run, worst = followed(c, "reference_point", "generalized_alpha", rtol=1e-7, atol=1e-7)
    assert worst < 1e-3 and run.redundant == 1 and len(run.left_out) == 1
    assert followed(c, "reference_point", "ida", rtol=1e-9, atol=1e-10)[1] < 1e-5


# --- starts, endings, columns --------------------------------------------------------------------


def pendulum(**load):
    builder = axode.MechanismBuilder("pendulum", "planar")
    builder.body("rod", mass=2, com=(0.5, 0), about_com=1 / 6).point("tip", (1, 0))
    builder.joint("A", "revolute", "ground", "rod", points=((0, 0), (0, 0)))
    if load:
        builder.force("A.angle", **load)
    return builder.start("A.angle", 0.3, 0.5).build()


def test_starting_values_and_columns():
    mechanism = pendulum()
    run = mechanism.simulate(duration=0.5, sample_interval=0.1, points=["rod.tip"])
    assert isinstance(run, axode.Run)
    assert run.t == pytest.approx(np.arange(6) * 0.1)
    assert run.coordinates[0] == pytest.approx([0.3])
    assert run.coordinate_rates[0] == pytest.approx([0.5])
    angle = run.coordinates[:, 0]
    assert run.points == pytest.approx(
        np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]), abs=1e-12
    )
    energy = run.kinetic + run.potential
    assert energy == pytest.approx(np.full(6, energy[0]), rel=1e-6)
    assert run.columns["coordinates"].labels == ("A.angle",)
    assert run.columns["coordinates"].units == ("rad",)


def test_angles_go_on_over_full_turns():
    mechanism = pendulum().replace(gravity=(0, 0, 0), initial_rate={"A.angle": 10.0})
    for formulation in PLANAR:
        run = mechanism.simulate(duration=2.0, sample_interval=0.25, formulation=formulation)
        assert run.coordinates[:, 0] == pytest.approx(0.3 + 10 * run.t, rel=1e-8)


def test_forces_by_python_functions():
    text = pendulum(force="2*cos(3*t)").simulate(duration=0.5)
    for function in (lambda t: 2 * np.cos(3 * t), axode.TimeFunction("2*cos(3*t)")):
        run = pendulum(force=function).simulate(duration=0.5)
        assert run.coordinates == pytest.approx(text.coordinates, abs=1e-12)
    drift = text.kinetic + text.potential - text.work
    assert drift == pytest.approx(np.full(len(text.t), drift[0]), abs=1e-6)


def test_loads_by_python_functions():
    def load(t):
        return [0, 0, 0, 0, 2 * 9.80665, 0]

    builder = axode.MechanismBuilder("held", "planar")
    builder.body("rod", mass=2, com=(0.5, 0), about_com=1 / 6)
    builder.joint("A", "revolute", "ground", "rod", points=((0, 0), (0, 0)))
    builder.load(("rod", (0.5, 0)), varying=load).start("A.angle", 0.3)
    run = builder.build().simulate(duration=0.3)
    assert run.coordinates == pytest.approx(np.full((31, 1), 0.3), abs=1e-12)


@pytest.mark.parametrize(
    "method", [*METHODS, "generalized_alpha", "generalized_alpha_stabilized", "ida"]
)
def test_exceptions_of_functions_come_through_with_the_samples(method):
    def force(t):
        if t > 0.2:
            raise KeyError("broken")
        return 0.0

    for formulation in ("relative", "natural"):
        with pytest.raises(KeyError, match="broken") as caught:
            pendulum(force=force).simulate(duration=1.0, method=method, formulation=formulation)
        run = caught.value.run
        assert run.ending == "stopped" and 0.1 < run.t[-1] <= 0.25
        assert np.isfinite(run.q).all()


def test_functions_that_return_nonsense():
    for bad, error in (
        (lambda t: "x", TypeError),
        (lambda t: (1, 2), axode.Error),
        (lambda t: float("nan"), axode.Error),
        (lambda: 1, TypeError),
    ):
        with pytest.raises(error):
            pendulum(force=bad).simulate(duration=0.1)


def test_a_function_must_not_use_the_system_that_calls_it():
    systems = []

    def force(t):
        systems[0].mobility()
        return 0.0

    systems.append(pendulum(force=force).formulate())
    with pytest.raises(axode.Error, match="uses the system that calls it"):
        systems[0].simulate(duration=0.1)
    systems.clear()


def test_keyboard_interrupt():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum().simulate(duration=1e6, sample_interval=0.01)
        time.sleep(5)  # where the run was quicker
    assert time.monotonic() - begin < 3
    assert len(caught.value.run.t) > 10
    timer.join()


def test_endings_are_no_exceptions():
    c = four_bar(0)
    system = c.mechanism.formulate("reference_point")
    q = system.from_poses(np.array([b.T for b in c.start]))
    v = system.from_twists(q, np.array([[*b.omega, *b.v] for b in c.start]))
    off = q + np.eye(len(q))[0] * 1e-3
    run = system.simulate(off, v, duration=0.1, exact_start=True)
    assert run.ending == "not_assembled" and "equation 'A" in run.message
    assert system.simulate(off, v, duration=0.1).position_error < 1e-13
    fast = system.simulate(q, v + np.eye(len(v))[2], duration=0.1, exact_start=True)
    assert fast.ending == "inconsistent_velocity" and "equation '" in fast.message


def test_a_mechanism_that_cannot_be_assembled():
    mechanism = axode.Mechanism.from_file(MODELS / "example_2_1_four_bar.json")
    text = mechanism.to_text()
    model = json.loads(text)
    far = next(j for j in model["joints"] if j["name"] == "B")
    far["points"][0] = [40, 0]
    run = axode.Mechanism.from_text(json.dumps(model)).simulate(duration=0.1)
    assert run.ending == "not_assembled" and run.message and len(run.t) == 0


def test_misuse():
    mechanism = pendulum()
    with pytest.raises(axode.Error, match="method: 'euler' is none of"):
        mechanism.simulate(method="euler")
    with pytest.raises(axode.Error):
        mechanism.simulate(duration=-1)
    with pytest.raises(axode.Error):
        mechanism.simulate(rtol=-1)
    with pytest.raises(axode.Error, match="there is no point 'rod.top'"):
        mechanism.simulate(points=["rod.top"])
    with pytest.raises(axode.Error, match="given without q"):
        mechanism.simulate(v=[1.0])
    with pytest.raises(axode.LimitError):
        mechanism.simulate(duration=1e12)


def test_driven_runs_keep_their_drivers_and_tell_the_work():
    mechanism = axode.Mechanism.from_file(MODELS / "example_2_1_four_bar.json")
    mechanism = mechanism.replace(drivers={"A.angle": lambda t: (0.1 + 2 * t, 2.0, 0.0)})
    for formulation in ("relative", "natural"):
        run = mechanism.simulate(duration=0.5, formulation=formulation)
        A = mechanism.coordinate_names.index("A.angle")
        assert run.coordinates[:, A] == pytest.approx(0.1 + 2 * run.t, abs=1e-9)


def test_threads_run_side_by_side():
    system = pendulum(force=lambda t: 0.1).formulate()
    expected = system.simulate(duration=0.5).coordinates
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(system.simulate(duration=0.5).coordinates))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for coordinates in found:
        assert np.array_equal(coordinates, expected)
