"""Makes build/docs/source afresh: copies of the pages in docs/, and the pages that are made."""
import pathlib
import shutil

import bibliography
import cpp_pages
import python_pages

root = pathlib.Path(__file__).resolve().parent.parent.parent
source = root / "build/docs/source"
kinds = {".md", ".svg", ".png", ".json", ".bib"}

shutil.rmtree(source, ignore_errors=True)
for path in (root / "docs").rglob("*"):
    goal = source / path.relative_to(root / "docs")
    if path.is_file() and path.suffix in kinds:
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal)
bibliography.write_page(source / "references.md")
cpp_pages.write_pages(source / "api/cpp")
python_pages.write_pages(source / "api/python")
