"""Tests `axode plot` as its users see it: figures are read back, and held against the numbers of the run.

Usage: plot_test.py AXODE [unittest options]
"""

import csv
import math
import os
import pty
import re
import struct
import subprocess
import sys
import unittest
import xml.etree.ElementTree
import zlib
from pathlib import Path

import cli_test
from cli_test import CliTest, ENVIRONMENT, ROOT, run
from made_run import made_run

SVG = "{http://www.w3.org/2000/svg}"
SLIDE = {"axode": 1, "name": "slider",
         "bodies": [{"name": "block", "inertia": {"mass": 1, "about_com": [1, 1, 1]},
                     "joint": {"name": "slide", "type": "prismatic", "axis": [0, 0, 1]}}]}


def sine(samples=201):
    return [(i / 100, [math.sin(2 * math.pi * i / 100)]) for i in range(samples)]


class Panel:
    """A field of a figure, with the scales that its labels tell."""

    def __init__(self, box, texts, lines):
        self.x, self.y, self.width, self.height = (float(box.get(key)) for key in ("x", "y", "width", "height"))
        self.across = self.scale(texts, "middle", 0, lambda x, y: y > self.y + self.height)
        self.up = self.scale(texts, "end", 1, lambda x, y: abs(x - self.x + 6) < 0.1 and self.has(y - 4))
        self.titles = [t.text for t in texts if t.get("font-weight") and abs(float(t.get("y")) - self.y + 8) < 0.1
                       and self.x < float(t.get("x")) < self.x + self.width]
        self.lines = [line for line in lines if self.x - 1 <= line[0][0] <= self.x + self.width + 1
                      and self.y - 1 <= line[0][1] <= self.y + self.height + 1]
        legend = [t.text for t in texts if t.get("text-anchor") is None and self.has(float(t.get("y")))
                  and self.x + self.width < float(t.get("x")) < self.x + self.width + 45]
        self.legend = legend

    def has(self, y):
        return self.y - 1 <= y <= self.y + self.height + 1

    def scale(self, texts, anchor, axis, belongs):
        """Places of numbers: (place, number) of the first and the last tick."""
        ticks = []
        for text in texts:
            at = (float(text.get("x")), float(text.get("y")))
            if text.get("text-anchor") == anchor and re.fullmatch(r"-?[\d.]+", text.text) and belongs(*at):
                if self.x - 20 <= at[0] <= self.x + self.width + 20:
                    ticks.append((at[axis] - (4 if axis else 0), float(text.text)))
        ticks.sort()
        return ticks[0], ticks[-1]

    def value(self, scale, place):
        (a, x), (b, y) = scale
        return x + (place - a) * (y - x) / (b - a)

    def numbers(self, line):
        return [(self.value(self.across, x), self.value(self.up, y)) for x, y in line]


def elements(file):
    root = xml.etree.ElementTree.parse(file).getroot()
    lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()]
             for line in root.iter(SVG + "polyline")]
    return root, [t for t in root.iter(SVG + "text")], lines


def panels_of(file):
    root, texts, lines = elements(file)
    return [Panel(box, texts, lines) for box in root.iter(SVG + "rect") if box.get("fill") == "none"]


def pixels(file):
    """Width, height and rows of RGB of a PNG."""
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        content = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", content[:10])
            assert (depth, colour) == (8, 2)
        packed += content if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows, before = zlib.decompress(packed), [], bytes(3 * width)
    for i in range(height):
        start = i * (3 * width + 1)
        row, method = bytearray(raw[start + 1:start + 1 + 3 * width]), raw[start]
        for k in range(3 * width):
            left, up = (row[k - 3] if k >= 3 else 0), before[k]
            corner = before[k - 3] if k >= 3 else 0
            paeth = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            row[k] = (row[k] + (0, left, up, (left + up) // 2, paeth)[method]) & 255
        before = bytes(row)
        rows.append(before)
    return width, height, rows


class PlotTest(CliTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "figure.svg"

    def simulated(self, model, *more):
        out = self.folder / "run.mcap"
        self.ok("simulate", model, "--out", out, "--quiet", "--force", *more)
        return out

    def made(self, rows, name="made.mcap", model=SLIDE, **more):
        return made_run(self.folder / name, model, rows, **more)

    def table(self, file):
        out = self.folder / "run.csv"
        self.ok("export", file, "-o", out, "--force")
        lines = list(csv.reader(out.read_text().splitlines()))
        return {name: [float(line[i]) for line in lines[1:]] for i, name in enumerate(lines[0])}

    def plot(self, file, *more):
        self.ok("plot", file, *more, "-o", self.out, "--force")
        return panels_of(self.out)


class Figures(PlotTest):
    def test_units_have_panels_of_their_own(self):
        file = self.simulated(cli_test.ARM, "--for", "0.5s", "--v", "1,2,0.5,-1")
        panels = self.plot(file)
        self.assertEqual([p.titles for p in panels], [["Coordinates"]] * 2 + [["Velocities"]] * 2 + [["Energies"]])
        self.assertEqual([p.legend for p in panels[:2]], [["shoulder", "elbow", "turn"], ["slide"]])
        self.assertEqual(panels[4].legend, ["kinetic", "potential", "stored", "total", "work"])
        texts = [t.text for t in elements(self.out)[1]]
        self.assertEqual(texts[0], "scara: run.mcap")
        for label in ("q [rad]", "q [m]", "v [rad/s]", "v [m/s]", "energy [J]", "time [s]"):
            self.assertEqual(texts.count(label), 1, label)

    def test_lines_are_where_the_numbers_are(self):
        file = self.simulated(cli_test.ARM, "--for", "1s", "--v", "1,2,0.5,-1")
        table = self.table(file)
        panels = self.plot(file, "q", "v", "tau", "energy")
        checked = 0
        for panel, quantity in zip(panels, ("q", "q", "v", "v", "tau", "tau", "")):
            for name, line in zip(panel.legend, panel.lines, strict=True):
                keys = [k for k in table if k.startswith(f"{quantity}:{name} [" if quantity else f"{name} [")]
                values = table[keys[0]] if keys else [
                    sum(table[f"{e} [J]"][i] for e in ("kinetic", "potential", "stored")) for i in range(101)]
                points = panel.numbers(line)
                self.assertEqual(len(points), 101)
                high = abs(panel.value(panel.up, panel.y) - panel.value(panel.up, panel.y + panel.height))
                for (t, y), at, expected in zip(points, table["time [s]"], values):
                    self.assertLess(abs(t - at), 2e-3)
                    self.assertLess(abs(y - expected), 3e-4 * high)
                    checked += 1
        self.assertEqual(checked, 101 * (4 * 3 + 5))

    def test_stretches_of_time_and_degrees(self):
        file = self.made(sine(), units=("rad",))
        (panel,) = self.plot(file, "q", "--from", "500ms", "--to", "1.5s", "--degrees")
        points = panel.numbers(panel.lines[0])
        self.assertEqual(len(points), 101)
        self.assertAlmostEqual(points[0][0], 0.5, 2)
        self.assertAlmostEqual(max(y for _, y in points), 180 / math.pi, 0)
        self.assertIn("q [deg]", [t.text for t in elements(self.out)[1]])
        self.fails(2, "no sample in that time; the run goes from 0 to 2 s", "plot", file, "--from", 5, "--term")
        self.fails(2, "--to", "plot", file, "--to", "soon", "--term")

    def test_columns_are_picked(self):
        file = self.simulated(cli_test.ALL, "--for", "0.1s")
        names = [c for c in self.json("info", file)["coordinates"]]
        several = next(n for n in names if n.endswith("[0]"))[:-3]
        own = [n for n in names if n.startswith(several + "[")]
        panels = self.plot(file, f"q:{several}")
        self.assertEqual(sorted(n for p in panels for n in p.legend), sorted(own))
        scara = self.simulated(cli_test.ARM, "--for", "0.1s")
        (panel,) = self.plot(scara, "v:turn,shoulder")
        self.assertEqual(panel.legend, ["turn", "shoulder"])
        (panel,) = self.plot(scara, "total")
        self.assertEqual((panel.titles, panel.legend), (["Total energy"], ["total"]))

    def test_many_coordinates_go_to_more_panels(self):
        names = [f"j{i}" for i in range(16)]
        file = self.made([(t / 10, [t + i for i in range(16)]) for t in range(20)], names=names, units=["rad"] * 16)
        panels = self.plot(file, "q")
        self.assertEqual([p.titles[0] for p in panels], [f"Coordinates ({i} of 3)" for i in (1, 2, 3)])
        self.assertEqual([n for p in panels for n in p.legend], names)
        self.assertLessEqual(max(len(p.legend) for p in panels), 7)
        names = [f"j{i}" for i in range(200)]
        file = self.made([(t, [t + i for i in range(200)]) for t in range(5)], names=names, units=["rad"] * 200)
        result = run("plot", file, "q", "-o", self.out, "--force")
        self.assertRegex(result.stderr, r"\d+ lines left out, 24 panels are the most")
        self.assertEqual(len(panels_of(self.out)), 24)
        shown = sum(len(p.legend) for p in panels_of(self.out))
        self.assertIn(f"{200 - shown} lines left out", result.stderr)

    def test_compared_runs_are_dashed(self):
        file = self.made(sine())
        other = self.made([(t, [0.5 * q[0]]) for t, q in sine()], "half.mcap")
        (panel,) = self.plot(file, "q", "--compare", other)
        root, texts, lines = elements(self.out)
        self.assertEqual([bool(line.get("stroke-dasharray")) for line in root.iter(SVG + "polyline")], [False, True])
        self.assertEqual(len({line.get("stroke") for line in root.iter(SVG + "polyline")}), 1)
        solid, dashed = (panel.numbers(line) for line in panel.lines)
        for (_, a), (_, b) in zip(solid, dashed, strict=True):
            self.assertLess(abs(b - a / 2), 0.01)
        self.assertIn("dashed: half.mcap", [t.text for t in texts])
        turning = self.made(sine(), "turning.mcap", units=("rad",))
        self.fails(2, "--compare: .*turning.mcap has nothing", "plot", file, "q", "--compare", turning, "--term")
        foreign = self.made(sine(), "foreign.mcap", names=("other",))
        self.fails(2, "--compare: .*foreign.mcap has nothing of these names", "plot", file, "q", "--compare", foreign, "-o", self.out, "--force")

    def test_interruptions_and_events(self):
        rows = [(t, [math.nan] if 0.395 < t < 0.495 or t > 1.895 else q) for t, q in sine()]
        file = self.made(rows, events=[(0.5, "touch <&>", "x"), (1.25, "leave", "y")])
        (panel,) = self.plot(file, "q")
        self.assertEqual([len(line) for line in panel.lines], [40, 140])
        self.assertAlmostEqual(panel.numbers(panel.lines[1])[0][0], 0.5, 2)
        root = elements(self.out)[0]
        marks = [line for line in root.iter(SVG + "line") if line.find(SVG + "title") is not None]
        self.assertEqual([m.find(SVG + "title").text for m in marks], ["touch <&> at 0.5 s", "leave at 1.25 s"])
        for mark, t in zip(marks, (0.5, 1.25)):
            self.assertEqual(mark.get("x1"), mark.get("x2"))
            self.assertAlmostEqual(panel.value(panel.across, float(mark.get("x1"))), t, 2)

    def test_long_runs_are_thin_and_keep_their_extremes(self):
        n = 100_000
        rows = [(i / 1000, [math.sin(i / 50)]) for i in range(n)]
        rows[54_321] = (54.321, [7.0])
        rows[77_777] = (77.777, [-3.0])
        file = self.made(rows)
        (panel,) = self.plot(file, "q")
        points = panel.numbers(panel.lines[0])
        self.assertLess(len(points), 4 * 2 * 900)
        t, y = max(points, key=lambda p: p[1])
        self.assertLess(max(abs(t - 54.321), 100 * abs(y - 7)), 0.9)
        t, y = min(points, key=lambda p: p[1])
        self.assertLess(max(abs(t - 77.777), 100 * abs(y + 3)), 0.9)
        self.assertLess(self.out.stat().st_size, 200_000)

    def test_small_steps_on_large_numbers_are_told_apart(self):
        file = self.made([(i / 10, [1234.5 + 1e-6 * i]) for i in range(11)])
        self.ok("plot", file, "q", "-o", self.out)
        labels = [t.text for t in elements(self.out)[1]]
        self.assertEqual(len(labels), len(set(labels)) + labels.count("0") - (1 if "0" in labels else 0), labels)
        self.assertTrue(any(re.search(r"\+1234\.(5|4999)", label) for label in labels), labels)

    def test_the_same_run_gives_the_same_bytes(self):
        file = self.made(sine())
        for ending in ("svg", "png", "pdf"):
            a, b = self.folder / f"a.{ending}", self.folder / f"b.{ending}"
            self.ok("plot", file, "-o", a)
            self.ok("plot", file, "-o", b)
            self.assertEqual(a.read_bytes(), b.read_bytes())
        self.assertNotIn(b"CreationDate", a.read_bytes())

    def test_constant_and_single_samples(self):
        for rows in ([(0, [0])], [(0, [1e300]), (1, [-1e300])], [(0, [1.7e308]), (1, [-1.7e308])], [(0, [1.7e308])], [(t, [1e-310]) for t in range(3)], [(0, [math.nan])]):
            file = self.made(rows)
            for ending in ("svg", "png"):
                text = self.ok("plot", file, "q", "-o", self.folder / f"a.{ending}", "--force", "--term")
                self.assertNotRegex(text, "nan|inf")
            self.assertNotRegex((self.folder / "a.svg").read_text(), "nan|inf")


class Pictures(PlotTest):
    def test_png_has_the_size_and_shows_lines(self):
        file, out = self.made(sine()), self.folder / "a.png"
        self.ok("plot", file, "q", "-o", out, "--size", "500x300")
        width, height, rows = pixels(out)
        self.assertEqual((width, height), (500, 300))
        (panel,) = self.plot(file, "q", "--size", "500x300")
        blue = b"\x00\x72\xb2"
        for x, y in panel.lines[0][5::20]:  # the same places as in the SVG
            near = [rows[int(y) + dy][3 * (int(x) + dx):][:3] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
            self.assertTrue(any(max(abs(a - b) for a, b in zip(colour, blue)) < 60 for colour in near), (x, y))
        self.assertEqual(rows[2][:3], b"\xff\xff\xff")
        self.ok("plot", file, "q", "-o", out, "--size", "320x200", "--dark", "--force")
        self.assertEqual(pixels(out)[2][2][:3], b"\x15\x19\x1e")
        self.ok("plot", file, "q", "-o", out, "--force")
        root = (self.plot(file, "q"), elements(self.out)[0])[1]
        size = struct.unpack(">II", out.read_bytes()[16:24])
        self.assertEqual(size, (2 * int(root.get("width")), 2 * int(root.get("height"))))

    def test_pdf(self):
        file, out = self.made(sine()), self.folder / "a.pdf"
        self.ok("plot", file, "q", "-o", out, "--size", "480x320")
        data = out.read_bytes()
        self.assertTrue(data.startswith(b"%PDF-1."))
        self.assertRegex(data, rb"/MediaBox \[ 0 0 360 240 \]")
        self.assertIn(b"/Title (slider: made.mcap)", data)

    def test_mechanisms_and_flexible_models(self):
        out = self.folder / "m.mcap"
        self.ok("simulate", "examples/mechanisms/example_2_1_four_bar.json", "--for", "0.2s", "--out", out)
        panels = self.plot(out, "violation", "reactions")
        self.assertIn(["Constraint violation"], [p.titles for p in panels])
        shown = sum(len(p.legend) for p in panels if p.titles[0].startswith("Reactions"))
        table = self.table(out)
        seen = [k for k, v in table.items() if k.startswith("reactions:") and any(v)]
        self.assertEqual(shown, len(seen))
        self.ok("simulate", "examples/flexible/pendulum.json", "--for", "0.1s", "--out", self.folder / "f.mcap")
        self.assertGreater(len(self.plot(self.folder / "f.mcap")), 3)

    def test_hostile_names(self):
        name = "<script>alert(1)</script>&\"'\n\u202e\ud7ff" + "x" * 80
        model = {**SLIDE, "name": name}
        file = self.made(sine(), model=model, names=(name,), events=[(1, name, name)])
        for ending in ("svg", "png", "pdf"):
            self.ok("plot", file, "-o", self.folder / f"a.{ending}", "--term")
        root, texts, _ = elements(self.folder / "a.svg")
        self.assertEqual(list(root.iter(SVG + "script")), [])
        self.assertIn("<script>alert(1)</script>&\"' \ufffd", texts[0].text)
        self.assertLess(max(len(t.text) for t in texts[1:]), 60)


class Terminal(PlotTest):
    def lines(self, *arguments, **environment):
        result = run("plot", *arguments, "--term", environment={**ENVIRONMENT, **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()

    def test_a_sine_in_dots(self):
        lines = self.lines(self.made(sine()), "q", COLUMNS="80")
        self.assertEqual(lines[:3], ["slider: made.mcap", "", "Coordinates: q [m] over time [s]"])
        self.assertLessEqual(max(map(len, lines)), 80)
        field = lines[3:13]
        left = field[0].index("\u2524") + 1
        width = len(lines[13]) - left
        # Of each dot: time and value; the nearest of the sine.
        bits = {0: (0, 0), 1: (0, 1), 2: (0, 2), 3: (1, 0), 4: (1, 1), 5: (1, 2), 6: (0, 3), 7: (1, 3)}
        columns = {}
        for row, line in enumerate(field):
            for k, c in enumerate(line[left:]):
                for bit, (dx, dy) in bits.items():
                    if 0x2800 <= ord(c) < 0x2900 and ord(c) - 0x2800 >> bit & 1:
                        columns.setdefault(2 * k + dx, []).append(4 * row + dy)
        self.assertEqual(sorted(columns), list(range(2 * width)))
        for x, rows in columns.items():
            t = 2 * x / (2 * width - 1)
            expected = (1.1 - math.sin(2 * math.pi * t)) / 2.2 * 39
            self.assertLess(min(abs(y - expected) for y in rows), 1.6, (x, rows))
        self.assertEqual([line.split()[0] for line in field if "\u2524" in line], ["1", "0", "-1"])
        self.assertEqual(lines[14].split(), ["0.0", "0.5", "1.0", "1.5", "2.0"])

    def test_width_letters_and_colours(self):
        file = self.made([(t / 50, [t, -t]) for t in range(51)], names=("up", "down"), units=("m", "m"))
        for columns in ("50", "120"):
            lines = self.lines(file, "q", COLUMNS=columns)
            self.assertLessEqual(max(map(len, lines)), int(columns))
            self.assertGreater(max(map(len, lines)), int(columns) - 12)
        self.assertEqual((lines[3][-1], lines[12][-1], lines[-1]), ("a", "b", "  a up  b down"))
        self.assertNotIn("\033", "".join(lines))
        plain = self.lines(file, "q", LC_ALL="C")
        self.assertTrue("".join(plain).isascii())
        self.assertEqual((plain[3][-1], plain[12][-1]), ("a", "b"))

    def test_colours_on_a_terminal_only(self):
        file = self.made(sine())
        for environment, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
                                      ({"TERM": "dumb"}, False)):
            ours, theirs = pty.openpty()
            bare = {k: v for k, v in ENVIRONMENT.items() if k not in ("NO_COLOR", "TERM")}
            process = subprocess.Popen([cli_test.AXODE, "plot", str(file), "q", "--term"], stdout=theirs,
                                       env={**bare, **environment}, cwd=ROOT)
            os.close(theirs)
            text = b""
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                if not part:
                    break
                text += part
            os.close(ours)
            self.assertEqual(process.wait(), 0)
            self.assertEqual(b"\033[38;5;" in text, coloured, environment)


class Messages(PlotTest):
    def test_usage(self):
        file = self.made(sine())
        for expected, more in {
                "-o FILE.svg, .png or .pdf, or plot here with --term": [],
                "there is no quantity 'engery' in the run, which has q, v, a, tau.*; did you mean 'energy'": ["engery", "--term"],
                "there is no quantity 'violation' in the run, which has q": ["violation", "--term"],
                "q: there is no 'slid' among slide.*; did you mean 'slide'": ["q:slid", "--term"],
                "q: there is no ''": ["q:", "--term"],
                "'q' is there twice": ["q", "q", "--term"],
                "ending names no format of figures": ["-o", "a.gif"],
                "--size: '12' is not a size": ["-o", self.out, "--size", "12"],
                "--size: 0x5 is outside": ["-o", self.out, "--size", "0x5"],
                "--size: 99999x5 is outside": ["-o", self.out, "--size", "99999x5"],
                "--size: 200x100 is too small for 3 panels; take at least": ["-o", self.out, "--size", "200x100"],
                "are about a figure": ["--term", "--dark"]}.items():
            self.fails(2, expected, "plot", file, *more)
        self.fails(6, "too many pixels", "plot", file, "q", "-o", self.out, "--size", "20000x20000")
        self.assertFalse(self.out.exists())
        self.fails(5, "No such file", "plot", "none.mcap", "--term")
        self.fails(3, "is not an MCAP file", "plot", cli_test.ARM, "--term")
        self.fails(3, "holds no samples", "plot", self.made([]), "--term")
        self.assertIn("Examples:", self.ok("plot", "--help"))

    def test_files_stay(self):
        file = self.made(sine())
        before = file.read_bytes()
        self.ok("plot", file, "-o", self.out)
        self.fails(5, "exists already.*--force", "plot", file, "-o", self.out)
        self.ok("plot", file, "-o", self.out, "--force")
        self.fails(5, "No such file", "plot", file, "-o", self.folder / "no" / "a.svg")
        linked = self.folder / "linked.svg"
        linked.symlink_to(file)
        self.fails(2, "is a run; choose another name", "plot", file, "-o", linked, "--force")
        self.assertEqual(file.read_bytes(), before)

    def test_damaged_and_cut_runs(self):
        file = self.made(sine())
        data = bytearray(file.read_bytes())
        data[-300] ^= 1
        bad = self.file("bad.mcap", bytes(data))
        self.fails(3, "damaged", "plot", bad, "--term")
        cut = self.made(sine(51), "cut.mcap", complete=False)
        result = run("plot", cut, "-o", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cut.mcap ends early, at 0.5 s; what is there is drawn", result.stderr)


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
