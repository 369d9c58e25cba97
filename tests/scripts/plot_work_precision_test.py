"""Tests of scripts/figures/plot_work_precision: which time counts for an accuracy, tables, diagrams, the page."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "figures" / "plot_work_precision"
sys.path.insert(0, str(ROOT / "bench" / "report"))

import work_precision  # noqa: E402


def run(method, error, cpu, ending="finished"):
    return {"method": method, "rtol": 1e-3, "error": error, "cpu": cpu, "ending": ending,
            "rates": round(cpu * 1e4)}


def report():
    runs = [run("mk5", 1e-3, .001), run("mk5", 1e-5, .002), run("mk5", 1e-7, .004),
            run("cf4", None, .001, "not finite"), run("cf4", 1e-5, .02),
            run("momentum-preserving", None, .5, "stopped"),
            run("cvode", 1e-5, .001), run("cvode", 1e-3, .002), run("cvode", 1e-5, .006)]
    return {"problems": [{"name": "top", "title": "A <top>", "floor": 1e-8, "runs": runs,
                          "reference": {"method": "mk5", "cvode": 1e-8}}],
            "long_run": [{"method": "mk5", "cpu": .1, "steps": 7, "rejected": 1, "rates": 50,
                          "energy_drift": 1e-5}]}


class WorkPrecision(unittest.TestCase):
    def test_luck_does_not_count(self):
        """The first run of cvode is accurate, but the finer one after it is not."""
        points = work_precision.points_of(report()["problems"][0], "cvode")
        self.assertEqual(work_precision.time_for(points, 1e-4), (.006, 60))
        self.assertEqual(work_precision.time_for(points, 1e-2), (.001, 10))
        self.assertIsNone(work_precision.time_for(points, 1e-6))

    def test_fastest_of_each_side(self):
        problem = report()["problems"][0]
        rows = work_precision.fastest_table(problem)[2:]
        self.assertEqual(rows[0], "| 1e-2 | mk5 | 1 | 10 | cvode | 1 | 10 | 1 |")
        self.assertEqual(rows[1], "| 1e-4 | mk5 | 2 | 20 | cvode | 6 | 60 | 3 |")
        self.assertEqual(rows[2], "| 1e-6 | mk5 | 4 | 40 | - | | | - |")
        self.assertEqual(len(rows), 4)  # down to the floor, 1e-8

    def test_failures_are_told(self):
        rows = work_precision.methods_table(report()["problems"][0])
        self.assertIn("1 not finite", next(r for r in rows if "cf4" in r))
        self.assertIn("none in time", next(r for r in rows if "momentum-preserving" in r))

    def test_least_times_of_several_reports(self):
        one, two = report(), report()
        two["problems"][0]["runs"] = [run("mk5", 1e-3, .0005), run("momentum-preserving", 1e-4, .4)]
        for r, tolerance in zip(one["problems"][0]["runs"][1:3], (1e-4, 1e-5)):
            r["rtol"] = tolerance
        two["long_run"][0]["cpu"] = .05
        merged = work_precision.merge([one, two])
        problem = merged["problems"][0]
        self.assertEqual([p[0] for p in work_precision.points_of(problem, "mk5")], [.0005, .002, .004])
        self.assertEqual(work_precision.points_of(problem, "momentum-preserving")[0][:2], (.4, 1e-4))
        self.assertEqual(merged["long_run"][0]["cpu"], .05)

    def test_diagram(self):
        root = ET.fromstring(work_precision.svg(report()["problems"][0]))
        words = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("A <top>", words)
        self.assertIn("momentum-preserving (none)", words)
        self.assertEqual(len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))), 3)

    def test_every_method_has_a_colour(self):
        names = (ROOT / "axode/simulate/run/method.cpp").read_text(encoding="utf-8")
        rows = [line.split('"') for line in names.splitlines() if "{Method::" in line]
        found = {row[1] for row in rows if {"t", "a"} & set(row[3])}  # of trees, relative or absolute
        self.assertEqual(set(work_precision.STYLES), found - {"automatic"})

    def test_page(self):
        page = "a\n<!-- top -->\nold\n<!-- end -->\nb\n<!-- long_run -->\n<!-- end -->\nc\n"
        filled = work_precision.fill(page, report())
        self.assertEqual(filled, work_precision.fill(filled, report()))
        self.assertNotIn("old", filled)
        self.assertTrue(filled.startswith("a\n<!-- top -->\n") and filled.endswith("<!-- end -->\nc\n"))
        with self.assertRaises(ValueError):
            work_precision.fill("nothing", report())

    def test_script(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "r.json"
            file.write_text(json.dumps(report()), encoding="utf-8")
            found = subprocess.run([SCRIPT, file, "--folder", folder], capture_output=True, text=True,
                                   check=True)
            self.assertIn("| mk5 | 0.100 | 7 |", found.stdout)
            ET.parse(Path(folder) / "work_precision_top.svg")


if __name__ == "__main__":
    unittest.main()
