"""Tests of the verbs that serve every kind of model: the file says what it is, and what it does not have is refused.

Usage: verbs_test.py AXODE [unittest options]
"""

import json
import math
import random
import subprocess
import sys
import time
import unittest
from pathlib import Path

import cli_test
from cli_test import ARM, ROOT, CliTest

FOUR_BAR = "examples/mechanisms/example_2_1_four_bar.json"
PENDULUM = "examples/flexible/pendulum.json"
RSCR = "examples/mechanisms/example_2_10_rscr.json"
KINDS = {"a tree": ARM, "a mechanism": FOUR_BAR, "a flexible tree": PENDULUM}


class Verbs(CliTest):
    def test_the_file_says_what_it_is(self):
        for file, schema in ((ARM, "axode.info/1"), (FOUR_BAR, "axode.mechanism/1"), (PENDULUM, "axode.flexible/1")):
            self.assertEqual(self.json("info", file)["schema"], schema)
            run = self.json("simulate", file, "--for", "10ms", "--q", self.start(file))
            self.assertEqual(run.get("runs", [run])[0]["ending"], "finished")
        for file, schema in ((ARM, "axode.linearize/1"), (PENDULUM, "axode.flexible_linearize/1"),
                             (FOUR_BAR, "axode.mechanism_linearize/1")):
            options = ("--no-drivers",) if file == FOUR_BAR else ()
            self.assertEqual(self.json("linearize", file, *options)["schema"], schema)

    @staticmethod
    def start(file):
        return {ARM: "elbow=10deg", FOUR_BAR: "A.angle=0.1", PENDULUM: "rod=10deg"}[file]

    def test_runs_of_all_kinds_are_read_as_runs(self):
        for k, file in enumerate(KINDS.values()):
            out = self.folder / f"{k}.mcap"
            self.ok("simulate", file, "--for", "50ms", "-o", out, "--quiet")
            self.assertEqual(self.json("info", out)["samples"], 6)
            self.fails(5, "exists already", "simulate", file, "--for", "50ms", "-o", out)
            self.ok("simulate", file, "--for", "50ms", "-o", out, "--force")
            self.fails(2, "a run cannot be simulated", "simulate", out)
            self.fails(2, "a run cannot be linearized", "linearize", out)

    def test_options_of_runs_are_the_same_for_all(self):
        for k, file in enumerate(KINDS.values()):
            out = self.folder / f"{k}.mcap"
            self.ok("simulate", file, "--for", "50ms", "--max-step", "1ms", "--checkpoint", "10ms", "--binary", "-o",
                    out, "--quiet")
            info = self.json("info", out)
            self.assertEqual(info["samples"], 6)
            self.assertIn("last_checkpoint", info)
            self.fails(2, "--resume and --binary are about a run file", "simulate", file, "--resume")
            self.fails(2, "--resume excludes --force", "simulate", file, "--resume", "--force", "-o", out)
            self.fails(3, "other options", "simulate", file, "--for", "60ms", "--resume", "-o", out)
            self.fails(2, "--method: there is no 'euler'; choose among automatic", "simulate", file, "--method", "euler")
            self.fails(2, "is not a tolerance", "simulate", file, "--rtol", "2")
        for method in ("null-space", "null_space"):
            self.ok("simulate", FOUR_BAR, "--no-drivers", "--for", "50ms", "--method", method)
        self.fails(2, "--resume excludes --csv", "simulate", FOUR_BAR, "--csv", "--resume", "-o", self.folder / "x.mcap")

    def test_without_a_time_ten_seconds_are_simulated(self):
        lines = Path(ROOT, PENDULUM).read_text().splitlines(True)
        untimed = json.loads("".join(line for line in lines if not line.lstrip().startswith("//")))
        untimed.pop("duration", None)
        for file in (ARM, FOUR_BAR, self.file("untimed.json", untimed)):
            run = self.json("simulate", file)
            self.assertEqual(run.get("runs", [run])[0]["time"], 10)
        timed = self.file("timed.json", {**untimed, "duration": 0.25})
        self.assertEqual(self.json("simulate", timed)["runs"][0]["time"], 0.25)

    def test_killed_at_any_time_and_resumed_the_file_is_the_same(self):
        chance = random.Random(20261119)
        free = ("--no-drivers", "--q", "A.angle=60deg")
        for file, options in ((ARM, ()), (FOUR_BAR, free), (FOUR_BAR, (*free, "--method", "null-space", "--binary")),
                              (FOUR_BAR, (*free, "--method", "ida", "--formulation", "reference-point")),
                              (RSCR, ("--no-drivers", "--formulation", "euler-angles")),
                              (PENDULUM, ()), (PENDULUM, ("--equations", "nonlinear", "--method", "mk5", "--binary"))):
            out = self.folder / "run.mcap"
            out.unlink(missing_ok=True)
            command = ["simulate", file, "--for", "4s", "--sample", "1ms", "--checkpoint", "100ms", "--quiet", *options,
                       "--out", out]
            self.ok(*command)
            whole = out.read_bytes()
            for _ in range(2):
                out.unlink()
                child = subprocess.Popen([cli_test.AXODE, *map(str, command)], cwd=ROOT, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
                least = chance.random() * len(whole)
                while child.poll() is None and not (out.exists() and out.stat().st_size > least):
                    time.sleep(0.001)
                child.kill()
                child.wait()
                self.ok(*command, "--resume")
                self.assertEqual(out.read_bytes(), whole, (file, options))
            out.write_bytes(whole[:int(chance.random() * len(whole))])
            self.ok(*command, "--resume")
            self.assertEqual(out.read_bytes(), whole, (file, options))

    def test_initial_states_by_name(self):
        for file, name, read in ((ARM, "elbow", lambda r: r["q"][1]),
                                 (FOUR_BAR, "A.angle", lambda r: r["coordinates"]["A.angle"][0])):
            options = ("--no-drivers",) if file == FOUR_BAR else ()
            found = self.json("simulate", file, "--for", "1us", "--q", f"{name}=30deg", "--v", f"{name}=0.5", *options)
            self.assertAlmostEqual(read(found), 0.5235987756 + 0.5e-6, 9)

    def test_the_ending_says_what_is_written(self):
        """.mcap is a run, .csv a table, and what a table of one kind is, is that of its run exported or printed."""
        for file in (ARM, FOUR_BAR, PENDULUM):
            options = ("--for", "20ms", *(("--no-drivers",) if file == FOUR_BAR else ()))
            run, table = self.folder / "a.mcap", self.folder / "a.csv"
            self.ok("simulate", file, *options, "-o", run, "--force")
            self.assertEqual(self.json("info", run)["samples"], 3)
            self.ok("simulate", file, *options, "-o", table, "--force")
            text = table.read_text()
            self.assertEqual((text.split(",")[0], len(text.splitlines())), ("time [s]", 4), file)
            self.assertEqual(self.ok("simulate", file, *options, "--csv"), text)
            for wrong in ("a.txt", "a", "a.json"):
                self.fails(2, "ending names no output of a .*; write to .mcap .*.csv", "simulate", file, *options,
                           "-o", self.folder / wrong)
                self.assertFalse((self.folder / wrong).exists())
        self.ok("simulate", ARM, "--for", "20ms", "-o", self.folder / "b.mcap")
        self.ok("export", self.folder / "b.mcap", "-o", self.folder / "b.csv")
        self.ok("simulate", ARM, "--for", "20ms", "-o", self.folder / "a.csv", "--force")
        self.assertEqual((self.folder / "a.csv").read_text(), (self.folder / "b.csv").read_text())
        self.fails(2, "no output of a tree; write to .mcap", "simulate", ARM, "-o", self.folder / "a.svg")

    def test_controllers_of_all_kinds_reach_their_target(self):
        led = self.json("simulate", FOUR_BAR, "--no-drivers", "--controller", "pd:kp=4000,kd=600", "--target",
                        "A.angle=90deg", "--no-gravity", "--for", "20s")
        self.assertAlmostEqual(led["coordinates"]["A.angle"][0], 1.5707963, 3)
        for arguments, words in (
                (("--controller", "pd"), "--target COORD=NUMBER"),
                (("--target", "A.angle=1"), "there is no controller"),
                (("--controller", "computed-torque", "--target", "A.angle=1"), "inverse dynamics of a tree"),
                (("--controller", "pd:at=1s", "--target", "A.angle=1"), "trajectories of trees"),
                (("--controller", "none"), "no controllers that could be left out"),
                (("--controller", "pd", "--target", "no=1"), "no.*A.angle")):
            self.fails(2, words, "simulate", FOUR_BAR, "--no-drivers", "--for", "1ms", *arguments)
        held = self.json("simulate", PENDULUM, "--controller", "pd:kp=1e4,kd=1e3", "--for", "2s")
        free = self.json("simulate", PENDULUM, "--controller", "none", "--for", "2s")
        self.assertNotEqual(held, free)
        self.fails(2, "inverse dynamics", "simulate", PENDULUM, "--controller", "computed-torque")

    def test_options_of_other_kinds_are_refused(self):
        for what, file, options in (
                ("a tree", ARM, ("--set=a=1", "--no-drivers", "--points=a.b", "--equations=both", "--fallback", "--exact=a", "--add=a")),
                ("a mechanism", FOUR_BAR, ("--merge-fixed", "--equations=linear")),
                ("a flexible tree", PENDULUM, ("--set=a=1", "--formulation=relative", "--free-base"))):
            for option in options:
                self.fails(2, f"{option.split('=')[0]} has no effect with {what}", "simulate", file, option)
        for file, what in ((FOUR_BAR, "a mechanism"), (PENDULUM, "a flexible tree")):
            self.fails(2, f"--merge-fixed has no effect with {what}", "info", file, "--merge-fixed")
        self.fails(2, "--print has no effect with a tree", "info", ARM, "--print")
        self.fails(2, "--a has no effect with a flexible tree", "linearize", PENDULUM, "--a", "1")
        self.fails(2, "--exact has no effect with a tree", "linearize", ARM, "--exact", "a")

    def test_linear_models_of_all_kinds_have_the_same_members(self):
        found = {}
        for what, file in KINDS.items():
            options = ("--no-drivers",) if file == FOUR_BAR else ()
            linear = self.json("linearize", file, *options)
            found[what] = {**linear, **linear.pop("states", [{}])[0]}
            n = len(found[what]["independent"])
            sizes = {"A": (2 * n, 2 * n), "B": (2 * n, n), "M": (n, n), "D": (n, n), "K": (n, n), "eigenvalues": (2 * n, 2)}
            for key, (rows, columns) in sizes.items():
                self.assertEqual([len(row) for row in found[what][key]], [columns] * rows, f"{what}: {key}")
            for (real, imaginary), frequency, ratio in zip(*(found[what][key] for key in (
                    "eigenvalues", "frequencies", "damping_ratios")), strict=True):
                size = math.hypot(real, imaginary)
                self.assertAlmostEqual(2 * math.pi * frequency, size, delta=1e-12 * (1 + size))
                self.assertAlmostEqual(ratio * size, -real, delta=1e-12 * (1 + size))
            text = self.ok("linearize", file, *options)
            for title in ("State matrix A", "Mass matrix M", "Stiffness matrix K", "Eigenvalues of A"):
                self.assertIn(f"\n{title}\n", text, what)

    def test_actions_that_are_verbs_are_pointed_to(self):
        for command in ("mechanism", "flexible"):
            for verb in ("info", "simulate", "linearize", "check", "view", "export"):
                self.fails(2, f"'{verb}' is for models of all kinds: axode {verb} FILE", command, verb)
        self.fails(2, "there is no action 'xyz' of `axode flexible`; choose modes or figures", "flexible", "xyz")

    def test_help_names_the_kinds(self):
        for verb in ("info", "check", "simulate", "linearize", "view"):
            self.assertRegex(self.ok(verb, "--help"), r"tree, a mechanism or\s+elastic links")


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
