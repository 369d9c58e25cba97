"""Tests the command `axode` as its users see it: output, messages, exit codes, and the manual.

Usage: cli_test.py AXODE [unittest options]
       cli_test.py AXODE --update-manual    writes the outputs in docs/command_line.md anew
"""

import csv
import fcntl
import io
import json
import math
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AXODE = ""
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}

ARM = "models/scara.json"  # shoulder, elbow, slide, turn; frame gripper
ALL = "models/all_joints.json"  # every joint type, a coupling, quaternions

# A planar arm of two links of length 1: the tip is known by heart.
PLANAR = {
    "axode": 1,
    "name": "planar",
    "bodies": [
        {"name": "upper", "inertia": {"mass": 2, "com": [0.5, 0, 0], "about_com": [0.1, 0.1, 0.1]},
         "joint": {"name": "a", "type": "revolute", "axis": [0, 0, 1], "point": [0, 0, 0],
                   "limits": {"lower": -2, "upper": 2}}},
        {"name": "lower", "inertia": {"mass": 1, "about_com": [0.1, 0.1, 0.1]},
         "joint": {"name": "b", "parent": "upper", "type": "revolute", "axis": [0, 0, 1],
                   "point": [1, 0, 0], "body_in_world": {"position": [1, 0, 0]}}},
    ],
    "frames": [{"name": "tip", "on": "lower", "at": {"position": [1, 0, 0]}}],
}

# A mesh of one triangle.
STL = ("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
       "endloop\nendfacet\nendsolid a\n")


def geared():
    """The same with b = 2 a + 0.1."""
    model = json.loads(json.dumps(PLANAR))
    model["bodies"][1]["joint"]["mimic"] = {"joint": "a", "ratio": 2, "offset": 0.1}
    return model


def run(*arguments, stdin="", environment=None, cwd=ROOT, **more):
    return subprocess.run([AXODE, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          encoding="utf-8", cwd=cwd, env=environment or ENVIRONMENT, timeout=120,
                          check=False, **more)


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def planar(self):
        return self.file("planar.json", PLANAR)

    def ok(self, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def samples_above(self, run, least):
        """The samples that a run file has while it is written, once they are more. They are few: no chunk is full."""
        copied, end = self.folder / "copy.mcap", time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.2)
            if not run.exists() or run.stat().st_size == 0:
                continue
            copied.write_bytes(run.read_bytes())
            self.assertLess(copied.stat().st_size, 100_000)
            samples = self.json("info", copied)["samples"]
            if samples > least:
                return samples
        self.fail(f"no more than {least} samples in a minute")

    def json(self, *arguments, **more):
        return json.loads(self.ok(*arguments, "--json", **more))

    def fails(self, code, pattern, *arguments, **more):
        """Exit code, and one line on standard error that says what is wrong."""
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, code, (result.stdout[:300], result.stderr[:600]))
        errors = [line for line in result.stderr.splitlines() if line.startswith("axode: error: ")]
        others = [line for line in result.stderr.splitlines()
                  if not line.startswith(("axode: error: ", "axode: warning: "))]
        self.assertEqual((len(errors), others), (1, []), result.stderr[:600])
        self.assertRegex(errors[0], pattern or ".")
        models = [a for a in arguments if str(a).endswith((".json", ".urdf")) and Path(ROOT, a).is_file()]
        if code in (3, 4) and models:  # whatever is wrong, it is said where
            self.assertRegex(errors[0], r"[^ ]:\d+\b|\.mcap:|standard input|: --")
        return result

    def assert_close(self, found, expected, tolerance=1e-14):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertLess(abs(a - b), tolerance, (found, expected))


class General(CliTest):
    def test_version_and_help(self):
        version = re.search(r"project\(axode VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
        for flag in ("--version", "-V"):
            self.assertEqual(self.ok(flag), f"axode {version[1]}\n")
        top = self.ok("--help")
        for command in ("info", "check", "convert", "kinematics", "dynamics", "linearize", "ik"):
            self.assertIn(command, top)
            text = self.ok(command, "--help")
            self.assertIn("Examples:", text)
            self.assertIn(f"axode {command}", text)

    def test_no_arguments(self):
        result = run()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("Usage: axode", result.stderr)

    def test_usage_errors(self):
        self.fails(2, "no command 'inof'; did you mean 'info'", "inof", ARM)
        self.fails(2, "no command 'zzzzzz'; see `axode --help`", "zzzzzz")
        self.fails(2, "'--jsn' was not expected; did you mean '--json'", "info", ARM, "--jsn")
        self.fails(2, "'extra' was not expected", "info", ARM, "extra")
        self.fails(2, "a model file is needed", "info")
        self.fails(2, "--rep: there is no 'bodi'", "kinematics", ARM, "--rep", "bodi")
        self.fails(2, "--form: there is no 'x'; choose zero_reference, body_screws, parent_screws or joint_frames", "convert", ARM, "-o", "o.json", "--form", "x")
        self.fails(2, "excludes", "kinematics", ARM, "--q", 1, "--states", "-")
        self.fails(2, "excludes", "kinematics", ARM, "--json", "--csv")
        self.fails(2, "", "--nonsense")

    def test_files_that_cannot_be_read(self):
        for command in (["info"], ["check"], ["kinematics"], ["ik", "--frame", "f", "--rpy", "0,0,0"]):
            self.fails(5, "nowhere.json", command[0], "nowhere.json", *command[1:])
            self.fails(5, str(self.folder), command[0], self.folder, *command[1:])
        self.fails(5, "nowhere.csv", "kinematics", ARM, "--states", "nowhere.csv")
        self.fails(5, "irectory", "kinematics", ARM, "--states", self.folder)

    def test_output_that_takes_no_more(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([AXODE, "info", ARM], stdout=full, stderr=subprocess.PIPE, cwd=ROOT,
                                    text=True, check=False)
        self.assertEqual(result.returncode, 5)
        self.assertRegex(result.stderr, "^axode: error: standard output: .*No space left.*\n$")

    def test_broken_pipe_is_quiet(self):
        states = "q0\n" + "0.1\n" * 50_000
        command = f"'{AXODE}' kinematics {ARM} --states - | head -1"
        result = subprocess.run(["bash", "-c", command], input=states, capture_output=True, text=True,
                                cwd=ROOT, timeout=60, check=False)
        self.assertEqual((result.stdout, result.stderr), ("State 0\n", ""))

    def test_out_of_memory(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 26, 1 << 26))
        if "sanitized" in AXODE:
            self.skipTest("sanitizers need address space")
        bodies = [{"name": f"b{i}", "joint": {"name": f"j{i}", "type": "revolute", "axis": [0, 0, 1]}}
                  for i in range(200_000)]
        big = self.file("big.json", {"axode": 1, "name": "big", "bodies": bodies})
        self.fails(6, "memory", "info", big, preexec_fn=little_memory)

    def test_no_colour_and_no_prompt(self):
        out = self.ok("info", ARM, environment={**ENVIRONMENT, "TERM": "xterm"})
        self.assertNotIn("\033", out)
        master, slave = os.openpty()
        for no_colour, coloured in (("", True), ("1", False)):
            environment = {**ENVIRONMENT, "TERM": "xterm", "NO_COLOR": no_colour}
            subprocess.run([AXODE, "inof"], stderr=slave, env=environment, check=False)
            self.assertEqual(b"\033" in os.read(master, 4096), coloured)
        os.close(master)
        os.close(slave)


class Info(CliTest):
    def test_text(self):
        out = self.ok("info", ALL)
        for part in ("14 bodies, 33 degrees of freedom (32 independent), 22.2 kg", "│  │  └─ shank  (knee, cylindrical)",
                     "ram = 0.01 spindle + 0.05", "camera", "pitch 0.002", "-0.8 .. 0.8 rad"):
            self.assertIn(part, out)

    def test_ascii(self):
        out = self.ok("info", ALL, environment={**ENVIRONMENT, "LC_ALL": "C"})
        self.assertTrue(out.isascii())
        self.assertIn("|  |  `- shank  (knee, cylindrical)", out)

    def test_json(self):
        info = self.json("info", ALL)
        self.assertEqual(info["schema"], "axode.info/1")
        self.assertEqual((info["nq"], info["nv"], info["independent_nv"]), (35, 33, 32))
        self.assertEqual(len(info["coordinates"]), 35)
        hip = next(b for b in info["bodies"] if b["name"] == "hip")
        self.assertEqual((hip["parent"], hip["joint"]["type"], hip["joint"]["q"], hip["joint"]["v"]),
                         ("base", "universal", [7, 8], [6, 7]))
        first, second = hip["joint"]["degrees_of_freedom"]
        self.assert_close(first["screw"], [1, 0, 0, 0, 1, -0.2])
        self.assertEqual((first["lower"], first["upper"], first["max_effort"]), (-0.8, 0.8, 40))
        self.assertIsNone(second["max_effort"])
        self.assertEqual(info["couplings"],
                         [{"joint": "ram", "leader": "spindle", "ratio": 0.01, "offset": 0.05}])
        self.assertAlmostEqual(info["mass"], 22.2, places=12)

    def test_merge_fixed(self):
        self.assertEqual(len(self.json("info", ALL, "--merge-fixed")["bodies"]), 13)

    def test_free_base(self):
        urdf = self.file("box.urdf", '<robot name="r"><link name="box"><inertial><mass value="1"/>'
                         '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
        self.assertEqual(self.json("info", urdf)["nv"], 0)
        self.assertEqual(self.json("info", urdf, "--free-base")["nv"], 6)

        def columns(rep):
            state = self.json("kinematics", urdf, "--free-base", "--base-velocity", rep, "--rep", rep, "--jacobian",
                              "--q", "0.6,0.8,0,0,1,2,3")["states"][0]
            return state["frames"]["box"]["jacobian"]
        for rep in ("body", "spatial", "hybrid"):  # in its own form the velocity is the twist
            for r, row in enumerate(columns(rep)):
                self.assert_close(row, [float(r == c) for c in range(6)])
        self.fails(2, "--base-velocity: there is no 'mixed'; choose body, spatial or hybrid", "info", urdf,
                   "--free-base", "--base-velocity", "mixed")
        self.fails(3, "--base-velocity: the model has no free joint; give --free-base", "info", urdf,
                   "--base-velocity", "body")
        self.fails(3, "--base-velocity: .* this format says itself", "info", ALL, "--base-velocity", "spatial")
        self.ok("info", ALL, "--base-velocity", "hybrid")

    def test_mesh_roots(self):
        (self.folder / "one").mkdir()
        (self.folder / "two").mkdir()
        (self.folder / "two" / "a.stl").write_text(STL)
        urdf = self.file("one/arm.urdf", '<robot name="r"><link name="l"><visual><geometry>'
                         f'<mesh filename="{self.folder}/two/a.stl"/></geometry></visual></link></robot>')
        root = ["--mesh-root", self.folder / "two"]
        self.assertIn("outside the folders for meshes", self.ok("check", urdf))
        for roots in (root, ["--mesh-root", self.folder / "one", *root]):
            self.assertNotIn("mesh", self.ok("check", *roots, urdf))
        for command in ("info", "kinematics"):
            self.ok(command, *root, urdf)
        self.ok("convert", urdf, "-o", self.folder / "out.json", *root)
        self.fails(5, "--mesh-root: nowhere: is not a folder", "info", urdf, "--mesh-root", "nowhere")

    def test_limits_on_one_side(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["joint"]["limits"] = {"lower": -1}
        model["bodies"][1]["joint"]["limits"] = {"upper": 2}
        out = self.ok("info", self.file("half.json", model))
        self.assertIn(">= -1 rad\n", out)
        self.assertIn("<= 2 rad\n", out)

    def test_many_warnings_are_counted(self):
        # All odd, the last one impossible.
        bodies = [{"name": f"b{i}", "joint": {"name": f"j{i}", "type": "fixed"}} for i in range(80)]
        bodies[-1]["inertia"] = {"mass": 1, "about_com": [1, 0.1, 0.1]}
        path = self.file("odd.json", {"axode": 1, "name": "odd", "bodies": bodies})
        number = len(self.json("info", path)["warnings"])
        self.assertGreater(number, 50)
        out = self.ok("info", path).split(f"\n{number} warnings\n")[1].splitlines()
        self.assertEqual((len(out), out[-1]), (51, f"  and {number - 50} more"))
        out = self.fails(3, "1 property", "check", path).stdout.splitlines()
        self.assertEqual((len(out), out[-1]), (51, f"and {number - 50} more"))
        self.assertTrue(out[0].startswith("impossible: "))

    def test_long_chain_is_cut(self):
        bodies = [{"name": f"b{i}", "joint": {"name": f"j{i}", "type": "spherical",
                                              "parent": f"b{i - 1}" if i else "world"}} for i in range(3000)]
        out = self.ok("info", self.file("chain.json", {"axode": 1, "name": "chain", "bodies": bodies}))
        self.assertIn("… 2968 bodies on it", out)
        self.assertLess(max(map(len, out.splitlines())), 200)

    def test_control_characters_do_not_reach_the_terminal(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["joint"]["name"] = "evil\033[31m\u009b2J\nname"
        result = run("info", self.file("evil.json", model))
        self.assertFalse(set(result.stdout + result.stderr) & set("\033\u009b"))


class Spelling(CliTest):
    def test_methods_and_other_names_have_two(self):
        tree, mechanism, flexible = self.planar(), "examples/mechanisms/slider_crank.json", "examples/flexible/pendulum.json"
        for arguments in (
                ("simulate", tree, "--for", "1ms", "--method", "semi-implicit"),
                ("simulate", tree, "--for", "1ms", "--method", "generalized-alpha", "--formulation", "absolute"),
                ("simulate", tree, "--for", "1ms", "--controller", "computed-torque:at=1ms"),
                ("simulate", flexible, "--for", "1ms", "--method", "generalized-alpha"),
                *(("simulate", mechanism, "--for", "1ms", "--method", method)
                  for method in ("generalized-alpha", "generalized-alpha-stabilized", "null-space", "augmented-lagrangian")),
                ("mechanism", "solve", mechanism, "--formulation", "reference-point"),
                ("convert", tree, "-o", self.folder / "b.json", "--force", "--form", "zero-reference")):
            other = [str(a).replace("-", "_") if not str(a).startswith("-") and i > 2 else a
                     for i, a in enumerate(arguments)]
            self.assertNotEqual(list(map(str, other)), list(map(str, arguments)))
            printed = self.ok(*arguments)
            written = [file.read_bytes() for file in self.folder.glob("b.json")]
            again = self.ok(*other)
            self.assertEqual([file.read_bytes() for file in self.folder.glob("b.json")], written)
            if arguments[0] == "mechanism":
                self.assertEqual(again, printed)


class Check(CliTest):
    def test_good_and_odd(self):
        self.assertEqual(self.ok("check", ARM), "ok\n")
        out = self.ok("check", "models/panda.json").splitlines()
        self.assertEqual(out[0], "ok")
        self.assertTrue(all(line.startswith("warning: ") for line in out[1:]) and len(out) > 1)

    def test_impossible(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["inertia"]["about_com"] = [1, 0.1, 0.1]
        path = self.file("bad.json", model)
        result = self.fails(3, "1 property that no mechanism can have", "check", path)
        self.assertRegex(result.stdout, "^impossible: .*triangle")
        found = json.loads(self.fails(3, "", "check", path, "--json").stdout)
        self.assertEqual((found["schema"], found["ok"]), ("axode.check/1", False))
        self.assertTrue(found["warnings"][0]["impossible"])
        # It can be computed with all the same, and one is told.
        result = run("kinematics", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("axode: warning: ", result.stderr)

    def mutants(self, model, parts):
        """The model with each value below these members replaced by nonsense."""
        def places(value, path):
            yield path
            if isinstance(value, (dict, list)):
                for key in value if isinstance(value, dict) else range(len(value)):
                    yield from places(value[key], [*path, key])

        for part in parts:
            for path in places(model[part], [part]):
                for nonsense in ("sin(", "1/t", {"no_such_joint": 1}, -1e300, ["a", {}]):
                    mutant = json.loads(json.dumps(model))
                    place = mutant
                    for key in path[:-1]:
                        place = place[key]
                    if place[path[-1]] != nonsense:
                        place[path[-1]] = nonsense
                        yield path, nonsense, mutant

    def test_refuses_what_simulate_refuses(self):
        tree = json.loads(json.dumps(PLANAR)) | {
            "forces": {"springs": [{"joint": "a", "stiffness": 3, "rest": 0.1}],
                       "joint_forces": [{"joint": "b", "force": "sin(t)"}]},
            "controllers": [{"type": "pd", "kp": 40, "kd": {"a": 4}, "reference": {"q": {"a": 0.5}}}],
            "contacts": [{"balls": [{"on": "lower", "at": [1, 0, 0], "radius": 0.1}], "stiffness": 1e5}],
            "initial": {"q": {"a": 0.1}, "v": {"b": 0.2}}}
        boom = {"axode_flexible": 1, "name": "boom", "gravity": [0, 0, -9.81],
                "links": [{"name": "boom", "parent": "world", "joint": {"type": "revolute", "axis": [0, 0, 1]},
                           "inertia": {"mass": 2, "about_com": [1, 1, 2]},
                           "beam": {"length": 3, "E": 7e10, "G": 2.6e10, "density": 2700,
                                    "section": {"tube": [0.06, 0.054]}},
                           "modes": {"torsion": 0, "bend_y": 1, "bend_z": 0}}],
                "control": {"kp": {"boom": 20}, "kd": {"boom": 6}, "targets": [{"from": 0, "q": {"boom": 0}}]},
                "forces": {"boom": "sin(t)"}, "loads": [{"link": "boom", "force": [0, 1, 0]}],
                "initial": {"q": {"boom": 0.1}}}
        bar = {"axode_mechanism": 1, "planar": True, "gravity": [0, -9.81],
               "bodies": [{"name": "rod", "points": {"A": [0, 0], "B": [1, 0]},
                           "inertia": {"mass": 2, "com": [0.5, 0], "about_com": 0.1}},
                          {"name": "ram", "points": {"B": [0, 0]}, "inertia": {"mass": 1, "about_com": 0.1},
                           "pose": {"position": [1, 0], "angle": 0}}],
               "joints": [{"name": "A", "type": "revolute", "bodies": ["world", "rod"], "points": [[0, 0], "A"]},
                          {"name": "B", "type": "revolute", "bodies": ["rod", "ram"], "points": ["B", "B"]}],
               "drivers": [{"coordinate": "B.angle", "value": "0.1*t"}],
               "forces": {"coordinates": [{"coordinate": "A.angle", "stiffness": 2, "damping": 0.1, "force": "sin(t)"}],
                          "springs": [{"between": [["world", [0, 2]], ["ram", "B"]], "stiffness": 5, "length": 1}],
                          "loads": [{"body": "ram", "point": "B", "force": [1, "t"], "torque": 1}]},
               "initial": {"q": {"A.angle": 0.2}, "v": {"A.angle": 0.1}}}
        refused = 0
        for model, parts, how in (
                (tree, ("forces", "controllers", "contacts", "initial"), lambda f: ("simulate", f)),
                (boom, ("control", "forces", "loads", "initial"), lambda f: ("simulate", f)),
                (bar, ("drivers", "forces", "initial"), lambda f: ("simulate", f))):
            self.assertEqual(self.ok("check", self.file("model.json", model)), "ok\n")
            for path, nonsense, mutant in self.mutants(model, parts):
                file = self.file("mutant.json", mutant)
                expected, found = run(*how(file), "--max-steps", "1"), run("check", file)
                starts = expected.returncode == 0 or expected.returncode == 6 and "max_steps" in expected.stderr
                self.assertEqual(found.returncode, 0 if starts else 3,
                                 (path, nonsense, expected.stderr, found.stderr, found.stdout))
                refused += not starts
        self.assertGreater(refused, 50)

    def test_models_without_mass_are_for_kinematics(self):
        link = {"name": "rod", "parent": "world", "joint": {"type": "revolute", "axis": [0, 0, 1]}}
        bar = {"axode_mechanism": 1, "planar": True,
               "bodies": [{"name": "rod", "points": {"A": [0, 0]}}],
               "joints": [{"name": "A", "type": "revolute", "bodies": ["world", "rod"], "points": [[0, 0], "A"]}]}
        tree = json.loads(json.dumps(PLANAR))
        for body in tree["bodies"]:
            del body["inertia"]
        driven = bar | {"drivers": [{"coordinate": "A.angle", "value": "t"}]}
        for model, how in ((tree, lambda f: ("simulate", f)), (bar, lambda f: ("simulate", f))):
            file = self.file("massless.json", model)
            self.fails(4, "inertia", *how(file))
            self.assertRegex(self.ok("check", file),
                             "^ok\n(warning: .*\n)*warning: .*massless.json: no body has mass; kinematics only\n")
            self.assertIs(self.json("check", file)["ok"], True)
        file = self.file("driven.json", driven)  # nothing is left that needs a mass
        self.ok("simulate", file, "--for", "1ms")
        self.assertEqual(self.ok("check", file), "ok\n")
        # Some mass, but none on the last degree of freedom; and links, which are nothing without mass.
        tree["bodies"][0]["inertia"] = PLANAR["bodies"][0]["inertia"]
        self.assertRegex(self.fails(3, "1 property", "check", self.file("tip.json", tree)).stdout,
                         "impossible: .*joint 'b': moves no mass")
        bar["bodies"].append({"name": "free", "points": {"A": [0, 0], "B": [1, 0]}})
        bar["bodies"][0]["inertia"] = {"mass": 1, "com": [1, 0]}
        self.fails(3, "neither inertia nor an equation", "check", self.file("free.json", bar))
        self.fails(3, "mass matrix is not positive definite", "check",
                   self.file("link.json", {"axode_flexible": 1, "links": [link]}))

    def test_mechanisms_and_elastic_links(self):
        for file in sorted([*(ROOT / "examples/mechanisms").glob("*.json"), *(ROOT / "examples/flexible").glob("*.json")]):
            self.assertTrue(self.ok("check", file).startswith("ok\n"), file)
            self.assertIs(self.json("check", file)["ok"], True)
        text = (ROOT / "examples/mechanisms/example_2_1_four_bar.json").read_text()
        text = re.sub("(?m)^//.*$", "", text)
        four_bar = json.loads(text)
        four_bar["bodies"][0]["points"]["B"] = [9, 0]  # nothing reaches
        self.fails(3, "bad.json:1: ", "check", self.file("bad.json", four_bar))
        four_bar = json.loads(text)
        four_bar["drivers"] = [{"coordinate": "A.angle", "motion": "sin("}]
        self.fails(3, "bad.json:", "check", self.file("bad.json", four_bar))
        self.fails(3, "is a run", "check", self.file("a.mcap", b""))
        self.fails(2, "--merge-fixed has no effect with a flexible tree", "check", "examples/flexible/pendulum.json", "--merge-fixed")

    def test_opens_meshes(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["shapes"] = [{"type": "mesh", "file": "a.stl"},
                                         {"type": "mesh", "file": "b.obj", "collision": True}]
        urdf = ('<robot name="r"><link name="l"><visual><geometry><mesh filename="a.stl"/></geometry></visual>'
                '<collision><geometry><mesh filename="b.obj"/></geometry></collision></link></robot>')
        self.file("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        for file in (self.file("m.json", model), self.file("m.urdf", urdf)):
            self.file("a.stl", STL)
            self.assertTrue(self.ok("check", file).startswith("ok\n"))
            for content in (STL[:60], "", "nonsense", b"\0" * 100):
                self.file("a.stl", content)
                result = self.fails(3, "1 broken mesh file", "check", file)
                self.assertRegex(result.stdout, "broken: .*a.stl")
                found = json.loads(run("check", file, "--json").stdout)
                self.assertEqual((found["ok"], len(found["broken_meshes"])), (False, 1))
            (self.folder / "a.stl").unlink()
            self.assertRegex(self.ok("check", file), "^ok\n(warning: .*\n)*warning: .*a.stl.* was not found")

    def test_hostile_models(self):
        billion = ('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
                   '<robot name="&b;"/>')
        cases = {"empty.json": "", "empty.urdf": "", "nul.json": b"\0\0\0", "cut.json": '{"axode": 1, "bo',
                 "billion.urdf": billion, "latin.json": b'{"name": "\xe9"}', "list.json": "[]",
                 "nan.json": json.dumps(PLANAR).replace("0.5", "NaN"),
                 "huge.json": json.dumps(PLANAR).replace("0.5", "1e999"),
                 "twice.json": '{"axode": 1, "axode": 1}', "other.json": '{"axode": 99}'}
        for name, content in cases.items():
            with self.subTest(name):
                for command in ("info", "check", "kinematics"):
                    self.fails(3, name, command, self.file(name, content))
        deep = self.file("deep.json", "[" * 100_000)
        self.fails(6, "deep.json", "info", deep)
        self.fails(5, "fifo", "info", self.fifo())

    def fifo(self):
        path = self.folder / "fifo.json"
        os.mkfifo(path)
        return path


class Convert(CliTest):
    def test_keeps_what_simulation_reads(self):
        out = self.folder / "walker.json"
        self.assertEqual(run("convert", "models/quadruped.json", "-o", out, "--form", "body_screws").stderr, "")
        model = json.loads(out.read_text())
        self.assertEqual(model["controllers"], [{"type": "pd", "kp": 400, "kd": 8}])
        self.assertEqual(model["initial"]["q"]["base"], [1, 0, 0, 0, 0, 0, 0.412])
        self.assertEqual(len(model["contacts"][0]["bodies"]), 4)
        result = run("convert", out, "-o", self.folder / "walker.urdf")
        self.assertRegex(result.stderr, "forces, controllers, contacts and initial states: .* are lost")

    def test_round_trip(self):
        there, back = self.folder / "a.urdf", self.folder / "b.json"
        self.assertEqual(self.ok("convert", ARM, "-o", there), "")
        self.ok("convert", there, "-o", back)
        q = ["--q", "shoulder=0.3", "elbow=-1.2", "slide=0.05", "turn=1"]
        poses = [self.json("kinematics", model, *q, "--frame", "gripper")["states"][0]["frames"]["gripper"]
                 for model in (ARM, there, back)]
        for other in poses[1:]:
            self.assert_close(other["pose"]["position"], poses[0]["pose"]["position"])
            self.assert_close(other["pose"]["quaternion"], poses[0]["pose"]["quaternion"])

    def test_forms(self):
        expected = self.json("kinematics", ARM, "--q", "0.3,-1.2,0.05,1")["states"][0]["frames"]
        for form in ("zero_reference", "body_screws", "parent_screws", "joint_frames"):
            out = self.folder / f"{form}.json"
            self.ok("convert", ARM, "-o", out, "--form", form)
            found = self.json("kinematics", out, "--q", "0.3,-1.2,0.05,1")["states"][0]["frames"]
            for name, frame in expected.items():
                self.assert_close(found[name]["pose"]["position"], frame["pose"]["position"])
        self.fails(2, "only .json files", "convert", ARM, "-o", self.folder / "x.urdf", "--form", "body_screws")
        self.ok("convert", ARM, "-o", self.folder / "x.JSON", "--form", "body_screws")
        self.ok("convert", ARM, "-o", self.folder / "x.Urdf")

    def test_what_urdf_cannot_say(self):
        model = json.loads(json.dumps(PLANAR))
        model["gravity"] = [0, 0, -1.62]
        model["bodies"][0]["joint"] = {"name": "fly", "type": "free", "velocity": "hybrid"}
        path = self.file("moon.json", model)
        result = run("convert", path, "-o", self.folder / "moon.urdf")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertRegex(lines[0], r"^axode: warning: .*moon.urdf: .*gravity, \(0 0 -1.62\) m/s\^2 is lost")
        self.assertRegex(lines[1], "^axode: warning: .*velocity forms, that of free joint 'fly' is lost")
        self.assertEqual(run("convert", path, "-o", self.folder / "again.json").stderr, "")
        self.assertEqual(run("convert", self.planar(), "-o", self.folder / "planar.urdf").stderr, "")

    def test_overwriting(self):
        out = self.file("out.json", "precious")
        self.fails(5, "out.json: exists already; .* --force", "convert", ARM, "-o", out)
        self.fails(5, "out.json", "convert", ARM, "-o", out, "--form", "body_screws")
        self.assertEqual(out.read_text(), "precious")
        self.ok("convert", ARM, "-o", out, "--force")
        self.assertIn("scara", out.read_text())

    def test_unwritable(self):
        self.fails(5, "nowhere", "convert", ARM, "-o", self.folder / "nowhere" / "out.json")
        self.fails(5, "", "convert", ARM, "-o", "/proc/out.json")
        self.fails(2, "out.step: the ending names no model format", "convert", "nowhere.json",
                   "-o", self.folder / "out.step")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_merge_fixed(self):
        out = self.folder / "merged.json"
        self.ok("convert", ALL, "-o", out, "--merge-fixed")
        self.assertEqual(len(self.json("info", out)["bodies"]), 13)


class Kinematics(CliTest):
    def tip(self, *arguments, name="tip", **more):
        return self.json("kinematics", *arguments, "--frame", name, **more)["states"][0]["frames"][name]

    def test_poses_by_heart(self):
        a, b = 0.3, -1.2
        frame = self.tip(self.planar(), "--q", f"{a},{b}")
        self.assert_close(frame["pose"]["position"],
                          [math.cos(a) + math.cos(a + b), math.sin(a) + math.sin(a + b), 0])
        self.assert_close(frame["pose"]["quaternion"],
                          [math.cos((a + b) / 2), 0, 0, math.sin((a + b) / 2)])
        self.assert_close(self.tip(self.planar(), "--q", f"{a},{b}", "--rpy")["pose"]["rpy"], [0, 0, a + b])
        matrix = self.tip(self.planar(), "--q", f"{a},{b}", "--matrix")["pose"]["matrix"]
        self.assert_close(matrix[0], [math.cos(a + b), -math.sin(a + b), 0])

    def test_ways_to_write_values(self):
        model = self.planar()
        expected = self.tip(model, "--q", "0.5", "-0.25")
        for q in (["0.5,-0.25"], ["0.5, -0.25"], ["0.5 -0.25"], [".5", "-.25"], ["a=0.5", "b=-0.25"],
                  ["b=-0.25", "a=0.5"], ["a=0.5,b=-0.25"], ["a=0.5 b=-0.25"], ["5e-1,-2.5e-1"]):
            self.assertEqual(self.tip(model, "--q", *q), expected, q)
        self.assertEqual(self.tip(model, "--q=0.5,-0.25"), expected)
        right = self.tip(model, "--q", f"{math.pi / 2!r},0")
        self.assertEqual(self.tip(model, "--q", "90deg,0deg"), right)
        self.assertEqual(self.tip(model, "--q", "a=90deg"), right)
        self.assertEqual(self.tip(model), self.tip(model, "--q", "0,0"))
        self.assert_close(self.json("kinematics", ALL, "--q", "slide and turn=1,2,0.1", "odd[1]=3",
                                    "ankle=0.707,0.707,0,0")["states"][0]["q"][11:18],
                          [math.sqrt(0.5), math.sqrt(0.5), 0, 0, 1, 2, 0.1])

    def test_bad_values(self):
        model = self.planar()
        for bad in ("nan", "inf", "1e999", "x", "0x10", "1.5.2", "deg", "--5", "1e", "a=x"):
            self.fails(2, "", "kinematics", model, "--q", f"{bad},0")
        self.fails(2, "mixed", "kinematics", model, "--q", "1", "a=2")
        self.fails(3, "3 numbers given, but the model has 2 coordinates: a, b;", "kinematics", model,
                   "--q", "1,5,2")
        self.fails(3, "--v: 1 number given, but the model has 2 velocities: a, b;", "kinematics", model,
                   "--v", "1")
        self.fails(3, "--q: there is no joint 'elbo'; did you mean 'elbow'", "kinematics", ARM, "--q", "elbo=1")
        self.fails(3, "'a' has 1 coordinate, 2 given", "kinematics", model, "--q", "a=1,2")
        self.fails(3, "'a' is given twice", "kinematics", model, "--q", "a=1", "a=2")
        self.fails(3, "'slide' is not an angle", "kinematics", ARM, "--q", "slide=3deg")
        self.fails(3, "quaternion of joint 'ankle'", "kinematics", ALL, "--q", "ankle=1,1,0,0")
        self.fails(3, "no frame", "kinematics", ARM, "--frame", "nothing")
        self.fails(3, "names no frame", "kinematics", ARM, "--frame", "gripper[")
        self.fails(2, "given twice", "kinematics", ARM, "--frame", "gripper", "gripper")

    def test_names_that_look_like_notation(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["name"] = model["bodies"][1]["joint"]["parent"] = "tip[lower]"
        model["bodies"][0]["joint"]["name"] = "a=1,b"
        model["bodies"][1]["joint"]["name"] = "[x, y=z"
        path = self.file("names.json", model)
        state = self.json("kinematics", path, "--q", "a=1,b=0.5,[x, y=z=90deg", "--frame", "tip[lower]",
                          "tip[lower][world]", "tip[world]")["states"][0]
        self.assertEqual(state["q"], [0.5, math.pi / 2])
        frames = state["frames"]
        self.assert_close(frames["tip[lower]"]["pose"]["position"], [0, 0, 0])
        self.assert_close(frames["tip[lower]"]["pose"]["quaternion"], [math.cos(0.25), 0, 0, math.sin(0.25)])
        self.assert_close(frames["tip[lower][world]"]["pose"]["quaternion"], [1, 0, 0, 0])
        self.assert_close(frames["tip[world]"]["pose"]["position"],
                          [math.cos(0.5) - math.sin(0.5), math.sin(0.5) + math.cos(0.5), 0])
        relative = self.tip(path, "--relative-to", "tip[lower]")
        self.assert_close(relative["pose"]["position"], [2, 0, 0])
        self.fails(3, "--q: there is no joint 'a=1'", "kinematics", path, "--q", "a=1=2")

    def test_results_that_are_not_finite(self):
        huge = ["--q", "0,0,1e308,0", "--v", "1e308,1e308,0,0"]
        for form in ([], ["--json"], ["--csv"]):
            result = self.fails(4, "^axode: error: \\S+:[0-9]+: the state: the twist of frame '.*' is not finite; ",
                                "kinematics", ARM, *huge, *form)
            self.assertEqual(result.stdout, "")
        self.fails(4, "acceleration of frame 'gripper'", "kinematics", ARM, "--v", "1e200,0,0,0", "--a", "0,0,0,0",
                   "--frame", "gripper")
        states = '{"q": [0, 0, 0, 0]} {"q": [0, 0, 1e308, 0], "v": [1e308, 1e308, 0, 0]}'
        result = self.fails(4, "state 1: the twist of frame 'gripper' is not finite", "kinematics", ARM, "--states", "-",
                            "--frame", "gripper", "--json", stdin=states)
        out = json.loads(result.stdout)
        self.assertEqual(len(out["states"]), 1)
        self.assertIn("state 1: ", out["error"])
        self.fails(3, "joint 'b' follows 'a' beyond all numbers", "kinematics", self.file("g.json", geared()),
                   "--q", "a=1.7e308")

    def test_outside_limits_is_a_warning(self):
        result = run("kinematics", self.planar(), "--q", "3,0")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, "axode: warning: 'a' is at 3 rad, above its limit 2\n")

    def test_motion_in_all_representations(self):
        # Twists and accelerations against differences of poses; Jacobians against twists.
        model, q, qd, qdd = self.planar(), [0.4, 0.9], [0.7, -0.3], [0.2, 1.1]
        h = 1e-5

        def at(t, *more):
            values = [x + v * t + a * t * t / 2 for x, v, a in zip(q, qd, qdd)]
            speeds = [v + a * t for v, a in zip(qd, qdd)]
            return self.tip(model, "--q", ",".join(map(repr, values)), "--v", ",".join(map(repr, speeds)),
                            "--a", ",".join(map(repr, qdd)), *more)

        before, after = at(-h), at(h)
        rate = [(b - a) / (2 * h) for a, b in zip(before["pose"]["position"], after["pose"]["position"])]
        w, position = sum(qd), at(0)["pose"]["position"]
        angle = sum(q)
        linear = {"hybrid": rate, "mixed": rate,
                  "spatial": [rate[0] + position[1] * w, rate[1] - position[0] * w, 0],
                  "body": [math.cos(angle) * rate[0] + math.sin(angle) * rate[1],
                           -math.sin(angle) * rate[0] + math.cos(angle) * rate[1], 0]}
        for rep, expected in linear.items():
            here = at(0, "--rep", rep, "--jacobian")
            self.assert_close(here["twist"], [0, 0, w, *expected], 1e-9)
            self.assert_close([sum(j * v for j, v in zip(row, qd)) for row in here["jacobian"]],
                              here["twist"], 1e-14)
            low, high = at(-h, "--rep", rep), at(h, "--rep", rep)
            self.assert_close([(b - a) / (2 * h) for a, b in zip(low["twist"], high["twist"])],
                              here["acceleration"], 1e-8)

    def test_relative_and_composite_frames(self):
        model = self.planar()
        q = ["--q", "0.5,0.7", "--v", "1,2"]
        frame = self.tip(model, *q, "--relative-to", "upper", "--rep", "spatial")
        self.assert_close(frame["pose"]["position"], [1 + math.cos(0.7), math.sin(0.7), 0])
        self.assert_close(frame["twist"], [0, 0, 2, 0, -2, 0])
        frame = self.tip(model, *q, name="tip[world]")
        self.assert_close(frame["pose"]["quaternion"], [1, 0, 0, 0])

    def test_centre_of_mass(self):
        state = self.json("kinematics", self.planar(), "--q", "90deg,0", "--v", "1,0",
                          "--a", "0,0")["states"][0]
        centre = state["centre_of_mass"]
        self.assert_close(centre["position"], [0, 2 / 3, 0])
        self.assert_close(centre["velocity"], [-2 / 3, 0, 0])
        self.assert_close(centre["acceleration"], [0, -2 / 3, 0])
        self.assertNotIn("centre_of_mass", self.json("kinematics", "models/panda.json")["states"][0])

    def test_json_is_exact(self):
        out = self.json("kinematics", self.planar(), "--q", "0.1,0.30000000000000004")
        self.assertEqual((out["schema"], out["rep"], out["relative_to"], out["coordinates"]),
                         ("axode.kinematics/1", "hybrid", "world", ["a", "b"]))
        self.assertEqual(out["states"][0]["q"], [0.1, 0.30000000000000004])

    def test_text(self):
        out = self.ok("kinematics", self.planar(), "--q", "90deg,0", "--frame", "tip")
        self.assertIn("q   a=1.5708 b=0\n", out)
        self.assertRegex(out, r"\n  tip +0  2  0  0\.707107   0   0  0\.707107\n")


class Couplings(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.file("geared.json", geared())

    def q(self, *arguments):
        return self.json("kinematics", self.model, "--q", *arguments)["states"][0]["q"]

    def test_independent_and_full(self):
        for values in (["0.5"], ["a=0.5"], ["0.5,1.1"], ["a=0.5", "b=1.1"], ["0.5,1.1009"]):  # the last rounded
            self.assert_close(self.q(*values), [0.5, 1.1])
        self.assertEqual(self.json("dynamics", self.model, "--q", "0.5,1.1009", "--v", "1,2.001")["states"][0]["v"], [1, 2])
        neutral = self.json("kinematics", self.model)["states"][0]["q"]
        self.assert_close(neutral, [0, 0.1])
        state = self.json("kinematics", self.model, "--v", "1", "--a", "a=3")["states"][0]
        self.assertEqual((state["v"], state["a"]), ([1, 2], [3, 6]))

    def test_violations_name_the_joint(self):
        self.fails(3, "joint 'b' follows 'a' and would be at 1.1, not 1", "kinematics", self.model,
                   "--q", "0.5,1")
        self.fails(3, "joint 'b' follows 'a'", "kinematics", self.model, "--q", "b=1")
        self.fails(3, "--v: joint 'b' follows 'a' and would be at 2, not 3", "kinematics", self.model,
                   "--v", "1,3")
        self.fails(3, r"2 coordinates \(1 of them independent\): a, b", "kinematics", self.model,
                   "--q", "1,2,3")


class States(CliTest):
    def states(self, name, content):
        return self.json("kinematics", self.planar(), "--states", self.file(name, content))["states"]

    def test_json_forms(self):
        expected = [[0.1, 0.2], [0.3, 0.4]]
        text = '[{"q": [0.1, 0.2], "v": [1, 2]}, // with a comment\n {"q": {"b": 0.4, "a": 0.3}}]'
        found = self.states("s.json", text)
        self.assertEqual([s["q"] for s in found], expected)
        self.assertEqual(["twist" in s["frames"]["upper"] for s in found], [True, False])
        for text in ('{"q": [0.1, 0.2]}\n{"q": [0.3, 0.4]}\n', "[[0.1, 0.2], [0.3, 0.4]]",
                     '[{"q": [0.1, 0.2]}, {"q": ["0.3", 0.4]}]'):
            self.assertEqual([s["q"] for s in self.states("s.json", text)], expected)
            out = self.json("kinematics", self.planar(), "--states", "-", stdin=text)
            self.assertEqual([s["q"] for s in out["states"]], expected)
        self.assertEqual(self.states("s.json", '{"q": {"a": "90deg"}}')[0]["q"], [math.pi / 2, 0])
        self.assertEqual(self.states("s.json", '{"time": 2.5}')[0]["time"], 2.5)
        self.assertEqual(self.states("s.json", "[]"), [])

    def test_csv_forms(self):
        for text in ("a,b,v:a,v:b\n0.1,0.2,1,2\n", "q0,q1,v0,v1\n0.1,0.2,1,2", "q0;q1;v0;v1\r\n0.1;0.2;1;2\r\n",
                     'q:b\tq:a\tv:b\tv:a\n0.2\t0.1\t2\t1\n\n', '"a", "b", "v:a" ,v1\n"0.1", 0.2, 1, "2"\n',
                     "\ufeffa,b,v:a,v:b\n0.1,0.2,1,2\n"):
            with self.subTest(text):
                for found in (self.states("s.csv", text),
                              self.json("kinematics", self.planar(), "--states", "-", stdin=text)["states"]):
                    self.assertEqual([(s["q"], s["v"]) for s in found], [([0.1, 0.2], [1, 2])])
        found = self.states("s.csv", "time,b\n0.5,90deg\n1,0\n")
        self.assertEqual([(s["time"], s["q"]) for s in found], [(0.5, [0, math.pi / 2]), (1, [0, 0])])

    def test_bad_states_name_the_line(self):
        model = self.planar()
        cases = {
            "s.csv": [("a,b\n1,2\n1,x\n", r's.csv:3: b: "x" is not a number'),
                      ("a;b\n1;1,5\n", r's.csv:2: b: "1,5" is not a number; write a decimal point'),
                      ("a,b\n1,nan\n", r"s.csv:2: b: .* finite"), ("a,b\n1,\n", r"s.csv:2: b: "),
                      ("a,b\n1\n", r"s.csv:2: 1 cell in the row, 2 in the header"),
                      ("time,a,t\n0,1,0\n", r"s.csv:1: there are two columns of time"),
                      ("a,c\n1,2\n", r's.csv:1: column "c"'), ("a,a\n1,2\n", r"s.csv:2: 'a' is given twice"),
                      ("", r"s.csv:1: the first line names no columns"), ("0.1,0.2\n", r's.csv:1: column "0.1"')],
            "s.json": [('[{"q": [1, 2]},\n{"q": [1]}]', r"s.json:2: q: 1 number given"),
                       ('[{"q": [1, 2]},\n\n{"p": [1]}]', r"s.json:3: "),
                       ('[{"q": [1, 2]}\n{"q": [1, 2]}]', r"s.json:2: a comma"),
                       ('[{"q": [1, 2]}] 1', r"s.json:1: .* after"), ('[{"q": [1, 2]', "s.json:1: "),
                       ('[{"q": [1, NaN]}]', "s.json:1: "), ("[1, 2]", "s.json:1: a state is an object"),
                       ('{"q": {"c": 1}}', "no joint 'c'"), ("", "s.json:1: there are no states"),
                       ('{"q": [1, 2], "q": [1, 2]}', "s.json:1: "), ("hello", "s.json:1: ")],
        }
        for name, entries in cases.items():
            for text, pattern in entries:
                with self.subTest(text):
                    self.fails(3, pattern, "kinematics", model, "--states", self.file(name, text))
        self.fails(3, "standard input:2: ", "kinematics", model, "--states", "-", stdin="a\nx\n")
        self.fails(3, "s.bin", "kinematics", model, "--states", self.file("s.bin", bytes(range(256))))

    def test_states_before_a_bad_one_are_printed(self):
        base = ["kinematics", self.planar(), "--frame", "tip", "--states", "-"]
        good, bad = "a,b\n0.1,0.2\n0.3,0.4\n", "a,b\n0.1,0.2\n0.3,0.4\n1,x\n5,6\n"
        for form in ([], ["--csv"]):
            result = self.fails(3, 'standard input:4: b: "x" is not a number', *base, *form, stdin=bad)
            self.assertEqual(result.stdout, self.ok(*base, *form, stdin=good))
        for text in (bad, '[[0.1, 0.2], [0.3, 0.4],\n\n\n[1, "x"]]'):
            result = self.fails(3, "standard input:4: ", *base, "--json", stdin=text)
            out = json.loads(result.stdout)
            self.assertEqual("axode: error: " + out.pop("error") + "\n", result.stderr)
            self.assertEqual(out, self.json(*base, stdin=good))
        result = self.fails(3, "state 1", *base, "--csv", stdin='{"q": [1, 2]} {"v": [1, 2]}')
        self.assertEqual(len(result.stdout.splitlines()), 2)
        out = json.loads(self.fails(3, "column", *base, "--json", stdin="c\n1\n").stdout)
        self.assertEqual(out["states"], [])
        self.assertEqual(self.fails(3, "column", *base, "--csv", stdin="c\n1\n").stdout, "")

    def test_results_come_before_more_is_read(self):
        for form, first, states in ((["--csv"], "a,b\n", ["0.1,0.2\n", "0.3,0.4\n"]), ([], "a,b\n", ["0.1,0.2\n"]),
                                    (["--json"], "[", ["[0.1, 0.2]", ",[0.3, 0.4]"])):
            child = subprocess.Popen([AXODE, "kinematics", self.planar(), "--frame", "tip", "--states", "-", *form],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            child.stdin.write(first.encode())
            found = b""
            for text in states:
                child.stdin.write(text.encode())
                child.stdin.flush()
                mark = re.search(r"0\.\d", text)[0].encode()
                while mark not in found:
                    self.assertTrue(select.select([child.stdout], [], [], 30)[0], (form, found))
                    found += os.read(child.stdout.fileno(), 1 << 16)
            child.stdin.close()
            child.stdout.close()
            child.wait(timeout=30)

    def test_no_states(self):
        base = ["kinematics", self.planar(), "--frame", "tip", "--states", "-"]
        for head in ("a,b", "time,b\n", "time,a,b,v:a\n\n", "a0\n"):
            self.assertEqual(self.json(*base, stdin=head)["states"], [])
            cells = head.strip().split(",")
            full = self.ok(*base, "--csv", stdin=head.strip() + "\n" + ",".join("0" for _ in cells) + "\n")
            self.assertEqual(self.ok(*base, "--csv", stdin=head), full.splitlines()[0] + "\n")
        self.assertEqual(self.ok(*base, stdin="a,b\n"), "")

    def test_csv_that_begins_like_json(self):
        model = json.loads(json.dumps(PLANAR))
        model["bodies"][0]["joint"]["name"] = "[a]"
        model["bodies"][1]["joint"]["name"] = "/b"
        path = self.file("brackets.json", model)
        for text in ("[a],/b\n0.1,0.2\n", "/b,[a]\n0.2,0.1\n", "\t [a]\t/b\n0.1\t0.2", "[[0.1, 0.2]]", '\t{"q": {"[a]": 0.1, "/b": 0.2}}', "[a],/b\n0.1,0.2"):
            with self.subTest(text):
                out = self.json("kinematics", path, "--states", "-", stdin=text)
                self.assertEqual([s["q"] for s in out["states"]], [[0.1, 0.2]])
        out = self.json("kinematics", path, "--states", "-", stdin="[a]")
        self.assertEqual(out["states"], [])

    def test_many_limit_warnings_are_counted(self):
        result = run("kinematics", self.planar(), "--states", "-", stdin="a\n" + "3\n" * 100)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[0], "axode: warning: state 0: 'a' is at 3 rad, above its limit 2")
        self.assertEqual(lines[-1], "axode: warning: 95 more values outside limits")

    def test_csv_output(self):
        out = self.ok("kinematics", self.planar(), "--frame", "tip", "--csv", "--states", "-",
                      stdin="time,a,b,v:a\n0,0.1,0.2,1\n1,0.3,0.4,1\n")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(len(rows), 2)
        self.assertEqual([float(rows[1][key]) for key in ("time", "a", "b", "tip.wz")], [1, 0.3, 0.4, 1])
        self.assert_close([float(rows[1]["tip.x"])], [math.cos(0.3) + math.cos(0.7)])
        self.fails(3, "state 1: .* some states", "kinematics", self.planar(), "--csv", "--states", "-",
                   stdin='{"q": [1, 2]} {"v": [1, 2]}')
        out = self.ok("kinematics", self.planar(), "--frame", "tip", "--csv", "--jacobian", "--q", "0.3,0.4")
        row = next(csv.DictReader(io.StringIO(out)))
        self.assert_close([float(row["tip.vx.a"]), float(row["tip.vx.b"]), float(row["tip.wz.b"])],
                          [-math.sin(0.3) - math.sin(0.7), -math.sin(0.7), 1])

    def test_forces_are_passed_on(self):
        state = self.json("kinematics", self.planar(), "--states", "-", stdin="a,tau:b\n0.1,2\n")["states"][0]
        self.assertEqual((state["q"], state["tau"]), ([0.1, 0], [0, 2]))

    @staticmethod
    def peak_memory(test, arguments, out=os.devnull):
        """What the command needs at most [kB]."""
        # Measured from a small process: what a child needs at most includes its beginning as a copy
        # of its parent.
        watch = ("import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]);"
                 "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)")
        with open(out, "w", encoding="ascii") as output:
            result = subprocess.run([sys.executable, "-S", "-c", watch, AXODE, *arguments], stdout=output,
                                    stderr=subprocess.PIPE, check=False)
        test.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stderr)

    def test_many_states_in_constant_memory(self):
        rows = 100_000
        streams = {"csv": (lambda i: f"{i * 1e-5!r},0.2\n", "a,b\n", "", ""),
                   "json": (lambda i: f'{{"q": [{i * 1e-5!r}, 0.2]}}', "[", ",\n", "]")}
        command = ["kinematics", self.planar(), "--frame", "tip", "--json"]
        for name, (line, first, between, last) in streams.items():
            peaks = []
            for n in (rows // 100, rows):
                path, out = self.folder / f"many.{name}", self.folder / "out.json"
                path.write_text(first + between.join(line(i) for i in range(n)) + last)
                begin = time.monotonic()
                peaks.append(self.peak_memory(self, [*command, "--states", path], out))
                seconds = time.monotonic() - begin
            states = json.loads(out.read_text())["states"]
            self.assertEqual(len(states), rows)
            self.assertEqual(states[-1]["q"], [(rows - 1) * 1e-5, 0.2])
            print(f"{rows} states from {name}: {seconds:.2f} s, peak {peaks[1]} kB", file=sys.stderr)
            if "sanitized" not in AXODE:
                self.assertLess(peaks[1] - peaks[0], 2000, "memory grows with the number of states [kB]")

    def test_interrupt_keeps_what_is_done(self):
        child = subprocess.Popen([AXODE, "kinematics", self.planar(), "--states", "-", "--json"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(b"a,b\n0.1,0.2\n0.3,0.4\n")
        child.stdin.flush()
        self.wait_until_read(child)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=30), 130)
        out = json.loads(child.stdout.read())
        self.assertEqual((len(out["states"]), out["interrupted"]), (2, True))
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()


    @staticmethod
    def wait_until_read(child):
        """Until the child has emptied its standard input and waits for more."""
        left = fcntl.ioctl(child.stdin, termios.FIONREAD, b"\0" * 4)
        while any(left):
            time.sleep(0.05)
            left = fcntl.ioctl(child.stdin, termios.FIONREAD, b"\0" * 4)
        time.sleep(0.3)


class Ik(CliTest):
    def solve(self, *arguments, model=None):
        return self.json("ik", model or self.planar(), "--frame", "tip", *arguments)

    def tip(self, q, *more):
        values = ",".join(map(repr, q))
        return self.json("kinematics", self.planar(), "--q", values, "--frame", "tip", *more)[
            "states"][0]["frames"]["tip"]["pose"]

    def test_position(self):
        found = self.solve("--position", "1.2,0.4,0")
        self.assertEqual((found["schema"], found["reached"], found["reason"]),
                         ("axode.ik/1", True, "converged"))
        self.assert_close(self.tip(found["q"])["position"], [1.2, 0.4, 0], 1e-8)
        self.assertEqual(found["joints"], dict(zip("ab", found["q"])))
        self.assertLess(found["residuals"][0]["translation"], 1e-8)
        out = self.ok("ik", self.planar(), "--frame", "tip", "--position", "1.2,0.4,0")
        self.assertRegex(out, r"^converged in \d+ iterations, 1 start\n")
        self.assertIn("position: error below 1e-08 m", out)

    def test_pose_orientation_direction(self):
        q = [0.3, 0.8]
        x, y = math.cos(0.3) + math.cos(1.1), math.sin(0.3) + math.sin(1.1)
        half = [math.cos(0.55), 0, 0, math.sin(0.55)]
        position = f"{x!r},{y!r},0"
        targets = (["--pose", f"{position},0,0,1.1"], ["--pose", f"{position},0,0,{math.degrees(1.1)!r}deg"],
                   ["--position", position, "--quaternion", ",".join(map(repr, half))],
                   ["--position", position, "--rpy", "0,0,1.1"],
                   ["--position", position, "--axis", "1,0,0", "--direction",
                    f"{math.cos(1.1)!r},{math.sin(1.1)!r},0"])
        for target in targets:
            with self.subTest(target):
                self.assert_close(self.solve(*target)["q"], q, 1e-7)
        self.assertAlmostEqual(sum(self.solve("--rpy", "0,0,1.1")["q"]), 1.1, places=7)

    def test_start_hold_relative(self):
        found = self.solve("--rpy", "0,0,1", "--q", "a=0.25", "--hold", "a")
        self.assert_close(found["q"], [0.25, 0.75], 1e-7)
        found = self.solve("--position", "1,1,0", "--relative-to", "upper")
        self.assertAlmostEqual(found["q"][1], math.pi / 2, places=6)

    def test_not_reached(self):
        result = self.fails(4, "not reached", "ik", self.planar(), "--frame", "tip", "--position", "5,0,0",
                            "--starts", 2)
        self.assertIn("out of reach", result.stdout + result.stderr)
        found = json.loads(self.fails(4, "", "ik", self.planar(), "--frame", "tip", "--position", "-2,0,0",
                                      "--json").stdout)
        self.assertFalse(found["reached"])
        self.assertTrue(-2 <= found["q"][0] <= 2)

    def test_usage(self):
        base = ["ik", self.planar(), "--frame", "tip"]
        self.fails(2, "a target is needed", *base)
        self.fails(2, "--frame is required", "ik", ARM, "--position", "0,0,0")
        self.fails(2, "--position: 2 numbers given instead of 3", *base, "--position", "1,2")
        self.fails(2, "not a number", *base, "--position", "1,2,x")
        self.fails(2, "exclude", *base, "--pose", "0,0,0,0,0,0", "--rpy", "0,0,0")
        self.fails(2, "--quaternion: its length", *base, "--quaternion", "1,1,1,1")
        self.fails(2, "must be positive", *base, "--position", "1,2,3", "--tolerance", "-1")
        self.fails(2, "", *base, "--position", "1,2,3", "--starts", "many")
        for option, value in (("--position", "1deg,0,0"), ("--pose", "0,0,1deg,0,0,0"), ("--quaternion", "1deg,0,0,0"),
                              ("--direction", "1deg,0,0")):
            self.fails(2, f"{option}: '1deg' is where no angle belongs", *base, option, value)
        self.fails(2, "--axis: '1deg'", *base, "--direction", "1,0,0", "--axis", "1deg,0,0")
        self.fails(2, "--seed: a seed is not negative", *base, "--position", "1,0,0", "--seed", "-1")
        self.fails(3, "no frame", "ik", self.planar(), "--frame", "top", "--position", "0,0,0")
        self.fails(3, "joint 'c'", *base, "--position", "0,0,0", "--hold", "c")


    def test_interrupt(self):
        child = subprocess.Popen([AXODE, "ik", self.planar(), "--frame", "tip", "--position", "-2,0,0", "--starts",
                                  "2000000000", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
        self.assertEqual((child.returncode, out, err), (130, b"", b"axode: error: interrupted\n"))


G = 9.81

# Two links of length 1 in a vertical plane, centres of mass halfway: the equations are known by heart.
DOUBLE = {
    "axode": 1,
    "name": "double pendulum",
    "gravity": [0, -G, 0],
    "bodies": [
        {"name": "upper", "inertia": {"mass": 2, "com": [0.5, 0, 0], "about_com": [0.1, 0.1, 0.1]},
         "joint": {"name": "a", "type": "revolute", "axis": [0, 0, 1], "damping": 0.3, "friction": 0.4}},
        {"name": "lower", "inertia": {"mass": 1, "com": [0.5, 0, 0], "about_com": [0.1, 0.1, 0.1]},
         "joint": {"name": "b", "parent": "upper", "type": "revolute", "axis": [0, 0, 1], "armature": 0.05,
                   "point": [1, 0, 0], "body_in_world": {"position": [1, 0, 0]}}},
    ],
    "frames": [{"name": "tip", "on": "lower", "at": {"position": [1, 0, 0]}}],
}


def double_pendulum(q, qd):
    """Mass matrix, Coriolis forces, gravity forces, losses."""
    cos_b, sin_b = math.cos(q[1]), math.sin(q[1])
    mass = [[0.1 + 0.1 + 0.5 + 1.25 + cos_b, 0.1 + 0.25 + cos_b / 2], [0.35 + cos_b / 2, 0.35 + 0.05]]
    coriolis = [-sin_b / 2 * (2 * qd[0] * qd[1] + qd[1] ** 2), sin_b / 2 * qd[0] ** 2]
    lower = G / 2 * math.cos(q[0] + q[1])
    gravity = [2 * G * math.cos(q[0]) + lower, lower]
    return mass, coriolis, gravity, [0.3 * qd[0] + math.copysign(0.4, qd[0]) * (qd[0] != 0), 0]


def times(matrix, x):
    return [sum(m * y for m, y in zip(row, x)) for row in matrix]


def inverse(m):
    d = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return [[m[1][1] / d, -m[0][1] / d], [-m[1][0] / d, m[0][0] / d]]


def total(*vectors):
    return [sum(numbers) for numbers in zip(*vectors)]


def comma(numbers):
    return ",".join(map(repr, numbers))


def reference_system(name):
    """A model of tests/data, with raw screws, and its states with results to 17 digits."""
    data = json.loads((ROOT / "tests" / "data" / f"{name}.json").read_text())
    bodies = []
    for body in data["model"]["bodies"]:
        screws, inertia = body["body_screws"], body["inertia"]
        joint = {"name": f"joint {body['index']}", "type": "screws", "given_in": "body", "screws": screws["X"],
                 "body_in_parent": {"matrix": screws["B"]},
                 "coordinates": f"{body['coordinate_kind']}_kind"}
        if body["parent"] >= 0:
            joint["parent"] = f"body {body['parent']}"
        bodies.append({"name": f"body {body['index']}", "joint": joint,
                       "inertia": {"mass": inertia["mass"], "com": inertia["com"],
                                   "about_origin": inertia["Theta_origin"]}})
    return {"axode": 1, "name": name, "gravity": data["model"]["gravity"], "bodies": bodies}, data["states"]


class Dynamics(CliTest):
    q, qd, qdd = [0.3, -1.2], [0.7, -0.4], [1.5, 2.5]

    def setUp(self):
        super().setUp()
        self.model = self.file("double.json", DOUBLE)
        self.at = ["--q", comma(self.q), "--v", comma(self.qd)]

    def state(self, *arguments, **more):
        return self.json("dynamics", *arguments, **more)["states"][0]

    def test_forces_by_heart(self):
        mass, coriolis, gravity, losses = double_pendulum(self.q, self.qd)
        expected = total(times(mass, self.qdd), coriolis, gravity, losses)
        for rep in ("auto", "body", "spatial", "hybrid", "mixed"):
            found = self.state(self.model, *self.at, "--a", comma(self.qdd), "--rep", rep, "--mass-matrix", "--gravity")
            self.assert_close(found["tau"], expected, 1e-13)
            self.assert_close(sum(found["mass_matrix"], []), sum(mass, []), 1e-14)
            self.assert_close(found["gravity"], gravity, 1e-14)
        # Without accelerations: what holds it still.
        found = self.state(self.model, "--q", comma(self.q))
        self.assert_close(found["tau"], gravity, 1e-13)
        self.assertEqual(found["a"], [0, 0])

    def test_accelerations_by_heart(self):
        mass, coriolis, gravity, losses = double_pendulum(self.q, self.qd)
        tau = [3, -2]
        expected = times(inverse(mass), total(tau, *([-x for x in part] for part in (coriolis, gravity, losses))))
        for rep in ("auto", "body", "spatial", "hybrid", "mixed"):
            found = self.state(self.model, *self.at, "--tau", comma(tau), "--rep", rep)
            self.assert_close(found["a"], expected, 1e-12)
            self.assertEqual(found["tau"], tau)

    def test_some_joints_move_as_prescribed(self):
        mass, coriolis, gravity, losses = double_pendulum(self.q, self.qd)
        bias = total(coriolis, gravity, losses)
        found = self.state(self.model, *self.at, "--a", "a=1.5", "--tau", "b=-2")
        b = (-2 - bias[1] - mass[1][0] * 1.5) / mass[1][1]
        self.assert_close(found["a"], [1.5, b], 1e-12)
        self.assert_close(found["tau"], [mass[0][0] * 1.5 + mass[0][1] * b + bias[0], -2], 1e-12)
        # Joints that are named nowhere are moved by no force.
        found = self.state(self.model, *self.at, "--a", "b=0", "--tau", "a=0")
        self.assertEqual((found["tau"][0], found["a"][1]), (0, 0))
        out = self.ok("dynamics", self.model, "--a", "a=1.5", "--tau", "b=-2")
        self.assertIn("\na   a=1.5\ntau b=-2\n", out)
        for values in (["--a", "a=1", "--tau", "a=2"], ["--a", "1,2", "--tau", "b=1"]):
            self.fails(3, "the state: '[ab]' is given both an acceleration and a force; name the joints in a",
                       "dynamics", self.model, *values)
        self.fails(3, "no derivatives", "dynamics", self.model, "--a", "a=1", "--tau", "b=2", "--derivatives")

    def test_effects(self):
        mass, coriolis, gravity, losses = double_pendulum(self.q, self.qd)
        arguments = [self.model, *self.at, "--a", comma(self.qdd)]
        full = total(times(mass, self.qdd), coriolis, gravity, losses)
        left_out = {"--no-gravity": gravity, "--no-damping": [0.3 * self.qd[0], 0], "--no-friction": [0.4, 0],
                    "--no-armature": [0, 0.05 * self.qdd[1]]}
        for flag, part in left_out.items():
            self.assert_close(total(self.state(*arguments, flag)["tau"], part), full, 1e-13)
        self.assert_close(self.state(*arguments, *left_out)["tau"],
                          total(full, *([-x for x in part] for part in left_out.values())), 1e-13)
        self.assertEqual(self.state(*arguments, "--no-gravity", "--energies")["energies"]["potential"], 0)
        self.fails(2, "--gravity asks for what --no-gravity leaves out", "dynamics", self.model, "--gravity", "--no-gravity")

    def test_coriolis_matrices(self):
        _, coriolis, _, _ = double_pendulum(self.q, self.qd)
        h = math.sin(self.q[1]) / 2
        christoffel = [[-h * self.qd[1], -h * (self.qd[0] + self.qd[1])], [h * self.qd[0], 0]]
        for choice in ("skew", "christoffel", "uncorrected"):
            found = self.state(self.model, *self.at, "--coriolis", choice)["coriolis_matrix"]
            self.assert_close(times(found, self.qd), coriolis, 1e-14)
            if choice == "christoffel":
                self.assert_close(sum(found, []), sum(christoffel, []), 1e-14)
        self.fails(2, "--coriolis: there is no 'x'", "dynamics", self.model, "--coriolis", "x")

    def test_derivatives(self):
        h, tau = 1e-5, [3, -2]

        def differences(key, *given):
            columns = []
            for order in (self.q, self.qd):
                for k in range(2):
                    ends = []
                    for step in (-h, h):
                        q, qd = list(self.q), list(self.qd)
                        (q if order is self.q else qd)[k] += step
                        ends.append(self.state(self.model, "--q", comma(q), "--v", comma(qd), *given)[key])
                    columns.append([(b - a) / (2 * h) for a, b in zip(*ends)])
            return [[column[r] for column in columns] for r in range(2)]

        mass, _, _, _ = double_pendulum(self.q, self.qd)
        for key, given, last, matrix in (("tau", ["--a", comma(self.qdd)], "a", mass),
                                         ("a", ["--tau", comma(tau)], "tau", inverse(mass))):
            found = self.state(self.model, *self.at, *given, "--derivatives")["derivatives"]
            self.assertEqual(list(found), [f"{key}_by_q", f"{key}_by_v", f"{key}_by_{last}"])
            by_q, by_qd, by_last = found.values()
            for r, row in enumerate(differences(key, *given)):
                self.assert_close(by_q[r] + by_qd[r], row, 1e-8)
            self.assert_close(sum(by_last, []), sum(matrix, []), 1e-12)

    def test_reference_systems(self):
        for name in ("remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"):
            model, states = reference_system(name)
            path = self.file(f"{name}.json", model)
            for state in states:
                given, expected = state["input"], state["output"]
                wrenches = [f"body {i}={comma(w)}" for i, w in enumerate(given["Wapp_body"])]
                at = ["--q", comma(given["q"]), "--v", comma(given["qd"])]

                def close(found, wanted):
                    flat = wanted if not isinstance(wanted[0], list) else sum(wanted, [])
                    flat_found = found if not isinstance(found[0], list) else sum(found, [])
                    self.assert_close(flat_found, flat, 5e-14 * max(1, *map(abs, flat)))

                with self.subTest(name):
                    found = self.state(path, *at, "--a", comma(given["qdd"]), "--mass-matrix", "--gravity",
                                       "--derivatives", "--energies", "--reactions", "--rep", "spatial")
                    close(found["tau"], expected["Q"])
                    close(found["mass_matrix"], expected["M"])
                    close(found["gravity"], expected["gravity_vector"])
                    close(found["derivatives"]["tau_by_q"], expected["dQ_dq"])
                    close(found["derivatives"]["tau_by_v"], expected["dQ_dqd"])
                    close(list(found["reactions"].values()), expected["joint_wrench_spatial"])
                    energies = found["energies"]
                    close([energies["kinetic"], energies["potential"]],
                          [expected["kinetic_energy"], expected["potential_energy"]])
                    close(energies["momentum"], expected["momentum_spatial_total"])
                    power = sum(t * v for t, v in zip(expected["Q"], given["qd"]))
                    close([energies["joint_power"], energies["external_power"], energies["losses"]], [power, 0, 0])
                    found = self.state(path, *at, "--a", comma(given["qdd"]), "--external", *wrenches, "--reactions",
                                       "--expressed-in", "world")
                    close(found["tau"], expected["Q_total"])
                    close(list(found["reactions"].values()), expected["joint_wrench_spatial_with_app"])
                    tau = comma(expected["forward_dynamics"]["Q_in"])
                    for external, key in (([], "no"), (["--external", *wrenches], "with")):
                        found = self.state(path, *at, "--tau", tau, *external)
                        close(found["a"], expected["forward_dynamics"][f"qdd_{key}_wrench"])

    def test_puma(self):
        # Gravity load and inertia matrix at "qn" as P. Corke, Robotics, Vision and Control, prints them.
        result = run("dynamics", "models/puma560.json", "--q", "0,45deg,180deg,0,45deg,0", "--mass-matrix", "--json")
        self.assertRegex(result.stderr, "^axode: warning: .*2 properties that no mechanism can have.*\n$")
        found = json.loads(result.stdout)["states"][0]
        self.assert_close(found["tau"], [0, 31.6399, 6.0351, 0, 0.0283, 0], 6e-5)
        inertia = [[3.6594, -0.4044, 0.1006, -0.0025, 0, 0], [-0.4044, 4.4137, 0.3509, 0, 0.0024, 0],
                   [0.1006, 0.3509, 0.9378, 0, 0.0015, 0], [-0.0025, 0, 0, 0.1925, 0, 0],
                   [0, 0.0024, 0.0015, 0, 0.1713, 0], [0, 0, 0, 0, 0, 0.1941]]
        for row, expected in zip(found["mass_matrix"], inertia):
            self.assert_close(row, expected, 6e-5)

    def test_there_and_back(self):
        # Models of all kinds: accelerations of the forces of accelerations.
        for model, more in (("tests/data/models/feeder.urdf", []), ("tests/data/models/gripper_arm.urdf", []),
                            ("tests/data/models/walker.urdf", ["--free-base"]),
                            ("tests/data/models/walker.urdf", ["--free-base", "--base-velocity", "hybrid"]), (ARM, []),
                            (ALL, [])):
            n = self.json("info", model, *more)["independent_nv"]
            qdd = [math.sin(k + 1) for k in range(n)]
            qd = [math.cos(3 * k) for k in range(n)]
            arguments = [model, *more, "--v", comma(qd)]
            tau = self.state(*arguments, "--a", comma(qdd))
            back = self.state(*arguments, "--tau", comma(tau["tau"]))
            self.assert_close(back["a"], tau["a"], 1e-12)
            if "independent_tau" in tau:  # drives of independent joints alone do the same
                self.assertEqual(len(tau["independent_tau"]), n)
                back = self.state(*arguments, "--tau", comma(tau["independent_tau"]))
                self.assert_close(back["a"], tau["a"], 1e-12)

    def test_couplings(self):
        model = json.loads(json.dumps(DOUBLE))
        model["bodies"][1]["joint"]["mimic"] = {"joint": "a", "ratio": 2, "offset": 0.1}
        path = self.file("geared.json", model)
        q, qd = [0.3, 0.7], [0.5, 1]
        mass, coriolis, gravity, losses = double_pendulum(q, qd)
        bias = total(coriolis, gravity, losses)
        reduced = mass[0][0] + 4 * mass[0][1] + 4 * mass[1][1]
        a = (3 - bias[0] - 2 * bias[1]) / reduced
        for tau in (["3"], ["a=3"], ["3,0"], ["b=1.5"]):
            found = self.state(path, "--q", "0.3", "--v", "a=0.5", "--tau", *tau)
            self.assert_close(found["a"], [a, 2 * a], 1e-12)
        found = self.state(path, "--q", "0.3", "--v", "a=0.5", "--a", repr(a))
        self.assert_close(found["independent_tau"], [3], 1e-12)
        found = self.state(path, "--q", "0.3", "--v", "a=0.5", "--tau", "a=3", "--derivatives")
        by_tau = found["derivatives"]["a_by_tau"]
        self.assert_close(sum(by_tau, []), [1 / reduced, 2 / reduced, 2 / reduced, 4 / reduced], 1e-12)
        states = self.file("geared.states.json", [{"q": q, "v": qd, "tau": [tau, 0]} for tau in (3, 4, 5)])
        many = self.json("dynamics", path, "--states", states, "--derivatives")["states"]
        self.assert_close(many[0]["a"], [a, 2 * a], 1e-12)
        self.assert_close(sum(many[2]["derivatives"]["a_by_tau"], []), sum(by_tau, []), 1e-12)
        found = self.json("linearize", path, "--q", "0.3", "--v", "a=0.5", "--tau", "3")
        self.assertEqual(found["independent"], ["a"])
        self.assert_close(found["states"][0]["M"][0], [reduced], 1e-13)
        # One of three joints prescribed, the coupled ones moved by forces: there is no such algorithm.
        model["bodies"].append({"name": "third", "inertia": {"mass": 1, "about_com": [1, 1, 1]}, "joint":
                                {"name": "c", "parent": "lower", "type": "prismatic", "axis": [1, 0, 0]}})
        path = self.file("third.json", model)
        self.fails(3, "'b' is coupled to 'a', and a force is to move them; give the acceleration of 'a'", "dynamics",
                   path, "--a", "c=1", "--tau", "a=1")
        self.fails(3, "'b' follows 'a', whose acceleration is given, and is given a force; leave out the force of 'b'",
                   "dynamics", path, "--a", "a=1", "--tau", "b=1")
        found = self.state(path, "--a", "a=1", "--tau", "c=1")
        self.assertEqual((found["a"][:2], found["tau"][2]), ([1, 2], 1))

    def test_external_wrenches(self):
        gravity = double_pendulum(self.q, [0, 0])[2]
        a, b = self.q
        # A force of 5 N upwards at the tip.
        arms = [math.cos(a) + math.cos(a + b), math.cos(a + b)]
        tip = [arms[0], math.sin(a) + math.sin(a + b)]
        expected = [g - 5 * arm for g, arm in zip(gravity, arms)]
        angle = -(a + b)
        forms = [["tip[world]=0,0,0,0,5,0"], [f"lower@world=0,0,{5 * tip[0]!r},0,5,0"],
                 [f"tip=0,0,0,{-5 * math.sin(angle)!r},{5 * math.cos(angle)!r},0"],
                 ["tip[world]=0,0,0,0,2,0", "lower@tip[world]=0 0 0 0 3 0"],
                 [f"tip@upper[world]=0,0,{5 * tip[0]!r},0,5,0"]]
        for form in forms:
            found = self.state(self.model, "--q", comma(self.q), "--external", *form)
            self.assert_close(found["tau"], expected, 1e-13)
        self.assert_close(self.state(self.model, "--q", comma(self.q), "--external", forms[0][0], "--tau",
                                     comma(expected))["a"], [0, 0], 1e-12)
        found = self.state(self.model, *self.at, "--external", forms[0][0], "--energies")["energies"]
        self.assert_close([found["external_power"]], [5 * (arms[0] * self.qd[0] + arms[1] * self.qd[1])], 1e-13)
        base = ["dynamics", self.model, "--external"]
        self.fails(2, "there is no '='", *base, "tip")
        self.fails(2, "5 numbers given instead of 6", *base, "tip=1,2,3,4,5")
        self.fails(2, "not a number", *base, "tip=1,2,3,4,5,x")
        self.fails(2, "'1deg' is where no angle belongs", *base, "tip=1deg,2,3,4,5,6")
        self.fails(3, "--external: tap=.*: there is no frame or body 'tap'; did you mean 'tip'", *base, "tap=0,0,0,0,0,0")
        self.fails(3, "'wrld'", *base, "tip@wrld=0,0,0,0,0,0")
        self.fails(3, "the world cannot be pushed", *base, "world=0,0,0,0,0,0")

    def test_names_that_look_like_notation(self):
        model = json.loads(json.dumps(DOUBLE))
        model["bodies"][0]["name"] = model["bodies"][1]["joint"]["parent"] = "up@tip=1"
        path = self.file("names.json", model)
        for text in ("up@tip=1=0,0,3,0,0,0", "up@tip=1@world=0,0,3,0,0,0"):
            found = self.state(path, "--external", text, "--no-gravity")
            self.assert_close(found["tau"], [-3, 0])

    def test_reactions(self):
        # At rest the joints carry weights.
        weights = {"upper": (3 * G, 2 * G * 0.5 * math.cos(0.3) + G * (math.cos(0.3) + math.cos(1.1) / 2)),
                   "lower": (G, G * math.cos(1.1) / 2)}
        at = ["--q", "0.3,0.8", "--reactions"]
        for rep, frame in (("hybrid", []), ("body", []), ("mixed", []), ("spatial", []), ("body", ["--expressed-in", "world"])):
            found = self.state(self.model, *at, "--rep", rep, *frame)["reactions"]
            for (body, wrench), angle in zip(found.items(), (0.3, 1.1)):
                force, torque = weights[body]
                turned = rep == "body" and not frame
                c, s = (math.cos(angle), math.sin(angle)) if turned else (1, 0)
                if rep == "spatial" or frame:
                    torque += force * (math.cos(0.3) if body == "lower" else 0)
                self.assert_close(wrench, [0, 0, torque, s * force, c * force, 0], 1e-13)
        out = self.ok("dynamics", self.model, *at, "--expressed-in", "tip[world]")
        self.assertIn("Wrenches of the joints on their bodies, in tip[world]\n", out)
        self.fails(3, "no frame", "dynamics", self.model, *at, "--expressed-in", "tap")
        self.fails(2, "--expressed-in: .* give both", "dynamics", self.model, "--expressed-in", "tip")

    def test_energies(self):
        mass, _, _, losses = double_pendulum(self.q, self.qd)
        mass[1][1] -= 0.05
        found = self.state(self.model, *self.at, "--tau", "3,-2", "--energies")["energies"]
        heights = [math.sin(self.q[0]) / 2, math.sin(self.q[0]) + math.sin(sum(self.q)) / 2]
        expected = {"kinetic": sum(x * y for x, y in zip(self.qd, times(mass, self.qd))) / 2,
                    "armature": 0.05 * self.qd[1] ** 2 / 2, "potential": G * (2 * heights[0] + heights[1]),
                    "joint_power": 3 * self.qd[0] - 2 * self.qd[1], "external_power": 0,
                    "losses": -losses[0] * self.qd[0]}
        for key, value in expected.items():
            self.assert_close([found[key]], [value], 1e-13)
        # Momentum about the origin is that of the first joint; about the centre of mass it is less by its own.
        self.assert_close([found["momentum"][2]], [times(mass, self.qd)[0]], 1e-14)
        centre = self.json("kinematics", self.model, *self.at)["states"][0]["centre_of_mass"]
        (x, y, _), (vx, vy, _) = centre["position"], centre["velocity"]
        self.assert_close(found["centroidal_momentum"],
                          [0, 0, found["momentum"][2] - 3 * (x * vy - y * vx), 3 * vx, 3 * vy, 0], 1e-13)
        self.assertNotIn("centroidal_momentum",
                         self.state("models/panda.json", "--energies")["energies"])

    def test_singular(self):
        model = json.loads(json.dumps(DOUBLE))
        model["bodies"].append({"name": "ghost", "joint": {"name": "c", "parent": "lower", "type": "revolute",
                                                           "axis": [0, 0, 1], "point": [2, 0, 0]}})
        path = self.file("ghost.json", model)
        self.assert_close(self.state(path)["tau"], [2 * G + G / 2, G / 2, 0], 1e-13)
        message = "^axode: error: \\S+:[0-9]+: the state: .*'c'.*body 'ghost'"
        for command in (["dynamics", path, "--tau", "1,0,0"], ["linearize", path],
                        ["dynamics", path, "--a", "a=1", "--tau", "b=1"]):
            for form in ([], ["--json"], ["--csv"]):
                self.assertEqual(self.fails(4, message, *command, *form).stdout, "")
        # What prescribes its motion makes it regular.
        self.assert_close(self.state(path, "--tau", "a=24.525", "b=4.905", "--a", "c=3")["a"], [0, 0, 3], 1e-12)
        result = self.fails(4, "state 1: .*'ghost'", "dynamics", path, "--states", "-", "--json",
                            stdin='{"q": [0, 0, 0]} {"tau": [1, 0, 0]}')
        out = json.loads(result.stdout)
        self.assertEqual(len(out["states"]), 1)
        self.assertIn("state 1: ", out["error"])

    def test_results_that_are_not_finite(self):
        for given in (["--a", "0,0"], ["--tau", "0,0"]):
            self.fails(4, "^axode: error: \\S+:[0-9]+: the state: the (force|acceleration) of joint '[ab]' is not finite; ", "dynamics",
                       self.model, "--q", "0.3,0.2", "--v", "1e200,1e200", *given)

    def test_bad_values(self):
        base = ["dynamics", self.model]
        self.fails(2, "--rep: there is no 'bodi'; choose auto, body, spatial, hybrid or mixed", *base, "--rep", "bodi")
        self.fails(2, "excludes --q, --v, --a and --tau", *base, "--tau", "1,2", "--states", "-")
        self.fails(3, "--tau: 3 numbers given, but the model has 2 forces: a, b", *base, "--tau", "1,2,3")
        self.fails(3, "--tau: the force of 'a' is not an angle", *base, "--tau", "a=1deg")
        self.fails(3, "--tau: there is no joint 'c'", *base, "--tau", "c=1")
        self.fails(2, "not a number", *base, "--tau", "a=x")
        self.fails(3, "--tau: 'a' is given twice", *base, "--tau", "a=1", "a=2")
        self.fails(5, "nowhere.json", "dynamics", "nowhere.json")
        self.fails(2, "a model file is needed", "dynamics")

    def test_states(self):
        mass, coriolis, gravity, losses = double_pendulum(self.q, self.qd)
        tau = total(times(mass, self.qdd), coriolis, gravity, losses)
        numbers = [*self.q, *self.qd, *self.qdd]
        for header in ("a,b,v:a,v:b,a:a,a:b", "q0,q1,v0,v1,a0,a1"):
            text = f"time,{header}\n0,0,0,0,0,0,0\n0.5,{comma(numbers)}\n"
            out = self.json("dynamics", self.model, "--states", "-", stdin=text)
            self.assertEqual(out["schema"], "axode.dynamics/1")
            self.assertEqual([s["time"] for s in out["states"]], [0, 0.5])
            self.assert_close(out["states"][1]["tau"], tau, 1e-13)
            rows = list(csv.DictReader(io.StringIO(self.ok("dynamics", self.model, "--states", "-", "--csv", stdin=text))))
            self.assertEqual(list(rows[0]), ["time", "a", "b", "tau:a", "tau:b"])
            self.assertEqual([float(rows[1][f"tau:{j}"]) for j in "ab"], out["states"][1]["tau"])
        for header in ("a,b,v:a,v:b,tau:a,tau:b", "q0,q1,v0,v1,tau0,tau1"):
            text = f"{header}\n{comma([*self.q, *self.qd, *tau])}\n"
            found = self.json("dynamics", self.model, "--states", "-", stdin=text)["states"][0]
            self.assert_close(found["a"], self.qdd, 1e-12)
        mixed = "a,b,v:a,v:b,a:a,tau:b\n" + comma([*self.q, *self.qd, self.qdd[0], tau[1]])
        found = self.json("dynamics", self.model, "--states", "-", stdin=mixed)["states"][0]
        self.assert_close(found["a"] + found["tau"], self.qdd + tau, 1e-12)
        text = '[{"q": {"a": 0.3, "b": -1.2}, "tau": {"b": 1}}, {"q": [0.3, -1.2], "tau": [0, 1]}]'
        first, second = self.json("dynamics", self.model, "--states", "-", stdin=text)["states"]
        self.assertEqual(first, second)
        self.fails(3, "standard input:2: .*'a' is given twice", "dynamics", self.model, "--states", "-", stdin="tau:a,tau0\n1,2\n")
        self.fails(3, "state 0: 'a' is given both", "dynamics", self.model, "--states", "-", stdin="tau:a,a:a\n1,2\n")
        self.fails(3, "state 1: .* some states", "dynamics", self.model, "--csv", "--states", "-",
                   stdin='{"a": [1, 2]} {"tau": [1, 2]}')

    def test_no_states(self):
        for header, columns in (("a,tau:a", "a,b,a:a,a:b"), ("time,a", "time,a,b,tau:a,tau:b"),
                                ("a,a:a,tau:b", "a,b,a:a,a:b,tau:a,tau:b")):
            self.assertEqual(self.ok("dynamics", self.model, "--csv", "--states", "-", stdin=header), columns + "\n")
            self.assertEqual(self.json("dynamics", self.model, "--states", "-", stdin=header)["states"], [])

    def test_csv_has_all(self):
        out = self.ok("dynamics", self.model, *self.at, "--mass-matrix", "--coriolis", "skew", "--gravity",
                      "--derivatives", "--reactions", "--energies", "--csv")
        row = next(csv.DictReader(io.StringIO(out)))
        found = self.state(self.model, *self.at, "--mass-matrix", "--coriolis", "skew", "--gravity", "--derivatives",
                           "--reactions", "--energies")
        for name, value in {"mass_matrix.a.b": found["mass_matrix"][0][1], "gravity:b": found["gravity"][1],
                            "coriolis_matrix.b.a": found["coriolis_matrix"][1][0],
                            "tau_by_q.b.a": found["derivatives"]["tau_by_q"][1][0], "tau:a": found["tau"][0],
                            "lower.fy": found["reactions"]["lower"][4], "kinetic": found["energies"]["kinetic"],
                            "momentum.lz": found["energies"]["momentum"][2]}.items():
            self.assertEqual(float(row[name]), value, name)
        self.assertEqual(len(row), len(out.splitlines()[0].split(",")))

    def test_text(self):
        out = self.ok("dynamics", self.model, "--q", "0,0", "--mass-matrix", "--energies")
        for part in ("q   a=0 b=0\na   a=0 b=0\n\nJoint forces\n  joint     tau\n  a      24.525  N m\n  b       4.905  N m\n",
                     "\nMass matrix\n        a     b\n  a  2.95  0.85\n  b  0.85   0.4\n",
                     "\n  joint power     0 W\n", "  about           lx  ly  lz  px  py  pz\n"):
            self.assertIn(part, out)

    def test_no_freedoms(self):
        path = self.file("block.json", {"axode": 1, "name": "block", "bodies": [
            {"name": "block", "inertia": {"mass": 2, "about_com": [1, 1, 1]}, "joint": {"type": "fixed"}}]})
        found = self.state(path, "--mass-matrix", "--reactions", "--derivatives")
        self.assertEqual((found["tau"], found["mass_matrix"]), ([], []))
        self.assert_close(found["reactions"]["block"], [0, 0, 0, 0, 0, 2 * G])
        self.assertEqual(self.json("linearize", path)["states"][0]["A"], [])
        self.ok("dynamics", path, "--mass-matrix", "--energies")
        self.ok("linearize", path)


class ManyStates(CliTest):
    """Dynamics of many states, which are read ahead and computed together."""

    BLOCK = 512  # states computed together at most
    SMALL = DOUBLE  # a, b

    def random_states(self, model, n, more=(), **orders):
        """States with all quaternions of unit length, and the orders named: v=1 has numbers below 1."""
        info = self.json("info", model, *more)
        sizes = {"q": info["nq"], "v": info["nv"], "a": info["nv"], "tau": info["nv"]}
        source = random.Random(1)
        states = []
        for _ in range(n):
            state = {key: [source.uniform(-size, size) for _ in range(sizes[key])]
                     for key, size in {"q": 1, **orders}.items()}
            for body in info["bodies"]:
                if body["joint"]["coordinates"] == "quaternion":
                    first = body["joint"]["q"][0]
                    length = math.hypot(*state["q"][first:first + 4])
                    state["q"][first:first + 4] = [x / length for x in state["q"][first:first + 4]]
            states.append(state)
        return states

    def assert_same(self, found, expected, path=""):
        """Objects of numbers that differ by rounding only, beside the largest of each list."""
        if isinstance(expected, dict):
            self.assertEqual(list(found), list(expected), path)
            for key, value in expected.items():
                self.assert_same(found[key], value, f"{path}/{key}")
            return
        flat = [[x for row in rows for x in (row if isinstance(row, list) else [row])]
                for rows in ((side if isinstance(side, list) else [side]) for side in (found, expected))]
        self.assertEqual(len(flat[0]), len(flat[1]), path)
        scale = max([1, *map(abs, flat[1])])
        worst = max([0, *(abs(a - b) / scale for a, b in zip(*flat))])
        self.assertLessEqual(worst, 1e-12, path)

    def test_same_as_one_by_one(self):
        models = [("models/puma560.json", []), ("tests/data/models/walker.urdf", ["--free-base"]),
                  ("tests/data/models/walker.urdf", ["--free-base", "--base-velocity", "hybrid"]),
                  *((self.file(f"{name}.json", reference_system(name)[0]), [])
                    for name in ("tree9", "multidof_first", "multidof_second"))]
        for model, more in models:
            body = self.json("info", model, *more)["bodies"][-1]["name"]
            external = ["--external", f"{body}[world]=1,2,3,4,5,6"]
            terms = ["--mass-matrix", "--derivatives"]
            for options in ([], terms, [*terms, "--gravity", "--energies", "--reactions", *external],
                            [*external, "--no-gravity", "--no-armature", "--no-damping", "--no-friction"]):
                for last in ("a", "tau"):
                    states = self.random_states(model, 11, more, v=1, **{last: 5})
                    path = self.file("s.json", states)
                    found = self.json("dynamics", model, *more, *options, "--states", path)["states"]
                    self.assertEqual(len(found), len(states))
                    for k in (0, 7, 10):
                        given = [x for key, numbers in states[k].items() for x in (f"--{key}", comma(numbers))]
                        one = self.json("dynamics", model, *more, *options, *given)["states"][0]
                        with self.subTest(f"{model} {options} {last} {k}"):
                            self.assert_same(found[k], one)

    def rows(self, n, last="tau"):
        """CSV of n states of a double pendulum."""
        source = random.Random(2)
        row = lambda: ",".join(f"{source.uniform(-1, 1):.6f}" for _ in range(6))
        return [f"a,b,v:a,v:b,{last}:a,{last}:b\n"] + [row() + "\n" for _ in range(n)]

    def test_any_number_of_states(self):
        model, lines = self.file("double.json", self.SMALL), self.rows(2 * self.BLOCK + 1)
        base = ["dynamics", model, "--csv", "--states"]
        full = self.ok(*base, self.file("s.csv", "".join(lines))).splitlines()
        self.assertEqual(len(full), len(lines))
        for n in (0, 1, 2, 7, 8, 9, 63, 64, self.BLOCK - 1, self.BLOCK, self.BLOCK + 1, 2 * self.BLOCK):
            text = "".join(lines[:n + 1])
            for states in (self.file("s.csv", text), "-"):  # a state does not depend on its neighbours
                self.assertEqual(self.ok(*base, states, stdin=text).splitlines(), full[:n + 1])

    def test_threads(self):
        model = self.file("double.json", self.SMALL)
        for last in ("a", "tau"):
            path = self.file("s.csv", "".join(self.rows(1500, last)))
            base = ["dynamics", model, "--states", path, "--csv", "--mass-matrix", "--derivatives"]
            expected = self.ok(*base)
            for threads in ("1", "2", "5"):
                self.assertEqual(self.ok(*base, "--threads", threads), expected)
        for threads in ("0", "-1", "x", "1.5", "1000000"):
            self.fails(2, "--threads", *base, "--threads", threads)
        self.ok("dynamics", model, "--threads", "2")

    def test_other_problems_among_them(self):
        model = self.file("double.json", self.SMALL)
        given = [{"a": [1, 2]}, {"tau": [1, 2]}, {}, {"a": {"a": 1}, "tau": {"b": 2}}, {"tau": {"a": 3}}]
        states = [{"q": [0.01 * k, 0.2], "v": [0.1, -0.3], **given[k % 5]} for k in range(20)]
        for more in ([], ["--mass-matrix", "--energies"]):
            found = self.json("dynamics", model, *more, "--states", self.file("s.json", states))["states"]
            for k, state in enumerate(states):
                path = self.file("one.json", [state])
                self.assertEqual(self.json("dynamics", model, *more, "--states", path)["states"], [found[k]])
                mixed = self.json("dynamics", model, *more, "--rep", "spatial", "--states", path)["states"][0]
                self.assert_same(found[k], mixed)

    def test_what_is_wrong_with_a_state(self):
        model, lines = self.file("double.json", self.SMALL), self.rows(2 * self.BLOCK)
        good = self.ok("dynamics", model, "--csv", "--states", self.file("s.csv", "".join(lines))).splitlines()
        for bad in (0, 1, 9, self.BLOCK - 1, self.BLOCK, self.BLOCK + 100):
            for text, code, message in (("1,2,3,4,5,x\n", 3, f's.csv:{bad + 2}: tau:b: "x" is not a number'),
                                        ("1,2,3\n", 3, f"s.csv:{bad + 2}: 3 cells"),
                                        ("0,0,1e200,1e200,0,0\n", 4, f"state {bad}: the acceleration .* finite")):
                changed = [*lines[:bad + 1], text, *lines[bad + 1:]]
                changed[bad + 4] = "nonsense\n"  # the first one counts
                path = self.file("s.csv", "".join(changed))
                result = self.fails(code, message, "dynamics", model, "--csv", "--states", path)
                self.assertEqual(result.stdout.splitlines(), good[:bad + 1] if bad else [])
                result = self.fails(code, message, "dynamics", model, "--json", "--states", path)
                out = json.loads(result.stdout)
                self.assertEqual(f"axode: error: {out['error']}\n", result.stderr)
                self.assertEqual(len(out["states"]), bad)

    def test_singular_states(self):
        ghost = json.loads(json.dumps(self.SMALL))
        ghost["bodies"].append({"name": "ghost", "joint": {"name": "c", "parent": "lower", "type": "revolute",
                                                           "axis": [0, 0, 1], "point": [2, 0, 0]}})
        model = self.file("ghost.json", ghost)
        for first in (0, 3, 20):
            states = [{"q": [0.1 * k, 0, 0]} if k < first else {"tau": [1, 0, 0]} for k in range(30)]
            for more in ([], ["--derivatives"]):
                result = self.fails(4, f"state {first}: joint 'c' moves no inertia", "dynamics", model, *more, "--json",
                                    "--states", self.file("s.json", states))
                self.assertEqual(len(json.loads(result.stdout)["states"]), first)

    def test_plain_and_other_ways_to_write(self):
        model = self.file("double.json", self.SMALL)
        plain = "a,b,tau:a\n" + "0.5,-0.25,2\n" * 3
        expected = self.ok("dynamics", model, "--csv", "--states", "-", stdin=plain)
        for row in (" 0.5 ,\t-0.25, 2 \r", "+.5,-2.5e-1,2.", '"0.5",-.25,"2"', "5E-1,-0.25,0.2e+1"):
            text = "a,b,tau:a\n" + f"{row}\n0.5,-0.25,2\n\n{row}"
            self.assertEqual(self.ok("dynamics", model, "--csv", "--states", "-", stdin=text), expected, row)
        for state in ('{"q": [0.5, -0.25], "tau": [2, 0]}', '{"tau":[2.0,0],"q":[5e-1,-0.25]}',
                      '{"q": ["0.5", -25E-2], "tau": {"a": 2}}', '{"q": {"b": -0.25, "a": 0.5}, "tau": [2, 0]}',
                      '{"q": [0.5 /* here */, -0.25], "\\u0074au": [2, 0]}', '{"q" : [ 0.5,\n-0.25 ] , "tau" : [ 2, -0 ] }'):
            text = f"[{state}, {state},\n{state}]"
            self.assertEqual(self.ok("dynamics", model, "--csv", "--states", "-", stdin=text), expected, state)
        for number in ("01", "1.", ".5", "-", "1e", "0x1", "+1", "1.e3", "1e400", "NaN", "--1", "1 2"):
            self.fails(3, "standard input:1: ", "dynamics", model, "--states", "-", stdin=f'{{"q": [{number}, 0]}}')
        for word in ("null", "true"):
            self.fails(3, 'standard input:1: "q" holds no numbers; write a list', "dynamics", model, "--states", "-",
                       stdin=f'{{"q": {word}}}')
        for text in ('{"q": [0, 0, 0]}', '{"q": [0]}', '{"q": []}', '{"q": [0, 0], "q": [0, 0]}', '{"p": [0, 0]}',
                     '{"q": [0, 0],}', '{"q": [0, 0,]}', '{"time": 1, "time": 2}', '{"q": [0, 0]}}', '{"q" [0, 0]}'):
            self.fails(3, "standard input:1: ", "dynamics", model, "--states", "-", stdin=text)

    def test_orders_do_not_stay_from_the_state_before(self):
        model = self.file("double.json", self.SMALL)
        texts = ['{"q": [1, 2], "v": [3, 4], "tau": [5, 6], "time": 7}', '{"q": [1, 2]}', '{"tau": [1, 2]}', "[3, 4]",
                 '{"v": [1, 1]}']
        found = self.json("dynamics", model, "--states", self.file("s.json", f"[{','.join(texts * 150)}]"))["states"]
        for k, text in enumerate(texts):
            one = self.json("dynamics", model, "--states", self.file("s.json", f"[{text}]"))["states"]
            self.assertEqual(found[k::len(texts)], one * 150)

    def test_results_come_before_more_is_read(self):
        child = subprocess.Popen([AXODE, "dynamics", self.file("double.json", self.SMALL), "--csv", "--states", "-"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b"a,b\n")
        found = b""
        for text in (b"0.25,0.2\n", b"0.5,0.4\n0.6,0.4\n" + b"0.7,0\n" * 700 + b"0.75,0\n"):
            child.stdin.write(text)
            child.stdin.flush()
            while b"\n" + text.splitlines()[-1] not in found:
                self.assertTrue(select.select([child.stdout], [], [], 30)[0], found)
                found += os.read(child.stdout.fileno(), 1 << 16)
        child.stdin.close()
        child.stdout.close()
        self.assertEqual(child.wait(timeout=30), 0)

    def test_interrupts(self):
        model = self.file("double.json", self.SMALL)
        lines = self.rows(30_000)
        for states in ("-", self.file("s.csv", "".join(lines))):
            child = subprocess.Popen([AXODE, "dynamics", model, "--states", states, "--json", "--threads", "3"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            out = b""
            if states == "-":
                child.stdin.write("".join(lines[:201]).encode())
                child.stdin.flush()
                States.wait_until_read(child)
            else:  # it has more to say than the pipe takes
                out = os.read(child.stdout.fileno(), 1000)
            child.send_signal(signal.SIGINT)
            time.sleep(0.1)
            out = json.loads(out + child.stdout.read())
            self.assertEqual(child.wait(timeout=30), 130)
            self.assertIs(out["interrupted"], True)
            if states == "-":
                self.assertEqual(len(out["states"]), 200)
            else:
                self.assertLess(len(out["states"]), 30_000)
            for stream in (child.stdin, child.stdout, child.stderr):
                stream.close()

    def test_constant_memory(self):
        model = self.file("double.json", self.SMALL)
        peaks = []
        for n in (2000, 40_000):
            path = self.file("s.csv", "".join(self.rows(n)))
            peaks.append(States.peak_memory(self, ["dynamics", model, "--derivatives", "--csv", "--states", path]))
        if "sanitized" not in AXODE:
            self.assertLess(peaks[1] - peaks[0], 2000, "memory grows with the number of states [kB]")

    def test_large_models(self):
        # Beyond some size states are computed one by one: the matrices of many would not fit.
        bodies = [{"name": f"b{i}", "inertia": {"mass": 1, "about_com": [1, 1, 1]},
                   "joint": {"name": f"j{i}", "type": "revolute", "axis": [0, 0, 1], "point": [i, 0, 0],
                             **({"parent": f"b{i - 1}"} if i else {})}} for i in range(400)]
        model = self.file("chain.json", {"axode": 1, "name": "chain", "bodies": bodies})
        path = self.file("s.csv", "q0\n" + "0.1\n" * 3)
        for more in ([], ["--derivatives"]):
            states = self.json("dynamics", model, *more, "--states", path)["states"]
            self.assertEqual(states, [states[0]] * 3)
            self.assert_same(states[0], self.json("dynamics", model, *more, "--q", "j0=0.1")["states"][0])


class Linearize(CliTest):
    def test_double_pendulum(self):
        model = self.file("double.json", DOUBLE)
        q = [-math.pi / 2, 0]  # hanging
        found = self.json("linearize", model, "--q", comma(q))
        self.assertEqual((found["schema"], found["independent"]), ("axode.linearize/1", ["a", "b"]))
        state = found["states"][0]
        self.assert_close(state["tau"], [0, 0], 1e-14)
        mass = double_pendulum(q, [0, 0])[0]
        stiffness = [[2 * G + G / 2, G / 2], [G / 2, G / 2]]
        self.assert_close(sum(state["M"], []), sum(mass, []), 1e-14)
        self.assert_close(sum(state["K"], []), sum(stiffness, []), 1e-13)
        self.assert_close(sum(state["D"], []), [0.3, 0, 0, 0], 1e-14)
        A = [[0, 0, 1, 0], [0, 0, 0, 1]]
        minus = [[-x for x in row] for row in inverse(mass)]
        for row in minus:
            A.append([sum(m * k[c] for m, k in zip(row, stiffness)) for c in range(2)] + [row[0] * 0.3, 0])
        self.assert_close(sum(state["A"], []), sum(A, []), 1e-12)
        self.assert_close(sum(state["B"], []), [0] * 4 + sum(inverse(mass), []), 1e-13)
        out = self.ok("linearize", model, "--q", comma(q))
        for part in ("\nJoint forces\n", "\nState matrix A\n            q a       q b        v a  v b\n", "\nStiffness matrix K\n"):
            self.assertIn(part, out)

    def test_about_motions(self):
        # The same, told by accelerations or by the forces that cause them; against derivatives.
        model = self.file("double.json", DOUBLE)
        at = ["--q", "0.3,-1.2", "--v", "0.7,-0.4"]
        first = self.json("linearize", model, *at, "--a", "1.5,2.5")["states"][0]
        second = self.json("linearize", model, *at, "--tau", comma(first["tau"]))["states"][0]
        derivatives = self.json("dynamics", model, *at, "--tau", comma(first["tau"]),
                                "--derivatives")["states"][0]["derivatives"]
        self.assert_close(second["a"], [1.5, 2.5], 1e-12)
        for key in "ABMDK":
            self.assert_close(sum(first[key], []), sum(second[key], []), 1e-11)
        for r in range(2):
            self.assert_close(first["A"][2 + r], derivatives["a_by_q"][r] + derivatives["a_by_v"][r], 1e-11)
            self.assert_close(first["B"][2 + r], derivatives["a_by_tau"][r], 1e-12)

    def test_external_and_states(self):
        model = self.file("double.json", DOUBLE)
        text = "a,b\n0.3,0.2\n0.1,0\n"
        out = self.json("linearize", model, "--states", "-", "--external", "tip=0,0,0,0,5,0", "--no-damping", stdin=text)
        self.assertEqual(len(out["states"]), 2)
        self.assertEqual(out["states"][0]["D"], [[0, 0], [0, 0]])
        free = self.json("linearize", model, "--q", "0.3,0.2", "--no-damping")["states"][0]
        # A force that turns with the tip has the lever arm 1 + cos b about the first joint.
        self.assert_close([out["states"][0]["K"][0][1] - free["K"][0][1]], [5 * math.sin(0.2)], 1e-13)

    def test_bad_values(self):
        model = self.file("double.json", DOUBLE)
        self.fails(2, "--a excludes --tau", "linearize", model, "--a", "1,2", "--tau", "1,2")
        self.fails(3, "state 0: both a and tau are given", "linearize", model, "--states", "-",
                   stdin="a:a,tau:b\n1,2\n")
        self.fails(4, "not finite", "linearize", model, "--v", "1e200,0", "--q", "0.1,0.2")


MANUAL = ROOT / "docs" / "command_line.md"


def manual_block(match):
    """A ```console block as it should be: each `$ command` with what it prints."""
    text = ""
    for command in re.findall(r"^\$ (.*)$", match[1], re.M):
        ours = re.sub(r"(^|\| )axode ", lambda m: f"{m[1]}'{AXODE}' ", command)
        result = subprocess.run(["bash", "-c", ours], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                encoding="utf-8", cwd=ROOT, env=ENVIRONMENT, timeout=60, check=False)
        text += f"$ {command}\n{result.stdout}"
    return f"```console\n{text}```"


def manual():
    """The manual as it is, and as it should be."""
    text = MANUAL.read_text(encoding="utf-8")
    return text, re.sub(r"^```console\n(.*?)^```", manual_block, text, flags=re.M | re.S)


class Manual(CliTest):
    def test_commands_print_what_the_manual_shows(self):
        shown, printed = manual()
        self.assertGreater(shown.count("```console"), 5)
        self.maxDiff = None
        self.assertEqual(*(self.without_last_digits(text).splitlines() for text in (shown, printed)))

    @staticmethod
    def without_last_digits(text):
        """Numbers in full may differ in the last digits between processors."""
        return re.sub(r"\d+(?:\.\d+)?e[-+]\d+|\d+\.\d{10,}", lambda number: f"{float(number[0]):.12g}", text)


if __name__ == "__main__":
    AXODE = str(Path(sys.argv.pop(1)).resolve())
    if sys.argv[1:] == ["--update-manual"]:
        MANUAL.write_text(manual()[1], encoding="utf-8")
        sys.exit()
    unittest.main()
