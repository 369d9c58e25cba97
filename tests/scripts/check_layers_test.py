"""Tests of scripts/check_layers: a sound tree passes, each kind of violation is named."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_layers"

SOUND = {
    "axode/core/error.hpp": "#pragma once\n",
    "axode/linalg/eigen.hpp": "#include <Eigen/Core>\n",
    "axode/lie/pack.hpp": '#include <cmath>\n\n#include "axode/core/error.hpp"\n',
    "axode/screw/twist.hpp": '#include "axode/lie/pack.hpp"\n',
    "axode/dynamics/energy.cpp": '#include "axode/lie/pack.hpp"\n#include "axode/screw/twist.hpp"\n',
    "tests/core/error_test.cpp": "",
    "tests/linalg/eigen_test.cpp": "",
    "tests/lie/pack_lanes_test.cpp": "",
    "tests/screw/twist_test.cpp": "",
}


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def expect_refused(self, path, text, message):
        result = check(SOUND | {path: text})
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(result.stdout.splitlines(), [f"{path}: {message}"], result)

    def test_sound_tree_passes_in_silence(self):
        result = check(SOUND)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_arrow_that_points_back(self):
        self.expect_refused("axode/lie/a.cpp", '\n#include "axode/screw/twist.hpp"\n',
                            "line 2: lie may not use screw (axode/screw/twist.hpp)")

    def test_sideways_arrow(self):
        self.expect_refused("axode/integrate/a.cpp", "#include <axode/screw/twist.hpp>\n",
                            "line 1: integrate may not use screw (axode/screw/twist.hpp)")

    def test_unknown_room(self):
        self.expect_refused("axode/misc/a.cpp", "", "room 'misc' is not in the table of scripts/check_layers")

    def test_private_header_of_another_room(self):
        private = "axode/lie/detail/bits.hpp"
        for user in ("axode/screw/a.cpp", "tests/screw/a_test.cpp", "cli/a.cpp", "python/src/a.cpp"):
            self.expect_refused(user, f'#include "{private}"\n', f"line 1: {private} is private to axode/lie")
        for user in ("axode/lie/a.cpp", "axode/lie/deep/a.cpp", "tests/lie/a_test.cpp"):
            self.assertEqual(check(SOUND | {private: "", user: f'#include "{private}"\n'}).returncode, 0, user)

    def test_private_header_of_a_folder(self):
        private = "axode/dynamics/matrices/detail/bits.hpp"
        self.expect_refused("axode/dynamics/a.cpp", f'#include "{private}"\n',
                            f"line 1: {private} is private to axode/dynamics/matrices")

    def test_folder_too_large(self):
        for folder in ("axode/lie", "tests/lie", "cli", "python/src/lie", "scripts"):
            many = {f"{folder}/f{i}.txt": "" for i in range(30)}
            self.assertEqual(check({folder + "/a/f.txt": ""} | many).returncode, 0)
            found = check(many | {folder + "/one_more.txt": ""})
            self.assertEqual(found.stdout, f"{folder}: 31 files, 30 at most\n")
        self.assertEqual(check({f"tests/data/f{i}.txt": "" for i in range(40)}).returncode, 0)

    def test_relative_include(self):
        self.expect_refused("axode/lie/a.cpp", '#include "../screw/twist.hpp"\n',
                            'line 1: write "axode/..." instead of "../screw/twist.hpp"')

    def test_numerics_outside_their_homes(self):
        for header, what, home in (("Eigen/Dense", "Eigen", "axode/linalg/"), ("klu.h", "KLU", "axode/linalg/"),
                                   ("ida/ida.h", "SUNDIALS", "axode/integrate/sundials/"),
                                   ("cairo-pdf.h", "cairo", "cli/output/figure_cairo.cpp")):
            for path in ("axode/screw/a.cpp", "cli/commands/a.cpp", "python/src/lie/a.cpp"):
                self.expect_refused(path, f"# include <{header}>\n", f"line 1: {what} may be included only in {home}")
        self.assertEqual(check(SOUND | {"cli/output/figure_cairo.cpp": "#include <cairo.h>\n"}).returncode, 0)

    def test_border_layers_hold_no_numerics(self):
        for layer in ("cli", "python"):
            for path in (f"{layer}/src/a.cpp", f"{layer}/src/deep/a.hpp"):
                self.expect_refused(path, '#include "axode/linalg/eigen.hpp"\n',
                                    f"line 1: {layer} may not use linalg (axode/linalg/eigen.hpp); compute in axode/")
            for allowed in ("axode/lie/pack.hpp", "axode/linalg/rank.hpp"):
                self.assertEqual(check(SOUND | {f"{layer}/src/a.cpp": f'#include "{allowed}"\n'}).returncode, 0)

    def test_header_without_test(self):
        self.expect_refused("axode/lie/so3.hpp", "", "no test tests/lie/so3_test.cpp")
        self.assertEqual(check(SOUND | {"axode/lie/detail/so3.hpp": ""}).returncode, 0)


unittest.main()
