"""Small meshes of each format that the command reads, and their mutations."""

import json
import struct

from mutations import mutate_bytes, mutated_json_text, mutated_text_numbers

TETRAHEDRON = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def mesh_seeds():
    """Small meshes of each format that the command reads."""
    corners = [[TETRAHEDRON[k] for k in face] for face in FACES]
    stl = "solid s\n" + "".join(
        "facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in face) +
        "endloop\nendfacet\n" for face in corners) + "endsolid s\n"
    binary = b"\0" * 80 + struct.pack("<I", 4) + b"".join(
        struct.pack("<12fH", 0, 0, 1, *(x for p in face for x in p), 0) for face in corners)
    obj = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON) + "".join(
        "f " + " ".join(str(k + 1) for k in face) + "\n" for face in FACES)
    flat = " ".join(str(x) for p in TETRAHEDRON for x in p)
    dae = f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.001"/></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">{flat}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(str(k) for face in FACES for k in face)}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><matrix>2 0 0 1 0 2 0 0 0 0 2 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
    numbers = b"".join(struct.pack("<3f", *p) for p in TETRAHEDRON) + b"".join(
        struct.pack("<3H", *face) for face in FACES)
    gltf = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "scale": [2, 2, 2], "rotation": [0, 0, 0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "buffers": [{"byteLength": len(numbers)}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]})
    return [("stl", stl.encode()), ("stl", binary), ("obj", obj.encode()), ("dae", dae.encode()),
            ("glb", glb_of(gltf.encode(), numbers))]


def glb_of(text, numbers):
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(numbers), b"BIN\0") + numbers
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def mutated_mesh(rng, ending, data):
    if ending == "glb" and rng.random() < 0.7:
        size = struct.unpack_from("<I", data, 12)[0]
        return glb_of(mutated_json_text(rng, data[20:20 + size]), data[28 + size:])
    if ending in ("stl", "obj", "dae") and data.isascii() and b"\0" not in data and rng.random() < 0.6:
        return mutated_text_numbers(rng, data.decode())
    return mutate_bytes(rng, data)


def model_of_mesh(name):
    """A model with one body that looks like the mesh."""
    return json.dumps({"axode": 1, "bodies": [{
        "name": "a", "joint": {"type": "fixed"}, "shapes": [{"type": "mesh", "file": name}]}]}, indent=1).encode()
