"""Mechanisms against reference data: states of tests/data/mechanisms, in every formulation."""

import json
from pathlib import Path

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "examples/mechanisms"
DATA = ROOT / "tests/data/mechanisms"
BOOK = sorted(path.stem for path in (DATA / "book").glob("*.json"))
PLANAR = ("relative", "reference_point", "natural", "mixed")
SPATIAL = (*PLANAR, "euler_angles", "quasi_velocities")


def read(name):
    return json.loads((DATA / f"{name}.json").read_text())


def names_of(mechanism):
    return PLANAR if mechanism.is_planar else SPATIAL


def formulated(mechanism, name):
    """Mixed: with the coordinates of joints only."""
    if name != "mixed":
        return mechanism.formulate(name)
    of_joints = [c.name for c in mechanism.coordinates if c.kind == "joint"]
    return mechanism.formulate("natural", add=of_joints)


# --- the models of the book ---------------------------------------------------------------------


def without_comments(text):
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    return json.loads("\n".join(lines))


def patched(file, patch):
    """The model with some numbers replaced (RFC 6902)."""
    if not patch:
        return axode.Mechanism.from_file(MODELS / file)
    model = without_comments((MODELS / file).read_text())
    for change in patch:
        at = model
        *way, last = change["path"].strip("/").split("/")
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at[key]
        last = int(last) if isinstance(at, list) and last != "-" else last
        if change["op"] == "remove":
            del at[last]
        elif isinstance(at, list) and change["op"] == "add":
            at.insert(len(at) if last == "-" else last, change["value"])
        else:
            at[last] = change["value"]
    return axode.Mechanism.from_text(json.dumps(model), f"{file}, patched")


def at_state(mechanism, state):
    initial = dict.fromkeys(mechanism.coordinate_names)
    drivers = {}
    for name, (value, rate, acceleration) in state["drivers"].items():
        drivers[name] = axode.mechanism.polynomial_in_time(value, rate, acceleration)
        initial[name] = value
    initial.update(state.get("start", {}))
    return mechanism.replace(drivers=drivers, initial=initial)


def rotation(quaternion):
    w, x, y, z = np.asarray(quaternion) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def start(system, told):
    mechanism = system.mechanism
    poses = mechanism.start_poses()
    for name, p in told.items():
        body = poses[mechanism.body_names.index(name)]
        body[:3, :3], body[:3, 3] = rotation(p[3:]), p[:3]
    q = system.from_poses(poses)
    for k, name in enumerate(system.coordinate_names):
        q[k] = mechanism.initial.get(name, q[k])
    return q


class Solved:
    """Poses, twists and their rates at t = 0, from a guess."""

    def __init__(self, system, guess):
        self.system = system
        self.position = system.solve_position(0, guess, tolerance=1e-14)
        if not self.position.converged:
            return
        q = self.position.q
        self.velocity = system.solve_velocity(0, q)
        v = self.velocity.x
        self.acceleration = system.solve_acceleration(0, q, v)
        self.poses, self.twists = system.motion(q, v)
        self.rates = system.accelerations(q, v, self.acceleration.x)
        self.coordinates = system.measure(q, v, self.acceleration.x)

    def motion_of(self, body, local, is_point=True):
        T, w, dw = self.poses[body], self.twists[body, :3], self.rates[body, :3]
        r = T[:3, :3] @ local
        p, v, a = (T[:3, 3], self.twists[body, 3:], self.rates[body, 3:]) if is_point else (0, 0, 0)
        return [p + r, v + np.cross(w, r), a + np.cross(dw, r) + np.cross(w, np.cross(w, r))]

    def coordinate(self, name):
        c = self.system.mechanism.coordinate_names.index(name)
        return [x[c] for x in self.coordinates]


def near_angle(found, expected):
    """The same angle, on the turn of the other."""
    return expected + np.remainder(found - expected + np.pi, 2 * np.pi) - np.pi


def compared(solved, state):
    """Lists of (found, expected) by order of derivative."""
    mechanism = solved.system.mechanism
    bodies = {b.name: (k, b) for k, b in enumerate(mechanism.bodies)}
    pairs = [[], [], []]

    def add(found, expected, is_angle=False):
        for order in range(3):
            x = np.atleast_1d(found[order])[: np.size(expected[order])]
            if is_angle and order == 0:
                x = near_angle(x, expected[0])
            pairs[order].append((x, np.atleast_1d(expected[order])))

    for key, is_point in (("points", True), ("vectors", False)):
        for name, expected in state.get(key, {}).items():
            body, what = name.split(".", 1)
            k, parts = bodies[body]
            local = parts.points[what] if is_point else parts.vectors[what]
            if not is_point:
                local = local / np.linalg.norm(local)
            add(solved.motion_of(k, local, is_point), expected)
    for name, expected in state.get("angles", {}).items():
        k = bodies[name][0]
        x = solved.poses[k][:3, 0]
        found = [np.arctan2(x[1], x[0]), solved.twists[k, 2], solved.rates[k, 2]]
        add(found, expected, is_angle=True)
    for name, expected in state.get("coordinates", {}).items():
        c = mechanism.coordinates[mechanism.coordinate_names.index(name)]
        add(solved.coordinate(name), expected, c.is_angle)
    for name, (omega, alpha) in state.get("omega", {}).items():
        k = bodies[name][0]
        pairs[1].append((solved.twists[k, :3], np.array(omega)))
        pairs[2].append((solved.rates[k, :3], np.array(alpha)))
    return pairs


@pytest.mark.parametrize("name", BOOK)
def test_states_of_the_book_in_every_formulation(name):
    data = read(f"book/{name}")
    count = 0
    for told in data["sets"]:
        mechanism = patched(data["model"], told["patch"])
        for formulation in names_of(mechanism):
            for state in told["states"]:
                system = formulated(at_state(mechanism, state), formulation)
                solved = Solved(system, start(system, state.get("poses", {})))
                assert solved.position.converged == state.get("feasible", True), (
                    formulation,
                    solved.position.message,
                )
                count += 1
                if not solved.position.converged:
                    assert solved.position.message
                    continue
                assert solved.velocity.consistent and solved.acceleration.consistent
                for tolerance, pairs in zip((1e-11, 1e-11, 1e-10), compared(solved, state)):
                    largest = max((abs(y).max() for _, y in pairs), default=0)
                    for x, y in pairs:
                        assert abs(x - y).max() <= tolerance * largest, formulation
    assert count > 0


# --- further references -------------------------------------------------------------------------


def four_bar(p, phi, mode=1, rate=0.0, acceleration=0.0):
    """Crank, coupler and rocker of lengths L2, L3, L4 between A and B, in one of two modes."""
    builder = axode.MechanismBuilder("four-bar", "planar").gravity(p.get("g", (0, 0)))

    def link(name, k, place):
        inertia = {}
        if f"m{k}" in p:
            inertia = {"mass": p[f"m{k}"], "com": p[f"c{k}"], "about_com": p[f"J{k}"]}
        builder.body(name, **inertia).pose(place)

    def pin(name, i, j, on_i, on_j):
        builder.joint(name, "revolute", i, j, points=(on_i, on_j))

    A, B = np.array(p["A"]), np.array(p["B"])
    one = A + p["L2"] * np.array([np.cos(phi), np.sin(phi)])
    # Circles about the end of the crank and about B meet at the end of the coupler.
    d = B - one
    along = (d @ d + p["L3"] ** 2 - p["L4"] ** 2) / (2 * np.sqrt(d @ d))
    th3 = np.arctan2(d[1], d[0]) + mode * np.arccos(along / p["L3"])
    two = one + p["L3"] * np.array([np.cos(th3), np.sin(th3)])
    link("crank", 2, axode.mechanism.planar_pose(*A, phi))
    link("coupler", 3, axode.mechanism.planar_pose(*one, th3))
    link("rocker", 4, axode.mechanism.planar_pose(*B, np.arctan2(*(two - B)[::-1])))
    pin("A", "world", "crank", A, (0, 0))
    pin("1", "crank", "coupler", (p["L2"], 0), (0, 0))
    pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
    pin("B", "world", "rocker", B, (0, 0))
    builder.drive("A.angle", axode.mechanism.polynomial_in_time(phi, rate, acceleration))
    return builder.build()


@pytest.mark.parametrize("case", range(2))
def test_forces_of_a_four_bar(case):
    data = read("fourbar_statics_invdyn")["cases"][case]
    joints = ("FA_on_crank", "F1_on_coupler", "F2_on_rocker", "FB_on_rocker")
    states = [(s, s["qd"], s["qdd"], s["tau"]) for s in data["inverse_dynamics"]]
    states += [(s, 0.0, 0.0, s["tau_static"]) for s in data["statics"]]
    for state, rate, acceleration, torque in states:
        for formulation in PLANAR:
            errors = []
            for mode in (1, -1):  # the reference has one of them
                mechanism = four_bar(data["params"], state["q"], mode, rate, acceleration)
                forces = formulated(mechanism, formulation).reactions()
                assert forces.consistent and forces.unique, forces.message
                assert [d.driver for d in forces.drivers] == ["A.angle"]
                error = abs(forces.drivers[0].force - torque) / (1 + abs(torque))
                for joint, key in zip(forces.joints, joints):
                    expected = np.array([*state[key], 0.0])
                    scale = 1 + np.linalg.norm(expected)
                    error = max(error, abs(joint.force - expected).max() / scale)
                errors.append(error)
            assert min(errors) < 1e-9 < max(errors), formulation


def test_modes_of_the_four_bar():
    told = read("planar_fourbar")["sets"][0]
    state = told["states"][0]
    mechanism = four_bar(told["params"], state["phi"])
    for formulation in PLANAR:
        found = formulated(mechanism, formulation).assembly_modes()
        assert len(found.modes) == 2 and found.complete and found.unseen < 1e-3
        ends = [(m.poses[3] @ [told["params"]["L4"], 0, 0, 1])[:2] for m in found.modes]
        for mode in state["modes"]:
            assert min(np.linalg.norm(end - mode["pos"]["2"]) for end in ends) < 1e-10


def test_over_constrained_ones_tell_what_is_redundant():
    for name, redundant in (("bennett", 3), ("bricard", 1)):
        mechanism = axode.Mechanism.from_file(MODELS / f"{name}.json")
        free = mechanism.replace(keep_drivers=False)
        for formulation in ("relative", "reference_point", "euler_angles", "quasi_velocities"):
            found = free.mobility(formulation=formulation)
            assert found.mobility == 1 and found.redundant == redundant
            assert found.gruebler == 1 - redundant
            assert len(found.redundant_equations) == redundant
            assert sum(j.redundant for j in found.joints) == redundant
            assert mechanism.mobility(formulation=formulation).mobility == 0


def test_sizes_and_operation_counts():
    def sizes(file, formulation):
        # Without masses bodies have as many coordinates as joints need.
        model = json.loads(axode.Mechanism.from_file(MODELS / file).to_text())
        for key in ("drivers", "forces", "initial"):
            model.pop(key, None)
        for body in model["bodies"]:
            body.pop("inertia", None)
        system = axode.Mechanism.from_text(json.dumps(model)).formulate(formulation)
        return system.nv, system.rows, *system.jacobian_operations()

    assert sizes("example_2_10_rscr.json", "natural") == (12, 11, 12, 0)
    assert sizes("example_2_10_rscr.json", "reference_point") == (21, 20, 907, 0)
    assert sizes("example_2_1_four_bar.json", "reference_point") == (9, 8, 36, 6)
    assert sizes("example_2_4_six_bar.json", "natural")[:2] == (8, 7)
    assert sizes("problem_2_21_manipulator.json", "natural")[:2] == (21, 15)
