"""Each program in examples/python and examples/tutorials runs and prints <name>.expected."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(p for d in ("python", "tutorials") for p in (ROOT / "examples" / d).glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_prints_what_is_expected(example: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=ROOT,
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout == example.with_suffix(".expected").read_text()


def test_the_gallery_is_there() -> None:
    assert len(EXAMPLES) >= 12
