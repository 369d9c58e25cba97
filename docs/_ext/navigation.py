"""The tree of pages at the side, made once for all pages: by Sphinx it would be resolved anew for each, which
takes longer than all else. Links are moved to the folder of the page; the page itself is marked, and for the
page of a header its module.
"""
import copy
import functools
import posixpath

from bs4 import BeautifulSoup

settings = {"collapse": False, "titles_only": True, "maxdepth": -1, "includehidden": True}


@functools.cache
def of_front_page(builder):
    return BeautifulSoup(builder._get_local_toctree("index", **settings), "html.parser")


def for_page(builder, page, **_):
    tree = copy.copy(of_front_page(builder))
    here = posixpath.dirname(page) or "."
    links = {link["href"].removesuffix(".html"): link for link in tree.find_all("a")}
    chosen = next((links[name] for name in (page, posixpath.join(here, "index")) if name in links), None)
    for name, link in links.items():
        if name != "#":
            link["href"] = posixpath.relpath(name + ".html", here)
    if chosen:
        chosen["class"] = [*chosen.get("class", []), "current"]
        for item in chosen.find_parents("li"):
            item["class"] = [*item.get("class", []), "current"]
    return str(tree)


def replace(app, page, template, context, doctree):
    if "toctree" in context:
        context["toctree"] = functools.partial(for_page, app.builder, page)


def setup(app):
    app.connect("html-page-context", replace, priority=100)  # before the theme
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
