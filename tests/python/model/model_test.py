"""axode.Tree: files of Axode's own format, pickles, names, display."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from small_trees import geared

import axode
from axode.typing import FrameLike

ROOT = Path(__file__).resolve().parents[3]
MODELS = sorted([*(ROOT / "models").glob("*.json"), *(ROOT / "tests/data/models").glob("*.urdf")])


def html_of(tree: axode.Tree) -> str:
    """As a notebook asks for it."""
    html: str = getattr(tree, "_repr_html_")()
    return html


def same(a: axode.Tree, b: axode.Tree) -> None:
    """All that Python can see is equal, to the last bit."""
    assert repr(a) == repr(b)
    assert (a.name, a.source, a.frames, a.couplings) == (b.name, b.source, b.frames, b.couplings)
    assert (a.warnings, a.dofs) == (b.warnings, b.dofs)
    assert np.array_equal(a.gravity, b.gravity) and np.array_equal(a.screws, b.screws)
    assert a.bodies == b.bodies


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
    assert pickle.loads(pickle.dumps(tree.bodies)) == tree.bodies
    assert copy.copy(tree) is tree and copy.deepcopy(tree) is tree
    html = html_of(tree)
    assert html.count("<tr>") == 1 + len(tree)
    assert tree.bodies[0].name in html


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
@pytest.mark.parametrize("form", [None, *get_args(axode.typing.GeometryForm)])
def test_texts_read_back(path: Path, form: Any) -> None:
    tree = axode.Tree.from_file(path)
    again = axode.Tree.from_text(tree.to_text(form))
    q = tree.random(2, count=5)
    np.testing.assert_allclose(axode.poses(again, q), axode.poses(tree, q), atol=1e-12)
    assert again.body_names == tree.body_names and again.dofs == tree.dofs
    assert form is None or {body.form for body in again.bodies} == {form}
    assert axode.io.native_text(tree, form) == tree.to_text(form)


def test_files_are_written_once(tmp_path: Path, all_joints: axode.Tree) -> None:
    path = tmp_path / "tree.json"
    all_joints.save(path)
    assert json.loads(path.read_text())["name"] == "all_joints"
    with pytest.raises(axode.IoError, match="tree.json"):
        all_joints.save(path)
    with pytest.raises(OSError):
        axode.save_tree(all_joints, str(path))
    all_joints.save(path, overwrite=True)
    assert axode.io.model_format(path) == "native"
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


@pytest.mark.parametrize("name", ["body", "joint", "frame"])
def test_unknown_names_propose_similar_ones(name: str, all_joints: axode.Tree) -> None:
    known = getattr(all_joints, f"{name}_names")
    index = getattr(axode.model, f"{name}_index")
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
    html = html_of(tree)
    assert "<script" not in html and "&lt;script&gt;" in html
    assert tree.body_names == [script, *others]
    same(tree, pickle.loads(pickle.dumps(tree)))
    for name in others:
        assert tree.body_index(name) == axode.model.frame(tree, name).origin.body
        assert axode.model.frame(tree, f"{name}[world]").axes.body == -1
    assert axode.Tree.from_text(tree.to_text()).body_names == tree.body_names
    assert axode.Tree.from_urdf_text(tree.to_urdf()).body("a[b]").inertia.mass == 1


def test_frames_are_looked_up() -> None:
    tree = geared()
    cases: list[tuple[FrameLike, str]] = [
        ("x", "'x'"),
        ("a[x]", "'x'"),
        ("a[", "names no frame"),
        ("[a]", "names no frame"),
        ("[", "names no frame"),
        ("]", "']'"),
        ("", "''"),
        (axode.Frame("a", "q"), "'q'"),
    ]
    for bad, message in cases:
        with pytest.raises(axode.Error, match=message):
            axode.model.frame(tree, bad)
    for wrong in (None, 3, b"a", ("a", "b")):
        with pytest.raises(TypeError):
            axode.model.frame(tree, wrong)  # type: ignore[arg-type]


def test_the_table_says_limits_and_coordinates() -> None:
    tree = (
        axode.TreeBuilder()
        .body("slide", mass=2.5)
        .joint("rail", axode.cylindrical())
        .limits(-1, 2)
        .body("ball", mass=1)
        .joint("socket", axode.spherical())
        .build()
    )
    cells = ["0", "slide", "world", "rail", "cylindrical", "0-1", "0-1", "2.5"]
    row = "".join(f"<td>{cell}</td>" for cell in [*cells, "-1 to 2, -inf to inf"])
    assert f"<tr>{row}</tr>" in html_of(tree)
    assert "<td>2-5</td><td>2-4</td><td>1</td><td></td></tr>" in html_of(tree)


def test_long_trees_display_shortened() -> None:
    builder = axode.TreeBuilder("chain")
    for i in range(200):
        builder.body(f"b{i}", mass=1).joint(f"j{i}", axode.revolute())
        if i:
            builder.on(f"b{i - 1}")
    html = html_of(builder.build())
    assert html.count("<tr>") == 62 and "140 more" in html


def test_pickles_of_nonsense_are_refused() -> None:
    tree = geared()
    text, source, bodies, *rest = tree.__getstate__()
    new = axode.Tree.__new__
    for state in [("{", source, bodies, *rest), (text, source, [], *rest)]:
        with pytest.raises(axode.Error):
            new(axode.Tree).__setstate__(state)
    for state in [(), (1, 2, 3, 4, 5), None]:  # type: ignore[assignment]
        with pytest.raises(TypeError):
            new(axode.Tree).__setstate__(state)
    with pytest.raises(TypeError), pytest.warns(RuntimeWarning, match="uninitialized"):
        new(axode.Tree).nq


def test_a_tree_goes_to_another_process(tmp_path: Path) -> None:
    tree = geared()
    path = tmp_path / "tree.pickle"
    path.write_bytes(pickle.dumps(tree))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).random(3).tolist())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert json.loads(run.stdout) == tree.random(3).tolist()
