"""Makes build/docs/source: copies of the pages in docs/, and the pages that are made.

Only what changed is written, so that Sphinx builds only that anew.
"""
import pathlib
import tempfile

import bibliography
import cpp_pages
import python_pages

root = pathlib.Path(__file__).resolve().parent.parent.parent
source = root / "build/docs/source"


def copy_pages(made):
    """All of docs/ but what starts with _ or is no part of the site."""
    for path in (root / "docs").rglob("*"):
        name = path.relative_to(root / "docs")
        if path.is_file() and not str(name).startswith("_") and path.suffix in (".md", ".svg", ".png", ".json", ".bib"):
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_bytes(path.read_bytes())


def place(made, target):
    """Takes over the files that changed, and removes those that are no more."""
    for path in sorted(made.rglob("*")):
        goal = target / path.relative_to(made)
        if path.is_dir():
            goal.mkdir(parents=True, exist_ok=True)
        elif not goal.is_file() or goal.read_bytes() != path.read_bytes():
            goal.write_bytes(path.read_bytes())
    for goal in target.rglob("*.*"):
        if goal.is_file() and not (made / goal.relative_to(target)).exists():
            goal.unlink()


source.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder:
    made = pathlib.Path(folder)
    copy_pages(made)
    bibliography.write_page(made / "references.md")
    cpp_pages.write_pages(made / "api/cpp")
    python_pages.write_pages(made / "api/python")
    place(made, source)
