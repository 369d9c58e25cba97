"""Pages of models and runs: what is in them, and that notebooks can show them."""

import base64
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axode

ROOT = Path(__file__).resolve().parents[3]


def scene_of(page: axode.Page) -> dict[str, Any]:
    found = re.search(r'id="axode-data">(.*?)</script>', page.html, re.S)
    assert found
    scene: dict[str, Any] = json.loads(found[1])["scenes"][0]
    return scene


def floats(text: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), "<f4")


def test_a_run_of_a_tree() -> None:
    tree = axode.Tree.from_file(ROOT / "models/swinging_arm.json")
    run = axode.simulate(tree, q=tree.random(1), duration=0.5)
    scene = scene_of(run.show())
    assert [body["name"] for body in scene["bodies"]] == tree.body_names
    assert floats(scene["clip"]["times"]) == pytest.approx(run.t, abs=1e-6)
    q = floats(scene["clip"]["series"]["q"]["data"]).reshape(-1, tree.nq)
    assert np.abs(q - run.q).max() < 1e-5
    assert scene["clip"]["series"]["tau"]["units"][0] == "N m"


def test_models(tmp_path: Path) -> None:
    tree = axode.Tree.from_file(ROOT / "models/scara.json")
    q = tree.random(3)
    page = axode.show(tree, q)
    assert scene_of(page)["start"] == pytest.approx(list(q))
    page.save(tmp_path / "scara.html")
    assert (tmp_path / "scara.html").read_text() == page.html
    with pytest.raises(axode.IoError, match="overwrite=True"):
        page.save(tmp_path / "scara.html")
    arm = axode.FlexibleTree.from_file(ROOT / "examples/flexible/two_link.json")
    assert scene_of(axode.show(arm))["flexible"]
    linkage = axode.Mechanism.from_file(ROOT / "examples/mechanisms/example_2_1_four_bar.json")
    assert scene_of(axode.show(linkage))["planar"]


def test_runs_of_mechanisms_and_elastic_arms() -> None:
    linkage = axode.Mechanism.from_file(ROOT / "examples/mechanisms/example_2_1_four_bar.json")
    system = linkage.formulate("natural")
    run = system.simulate(duration=0.2, bodies=True)
    scene = scene_of(run.show())
    poses = floats(scene["clip"]["poses"]).reshape(len(run), -1, 7)
    assert poses.shape[1] == len(scene["bodies"]) == len(linkage.body_names) - 1
    wanted = system.poses(run.q[-1])[1:, :3, 3]
    assert np.abs(poses[-1, :, 4:] - wanted).max() < 1e-5
    with pytest.raises(axode.Error, match="bodies=True"):
        system.simulate(duration=0.1).show()
    arm = axode.FlexibleTree.from_file(ROOT / "examples/flexible/two_link.json")
    assert "clip" in scene_of(arm.simulate(0.1).show())


def test_notebooks_show_it_inline_whatever_the_names_are() -> None:
    tree = axode.TreeBuilder('</script><script>alert("x")</script>').body("a").joint(
        "j", axode.revolute()
    )
    page = axode.show(tree.build())
    assert "<script>alert" not in page.html
    inline = page._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and '"' not in inline[16 : inline.index('" width')]
    assert html.unescape(inline[16 : inline.index('" width')]) == page.html
    with pytest.raises(TypeError):
        axode.show(3)  # type: ignore[arg-type]
