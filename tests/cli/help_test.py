"""Tests of `axode help`: texts, the manual page and the completions name every verb and option.

Usage: help_test.py AXODE [unittest options]
"""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import cli_test
from cli_test import CliTest


class Help(CliTest):
    def verbs(self):
        listed = self.ok("--help").split("Subcommands:")[1].split("Exit codes")[0]
        return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)

    def options(self, verb):
        return re.findall(r"(?<![\w`.])--[a-z][a-z-]*", self.ok(verb, "--help").split("Options:")[1].split("Examples:")[0])

    def test_texts_are_those_of_the_option(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        for verb in self.verbs():
            self.assertEqual(self.ok("help", verb), self.ok(verb, "--help"), verb)
        self.fails(2, "there is no command 'simulat'; did you mean 'simulate'", "help", "simulat")
        self.fails(2, "exclude each other", "help", "view", "--man")

    def test_the_manual_page_has_all(self):
        page = self.ok("help", "--man")
        for verb in self.verbs():
            part = page.split(f'.SH "axode {verb}"')[1].split(".SH")[0]
            for option in set(self.options(verb)) - {"--help"}:
                if f"\n      {option}" not in self.ok(verb, "--help") and f", {option}" not in self.ok(verb, "--help"):
                    continue  # named in another option's text
                self.assertIn(option.replace("-", "\\-"), part, verb)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes(self):
        script = self.file("axode.bash", self.ok("help", "--completion", "bash"))

        def completions(*words):
            line = " ".join(f"'{w}'" for w in ("axode", *words))
            code = (f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _axode; "
                    'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-uc", code], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()
        self.assertEqual(sorted(completions("")), sorted(self.verbs()))
        self.assertEqual(completions("simu"), ["simulate"])
        self.assertEqual(completions("simulate", "a.json", "--controll"), ["--controller"])
        self.assertIn("-o", completions("simulate", "a.json", "-"))
        self.assertEqual(completions("help", "linea"), ["linearize"])
        self.file("model.urdf", "")
        self.assertEqual(completions("info", "mod"), ["model.urdf"])

    def test_other_shells_read_their_scripts(self):
        for shell in ("zsh", "fish"):
            text = self.ok("help", "--completion", shell)
            for verb in self.verbs():
                self.assertIn(verb, text)
            self.assertIn("controller", text)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", self.file(f"axode.{shell}", text)], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.fails(2, "choose bash, zsh or fish", "help", "--completion", "tcsh")


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
