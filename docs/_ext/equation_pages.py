"""The page of the written equations of the examples and problems, made by the installed package.

Usage: equation_pages.py PAGE (with a Python that has axode)
"""
import pathlib
import re
import sys

import axode

root = pathlib.Path(__file__).resolve().parent.parent.parent
families = {"relative": "Relative coordinates", "reference_point": "Reference-point coordinates",
            "natural": "Natural coordinates"}
longest = 900  # characters of LaTeX that a reader still follows in one row

HEAD = """# The equations of the book's mechanisms, written out

The constraint equations of the examples and problems of chapter 2 of [GarciaBayo], in the
coordinates of each family, as `axode mechanism equations FILE --lengths names --style latex` prints them.
The files are in [mechanism_examples](mechanism_examples.md), the rules in [mechanisms](mechanisms.md#equations-written-out).
$L_{A B}$ is the distance of two points of a body, $x_{A B}$ a component of it in the axes of the body (of
the fixed body $O$: of the world), $f(t)$ the motion of a driver. Attitudes in space are by Euler parameters.
"""


def titles():
    """Title by file, in the order of the table of docs/mechanism_examples.md."""
    row = re.compile(r"\| ([\d./, ]+) \| \[(.*?)\]\(\.\./(examples/mechanisms/.*?)\)")
    for match in row.finditer((root / "docs/mechanism_examples.md").read_text()):
        yield match[1], match[2].replace(" *", ""), match[3]


def rows(written):
    for row in written.rows:
        if len(row) <= longest:
            yield f"{row} &= 0"
        else:
            yield rf"\text{{({len(re.split(' [+-] ', row))} terms)}} &= 0"


def chapter(number, title, file):
    mechanism = axode.Mechanism.from_file(root / file)
    text = [f"## {number}: {title}\n"]
    for family, name in families.items():
        system = mechanism.formulate(family)
        system.refresh(system.assemble().q)
        written = system.written("latex", lengths="names", jacobian=False, digits=6)
        text.append(f"**{name}**: {', '.join(f'${c}$' for c in written.coordinates)}\n")
        text.append("$$\n\\begin{aligned}\n" + " \\\\\n".join(rows(written)) + "\n\\end{aligned}\n$$\n")
        if written.lengths:
            text.append(", ".join(f"${k} = {v:.6g}$" for k, v in written.lengths.items()) + "\n")
    return "\n".join(text)


page = "\n".join([HEAD, *(chapter(*t) for t in titles())])
pathlib.Path(sys.argv[1]).write_text(page, encoding="utf-8")
