"""Displayed formulas reach MathJax as they stand: \\tag and environments are not wrapped in others."""
from docutils import nodes


def leave_as_written(app, doctree):
    for block in doctree.findall(nodes.math_block):
        if not block.get("nowrap"):
            block["nowrap"] = block["no-wrap"] = True
            text = f"\\[{block.astext()}\\]"
            block.clear()
            block += nodes.Text(text)


def setup(app):
    app.connect("doctree-read", leave_as_written)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
