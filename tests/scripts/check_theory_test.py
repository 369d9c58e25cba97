"""Tests of scripts/check_theory: what it finds wrong on pages and in citations, and the table it makes."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_theory"
PAGE = """# Motion
$$ a = b \\tag{MuellerKin 1-3} $$

$$ c = d \\tag{MuellerKin 4, corrected} $$
Code: [motion.hpp](../../axode/motion.hpp), the recursion. Test: [motion_test.cpp](../../tests/motion_test.cpp).

Also [MuellerKin (5)-(81), Table 3].

| equation | what it is |
|---|---|
| [MuellerKin (82)] | a definition |
"""
CODE = "/// Motion [MuellerKin (1)-(2),\n/// (3), (4); Other (9)], [MuellerKin Table 3, sec. 2; MuellerKin\n/// (7a)].\n"


class CheckTheory(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("docs/theory", "axode", "tests"):
            (self.root / folder).mkdir(parents=True)
        keys = ("MuellerKin", "MuellerDyn", "TraversaroSaccon", "CibicikEgeland", "GarciaBayo")
        self.write("docs/references.bib", "".join(f"@article{{{key},\n}}\n" for key in keys))
        self.write("docs/errata.md", "| source | as printed |\n|---|---|\n| [MuellerKin] (4) | a |\n")
        self.write("docs/theory/motion.md", PAGE)
        self.write("axode/motion.hpp", CODE)
        self.write("tests/motion_test.cpp", "")
        self.check("--update")

    def write(self, path, text):
        (self.root / path).write_text(text)

    def check(self, *options):
        command = [sys.executable, SCRIPT, *options, self.root]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def finds(self, fault):
        self.check("--update")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn(fault, said)

    def test_accepts_pages_that_agree_and_makes_the_table(self):
        self.assertEqual(self.check(), (0, "1 pages agree with the code\n"))
        table = (self.root / "docs/theory/equations.md").read_text()
        self.assertIn("| (1)-(4) | [motion](motion.md) | [motion.hpp](../../axode/motion.hpp) |", table)
        self.assertIn("| (5)-(81) | [motion](motion.md) | none |", table)
        self.assertIn("| (82) | [motion](motion.md) | a definition |", table)
        self.assertIn("| Table 3 | [motion](motion.md) |", table)

    def test_table_must_be_that_of_the_pages(self):
        self.write("docs/theory/equations.md", "")
        self.assertIn("equations.md is not what the pages say", self.check()[1])

    def test_code_must_cite_what_it_is_linked_for(self):
        self.write("axode/motion.hpp", "/// Motion [MuellerKin (1)-(2), (4)].\n")
        self.finds("motion.md: MuellerKin (3) is cited by none of its files")
        self.write("axode/motion.hpp", "/// Motion.\n")
        self.finds("motion.md: motion.hpp does not cite the source it is linked for")

    def test_files_must_exist(self):
        (self.root / "tests/motion_test.cpp").unlink()
        self.finds("motion.md: no file ../../tests/motion_test.cpp")

    def test_corrections_stand_in_the_errata(self):
        self.write("docs/errata.md", "| [MuellerKin] (14) | a |\n")
        self.finds("motion.md: \\tag{MuellerKin 4, corrected}: no such correction")

    def test_rows_of_tagged_formulas(self):
        self.write("docs/theory/motion.md", PAGE.replace("a = b", "a \\\\ b"))
        self.finds("motion.md: write \\cr for \\\\ in a formula with a tag")

    def test_all_equations_are_on_a_page(self):
        self.write("docs/theory/motion.md", PAGE.replace("(5)-(81)", "(5)-(80)"))
        self.finds("MuellerKin (81) is on no page")
        self.write("axode/motion.hpp", CODE + "/// [MuellerKin Remark 7]\n")
        self.finds("axode/motion.hpp: MuellerKin Remark 7 is on no page")

    def name_a_room(self, head):
        """A header of a room, named for (1)-(3), with this text, and its source with a head alone."""
        for folder in ("axode/dynamics/matrices", "axode/dynamics/any_scalar"):
            (self.root / folder).mkdir(parents=True)
        page = PAGE.replace("axode/motion.hpp", "axode/dynamics/matrices/motion.hpp")
        self.write("docs/theory/motion.md", page)
        self.write("axode/dynamics/matrices/motion.hpp", CODE + head)
        self.write("axode/dynamics/matrices/motion.cpp", "// A head [MuellerKin (1)].\nint a;\n")

    def lines_fault(self):
        self.check("--update")
        return self.check()[1]

    def test_rooms_cite_at_lines(self):
        fault = "no line of motion.hpp or its sources cites one of MuellerKin 1, MuellerKin 2"
        self.name_a_room("namespace a {\n  /// Declared [MuellerKin (1)].\n  int a;  ///< [MuellerKin (2)]\n}\n")
        self.assertIn(fault, self.lines_fault())
        other = "  // a = b  [MuellerKin (5)]\n  int a = 1;\n"
        self.write("axode/dynamics/matrices/motion.cpp", other)
        self.assertIn(fault, self.lines_fault())
        for line in ("  // a = b\n  // [MuellerKin (1),\n  // corrected]\n", "int a = b;  // [MuellerKin (1)-(2)]\n"):
            self.write("axode/dynamics/matrices/motion.cpp", other + line)
            self.assertNotIn("no line", self.lines_fault())

    def test_lines_stand_in_sources_of_the_name_or_that_include_the_header(self):
        line = "  int a = b;  // [MuellerKin (3)]\n"
        self.name_a_room("")
        self.write("axode/dynamics/any_scalar/motion.hpp", line)
        self.assertNotIn("no line", self.lines_fault())
        (self.root / "axode/dynamics/any_scalar/motion.hpp").unlink()
        (self.root / "axode/dynamics/matrices/motion.cpp").unlink()
        self.write("axode/dynamics/matrices/other.cpp", line)
        self.assertIn("no line", self.lines_fault())
        self.write("axode/dynamics/matrices/other.cpp", '#include "axode/dynamics/matrices/motion.hpp"\n' + line)
        self.assertNotIn("no line", self.lines_fault())

    def test_table_of_the_architecture_leads_to_lines(self):
        row = "| [MuellerKin (1)-(2)], motion | [motion.hpp](../axode/motion.hpp) | `move` |\n"
        self.write("docs/architecture.md", "| equation | file | function |\n|---|---|---|\n" + row)
        self.finds("architecture.md: no line of ../axode/motion.hpp cites [MuellerKin (1)-(2)], motion")
        self.write("axode/motion.hpp", CODE + "int a = b;  // [MuellerKin (1)-(3)]\n")
        self.check("--update")
        self.assertEqual(self.check()[0], 0)

    def test_counts_citations_at_lines(self):
        self.name_a_room("")
        self.write("axode/dynamics/matrices/motion.cpp", "// [MuellerKin (9)]\n  int a;  // [MuellerKin (1)-(3)]\n")
        counts = ["   3 axode/dynamics/matrices/motion.cpp", "   0 axode/dynamics/matrices/motion.hpp"]
        self.assertEqual(self.check("--lines"), (0, "\n".join(counts) + "\n"))

    def test_numbers_and_keys_that_do_not_exist(self):
        self.write("docs/theory/motion.md", PAGE + "\n[MuellerKin (83)]\n\n$$ \\tag{Nobody 1} $$\n")
        self.finds("MuellerKin has no equation (83)")
        self.finds("motion.md: \\tag{Nobody 1}: no source of that key")
        self.write("docs/references.bib", "")
        self.finds("MuellerKin is not in docs/references.bib")


if __name__ == "__main__":
    unittest.main()
