"""Poses, motions and Jacobians against reference vectors of 50 digits and worked examples."""

import json

import numpy as np
import pytest

import axode
from reference_tree import FORMS, REPS, SYSTEMS, read, tree_from_reference

# Some 100 units in the last place of numbers of order 1, and a decade: as in the C++ tests.
POSE, MOTION, HIGHER, JACOBIAN = 1e-13, 1e-12, 1e-13, 2e-13


def relative(found: np.ndarray, wanted: object) -> float:
    w = np.asarray(wanted, dtype=float)
    assert found.shape == w.shape
    return float(np.abs(found - w).max() / max(1.0, np.abs(w).max()))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_poses_motions_and_jacobians(system: str, form: str) -> None:
    data = read(system)
    tree = tree_from_reference(data["model"], form)
    for state in data["states"]:
        given, wanted = state["input"], state["output"]
        q, v, a, j, s = (np.array(given[k]) for k in ("q", "qd", "qdd", "qddd", "qdddd"))
        assert np.abs(axode.poses(tree, q) - np.array(wanted["C"])).max() < POSE
        for rep in REPS:
            assert relative(axode.twists(tree, q, v, rep), wanted["twist"][rep]) < MOTION
            acceleration = axode.accelerations(tree, q, v, a, rep)
            assert relative(acceleration, wanted["acceleration"][rep]) < MOTION
            assert relative(axode.kinematics.jerks(tree, q, v, a, j, rep), wanted["jerk"][rep]) < HIGHER
            assert relative(axode.kinematics.snaps(tree, q, v, a, j, s, rep), wanted["snap"][rep]) < HIGHER
            derivatives = axode.kinematics.twist_derivatives(tree, q, [v, a, j, s], rep)
            for k, name in enumerate(("twist", "acceleration", "jerk", "snap")):
                assert relative(derivatives[:, k], wanted[name][rep]) < HIGHER
            for body in range(len(tree)):
                J = axode.jacobian(tree, q, body, rep)
                rate = axode.jacobian_rate(tree, q, v, of=body, rep=rep)
                assert relative(J, wanted["jacobian"][rep][body]) < JACOBIAN
                assert relative(rate, wanted["jacobian_dot"][rep][body]) < JACOBIAN
                bias = axode.kinematics.jacobian_rate_times_velocity(tree, q, v, body, rep)
                assert relative(bias, rate @ v) < JACOBIAN


@pytest.mark.parametrize("system", SYSTEMS)
def test_products_of_exponentials(system: str) -> None:
    data = read(system)
    tree = tree_from_reference(data["model"])
    for state in data["states"]:
        q = np.array(state["input"]["q"])
        for body, C in enumerate(state["output"]["C"]):
            assert np.abs(axode.kinematics.pose_by_body_screws(tree, q, body).matrix - C).max() < POSE
            name = data["model"]["bodies"][body]["name"]
            assert np.abs(axode.kinematics.pose_by_zero_reference(tree, q, name).matrix - C).max() < POSE


def example(name: str) -> tuple[dict[str, np.ndarray], object]:
    found = read("modern_robotics")["functions"][name]
    inputs = {k: np.asarray(v, dtype=float) for k, v in found["inputs"].items()}
    return inputs, found["output_of_reference_implementation"]


def chain(screws: np.ndarray, M: np.ndarray, given_in: str) -> axode.Tree:
    """A chain by screws at the zero reference, all bodies with the frame of the last one, M."""
    bodies = []
    for k, screw in enumerate(screws.T):
        at = M if given_in == "world" or k == 0 else np.eye(4)
        where = "body_in_world" if given_in == "world" else "body_in_parent"
        joint = {
            "type": "screws",
            "given_in": given_in,
            "screws": [list(screw)],
            where: {"matrix": at.tolist()},
        }
        if k > 0:
            joint["parent"] = f"b{k - 1}"
        bodies.append({"name": f"b{k}", "joint": joint})
    return axode.Tree.from_text(json.dumps({"axode": 1, "name": "chain", "bodies": bodies}))


@pytest.mark.parametrize(
    "name, list_, form", [("Body", "Blist", "body"), ("Space", "Slist", "world")]
)
def test_worked_examples(name: str, list_: str, form: str) -> None:
    given, wanted = example("FKin" + name)
    tree = chain(given[list_], given["M"], form)
    # Their screws are at the zero reference; ours in the body are the same, because all bodies have
    # the frame of the last one.
    found = axode.poses(tree, given["thetalist"])[-1]
    np.testing.assert_allclose(found, np.array(wanted), atol=1e-13)

    given, wanted = example("Jacobian" + name)
    tree = chain(given[list_], np.eye(4), form)
    rep: axode.typing.Rep = "body" if form == "body" else "spatial"
    J = axode.jacobian(tree, given["thetalist"], "b3", rep)
    np.testing.assert_allclose(J, np.array(wanted), atol=1e-13)

    given, _ = example("IKin" + name)
    tree = chain(given[list_], given["M"], form)
    target = axode.pose_target("b2", given["T"])
    found_ik = axode.inverse_kinematics(
        tree, given["thetalist0"], target, rotation_tolerance=0.01, translation_tolerance=0.001
    )
    assert found_ik.converged
    # The same solution of the several ones, within the tolerances of both.
    np.testing.assert_allclose(found_ik.q, [np.pi / 2, 3, np.pi], atol=0.01)
