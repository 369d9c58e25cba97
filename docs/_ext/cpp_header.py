"""Reads a header as its author laid it out: the comment at its top, then blocks of a comment and the
declarations below it, up to an empty line or the next comment. Bodies of functions and private members are
left out; nothing else is changed. Headers are formatted by clang-format, on whose layout this relies.
"""
import dataclasses
import re

hidden = {"detail", "pugi"}  # namespaces that are nobody's business
noise = re.compile(r"(extern template|using namespace|static_assert|template struct|template class|"
                   r"(?:struct|class|enum class) \w+(?: : [\w:]+)?;)")


@dataclasses.dataclass
class Block:
    line: int  # of its first declaration
    scope: str = ""  # namespace within axode, such as "engine::"
    comment: list = dataclasses.field(default_factory=list)
    code: list = dataclasses.field(default_factory=list)
    last_line: int = 0
    heading: str = ""  # "// --- in one call ---" is one


def skip_quoted(text, i):
    """The end of the comment or literal that begins at i; i itself if none does."""
    if text.startswith("//", i):
        end = text.find("\n", i)
        return len(text) if end < 0 else end
    if text[i] == '"' or (text[i] == "'" and not text[i - 1:i].isalnum()):
        found = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'').match(text, i)
        return found.end() if found else i
    return i


def closing(text, i):
    """The position behind the brace that closes the one at i."""
    depth = 0
    while i < len(text):
        after = skip_quoted(text, i)
        if after > i:
            i = after
            continue
        depth += (text[i] == "{") - (text[i] == "}")
        i += 1
        if depth == 0:
            return i
    raise ValueError(f"a brace is not closed: {text[:60]}")


def end_of_declaration(text, i):
    """The position behind the declaration that begins at i, with a comment behind it on the line."""
    depth = 0
    while i < len(text):
        after = skip_quoted(text, i)
        if after > i:
            i = after
        elif text[i] in "([":
            depth, i = depth + 1, i + 1
        elif text[i] in ")]":
            depth, i = depth - 1, i + 1
        elif text[i] == "{":
            i = closing(text, i)
            follows = re.compile(r"\s*([;,]?)").match(text, i)
            if depth == 0 and follows[1] == "":
                break
            i = follows.end() - 1 if follows[1] else i
        elif text[i] == ";" and depth == 0:
            i += 1
            break
        else:
            i += 1
    rest = re.match(r"[ ]*///<.*", text[i:])
    return i + (rest.end() if rest else 0)


def without_template(head):
    """What follows template <...> and requires, and comments, in the beginning of a declaration."""
    head = re.sub(r"//[^\n]*", "", head).strip()
    while head.startswith("template"):
        depth = 0
        for i, letter in enumerate(head):
            depth += (letter == "<") - (letter == ">")
            if letter == ">" and depth == 0:
                break
        head = head[i + 1:].strip()
    return head


def kind_of_brace(head):
    head = without_template(head)
    if re.match(r"(friend |inline )*(struct|class|enum|union)\b", head):
        return "type"
    bare = re.sub(r"operator\s*(\(\)|[^\s(]+)", "operator", head)
    outside = re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "()", bare)
    if "(" not in bare or "=" in outside.replace("==", "") or "concept " in head:
        return "value"
    return "function"


def without_bodies(text):
    """The declaration without the bodies of its functions."""
    out, start, i, depth = [], 0, 0, 0
    while i < len(text):
        after = skip_quoted(text, i)
        if after > i:
            out.append(text[i:after])
            i = after
            continue
        letter = text[i]
        depth += (letter in "(") - (letter in ")")
        if letter == "{" and depth == 0:
            kind = kind_of_brace(text[start:i])
            if kind == "type":
                start = i + 1
            else:
                end = closing(text, i)
                if kind == "function":
                    out = [cut_initializers("".join(out), text[start:i])]
                    out.append(";")
                    while re.match(r"\s*[{,]", text[end:]):  # it was an initializer of a constructor
                        end = closing(text, text.index("{", end))
                else:
                    out.append(text[i:end])
                i = end
                start = i if kind == "function" else start
                continue
        elif letter in ";}" and depth == 0:
            start = i + 1
        out.append(letter)
        i += 1
    return "".join(out)


def cut_initializers(done, head):
    """`done` ends with a function's head; the initializers of a constructor are cut off it."""
    found = re.search(r"\)(?:\s*noexcept)?(\s+:\s+(?!:)\w.*)\Z", head, flags=re.S)
    shown = done.rstrip()
    return shown[:len(shown) - len(found[1].rstrip())].rstrip() if found else shown


def without_private(text):
    """Drops private: and what follows up to the end of the class."""
    lines, dropping = [], None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if re.fullmatch(r" *(private|protected):", line):
            dropping = indent
            while lines and not lines[-1].strip():
                lines.pop()
        elif dropping is not None and line.lstrip().startswith("}") and indent < dropping:
            dropping = None
        if dropping is None:
            lines.append(line)
    return "\n".join(lines)


def shown(declaration):
    text = without_private(without_bodies(declaration))
    if not re.search(r"^\s*(template[^\n]*\n\s*)?(struct|class|enum|concept)", text) and text.count("\n") > 12:
        text = re.sub(r"\s*=\s*\{.*\};", " = {...};", text, flags=re.S)
    return re.sub(r"\n{3,}", "\n\n", text)


def intro(lines):
    """The comment at the top, without the line that names the tests, and that line."""
    comment = []
    for line in lines:
        if not line.startswith("///"):
            break
        comment.append(line[4:])
    tests = [line for line in comment if line.startswith("Tests: ")]
    return [line for line in comment if not line.startswith("Tests: ")], tests, len(comment)


class Reader:
    """Goes through the lines at the level of namespaces and gathers blocks."""

    def __init__(self, text):
        self.text, self.lines = text, text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.at = intro(self.lines)[2]
        self.found, self.scopes, self.heading, self.block = [], [], "", None

    def run(self):
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("//"):
                self.comment(line)
            elif not line or line.startswith(("#", "}", "namespace", "inline namespace")):
                self.between(line)
            else:
                self.declaration()
        return [block for block in self.found if not hidden & set(block.scope.split("::"))]

    def comment(self, line):
        if line.startswith("// ---"):
            self.heading = line.strip("/- ")
        elif not re.match(r"// (NOLINT|clang-format)", line):
            if self.block is None or self.block.code:
                self.block = Block(self.at + 1)
            self.block.comment.append(re.sub(r"^///? ?", "", line))
        self.at += 1

    def between(self, line):
        """An empty line, a directive or a bound of a namespace: the block ends."""
        if self.block and not self.block.code:  # words on what follows
            self.take()
        self.block = None
        opened = re.match(r"(?:inline )?namespace ([\w:]+) \{(.*\})?", line)
        if opened and not opened[2]:
            self.scopes.append(opened[1])
        elif line.startswith("}"):
            self.scopes.pop()
        while line.startswith("#") and self.lines[self.at].endswith("\\"):
            self.at += 1
        self.at += 1

    def declaration(self):
        end = end_of_declaration(self.text, self.starts[self.at])
        after = next(k for k in range(self.at, len(self.starts)) if self.starts[k] >= end)
        code = self.text[self.starts[self.at]:end]
        if hidden & set(scope_parts(self.scopes)) or noise.match(code):
            self.block = self.block if self.block and self.block.code else None
        else:
            self.block = self.block or Block(0)
            if not self.block.code:
                self.block.line = self.at + 1
                self.take()
            self.block.code.append(shown(code))
            self.block.last_line = after
        self.at = after

    def take(self):
        self.block.scope, self.block.heading, self.heading = scope_name(self.scopes), self.heading, ""
        self.found.append(self.block)


def blocks(text):
    """The blocks of a header, by line."""
    return Reader(text).run()


def scope_parts(scopes):
    return [part for scope in scopes for part in scope.split("::")]


def scope_name(scopes):
    return "".join(part + "::" for part in scope_parts(scopes) if part != "axode")
