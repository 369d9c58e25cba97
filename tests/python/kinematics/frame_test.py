"""axode.Frame: frames by names."""

import copy
import pickle

import pytest

import axode


def test_a_frame_has_origin_and_axes() -> None:
    tool = axode.Frame("tool", "world")
    assert (tool.origin, tool.axes) == ("tool", "world")
    assert str(tool) == "tool[world]"
    assert repr(tool) == "Frame('tool', 'world')"
    assert repr(axode.Frame("tool")) == "Frame('tool')"
    assert axode.Frame("tool").axes == "tool"


def test_frames_compare_hash_pickle_and_copy() -> None:
    tool = axode.Frame("tool", "world")
    assert tool == axode.Frame("tool", "world") and tool != axode.Frame("tool")
    assert len({tool, axode.Frame("tool", "world"), axode.Frame("tool")}) == 2
    for same in (pickle.loads(pickle.dumps(tool)), copy.copy(tool), copy.deepcopy(tool)):
        assert same == tool
    assert tool != "tool[world]"


@pytest.mark.parametrize("bad", [None, 1, b"tool", ["tool"], "\ud800"])
def test_names_are_text(bad: object) -> None:
    with pytest.raises((TypeError, UnicodeError)):
        axode.Frame(bad)  # type: ignore[arg-type]
