"""Tests of scripts/fuzz_command: the same numbers make the same files, and faults are seen."""

import json
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/fuzz/command"))

import lines  # noqa: E402
import meshes  # noqa: E402
import mutations  # noqa: E402
import verdict  # noqa: E402

MODEL = (ROOT / "examples/mechanisms/rssp.json").read_text()


class Mutations(unittest.TestCase):
    def test_depend_on_the_seed_alone(self):
        def made(seed):
            return mutations.mutated_model(random.Random(seed), MODEL)

        self.assertEqual(made("1:5"), made("1:5"))
        self.assertGreater(len({made(f"1:{k}") for k in range(50)}), 40)

    def test_change_meshes_of_all_formats(self):
        for ending, data in meshes.mesh_seeds():
            changed = {meshes.mutated_mesh(random.Random(k), ending, data) for k in range(40)}
            self.assertGreater(len(changed - {data}), 30, ending)

    def test_keep_numbers_json(self):
        for k in range(300):
            data = mutations.mutated_model(random.Random(k), MODEL)
            self.assertNotIn(b"Infinity", data)

    def test_put_extremes_at_every_kind_of_number(self):
        """In a model with many numbers of one kind, too."""
        changed = {}
        for k in range(2000):
            document = {"gravity": [0, 0.5], "bodies": [{"mass": 2.5} for _ in range(100)], "drivers": [{"value": {
                "polynomial": [0.5]}}]}
            mutations.put_extreme(random.Random(k), document)
            for name, places in mutations.named_numbers(document).items():
                found = {container[key] for container, key in places}
                changed.setdefault(name, set()).update(found)
        self.assertEqual(set(changed), {"gravity", "mass", "polynomial"})
        for name, found in changed.items():
            self.assertLessEqual(set(mutations.EXTREMES), found, name)

    def test_reach_the_gravity_of_models_with_many_numbers(self):
        def gravity(k):
            try:
                found = json.loads(mutations.mutated_model(random.Random(k), MODEL)).get("gravity")
            except ValueError:
                return []
            return found if isinstance(found, list) else []

        huge = sum(any(type(x) in (int, float) and abs(x) >= 1e9 for x in gravity(k)) for k in range(1000))
        self.assertGreater(huge, 10)


class Lines(unittest.TestCase):
    def test_read_what_runs_record(self):
        """And leave the limit of steps to the command."""
        for kind, line_of in lines.LINES.items():
            for k in range(500):
                parts = line_of(random.Random(k), 1000).split(" ; ")
                self.assertNotIn("--max-steps", " ".join(parts))
                for part, following in zip(parts, [*parts[1:], ""]):
                    if "--out OUT.mcap" in part:
                        self.assertEqual(following, "export OUT.mcap -o OUT.csv --force", kind)


class Verdict(unittest.TestCase):
    def fault(self, code=0, out="{}", err="", kind="mechanism", text=""):
        return verdict.fault_of(kind, ["fuzzed.json", "out.mcap"], code, out, err, text)

    def test_good_results_have_no_fault(self):
        self.assertIsNone(self.fault(out='{"x": [1, 2e300], "lower": null}'))
        self.assertIsNone(self.fault(out="body inform  1.5"))
        self.assertIsNone(self.fault(out="joint 'nan' 2", text='{"name": "nan"}'))

    def test_what_is_no_number_is_one(self):
        for out in ('{"x": [1, {"y": null}]}', '{"x": NaN}', '{"x": -Infinity}', "x -nan", "y inf m"):
            self.assertIsNotNone(self.fault(out=out), out)

    def test_signals_and_internal_errors_are(self):
        self.assertEqual(self.fault(code=-11), "signal 11")
        self.assertIn("processor time", self.fault(code=-24))
        self.assertEqual(self.fault(code=1), "internal error")

    def test_refusals_need_their_place(self):
        line = "axode: error: /tmp/fuzzed.json%s: body 'a': is odd\n"
        self.assertIsNone(self.fault(code=3, err=line % ":7"))
        self.assertIsNotNone(self.fault(code=3, err=line % ""))
        self.assertIsNotNone(self.fault(code=4, err="axode: error: Ida: no\n"))
        for code in (2, 3, 4, 5, 6):
            self.assertEqual(self.fault(code=code), f"exit code {code} without a message")
        self.assertEqual(self.fault(code=130, err=line % ":7"), "exit code 130")
        self.assertIsNone(self.fault(code=2, err="axode: error: --method: no\n"))
        self.assertIsNone(
            self.fault(code=3, kind="run", err="axode: error: /x/out.mcap: byte 8: bad\n"))

    def test_looks_into_written_files(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            out.with_suffix(".csv").write_text("t,x\n0,1\n0.1,nan\n")
            self.assertIn(".csv", verdict.written_fault(out, ""))
            out.with_suffix(".csv").unlink()
            text = b'{"min": [null]}'
            out.with_suffix(".glb").write_bytes(b"glTF" + struct.pack("<III4s", 2, 0, len(text), b"JSON") + text)
            self.assertIn(".glb", verdict.written_fault(out, ""))


class Script(unittest.TestCase):
    """With a command that fails always."""

    def run_with(self, body, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder) / "axode"
            # Runs to start from are made first.
            command.write_text("#!/bin/sh\ncase \"$*\" in *fuzzed*) ;; *) for a; do case $a in *.mcap) printf seed "
                               ">\"$a\";; esac; done; exit 0;; esac\n" + body)
            command.chmod(0o755)
            found = Path(folder) / "found"
            result = subprocess.run(
                [sys.executable, str(ROOT / "scripts/fuzz_command"), "--axode", str(command), "--found", str(found),
                 "--jobs", "2", *arguments], capture_output=True, text=True, check=False)
            kept = {k.name: (k / "repeat").read_text() for k in found.iterdir()} if found.exists() else {}
        return result, kept

    def test_reports_what_fails_with_its_file_and_command(self):
        result, kept = self.run_with("kill -SEGV $$\n", "--only", "7", "--seed", "3")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("execution 7: ", result.stdout)
        self.assertIn("signal 11", result.stdout)
        self.assertEqual(list(kept), ["3-7"])
        self.assertIn("fuzzed", kept["3-7"])


if __name__ == "__main__":
    unittest.main()
