"""Tests of scripts/check_snippets: blocks of whole files and of sections, and how they are updated."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_snippets"
PROGRAM = """import tool

# --- 1 load: theirs
tool.load()

# --- 1 load: ours
axode.load()
axode.run()
# --- 1 load: check
assert True
# --- 10 run: ours
axode.simulate()
"""


class CheckSnippets(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("scripts", "docs", "examples"):
            (self.root / folder).mkdir()
        shutil.copy(SCRIPT, self.root / "scripts")
        (self.root / "README.md").write_text("")
        (self.root / "examples" / "tool.py").write_text(PROGRAM)

    def check(self, page, *options):
        file = self.root / "docs" / "page.md"
        file.write_text(page)
        command = [sys.executable, self.root / "scripts" / "check_snippets", *options]
        return subprocess.run(command, capture_output=True, text=True), file.read_text()

    def block(self, name, code):
        return f"<!-- examples/{name} -->\n```python\n{code}```\n"

    def test_sections_to_the_letter(self):
        page = self.block("tool.py#1-theirs", "tool.load()\n")
        page += self.block("tool.py#1-ours", "axode.load()\naxode.run()\n")
        page += self.block("tool.py#10-ours", "axode.simulate()\n") + self.block("tool.py", PROGRAM)
        result, _ = self.check(page)
        self.assertEqual((result.returncode, result.stdout),
                         (0, "4 blocks in the pages are those of examples/\n"))

    def test_differences_and_missing_sections_are_named(self):
        result, _ = self.check(self.block("tool.py#1-ours", "axode.load()\n"))
        self.assertEqual((result.returncode, result.stdout),
                         (1, "docs/page.md:1: the block differs from examples/tool.py#1-ours\n"))
        for name in ("tool.py#2-ours", "tool.py#0-ours", "tool.py#1-nobody", "tool.py#", "none.py#1-ours"):
            result, _ = self.check(self.block(name, ""))
            self.assertEqual((result.returncode, result.stdout),
                             (1, f"docs/page.md:1: examples/{name} does not exist\n"))

    def test_update_writes_sections(self):
        result, page = self.check(self.block("tool.py#10-ours", ""), "--update")
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual(page, self.block("tool.py#10-ours", "axode.simulate()\n"))


if __name__ == "__main__":
    unittest.main()
