"""What must hold of an execution."""

import json
import re
import struct

# Members that are null in results where there is nothing to say.
MAY_BE_NULL = {"lower", "upper", "max_velocity", "max_effort", "velocity", "effort"}

WORDS = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?![\w.])", re.I)


def odd_number(value, key=""):
    """The path of a value that is not a number in a JSON document, or None."""
    if value is None:
        return None if key in MAY_BE_NULL else f'"{key}": null'
    if isinstance(value, float) and not abs(value) < float("inf"):
        return f'"{key}": {value}'
    members = value.items() if isinstance(value, dict) else ((key, v) for v in value) if isinstance(value, list) else ()
    for k, v in members:
        found = odd_number(v, k)
        if found:
            return found
    return None


def result_fault(text, texts_of_file):
    """What is wrong with a result as text; words that the file itself has are no fault."""
    if text.lstrip().startswith("{"):
        try:
            return odd_number(json.loads(text))
        except ValueError as error:
            return f"no JSON: {error}"
    found = WORDS.search(text)
    return f"'{found.group()}' in the result" if found and not WORDS.search(texts_of_file) else None


def written_fault(out, texts_of_file):
    """What is wrong with the files an execution has written."""
    for ending in ("csv", "json", "svg", "urdf"):
        file = out.with_suffix(f".{ending}")
        if file.exists():
            fault = result_fault(file.read_text(errors="replace"), texts_of_file)
            if fault:
                return f"{fault} (.{ending})"
    page, glb = out.with_suffix(".html"), out.with_suffix(".glb")
    if page.exists():
        data = re.search(r'id="axode-data">(.*?)</script>', page.read_text(errors="replace"), re.S)
        fault = result_fault(data.group(1), "") if data else None
        if fault:
            return f"{fault} (.html)"
    if glb.exists():
        data = glb.read_bytes()
        fault = result_fault(data[20:20 + struct.unpack_from("<I", data, 12)[0]].decode(), "")
        if fault:
            return f"{fault} (.glb)"
    return None


def fault_of(kind, names, code, stdout, stderr, texts_of_file):
    """What is wrong with an execution, or None."""
    if code < 0:
        return "more than 10 s of processor time" if code in (-24, -9) else f"signal {-code}"
    if code == 1 or "internal error" in stderr:
        return "internal error"
    if code == 0:
        return result_fault(stdout, texts_of_file)
    if code > 6:
        return f"exit code {code}"
    refusals = [line for line in stderr.splitlines() if line.startswith("axode: error:")]
    if not refusals:
        return f"exit code {code} without a message"
    if code == 2:  # the command line does not go with the file
        return None
    needs_line = kind in ("tree", "mechanism", "flexible")
    place = "|".join(re.escape(name) + (r":\d+" if needs_line and name.endswith(".json") else "") for name in names)
    return None if re.search(place, refusals[-1]) else "a refusal without its place"
