# The documentation site, built by scripts/build_docs from copies of docs/*.md beside the pages that are
# made (build/docs/source). The extensions are in docs/_ext; scripts/check_docs checks what comes out.
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "docs" / "_ext"))

project = "Axode"
author = "the authors of Axode"
html_title = "Axode"
extensions = ["myst_parser", "sphinx.ext.mathjax", "repository", "equations", "cpp_reference",
              "bibliography", "navigation"]

# --- pages ---
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
# Output of commands and formulas stand in blocks without a language.
highlight_language = "text"
python_use_unqualified_type_names = True
toc_object_entries = True
toc_object_entries_show_parents = "hide"
add_module_names = False

# --- look ---
html_theme = "furo"
html_static_path = ["_static", str(root / "build/docs/mathjax/static")]
html_css_files = ["axode.css"]
html_js_files = ["axode.js"]
html_copy_source = False
html_use_index = html_domain_indices = False  # the references have lists of their names
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

# --- formulas: MathJax stands in the site; SVG needs no font files ---
mathjax_path = "tex-svg-full.js"
mathjax_options = {"defer": "defer"}
mathjax3_config = {"svg": {"fontCache": "local", "displayAlign": "left", "displayIndent": "1.5em"},
                   "options": {"enableMenu": False}}


def setup(app):
    """JSON in pages may have comments and leave things out (...)."""
    from pygments.lexers import JsonLexer
    from pygments.token import Error, Text

    class Fragment(JsonLexer):
        def get_tokens_unprocessed(self, text):
            for at, kind, value in super().get_tokens_unprocessed(text):
                yield at, Text if kind is Error else kind, value

    app.add_lexer("json", Fragment)
    app.add_lexer("jsonc", Fragment)
