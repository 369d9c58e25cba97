"""Tests of `axode help`, `axode man` and `axode completion`: they name every verb and option of the command, and what
values are.

Usage: help_test.py AXODE [unittest options]
"""

import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import cli_test
from cli_test import ROOT, CliTest


class Help(CliTest):
    @staticmethod
    def listed(text):
        return re.findall(r"^  ([a-z][a-z-]*) ", text.split("Subcommands:")[1], re.MULTILINE) if "Subcommands:" in text else []

    def verbs(self):
        """All that can be run, as tuples of words."""
        for verb in self.listed(self.ok("--help")):
            actions = self.listed(self.ok(verb, "--help"))
            yield from ((verb, action) for action in actions) if actions else [(verb,)]

    def options(self, *verb):
        """Names of the options, as help lists them."""
        lines = self.ok(*verb, "--help").split("Options:")[1].splitlines()
        heads = [line.split()[0] for line in lines if re.match(r"  -", line)]
        return [name for head in heads for name in head.split(",")]

    def test_texts_are_those_of_the_option(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        for verb in (*self.verbs(), ("mechanism",), ("flexible",)):
            self.assertEqual(self.ok("help", *verb), self.ok(*verb, "--help"), verb)
        self.assertIn(("mechanism", "assembly-modes"), list(self.verbs()))
        self.fails(2, "there is no command 'simulat'; did you mean 'simulate'", "help", "simulat")
        self.fails(2, "there is no action 'sove' of `axode mechanism`; did you mean 'solve'", "help", "mechanism", "sove")

    def test_every_line_fits(self):
        for verb in self.verbs():
            for line in self.ok(*verb, "--help").splitlines():
                self.assertLessEqual(len(line), 95, f"{verb}: {line}")
                self.assertNotRegex(line, "without it|[0-9]{9}", verb)

    def test_examples_use_files_that_are_there(self):
        made = {"swing.mcap", "log.csv", "long.mcap"}
        for verb in self.verbs():
            examples = self.ok(*verb, "--help").split("Examples:")
            if verb != ("completion",) and verb != ("man",):
                self.assertEqual(len(examples), 2, verb)
            for name in re.findall(r"(?<![-\w./])(?:[\w]+/)*[\w]+\.(?:json|urdf|mcap)(?= |$)", examples[1], re.M):
                before = examples[1].split(name)[0]
                if not re.search(r"(-o|--out|>) $", before):
                    self.assertTrue(name in made or (ROOT / name).exists(), f"{verb}: {name}")

    def test_the_reference_has_all(self):
        # What is printed below each command is checked by cli_test.py.
        text = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
        shown = re.findall(r"^\$ axode help (.*)$", text, re.M)
        self.assertEqual(sorted(shown), sorted(" ".join(verb) for verb in self.verbs()))

    def test_the_manual_page_has_all(self):
        page = self.ok("man")
        for verb in self.verbs():
            part = page.split(f'.SS "axode {" ".join(verb)}"'.replace("-", "\\-"))[1].split(".SS")[0]
            for option in self.options(*verb):
                self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", part, verb)
        self.assertIn("one of automatic, mk1", page)
        self.assertNotRegex(page, r"(?m)^\.(?!TH|SH|SS|TP|PP|br|nf|fi)")
        for line in re.findall(r"(?m)^[^.].*", page):
            self.assertNotRegex(line, r"\\(?!f[BIR]|-|&|e)", line)
        for tool in (["groff", "-man", "-Tutf8", "-ww"], ["mandoc", "-Tlint"]):
            if shutil.which(tool[0]):
                done = subprocess.run(tool, input=page, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), tool)

    def test_they_are_installed(self):
        made = Path(cli_test.AXODE).parent / "help"
        if made.exists():
            for file, command in (("axode.1", ["man"]), ("axode", ["completion", "bash"]), ("_axode", ["completion", "zsh"]),
                                  ("axode.fish", ["completion", "fish"])):
                self.assertEqual((made / file).read_text(), self.ok(*command), file)

    def test_quotes_are_closed(self):
        # Where zsh and fish are not at hand: bash knows all of the syntax that the script for zsh uses.
        script = self.file("_axode", self.ok("completion", "zsh"))
        done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in self.ok("completion", "fish").splitlines()[1:]:
            words = shlex.split(line)
            self.assertEqual(words[:4], ["complete", "-c", "axode", "-n"])
            self.assertEqual(words[-2], "-d")

    def test_other_shells_read_their_scripts(self):
        for shell in ("zsh", "fish"):
            text = self.ok("completion", shell)
            for verb in self.verbs():
                self.assertIn(verb[-1], text)
                for option in self.options(*verb):
                    self.assertIn(option if shell == "zsh" else option.lstrip("-"), text)
            self.assertIn("semi-implicit", text)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", self.file(f"axode.{shell}", text)], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.fails(2, "there is no 'tcsh'; choose bash, zsh or fish", "completion", "tcsh")


class Bash(Help):
    """Completion in a real bash."""

    def setUp(self):
        super().setUp()
        self.script = self.file("axode.bash", self.ok("completion", "bash"))
        for name in ("arm.urdf", "bar.json", "run.mcap", "table.csv", "notes.txt", "two words.json"):
            self.file(name, "")
        (self.folder / "models").mkdir()

    def completions(self, *words):
        """Of the last word."""
        line = " ".join(f"'{w}'" for w in ("axode", *words))
        code = (f"source {self.script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _axode; "
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-uc", code], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sorted(done.stdout.split("\n")[:-1]) if done.stdout.strip() else []

    def test_verbs_and_actions(self):
        verbs = sorted({verb[0] for verb in self.verbs()})
        self.assertEqual(self.completions(""), verbs)
        self.assertEqual(self.completions("simu"), ["simulate"])
        self.assertEqual(self.completions("mechanism", "so"), ["solve"])
        self.assertEqual(self.completions("flexible", ""), ["figures", "modes"])
        self.assertEqual(self.completions("help", "linea"), ["linearize"])

    def test_options(self):
        for verb in self.verbs():
            self.assertEqual(self.completions(*verb, "-"), sorted(self.options(*verb)), verb)
        self.assertEqual(self.completions("simulate", "bar.json", "--controll"), ["--controller"])
        self.assertEqual(self.completions("mechanism", "solve", "bar.json", "--rea"), ["--reactions"])

    def test_files_by_their_endings(self):
        models, runs = ["arm.urdf", "bar.json", "models", "two words.json"], ["models", "run.mcap"]
        self.assertEqual(self.completions("check", ""), models)
        self.assertEqual(self.completions("info", "--json", ""), sorted({*models, *runs}))
        self.assertEqual(self.completions("plot", ""), runs)
        self.assertEqual(self.completions("mechanism", "solve", "--loops", ""), ["bar.json", "models", "two words.json"])
        self.assertEqual(self.completions("simulate", "arm.urdf", "-o", ""), ["models", "run.mcap", "table.csv"])
        self.assertEqual(self.completions("view", "arm.urdf", "bar.json", "ru"), ["run.mcap"])
        self.assertEqual(self.completions("check", "--mesh-root", ""), ["models"])
        self.assertEqual(self.completions("check", "--mesh-root", "models", "ba"), ["bar.json"])
        self.assertEqual(self.completions("check", "bar.json", ""), [])

    def test_values(self):
        self.assertEqual(self.completions("simulate", "bar.json", "--method", "semi"), ["semi-implicit"])
        self.assertEqual(self.completions("simulate", "bar.json", "--method", "=", "semi"), ["semi-implicit"])
        self.assertEqual(self.completions("flexible", "modes", "bar.json", "--joints", "="), ["free", "locked", "servo"])
        self.assertEqual(self.completions("kinematics", "--rep", "h"), ["hybrid"])
        self.assertIn("quasi-velocities", self.completions("linearize", "bar.json", "--formulation", ""))
        self.assertEqual(self.completions("completion", ""), ["bash", "fish", "zsh"])
        self.assertEqual(self.completions("simulate", "bar.json", "--for", ""), [])


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
