"""Pages of the Python reference, one for each part of the package: signatures and docstrings of the stub of
the compiled module (of the wheel in build/python) and of python/axode/*.py, read without importing them.
"""
import ast
import dataclasses
import functools
import pathlib
import re
import textwrap

from cpp_pages import title

root = pathlib.Path(__file__).resolve().parent.parent.parent
parts = {  # the rooms of the package, and the types
    "core": "Errors, threads and the processor",
    "lie": "Rotations, poses, dual numbers",
    "screw": "Screws, twists, wrenches, inertias",
    "model": "Joints, trees, frames and states",
    "kinematics": "Poses, velocities, Jacobians, inverse kinematics",
    "dynamics": "Forces, accelerations, matrices, derivatives, contacts",
    "mechanism": "Mechanisms with closed loops",
    "flexible": "Elastic links",
    "integrate": "Integration, methods of simulations",
    "forces": "Forces, controllers, signals and contacts in simulations",
    "run": "Simulations and what they record",
    "io": "Files of models and scenes",
    "view": "Pages of the viewer",
    "typing": "Types in signatures",
}
own_methods = {"__call__", "__getitem__", "__len__", "__iter__", "__enter__", "__exit__", "__contains__", "__mul__",
               "__matmul__", "__add__", "__sub__", "__neg__", "__truediv__", "__rmul__"}


@dataclasses.dataclass
class Name:
    name: str
    part: str
    nodes: list  # overloads of a function, or one class or value
    text: str = ""  # of a value


def stub_path():
    return next((root / "build/python/env/lib").glob("python3*/site-packages/axode/_axode.pyi"))


def documented(body):
    """Statements with the string behind them, where that is one."""
    for i, node in enumerate(body):
        after = body[i + 1] if i + 1 < len(body) else None
        text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        yield node, inspect_clean(text) if isinstance(text, str) else ""


def inspect_clean(text):
    first, _, rest = text.partition("\n")
    return (first.strip() + "\n" + textwrap.dedent(rest)).strip()


def target_of(node):
    """The name that a statement defines, or None."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.name
    target = getattr(node, "target", None) or (getattr(node, "targets", None) or [None])[0]
    return target.id if isinstance(target, ast.Name) else None


def collect(body, wanted):
    """Name -> the statements that define it and the text behind them, for names that are wanted."""
    found = {}
    for node, text in documented(body):
        name = target_of(node)
        if name is not None and name in wanted:
            nodes, first = found.get(name, ([], text))
            found[name] = ([*nodes, node], first)
    return found


def exported(path):
    """What a file says it exports."""
    for node in ast.parse(path.read_text()).body:
        if target_of(node) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


@functools.cache
def top_level():
    return exported(root / "python/axode/__init__.py")


def imports(path):
    """Name -> the module that a room has it from."""
    nodes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom)]
    return {one.name: node.module.removeprefix("axode.") for node in nodes for one in node.names}


@functools.cache
def public():
    """All names of the package, with what defines them: the stub, or a private file."""
    sources = {part: imports(root / f"python/axode/{part}.py") for part in parts if part != "typing"}
    found, classes = {}, {}
    for module in sorted({module for names in sources.values() for module in names.values()}):
        path = stub_path() if module == "_axode" else root / "python/axode" / (module.replace(".", "/") + ".py")
        rooms = {name: part for part, names in sources.items() for name in names if names[name] == module}
        for name, (nodes, text) in collect(ast.parse(path.read_text()).body, rooms).items():
            found[name] = Name(name, rooms[name], nodes, text)
            if isinstance(nodes[0], ast.ClassDef):
                classes[name] = nodes[0]
    types = ast.parse((root / "python/axode/typing.py").read_text()).body
    names = {target_of(node) for node in types} - {None}
    for name, (nodes, text) in collect(types, names).items():
        found[f"typing.{name}"] = Name(name, "typing", nodes, text)
    found["typing.ArrayLike"] = Name("ArrayLike", "typing", ast.parse("ArrayLike = numpy.typing.ArrayLike").body,
                                     "What NumPy makes an array of: arrays, numbers, nested sequences.")
    for name in found.values():
        method_alias(name, classes)
    return found


def method_alias(name, classes):
    """dual_jacobian = _axode.FlexibleTree.dual_jacobian is that method."""
    node = name.nodes[0]
    if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("_axode."):
        _, owner, method = ast.unparse(node.value).split(".")
        name.nodes = [one for one in classes[owner].body if target_of(one) == method]


def full_name(name):
    return f"axode.{name.part}.{name.name}"


def public_names():
    """Page and anchor of each."""
    return [(f"api/python/{name.part}.html", full_name(name)) for name in public().values()]


# --- reStructuredText ---

def as_text(doc):
    """A docstring: code between backticks, indented blocks as they are, the rest as plain text."""
    out = []
    for paragraph in re.split(r"\n\s*\n", doc):
        if paragraph.startswith("    "):
            out.append(".. code-block:: python\n\n" + paragraph)
            continue
        pieces = " ".join(paragraph.split()).split("`")
        for i, piece in enumerate(pieces):
            after = pieces[i + 1] if i + 1 < len(pieces) else ""
            if i % 2:
                pieces[i] = f"``{piece}``" + ("\\ " if after[:1].isalnum() else "")
            else:
                pieces[i] = re.sub(r"([*_|\\])", r"\\\1", piece)
        out.append("".join(pieces))
    return "\n\n".join(out)


def doc_of(node):
    return inspect_clean(ast.get_docstring(node) or "")


def annotation(node):
    text = ast.unparse(node)
    return in_rooms(text[1:-1] if isinstance(node, ast.Constant) and isinstance(node.value, str) else text)


def in_rooms(text):
    """Types where users find them: axode._results.lie.AxisAngle is axode.lie.AxisAngle."""
    def room(match):
        name = public().get(match[1])
        return full_name(name) if name else match[0]
    return re.sub(r"(?<![\w.])axode\.(?:\w+\.)*([A-Z]\w*)(?![\w.])", room, text)


def signature(node, method):
    """(self, ...) -> ... as it stands, without self."""
    arguments = ast.unparse(node.args)
    if method and not any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list):
        arguments = re.sub(r"^(self|cls)(: [^,]*)?(, /)?(, |$)", "", arguments)
    arguments = in_rooms(arguments)
    for name in type_names():
        arguments = re.sub(rf"(?<![\w.\"'=])(?<!= ){name}\b(?![\w.:])", f"axode.typing.{name}", arguments)
    return f"({arguments})" + (f" -> {annotation(node.returns)}" if node.returns else "")


@functools.cache
def type_names():
    """Types that files of the package import from axode.typing."""
    body = ast.parse((root / "python/axode/typing.py").read_text()).body
    return [target_of(node) for node in body if target_of(node)] + ["ArrayLike"]


def directive(kind, heads, text, options=()):
    lines = [f".. py:{kind}:: {heads[0]}"] + [" " * (len(kind) + 8) + head for head in heads[1:]]
    lines += [f"   {option}" for option in options]
    return "\n".join(lines) + "\n\n" + textwrap.indent(text, "   ") + "\n"


def has(node, decorator):
    return any(ast.unparse(one) == decorator for one in node.decorator_list)


def function_text(kind, nodes, method=False):
    nodes = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    docs = list(dict.fromkeys(doc_of(node) for node in nodes if doc_of(node)))
    options = [":staticmethod:"] if method and has(nodes[0], "staticmethod") else []
    options += [":classmethod:"] if method and has(nodes[0], "classmethod") else []
    heads = [nodes[0].name + signature(node, method) for node in nodes]
    return directive(kind, heads, "\n\n".join(map(as_text, docs)), options)


def member_text(node, text, methods):
    name = target_of(node)
    if isinstance(node, ast.FunctionDef):
        if has(node, "property"):
            kind = [f":type: {annotation(node.returns)}"] if node.returns else []
            return directive("property", [name], as_text(doc_of(node)), kind)
        if any(ast.unparse(one).endswith(".setter") for one in node.decorator_list):
            return ""
        shown = not name.startswith("_") or name in own_methods
        return function_text("method", methods[name], True) if shown and methods[name][0] is node else ""
    if isinstance(node, ast.AnnAssign) and not name.startswith("_"):
        given = ast.unparse(node.value) if node.value else "field("
        value = [] if "field(" in given else [f":value: {given}"]
        return directive("attribute", [name], as_text(text), [f":type: {annotation(node.annotation)}", *value])
    return ""


def class_text(node):
    methods = {}
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            methods.setdefault(one.name, []).append(one)
    begins = methods.get("__init__", [])
    heads = [node.name + re.sub(r" -> None$", "", signature(one, True)) for one in begins] or [node.name]
    docs = [doc_of(node), *(doc_of(one) for one in begins)]
    members = [member_text(one, text, methods) for one, text in documented(node.body) if target_of(one)]
    text = "\n\n".join([as_text(doc) for doc in docs if doc] + [member for member in members if member])
    kind = "exception" if node.bases and "Error" in ast.unparse(node.bases[0]) or node.name == "Error" else "class"
    return directive(kind, heads, text)


def entry(name):
    node = name.nodes[0]
    if isinstance(node, ast.ClassDef):
        return class_text(node)
    if isinstance(node, ast.FunctionDef):
        copy = [ast.parse(ast.unparse(one)).body[0] for one in name.nodes if isinstance(one, ast.FunctionDef)]
        for one in copy:
            one.name = name.name
        return function_text("function", copy)
    value = re.sub(r"\s+", " ", ast.unparse(node.value)) if node.value else ""
    return directive("data", [name.name], as_text(name.text), [f":value: {value}"] if value else [])


def kind_of(name):
    node = name.nodes[0]
    if isinstance(node, ast.FunctionDef):
        return "Functions"
    if isinstance(node, ast.ClassDef) and any("NamedTuple" in ast.unparse(one) for one in node.bases):
        return "Results and records"
    return "Classes" if isinstance(node, ast.ClassDef) else "Values"


def part_page(part, names):
    lines = [title(f"axode.{part}", "="), f"{parts[part]}.\n", f".. py:module:: axode.{part}\n"]
    if at_top := ", ".join(f"``axode.{name.name}``" for name in names if name.name in top_level()):
        lines += [f"At the top level, too: {at_top}.\n"]
    for kind in ("Functions", "Classes", "Results and records", "Values"):
        some = [name for name in names if kind_of(name) == kind]
        if some:
            lines += [title(kind, "-"), *(entry(name) for name in some)]
    return "\n".join(lines)


def index_page():
    doc = ast.get_docstring(ast.parse((root / "python/axode/__init__.py").read_text()))
    lines = [title("Python reference", "="), as_text(doc), "", ".. py:module:: axode", ""]
    for part, text in parts.items():
        names = sorted((name for name in public().values() if name.part == part), key=lambda name: name.name.lower())
        links = ", ".join(f":py:obj:`~{full_name(name)}`" for name in names)
        lines += [title(f":doc:`{part}`", "-"), f"{text}.\n", f".. container:: names\n\n   {links}\n"]
    return "\n".join(lines) + "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {part}\n" for part in parts)


def write_pages(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        (folder / f"{part}.rst").write_text(part_page(part, [one for one in public().values() if one.part == part]))
    (folder / "index.rst").write_text(index_page())
