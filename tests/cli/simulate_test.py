"""Tests `axode simulate`, `axode export` and `axode info` of runs as their users see them.

Usage: simulate_test.py AXODE [unittest options]
"""

import json
import math
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import cli_test
from cli_test import ARM, CliTest, ENVIRONMENT, ROOT, run

# Runs that others end.
ENDLESS = ("--for", "100000h", "--max-steps", str(10**15))

# A point mass of 1 kg on a rod of 1 m.
PENDULUM = {
    "axode": 1,
    "name": "pendulum",
    "bodies": [
        {"name": "bob", "inertia": {"mass": 1, "com": [0, 0, -1], "about_com": [0, 0, 0]},
         "joint": {"name": "hinge", "type": "revolute", "axis": [0, 1, 0], "point": [0, 0, 0]}},
    ],
}


class SimulateTest(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.file("pendulum.json", PENDULUM)
        self.out = self.folder / "run.mcap"

    def start(self, *arguments, **more):
        return subprocess.Popen([cli_test.AXODE, "simulate", str(self.model), *map(str, arguments)],
                                cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, **more)

    def columns(self, file):
        """Of a CSV file, by heading."""
        lines = [line.split(",") for line in Path(file).read_text(encoding="utf-8").splitlines()]
        return {name: [float(line[i]) for line in lines[1:]] for i, name in enumerate(lines[0])}


class Simulate(SimulateTest):
    def test_small_swing_has_its_period(self):
        found = self.json("simulate", self.model, "--q", "hinge=0.001", "--for", "5s", "--rtol", "1e-9",
                          "--atol", "1e-12", "--out", self.out)
        self.assertEqual((found["schema"], found["ending"], found["time"]), ("axode.simulate/1", "finished", 5))
        self.assertGreater(found["steps"], 10)
        self.assert_close(found["q"], [0.001 * math.cos(math.sqrt(9.81) * 5)], 1e-8)
        self.ok("export", self.out, "-o", self.folder / "run.csv")
        columns = self.columns(self.folder / "run.csv")
        self.assertEqual(len(columns["time [s]"]), 501)
        expected = [0.001 * math.cos(math.sqrt(9.81) * t) for t in columns["time [s]"]]
        self.assert_close(columns["q:hinge [rad]"], expected, 1e-8)
        energy = [k + p for k, p in zip(columns["kinetic [J]"], columns["potential [J]"])]
        self.assertLess(max(energy) - min(energy), 1e-9)

    def test_summary_in_words(self):
        text = self.ok("simulate", self.model, "--q", "1", "--for", "200ms", "--out", self.out)
        self.assertRegex(text, r"finished at 0\.2 s\n  steps +\d+, and \d+ rejected\n  evaluations +\d+")
        self.assertRegex(text, r"energy drift .* J of .* J\n  CPU time .* s; .* x real time by the clock\n")
        self.assertIn("run.mcap, 21 samples in", text)

    def test_without_gravity_it_stays(self):
        found = self.json("simulate", self.model, "--q", "1", "--for", "1s", "--no-gravity")
        self.assertEqual((found["q"], found["v"]), ([1], [0]))

    def test_controllers_reach_their_target(self):
        for kind in ("computed-torque:kp=400,kd=40,at=1s", "pd:kp=4000,kd=400,at=1s,gravity=on"):
            found = self.json("simulate", self.model, "--controller", kind, "--target", "hinge=60deg",
                              "--for", "3s")
            self.assert_close(found["q"], [math.pi / 3], 1e-5)
        held = self.json("simulate", self.model, "--q", "1", "--controller", "computed-torque", "--for", "1s")
        self.assert_close(held["q"], [1], 1e-8)
        free = self.json("simulate", self.model, "--q", "1", "--controller", "none", "--for", "1s")
        self.assertGreater(abs(free["q"][0] - 1), 0.1)

    def test_usage(self):
        base = ["simulate", self.model]
        for text, arguments in {
                "--for: '3x' is not a duration": ["--for", "3x"], "--for: give a time above 0": ["--for", "0"],
                "--for: '-1s' is not a duration": ["--for=-1s"], "--rtol: -1 is not a tolerance": ["--rtol", "-1"],
                "--method: there is no 'euler'; choose among automatic": ["--method", "euler"],
                "--formulation: there is no 'x'": ["--formulation", "x"],
                "--controller: there is no 'p'": ["--controller", "p"],
                "--controller: kp: a gain is not negative": ["--controller", "pd:kp=-1"],
                "--controller: 'k=1' is not known": ["--controller", "pd:k=1"],
                "'at' is when": ["--controller", "pd:at=1s,from=2s"],
                "leave out gravity=on": ["--controller", "computed-torque:gravity=on"],
                "--target: there is no controller": ["--target", "1"],
                "name it by --out": ["--resume"],
                "--resume excludes --force": ["--out", "x.mcap", "--resume", "--force"]}.items():
            self.fails(2, re.escape(text), *base, *arguments)
        self.fails(3, "joint 'x'", *base, "--q", "x=1")

    def test_durations(self):
        for text in ("0.5", "0.5s", "500ms", "500000us"):
            self.assertEqual(self.json("simulate", self.model, "--for", text)["time"], 0.5)
        self.assertEqual(self.json("simulate", self.model, "--for", "0.01min")["time"], 0.6)

    def test_files_that_cannot_be_written(self):
        self.ok("simulate", self.model, "--for", "0.1s", "--out", self.out)
        before = self.out.read_bytes()
        self.fails(5, "run.mcap: exists already; .*--force.*--resume", "simulate", self.model, "--out", self.out)
        self.assertEqual(self.out.read_bytes(), before)
        self.ok("simulate", self.model, "--for", "0.2s", "--out", self.out, "--force")
        self.assertNotEqual(self.out.read_bytes(), before)
        self.fails(5, "No such file", "simulate", self.model, "--out", self.folder / "no" / "a.mcap")
        full = self.folder / "full.mcap"
        full.symlink_to("/dev/full")
        self.fails(5, "not a regular file", "simulate", self.model, "--out", full, "--force")

    def test_full_disk_keeps_what_was_written(self):
        limit = 60_000
        self.fails(5, "run.mcap: cannot be written: File too large", "simulate", ARM, "--for", "100s", "--v",
                   "1,2,0,1", "--checkpoint", "100ms", "--out", self.out, "--quiet",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        result = run("export", self.out, "-o", self.folder / "a.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ends early", result.stderr)
        self.assertGreater(len(self.columns(self.folder / "a.csv")["time [s]"]), 50)

    def without_streams(self, closed, *arguments):
        """Exit code of the command with these standard streams closed."""
        child = subprocess.Popen([cli_test.AXODE, *map(str, arguments)], cwd=self.folder, env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 preexec_fn=lambda: [os.close(stream) for stream in closed])
        return child.wait(timeout=60)

    def test_closed_streams_change_no_file(self):
        mechanism = ROOT / "examples/mechanisms/problem_2_18_rssr.json"
        flexible = ROOT / "examples/flexible/two_link.json"
        for out, *command in (
                ("a.mcap", "simulate", self.model, "--for", "0.5s", "--out", "a.mcap"),
                ("b.mcap", "simulate", mechanism, "--for", "0.05s", "--out", "b.mcap"),
                ("b.csv", "simulate", mechanism, "--for", "0.05s", "--out", "b.csv"),
                ("c.mcap", "simulate", flexible, "--for", "0.05s", "--out", "c.mcap"),
                ("d.csv", "export", "a.mcap", "-o", "d.csv"), ("d.npz", "export", "a.mcap", "-o", "d.npz"),
                ("d.html", "export", "a.mcap", "-o", "d.html"), ("e.urdf", "convert", self.model, "-o", "e.urdf")):
            command.append("--force")
            self.assertEqual(self.without_streams([], *command), 0, command)
            whole = (self.folder / out).read_bytes()
            for closed in ([0], [1], [2], [0, 1], [1, 2], [0, 1, 2]):
                prints = command[0] in ("simulate", "mechanism", "flexible")
                code = self.without_streams(closed, *command)
                self.assertEqual(code, 5 if 1 in closed and prints else 0, (closed, command))
                self.assertEqual((self.folder / out).read_bytes(), whole, (closed, command))

    def test_remarks_that_nobody_reads_end_nothing(self):
        command = ["--q", "2", *ENDLESS, "--out", str(self.out)]
        with open("/dev/full", "wb", buffering=0) as full:
            child = self.start(*command, stderr=full)
            time.sleep(6)  # a line on how far it is comes after 5 s
            self.assertIsNone(child.poll())
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)

    def test_run_files_that_others_remove_or_cut(self):
        for words, act in (("was removed", self.out.unlink), ("was changed", lambda: os.truncate(self.out, 5))):
            child = self.start("--q", "2", *ENDLESS, "--out", self.out, "--quiet", stderr=subprocess.PIPE)
            while not self.out.exists() or self.out.stat().st_size < 10_000:
                time.sleep(0.01)
            act()
            _, err = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 5)
            self.assertRegex(err.decode(), f"^axode: error: .*run.mcap: {words} .*while it was written; .*\n$")
            self.out.unlink(missing_ok=True)

    def test_diverging_run_is_told_and_kept(self):
        result = self.fails(4, "hinge", "simulate", self.model, "--q", "1", "--method", "semi-implicit", "--step",
                            "100ms", "--controller", "pd:kp=1e6,kd=1e4", "--target", "0", "--for", "100s",
                            "--out", self.out, "--quiet")
        self.assertRegex(result.stderr, r"\d s")
        self.ok("export", self.out, "-o", self.folder / "a.csv")
        for values in self.columns(self.folder / "a.csv").values():
            self.assertTrue(all(map(math.isfinite, values)))


    def test_limit_of_steps(self):
        damped = json.loads(json.dumps(PENDULUM))
        damped["bodies"][0]["joint"]["damping"] = 1e13
        file = self.file("damped.json", damped)
        began = time.monotonic()
        self.fails(6, "max_steps", "simulate", file, "--q", "hinge=1", "--v", "hinge=1", "--for", "10ms")
        self.assertLess(time.monotonic() - began, 20)
        self.fails(6, "hinge", "simulate", self.model, "--q", "hinge=1", "--max-steps", "10", "--out", self.out)
        self.ok("export", self.out, "-o", self.folder / "a.csv")
        self.fails(2, "--max-steps", "simulate", self.model, "--max-steps", "0")

    def test_hopeless_runs_end_soon_and_say_what_they_would_need(self):
        heavy = self.file("heavy.json", {**PENDULUM, "gravity": [0, 0, -1e15]})
        for duration in ("5ms", "50ms", "10s"):
            began = os.times().children_user
            self.fails(6, "max_steps allows, about .* at its present pace", "simulate", heavy, "--q", "hinge=1",
                       "--for", duration)
            self.assertLess(os.times().children_user - began, 5)

    def test_resumed_runs_count_the_steps_before(self):
        command = ["simulate", self.model, "--q", "hinge=1", "--for", "10s", "--checkpoint", "100ms", "--max-steps",
                   "100", "--out", self.out]
        first = self.fails(6, "after 100 steps", *command).stderr
        whole = self.out.read_bytes()
        for _ in range(2):
            self.assertEqual(self.fails(6, "after 100 steps", *command, "--resume").stderr, first)
            self.assertEqual(self.out.read_bytes(), whole)

    def test_models_without_freedoms(self):
        post = json.loads(json.dumps(PENDULUM))
        post["bodies"][0]["joint"] = {"name": "weld", "type": "fixed"}
        file = self.file("post.json", post)
        for method in ("mk5", "cf4", "semi-implicit", "variational", "momentum-preserving", "cvode", "adams", "arkode"):
            found = self.json("simulate", file, "--method", method, "--for", "1s")
            self.assertEqual((found["ending"], found["time"], found["samples"]), ("finished", 1, 101), method)
        for method in ("generalized-alpha", "ida"):
            found = self.json("simulate", file, "--method", method, "--formulation", "absolute", "--for", "1s")
            self.assertEqual((found["ending"], found["time"]), ("finished", 1), method)


class Resume(SimulateTest):
    ARGUMENTS = ["--q", "2", "--for", "40s", "--sample", "1ms", "--checkpoint", "500ms", "--quiet"]

    def test_killed_at_any_time_and_resumed_the_file_is_the_same(self):
        command = [*self.ARGUMENTS, "--out", self.out]
        self.ok("simulate", self.model, *command)
        whole = self.out.read_bytes()
        for _ in range(3):
            self.out.unlink()
            child = self.start(*command)
            while not self.out.exists() or self.out.stat().st_size < len(whole) // 4:
                time.sleep(0.001)
                if child.poll() is not None:
                    break
            child.kill()
            child.communicate()
            self.ok("simulate", self.model, *command, "--resume")
            self.assertEqual(self.out.read_bytes(), whole)
        for part in (0.3, 0.7, 0.999):
            self.out.write_bytes(whole[:int(part * len(whole))])
            self.ok("simulate", self.model, *command, "--resume")
            self.assertEqual(self.out.read_bytes(), whole)

    def test_interrupted_it_is_whole_and_can_be_resumed(self):
        command = ["--q", "2", *ENDLESS, "--checkpoint", "100ms", "--out", self.out, "--quiet"]
        child = self.start(*command, stderr=subprocess.PIPE)
        while not self.out.exists() or self.out.stat().st_size < 30_000:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)
        self.assertIn(b"stopped at", out)
        self.assertRegex(err, rb"^axode: warning: interrupted at .* s; the same command with --resume goes on\n$")
        self.assertIs(self.json("info", self.out)["complete"], True)

    def test_retried_from_the_first_attempt_on_the_file_is_the_same(self):
        command = ["simulate", self.model, *self.ARGUMENTS, "--out", self.out]
        self.ok(*command)
        whole = self.out.read_bytes()
        for left in (None, b"", whole[:5], whole[:100], whole[:1000], whole[:2500], whole[:6000], whole):
            self.out.unlink()
            if left is not None:
                self.out.write_bytes(left)
            self.ok(*command, "--resume")
            self.assertEqual(self.out.read_bytes(), whole)
        self.fails(5, "No such file", *command[:-1], self.folder / "no" / "run.mcap", "--resume")

    def test_signals_close_the_run(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            child = self.start("--q", "2", *ENDLESS, "--out", self.out, "--quiet", stderr=subprocess.PIPE)
            while not self.out.exists() or self.out.stat().st_size < 10_000:
                time.sleep(0.01)
            child.send_signal(number)
            child.communicate(timeout=60)
            self.assertEqual(child.returncode, 130)
            self.assertIs(self.json("info", self.out)["complete"], True)
            self.out.unlink()

    def test_nohup_outlives_its_terminal(self):
        child = self.start("--q", "2", *ENDLESS, "--out", self.out, "--quiet",
                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while not self.out.exists() or self.out.stat().st_size < 10_000:
            time.sleep(0.01)
        child.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(child.poll())
        child.terminate()
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)

    def test_what_cannot_be_resumed(self):
        command = ["simulate", self.model, "--for", "1s", "--checkpoint", "200ms", "--out", self.out]
        self.ok(*command)
        before = self.out.read_bytes()
        self.fails(3, "other options; go on with the command it was begun with: axode simulate", *command,
                   "--q", "1", "--resume")
        self.model.write_text(self.model.read_text() + "\n")
        self.fails(3, "another model", *command, "--resume")
        self.assertEqual(self.out.read_bytes(), before)
        for other in (b"a text", before[10:], bytes(100)):
            self.out.write_bytes(other)
            self.fails(3, "run.mcap: .*(not an MCAP file|not a run|damaged)", *command, "--resume")
            self.assertEqual(self.out.read_bytes(), other)

    def test_damaged_metadata_are_not_resumed(self):
        command = ["simulate", self.model, "--for", "1s", "--checkpoint", "200ms", "--out", self.out]
        self.ok(*command)
        data = bytearray(self.out.read_bytes())
        data[200] ^= 1
        for bad in (bytes(data), bytes(data[:-2000])):  # finished, and killed
            self.out.write_bytes(bad)
            self.fails(3, "run.mcap: .*damaged", "info", self.out)
            self.fails(3, "run.mcap: .*damaged", *command, "--resume")
            self.assertEqual(self.out.read_bytes(), bad)


class Progress(SimulateTest):
    def stderr_of(self, environment, *arguments):
        """What a terminal shows until there is a percentage, then the run is interrupted."""
        leader, follower = pty.openpty()
        child = subprocess.Popen([cli_test.AXODE, "simulate", str(self.model), *ENDLESS, *arguments],
                                 cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=follower)
        os.close(follower)
        shown = b""
        while b"left" not in shown:
            shown += os.read(leader, 1000)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
        os.close(leader)
        self.assertEqual(child.returncode, 130)
        return shown.decode()

    def test_bar_on_a_terminal(self):
        coloured = self.stderr_of({**ENVIRONMENT, "TERM": "xterm"})
        self.assertRegex(coloured, r"^\r\[\x1b\[32m[#.]{24}\x1b\[0m\] \d+% .* of 3\.6e\+08 s, .* x real time, .* left")
        plain = self.stderr_of({**ENVIRONMENT, "TERM": "xterm", "NO_COLOR": "1"})
        self.assertNotIn("\x1b", plain)

    def test_nothing_for_short_or_quiet_runs(self):
        result = run("simulate", self.model, "--for", "0.1s")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Export(SimulateTest):
    def setUp(self):
        super().setUp()
        self.ok("simulate", self.model, "--q", "1", "--for", "0.5s", "--out", self.out)

    def test_quantities(self):
        target = self.folder / "a.csv"
        self.ok("export", self.out, "-o", target, "--quantities", "v,work")
        self.assertEqual(list(self.columns(target)), ["time [s]", "v:hinge [rad/s]", "work [J]"])

    def test_messages(self):
        target = self.folder / "a.csv"
        self.fails(2, "--quantities: there is no 'x'; choose among q, v", "export", self.out, "-o", target,
                   "--quantities", "q,x")
        self.fails(2, "ending names no format", "export", self.out, "-o", "a.txt")
        self.fails(5, "No such file", "export", "none.mcap", "-o", target)
        self.fails(3, "is not an MCAP file", "export", self.model, "-o", target)
        self.assertFalse(target.exists())
        self.ok("export", self.out, "-o", target)
        self.fails(5, "exists already", "export", self.out, "-o", target)
        self.ok("export", self.out, "-o", target, "--force")

    def test_quantities_named_twice(self):
        target = self.folder / "a.csv"
        for names in (["q,v,q"], ["q", "--quantities", "q"]):
            self.fails(2, "--quantities: 'q' is there twice", "export", self.out, "-o", target,
                       "--quantities", *names)
        self.assertFalse(target.exists())

    def test_the_run_is_not_overwritten_by_its_export(self):
        before = self.out.read_bytes()
        run_file = self.file("run.csv", before)
        linked, same = self.folder / "linked.npz", self.folder / "same.h5"
        linked.symlink_to(run_file)
        os.link(run_file, same)
        for target in (run_file, linked, same, self.folder / "." / "run.csv"):
            for force in ([], ["--force"]):
                self.fails(2, "is the run itself", "export", run_file, "-o", target, *force)
        self.assertEqual(run_file.read_bytes(), before)
        self.assertTrue(linked.is_symlink())

    def test_without_its_metadata_it_is_no_run(self):
        data = bytearray(self.out.read_bytes())
        data[10] ^= 0x40
        for bad in (data[:100], data[:4], data):
            file = self.file("bad.mcap", bytes(bad))
            text = "bad.mcap: is not a run of Axode: its header or metadata are missing or damaged; "
            self.fails(3, text, "info", file)
            for salvage in ([], ["--salvage"]):
                self.fails(3, text, "export", file, "-o", self.folder / "a.csv", *salvage)
        self.assertFalse((self.folder / "a.csv").exists())

    def test_damage(self):
        data = bytearray(self.out.read_bytes())
        data[-3000] ^= 1
        bad = self.file("bad.mcap", bytes(data))
        self.fails(3, "bad.mcap: byte [0-9]+: .*damaged", "export", bad, "-o", self.folder / "a.csv")
        result = run("export", bad, "-o", self.folder / "a.csv", "--salvage")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ends early", result.stderr)

    def test_info(self):
        text = self.ok("info", self.out)
        self.assertIn("run of pendulum", text)
        self.assertIn("51 from 0 to 0.5 s", text)
        found = self.json("info", self.out)
        self.assertEqual((found["schema"], found["samples"], found["coordinates"]),
                         ("axode.run_info/1", 51, ["hinge"]))


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
