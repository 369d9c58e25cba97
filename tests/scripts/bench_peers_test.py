"""Tests of scripts/bench_peers and bench/report: what counts as equal, ratios, goals, tables, the plot,
and a whole run with programs that only pretend."""

import json
import math
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "bench_peers"
sys.path.insert(0, str(ROOT / "bench" / "report"))

import building  # noqa: E402
import compare  # noqa: E402
import functions  # noqa: E402
import goals  # noqa: E402
import plot  # noqa: E402
import programs  # noqa: E402
import report as reports  # noqa: E402
import tables  # noqa: E402

# A program of the protocol: finds the sum of its model's line, or what WRONG says, in NS ns.
PROGRAM = """#!{python} -IS
import json, sys
words = sys.argv[1:]
ns, wrong = {ns!r}, {wrong!r}
if words[0].split("/")[-1] in {broken!r}:
    sys.exit({broken!r}[words[0].split("/")[-1]])
chosen = words[words.index("--function") + 1].split(",") if "--function" in words else list(ns)
found = {{}}
for f in ns:
    if not any(f == c or f.startswith(c + "_") for c in chosen):
        continue
    found[f] = {{"note": "", "results": [[wrong.get(f, 3.0), 1.0]]}}
    if "--no-time" not in words:
        found[f] = {{"note": "", "ns": [ns[f]] * int(words[words.index("--samples") + 1])}}
model = words[0].split("/")[-1].split(".")[0]
print(json.dumps({{"library": "fake", "version": "1", "compiler": "c", "flags": "-O3", "model": model,
                   "nv": 6, "bodies": 6, "functions": found, "unsupported": {{"poses": "no"}}}}))
"""


def entry(ns, **more):
    return {"median": ns, "quartiles": [ns, ns], "least": ns, "samples": 3, **more}


def sample_report():
    """Axode and three others on the four robots; Pinocchio's builds take turns in being fastest."""
    report = reports.empty()
    facts = {"library": "x", "version": "1", "compiler": "g++", "flags": "-O3"}
    for name in ("axode_native", "pinocchio_gcc_native", "pinocchio_packaged", "kdl"):
        report["libraries"][name] = dict(facts)
    for i, model in enumerate(("ur5", "panda", "anymal", "talos")):
        report["models"][model] = {"bodies": 6, "nv": 6}
        times = {
            "inverse_dynamics": {"axode_native": 100, "pinocchio_gcc_native": 200 + 50 * i,
                                 "pinocchio_packaged": 300, "kdl": 500},
            "batch_inverse_dynamics": {"axode_native": 20},
            "batch2_inverse_dynamics": {"axode_native": 10},
            "forward_dynamics": {"axode_native": 100, "pinocchio_gcc_native": 400},
            "forward_dynamics_cholesky": {"pinocchio_gcc_native": 210},
        }
        for function, by_library in times.items():
            for library, ns in by_library.items():
                reports.entry(report, function, model, library).update(entry(ns))
    return report


class Comparing(unittest.TestCase):
    def test_relative_to_the_largest_number(self):
        self.assertAlmostEqual(compare.difference([[100.0, 1.0]], [[100.0, 1.5]]), 0.005)
        self.assertEqual(compare.difference([[0.0]], [[0.25]]), 0.25)

    def test_what_cannot_be_compared_differs(self):
        for theirs in ([], [[]], [[1.0]], [[1.0, None]], [[1.0, math.nan]], [[1.0, 2.0], [1.0, 2.0]]):
            self.assertEqual(compare.difference([[1.0, 2.0]], theirs), math.inf, theirs)
        self.assertEqual(compare.difference([[None]], [[None]]), math.inf)

    def check(self, *answers):
        reference, found = {}, []
        for i, results in enumerate(answers):
            listed = {f: {"results": r} if isinstance(r, list) else r for f, r in results.items()}
            found.append(compare.check(reference, f"program{i}", {"functions": listed}))
        return found

    def test_ways_and_batches_must_find_what_the_function_does(self):
        ours = {"forward_dynamics": [[1.0, 2.0]], "batch_forward_dynamics": [[1.0, 2.0]]}
        theirs = {"forward_dynamics_fast": [[1.0, 2.0 + 1e-9]], "forward_dynamics_bad": [[1.0, 2.1]]}
        first, second = self.check(ours, theirs)
        self.assertEqual(first, (["forward_dynamics", "batch_forward_dynamics"], {}))
        self.assertEqual(second[0], ["forward_dynamics_fast"])
        self.assertAlmostEqual(second[1]["forward_dynamics_bad"], 0.05)

    def test_first_to_find_a_function_is_the_reference_unless_it_is_no_number(self):
        found = self.check(*({"poses": [[x]]} for x in (None, 1.0, 1.0, 2.0)))
        self.assertEqual([agreed for agreed, _ in found], [[], ["poses"], ["poses"], []])
        self.assertEqual(found[0][1], {"poses": math.inf})
        self.assertEqual(found[3][1], {"poses": 1.0})

    def test_without_results_only_with_a_note(self):
        noted = {"results": [], "note": "other coordinates"}
        found = self.check({"poses": [[1.0]]}, {"poses": noted}, {"poses": {"results": [], "note": ""}})
        self.assertEqual([agreed for agreed, _ in found], [["poses"], ["poses"], []])


class Names(unittest.TestCase):
    def test_split(self):
        cases = {"poses": (0, "poses", ""), "inverse_mass_matrix": (0, "inverse_mass_matrix", ""),
                 "forward_dynamics_crba": (0, "forward_dynamics", "crba"),
                 "batch_mass_matrix": (1, "mass_matrix", ""),
                 "batch2_forward_dynamics_x_y": (2, "forward_dynamics", "x_y"),
                 "new_thing": (0, "new_thing", "")}
        for name, parts in cases.items():
            self.assertEqual(functions.split(name), parts)

    def test_titles(self):
        self.assertEqual(functions.title("batch2_mass_matrix"), "mass matrix, batch, 2 threads")
        self.assertEqual(functions.title("forward_dynamics_crba"), "forward dynamics, crba")

    def test_programs_and_their_twins(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("mujoco", "pinocchio_gcc_native", "pinocchio_gcc_v3", "pinocchio_packaged",
                         "axode_native", "axode_v3", "kdl_native", "libx.so"):
                Path(folder, name).touch(mode=0o755)
            Path(folder, "notes").touch(mode=0o644)
            Path(folder, "drake_python").write_text("#!/bin/sh\n")
            Path(folder, "drake_python").chmod(0o755)
            found = {p.name: p.counted and p.counted.name for p in programs.find(folder)}
        self.assertEqual(list(found.items()), [
            ("axode_native", "axode_v3"), ("pinocchio_gcc_native", "pinocchio_gcc_v3"),
            ("pinocchio_packaged", "pinocchio_packaged"), ("drake_python", None), ("kdl_native", None),
            ("mujoco", "mujoco")])

    def test_programs_that_ninja_could_not_build(self):
        log = ("[1/9] Compiling\nFAILED: peers/kdl.objects/kdl_cpp.o /x/peers/kdl.objects/kdl_cpp.o\n"
               "FAILED: peers/dart_packaged\nFAILED: peers/dart_packaged\n")
        self.assertEqual(building.failures(log), ["kdl", "dart_packaged"])
        log = "FAILED: CMakeFiles/axode_for_native.dir/axode/lie/trig.cpp.o\nninja: build stopped\n"
        self.assertEqual(building.failures(log), ["?"])
        self.assertEqual(building.failures("[9/9] Linking\n"), [])

    def test_programs_that_ninja_knows(self):
        text = ("peers/kdl_native: CUSTOM_COMMAND\npeers/kdl_native.objects/x.o: CUSTOM_COMMAND\n"
                "kdl_native: phony\npeers/axode_v3: CXX_EXECUTABLE_LINKER__axode_v3_Release\n"
                "CMakeFiles/axode_v3.dir/bench/peers/axode.cpp.o: CXX_COMPILER\n")
        self.assertEqual(building.known_programs(text), {"kdl_native", "axode_v3"})

    def test_total_of_callgrind(self):
        text = "events: Ir\nsummary: 0\n\nfn=(1)\n1 5\n\ntotals: "
        self.assertEqual(programs.total_of(text + "12345\n"), 12345)
        for nothing in ("events: Ir\n", text + "0\n"):
            with self.assertRaises(programs.Failed):
                programs.total_of(nothing)


class Goals(unittest.TestCase):
    def row(self, function):
        return next(r for r in goals.ratios(sample_report()) if r["function"] == function)

    def test_fastest_build_on_each_robot_then_median(self):
        found = self.row("inverse_dynamics")
        self.assertEqual(found[goals.PINOCCHIO]["robots"],
                         {"ur5": 2.0, "panda": 2.5, "anymal": 3.0, "talos": 3.0})
        self.assertEqual(found[goals.PINOCCHIO]["measured"], 2.75)
        self.assertEqual(found[goals.PINOCCHIO]["verdict"], "met")
        self.assertEqual((found[goals.OTHERS]["measured"], found[goals.OTHERS]["verdict"]), (5.0, "met"))

    def test_tuned_builds_count_for_themselves(self):
        report = sample_report()
        report["libraries"]["pinocchio_clang_tuned_native"] = report["libraries"]["kdl"]
        for model in ("ur5", "panda", "anymal", "talos"):
            reports.entry(report, "inverse_dynamics", model, "pinocchio_clang_tuned_native").update(entry(150))
        found = next(r for r in goals.ratios(report) if r["function"] == "inverse_dynamics")
        self.assertEqual(found[goals.PINOCCHIO]["measured"], 2.75)
        self.assertEqual((found[goals.TUNED]["measured"], found[goals.TUNED]["verdict"]), (1.5, "not met"))
        self.assertEqual(found[goals.OTHERS]["measured"], 5.0)

    def test_fastest_way_of_the_other_library(self):
        found = self.row("forward_dynamics")[goals.PINOCCHIO]
        self.assertEqual((found["measured"], found["verdict"]), (2.1, "not met"))

    def test_batch_against_one_state(self):
        found = self.row("batch_inverse_dynamics")[goals.OTHERS]
        self.assertEqual((found["measured"], found["verdict"]), (25.0, "met"))

    def test_not_measured(self):
        found = self.row("coriolis_matrix")[goals.PINOCCHIO]
        self.assertEqual((found["measured"], found["verdict"]), (None, "not measured"))

    def own(self, report):
        return {row["title"]: (row["measured"], row["verdict"]) for row in goals.own(report)}

    def test_of_axode_alone(self):
        found = self.own(sample_report())
        self.assertEqual(found["2 threads over one, batch, inverse dynamics"], ("2.00", "met"))
        self.assertEqual(found["memory of a tree of 10,000 bodies with work space"],
                         ("-", "not measured"))

    def test_growth_and_memory(self):
        report = sample_report()
        for bodies, ns in ((10, 900), (100, 5000), (1000, 55000), (10000, 700000)):
            report["models"][f"chain{bodies}"] = {"bodies": bodies, "nv": bodies, "bytes": bodies * 3000}
            reports.entry(report, "poses", f"chain{bodies}", "axode_native").update(entry(ns))
        found = self.own(report)
        title = "time per body, chain of 100 to 10,000 bodies, poses"
        self.assertEqual(found[title], ("1.40", "not met"))
        self.assertEqual(found["memory of a tree of 10,000 bodies with work space"], ("30.0 MB", "met"))

    def test_models_of_this_repository_stand_in(self):
        report = sample_report()
        report["models"] = {"puma560": {}, "panda": {}, "panda7": {}, "chain10": {}}
        self.assertEqual(goals.robots(report), ["puma560", "panda"])


class Output(unittest.TestCase):
    def test_statistics(self):
        found = reports.statistics_of([5.0, 1.0, 2.0, 3.0, 4.0])
        self.assertEqual(found, {"median": 3.0, "quartiles": [2.0, 4.0], "least": 1.0, "samples": 5})
        self.assertEqual(reports.statistics_of([7.0])["quartiles"], [7.0, 7.0])

    def test_spread(self):
        report = reports.empty()
        self.assertIsNone(reports.spread(report))
        for i, width in enumerate((1.0, 2.0, 40.0)):
            found = reports.entry(report, "poses", f"m{i}", "kdl")
            found.update(entry(10.0) | {"quartiles": [9.0, 9.0 + width]})
        reports.entry(report, "poses", "m3", "kdl")["note"] = "not timed"
        self.assertAlmostEqual(reports.spread(report), 0.2)

    def test_table_of_a_function(self):
        text = tables.of_function(sample_report(), "forward_dynamics", markdown=True)
        self.assertIn("| model (degrees of freedom) | axode<br>native | pinocchio<br>gcc native |", text)
        self.assertIn("| ur5 (6) | 100 | 210 (2.10) | - | - |", text)
        self.assertIn("pinocchio_gcc_native: by cholesky on ur5, panda, anymal, talos", text)

    def test_instructions(self):
        report = sample_report()
        for library, count in (("axode_native", 1000), ("kdl", 2500)):
            report["functions"]["inverse_dynamics"]["ur5"][library]["instructions"] = count
        text = tables.of_instructions(report, "inverse_dynamics", markdown=True)
        self.assertIn("| ur5 (6) | 1,000 | - | - | 2,500 (2.50) |", text)
        self.assertNotIn("panda", text)

    def test_instructions_of_the_fastest_way(self):
        report = sample_report()
        way = reports.entry(report, "forward_dynamics_cholesky", "ur5", "pinocchio_gcc_native")
        way["instructions"] = 70
        text = tables.of_instructions(report, "forward_dynamics", markdown=True)
        self.assertIn("| ur5 (6) | - | 70.0 | - | - |", text)

    def test_what_is_lacking(self):
        report = sample_report()
        report["unsupported"]["kdl"] = {"poses": "no legs", "mass_matrix": "no legs", "jacobians": "x"}
        lines = tables.lacking(report, markdown=True).splitlines()
        self.assertEqual(lines[2:], ["- kdl, no legs: poses; mass matrix",
                                     "- kdl, x: poses and all Jacobians"])

    def test_plain_text_is_aligned(self):
        lines = tables.summary(sample_report(), markdown=False).splitlines()
        table = lines[1 : lines.index("")]
        self.assertEqual(len({len(line) for line in table}), 1)
        self.assertEqual(len(table), 3 + len(goals.RATIOS))

    def test_plot_is_sound(self):
        svg = plot.svg(sample_report())
        ET.fromstring(svg)
        for text in ("inverse dynamics", "kdl, ur5: 5.00", "pinocchio packaged"):
            self.assertIn(text, svg)
        ET.fromstring(plot.svg(reports.empty()))

    def test_builds_of_a_library_differ_in_shade(self):
        names = ["pinocchio_gcc_native", "pinocchio_packaged", "new_a", "new_b", "other"]
        found = plot.colours(names)
        self.assertEqual(list(found), names)
        self.assertEqual(len({found[n] for n in names if n != "new_b"}), 4)


class WholeRun(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "peers" / "models").mkdir(parents=True)
        self.model("ur5")
        self.program("axode_native", {"poses": 10.0, "mass_matrix": 50.0})

    def model(self, name, bodies=6):
        lines = [f"bodies {bodies} gravity 0 0 -9.81"]
        lines += [f"{i} {i - 1} b revolute -1 1 0" for i in range(bodies)]  # following none
        Path(self.folder, "peers", "models", name + ".model").write_text("\n".join(lines) + "\n")

    def program(self, name, ns, wrong={}, broken={}):
        path = self.folder / "peers" / name
        path.write_text(PROGRAM.format(python=sys.executable, ns=ns, wrong=wrong, broken=broken))
        path.chmod(0o755)

    def bench(self, *options):
        command = [sys.executable, SCRIPT, "--no-build", "--no-count", "--rounds", "1", "--samples", "3",
                   "--folder", self.folder, *options]
        return subprocess.run(command, capture_output=True, text=True)

    def report(self):
        return json.loads((self.folder / "peers.json").read_text())

    def test_equal_results_are_timed(self):
        self.program("kdl", {"poses": 25.0, "mass_matrix": 40.0})
        done = self.bench("--markdown")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| ur5 (6) | 10.0 | 25.0 (2.50) |", done.stdout)
        self.assertIn("| ur5 (6) | 50.0 | 40.0 (0.80) |", done.stdout)
        report = self.report()
        self.assertEqual(report["functions"]["poses"]["ur5"]["kdl"]["samples"], 3)
        self.assertEqual(report["libraries"]["kdl"]["flags"], "-O3")
        self.assertEqual(report["summary"]["ratios"][0][goals.OTHERS]["verdict"], "met")
        ET.parse(self.folder / "peers.svg")
        again = self.bench("--from", self.folder / "peers.json", "--markdown")
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout))

    def test_different_results_are_flagged_and_not_timed(self):
        self.program("kdl", {"poses": 25.0, "mass_matrix": 40.0}, wrong={"poses": 3.1})
        done = self.bench()
        self.assertEqual(done.returncode, 1)
        self.assertIn("DIFFERENT RESULTS: kdl, poses on ur5: by 3.3e-02 of the largest", done.stdout)
        self.assertEqual(list(self.report()["functions"]["poses"]["ur5"]), ["axode_native"])
        self.assertIn("kdl", self.report()["functions"]["mass_matrix"]["ur5"])

    def test_a_program_that_fails_does_not_stop_the_others(self):
        self.model("chain10")
        self.program("kdl", {"poses": 25.0}, broken={"ur5.model": "broken"})
        done = self.bench()
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: kdl on ur5: exit status 1: broken", done.stdout)
        self.assertIn("kdl", self.report()["functions"]["poses"]["chain10"])

    def test_a_model_too_large_for_a_library_is_no_failure(self):
        self.program("kdl", {"poses": 25.0}, broken={"ur5.model": "std::bad_alloc"})
        done = self.bench()
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, "kdl, ur5: it needs more than [0-9]+ GB")

    def test_joints_that_follow_others_are_for_libraries_that_know_them(self):
        self.program("kdl", {"poses": 25.0})
        self.program("pinocchio", {"poses": 30.0})
        file = Path(self.folder, "peers", "models", "panda_hand.model")
        file.write_text("bodies 2 gravity 0 0 -9.81\n0 -1 a prismatic -1 1 0\n1 -1 b prismatic 0 1 0\n")
        done = self.bench("--functions", "poses", "--models", "panda_hand")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads((self.folder / "peers.json").read_text())
        self.assertNotIn("kdl", json.dumps(report["functions"]["poses"]["panda_hand"]))

    def test_choice_of_functions_libraries_and_models(self):
        self.model("panda")
        self.program("kdl", {"poses": 25.0, "mass_matrix": 40.0})
        self.program("dart", {"poses": 25.0})
        done = self.bench("--functions", "poses", "--libraries", "kdl", "--models", "panda")
        self.assertEqual(done.returncode, 0, done)
        report = self.report()
        self.assertEqual((list(report["functions"]), list(report["models"])), (["poses"], ["panda"]))
        self.assertEqual(list(report["libraries"]), ["axode_native", "kdl"])
        self.assertIn("no model x; there are panda, ur5", self.bench("--models", "x").stderr)

    def test_large_models_only_axode_and_without_matrices(self):
        self.model("chain10000", 2000)
        self.program("kdl", {"poses": 25.0})
        self.assertEqual(self.bench("--models", "chain10000").returncode, 0)
        self.assertEqual(list(self.report()["functions"]), ["poses"])
        self.assertEqual(list(self.report()["libraries"]), ["axode_native"])


if __name__ == "__main__":
    unittest.main()
