"""Flexible trees through Python against the reference vectors of tests/data/flexible."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode
from axode.typing import Array
from reference_flexible import CHAINS, chain, data


def expect_near(found: Array, expected: Any, tolerance: float, what: str) -> None:
    wanted = np.asarray(expected)
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() <= tolerance * np.abs(wanted).max(), what


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("order", ["xyz", "zyx", "exp"])
def test_equations_meet_references(name: str, order: axode.typing.SectionRotation) -> None:
    tree = chain(name, order)
    states = data("vectors_" + name)["states"]
    q = np.array([state["q"] for state in states])
    v = np.array([state["u"] for state in states])
    linear = tree.linearized(q, v)  # as a batch
    for k, state in enumerate(states):
        expected = state["lin_" + order]
        expect_near(linear.mass[k], expected["M"], 1e-11, "M")
        expect_near(linear.bias[k], expected["bias"], 1e-11, "bias")
        expect_near(linear.gravity[k], expected["tau_g"], 1e-11, "gravity")
        if order != "zyx":
            exact = tree.nonlinear(state["q"], state["u"])
            expected = state["nonlin_" + order]
            expect_near(exact.mass, expected["M"], 1e-11, "M")
            expect_near(exact.bias, expected["bias"], 1e-11, "bias")
            expect_near(exact.gravity, expected["tau_g"], 1e-11, "gravity")
    given = data("params_" + name)
    expect_near(linear.stiffness, given["K"], 1e-12, "K")


@pytest.mark.parametrize("name", CHAINS)
def test_accelerations_meet_references_by_both_algorithms(name: str) -> None:
    tree = chain(name)
    for state in data("vectors_" + name)["states"]:
        tau = np.zeros(tree.size)
        tau[: tree.joints] = state["T"]
        models: tuple[tuple[axode.typing.FlexibleModel, str], ...]
        models = (("linear", "lin_xyz"), ("nonlinear", "nonlin_xyz"))
        for model, key in models:
            expected = np.array(state[key]["udot"])
            if state[key]["min_eig_M"] <= 0:
                continue
            for algorithm in ("dense", "recursive"):
                found = tree.accelerations(
                    state["q"], state["u"], tau, model=model, algorithm=algorithm
                )
                assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
        energy = tree.energies(state["q"], state["u"])
        total = energy.kinetic + energy.gravity + energy.elastic
        assert total == pytest.approx(state["nonlin_xyz"]["energy"], rel=1e-11)


@pytest.mark.parametrize("name", CHAINS)
def test_frames_meet_references(name: str) -> None:
    tree = chain(name)
    links = data("params_" + name)["chain"]["links"]
    for state in data("vectors_" + name)["states"]:
        q = state["q"]
        exact, linear = tree.link_poses(q), tree.link_poses(q, model="linear")
        dual = tree.dual_motion(q).poses
        for i, link in enumerate(links):
            for frame in (f"{i + 1}", f"{i + 1}'"):
                end = np.zeros(3)
                if frame.endswith("'"):
                    exact[i] = tree.section_pose(q, i)
                    linear[i] = tree.section_pose(q, i, model="linear")
                    dual[i] = tree.dual_section_pose(q, i)
                    if link["type"] == "rigid":
                        end = np.array(link["distal"])
                for poses, key in ((exact, "nonlin_frames"), (linear, "lin_frames")):
                    R, p = poses[i][:3, :3], poses[i][:3, 3]
                    assert np.abs(R - state[key][frame]["R"]).max() <= 1e-12
                    assert np.abs(p + R @ end - state[key][frame]["p"]).max() <= 1e-12
                orders = state["dual_frames"][frame]
                assert np.abs(dual[i].R_real - orders["R_real"]).max() <= 1e-12
                assert np.abs(dual[i].R_dual - orders["R_dual"]).max() <= 1e-12
                p_real = dual[i].p_real + dual[i].R_real @ end
                p_dual = dual[i].p_dual + dual[i].R_dual @ end
                assert np.abs(p_real - orders["p_real"]).max() <= 1e-12
                assert np.abs(p_dual - orders["p_dual"]).max() <= 1e-12


def test_projection_matrices_meet_references() -> None:
    tree, compared = chain("arm4"), 0
    for state in data("vectors_arm4")["states"]:
        for link, expected in state.get("projection_matrices", {}).items():
            found = tree.dual_jacobian(link, state["q"], state["u"])
            for matrix, key in (
                (found.hat, "P_hat"),
                (found.breve, "P_breve"),
                (found.rate, "P_hat_dot"),
            ):
                wanted = np.array(expected[key])
                scale = max(1, np.abs(wanted).max())
                assert np.abs(matrix - wanted).max() <= 1e-11 * scale, (link, key)
            compared += 1
    assert compared == 4


def test_modes_of_the_arm_meet_references() -> None:
    tree, given = chain("arm4"), data("params_arm4")["freqs_at_q0"]
    q = tree.neutral()
    q[: tree.joints] = data("trajectory_arm4")["initial_joints"]
    for model in ("nonlinear", "linear"):
        for joints in ("locked", "free"):
            found = tree.modes(q, model=model, joints=joints, gravity=False)
            assert np.abs(found.frequency_hz - given[joints + "_joints_Hz"]).max() <= 1e-8 * 517


@pytest.mark.parametrize("model", ["nonlinear", "linear"])
def test_closed_loop_spectra_meet_references(model: axode.typing.FlexibleModel) -> None:
    tree, given, spectra = chain("arm4"), data("params_arm4"), data("spectrum_arm4")
    kp, kd = np.array(given["PD"]["Kp"]), np.array(given["PD"]["Kd"])
    for point, name in enumerate(("hold", "phase2", "final")):
        expected = spectra[name + ("_nl" if model == "nonlinear" else "_lin")]
        q, tau = np.array(expected["equilibrium"]), np.zeros(tree.size)
        tau[:4] = kp * (given["manoeuvre"][point]["qd"] - q[:4])
        system = tree.linearize(q, np.zeros(tree.size), tau, model=model, kp=kp, kd=kd)
        assert np.abs(system.a).max() < 1e-6
        values = axode.dynamics.oscillations(system).eigenvalue
        for wanted in np.array(expected["eig_re"]) + 1j * np.array(expected["eig_im"]):
            assert np.abs(values - wanted).min() <= 1e-6 + 1e-8 * abs(wanted)
        servo = tree.modes(q, model=model, joints="servo", kp=kp, kd=kd, settle=False)
        for value in servo.eigenvalue:
            assert np.abs(values - value).min() <= 1e-6 + 1e-8 * abs(value)


def manoeuvre(name: str) -> tuple[axode.FlexibleTree, Any, axode.flexible.FlexibleForces, Array]:
    tree, given = chain(name), data("trajectory_" + name)
    control = axode.flexible.FlexibleControl(given["kp"], given["kd"], given["targets"], given["times"])
    q = tree.neutral()
    q[: tree.joints] = given["initial_joints"]
    return tree, given, axode.flexible.FlexibleForces(control=control), q


@pytest.mark.parametrize("name", ["pendulum1", "arm4"])
@pytest.mark.parametrize("model", ["linear", "nonlinear"])
def test_trajectories_meet_references(name: str, model: axode.typing.FlexibleModel) -> None:
    tree, given, forces, q = manoeuvre(name)
    expected = given[model]
    times = np.array(expected["t"])
    run = tree.simulate(
        times[-1],
        q=q,
        forces=forces,
        model=model,
        method="adams",
        rtol=3e-9,
        atol=3e-11,
        sample_times=times,
    )
    assert run.ending == "finished", run.message
    assert np.abs(run.t - times).max() == 0
    assert np.abs(run.q - expected["q"]).max() < 1e-7
    assert np.abs(run.v - expected["u"]).max() < 1e-4
    assert np.abs(run.tau[:, : tree.joints] - expected["tau"]).max() < 1
    assert run.energy_drift < (1e-8 if model == "nonlinear" else 1e-3) * run.energy_scale


def test_published_two_link_arm() -> None:
    given = data("published")["deluca_siciliano_1991_two_link"]["more_digits"]
    folder = Path(__file__).parents[3] / "examples" / "flexible"
    tree = axode.FlexibleTree.from_file(folder / "two_link.json")
    for name, hertz in zip(("first", "second"), given["f_Hz"], strict=True):
        found = [mode.frequency / (2 * np.pi) for mode in tree.link(name).modes]
        assert np.abs(np.array(found) / hertz - 1).max() < 1e-3


def test_cantilevers_with_tip_mass_meet_published_roots() -> None:
    given = data("published")["cantilever_tip_mass_beta_L"]["mu"]
    outline = axode.flexible.section_numbers(axode.flexible.Section(1e-4, 1e-10, 1e-10, 2e-10))
    beam = axode.flexible.Beam(2, axode.flexible.Material(1e10, 4e9, 2000), outline)
    for ratio, roots in given.items():
        boundary = axode.flexible.ModeBoundary(tip_mass=float(ratio) * 2000 * 1e-4 * 2)
        modes = axode.flexible.beam_modes(beam, "bend_y", len(roots), boundary)
        found = [mode.shape.wave_number * 2 for mode in modes]
        assert np.abs(np.array(found) - roots).max() <= 1e-8
