"""Relative coordinates of the book's mechanisms against closed-form motions.

Tolerances are those of relative_test.cpp and relative_loops_test.cpp of
tests/mechanism.
"""

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array
from reference_mechanisms import Maker, read, revolute_loop, turned, unit

DATA = read("relative")
KEYS = ("pos", "vel", "acc")
Motion = dict[str, tuple[float, float, float]]


def entry(mode: Any, key: str, k: int, constant: float = 0) -> tuple[float, float, float]:
    value, rate, acceleration = (mode[order][key][k] for order in KEYS)
    return value + constant, rate, acceleration


def jet(mode: Any, key: str, factor: float = 1) -> tuple[float, float, float]:
    value, rate, acceleration = (factor * mode[order][key] for order in KEYS)
    return value, rate, acceleration


def derivatives(system: axode.mechanism.MechanismSystem, motion: Motion) -> Array:
    """q, v and a in the order of the system."""
    return np.array([motion[name] for name in system.coordinate_names]).T


def check_motion(system: axode.mechanism.MechanismSystem, motion: Motion, tolerance: float) -> None:
    """Phi = 0, Phi_q v = 0, Phi_q a = c, to rounding."""
    q, v, a = derivatives(system, motion)
    _, q, v = system.refresh(q, v)
    assert np.abs(system.position(0, q)).max() < tolerance
    assert np.abs(system.velocity(0, q, v)).max() < tolerance * max(1.0, np.abs(v).max())
    missed = system.jacobian(0, q) @ a - system.acceleration_right(0, q, v)
    assert np.abs(missed).max() <= 10 * tolerance * max(1.0, np.abs(a).max())


def sizes(system: axode.mechanism.MechanismSystem) -> tuple[int, int]:
    return system.nv, system.rows


def planar(*bodies: str) -> Maker:
    m = Maker("plane", "planar")
    for body in bodies:
        m.body(body)
    return m


def test_four_bars_of_example_2_2() -> None:
    for told in DATA["fourbar"]:
        p, m = told["params"], planar("crank", "coupler", "rocker")
        m.pin("A", "world", "crank", p["A"])
        m.pin("1", "crank", "coupler", (p["L2"], 0))
        m.pin("2", "coupler", "rocker", (p["L3"], 0), (p["L4"], 0))
        m.pin("B", "world", "rocker", p["B"])
        mechanism = m.build()
        systems = [mechanism.formulate("relative", cut=["B"]), mechanism.formulate("relative")]
        assert [sizes(system) for system in systems] == [(3, 2)] * 2
        for mode in (x for state in told["states"] for x in state):
            motion = {
                "A.angle": entry(mode, "rel_psi", 0),
                "1.angle": entry(mode, "rel_psi", 1),
                # The book's third angle is that of 2B, our bar is 2 seen from B.
                "2.angle": entry(mode, "rel_psi", 2, pi),
                "B.angle": entry(mode, "ref_psi", 2),
            }
            for system in systems:
                check_motion(system, motion, 1e-13)


@pytest.mark.parametrize("sigma", [1, -1])
def test_rrpr_of_example_2_3(sigma: int) -> None:
    for told in DATA["rrpr"]:
        p, m = told["params"], planar("crank", "rod", "bar")
        phi = sigma * p["phi_deg"] * pi / 180
        m.pin("A", "world", "crank", p["A"])
        m.pin("1", "crank", "rod", (p["L2"], 0))
        points, axes = ((0, 0), (p["L4"], 0)), ((1, 0), (cos(-phi), sin(-phi)))
        m.joint("P", "prismatic", "rod", "bar", points=points, axes=axes, angle=phi)
        m.pin("B", "world", "bar", p["B"])
        mechanism = m.build()
        # The book's, with the bar cut from the ground; the chosen one; the slider cut.
        systems = [mechanism.formulate("relative", cut=cut) for cut in (["B"], None, ["P"])]
        assert systems[1].cut_joints != ["P"]
        for mode in (x for state in told["states"] for x in state if x["sigma"] == sigma):
            motion = {
                "A.angle": entry(mode, "rel_psi", 0),
                "1.angle": entry(mode, "rel_psi", 1),
                "P.distance": entry(mode, "rel_psi", 2),
                "B.angle": entry(mode, "ref_psi", 2),
            }
            for system in systems:
                assert sizes(system) == (3, 2)
                check_motion(system, motion, 2e-13)


def test_six_bars_of_figure_2_7() -> None:
    for told in DATA["sixbar"]:
        p, m = told["params"], planar("OA", "AB", "BCD", "CE", "DF")
        D = p["CD"] * np.array([cos(p["alphaC"]), sin(p["alphaC"])])
        m.pin("O", "world", "OA", p["O"])
        m.pin("A", "OA", "AB", (p["L2"], 0))
        m.pin("B", "AB", "BCD", (p["L3"], 0), (p["CB"], 0))
        m.pin("C", "CE", "BCD", (p["L5"], 0))
        m.pin("D", "BCD", "DF", D, (p["L6"], 0))
        m.pin("E", "world", "CE", p["E"])
        m.pin("F", "world", "DF", p["F"])
        system = m.build().formulate("relative")
        assert sizes(system) == (5, 4)
        for mode in (x for state in told["states"] for x in state):
            motion = {f"{k}.angle": entry(mode, "rel_fig27", i) for i, k in enumerate("OEFAC")}
            check_motion(system, motion, 1e-13)


# --- RSCR -----------------------------------------------------------------------------------------


def rscr(told: Any) -> axode.Mechanism:
    """Body 3 carries the cylinder, body 2 slides on it."""
    p, m = told["params"], Maker("rscr")
    u1, u2, u3 = (np.array(told["unit"][k]) for k in ("u1", "u2_at_beta0", "u3"))
    r54, zero = np.array(p["r54_at_beta0"]), (0, 0, 0)
    about_com = [[0.3, 0, 0.05], [0, 0.4, 0], [0.05, 0, 0.5]]
    for k, place in enumerate((p["r1"], zero, p["r5"])):
        pose = turned(zero, place)
        m.add(str(k + 1), pose, mass=1 + k, com=p["cg_local"][k], about_com=about_com)
    m.joint("R1", "revolute", "world", "1", points=(p["r1"], zero), axes=(u1, u1))
    m.joint("S", "spherical", "1", "2", points=(p["r12_at_theta0"], zero))
    m.joint(
        "C",
        "cylindrical",
        "3",
        "2",
        points=(r54, (p["c4"], -p["rho"], 0)),
        axes=(u2, (1, 0, 0)),
        zero=(unit(r54 - u2 * (u2 @ r54)), (0, 1, 0)),
    )
    m.joint("R3", "revolute", "world", "3", points=(p["r5"], zero), axes=(u3, u3))
    return m.build()


def rscr_motion(told: Any, state: Any, mode: Any) -> Motion:
    return {
        "R1.angle": (state["theta"], told["params"]["omega"], told["params"]["alpha"]),
        "R3.angle": jet(mode, "beta"),
        "C.angle": jet(mode, "phi_cyl"),
        "C.distance": jet(mode, "s_cyl", -1),
    }


def test_rscr_of_example_2_10() -> None:
    for told in DATA["rscr"]:
        mechanism = rscr(told)
        system = mechanism.formulate("relative")
        assert sizes(system) == (4, 3)
        for state in told["states"]:
            for mode in state["modes"]:
                motion = rscr_motion(told, state, mode)
                check_motion(system, motion, 1e-12)
                # Centres of mass, angular velocity and its rate as they are known.
                q, v, a = derivatives(system, motion)
                poses, twists = system.motion(q, v)
                rates = system.accelerations(q, v, a)
                for b in (1, 2, 3):
                    s = poses[b][:3, :3] @ mechanism.bodies[b].inertia.com
                    w, dw = twists[b, :3], rates[b, :3]
                    found = (
                        poses[b][:3, 3] + s,
                        twists[b, 3:] + np.cross(w, s),
                        rates[b, 3:] + np.cross(dw, s) + np.cross(w, np.cross(w, s)),
                    )
                    for x, key, bound in zip(found, KEYS, (1e-12, 1e-11, 1e-10)):
                        assert np.abs(x - mode[key][f"G{b}"]).max() <= bound
                assert np.abs(twists[2, :3] - mode["vel"]["omega2"]).max() <= 1e-11
                assert np.abs(rates[2, :3] - mode["acc"]["omegadot2"]).max() <= 1e-10


@pytest.mark.parametrize(
    "cut, whole, size",
    [
        ("S", False, (4, 3)),
        ("C", False, (5, 4)),
        ("R1", False, (6, 5)),
        ("R3", False, (6, 5)),
        ("S", True, (7, 6)),
        ("R1", True, (7, 6)),
    ],
)
def test_rscr_by_choice_of_the_cut(cut: str, whole: bool, size: tuple[int, int]) -> None:
    """The book's counts, and the same motion."""
    told = DATA["rscr"][0]
    mechanism = rscr(told)
    given = mechanism.formulate("relative")
    system = mechanism.formulate("relative", cut=[cut], close_whole=whole)
    assert sizes(system) == size
    for state in told["states"]:
        for mode in state["modes"]:
            q, v, _ = derivatives(given, rscr_motion(told, state, mode))
            poses, twists = given.motion(q, v)
            q = system.from_poses(poses)
            _, q, v = system.refresh(q, system.from_twists(q, twists))
            assert np.abs(system.position(0, q)).max() < 1e-12
            assert np.abs(system.velocity(0, q, v)).max() < 1e-11
            assert system.matrix_rank(0, q).rank == size[1]
            assert np.abs(system.poses(q) - poses).max() <= 1e-12


# --- loops of revolutes ---------------------------------------------------------------------------


def test_over_constrained_loops_close_and_move() -> None:
    p, b = DATA["bennett"]["params"], DATA["bennett"]["b"]
    cases = (
        ("bennett", (1, b, 1, b), (p["alpha"], p["beta"]) * 2, 3),
        ("bricard", (1,) * 6, (pi / 2, -pi / 2) * 3, 5),
    )
    for name, lengths, twists, rank in cases:
        n = len(lengths)
        first = DATA[name]["states"][0]["pos"]["theta"]
        mechanism = revolute_loop(lengths, twists, first)
        cut = mechanism.formulate("relative")
        whole = mechanism.formulate("relative", close_whole=True)
        assert sizes(cut) == (n - 1, 5) and sizes(whole) == (n, 6)
        for state in DATA[name]["states"]:
            motion = {f"J{k + 1}.angle": entry(state, "theta", k) for k in range(n)}
            for system in (cut, whole):
                check_motion(system, motion, 1e-12)
            # One degree of freedom of motion, however many equations.
            for system, expected in ((whole, rank), (cut, rank - 1)):
                q = derivatives(system, motion)[0]
                assert system.matrix_rank(0, q).rank == expected


def test_rank_is_that_of_the_screws_of_a_loop() -> None:
    for loop in DATA["loops"]:
        n, m = loop["ranks"]["n_joints"], Maker("loop")
        names = ["world", *(f"link{k}" for k in range(1, n)), "world"]
        for name in names[1:n]:
            m.body(name)
        for k, line in enumerate(loop["axes"][:n]):
            ends = (names[k], names[k + 1])
            m.joint(f"J{k}", "revolute", *ends, at=line["P"], axis=unit(line["u"]))
        mechanism = m.build()
        whole = mechanism.formulate("relative", close_whole=True)
        cut = mechanism.formulate("relative")
        assert whole.matrix_rank(0, np.zeros(n)).rank == loop["ranks"]["screw_rank"]
        mobility = n - 1 - cut.matrix_rank(0, np.zeros(n - 1)).rank
        assert mobility == loop["ranks"]["mobility_screw"]
