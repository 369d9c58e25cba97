"""Tests `axode report` as its users see it: the page is parsed, its numbers held against those of the run.

Usage: report_test.py AXODE [unittest options]
"""

import csv
import html.parser
import json
import math
import sys
import unittest
from pathlib import Path

import cli_test
import flexible_test
from cli_test import CliTest, PLANAR, run
from made_run import made_run
from plot_test import SLIDE, sine

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order; collects what is in them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.problems = [], [], []
        self.headings, self.tables, self.texts, self.facts, self.warnings = [], [], [], {}, []
        self.panels, self.lines, self.policy = [], 0, ""
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"open at the end: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        self.tags.append(tag)
        if tag == "meta" and names.get("http-equiv") == "Content-Security-Policy":
            self.policy = names["content"]
        for name in names:
            if name.startswith("on") or name in ("href", "src", "style"):
                self.problems.append(f"{tag} has {name}")
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag == "li":
            self.warnings.append("")
        if tag == "rect":
            self.panels.append(names)
        if tag == "polyline":
            self.lines += 1

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes {self.open}")

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside in ("h1", "h2", "h3"):
            self.headings.append(data)
        if inside in ("td", "th"):
            self.tables[-1][-1][-1] += data
        if inside == "dt":
            self.last_key = data
        if inside == "dd":
            self.facts[self.last_key] = data
        if inside == "li":
            self.warnings[-1] += data
        if inside == "text":
            self.texts.append(data)


class ReportTest(CliTest):
    def report(self, file, *more):
        out = self.folder / "report.html"
        result = run("report", file, "-o", out, "--force", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = Page(out.read_text(encoding="utf-8"))
        self.assertEqual(page.problems, [])
        self.assertIn("default-src 'none'", page.policy)
        for tag in ("script", "iframe", "object", "a", "form", "link"):
            self.assertNotIn(tag, page.tags)
        return page

    def made(self, rows, name="made.mcap", model=SLIDE, **more):
        return made_run(self.folder / name, model, rows, **more)

    def simulated(self, model, *more):
        out = self.folder / "run.mcap"
        self.ok("simulate", model, "--out", out, "--quiet", "--force", *more)
        return out

    def numbers(self, file):
        found = self.json("report", file)
        return found, {(n["quantity"], n["name"]): n for n in found["numbers"]}


class Pages(ReportTest):
    def test_a_tree(self):
        file = self.simulated(cli_test.ARM, "--for", "0.5s", "--v", "1,2,0.1,-1", "--rtol", "1e-9")
        page = self.report(file)
        self.assertEqual(page.headings[:4], ["scara: run.mcap", "Summary", "Plots", "Numbers"])
        for heading in ("Coordinates", "Velocities", "Joint forces", "Energies", "Model", "Bodies and joints",
                        "How it was made", "Options"):
            self.assertIn(heading, page.headings)
        self.assertEqual(page.facts["Samples"], "51")
        self.assertEqual((page.facts["rtol"], page.facts["method"]), ("1e-09", "mk5"))
        self.assertEqual(page.facts["Ending"], "finished")
        bodies = next(t for t in page.tables if t[0][0] == "body")
        self.assertEqual([row[3] for row in bodies[1:]], ["shoulder", "elbow", "slide", "turn"])
        self.assertEqual([row[4] for row in bodies[1:]], ["revolute", "revolute", "prismatic", "revolute"])
        # q in two units, qd, no forces but of a drive, energies and their drift.
        titles = [t for t in page.texts if t in ("Coordinates", "Velocities", "Energies", "Energy drift")]
        self.assertEqual(titles, ["Coordinates"] * 2 + ["Velocities"] * 2 + ["Energies", "Energy drift"])

    def test_numbers_are_those_of_the_run(self):
        file = self.simulated(cli_test.ARM, "--for", "0.5s", "--v", "1,2,0.1,-1")
        found, numbers = self.numbers(file)
        out = self.folder / "run.csv"
        self.ok("export", file, "-o", out)
        lines = list(csv.reader(out.read_text().splitlines()))
        table = {name: [float(line[i]) for line in lines[1:]] for i, name in enumerate(lines[0])}
        self.assertEqual((found["schema"], found["samples"], found["last_time"]), ("axode.report/1", 51, 0.5))
        for quantity, short in (("q", "q"), ("v", "v"), ("a", "a"), ("tau", "tau")):
            for name in ("shoulder", "elbow", "slide", "turn"):
                values = next(v for k, v in table.items() if k.startswith(f"{short}:{name} ["))
                n = numbers[quantity, name]
                self.assertEqual((n["min"], n["max"], n["last"]), (min(values), max(values), values[-1]))
                self.assertEqual(n["max_time"], table["time [s]"][values.index(max(values))])
                rms = math.sqrt(sum(x * x for x in values) / len(values))
                self.assertLessEqual(abs(n["rms"] - rms), 1e-14 * rms)
        drift = [k + p - w for k, p, w in zip(table["kinetic [J]"], table["potential [J]"], table["work [J]"])]
        self.assertAlmostEqual(found["energy_drift"], max(abs(x - drift[0]) for x in drift), 12)
        self.assertEqual(found["energy_scale"], max(table["kinetic [J]"]))
        self.assertAlmostEqual(found["energy_drift"], found["closing"]["energy_drift"], 12)

    def test_drift_is_that_of_the_simulation(self):
        contacts = self.simulated("models/quadruped.json", "--for", "0.3s")  # energy stored in contacts
        elastic = self.folder / "elastic.mcap"
        self.ok("simulate", "examples/flexible/pendulum.json", "--for", "0.5s", "--out", elastic)
        for file in (contacts, elastic):
            found = self.json("report", file)
            self.assertLess(abs(found["energy_drift"] - found["closing"]["energy_drift"]),
                            1e-9 + 1e-6 * found["closing"]["energy_drift"], file)

    def test_a_mechanism(self):
        out = self.folder / "bar.mcap"
        self.ok("simulate", "examples/mechanisms/slider_crank.json", "--for", "0.2s", "--out", out)
        page = self.report(out)
        self.assertIn("Largest violation, position", page.facts)
        self.assertIn("Reactions", [t.split(" (")[0] for t in page.texts])
        joints = next(t for t in page.tables if t[0][0] == "joint")
        self.assertIn("prismatic", [row[1] for row in joints])
        self.assertGreater(int(page.facts["Loops"]), 0)
        self.assertEqual(self.json("report", out)["model"]["kind"], "mechanism")

    def test_a_flexible_model(self):
        soft = self.folder / "soft.mcap"
        model = self.file("soft.json", {**flexible_test.model(flexible_test.SPIN_UP), "stiffening": False})
        result = run("simulate", model, "--out", soft)
        page = self.report(soft)
        self.assertEqual(page.facts["model"], "linear")
        self.assertIn("Links", page.headings)
        told = [line.split("linear model: ", 1)[1] for line in result.stderr.splitlines() if "warning" in line]
        self.assertTrue(told)
        for warning in told:  # what the simulation warned of stands in its report
            self.assertIn(warning, page.warnings)

    def test_hostile_names(self):
        name = "</style><script>alert(1)</script><img src=x onerror=y>&\"'"
        model = json.loads(json.dumps(SLIDE))
        model["name"] = model["bodies"][0]["name"] = model["bodies"][0]["joint"]["name"] = name
        file = self.made(sine(), model=model, names=(name,), events=[(1, name, name)], command=f"axode simulate '{name}'",
                         options=json.dumps({name: name}), summary=json.dumps({"ending": name, "warnings": [name + "\x07"]}),
                         model_file=name)
        page = self.report(file)
        self.assertIn(name, next(t for t in page.tables if t[0][0] == "body")[1])
        self.assertIn(name + " ", page.warnings)
        self.assertIn("Events", page.headings)

    def test_the_same_run_gives_the_same_page(self):
        file = self.made(sine())
        pages = []
        for name in ("a.html", "b.html"):
            self.ok("report", file, "-o", self.folder / name)
            pages.append((self.folder / name).read_bytes())
        self.assertEqual(*pages)


class Warnings(ReportTest):
    def test_limits(self):
        model = json.loads(json.dumps(PLANAR))
        rows = [(t / 10, [0.5 * t - 2.5, 9.0]) for t in range(11)]
        file = self.made(rows, model=model, names=("a", "b"), units=("rad", "rad"))
        page = self.report(file)
        self.assertIn("Joint 'a' goes below its limit of -2 rad: to -2.5, at 0 s.", page.warnings)
        self.assertIn("Joint 'a' goes above its limit of 2 rad: to 2.5, at 1 s.", page.warnings)
        self.assertEqual(len(page.warnings), 2)  # b has no limits

    def test_energy_numbers_and_endings(self):
        rows = [(t / 10, [math.nan if t == 3 else 0.0], {"kinetic": 1.0 + 0.01 * t}) for t in range(11)]
        summary = '{"ending": "diverged", "message": "at t = 1 s: too fast"}'
        page = self.report(self.made(rows, summary=summary))
        self.assertEqual(len(page.warnings), 3)
        self.assertIn("The simulation ended early (diverged): at t = 1 s: too fast", page.warnings)
        self.assertIn("q slide is not finite at 1 sample.", page.warnings)
        self.assertTrue(any("energy drifts by 0.1 J, 0.091 of the largest" in w for w in page.warnings))

    def test_cut_changed_and_empty_runs(self):
        changed = self.file("changed.json", {**SLIDE, "name": "other"})
        file = self.made(sine(51), complete=False, model_file=changed)
        page = self.report(file)
        self.assertTrue(any("ends early, at 0.5 s" in w for w in page.warnings))
        self.assertTrue(any("changed.json has changed since" in w for w in page.warnings))
        self.assertEqual(self.json("report", file)["complete"], False)
        page = self.report(self.made([], complete=False))
        self.assertNotIn("Plots", page.headings)

    def test_nothing_to_warn_of(self):
        file = self.made(sine())
        self.assertEqual(self.report(file).warnings, [])
        self.assertEqual(self.json("report", file)["warnings"], [])


class Messages(ReportTest):
    def test_usage_and_files(self):
        file, out = self.made(sine()), self.folder / "a.html"
        self.fails(2, "name a page by -o FILE.html, or print the numbers with --json", "report", file)
        self.fails(2, "let the name end in .html", "report", file, "-o", "a.txt")
        self.fails(5, "No such file", "report", "none.mcap", "-o", out)
        self.fails(3, "is not an MCAP file", "report", cli_test.ARM, "-o", out)
        self.assertFalse(out.exists())
        self.ok("report", file, "-o", out)
        self.fails(5, "exists already.*--force", "report", file, "-o", out)
        self.ok("report", file, "-o", out, "--force")
        data = bytearray(file.read_bytes())
        data[-300] ^= 1
        self.fails(3, "damaged", "report", self.file("bad.mcap", bytes(data)), "--json")
        self.assertIn("Examples:", self.ok("report", "--help"))


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
