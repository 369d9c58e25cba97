"""Tests the quick start, the tutorials, the page on plots and the gallery: commands do what the pages show, pictures
and files are there.

Usage: pages_test.py AXODE [unittest options]
       pages_test.py AXODE --update    writes the outputs in the ```console blocks anew
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
QUICK_START = DOCS / "quick_start.md"
PAGES = [QUICK_START, DOCS / "plots.md", *sorted((DOCS / "tutorials").glob("*.md"))]
PYTHON = ROOT / "build" / "python" / "env" / "bin"
AXODE = Path()


def environment(**more):
    path = f"{AXODE.parent}:{PYTHON}:{os.environ['PATH']}"
    known = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    return {**known, "LC_ALL": "C.UTF-8", "PATH": path, **more}


def run(commands, folder, **more):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment(**more), timeout=300,
                          check=False)


def console_block(match):
    """A ```console block as it should be: each `$ command` with what it prints, in the root of the project."""
    text = ""
    for command in re.findall(r"^\$ (.*)$", match[1], re.M):
        text += f"$ {command}\n{run(command, ROOT).stdout}"
    return f"```console\n{text}```"


def as_printed(page):
    text = page.read_text(encoding="utf-8")
    return text, re.sub(r"^```console\n(.*?)^```", console_block, text, flags=re.M | re.S)


class Pages(unittest.TestCase):
    maxDiff = None

    def test_commands_print_what_is_shown(self):
        blocks = 0
        for page in PAGES:
            with self.subTest(page=page.name):
                shown, printed = as_printed(page)
                blocks += shown.count("```console")
                self.assertEqual(shown.splitlines(), printed.splitlines())
        self.assertGreater(blocks, 5)

    def test_links_lead_somewhere(self):
        for page in [*PAGES, DOCS / "gallery.md", DOCS / "glossary.md", ROOT / "README.md"]:
            for link in re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|href)="([^"]+)"', page.read_text(encoding="utf-8")):
                target = link[0] or link[1]
                if not re.match(r"[a-z]+:", target):
                    self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_every_picture_is_used_and_small(self):
        text = "".join(p.read_text(encoding="utf-8") for p in [ROOT / "README.md", *DOCS.rglob("*.md")])
        pictures = list((DOCS / "pictures").iterdir())
        self.assertGreater(len(pictures), 60)
        for picture in pictures:
            self.assertTrue(f"pictures/{picture.name}" in text, f"{picture.name} is on no page")
        self.assertLess(sum(p.stat().st_size for p in pictures), 3e6)

    def test_pictures_are_those_of_the_script(self):
        made = subprocess.run([ROOT / "scripts" / "pictures", "--list"], capture_output=True, text=True, check=True)
        self.assertEqual(sorted(made.stdout.split()), sorted(p.stem for p in (DOCS / "pictures").iterdir()))

    def test_the_gallery_shows_all(self):
        text = (DOCS / "gallery.md").read_text(encoding="utf-8")
        for place in ("models", "examples/mechanisms", "examples/flexible"):
            for file in (ROOT / place).iterdir():
                if file.suffix in (".json", ".urdf"):
                    self.assertIn(f"axode view {file.relative_to(ROOT)}", text)


def sh_blocks(page):
    """Commands of the ```sh blocks of a page; those below <!-- once --> prepare the machine and are left out."""
    text = page.read_text(encoding="utf-8")
    return [code for once, code in re.findall(r"(<!-- once -->\n)?^```sh\n(.*?)^```", text, flags=re.M | re.S) if not once]


class Commands(unittest.TestCase):
    """All ```sh blocks of a page one after the other, as a reader would type them."""

    def test_they_work(self):
        for page in PAGES:
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as folder:
                for name in ("models", "examples", "build", "docs"):
                    (Path(folder) / name).symlink_to(ROOT / name)
                self.run_page(page, Path(folder))
        self.assertGreater(len(sh_blocks(QUICK_START)), 4)

    def run_page(self, page, folder):
        for commands in sh_blocks(page):
            if "python3 " in commands and not any(PYTHON.parent.glob("lib/*/site-packages/axode/__init__.py")):
                print(f"skipped, the Python package is not built: {commands.strip()}")
                continue
            done = run(commands, folder, HOME=str(folder), TMPDIR=str(folder))
            self.assertEqual(done.returncode, 0, f"{commands}{done.stdout}")
        for file in folder.iterdir():
            if file.is_file():
                self.assertGreater(file.stat().st_size, 0, file.name)


if __name__ == "__main__":
    AXODE = Path(sys.argv.pop(1)).resolve()
    if sys.argv[1:] == ["--update"]:
        for page in PAGES:
            page.write_text(as_printed(page)[1], encoding="utf-8")
        sys.exit()
    unittest.main()
