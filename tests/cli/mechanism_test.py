"""Tests `axode mechanism` as its users see it.

Usage: mechanism_test.py AXODE [unittest options]
"""

import csv
import json
import math
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import cli_test
from cli_test import CliTest, ROOT

FOUR_BAR = "examples/mechanisms/example_2_1_four_bar.json"
SLIDER_CRANK = "examples/mechanisms/slider_crank.json"
RSCR = "examples/mechanisms/example_2_10_rscr.json"
PLANAR_KINDS = ("natural", "mixed", "relative", "reference-point")
SPATIAL_KINDS = (*PLANAR_KINDS, "euler-angles", "quasi-velocities")


def four_bar(angle, a=1, b=3.5, c=2.5, d=4):
    """Angles of coupler and rocker by intersecting circles, the coupler above."""
    x, y = d - a * math.cos(angle), -a * math.sin(angle)
    r = math.hypot(x, y)
    along = (b * b - c * c + r * r) / (2 * r)
    coupler = math.atan2(y, x) + math.acos(along / b)
    tip = a * math.cos(angle) + b * math.cos(coupler) - d, a * math.sin(angle) + b * math.sin(coupler)
    return coupler, math.atan2(tip[1], tip[0])


def without_comments(file):
    return json.loads("".join(line for line in Path(ROOT, file).read_text().splitlines(True)
                              if not line.lstrip().startswith("//")))


def parallelogram(**more):
    """Cranks of 1 m, 3 m apart, at right angles to the ground."""
    def body(name, x, y, angle, length):
        return {"name": name, "points": {"a": [0, 0], "b": [length, 0]}, "pose": {"position": [x, y], "angle": angle}}
    up = math.pi / 2
    return {"axode_mechanism": 1, "planar": True,
            "bodies": [body("left", 0, 0, up, 1), body("right", 3, 0, up, 1), body("top", 0, 1, 0, 3)],
            "joints": [{"name": name, "type": "revolute", "bodies": bodies, "points": points}
                       for name, bodies, points in (("A", ["world", "left"], [[0, 0], "a"]),
                                                    ("B", ["world", "right"], [[3, 0], "a"]),
                                                    ("C", ["left", "top"], ["b", "a"]),
                                                    ("D", ["right", "top"], ["b", "b"]))], **more}


def pendulum(**more):
    """A rod of 1 m on a pin, its mass at the tip."""
    return {"axode_mechanism": 1, "planar": True, "gravity": [0, -9.81],
            "bodies": [{"name": "rod", "points": {"tip": [1, 0]},
                        "inertia": {"mass": 1, "com": [1, 0], "about_com": 0.5}}],
            "joints": [{"name": "A", "type": "revolute", "bodies": ["world", "rod"],
                        "points": [[0, 0], [0, 0]]}], **more}


class Equations(CliTest):
    def test_as_in_the_book(self):
        text = self.ok("mechanism", "equations", FOUR_BAR, "--formulation", "relative", "--lengths", "names")
        self.assertEqual(text.splitlines()[0],
                         "L_B2 cos(B.angle) - L_A1 cos(A.angle) - L_12 cos(A.angle + 1.angle) + L_OB = 0")
        self.assertIn("L_OB = 4\n", text)
        self.assertNotIn("J[", text)
        self.assertIn("J[0, A.angle] = sin(A.angle) + 3.5 sin(A.angle + 1.angle)\n",
                      self.ok("mechanism", "equations", FOUR_BAR, "--formulation", "relative", "--jacobian"))

    def test_styles(self):
        latex = self.ok("mechanism", "equations", FOUR_BAR, "--style", "latex")
        self.assertTrue(latex.startswith("\\begin{align}\n") and latex.endswith("\\end{align}\n"), latex)
        program = self.ok("mechanism", "equations", SLIDER_CRANK, "--style", "python", "--jacobian")
        compile(program, "equations.py", "exec")
        found = json.loads(self.ok("mechanism", "equations", FOUR_BAR, "--json", "--lengths", "names", "--jacobian"))
        self.assertEqual(found["rows"][0]["zero"], "1.x^2 + 1.y^2 - L_A1^2")
        self.assertEqual(found["jacobian"][0], {"row": 0, "velocity": "1.x", "derivative": "2 * 1.x"})
        self.assertEqual(found["lengths"], {"L_A1": 1, "L_12": 3.5, "L_OB": 4, "L_B2": 2.5})

    def test_misuse(self):
        self.fails(2, "choose text, latex or python", "mechanism", "equations", FOUR_BAR, "--style", "tex")
        self.fails(2, "choose numbers or names", "mechanism", "equations", FOUR_BAR, "--lengths", "x")
        self.fails(2, "there is no", "mechanism", "equations", FOUR_BAR, "--formulation", "cartesian")


class Info(CliTest):
    def test_says_what_is_there(self):
        text = self.ok("info", FOUR_BAR)
        self.assertIn("four_bar: planar, 3 bodies, 4 joints, 7 kg, 1 driver", text)
        self.assertIn("A.angle", text)
        found = self.json("info", FOUR_BAR)
        self.assertEqual(found["schema"], "axode.mechanism/1")
        self.assertEqual(found["bodies"], ["world", "crank", "coupler", "rocker"])
        self.assertEqual(len(found["equations"]["rows"]), 5)

    def test_prints_equations_with_their_pattern(self):
        for kind in PLANAR_KINDS:
            text = self.ok("info", FOUR_BAR, "--print", "--formulation", kind)
            self.assertRegex(text, r"driver A\.angle")
            size = text.split("Jacobian, ")[1].split(",")[0]
            rows, columns = map(int, size.split(" x "))
            grid = text.splitlines()[-rows:]
            self.assertTrue(all(len(line.strip()) == columns for line in grid), grid)

    def test_draws(self):
        self.ok("info", FOUR_BAR, "-o", self.folder / "a.svg")
        root = xml.etree.ElementTree.parse(self.folder / "a.svg").getroot()
        self.assertGreaterEqual(len(root.findall("{http://www.w3.org/2000/svg}circle")), 4)
        self.fails(5, "exists", "info", FOUR_BAR, "-o", self.folder / "a.svg")
        self.fails(2, "planar", "info", RSCR, "-o", self.folder / "b.svg")

    def test_draws_any_name(self):
        for name in ("]]>", "a<b>&\"'c", "]]>]]>", "]]&gt;", "ä"):
            model = pendulum(name=name)
            model["joints"][0]["name"] = name
            model["bodies"][-1]["points"] = {name: [1, 0]}
            drawn = self.folder / "a.svg"
            self.ok("simulate", self.file("p.json", model), "--for", "0.1s", "--points",
                    f"rod.{name}", "-o", drawn, "--force")
            texts = [e.text for e in xml.etree.ElementTree.parse(drawn).getroot().iter() if e.text and e.text.strip()]
            self.assertEqual(texts.count(name) + texts.count(f"rod.{name}"), 3, texts)


class Solve(CliTest):
    def test_four_bar_in_all_coordinates(self):
        for kind in PLANAR_KINDS:
            for angle in (0.1, 1.0, 2.5):
                found = self.json("mechanism", "solve", FOUR_BAR, "--set", f"A.angle={angle}", "--formulation", kind)
                coupler, rocker = four_bar(angle)
                coordinates = found["coordinates"]
                self.assert_close([coordinates["1.angle"][0] + angle, coordinates["B.angle"][0]],
                                  [coupler, rocker], 1e-11)

    def test_rates_are_derivatives(self):
        h = 1e-5
        for file, kinds in ((FOUR_BAR, PLANAR_KINDS), (RSCR, SPATIAL_KINDS)):
            for kind in kinds:
                before, at, after = (self.json("mechanism", "solve", file, "--at", t, "--formulation", kind)["coordinates"]
                                     for t in (0.3 - h, 0.3, 0.3 + h))
                for name, (value, rate, acceleration) in at.items():
                    self.assertAlmostEqual(rate, (after[name][0] - before[name][0]) / (2 * h), delta=1e-6 + 1e-6 * abs(rate))
                    self.assertAlmostEqual(acceleration, (after[name][1] - before[name][1]) / (2 * h),
                                           delta=1e-5 + 1e-6 * abs(acceleration))

    def test_degrees_and_expressions(self):
        a = self.json("mechanism", "solve", FOUR_BAR, "--set", "A.angle=90deg")
        self.assert_close(a["coordinates"]["A.angle"], [math.pi / 2, 0, 0], 1e-12)
        b = self.json("mechanism", "solve", FOUR_BAR, "--set", "A.angle=0.2+3*t", "--at", "0.5s")
        self.assert_close(b["coordinates"]["A.angle"], [1.7, 3, 0], 1e-11)

    def test_drivers_that_cannot_be(self):
        measured = [{"name": "s", "distance": [["rod", "tip"], ["world", [0, 3]]]}]
        model = self.file("p.json", pendulum(coordinates=measured))
        self.ok("mechanism", "solve", model, "--set", "s=3.5")
        self.fails(3, "driver 's' has the value -3.5 at t = 0 s, and a distance between points is never negative",
                   "mechanism", "solve", model, "--set", "s=-3.5")
        self.fails(2, "never negative", "mechanism", "sweep", model, "--drive", "s=3:-3")
        self.fails(3, "driver 's' has the value -0.", "simulate", model, "--set", "s=3.5-4*t")
        for text in ("1/0", "log(t)", "sqrt(-1)", "1e300"):
            for line in (("mechanism", "solve", model), ("simulate", model), ("mechanism", "mobility", model)):
                error = self.fails(3, "driver 'A.angle' has the", *line, "--set", f"A.angle={text}").stderr
                self.assertIn("at t = 0 s", error)
        self.ok("mechanism", "solve", model, "--set", "A.angle=log(t)", "--at", "1s")
        self.fails(2, "--set: 'A.angle' is given twice", "mechanism", "solve", model, "--set", "A.angle=1", "--set",
                   "A.angle=2")
        error = self.fails(2, "known are t, pi", "mechanism", "solve", model, "--set", "A.angle=foo").stderr
        self.assertNotIn("q[", error)
        self.fails(2, "a function of time has no joints", "mechanism", "solve", model, "--set", "A.angle=q[A]")

    def test_out(self):
        out = self.folder / "solved.csv"
        self.ok("mechanism", "solve", FOUR_BAR, "--out", out)
        self.assertEqual(out.read_text(), self.ok("mechanism", "solve", FOUR_BAR, "--csv"))

    def test_all_modes(self):
        for file, modes in ((FOUR_BAR, 2), (SLIDER_CRANK, 2), (RSCR, 2)):
            found = self.json("mechanism", "assembly-modes", file)
            self.assertEqual((len(found["modes"]), found["isolated"]), (modes, True))
        rockers = sorted(mode["coordinates"]["R2.angle"] for mode in found["modes"])
        self.assert_close(rockers, [-2.523013301816702, -1.3551402369349257], 1e-10)

    def test_modes_are_told_by_poses(self):
        # Legs are driven: only the platform tells modes apart.
        file = "examples/mechanisms/stewart.json"
        modes = self.json("mechanism", "assembly-modes", file)["modes"]
        model = without_comments(file)
        points = {body["name"]: body["points"] for body in model["bodies"]}
        self.assertGreater(len(modes), 1)
        for mode in modes:
            pose = mode["bodies"]["platform"]
            for leg in model["coordinates"]:
                base, top = (points[body][point] for body, point in leg["distance"])
                tip = [p + sum(r * x for r, x in zip(row, top)) for p, row in zip(pose["position"], pose["rotation"])]
                self.assertAlmostEqual(math.dist(tip, base), mode["coordinates"][leg["name"]], delta=1e-10)
        places = [mode["bodies"]["platform"]["position"] for mode in modes]
        self.assertGreater(min(math.dist(places[0], place) for place in places[1:]), 1e-3)
        text = self.ok("mechanism", "assembly-modes", file)
        self.assertRegex(text, r"platform +1  \(")
        rows = list(csv.DictReader(self.ok("mechanism", "assembly-modes", file, "--csv").splitlines()))
        self.assertEqual(len(rows), len(modes))
        self.assert_close([float(rows[1][f"platform.{x} [m]"]) for x in "xyz"], places[1], 1e-12)

    def test_forces(self):
        model = self.file("p.json", pendulum(drivers=[{"coordinate": "A.angle", "value": "3*t"}]))
        found = self.json("mechanism", "solve", model, "--reactions")
        self.assert_close([found["drivers"]["A.angle"]], [9.81], 1e-10)
        self.assert_close(found["reactions"][0]["force"], [-9, 9.81, 0], 1e-10)

    def test_csv(self):
        rows = list(csv.reader(self.ok("mechanism", "solve", FOUR_BAR, "--csv").splitlines()))
        self.assertEqual((len(rows), rows[0][:2]), (2, ["time [s]", "A.angle [rad]"]))

    def test_freedoms_left_are_told(self):
        result = cli_test.run("mechanism", "solve", FOUR_BAR, "--no-drivers")
        self.assertEqual(result.returncode, 0)
        self.assertIn("1 degree of freedom is not driven: what can move is 'A.angle', '1.angle'", result.stderr)
        self.assertIn("driving 'A.angle' would settle it", result.stderr)
        found = self.json("mechanism", "solve", FOUR_BAR, "--no-drivers")
        self.assertEqual((found["degrees_of_freedom_left"], found["to_drive"]), (1, ["A.angle"]))
        found = self.json("mechanism", "solve", FOUR_BAR)
        self.assertEqual((found["degrees_of_freedom_left"], found["to_drive"], found["remark"]), (0, [], ""))

    def test_what_cannot_be_assembled(self):
        model = without_comments(FOUR_BAR)
        model["bodies"][2]["points"]["2"] = [0.2, 0]
        short = self.file("short.json", model)
        for kind in PLANAR_KINDS:
            error = self.fails(4, "not even without its drivers: cannot be assembled", "mechanism", "solve", short,
                               "--formulation", kind).stderr
            self.assertRegex(error, r"least residual 0\.\d+ of the model's size in equation '.*' \((joint|body) '")
            self.assertIn("correct lengths", error)

    def test_too_many_drivers(self):
        error = self.fails(4, "over-driven: 2 drivers for 1 degree of freedom", "mechanism", "solve", FOUR_BAR,
                           "--set", "B.angle=1.3").stderr
        self.assertIn("'B.angle' moves nothing that 'A.angle' leaves free, and the values disagree", error)
        model = without_comments(FOUR_BAR)
        model["joints"].append({"name": "brace", "type": "rod", "bodies": ["world", "coupler"],
                                "points": [[2, 0], [1.5, 0]], "length": 1.7})
        self.fails(4, "1 driver for no degrees of freedom", "mechanism", "solve", self.file("braced.json", model))

    def test_contradictory_equations_are_named(self):
        model = without_comments(FOUR_BAR)
        model["drivers"] = []
        model["joints"].append({"name": "brace", "type": "rod", "bodies": ["world", "coupler"],
                                "points": [[2, 0], [1.5, 0]], "length": 0.3})
        for kind in PLANAR_KINDS:
            error = self.fails(4, "cannot be assembled", "mechanism", "solve", self.file("braced.json", model, ),
                               "--formulation", kind).stderr
            self.assertRegex(error, r"least residual 0\.\d+ of the model's size in equation '.*'\), against '")

    def test_inconsistent_velocities_are_named(self):
        drivers = [{"coordinate": "A.angle", "value": "1.2 + t"}, {"coordinate": "B.angle", "value": "1.2 + 2*t"}]
        model = self.file("p.json", parallelogram(drivers=drivers))
        for kind in PLANAR_KINDS:
            error = self.fails(4, "over-driven: 2 drivers for 1 degree of freedom: 'B.angle' moves nothing that 'A.angle' leaves "
                               "free, and the rates disagree: no velocity meets all equations", "mechanism", "solve", model, "--formulation", kind).stderr
            self.assertIn("in conflict are", error)

    def test_dead_points_on_the_way(self):
        error = self.fails(4, "driver 'B.angle' cannot get to 3 from the reference: dead point at 'B.angle' = 2.498",
                           "mechanism", "solve", FOUR_BAR, "--no-drivers", "--set", "B.angle=3").stderr
        self.assertIn("keep it on this side of 2.498", error)

    def test_another_branch_is_told(self):
        # A double rocker: its crank cannot pass between two ranges, yet both can be assembled.
        model = without_comments(FOUR_BAR)
        for body in model["bodies"]:
            if body["name"] == "crank":
                body["points"]["1"] = [3.5, 0]
            if body["name"] == "coupler":
                body["points"]["2"] = [1.0, 0]
            if body["name"] == "rocker":
                body["points"]["2"] = [2.0, 0]
        model["drivers"] = []
        rocker = self.file("rocker.json", model)
        for kind in PLANAR_KINDS:
            found = cli_test.run("mechanism", "solve", rocker, "--set", "A.angle=-0.6", "--formulation", kind)
            self.assertEqual(found.returncode, 0, found.stderr)
            # Where coupler and rocker lie in a line: cos A = (4^2 + 3.5^2 - 1^2) / (2 4 3.5).
            self.assertIn("another branch than that of the reference: driver 'A.angle' cannot get to -0.6 from the "
                          "reference: dead point at 'A.angle' = 0.231975", found.stderr)
            self.assertEqual(cli_test.run("mechanism", "solve", rocker, "--set", "A.angle=0.6", "--formulation",
                                          kind).stderr, "")
        self.assertIn("another branch", self.json("mechanism", "solve", rocker, "--set", "A.angle=-0.6")["remark"])


class Sweep(CliTest):
    def test_coupler_curve(self):
        out = self.folder / "path.csv"
        self.ok("mechanism", "sweep", FOUR_BAR, "--drive", f"A.angle=0:{2 * math.pi}:50", "--points", "coupler.P",
                "--out", out, "-o", self.folder / "path.svg")
        rows = list(csv.DictReader(out.read_text().splitlines()))
        self.assertEqual(len(rows), 51)
        for row in rows:
            angle = float(row["A.angle [rad]"])
            coupler, _ = four_bar(angle)
            self.assert_close([float(row["coupler.P.x [m]"]), float(row["coupler.P.y [m]"])],
                              [math.cos(angle) + 1.5 * math.cos(coupler) - .8 * math.sin(coupler),
                               math.sin(angle) + 1.5 * math.sin(coupler) + .8 * math.cos(coupler)], 1e-10)

    def test_dead_points_are_told(self):
        # The rocker of a crank-rocker turns back where crank and coupler are stretched.
        result = cli_test.run("mechanism", "sweep", FOUR_BAR, "--no-drivers", "--drive", "B.angle=2:3")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("at 2.49809: dead point", result.stdout)

    def test_freedoms_not_driven_are_told(self):
        double = pendulum()
        double["bodies"].append({"name": "second", "pose": {"position": [1, 0]}})
        double["joints"].append({"name": "B", "type": "revolute", "bodies": ["rod", "second"], "points": ["tip", [0, 0]]})
        error = self.fails(4, "1 degree of freedom is not driven: what can move is 'B.angle'", "mechanism", "sweep",
                           self.file("two.json", double), "--drive", "A.angle=0:1").stderr
        self.assertIn("--set", error)

    def test_one_driver_for_a_coordinate(self):
        self.fails(2, "--drive: 'A.angle' has a --set as well", "mechanism", "sweep", FOUR_BAR, "--drive", "A.angle=0:1",
                   "--set", "A.angle=1")
        self.fails(2, "error: --drive: ", "mechanism", "sweep", FOUR_BAR, "--drive", "foo=0:1")
        self.fails(2, "twice", "mechanism", "sweep", FOUR_BAR, "--drive", "A.angle=0:1", "--points", "coupler.P,coupler.P")

    def test_bad_ranges(self):
        for text, words in (("A.angle", "name=value"), ("A.angle=1", "from:to"), ("A.angle=1:1", "empty"),
                            ("A.angle=0:1:0", "whole number"), ("Z.angle=0:1", "no coordinate")):
            self.fails(2, words, "mechanism", "sweep", FOUR_BAR, "--drive", text)
        self.fails(2, "--drive", "mechanism", "sweep", FOUR_BAR)
        self.fails(2, "no point", "mechanism", "sweep", FOUR_BAR, "--drive", "A.angle=0:1", "--points", "x.y")


class Simulate(CliTest):
    def test_pendulum_in_all_coordinates(self):
        model = self.file("p.json", pendulum(initial={"q": {"A.angle": 0.2 - math.pi / 2}, "v": {"A.angle": 0.1}}))
        ends = []
        for kind in PLANAR_KINDS:
            found = self.json("simulate", model, "--for", "2s", "--formulation", kind)
            self.assertEqual((found["schema"], found["ending"]), ("axode.mechanism_simulate/1", "finished"))
            self.assertLess(found["energy_drift"], 1e-6)
            ends.append(found["coordinates"]["A.angle"])
        for end in ends[1:]:
            self.assert_close(end, ends[0], 1e-5)

    def test_records(self):
        out = self.folder / "run.csv"
        self.ok("simulate", FOUR_BAR, "--no-drivers", "--for", "0.5s", "--sample", "0.1s", "--points",
                "coupler.P", "--out", out)
        rows = list(csv.DictReader(out.read_text().splitlines()))
        self.assert_close([float(row["time [s]"]) for row in rows], [0, .1, .2, .3, .4, .5], 1e-12)
        self.assert_close([float(rows[0]["A.angle [rad]"]), float(rows[0]["A.angle' [rad/s]"])], [0.1, 2], 1e-10)
        energies = [float(row["kinetic [J]"]) + float(row["potential [J]"]) for row in rows]
        self.assertLess(max(energies) - min(energies), 1e-4)

    def test_records_a_run_file(self):
        out, table = self.folder / "run.mcap", self.folder / "run.csv"
        arguments = ("simulate", SLIDER_CRANK, "--for", "0.5s", "--sample", "0.1s", "--out")
        self.ok(*arguments, table)
        self.ok(*arguments, out)
        self.ok("export", out, "-o", self.folder / "all.csv")
        rows = list(csv.DictReader(table.read_text().splitlines()))
        found = list(csv.DictReader((self.folder / "all.csv").read_text().splitlines()))
        self.assertEqual(len(found), 6)
        for name in ("A.angle", "1.angle", "2.angle"):
            self.assert_close([float(row[f"q:{name} [rad]"]) for row in found],
                              [float(row[f"{name} [rad]"]) for row in rows], 1e-12)
            self.assert_close([float(row[f"v:{name} [rad/s]"]) for row in found],
                              [float(row[f"{name}' [rad/s]"]) for row in rows], 1e-12)
        solved = self.json("mechanism", "solve", SLIDER_CRANK, "--at", "0.3s", "--reactions")
        self.assert_close([float(found[3]["tau:A.angle [N m]"])], [solved["drivers"]["A.angle"]], 1e-4)
        for row in found:
            self.assertLess(float(row["violation:position"]), 1e-8)
        page = self.folder / "run.html"
        self.ok("view", out, "--no-browser", "--out", page)
        self.assertIn("slider_crank: run.mcap", page.read_text())
        info = self.json("info", out)
        self.assertEqual((info["complete"], info["samples"], info["coordinates"][0]), (True, 6, "A.angle"))
        self.fails(5, "exists already", *arguments, out)
        self.fails(2, "x.mcap: the ending names no format; give a table .csv or a drawing .svg", "mechanism", "solve", SLIDER_CRANK, "--out", "x.mcap")

    def test_run_files_have_the_end(self):
        for duration, sample in (("2s", "5s"), ("0.25s", "0.1s")):
            out = self.folder / f"{duration}.mcap"
            self.ok("simulate", SLIDER_CRANK, "--for", duration, "--sample", sample, "--out", out)
            self.assertAlmostEqual(self.json("info", out)["last_time"], float(duration[:-1]))

    def test_run_files_of_models_that_options_changed(self):
        out, page = self.folder / "run.mcap", self.folder / "run.html"
        model = self.file("p.json", pendulum())
        self.ok("simulate", model, "--set", "A.angle=3*t", "--out", out)
        self.assertEqual(self.ok("view", out, "--no-browser", "--out", page), f"{page}\n")
        for options in ([], ["--set", "A.angle=3*t"]):
            model = self.file("p.json", pendulum())
            self.ok("simulate", model, *options, "--out", out, "--force")
            self.file("p.json", pendulum(name="other"))
            error = cli_test.run("view", out, "--no-browser", "--out", page, "--force").stderr
            self.assertIn("has changed since this run was made", error)

    def test_killed_it_keeps_what_it_has(self):
        model, table = self.file("p.json", pendulum()), self.folder / "run.csv"
        for part in range(3):
            out = self.folder / f"{part}.mcap"
            child = subprocess.Popen([cli_test.AXODE, "simulate", str(model), "--for", "2000h",
                                      "--sample", "100s", "--checkpoint", "1000h", "--max-steps", str(10**15),
                                      "--out", str(out)],
                                     stderr=subprocess.DEVNULL, cwd=ROOT)
            time.sleep(0.3 * part)
            found = [self.samples_above(out, 1)]
            found.append(self.samples_above(out, found[0]))
            child.kill()
            child.wait()
            result = cli_test.run("export", out, "-o", table, "--force")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("ends early", result.stderr)
            self.assertGreaterEqual(len(table.read_text().splitlines()) - 1, found[1])

    def test_interrupted_it_keeps_what_it_has(self):
        out = self.folder / "run.csv"
        model = self.file("p.json", pendulum())
        child = subprocess.Popen([cli_test.AXODE, "simulate", str(model), "--for", "20h", "--out",
                                  str(out), "--max-steps", str(10**15)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
        self.assertIn(b"left", child.stderr.readline())  # it tells how far it is: it runs
        child.send_signal(signal.SIGINT)
        text, error = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, error)
        self.assertIn(b"stopped at", text)
        self.assertRegex(error, rb"axode: warning: interrupted at .* s; the file has the samples up to there\n$")
        rows = list(csv.DictReader(out.read_text().splitlines()))
        self.assertGreater(len(rows), 10)
        self.assertTrue(all(len(row) == 6 and None not in row.values() for row in rows))

    def test_files_are_checked_before_the_run(self):
        out = self.file("run.csv", "mine")
        started = time.monotonic()
        self.fails(5, "exists already", "simulate", FOUR_BAR, "--for", "1000h", "--out", out)
        self.assertLess(time.monotonic() - started, 20)

    def test_turns_between_samples_are_counted(self):
        # Thirty turns a second and a swing, a row every second: turns are counted between rows.
        drivers = [{"coordinate": "A.angle", "value": "180*t + 2*sin(9*t)"}]
        model = self.file("p.json", pendulum(drivers=drivers))
        for kind in ("natural", "mixed", "reference-point"):
            found = self.json("simulate", model, "--for", "3s", "--sample", "1s", "--formulation", kind)
            self.assertEqual(found["samples"], 4)
            self.assertAlmostEqual(found["coordinates"]["A.angle"][0], 540 + 2 * math.sin(27), delta=1e-4)
        free = self.file("free.json", {**pendulum(initial={"v": {"A.angle": 180}}), "gravity": [0, 0]})
        for kind in PLANAR_KINDS:
            found = self.json("simulate", free, "--for", "3s", "--sample", "1s", "--formulation", kind,
                              "--rtol", "1e-8", "--atol", "1e-10")
            self.assertAlmostEqual(found["coordinates"]["A.angle"][0], 540, delta=1e-3)

    def test_turns_are_whole_with_rows_far_apart(self):
        model = self.file("p.json", pendulum(drivers=[{"coordinate": "A.angle", "value": "9 + 25*t + 6*sin(7*t)"}]))
        out, table = self.folder / "run.mcap", self.folder / "run.csv"
        for kind in PLANAR_KINDS:
            arguments = ("simulate", model, "--for", "3s", "--sample", "1.5s", "--formulation", kind,
                         "--force", "--out")
            for file, name in ((table, "A.angle [rad]"), (out, "q:A.angle [rad]")):
                result = cli_test.run(*arguments, file)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                if file == out:
                    self.ok("export", out, "-o", table, "--force")
                rows = list(csv.DictReader(table.read_text().splitlines()))
                self.assert_close([float(row[name]) for row in rows],
                                  [9 + 25 * t + 6 * math.sin(7 * t) for t in (0, 1.5, 3)], 1e-6)

    def test_runs_that_fail_do_not_warn_of_turns(self):
        model = self.file("p.json", {**pendulum(), "gravity": [0, -9.81e12]})
        for kind in PLANAR_KINDS:
            result = self.fails(6, "max_steps", "simulate", model, "--for", "3s", "--sample", "1s",
                                "--max-steps", "300", "--formulation", kind)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_starts_against_drivers(self):
        self.fails(2, "--q: 'A.angle' is driven, and its driver says 0.1", "simulate", FOUR_BAR,
                   "--q", "A.angle=99")
        self.fails(2, "--v: 'A.angle' is driven, and its driver says 2", "simulate", FOUR_BAR,
                   "--v", "A.angle=3")
        self.ok("simulate", FOUR_BAR, "--for", "10ms", "--q", "A.angle=0.1", "--v", "A.angle=2")

    def test_drivers_on_another_turn(self):
        # The same motion, whatever turn the driver counts from.
        for file, driver in ((FOUR_BAR, "A.angle={}+2*t"), (SLIDER_CRANK, "A.angle={}+2*t"),
                             ("examples/mechanisms/problem_2_08_geared_five_bar.json", "A.angle={}+1.1+0.3*t")):
            for kind in PLANAR_KINDS:
                plain, turned = (self.json("simulate", file, "--for", "50ms", "--formulation", kind,
                                           "--set", driver.format(start))["coordinates"]
                                 for start in (0.1, 0.1 - 4 * math.pi))
                for name in plain:
                    self.assertAlmostEqual(math.remainder(plain[name][0] - turned[name][0], 2 * math.pi), 0, delta=1e-7)
                    self.assertAlmostEqual(plain[name][1], turned[name][1], delta=1e-6)

    def test_gears_know_the_turn_of_a_driver(self):
        # A turn more of the first gear: the second is 2.25 turns back, in all coordinates.
        model = "examples/mechanisms/problem_2_06_gear_pair.json"

        def ends(kind, start):
            return self.json("simulate", model, "--for", "50ms", "--formulation", kind,
                             "--set", f"psi1={start}+1.4*t")["coordinates"]

        for kind in PLANAR_KINDS:
            plain, turned = (ends(kind, start) for start in (-0.1, -0.1 + 2 * math.pi))
            self.assertAlmostEqual(math.remainder(turned["1.angle"][0] - plain["1.angle"][0], 2 * math.pi), 0, delta=1e-7)
            self.assertAlmostEqual(
                math.remainder(turned["2.angle"][0] - plain["2.angle"][0] + 4.5 * math.pi, 2 * math.pi), 0, delta=1e-6)

    def test_too_many_samples(self):
        self.fails(6, "samples", "simulate", FOUR_BAR, "--for", "1000h")
        self.fails(6, "--sample", "simulate", FOUR_BAR, "--for", "1000h", "--sample", "0", "--step", "1ms")

    def test_bad_options(self):
        self.fails(2, "--step: give a time above 0", "simulate", FOUR_BAR, "--step", "0")
        self.fails(2, "no 'euler'", "simulate", FOUR_BAR, "--method", "euler")
        self.fails(2, "above 0", "simulate", FOUR_BAR, "--for", "0")
        self.fails(2, "tolerances", "simulate", FOUR_BAR, "--rtol", "2")


class Linearize(CliTest):
    def test_pendulum(self):
        # (J + m l^2) z'' = -m g l sin z about the lowest point, m l = 1, J + m l^2 = 1.5
        model = self.file("p.json", pendulum())
        found = self.json("linearize", model, "--q", "A.angle=-90deg")
        omega = math.sqrt(9.81 / 1.5)
        self.assertEqual((found["schema"], found["independent"]), ("axode.mechanism_linearize/1", ["A.angle"]))
        self.assert_close([found["tau"][0], found["a"][0]], [0, 0], 1e-12)
        self.assert_close(found["A"][1], [-9.81 / 1.5, 0], 1e-12)
        self.assert_close(found["B"][1], [1 / 1.5], 1e-12)
        self.assert_close(found["frequencies"], [omega / 2 / math.pi] * 2, 1e-12)
        self.assert_close(found["damping_ratios"], [0, 0], 1e-12)
        held = self.json("linearize", model, "--q", "A.angle=30deg")
        self.assert_close(held["tau"], [9.81 * math.cos(math.pi / 6)], 1e-12)
        self.assert_close([held["K"][0][0]], [-9.81 / 2], 1e-12)
        falling = self.json("linearize", model, "--q", "A.angle=0", "--tau", "A.angle=0")
        self.assert_close(falling["a"], [-9.81 / 1.5], 1e-12)

    def test_four_bar_in_all_coordinates(self):
        start = ("--no-drivers", "--q", "A.angle=60deg", "--v", "A.angle=1.5")
        first = self.json("linearize", FOUR_BAR, *start)
        self.assertEqual(first["formulation"], "natural")
        for kind in PLANAR_KINDS:
            found = self.json("linearize", FOUR_BAR, *start, "--formulation", kind)
            for key in ("A", "B"):
                self.assert_close(sum(found[key], []), sum(first[key], []), 1e-8)
        rocker = self.json("linearize", FOUR_BAR, *start, "--independent", "B.angle")
        self.assertEqual(rocker["independent"], ["B.angle"])

    def test_as_the_run_moves(self):
        # Two runs from rest close to the stable equilibrium, where nothing holds the crank.
        at = 4.333
        found = self.json("linearize", FOUR_BAR, "--no-drivers", "--q", f"A.angle={at}", "--v", "A.angle=0", "--tau",
                          "A.angle=0")
        h, t = 1e-4, 1e-3

        def end(q):
            run = self.json("simulate", FOUR_BAR, "--no-drivers", "--q", f"A.angle={q!r}", "--v", "A.angle=0", "--for",
                            f"{t}s", "--rtol", "1e-12", "--atol", "1e-14")
            return run["coordinates"]["A.angle"][1]
        self.assertAlmostEqual((end(at + h) - end(at - h)) / (2 * h * t), found["A"][1][0], delta=1e-3)
        self.assert_close(found["q"], [at], 1e-9)
        solved = self.json("mechanism", "solve", FOUR_BAR, "--no-drivers", "--q", f"A.angle={at}")["coordinates"]
        self.assert_close([solved["A.angle"][0], solved["B.angle"][0]], [at - 2 * math.pi, four_bar(at)[1]], 1e-9)

    def test_forms(self):
        text = self.ok("linearize", FOUR_BAR, "--no-drivers")
        for words in ("State matrix A", "Stiffness matrix K", "damping ratio"):
            self.assertIn(words, text)
        rows = list(csv.reader(self.ok("linearize", FOUR_BAR, "--no-drivers", "--csv").splitlines()))
        self.assertEqual(rows[0], ["state", "A q A.angle", "A v A.angle", "B A.angle"])
        self.assertEqual(len(rows), 3)

    def test_what_cannot_be(self):
        self.fails(4, "no degree of freedom is left; leave the drivers out by --no-drivers", "linearize", FOUR_BAR)
        self.fails(2, "--tau: 'B.angle' is not an independent coordinate", "linearize", FOUR_BAR, "--no-drivers",
                   "--tau", "B.angle=1")
        self.fails(2, "--independent: .*no coordinate 'X.angle'", "linearize", FOUR_BAR, "--no-drivers", "--independent",
                   "X.angle")
        self.fails(3, "'A.angle' has a driver", "linearize", FOUR_BAR, "--independent", "A.angle")


class MobilityAndCompare(CliTest):
    def test_mobility(self):
        for file, kinds in ((FOUR_BAR, PLANAR_KINDS), (RSCR, SPATIAL_KINDS)):
            for kind in kinds:
                driven = self.json("mechanism", "mobility", file, "--formulation", kind)
                free = self.json("mechanism", "mobility", file, "--no-drivers", "--formulation", kind)
                self.assertEqual((driven["mobility"], free["mobility"], free["gruebler"]), (0, 1, 1))
                self.assertEqual(free["velocities"] - free["rank"], 1)

    def test_over_constrained_is_told(self):
        model = without_comments(FOUR_BAR)
        model["planar"] = False
        model["gravity"] = [0, 0, -9.81]
        for body in model["bodies"]:
            body.pop("inertia", None)
            body["points"] = {name: [*at, 0] for name, at in body["points"].items()}
            if "pose" in body:
                pose = body["pose"]
                body["pose"] = {"position": [*pose.get("position", [0, 0]), 0], "rpy": [0, 0, pose.get("angle", 0)]}
        for joint in model["joints"]:
            joint["axes"] = [[0, 0, 1], [0, 0, 1]]
        for part in ("coordinates", "couplings", "forces"):
            model.pop(part, None)
        spatial = self.file("spatial.json", model)
        text = self.ok("mechanism", "mobility", spatial, "--formulation", "reference-point", "--no-drivers")
        self.assertIn("mobility 1", text)
        self.assertIn("by Gruebler's count -2", text)
        self.assertIn("over-constrained: 3 equations that follow from others here; reactions are not unique", text)
        self.assertRegex(text, r"'.*: parallel axes \(\d\)' \(joint '.'\) ")
        self.assertIn("1 degree of freedom is not driven", text)
        found = self.json("mechanism", "mobility", spatial, "--formulation", "reference-point")
        self.assertEqual((found["redundant"], found["degrees_of_freedom_left"]), (3, 0))

    def test_operations_of_the_jacobian(self):
        found = self.json("mechanism", "compare", FOUR_BAR)["formulations"]
        # The difference of two points twice; twice that is free: d|a|^2 = 2 a.
        for kind in PLANAR_KINDS:
            self.assertGreater(found[kind]["jacobian_operations"], 0)
        self.assertEqual(found["natural"]["jacobian_sines_and_cosines"], 1)  # of the driven angle
        self.assertLess(found["natural"]["jacobian_operations"], found["reference-point"]["jacobian_operations"])
        text = self.ok("mechanism", "compare", FOUR_BAR)
        self.assertRegex(text.splitlines()[0], "operations  sin, cos")
        self.assertIn("sums and products count one", text)

    def test_formulations_agree(self):
        for file, kinds in ((FOUR_BAR, PLANAR_KINDS), (SLIDER_CRANK, PLANAR_KINDS), (RSCR, SPATIAL_KINDS)):
            found = self.json("mechanism", "compare", file, "--at", "0.2s")
            self.assertEqual((found["agree"], found["not_determined"]), (True, []))
            found = found["formulations"]
            self.assertEqual(set(found), set(kinds))
            for kind in kinds:
                self.assertNotIn("problem", found[kind])
                self.assertLess(max(found[kind][x] for x in ("position", "velocity", "acceleration")), 1e-9)

    def test_differences_have_their_exit_code(self):
        # Rounding is all that differs: with no tolerance, it is told; all is printed before.
        found = cli_test.run("mechanism", "compare", SLIDER_CRANK, "--at", "0.2s", "--tolerance", "0")
        self.assertEqual(found.returncode, 4, found.stderr)
        self.assertRegex(found.stderr, r"error: .*reference-point differs by [0-9.]+e-1\d in position, .* in acceleration")
        self.assertNotRegex(found.stderr, "natural|failed")  # the first, that others are compared with
        self.assertRegex(found.stdout, r"(?m)^relative .*e-1\d")
        found = cli_test.run("mechanism", "compare", SLIDER_CRANK, "--at", "0.2s", "--tolerance", "0", "--json")
        self.assertEqual(found.returncode, 4)
        self.assertIs(json.loads(found.stdout)["agree"], False)
        self.ok("mechanism", "compare", SLIDER_CRANK, "--at", "0.2s", "--tolerance", "1e-12")
        for tolerance in ("-1", "nan"):
            self.fails(2, "--tolerance: give a number of 0 or more", "mechanism", "compare", SLIDER_CRANK,
                       "--tolerance", tolerance)
        self.fails(2, "argument '--tolerance' was not expected", "mechanism", "solve", SLIDER_CRANK, "--tolerance", "1")

    def test_what_is_free_is_not_compared(self):
        text = self.ok("mechanism", "compare", "examples/mechanisms/problem_2_18_rssr.json")
        self.assertIn("not determined, and not compared: what is free of 'coupler'", text)
        found = self.json("mechanism", "compare", "examples/mechanisms/problem_2_18_rssr.json")
        self.assertEqual((found["agree"], found["not_determined"]), (True, ["coupler"]))
        for kind in SPATIAL_KINDS:
            self.assertLess(max(found["formulations"][kind][x] for x in ("position", "velocity", "acceleration")), 1e-9)


class Loops(CliTest):
    URDF = """<robot name="r">
 <link name="base"/><link name="crank"/><link name="rocker"/>
 <link name="coupler"/>
 <joint name="a" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/></joint>
 <joint name="c" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="1 0 0" rpy="0 0 0.7"/>
  <axis xyz="0 0 1"/></joint>
 <joint name="b" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="4 0 0" rpy="0 0 1.7"/>
  <axis xyz="0 0 1"/></joint>
</robot>"""

    def test_urdf_with_a_loop(self):
        urdf = self.file("r.urdf", self.URDF)
        loops = self.file("loops.json", {
            "axode_mechanism": 1,
            "joints": [{"name": "l", "type": "revolute", "bodies": ["coupler", "rocker"],
                        "points": [[3.5, 0, 0], [2.5, 0, 0]], "axes": [[0, 0, 1], [0, 0, 1]]}],
            "drivers": [{"coordinate": "a.angle", "value": "1 + t"}]})
        for kind in ("natural", "relative", "reference-point"):
            found = self.json("mechanism", "solve", urdf, "--loops", loops, "--formulation", kind)
            coupler, rocker = four_bar(1)
            # Angles count from q = 0, as in the URDF.
            self.assert_close([found["coordinates"]["c.angle"][0], found["coordinates"]["b.angle"][0]],
                              [coupler - 1 - 0.7, rocker - 1.7], 1e-10)

    def test_verbs_of_all_kinds_take_loops(self):
        urdf = self.file("r.urdf", self.URDF)
        loops = self.file("loops.json", {
            "axode_mechanism": 1,
            "joints": [{"name": "l", "type": "revolute", "bodies": ["coupler", "rocker"],
                        "points": [[3.5, 0, 0], [2.5, 0, 0]], "axes": [[0, 0, 1], [0, 0, 1]]}],
            "drivers": [{"coordinate": "a.angle", "value": "1 + t"}]})
        self.assertEqual(self.ok("check", urdf, "--loops", loops), "ok\n")
        self.assertIn("5 joints", self.ok("info", urdf, "--loops", loops))
        self.ok("view", urdf, "--loops", loops, "-o", self.folder / "r.html", "--no-browser")
        self.ok("export", urdf, "--loops", loops, "-o", self.folder / "r.glb")
        self.fails(5, "none.json", "check", urdf, "--loops", self.folder / "none.json")

    def test_trees_need_loops(self):
        self.fails(3, "--loops FILE", "mechanism", "solve", self.file("r.urdf", self.URDF))

    def test_loops_have_no_bodies(self):
        urdf = self.file("r.urdf", self.URDF)
        loops = self.file("loops.json", {"axode_mechanism": 1, "bodies": []})
        self.fails(3, "links of the model", "mechanism", "solve", urdf, "--loops", loops)


class Refusals(CliTest):
    def test_usage(self):
        self.fails(2, "did you mean 'solve'", "mechanism", "slove", FOUR_BAR)
        self.fails(2, "a model file is needed", "mechanism", "solve")
        self.fails(2, "--json excludes --csv", "mechanism", "solve", FOUR_BAR, "--json", "--csv")
        self.fails(2, "no 'cartesian'", "mechanism", "solve", FOUR_BAR, "--formulation", "cartesian")
        self.fails(2, "no coordinate", "mechanism", "solve", FOUR_BAR, "--add", "Q.angle")
        self.fails(2, "no coordinate", "mechanism", "solve", FOUR_BAR, "--set", "Q.angle=1")
        self.fails(2, "not an assignment", "mechanism", "solve", FOUR_BAR, "--set", "A.angle")
        self.fails(5, "", "mechanism", "solve", self.folder / "none.json")
        self.fails(3, "axode_mechanism", "mechanism", "solve", cli_test.ARM)
        self.assertIn("Examples:", self.ok("mechanism", "solve", "--help"))

    def test_options_of_other_actions(self):
        for action, options in (("solve", ("--points=coupler.P", "--drive=A.angle=0:1")), ("sweep", ("--print", "--at=1")),
                                ("mobility", ("--csv", "--out=a.svg")), ("compare", ("--csv", "--formulation=relative"))):
            more = ("--drive", "A.angle=0:1") if action == "sweep" else ()
            for option in options:
                self.fails(2, f"argument '{option}' was not expected.*; see `axode mechanism {action} --help`",
                           "mechanism", action, FOUR_BAR, *more, option)
        self.fails(2, "--reactions has no effect with --csv", "mechanism", "solve", FOUR_BAR, "--reactions", "--csv")
        self.fails(2, "--print has no effect with --json", "mechanism", "solve", FOUR_BAR, "--print", "--json")

    def test_forces_that_do_not_make_the_motion(self):
        # A torque with a part along the rod between two balls, which nothing can balance.
        model = without_comments("examples/mechanisms/rssp.json")
        bodies = {body["name"]: body for body in model["bodies"]}
        self.assertTrue(bodies["rod"]["rod"])
        quiet = cli_test.run("mechanism", "solve", self.file("q.json", model), "--reactions")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        model["forces"] = {"loads": [{"body": "rod", "torque": [1, 2, 3]}]}
        for kind in ("natural", "relative", "reference-point"):
            found = cli_test.run("mechanism", "solve", self.file("t.json", model), "--reactions", "--formulation", kind)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertRegex(found.stderr, "warning: .*the forces do not make this motion: [0-9.]+ N or N m are missing")

    def test_inertias_that_no_body_has(self):
        model = without_comments(RSCR)
        body = next(b for b in model["bodies"] if b["name"] != "world")
        body["inertia"] = {"mass": 1, "com": [0, 0, 0], "about_com": [1, 1, 5]}
        found = cli_test.run("mechanism", "solve", self.file("r.json", model))
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertRegex(found.stderr, f"warning: .*body '{body['name']}': ")

    def test_bad_models(self):
        model = pendulum()
        model["joints"][0]["bodies"] = ["rod", "rod"]
        self.fails(3, "with itself", "mechanism", "solve", self.file("p.json", model))


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
