"""What several tests are given."""

import signal
from pathlib import Path

import pytest

import axode

# A shell that starts the tests in the background has Ctrl-C ignored; some of them are about it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def all_joints() -> axode.Tree:
    return axode.Tree.from_file(Path(__file__).resolve().parents[2] / "models/all_joints.json")
