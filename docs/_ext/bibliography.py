"""The page of references from docs/references.bib, and links to it from citations like [MuellerDyn].

write_page makes the page, which scripts/build_docs puts among the others. The five sources of the theory
come first, then what else is cited.
"""
import functools
import pathlib
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

root = pathlib.Path(__file__).resolve().parent.parent.parent
sources = ["MuellerKin", "MuellerDyn", "CibicikEgeland", "GarciaBayo", "TraversaroSaccon"]
accents = {'\\"u': "ü", "\\'i": "í", "\\'o": "ó", "\\'e": "é", "\\o": "ø", "\\alpha": "α"}


def plain(text):
    """The text of a field, without the braces and commands of TeX."""
    text = re.sub(r"\s+", " ", text)
    for command, letter in accents.items():
        text = text.replace("{" + command + "}", letter).replace("$" + command + "$", letter)
    text = re.sub(r"[{}]", "", text).replace("--", "–")
    if "\\" in text:
        raise ValueError(f"references.bib: cannot write {text}")
    return text


@functools.cache
def entries():
    """Key -> fields. Each entry must close its brace."""
    found = {}
    text = (root / "docs/references.bib").read_text()
    for match in re.finditer(r"^@(\w+)\{(\w+),\n(.*?)^\}$", text, flags=re.S | re.M):
        kind, key, body = match.groups()
        if "\n@" in body or key in found:
            raise ValueError(f"references.bib: {key} is not closed, or stands twice")
        fields = re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", body)
        found[key] = {name: plain(value) for name, value in fields}
    if len(found) != len(re.findall(r"^@", text, flags=re.M)):
        raise ValueError("references.bib: an entry cannot be read")
    return found


def authors(text):
    names = [" ".join(reversed(name.split(", "))) for name in text.split(" and ")]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def entry_text(key, entry):
    where = [f"*{entry[name]}*" for name in ("journal", "booktitle") if name in entry]
    if "volume" in entry:
        where.append(entry["volume"] + (f" ({entry['number']})" if "number" in entry else ""))
    where += [entry[name] for name in ("publisher", "institution") if name in entry]
    if "edition" in entry:
        where.append(f"edition {entry['edition']}")
    if "chapter" in entry:
        where.append(f"chapter {entry['chapter']}")
    if "pages" in entry:
        where.append(f"pages {entry['pages']}")
    where.append(entry["year"])
    link = f" <{entry['howpublished']}>" if entry.get("howpublished", "").startswith("http") else ""
    by = authors(entry["author"]) + ": " if "author" in entry else ""
    return f"({key})=\n**{key}**\\\n{by}{entry['title']}. {', '.join(where)}.{link}\n"


def write_page(path):
    known = entries()
    others = sorted(key for key in known if key not in sources)
    parts = ["# References", "Comments in the code and these pages cite by the key and the number of the equation, "
             "such as [MuellerDyn (66)]. What was found wrong in print is in [the errata](errata.md).",
             "## Sources of the theory", *(entry_text(key, known[key]) for key in sources),
             "## Further", *(entry_text(key, known[key]) for key in others)]
    path.write_text("\n\n".join(parts) + "\n")


class CitationLinks(SphinxPostTransform):
    """[MuellerDyn (66)] in running text leads to the entry."""
    default_priority = 600

    def run(self):
        if self.env.docname == "references":
            return
        page = self.app.builder.get_relative_uri(self.env.docname, "references")
        pattern = re.compile(r"\b(" + "|".join(entries()) + r")\b(?=[ \],;)])")
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, (nodes.reference, nodes.literal, nodes.literal_block, nodes.title,
                                        nodes.math, nodes.math_block, nodes.raw)):
                continue
            parts = pattern.split(text)
            if len(parts) > 1:
                new = [nodes.reference("", part, internal=True, refuri=f"{page}#{part.lower()}")
                       if i % 2 else nodes.Text(part) for i, part in enumerate(parts)]
                text.parent.replace(text, new)


def setup(app):
    app.add_post_transform(CitationLinks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
