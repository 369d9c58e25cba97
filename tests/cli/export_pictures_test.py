"""Tests `axode export` of pages, animations and pictures as its users see it.

Usage: export_pictures_test.py AXODE [unittest options]
"""

import json
import struct
import sys
import unittest
import zlib
from pathlib import Path

import cli_test
from cli_test import CliTest, ROOT, run

ARM = "models/swinging_arm.json"
FOUR_BAR = "examples/mechanisms/example_2_1_four_bar.json"
FLEXIBLE = "examples/flexible/two_link.json"
URDF = """<robot name="r"><link name="base"><visual><geometry><mesh filename="{}"/></geometry></visual>
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""


def gltf(file):
    """The JSON of a binary glTF file."""
    data = Path(file).read_bytes()
    magic, version, size, length, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON")
    return json.loads(data[20:20 + length])


def pixels(file):
    """Width, height and rows of RGB bytes of a PNG file."""
    data = Path(file).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body = 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        chunk = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + chunk)
        if kind == b"IHDR":
            width, height = struct.unpack(">II", chunk[:8])
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows, above = zlib.decompress(body), [], bytes(3 * width)
    for y in range(height):
        row = bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for k in range(3 * width):
            left = row[k - 3] if k >= 3 else 0
            row[k] = (row[k] + (left if raw[y * (3 * width + 1)] == 1 else above[k])) % 256
        rows.append(bytes(row))
        above = rows[-1]
    return width, height, rows


class ExportPictures(CliTest):
    def setUp(self):
        super().setUp()
        self.run_file = self.folder / "arm.mcap"
        self.ok("simulate", ARM, "--for", "0.5s", "--out", self.run_file, "--quiet")

    def out(self, name):
        return self.folder / name


class Animations(ExportPictures):
    def test_of_a_tree(self):
        self.ok("export", self.run_file, "-o", self.out("arm.glb"))
        scene = gltf(self.out("arm.glb"))
        info = json.loads(self.ok("info", ARM, "--json"))
        self.assertEqual([node["name"] for node in scene["nodes"][1:]], [b["name"] for b in info["bodies"]])
        times = scene["accessors"][scene["animations"][0]["samplers"][0]["input"]]
        self.assertEqual(times["count"], 51)
        self.assertEqual((times["min"], times["max"]), ([0], [0.5]))
        self.ok("export", self.run_file, "-o", self.out("same.glb"))
        self.assertEqual(self.out("arm.glb").read_bytes(), self.out("same.glb").read_bytes())

    def test_of_a_flexible_run(self):
        rod = self.out("rod.mcap")
        self.ok("simulate", FLEXIBLE, "--for", "0.1s", "--out", rod)
        self.ok("export", rod, "-o", self.out("rod.glb"))
        scene = gltf(self.out("rod.glb"))
        paths = [c["target"]["path"] for c in scene["animations"][0]["channels"]]
        self.assertEqual(paths.count("weights"), 2)
        targets = [mesh["extras"]["targetNames"] for mesh in scene["meshes"] if "extras" in mesh]
        self.assertEqual(len(targets), 2)

    def test_of_mechanisms(self):
        crank = self.out("crank.mcap")
        self.ok("simulate", FOUR_BAR, "--for", "0.2s", "--out", crank)
        self.ok("export", crank, "-o", self.out("crank.glb"))
        self.assertIn("animations", gltf(self.out("crank.glb")))
        self.ok("export", FOUR_BAR, "-o", self.out("driven.glb"))  # a model: its drivers are followed
        self.assertIn("animations", gltf(self.out("driven.glb")))

    def test_of_models_that_stand(self):
        for model in ("models/arm.urdf", "models/quadruped.json", FLEXIBLE,
                      "examples/mechanisms/n_four_bar.json"):
            self.ok("export", model, "-o", self.out("model.glb"), "--force")
            scene = gltf(self.out("model.glb"))
            self.assertNotIn("animations", scene, model)
            self.assertTrue(scene["meshes"], model)

    def test_meshes(self):
        corners = struct.pack("<12fH", *[0] * 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
        (self.folder / "part.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + corners)
        model = self.file("robot.urdf", URDF.format("part.stl"))
        result = run("export", model, "-o", self.out("robot.glb"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(gltf(self.out("robot.glb"))["accessors"][0]["count"], 3)
        for content, why in ((corners, "cut off"), (b"", "cut off"), (None, "not found")):
            if content is None:
                (self.folder / "part.stl").unlink()
            else:
                (self.folder / "part.stl").write_bytes(content)
            result = run("export", model, "-o", self.out("robot.glb"), "--force")
            self.assertEqual(result.returncode, 0)
            self.assertRegex(result.stderr, f"Mesh .*part.stl.* of .*base.* is not drawn: .*{why}")
            self.assertEqual(gltf(self.out("robot.glb"))["accessors"][0]["count"], 24)  # a box

    def test_meshes_of_runs_are_found_where_one_says(self):
        place = self.folder / "meshes"
        place.mkdir()
        corners = struct.pack("<12fH", *[0] * 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
        (place / "part.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + corners)
        model, out = self.file("robot.urdf", URDF.format("part.stl")), self.out("robot.mcap")
        made = run("simulate", model, "--free-base", "--mesh-root", place, "--for", "0.1s", "--out", out, "--quiet")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("not found", run("export", out, "-o", self.out("a.glb")).stderr)
        self.assertEqual(run("export", out, "-o", self.out("b.glb"), "--mesh-root", place).stderr, "")
        self.assertEqual(gltf(self.out("b.glb"))["accessors"][0]["count"], 3)
        page = ("--no-browser", "--out", self.out("c.html"), "--force")
        self.assertEqual(run("view", out, "--mesh-root", place, *page).stderr, "")
        self.fails(2, "a run has its model as it was", "view", out, "--merge-fixed", *page)


class Pages(ExportPictures):
    def test_are_those_of_view(self):
        for file in (self.run_file, "models/scara.json"):
            self.ok("export", file, "-o", self.out("a.html"), "--force")
            self.ok("view", file, "--out", self.out("b.html"), "--no-browser", "--force")
            self.assertEqual(self.out("a.html").read_bytes(), self.out("b.html").read_bytes())


class Pictures(ExportPictures):
    def test_one(self):
        self.ok("export", self.run_file, "-o", self.out("a.png"), "--size", "160x90")
        width, height, rows = pixels(self.out("a.png"))
        self.assertEqual((width, height), (160, 90))
        self.assertEqual(rows[0][:3], bytes([0xf4, 0xf6, 0xf8]))
        self.assertGreater(len({row[k:k + 3] for row in rows for k in range(0, 480, 3)}), 50)
        self.ok("export", self.run_file, "-o", self.out("b.png"), "--size", "160x90", "--at", "0s")
        self.assertEqual(self.out("a.png").read_bytes(), self.out("b.png").read_bytes())
        for more in (["--at", "0.5s"], ["--camera", "top"], ["--camera", "front"], ["--camera", "side"],
                     ["--screws"]):
            self.ok("export", self.run_file, "-o", self.out("b.png"), "--size", "160x90", "--force", *more)
            self.assertNotEqual(self.out("a.png").read_bytes(), self.out("b.png").read_bytes(), more)

    def test_of_models(self):
        for model in ("models/puma560.json", FLEXIBLE, FOUR_BAR):
            self.ok("export", model, "-o", self.out("m.png"), "--size", "64x48", "--force")
            self.assertEqual(pixels(self.out("m.png"))[:2], (64, 48))
        self.fails(2, "--at: nothing moves", "export", "models/puma560.json", "-o", self.out("n.png"), "--at", "1s")

    def test_frames(self):
        frames = self.out("new/frames")
        self.ok("export", self.run_file, "-o", f"{frames}/", "--fps", "10", "--size", "64x48")
        names = [f"frame_{k:05}.png" for k in range(6)]
        self.assertEqual(sorted(f.name for f in frames.iterdir()), names)
        first = (frames / names[0]).read_bytes()
        self.assertNotEqual(first, (frames / names[5]).read_bytes())
        self.fails(5, "frame_00000.png: exists already.*--force", "export", self.run_file, "-o", frames)
        (frames / "mine.txt").write_text("kept")
        self.ok("export", self.run_file, "-o", frames, "--fps", "4", "--size", "64x48", "--force")
        self.assertEqual(sorted(f.name for f in frames.iterdir()), [*names[:3], "mine.txt"])
        self.assertEqual(first, (frames / names[0]).read_bytes())

    def test_limits(self):
        a = self.out("a.png")
        for size in ("100000x10", "5000x5000", "9000x16"):
            self.fails(6 if size != "100000x10" else 2, "--size", "export", self.run_file, "-o", a, "--size", size)
        for size in ("0x0", "640", "640x", "x480", "-5x5", "1e3x1e3", "640x480x3", "99999999999x20"):
            self.fails(2, "--size: .* is not a size", "export", self.run_file, "-o", a, f"--size={size}")
        self.fails(2, "--fps", "export", self.run_file, "-o", f"{self.folder}/f/", "--fps", "0")
        self.fails(2, "--fps", "export", self.run_file, "-o", f"{self.folder}/f/", "--fps", "2000")
        long = self.out("long.mcap")
        self.ok("simulate", "models/scara.json", "--for", "50s", "--out", long, "--quiet", "--sample", "1s")
        self.fails(6, "50001 pictures are too many", "export", long, "-o", f"{self.folder}/f/", "--fps", "1000")
        self.assertFalse(self.out("f").exists())


class Usage(ExportPictures):
    def test_what_to_write_is_told_once(self):
        self.fails(2, "--out is required", "export", self.run_file)
        self.fails(2, "ending names no format.*glb.*folder", "export", self.run_file, "-o", "a.txt")

    def test_options_that_do_not_fit_are_refused(self):
        for name, option in (("a.glb", ["--fps", "5"]), ("a.png", ["--fps", "5"]), ("a.glb", ["--size", "64x48"]),
                             ("a.csv", ["--screws"]), ("a.html", ["--camera", "top"]), ("f/", ["--at", "0s"]),
                             ("a.glb", ["--quantities", "q"]), ("a.glb", ["--free-base"])):
            self.fails(2, f"{option[0]} is for .* only", "export", self.run_file, "-o", self.folder / name
                       if not name.endswith("/") else f"{self.folder}/{name}", *option)
        self.fails(2, "--salvage is for runs only", "export", ARM, "-o", self.out("a.glb"), "--salvage")
        self.fails(2, "--camera: there is no 'below'", "export", self.run_file, "-o", self.out("a.png"),
                   "--camera", "below")
        self.fails(2, "from 0 s to 0.5 s", "export", self.run_file, "-o", self.out("a.png"), "--at", "0.6s")

    def test_nothing_is_overwritten(self):
        for name in ("a.glb", "a.png", "a.html"):
            file = self.file(name, "mine")
            self.fails(5, "exists already.*--force", "export", self.run_file, "-o", file)
            self.assertEqual(file.read_text(), "mine")
            self.ok("export", self.run_file, "-o", file, "--force")
            self.assertNotEqual(file.read_bytes(), b"mine")
        self.fails(5, "nowhere", "export", self.run_file, "-o", self.folder / "nowhere/a.glb")
        self.file("file", "mine")
        self.fails(5, "cannot be made|Not a directory", "export", self.run_file, "-o", f"{self.folder}/file/frames/")

    def test_cut_runs(self):
        data = self.run_file.read_bytes()
        cut = self.file("cut.mcap", data[:len(data) * 2 // 3])
        result = run("export", cut, "-o", self.out("cut.glb"))
        self.assertIn(result.returncode, (0, 3))
        if result.returncode == 0:
            self.assertRegex(result.stderr, "ends early")


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
