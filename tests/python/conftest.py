"""What several tests are given."""

from pathlib import Path

import pytest

import axode


@pytest.fixture(scope="session")
def all_joints() -> axode.Tree:
    return axode.Tree.from_file(Path(__file__).resolve().parents[2] / "models/all_joints.json")
