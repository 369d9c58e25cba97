"""Tests `axode flexible` as its users see it.

Usage: flexible_test.py AXODE [unittest options]
"""

import csv
import json
import math
import re
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import cli_test
from cli_test import CliTest, ROOT

ARM = "examples/flexible/arm4.json"
PENDULUM = "examples/flexible/pendulum.json"
TWO_LINK = "examples/flexible/two_link.json"
SPIN_UP = "examples/flexible/spin_up.json"
BRANCHED = "examples/flexible/branched.json"
SVG = "{http://www.w3.org/2000/svg}"


def model(file):
    """An example without its comments."""
    return json.loads(re.sub(r"^\s*//.*$|  //[^\"]*$", "", Path(ROOT, file).read_text(), flags=re.M))


def lines_of(file):
    """The polylines of a plot, and all its texts."""
    root = xml.etree.ElementTree.parse(file).getroot()
    lines = [line.get("points").split() for line in root.iter(SVG + "polyline")]
    return lines, [text.text for text in root.iter(SVG + "text")]


def rows(text):
    return list(csv.reader(text.splitlines()))


class Info(CliTest):
    def test_says_what_is_there(self):
        text = self.ok("info", ARM)
        self.assertIn("arm4: 4 links, 4 joint and 12 elastic coordinates", text)
        self.assertIn("upper.bend_y1", text)
        found = self.json("info", ARM)
        self.assertEqual(found["schema"], "axode.flexible/1")
        self.assertEqual((found["joints"], found["coordinates"], len(found["names"])), (4, 16, 16))
        upper = found["links"][1]
        self.assertAlmostEqual(upper["mass"], 2700 * 0.0035 * 4, 12)
        self.assertAlmostEqual(upper["tip_mass"], 36.3296, 12)
        self.assertLess(upper["mass_orthogonality"], 1e-12)
        self.assertLess(upper["stiffness_orthogonality"], 1e-12)
        # Torsion of a clamped bar: sqrt(G It / (rho Jp)) / 4L.
        speed = math.sqrt(26e9 * 2.6101446428571434e-05 / (2700 * (1.482916666666669e-05 + 2.0929166666666693e-05)))
        self.assertAlmostEqual(upper["modes"][0]["frequency"], speed / 16, 9)
        self.assertAlmostEqual(upper["modes"][1]["frequency"], 3 * speed / 16, 9)

    def test_all_examples(self):
        for file in (PENDULUM, TWO_LINK, SPIN_UP, BRANCHED):
            self.assertIn("frequency [Hz]", self.ok("info", file))
        self.assertIn("with geometric stiffening", self.ok("info", SPIN_UP))
        self.assertIn("tapered", self.ok("info", BRANCHED))

    def test_shapes_are_plotted(self):
        file = self.folder / "shapes.svg"
        self.ok("info", ARM, "-o", file)
        lines, texts = lines_of(file)
        self.assertEqual(len(lines), 12)
        self.assertIn("fore: bend_z", texts)
        self.fails(5, "exists already", "info", ARM, "-o", file)
        self.ok("info", ARM, "-o", file, "--force")


class Modes(CliTest):
    def test_closed_loop_spectrum_is_the_reference(self):
        spectrum = json.loads((ROOT / "tests/data/flexible/spectrum_arm4.json").read_text())["hold_nl"]
        file = self.file("arm.json", {**model(ARM), "rotation": "xyz"})
        joints = ",".join(repr(q) for q in spectrum["equilibrium"][:4])
        found = self.json("flexible", "modes", file, "--q", joints, "--joints", "servo", "--count", 99)
        reference = sorted(math.hypot(a, b) for a, b in zip(spectrum["eig_re"], spectrum["eig_im"]) if b > 1e-6)
        mine = sorted(2 * math.pi * m["frequency"] for m in found["modes"] if m["eigenvalue"][1] > 1e-6)
        self.assertEqual(len(mine), len(reference))
        for a, b in zip(mine, reference):
            self.assertLess(abs(a - b), 1e-6 * b)
        for a, b in zip(found["q"], spectrum["equilibrium"]):
            self.assertLess(abs(a - b), 1e-8)

    def test_pinned_beam_is_that_of_the_books(self):
        # A free joint makes the clamped modes of a pendulum pinned-free: beta L = 3.9266.
        light = model(PENDULUM)
        light["gravity"] = [0, 0, 0]
        light["links"][0]["modes"]["bend_y"] = 6
        beam = light["links"][0]["beam"]
        found = self.json("flexible", "modes", self.file("p.json", light), "--joints", "free")
        self.assertLess(found["modes"][0]["frequency"], 1e-3)
        omega = (3.92660231 / 3) ** 2 * math.sqrt(beam["E"] * beam["section"]["Iz"] / (2700 * beam["section"]["area"]))
        self.assertLess(abs(2 * math.pi * found["modes"][1]["frequency"] / omega - 1), 0.01)

    def test_sweep_in_all_forms(self):
        sweep = ("flexible", "modes", ARM, "--sweep", "fore=0:120deg:4", "--count", 3)
        table = self.ok(*sweep)
        self.assertEqual(len(table.splitlines()), 6)
        found = rows(self.ok(*sweep, "--csv"))
        self.assertEqual(found[0], ["fore [rad]", "f1 [Hz]", "f2 [Hz]", "f3 [Hz]"])
        full = self.json(*sweep)
        self.assertEqual((len(full["places"]), len(full["modes"]), len(full["modes"][0])), (5, 5, 3))
        self.assertEqual(float(found[1][1]), full["modes"][0][0]["frequency"])
        self.assertLess(full["modes"][0][0]["frequency"], full["modes"][4][0]["frequency"])  # straight is softer
        out, svg = self.folder / "f.csv", self.folder / "f.svg"
        self.ok(*sweep, "-o", out, "--out", svg)
        self.assertEqual(rows(out.read_text()), found)
        lines, texts = lines_of(svg)
        self.assertEqual([len(line) for line in lines], [5, 5, 5])
        self.assertIn("frequency [Hz]", texts)

    def test_one_pose(self):
        text = self.ok("flexible", "modes", ARM, "--count", 2)
        self.assertIn("fore.bend_z1", text)
        head, first = rows(self.ok("flexible", "modes", ARM, "--csv"))[:2]
        self.assertEqual(head[:3], ["mode", "frequency [Hz]", "damping ratio"])
        self.assertEqual(len(first), 19)
        svg = self.folder / "m.svg"
        self.ok("flexible", "modes", ARM, "-o", svg)
        self.assertIn("fore bend_z", lines_of(svg)[1])

    def test_usage(self):
        self.fails(2, "--joints: there is no 'fixed'", "flexible", "modes", ARM, "--joints", "fixed")
        self.fails(2, "--sweep: there is no joint 'for'; did you mean 'fore'", "flexible", "modes", ARM, "--sweep", "for=0:1")
        self.fails(2, "not a range", "flexible", "modes", ARM, "--sweep", "fore=0")
        self.fails(2, "steps", "flexible", "modes", ARM, "--sweep", "fore=0:1:0")
        self.fails(3, "needs the gains", "flexible", "modes", PENDULUM, "--joints", "servo")
        self.fails(2, "--equations: there is no 'both'; choose linear or nonlinear", "flexible", "modes", ARM, "--equations", "both")


class Linearize(CliTest):
    def test_state_space_moves_as_the_run(self):
        # A short free motion is exp(A t) about the equilibrium: x' = A dx at the start.
        found = self.json("linearize", PENDULUM, "--q", "rod=-90deg")
        n = 3
        self.assertEqual((len(found["A"]), len(found["A"][0]), len(found["B"][0])), (2 * n, 2 * n, n))
        self.assertTrue(all(abs(x) < 1e-6 for x in found["a"]))
        for i in range(n):  # M A = -K, D = 0: the rows of velocities
            for k in range(1, n):
                left = -sum(found["M"][i][j] * found["A"][n + j][k] for j in range(n))
                self.assertAlmostEqual(left, found["K"][i][k], delta=1e-9 * found["K"][n - 1][n - 1])
            identity = [sum(found["M"][i][j] * found["B"][n + j][k] for j in range(n)) for k in range(n)]
            self.assert_close(identity, [float(i == k) for k in range(n)], 1e-10)
        frequencies = sorted(abs(x[1]) for x in found["eigenvalues"])
        modes = self.json("flexible", "modes", PENDULUM, "--q", "rod=-90deg", "--joints", "free")["modes"]
        self.assertLess(abs(frequencies[0] - 2 * math.pi * modes[0]["frequency"]), 1e-6)

    def test_forms(self):
        text = self.ok("linearize", TWO_LINK, "--equations", "linear")
        self.assertIn("State matrix A", text)
        self.assertIn("frequency [Hz]", text)
        table = rows(self.ok("linearize", TWO_LINK, "--csv"))
        self.assertEqual((len(table), len(table[0])), (13, 1 + 12 + 6))
        moving = self.json("linearize", TWO_LINK, "--q", "second=1", "--v", "first=2", "--tau", "first=3")
        self.assertEqual((moving["q"][1], moving["v"][0], moving["tau"][0]), (1, 2, 3))
        self.fails(2, "give one for each of 2 joints, or 6 coordinates", "linearize", TWO_LINK, "--q", "1,2,3")
        self.fails(2, "--q: 'first' is given twice", "linearize", TWO_LINK, "--q", "first=1,first=2")
        self.fails(2, "is not an angle", "linearize", TWO_LINK, "--q", "first.bend_y1=3deg")


class Simulate(CliTest):
    def test_pendulum_ends_where_the_reference_does(self):
        for kind, end in (("linear", -2.8827915144183129), ("nonlinear", -2.8827915144183129)):
            found = self.json("simulate", PENDULUM, "--equations", kind, "--rtol", 1e-9, "--atol", 1e-11)
            run = found["runs"][0]
            self.assertEqual((run["ending"], run["time"], run["equations"]), ("finished", 2, kind))
            self.assertLess(abs(run["q"][0] - end), 1e-6)
            self.assertLess(run["energy_drift"], 1e-4)

    def test_both_models_and_their_difference(self):
        found = self.json("simulate", PENDULUM, "--equations", "both", "--rtol", 1e-9, "--atol", 1e-11)
        self.assertEqual([run["equations"] for run in found["runs"]], ["linear", "nonlinear"])
        self.assertLess(abs(found["difference"]["q"][0] / 1.327e-07 - 1), 0.05)
        self.assertLess(abs(found["difference"]["largest_q"][0] - 3.1415085), 1e-6)
        text = self.ok("simulate", PENDULUM, "--equations", "both")
        self.assertRegex(text, r"linear model: finished at 2 s\n(.*\n)*nonlinear model: finished at 2 s\n")
        self.assertRegex(text, r"CPU time of the nonlinear model / linear model: [\d.]+")

    def test_files(self):
        out = self.folder / "run.csv"
        printed = self.ok("simulate", TWO_LINK, "--for", "0.1s", "--csv")
        self.ok("simulate", TWO_LINK, "--for", "0.1s", "--out", out)
        self.assertEqual(out.read_text(), printed)
        table = rows(printed)
        self.assertEqual(len(table), 12)
        self.assertEqual(table[0][:3], ["time [s]", "first [rad]", "second [rad]"])
        self.assertIn("tau first [N m]", table[0])
        both = rows(self.ok("simulate", TWO_LINK, "--for", "0.1s", "--csv", "--equations", "both"))
        self.assertEqual(len(both[0]), 2 * len(table[0]) - 1)
        mcap = self.folder / "run.mcap"
        self.ok("simulate", TWO_LINK, "--for", "0.1s", "--out", mcap)
        self.assertIn("samples      11 from 0 to 0.1 s", self.ok("info", mcap))
        exported = self.folder / "exported.csv"
        self.ok("export", mcap, "-o", exported)
        self.assertEqual(float(rows(exported.read_text())[-1][1]), float(table[-1][1]))
        self.fails(2, "a run file holds one run", "simulate", TWO_LINK, "--equations", "both", "--out", "x.mcap")
        self.fails(5, "exists already", "simulate", TWO_LINK, "--out", out)

    def test_killed_it_keeps_what_it_has(self):
        out = self.folder / "run.mcap"
        child = subprocess.Popen([cli_test.AXODE, "simulate", TWO_LINK, "--for", "1000000s",
                                  "--sample", "20s", "--checkpoint", "1000h", "--max-steps", str(10**15),
                                  "--out", str(out)],
                                 stderr=subprocess.DEVNULL, cwd=ROOT)
        before = self.samples_above(out, self.samples_above(out, 1))
        child.kill()
        child.wait()
        self.assertGreaterEqual(self.json("info", out)["samples"], before)

    def test_plots(self):
        folder = self.folder / "plots"
        self.ok("simulate", BRANCHED, "--for", "0.2s", "--equations", "both", "-o", f"{folder}/")
        names = sorted(file.name for file in folder.iterdir())
        self.assertEqual(names, ["bend_y.svg", "bend_z.svg", "energies.svg", "forces.svg", "joints.svg", "torsion.svg"])
        lines, texts = lines_of(folder / "joints.svg")
        self.assertEqual(len(lines), 3 * 6)  # of each joint q and v by both models, and their differences
        for label in ("q [deg]", "v [m/s]", "mast (exact)", "linear minus exact"):
            self.assertIn(label, texts)
        self.fails(5, "exists already", "simulate", BRANCHED, "--for", "0.2s", "-o", f"{folder}/")

    def test_spun_up_beam_needs_stiffening(self):
        found = self.json("simulate", SPIN_UP, "--equations", "both")
        tip = 2 * found["difference"]["largest_q"][1]  # of the first mode
        self.assertTrue(0.55 < tip < 0.6, tip)  # [KaneRyanBanerjee1987] figure 7
        soft = {**model(SPIN_UP), "stiffening": False}
        result = cli_test.run("simulate", self.file("s.json", soft), "--json")
        self.assertIn("link 'beam'", result.stderr)
        self.assertGreater(abs(json.loads(result.stdout)["runs"][0]["q"][1]), 5)

    def test_loss_of_definiteness_is_told(self):
        light = {**model(ARM), "rotation": "xyz"}
        light["links"][0]["inertia"] = {"mass": 60, "com": [0, 0, 0.25], "about_com": [2, 2, 1.2]}
        joints = ("column", "upper", "fore", "hand")
        light["control"]["kp"] = dict(zip(joints, (2e4, 3e4, 1.2e4, 1e3)))
        light["control"]["kd"] = dict(zip(joints, (1.2e4, 1.6e4, 4e3, 150)))
        light["duration"] = 3.2
        file = self.file("light.json", light)
        self.fails(4, r"light.json:[0-9]+: linear model: at t = 3.06.* (not|hardly) positive definite at link 'fore'", "simulate", file)
        text = self.ok("simulate", file, "--fallback")
        self.assertRegex(text, r"fallbacks +\d+ evaluations? to the exact equations")

    def test_usage(self):
        self.fails(2, "--equations: there is no 'exact'; choose linear, nonlinear or both", "simulate", ARM, "--equations", "exact")
        self.fails(2, "--exact: 'upper' is a joint", "simulate", ARM, "--exact", "upper")
        self.fails(2, "--exact: there is no coordinate 'upper.bend_y9'; did you mean", "simulate", ARM, "--exact", "upper.bend_y9")
        self.fails(2, "--rtol", "simulate", ARM, "--rtol", 2)
        self.fails(2, "--for: give a time above 0", "simulate", ARM, "--for", "0s")
        self.fails(2, "--method", "simulate", ARM, "--method", "euler")
        self.fails(6, "samples", "simulate", ARM, "--sample", "1ns", "--for", "1s")
        self.fails(2, "there is no action 'mods' of `axode flexible`; did you mean 'modes'", "flexible", "mods", ARM)
        for action, option in (("modes", "--rtol=1e-3"), ("modes", "--v=upper=1"), ("figures", "--joints=free"),
                               ("figures", "--csv")):
            self.fails(2, f"argument '{option}' was not expected", "flexible", action, ARM, option)
        self.assertIn("Examples:", self.ok("flexible", "modes", "--help"))

    def test_bad_models(self):
        self.fails(5, "nowhere.json", "flexible", "modes", "nowhere.json")
        self.fails(3, "axode_flexible", "flexible", "modes", cli_test.ARM)
        bad = model(PENDULUM)
        bad["links"][0]["beam"]["E"] = -1
        self.fails(3, r'p.json:\d+: "E" is -1; give a positive number', "flexible", "modes", self.file("p.json", json.dumps(bad, indent=1)))


class Figures(CliTest):
    def test_figures_of_the_paper(self):
        text = self.ok("flexible", "figures", ARM, "-o", self.folder, "--for", "0.7s", "--rtol", 1e-4)
        for number, word, lines in ((6, "rigid motion", 4), (7, "flexural motion in the xy planes", 4),
                                    (8, "torsional motion", 4), (9, "flexural motion in the xz planes", 4),
                                    (10, "input torques", 4)):
            file = self.folder / f"figure_{number}.svg"
            self.assertIn(str(file), text)
            found, texts = lines_of(file)
            self.assertEqual(texts[0], f"Figure {number}: {word} of arm4")
            self.assertEqual(len(found), lines * (3 if number == 10 else 6))
            self.assertIn("time [s]", texts)
        self.fails(5, "figure_6.svg: exists already", "flexible", "figures", ARM, "-o", self.folder)


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
