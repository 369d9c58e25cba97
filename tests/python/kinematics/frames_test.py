"""Transforms, twists, accelerations, wrenches and Jacobians between frames."""

from typing import Any

import numpy as np
import pytest

import axode
from reference_tree import read, tree_from_reference

TOLERANCE = 2e-13  # as in the C++ tests
BASES = {
    "body": ("body", "base"),
    "mixed": ("hybrid", "base[world]"),
    "inertial": ("spatial", "world"),
}
Frame = axode.Frame


def turned(numbers: object) -> np.ndarray:
    """Six-vectors of the file, linear part first, in our order; rows of a matrix."""
    a = np.asarray(numbers, dtype=float)
    return np.concatenate([a[3:6], a[:3]])


def velocity(numbers: object) -> np.ndarray:
    a = np.asarray(numbers, dtype=float)
    return np.concatenate([a[3:6], a[:3], a[6:]])


def close(found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() <= TOLERANCE * max(1.0, np.abs(wanted).max())


class MovingBase:
    def __init__(self, data: Any, state: Any, stored: str) -> None:
        contacts = state["input"]["contacts"]
        frames = [
            {
                "name": f"contact{k}",
                "on": data["model"]["bodies"][c["link"]]["name"],
                "at": {"matrix": c["L_H_C"]},
            }
            for k, c in enumerate(contacts)
        ]
        rep = BASES[stored][0]
        self.tree = tree_from_reference(data["model"], "joint_frames", rep, frames)
        T = axode.lie.SE3(np.array(state["input"]["A_H_B"]))
        rotation = np.asarray(axode.lie.to_quaternion(axode.lie.SO3(T.R)))
        self.q = np.concatenate([rotation, T.p, state["input"]["s"]])
        base = state["output"]["base"][stored]
        self.v, self.a = velocity(base["nu"]), velocity(base["nudot"])


@pytest.mark.parametrize("stored", BASES)
@pytest.mark.parametrize("number", [0, 1])
def test_a_moving_base(stored: str, number: int) -> None:
    data = read("moving_base")
    state = data["states"][number]
    m = MovingBase(data, state, stored)
    tree, q, v, a = m.tree, m.q, m.v, m.a
    for link in state["output"]["links"]:
        L = link["name"]
        np.testing.assert_allclose(tree.transform(q, of=L).matrix, link["A_H_L"], atol=2e-14)
        for F, frame in {"L": L, "L[A]": f"{L}[world]", "A": "world", "B": "base"}.items():
            here: dict[str, Any] = {"of": L, "expressed_in": frame}
            close(tree.twist(q, v, **here), turned(link["twist"][F]))
            relative = tree.twist(q, v, relative_to="base", **here)
            close(relative, turned(link["twist_relative_to_base"][F]))
            close(tree.acceleration(q, v, a, **here), turned(link["apparent_acceleration"][F]))
            intrinsic = tree.acceleration(q, v, a, **here, kind="intrinsic")
            close(intrinsic, turned(link["intrinsic_acceleration"][F]))
            for asked, (_, base) in [*BASES.items(), (stored, ("", None))]:
                J = tree.jacobian(q, **here, base_velocity_in=base)
                close(J, np.apply_along_axis(velocity, 1, turned(link["J"][F][asked])))
                bias = tree.jacobian_rate_times_velocity(q, v, **here, base_velocity_in=base)
                close(bias, turned(link["Jdot_nu"][F][asked]))
    for asked, (_, base) in BASES.items():
        wanted = state["output"]["base"][asked]["contact_jacobians"]
        for k, J_wanted in enumerate(wanted):
            on = data["model"]["bodies"][state["input"]["contacts"][k]["link"]]["name"]
            J = tree.jacobian(
                q, of=on, expressed_in=Frame(f"contact{k}", "world"), base_velocity_in=base
            )
            close(J, np.apply_along_axis(velocity, 1, turned(J_wanted)))


def quadruped() -> tuple[axode.Tree, np.ndarray, np.ndarray, np.ndarray]:
    tree = axode.Tree.from_file("models/quadruped.json")
    random = np.random.default_rng(5)
    q = tree.random(7)
    return tree, q, random.uniform(-1, 1, tree.nv), random.uniform(-1, 1, tree.nv)


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(request.config.rootpath)


def test_representations_are_frames() -> None:
    tree, q, v, a = quadruped()
    body = tree.body_names[-1]
    frames: dict[Any, Any] = {"body": body, "spatial": "world", "hybrid": Frame(body, "world")}
    for rep, frame in frames.items():
        wanted = axode.jacobian(tree, q, of=body, rep=rep)
        found = tree.jacobian(q, of=body, expressed_in=frame)
        np.testing.assert_allclose(found, wanted, atol=1e-13)
        np.testing.assert_allclose(wanted @ v, axode.twists(tree, q, v, rep)[-1], atol=1e-13)
        np.testing.assert_allclose(
            tree.acceleration(q, v, a, of=body, expressed_in=frame),
            axode.accelerations(tree, q, v, a, rep)[-1],
            atol=1e-12,
        )
    # The default is the hybrid one.
    assert (tree.jacobian(q, body) == axode.jacobian(tree, q, body, "hybrid")).all()
    assert (tree.twist(q, v, body) == tree.twist(q, v, body, "hybrid")).all()
    assert (tree.acceleration(q, v, a, body) == tree.acceleration(q, v, a, body, "hybrid")).all()
    assert (axode.twists(tree, q, v) == axode.twists(tree, q, v, "hybrid")).all()
    assert (axode.accelerations(tree, q, v, a) == axode.accelerations(tree, q, v, a, "hybrid")).all()


@pytest.mark.parametrize("rep", ["body", "spatial", "hybrid", "mixed"])
def test_representations_of_frames(rep: axode.typing.Rep) -> None:
    tree, q, v, a = quadruped()
    body, other = tree.body_names[-1], tree.body_names[4]
    V, A = axode.twists(tree, q, v, rep)[-1], axode.accelerations(tree, q, v, a, rep)[-1]
    np.testing.assert_allclose(tree.twist(q, v, body, rep), V, atol=1e-13)
    np.testing.assert_allclose(tree.acceleration(q, v, a, body, rep), A, atol=1e-12)
    # Relative to a frame that moves: the twist by the Jacobian, and its rate by both.
    J = tree.jacobian(q, body, rep, relative_to=other)
    np.testing.assert_allclose(J @ v, tree.twist(q, v, body, rep, relative_to=other), atol=1e-13)
    bias = tree.jacobian_rate_times_velocity(q, v, body, rep, relative_to=other)
    rate = tree.acceleration(q, v, a, body, rep, relative_to=other)
    np.testing.assert_allclose(J @ a + bias, rate, atol=1e-12)
    angular = tree.twist(q, v, body, relative_to=other, expressed_in=body)[:3]
    if rep in ("body", "mixed"):
        np.testing.assert_allclose((J @ v)[:3], angular, atol=1e-13)


def test_functions_are_methods_of_the_tree() -> None:
    tree, q, v, a = quadruped()
    of, other = tree.body_names[3], tree.body_names[5]
    frames: dict[str, Any] = {"of": of, "relative_to": other}
    assert axode.transform(tree, q, **frames) == tree.transform(q, **frames)
    T = axode.kinematics.transform_matrix(tree, q, **frames)
    assert (T == tree.transform(q, **frames).matrix).all()
    assert (axode.twist(tree, q, v, **frames) == tree.twist(q, v, **frames)).all()
    acceleration = axode.acceleration(tree, q, v, a, **frames)
    assert (acceleration == tree.acceleration(q, v, a, **frames)).all()
    assert (axode.jacobian(tree, q, **frames) == tree.jacobian(q, **frames)).all()
    assert (axode.jacobian_rate(tree, q, v, of) == tree.jacobian_rate(q, v, of)).all()
    wrench = np.arange(6.0)
    back = {"from_": of, "to": other}
    X = axode.kinematics.wrench_matrix(tree, q, **back)
    assert (X == tree.wrench_matrix(q, **back)).all()
    found = tree.wrench_transform(q, wrench, of, other)
    assert (found == axode.kinematics.wrench_transform(tree, q, wrench, **back)).all()
    np.testing.assert_allclose(found, X @ wrench, atol=1e-14)


def test_wrenches_do_the_same_work_in_all_frames() -> None:
    tree, q, v, _ = quadruped()
    body, camera = tree.body_names[-1], tree.body_names[2]
    wrench = np.array([0.3, -1, 2, 5, 0.1, -4])
    for frame in ("world", camera, Frame(body, camera), f"{camera}[world]"):
        power = tree.twist(q, v, of=body, expressed_in=frame) @ tree.wrench_transform(
            q, wrench, from_=body, to=frame
        )
        at_body = tree.twist(q, v, of=body, expressed_in=body) @ wrench
        assert power == pytest.approx(at_body, abs=1e-12)


def test_a_twist_is_the_derivative_of_the_pose() -> None:
    tree, q, v, _ = quadruped()
    of, reference = tree.body_names[-1], tree.body_names[4]
    h = 1e-5
    T = tree.transform(q, of=of, relative_to=reference)
    later = tree.transform(tree.integrate(q, h * v), of=of, relative_to=reference)
    earlier = tree.transform(tree.integrate(q, -h * v), of=of, relative_to=reference)
    rate = (later.matrix - earlier.matrix) / (2 * h)
    X = np.linalg.inv(T.matrix) @ rate
    V = [X[2, 1], X[0, 2], X[1, 0], *X[:3, 3]]
    found = tree.twist(q, v, of=of, relative_to=reference, expressed_in=of)
    np.testing.assert_allclose(found, V, atol=1e-8)


def test_apparent_accelerations_are_derivatives_of_twists() -> None:
    tree, q, v, a = quadruped()
    frames: dict[str, Any] = {
        "of": tree.body_names[-1],
        "relative_to": tree.body_names[4],
        "expressed_in": Frame(tree.body_names[2], tree.body_names[6]),
    }
    h = 1e-5

    def twist(t: float) -> np.ndarray:
        return tree.twist(tree.integrate(q, t * v + t * t / 2 * a), v + t * a, **frames)

    rate = (twist(h) - twist(-h)) / (2 * h)
    np.testing.assert_allclose(tree.acceleration(q, v, a, **frames), rate, atol=1e-7)


def test_batches() -> None:
    tree, _, v, a = quadruped()
    Q = np.stack([tree.random(k) for k in range(4)])
    V = np.stack([v * k for k in range(4)])
    frames: dict[str, Any] = {"of": tree.body_names[-1], "relative_to": tree.body_names[4]}
    for together, one in [
        (tree.transform_matrix(Q, **frames), lambda k: tree.transform_matrix(Q[k], **frames)),
        (tree.twist(Q, V, **frames), lambda k: tree.twist(Q[k], V[k], **frames)),
        (
            tree.acceleration(Q, V, a, **frames),
            lambda k: tree.acceleration(Q[k], V[k], a, **frames),
        ),
        (tree.jacobian(Q, **frames), lambda k: tree.jacobian(Q[k], **frames)),
        (tree.wrench_matrix(Q, "trunk", "world"), lambda k: tree.wrench_matrix(Q[k], "trunk")),
        (
            tree.wrench_transform(Q[0], np.eye(6)[:4], to="trunk"),
            lambda k: tree.wrench_transform(Q[0], np.eye(6)[k], to="trunk"),
        ),
        (
            tree.jacobian_rate_times_velocity(Q, V, **frames),
            lambda k: tree.jacobian_rate_times_velocity(Q[k], V[k], **frames),
        ),
    ]:
        assert len(together) == 4
        for k in range(4):
            assert (together[k] == one(k)).all()  # type: ignore[no-untyped-call]


def test_jacobian_of_a_composite_frame() -> None:
    tree, q, v, _ = quadruped()
    for rep in ("body", "spatial", "hybrid", "mixed"):
        J = tree.jacobian(q, "trunk[world]", rep)
        np.testing.assert_allclose(J @ v, tree.twist(q, v, "trunk[world]", rep), atol=1e-12)


def test_errors() -> None:
    tree, q, v, a = quadruped()
    with pytest.raises(axode.Error, match="nowhere"):
        tree.transform(q, of="nowhere")
    with pytest.raises(axode.Error, match="transform_matrix"):
        tree.transform(np.stack([q, q]), of="trunk")
    with pytest.raises(axode.Error, match="rep"):
        tree.jacobian(q, "trunk", "body", expressed_in="world")
    with pytest.raises(axode.Error, match="'real' is none of 'apparent', 'intrinsic'"):
        tree.acceleration(q, v, a, of="trunk", kind="real")  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="wrench"):
        tree.wrench_transform(q, [1, 2, 3])
    with pytest.raises(axode.Error, match="not finite"):
        tree.wrench_transform(q, [np.nan] * 6)
    with pytest.raises(axode.Error, match="no body 99"):
        tree.transform(q, of=99)
    with pytest.raises(axode.Error, match="no body"):
        tree.transform(q, of=10**30)
    for bad in (1.5, b"trunk", ["trunk"], object(), True):
        with pytest.raises(TypeError, match="of"):
            tree.transform(q, of=bad)  # type: ignore[arg-type]
    panda = axode.Tree.from_file("models/panda.json")
    with pytest.raises(axode.Error, match="does not move freely"):
        panda.jacobian(panda.neutral(), "tool", base_velocity_in="link1")
    with pytest.raises(axode.Error, match="state 1"):
        panda.jacobian([[0.0] * 7, [np.inf] * 7], "tool")
