"""Tests `axode view` as its users see it.

Usage: view_test.py AXODE [unittest options]
"""

import base64
import json
import re
import stat
import struct
import sys
import time
import unittest
import zlib
from pathlib import Path

import cli_test
from cli_test import CliTest, ENVIRONMENT, ROOT

ARM = "models/arm.urdf"
FOUR_BAR = "examples/mechanisms/example_2_1_four_bar.json"
FLEXIBLE = "examples/flexible/pendulum.json"


def scene_of(file):
    text = Path(file).read_text(encoding="utf-8")
    (scene,) = json.loads(re.search(r'id="axode-data">([^<]*)</script>', text)[1])["scenes"]
    return scene


def numbers(blob):
    data = zlib.decompress(base64.b64decode(blob))
    return struct.unpack(f"<{len(data) // 4}f", data)


class View(CliTest):
    def page(self, file, *more):
        out = self.folder / "page.html"
        self.assertEqual(self.ok("view", file, "--out", out, "--no-browser", "--force", *more), f"{out}\n")
        return scene_of(out)

    def simulated(self, model, seconds="0.2s"):
        out = self.folder / "run.mcap"
        self.ok("simulate", model, "--for", seconds, "--out", out, "--force", "--quiet")
        return out


class Models(View):
    def test_kinds_are_told_by_the_files_themselves(self):
        self.assertEqual(self.page(ARM)["kind"], "tree")
        self.assertEqual(self.page("models/scara.json")["kind"], "tree")
        self.assertEqual(self.page(FLEXIBLE)["kind"], "flexible")
        self.assertEqual(self.page(FOUR_BAR)["kind"], "mechanism")

    def test_initial_states_and_options_of_trees(self):
        walker = self.page("models/quadruped.json")
        self.assertEqual(walker["start"][:7], [1, 0, 0, 0, 0, 0, 0.412])
        self.assertEqual(len(self.page(ARM, "--free-base")["start"]), len(self.page(ARM)["start"]) + 7)

    def test_drivers_are_followed(self):
        scene = self.page(FOUR_BAR)
        clip = scene["clip"]
        times, poses = numbers(clip["times"]), numbers(clip["poses"])
        self.assertEqual(len(times), 61)
        self.assertAlmostEqual(times[-1], 1, 6)
        bodies = len(scene["bodies"])
        self.assertEqual(len(poses), 7 * bodies * len(times))
        # Both sides of each joint stay together.
        def place(row, body, point):
            if body == 0:
                return point
            w, x, y, z, *p = poses[7 * (row * bodies + body - 1):][:7]
            u = (x, y, z)
            cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            t = [2 * c for c in cross(u, point)]
            return [point[k] + w * t[k] + cross(u, t)[k] + p[k] for k in range(3)]
        for row in (0, 17, 60):
            for loop in scene["loops"]:
                if loop["type"] != "revolute":
                    continue
                a, b = (place(row, loop["body"][side], loop["point"][side]) for side in (0, 1))
                for k in range(2):
                    self.assertAlmostEqual(a[k], b[k], 5, (row, loop["name"]))
        self.assertNotEqual(poses[:7 * bodies], poses[-7 * bodies:])

    def test_without_drivers_it_stands(self):
        scene = self.page("examples/mechanisms/n_four_bar.json")
        self.assertNotIn("clip", scene)
        self.assertGreater(len(scene["bodies"]), 0)

    def test_what_cannot_be_shown(self):
        self.fails(5, "nowhere.json", "view", "nowhere.json", "--no-browser")
        self.fails(3, "line|:1:", "view", self.file("bad.json", "{"), "--no-browser")
        self.fails(3, "", "view", self.file("empty.mcap", "x"), "--no-browser")
        self.fails(2, "model", "view")


class Runs(View):
    def test_of_a_tree(self):
        scene = self.page(self.simulated("models/swinging_arm.json"))
        self.assertEqual(scene["kind"], "tree")
        self.assertEqual(scene["messages"], [])
        q = scene["clip"]["series"]["q"]
        values = numbers(q["data"])
        self.assertEqual(len(values), 21 * len(scene["coordinates"]))
        for found, expected in zip(values, scene["start"]):
            self.assertAlmostEqual(found, expected, 6)

    def test_of_a_flexible_model(self):
        run_file = self.folder / "rod.mcap"
        self.ok("simulate", FLEXIBLE, "--for", "0.1s", "--out", run_file)
        scene = self.page(run_file)
        self.assertEqual(scene["kind"], "flexible")
        self.assertEqual(len(numbers(scene["clip"]["times"])), 11)

    def test_of_a_free_urdf(self):
        out = self.folder / "free.mcap"
        self.ok("simulate", ARM, "--free-base", "--for", "0.1s", "--out", out, "--quiet")
        self.assertEqual(self.page(out)["bodies"][0]["joint"]["map"], "free")

    def test_says_that_the_model_has_changed(self):
        model = self.file("scara.json", (ROOT / "models/scara.json").read_text())
        run_file = self.simulated(model)
        self.assertEqual(self.page(run_file)["messages"], [])
        model.write_text(model.read_text().replace('"mass": 6.0', '"mass": 60.0'))
        scene = self.page(run_file)
        self.assertRegex(scene["messages"][0], "scara.json has changed since")
        self.assertEqual(scene["bodies"][0]["mass"], 6)
        model.unlink()
        self.assertEqual(self.page(run_file)["messages"], [])

    def test_chooses_no_mesh_of_the_disk(self):
        """A run names a model anywhere; its meshes are looked for beside the run, and where the user says."""
        there = self.folder / "there"
        there.mkdir()
        shape = {"type": "mesh", "file": "secret.stl"}
        model = there / "model.json"
        model.write_text(json.dumps({"axode": 1, "bodies": [
            {"name": "a", "inertia": {"mass": 1}, "joint": {"name": "slide", "type": "prismatic", "axis": [0, 0, 1]},
             "shapes": [shape]}]}))
        mesh = "solid s\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\nendsolid s\n"
        (there / "secret.stl").write_text(mesh)
        run_file = self.simulated(model)
        self.assertEqual(self.page(run_file)["meshes"], [])
        self.assertEqual(len(self.page(run_file, "--mesh-root", there)["meshes"]), 1)
        (self.folder / "secret.stl").write_text(mesh)
        self.assertEqual(len(self.page(run_file)["meshes"]), 1)

    def test_cut_in_half(self):
        run_file = self.simulated("models/swinging_arm.json", "5s")
        whole = len(numbers(self.page(run_file)["clip"]["times"]))
        cut = self.file("cut.mcap", run_file.read_bytes()[:run_file.stat().st_size // 2])
        scene = self.page(cut)
        self.assertRegex(scene["messages"][0], "ends early, at .* s; what is there is shown")
        self.assertTrue(0 < len(numbers(scene["clip"]["times"])) < whole)


class Pages(View):
    def test_are_not_overwritten(self):
        page = self.file("page.html", "mine")
        self.fails(5, "exists already.*--force", "view", ARM, "--out", page, "--no-browser")
        self.assertEqual(page.read_text(), "mine")
        model = self.file("model.json", (ROOT / "models/scara.json").read_text())
        self.fails(2, "is shown itself", "view", model, "--out", model, "--force", "--no-browser")
        self.fails(5, "nowhere", "view", ARM, "--out", self.folder / "nowhere/page.html", "--no-browser")

    def test_need_nothing_else(self):
        out = self.folder / "page.html"
        self.ok("view", ARM, "--out", out, "--no-browser")
        text = out.read_text(encoding="utf-8")
        self.assertIn("connect-src 'none'", text)
        self.assertNotRegex(text, r"<(script|link|img)[^>]*(src|href)=")

    def test_names_end_no_script(self):
        model = json.loads(re.sub(r"^\s*//.*$", "", (ROOT / "models/scara.json").read_text(), flags=re.M))
        model["name"] = "</script><script>alert(1)</script>"
        self.assertEqual(self.page(self.file("hostile.json", model))["title"], model["name"])

    def test_temporary_without_a_name(self):
        environment = {**ENVIRONMENT, "TMPDIR": str(self.folder)}
        for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(variable, None)
        page = Path(self.ok("view", ARM, environment=environment).strip())  # no display: the name
        self.assertEqual(page.parent.parent, self.folder)
        self.assertEqual(page.name, "arm.html")
        self.assertEqual(stat.S_IMODE(page.parent.stat().st_mode), 0o700)
        self.assertEqual(scene_of(page)["kind"], "tree")

    def test_are_opened(self):
        browser = self.file("browser", f'#!/bin/sh\necho "$1" >{self.folder}/.opened\n'
                            f'mv {self.folder}/.opened {self.folder}/opened\n')
        browser.chmod(0o755)
        environment = {**ENVIRONMENT, "TMPDIR": str(self.folder), "DISPLAY": ":9", "BROWSER": str(browser)}
        out = self.folder / "page.html"
        self.assertEqual(self.ok("view", ARM, "--out", out, environment=environment), f"{out}\n")
        opened = self.folder / "opened"
        for _ in range(100):
            if opened.exists():
                break
            time.sleep(0.05)
        self.assertEqual(opened.read_text().strip(), str(out))
        opened.unlink()
        self.ok("view", ARM, "--no-browser", environment=environment)
        environment["BROWSER"] = str(self.folder / "none")
        self.assertRegex(self.ok("view", ARM, environment=environment), "arm.html\n$")
        self.assertFalse(opened.exists())


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
