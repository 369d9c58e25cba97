"""axode.Tree: states, couplings, files of Axode's own format, pickles, display."""

import copy
import json
import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted([*(ROOT / "models").glob("*.json"), *(ROOT / "tests/data/models").glob("*.urdf")])
X, Y, Z = np.eye(3)


@pytest.fixture(scope="module")
def all_joints() -> axode.Tree:
    return axode.Tree.from_file(ROOT / "models/all_joints.json")


def geared() -> axode.Tree:
    """Four bodies: a follows c, d follows a."""
    return (
        axode.TreeBuilder("geared")
        .body("a", mass=1)
        .joint("ja", axode.revolute())
        .mimic("jc", 2, 0.5)
        .body("b", mass=1)
        .joint("jb", axode.spherical())
        .body("c", mass=1)
        .joint("jc", axode.revolute())
        .body("d", mass=1)
        .joint("jd", axode.revolute())
        .mimic("ja", 3)
        .build()
    )


def same(a: axode.Tree, b: axode.Tree) -> None:
    """All that Python can see is equal, to the last bit."""
    assert repr(a) == repr(b)
    assert (a.name, a.source, a.frames, a.couplings) == (b.name, b.source, b.frames, b.couplings)
    assert (a.warnings, a.dofs) == (b.warnings, b.dofs)
    assert np.array_equal(a.gravity, b.gravity) and np.array_equal(a.screws, b.screws)
    for one, other in zip(a.bodies, b.bodies, strict=True):
        assert one._replace(shapes=()) == other._replace(shapes=())
        for s, t in zip(one.shapes, other.shapes, strict=True):
            for field in ("kind", "collision", "name", "pose", "mesh", "mesh_path", "material", "texture"):
                assert getattr(s, field) == getattr(t, field)
            for field in ("size", "scale", "rgba"):
                assert np.array_equal(getattr(s, field), getattr(t, field))


def test_there_are_models() -> None:
    assert len(MODELS) >= 10


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_model_loads_pickles_and_displays(path: Path) -> None:
    tree = axode.Tree.from_file(path)
    assert tree.source == str(path) and tree.name and len(tree) > 0
    again = pickle.loads(pickle.dumps(tree))
    same(tree, again)
    q = tree.random(1, count=20)
    assert np.array_equal(axode.poses(again, q), axode.poses(tree, q))
    assert copy.copy(tree) is tree and copy.deepcopy(tree) is tree
    html = tree._repr_html_()
    assert html.count("<tr>") == 1 + len(tree)
    assert tree.bodies[0].name in html


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
@pytest.mark.parametrize("form", [None, "zero_reference", "body_screws", "parent_screws", "joint_frames"])
def test_texts_read_back(path: Path, form: Any) -> None:
    tree = axode.Tree.from_file(path)
    again = axode.Tree.from_text(tree.to_text(form))
    q = tree.random(2, count=5)
    np.testing.assert_allclose(axode.poses(again, q), axode.poses(tree, q), atol=1e-12)
    assert again.body_names == tree.body_names and again.dofs == tree.dofs
    assert form is None or {body.form for body in again.bodies} == {form}
    assert axode.native_text(tree, form) == tree.to_text(form)


def test_files_are_written_once(tmp_path: Path, all_joints: axode.Tree) -> None:
    path = tmp_path / "tree.json"
    all_joints.save(path)
    assert json.loads(path.read_text())["name"] == "all_joints"
    with pytest.raises(axode.IoError, match="tree.json"):
        all_joints.save(path)
    with pytest.raises(OSError):
        axode.save_tree(all_joints, str(path))
    all_joints.save(path, overwrite=True)
    assert axode.model_format(path) == "native"
    assert axode.load_tree(path).body_names == all_joints.body_names
    with pytest.raises(axode.Error, match="the ending names no model format"):
        all_joints.save(tmp_path / "tree.txt")
    with pytest.raises(axode.IoError):
        all_joints.save(tmp_path / "no" / "tree.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tree.json"]


def test_file_errors_say_where(tmp_path: Path) -> None:
    with pytest.raises(axode.IoError, match="nowhere.json"):
        axode.Tree.from_file(tmp_path / "nowhere.json")
    with pytest.raises(axode.Error):
        axode.Tree.from_file(tmp_path)
    path = tmp_path / "bad.json"
    path.write_text('{\n  "axode": 1,\n  "bodies": 3\n}\n')
    with pytest.raises(axode.Error, match=r"bad\.json:\d+: ") as caught:
        axode.Tree.from_file(path)
    assert caught.value.where.startswith(str(path)) and caught.value.problem
    with pytest.raises(axode.Error, match="mine:1: "):
        axode.Tree.from_text("{", source="mine")
    with pytest.raises(axode.Error, match="free base"):
        axode.Tree.from_file(ROOT / "models/panda.json", free_base=True)
    for bad in (None, 3, b"\0", "a\0b"):
        with pytest.raises((TypeError, ValueError)):
            axode.Tree.from_file(bad)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="form: 'dh' is none of 'zero_reference'"):
        geared().to_text("dh")  # type: ignore[arg-type]


def test_neutral_and_random(all_joints: axode.Tree) -> None:
    q = all_joints.neutral()
    assert q.shape == (35,) and np.array_equal(axode.neutral(all_joints), q)
    for i, zero in enumerate(axode.zero_references(all_joints)):
        if not all_joints.couplings:
            np.testing.assert_allclose(axode.poses(all_joints, q)[i], zero.A.matrix, atol=1e-13)
    many = all_joints.random(7, count=1000)
    assert many.shape == (1000, 35)
    assert np.array_equal(many[0], all_joints.random(7))
    assert np.array_equal(axode.random_configuration(all_joints, 7, 1000), many)
    assert not np.array_equal(many[0], all_joints.random(8))
    axode.check_configuration(all_joints, many)
    scalar = [b for b in all_joints.bodies if b.coordinates != "quaternion"]
    for body in scalar:
        assert np.all(many[:, body.q] >= all_joints.lower[body.v])
        assert np.all(many[:, body.q] <= all_joints.upper[body.v])
    error = axode.coupling_error(all_joints, many)
    assert np.all(error.error < 1e-15) and error.error.shape == (1000,)  # type: ignore[union-attr]
    assert all_joints.random(2**64 - 1).shape == (35,)
    assert all_joints.random(np.uint32(3), count=0).shape == (0, 35)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_seeds_are_whole_numbers(seed: int) -> None:
    with pytest.raises(axode.Error, match="seed: is not from 0 to 18446744073709551615"):
        geared().random(seed)


def test_other_seeds_and_counts_are_refused() -> None:
    for bad in (None, 1.5, "1", [1], np.array([1.0])):
        with pytest.raises(TypeError):
            geared().random(bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="count: not a whole number"):
        geared().random(1, count=2.0)  # type: ignore[arg-type]
    with pytest.raises(axode.Error, match="count: is not from 0"):
        geared().random(1, count=-1)
    with pytest.raises((MemoryError, ValueError)):
        geared().random(1, count=2**60)


def test_integrate_and_difference_are_inverse(all_joints: axode.Tree) -> None:
    random = np.random.default_rng(5)
    q = all_joints.random(1, count=50)
    d = random.uniform(-1, 1, (50, all_joints.nv))
    moved = all_joints.integrate(q, d)
    np.testing.assert_allclose(all_joints.difference(q, moved), d, atol=1e-13)
    assert np.array_equal(axode.plus(all_joints, q, d), moved)
    assert np.array_equal(axode.difference(all_joints, q, moved), all_joints.difference(q, moved))
    # One of a batch is what it is alone; one state stands for all.
    assert np.array_equal(all_joints.integrate(q[3], d[3]), moved[3])
    assert np.array_equal(all_joints.integrate(q, d[3])[3], moved[3])
    # Two half steps are one step along a constant velocity.
    twice = all_joints.integrate(all_joints.integrate(q, d / 2), d / 2)
    np.testing.assert_allclose(twice, moved, atol=1e-13)
    h = 1e-6
    rate = (all_joints.integrate(q, h * d) - all_joints.integrate(q, -h * d)) / (2 * h)
    np.testing.assert_allclose(all_joints.coordinate_rate(q, d), rate, atol=1e-8)
    assert np.array_equal(axode.coordinate_rate(all_joints, q[0], d[0]), all_joints.coordinate_rate(q[0], d[0]))


def test_free_joints_move_in_the_form_of_their_velocity() -> None:
    def moved(velocity: Any) -> Any:
        tree = axode.TreeBuilder().body("b", mass=1).joint("j", axode.free_joint(velocity)).build()
        turned = [math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4), 1, 0, 0]
        return tree.integrate(turned, [0, 0, 0, 1, 0, 0])[4:], tree.integrate(turned, [0, 0, math.pi / 2, 0, 0, 0])[4:]

    np.testing.assert_allclose(moved("body"), [[1, 1, 0], [1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(moved("hybrid"), [[2, 0, 0], [1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(moved("spatial"), [[2, 0, 0], [0, 1, 0]], atol=1e-15)


def test_couplings() -> None:
    tree = geared()
    assert tree.couplings[0] == axode.Coupling(0, 2, 2, 0.5, "jc", 2, 0.5)
    assert tree.couplings[1] == axode.Coupling(3, 2, 6, 1.5, "ja", 3, 0)
    assert (axode.independent_nq(tree), axode.independent_nv(tree)) == (5, 4)
    q = axode.expand_configuration(tree, [1, 0, 0, 0, 0.25])
    np.testing.assert_array_equal(q, [1, 1, 0, 0, 0, 0.25, 3])
    v = axode.expand_velocity(tree, [[1, 2, 3, 4], [0, 0, 0, 1]])
    np.testing.assert_array_equal(v, [[8, 1, 2, 3, 4, 24], [2, 0, 0, 0, 1, 6]])
    np.testing.assert_array_equal(axode.independent_configuration(tree, q), [1, 0, 0, 0, 0.25])
    np.testing.assert_array_equal(axode.independent_velocity(tree, v), [[1, 2, 3, 4], [0, 0, 0, 1]])
    force = [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(axode.reduce_force(tree, force), [2, 3, 4, 5 + 2 + 36])
    assert axode.reduce_force(tree, force) @ [1, 2, 3, 4] == np.dot(force, v[0])
    assert axode.coupling_error(tree, q) == (0, -1)
    q[0] += 0.5
    assert axode.coupling_error(tree, q) == axode.CouplingError(0.5, 0)
    worst = axode.coupling_error(tree, [q, tree.neutral()])
    np.testing.assert_array_equal(worst.error, [0.5, 0])
    np.testing.assert_array_equal(worst.body, [0, -1])
    np.testing.assert_array_equal(tree.neutral(), [0.5, 1, 0, 0, 0, 0, 1.5])


def test_states_are_checked() -> None:
    tree = geared()
    q, v = tree.neutral(), np.zeros(6)
    axode.check_configuration(tree, q)
    axode.check_velocity(tree, v)
    long = q.copy()
    long[1] = 2
    lost = q.copy()
    lost[6] = math.nan
    for call, message in [
        (lambda: axode.check_configuration(tree, long), "q: the quaternion of joint 'jb' has length 2"),
        (lambda: axode.check_configuration(tree, [q, long]), r"q\[1\]: the quaternion of joint 'jb'"),
        (lambda: axode.check_configuration(tree, lost), "of joint 'jd', is not finite"),
        (lambda: axode.check_velocity(tree, [*v[:5], math.inf]), "v: number 5, of joint 'jd'"),
        (lambda: axode.check_configuration(tree, q[:3]), r"q: has shape \(3,\) where \(7,\) or \(batch, 7\)"),
        (lambda: axode.check_configuration(tree, np.zeros((2, 2, 7))), r"q: has shape \(2, 2, 7\)"),
        (lambda: axode.check_configuration(tree, 3.0), "q: has shape"),
        (lambda: tree.integrate(lost, v), "not finite"),
        (lambda: tree.integrate(q, [*v[:5], math.nan]), "d: number 5"),
        (lambda: tree.integrate(q, np.full(6, 1e308) * 1.7 + 0), "not finite|length"),
        (lambda: tree.difference(q, lost), "q1: .*not finite"),
        (lambda: tree.difference([q, q], [q, q, q]), "q1: has 3 states, q0 has 2"),
        (lambda: tree.coordinate_rate(long, v), "quaternion"),
        (lambda: axode.expand_configuration(tree, [2, 0, 0, 0, 0]), "quaternion of joint 'jb'"),
        (lambda: axode.expand_configuration(tree, q), r"independent: has shape \(7,\)"),
        (lambda: axode.expand_velocity(tree, [0, 0, 0, math.nan]), "not finite"),
        (lambda: axode.reduce_force(tree, [math.nan] * 6), "force: "),
        (lambda: axode.coupling_error(tree, lost), "not finite"),
    ]:
        with pytest.raises(axode.Error, match=message):
            call()
    for bad in (None, "q", [1, "x"], [1j] * 7, np.zeros(7, np.float32), np.zeros(7, bool), [[0] * 7, [0]]):
        with pytest.raises(TypeError):
            axode.check_configuration(tree, bad)  # type: ignore[arg-type]
    assert tree.integrate(np.zeros((0, 7)), v).shape == (0, 7)


@pytest.mark.parametrize("name", ["body", "joint", "frame"])
def test_unknown_names_propose_similar_ones(name: str, all_joints: axode.Tree) -> None:
    known = getattr(all_joints, f"{name}_names")
    index = getattr(axode, f"{name}_index")
    for i, text in enumerate(known):
        assert index(all_joints, text) == i == getattr(all_joints, f"{name}_index")(text)
    with pytest.raises(axode.Error, match=f"did you mean '{known[0]}'"):
        index(all_joints, known[0] + "x")
    with pytest.raises(TypeError):
        index(all_joints, None)


def test_hostile_names_do_no_harm() -> None:
    script = "<script>alert('x')</script>"
    others = ['"quoted" \\', "a[b]", "Gelenk äöü 機械 🦾", "{0}%s%n", "../../etc/passwd"]
    builder = axode.TreeBuilder(script)
    for i, name in enumerate([script, *others]):
        builder.body(name, mass=1).joint(name, axode.revolute()).frame(f"{name} {i}", on=name)
    tree = builder.build()
    html = tree._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    assert tree.body_names == [script, *others]
    same(tree, pickle.loads(pickle.dumps(tree)))
    for name in others:
        assert tree.body_index(name) == axode.frame(tree, name).origin.body
        assert axode.frame(tree, f"{name}[world]").axes.body == -1
    assert axode.Tree.from_text(tree.to_text()).body_names == tree.body_names
    assert axode.Tree.from_urdf_text(tree.to_urdf()).body("a[b]").inertia.mass == 1


def test_frames_are_looked_up() -> None:
    tree = geared()
    for bad, message in [("x", "'x'"), ("a[x]", "'x'"), ("a[", "names no frame"), ("[a]", "names no frame"),
                         ("]", "']'"), ("[", "names no frame"), ("", "''"), (axode.Frame("a", "q"), "'q'")]:
        with pytest.raises(axode.Error, match=message):
            axode.frame(tree, bad)
    for wrong in (None, 3, b"a", ("a", "b")):
        with pytest.raises(TypeError):
            axode.frame(tree, wrong)  # type: ignore[arg-type]


def test_long_trees_display_shortened() -> None:
    builder = axode.TreeBuilder("chain")
    for i in range(200):
        builder.body(f"b{i}", mass=1).joint(f"j{i}", axode.revolute(Y), axode.body_screws(np.eye(4)))
        if i:
            builder.on(f"b{i - 1}")
    html = builder.build()._repr_html_()
    assert html.count("<tr>") == 62 and "140 more" in html


def test_pickles_of_nonsense_are_refused() -> None:
    tree = geared()
    text, source, bodies, warnings = tree.__getstate__()
    new = axode.Tree.__new__
    for state in [("{", source, bodies, warnings), (text, source, [], warnings)]:
        with pytest.raises(axode.Error):
            new(axode.Tree).__setstate__(state)
    for state in [(), (1, 2, 3, 4), None]:  # type: ignore[assignment]
        with pytest.raises(TypeError):
            new(axode.Tree).__setstate__(state)
    with pytest.raises(TypeError):
        new(axode.Tree).nq


def test_a_tree_goes_to_another_process(tmp_path: Path) -> None:
    tree = geared()
    path = tmp_path / "tree.pickle"
    path.write_bytes(pickle.dumps(tree))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).random(3).tolist())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert json.loads(run.stdout) == tree.random(3).tolist()


def test_threads_share_a_tree(all_joints: axode.Tree) -> None:
    q = all_joints.random(1, count=200)
    d = np.full(all_joints.nv, 0.1)
    expected = all_joints.integrate(q, d)
    results: list[Any] = []
    threads = [
        threading.Thread(target=lambda: results.append(all_joints.integrate(q, d))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(np.array_equal(r, expected) for r in results)
