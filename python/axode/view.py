"""Pages of the viewer."""

from axode._view import Page, show

__all__ = [
    "Page",
    "show",
]
