"""Every file of tests/data is read by some test of this folder."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
DATA = HERE.parent / "data"
FILES = sorted(str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.is_file())

# Read by a pattern, which the test named here has.
BY_PATTERN = {
    r"mechanisms/book/\w+\.json": ("mechanism_reference_test.py", '"book").glob("*.json")'),
    r"mechanisms/natural/\w+\.json": ("reference_natural.py", 'f"natural/{name}"'),
    r"models/\w+\.urdf": ("model_test.py", '"tests/data/models").glob("*.urdf")'),
    r"flexible/params_\w+\.json": ("reference_beams_test.py", '"params_" + name'),
    r"flexible/vectors_\w+\.json": ("flexible_reference_test.py", '"vectors_" + name'),
    r"flexible/trajectory_\w+\.json": ("flexible_reference_test.py", '"trajectory_" + name'),
}
# Read by C++ alone, and why.
EXCEPTIONS = {
    "mechanisms/natural/rank_degeneracies.json": (
        "equations as the book writes them, one by one, which mechanisms in Python do not have"
    ),
    "view/flexible_poses.json": "poses by the library itself, for the page's own kinematics",
}
TEXTS = {path.name: path.read_text() for path in HERE.rglob("*.py") if path != Path(__file__)}


def is_named(file: str) -> bool:
    """In quotes, without its folder or ending or with them; names of folders with words that mean
    other things too, such as "relative", where they are read."""
    path = Path(file)
    if path.parts[0] == "mechanisms" and len(path.parts) == 2:
        names = [f'read("{path.stem}")', f'read("mechanisms/{path.stem}")']
        return any(name in text for name in names for text in TEXTS.values())
    texts = [text for name, text in TEXTS.items() if "natural" not in file or "natural" in name]
    return any(f'"{name}"' in text for name in (path.stem, path.name) for text in texts)


@pytest.mark.parametrize("file", FILES)
def test_file_is_read(file: str) -> None:
    if file in EXCEPTIONS:
        return
    for pattern, (test, how) in BY_PATTERN.items():
        if re.fullmatch(pattern, file):
            assert how in TEXTS[test], f"{test} does not read {pattern} any more"
            if "glob" in how:
                return
            file = file.replace("params_", "").replace("vectors_", "").replace("trajectory_", "")
    assert is_named(file), f"no test of tests/python reads {file}"


def test_exceptions_exist() -> None:
    assert set(EXCEPTIONS) <= set(FILES)
