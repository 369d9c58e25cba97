"""Files of models and scenes."""

from axode._axode import load_tree, model_format, native_text, save_tree, urdf_text
from axode._scene import Scene, load_scene, parse_scene

__all__ = [
    "load_scene",
    "load_tree",
    "model_format",
    "native_text",
    "parse_scene",
    "save_tree",
    "Scene",
    "urdf_text",
]
