"""Directives of the pages that cpp_pages.py writes, and a domain that makes their names known to the search.

    cpp-code FILE LINE   declarations, highlighted, the types in them with links
    cpp-comment          a comment of a header: paragraphs, lists, formulas that keep their layout
    cpp-links FILE TEST  what to include, the source and the test
    cpp-headers          headers or modules and a sentence each, with links
    cpp-names            names and the headers they are in, with links
"""
import functools
import html
import json
import pathlib
import posixpath
import re

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CppLexer
from sphinx.domains import Domain, ObjType
from sphinx.util.docutils import SphinxDirective

from cpp_pages import modules
from repository import source_link

root = pathlib.Path(__file__).resolve().parent.parent.parent
kinds = {"struct": "struct", "class": "class", "concept": "concept", "enum": "enum", "function": "function",
         "variable": "variable", "typedef": "alias", "friend": "function", "value": "value"}


def by_module(entry):
    """As the modules build on each other: those below first."""
    module = entry[2].split("/")[2]
    return list(modules).index(module) if module in modules else -1


class AxodeDomain(Domain):
    """Names of the C++ reference, for the search."""
    name = "axode"
    label = "C++"
    object_types = {kind: ObjType(kind) for kind in sorted(set(kinds.values()))}
    initial_data = {"objects": []}

    def clear_doc(self, docname):
        self.data["objects"] = [one for one in self.data["objects"] if one[2] != docname]

    def merge_domaindata(self, docnames, otherdata):
        self.data["objects"] += [one for one in otherdata["objects"] if one[2] in docnames]

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        return []

    def get_objects(self):
        seen = set()
        for name, kind, docname, anchor in sorted(self.data["objects"], key=by_module):
            if (name, kind) not in seen:  # overloads: the first stands for all
                seen.add((name, kind))
                yield name.replace("::", "."), name, kind, docname, anchor, 1 if kind != "variable" else 2


@functools.cache
def type_pages():
    return json.loads((root / "build/docs/source/api/cpp/names.json").read_text())


@functools.cache
def headers():
    """Names as comments use them, "dynamics/contact" and, where it is the only one, "contact"."""
    paths = sorted(path for path in (root / "axode").rglob("*.hpp")
                   if not {"detail", "any_scalar"} & set(path.parts))
    full = {str(path.relative_to(root / "axode"))[:-4] for path in paths}
    stems = [path.stem for path in paths]
    return full, {name.split("/")[-1]: name for name in full if stems.count(name.split("/")[-1]) == 1}


def link(shown, uri):
    return nodes.reference("", "", shown, internal=True, refuri=uri)


class Described(SphinxDirective):
    def uri(self, page):
        return self.env.app.builder.get_relative_uri(self.env.docname, page)

    def page_of_header(self, name):
        full, unique = headers()
        name = name.removeprefix("axode/").removesuffix(".hpp")
        near = posixpath.dirname(self.env.docname.removeprefix("api/cpp/")) + "/" + name
        found = next((one for one in (name, near, unique.get(name)) if one in full), None)
        return self.uri("api/cpp/" + found) if found else None

    def inline(self, text):
        """Code between backticks, headers and pages with links."""
        out = []
        for i, part in enumerate(text.split("`")):
            if i % 2:
                out.append(nodes.literal("", "", nodes.Text(part)))
                continue
            for piece in re.split(r"((?<![\w/])[\w/]+\.hpp\b|docs/\w+\.md\b)", part):
                page = self.page_of_header(piece) if piece.endswith(".hpp") else None
                if re.fullmatch(r"docs/\w+\.md", piece):
                    page = self.uri(piece[5:-3])
                out.append(link(nodes.Text(piece), page) if page else nodes.Text(piece))
        return [one for one in out if one.astext()]


class Code(Described):
    has_content = True
    required_arguments = 2
    option_spec = {"objects": json.loads}

    def run(self):
        path, line = self.arguments
        formatter = HtmlFormatter(nowrap=False)
        text = highlight("\n".join(self.content), CppLexer(), formatter)
        text = re.sub(r'<span class="(n|nc|nf)">(\w+)</span>', self.with_link, text)
        source = source_link(self.env.app, self.env.docname, path, line)
        block = nodes.container(classes=["cpp-code"], ids=self.anchors())
        block += nodes.raw("", f'<a class="to-source" href="{html.escape(source)}" title="line {line} of '
                           f'{path}">source</a><div class="highlight-cpp notranslate">{text}</div>',
                           format="html")
        return [block]

    def with_link(self, match):
        name = match[2]
        page = type_pages().get(name)
        if page is None or any(name == one[0] for one in self.options["objects"]):
            return match[0]
        return f'<a class="{match[1]} type" href="{self.uri(page)}#c.{name}">{name}</a>'

    def anchors(self):
        """One for each name that is no member; overloads that come later get a number."""
        ids, taken = [], self.env.temp_data.setdefault("cpp anchors", set())
        domain = self.env.get_domain("axode")
        for name, kind, own in self.options["objects"]:
            if own or not ids:
                anchor, number = f"c.{name}", 1
                while anchor in taken:
                    number += 1
                    anchor = f"c.{name}-{number}"
                taken.add(anchor)
                ids.append(anchor)
            domain.data["objects"].append((name, kinds[kind], self.env.docname, ids[-1]))
        return ids


class Comment(Described):
    has_content = True

    def run(self):
        block, lines = nodes.container(classes=["cpp-comment"]), []
        for line in [*self.content, ""]:
            if line:
                lines.append(line)
            elif lines:
                block.extend(self.paragraphs(lines))
                lines = []
        return [block]

    def paragraphs(self, lines):
        """Running text and, indented, formulas and tables, which keep their layout."""
        out, at = [], 0
        while at < len(lines):
            kind = self.kind(lines[at])
            end = at + 1
            while end < len(lines) and (self.kind(lines[end]) == kind or
                                        (kind == "item" and lines[end].startswith("  "))):
                end += 1
            part = lines[at:end]
            if kind == "layout":
                least = min(len(line) - len(line.lstrip()) for line in part)
                text = "\n".join(line[least:] for line in part)
                out.append(nodes.literal_block(text, text, language="text", classes=["formula"]))
            elif kind == "item":
                items = re.split(r"\n- ", "\n".join(part).removeprefix("- "))
                out.append(nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph(
                    "", "", *self.inline(" ".join(item.split())))) for item in items)))
            else:
                out.append(nodes.paragraph("", "", *self.inline(" ".join(part))))
            at = end
        return out

    @staticmethod
    def kind(line):
        return "layout" if line.startswith("  ") else "item" if line.startswith("- ") else "text"


class Links(Described):
    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self):
        path = self.arguments[0]
        module = self.env.docname.split("/")[2]
        text = nodes.paragraph(classes=["cpp-links"])
        text += link(nodes.Text("C++ reference"), self.uri("api/cpp/index"))
        if self.env.docname.count("/") > 2:
            text += link(nodes.Text(module), self.uri(f"api/cpp/{module}/index"))
        text += nodes.literal("", f'#include "{path}"')
        text += link(nodes.Text("source"), source_link(self.env.app, self.env.docname, path))
        if len(self.arguments) > 1:
            text += nodes.inline("", "tests: " + self.arguments[1])
        return [text]


class Headers(Described):
    has_content = True

    def run(self):
        listing = nodes.definition_list(classes=["listing"])
        for line in self.content:
            if not line:
                continue
            name, _, text = line.partition(" ")
            page = "api/cpp/" + (name.removesuffix(".hpp") if name.endswith(".hpp") else name.rstrip(":") + "/index")
            shown = nodes.literal("", "", nodes.Text(name.rstrip(":").split("/")[-1]))
            listing += nodes.definition_list_item(
                "", nodes.term("", "", link(shown, self.uri(page))),
                nodes.definition("", nodes.paragraph("", "", *self.inline(text))))
        return [listing]


class Names(Described):
    has_content = True

    def run(self):
        block = nodes.paragraph(classes=["names"])
        for line in self.content:
            name, page = line.split()
            block += link(nodes.literal("", "", nodes.Text(name)), f"{self.uri('api/cpp/' + page)}#c.{name}")
            block += nodes.Text(" ")
        return [block]


def setup(app):
    app.add_domain(AxodeDomain)
    for name, directive in {"cpp-code": Code, "cpp-comment": Comment, "cpp-links": Links,
                            "cpp-headers": Headers, "cpp-modules": Headers, "cpp-names": Names}.items():
        app.add_directive(name, directive)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
