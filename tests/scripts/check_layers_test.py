"""Tests of scripts/check_layers: a sound tree passes, each kind of violation is named."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_layers"

SOUND = {
    "axode/error.hpp": "#pragma once\n",
    "axode/lie/eigen.hpp": "#include <Eigen/Core>\n",
    "axode/lie/pack.hpp": '#include <cmath>\n\n#include "axode/error.hpp"\n',
    "axode/screw/twist.hpp": '#include "axode/lie/pack.hpp"\n',
    "axode/dynamics/energy.cpp": '#include "axode/lie/pack.hpp"\n#include "axode/screw/twist.hpp"\n',
    "tests/core/error_test.cpp": "",
    "tests/lie/eigen_test.cpp": "",
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

    def test_root_uses_module(self):
        self.expect_refused("axode/a.cpp", '#include "axode/lie/pack.hpp"\n',
                            "line 1: axode/ may not use lie (axode/lie/pack.hpp)")

    def test_unknown_module(self):
        self.expect_refused("axode/misc/a.cpp", "",
                            "module 'misc' is not in the table of scripts/check_layers")

    def test_relative_include(self):
        self.expect_refused("axode/lie/a.cpp", '#include "../screw/twist.hpp"\n',
                            'line 1: write "axode/..." instead of "../screw/twist.hpp"')

    def test_eigen_outside_its_home(self):
        self.expect_refused("axode/screw/a.cpp", "# include <Eigen/Dense>\n",
                            "line 1: Eigen may be included only in axode/lie/eigen.hpp, "
                            "axode/lie/eigen_solvers.cpp, axode/integrate/sundials_dense.cpp, "
                            "axode/lie/singular_values.cpp, axode/lie/dense_solvers.cpp")

    def test_header_without_test(self):
        self.expect_refused("axode/lie/so3.hpp", "", "no test tests/lie/so3_test.cpp")


unittest.main()
