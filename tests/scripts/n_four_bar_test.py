"""Tests of scripts/figures/n_four_bar: the shipped row of two is what it prints, long rows are complete."""

import json
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]


def row(*arguments):
    done = subprocess.run([ROOT / "scripts" / "figures" / "n_four_bar", *arguments], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


class NFourBar(unittest.TestCase):
    def test_shipped_is_printed(self):
        text = (ROOT / "examples" / "mechanisms" / "n_four_bar.json").read_text(encoding="utf-8")
        shipped = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
        self.assertEqual(row("2"), json.loads(shipped))

    def test_forty_without_a_number(self):
        model = row()
        self.assertEqual(len(model["bodies"]), 1 + 41 + 40)
        self.assertEqual(len(model["joints"]), 41 + 80)

    def test_none_is_refused(self):
        self.assertIn("at least 1", row("0"))


if __name__ == "__main__":
    unittest.main()
