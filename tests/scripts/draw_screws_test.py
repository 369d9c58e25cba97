"""Tests of scripts/figures/draw_screws: the formulas behind the sketches, and that each is a picture in the docs."""

import importlib.machinery
import importlib.util
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).parents[2]
loader = importlib.machinery.SourceFileLoader("draw_screws", str(ROOT / "scripts" / "figures" / "draw_screws"))
draw = importlib.util.module_from_spec(importlib.util.spec_from_loader("draw_screws", loader))
loader.exec_module(draw)


class DrawScrews(unittest.TestCase):
    def test_velocities_about_a_screw(self):
        at = draw.velocity((0, 0, 1), 0.1, 2, (1, 0, 0), (1.5, 0, 7))
        self.assertEqual(at, (0, 1, 0.2))  # half a metre from the axis at 2 rad/s, and 0.1 m/rad along it

    def test_right_handed(self):
        s = draw.Sketch(100, 100, 10, (0, 0, 0))
        self.assertGreater(s.at((1, 0, 0))[0], s.at((0, 0, 0))[0])  # x goes to the right
        self.assertLess(s.at((0, 0, 1))[1], s.at((0, 0, 0))[1])  # z up
        self.assertLess(s.at((0, 1, 0))[1], s.at((0, 0, 0))[1])  # y away, which is up as well

    def test_the_pictures_are_those_of_the_docs(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, sketch in draw.DRAWINGS.items():
                file = Path(folder) / f"{name}.svg"
                sketch().save(file)
                self.assertEqual(file.read_text(), (ROOT / "docs" / "pictures" / file.name).read_text())
                ElementTree.parse(file)


if __name__ == "__main__":
    unittest.main()
