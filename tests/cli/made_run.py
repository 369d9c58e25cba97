"""Run files with given numbers, written as docs/runs.md says, without Axode."""

import json
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(data)) + data


def record(kind, content):
    return struct.pack("<BQ", kind, len(content)) + content


def pairs(values):
    content = b"".join(text(key) + text(value) for key, value in values.items())
    return struct.pack("<I", len(content)) + content


def metadata(values):
    """The record with its checksum."""
    bare = text("axode.run") + pairs(values)
    return record(12, text("axode.run") + pairs({**values, "crc32": str(zlib.crc32(bare))}))


def message(channel, time, data):
    return record(5, struct.pack("<HIQQ", channel, 0, time, time) + data)


def number(x):
    return None if x != x else x


def made_run(file, model, rows, *, names=("slide",), units=("m",), events=(), complete=True, command="axode simulate",
             options="{}", summary='{"ending": "finished", "steps": 7}', model_file="made.json"):
    """Writes the run. A row: t, coordinates q; rates, forces and energies are 0, or a dict gives them."""
    n = len(names)
    lists = {"q_names": names, "v_names": names, "q_units": units, "v_units": [u + "/s" for u in units],
             "a_units": [u + "/s^2" for u in units], "tau_units": ["N m" if u == "rad" else "N" for u in units]}
    values = {"format": "axode.run/1", "axode_version": "0.1.0", "command_line": command,
              "model_name": model.get("name", ""), "model_file": str(model_file), "options": options,
              **{key: json.dumps(list(value)) for key, value in lists.items()}}
    attachment = struct.pack("<QQ", 0, 0) + text("model") + text("application/json")
    body = json.dumps(model).encode()
    attachment += struct.pack("<Q", len(body)) + body
    attachment += struct.pack("<I", zlib.crc32(attachment))
    head = record(1, text("axode") + text("made")) + record(9, attachment) + metadata(values)
    for i, topic in ((1, "/state"), (2, "/events"), (4, "/summary")):
        head += record(3, struct.pack("<H", i) + text("s") + text("jsonschema") + text("{}"))
        head += record(4, struct.pack("<HH", i, i) + text(topic) + text("json") + pairs({}))
    messages = []
    for t, q, *more in rows:
        state = {"t": t, "q": [number(x) for x in q], "v": [0] * n, "a": [0] * n, "tau": [0] * n, "kinetic": 0,
                 "potential": 0, "stored": 0, "work": 0, **(more[0] if more else {})}
        messages.append((t, 1, json.dumps(state)))
    messages += [(t, 2, json.dumps({"t": t, "name": name, "text": what})) for t, name, what in events]
    messages.sort(key=lambda m: m[0])
    if complete:
        messages.append((messages[-1][0] if messages else 0, 4, summary))
    packed = b"".join(message(channel, int(t * 1e9), data.encode()) for t, channel, data in messages)
    chunk = struct.pack("<QQQI", 0, 0, len(packed), zlib.crc32(packed)) + text("") + struct.pack("<Q", len(packed)) + packed
    content = MAGIC + head + record(6, chunk)
    if complete:
        content += record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0)) + MAGIC
    file.write_bytes(content)
    return file
