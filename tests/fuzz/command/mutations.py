"""Mutations of model files, meshes and bytes; each is made of the random numbers given alone."""

import json
import re

NUMBERS = (0, -0.0, 1, -1, 2, 0.5, 3, -7, 1e-3, 1e-9, 1e-12, 1e-30, 1e-100, 1e-160, 5e-324, 1e3, 1e6, 1e9,
           1e12, 1e16, 1e30, 1e77, 1e100, 1e154, 1e160, 1e200, 1e300, 1.7976931348623157e308, -1e9, -1e154,
           -1.7976931348623157e308, 2147483647, 2147483648, 4294967296, 1e15, 3.141592653589793, 6.283185307179586)
# What a place in a model may be given however it was: nothing, next to nothing, far too much.
EXTREMES = (0, -1, 5e-324, 1e-310, 1e-300, -1e-300, 1e-15, 1e9, 4e9, 1e12, 1e15, -1e15, 1e20, 1e30, 1e100,
            1e308, -1e308)
TEXTS = ("", "x", "world", "t", "1/t", "sqrt(t-1)", "1e308*1e10", "exp(1e3*t)", "log(0*t)", "sin(1e300*t)",
         "sin(", "0/0", "t < 0.5 ? 1 : 2", "tan(pi/2)", "10^400", "q[elbow]", "a b", "é\u0301", "../../x", "\n")


def without_comments(text):
    """JSON with comments, without them: those of the shipped files stand outside of texts."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S)


def slots(value, found=None):
    """All (container, key) of a document."""
    found = [] if found is None else found
    for key in value if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            slots(value[key], found)
    return found


def named_numbers(value, name="", found=None):
    """The (container, key) of all numbers, by the member that they are or that their list is."""
    found = {} if found is None else found
    for key in value if isinstance(value, dict) else range(len(value)):
        member = key if isinstance(value, dict) else name
        if type(value[key]) in (int, float):
            found.setdefault(member, []).append((value, key))
        elif isinstance(value[key], (dict, list)):
            named_numbers(value[key], member, found)
    return found


def put_extreme(rng, document):
    """Something extreme at one number or a whole list of them, such as gravity: each kind is as likely as any other."""
    kinds = named_numbers(document)
    if not kinds:
        return
    container, key = rng.choice(kinds[rng.choice(list(kinds))])
    whole = isinstance(container, list) and rng.random() < 0.3
    value = rng.choice(EXTREMES)
    for place in range(len(container)) if whole else [key]:
        if type(container[place]) in (int, float):
            container[place] = value


def other_number(rng, x):
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(NUMBERS)
    if kind < 0.5:
        return x * 10.0 ** rng.randint(-12, 12)
    if kind < 0.55:
        return x * 10.0 ** rng.randint(-308, 308)
    return rng.choice((-x, x + 1, x * 2, x / 3, x * (1 + 1e-9), round(x), rng.uniform(-10, 10), rng.gauss(0, 1)))


def finite(x):
    return x if isinstance(x, int) or abs(x) < float("inf") else 1.7976931348623157e308


def mutate_value(rng, container, key, all_slots):
    value = container[key]
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)) and rng.random() < 0.95:
        return finite(other_number(rng, float(value)))
    others = [c[k] for c, k in all_slots]
    if isinstance(value, str) and rng.random() < 0.9:
        texts = [o for o in others if isinstance(o, str)]
        return rng.choice(texts) if rng.random() < 0.6 else rng.choice(TEXTS)
    if rng.random() < 0.6:  # something of the same key or kind
        like = [c[k] for c, k in all_slots if k == key] + [o for o in others if type(o) is type(value)]
        return json.loads(json.dumps(rng.choice(like)))
    return rng.choice((None, [], {}, True, "x", 1, [1, 2, 3], json.loads(json.dumps(rng.choice(others)))))


def mutate_document(rng, document):
    if rng.random() < 0.3:
        put_extreme(rng, document)
        if rng.random() < 0.8:
            return
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        everything = slots(document)
        if not everything:
            return
        numbers = [s for s in everything if type(s[0][s[1]]) in (int, float)]
        at_number = numbers and rng.random() < 0.8
        container, key = rng.choice(numbers if at_number else everything)
        what = rng.random() * (0.8 if at_number else 1)
        if what < 0.75:
            container[key] = mutate_value(rng, container, key, everything)
        elif what < 0.85:
            del container[key]
        elif isinstance(container, list):
            copy = json.loads(json.dumps(container[key]))
            container.insert(rng.randint(0, len(container)), copy)
        else:  # a member from elsewhere
            other, name = rng.choice([s for s in everything if isinstance(s[0], dict)] or [(container, key)])
            container[name] = json.loads(json.dumps(other[name]))


def mutate_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, what = rng.randrange(len(data) + 1), rng.random()
        if what < 0.5 and at < len(data):
            data[at] = rng.choice((0, 255, 32, 45, 48, 57, data[at] ^ 1 << rng.randrange(8), rng.randrange(256)))
        elif what < 0.65:
            del data[at:at + rng.choice((1, 2, 8, 100))]
        elif what < 0.75:
            del data[at:]
        elif what < 0.9:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start:start + rng.choice((1, 4, 50))]
        else:
            data[at:at] = rng.choice((b"1e308 ", b"nan", b"-", b"\xff\xff\xff\xff", b"[[[[", b"1e9", b"/*"))
        data = data or bytearray(b" ")
    return bytes(data)


def mutated_model(rng, text):
    if rng.random() < 0.08:
        return mutate_bytes(rng, text.encode())
    document = json.loads(without_comments(text))
    mutate_document(rng, document)
    return json.dumps(document, indent=1).encode()


def mutated_text_numbers(rng, text):
    """A mesh in text: some of its numbers changed."""
    tokens = re.split(r"(\s+)", text)
    places = [i for i, token in enumerate(tokens) if re.fullmatch(r"-?[0-9.]+(e-?\d+)?", token)]
    for _ in range(rng.choice((1, 2, 3)) if places else 0):
        at = rng.choice(places)
        tokens[at] = repr(finite(other_number(rng, float(tokens[at]))))
    return "".join(tokens).encode()


def mutated_json_text(rng, text):
    try:
        document = json.loads(without_comments(text.decode()))
        if not isinstance(document, (dict, list)):
            raise ValueError
    except ValueError:
        return mutate_bytes(rng, text)
    mutate_document(rng, document)
    return json.dumps(document).encode()
