"""Links of the pages to files and folders of the repository, as pages of their source in the site.

A link such as ../axode/lie/se3.hpp#L12, relative to the page as on any viewer of Markdown, leads to
source/axode/lie/se3.hpp.html#L12; one to what does not exist is a warning, and so an error. A header
named in code, such as `lie/se3.hpp`, leads to its page of the reference.
"""
import html
import os
import pathlib
import posixpath
import re
import string
import subprocess

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

root = pathlib.Path(__file__).resolve().parent.parent.parent
logger = logging.getLogger(__name__)
binary = {".png", ".stl", ".npz", ".mcap", ".gz", ".h5", ".glb"}
largest_highlighted = 300_000


def tracked_files():
    """What git knows or would take, or all but what is built where there is no git: no other file gets a page."""
    if not (root / ".git").exists():
        return {str(path.relative_to(root)) for path in root.rglob("*")
                if path.is_file() and path.relative_to(root).parts[0] != "build"}
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, check=True,
                            capture_output=True, text=True).stdout
    return {name for name in listed.split("\0") if name and (root / name).is_file()}


def source_page(path):
    """The page of a file or folder, relative to the root of the site."""
    return f"source/{path}.html" if (root / path).is_file() else posixpath.join("source", path, "index.html")


def source_link(app, docname, path, line=None):
    page = os.path.relpath(source_page(path), posixpath.dirname(app.builder.get_target_uri(docname)) or ".")
    return page + (f"#L{line}" if line else "")


def is_public_header(path):
    """Whether the C++ reference has a page of the file."""
    return re.fullmatch(r"axode/.*\.hpp", path) and not {"detail", "any_scalar"} & set(path.split("/"))


class RepositoryLinks(SphinxPostTransform):
    """Before the resolver of MyST, which knows nothing outside of the pages."""
    default_priority = 5

    def run(self):
        here = posixpath.dirname("docs/" + self.env.docname)
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node.get("reftype") == "myst" and not node.get("refdomain"):
                self.resolve(node, here)
        for node in list(self.document.findall(addnodes.download_reference)):
            self.resolve(node, here)
        for node in list(self.document.findall(nodes.literal)):
            self.name_of_file(node)

    def resolve(self, node, here):
        target, _, anchor = node["reftarget"].partition("#")
        if not target or (node.get("reftype") == "myst" and "/" not in target and "." not in target):
            return
        path = posixpath.normpath(posixpath.join(here, target))
        if path.startswith("..") or not (root / path).exists():
            logger.warning("link to %s, which does not exist", target, location=node)
            node.replace_self(node.children)
            return
        if path == "docs/references.bib":
            uri = self.app.builder.get_relative_uri(self.env.docname, "references")
        else:
            self.env.repository_pages.setdefault(self.env.docname, set()).add(path)
            uri = source_link(self.app, self.env.docname, path) + (f"#{anchor}" if anchor else "")
        self.replace(node, uri, node.children)

    def name_of_file(self, node):
        text = node.astext()
        if isinstance(node.parent, (nodes.reference, nodes.title)):
            return
        if not re.fullmatch(r"[\w/]+\.(hpp|inl|cpp|py|json)", text):
            return
        for path in (text, "axode/" + text):
            if path in self.env.repository_files and "/" in text:
                break
        else:
            return
        if is_public_header(path):
            uri = self.app.builder.get_relative_uri(self.env.docname, "api/cpp/" + path[6:-4])
        else:
            self.env.repository_pages.setdefault(self.env.docname, set()).add(path)
            uri = source_link(self.app, self.env.docname, path)
        self.replace(node, uri, [node.deepcopy()])

    def replace(self, node, uri, children):
        link = nodes.reference("", "", internal=True, refuri=uri)
        link.extend(children)
        node.replace_self(link)


def highlighted(path):
    """Lines with numbers and the anchors L1, L2, ..."""
    text = (root / path).read_text(errors="replace")
    try:
        lexer = get_lexer_for_filename(path, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    if len(text) > largest_highlighted:
        lexer = TextLexer(stripnl=False)
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    return "<pre>" + "\n".join(f'<a id="L{i}" href="#L{i}"></a>{line}' for i, line in enumerate(lines, 1)) + "</pre>"


def folder_list(path, files, wanted):
    """What is in the folder, with links where there are pages."""
    items = []
    for name in sorted({name[len(path) + 1:].split("/")[0] for name in files if name.startswith(path + "/")}):
        inside = f"{path}/{name}"
        shown = html.escape(name) + ("/" if (root / inside).is_dir() else "")
        target = posixpath.relpath(source_page(inside), posixpath.dirname(source_page(path)))
        if inside in wanted:
            shown = f'<a href="{html.escape(target)}">{shown}</a>'
        items.append(f"<li>{shown}</li>")
    return "<ul>" + "\n".join(items) + "</ul>"


def below(path, files):
    """The file, or all files of the folder and the folders in it."""
    if (root / path).is_file():
        return {path}
    inside = {name for name in files if name.startswith(path + "/")}
    folders = {parent for name in inside for parent in map(str, pathlib.PurePosixPath(name).parents)}
    return inside | {folder for folder in folders if folder == path or folder.startswith(path + "/")}


def crumbs(path, wanted):
    """The path, its folders with links where they have pages."""
    parts, texts = path.split("/"), []
    for i, part in enumerate(parts[:-1]):
        folder = "/".join(parts[:i + 1])
        target = posixpath.relpath(source_page(folder), posixpath.dirname(source_page(path)))
        texts.append(f'<a href="{target}">{part}</a>' if folder in wanted else part)
    return " / ".join([*texts, f"<b>{html.escape(parts[-1])}</b>"])


def source_pages(app):
    """Writes pages of all that is linked to, and of the headers with the folders they lie in.

    They are many and need no navigation, so they have a template of their own.
    """
    files = app.env.repository_files
    wanted = below("axode", {name for name in files if re.fullmatch(r"axode/.*\.hpp", name)})
    for paths in app.env.repository_pages.values():
        for path in paths:
            wanted |= below(path, files)
    template = string.Template((pathlib.Path(__file__).parent / "source_page.html").read_text())
    for path in sorted(wanted):
        page = pathlib.Path(app.outdir, source_page(path))
        if (root / path).is_dir():
            body = folder_list(path, files, wanted)
        else:
            body = "<p>Not a text.</p>" if pathlib.Path(path).suffix in binary else highlighted(path)
        reference = f"api/cpp/{path[6:-4]}.html" if is_public_header(path) else ""
        home = posixpath.relpath(".", posixpath.dirname(source_page(path)))
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(template.substitute(
            title=html.escape(path), home=home, crumbs=crumbs(path, wanted), body=body,
            reference=f'<a href="{home}/{reference}">reference</a>' if reference else ""))
    return []


def begin(app):
    app.env.repository_files = tracked_files()
    if not hasattr(app.env, "repository_pages"):
        app.env.repository_pages = {}


def setup(app):
    app.connect("builder-inited", begin)
    app.connect("html-collect-pages", source_pages)
    app.add_post_transform(RepositoryLinks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
