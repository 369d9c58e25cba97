"""Pages of the C++ reference: one for each header of axode/, in the folders of the modules.

The text of a page is that of the header (cpp_header.py); what is declared there, Doxygen says. A declaration
that Doxygen knows and no page shows is an error.
"""
import dataclasses
import functools
import json
import pathlib
import re
import textwrap
import xml.etree.ElementTree as ElementTree

import cpp_header

root = pathlib.Path(__file__).resolve().parent.parent.parent
modules = {  # in the order in which they build on each other
    "core": "Errors, names, instruction sets",
    "linalg": "Dense and sparse matrices: equations, factors, eigenvalues",
    "lie": "Vectors, rotations, poses, dual numbers, lanes",
    "screw": "Screws, twists, wrenches, inertias",
    "model": "Joints, trees, how they are described",
    "kinematics": "Poses, velocities, Jacobians, inverse kinematics",
    "dynamics": "Forces, accelerations, matrices, derivatives, contacts",
    "engine": "The same, fast: for one state, and for many at once",
    "mechanism": "Closed loops: constraint equations, positions, motion",
    "flexible": "Elastic links: beams, modes, equations of motion",
    "integrate": "Integration methods on Lie groups",
    "simulate": "Runs: forces, controllers, events, methods",
    "io": "Files: models, meshes, runs, tables",
    "view": "Pages of the viewer",
}


@dataclasses.dataclass
class Entity:
    """Something declared: its name without axode::, what it is, and where."""
    name: str
    kind: str
    line: int
    inside: str  # the type it is a member of, or empty


def plain_name(name):
    return name.replace("axode::", "").split("<")[0].strip()


@functools.cache
def entities():
    """Header -> what it declares for others to use, as Doxygen found it."""
    found = {}
    for path in sorted((root / "build/docs/xml").glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            kind, name = compound.get("kind"), compound.findtext("compoundname")
            if kind not in ("struct", "class", "concept", "namespace") or not name.startswith("axode"):
                continue
            if set(name.split("::")) & cpp_header.hidden or compound.get("prot") == "private":
                continue
            where = compound.find("location")
            if kind != "namespace" and where is not None:
                add(found, Entity(plain_name(name), kind, int(where.get("line")), ""), where)
            inside = "" if kind == "namespace" else plain_name(name)
            for member in compound.iter("memberdef"):
                if member.get("prot") == "public":
                    add_member(found, member, inside, plain_name(name) if kind == "namespace" else "")
    return found


def add_member(found, member, inside, namespace):
    kind, name, where = member.get("kind"), member.findtext("name"), member.find("location")
    prefix = inside + "::" if inside else namespace + "::" if namespace != "axode" else ""
    if kind == "enum":
        for value in member.iter("enumvalue"):
            add(found, Entity(f"{prefix}{name}::{value.findtext('name')}", "value", int(where.get("line")),
                              prefix + name), where)
    if name and not name.startswith("@"):
        add(found, Entity(prefix + name, kind, int(where.get("line")), inside), where)


def add(found, entity, where):
    found.setdefault(where.get("declfile") or where.get("file"), []).append(entity)


def indented(lines):
    return textwrap.indent("\n".join(lines), "   ")


def title(text, line):
    return f"{text}\n{line * len(text)}\n"


def block_text(path, block, declared):
    """A section: names, the code as it stands in the header, and the comment."""
    types = {one.name for one in declared}
    names = list(dict.fromkeys(one.name for one in declared if one.name.rpartition("::")[0] not in types))
    parts = []
    if block.code:
        if names:
            more = ", ..." if len(names) > 4 else ""
            parts.append(title(f"``{'``, ``'.join(names[:4])}``{more}", "-"))
        objects = json.dumps([[one.name, one.kind, not one.inside] for one in declared])
        parts.append(f".. cpp-code:: {path} {block.line}\n   :objects: {objects}\n\n"
                     + indented("\n".join(block.code).split("\n")) + "\n")
    if any(block.comment):
        parts.append(".. cpp-comment::\n\n" + indented(block.comment) + "\n")
    return "\n".join(parts)


def header_page(path, declared):
    """The page of a header, and the declarations that are on it."""
    text = (root / path).read_text()
    comment, tests, _ = cpp_header.intro(text.split("\n"))
    shown, parts = [], [":orphan:\n", title(f"``{path.removeprefix('axode/')}``", "=")]
    parts.append(f".. cpp-links:: {path} {tests[0].removeprefix('Tests: ') if tests else ''}\n")
    if comment:
        parts.append(".. cpp-comment::\n\n" + indented(comment) + "\n")
    for block in cpp_header.blocks(text):
        here = [one for one in declared if block.code and block.line <= one.line <= block.last_line]
        shown += here
        if block.heading:
            parts.append(f".. rubric:: {block.heading}\n   :class: part\n")
        parts.append(block_text(path, block, here))
    return "\n".join(parts), shown


def write_pages(folder):
    known, missing, names, listed = entities(), [], {}, {}
    headers = sorted(str(path.relative_to(root)) for path in (root / "axode").rglob("*.hpp")
                     if not {"detail", "any_scalar"} & set(path.parts))
    for path in headers:
        text, shown = header_page(path, known.get(path, []))
        missing += [f"{path}:{one.line}: {one.name} is on no page" for one in known.get(path, [])
                    if one not in shown and not hidden(one)]
        page = folder / path.removeprefix("axode/").replace(".hpp", ".rst")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)
        listed |= {path: list(dict.fromkeys(one.name for one in shown if not one.inside))}
        for one in shown:
            if one.kind in ("struct", "class", "concept", "enum", "typedef") and not one.inside:
                names.setdefault(one.name, "api/cpp/" + path.removeprefix("axode/").removesuffix(".hpp"))
    if missing:
        raise SystemExit("\n".join(missing))
    (folder / "names.json").write_text(json.dumps(names, indent=0, sort_keys=True))
    write_indices(folder, headers, listed)


def hidden(entity):
    return bool(set(entity.name.split("::")) & cpp_header.hidden)


def summary(path):
    """The first sentence of the header."""
    comment = cpp_header.intro((root / path).read_text().split("\n"))[0]
    text = " ".join(comment[:comment.index("")] if "" in comment else comment)
    return re.split(r"(?<=[\w)\]])\. ", text)[0].rstrip(".:")


def names_text(module, listed):
    """All names of a module in the order of the alphabet, each with its page."""
    found = [(name, path) for path, names in listed.items() if path.startswith(f"axode/{module}/")
             for name in names if "operator" not in name]
    rows = [f"   {name} {path[6:-4]}" for name, path in sorted(found, key=lambda one: one[0].lower())]
    return f"{title('Names', '-')}\n.. cpp-names::\n\n" + "\n".join(rows) + "\n"


def write_indices(folder, headers, listed):
    """A page for each module with its headers, and one of all modules."""
    missing = {path.split("/")[1] for path in headers if path.count("/") > 1} - set(modules)
    if missing:
        raise SystemExit(f"docs/_ext/cpp_pages.py: say what these modules are: {missing}")
    lines = [title("C++ reference", "="), ".. cpp-modules::", ""]
    for module, text in modules.items():
        inside = [path.removeprefix("axode/") for path in headers if path.startswith(f"axode/{module}/")]
        lines.append(f"   {module}: {text}")
        rows = [f"   {name} {summary('axode/' + name)}" for name in inside]
        (folder / module / "index.rst").write_text(
            f"{title(module, '=')}\n{text}.\n\n.. cpp-headers::\n\n" + "\n".join(rows) + "\n\n"
            + names_text(module, listed))
    pages = [f"   {module}/index" for module in modules]
    lines += [f"   {path.removeprefix('axode/')} {summary(path)}" for path in headers if path.count("/") == 1]
    (folder / "index.rst").write_text(
        "\n".join(lines) + "\n\n.. toctree::\n   :hidden:\n\n" + "\n".join(pages) + "\n")
