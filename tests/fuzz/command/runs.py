"""Mutations of run files (MCAP). Checksums are made right again, so that mutations come behind them."""

import ctypes
import struct
import zlib

from mutations import NUMBERS, mutate_bytes, mutated_json_text


def zstd():
    """libzstd, which the command itself needs."""
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
    return library


def unpacked(packed, size):
    out = ctypes.create_string_buffer(size)
    if zstd().ZSTD_decompress(out, size, packed, len(packed)) != size:
        raise ValueError("a chunk cannot be unpacked")
    return out.raw


def records_of(data):
    """Kinds and contents up to the end of the data, which the index follows."""
    at, records = 8, []
    while data[at] != 0x0f:
        kind, length = data[at], struct.unpack_from("<Q", data, at + 1)[0]
        records.append((kind, data[at + 9:at + 9 + length]))
        at += 9 + length
    return records


def record(kind, content):
    return bytes([kind]) + struct.pack("<Q", len(content)) + content


def text_at(content, at):
    size = struct.unpack_from("<I", content, at)[0]
    return content[at + 4:at + 4 + size], at + 4 + size


def packed_text(text):
    return struct.pack("<I", len(text)) + text


def mutated_chunk(rng, content):
    """A chunk, unpacked, with some of its messages changed."""
    first, last, size, _ = struct.unpack_from("<QQQI", content)
    _, at = text_at(content, 28)
    inner, out, at = unpacked(content[at + 8:], size), [], 0
    while at < len(inner):
        length = struct.unpack_from("<Q", inner, at + 1)[0]
        out.append((inner[at], inner[at + 9:at + 9 + length]))
        at += 9 + length
    at = rng.randrange(len(out))
    kind, body = out[at]
    if kind == 5 and body[22:23] in b"{[" and rng.random() < 0.8:
        out[at] = kind, body[:22] + mutated_json_text(rng, body[22:])
    elif kind == 5 and rng.random() < 0.8:
        numbers = bytearray(body)
        struct.pack_into("<d", numbers, 22 + 8 * rng.randrange(max(1, (len(body) - 22) // 8)),
                         rng.choice(NUMBERS))
        out[at] = kind, bytes(numbers)
    elif rng.random() < 0.5:
        del out[at]
    else:
        out[at] = kind, mutate_bytes(rng, body)
    inner = b"".join(record(*r) for r in out)
    return (struct.pack("<QQQI", first, last, len(inner), zlib.crc32(inner)) + packed_text(b"") +
            struct.pack("<Q", len(inner)) + inner)


def mutated_metadata(rng, content):
    name, at = text_at(content, 0)
    fields, end = [], at + 4 + struct.unpack_from("<I", content, at)[0]
    at += 4
    while at < end:
        key, at = text_at(content, at)
        value, at = text_at(content, at)
        fields.append([key, value])
    field = rng.choice(fields)
    if rng.random() < 0.1:
        fields.remove(field)
    else:
        field[1] = mutated_json_text(rng, field[1])
    plain = [f for f in fields if f[0] != b"crc32"]
    if len(plain) < len(fields):  # it has a checksum of its own
        plain.append([b"crc32", str(zlib.crc32(packed_fields(name, plain))).encode()])
    return packed_fields(name, plain)


def packed_fields(name, fields):
    body = b"".join(packed_text(k) + packed_text(v) for k, v in fields)
    return packed_text(name) + struct.pack("<I", len(body)) + body


def mutated_attachment(rng, content):
    name, at = text_at(content, 16)
    media, at = text_at(content, at)
    data = mutated_json_text(rng, content[at + 8:-4])
    body = content[:16] + packed_text(name) + packed_text(media) + struct.pack("<Q", len(data)) + data
    return body + struct.pack("<I", zlib.crc32(body))


def mutated_run(rng, data):
    if rng.random() < 0.2:
        return mutate_bytes(rng, data)
    records = records_of(data)
    change = {0x06: mutated_chunk, 0x0c: mutated_metadata, 0x09: mutated_attachment}
    at = rng.choice([i for i, r in enumerate(records) if r[0] in change])
    records[at] = records[at][0], change[records[at][0]](rng, records[at][1])
    # A file that ends behind its data, as after a kill; indexes of chunks are not needed to read it.
    return data[:8] + b"".join(record(*r) for r in records)
